// Creating elements. Strings become text, never markup, because they may come from a scene.

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value);
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// h("p", { class: "x", onclick: f }, "text", child)
export function h(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

// The same in SVG.
export function svg(tag, properties = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);
}

// Set the children of a parent to the list [[tag, attributes, text], ...]. Existing elements are reused and
// only differences are written, which keeps dragging fast.
export function reuse(parent, make, list) {
  while (parent.childElementCount > list.length) {
    parent.lastElementChild.remove();
  }
  let child = parent.firstElementChild;
  for (const [tag, attributes, text = ""] of list) {
    const next = child?.nextElementSibling ?? null;
    if (child?.localName !== tag) {
      const made = make(tag);
      made.was = {};
      if (child) {
        child.replaceWith(made);
      } else {
        parent.append(made);
      }
      child = made;
    }
    change(child, attributes, text);
    child = next;
  }
}

function change(element, attributes, text) {
  const { was } = element;
  for (const name of new Set([...Object.keys(was), ...Object.keys(attributes)])) {
    const value = attributes[name];
    if (value === null || value === undefined) {
      element.removeAttribute(name);
    } else if (value !== was[name]) {
      element.setAttribute(name, value);
    }
  }
  element.was = attributes;
  if (text !== element.words) {
    element.words = text;
    element.textContent = text;
  }
}

export const byId = (id) => document.getElementById(id);
