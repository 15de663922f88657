#!/usr/bin/env python3
"""carom batch with tables of every format, from outside.

    test/cli/batch/tables.py PROGRAM

NumPy and h5py write the inputs and read the outputs. Oracle for numbers: the CSV way, which
test_rows.c compares with the library to the last bit; for derivatives differences; for the energy
account `carom solve --json`. Seed 1, fixed.
"""
import csv
import io
import json
import os
import resource
import subprocess
import sys
import tempfile

import h5py
import numpy as np

PROGRAM = os.path.abspath(sys.argv[1])
HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = "w11 w12 w13 w22 w23 w33 vx vy vz mu e".split()
OUT = "ix iy iz vx vy vz".split()
FORMATS = ("csv", "npy", "npz", "h5")
ROWS = 5000  # more than a chunk of rows


def run(*arguments, text=None, status=0):
    done = subprocess.run([PROGRAM, "batch", *arguments], input=text, capture_output=True, text=True)
    assert done.returncode == status, (arguments, done.returncode, done.stderr)
    return done


def refused(words, *arguments, text=None):
    done = run(*arguments, text=text, status=2)
    assert words in done.stderr, (words, done.stderr)


def problems():
    rng = np.random.default_rng(1)
    A = rng.uniform(-1, 1, (ROWS, 3, 3))
    table = {"W": A @ A.transpose(0, 2, 1) + 0.1 * np.eye(3), "v": rng.uniform(-1, 1, (ROWS, 3))}
    table["W"] = (table["W"] + table["W"].transpose(0, 2, 1)) / 2
    table["v"][:, 2] = -0.05 - abs(table["v"][:, 2])
    table["mu"], table["e"] = rng.uniform(0, 1, ROWS), rng.uniform(0, 1, ROWS)
    return table


def columns_of(table):
    W, v = table["W"], table["v"]
    upper = [W[:, i, j] for i in range(3) for j in range(i, 3)]
    return dict(zip(NAMES, [*upper, *v.T, table["mu"], table["e"]]))


def write(path, columns):
    """Columns of numbers, integers and texts in the format of the path."""
    if path.endswith(".csv"):
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows(zip(*[[repr(x) if isinstance(x, float) else x for x in np.asarray(c).tolist()]
                                   for c in columns.values()]))
    elif path.endswith(".npy"):
        kinds = [(name, np.asarray(c).dtype, np.asarray(c).shape[1:]) for name, c in columns.items()]
        records = np.zeros(len(next(iter(columns.values()))), dtype=kinds)
        for name, c in columns.items():
            records[name] = c
        np.save(path, records)
    elif path.endswith(".npz"):
        np.savez(path, **columns)
    else:
        with h5py.File(path, "w") as file:
            for name, c in columns.items():
                c = np.asarray(c)
                file[name] = c.astype(h5py.string_dtype()) if c.dtype.kind == "U" else c


def read(path):
    """{name: array}; texts as str, numbers of CSV as floats."""
    if path.endswith(".csv"):
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        found = {name: [row[i] for row in rows[1:]] for i, name in enumerate(rows[0])}
        texts = ("sequence", "status", "name", "events", "message")
        return {k: np.array(v) if k in texts else np.array(v, float) for k, v in found.items()}
    if path.endswith(".npy"):
        records = np.load(path)
        found = {name: records[name] for name in records.dtype.names}
    elif path.endswith(".npz"):
        archive = np.load(path)
        found = {name: archive[name] for name in archive.files}
    else:
        with h5py.File(path, "r") as file:
            found = {name: file[name][...] for name in file}
    return {k: np.char.decode(v.astype(bytes), "utf-8") if v.dtype.kind in "SO" else v
            for k, v in found.items()}


def same(found, wanted, names):
    for name in names:
        assert np.array_equal(found[name], wanted[name], equal_nan=wanted[name].dtype.kind == "f"), name


def check_formats():
    """Every format to every format, with other columns passed through; the same bytes by two threads."""
    columns = columns_of(problems())
    passed = {"id": np.arange(ROWS) - 7, "x": np.linspace(-1e-300, 1e300, ROWS),
              "name": np.array([f"ä, {i}" for i in range(ROWS)])}
    write("in.csv", {**passed, **columns})
    run("in.csv", "out.csv", "--threads", "1")
    wanted = read("out.csv")
    assert list(wanted) == [*passed, *OUT, "sequence", "status"]
    same(wanted, {k: np.asarray(v) for k, v in passed.items()}, passed)
    assert set(wanted["status"]) == {"ok"} and len(set(wanted["sequence"])) > 2
    for given in FORMATS:
        write(f"in.{given}", {**passed, **columns})
        for target in FORMATS:
            run(f"in.{given}", f"out_{given}.{target}", "--threads", "2")
            found = read(f"out_{given}.{target}")
            same(found, wanted, wanted)
            if target != "csv":
                assert found["id"].dtype.kind == "i" and found["x"].dtype.kind == "f"
            run(f"in.{given}", f"again.{target}", "--threads", "1")
            with open(f"again.{target}", "rb") as a, open(f"out_{given}.{target}", "rb") as b:
                assert a.read() == b.read(), (given, target)
    return columns, wanted


def check_arrays(columns, wanted):
    """Whole matrices and vectors, single values, other kinds of numbers."""
    table = problems()
    halves = {**table, "W": np.stack([columns[n] for n in NAMES[:6]], axis=1)}
    for given in ("npy", "npz", "h5"):
        for arrays in (table, halves):
            write(f"a.{given}", {**arrays, "pair": table["v"][:, :2]})
            run(f"a.{given}", "a_out.npz")
            found = read("a_out.npz")
            same(found, wanted, OUT)
            assert np.array_equal(found["pair[1]"], table["v"][:, 1])
    for given in ("npz", "h5"):  # one e for all, the default written out, big-endian, single precision
        write(f"s.{given}", {**table, "e": 0.5, "model": "rigid", "mu": table["mu"].astype(">f8")})
        run(f"s.{given}", "s.npy")
        write("s.csv", {**columns, "e": np.full(ROWS, 0.5)})
        run("s.csv", "s_csv.npy")
        same(read("s.npy"), read("s_csv.npy"), OUT)
    single = {k: np.asarray(v).astype("f4") for k, v in columns.items()}
    write("f4.npz", single)
    write("f8.npz", {k: v.astype(float) for k, v in single.items()})
    run("f4.npz", "f4.npy")
    run("f8.npz", "f8.npy")
    same(read("f4.npy"), read("f8.npy"), OUT)
    bad = {**table, "W": table["W"].copy()}
    bad["W"][17, 1, 0] += 1e-6
    write("bad.npz", bad)
    done = run("bad.npz", "bad_out.npz", status=1)
    assert "1 of 5000 rows were not solved; the first in row 18: w21: W must be symmetric" in done.stderr
    found = read("bad_out.npz")
    assert found["status"][17] == "invalid_input" and np.isnan(found["ix"][17])
    assert set(np.delete(found["status"], 17)) == {"ok"}


def check_planar():
    """Without the columns of y rows are planar: as with a second tangent that nothing moves."""
    table = problems()
    W, v = table["W"][:, ::2, ::2], table["v"][:, ::2]
    flat = {"w11": W[:, 0, 0], "w13": W[:, 0, 1], "w33": W[:, 1, 1], "vx": v[:, 0], "vz": v[:, 1],
            "mu": table["mu"], "e": table["e"]}
    zero = np.zeros(ROWS)
    write("spatial.npy", {**flat, "w12": zero, "w22": flat["w11"], "w23": zero, "vy": zero})
    outputs = ["--columns", "impulse,velocity,sequence,status,energy,derivatives"]
    run("spatial.npy", "spatial_out.npy", *outputs)
    wanted = read("spatial_out.npy")
    write("planar.csv", flat)
    run("planar.csv", "planar_all.npy", *outputs)
    found = read("planar_all.npy")
    y = "iy vy w12 w22 w23".split()
    assert list(found) == [n for n in wanted if not any(part in y for part in n.replace("d_", "").split("_"))]
    assert (found["sequence"] == wanted["sequence"]).all() and set(found["status"]) == {"ok"}
    for name, numbers in found.items():
        if numbers.dtype.kind == "f":
            size = 1 + np.abs(wanted[name])
            off = np.nanmax(np.abs(numbers - wanted[name]) / size / np.linalg.cond(W) ** 2)
            assert off < 1e-12, (name, off)  # measured 5.4e-14
    run("planar.csv", "planar.npy")  # by the batch call, with the bits of the planar solver
    lanes = read("planar.npy")
    assert list(lanes) == ["ix", "iz", "vx", "vz", "sequence", "status"]
    same(lanes, found, ["ix", "iz", "vx", "vz"])
    for given in ("npz", "h5"):
        for matrix in (W.copy(), W.reshape(ROWS, 4)[:, [0, 1, 3]].copy()):
            write(f"planar.{given}", {"W": matrix, "v": v.copy(), "mu": table["mu"], "e": table["e"]})
            run(f"planar.{given}", "planar_arrays.npy")
            same(read("planar_arrays.npy"), lanes, ["ix", "iz", "vx", "vz"])
    refused('column "vy": planar rows have none', "planar.csv", "--columns", "impulse,vy")
    text = "w11,w13,w33,vx,vz,mu,e,w22\n1,0,1,1,-1,0,1,1\n"
    refused('column "w12": missing', "-", "-", text=text)


def check_columns(columns):
    """--columns: the energy account and events as `solve` has them, derivatives as differences."""
    few = {k: v[:40] for k, v in columns.items()}
    write("few.csv", few)
    run("few.csv", "all.csv", "--columns", "status,impulse,velocity,energy,error,events,derivatives,kink_distance")
    found = read("all.csv")
    for row in range(40):
        x = {k: float(v[row]) for k, v in few.items()}
        scene = {"carom": 1, "model": "rigid", "contact_velocity": [x["vx"], x["vy"], x["vz"]],
                 "inverse_inertia": [[x["w11"], x["w12"], x["w13"]], [x["w12"], x["w22"], x["w23"]],
                                     [x["w13"], x["w23"], x["w33"]]],
                 "contacts": [{"mu": x["mu"], "e": x["e"]}]}
        answer = json.loads(subprocess.run([PROGRAM, "solve", "--json", "-"], input=json.dumps(scene),
                                           capture_output=True, text=True, check=True).stdout)
        for name in ("change", "stored", "released", "normal_loss", "friction_loss"):
            assert found[f"energy_{name}"][row] == answer["energy"][name], name
        assert found["error"][row] == answer["error_estimate"]
        events = [f'{e["event"]}@' for e in answer["events"]]
        assert [e.split("@")[0] + "@" for e in found["events"][row].split()] == events
    step = 1e-6
    for name in NAMES:
        sides = []
        for sign in (1, -1):
            write("side.csv", {**few, name: few[name] + sign * step})
            run("side.csv", "side_out.csv")
            sides.append(read("side_out.csv"))
        far = found["kink_distance"] > 1e-3
        assert far.sum() > 20
        for out in OUT:
            difference = (sides[0][out] - sides[1][out]) / (2 * step)
            exact = found[f"d_{out}_d_{name}"]
            assert np.all(abs(difference - exact)[far] <= 1e-5 * (1 + abs(exact[far]))), (out, name)
    run("few.csv", "iz.npy", "--columns", "iz,d_iz_d_mu")
    assert list(read("iz.npy")) == ["iz", "d_iz_d_mu"]
    refused('column "iq": unknown', "--columns", "iq", "few.csv")
    refused('column "ix": given twice', "--columns", "impulse,ix", "few.csv")


def check_bad_files(columns):
    table = problems()
    write("good.npy", columns)
    with open("good.npy", "rb") as file:
        whole = file.read()
    for size, words in ((len(whole) - 1, "is cut or damaged"), (len(whole) // 2, "is cut or damaged"),
                        (100, "is cut in its header"), (9, "or is cut"), (0, "is not a NumPy array")):
        with open("cut.npy", "wb") as file:
            file.write(whole[:size])
        refused(words, "cut.npy", "never.csv")
    np.save("plain.npy", table["v"])
    refused("has no names of columns", "plain.npy", "never.npy")
    np.savez("complex.npz", **{**table, "mu": table["mu"] + 0j})
    refused('array "mu": type "<c16" cannot be read', "complex.npz", "never.npz")
    np.savez("object.npz", **{**table, "mu": table["mu"].astype(object)})
    refused('array "mu": type "|O" cannot be read', "object.npz", "never.npz")
    np.savez("short.npz", **{**table, "mu": table["mu"][1:]})
    refused("rows, those before it", "short.npz", "never.npz")
    np.savez("missing.npz", W=table["W"], v=table["v"], mu=0.5)
    refused('column "e": missing', "missing.npz", "never.npz")
    with open("text.npz", "w", encoding="ascii") as file:
        file.write("w11,w12\n")
    refused("cannot be opened: Not a zip archive", "text.npz", "never.npz")
    refused("cannot be opened: No such file", "none.npz", "never.npz")
    refused("cannot be opened", "none.h5", "never.h5")
    refused("No such file", "good.npy", "no/such/folder/out.h5")
    # a changed byte in the middle, which the checksum shows at the end; a file that is cut
    for name, save in (("stored.npz", np.savez), ("packed.npz", np.savez_compressed)):
        save(name, **table)
        damaged = bytearray(read_bytes(name))
        damaged[len(damaged) // 2] ^= 0x55
        with open(name, "wb") as file:
            file.write(damaged)
        refused("is cut or damaged", name, "never.npz")
    write("cut.h5", table)
    with open("cut.h5", "r+b") as file:
        file.truncate(os.path.getsize("cut.h5") - 8)
    refused("is cut", "cut.h5", "never.h5")
    with h5py.File("held.h5", "w") as held:
        held["mu"] = table["mu"]
        refused("another program has it open", "held.h5", "never.csv")
    refused('column "w11": missing', "held.h5", "never.csv")
    write("whole.h5", columns)
    with open("whole.h5", "rb") as file:
        whole = file.read()
    with open("cut.h5", "wb") as file:
        file.write(whole[: len(whole) // 2])
    refused("cut.h5: cannot be opened", "cut.h5", "never.csv")
    with h5py.File("group.h5", "w") as file:
        file["a/b"] = 1.0
    refused('"a": is not a dataset', "group.h5", "never.csv")
    refused("No space left on device", "good.npy", "/dev/full")
    write("large.npy", {k: np.tile(v, 4) for k, v in columns.items()})
    for kind in FORMATS:  # no room for the output
        limit = (resource.RLIMIT_FSIZE, (500_000, resource.RLIM_INFINITY))
        full = subprocess.run([PROGRAM, "batch", "large.npy", f"never.{kind}"], capture_output=True, text=True,
                              preexec_fn=lambda: resource.setrlimit(*limit))
        assert full.returncode == 2 and f"never.{kind}: cannot be written" in full.stderr, full.stderr
        assert full.stderr.count("\n") == 1, full.stderr  # HDF5 has more to say
    broken = subprocess.Popen([PROGRAM, "batch", "large.npy"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    broken.stdout.close()
    assert broken.stderr.read() == b"carom: standard output: cannot be written: Broken pipe\n"
    assert broken.wait() == 2
    # a column of integers that has something else after the first rows
    write("late.csv", {**columns, "id": np.array([str(i) if i < 4900 else "x" for i in range(ROWS)])})
    refused('line 4902: column "id": does not fit', "late.csv", "never.npy")
    run("late.csv", "late_out.csv")
    assert not [name for name in os.listdir(".") if "never" in name or name.startswith(".carom")], "a part of a file is left"


def check_texts(columns):
    """Texts with commas come back as they were; an unreadable row does not stop the others."""
    rows = [dict(zip(columns, (float(c[i]) for c in columns.values()))) for i in range(3)]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["note", *NAMES])
    for i, row in enumerate(rows):
        writer.writerow([["a, b", "", "ü"][i], *row.values()])
    lines = text.getvalue().splitlines(keepends=True)
    lines.insert(2, "too,short\n")
    done = run(text="".join(lines), status=1)
    found = list(csv.reader(io.StringIO(done.stdout)))
    assert [row[0] for row in found] == ["note", "a, b", "", "", "ü"]
    assert [row[-1] for row in found[1:]] == ["ok", "invalid_input", "ok", "ok"]


SCENE = {"carom": 1, "model": "rigid", "bodies": [{"name": "ball", "mass": 0.5, "inertia": [2e-4, 2e-4, 2e-4], "position": [0, 0, 0.03],
                                 "velocity": [1, 0.2, -2], "angular_velocity": [3, -40, 5]},
                                {"name": "floor", "mass": "infinite"}],
         "contacts": [{"bodies": ["ball", "floor"], "point": [0, 0, 0], "normal": [0, 0, 1], "mu": 0.2, "e": 0.7}]}


def check_scenes():
    """A template with columns by path, against `solve` on the edited scene."""
    with open("scene.json", "w", encoding="ascii") as file:
        json.dump(SCENE, file)
    rng = np.random.default_rng(2)
    table = {"contacts[0].mu": rng.uniform(0, 1, 50), "bodies[0].velocity[0]": rng.uniform(-3, 3, 50),
             "bodies[0].mass": rng.uniform(0.1, 1, 50), "id": np.arange(50)}
    write("rows.csv", table)
    run("--scene", "scene.json", "--columns", "velocity,impulse,energy,sequence,status", "rows.csv", "rows_out.csv")
    found = read("rows_out.csv")
    assert np.array_equal(found["id"], np.arange(50)) and "bodies[0].mass" not in found
    for i in range(50):
        scene = json.loads(json.dumps(SCENE))
        scene["contacts"][0]["mu"] = table["contacts[0].mu"][i]
        scene["bodies"][0]["velocity"][0] = table["bodies[0].velocity[0]"][i]
        scene["bodies"][0]["mass"] = table["bodies[0].mass"][i]
        answer = json.loads(subprocess.run([PROGRAM, "solve", "--json", "-"], input=json.dumps(scene),
                                           capture_output=True, text=True, check=True).stdout)
        for k in range(3):
            assert found[f"after.bodies[0].velocity[{k}]"][i] == answer["bodies"][0]["velocity"][k]
            assert found[f"after.bodies[0].angular_velocity[{k}]"][i] == answer["bodies"][0]["angular_velocity"][k]
            assert found[f"impulse[{k}]"][i] == answer["impulse"][k]
        assert found["energy_change"][i] == answer["energy"]["change"]
        assert found["sequence"][i] == answer["sequence"]
    done = run("--scene", "scene.json", text="mu,e\n0.3,0.5\n-1,0.5\nx,0.5\n,0.5\n", status=1)
    assert [line.split(",")[-1] for line in done.stdout.splitlines()] == [
        "status", "ok", "invalid_input", "invalid_input", "ok"]
    assert "2 of 4 rows were not solved; the first in line 3: contacts[0].mu: must be" in done.stderr
    refused('column "contacts[1].mu":', "--scene", "scene.json", text="contacts[1].mu\n0.3\n")
    refused("no column is the path", "--scene", "scene.json", text="id\n0\n")
    refused("is needed with --grid", "--grid", "mu=0:1:3")


def check_single_scenes():
    """Templates with one contact: in lanes as row by row, which --columns error asks for."""
    planar = {"carom": 1, "model": "compliant", "contacts": [{"mu": 0.4, "e": 0.5, "jacobian": [[1, 0.2], [0.1, 1]]}],
              "system": {"mass_matrix": [[1, 0.1], [0.1, 2]], "velocity": [0.5, -1]}}
    with open("planar.json", "w", encoding="utf-8") as file:
        json.dump(planar, file)
    scenes = os.path.join(HERE, "..", "..", "..", "scenes")
    for scene, speed in ((os.path.join(scenes, "ball_spin.json"), "bodies[0].angular_velocity[1]=-10:10"),
                         (os.path.join(scenes, "pencil.json"), "bodies[0].velocity[0]=-5:5"),
                         (os.path.join(scenes, "icosahedron_tetrahedron.json"), "contact_velocity[0]=-1:1"),
                         ("planar.json", "system.velocity[0]=-2:2")):
        sweep = ["--scene", scene, "--sample", "2000", "--over", "mu=0:1", "--over", "e=-0.1:1", "--over",
                 "stiffness_ratio=0.5:3", "--over", speed]
        outputs = "velocity,impulse,energy_change,sequence,status,message"
        run(*sweep, "--columns", outputs, "lanes.npy", status=1)
        run(*sweep, "--columns", outputs + ",error", "--threads", "2", "alone.npy", status=1)
        lanes, alone = read("lanes.npy"), read("alone.npy")
        for name in lanes:
            if lanes[name].dtype.kind == "f":
                size = 1 + np.nanmax(np.abs(alone[name]))
                assert np.array_equal(np.isnan(lanes[name]), np.isnan(alone[name]))
                assert np.nanmax(np.abs(lanes[name] - alone[name])) < 1e-12 * size  # measured 6.0e-14
            else:
                assert (lanes[name] == alone[name]).all(), name
        assert 50 < np.isnan(lanes["impulse[0]"]).sum() < 500  # e < 0


def check_throws():
    """A scene to simulate as template: the first impact, against `simulate` on the edited scene."""
    for name in ("superball", "box_tumble"):
        with open(os.path.join(HERE, f"../../../scenes/simulate/{name}.json"), encoding="utf-8") as file:
            scene = json.load(file)
        with open("throw.json", "w", encoding="utf-8") as file:
            json.dump(scene, file)
        table = {"id": np.arange(12), "bodies[0].velocity[2]": np.linspace(-3, 3, 12), "mu": np.linspace(0, 1, 12),
                 "gravity[2]": np.append(np.full(11, -9.81), 9.81)}
        write("throws.csv", table)
        done = run("--scene", "throw.json", "--columns", "time,before,velocity,impulse,point,energy,sequence,status",
                   "throws.csv", "throws_out.npy", status=1)
        assert "1 of 12 rows were not solved; the first in line 13: not_approaching" in done.stderr, done.stderr
        found = read("throws_out.npy")
        assert np.array_equal(found["id"], np.arange(12))
        assert found["status"][11] == "not_approaching" and np.isnan(found["time"][11])  # it falls upwards
        for i in range(11):
            scene["bodies"][0]["velocity"][2] = table["bodies[0].velocity[2]"][i]
            scene["contacts"][0]["mu"] = table["mu"][i]
            with open("edited.json", "w", encoding="utf-8") as file:
                json.dump(scene, file)
            answer = json.loads(subprocess.run([PROGRAM, "simulate", "--json", "--bounces", "1", "edited.json"], capture_output=True,
                                               text=True, check=True).stdout)["impacts"][0]
            assert found["time"][i] == answer["time"] and found["sequence"][i] == answer["sequence"]
            for k in range(3):
                for when in ("before", "after"):
                    for kind in ("velocity", "angular_velocity"):
                        assert found[f"{when}.bodies[0].{kind}[{k}]"][i] == answer[when][kind][k]
                assert found[f"impulse[{k}]"][i] == answer["impulse"][k]
                assert found[f"point[{k}]"][i] == answer["point"][k]
            assert found["energy_friction_loss"][i] == answer["energy"]["friction_loss"]
    refused('column "vx": unknown; there are time', "--scene", "throw.json", "--columns", "vx", "throws.csv")


def check_worlds():
    """A world as template: the first impact after that of the cue, against `simulate` on the edited scene, which ends
    with that event."""
    for name, path, values in (("follow", ("shot", "speed"), [0.5, 1.2, 2.0]), ("break", ("shot", "speed"), [3.0, 6.0]),
                               ("throw", ("balls", 0, "position", 2), [0.5, 0.7])):
        with open(os.path.join(HERE, f"../../../scenes/world/{name}.json"), encoding="utf-8") as file:
            scene = json.load(file)
        with open("world.json", "w", encoding="utf-8") as file:
            json.dump(scene, file)
        column = "world" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
        write("worlds.csv", {"id": np.arange(len(values)), column: np.array(values)})
        run("--scene", "world.json", "--columns", "time,body,second,partner,velocity,position,energy,sequence,status",
            "worlds.csv", "worlds_out.npy")
        found = read("worlds_out.npy")
        for i, value in enumerate(values):
            place = scene["world"]
            for part in path[:-1]:
                place = place[part]
            place[path[-1]] = value
            scene.setdefault("simulate", {}).pop("events", None)
            events = simulated(scene)["events"]
            first = next(k for k, event in enumerate(events)
                         if event["event"] == "impact" and event["contacts"][0]["with"] != "cue")
            contact = events[first]["contacts"][0]
            scene["simulate"]["events"] = first + 1 - ("shot" in scene["world"])
            bodies = simulated(scene)["bodies"]
            assert found["time"][i] == events[first]["time"] and found["status"][i] == "ok"
            assert found["partner"][i] == contact["with"]
            assert found["sequence"][i] == events[first].get("sequence", "")
            assert found["energy_change"][i] == events[first]["energy"]["change"]
            for k, body in enumerate(bodies):
                for kind in ("velocity", "angular_velocity", "position"):
                    assert [found[f"after.bodies[{k}].{kind}[{j}]"][i] for j in range(3)] == body[kind], (name, k, kind)
    write("worlds.csv", {"world.balls[0].mass": np.array([0.1, -1.0])})
    done = run("--scene", "world.json", "--columns", "time,status,message", "worlds.csv", "worlds_out.csv", status=1)
    assert "1 of 2 rows were not solved; the first in line 3: world.balls[0].mass" in done.stderr, done.stderr
    refused('column "vx": unknown; there are time', "--scene", "world.json", "--columns", "vx", "worlds.csv")


def simulated(scene):
    with open("edited.json", "w", encoding="utf-8") as file:
        json.dump(scene, file)
    return json.loads(subprocess.run([PROGRAM, "simulate", "--json", "edited.json"], capture_output=True, text=True,
                                     check=True).stdout)


def check_mechanisms():
    """A mechanism with fixed M and J, and speeds and coefficients by columns, against `solve`: the same bits if a column
    needs results of their own, other last digits in lanes."""
    with open(os.path.join(HERE, "../../../scenes/robot_foot.json"), encoding="utf-8") as file:
        scene = json.load(file)
    with open("leg.json", "w", encoding="utf-8") as file:
        json.dump(scene, file)
    count = len(scene["system"]["velocity"])
    rng = np.random.default_rng(3)
    table = {f"system.velocity[{k}]": scene["system"]["velocity"][k] + rng.uniform(-0.1, 0.1, 30) for k in range(count)}
    table["e"] = rng.uniform(0, 1, 30)
    write("legs.npz", table)
    run("--scene", "leg.json", "--columns", "velocity,sequence,error", "legs.npz", "legs_out.npz")
    run("--scene", "leg.json", "--columns", "velocity,sequence", "legs.npz", "legs_lanes.npz")
    found, lanes = read("legs_out.npz"), read("legs_lanes.npz")
    assert (found["sequence"] == lanes["sequence"]).all()
    for k in range(count):
        name = f"after.system.velocity[{k}]"
        assert np.abs(found[name] - lanes[name]).max() < 1e-12  # measured 7e-14
    for i in range(30):
        scene["system"]["velocity"] = [float(table[f"system.velocity[{k}]"][i]) for k in range(count)]
        scene["contacts"][0]["e"] = float(table["e"][i])
        answer = json.loads(subprocess.run([PROGRAM, "solve", "--json", "-"], input=json.dumps(scene),
                                           capture_output=True, text=True, check=True).stdout)
        assert [found[f"after.system.velocity[{k}]"][i] for k in range(count)] == answer["velocity"]
        assert found["sequence"][i] == answer["sequence"]


def check_sweeps():
    """Grids and samples: the rows that are wanted, the same whatever the threads; the summary as NumPy has it."""
    over = ["--over", "mu=0:1", "--over", "bodies[0].velocity[0]=normal:1:0.5"]
    run("--scene", "scene.json", "--grid", "mu=0:1:5", "--grid", "e=0.2:0.8:3", "grid.npy")
    grid = read("grid.npy")
    assert np.allclose(grid["mu"], np.repeat(np.linspace(0, 1, 5), 3), atol=1e-15)
    assert np.allclose(grid["e"], np.tile([0.2, 0.5, 0.8], 5), atol=1e-15)
    for design in ("random", "latin", "sobol"):
        sample = ["--scene", "scene.json", "--sample", "4096", *over, "--design", design]
        run(*sample, "sample.npy", "--threads", "1")
        run(*sample, "sample2.npy", "--threads", "2")
        with open("sample.npy", "rb") as a, open("sample2.npy", "rb") as b:
            assert a.read() == b.read()
        found = read("sample.npy")
        mu, x = found["mu"], found["bodies[0].velocity[0]"]
        assert "after.bodies[0].velocity[1]" in found and set(found["status"]) == {"ok"}
        even = len(set((mu * 4096).astype(int))) == 4096
        assert even == (design != "random")
        assert abs(mu.mean() - 0.5) < 0.02
        run(*sample, "--seed", "2", "other.npy")
        assert not np.array_equal(read("other.npy")["mu"], mu)
    run("--scene", "scene.json", "--sample", "4096", *over, "--columns", "contact_velocity,impulse,status", "numbers.npy")
    numbers = read("numbers.npy")
    text = run("--scene", "scene.json", "--sample", "4096", *over, "--columns", "contact_velocity,impulse,status",
               "--summary").stdout
    assert text.startswith("4096 rows\n") and "4096  100.0000 %" in text
    lines = {line.split()[0]: [float(x) for x in line.split()[1:10]] for line in text.splitlines()
             if line.split() and line.split()[0] in numbers and len(line.split()) >= 10}
    assert len(lines) == 8, text
    for name, row in lines.items():
        x = numbers[name]
        wanted = [x.mean(), x.std(ddof=1), x.min(), *np.quantile(x, [0.05, 0.25, 0.5, 0.75, 0.95], method="lower"), x.max()]
        scale = abs(x).max()
        assert np.allclose(row, wanted, rtol=3e-3, atol=1e-4 * scale + 1e-12), (name, row, wanted)
    for arguments, words in ((["--grid", "mu=0:1"], "FROM:TO:COUNT"), (["--sample", "10"], "--over PATH=FROM:TO"),
                             (["--over", "mu=0:1"], "--sample N"), (["--grid", "mu=0:x:3"], "two numbers"),
                             (["--grid", "mu=0:1:3", "--grid", "contacts[0].mu=0:1:3"], "given twice"),
                             (["--sample", "1.5", "--over", "mu=0:1"], "must be a number of rows"),
                             (["--sample", "5", "--over", "mu=normal:1:0"], "standard deviation"),
                             (["--grid", "mass=0:1:3"], 'column "mass"')):
        done = run("--scene", "scene.json", *arguments, status=2)
        assert words in done.stderr, (words, done.stderr)


def check_pictures():
    """--plot of a summary: distributions, and maps of a grid over two numbers; what it says in words is right."""
    over = ["--scene", "scene.json", "--sample", "5000", "--over", "mu=0:1", "--over", "bodies[0].velocity[0]=normal:1:0.5"]
    columns = ["--columns", "impulse,energy_change,sequence"]
    run(*over, *columns, "--summary", "--plot", "plot.svg", "plot.txt")
    run(*over, *columns, "plot.npy")
    with open("plot.svg", encoding="utf-8") as file:
        drawn = file.read()
    found = read("plot.npy")
    assert "Summary of 5000 rows." in drawn
    change = found["energy_change"]
    assert f"energy_change: {change.min():.4g} to {change.max():.4g}, median" in drawn
    names, counts = np.unique(found["sequence"], return_counts=True)
    assert f"sequence: most often {names[counts.argmax()]}, {counts.max() / 50:.2f} %." in drawn
    run("--scene", "scene.json", "--grid", "mu=0:1:21", "--grid", "stiffness_ratio=0.1:10:11", *columns, "--summary",
        "--plot", "map.svg", "map.txt")
    with open("map.svg", encoding="utf-8") as file:
        drawn = file.read()
    assert "Summary of 231 rows." in drawn and "log10 stiffness_ratio" in drawn and "<image" in drawn
    refused("--plot: only with --summary", *over, "--plot", "no.svg")
    refused("--plot: must end in .svg", *over, "--summary", "--plot", "no.gif")
    assert not os.path.exists("no.svg")
    # a summary of shards is that of the whole
    columns = ["--columns", "velocity,energy_change,sequence,message"]
    whole = run(*over, *columns, "--summary").stdout
    for kind in FORMATS:
        shards = [f"plot{i}.{kind}" for i in (1, 2)]
        for i, name in enumerate(shards, 1):
            run(*over, *columns, "--shard", f"{i}/2", name)
        merged = subprocess.run([PROGRAM, "merge", "--summary", "-", *shards], capture_output=True, text=True,
                                check=True)
        assert merged.stdout == whole, kind
    # and that of a run in parts, too
    run(*over, *columns, "--summary", "--checkpoint", "4096", "parts.txt")
    with open("parts.txt", encoding="utf-8") as file:
        assert file.read() == merged.stdout


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def check_shards(columns):
    """Shards joined are the same bytes as one run (HDF5: the same numbers); wrong shards are refused."""
    many = {k: np.tile(v, 6)[:25000] for k, v in columns.items()}  # seven blocks, the last one short
    many["id"] = np.arange(25000)
    many["mu"][100] = -1  # a row that is not solved
    for kind in FORMATS:
        write(f"many.{kind}", many)
        run(f"many.{kind}", f"whole.{kind}", status=1)
        names = [f"shard{i}.{kind}" for i in range(1, 5)]
        for i, name in enumerate(names, 1):
            run("--shard", f"{i}/4", f"many.{kind}", name, status=1 if i == 1 else 0)
        environment = {**os.environ, "OMPI_COMM_WORLD_RANK": "2", "OMPI_COMM_WORLD_SIZE": "4"}
        subprocess.run([PROGRAM, "batch", "--shard", "auto", f"many.{kind}", f"auto.{kind}"], env=environment, check=True)
        same(read(f"auto.{kind}"), read(names[2]), OUT)
        subprocess.run([PROGRAM, "merge", f"merged.{kind}", *names], check=True)
        if kind == "h5":
            same(read("merged.h5"), read("whole.h5"), [*OUT, "id", "status"])
        else:
            assert read_bytes(f"merged.{kind}") == read_bytes(f"whole.{kind}"), kind
        for wrong in (names[::-1], names[1:], [names[0], names[0], *names[2:]]):
            done = subprocess.run([PROGRAM, "merge", f"wrong.{kind}", *wrong], capture_output=True, text=True)
            assert done.returncode == 2 and "its rows do not come next" in done.stderr, (wrong, done.stderr)
            assert not os.path.exists(f"wrong.{kind}")
    for kind in FORMATS:  # two tasks that were given the same file
        before = read_bytes(f"shard1.{kind}")
        done = run("--shard", "2/4", f"many.{kind}", f"shard1.{kind}", status=2)
        assert "is the output of another shard" in done.stderr and read_bytes(f"shard1.{kind}") == before
        run("--shard", "1/4", f"many.{kind}", f"shard1.{kind}", status=1)
    refused("--shard: must be I/N", "--shard", "5/4", "many.csv")
    refused("not started by mpirun", "--shard", "auto", "many.csv")


def check_summary_of_shards(columns):
    """CSV does not say what is a number: rows that failed have none, ids and texts are copied."""
    many = {k: np.tile(v, 6)[:9000] for k, v in columns.items()}
    many["mu"][::5] = -1
    many["id"], many["tag"] = np.arange(9000), np.array([f"t{i % 3}" for i in range(9000)])
    chosen = ["--columns", "impulse,velocity,energy_change,sequence,status,message"]
    write("rows.csv", many)
    whole = run("rows.csv", *chosen, "--summary", status=1).stdout
    assert "(1800 without)" in whole and "tag" in whole
    for i in (1, 2):
        run("rows.csv", *chosen, "--shard", f"{i}/2", f"rows{i}.csv", status=1)
    merged = subprocess.run([PROGRAM, "merge", "--summary", "-", "rows1.csv", "rows2.csv"], capture_output=True,
                            text=True, check=True)
    assert merged.stdout == whole


def check_resume(columns):
    """A run that is broken off goes on where it was: the same as an unbroken one, and nothing is left."""
    many = {k: np.tile(v, 12) for k, v in columns.items()}
    many["mu"][777] = -1
    limit = [resource.RLIMIT_FSIZE, (2_500_000, resource.RLIM_INFINITY)]  # room for parts, not for the output
    for kind in FORMATS:
        write(f"long.{kind}", many)
        run(f"long.{kind}", f"unbroken.{kind}", status=1)
        command = [f"long.{kind}", f"broken.{kind}", "--checkpoint", "8192"]
        parts = f"broken.{kind}.parts"
        full = subprocess.run([PROGRAM, "batch", *command], capture_output=True, text=True,
                              preexec_fn=lambda: resource.setrlimit(*limit))
        assert full.returncode == 2 and "cannot be written" in full.stderr, full.stderr
        assert not os.path.exists(f"broken.{kind}")
        assert len(os.listdir(parts)) == 9, os.listdir(parts)  # eight parts and the command
        os.remove(f"{parts}/000000003.{kind}")
        refused("--resume goes on with it", *command)
        refused("is of another command", *command, "--columns", "iz", "--resume")
        done = run(*command, "--resume", status=1)
        assert "1 of 60000 rows were not solved; the first in" in done.stderr, done.stderr
        assert not os.path.exists(parts)
        if kind == "h5":
            same(read("broken.h5"), read("unbroken.h5"), [*OUT, "status"])
        else:
            assert read_bytes(f"broken.{kind}") == read_bytes(f"unbroken.{kind}"), kind
    # killed at any moment
    command = ["long.csv", "killed.csv", "--checkpoint", "4096", "--threads", "1"]
    for tries in range(20):
        process = subprocess.Popen([PROGRAM, "batch", *command, *["--resume"] * (tries > 0)],
                                   stderr=subprocess.DEVNULL)
        try:
            process.wait(0.04)
            break
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    # the last kill may have come after the output was named, before its parts were removed
    if not os.path.exists("killed.csv") or os.path.exists("killed.csv.parts"):
        run(*command, "--resume", status=1)
    assert read_bytes("killed.csv") == read_bytes("unbroken.csv")
    assert not os.path.exists("killed.csv.parts")
    run("long.npy", "again.npy", "--resume", status=1)  # nothing to go on with: a run with parts of the usual size
    assert read_bytes("again.npy") == read_bytes("unbroken.npy") and not os.path.exists("again.npy.parts")
    refused("an OUT file is needed", "long.npy", "--checkpoint", "1e6")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        columns, wanted = check_formats()
        check_arrays(columns, wanted)
        check_planar()
        check_columns(columns)
        check_bad_files(columns)
        check_texts(columns)
        check_scenes()
        check_single_scenes()
        check_throws()
        check_worlds()
        check_mechanisms()
        check_sweeps()
        check_pictures()
        check_shards(columns)
        check_summary_of_shards(columns)
        check_resume(columns)


if __name__ == "__main__":
    main()
