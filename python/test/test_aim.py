"""aim(), Scene.aim(), and the other studies of scenes: the numbers of the program."""
import json

import numpy as np
import pytest
from support import ROOT, program

import carom


@pytest.fixture(autouse=True)
def in_the_checkout(monkeypatch):
    monkeypatch.chdir(ROOT)


def said(*arguments):
    text, problem, status = program(*arguments)
    assert status in (0, 1), problem
    return json.loads(text)


def test_scene_equals_the_program():
    report = said("aim", "--json", "scenes/aim/bat.json")
    found = carom.load("scenes/aim/bat.json").aim()
    assert len(found) == len(report["solutions"]) == 2 and found.message == ""
    for one, line in zip(found, report["solutions"]):
        assert one.values == line["values"] and one.sequence == line["sequence"]
        assert one.outcome.tolist() == line["outcome"]
        assert one.sensitivity["contacts[0].mu"].tolist() == line["sensitivity"]["contacts[0].mu"]
    assert found.closest is found[0] and "2 solutions" in repr(found)


def test_scene_without_a_solution():
    scene = carom.load("scenes/aim/bat.json")
    found = scene.aim({"contacts[0].turn_y": (-1.2, 0.2)},
                      [{"landing": "ball", "value": [500, 0], "tolerance": 0.1}])
    assert len(found) == 0 and "misses by" in found.message and "no solution" in repr(found)
    assert found.closest.outcome[0] < 500
    with pytest.raises(carom.SceneError, match="aim.wanted"):
        scene.aim({"contacts[0].turn_y": (-1.2, 0.2)}, [{"land": "ball"}])
    with pytest.raises(carom.SceneError, match="aim: missing"):
        carom.load("scenes/ball_spin.json").aim()
    with pytest.raises(ValueError, match="free and wanted: give both"):
        scene.aim({"contacts[0].turn_y": (-1.2, 0.2)})


def landing(values):
    """Of a ball that bounces with a velocity and a spin: how far and how high it goes."""
    ball = carom.ball(1, 0.1, velocity=[values[0], 0, -5], spin=[0, values[1], 0])
    out = carom.collide(ball, carom.floor(), mu=0.1, e=0.9)
    return [out.velocity[0], out.spin[1]], out.sequence


def slopes(values):
    ball = carom.ball(1, 0.1, velocity=[values[0], 0, -5], spin=[0, values[1], 0])
    out = carom.collide(ball, carom.floor(), mu=0.1, e=0.9)
    return [[out.derivative("velocity", of)[axis, 0], out.derivative("spin", of)[axis, 1]]
            for of, axis in (("velocity", 0), ("spin", 1))]


@pytest.mark.parametrize("exact", [False, True])
def test_function(exact):
    start = np.array([3.0, -20.0])
    goal, sequence = landing(start)
    found = carom.aim(landing, {"speed": (0, 10), "spin": (-60, 60)}, goal, 1e-6,
                      slopes=slopes if exact else None)
    same = [one for one in found if one.sequence == sequence]
    assert same and same[0].residual <= 1
    assert list(same[0].values.values()) == pytest.approx(start, abs=1e-5)
    assert same[0].outcome == pytest.approx(goal, abs=1e-6)


def test_function_without_a_solution():
    found = carom.aim(lambda x: x**2, {"x": (1, 2)}, wanted=5.0, tolerance=0.1)
    assert len(found) == 0 and found.closest.values["x"] == 2 and found.closest.at_bound == ["x"]
    assert found.closest.residual == pytest.approx(10)
    family = carom.aim(lambda x: x.sum(), {"x": (0, 1), "y": (0, 1)}, wanted=1.0, tolerance=1e-9)
    assert family[0].family
    with pytest.raises(carom.NotConverged, match="nowhere in the ranges"):
        carom.aim(lambda x: None, {"x": (1, 2)}, wanted=5.0, tolerance=0.1)


def test_function_refused():
    def broken(x):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        carom.aim(broken, {"x": (0, 1)}, wanted=1.0, tolerance=1)
    with pytest.raises(ValueError, match="outcome: must give 1 numbers"):
        carom.aim(lambda x: [1, 2], {"x": (0, 1)}, wanted=1.0, tolerance=1)
    with pytest.raises(ValueError, match="slopes: must have shape"):
        carom.aim(lambda x: x, {"x": (0, 1)}, wanted=1.0, tolerance=1, slopes=lambda x: x)
    with pytest.raises(carom.InvalidInput, match="low must be below high"):
        carom.aim(lambda x: x, {"x": (1, 0)}, wanted=1.0, tolerance=1)
    with pytest.raises(ValueError, match="tolerance: must be > 0"):
        carom.aim(lambda x: x, {"x": (0, 1)}, wanted=1.0, tolerance=0)
    with pytest.raises(ValueError, match="given: y is not free"):
        carom.aim(lambda x: x, {"x": (0, 1)}, wanted=1.0, tolerance=1, given={"y": 1})


def test_sensitivity_equals_the_program():
    path = "scenes/ball_spin.json"
    report = said("solve", "--json", "--sensitivity", path)
    found = carom.load(path).sensitivity()
    assert list(found) == [row["by"] for row in report["derivatives"]]
    for row in report["derivatives"]:
        assert found[row["by"]][0, :3].tolist() == row["bodies"][0]["velocity"]
    assert list(carom.load(path).sensitivity("bodies[0].mass")) == ["bodies[0].mass"]
    with pytest.raises(carom.SceneError):
        carom.load(path).sensitivity("bodies[0].colour")


def test_uncertainty_equals_the_program():
    path = "scenes/icosahedron_tetrahedron.json"
    report = said("solve", "--json", "--uncertainty", "mu=0.02,velocity=1%", "--seed", "7", path)
    found = carom.load(path).uncertainty({"mu": 0.02, "velocity": "1%"}, seed=7)
    for row in report["uncertainty"]:
        assert found[row["of"]]._asdict() == {key: row[key] for key in row if key != "of"}
    with pytest.raises(ValueError, match="must be > 0"):
        carom.load(path).uncertainty({"mu": 0})
    with pytest.raises(ValueError, match="numbers or texts"):
        carom.load(path).uncertainty({"mu": "much"})


def test_outcomes_equal_the_program():
    path = "scenes/masse_shot.json"
    report = said("solve", "--json", "--outcomes=15", "--stiffness-range", "0.1:10", path)
    assert carom.load(path).outcomes(15, stiffness_range=(0.1, 10)) == report["outcomes"]
    with pytest.raises(carom.SceneError, match="contacts"):
        carom.load("scenes/ball_spin.json").outcomes()
    with pytest.raises(ValueError, match="count: 1 to"):
        carom.load(path).outcomes(0)
