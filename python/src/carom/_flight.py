"""Between impacts: free flight, the next touch, a ball on a table."""
from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from carom._arrays import Array, Grid, Numbers, cored, numbers, out, texts
from carom._bodies import Body
from carom._native import ffi, lib
from carom._status import raise_for, status_names

GRAVITY = (0.0, 0.0, -9.81)
PHASES = ("sliding", "rolling", "rest")


class _Motion:
    """Arrays for bodies that C moves."""

    def __init__(self, grid: Grid):
        self.position, self.orientation = grid.empty(3), grid.empty(4)
        self.velocity, self.spin = grid.empty(3), grid.empty(3)
        self.status: npt.NDArray[np.int32] = grid.empty(dtype=np.int32)
        self.message: npt.NDArray[np.uintp] = grid.empty(dtype=np.uintp)
        self.fields = (out(self.position), out(self.orientation), out(self.velocity),
                       out(self.spin), out(self.status, "int32_t[]"),
                       out(self.message, "uintptr_t[]"))

    def of(self, body: Body) -> Body:
        return replace(body, position=self.position, orientation=self.orientation,
                       velocity=self.velocity, spin=self.spin)


def fly(body: Body, time: Numbers, gravity: Numbers = GRAVITY) -> Body:
    """The body after a free flight of the given time, which may be negative. Raises for the first
    row that is refused.

    >>> import carom
    >>> carom.fly(carom.ball(1, 1, velocity=[1, 0, 0]), 2.0, gravity=[0, 0, -10]).position
    array([  2.,   0., -20.])
    """
    gravity, time = cored(gravity, "gravity", (3,)), numbers(time, "time")
    grid = Grid([*body.inputs(), ("gravity", gravity, 1), ("time", time, 0)])
    motion = _Motion(grid)
    lib.rows_fly(grid.shape_c, ffi.new("Bodies *", body.rows(grid)), grid.rows_new(gravity, 1),
                 grid.rows_new(time, 0), ffi.new("Motions *", motion.fields))
    raise_for(motion.status, motion.message)
    return motion.of(body)


def fly_derivative(body: Body, time: Numbers, gravity: Numbers = GRAVITY) -> Array:
    """The exact Jacobian of fly(), (..., 12, 12): of the motion after by the motion before, each
    position, rotation (a small rotation vector, world axes), velocity, spin.

    >>> import carom
    >>> J = carom.fly_derivative(carom.box(1.0, [1, 2, 3], spin=[1, 2, 3]), 0.5)
    >>> J.shape, float(J[0, 6])                   # position x by velocity x
    ((12, 12), 0.5)
    """
    gravity, time = cored(gravity, "gravity", (3,)), numbers(time, "time")
    grid = Grid([*body.inputs(), ("gravity", gravity, 1), ("time", time, 0)])
    jacobian = grid.empty(lib.MOTION, lib.MOTION)
    status, message = grid.empty(dtype=np.int32), grid.empty(dtype=np.uintp)
    lib.rows_fly_derivative(grid.shape_c, ffi.new("Bodies *", body.rows(grid)),
                            grid.rows_new(gravity, 1), grid.rows_new(time, 0), out(jacobian),
                            out(status, "int32_t[]"), out(message, "uintptr_t[]"))
    raise_for(status, message)
    return jacobian


class Touch(NamedTuple):
    """The next touch of each row."""

    found: Any  #: False: none within the horizon; the rest is NaN then
    time: Any
    vertex: Any  #: index of the vertex that touches; -1: a ball
    point: Array
    speed: Any  #: at which the gap closes
    body: Body  #: the body at that time, before any impact
    status: Any
    message: Any
    by_time: Array | None = None  #: derivative of the time by the motion before, (..., 12)
    by_motion: Array | None = None  #: of the motion at the touch by that before, (..., 12, 12)


def touch(body: Body, point: Numbers = (0.0, 0.0, 0.0), normal: Numbers = (0.0, 0.0, 1.0), *,
          gravity: Numbers = GRAVITY, vertices: Numbers = None, horizon: Numbers = np.inf,
          derivative: bool = False) -> Touch:
    """The next touch of a flying body with a plane through a point. A ball needs nothing more;
    other bodies have vertices (n, 3), from the centre of mass, in body axes, the same for all rows.
    derivative: also by_time and by_motion, exact; a motion is position, rotation (a small rotation
    vector, world axes), velocity and spin.

    >>> import carom
    >>> ball = carom.ball(1, 0.5, position=[0, 0, 5.5])
    >>> hit = carom.touch(ball, gravity=[0, 0, -10], derivative=True)
    >>> float(hit.time), hit.by_time[[2, 8]].round(12)  # by height and by velocity upwards
    (1.0, array([0.1, 0.1]))
    """
    if vertices is None and body.radius is None:
        raise ValueError("vertices: must be given for a body that is not a ball")
    point, normal = cored(point, "point", (3,)), cored(normal, "normal", (3,))
    gravity, horizon = cored(gravity, "gravity", (3,)), numbers(horizon, "horizon")
    corners = None if vertices is None else np.ascontiguousarray(cored(vertices, "vertices", (3,)))
    if corners is not None and corners.ndim != 2:
        raise ValueError(f"vertices: must have shape (n, 3), got {corners.shape}")
    radius = body.radius if corners is None else None
    grid = Grid([*body.inputs(), ("radius", radius, 0), ("point", point, 1), ("normal", normal, 1),
                 ("gravity", gravity, 1), ("horizon", horizon, 0)])
    motion = _Motion(grid)
    time, place, speed = grid.empty(), grid.empty(3), grid.empty()
    found, vertex = grid.empty(dtype=np.int32), grid.empty(dtype=np.int32)
    by_time = grid.empty(lib.MOTION) if derivative else None
    by_motion = grid.empty(lib.MOTION, lib.MOTION) if derivative else None
    touches = ffi.new("Touches *", (
        out(time), out(place), out(speed), out(found, "int32_t[]"), out(vertex, "int32_t[]"),
        motion.fields, *(ffi.NULL if array is None else out(array) for array in (by_time, by_motion))))
    lib.rows_touch(grid.shape_c, ffi.new("Bodies *", body.rows(grid)), grid.rows_new(gravity, 1),
                   grid.rows_new(radius, 0), ffi.NULL if corners is None else out(corners),
                   0 if corners is None else len(corners), grid.rows_new(point, 1),
                   grid.rows_new(normal, 1), grid.rows_new(horizon, 0), touches)
    return Touch((found != 0)[()], time[()], vertex[()], place, speed[()], motion.of(body),
                 status_names(motion.status), texts(motion.message)[()], by_time, by_motion)


class BallTouch(NamedTuple):
    """When two balls touch, and how the time depends on the first; on the second it is minus
    that."""

    found: Any
    time: Any
    normal: Array
    by_position: Array
    by_velocity: Array


def balls_touch(first_position: Numbers, first_velocity: Numbers, second_position: Numbers,
                second_velocity: Numbers, distance: Numbers) -> BallTouch:
    """The touch of two balls in flight; distance: sum of their radii.

    >>> import carom
    >>> float(carom.balls_touch([0, 0, 0], [1, 0, 0], [5, 0, 0], [0, 0, 0], 2.0).time)
    3.0
    """
    arrays = [cored(value, name, (3,)) for name, value in (
        ("first_position", first_position), ("first_velocity", first_velocity),
        ("second_position", second_position), ("second_velocity", second_velocity))]
    sum_of_radii = numbers(distance, "distance")
    grid = Grid([*(("positions and velocities", array, 1) for array in arrays),
                 ("distance", sum_of_radii, 0)])
    time, normal, by_position, by_velocity = (grid.empty(), grid.empty(3), grid.empty(3),
                                              grid.empty(3))
    found, status = grid.empty(dtype=np.int32), grid.empty(dtype=np.int32)
    message = grid.empty(dtype=np.uintp)
    lib.rows_balls_touch(grid.shape_c, *(grid.rows_new(array, 1) for array in arrays),
                         grid.rows_new(sum_of_radii, 0), ffi.new("BallTouches *", (
                             out(time), out(normal), out(by_position), out(by_velocity),
                             out(found, "int32_t[]"), out(status, "int32_t[]"),
                             out(message, "uintptr_t[]"))))
    raise_for(status, message)
    return BallTouch((found != 0)[()], time[()], normal, by_position, by_velocity)


class Rolling(NamedTuple):
    """A ball on a table at the times asked for."""

    position: Array
    velocity: Array
    spin: Array
    phase: Any  #: index into carom.PHASES
    begin: Array  #: (..., 3): when sliding, rolling and rest begin


def roll(time: Numbers, *, radius: Numbers, mu_slide: Numbers, mu_roll: Numbers,
         velocity: Numbers, spin: Numbers = (0.0, 0.0, 0.0), position: Numbers = (0.0, 0.0, 0.0),
         gravity: Numbers = 9.81) -> Rolling:
    """A ball on a horizontal table: it slides, rolls, rests. A time of numpy.inf asks where it comes
    to rest.

    >>> import carom
    >>> path = carom.roll([0.1, 100], radius=1, mu_slide=.2, mu_roll=.01, velocity=[2, 0, 0])
    >>> [carom.PHASES[i] for i in path.phase]
    ['sliding', 'rest']
    """
    scalars = [numbers(value, name) for name, value in (
        ("radius", radius), ("mu_slide", mu_slide), ("mu_roll", mu_roll), ("gravity", gravity))]
    vectors = [cored(value, name, (3,)) for name, value in (
        ("position", position), ("velocity", velocity), ("spin", spin))]
    moment = numbers(time, "time")
    grid = Grid([*(("radius, mu_slide, mu_roll, gravity", array, 0) for array in scalars),
                 *(("position, velocity, spin", array, 1) for array in vectors),
                 ("time", moment, 0)])
    found = [grid.empty(3) for _ in range(4)]
    phase, status = grid.empty(dtype=np.int32), grid.empty(dtype=np.int32)
    message = grid.empty(dtype=np.uintp)
    lib.rows_roll(grid.shape_c, *(grid.rows_new(array, 0) for array in scalars),
                  *(grid.rows_new(array, 1) for array in vectors), grid.rows_new(moment, 0),
                  ffi.new("Rollings *", (*(out(array) for array in found),
                                         out(phase, "int32_t[]"), out(status, "int32_t[]"),
                                         out(message, "uintptr_t[]"))))
    raise_for(status, message)
    return Rolling(found[0], found[1], found[2], phase[()], found[3])
