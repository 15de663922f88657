"""Geometry of slip at one rigid contact, and coefficients of materials."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from carom._arrays import Array, Grid, Numbers, codes, cored, numbers, out
from carom._native import lib
from carom._status import raise_for

RULES = ("min", "max", "product", "average", "geometric")


class Invariants(NamedTuple):
    """Directions of slip that last. NaN beyond count."""

    direction: Array  #: (..., 4, 2), unit vectors in the tangent plane, by angle
    rate: Array  #: (..., 4), dr/dp along it; > 0: centrifugal
    stable: npt.NDArray[np.bool_]  #: (..., 4), nearby directions turn towards it
    count: Any  #: (...), 2 to 4; -1: every direction is one


def invariant_directions(W: Numbers, mu: Numbers) -> Invariants:
    """The directions of slip that last.

    >>> import carom, numpy as np
    >>> found = carom.invariant_directions(np.diag([1.0, 2.0, 1.0]), 0.3)
    >>> int(found.count), found.direction[:2]
    (4, array([[ 0., -1.],
           [ 1.,  0.]]))
    """
    W, mu = cored(W, "W", (3, 3)), numbers(mu, "mu")
    grid = Grid([("W", W, 2), ("mu", mu, 0)])
    direction, rate = grid.empty(4, 2), grid.empty(4)
    stable, count = grid.empty(4, dtype=np.bool_), grid.empty(dtype=np.int32)
    status, message = grid.empty(dtype=np.int32), grid.empty(dtype=np.uintp)
    lib.rows_invariants(grid.shape_c, grid.rows_new(W, 2), grid.rows_new(mu, 0), out(direction),
                        out(rate), out(stable, "unsigned char[]"), out(count, "int32_t[]"),
                        out(status, "int32_t[]"), out(message, "uintptr_t[]"))
    raise_for(status, message)
    return Invariants(direction, rate, stable, count[()])


def stick_ratio(W: Numbers) -> Any:
    """|B^-1 d|: a contact at rest sticks if this is at most mu_static.

    >>> import carom, numpy as np
    >>> float(carom.stick_ratio(np.eye(3)))
    0.0
    """
    W = cored(W, "W", (3, 3))
    grid = Grid([("W", W, 2)])
    found = grid.empty()
    lib.rows_stick_ratio(grid.shape_c, grid.rows_new(W, 2), out(found))
    return found[()]


def solvability_margin(W: Numbers, mu: Numbers) -> Any:
    """w - mu |d|; the normal velocity rises all the time if it is > 0.

    >>> import carom, numpy as np
    >>> float(carom.solvability_margin(np.eye(3), 0.5))
    1.0
    """
    W, mu = cored(W, "W", (3, 3)), numbers(mu, "mu")
    grid = Grid([("W", W, 2), ("mu", mu, 0)])
    found = grid.empty()
    lib.rows_solvability_margin(grid.shape_c, grid.rows_new(W, 2), grid.rows_new(mu, 0), out(found))
    return found[()]


def compression_bound(W: Numbers, v: Numbers, mu: Numbers) -> Any:
    """An upper bound of the normal impulse at which compression first ends.

    >>> import carom, numpy as np
    >>> float(carom.compression_bound(np.eye(3), [0, 0, -2], 0.5).round(9))
    2.0
    """
    W, v, mu = cored(W, "W", (3, 3)), cored(v, "v", (3,)), numbers(mu, "mu")
    grid = Grid([("W", W, 2), ("v", v, 1), ("mu", mu, 0)])
    found = grid.empty()
    lib.rows_compression_bound(grid.shape_c, grid.rows_new(W, 2), grid.rows_new(v, 1),
                               grid.rows_new(mu, 0), out(found))
    return found[()]


def hodograph(W: Numbers, mu: Numbers, gamma: Numbers, theta: Numbers) -> Any:
    """The sliding speed at direction angle theta, for slip that started with sliding velocity gamma
    (..., 2): the closed form. NaN outside the two invariant directions next to gamma's.

    >>> import carom, numpy as np
    >>> float(carom.hodograph(np.diag([1.0, 2.0, 1.0]), 0.3, [1, 1], np.pi / 4).round(9))
    1.414213562
    """
    W, gamma = cored(W, "W", (3, 3)), cored(gamma, "gamma", (2,))
    mu, theta = numbers(mu, "mu"), numbers(theta, "theta")
    grid = Grid([("W", W, 2), ("mu", mu, 0), ("gamma", gamma, 1), ("theta", theta, 0)])
    speed, status, message = grid.empty(), grid.empty(dtype=np.int32), grid.empty(dtype=np.uintp)
    lib.rows_hodograph(grid.shape_c, grid.rows_new(W, 2), grid.rows_new(mu, 0),
                       grid.rows_new(gamma, 1), grid.rows_new(theta, 0), out(speed),
                       out(status, "int32_t[]"), out(message, "uintptr_t[]"))
    return speed[()]


def combine(a: Numbers, b: Numbers, rule: str = "geometric") -> Any:
    """A coefficient (mu or e) of a pair from those of two materials; rule: min, max, product,
    average or geometric (the geometric mean).

    >>> import carom
    >>> carom.combine([0.2, 0.5], [0.8, 0.5], rule="min")
    array([0.2, 0.5])
    """
    number = int(codes(rule, "rule", RULES))
    a, b = numbers(a, "a"), numbers(b, "b")
    grid = Grid([("a", a, 0), ("b", b, 0)])
    found = grid.empty()
    lib.rows_combine(grid.shape_c, number, grid.rows_new(a, 0), grid.rows_new(b, 0), out(found))
    return found[()]


def stiffness_ratio(nu: Numbers) -> Any:
    """The stiffness ratio of a compliant contact from Poisson's ratio of the material.

    >>> import carom
    >>> float(carom.stiffness_ratio(0.3).round(6)), round(17 / 14, 6)
    (1.214286, 1.214286)
    """
    nu = numbers(nu, "nu")
    grid = Grid([("nu", nu, 0)])
    found = grid.empty()
    lib.rows_stiffness_ratio(grid.shape_c, grid.rows_new(nu, 0), out(found))
    return found[()]
