"""Pictures of impacts with matplotlib. Each function takes a trace, or anything that has one
(results, impacts, strikes, scenes), and ax, by default new axes; it returns the axes.

>>> import carom, carom.plot, numpy as np
>>> out = carom.solve(np.diag([3.0, 2.0, 1.0]), [1.0, 0.5, -2.0], mu=0.2, e=0.5)
>>> carom.plot.hodograph(out).get_xlabel()
'sliding velocity t1'
"""
from __future__ import annotations

from typing import Any, Iterator

import numpy as np

from carom._arrays import Array
from carom._result import Trace

#: Most impacts in one picture: more are not legible.
ROWS_MAX = 200
MODES = ("slip", "stick", "open")
_COLOURS = ("tab:orange", "tab:blue", "lightgrey")


def _trace(source: Any) -> Trace:
    trace: Trace = source if isinstance(source, Trace) else source.trace()
    return trace


def _axes(ax: Any) -> Any:
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.subplots()[1]
    return ax


def _rows(trace: Trace, name: str) -> Iterator[tuple[Array, Array]]:
    """Clock and one array of each impact."""
    array: Array = getattr(trace, name)
    clock = trace.clock.reshape(-1, trace.clock.shape[-1])
    if len(clock) > ROWS_MAX:
        raise ValueError(f"trace: at most {ROWS_MAX} impacts in a picture, got {len(clock)}")
    yield from zip(clock, array.reshape(clock.shape + (-1,)))


def _axis_names(trace: Trace) -> tuple[str, ...]:
    return ("t", "n") if trace.rows == 2 else ("t1", "t2", "n")


def _label(trace: Trace, what: str, contact: int, several_rows: bool) -> str | None:
    if several_rows:
        return None
    return what if trace.contacts == 1 else f"{what}, contact {contact}"


def hodograph(source: Any, ax: Any = None) -> Any:
    """The sliding velocity in the tangent plane; a dot where it starts. Planar contacts: against the
    normal impulse."""
    trace, ax = _trace(source), _axes(ax)
    several = trace.clock.ndim > 1
    for clock, velocity in _rows(trace, "velocity"):
        for k in range(trace.contacts):
            part = velocity[:, k * trace.rows:(k + 1) * trace.rows]
            x, y = (clock, part[:, 0]) if trace.rows == 2 else (part[:, 0], part[:, 1])
            line, = ax.plot(x, y, label=_label(trace, "slip", k, several))
            ax.plot(x[:1], y[:1], "o", color=line.get_color())
    if trace.rows == 3:
        ax.plot([0], [0], "k+")
        ax.set_aspect("equal", adjustable="datalim")
    ax.set_xlabel("normal impulse" if trace.rows == 2 else "sliding velocity t1")
    ax.set_ylabel("sliding velocity" if trace.rows == 2 else "sliding velocity t2")
    return ax


def _against_clock(source: Any, name: str, ylabel: str, ax: Any) -> Any:
    trace, ax = _trace(source), _axes(ax)
    several = trace.clock.ndim > 1
    axes = _axis_names(trace)
    for clock, array in _rows(trace, name):
        for k in range(trace.contacts):
            for i, axis in enumerate(axes):
                ax.plot(clock, array[:, k * trace.rows + i], color=f"C{i}" if several else None,
                        label=_label(trace, axis, k, several))
    if not several:
        ax.legend()
    ax.set_xlabel("normal impulse" + ("" if trace.contacts == 1 else " of all contacts"))
    ax.set_ylabel(ylabel)
    return ax


def impulse(source: Any, ax: Any = None) -> Any:
    """The impulse so far against the normal impulse of all contacts."""
    return _against_clock(source, "impulse", "impulse", ax)


def velocity(source: Any, ax: Any = None) -> Any:
    """The contact velocity against the normal impulse of all contacts."""
    return _against_clock(source, "velocity", "contact velocity", ax)


def energy(source: Any, ax: Any = None) -> Any:
    """The energy of the normal springs and, if there are any, of the tangential springs."""
    trace, ax = _trace(source), _axes(ax)
    several = trace.clock.ndim > 1
    compliant = bool(np.nanmax(np.abs(trace.tangential), initial=0.0) > 0)
    for name, style in (("stored", "-"), ("tangential", "--")):
        if name == "tangential" and not compliant:
            continue
        for clock, array in _rows(trace, name):
            for k in range(trace.contacts):
                ax.plot(clock, array[:, k], style, label=_label(
                    trace, "normal" if name == "stored" else name, k, several))
    if not several:
        ax.legend()
    ax.set_xlabel("normal impulse" + ("" if trace.contacts == 1 else " of all contacts"))
    ax.set_ylabel("stored energy")
    return ax


def states(source: Any, ax: Any = None) -> Any:
    """What each contact does (slip, stick, open) against the normal impulse of all contacts. Takes
    one impact."""
    trace, ax = _trace(source), _axes(ax)
    if trace.clock.ndim > 1:
        raise ValueError(f"trace: one impact, got rows {trace.clock.shape[:-1]}")
    middle = np.concatenate([trace.clock[:1], (trace.clock[1:] + trace.clock[:-1]) / 2,
                             trace.clock[-1:]])
    for k in range(trace.contacts):
        for mode, name in enumerate(MODES):
            on = trace.mode[:, k] == mode
            if on.any():
                ax.broken_barh(list(zip(middle[:-1][on], np.diff(middle)[on])), (k - 0.4, 0.8),
                               facecolors=_COLOURS[mode], label=name)
    handles = dict(zip(*ax.get_legend_handles_labels()[::-1]))
    ax.legend(handles.values(), handles.keys())
    ax.set_yticks(range(trace.contacts))
    ax.set_ylabel("contact")
    ax.set_xlabel("normal impulse" + ("" if trace.contacts == 1 else " of all contacts"))
    return ax


def fit(found: Any, ax: Any = None) -> Any:
    """The parameters of a fit with their 95 % intervals."""
    ax = _axes(ax)
    for i, estimate in enumerate(found.parameters.values()):
        ax.plot([i, i], [estimate.low, estimate.high], "-", color="tab:blue", linewidth=2)
        ax.plot([i], [estimate.value], "o", color="tab:blue" if estimate.identified else "lightgrey")
    ax.set_xticks(range(len(found.parameters)))
    ax.set_xticklabels(list(found.parameters))
    ax.set_ylabel("value, 95 % interval")
    return ax


_KINDS = {"hodograph": hodograph, "impulse": impulse, "velocity": velocity, "energy": energy,
          "states": states}


def draw(kind: str, source: Any, ax: Any = None) -> Any:
    """One of the pictures by its name."""
    if kind not in _KINDS:
        raise ValueError(f"kind: must be one of {', '.join(_KINDS)}, got {kind!r}")
    return _KINDS[kind](source, ax)
