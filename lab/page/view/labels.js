// Labels and handles over the picture: elements that follow points in it.
import { h } from "../dom.js";

const [LETTER, LINE, GAP, FAR] = [6.8, 16, 3, 30]; // pixels at the font size of 14

// The convex outline of points in the picture, counter-clockwise.
function hull(points) {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const half = (list) => {
    const kept = [];
    for (const p of list) {
      while (kept.length > 1 && side(kept.at(-2), kept.at(-1), p) <= 0) {
        kept.pop();
      }
      kept.push(p);
    }
    return kept.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

const side = (a, b, c) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);

const cornersOf = ({ left, right, top, bottom }) => [
  { x: left, y: top },
  { x: right, y: top },
  { x: right, y: bottom },
  { x: left, y: bottom },
];

// Distance to the nearest outline, 0 if covered, at most FAR.
function roomAround(box, outlines) {
  const distance = ({ x, y }) =>
    Math.hypot(Math.max(box.left - x, x - box.right, 0), Math.max(box.top - y, y - box.bottom, 0));
  return Math.min(
    FAR,
    ...outlines.map((outline) => (meets(box, outline) ? 0 : Math.min(...outline.map(distance)))),
  );
}

// Whether a box and a convex outline intersect: if not, an edge of one of them separates them.
function meets(box, outline) {
  const corners = cornersOf(box);
  const parted = (edges, others) =>
    edges.some((a, i) => {
      const b = edges[(i + 1) % edges.length];
      return others.every((c) => side(a, b, c) < 0);
    });
  return outline.length > 2 && !parted(corners, outline) && !parted(outline, corners);
}

// Boxes for a label beside an outline: above, below, right, left.
function boxesBeside(outline, width, line) {
  const most = (value) => outline.reduce((a, b) => (value(b) > value(a) ? b : a));
  const box = (left, top) => ({ left, top, right: left + width, bottom: top + line });
  const [up, down] = [most((p) => -p.y), most((p) => p.y)];
  const [right, left] = [most((p) => p.x), most((p) => -p.x)];
  return [
    box(up.x - width / 2, up.y - line - GAP),
    box(right.x + GAP, right.y - line / 2),
    box(left.x - GAP - width, left.y - line / 2),
    box(down.x - width / 2, down.y + GAP),
  ];
}

// The nearest box inside the area.
function inside(box, area) {
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  const left = Math.min(Math.max(box.left, area.left), area.right - width);
  const top = Math.min(Math.max(box.top, area.top), area.bottom - height);
  return { left, top, right: left + width, bottom: top + height };
}

/** Places for labels beside the bodies they name: [{ text, kind, x, y }]. area: { left, right, top, bottom }
 * in pixels; font: the font size relative to 14. */
export function placeLabels(stage, { labels, solids }, area, font) {
  const flat = (points) => hull(points.map((point) => stage.project(point)));
  const named = labels.map((label) => ({ ...label, outline: flat(label.around) }));
  const bodies = solids.map(flat);
  const taken = [];
  return named.map(({ text, outline }) => {
    const others = named.map((one) => one.outline).filter((one) => one !== outline);
    const boxes = boxesBeside(outline, font * LETTER * text.length, font * LINE)
      .map((box) => inside(box, area))
      .map((box) => {
        const free = !bodies.some((body) => meets(box, body));
        return { ...box, room: (free ? 1 : 0) + roomAround(box, [...others, ...bodies, ...taken]) };
      });
    const best = Math.max(...boxes.map((box) => box.room));
    const box = boxes.find(({ room }) => room === best);
    // never over another label: below it
    while (taken.some((other) => meets(box, other)) && box.bottom < area.bottom) {
      box.top += font * LINE;
      box.bottom += font * LINE;
    }
    taken.push(cornersOf(box));
    return { text, kind: "ghost", x: box.left, y: box.top };
  });
}

/** list: [{ text, kind, x, y }]; elements are reused from one drawing to the next. */
export function drawLabels(element, list) {
  while (element.children.length < list.length) {
    element.append(h("span"));
  }
  [...element.children].forEach((span, i) => {
    const label = list[i];
    span.hidden = !label;
    if (label) {
      span.className = label.kind;
      span.textContent = label.text;
      span.style.transform = `translate(${label.x.toFixed(1)}px, ${label.y.toFixed(1)}px)`;
    }
  });
}
