"""Mechanisms: mass matrix, generalised speeds, contact Jacobians."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np
import numpy.typing as npt

from carom._arrays import Array, Grid, Numbers, cored, numbers, out
from carom._native import ffi, lib
from carom._result import Outcome, Result
from carom._solve import COEFFICIENTS, solve


class Strike(Outcome):
    """The strike of a mechanism: u after, and the impact at the contacts."""

    def __init__(self, system: System, J: Array, R: Array, contact: Result,
                 status: npt.NDArray[np.int32], message: npt.NDArray[np.uintp]):
        super().__init__(contact, status, message)
        self._system, self._J, self._R = system, J, R
        #: Generalised speeds (..., n) after.
        self.u = system._apply(R, contact.impulse, system.u)

    def to_pandas(self) -> Any:
        """As Result.to_pandas(), with the speeds after."""
        table = self.contact.to_pandas()
        flat = self.u.reshape(-1, self.u.shape[-1])
        for i in range(flat.shape[1]):
            table[f"u_{i}"] = flat[:, i]
        return table

    def derivative(self, name: str, of: str = "u") -> Array:
        """The exact derivative of u after (or of the impulse, by a coefficient) by a coefficient,
        u, M (a symmetric change, entry by entry) or J: (..., n, shape of the argument).

        >>> import carom, numpy as np
        >>> out = carom.system(np.eye(2), [1.0, -2.0]).strike(np.eye(2), mu=.1, e=.5, planar=True)
        >>> out.derivative("mu").round(12)
        array([-3.,  0.])
        """
        if name in COEFFICIENTS:
            slope = self.contact.derivative(name, of="impulse")
            if of == "impulse":
                return slope
            several = slope.ndim > len(self.contact.shape) + 1
            found: Array = np.einsum("...mn,...mk->...nk" if several else "...mn,...m->...n",
                                     self._R, slope)
            return found
        if of != "u" or name not in ("u", "M", "J"):
            raise ValueError(f"name: must be one of {', '.join(COEFFICIENTS)}, u, M, J, got {name!r}")
        n = self._system.size
        return np.stack([self._reverse(np.eye(n)[i])[name] for i in range(n)],
                        axis=len(self.contact.shape))

    def _reverse(self, weights: Array) -> dict[str, Array]:
        """Gradients of the sum of weights (n) times u after."""
        problems, system = self.contact._problems, self._system
        n, m = system.size, problems.size
        grid = Grid([("W", self.contact.impulse, 1)])
        found = {"u": grid.empty(n), "M": grid.empty(n, n), "J": grid.empty(m, n),
                 "problem": grid.empty(lib.inputs_count(problems.contacts, problems.planar))}
        status, message = grid.empty(dtype=np.int32), grid.empty(dtype=np.uintp)
        lib.rows_system_reverse(grid.shape_c, n, grid.rows_new(system.M, 2),
                                grid.rows_new(self._J, 2), grid.rows_new(system.u, 1), problems.c,
                                grid.rows_new(weights, 1), *(out(array) for array in found.values()),
                                out(status, "int32_t[]"), out(message, "uintptr_t[]"))
        return found


class System:
    """A mechanism with mass matrix M (..., n, n) and generalised speeds u (..., n)."""

    def __init__(self, M: Numbers, u: Numbers):
        u = numbers(u, "u")
        self.size = n = u.shape[-1] if u.ndim else 0
        if n == 0:
            raise ValueError(f"u: must have shape (..., n) with n > 0, got {u.shape}")
        self.u = cored(u, "u", (n,))
        self.M = cored(M, "M", (n, n))

    @property
    def energy(self) -> Any:
        """Kinetic energy u.M u/2."""
        return 0.5 * np.einsum("...i,...ij,...j->...", self.u, self.M, self.u)

    def _apply(self, R: Array, impulse: Array, u: Array) -> Array:
        grid = Grid([("R", R, 2), ("impulse", impulse, 1), ("u", u, 1)])
        after = grid.empty(self.size)
        lib.rows_system_apply(grid.shape_c, self.size, R.shape[-2], grid.rows_new(R, 2),
                              grid.rows_new(impulse, 1), grid.rows_new(u, 1), out(after))
        return after

    def strike(self, J: Numbers | Sequence[Numbers], mu: Numbers = 0.0, e: Numbers = 1.0, *,
               planar: bool = False, **options: Any) -> Strike:
        """The mechanism strikes with one or several contacts at once.

        J: (..., 3k, n), rows t1, t2, n for each of k contacts, or a list of one such array per
        contact; planar: two rows t, n. Other arguments as of solve(). Several rigid contacts follow
        the impulse-level law; with method="impulse" one does, too.

        >>> import carom, numpy as np
        >>> M, u = np.diag([1.0, 1.0, 1.0]), [1.0, 0.0, -2.0]
        >>> carom.system(M, u).strike(np.eye(3), mu=0.2, e=0.5).u.round(12)
        array([0.4, 0. , 1. ])
        """
        rows, n = 2 if planar else 3, self.size
        if isinstance(J, (list, tuple)) and numbers(J[0], "J[0]").ndim >= 2:
            parts = [cored(part, f"J[{i}]", (rows, n)) for i, part in enumerate(J)]
            lead = np.broadcast_shapes(*(part.shape[:-2] for part in parts))
            J = np.concatenate([np.broadcast_to(part, lead + (rows, n)) for part in parts], axis=-2)
        J = numbers(J, "J")
        if J.ndim < 2 or J.shape[-2] == 0 or J.shape[-2] % rows:
            raise ValueError(f"J: must have shape (..., {rows}k, {n}) for k contacts, got {J.shape}")
        m = J.shape[-2]
        J = cored(J, "J", (m, n))
        grid = Grid([("M", self.M, 2), ("u", self.u, 1), ("J", J, 2)])
        R, W, v = grid.empty(m, n), grid.empty(m, m), grid.empty(m)
        status, message = grid.empty(dtype=np.int32), grid.empty(dtype=np.uintp)
        lib.rows_system_space(grid.shape_c, n, m, grid.rows_new(self.M, 2), grid.rows_new(J, 2),
                              grid.rows_new(self.u, 1), out(R), ffi.new("Spaces *", (
                                  out(W), out(v), ffi.NULL, out(status, "int32_t[]"),
                                  out(message, "uintptr_t[]"))))
        return Strike(self, J, R, solve(W, v, mu, e, planar=planar, **options), status, message)


def system(M: Numbers, u: Numbers) -> System:
    """A mechanism: mass matrix M (..., n, n) and generalised speeds u (..., n).

    >>> import carom, numpy as np
    >>> float(carom.system(np.eye(2), [3.0, 4.0]).energy)
    12.5
    """
    return System(M, u)
