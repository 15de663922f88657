"""Impacts of rigid bodies with friction, solved exactly, over NumPy arrays.

>>> import carom, numpy as np
>>> out = carom.solve(np.diag([3.5, 3.5, 1.0]), [1.0, 0.0, -2.0], mu=0.1, e=0.5)
>>> out.velocity.round(12)
array([0., 0., 1.])
"""
from carom import measure
from carom._aim import Aim, Strategy, aim
from carom._arrays import set_threads
from carom._bodies import (SOLIDS, Bodies, Body, Impact, Site, Space, ball, bodies, body, box, collide,
                           cone, contact_space, cylinder, fixed, floor, mesh, rod, shell, site,
                           solid_inertia, tube)
from carom._fit import Comparison, Estimate, Fit, compare, fit
from carom._flight import (GRAVITY, PHASES, BallTouch, Rolling, Touch, balls_touch, fly, fly_derivative, roll,
                           touch)
from carom._geometry import (Invariants, combine, compression_bound, hodograph, invariant_directions,
                             solvability_margin, stick_ratio, stiffness_ratio)
from carom._native import ffi as _ffi
from carom._native import lib as _lib
from carom._result import EVENTS, KINKS, SMOOTHNESS, Energy, Result, Snapshots, Trace
from carom._scene import ErrorBar, Scene, SceneError, SceneResult, load
from carom._solve import METHODS, MODELS, RESTITUTIONS, sequence, solve
from carom._status import (STATUSES, ImpactError, InvalidInput, NoSolution, NotApproaching,
                           NotConverged)
from carom._system import Strike, System, system

__version__: str = _ffi.string(_lib.version()).decode()

__all__ = [
    "Aim", "aim", "ball", "balls_touch", "BallTouch", "Bodies", "bodies", "Body", "body", "box", "collide",
    "combine", "compare", "Comparison", "compression_bound", "cone", "contact_space", "cylinder", "Energy",
    "ErrorBar", "Estimate", "EVENTS", "Fit", "fit", "fixed", "floor", "fly", "fly_derivative", "GRAVITY",
    "hodograph", "Impact", "ImpactError", "InvalidInput",
    "invariant_directions", "Invariants", "KINKS", "load", "measure", "mesh", "METHODS", "MODELS",
    "NoSolution", "NotApproaching", "NotConverged", "PHASES", "RESTITUTIONS", "Result", "rod",
    "roll", "Rolling", "Scene", "SceneError",
    "SceneResult", "sequence", "set_threads", "shell", "Site", "site", "SMOOTHNESS",
    "Snapshots", "solid_inertia", "SOLIDS", "solvability_margin", "solve", "Space",
    "STATUSES", "stick_ratio", "stiffness_ratio", "Strategy", "Strike", "System", "system", "Touch",
    "touch", "Trace", "tube",
]
