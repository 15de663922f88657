// Meshes of shapes. Faces have two tones, which makes rotation visible.
import * as THREE from "three";
import { ConvexGeometry } from "three/examples/jsm/geometries/ConvexGeometry.js";

const AXES = [new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 1, 0), new THREE.Vector3(0, 0, 1)];
const up = AXES[1]; // axis of three's cylinders

// Colour each face by the position of its centre.
function paint(geometry, light) {
  const flat = geometry.index ? geometry.toNonIndexed() : geometry;
  const at = flat.getAttribute("position");
  const colors = new Float32Array(3 * at.count);
  for (let i = 0; i < at.count; i += 3) {
    const middle = [0, 1, 2].map(
      (k) => (at.getComponent(i, k) + at.getComponent(i + 1, k) + at.getComponent(i + 2, k)) / 3,
    );
    const tone = light(middle) ? 1 : 0.55;
    colors.fill(tone, 3 * i, 3 * i + 9);
  }
  flat.setAttribute("color", new THREE.BufferAttribute(colors, 3));
  return flat;
}

function ballGeometry({ radius }, coarse) {
  const parts = coarse ? [32, 20] : [64, 32];
  return paint(new THREE.SphereGeometry(radius, ...parts), ([x, y, z]) => x * y * z > 0);
}

function boxGeometry({ sides }) {
  return paint(
    new THREE.BoxGeometry(...sides),
    ([x, y, z]) => Math.abs(z) / sides[2] > 0.4 || Math.abs(x) / sides[0] > 0.4 === x > 0,
  );
}

function barGeometry({ axis, radius, half, tip }) {
  const ends = tip
    ? tip > 0
      ? [-half, tip - 1.5 * radius]
      : [tip + 1.5 * radius, half]
    : [-half, half];
  const profile = [
    [0, ends[0]],
    [radius, ends[0]],
    [radius, ends[1]],
    [0, ends[1]],
  ];
  if (tip > 0) {
    profile[3] = [0, tip];
  } else if (tip < 0) {
    profile[0] = [0, tip];
  }
  const geometry = new THREE.LatheGeometry(
    profile.map(([r, z]) => new THREE.Vector2(r, z)),
    64,
  );
  geometry.applyQuaternion(new THREE.Quaternion().setFromUnitVectors(up, AXES[axis]));
  return paint(geometry, (middle) => middle[(axis + 1) % 3] > 0);
}

// A solid of revolution about z: [[radius, z], ...].
function latheGeometry({ profile }) {
  const geometry = new THREE.LatheGeometry(
    profile.map(([r, z]) => new THREE.Vector2(r, z)),
    72,
  );
  geometry.applyQuaternion(new THREE.Quaternion().setFromUnitVectors(up, AXES[2]));
  return paint(geometry, ([x]) => x > 0);
}

function solidGeometry({ vertices }) {
  const geometry = new ConvexGeometry(vertices.map((v) => new THREE.Vector3(...v)));
  return paint(geometry, () => true);
}

const makers = {
  ball: ballGeometry,
  box: boxGeometry,
  bar: barGeometry,
  lathe: latheGeometry,
  solid: solidGeometry,
};

/** The mesh of a shape, or an empty group if there is nothing to draw; coarse: fewer faces. */
export function meshOf(shape, color, { opacity = 1, coarse = false } = {}) {
  const make = makers[shape.kind];
  if (!make) {
    return new THREE.Group();
  }
  const ghost = opacity < 1;
  const geometry = make(shape, coarse);
  const material = new THREE.MeshLambertMaterial({
    color,
    vertexColors: true,
    flatShading: shape.kind === "solid",
    side: shape.kind === "ball" || shape.kind === "box" ? THREE.FrontSide : THREE.DoubleSide,
    forceSinglePass: true, // with two passes three would rebuild the material for each frame
    transparent: ghost,
    opacity,
    depthWrite: !ghost,
  });
  const mesh = new THREE.Mesh(geometry, material);
  if (shape.kind === "box" || shape.kind === "solid") {
    const edges = new THREE.LineSegments(
      new THREE.EdgesGeometry(geometry, 10),
      new THREE.LineBasicMaterial({ color, transparent: true, opacity: ghost ? 0.5 : 1 }),
    );
    edges.material.color.multiplyScalar(0.5);
    mesh.add(edges);
  }
  return mesh;
}

/** An immovable body: a disc with a grid at its contact. */
export function groundOf(point, normal, radius, colors) {
  const group = new THREE.Group();
  const disc = new THREE.Mesh(
    new THREE.CircleGeometry(radius, 144),
    new THREE.MeshBasicMaterial({
      color: colors.ground,
      transparent: true,
      opacity: 0.85,
      side: THREE.DoubleSide,
      polygonOffset: true,
      polygonOffsetFactor: 2,
      polygonOffsetUnits: 2,
    }),
  );
  group.add(disc, rings(radius, colors.line));
  group.quaternion.setFromUnitVectors(AXES[2], new THREE.Vector3(...normal));
  group.position.set(...point);
  return group;
}

// Straight lines clipped to the disc.
function rings(radius, color) {
  const points = [];
  const count = 8;
  for (let i = -count; i <= count; i++) {
    const x = (radius * i) / count;
    const y = Math.sqrt(radius * radius - x * x);
    points.push(x, -y, 0, x, y, 0, -y, x, 0, y, x, 0);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  return new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color }));
}
