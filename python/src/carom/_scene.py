"""Scenes: the files of the program, read and solved by its own code."""
from __future__ import annotations

import json
import os
from typing import Any, Mapping, NamedTuple, Sequence

import numpy as np

from carom._aim import Aim, strategy_of_report
from carom._arrays import Array
from carom._native import ffi, lib
from carom._result import Result, Trace
from carom._solve import COEFFICIENTS, MODELS, RESTITUTIONS, settings, solve


class SceneError(ValueError):
    """A scene that the program refuses, with its message."""


def _text(answer: Any, error: Any) -> str:
    if answer == ffi.NULL:
        raise SceneError(ffi.string(error).decode("utf-8", "replace"))
    try:
        return str(ffi.string(answer).decode())
    finally:
        lib.text_free(answer)


class SceneResult:
    """What `carom solve --json` says of a scene; arrays where it has numbers."""

    def __init__(self, report: dict[str, Any]):
        #: The report itself, as the manual page describes it.
        self.report = report
        self.status: str = report["status"]
        self.message: str = report.get("message", "")
        self.ok: bool = "impulse" in report
        for name in ("impulse", "contact_velocity", "velocity"):
            array = np.array(report[name], dtype=float) if name in report else None
            setattr(self, name, array)
        self.impulse: Array | None
        self.contact_velocity: Array | None
        #: Generalised speeds after, of a system.
        self.velocity: Array | None
        self.energy: dict[str, float] = report.get("energy", {})
        self.events: list[dict[str, Any]] = report.get("events", [])
        #: Bodies after, by name: velocity and angular_velocity.
        self.bodies: dict[str, dict[str, Array]] = {
            body["name"]: {key: np.array(body[key]) for key in ("velocity", "angular_velocity")}
            for body in report.get("bodies", [])}
        self.sequence: str = report.get("sequence", "")

    def __repr__(self) -> str:
        return f"<carom.SceneResult: {self.status}{': ' if self.message else ''}{self.message}>"

    def raise_for_status(self) -> SceneResult:
        """Raise a SceneError if there is no result."""
        if not self.ok:
            raise SceneError(f"{self.status}: {self.message}")
        return self


class ErrorBar(NamedTuple):
    """A number of an outcome with its error bars."""

    value: float
    linear: float  #: standard deviation, by derivatives
    sampled: float  #: by 1000 samples
    mean: float  #: of the samples
    low: float  #: 95 % interval of the samples
    high: float


class Scene:
    """A scene. `document` is its JSON as Python objects, to be edited; scene["contacts[0].mu"] reads
    and writes one number by its path, as in `carom solve --vary`."""

    def __init__(self, document: Mapping[str, Any]):
        self.document: dict[str, Any] = dict(document)
        self.check()

    def __repr__(self) -> str:
        return f"<carom.Scene: {self.document.get('name', 'no name')}>"

    def _bytes(self) -> bytes:
        return json.dumps(self.document).encode()

    def check(self) -> None:
        """Raise a SceneError if the program would refuse the scene."""
        self._sizes()

    def _sizes(self) -> Any:
        text, error, sizes = self._bytes(), ffi.new("char[1024]"), ffi.new("SceneSizes *")
        if not lib.scene_check(text, len(text), sizes, error):
            raise SceneError(ffi.string(error).decode("utf-8", "replace"))
        return sizes

    def __getitem__(self, path: str) -> float:
        text, error, number = self._bytes(), ffi.new("char[1024]"), ffi.new("double *")
        if not lib.scene_get(text, len(text), path.encode(), number, error):
            raise KeyError(ffi.string(error).decode("utf-8", "replace"))
        return float(number[0])

    def __setitem__(self, path: str, number: float) -> None:
        text, error = self._bytes(), ffi.new("char[1024]")
        answer = lib.scene_set(text, len(text), path.encode(), float(number), error)
        if answer == ffi.NULL:
            raise KeyError(ffi.string(error).decode("utf-8", "replace"))
        before, self.document = self.document, json.loads(_text(answer, error))
        try:
            self.check()
        except SceneError:
            self.document = before
            raise

    def solve(self, *, method: str = "exact", tolerance: float = 0.0,
              scheme: Mapping[str, float] | None = None) -> SceneResult:
        """Solve as `carom solve` does."""
        text, error = self._bytes(), ffi.new("char[1024]")
        answer = lib.scene_solve(text, len(text), settings(method, tolerance, scheme), 0, error)
        return SceneResult(json.loads(_text(answer, error)))

    def words(self, *, method: str = "exact") -> str:
        """The text of `carom solve`; "" if there is no result."""
        text, error = self._bytes(), ffi.new("char[1024]")
        return _text(lib.scene_solve(text, len(text), settings(method, 0, None), 1, error), error)

    def _slopes(self, paths: Sequence[str], sigmas: Array | None, percent: Sequence[bool],
                seed: int) -> dict[str, Any]:
        text, error = self._bytes(), ffi.new("char[1024]")
        names = [ffi.new("char[]", path.encode()) for path in paths]
        answer = lib.scene_slopes(text, len(text), len(names), ffi.new("char *[]", names),
                                  ffi.NULL if sigmas is None else ffi.from_buffer("double[]", sigmas),
                                  ffi.new("int[]", [int(flag) for flag in percent]), seed, error)
        report: dict[str, Any] = json.loads(_text(answer, error))
        return report

    def sensitivity(self, *paths: str) -> dict[str, Array]:
        """Derivatives of the velocities after by numbers of the scene: by path an array (bodies, 6) of
        velocity and angular velocity, or of the generalised speeds, or of the contact velocity. No
        paths: every mu, e, stiffness, stiffness_ratio and velocity.

        >>> import carom
        >>> slopes = carom.load("scenes/ball_spin.json").sensitivity("e")
        >>> slopes["contacts[0].e"].shape, float(slopes["contacts[0].e"][0, 2].round(9))
        ((2, 6), 5.0)
        """
        found = {}
        for row in self._slopes(paths, None, (), 1)["derivatives"]:
            numbers = row.get("velocity", row["contact_velocity"])
            if "bodies" in row:
                numbers = [body["velocity"] + body["angular_velocity"] for body in row["bodies"]]
            found[row["by"]] = np.array(numbers, dtype=float)
        return found

    def uncertainty(self, sigmas: Mapping[str, float | str], seed: int = 1) -> dict[str, ErrorBar]:
        """Error bars of the outcome, by the path of each number, for standard deviations of numbers of
        the scene; "1%" is of the number itself, the name "velocity" every velocity before.

        >>> import carom
        >>> bars = carom.load("scenes/ball_spin.json").uncertainty({"mu": 0.02, "velocity": "1%"})
        >>> round(bars["bodies[0].velocity[2]"].linear, 9)
        0.025
        """
        texts = [str(value) for value in sigmas.values()]
        percent = [text.endswith("%") for text in texts]
        try:
            values = np.array([float(text.rstrip("%")) for text in texts])
        except ValueError:
            raise ValueError(f"sigmas: must be numbers or texts such as '1%', got {texts}") from None
        if not (len(values) and (values > 0).all() and np.isfinite(values).all()):
            raise ValueError("sigmas: standard deviations must be > 0, one at least")
        rows = self._slopes(list(sigmas), values, percent, int(seed))["uncertainty"]
        return {row["of"]: ErrorBar(*(row[name] for name in ErrorBar._fields)) for row in rows}

    def outcomes(self, count: int = 1000, *, stiffness_range: tuple[float, float] = (0.01, 100.0),
                 seed: int = 1) -> dict[str, Any]:
        """The set of outcomes of several contacts: over the orders of their impacts, and over their
        stiffness ratios; as "outcomes" of `carom solve --json --outcomes`.

        >>> import carom
        >>> found = carom.load("scenes/masse_shot.json").outcomes(20)
        >>> found["components"][0]["path"], found["components"][0]["verdict"]
        ('system.velocity[0]', 'uncertain')
        """
        low, high = (float(end) for end in stiffness_range)
        if not 1 <= count <= 10000 or not 0 < low < high < np.inf:
            raise ValueError("count: 1 to 10000; stiffness_range: 0 < low < high")
        text, error = self._bytes(), ffi.new("char[1024]")
        answer = lib.scene_outcomes(text, len(text), int(count), low, high, int(seed), error)
        found: dict[str, Any] = json.loads(_text(answer, error))["outcomes"]
        return found

    def aim(self, free: Mapping[str, tuple[float, float]] | None = None,
            wanted: Sequence[Mapping[str, Any]] | None = None) -> Aim:
        """The strikes for a wanted outcome: free numbers by path with their ranges, wishes as in the
        field "aim" of a scene, which is taken if nothing is given (docs/fit.md).

        >>> import carom
        >>> found = carom.load("scenes/aim/bat.json").aim()
        >>> [round(one.values["contacts[0].turn_y"], 4) for one in found]
        [-0.0907, -0.9497]
        """
        document = dict(self.document)
        if (free is None) != (wanted is None):
            raise ValueError("free and wanted: give both, or none where the scene has \"aim\"")
        if free is not None and wanted is not None:
            document["aim"] = {"free": {path: list(ends) for path, ends in free.items()},
                               "wanted": [dict(wish) for wish in wanted]}
        text, error = json.dumps(document).encode(), ffi.new("char[1024]")
        report = json.loads(_text(lib.scene_aim(text, len(text), error), error))
        closest = strategy_of_report(report["closest"]) if "closest" in report else None
        return Aim([strategy_of_report(one) for one in report["solutions"]], closest,
                   report.get("message", ""))

    def problem(self) -> dict[str, Any]:
        """The scene in contact space, as arguments of carom.solve()."""
        sizes = self._sizes()
        n, m = sizes.contacts, sizes.rows * sizes.contacts
        W, v, coefficients = np.empty((m, m)), np.empty(m), np.empty((n, 5))
        text, error = self._bytes(), ffi.new("char[1024]")
        double = "double[]"
        if not lib.scene_numbers(text, len(text), ffi.from_buffer(double, W),
                                 ffi.from_buffer(double, v), ffi.from_buffer(double, coefficients),
                                 error):
            raise SceneError(ffi.string(error).decode("utf-8", "replace"))
        columns = coefficients[0] if n == 1 else coefficients.T
        values = dict(zip(COEFFICIENTS, columns))
        return {"W": W, "v": v, **values, "model": MODELS[sizes.model], "restitution": RESTITUTIONS[sizes.law],
                "planar": sizes.rows == 2}

    def result(self) -> Result:
        """The impact in contact space, with events, derivatives and so on."""
        return solve(**self.problem())

    def trace(self, samples: int = 201) -> Trace:
        """The sampled process of the impact."""
        return self.result().trace(samples).raise_for_status()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the scene, after checking it."""
        self.check()
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.document, file, indent=2)
            file.write("\n")


def load(path: str | os.PathLike[str]) -> Scene:
    """Read a scene from a file, with the program's reader and messages.

    >>> import carom
    >>> scene = carom.load("scenes/ball_spin.json")
    >>> scene["mu"] = 0.02
    >>> scene.solve().sequence
    'cr'
    """
    error = ffi.new("char[1024]")
    name = os.fspath(path)
    try:
        text = _text(lib.scene_file(os.fsencode(name), error), error)
    except SceneError as problem:
        raise SceneError(f"{name}: {problem}") from None
    return Scene(json.loads(text))
