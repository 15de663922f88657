"""How impacts end: status codes, and exceptions for those that failed."""
from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from carom._arrays import text
from carom._native import ffi, lib

OK = 0
ENERGY_GAIN = 1
INVALID_INPUT = -1
NOT_APPROACHING = -2
NOT_CONVERGED = -3
NO_SOLUTION = -4


def status_name(status: int) -> str:
    """The name of a status.

    >>> import carom
    >>> carom.status_name(-2)
    'not_approaching'
    """
    return str(ffi.string(lib.name_of(b"status", int(status))).decode())


class ImpactError(ValueError):
    """An impact could not be solved: ``status`` says how, ``row`` (an index) where."""

    def __init__(self, message: str, status: int, row: tuple[int, ...]):
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
    words = text(int(message[row])) or status_name(status[row])
    if status.ndim:
        place = ", ".join(str(i) for i in row)
        words = f"row {place}: {words} ({int(failed.sum())} of {status.size} rows failed)"
    raise _KINDS[int(status[row])](words, int(status[row]), row)
