// Units, if the scene says them. The names come from the program.
import { number } from "./format.js";

/** "m/s" for a kind (velocity, angular_velocity, impulse, energy, mass, inertia); "" if not known. */
export function unitOf(info, kind) {
  return info?.units?.[kind] ?? "";
}

/** For the end of a title or a label: " (m/s)", or "". */
export function unitSuffix(info, kind) {
  const unit = unitOf(info, kind);
  return unit && ` (${unit})`;
}

/** A number with its unit. */
export function quantity(info, kind, value, digits = 3) {
  const unit = unitOf(info, kind);
  // a blank and a slash at which no line breaks
  const whole = unit.replaceAll("/", "\u2060/\u2060");
  return unit ? `${number(value, digits)}\u00a0${whole}` : number(value, digits);
}
