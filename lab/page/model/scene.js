// Reading and changing a scene object by path, without modifying the original, and the list of its sliders.
// A path is a list of keys and indices.
import { speedNames } from "./kinds.js";

export function get(scene, path) {
  return path.reduce((value, key) => value?.[key], scene);
}

export function withValue(scene, path, value) {
  if (path.length === 0) {
    return value;
  }
  const [key, ...rest] = path;
  const copy = Array.isArray(scene) ? [...scene] : { ...scene };
  copy[key] = withValue(copy[key] ?? (typeof rest[0] === "number" ? [] : {}), rest, value);
  return copy;
}

// Model and law of restitution, as one choice.
export const laws = [
  {
    id: "energetic",
    title: "Energetic",
    model: "rigid",
    restitution: "energetic",
    about:
      "Rigid contact, Stronge's law: of the energy stored in compression the part e² comes back.",
  },
  {
    id: "poisson",
    title: "Poisson",
    model: "rigid",
    restitution: "poisson",
    about: "Rigid contact: restitution gives e times the impulse of compression.",
  },
  {
    id: "newton",
    title: "Newton",
    model: "rigid",
    restitution: "newton",
    about: "Rigid contact: the bodies part at e times the speed of approach. Can create energy.",
  },
  {
    id: "compliant",
    title: "Compliant",
    model: "compliant",
    restitution: "energetic",
    about: "Springs along the normal and along the surface, with friction.",
  },
];
export const severalLaws = [
  {
    id: "compliant",
    title: "Bi-stiffness",
    model: "compliant",
    restitution: "energetic",
    about: "Springs that are stiffer in restitution; the part e² of the stored energy comes back.",
  },
  {
    id: "mono_stiffness",
    title: "Mono-stiffness",
    model: "compliant",
    restitution: "mono_stiffness",
    about:
      "Springs that keep their stiffness; restitution ends when the part e² of the energy is back.",
  },
  {
    id: "impulse",
    title: "Rigid",
    model: "rigid",
    restitution: "newton",
    about:
      "No springs and no process: every contact that is hit leaves at e times its speed of approach, or faster. Can create energy.",
  },
];

export function lawsOf(scene) {
  return (scene.contacts?.length ?? 1) > 1 ? severalLaws : laws;
}

export function lawOf(scene) {
  const several = scene.contacts?.length > 1 && scene.model === "rigid";
  const own = scene.restitution ?? (several ? "newton" : "energetic");
  const law = own === "bi_stiffness" ? "energetic" : own;
  return (
    lawsOf(scene).find((entry) => entry.model === scene.model && entry.restitution === law) ?? null
  );
}

export function withLaw(scene, law) {
  return { ...scene, model: law.model, restitution: law.restitution };
}

// A round bound that leaves room around a value.
function roundUp(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  const first = [1, 2, 3, 4, 5, 6, 8, 10].find((digit) => digit * power >= x * (1 - 1e-9));
  return first * power;
}

const zero = [0, 0, 0];

/** Sliders of the surface at a contact (index), or at all of them (index null). */
export function contactControls(scene, index) {
  const paths = (key) =>
    scene.contacts
      .map((_, i) => ["contacts", i, key])
      .filter((_, i) => index === null || i === index);
  const controls = [
    {
      id: "mu",
      title: "Friction μ",
      paths: paths("mu"),
      min: 0,
      max: Math.max(1.5, roundUp(scene.contacts[0].mu || 0.1)),
      fallback: 0,
    },
    { id: "e", title: "Restitution e", paths: paths("e"), min: 0, max: 1, fallback: 1 },
  ];
  if (scene.model === "compliant") {
    controls.push({
      id: "stiffness_ratio",
      title: "Stiffness ratio η²",
      about: "normal over tangential; without friction it has no effect",
      paths: paths("stiffness_ratio"),
      min: 0.1,
      max: 20,
      log: true,
      fallback: 17 / 14,
    });
  }
  return controls;
}

const FEW = 4; // contacts that have their stiffness and normal shown together

/** The stiffness of contacts relative to each other, and the normal of one. name(i): of a contact. */
export function geometryControls(scene, index, name) {
  const several = scene.contacts.length > 1;
  const shown = scene.contacts
    .map((_, i) => i)
    .filter((i) => i === index || (index === null && scene.contacts.length <= FEW));
  const one = several ? index : 0;
  return [
    ...(several && scene.model === "compliant" ? shown : []).map((i) => ({
      id: index === null ? `stiffness-${i}` : "stiffness",
      title: index === null ? `Stiffness, ${name(i)}` : "Relative stiffness",
      about: "of the normal spring; only the ratios of contacts count",
      paths: [["contacts", i, "stiffness"]],
      min: 0.01,
      max: 100,
      log: true,
      fallback: 1,
    })),
    ...(scene.bodies && one !== null
      ? vectorControls(["contacts", one, "normal"], "normal", "Normal", ["x", "y", "z"], 1)
      : []),
  ];
}

/** Mass and moments of inertia of a body. */
export function bodyControls(scene, base, index) {
  const body = scene.bodies?.[index];
  if (!body || body.mass === "infinite") {
    return [];
  }
  const around = (control) => {
    const value = get(base, control.paths[0]);
    return { ...control, log: true, min: value / 20, max: value * 20, fallback: value };
  };
  const nested = Array.isArray(body.inertia?.[0]);
  const given = Array.isArray(body.inertia) && body.inertia.length === 3; // not by a shape
  const moments = (given ? ["x", "y", "z"] : []).map((letter, k) => ({
    id: `inertia-${k}`,
    title: `Inertia ${letter}`,
    about: "moment about the centre of mass, in the body's axes",
    unit: "inertia",
    paths: [["bodies", index, "inertia", ...(nested ? [k, k] : [k])]],
  }));
  const mass = { id: "mass", title: "Mass", unit: "mass", paths: [["bodies", index, "mass"]] };
  return [mass, ...moments].map(around);
}

// Three sliders for a vector.
function vectorControls(path, id, symbol, letters, limit, unit) {
  const bound = roundUp(Math.max(limit, 1e-6));
  return letters.map((letter, k) => ({
    id: `${id}-${k}`,
    title: `${symbol} ${letter}`.trim(),
    unit,
    paths: [[...path, k]],
    base: path,
    size: letters.length,
    min: -bound,
    max: bound,
    fallback: 0,
  }));
}

// The speed of a guided body along its guide.
function guideControl(base, index) {
  const bound = roundUp(1.6 * Math.abs(base.bodies[index].guide.speed ?? 1) || 1);
  const paths = [["bodies", index, "guide", "speed"]];
  const title = "Speed along the guide";
  return { id: "guide-speed", title, unit: "velocity", paths, min: -bound, max: bound, fallback: 0 };
}

// Sliders of velocity and spin: [{ title, controls }], one group per body or kind of speed.
export function motionGroups(scene, base) {
  const fastest = (list, key) =>
    Math.max(0, ...list.map((body) => Math.hypot(...(body[key] ?? zero))));
  if (Array.isArray(scene.bodies)) {
    const speed = fastest(base.bodies, "velocity") || 1;
    return scene.bodies.flatMap((body, i) => {
      if (body.mass === "infinite") {
        return [];
      }
      if (body.guide) {
        return [{ title: body.name ?? `body ${i}`, body: i, controls: [guideControl(base, i)] }];
      }
      const spin = fastest(base.bodies, "angular_velocity") || (2 * speed) / sizeOf(body);
      return [
        {
          title: body.name ?? `body ${i}`,
          body: i,
          controls: [
            ...vectorControls(
              ["bodies", i, "velocity"],
              "velocity",
              "Velocity",
              ["x", "y", "z"],
              1.6 * speed,
              "velocity",
            ),
            ...vectorControls(
              ["bodies", i, "angular_velocity"],
              "spin",
              "Spin",
              ["x", "y", "z"],
              1.6 * spin,
              "angular_velocity",
            ),
          ],
        },
      ];
    });
  }
  if (scene.system) {
    const limit = 1.6 * Math.max(...base.system.velocity.map(Math.abs));
    return [
      {
        title: "speeds",
        controls: vectorControls(
          ["system", "velocity"],
          "speed",
          "",
          speedNames(scene),
          limit || 1,
        ),
      },
    ];
  }
  const limit = 1.6 * Math.max(...base.contact_velocity.map(Math.abs));
  const several = scene.contacts.length > 1;
  const letters = scene.contact_velocity.map(
    (_, i) => ["t1", "t2", "n"][i % 3] + (several ? ` of contact ${Math.floor(i / 3)}` : ""),
  );
  return [
    {
      title: "velocity at the contact",
      controls: vectorControls(
        ["contact_velocity"],
        "contact-velocity",
        "Velocity",
        letters,
        limit || 1,
        "velocity",
      ),
    },
  ];
}

// A length scale of a body, from its inertia.
function sizeOf(body) {
  const inertia = body.inertia?.flat?.(2) ?? [1];
  return Math.sqrt(Math.max(...inertia) / body.mass / 0.4) || 1;
}

// Set the values at several paths; a missing vector is filled with zeros first.
export function withControl(scene, control, value) {
  return control.paths.reduce((next, path) => {
    const filled =
      control.base && !get(next, control.base)
        ? withValue(next, control.base, Array(control.size).fill(0))
        : next;
    return withValue(filled, path, value);
  }, scene);
}
