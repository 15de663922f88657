// The state of the page: one object, and listeners to its parts.

export function createStore(initial) {
  const state = { ...initial };
  const listeners = [];

  // Change some parts; call each listener of a changed part once.
  function set(patch) {
    const changed = Object.keys(patch).filter((key) => !Object.is(state[key], patch[key]));
    if (changed.length === 0) {
      return;
    }
    Object.assign(state, patch);
    for (const { keys, call } of listeners) {
      if (changed.some((key) => keys.includes(key))) {
        call(state, changed);
      }
    }
  }

  function on(keys, call) {
    listeners.push({ keys, call });
  }

  return { state, set, on };
}
