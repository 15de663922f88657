"""How impacts end: the names of statuses, and exceptions for impacts that failed."""
from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from carom._arrays import text
from carom._native import ffi, lib

INVALID_INPUT, NOT_APPROACHING, NOT_CONVERGED, NO_SOLUTION = -1, -2, -3, -4

#: Names of the codes from NO_SOLUTION to 1
STATUSES = tuple(ffi.string(lib.name_of(b"status", code)).decode() for code in range(NO_SOLUTION, 2))
_NAMES = np.array(STATUSES)


def status_names(codes: npt.NDArray[np.int32]) -> Any:
    """The names of statuses: an array of text, or text for a single one."""
    names = _NAMES[codes - NO_SOLUTION]
    return names if codes.ndim else str(names)


class ImpactError(ValueError):
    """An impact could not be solved: ``status`` says how, ``row`` (an index) where."""

    def __init__(self, message: str, status: str, row: tuple[int, ...]):
        super().__init__(message)
        self.status = status
        self.row = row


class InvalidInput(ImpactError):
    """An argument is not finite, out of range or inconsistent; the message names it."""


class NotApproaching(ImpactError):
    """No contact approaches: there is no impact."""


class NotConverged(ImpactError):
    """The accuracy asked for was not reached, or no answer was found."""


class NoSolution(ImpactError):
    """The law has no solution: several rigid contacts with e > 0."""


_KINDS = {INVALID_INPUT: InvalidInput, NOT_APPROACHING: NotApproaching,
          NOT_CONVERGED: NotConverged, NO_SOLUTION: NoSolution}


def raise_for(status: npt.NDArray[np.int32], message: npt.NDArray[np.uintp]) -> None:
    """Raise for the first row that failed."""
    failed = status < 0
    if not failed.any():
        return
    row: tuple[Any, ...] = ()
    if status.ndim:
        row = tuple(int(i) for i in np.unravel_index(int(failed.argmax()), status.shape))
    name = str(_NAMES[int(status[row]) - NO_SOLUTION])
    words = text(int(message[row])) or name
    if status.ndim:
        place = ", ".join(str(i) for i in row)
        words = f"row {place}: {words} ({int(failed.sum())} of {status.size} rows failed)"
    raise _KINDS[int(status[row])](words, name, row)
