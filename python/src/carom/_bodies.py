"""Rigid bodies: what they are, their impacts, and the derivatives of these."""
from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from carom._arrays import Array, Grid, Numbers, cored, names, numbers, out, text
from carom._native import ffi, lib
from carom._result import Outcome, Result
from carom._solve import COEFFICIENTS, solve
from carom._status import raise_for

SOLIDS = names("solid")
_CORES = {"mass": (), "inertia": (3, 3), "guide": (3,), "position": (3,), "orientation": (4,),
          "velocity": (3,), "spin": (3,)}
#: Where an argument is in a gradient by a body, and its length there.
_GRADIENT = {"mass": (0, 1), "inertia": (1, 6), "position": (7, 3), "rotation": (10, 3),
             "velocity": (13, 3), "spin": (16, 3)}


@dataclass(frozen=True, eq=False)
class Body:
    """A rigid body, or an array of them: every field broadcasts. None is the library's default:
    unit mass and inertia, no guide, at rest at the origin, axes along the world's.

    Make one with ball(), box(), ... or body(); replace() gives another with changed fields.
    """

    mass: Array | None = None  #: (...)
    inertia: Array | None = None  #: (..., 3, 3), about the centre of mass, in body axes
    guide: Array | None = None  #: (..., 3): it slides along this direction and does not turn
    position: Array | None = None  #: (..., 3), of the centre of mass
    orientation: Array | None = None  #: (..., 4), unit quaternion (w, x, y, z), body to world
    velocity: Array | None = None  #: (..., 3)
    spin: Array | None = None  #: (..., 3), angular velocity in world axes
    radius: Array | None = None  #: (...), of a ball: collide() finds where it touches
    normal: Array | None = None  #: (..., 3), of a floor

    def replace(self, **fields: Numbers) -> Body:
        """The body with other fields.

        >>> import carom
        >>> carom.ball(1, 0.5).replace(velocity=[0, 0, -1]).velocity
        array([ 0.,  0., -1.])
        """
        return replace(self, **_checked(fields))

    def inputs(self, prefix: str = "") -> list[tuple[str, Array | None, int]]:
        return [(prefix + name, getattr(self, name), len(core)) for name, core in _CORES.items()]

    def rows(self, grid: Grid) -> tuple[Any, ...]:
        """The fields of a Bodies of C."""
        return tuple(grid.rows(getattr(self, name), len(core)) for name, core in _CORES.items())

    @property
    def energy(self) -> Any:
        """Kinetic energy; an immovable body counts 0.

        >>> import carom
        >>> float(carom.ball(mass=2, radius=1, velocity=[3, 0, 0]).energy)
        9.0
        """
        grid = Grid(self.inputs())
        found = grid.empty()
        lib.rows_body_energy(grid.shape_c, ffi.new("Bodies *", self.rows(grid)), out(found))
        return found[()]


def _checked(fields: Mapping[str, Numbers]) -> dict[str, Array | None]:
    cores = {**_CORES, "radius": (), "normal": (3,)}
    for name in fields:
        if name not in cores:
            raise TypeError(f"{name}: a body has no such field; it has {', '.join(cores)}")
    return {name: None if value is None else cored(value, name, cores[name])
            for name, value in fields.items()}


def body(mass: Numbers, inertia: Numbers = None, **fields: Numbers) -> Body:
    """A body by its mass and inertia (..., 3, 3); fields as of Body. A mass of numpy.inf is
    immovable.

    >>> import carom, numpy as np
    >>> float(carom.body(2.0, np.diag([1.0, 2.0, 3.0]), spin=[0, 0, 2]).energy)
    6.0
    """
    return Body(**_checked({"mass": mass, "inertia": inertia, **fields}))


def solid_inertia(solid: str, mass: Numbers, size: Numbers) -> Array:
    """The inertia (..., 3, 3) of a solid of uniform density: ball, shell (radius), box (sides),
    cylinder, tube, cone (radius, height), rod (length, radius); size has the dimensions in its last
    axis.

    >>> import carom
    >>> carom.solid_inertia("ball", 1.0, [1.0]).diagonal()
    array([0.4, 0.4, 0.4])
    """
    if solid not in SOLIDS:
        raise ValueError(f"solid: must be one of {', '.join(SOLIDS)}, got {solid!r}")
    number = SOLIDS.index(solid)
    wanted = {"ball": 1, "shell": 1, "box": 3}.get(solid, 2)
    mass, size = numbers(mass, "mass"), cored(size, "size", (wanted,))
    grid = Grid([("mass", mass, 0), ("size", size, 1)])
    inertia, status = grid.empty(3, 3), grid.empty(dtype=np.int32)
    message = grid.empty(dtype=np.uintp)
    lib.rows_solid_inertia(grid.shape_c, number, grid.rows_new(mass, 0), grid.rows_new(size, 1),
                           out(inertia), out(status, "int32_t[]"), out(message, "uintptr_t[]"))
    raise_for(status, message)
    return inertia


def _solid(solid: str, mass: Numbers, size: Sequence[Numbers], fields: Mapping[str, Numbers]) -> Body:
    sizes = np.broadcast_arrays(*(numbers(value, "size") for value in size))
    return body(mass, solid_inertia(solid, mass, np.stack(sizes, axis=-1)), **fields)


def ball(mass: Numbers, radius: Numbers, **fields: Numbers) -> Body:
    """A uniform ball; fields as of Body.

    >>> import carom
    >>> carom.ball(mass=0.046, radius=0.024, velocity=[3, 0, -4], spin=[0, 100, 0]).mass
    array(0.046)
    """
    return _solid("ball", mass, [radius], {"radius": radius, **fields})


def shell(mass: Numbers, radius: Numbers, **fields: Numbers) -> Body:
    """A thin hollow ball.

    >>> import carom
    >>> carom.shell(mass=3, radius=1).inertia.diagonal()
    array([2., 2., 2.])
    """
    return _solid("shell", mass, [radius], {"radius": radius, **fields})


def box(mass: Numbers, sides: Numbers, **fields: Numbers) -> Body:
    """A uniform box; sides: (..., 3).

    >>> import carom
    >>> carom.box(mass=12, sides=[1, 2, 3]).inertia.diagonal()
    array([13., 10.,  5.])
    """
    return body(mass, solid_inertia("box", mass, sides), **fields)


def cylinder(mass: Numbers, radius: Numbers, height: Numbers, **fields: Numbers) -> Body:
    """A uniform cylinder about z.

    >>> import carom
    >>> float(carom.cylinder(mass=2, radius=1, height=3).inertia[2, 2])
    1.0
    """
    return _solid("cylinder", mass, [radius, height], fields)


def tube(mass: Numbers, radius: Numbers, height: Numbers, **fields: Numbers) -> Body:
    """A thin hollow cylinder about z without ends.

    >>> import carom
    >>> float(carom.tube(mass=2, radius=1, height=3).inertia[2, 2])
    2.0
    """
    return _solid("tube", mass, [radius, height], fields)


def cone(mass: Numbers, radius: Numbers, height: Numbers, **fields: Numbers) -> Body:
    """A uniform cone about z; its centre of mass is a quarter of the height above the base.

    >>> import carom
    >>> float(carom.cone(mass=10, radius=1, height=3).inertia[2, 2])
    3.0
    """
    return _solid("cone", mass, [radius, height], fields)


def rod(mass: Numbers, length: Numbers, radius: Numbers, **fields: Numbers) -> Body:
    """A long cylinder about z.

    >>> import carom
    >>> float(carom.rod(mass=2, length=3, radius=1).inertia[2, 2])
    1.0
    """
    return _solid("rod", mass, [length, radius], fields)


def fixed(**fields: Numbers) -> Body:
    """An immovable body. It may move as given: a conveyor, a racket.

    >>> import carom
    >>> carom.fixed(velocity=[1, 0, 0]).mass
    array(inf)
    """
    return body(np.inf, **fields)


def floor(normal: Numbers = (0.0, 0.0, 1.0), **fields: Numbers) -> Body:
    """An immovable plane. It is where the ball touches it; its normal points to the ball.

    >>> import carom
    >>> carom.floor().normal
    array([0., 0., 1.])
    """
    return fixed(normal=normal, **fields)


def mesh(vertices: Numbers, faces: Any, density: float, **fields: Numbers) -> tuple[Body, Array]:
    """The uniform body inside a closed mesh of triangles, and its centre in the axes of the
    vertices. vertices: (n, 3); faces: (m, 3) indices, counter-clockwise seen from outside.

    >>> import carom
    >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> solid, centre = carom.mesh(corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], 6.0)
    >>> float(solid.mass), centre
    (1.0, array([0.25, 0.25, 0.25]))
    """
    points = np.ascontiguousarray(cored(vertices, "vertices", (3,)).reshape(-1, 3))
    index = np.asarray(faces)
    if index.ndim != 2 or index.shape[1] != 3 or index.dtype.kind not in "iu":
        raise ValueError(f"faces: must be integers of shape (m, 3), got {index.dtype} {index.shape}")
    index = np.ascontiguousarray(index, dtype=np.intc)
    found, message = np.empty(14), ffi.new("const char **")
    if lib.mesh_properties(out(points), len(points), ffi.from_buffer("int[]", index), len(index),
                           float(density), out(found), message) < 0:
        raise ValueError(text(int(ffi.cast("uintptr_t", message[0]))))
    return body(found[1], found[5:].reshape(3, 3), **fields), found[2:5]


@dataclass(frozen=True, eq=False)
class Site:
    """Where two bodies of a group touch."""

    first: int
    second: int
    point: Array
    normal: Array
    tangent: Array | None = None


def site(first: int, second: int, point: Numbers, normal: Numbers, tangent: Numbers = None) -> Site:
    """Bodies number first and second touch at a point (..., 3); the normal (..., 3) points out of
    the second into the first. tangent: direction of t1, by default the library's choice.

    >>> import carom
    >>> carom.site(0, 1, point=[0, 0, 0], normal=[0, 0, 1]).second
    1
    """
    return Site(int(first), int(second), cored(point, "point", (3,)), cored(normal, "normal", (3,)),
                None if tangent is None else cored(tangent, "tangent", (3,)))


class Space:
    """Bodies and their sites in contact space: W (..., 3n, 3n), v (..., 3n), frame (..., n, 3, 3)
    with rows t1, t2, n."""

    def __init__(self, bodies: Sequence[Body], sites: Sequence[Site]):
        if not sites:
            raise ValueError("sites: there must be at least one")
        for at, place in enumerate(sites):
            for index in (place.first, place.second):
                if not 0 <= index < len(bodies):
                    raise ValueError(f"sites[{at}]: there is no body {index}")
        self.bodies, self.sites = list(bodies), list(sites)
        inputs = [entry for i, one in enumerate(bodies) for entry in one.inputs(f"bodies[{i}].")]
        for i, place in enumerate(sites):
            inputs += [(f"sites[{i}].point", place.point, 1), (f"sites[{i}].normal", place.normal, 1),
                       (f"sites[{i}].tangent", place.tangent, 1)]
        self.grid = grid = Grid(inputs)
        self.bodies_c = ffi.new("Bodies[]", [one.rows(grid) for one in bodies])
        self.sites_c = ffi.new("Sites[]", [
            (place.first, place.second, grid.rows(place.point, 1), grid.rows(place.normal, 1),
             grid.rows(place.tangent, 1)) for place in sites])
        n = len(sites)
        self.W: Array = grid.empty(3 * n, 3 * n)
        self.v: Array = grid.empty(3 * n)
        self.frame: Array = grid.empty(n, 3, 3)
        self.status: npt.NDArray[np.int32] = grid.empty(dtype=np.int32)
        self.message: npt.NDArray[np.uintp] = grid.empty(dtype=np.uintp)
        lib.rows_bodies_space(grid.shape_c, len(bodies), self.bodies_c, n, self.sites_c,
                              ffi.new("Spaces *", (
                                  out(self.W), out(self.v), out(self.frame),
                                  out(self.status, "int32_t[]"), out(self.message, "uintptr_t[]"))))

    def raise_for_status(self) -> Space:
        raise_for(self.status, self.message)
        return self

    def apply(self, impulse: Array, motion: bool = True) -> list[tuple[Array, Array]]:
        """Velocity and spin of each body after the impulses; motion False: from rest."""
        grid = Grid([("bodies", self.W, 2), ("impulse", impulse, 1)])
        bodies = ffi.new("Bodies[]", [one.rows(grid) for one in self.bodies])
        sites = ffi.new("Sites[]", [
            (place.first, place.second, grid.rows(place.point, 1), grid.rows(place.normal, 1),
             grid.rows(place.tangent, 1)) for place in self.sites])
        after = [(grid.empty(3), grid.empty(3)) for _ in self.bodies]
        pointers = [(out(velocity), out(spin)) for velocity, spin in after]
        lib.rows_bodies_apply(grid.shape_c, len(self.bodies), bodies, len(self.sites), sites,
                              grid.rows_new(impulse, 1), int(motion),
                              ffi.new("double *[]", [pair[0] for pair in pointers]),
                              ffi.new("double *[]", [pair[1] for pair in pointers]))
        return after


def contact_space(bodies: Sequence[Body], sites: Sequence[Site]) -> Space:
    """Bodies and sites in contact space.

    >>> import carom
    >>> bodies = [carom.ball(1, 1, velocity=[0, 0, -1]), carom.floor()]
    >>> space = carom.contact_space(bodies, [carom.site(0, 1, [0, 0, -1], [0, 0, 1])])
    >>> space.W.diagonal()
    array([3.5, 3.5, 1. ])
    """
    return Space(bodies, sites).raise_for_status()


class Impact(Outcome):
    """The impact of bodies. Arrays have a row for each impact."""

    def __init__(self, space: Space, contact: Result):
        super().__init__(contact, space.status, space.message)
        self._space = space
        after = space.apply(contact.impulse)
        #: The bodies after.
        self.bodies = [replace(one, velocity=velocity, spin=spin)
                       for one, (velocity, spin) in zip(space.bodies, after)]

    @property
    def velocity(self) -> Array:
        """Of the first body, after."""
        velocity = self.bodies[0].velocity
        assert velocity is not None
        return velocity

    @property
    def spin(self) -> Array:
        """Of the first body, after."""
        spin = self.bodies[0].spin
        assert spin is not None
        return spin

    @property
    def frame(self) -> Array:
        """The frames of the sites, (..., n, 3, 3): rows t1, t2, n."""
        return self._space.frame

    def to_pandas(self) -> Any:
        """As Result.to_pandas(), with the velocities and spins of all bodies."""
        table = self.contact.to_pandas()
        for i, one in enumerate(self.bodies):
            for name in ("velocity", "spin"):
                array = getattr(one, name).reshape(-1, 3)
                for axis, letter in enumerate("xyz"):
                    table[f"{name}_{letter}_body_{i}"] = array[:, axis]
        return table

    def derivative(self, name: str, of: str = "velocity", body: int = 0, by: int = 0) -> Array:
        """The exact derivative of velocity or spin of a body after, or of the impulse.

        name: mu, mu_static, e, stiffness, stiffness_ratio (with several sites the last axis is
        theirs); or of body number `by` before: velocity, spin, position, mass, inertia (..., 3, 3),
        rotation (a small rotation vector, world axes).

        >>> import carom
        >>> ball = carom.ball(1, 1, velocity=[3, 0, -1])
        >>> out = carom.collide(ball, carom.floor(), mu=0.1, e=0.5)
        >>> out.derivative("mu").round(12)
        array([-1.5,  0. ,  0. ])
        >>> float(out.derivative("velocity")[2, 2].round(12))
        -0.5
        """
        if of == "impulse" and name in COEFFICIENTS:
            return self.contact.derivative(name, of="impulse")
        if of not in ("velocity", "spin"):
            raise ValueError(f"of: must be velocity or spin (or impulse, by a coefficient), got {of!r}")
        if name in COEFFICIENTS:
            return self._by_coefficient(name, of, body)
        if name not in _GRADIENT:
            raise ValueError(f"name: must be one of {', '.join(COEFFICIENTS)}, "
                             f"{', '.join(_GRADIENT)}, got {name!r}")
        return self._by_body(name, of, body, by)

    def _by_coefficient(self, name: str, of: str, body: int) -> Array:
        """Velocities are linear in the impulse: what its derivative does to bodies at rest."""
        slope = self.contact.derivative(name, of="impulse")
        rows = len(self.contact.shape)
        several = slope.ndim > rows + 1
        moved = np.moveaxis(slope, -1, 0) if several else slope
        pair = self._space.apply(np.ascontiguousarray(moved), motion=False)[body]
        found = pair[0] if of == "velocity" else pair[1]
        return np.moveaxis(found, 0, -1) if several else found

    def _by_body(self, name: str, of: str, body: int, by: int) -> Array:
        first, length = _GRADIENT[name]
        rows = [self.gradient(of, body, axis)[0][..., by, first:first + length] for axis in range(3)]
        found: Array = np.stack(rows, axis=-2)
        if name == "mass":
            return found[..., 0]
        if name == "inertia":
            half: Array = found * np.array([1, .5, .5, 1, .5, 1])
            full: Array = half[..., [0, 1, 2, 1, 3, 4, 2, 4, 5]]
            return full.reshape(found.shape[:-1] + (3, 3))
        return found

    def gradient(self, of: str, body: int, axis: int) -> tuple[Array, Array, Array]:
        """Gradient of one number after by everything before: (..., bodies, 19), (..., sites, 6) and
        by W, v and coefficients as carom/chain.h and carom/derivative.h have them."""
        problems, space = self.contact._problems, self._space
        count, n = len(space.bodies), len(space.sites)
        weights = np.zeros((count, 6))
        weights[body, axis + (3 if of == "spin" else 0)] = 1
        grid = Grid([("W", self.contact.impulse, 1)])
        bodies = ffi.new("Bodies[]", [one.rows(grid) for one in space.bodies])
        sites = ffi.new("Sites[]", [
            (place.first, place.second, grid.rows(place.point, 1), grid.rows(place.normal, 1),
             grid.rows(place.tangent, 1)) for place in space.sites])
        by_bodies, by_sites = grid.empty(count, lib.BODY_GRADIENT), grid.empty(n, 6)
        by_problem = grid.empty(lib.inputs_count(n, 0))
        status, message = grid.empty(dtype=np.int32), grid.empty(dtype=np.uintp)
        lib.rows_bodies_reverse(grid.shape_c, count, bodies, n, sites, problems.c,
                                grid.rows_new(weights, 2), ffi.new("BodiesGradient *", (
                                    out(by_bodies), out(by_sites), out(by_problem),
                                    out(status, "int32_t[]"), out(message, "uintptr_t[]"))))
        return by_bodies, by_sites, by_problem


class Bodies:
    """A group of bodies that strike each other; bodies() makes it."""

    def __init__(self, members: Sequence[Body]):
        self.members = list(members)

    def strike(self, sites: Sequence[Site], mu: Numbers = 0.0, e: Numbers = 1.0,
               **options: Any) -> Impact:
        """The impact at the sites; arguments as of solve()."""
        space = Space(self.members, sites)
        return Impact(space, solve(space.W, space.v, mu, e, **options))


def bodies(*members: Body) -> Bodies:
    """A group of bodies, for impacts at several sites at once.

    >>> import carom
    >>> balls = [carom.ball(1, 1, position=[2.0 * i, 0, 0]) for i in range(3)]
    >>> balls[0] = balls[0].replace(velocity=[1, 0, 0])
    >>> sites = [carom.site(i, i + 1, [2 * i + 1, 0, 0], [-1, 0, 0]) for i in range(2)]
    >>> out = carom.bodies(*balls).strike(sites, e=1, model="compliant", stiffness=[1, 1])
    >>> [float(ball.velocity[0].round(4)) for ball in out.bodies]
    [-0.1303, 0.1502, 0.98]
    """
    return Bodies(members)


def _place(first: Body, second: Body, point: Numbers, normal: Numbers) -> tuple[Numbers, Numbers]:
    """Where balls touch each other or a floor."""
    if normal is None and second.normal is not None:
        normal = second.normal
    if normal is None and first.radius is not None and second.radius is not None:
        if first.position is None or second.position is None:
            raise ValueError("position: two balls need it, or give point and normal")
        normal = first.position - second.position
    if normal is None:
        raise ValueError("normal: must be given; only two balls, or a second body that is a floor, "
                         "have it")
    if point is None:
        if first.radius is None:
            raise ValueError("point: must be given; only a first body that is a ball has it")
        direction = numbers(normal, "normal")
        with np.errstate(invalid="ignore", divide="ignore"):
            unit = direction / np.sqrt((direction**2).sum(axis=-1, keepdims=True))
        centre = np.zeros(3) if first.position is None else first.position
        point = centre - first.radius[..., None] * unit
    return point, normal


def collide(first: Body, second: Body, *, mu: Numbers = 0.0, e: Numbers = 1.0,
            point: Numbers = None, normal: Numbers = None, **options: Any) -> Impact:
    """The impact of two bodies at a point. The normal points out of the second into the first; a
    ball on a floor, and two balls, find both themselves. Other arguments as of solve().

    >>> import carom, numpy as np
    >>> ball = carom.ball(mass=.046, radius=.024, velocity=[2.0, 0, -3], spin=[0, 100, 0])
    >>> out = carom.collide(ball, carom.floor(), mu=np.linspace(0, 0.2, 3), e=.8)
    >>> out.velocity.round(6)
    array([[2.      , 0.      , 2.4     ],
           [2.114286, 0.      , 2.4     ],
           [2.114286, 0.      , 2.4     ]])
    >>> out.energy.friction_loss.round(6)
    array([0.      , 0.001051, 0.001051])
    """
    point, normal = _place(first, second, point, normal)
    space = Space([first, second], [site(0, 1, point, normal)])
    return Impact(space, solve(space.W, space.v, mu, e, **options))
