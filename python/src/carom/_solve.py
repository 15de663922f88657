"""Impacts in contact space: solve() and its arguments."""
from __future__ import annotations

from typing import Any, Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from carom._arrays import NOT_GIVEN, Array, Grid, Numbers, codes, cored, names, numbers
from carom._native import ffi, lib
from carom._result import Result

MODELS = names("model")
RESTITUTIONS = names("law")
METHODS = names("method") + ["impulse"]
COEFFICIENTS = ("mu", "mu_static", "e", "stiffness", "stiffness_ratio")
_SCHEME = ("step", "h1", "h2", "epsilon", "straight", "zero", "stop_energy")
_EXACT = METHODS.index("exact")
_RIGID = MODELS.index("rigid")
_ENERGETIC, _NEWTON, _BI_STIFFNESS = (RESTITUTIONS.index(name)
                                      for name in ("energetic", "newton", "bi_stiffness"))
_DEFAULT_LAW = np.array(_ENERGETIC, dtype=np.int32)
_DEFAULT_SETTINGS = ffi.new("Settings *")


def settings(method: str, tolerance: float, scheme: Mapping[str, float] | None) -> Any:
    """The options of a solve for C."""
    if method == "exact" and not tolerance and not scheme:
        return _DEFAULT_SETTINGS
    if method not in METHODS:
        raise ValueError(f"method: must be one of {', '.join(METHODS)}, got {method!r}")
    code = _EXACT if method == "impulse" else METHODS.index(method)
    chosen = ffi.new("Settings *", {"method": code, "tolerance": float(tolerance),
                                    "impulse_law": int(method == "impulse")})
    for name, value in (scheme or {}).items():
        if name in ("absolute", "as_printed"):
            setattr(chosen, name, int(value))
        elif name in _SCHEME:
            setattr(chosen, name, float(value))
        else:
            raise ValueError(f"scheme: unknown field {name!r}; it has "
                             f"{', '.join(_SCHEME)}, absolute, as_printed")
    return chosen


class Problems:
    """Problems in contact space, checked and ready for C. Keeps the arrays, copies none that are
    contiguous float64."""

    __slots__ = ("W", "v", "contacts", "planar", "size", "grid", "c", "settings", "method")

    def __init__(self, W: Numbers, v: Numbers, coefficients: Sequence[Numbers], model: Any, law: Any,
                 planar: bool, method: str, chosen: Any):
        W = numbers(W, "W")
        rows = 2 if planar else 3
        size = W.shape[-1] if W.ndim else 0
        if size < rows or size % rows or W.ndim < 2 or W.shape[-2] != size:
            raise ValueError(f"W: must have shape (..., {rows}n, {rows}n) for n contacts, "
                             f"got {W.shape}")
        self.W = W if W.flags.c_contiguous else cored(W, "W", (size, size))
        self.v = cored(v, "v", (size,))
        self.contacts, self.planar, self.size = size // rows, planar, size
        self.settings, self.method = chosen, method
        core = 0 if self.contacts == 1 else 1
        inputs: list[tuple[str, Any, int]] = [("W", self.W, 2), ("v", self.v, 1)]
        given: list[Any] = []  # None, the address of a number, or an array and its step
        for name, value in zip(COEFFICIENTS, coefficients):
            if value is None:
                given.append(None)
            elif type(value) is float:  # the common case: without NumPy
                given.append(ffi.new("double *", value))
            else:
                array, step = self._coefficient(value, name)
                given.append((array, step))
                inputs.append((name, array, core))
        model_codes = codes(model, "model", MODELS)
        law_codes = self._law(law, model_codes)
        if method == "impulse" and (model_codes != _RIGID).any():
            raise ValueError("method: \"impulse\" is a law of rigid contacts")
        inputs += [("model", model_codes, 0), ("law", law_codes, 0)]
        self.grid = grid = Grid(inputs)
        of = grid.rows
        fields: list[Any] = [self.contacts, planar, of(self.W, 2), of(self.v, 1)]
        for entry in given:
            fields.append(NOT_GIVEN if entry is None else of(entry[0], core, entry[1])
                          if type(entry) is tuple else (entry, ffi.NULL, 0))
        self.c = ffi.new("Problems *", (*fields, of(model_codes, 0), of(law_codes, 0)))
        grid.keep(given)

    def _law(self, law: Any, model: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """The default is the energetic law, or Newton's for several rigid contacts at once, which
        take no other."""
        if law is None:
            if self.method != "impulse" and (self.contacts == 1 or self.method == "sequence"):
                return _DEFAULT_LAW
            return np.where(model == _RIGID, _NEWTON, _ENERGETIC).astype(np.int32)
        found = codes(law, "restitution", RESTITUTIONS)
        return np.where(found == _BI_STIFFNESS, _ENERGETIC, found).astype(np.int32)

    def _coefficient(self, value: Numbers, name: str) -> tuple[Array, int]:
        """With several contacts the last axis is theirs, of n numbers or one for all."""
        array = numbers(value, name)
        if self.contacts == 1:
            return array, 0
        if array.ndim == 0:
            return array.reshape(1), 0
        if array.shape[-1] not in (1, self.contacts):
            raise ValueError(f"{name}: must have shape (..., {self.contacts}), a number for each "
                             f"contact, or (..., 1), got {array.shape}")
        return array, array.strides[-1] if array.shape[-1] > 1 else 0


def solve(W: Numbers, v: Numbers, mu: Numbers = 0.0, e: Numbers = 1.0, *, model: Any = "rigid",
          restitution: Any = None, mu_static: Numbers = None, stiffness: Numbers = None,
          stiffness_ratio: Numbers = None, planar: bool = False, method: str = "exact",
          tolerance: float = 0.0, scheme: Mapping[str, float] | None = None,
          details: bool = True) -> Result:
    """Solve impacts in contact space, as many as the arguments have rows.

    W: (..., 3n, 3n), the inverse inertia at n contacts, rows t1, t2, n for each; v: (..., 3n), the
    contact velocities before, with v_n < 0 where they approach. planar: two rows t, n for each
    contact instead of three. mu, e, mu_static, stiffness and stiffness_ratio: (...) for one
    contact, (..., n) or (..., 1) for several. model: "rigid" or "compliant"; restitution: "energetic",
    "poisson", "newton", "mono_stiffness", "plastic_deformation", by default "energetic", of several
    rigid contacts "newton". model and restitution may be arrays of names. Everything broadcasts.

    stiffness: numpy.inf and 0 are the limits for several contacts without friction. method and
    scheme choose the published schemes, as carom/solve.h says; "impulse": one rigid contact follows
    the impulse-level law, too, as several do. tolerance: the largest acceptable estimate of the
    relative error.

    details=False leaves energies, errors, events and derivatives out. Then single contacts are
    solved several at once in SIMD lanes, as carom_batch_solve() does it: about twice as fast and as
    accurate, but the last digits differ (not those of planar rigid contacts).

    A row that fails has its status, and NaN for its numbers; nothing is raised for it, see
    Result.raise_for_status().

    >>> import carom, numpy as np
    >>> W = np.diag([3.5, 3.5, 1.0])                  # a uniform ball of mass 1
    >>> out = carom.solve(W, [1.0, 0.0, -2.0], mu=[0.0, 0.1, 0.2], e=0.5)
    >>> out.velocity.round(6)
    array([[1., 0., 1.],
           [0., 0., 1.],
           [0., 0., 1.]])
    >>> out.sequence
    array(['lcr', 'lcsr', 'lscr'], dtype='<U16')
    """
    problems = Problems(W, v, (mu, mu_static, e, stiffness, stiffness_ratio), model, restitution, planar,
                        method, settings(method, tolerance, scheme))
    result = Result(problems, details=details)
    lib.rows_solve(problems.grid.shape_c, problems.c, problems.settings, result.outcomes)
    return result


@ffi.def_extern(error=-1)  # type: ignore[misc]
def python_choose(context: Any, count: int, contacts: Any, speeds: Any) -> int:
    choice = ffi.from_handle(context)
    try:
        return int(choice.choose([contacts[i] for i in range(count)],
                                 [speeds[i] for i in range(count)]))
    except BaseException as problem:
        choice.problem = problem
        return -1


class _Choice:
    def __init__(self, choose: Callable[[list[int], list[float]], int]):
        self.choose = choose
        self.problem: BaseException | None = None


def sequence(W: Numbers, v: Numbers, mu: Numbers = 0.0, e: Numbers = 1.0, *, restitution: Any = None,
             mu_static: Numbers = None, planar: bool = False,
             choose: Callable[[list[int], list[float]], int] | None = None) -> Result:
    """Solve several rigid contacts by one impact after another.

    choose(contacts, speeds) picks the next impact: it gets the indices of the contacts that
    approach and their speeds, and returns a position in these lists. It takes one problem, not
    rows of them. None: the fastest approaching contact is next; then rows broadcast as in solve().

    >>> import carom, numpy as np
    >>> W = np.array([[2.0, -1.0], [-1.0, 2.0]])      # three equal balls in a row
    >>> W = np.kron(W, np.diag([0.0, 0.0, 1.0]))
    >>> out = carom.sequence(W, [0, 0, -1.0, 0, 0, 0], e=1, choose=lambda contacts, speeds: 0)
    >>> out.velocity[[2, 5]]
    array([0., 1.])
    """
    if choose is None:
        return solve(W, v, mu, e, restitution=restitution, mu_static=mu_static, planar=planar,
                     method="sequence")
    problems = Problems(W, v, (mu, mu_static, e, None, None), "rigid", restitution, planar, "sequence",
                        settings("sequence", 0, None))
    if problems.grid.shape:
        raise ValueError(f"choose: takes one problem, got rows {problems.grid.shape}")
    choice = _Choice(choose)
    result = Result(problems, repeatable=False)
    lib.sequence_solve(problems.c, ffi.new_handle(choice), result.outcomes)
    if choice.problem is not None:
        raise choice.problem
    return result
