"""Throughput of carom batch from file to file, one thread, beside carom_batch_solve() alone in the same run.

    CAROM_PROGRAM=build/carom PYTHONPATH=build/python/lib /usr/bin/python3 bench/tables.py build/bench.json

adds to the key "batch" of that file: rows per second of processor time, which a busy machine changes less
than the clock; npy_part, that of .npy as a part of kernel_per_s; and two_threads_ratio, the time of one thread by
that of two, by the clock, so of an idle machine only.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
from bench import c_batch, children_time, least, problems  # noqa: E402  python/bench.py

ROWS = 1_000_000
NAMES = "w11 w12 w13 w22 w23 w33 vx vy vz mu e".split()


def write_inputs(folder, W, v, mu, e):
    columns = [*W[:, [0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2]].T, *v.T, mu, e]
    records = np.zeros(ROWS, [(name, "f8") for name in NAMES])
    for name, column in zip(NAMES, columns):
        records[name] = column
    np.save(f"{folder}/in.npy", records)
    np.savez(f"{folder}/in.npz", W=W, v=v, mu=mu, e=e)
    with open(f"{folder}/in.csv", "w", encoding="ascii") as file:
        file.write(",".join(NAMES) + "\n")
        for row in records.tolist():
            file.write(",".join(map(repr, row)) + "\n")


def main():
    arguments = problems(ROWS)
    kernel, _ = c_batch(*arguments)
    program = os.path.abspath(os.environ["CAROM_PROGRAM"])
    out = {"kernel_per_s": ROWS / least(kernel, clock=time.process_time)[0]}
    with tempfile.TemporaryDirectory() as folder:
        write_inputs(folder, *arguments)

        def run(threads, given, made):
            return subprocess.run([program, "batch", "--threads", str(threads), f"{folder}/{given}", f"{folder}/{made}"],
                                  stderr=subprocess.DEVNULL, check=True)

        for name, given, made in (("csv", "in.csv", "out.csv"), ("npy", "in.npy", "out.npy"),
                                  ("npz", "in.npz", "out.npz"), ("hdf5", "in.npy", "out.h5")):
            try:
                out[f"{name}_rows_per_s"] = ROWS / least(lambda: run(1, given, made), clock=children_time)[0]
            except subprocess.CalledProcessError:
                pass  # built without the module
        out["npy_part"] = out["npy_rows_per_s"] / out["kernel_per_s"]
        # an output of its own: to replace a file of the run before costs the time to free its pages
        one, two = least(lambda: run(1, "in.npy", "two.npy"), lambda: run(2, "in.npy", "two.npy"),
                         before=lambda: pathlib.Path(folder, "two.npy").unlink(missing_ok=True))
        out["two_threads_ratio"] = one / two
        scene = pathlib.Path(__file__).resolve().parents[1] / "scenes/thrown_ball.json"
        command = [program, "batch", "--threads", "1", "--scene", str(scene), "--sample", "200000", "--over",
                   "mu=0:1", "--over", "e=0:1", f"{folder}/scene.npy"]
        spent = least(lambda: subprocess.run(command, check=True), clock=children_time)[0]
        out["scene_rows_per_s"] = 200000 / spent
    print("\nbatch from file to file, rows per second of processor time")
    for name, rate in out.items():
        print(f"  {name:18} {rate:.3g}")
    path = pathlib.Path(sys.argv[1])
    root = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    root.setdefault("batch", {}).update(out)
    path.write_text(json.dumps(root, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
