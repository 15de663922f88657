// The pages that the program writes, in a browser: no text of a picture is cut off, and the gallery's small
// pictures can be read, in light and in dark.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test, { after } from "node:test";
import { pathToFileURL } from "node:url";

import { startBrowser } from "./page_support.mjs";
import { reportOf, sceneFiles, withGallery } from "./support.mjs";

const browser = startBrowser();
after(() => browser.close());
const texts = new Map(sceneFiles().map(({ name, text }) => [name, text]));
const DESKTOP = { width: 1280, height: 900 };

// The same impact in units that make all numbers long.
function scaled(text, mass, speed) {
  const scene = JSON.parse(text);
  scene.inverse_inertia = scene.inverse_inertia?.map((row) => row.map((x) => x / mass));
  scene.contact_velocity = scene.contact_velocity?.map((x) => x * speed);
  for (const body of scene.bodies ?? []) {
    body.mass = body.mass === "infinite" ? body.mass : body.mass * mass;
    body.inertia = body.inertia?.map((x) => x * mass);
    body.velocity = body.velocity?.map((x) => x * speed);
    body.angular_velocity = body.angular_velocity?.map((x) => x * speed);
  }
  return JSON.stringify(scene);
}

// Texts of SVG pictures that leave their picture: ["which: text", ...]. Runs in the page.
function cutTexts(pictures) {
  const room = 2; // pixels: the box of a text is a little larger than its letters
  return pictures.flatMap(([name, svg]) => {
    const holder = document.createElement("div");
    holder.style.width = "720px";
    holder.innerHTML = svg.slice(svg.indexOf("<svg"));
    document.body.append(holder);
    const frame = holder.querySelector("svg").getBoundingClientRect();
    const cut = [...holder.querySelectorAll("text")].filter((text) => {
      const box = text.getBoundingClientRect();
      return (
        box.width > 0 &&
        (box.left < frame.left - room ||
          box.right > frame.right + room ||
          box.top < frame.top - room ||
          box.bottom > frame.bottom + room)
      );
    });
    const found = cut.map((text) => `${name}: ${text.textContent}`);
    holder.remove();
    return found;
  });
}

const embedded = (page) =>
  [...page.matchAll(/src="data:image\/svg\+xml;base64,([^"]*)"/g)].map(([, data]) =>
    Buffer.from(data, "base64").toString(),
  );

test("a report's pictures: no legend, label or title is cut off", async () => {
  const scenes = [
    ...["icosahedron_tetrahedron", "rail_striker", "ping_pong_225", "masse_shot", "cradle_5"].map(
      (name) => [name, texts.get(name)],
    ),
    ["icosahedron, small numbers", scaled(texts.get("icosahedron_tetrahedron"), 3e-5, 1.7e-3)],
    ["cradle, large numbers", scaled(texts.get("cradle_5"), 7e4, 2.3e3)],
  ];
  const pictures = scenes.flatMap(([name, text]) =>
    embedded(reportOf(text, "scene.json")).map((svg, i) => [`${name}, picture ${i}`, svg]),
  );
  assert.ok(pictures.length >= 4 * scenes.length, `${pictures.length} pictures`);
  assert.ok(pictures.some(([, svg]) => svg.includes("impulse so far")));
  const tab = await browser.tab(DESKTOP);
  await tab.open("about:blank");
  assert.deepEqual(await tab.evaluate(cutTexts, pictures), []);
  // the check sees a text that leaves its picture by a third of its height
  const wrong = '<svg viewBox="0 0 720 100"><text x="10" y="8" font-size="16">cut</text></svg>';
  assert.deepEqual(await tab.evaluate(cutTexts, [["wrong", wrong]]), ["wrong: cut"]);
  await tab.close();
});

// Names of bodies in a report's picture that an arrow crosses. Runs in the page.
function crossedNames() {
  return [...document.querySelectorAll(".bodies text")]
    .filter((name) => {
      const { left, right, top, bottom } = name.getBoundingClientRect();
      return [...document.querySelectorAll(".bodies .before, .bodies .after")].some((path) => {
        const place = path.getScreenCTM();
        return Array.from({ length: 60 }, (_, i) =>
          path.getPointAtLength((path.getTotalLength() * i) / 59).matrixTransform(place),
        ).some(({ x, y }) => x > left && x < right && y > top + 4 && y < bottom - 4);
      });
    })
    .map((name) => name.textContent);
}

test("a report's bodies: no arrow crosses a name", async () => {
  const tab = await browser.tab(DESKTOP);
  for (const name of ["thrown_ball", "box_corner", "two_balls", "rod_newton", "superball", "central"]) {
    await tab.page.setContent(reportOf(texts.get(name), "scene.json"));
    assert.ok((await tab.count(".bodies text")) > 0, name);
    assert.deepEqual(await tab.evaluate(crossedNames), [], name);
    const above = /from above/.test(await tab.text(".bodies figcaption"));
    assert.equal(above, name === "two_balls", name); // from the side they would cover each other
  }
  await tab.close();
});

// Mean brightness of a picture (PNG), 0 to 1. Runs in the page.
async function brightness(base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes]));
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  let sum = 0;
  for (let i = 0; i < data.length; i += 4) {
    sum += (data[i] + data[i + 1] + data[i + 2]) / 3;
  }
  return sum / (data.length / 4) / 255;
}

// The size of most of a picture's text, in its own pixels, and the width of the picture.
function textOf(svg) {
  const sizes = [...svg.matchAll(/font-size="([\d.]+)"/g)].map(([, size]) => Number(size));
  const [, width] = /viewBox="0 0 ([\d.]+)/.exec(svg);
  return { size: sizes.sort((a, b) => a - b)[Math.floor(sizes.length / 2)], width: Number(width) };
}

const FIGURES = ["jw-4a", "j-11", "jme-5", "m-2.2"];

test("the gallery: small pictures are read at a desk, and are dark where the page is", async (t) => {
  await withGallery(FIGURES, async (directory) => {
    const files = FIGURES.map((id) => `${id}.svg`);
    const svgs = files.map((file) => [file, readFileSync(join(directory, file), "utf8")]);
    for (const dark of [false, true]) {
      const tab = await browser.tab({ ...DESKTOP, dark });
      await tab.open(pathToFileURL(join(directory, "index.html")).href);
      const shown = new Map(
        await tab.all("nav img", (all) => all.map((one) => [one.getAttribute("src"), one.width])),
      );
      assert.deepEqual([...shown.keys()].toSorted(), files.toSorted());
      for (const [file, svg] of svgs) {
        const { size, width } = textOf(svg);
        const seen = (size * shown.get(file)) / width;
        t.diagnostic(`${file}: ${seen.toFixed(1)} pixels`);
        assert.ok(seen > 7, `${file}: text of ${seen} pixels`); // measured: 7.2 to 9.0
      }
      for (const file of files) {
        const picture = await tab.page.$(`nav img[src="${file}"]`);
        await picture.evaluate((one) => one.scrollIntoView() ?? one.decode());
        const light = await tab.evaluate(brightness, await picture.screenshot({ encoding: "base64" }));
        t.diagnostic(`${file}, ${dark ? "dark" : "light"}: brightness ${light.toFixed(2)}`);
        assert.ok(dark ? light < 0.25 : light > 0.75, `${file}: brightness ${light}`);
      }
      if (!dark) {
        assert.deepEqual(await tab.evaluate(cutTexts, svgs), []);
      }
      await tab.close();
    }
  });
});
