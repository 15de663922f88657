"""measure: the numbers of the program, and what it refuses."""
import json

import numpy as np
import pytest
from support import program

import carom
from carom import measure


def said(*arguments):
    text, problem, status = program("measure", "--json", *arguments)
    assert status == 0, problem
    return json.loads(text)


@pytest.mark.parametrize("found, arguments", [
    (lambda: measure.drop([1, 1, 0.8], [0.64, 0.65, 0.52], sigma=0.005),
     ("--sigma", "0.005", "drop", "1:0.64", "1:0.65", "0.8:0.52")),
    (lambda: measure.bounces([1, 0.6, 0.4]), ("bounces", "1", "0.6", "0.4")),
    (lambda: measure.times([0, 1, 1.7, 2.2], sigma=0.01), ("--sigma", "0.01", "times", "0", "1", "1.7", "2.2")),
    (lambda: measure.pendulum([0.3, 0.3], [0.26, 0.27], struck=1),
     ("--struck", "1", "pendulum", "0.3:0.26", "0.3:0.27")),
    (lambda: measure.tilt(np.radians([8.5, 8.9]), sigma=np.radians(0.2)),
     ("--sigma", "0.2", "tilt", "8.5", "8.9")),
    (lambda: measure.ramp([0.02, 0.021], [1, 1], as_printed=True),
     ("--as-printed", "ramp", "0.02:1", "0.021:1")),
    (lambda: measure.poisson(0.3, sigma=0.01), ("--sigma", "0.01", "poisson", "0.3")),
    (lambda: measure.springs(100, (0.2, 0.001), 0.5),
     ("--sigma", "0.001", "springs", "--stiffness", "100", "--stretch", "0.2", "--mass", "0.5")),
])
def test_equals_the_program(found, arguments):
    report, number = said(*arguments), found()
    assert number.value == pytest.approx(report["value"], rel=1e-12)
    if report["standard_error"] is None:
        assert np.isnan(number.standard_error)
    else:
        assert number.standard_error == pytest.approx(report["standard_error"], rel=1e-12)


def test_springs_propagate_all_errors():
    """v = sqrt(2 k (x^2 - x0^2)/m): relative errors add as squares."""
    found = measure.springs((100, 2), (0.2, 0.001), (0.5, 0.01), (0.1, 0.002))
    x = 0.2**2 - 0.1**2
    parts = [2 / 100 / 2, 0.01 / 0.5 / 2, 0.2 * 0.001 / x, 0.1 * 0.002 / x]
    assert found.standard_error / found.value == pytest.approx(np.hypot.reduce(parts), rel=1e-9)


def test_tracks(tmp_path):
    rng = np.random.default_rng(3)
    t = np.linspace(-0.2, 0.2, 21)
    z = np.where(t < 0, -3 * t, 2 * t) - 9.81 / 2 * t**2
    track = np.stack([t, 0.5 * t, z], axis=1) + 1e-4 * rng.normal(size=(21, 3))
    path = tmp_path / "track.csv"
    path.write_text("t,x,y,z\n" + "\n".join(f"{a!r},{x!r},{y!r},{c!r}" for a, (x, y, c) in
                                           zip(t.tolist(), track.tolist())) + "\n")
    report, found = said("flight", path), measure.bounce(t, track)
    film = measure.bounce(t, track[:, [0, 2]])
    assert film.e.value == pytest.approx(found.e.value, rel=1e-3)
    assert np.isnan(film.before[1].standard_error) and film.before[0] != film.before[2]
    assert found.e.value == pytest.approx(report["value"], rel=1e-9)
    assert found.after[2].standard_error == pytest.approx(
        report["numbers"]["after_vz"]["standard_error"], rel=1e-9)
    assert abs(found.e.value - 2 / 3) < 4 * found.e.standard_error  # measured 1.1
    assert found.last == 10 or found.last == 9


def test_refused():
    with pytest.raises(carom.InvalidInput):
        measure.drop(1.0, -0.5)
    with pytest.raises(ValueError, match="as many of both"):
        measure.drop([1, 1], [0.5])
    with pytest.raises(ValueError, match="heights: must be a list"):
        measure.bounces(np.ones((2, 2)))
    with pytest.raises(ValueError, match="mass: must be a number"):
        measure.springs(1, 1, [1, 2, 3])
    with pytest.raises(ValueError, match="position: must have shape"):
        measure.bounce([0, 1], np.zeros((3, 3)))
    with pytest.raises(carom.InvalidInput):
        measure.bounce([0, 1], np.zeros((2, 3)))
