// Tables for export, as CSV.

const row = (cells) => cells.map(cell).join(",");

function cell(value) {
  const text = typeof value === "number" ? String(value) : (value ?? "");
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const ENERGIES = ["kinetic", "stored", "tangential", "normal", "friction"];

/** The process of a run: the columns of `carom solve --trace`, then the plotted energies of all contacts
 * together, then the events since the row before (event, with the contact if there are several). */
export function processCsv(engine, run) {
  const lines = engine.csv(run.trace).trimEnd().split("\n");
  const several = run.contacts.length > 1;
  const events = Array.from({ length: run.rows }, () => []);
  for (const { clock, event, contact } of run.events) {
    const at = Math.ceil((clock / run.end) * (run.rows - 1) - 1e-9);
    const words = several ? `${event} ${contact}` : event;
    events[Math.min(Math.max(at, 0), run.rows - 1)].push(words);
  }
  const head = `${lines[0]},${ENERGIES.map((key) => `energy_${key}`).join(",")},event`;
  const body = lines.slice(1).map((line, i) => {
    const energies = ENERGIES.map((key) => run.energy[key][i]);
    return `${line},${row([...energies, events[i].join("; ")])}`;
  });
  return `${[head, ...body].join("\n")}\n`;
}

/** The same impact under several laws: a line each. */
export function comparisonCsv(laws, runs) {
  const { info } = runs.find((run) => run.ok) ?? { info: { contacts: [], planar: false } };
  const axes = info.planar ? ["t", "n"] : ["t1", "t2", "n"];
  const several = info.contacts.length > 1;
  const columns = (name) =>
    info.contacts.flatMap((_, i) => axes.map((axis) => `${name}_${axis}${several ? `_${i}` : ""}`));
  const head = [
    ...["law", "model", "restitution", "status", "message"],
    ...["energy_before", "energy_after", "friction_loss", "normal_loss"],
    ...columns("impulse"),
    ...columns("velocity"),
  ];
  const lines = laws.map((law, i) => {
    const { status, message, result, before } = runs[i];
    const named = [law.title, law.model, law.restitution, status, message];
    if (!result) {
      return row(named);
    }
    const { change, friction_loss, normal_loss } = result.energy;
    const energies = [before, before + change, friction_loss, normal_loss];
    return row([...named, ...energies, ...result.impulse, ...result.contact_velocity]);
  });
  return `${[row(head), ...lines].join("\n")}\n`;
}
