"""Arrays in and out of the C functions: checks, broadcasting, pointers."""
from __future__ import annotations

import os
from typing import Any, Iterable, Sequence

import numpy as np
import numpy.typing as npt

from carom._native import ffi, lib

Array = npt.NDArray[np.float64]
#: Numbers in any form that NumPy takes.
Numbers = Any

_F64 = np.dtype(np.float64)
_I32 = np.dtype(np.int32)
_NULL = ffi.NULL
NOT_GIVEN = (_NULL, _NULL, 0)
_CODES = [np.array(number, dtype=_I32) for number in range(16)]
_threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def set_threads(count: int) -> None:
    """Use at most this many threads in each call; the default is all processors.

    >>> import carom
    >>> carom.set_threads(1)
    """
    global _threads
    if count < 1:
        raise ValueError(f"count: must be at least 1, got {count}")
    _threads = int(count)


def names(kind: str) -> list[str]:
    """The names of an enumeration of the library, by number."""
    found: list[str] = []
    while True:
        name = lib.name_of(kind.encode(), len(found))
        if name == ffi.NULL:
            return found
        found.append(ffi.string(name).decode())


def numbers(value: Numbers, name: str) -> Array:
    """An array of float64; no copy if it is one already."""
    try:
        array = np.asarray(value)
    except ValueError as problem:
        raise ValueError(f"{name}: not an array of numbers: {problem}") from None
    if array.dtype is _F64 and array.flags.aligned:
        return array
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{name}: must be real numbers, got dtype {array.dtype}")
    return np.array(array, dtype=_F64)


def cored(value: Numbers, name: str, core: tuple[int, ...]) -> Array:
    """Numbers whose last axes have the sizes of core and are contiguous; no copy if they are."""
    array = numbers(value, name)
    size = len(core)
    if array.ndim < size or array.shape[array.ndim - size:] != core:
        sizes = ", ".join(str(number) for number in core)
        raise ValueError(f"{name}: must have shape (..., {sizes}), got {array.shape}")
    if array.flags.c_contiguous:
        return array
    step = 8
    for length, stride in zip(core[::-1], array.strides[::-1]):
        if length != 1 and stride != step:
            return np.ascontiguousarray(array)
        step *= length
    return array


def codes(value: Any, name: str, known: Sequence[str]) -> npt.NDArray[np.int32]:
    """The numbers of names, one or an array of them."""
    if isinstance(value, str):
        if value not in known:
            raise ValueError(f"{name}: must be one of {', '.join(known)}, got {value!r}")
        return _CODES[known.index(value)]
    array = np.asarray(value)
    if array.dtype.kind != "U":
        raise TypeError(f"{name}: must be a name or an array of names, got {value!r}")
    found = np.full(array.shape, -1, dtype=_I32)
    for number, word in enumerate(known):
        found[array == word] = number
    if (found < 0).any():
        wrong = str(array[found < 0].flat[0])
        raise ValueError(f"{name}: must be one of {', '.join(known)}, got {wrong!r}")
    return found


def pointer(array: npt.NDArray[Any]) -> Any:
    """The address of the first number; the caller keeps the array."""
    if array.flags.c_contiguous:
        return ffi.from_buffer("char[]", array)
    return ffi.cast("char *", array.__array_interface__["data"][0])


def out(array: npt.NDArray[Any], kind: str = "double[]") -> Any:
    """The address of an output."""
    return ffi.from_buffer(kind, array, require_writable=True)


class Grid:
    """The shape that the inputs of a call broadcast to, and their rows for C."""

    __slots__ = ("shape", "count", "shape_c", "_keep")

    def __init__(self, inputs: Iterable[tuple[str, npt.NDArray[Any] | None, int]]):
        """inputs: name, array, number of core axes; None is left out."""
        shape: tuple[int, ...] = ()
        for name, array, core in inputs:
            if array is None:
                continue
            if array.ndim == core:
                continue
            lead = array.shape[:array.ndim - core]
            if lead != shape:
                try:
                    shape = np.broadcast_shapes(shape, lead) if shape else lead
                except ValueError:
                    raise ValueError(f"{name}: its rows {lead} do not broadcast with the {shape} of "
                                     "the arguments before it") from None
        self.shape = shape
        count = 1
        for size in shape:
            count *= size
        self.count = count
        sizes = ffi.new("int64_t[]", shape) if shape else _NULL
        self._keep: list[Any] = [sizes]
        self.shape_c = ffi.new("Shape *", (count, len(shape), sizes, _threads))

    def rows(self, array: npt.NDArray[Any] | None, core: int, step: int = 0) -> tuple[Any, ...]:
        """The fields of a Rows of C. The grid keeps the array."""
        if array is None:
            return NOT_GIVEN
        address = pointer(array)
        self._keep.append((array, address))
        lead = array.ndim - core
        if lead == 0:
            return (address, _NULL, step)
        strides = [0] * (len(self.shape) - lead)
        strides += [stride if size != 1 else 0
                    for size, stride in zip(array.shape, array.strides[:lead])]
        strides_c = ffi.new("int64_t[]", strides)
        self._keep.append(strides_c)
        return (address, strides_c, step)

    def keep(self, thing: Any) -> None:
        """Keep what C has an address of."""
        self._keep.append(thing)

    def rows_new(self, array: npt.NDArray[Any] | None, core: int) -> Any:
        """A Rows of its own."""
        return ffi.new("Rows *", self.rows(array, core))

    def empty(self, *core: int, dtype: Any = _F64) -> npt.NDArray[Any]:
        return np.empty(self.shape + core, dtype=dtype)


_texts: dict[int, str] = {}

#: Fields of the library by the names of the arguments here.
_ARGUMENTS = (("inverse_inertia", "W"), ("contact_velocity", "v"), ("angular_velocity", "spin"))


def text(address: int) -> str:
    """The constant string at an address, with the names of arguments as they are here."""
    found = _texts.get(address)
    if found is None:
        found = ffi.string(ffi.cast("char *", address)).decode() if address else ""
        for field, argument in _ARGUMENTS:
            found = found.replace(field, argument)
        _texts[address] = found
    return found


def texts(addresses: npt.NDArray[np.uintp]) -> npt.NDArray[Any]:
    """An array of strings."""
    kinds, index = np.unique(addresses, return_inverse=True)
    words = np.array([text(int(address)) for address in kinds], dtype=object)
    return words[index].reshape(addresses.shape)
