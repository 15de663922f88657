/** A scene as in a scene file, or its text. */
export type Scene = string | Record<string, unknown>;

export type Model = "rigid" | "compliant";
export type Restitution = "energetic" | "poisson" | "newton" | "mono_stiffness";

/** Override the scene. */
export interface Options {
  model?: Model;
  restitution?: Restitution;
}

export type Status =
  | "ok"
  | "energy_gain"
  | "invalid_input"
  | "not_approaching"
  | "not_converged"
  | "no_solution";

/** Every answer says how it went; message is "" or begins with the field that is wrong. */
export interface Answer {
  status: Status;
  message: string;
}

export interface Event {
  event: string;
  contact: number;
  [field: string]: unknown;
}

/** The output of `carom solve --json`. */
export interface Result {
  status: Status;
  model: Model;
  impulse: number[];
  contact_velocity: number[];
  bodies?: BodyMotion[];
  velocity?: number[];
  sequence?: string;
  events: Event[];
  energy: Record<string, number>;
  [field: string]: unknown;
}

export interface BodyMotion {
  name: string;
  velocity: number[];
  angular_velocity: number[];
}

export interface Solution extends Answer {
  result: Result | null;
  json: string;
  words: string;
}

export interface Trace extends Answer {
  rows: number;
  columns: string[];
  /** By columns. */
  data: Float64Array;
  column(name: string): Float64Array | undefined;
}

export interface Description extends Answer {
  scene: Record<string, unknown> | null;
  inverseInertia: Float64Array;
}

/** A body of a scene. */
export interface Body {
  mass: number | "infinite";
  inertia?: number[] | number[][];
  position?: number[];
  orientation?: number[];
  velocity?: number[];
  angular_velocity?: number[];
}

export interface Table {
  radius: number;
  mu_slide: number;
  mu_roll: number;
  gravity: number;
}

export interface BallState {
  position: number[];
  velocity: number[];
  angular_velocity: number[];
}

/** All calls are synchronous. None throws for bad data. README.md describes the answers. */
export interface Engine {
  readonly version: string;
  /** Size of the engine's memory in bytes. */
  readonly memory: number;
  solve(scene: Scene, options?: Options & { brief?: boolean }): Solution;
  trace(scene: Scene, rows: number, options?: Options): Trace;
  describe(scene: Scene): Description;
  firstImpact(text: string): Answer & { text: string };
  motion(
    scene: Scene,
    impulse: ArrayLike<number>,
  ): Answer & { bodies: BodyMotion[] | null; velocity: number[] | null };
  /** 13 numbers for each time: position, orientation, velocity, angular velocity. */
  flight(body: Body, times: number[], gravity?: number[]): Answer & { states: Float64Array };
  /** 9 numbers for each time: position, velocity, angular velocity. */
  roll(
    table: Table,
    start: BallState,
    times: number[],
  ): Answer & { states: Float64Array; phases: Uint8Array; begin: number[] };
  csv(trace: Pick<Trace, "rows" | "columns" | "data">): string;
}

/** Start an engine from the bytes of carom.wasm. */
export function createEngine(wasmBytes: BufferSource): Promise<Engine>;

/** Start the engine of this package. */
export function loadEngine(): Promise<Engine>;
