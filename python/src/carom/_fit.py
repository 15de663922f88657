"""Coefficients from measured impacts, with their errors."""
from __future__ import annotations

import re
from typing import Any, Mapping, NamedTuple, Sequence

import numpy as np
import numpy.typing as npt

from carom._arrays import Array, Grid, Numbers, cored, out
from carom._native import ffi, lib
from carom._solve import COEFFICIENTS, Problems, settings
from carom._status import NOT_CONVERGED, InvalidInput, NotConverged, status_names

LOSSES = ("squares", "huber", "cauchy")
_DEFAULTS = {"mu": 0.3, "e": 0.5, "stiffness": 1.0, "stiffness_ratio": 17 / 14}


class Estimate(NamedTuple):
    """A parameter as the data have it."""

    value: float
    standard_error: float  #: NaN: not identified, or not known
    low: float  #: 95 % interval
    high: float
    identified: bool  #: False: the data cannot tell it; reason says why
    profiled: bool  #: the interval is from the sum of squares itself
    linear: bool  #: and agrees with the standard error
    reason: str


class Fit:
    """A fit. Values are attributes too: fit.mu, fit.e; docs/fit.md has the statistics."""

    def __init__(self, names: Sequence[str], estimates: Sequence[Estimate], covariance: Array,
                 distances: Array, numbers: Array, counts: npt.NDArray[np.int64]):
        self.parameters = dict(zip(names, estimates))
        self.covariance = covariance
        #: Of each row, in standard deviations: what is beyond 4 does not fit.
        self.distances = distances
        self.rms, self.chi2, self.scale = (float(number) for number in numbers)
        self.rows, self.residuals, self.minima = (int(number) for number in counts[:3])
        #: Some rows were differentiated by differences.
        self.differences = bool(counts[3])
        self.slipped, self.stuck = int(counts[4]), int(counts[5])

    def __getattr__(self, name: str) -> float:
        parameters = self.__dict__.get("parameters", {})
        if name in parameters:
            return float(parameters[name].value)
        raise AttributeError(name)

    def __repr__(self) -> str:
        words = ", ".join(f"{name} {estimate.value:.4g} +- {estimate.standard_error:.2g}"
                          for name, estimate in self.parameters.items())
        return f"<carom.Fit: {words}; {self.rows} rows>"

    def plot(self, ax: Any = None) -> Any:
        """Draw the parameters with their intervals; returns the axes."""
        import carom.plot

        return carom.plot.fit(self, ax)


def _parameter(name: str, contacts: int) -> tuple[str, int]:
    match = re.fullmatch(r"(\w+?)(?:\[(\d+)\])?", name)
    known = [word for word in COEFFICIENTS if word != "mu_static"]
    if not match or match[1] not in known:
        raise ValueError(f"parameters: must be of {', '.join(known)}, for one contact of several "
                         f"with its index, as mu[1]; got {name!r}")
    contact = -1 if match[2] is None else int(match[2])
    if contact >= contacts:
        raise ValueError(f"parameters: {name}: there are {contacts} contacts")
    return match[1], contact


def fit(W: Numbers, before: Numbers, after: Numbers,
        parameters: Sequence[str] = ("mu", "e"), *, mu: Numbers = None, e: Numbers = None,
        stiffness: Numbers = None, stiffness_ratio: Numbers = None, model: Any = "rigid",
        restitution: Any = None, planar: bool = False, sigma: Numbers = None, sigma_before: Numbers = None,
        loss: str = "squares", bounds: Mapping[str, tuple[float, float]] | None = None,
        start: Mapping[str, float] | None = None) -> Fit:
    """Find coefficients from contact velocities before and after impacts, both (..., 3n).

    parameters: mu, e, stiffness, stiffness_ratio, of one contact of several mu[1] and so on; those
    that are not fitted are given. Entries of `after` that are NaN were not measured. sigma and
    sigma_before: standard deviations of after and before, (..., 3n) or one number. loss: "squares",
    "huber" or "cauchy". bounds and start: by the name of the parameter.

    >>> import carom, numpy as np
    >>> rng = np.random.default_rng(1)
    >>> v = rng.normal(size=(200, 3)) * [10, 10, 0] + [0, 0, -2]
    >>> W = np.diag([3.5, 3.5, 1.0])
    >>> after = carom.solve(W, v, mu=0.2, e=0.7).velocity + 0.01 * rng.normal(size=(200, 3))
    >>> found = carom.fit(W=W, before=v, after=after, parameters=("mu", "e"))
    >>> abs(found.mu - 0.2) < 0.001, abs(found.e - 0.7) < 0.002, found.covariance.shape
    (True, True, (2, 2))
    """
    task = _Task(W, before, after, parameters, {"mu": mu, "e": e, "stiffness": stiffness,
                                                "stiffness_ratio": stiffness_ratio},
                 model, restitution, planar, (sigma, sigma_before), loss, bounds or {}, start or {})
    return task.fit()


class Comparison(NamedTuple):
    """A model in a comparison: errors on rows that were kept back."""

    name: str
    model: str
    restitution: str
    parameters: tuple[str, ...]  #: that were fitted
    rms: float  #: of measured minus predicted, in units of sigma if given; NaN: no fit was found
    error: float  #: standard error of rms
    above_best: float  #: rms above that of the best model
    above_error: float  #: its standard error, row by row: a difference below two of these says nothing


_MODELS = (("rigid, energetic", "rigid", "energetic", False),
           ("rigid, Poisson", "rigid", "poisson", False),
           ("rigid, Newton", "rigid", "newton", False),
           ("compliant", "compliant", "energetic", False),
           ("compliant, stiffness_ratio fitted", "compliant", "energetic", True))


def compare(W: Numbers, before: Numbers, after: Numbers, parameters: Sequence[str] = ("mu", "e"), *,
            mu: Numbers = None, e: Numbers = None, stiffness: Numbers = None,
            stiffness_ratio: Numbers = None, planar: bool = False, sigma: Numbers = None,
            sigma_before: Numbers = None, loss: str = "squares",
            bounds: Mapping[str, tuple[float, float]] | None = None,
            folds: int = 5) -> list[Comparison]:
    """Compare models by cross validation: each is fitted to all rows but those of one of `folds` parts,
    which it then predicts. The rigid model with each law of restitution (of several contacts Newton's
    alone), the compliant model, and this with its stiffness ratio fitted. Arguments as of fit(); best
    first.

    >>> import carom, numpy as np
    >>> rng = np.random.default_rng(1)
    >>> v = rng.normal(size=(60, 3)) * [2, 2, 0] + [0, 0, -2]
    >>> W = np.diag([3.5, 3.5, 1.0])
    >>> after = carom.solve(W, v, mu=0.2, e=0.7, model="compliant", stiffness_ratio=1.2).velocity
    >>> best = carom.compare(W, v, after + 0.01 * rng.normal(size=(60, 3)))[0]
    >>> best.model, best.above_best
    ('compliant', 0.0)
    """
    found, squares = [], []
    ratio = any(name.startswith("stiffness_ratio") for name in parameters)
    for name, model, law, add in _MODELS:
        chosen = [one for one in parameters if model == "compliant" or not one.startswith("stiffness")]
        if add and ratio or not chosen:
            continue
        chosen += ["stiffness_ratio"] if add else []
        task = _Task(W, before, after, chosen, {
            "mu": mu, "e": e, "stiffness": stiffness if model == "compliant" else None,
            "stiffness_ratio": stiffness_ratio if model == "compliant" else None},
                     model, law, planar, (sigma, sigma_before), loss,
                     {one: ends for one, ends in (bounds or {}).items() if one in chosen}, {})
        if task.problems.contacts > 1 and model == "rigid" and law != "newton":
            continue
        try:
            each, rms, error = task.validate(folds)
        except NotConverged:
            each, rms, error = np.empty(0), np.nan, np.nan
        squares.append(each)
        found.append(Comparison(name, model, law, tuple(chosen), rms, error, 0.0, 0.0))
    order = sorted(range(len(found)), key=lambda i: float(np.nan_to_num(found[i].rms, nan=np.inf)))
    best = order[0]
    for i, one in enumerate(found):
        if np.isnan(one.rms):
            continue
        difference = squares[i] - squares[best]
        difference = difference[np.isfinite(difference)]
        found[i] = one._replace(
            above_best=one.rms - found[best].rms,
            above_error=float(difference.std() / len(difference)**0.5 / (one.rms + found[best].rms)))
    return [found[i] for i in order]


class _Task:
    """Measured impacts and the coefficients that are to be found, for C."""

    def __init__(self, W: Numbers, before: Numbers, after: Numbers, names: Sequence[str],
                 given: dict[str, Numbers], model: Any, restitution: Any, planar: bool,
                 sigmas: tuple[Numbers, Numbers], loss: str,
                 bounds: Mapping[str, tuple[float, float]], start: Mapping[str, float]):
        if loss not in LOSSES:
            raise ValueError(f"loss: must be one of {', '.join(LOSSES)}, got {loss!r}")
        fitted = {re.sub(r"\[.*", "", name) for name in names}
        for name in fitted & given.keys():
            given[name] = _DEFAULTS[name] if given[name] is None else given[name]
        if given["mu"] is None or given["e"] is None:
            raise ValueError("mu and e: each must be given or be one of the parameters")
        self.names, self.loss = list(names), LOSSES.index(loss)
        self.problems = problems = Problems(
            W, before, (given["mu"], None, given["e"], given["stiffness"], given["stiffness_ratio"]),
            model, restitution, planar, "exact", settings("exact", 0, None))
        if problems.contacts > lib.FIT_CONTACTS:
            raise ValueError(f"W: at most {lib.FIT_CONTACTS} contacts, got {problems.contacts}")
        if not 1 <= len(names) <= lib.FIT_PARAMETERS:
            raise ValueError(f"parameters: 1 to {lib.FIT_PARAMETERS}, got {len(names)}")
        for name in {*bounds, *start} - set(names):
            raise ValueError(f"bounds and start: {name} is not one of the parameters")
        self.after = after = cored(after, "after", (problems.size,))
        if not after.shape[:-1] or problems.grid.shape not in ((), after.shape[:-1]):
            raise ValueError(f"after: must have the rows {problems.grid.shape} of the impacts before, "
                             f"got {after.shape}")
        self._wanted = ffi.new("FitParameter[]", [
            (COEFFICIENTS.index(word), contact, *bounds.get(name, (np.nan, np.nan)),
             start.get(name, np.nan)) for name in names
            for word, contact in [_parameter(name, problems.contacts)]])
        self._rows = rows = Grid([("after", after, 1)])
        if rows.shape != problems.grid.shape:  # one problem before, measured many times
            problems.grid.shape_c.count, problems.grid.shape_c.dims = rows.count, len(rows.shape)
            problems.grid.shape_c.sizes = rows.shape_c.sizes
        self._sigmas = [None if value is None else np.broadcast_to(
            np.asarray(value, dtype=float), after.shape) for value in sigmas]

    def _arguments(self) -> tuple[Any, ...]:
        """What all calls of C begin with."""
        rows = [self._rows.rows_new(cored(array, "sigma", array.shape[-1:]) if array is not None else None, 1)
                for array in (self.after, *self._sigmas)]
        return (self.problems.grid.shape_c, self.problems.c, *rows, self.loss, len(self.names),
                self._wanted)

    def _check(self, status: int, message: Any) -> None:
        if status < 0:
            kind = NotConverged if status == NOT_CONVERGED else InvalidInput
            raise kind(ffi.string(message).decode(), status_names(np.array(status)), ())

    def fit(self) -> Fit:
        count, k = self.after[..., 0].size, len(self.names)
        estimates, flags = np.empty((k, 4)), np.zeros((k, 3), dtype=np.int32)
        reasons, covariance = np.zeros(k, dtype=f"S{lib.FIT_REASON}"), np.empty((k, k))
        distances, numbers = np.empty(count), np.empty(3)
        counts, message = np.zeros(6, dtype=np.int64), ffi.new("char[]", lib.FIT_MESSAGE)
        status = lib.rows_fit(*self._arguments(), ffi.new("FitOut *", (
            out(estimates), out(flags, "int32_t[]"), out(reasons, "char[]"), out(covariance),
            out(distances), out(numbers), out(counts, "int64_t[]"), message)))
        self._check(status, message)
        return Fit(self.names, [
            Estimate(float(row[0]), float(row[1]), float(row[2]), float(row[3]), bool(flag[0]),
                     bool(flag[1]), bool(flag[2]), reason.decode())
            for row, flag, reason in zip(estimates, flags, reasons)],
                   covariance, distances.reshape(self.after.shape[:-1]), numbers, counts)

    def validate(self, folds: int) -> tuple[Array, float, float]:
        """Mean squared residual of each row, rms, and its standard error."""
        squares, numbers = np.empty(self.after[..., 0].size), np.empty(2)
        message = ffi.new("char[]", lib.FIT_MESSAGE)
        status = lib.rows_validate(*self._arguments(), int(folds), out(squares), out(numbers), message)
        self._check(status, message)
        return squares, float(numbers[0]), float(numbers[1])
