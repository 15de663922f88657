"""python -m carom batch with tables of NumPy and HDF5."""
import os
import subprocess
import sys

import numpy as np
import pytest
from support import random_problems

import carom

W, v, mu, e = random_problems(5000)
solved = carom.solve(W, v, mu, e, details=False)


def program(*words):
    return subprocess.run([sys.executable, "-m", "carom", *words], capture_output=True, text=True)


def write(path, **columns):
    if path.endswith(".npz"):
        np.savez(path, **columns)
    else:
        with pytest.importorskip("h5py").File(path, "w") as file:
            for name, column in columns.items():
                file[name] = column


def read(path):
    if path.endswith(".npz"):
        return dict(np.load(path))
    with pytest.importorskip("h5py").File(path) as file:
        return {name: file[name][()] for name in file}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))


@pytest.mark.parametrize("kind", ["npz", "h5"])
def test_rows_of_a_table(kind):
    write(f"in.{kind}", W=W, v=v, mu=mu, e=e, id=np.arange(5000))
    done = program("batch", "--thr", "2", f"in.{kind}", f"out.{kind}")
    assert done.returncode == 0 and not done.stderr
    found = read(f"out.{kind}")
    assert (found["id"] == np.arange(5000)).all()
    assert (found["iz"] == solved.impulse[:, 2]).all() and (found["vx"] == solved.velocity[:, 0]).all()
    assert (found["sequence"].astype("U16") == solved.sequence).all()
    for i in (1, 2):
        program("batch", f"in.{kind}", "--shard", f"{i}/2", f"part{i}.{kind}")
    assert program("merge", f"merged.{kind}", f"part1.{kind}", f"part2.{kind}").returncode == 0
    merged = read(f"merged.{kind}")
    assert all((merged[name] == column).all() for name, column in found.items())
    assert not [name for name in os.listdir() if name.startswith(("carom", "tmp"))]


def test_one_value_for_all_rows_and_texts():
    h5py = pytest.importorskip("h5py")
    write("in.h5", W=W, v=v, mu=0.3, e=0.5, tag=np.array(["a", "bc"] * 2500, dtype=h5py.string_dtype()))
    assert program("batch", "in.h5", "out.npz").returncode == 0
    found = read("out.npz")
    assert (found["ix"] == carom.solve(W, v, 0.3, 0.5, details=False).impulse[:, 0]).all()
    assert (found["tag"][:2].astype("U2") == ["a", "bc"]).all()


@pytest.mark.parametrize("words, message", [
    (["batch", "in.npz", "in.npz"], "is an input of this command"),
    (["batch", "in.npz", "--checkpoint", "4096", "out.npz"], "need the program carom"),
    (["batch", "missing.npz", "out.npz"], "No such file"),
    (["batch", "short.npz", "out.npz"], "rows, another one"),
    (["batch", "cut.npz", "out.npz"], "carom: cut.npz: "),
    (["batch", "damaged.npz", "out.npz"], "Bad CRC-32"),
    (["batch", "in.npz", "no/folder/out.npz"], "No such file")])
def test_files_that_cannot_be_used(words, message):
    write("in.npz", W=W, v=v, mu=mu, e=e)
    write("short.npz", W=W, v=v[1:], mu=mu, e=e)
    with open("in.npz", "rb") as file:
        whole = file.read()
    with open("cut.npz", "wb") as file:
        file.write(whole[:-100])
    with open("damaged.npz", "wb") as file:
        file.write(whole[:50000] + b"?" + whole[50001:])
    done = program(*words)
    assert done.returncode == 2 and message in done.stderr, done.stderr
    assert not os.path.exists("out.npz")
    with open("in.npz", "rb") as file:
        assert file.read() == whole
