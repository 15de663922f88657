// Linear scales and round ticks.

/** Round numbers in a range, about the wanted count and at least three. */
export function ticks(low, high, wanted) {
  const rough = (high - low) / Math.max(wanted, 1);
  if (!(rough > 0) || !Number.isFinite(rough)) {
    return [low];
  }
  const power = 10 ** Math.floor(Math.log10(rough));
  const steps = [10, 5, 2, 1, 0.5, 0.2, 0.1].map((factor) => factor * power);
  const bounds = (size) => [Math.ceil(low / size - 1e-9), Math.floor(high / size + 1e-9)];
  const many = (size) => bounds(size)[1] - bounds(size)[0] >= 2;
  const wide = steps.filter((size) => size >= rough * 0.999).at(-1);
  const step = steps.find((size) => size <= wide && many(size)) ?? steps.at(-1);
  const [first, last] = bounds(step);
  return Array.from({ length: last - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  );
}

/** From values to pixels, and back by .invert. */
export function linear([low, high], [from, to]) {
  const factor = (to - from) / (high - low || 1);
  const scale = (value) => from + (value - low) * factor;
  scale.invert = (pixel) => low + (pixel - from) / factor;
  scale.domain = [low, high];
  return scale;
}

/** The smallest and largest of some columns and single numbers. */
export function extent(...parts) {
  let [low, high] = [Infinity, -Infinity];
  for (const part of parts) {
    for (const value of typeof part === "number" ? [part] : part) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return low <= high ? [low, high] : [0, 1];
}

/** A range with a margin on both sides; never empty. */
export function padded([low, high], share = 0.06) {
  const room = (high - low) * share || Math.abs(high) * share || 1;
  return [low - room, high + room];
}
