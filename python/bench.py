"""The benchmark of the Python package: times beside those of the C library in the same run.

    PYTHONPATH=build/python/lib /usr/bin/python3 python/bench.py build/bench.json

writes its numbers under the key "python" of that file. Names that begin with cpu_ are processor time of
all threads, which a busy machine changes less than the clock.
"""
import ctypes
import json
import os
import pathlib
import resource
import subprocess
import sys
import time
import timeit
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import carom
from carom import _native

ROWS = 1_000_000
PASSES = 7
CHUNKS = 64
THREADS = len(os.sched_getaffinity(0))
CASE = np.dtype([("W", "f8", 6), ("v", "f8", 3), ("contact", "f8", 5), ("model", "i4"), ("law", "i4"),
                 ("planar", "i4"), ("", "V4")])
OUTCOME = np.dtype([("impulse", "f8", 3), ("velocity", "f8", 3), ("sequence", "S16"),
                    ("status", "i4"), ("", "V4")])


def problems(count):
    rng = np.random.default_rng(20260117)
    A = rng.normal(size=(count, 3, 3))
    v = rng.normal(size=(count, 3))
    v[:, 2] = -0.5 - rng.random(count)
    return (A @ A.transpose(0, 2, 1) + 0.3 * np.eye(3), v, rng.uniform(0.05, 1, count),
            rng.uniform(0.1, 0.9, count))


def seconds(function, clock=time.perf_counter):
    start = clock()
    function()
    return clock() - start


def least(*functions, clock=time.perf_counter, before=lambda: None):
    """The least time of each, measured in turn; before() comes before each, and does not count."""
    return [min(column) for column in zip(*([before() or seconds(function, clock) for function in functions]
                                            for _ in range(PASSES)))]


def children_time():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def user_time():
    """Without the system's, which is for the memory of results that the batch of C has in place."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def c_batch(W, v, mu, e):
    """carom_batch_solve() on the same problems and threads, from the extension module."""
    library = ctypes.CDLL(_native.__file__)
    solve = library.carom_batch_solve
    solve.argtypes, solve.restype = [ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p], None
    cases, outcomes = np.zeros(len(W), CASE), np.zeros(len(W), OUTCOME)
    cases["W"], cases["v"] = W[:, [0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2]], v
    cases["contact"][:, 0], cases["contact"][:, 2] = mu, e
    pool, size = ThreadPoolExecutor(THREADS), -(-len(W) // CHUNKS)

    def chunk(first):
        count = min(size, len(W) - first)
        solve(count, cases.ctypes.data + first * CASE.itemsize,
              outcomes.ctypes.data + first * OUTCOME.itemsize)

    def run():
        list(pool.map(chunk, range(0, len(W), size)))
    return run, outcomes


def measure_memory(out):
    """Bytes per impact: of the result's arrays, and by which the process grows at most."""
    arguments = problems(ROWS)
    carom.solve(*(array[:1000] for array in arguments))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    block = np.ones(max(peak - resident(), 0) * 1024 // 8)  # the peak of before is reached again
    before = resident()
    result = carom.solve(*arguments)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    arrays = [array for array in vars(result).values() if isinstance(array, np.ndarray)]
    out["output_bytes"] = sum(array.nbytes for array in arrays) / ROWS
    out["grown_bytes"] = 1024 * (after - before) / ROWS
    del block


def resident():
    """In kilobytes, as ru_maxrss."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize() // 1024


def measure_batch(out):
    arguments = problems(ROWS)
    run, outcomes = c_batch(*arguments)

    def outcomes_only():
        return carom.solve(*arguments, details=False)

    def all_details():
        return carom.solve(*arguments)
    ours, theirs = least(outcomes_only, run)
    cpu_ours, cpu_theirs, cpu_all = least(outcomes_only, run, all_details, clock=time.process_time)
    user_ours, user_theirs = least(outcomes_only, run, clock=user_time)
    out["user_ratio_to_c_batch"] = user_theirs / user_ours
    out["cpu_details_ratio_to_c_batch"] = cpu_theirs / cpu_all
    assert (outcomes_only().impulse == outcomes["impulse"]).all(), "other bits than the batch of C"
    # with details rows are solved one by one: as accurate, with other last digits
    off = np.linalg.norm(carom.solve(*arguments).impulse - outcomes["impulse"], axis=1)
    out["largest_difference"] = float((off / np.linalg.norm(outcomes["impulse"], axis=1)).max())
    assert out["largest_difference"] < 1e-12, "the batch of C gives other answers"
    out["rows"], out["threads"] = ROWS, THREADS
    out["solves_per_second"], out["c_batch_per_second"] = ROWS / ours, ROWS / theirs
    out["ratio_to_c_batch"], out["cpu_ratio_to_c_batch"] = theirs / ours, cpu_theirs / cpu_ours
    small = [array[:20000] for array in arguments]
    result = carom.solve(*small)

    def differences():
        """Central ones in NumPy, by v alone: six solves."""
        W, v, mu, e = small
        for axis in range(3):
            step = 1e-6 * np.eye(3)[axis]
            (carom.solve(W, v + step, mu, e).velocity - carom.solve(W, v - step, mu, e).velocity) / 2e-6
    exact, by_mu, rough = least(lambda: result.derivative("v"), lambda: result.derivative("mu"), differences,
                                clock=time.process_time)
    out["cpu_derivative_by_mu_ns"] = 1e9 * by_mu / 20000
    out["cpu_derivative_ns"], out["cpu_differences_ns"] = 1e9 * exact / 20000, 1e9 * rough / 20000


def measure_single(out):
    W, v = np.diag([3.5, 3.5, 1.0]), np.array([1.0, 0.0, -2.0])
    samples = timeit.repeat(lambda: carom.solve(W, v, 0.1, 0.5).velocity, number=1000, repeat=50)
    out["single_us"] = 1e3 * min(samples)
    scene = pathlib.Path(__file__).resolve().parents[1] / "scenes/pencil.json"
    command = [sys.executable, "-c", "import carom"]
    bare = [sys.executable, "-c", "import numpy, cffi"]
    out["cpu_import_s"], out["cpu_import_numpy_s"] = least(
        lambda: subprocess.run(command, check=True), lambda: subprocess.run(bare, check=True),
        clock=children_time)
    program = os.environ.get("CAROM_PROGRAM", str(scene.parents[1] / "build/carom"))
    if os.path.exists(program):
        out["subprocess_us"] = 1e6 * min(seconds(lambda: subprocess.run(
            [program, "solve", "--json", str(scene)], check=True, capture_output=True))
            for _ in range(30))


def main():
    out = {}
    measure_memory(out)
    measure_batch(out)
    measure_single(out)
    print("\npython: " + ", ".join(f"{key} {value:.4g}" for key, value in out.items()))
    if len(sys.argv) > 1:
        path = pathlib.Path(sys.argv[1])
        whole = json.loads(path.read_text()) if path.exists() else {}
        whole["python"] = out
        path.write_text(json.dumps(whole, indent=2) + "\n")


if __name__ == "__main__":
    main()
