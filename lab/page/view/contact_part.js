// A contact in the picture: the impulse so far inside the friction cone, and for scenes without bodies the
// velocity at the contact.
import * as THREE from "three";
import { contactVector } from "../model/run.js";
import { Arrow } from "./arrow.js";
import { inWorld } from "./cast.js";

const vector = (x) => new THREE.Vector3(...x);

// A cone of height 1 and radius 1 about the normal; its scale follows mu.
function coneOf(contact, color) {
  const material = new THREE.MeshBasicMaterial({
    color,
    transparent: true,
    opacity: 0.13,
    side: THREE.DoubleSide,
    depthTest: false,
    depthWrite: false,
  });
  const cone = new THREE.Mesh(
    new THREE.ConeGeometry(1, 1, 48, 1, true).translate(0, -0.5, 0).rotateX(-Math.PI / 2),
    material,
  );
  const basis = new THREE.Matrix4().makeBasis(...contact.frame.map(vector));
  cone.quaternion.setFromRotationMatrix(basis);
  cone.position.set(...contact.point);
  cone.renderOrder = 5;
  return cone;
}

export class ContactPart {
  /** moves: whether it shows the velocity at the contact; sign: of that velocity. */
  constructor(group, contact, index, { colors, thickness, moves, sign }) {
    Object.assign(this, { contact, index, sign });
    this.impulse = new Arrow(colors.impulse, 1.1 * thickness);
    this.velocity = moves ? new Arrow(colors.velocity, thickness) : null;
    this.first = moves ? new Arrow(colors.velocity, 0.7 * thickness, { opacity: 0.6 }) : null;
    this.curve = new THREE.Line(
      new THREE.BufferGeometry(),
      new THREE.LineBasicMaterial({ color: colors.impulse, depthTest: false, transparent: true }),
    );
    this.curve.renderOrder = 9;
    this.cone = coneOf(contact, colors.impulse);
    const arrows = [this.velocity, this.first].filter(Boolean).map((arrow) => arrow.group);
    group.add(this.impulse.group, this.curve, this.cone, ...arrows);
  }

  // A vector (t1, t2, n) in world axes.
  #world(values, scale) {
    return vector(inWorld(this.contact, values)).multiplyScalar(scale);
  }

  /** Another run: the curve of the impulse, and the cone up to its end but not wider than widest. */
  update(contact, run, scale, widest) {
    Object.assign(this, { contact, run, scale });
    const { mu } = run.info.contacts[this.index];
    const height = run.ok ? scale.impulse * this.#impulseAt(run.end)[2] : 0;
    const size = Math.min(height, widest / (mu || 1));
    this.cone.visible = mu > 0 && size > 0;
    this.cone.scale.set(mu * size || 1, mu * size || 1, size || 1);
    this.curve.visible = run.ok && !run.jumps;
    if (this.curve.visible) {
      const { impulse } = run.contacts[this.index];
      const origin = vector(contact.point);
      const rows = Array.from({ length: Math.ceil(run.rows / 4) }, (_, i) => 4 * i);
      const at = (row) => impulse.map((column) => column[row]);
      this.curve.geometry.setFromPoints(
        rows.map((row) => this.#world(at(row), scale.impulse).add(origin)),
      );
    }
  }

  #impulseAt(clock) {
    return contactVector(this.run, this.index, "impulse", clock);
  }

  /** (t1, t2, n) of the relative velocity before the impact. */
  velocityBefore() {
    const { contact_velocity: v } = this.run.info.contacts[this.index];
    return this.run.info.planar ? [v[0], 0, v[1]] : v;
  }

  show(phase, clock) {
    const { run, scale } = this;
    const origin = vector(this.contact.point);
    const none = new THREE.Vector3();
    this.impulse.set(
      origin,
      run.ok ? this.#world(this.#impulseAt(clock), scale.impulse) : none,
    );
    if (!this.velocity) {
      return;
    }
    const before = this.velocityBefore();
    const now =
      run.ok && phase !== "before" ? contactVector(run, this.index, "velocity", clock) : before;
    this.first.set(origin, this.#world(before, this.sign * scale.velocity));
    this.velocity.set(origin, this.#world(now, this.sign * scale.velocity));
  }

  /** Points that must be visible: the rim of the cone, and the tips of the arrows. */
  points() {
    const { run, scale } = this;
    this.cone.updateMatrix();
    const rim = Array.from({ length: 12 }, (_, k) => {
      const angle = (k * Math.PI) / 6;
      return new THREE.Vector3(Math.cos(angle), Math.sin(angle), 1).applyMatrix4(this.cone.matrix);
    });
    const origin = vector(this.contact.point);
    const end = run.ok ? this.#impulseAt(run.end) : [0, 0, 0];
    const tips = [this.#world(end, scale.impulse)];
    if (this.velocity) {
      tips.push(this.#world(this.velocityBefore(), this.sign * scale.velocity));
    }
    return [...(this.cone.visible ? rim : []), ...tips.map((tip) => tip.add(origin))];
  }
}
