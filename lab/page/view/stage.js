// The stage: camera, light, and drawing on demand. World axes: z is up.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

// Without a graphics card antialiasing would dominate the drawing time.
function drawnBySoftware() {
  const gl = new OffscreenCanvas(1, 1).getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

export class Stage {
  /** onDraw() is called after each drawing; margins() returns the space to keep free: { top, bottom, side }. */
  constructor(canvas, { onDraw, margins }) {
    this.canvas = canvas;
    this.margins = margins;
    this.renderer = new THREE.WebGLRenderer({
      canvas,
      antialias: !drawnBySoftware(),
      alpha: false,
    });
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(32, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enablePan = false;
    this.floor = null; // height below which the camera must not go
    this.controls.addEventListener("change", () => this.request());
    this.controls.addEventListener("start", () => (this.turned = true));
    this.onDraw = onDraw;
    this.pending = false;
    this.#light();
    new ResizeObserver(() => this.#resize()).observe(canvas.parentElement);
    this.#resize();
  }

  #light() {
    const sun = new THREE.DirectionalLight(0xffffff, 1.9);
    sun.position.set(-2, -3, 6);
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x8899aa, 1.7), sun);
  }

  #resize() {
    const { clientWidth, clientHeight } = this.canvas.parentElement;
    if (clientWidth === 0 || clientHeight === 0) {
      return;
    }
    [this.width, this.height] = [clientWidth, clientHeight];
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.camera.aspect = clientWidth / clientHeight;
    this.camera.updateProjectionMatrix();
    this.#room();
    if (this.home && !this.turned) {
      this.look(this.home);
    }
    this.draw();
  }

  request() {
    if (!this.pending) {
      this.pending = true;
      requestAnimationFrame(() => this.draw());
    }
  }

  // Keep the camera above the floor: the polar angle at which it would reach it.
  #limit() {
    const { target } = this.controls;
    const distance = this.camera.position.distanceTo(target);
    const rise = this.floor === null ? -1 : (this.floor - target.z) / distance + 0.03;
    const most = Math.acos(Math.min(Math.max(rise, -1), 1));
    if (Math.abs(most - this.controls.maxPolarAngle) > 1e-9) {
      this.controls.maxPolarAngle = most;
      this.controls.update();
    }
  }

  draw() {
    this.#limit();
    this.pending = false;
    this.renderer.render(this.scene, this.camera);
    this.onDraw?.();
  }

  /** Look from a direction so that all points are visible inside the margins. */
  look({ points, direction }) {
    this.home = { points, direction };
    this.turned = false;
    const away = new THREE.Vector3(...direction).normalize();
    const right = new THREE.Vector3().crossVectors(this.camera.up, away).normalize();
    const above = new THREE.Vector3().crossVectors(away, right);
    const sphere = new THREE.Sphere().setFromPoints(points);
    const target = sphere.center.clone();
    let distance = 4 * sphere.radius;
    // perspective makes the fit nonlinear: iterate
    for (let round = 0; round < 12; round++) {
      const seen = new THREE.Box2();
      for (const point of points) {
        const p = point.clone().sub(target);
        const depth = Math.max(distance - p.dot(away), 0.05 * distance);
        seen.expandByPoint(new THREE.Vector2(p.dot(right) / depth, p.dot(above) / depth));
      }
      const { centre, size } = this.#room();
      const [middle, extent] = [seen.getCenter(new THREE.Vector2()), seen.getSize(new THREE.Vector2())];
      target.addScaledVector(right, (middle.x - centre.x) * distance);
      target.addScaledVector(above, (middle.y - centre.y) * distance);
      distance *= Math.min(Math.max(extent.x / size.x, extent.y / size.y, 0.5), 2);
    }
    this.#place(target, away, distance);
  }

  // The free part of the picture: centre and size in tangents of angles. Sets this.free, in pixels.
  #room() {
    const { top, bottom, side } = this.margins();
    this.free = { left: 4, right: this.width - 4, top, bottom: this.height - bottom };
    const unit = (2 * Math.tan((this.camera.fov * Math.PI) / 360)) / this.height;
    const [width, height] = [this.width - 2 * side, this.height - top - bottom];
    return {
      centre: { x: 0, y: (unit * (bottom - top)) / 2 },
      size: { x: unit * Math.max(width, 80), y: unit * Math.max(height, 80) },
    };
  }

  #place(target, away, distance) {
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(away, distance);
    this.camera.near = distance / 100;
    this.camera.far = distance * 20;
    this.controls.minDistance = distance / 8;
    this.controls.maxDistance = distance * 5;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.request();
  }

  /** Turn the camera by angles, or zoom by a factor: for the keyboard. */
  move({ azimuth = 0, polar = 0, zoom = 1 }) {
    this.turned = true;
    const offset = this.camera.position.clone().sub(this.controls.target);
    offset.applyAxisAngle(this.camera.up, azimuth);
    const side = new THREE.Vector3().crossVectors(this.camera.up, offset).normalize();
    const turned = offset.clone().applyAxisAngle(side, polar);
    const steep = turned.angleTo(this.camera.up);
    const kept = steep > 0.05 && steep < Math.PI - 0.05 ? turned : offset;
    kept.setLength(
      Math.min(
        Math.max(kept.length() * zoom, this.controls.minDistance),
        this.controls.maxDistance,
      ),
    );
    this.camera.position.copy(this.controls.target).add(kept);
    this.#limit();
    this.controls.update();
    this.request();
  }

  /** Canvas pixel of a point, and whether it is in front of the camera. */
  project(point) {
    const on = point.clone().project(this.camera);
    return { x: ((on.x + 1) / 2) * this.width, y: ((1 - on.y) / 2) * this.height, front: on.z < 1 };
  }

  /** The point under a pixel, in the plane through another point parallel to the image. */
  unproject(x, y, through) {
    const at = new THREE.Vector2((2 * x) / this.width - 1, 1 - (2 * y) / this.height);
    const ray = new THREE.Raycaster();
    ray.setFromCamera(at, this.camera);
    const normal = this.camera.getWorldDirection(new THREE.Vector3());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, through);
    return ray.ray.intersectPlane(plane, new THREE.Vector3());
  }
}

/** Free the graphics memory of a group. */
export function dispose(group) {
  group.traverse((part) => {
    part.geometry?.dispose?.();
    part.material?.dispose?.();
  });
  group.removeFromParent();
}
