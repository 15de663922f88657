"""The strike for a wanted outcome."""
from __future__ import annotations

from typing import Any, Callable, Iterator, Mapping, NamedTuple, Sequence

import numpy as np

from carom._arrays import Array, Numbers, numbers, out
from carom._native import ffi, lib
from carom._status import NOT_CONVERGED, InvalidInput, NotConverged, status_names

_SOLUTIONS = 64


class Strategy(NamedTuple):
    """Values of what is free, and what they lead to."""

    values: dict[str, float]
    sequence: str  #: of events; solutions with different sequences are different branches
    residual: float  #: the largest miss in units of its tolerance; at most 1 in a solution
    family: bool  #: one of a continuum: more is free than is wanted
    at_bound: list[str]  #: what is at the end of its range
    outcome: Array  #: the numbers that are wanted, as they come out
    sensitivity: dict[str, Array]  #: of a scene: derivatives of the outcome by coefficients


class Aim:
    """What aim() found: `solutions`, nearest to what is given first, and the `closest` outcome."""

    def __init__(self, solutions: Sequence[Strategy], closest: Strategy | None, message: str):
        self.solutions = list(solutions)
        #: The best of all outcomes, a solution or not.
        self.closest = self.solutions[0] if closest is None else closest
        #: Why there is no solution; "".
        self.message = message

    def __len__(self) -> int:
        return len(self.solutions)

    def __iter__(self) -> Iterator[Strategy]:
        return iter(self.solutions)

    def __getitem__(self, index: int) -> Strategy:
        return self.solutions[index]

    def __repr__(self) -> str:
        if not self.solutions:
            return f"<carom.Aim: no solution: {self.message}>"
        return f"<carom.Aim: {len(self.solutions)} solution{'s' if len(self.solutions) > 1 else ''}>"


def strategy_of_report(report: Mapping[str, Any]) -> Strategy:
    """One answer of `carom aim --json`."""
    return Strategy(dict(report["values"]), report["sequence"], report["residual"], report["family"],
                    list(report["at_bound"]), np.array(report["outcome"], dtype=float),
                    {path: np.array(slopes, dtype=float)
                     for path, slopes in report["sensitivity"].items()})


class _Target:
    """The functions that C calls, and what went wrong in them."""

    def __init__(self, outcome: Callable[[Array], Any], slopes: Callable[[Array], Numbers] | None,
                 wanted: Array, tolerance: Array, count: int):
        self.outcome, self.slopes = outcome, slopes
        self.wanted, self.tolerance, self.count = wanted, tolerance, count
        self.problem: BaseException | None = None

    def numbers(self, values: Array) -> tuple[Array | None, str]:
        """The outcome and its sequence; None: there is none."""
        answer = self.outcome(values)
        found, sequence = answer if isinstance(answer, tuple) else (answer, "")
        if found is None:
            return None, ""
        array = np.atleast_1d(numbers(found, "outcome"))
        if array.shape != self.wanted.shape:
            raise ValueError(f"outcome: must give {self.wanted.size} numbers, as wanted has, got shape "
                             f"{array.shape}")
        return (array if np.isfinite(array).all() else None), str(sequence)


def _read(values: Any, count: int) -> Array:
    return np.frombuffer(ffi.buffer(values, 8 * count)).copy()


@ffi.def_extern(error=-1)  # type: ignore[misc]
def python_outcome(context: Any, values: Any, misses: Any, sequence: Any) -> int:
    target = ffi.from_handle(context)
    if target.problem is not None:
        return -1
    try:
        found, name = target.numbers(_read(values, target.count))
        if found is None:
            return NOT_CONVERGED
        ffi.memmove(misses, np.ascontiguousarray((found - target.wanted) / target.tolerance), 8 * found.size)
        text = name.encode()[:lib.AIM_SEQUENCE - 1] + b"\0"
        ffi.memmove(sequence, text, len(text))
        return 0
    except BaseException as problem:
        target.problem = problem
        return -1


@ffi.def_extern(error=-1)  # type: ignore[misc]
def python_slopes(context: Any, values: Any, slopes: Any) -> int:
    target = ffi.from_handle(context)
    if target.problem is not None:
        return -1
    try:
        found = numbers(target.slopes(_read(values, target.count)), "slopes")
        shape = (target.wanted.size, target.count)
        if found.shape != shape:
            raise ValueError(f"slopes: must have shape {shape}, got {found.shape}")
        ffi.memmove(slopes, np.ascontiguousarray(found / target.tolerance[:, None]), 8 * found.size)
        return 0
    except BaseException as problem:
        target.problem = problem
        return -1


def aim(outcome: Callable[[Array], Any], free: Mapping[str, tuple[float, float]], wanted: Numbers,
        tolerance: Numbers, *, given: Mapping[str, float] | None = None, starts: int = 0,
        slopes: Callable[[Array], Numbers] | None = None) -> Aim:
    """Find the values of what is free for which a function has a wanted outcome.

    outcome(values) gets an array of the free numbers, in the order of `free`, and returns the numbers
    that are wanted, or these and a text that names the branch (a sequence of events); None: there is
    no outcome. free: ranges by name; tolerance: of each wanted number, or one for all; given: where to
    look first; slopes(values): derivatives of the outcome, (wanted, free), where you have them;
    differences are taken else. For a scene use Scene.aim().

    >>> import carom, numpy as np
    >>> def landing(values):                       # a ball thrown to the floor with spin: how far?
    ...     ball = carom.ball(1, 0.1, velocity=[1, 0, -5], spin=[0, values[0], 0])
    ...     out = carom.collide(ball, carom.floor(), mu=0.5, e=0.9)
    ...     return out.velocity[0] * 2 * out.velocity[2] / 9.81, out.sequence
    >>> found = carom.aim(landing, {"spin": (-50, 50)}, wanted=1.0, tolerance=1e-6)
    >>> round(found[0].values["spin"], 6), found[0].sequence
    (13.15, 'lscr')
    """
    names, goal = list(free), np.atleast_1d(numbers(wanted, "wanted"))
    if goal.ndim != 1 or not 1 <= goal.size <= lib.AIM_MISSES or not 1 <= len(names) <= lib.AIM_FREE:
        raise ValueError(f"free and wanted: 1 to {lib.AIM_FREE} and 1 to {lib.AIM_MISSES} numbers, got "
                         f"{len(names)} and shape {goal.shape}")
    width = np.broadcast_to(numbers(tolerance, "tolerance"), goal.shape)
    if not (width > 0).all():
        raise ValueError("tolerance: must be > 0")
    for name in (given or {}).keys() - set(names):
        raise ValueError(f"given: {name} is not free")
    ranges = np.ascontiguousarray([[float(end) for end in free[name]] for name in names]).reshape(-1, 2).T
    low, high = np.ascontiguousarray(ranges[0]), np.ascontiguousarray(ranges[1])
    first = np.array([(given or {}).get(name, (a + b) / 2) for name, a, b in zip(names, low, high)])
    target = _Target(outcome, slopes, goal, width, len(names))
    room = _SOLUTIONS + 1
    values, bound = np.empty((room, len(names))), np.zeros((room, len(names)), dtype=np.int32)
    residual, family = np.empty(room), np.zeros(room, dtype=np.int32)
    sequence = np.zeros(room, dtype=f"S{lib.AIM_SEQUENCE}")
    found = ffi.new("AimOut *", (out(values), out(bound, "int32_t[]"), out(residual),
                                 out(family, "int32_t[]"), 0, out(sequence, "char[]")))
    message, handle = ffi.new("const char **"), ffi.new_handle(target)
    status = lib.aim_function(handle, len(names), out(low), out(high), out(first), goal.size, int(starts),
                              int(slopes is not None), _SOLUTIONS, found, message)
    if target.problem is not None:
        raise target.problem
    if status < 0:
        kind = NotConverged if status == NOT_CONVERGED else InvalidInput
        raise kind(ffi.string(message[0]).decode(), status_names(np.array(status)), ())

    def strategy(row: int) -> Strategy:
        numbers_there = target.numbers(values[row].copy())[0]
        return Strategy(dict(zip(names, values[row].tolist())), sequence[row].decode(), float(residual[row]),
                        bool(family[row]), [name for name, at in zip(names, bound[row]) if at],
                        np.full(goal.shape, np.nan) if numbers_there is None else numbers_there, {})

    best = strategy(_SOLUTIONS)
    why = "" if found.found else f"the closest outcome misses by {best.residual:.3g} times the tolerance"
    return Aim([strategy(row) for row in range(found.found)], best, why)
