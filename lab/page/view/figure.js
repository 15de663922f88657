// The figure on the stage: the bodies at the cursor, faint ones before and after, velocities and spins, and at
// each contact the impulse so far inside the friction cone.
import * as THREE from "three";
import { clockAt, partOf } from "../model/cursor.js";
import { pairOf } from "../model/events.js";
import { contactVector, impulseAt } from "../model/run.js";
import { Arrow } from "./arrow.js";
import { ContactPart } from "./contact_part.js";
import { durationOf, flightsOf, placeAt, sizesOf } from "./flights.js";
import { groundOf, meshOf } from "./meshes.js";
import { outlineOf } from "./shapes.js";

const vector = (x) => new THREE.Vector3(...x);
const CONTACTS_SHOWN = 4; // with impulse and cone
const NAMES_SHOWN = 4;
const MANY = 8; // bodies; beyond it meshes are coarser, and only the first body has handles

function put(object, { position, orientation: [w, x, y, z] }) {
  object.position.set(...position);
  object.quaternion.set(x, y, z, w);
}

export class Figure {
  constructor(engine, colors) {
    this.engine = engine;
    this.colors = colors;
    this.group = new THREE.Group();
  }

  /** Build everything for a cast and its first run; scales are kept until the next build. */
  build(cast, run) {
    this.cast = cast;
    this.sizes = sizesOf(cast);
    const after = run.ok ? cast.after(run.result.impulse) : null;
    this.duration = durationOf(cast, this.sizes, cast.before, after ?? cast.before);
    this.#scales(run, after);
    this.#bodies();
    this.#contacts();
    this.#strings();
    this.update(cast, run);
  }

  // Scales of arrows: the longest is about as long as a body is wide.
  #scales(run, after) {
    const all = [...this.cast.before, ...(after ?? [])];
    const most = (key) => Math.max(0, ...all.map((state) => Math.hypot(...(state[key] ?? [0]))));
    const reach = 1.1 * this.sizes.radius + 0.45 * this.sizes.spread;
    const contacts = run.info.contacts.map((contact) => Math.hypot(...contact.contact_velocity));
    const speed = this.cast.arrows === "bodies" ? most("velocity") : 1.5 * Math.max(...contacts);
    const spin = most("angular_velocity");
    this.scale = {
      velocity: reach / (speed || 1),
      spin: spin > 0 ? (0.8 * reach) / spin : 0.8 * reach * (this.sizes.radius / (speed || 1)),
      impulse: run.ok ? (0.9 * reach) / (this.#largestImpulse(run) || 1) : reach,
    };
    this.thickness = 0.022 * (this.sizes.radius + 0.4 * this.sizes.spread);
  }

  #largestImpulse(run) {
    return Math.max(
      ...run.info.contacts.map((_, i) => Math.hypot(...contactVector(run, i, "impulse", run.end))),
    );
  }

  #bodies() {
    const { cast, colors } = this;
    let next = 0;
    this.bodies = cast.bodies.map((body) => {
      if (body.fixed && body.shape.kind === "ground") {
        return null;
      }
      const color = body.fixed ? colors.fixed : colors.bodies[next++ % colors.bodies.length];
      const coarse = cast.bodies.length > MANY;
      const part = {
        solid: meshOf(body.shape, color, { coarse }),
        outline: outlineOf(body.shape).map(vector),
        before: null,
        after: null,
      };
      this.group.add(part.solid);
      put(part.solid, body);
      if (!body.fixed) {
        part.before = meshOf(body.shape, color, { opacity: 0.22, coarse });
        part.after = meshOf(body.shape, color, { opacity: 0.34, coarse });
        part.way = new THREE.Line(
          new THREE.BufferGeometry(),
          new THREE.LineDashedMaterial({
            color: colors.line,
            dashSize: 3 * this.thickness,
            gapSize: 2 * this.thickness,
          }),
        );
        part.velocity = new Arrow(colors.velocity, this.thickness);
        part.spin = new Arrow(colors.spin, 0.8 * this.thickness, { kind: "two" });
        part.first = new Arrow(colors.velocity, 0.7 * this.thickness, { opacity: 0.5 });
        part.firstSpin = new Arrow(colors.spin, 0.6 * this.thickness, {
          kind: "two",
          opacity: 0.5,
        });
        this.group.add(
          part.before,
          part.after,
          part.way,
          ...[part.velocity, part.spin, part.first, part.firstSpin].map((arrow) => arrow.group),
        );
      }
      return part;
    });
    this.#grounds();
    for (const point of cast.joints ?? []) {
      const joint = new THREE.Mesh(
        new THREE.SphereGeometry(1.6 * this.sizes.radius * 0.06, 16, 12),
        new THREE.MeshLambertMaterial({ color: colors.fixed }),
      );
      joint.position.set(...point);
      this.group.add(joint);
    }
  }

  // One disc per plane of an immovable body.
  #grounds() {
    const { cast, colors } = this;
    const planes = [];
    for (const contact of cast.contacts) {
      const side = contact.bodies.findIndex((i) => cast.bodies[i].shape.kind === "ground");
      const normal = contact.frame[2];
      const level = normal.reduce((sum, x, k) => sum + x * contact.point[k], 0);
      const known = planes.some(
        (plane) =>
          plane.body === cast.bodies[contact.bodies[side]] &&
          Math.abs(plane.level - level) < 1e-6 * this.sizes.spread &&
          plane.normal.every((x, k) => Math.abs(x - normal[k]) < 1e-6),
      );
      if (side >= 0 && !known) {
        planes.push({ body: cast.bodies[contact.bodies[side]], level, normal });
        this.group.add(
          groundOf(contact.point, normal, 2.1 * (this.sizes.spread + this.sizes.radius), colors),
        );
      }
    }
  }

  #contacts() {
    const { cast, colors, thickness } = this;
    const shown = cast.contacts.length <= CONTACTS_SHOWN ? cast.contacts : [];
    const look = { colors, thickness, moves: cast.arrows === "contact", sign: cast.sign };
    this.contacts = shown.map((contact, i) => new ContactPart(this.group, contact, i, look));
  }

  // Strings of a cradle, with the beams that hold them.
  #strings() {
    const { strings } = this.cast;
    if (!strings) {
      return;
    }
    const material = new THREE.LineBasicMaterial({ color: this.colors.fixed });
    const line = (points) => new THREE.Line(new THREE.BufferGeometry().setFromPoints(points), material);
    const beams = [0, 1].map((side) => line(strings.map((pair) => vector(pair[side]))));
    this.strings = strings.map((pair) => line([...pair, pair[0]].map(vector)));
    this.group.add(...beams, ...this.strings);
  }

  /** Another run of the same scene: new flights, the same meshes and scales. */
  update(cast, run) {
    this.cast = cast;
    this.run = run;
    const after = run.ok ? cast.after(run.result.impulse) : null;
    this.after = after;
    const { sizes, duration, scale } = this;
    const flights = flightsOf(this.engine, cast, sizes, duration, cast.before, after);
    this.flights = flights.bodies;
    this.touch = flights.touch;
    this.bodies.forEach((part, i) => part?.before && this.#ghosts(part, i));
    const widest = 0.4 * (sizes.radius + sizes.spread);
    this.contacts.forEach((part, i) => part.update(cast.contacts[i], run, scale, widest));
  }

  #ghosts(part, i) {
    const flight = this.flights[i];
    const still = (places) =>
      Math.hypot(...places[0].position.map((x, k) => x - places.at(-1).position[k])) <
      0.12 * this.sizes.radius;
    put(part.before, flight.before[0]);
    part.before.visible = !still(flight.before);
    part.after.visible = Boolean(flight.after) && !still(flight.after);
    if (flight.after) {
      put(part.after, flight.after.at(-1));
    }
    const points = [...flight.before, ...(flight.after ?? [])].map((place) =>
      vector(place.position),
    );
    part.way.geometry.setFromPoints(points);
    part.way.computeLineDistances();
    const origin = vector(this.cast.bodies[i].position);
    const edit = this.cast.arrows === "bodies" && this.cast.bodies[i].edit;
    part.first.set(
      origin,
      vector(this.cast.before[i].velocity).multiplyScalar(edit ? this.scale.velocity : 0),
    );
    part.firstSpin.set(
      origin,
      vector(this.cast.before[i].angular_velocity).multiplyScalar(edit ? this.scale.spin : 0),
    );
  }

  /** Show the state at a position of the timeline. */
  show(position) {
    const part = partOf(position);
    const share = part === "before" ? position : part === "after" ? position - 2 : 0;
    const clock = clockAt(position, this.run);
    const motion =
      !this.run.ok || part === "before"
        ? this.cast.before
        : this.cast.after(impulseAt(this.run, clock));
    this.bodies.forEach(
      (body, i) => body?.before && this.#showBody(body, i, part, share, motion[i]),
    );
    this.contacts.forEach((contact) => contact.show(part, clock));
    this.strings?.forEach((line, i) => {
      const [left, right] = this.cast.strings[i].map(vector);
      line.geometry.setFromPoints([left, this.bodies[i].solid.position, right]);
    });
  }

  #showBody(body, i, part, share, motion) {
    const flight = this.flights[i];
    const places = part === "after" && flight.after ? flight.after : flight.before;
    const place = placeAt(places, part === "impact" ? 1 : share);
    put(body.solid, part === "after" && !flight.after ? flight.before.at(-1) : place);
    const origin = body.solid.position;
    const shown = this.cast.arrows === "bodies" ? 1 : 0;
    body.velocity.set(origin, vector(motion.velocity).multiplyScalar(shown * this.scale.velocity));
    body.spin.set(origin, vector(motion.angular_velocity).multiplyScalar(shown * this.scale.spin));
  }

  /** Tips that can be dragged: [{ tip, origin, scale, title, edit, key }]; edit: where the vector is in the
   * scene. Only of visible arrows. */
  handles() {
    const found = [];
    this.bodies.forEach((part, i) => {
      const { edit, name, position } = this.cast.bodies[i];
      if (!part?.before || !edit) {
        return;
      }
      const add = (arrow, origin, key, scale, title) =>
        found.push({
          tip: arrow.tip.clone(),
          origin: vector(origin),
          scale: scale * (edit[key].sign ?? 1),
          title,
          key,
          edit: edit[key],
        });
      if (this.cast.arrows === "contact") {
        const k = Math.floor(i / 2);
        if (this.contacts[k]) {
          const { point } = this.cast.contacts[k];
          const title = `velocity at ${this.contacts.length > 1 ? `contact ${k}` : "the contact"}`;
          add(this.contacts[k].first, point, "velocity", this.scale.velocity, title);
        }
      } else if (this.bodies.length <= MANY || i === 0) {
        add(part.first, position, "velocity", this.scale.velocity, `velocity of ${name}`);
        if (edit.angular_velocity && Math.hypot(...this.cast.before[i].angular_velocity) > 0) {
          add(part.firstSpin, position, "angular_velocity", this.scale.spin, `spin of ${name}`);
        }
      }
    });
    return found;
  }

  // Outline of a body at a place, as points.
  #around({ outline }, { position, orientation: [w, x, y, z] }) {
    const turn = new THREE.Quaternion(x, y, z, w);
    const at = vector(position);
    return outline.map((point) => point.clone().applyQuaternion(turn).add(at));
  }

  /** Labels of the picture, [{ text, around: outline }], and outlines they must not cover. */
  labels() {
    const moving = this.bodies.filter((part) => part?.before);
    const unnamed = this.cast.rates ? moving[0] : null; // the first bar of a pendulum would hide the label of the second
    const [labels, solids] = [[], []];
    this.bodies.forEach((part, i) => {
      if (!part || moving.length > NAMES_SHOWN) {
        return;
      }
      solids.push(this.#around(part, this.cast.bodies[i]));
      for (const text of part === unnamed || !part.before ? [] : ["before", "after"]) {
        const flight = this.flights[i][text];
        if (part[text].visible) {
          const place = text === "before" ? flight[0] : flight.at(-1);
          labels.push({ text, around: this.#around(part, place) });
        }
      }
    });
    return { labels, solids };
  }

  /** Points that must be visible: bodies before, at and after the impact, arrows, cones. */
  frame() {
    const points = [...this.cast.contacts.map((contact) => contact.point), ...(this.cast.joints ?? [])];
    const seen = points.map(vector);
    this.bodies.forEach((part, i) => {
      const body = this.cast.bodies[i];
      if (part && body.shown) {
        seen.push(...body.shown.map(vector)); // only a part of it must be visible
      } else if (part) {
        const flight = this.flights[i] ?? {};
        const places = [
          body,
          ...(part.before?.visible ? [flight.before[0]] : []),
          ...(part.after?.visible ? [flight.after.at(-1)] : []),
        ];
        seen.push(...places.flatMap((place) => this.#around(part, place)));
      }
    });
    const hung = (this.cast.strings ?? []).flat().map(vector);
    return [...seen, ...this.#tips(), ...this.contacts.flatMap((part) => part.points()), ...hung];
  }

  // Tips of the arrows before and after the impact.
  #tips() {
    if (this.cast.arrows !== "bodies") {
      return [];
    }
    return this.cast.bodies.flatMap((body, i) =>
      body.fixed
        ? []
        : [this.cast.before[i], this.after?.[i] ?? this.cast.before[i]].flatMap((motion) => [
            vector(motion.velocity).multiplyScalar(this.scale.velocity).add(vector(body.position)),
            vector(motion.angular_velocity).multiplyScalar(this.scale.spin).add(vector(body.position)),
          ]),
    );
  }

  /** What the picture shows, for its legend: [[class, words], ...]. */
  legend() {
    const { cast, run } = this;
    const bodies = cast.arrows === "bodies";
    const motions = [...cast.before, ...(this.after ?? [])];
    const any = (key) => bodies && motions.some((motion) => Math.hypot(...motion[key]) > 0);
    const pair = run.info && pairOf(run.info, 0);
    const mover = pair && pair[cast.sign > 0 ? 0 : 1];
    const firsts = new Set(run.info.contacts.map((_, i) => pairOf(run.info, i)?.[0]));
    const on = firsts.size === 1 && pair ? ` on ${pair[0]}` : " on the first body of each contact";
    const shown = this.contacts.length > 0;
    const rough = run.info.contacts.some(({ mu }) => mu > 0);
    return [
      bodies && any("velocity") && ["velocity", "velocity"],
      !bodies && ["velocity", `velocity at the contact${mover ? `, of the ${mover}` : ""}`],
      (any("velocity") || !bodies) && ["before", "before the impact"],
      any("angular_velocity") && ["spin", "spin"],
      shown && run.ok && ["impulse", `impulse${run.jumps ? "" : " so far"}${on}`],
      shown && run.ok && rough && ["cone", "friction cone"],
      cast.strings && ["string", "strings (drawn only)"],
    ].filter(Boolean);
  }

  /** Limits of the picture in words. */
  note() {
    const { touch, cast } = this;
    if (!touch) {
      return cast.note;
    }
    const [a, b] = touch.bodies.map((i) => cast.bodies[i].name || "the surface");
    return `${cast.note} The flight after ends where ${a} and ${b} would touch again.`.trim();
  }
}
