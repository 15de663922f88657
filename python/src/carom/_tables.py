"""Tables that `python -m carom` takes by NumPy and h5py: .npz and .h5 become .npy in a folder for the
time of a run, and the other way round. The program alone reads and writes them in chunks."""
from __future__ import annotations

import importlib
import os
import subprocess
import sys
import tempfile
import zipfile
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

_ENDS = (".npz", ".h5", ".hdf5")

#: options of batch and merge that have a value of their own
_VALUES = ("--threads", "--columns", "--scene", "--grid", "--sample", "--over", "--design", "--seed", "--shard",
           "--checkpoint", "--plot")
_MADE = ("--grid", "--sample")  #: rows without a table
_KEPT = ("--checkpoint", "--resume")  #: parts beside the output


def _is(word: str, options: tuple[str, ...]) -> bool:
    """One of them, shortened or not, as getopt_long() takes them."""
    name = word.split("=")[0]
    return len(name) > 3 and any(option.startswith(name) for option in options)


def _places(words: list[str]) -> list[int]:
    """Where the files are among the words after the command."""
    places: list[int] = []
    at = 1
    while at < len(words):
        word = words[at]
        if word == "--":
            return places + list(range(at + 1, len(words)))
        if word == "-" or not word.startswith("-"):
            places.append(at)
        elif "=" not in word and _is(word, _VALUES):
            at += 1
        at += 1
    return places


def _h5py() -> Any:
    try:
        return importlib.import_module("h5py")
    except ImportError:
        raise ValueError("this format needs h5py") from None


def _columns(path: str) -> dict[str, Array]:
    if path.endswith(".npz"):
        with np.load(path) as archive:
            return dict(archive)
    with _h5py().File(path, "r") as file:
        sets = {name: file[name] for name in file if hasattr(file[name], "dtype")}
        return {name: np.asarray(data.asstr()[()], dtype="U") if data.dtype.kind == "O" else np.asarray(data[()])
                for name, data in sets.items()}


def _to_npy(path: str, to: str) -> None:
    columns = _columns(path)
    lengths = {name: len(array) for name, array in columns.items() if array.ndim > 0}
    rows = max(lengths.values(), default=1)
    for name, length in lengths.items():
        if length != rows:
            raise ValueError(f'array "{name}": has {length} rows, another one {rows}')
    # without what h5py notes beside the types; the number of the row, of shards, is the last column
    kinds = [(name, np.dtype(columns[name].dtype.str), columns[name].shape[1:])
             for name in sorted(columns, key=lambda name: name == "_row")]
    open_memmap: Any = np.lib.format.open_memmap
    records = open_memmap(to, mode="w+", dtype=kinds, shape=(rows,))
    for name, array in columns.items():
        records[name] = array
    records.flush()


def _from_npy(source: str, path: str) -> None:
    """The file takes its place when it is whole."""
    records = np.load(source, mmap_mode="r")
    names = records.dtype.names
    temporary = tempfile.NamedTemporaryFile(dir=os.path.dirname(path) or ".", suffix=os.path.splitext(path)[1],
                                            delete=False)
    try:
        with temporary:
            if path.endswith(".npz"):
                np.savez(temporary, **{name: records[name] for name in names})
        if not path.endswith(".npz"):
            with _h5py().File(temporary.name, "w") as file:
                for name in names:
                    file[name] = records[name]
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary.name, 0o666 & ~mask)
        os.replace(temporary.name, path)
    except BaseException:
        os.unlink(temporary.name)
        raise


def _inputs_and_output(words: list[str]) -> tuple[list[int], int | None]:
    places = _places(words)
    if words[0] == "merge":
        return places[1:], places[0] if places else None
    if any(_is(word, _MADE) for word in words):
        return [], places[0] if places else None
    return places[:1], places[1] if len(places) > 1 else None


def _run(words: list[str], folder: str) -> int:
    words = list(words)
    inputs, output = _inputs_and_output(words)
    path = words[output] if output is not None else ""
    written = path.endswith(_ENDS) and not any(_is(word, ("--summary",)) for word in words)
    at = path
    try:
        if written and any(_is(word, _KEPT) for word in words):
            raise ValueError("--checkpoint and --resume need the program carom for this format")
        for place in inputs:
            at = words[place]
            if written and os.path.exists(path) and os.path.samefile(at, path):
                raise ValueError("cannot be written: is an input of this command")
            if at.endswith(_ENDS):
                words[place] = os.path.join(folder, f"{place}_{os.path.basename(at)}.npy")
                _to_npy(at, words[place])
        if written and output is not None:
            words[output] = os.path.join(folder, f"{os.path.basename(path)}.npy")
        status = subprocess.call([sys.executable, "-m", "carom", *words])
        at = path
        if written and output is not None and status < 2 and os.path.exists(words[output]):
            _from_npy(words[output], path)
        return status
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as problem:
        print(f"carom: {at}: {problem}", file=sys.stderr)
        return 2


def are_meant(words: list[str]) -> bool:
    """Does a command take such tables?"""
    return words[:1] in (["batch"], ["merge"]) and any(word.endswith(_ENDS) for word in words)


def run(words: list[str]) -> int:
    """Run the command in a process of its own, so that this one cleans up if it is interrupted."""
    try:
        with tempfile.TemporaryDirectory(prefix="carom") as folder:
            return _run(words, folder)
    except KeyboardInterrupt:
        return 130
