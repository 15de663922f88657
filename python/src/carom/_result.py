"""The results of impacts in contact space."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from carom._arrays import Array, Grid, names, out, texts
from carom._native import ffi, lib
from carom._status import raise_for, status_names

if TYPE_CHECKING:
    import pandas

    from carom._solve import Problems

_SEQUENCE = np.dtype("S16")
_KINKS = 8
EVENTS = names("event")
KINKS = names("kink")
SMOOTHNESS = ("smooth", "one_sided", "not_smooth")
EVENT = np.dtype([("row", "i8"), ("kind", "i4"), ("contact", "i4"), ("normal_impulse", "f8"),
                  ("impulse", "f8", 3), ("velocity", "f8", 3), ("stored", "f8"),
                  ("tangential", "f8")])
KINK = np.dtype([("kind", "i4"), ("contact", "i4"), ("happens", "i4"), ("jumps", "i4"),
                 ("distance", "f8")])


class Energy(NamedTuple):
    """The energy account of each impact; change + normal_loss + friction_loss = residual."""

    change: Any  #: kinetic energy given to the bodies; negative: lost
    stored: Any  #: normal work taken up in compression
    released: Any  #: normal work given back in restitution
    normal_loss: Any  #: lost at the ends of compression, by the law
    friction_loss: Any  #: work of friction
    residual: Any  #: by how much the account fails to close
    tangential: Any  #: in the tangential spring when compression last ended


class Jump(NamedTuple):
    """The nearest jump of the outcome that was seen; its distance is infinite if there was none."""

    distance: Any  #: about the relative change of the input that reaches it
    contact: Any  #: at which contact; -1: none, or all together
    reason: Any  #: in words, or ""


class Snapshots(NamedTuple):
    """All contacts just after each event: one row per row of Result.events."""

    impulse: Array
    velocity: Array
    stored: Array
    active: npt.NDArray[np.bool_]


class Trace:
    """The sampled process of impacts: arrays (..., samples, ...)."""

    def __init__(self, grid: Grid, samples: int, contacts: int, rows: int):
        axes = (rows - 1) * contacts
        size = rows * contacts
        self.contacts, self.rows = contacts, rows
        #: The normal impulse of all contacts together.
        self.clock: Array = grid.empty(samples)
        self.impulse: Array = grid.empty(samples, size)
        self.velocity: Array = grid.empty(samples, size)
        #: Normal and tangential energy of each contact.
        self.stored: Array = grid.empty(samples, contacts)
        self.tangential: Array = grid.empty(samples, contacts)
        #: Extension of the tangential spring, times sqrt(2 k), and its rate.
        self.spring: Array = grid.empty(samples, axes)
        self.spring_rate: Array = grid.empty(samples, axes)
        #: 0 slip, 1 stick, 2 open, -1 no result.
        self.mode: npt.NDArray[np.int32] = grid.empty(samples, contacts, dtype=np.int32)
        self._status: npt.NDArray[np.int32] = grid.empty(dtype=np.int32)
        self._message: npt.NDArray[np.uintp] = grid.empty(dtype=np.uintp)
        self.c = ffi.new("Traces *", (
            samples, out(self.clock), out(self.impulse), out(self.velocity), out(self.stored),
            out(self.tangential), out(self.spring), out(self.spring_rate),
            out(self.mode, "int32_t[]"), out(self._status, "int32_t[]"),
            out(self._message, "uintptr_t[]")))

    @property
    def status(self) -> Any:
        return status_names(self._status)

    def raise_for_status(self) -> Trace:
        raise_for(self._status, self._message)
        return self

    def plot(self, kind: str = "impulse", ax: Any = None) -> Any:
        """Draw it: kind is a function of carom.plot, "impulse", "hodograph", "energy" or "states".
        Returns the axes."""
        import carom.plot

        return carom.plot.draw(kind, self, ax)


class Result:
    """Impulses, velocities after, and what happened, a row for each impact.

    A row that is not ``ok`` has failed: its numbers are NaN.
    """

    def __init__(self, problems: Problems, repeatable: bool = True, details: bool = True):
        grid = problems.grid
        self._problems, self._repeatable, self._details = problems, repeatable, details
        #: Impulses (..., 3n) on the first body, in the contact frames.
        self.impulse: Array
        #: Contact velocities (..., 3n) after.
        self.velocity: Array
        self._ambiguous: npt.NDArray[np.uintp] | None = None
        self._jump: Jump | None = None
        if details:
            self.outcomes = self._take_one() if not grid.shape else self._take(grid)
        else:
            self.outcomes = self._take_few(grid)
        if details and problems.contacts > 1:
            self._take_jump(grid)

    def _take(self, grid: Grid) -> Any:
        """Arrays for all rows, each an array of its own."""
        size, count = self._problems.size, grid.count
        self.impulse, self.velocity = grid.empty(size), grid.empty(size)
        self._energy = np.empty((7,) + grid.shape)
        self._error = grid.empty()
        self._integers = np.empty((4,) + grid.shape, dtype=np.int32)
        self._sequence = grid.empty(dtype=_SEQUENCE)
        self._message: npt.NDArray[np.uintp] = grid.empty(dtype=np.uintp)
        if self._problems.contacts > 1:
            self._ambiguous = grid.empty(dtype=np.uintp)
        integers = out(self._integers, "int32_t[]")
        return ffi.new("RowOutcomes *", (
            out(self.impulse), out(self.velocity), out(self._energy), out(self._error),
            integers, integers + count, integers + 2 * count, integers + 3 * count,
            out(self._sequence, "char[]"), out(self._message, "uintptr_t[]"),
            ffi.NULL if self._ambiguous is None else out(self._ambiguous, "uintptr_t[]"),
            ffi.NULL, ffi.NULL, ffi.NULL))

    def _take_few(self, grid: Grid) -> Any:
        """Arrays for what a result without details has."""
        self.impulse, self.velocity = (grid.empty(self._problems.size) for _ in range(2))
        self._integers = np.empty((1,) + grid.shape, dtype=np.int32)
        self._sequence = grid.empty(dtype=_SEQUENCE)
        self._message = grid.empty(dtype=np.uintp)
        return ffi.new("RowOutcomes *", {
            "impulse": out(self.impulse), "velocity": out(self.velocity),
            "status": out(self._integers, "int32_t[]"), "sequence": out(self._sequence, "char[]"),
            "message": out(self._message, "uintptr_t[]")})

    def _take_jump(self, grid: Grid) -> None:
        """Arrays for what only several contacts report without being asked."""
        self._jump = Jump(grid.empty(), grid.empty(dtype=np.int32), grid.empty(dtype=np.uintp))
        self.outcomes.jump = out(self._jump.distance)
        self.outcomes.jump_contact = out(self._jump.contact, "int32_t[]")
        self.outcomes.jump_reason = out(self._jump.reason, "uintptr_t[]")

    def _need_details(self, name: str) -> None:
        if not self._details:
            raise ValueError(f"{name}: not kept by a solve with details=False")

    def _take_one(self) -> Any:
        """The same for one impact, cut from one block, which is quicker: 7 energies, the error, 4
        integers, 16 letters, 2 addresses."""
        size = self._problems.size
        block = np.empty(2 * size + 14)
        self.impulse, self.velocity = block[:size], block[size:2 * size]
        rest = block[2 * size:]
        self._energy = rest[:7]
        self._rest = rest
        at = out(block)
        integers = ffi.cast("int32_t *", at + (2 * size + 8))
        addresses = ffi.cast("uintptr_t *", at + (2 * size + 12))
        return ffi.new("RowOutcomes *", (
            at, at + size, at + 2 * size, at + (2 * size + 7), integers, integers + 1, integers + 2,
            integers + 3, ffi.cast("char *", at + (2 * size + 10)), addresses, addresses + 1,
            ffi.NULL, ffi.NULL, ffi.NULL))

    def __getattr__(self, name: str) -> Any:
        """Parts of the block that are cut where they are first asked for."""
        if name not in ("_error", "_integers", "_sequence", "_message") or "_rest" not in vars(self):
            raise AttributeError(name)
        rest = self._rest
        self._error = rest[7:8].reshape(())
        self._integers = rest[8:10].view(np.int32)
        self._sequence = rest[10:12].view(_SEQUENCE).reshape(())
        self._message = rest[12:13].view(np.uintp).reshape(())
        if self._problems.contacts > 1:
            self._ambiguous = rest[13:14].view(np.uintp).reshape(())
        return getattr(self, name)

    @property
    def _status(self) -> npt.NDArray[np.int32]:
        return self._integers[0, ...]

    def __repr__(self) -> str:
        failed = int((self._status < 0).sum())
        return (f"<carom.Result: {self._status.size} impacts, {failed} failed, "
                f"{self._problems.contacts} contacts each>")

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the rows."""
        return self._problems.grid.shape

    @property
    def status(self) -> Any:
        """Names: "ok"; "energy_gain", solved, but the law created energy; others have failed."""
        return status_names(self._status)

    @property
    def ok(self) -> Any:
        """Which impacts were solved."""
        return (self._status >= 0)[()]

    @property
    def message(self) -> Any:
        """Why an impact failed, or a remark, or ""."""
        return texts(self._message)[()]

    @property
    def energy(self) -> Energy:
        """The energy account."""
        self._need_details("energy")
        return Energy(*(row[()] for row in self._energy))

    @property
    def error(self) -> Any:
        """Estimated relative error of the impulse."""
        self._need_details("error")
        return self._error[()]

    @property
    def sequence(self) -> Any:
        """Events of one contact as letters: c compression ends, s slip stops, r restitution ends, l
        slip is straight from the start."""
        return self._sequence.astype("U16")[()]

    @property
    def event_count(self) -> Any:
        self._need_details("event_count")
        return self._integers[1, ...][()]

    @property
    def solutions(self) -> Any:
        """Different answers that were found; -1: a continuum. Several rigid contacts only."""
        self._need_details("solutions")
        return self._integers[2, ...][()]

    @property
    def work(self) -> Any:
        """Pieces (series, linear or integration steps) that were computed."""
        self._need_details("work")
        return self._integers[3, ...][()]

    @property
    def ambiguous(self) -> Any:
        """Several contacts: why the outcome is not the only consistent one, or ""."""
        self._need_details("ambiguous")
        if self._problems.contacts == 1:
            return np.full(self.shape, "", dtype=object)[()]
        self._integers  # cut the block
        assert self._ambiguous is not None
        return texts(self._ambiguous)[()]

    @property
    def jump(self) -> Jump:
        """Several contacts: the nearest jump of the outcome, if it is larger than its distance.

        >>> import carom
        >>> balls = [carom.ball(1, 1, position=[2.0 * i, 0, 0]) for i in range(3)]
        >>> sites = [carom.site(i, i + 1, point=[2 * i + 1, 0, 0], normal=[-1, 0, 0]) for i in (0, 1)]
        >>> balls[0] = balls[0].replace(velocity=[1, 0, 0])
        >>> carom.bodies(*balls).strike(sites, e=0.5, model="compliant").contact.jump.distance
        inf
        """
        self._need_details("jump")
        if self._jump is None:
            return Jump(np.full(self.shape, np.inf)[()], np.full(self.shape, -1)[()],
                        np.full(self.shape, "", dtype=object)[()])
        distance, contact, reason = self._jump
        return Jump(distance[()], contact[()], texts(reason)[()])

    def raise_for_status(self) -> Result:
        """Raise an ImpactError for the first row that failed; else return the result.

        >>> import carom, numpy as np
        >>> carom.solve(np.eye(3), [0, 0, -1], mu=-1).raise_for_status()
        Traceback (most recent call last):
        ...
        carom._status.InvalidInput: mu must be a finite number >= 0
        """
        raise_for(self._status, self._message)
        return self

    def _again(self, changed: int) -> None:
        if changed:
            raise RuntimeError(f"{changed} rows have another impulse than in the solve: an input "
                               "array was changed since, or memory is missing")

    def _event_arrays(self, states: bool) -> tuple[npt.NDArray[Any], Snapshots]:
        self._need_details("events")
        if not self._repeatable:
            raise ValueError("events: not kept by a sequence with a function that chooses")
        problems = self._problems
        offset = np.zeros(problems.grid.count + 1, dtype=np.int64)
        np.cumsum(self._integers[1], out=offset[1:])
        total = int(offset[-1])
        events = np.empty(total, dtype=EVENT)
        n, size = problems.contacts, problems.size
        rows = total if states else 0
        arrays = Snapshots(np.empty((rows, size)), np.empty((rows, size)), np.empty((rows, n)),
                           np.empty((rows, n), dtype=np.bool_))
        pointers = [out(arrays.impulse), out(arrays.velocity), out(arrays.stored),
                    out(arrays.active, "unsigned char[]")] if states else [ffi.NULL] * 4
        if total == 0:
            return events, arrays
        self._again(lib.rows_events(problems.grid.shape_c, problems.c, problems.settings,
                                    out(self.impulse), out(offset, "int64_t[]"),
                                    out(events, "RowEvent[]"), ffi.new("EventStates *", pointers)))
        return events, arrays

    @property
    def events(self) -> npt.NDArray[Any]:
        """The events of all rows, in one table: row (index into the flattened rows), kind (index
        into carom.EVENTS), contact, normal_impulse, impulse, velocity, stored, tangential.

        >>> import carom, numpy as np
        >>> events = carom.solve(np.eye(3), [1, 0, -2], mu=.3, e=.5).events
        >>> [carom.EVENTS[kind] for kind in events["kind"]]
        ['compression_end', 'restitution_end']
        """
        return self._event_arrays(False)[0]

    @property
    def snapshots(self) -> Snapshots:
        """Several contacts: all of them just after each event."""
        if self._problems.contacts == 1:
            raise ValueError("snapshots: one contact has none; see events")
        return self._event_arrays(True)[1]

    def trace(self, samples: int = 201) -> Trace:
        """The process of the impacts at equal steps of the normal impulse.

        >>> import carom, numpy as np
        >>> trace = carom.solve(np.eye(3), [1, 0, -2], mu=.3, e=.5).trace(4)
        >>> trace.clock
        array([0., 1., 2., 3.])
        """
        if samples < 2:
            raise ValueError(f"samples: must be at least 2, got {samples}")
        problems = self._problems
        if problems.method != "exact":
            raise ValueError(f"method: only the exact one has a trace, this is {problems.method}")
        trace = Trace(problems.grid, samples, problems.contacts, 2 if problems.planar else 3)
        lib.rows_trace(problems.grid.shape_c, problems.c, trace.c)
        return trace

    def _columns(self, name: str) -> tuple[list[int], tuple[int, ...]]:
        """The library's indices of an argument, and its core shape."""
        from carom._solve import COEFFICIENTS

        p = self._problems
        n, size = p.contacts, p.size
        total = lib.inputs_count(n, p.planar)
        first = total - 5 * n
        if name == "W":
            return [lib.input_W(n, p.planar, i, j) for i in range(size) for j in range(size)], \
                (size, size)
        if name == "v":
            return list(range(first - size, first)), (size,)
        if name in COEFFICIENTS:
            at = COEFFICIENTS.index(name)
            return [first + 5 * k + at for k in range(n)], (n,) if n > 1 else ()
        raise ValueError(f"name: must be one of W, v, {', '.join(COEFFICIENTS)}, got {name!r}")

    def _differentiate(self, columns: list[int], kinks: int) -> dict[str, npt.NDArray[Any]]:
        self._need_details("derivatives")
        p = self._problems
        if p.method != "exact":
            raise ValueError(f"method: only the exact one has derivatives, this is {p.method}")
        grid, k = p.grid, len(columns)
        arrays: dict[str, npt.NDArray[Any]] = {
            "impulse": grid.empty(p.size, k), "velocity": grid.empty(p.size, k),
            "kinks": grid.empty(kinks, dtype=KINK), "smoothness": grid.empty(dtype=np.int32),
            "status": grid.empty(dtype=np.int32), "message": grid.empty(dtype=np.uintp)}
        index = ffi.new("int[]", columns)
        self._again(lib.rows_differentiate(
            grid.shape_c, p.c, out(self.impulse), ffi.new("Derivatives *", (
                k, index, out(arrays["impulse"]), out(arrays["velocity"]), kinks,
                out(arrays["kinks"], "RowKink[]"), out(arrays["smoothness"], "int32_t[]"),
                out(arrays["status"], "int32_t[]"), out(arrays["message"], "uintptr_t[]")))))
        return arrays

    def derivative(self, name: str, of: str = "velocity") -> Array:
        """The exact derivative of velocity or impulse by an argument: (..., 3n, shape of it).

        By W it is by a symmetric change: derivative and change multiplied entry by entry and
        summed give the change of the outcome. At a kink it belongs to the side on which the outcome
        lies; NaN where there is none (see smoothness) and in failed rows.

        >>> import carom, numpy as np
        >>> out = carom.solve(np.eye(3), [1, 0, -2], mu=.3, e=.5)
        >>> out.derivative("mu").round(12)          # the slip slows down by 3 mu
        array([-3.,  0.,  0.])
        >>> out.derivative("v", of="impulse").shape
        (3, 3)
        """
        if of not in ("velocity", "impulse"):
            raise ValueError(f"of: must be velocity or impulse, got {of!r}")
        columns, core = self._columns(name)
        found: Array = self._differentiate(columns, 0)[of].reshape(
            self.shape + (self._problems.size,) + core)
        if name == "W":
            size = self._problems.size
            found *= np.where(np.eye(size, dtype=bool), 1.0, 0.5)
        return found

    @property
    def smoothness(self) -> Any:
        """Can the outcome be differentiated? Index into carom.SMOOTHNESS: 0 smooth, 1 one-sided (a
        kink or an edge of the range), 2 not smooth; -1 failed."""
        return self._differentiate([], 0)["smoothness"][()]

    @property
    def kinks(self) -> npt.NDArray[Any]:
        """The nearest kinks of each row, nearest first: kind (index into carom.KINKS, -1: no more),
        contact, happens, jumps, distance."""
        return self._differentiate([], _KINKS)["kinks"]

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """All numbers as flat columns with names, as to_pandas() has them."""
        p = self._problems
        axes = ("t", "n") if p.planar else ("t1", "t2", "n")
        several = p.contacts > 1
        table: dict[str, npt.NDArray[Any]] = {}
        table["status"] = status_names(self._status.ravel())
        for name, array in (("impulse", self.impulse), ("velocity", self.velocity)):
            flat = array.reshape(-1, p.size)
            for i in range(p.size):
                suffix = f"_{i // len(axes)}" if several else ""
                table[f"{name}_{axes[i % len(axes)]}{suffix}"] = flat[:, i]
        if self._details:
            for name, row in zip(Energy._fields, self._energy):
                table[f"energy_{name}"] = row.ravel()
            table["error"] = self._error.ravel()
        table["sequence"] = self._sequence.astype("U16").ravel()
        table["message"] = texts(self._message).ravel()
        return table

    def to_pandas(self) -> pandas.DataFrame:
        """The results as a table of pandas; several axes of rows become an index of several levels.
        """
        import pandas as pd

        index = None
        if len(self.shape) > 1:
            index = pd.MultiIndex.from_product([range(size) for size in self.shape])
        return pd.DataFrame(self.columns(), index=index)


_Same = TypeVar("_Same", bound="Outcome")


class Outcome:
    """The impact of bodies or of a mechanism: what it has from contact space."""

    def __init__(self, contact: Result, status: npt.NDArray[np.int32],
                 message: npt.NDArray[np.uintp]):
        """status and message: of the way to contact space, where rows may have failed, too."""
        #: The impact in contact space.
        self.contact = contact
        refused = np.broadcast_to(status < 0, contact.shape)
        if refused.any():
            contact._status[refused] = np.broadcast_to(status, contact.shape)[refused]
            contact._message[refused] = np.broadcast_to(message, contact.shape)[refused]

    @property
    def impulse(self) -> Array:
        """On the first body of each contact, in its frame (t1, t2, n)."""
        return self.contact.impulse

    @property
    def status(self) -> Any:
        return self.contact.status

    @property
    def ok(self) -> Any:
        return self.contact.ok

    @property
    def message(self) -> Any:
        return self.contact.message

    @property
    def energy(self) -> Energy:
        return self.contact.energy

    @property
    def error(self) -> Any:
        return self.contact.error

    @property
    def sequence(self) -> Any:
        return self.contact.sequence

    @property
    def solutions(self) -> Any:
        return self.contact.solutions

    @property
    def events(self) -> npt.NDArray[Any]:
        return self.contact.events

    def raise_for_status(self: _Same) -> _Same:
        self.contact.raise_for_status()
        return self

    def trace(self, samples: int = 201) -> Trace:
        return self.contact.trace(samples)
