// Undo and redo. A state that rests for a moment is an entry; a drag is therefore one step.
const REST = 350; // milliseconds
const MOST = 200;

/** keep(entry, fresh) is called with each new state { scene, base, file }; fresh: another scene was loaded. */
export function createHistory(store, keep) {
  const entries = [];
  let [at, timer] = [-1, 0];

  function tell() {
    store.set({ canUndo: at > 0, canRedo: at + 1 < entries.length });
  }

  function commit() {
    clearTimeout(timer);
    const { scene, base, file } = store.state;
    const last = entries[at];
    if (!scene || scene === last?.scene) {
      return;
    }
    entries.splice(at + 1);
    entries.push({ scene, base, file });
    entries.splice(0, entries.length - MOST);
    at = entries.length - 1;
    tell();
    keep(entries[at], base !== last?.base);
  }

  function go(step) {
    commit();
    const next = entries[at + step];
    if (!next) {
      return;
    }
    at += step;
    const { base } = store.state;
    store.set(base === next.base ? {} : { contact: null, body: 0 });
    store.set(next);
    tell();
    keep(next, false);
  }

  store.on(["scene"], () => {
    clearTimeout(timer);
    timer = setTimeout(commit, REST);
    if (!store.state.canUndo && at >= 0) {
      store.set({ canUndo: store.state.scene !== entries[0].scene });
    }
  });
  return { undo: () => go(-1), redo: () => go(1), commit };
}
