#!/usr/bin/env python3
"""carom batch over processes of mpirun: the same bytes as one process, and a killed one is made good.

    test/cli/batch/ranks.py PROGRAM

Without Open MPI's mpirun it says so and returns 77. Seed 1, fixed.
"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.abspath(sys.argv[1])
HERE = os.path.dirname(os.path.abspath(__file__))
SCENES = os.path.join(HERE, "../../../scenes")
BALL = os.path.join(SCENES, "thrown_ball.json")
SHOT = os.path.join(SCENES, "cue_shot.json")  # two contacts: slow enough to be killed in the middle
FORMATS = ("csv", "npy", "npz", "h5")
SWEEP = ["--scene", BALL, "--sample", "60000", "--over", "mu=0:1", "--over", "e=-0.001:1"]  # some rows fail
os.environ["ASAN_OPTIONS"] = "detect_leaks=0"  # with sanitizers: Open MPI leaves its own memory allocated
os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


def mpirun(count, *arguments):
    return ["mpirun", "--oversubscribe", "-n", str(count), PROGRAM, "batch", *arguments]


def run(command, status=0):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == status, (command, done.returncode, done.stderr)
    return done


def same(a, b):
    with open(a, "rb") as first, open(b, "rb") as second:
        assert first.read() == second.read(), (a, b)


def check_same_bytes():
    """One process and 2 to 5, from sweeps and from tables of every format, with rows that fail."""
    for kind in FORMATS:
        alone = run([PROGRAM, "batch", *SWEEP, f"one.{kind}"], 1)
        for count in (2, 5) if kind == "npy" else (4,):
            done = run(mpirun(count, *SWEEP, "--checkpoint", "4096", f"many{count}.{kind}"), 1)
            same(f"one.{kind}", f"many{count}.{kind}")
            assert alone.stderr.split(";")[0] in done.stderr, (alone.stderr, done.stderr)
            assert done.stderr.count("were not solved") == 1, done.stderr
    for kind in FORMATS:  # a table with a column that is copied
        run([PROGRAM, "batch", *SWEEP, "--columns", "sequence", f"table.{kind}"], 1)
        table = ["--scene", BALL, f"table.{kind}", "--columns", "impulse,energy"]
        run([PROGRAM, "batch", *table, f"again.{kind}"], 1)
        run(mpirun(3, *table, f"again3.{kind}", "--checkpoint", "8192", "--threads", "2"), 1)
        same(f"again.{kind}", f"again3.{kind}")
    summary = [*SWEEP, "--summary", "--columns", "velocity,sequence,status"]
    run([PROGRAM, "batch", *summary, "one.txt"], 1)
    run(mpirun(4, *summary, "four.txt"), 1)
    same("one.txt", "four.txt")


def children_of(parent):
    """The processes of the program below a process."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as file:
                    fields = file.read().rsplit(")", 1)[1].split()
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    program = file.read().split(b"\0")[0].decode()
            except OSError:
                continue
            if int(fields[1]) == parent and program == PROGRAM:
                found.append(int(name))
    return sorted(found)


def kill_one(command, parts, wanted):
    """Start it, and kill a process of four in the middle: some parts are there, not all."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        limit = time.monotonic() + 120
        while process.poll() is None and time.monotonic() < limit:
            made = [name for name in os.listdir(parts) if name[0].isdigit()] if os.path.isdir(parts) else []
            ranks = children_of(process.pid)
            if len(made) >= wanted and len(ranks) == 4:
                os.kill(ranks[2], signal.SIGKILL)
                break
            time.sleep(0.002)
        status = process.wait(120)
    return status


def check_killed():
    """SIGKILL to one of four ranks; --resume gives the bytes of an unbroken run. Whatever is left of the
    killed run is used: a part that is there keeps its time of change."""
    sweep = ["--scene", SHOT, "--sample", "1e5", "--over", "mu=0:1", "--over", "e=0:1", "--checkpoint", "1024"]
    whole = float(os.environ.get("CAROM_TEST_SCALE", 1)) >= 1  # with sanitizers it takes long
    for kind in ("csv", "npy", "h5") if whole else ("npy",):
        out, parts = f"killed.{kind}", f"killed.{kind}.parts"
        command = mpirun(4, *sweep, out)
        assert kill_one(command, parts, 3) != 0 and not os.path.exists(out)
        kept = sorted(name for name in os.listdir(parts) if name[0].isdigit())
        assert 3 <= len(kept) < 98, kept
        refused = run(mpirun(4, *sweep, out), 2)
        assert refused.stderr.count("--resume goes on with it") == 1, refused.stderr
        times = {name: os.stat(f"{parts}/{name}").st_mtime_ns for name in kept}
        assert kill_one([*command, "--resume"], parts, len(kept) + 3) != 0  # once more
        assert all(os.stat(f"{parts}/{name}").st_mtime_ns == when for name, when in times.items())
        run([*command, "--resume"])
        assert not os.path.exists(parts)
        run([PROGRAM, "batch", *sweep, "unbroken." + kind])
        same(out, "unbroken." + kind)
        for name in (out, "unbroken." + kind):
            os.remove(name)


def check_refusals():
    """Every process ends, whatever goes wrong in one of them, and nothing is left under the final name."""
    done = run(mpirun(3, *SWEEP), 2)
    assert "several processes need IN and OUT to be files" in done.stderr
    done = run(mpirun(3, "none.npy", "never.npy"), 2)
    assert "none.npy: cannot be opened" in done.stderr
    done = run(mpirun(3, *SWEEP, "no/such/folder/out.npy"), 2)
    assert "No such file" in done.stderr
    # --shard auto: the processes work apart from each other
    run([PROGRAM, "batch", *SWEEP, "whole.npy"], 1)
    script = f'{PROGRAM} batch --shard auto "$@" apart$OMPI_COMM_WORLD_RANK.npy || [ $? -eq 1 ]'
    run(["mpirun", "--oversubscribe", "-n", "2", "sh", "-c", script, "sh", *SWEEP])
    run([PROGRAM, "merge", "apart.npy", "apart0.npy", "apart1.npy"])
    same("apart.npy", "whole.npy")
    assert not [name for name in os.listdir(".") if "never" in name]


def main():
    if not shutil.which("mpirun"):
        print("skipped: mpirun is missing")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        check_same_bytes()
        check_refusals()
        check_killed()
    return 0


if __name__ == "__main__":
    sys.exit(main())
