// An arrow, as long as its vector and visible through everything.
import * as THREE from "three";

const Y = new THREE.Vector3(0, 1, 0);
const shaft = new THREE.CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0);
const head = new THREE.ConeGeometry(1, 1, 16).translate(0, -0.5, 0);
const heads = { one: [0], two: [0, 0.75] };

export class Arrow {
  /** thickness: radius of the shaft; kind: "two" heads for an angular velocity. */
  constructor(color, thickness, { kind = "one", opacity = 1 } = {}) {
    const material = new THREE.MeshBasicMaterial({
      color,
      transparent: true,
      opacity,
      depthTest: false,
      depthWrite: false,
    });
    this.thickness = thickness;
    this.material = material;
    this.group = new THREE.Group();
    this.shaft = new THREE.Mesh(shaft, material);
    this.heads = heads[kind].map(() => new THREE.Mesh(head, material));
    this.offsets = heads[kind];
    this.group.add(this.shaft, ...this.heads);
    this.group.traverse((part) => (part.renderOrder = 10));
    this.tip = new THREE.Vector3();
  }

  /** origin and vector: THREE.Vector3. Vectors too short to be visible hide the arrow. */
  set(origin, vector) {
    const size = vector.length();
    const visible = size > 0.5 * this.thickness;
    const headSize = Math.min(6 * this.thickness, 0.6 * size);
    this.tip.copy(origin).add(vector);
    this.group.visible = visible;
    if (!visible) {
      return;
    }
    this.group.position.copy(origin);
    this.group.quaternion.setFromUnitVectors(Y, vector.clone().normalize());
    this.shaft.scale.set(this.thickness, Math.max(size - 0.8 * headSize, 1e-9), this.thickness);
    this.heads.forEach((part, i) => {
      part.scale.set(0.42 * headSize, headSize, 0.42 * headSize);
      part.position.y = size - this.offsets[i] * headSize;
    });
  }
}
