"""Bench procedures: coefficients and speeds from what is easily measured, with standard errors.

Repeated values are averaged; the standard error is the larger of their scatter and the propagated
sigma. docs/fit.md has the formulas.

>>> import carom
>>> carom.measure.drop([1.0, 1.0, 0.8], [0.64, 0.65, 0.52], sigma=0.005)
Measured(value=0.804150..., standard_error=0.00232...)
"""
from __future__ import annotations

from typing import Any, NamedTuple, Sequence

import numpy as np

from carom._arrays import Array, Numbers, cored, numbers, out
from carom._native import ffi, lib
from carom._status import NOT_CONVERGED, InvalidInput, NotConverged, status_names

__all__ = ["Bounce", "bounce", "bounces", "drop", "Measured", "pendulum", "poisson", "ramp", "Roll", "roll",
           "springs", "tilt", "times", "Tumble", "tumble"]


class Measured(NamedTuple):
    """A number with its standard error; NaN: not known."""

    value: float
    standard_error: float


def _check(status: int, message: Any) -> None:
    if status < 0:
        kind = NotConverged if status == NOT_CONVERGED else InvalidInput
        raise kind(ffi.string(message[0]).decode(), status_names(np.array(status)), ())


def _list(values: Numbers, name: str) -> Array:
    array = np.ascontiguousarray(np.atleast_1d(numbers(values, name)))
    if array.ndim != 1:
        raise ValueError(f"{name}: must be a list of numbers, got shape {array.shape}")
    return array


def _values(kind: str, first: Array, second: Array | None, sigma: float, option: float = 0.0) -> Measured:
    if second is not None and len(first) != len(second):
        raise ValueError(f"{kind}: as many of both are needed, got {len(first)} and {len(second)}")
    result, message = np.empty(2), ffi.new("const char **")
    status = lib.measure_values(kind.encode(), out(first), ffi.NULL if second is None else out(second),
                                len(first), float(sigma), float(option), out(result), message)
    _check(status, message)
    return Measured(*result.tolist())


def drop(drops: Numbers, heights: Numbers, sigma: float = 0.0) -> Measured:
    """e from heights of drops and of the bounces after them: sqrt(bounce/drop).

    >>> import carom
    >>> carom.measure.drop(1.0, 0.64, sigma=0.01)
    Measured(value=0.8, standard_error=0.00742...)
    """
    return _values("drop", _list(drops, "drops"), _list(heights, "heights"), sigma)


def bounces(heights: Numbers, sigma: float = 0.0) -> Measured:
    """e from the heights of successive bounces, the first the drop.

    >>> import carom
    >>> round(carom.measure.bounces([1.0, 0.64, 0.4096]).value, 12)
    0.8
    """
    return _values("bounces", _list(heights, "heights"), None, sigma)


def times(moments: Numbers, sigma: float = 0.0) -> Measured:
    """e from the times of successive bounces: flights get shorter by the factor e.

    >>> import carom
    >>> round(carom.measure.times([0.0, 1.0, 1.8, 2.44]).value, 12)
    0.8
    """
    return _values("times", _list(moments, "moments"), None, sigma)


def pendulum(released: Numbers, reached: Numbers, sigma: float = 0.0, *,
             struck: float = 0.0) -> Measured:
    """e from heights of a pendulum that hits a fixed body; struck: of a ball at rest that it hits,
    so many times as heavy as the pendulum.

    >>> import carom
    >>> round(carom.measure.pendulum(0.3, 0.27, struck=1).value, 3)
    0.897
    """
    return _values("pendulum", _list(released, "released"), _list(reached, "reached"), sigma, struck)


def tilt(angles: Numbers, sigma: float = 0.0) -> Measured:
    """mu_static from the angles (radians) at which bodies begin to slide.

    >>> import carom, numpy as np
    >>> round(carom.measure.tilt(np.radians([8.6, 8.8])).value, 4)
    0.153
    """
    return _values("tilt", _list(angles, "angles"), None, sigma)


def ramp(heights: Numbers, distances: Numbers, sigma: float = 0.0, *, as_printed: bool = False) -> Measured:
    """mu_roll from a ball that rolls down a ramp and along a table: h/d; as_printed: 7h/(5d).

    >>> import carom
    >>> carom.measure.ramp(0.02, 1.0).value
    0.02
    """
    return _values("ramp", _list(heights, "heights"), _list(distances, "distances"), sigma,
                   float(as_printed))


def poisson(nu: float, sigma: float = 0.0) -> Measured:
    """stiffness_ratio from Poisson's ratio: (2 - nu)/(2 (1 - nu)).

    >>> import carom
    >>> carom.measure.poisson(0.5)
    Measured(value=1.5, standard_error=0.0)
    """
    return _values("poisson", _list(nu, "nu"), None, sigma)


def springs(stiffness: Numbers, stretch: Numbers, mass: Numbers, rest: Numbers = 0.0, *,
            count: int = 2) -> Measured:
    """Speed of a mass (a cue) that `count` equal springs have pushed from a stretch to `rest`. Each
    is a number, or a number with its standard error.

    >>> import carom
    >>> carom.measure.springs((100.0, 1.0), 0.2, (0.5, 0.001))
    Measured(value=4.0, standard_error=0.0203...)
    """
    pairs = np.zeros((4, 2))
    for row, (name, value) in zip(pairs, (("stiffness", stiffness), ("stretch", stretch), ("rest", rest),
                                          ("mass", mass))):
        given = _list(value, name)
        if len(given) not in (1, 2):
            raise ValueError(f"{name}: must be a number, or a number and its standard error")
        row[:len(given)] = given
    result, message = np.empty(2), ffi.new("const char **")
    _check(lib.measure_springs(int(count), out(pairs), out(result), message), message)
    return Measured(*result.tolist())


def _track(time: Numbers, position: Numbers, orientation: Numbers = None, axes: tuple[int, ...] = (2, 3)) -> Array:
    moments = _list(time, "time")
    places = numbers(position, "position")
    if places.ndim != 2 or len(places) != len(moments) or places.shape[1] not in axes:
        raise ValueError(f"position: must have shape ({len(moments)}, {axes[-1]}), got {places.shape}")
    points = np.zeros((len(moments), 8))
    points[:, 0], points[:, 1:1 + places.shape[1]] = moments, places
    points[:, 4] = 1
    if orientation is not None:
        points[:, 4:] = cored(orientation, "orientation", (4,))
    return points


def _pairs(array: Array) -> list[Measured]:
    return [Measured(*pair) for pair in array.reshape(-1, 2).tolist()]


class Bounce(NamedTuple):
    """Two flights and the bounce between them."""

    before: list[Measured]  #: velocity x, y, z at the impact
    after: list[Measured]
    e: Measured  #: -after z over before z
    time: float  #: of the impact
    last: int  #: index of the last point before it
    rms: float  #: of the positions


def bounce(time: Numbers, position: Numbers, gravity: Numbers = (0.0, 0.0, -9.81)) -> Bounce:
    """Velocities before and after a bounce from tracked positions (n, 3), z along the normal: a
    parabola is fitted to each flight. (n, 2) is x and z, as in a film; y then has the error NaN.

    >>> import carom, numpy as np
    >>> t = np.linspace(-0.2, 0.2, 21)
    >>> z = np.where(t < 0, -3 * t, 2 * t) - 9.81 / 2 * t**2
    >>> found = carom.measure.bounce(t, np.stack([t, 0 * t, z], axis=1))
    >>> round(found.e.value, 9), round(found.after[2].value, 9)
    (0.666666667, 2.0)
    """
    points, result, last = _track(time, position), np.empty(16), ffi.new("int32_t *")
    if np.shape(position)[1] == 2:
        points[:, 3], points[:, 2] = points[:, 2], 0.0
    message = ffi.new("const char **")
    status = lib.measure_bounce(out(points), len(points), out(cored(gravity, "gravity", (3,)).copy()),
                                out(result), last, message)
    _check(status, message)
    pairs = _pairs(result[:14])
    return Bounce(pairs[:3], pairs[3:6], pairs[6], float(result[14]), int(last[0]), float(result[15]))


class Roll(NamedTuple):
    """A ball on a table after a shot, as it started."""

    velocity: list[Measured]  #: x, y
    spin: list[Measured]  #: x, y
    mu_slide: Measured
    mu_roll: Measured
    rms: float  #: of the positions


def roll(time: Numbers, position: Numbers, radius: float, *, mu_slide: float | None = None,
         mu_roll: float | None = None, gravity: float = 9.81) -> Roll:
    """Velocity and spin with which a ball started on a table, from tracked positions (n, 2): it
    slides, then rolls. mu_slide and mu_roll are fitted where they are not given.

    >>> import carom, numpy as np
    >>> t = np.linspace(0, 2, 41)
    >>> path = carom.roll(t, radius=.03, mu_slide=.2, mu_roll=.01, velocity=[2, 0, 0], spin=[9, 9, 0])
    >>> found = carom.measure.roll(t, path.position[:, :2], radius=.03)
    >>> round(found.velocity[0].value, 4), round(found.spin[1].value, 2), round(found.mu_slide.value, 4)
    (2.0, 9.0, 0.2)
    """
    points, result, message = _track(time, position), np.empty(13), ffi.new("const char **")
    status = lib.measure_roll(out(points), len(points), float(radius), float(gravity),
                              np.nan if mu_slide is None else float(mu_slide),
                              np.nan if mu_roll is None else float(mu_roll), out(result), message)
    _check(status, message)
    pairs = _pairs(result[:12])
    return Roll(pairs[:2], pairs[2:4], pairs[4], pairs[5], float(result[12]))


class Tumble(NamedTuple):
    """A tumbling body in free flight, at the time asked for."""

    velocity: list[Measured]
    spin: list[Measured]  #: world axes
    rms: float  #: of the positions
    angle: float  #: rms of the rotations, radians


def tumble(time: Numbers, position: Numbers, orientation: Numbers, *,
           inertia: Sequence[float] = (1.0, 1.0, 1.0), at: float | None = None,
           gravity: Numbers = (0.0, 0.0, -9.81)) -> Tumble:
    """Velocity and spin of a body from positions (n, 3) and orientations (n, 4) in one flight, at a
    time (default: the last). inertia: principal moments in body axes, in any unit.

    >>> import carom, numpy as np
    >>> start = carom.ball(1, 1, velocity=[1, 0, 3], spin=[0, 5, 0])
    >>> t = np.linspace(0, 0.3, 13)
    >>> body = carom.fly(start, t)
    >>> found = carom.measure.tumble(t, body.position, body.orientation, at=0)
    >>> [round(number.value, 6) + 0.0 for number in found.velocity + found.spin]
    [1.0, 0.0, 3.0, 0.0, 5.0, 0.0]
    """
    points, result, message = _track(time, position, orientation, (3,)), np.empty(14), ffi.new("const char **")
    moment = float(points[-1, 0]) if at is None and len(points) else float(at or 0)
    moments = cored(inertia, "inertia", (3,)).copy()
    status = lib.measure_tumble(out(points), len(points), out(cored(gravity, "gravity", (3,)).copy()),
                                out(moments), moment, out(result), message)
    _check(status, message)
    pairs = _pairs(result[:12])
    return Tumble(pairs[:3], pairs[3:6], float(result[12]), float(result[13]))
