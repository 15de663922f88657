// The engine for a page or for Node: scenes in, results out, all computed by the C code of the
// library and of the program. README.md documents the calls.

const MODELS = ["rigid", "compliant"];
const LAWS = ["energetic", "poisson", "newton", "mono_stiffness"];
const MODES = ["slip", "stick", "open"];
const NO_ROTATION = [1, 0, 0, 0];
const ZERO = [0, 0, 0];

/** Start an engine from the bytes of carom.wasm. */
export async function createEngine(wasmBytes) {
  return new Engine(await WebAssembly.compile(wasmBytes));
}

// System calls of the C library. There are no files: reports are written to memory, so only output that
// nobody reads could arrive here.
function systemCalls() {
  const NO_SUCH_FILE = 8;
  const refuse = () => NO_SUCH_FILE;
  return {
    clock_time_get: refuse,
    fd_close: refuse,
    fd_fdstat_get: refuse,
    fd_seek: refuse,
    fd_write: refuse,
  };
}

class Engine {
  #module;
  #c; // the exported functions
  #text = null; // of the scene held by the C code; null: none
  #description = null; // of the same scene

  constructor(module) {
    this.#module = module;
    this.#start();
    this.version = this.#string(this.#c.version());
  }

  /** Size of the engine's memory in bytes. */
  get memory() {
    return this.#c.memory.buffer.byteLength;
  }

  solve(scene, options = {}) {
    return this.#guard({ result: null, json: "", words: "" }, () => {
      const [model, law] = chosen(options);
      const { brief = false } = options;
      if (!this.#read(scene) || !this.#c.solve(model, law, Number(brief))) {
        return {};
      }
      const json = this.#string(this.#c.json()).trimEnd();
      const result = JSON.parse(json);
      return brief ? { result } : { result, json, words: this.#string(this.#c.words()) };
    });
  }

  trace(scene, rows, options = {}) {
    if (!Number.isInteger(rows) || Math.abs(rows) >= 2 ** 31) {
      throw new RangeError(`rows: must be a whole number, got ${rows}`);
    }
    const none = { rows: 0, columns: [], data: new Float64Array(0), column: () => undefined };
    return this.#guard(none, () => {
      const [model, law] = chosen(options);
      if (!this.#read(scene)) {
        return {};
      }
      const compliant = (options.model ?? this.#describe().model) === "compliant";
      const start = this.#c.trace(rows, model, law);
      if (start === 0) {
        return {};
      }
      const columns = traceColumns(this.#c.contact_count(), this.#c.contact_rows(), compliant);
      const data = this.#numbers(start, rows * columns.length);
      const column = (name) => {
        const index = columns.indexOf(name);
        return index < 0 ? undefined : data.subarray(index * rows, (index + 1) * rows);
      };
      return { rows, columns, data, column };
    });
  }

  describe(scene) {
    return this.#guard({ scene: null, inverseInertia: new Float64Array(0) }, () => {
      if (!this.#read(scene)) {
        return {};
      }
      const size = this.#c.contact_count() * this.#c.contact_rows();
      return {
        status: "ok",
        message: "",
        scene: structuredClone(this.#describe()),
        inverseInertia: this.#numbers(this.#c.inverse_inertia(), size * size),
      };
    });
  }

  /** The first impact of a scene for `carom simulate`, as the text of a scene. */
  firstImpact(text) {
    return this.#guard({ text: "" }, () => {
      const bytes = new TextEncoder().encode(text);
      const start = this.#take(Math.max(bytes.length, 1));
      new Uint8Array(this.#c.memory.buffer, start, bytes.length).set(bytes);
      return { text: this.#string(this.#c.first_impact(start, bytes.length)) };
    });
  }

  motion(scene, impulse) {
    return this.#guard({ bodies: null, velocity: null }, () => {
      if (!this.#read(scene)) {
        return {};
      }
      const size = this.#c.contact_count() * this.#c.contact_rows();
      if (impulse.length !== size) {
        return invalid(`impulse: must have ${size} numbers, got ${impulse.length}`);
      }
      const { bodies, velocity } = this.#describe();
      const start = this.#c.motion(this.#input(impulse));
      if (start === 0) {
        return {};
      }
      if (bodies.length === 0) {
        return { velocity: [...this.#numbers(start, velocity.length)] };
      }
      const numbers = this.#numbers(start, 6 * bodies.length);
      const moved = bodies.map(({ name }, i) => ({
        name,
        velocity: [...numbers.subarray(6 * i, 6 * i + 3)],
        angular_velocity: [...numbers.subarray(6 * i + 3, 6 * i + 6)],
      }));
      return { bodies: moved };
    });
  }

  flight(body, times, gravity = ZERO) {
    return this.#guard({ states: new Float64Array(0) }, () => {
      const input = this.#input([...bodyNumbers(body), ...gravity, ...times]);
      const start = this.#c.flight(input, times.length);
      return start === 0 ? {} : { states: this.#numbers(start, 13 * times.length) };
    });
  }

  roll(table, start, times) {
    const none = { states: new Float64Array(0), phases: new Uint8Array(0), begin: [] };
    return this.#guard(none, () => {
      const { radius, mu_slide, mu_roll, gravity } = table;
      const input = [radius, mu_slide, mu_roll, gravity, ...start.position, ...start.velocity];
      input.push(...start.angular_velocity, ...times);
      const answer = this.#c.roll(this.#input(input), times.length);
      if (answer === 0) {
        return {};
      }
      const numbers = this.#numbers(answer, 3 + 10 * times.length);
      const states = new Float64Array(9 * times.length);
      const phases = new Uint8Array(times.length);
      for (let i = 0; i < times.length; i++) {
        states.set(numbers.subarray(3 + 10 * i, 12 + 10 * i), 9 * i);
        phases[i] = numbers[12 + 10 * i];
      }
      return { states, phases, begin: [...numbers.subarray(0, 3)] };
    });
  }

  csv({ rows, columns, data }) {
    const isMode = columns.map((name) => /^mode(_|$)/.test(name));
    const lines = [columns.join(",")];
    for (let i = 0; i < rows; i++) {
      const row = columns.map((_, c) => data[c * rows + i]);
      lines.push(row.map((x, c) => (isMode[c] ? MODES[x] : numberText(x))).join(","));
    }
    return lines.join("\n") + "\n";
  }

  // A new engine: at the start, and after a trap, when its memory cannot be trusted.
  #start() {
    const imports = { wasi_snapshot_preview1: systemCalls() };
    this.#c = new WebAssembly.Instance(this.#module, imports).exports;
    this.#c._initialize();
    this.#c.start();
    this.#text = this.#description = null;
  }

  // The answer of a call: the empty answer, extended by make(), with status and message. A trap (stack or
  // memory exhausted) is an ordinary failure; a mistake of the caller throws.
  #guard(none, make) {
    try {
      const answer = make();
      const end = { status: this.#string(this.#c.status()), message: this.#string(this.#c.message()) };
      return { ...end, ...none, ...answer };
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) {
        throw error;
      }
      this.#start();
      return { ...none, ...invalid(`the scene is too large for this page (${error.message})`) };
    }
  }

  // Pass the scene to the C code; false: it was refused, status and message give the reason.
  #read(scene) {
    const text = typeof scene === "string" ? scene : JSON.stringify(scene) ?? "";
    if (text === this.#text) {
      return true;
    }
    this.#text = this.#description = null;
    const bytes = new TextEncoder().encode(text);
    const start = this.#take(Math.max(bytes.length, 1));
    new Uint8Array(this.#c.memory.buffer, start, bytes.length).set(bytes);
    const good = this.#c.read(bytes.length) === 1;
    this.#text = good ? text : null;
    return good;
  }

  #describe() {
    if (!this.#description) {
      const start = this.#c.describe();
      if (start === 0) {
        throw new WebAssembly.RuntimeError("out of memory");
      }
      this.#description = JSON.parse(this.#string(start));
    }
    return this.#description;
  }

  #input(numbers) {
    const start = this.#take(Math.max(8 * numbers.length, 8));
    new Float64Array(this.#c.memory.buffer, start, numbers.length).set(numbers);
    return start;
  }

  #take(size) {
    const start = this.#c.input_take(size);
    if (start === 0) {
      throw new WebAssembly.RuntimeError("out of memory");
    }
    return start;
  }

  #numbers(start, count) {
    return new Float64Array(this.#c.memory.buffer, start, count).slice();
  }

  #string(start) {
    if (start === 0) {
      return "";
    }
    const bytes = new Uint8Array(this.#c.memory.buffer);
    return new TextDecoder().decode(bytes.subarray(start, bytes.indexOf(0, start)));
  }
}

function invalid(message) {
  return { status: "invalid_input", message };
}

// Numbers of the model and the law that override the scene's; -1: no override.
function chosen({ model, restitution }) {
  const number = (names, name) => {
    const index = name === undefined ? -1 : names.indexOf(name);
    if (name !== undefined && index < 0) {
      throw new RangeError(`must be one of ${names.join(", ")}, got ${name}`);
    }
    return index;
  };
  return [number(MODELS, model), number(LAWS, restitution)];
}

function traceColumns(contacts, rows, compliant) {
  const vectors = rows === 2 ? ["it", "in", "vt", "vn"] : ["ix", "iy", "iz", "vx", "vy", "vz"];
  const names = [...vectors, "stored", "mode", ...(compliant ? ["tangential"] : [])];
  const springs = rows === 2 ? ["spring_t", "rate_t"] : ["spring_x", "spring_y", "rate_x", "rate_y"];
  const last = compliant ? springs : [];
  if (contacts === 1) {
    return ["p", ...names, ...last];
  }
  const all = Array.from({ length: contacts }, (_, i) => i);
  const ofEach = (list) => all.flatMap((i) => list.map((name) => `${name}_${i}`));
  return ["clock", ...ofEach(names), ...ofEach(last)];
}

// A number as the program writes it, in its shortest form; may be infinite or NaN.
function numberText(x) {
  if (Number.isFinite(x)) {
    return Object.is(x, -0) ? "-0" : String(x);
  }
  return Number.isNaN(x) ? "nan" : x > 0 ? "inf" : "-inf";
}

// A body of a scene, or of describe(), in the layout of the C code.
function bodyNumbers(body) {
  const { mass, inertia = [1, 1, 1] } = body;
  const flat = inertia.flat();
  const matrix = flat.length === 3 ? [flat[0], 0, 0, 0, flat[1], 0, 0, 0, flat[2]] : flat;
  const { position = ZERO, orientation = NO_ROTATION, velocity = ZERO } = body;
  const { angular_velocity = ZERO } = body;
  const state = [...position, ...orientation, ...velocity, ...angular_velocity];
  return [mass === "infinite" ? Infinity : mass, ...matrix, ...state];
}
