"""Shared by the tests: the checkout, the program, random problems."""
import json
import os
import pathlib
import subprocess

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCENES = sorted((ROOT / "scenes").glob("*.json")) + sorted((ROOT / "scenes/impulse").glob("*.json"))
#: The program that CMake built.
PROGRAM = os.environ.get("CAROM_PROGRAM", str(ROOT / "build/carom"))
SEED = 20260117


def random_problems(count, seed=SEED):
    """W, v, mu, e of single contacts, all approaching."""
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(count, 3, 3))
    W = A @ A.transpose(0, 2, 1) + 0.3 * np.eye(3)
    v = rng.normal(size=(count, 3))
    v[:, 2] = -0.5 - rng.random(count)
    return W, v, rng.uniform(0.05, 1, count), rng.uniform(0.1, 0.9, count)


def program(*arguments):
    """Output, errors and exit status of the program."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True,
                          check=False)
    return done.stdout, done.stderr, done.returncode


def program_solve(path):
    return json.loads(program("solve", "--json", path)[0])
