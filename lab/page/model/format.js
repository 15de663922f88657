// Numbers and lists as text.

// With the given significant digits, without trailing zeros, with a true minus sign.
export function number(x, digits = 4) {
  if (!Number.isFinite(x)) {
    return x === Infinity ? "∞" : "–";
  }
  if (x === 0) {
    return "0";
  }
  const size = Math.abs(x);
  let text = size >= 1e6 || size < 1e-4 ? x.toExponential(digits - 1) : x.toPrecision(digits);
  if (text.includes("e")) {
    text = text.replace(/\.?0+e/, "e").replace("e+", "e");
  } else if (text.includes(".")) {
    text = text.replace(/\.?0+$/, "");
  }
  return text.replace(/-/g, "−");
}

// 0 if x is below the rounding of a sum of that scale.
export function settled(x, scale) {
  return Math.abs(x) < 1e-12 * scale ? 0 : x;
}

export function percent(part, whole) {
  return `${((100 * part) / whole).toFixed(1).replace("-", "−")} %`;
}

export function list(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

export function length(vector) {
  return Math.hypot(...vector);
}
