"""fit(): known coefficients from synthetic impacts, and what it refuses."""
import json

import numpy as np
import pytest
from support import program

import carom

probe = np.diag([3.5, 3.5, 1.0])


def impacts(count=300, noise=0.01, mu=0.2, e=0.7, seed=11, speed=8, **options):
    rng = np.random.default_rng(seed)
    v = rng.normal(size=(count, 3)) * [speed, speed, 0] + [0, 0, -2]
    after = carom.solve(probe, v, mu, e, **options).velocity
    return v, after + noise * rng.normal(size=after.shape)


def test_known_coefficients_within_their_errors():
    v, after = impacts()
    found = carom.fit(probe, v, after, sigma=0.01)
    for name, true in (("mu", 0.2), ("e", 0.7)):
        estimate = found.parameters[name]
        assert estimate.identified and estimate.low < true < estimate.high
        assert abs(estimate.value - true) < 4 * estimate.standard_error  # measured 0.8, 1.3
    # e is known from v_n alone: sigma/(|v_n| sqrt(count))
    assert found.parameters["e"].standard_error == pytest.approx(0.01 / 2 / 300**0.5, rel=0.3)
    assert found.covariance[1, 1]**0.5 == pytest.approx(found.parameters["e"].standard_error, rel=0.3)
    assert found.mu == found.parameters["mu"].value and found.rows == 300
    assert found.distances.shape == (300,) and "mu 0.2" in repr(found)


def test_exact_data_give_exact_coefficients():
    v, after = impacts(count=50, noise=0, speed=2, model="compliant", stiffness_ratio=1.4)
    found = carom.fit(probe, v, after, ("mu", "e", "stiffness_ratio"), model="compliant")
    assert [found.mu, found.e, found.stiffness_ratio] == pytest.approx([0.2, 0.7, 1.4], rel=1e-6)


def test_equals_the_program(tmp_path):
    v, after = impacts(count=60)
    w = "w11,w12,w13,w22,w23,w33"
    header = program("batch", "--help")[0]
    assert "w11" in header
    lines = [f"{w},vx,vy,vz,after_vx,after_vy,after_vz"]
    for before, later in zip(v, after):
        lines.append(",".join(repr(float(x)) for x in (3.5, 0, 0, 3.5, 0, 1, *before, *later)))
    path = tmp_path / "impacts.csv"
    path.write_text("\n".join(lines) + "\n")
    said, problem, status = program("fit", "--parameters", "mu,e", "--json", path)
    assert status == 0, problem
    report = json.loads(said)
    found = carom.fit(probe, v, after)
    text = json.dumps(report)
    for name in ("mu", "e"):
        assert repr(found.parameters[name].value)[:14] in text


def test_parts_that_were_not_measured():
    v, after = impacts()
    after[::2, 0] = np.nan
    after[1::3, 2] = np.nan
    found = carom.fit(probe, v, after)
    assert found.residuals == np.isfinite(after).sum()
    assert found.mu == pytest.approx(0.2, abs=0.002)  # measured 1e-4


def test_outliers():
    v, after = impacts()
    after[7] += 50
    robust = carom.fit(probe, v, after, loss="cauchy")
    assert abs(robust.e - 0.7) < 0.002 and robust.distances.argmax() == 7


def test_not_identified():
    v = np.tile([0.0, 0.0, -1.0], (10, 1))
    found = carom.fit(probe, v, carom.solve(probe, v, 0.2, 0.5).velocity, sigma=0.01)
    assert not found.parameters["mu"].identified and found.parameters["mu"].reason
    assert np.isnan(found.parameters["mu"].standard_error)
    assert found.e == pytest.approx(0.5, abs=1e-6)


def test_refused():
    v, after = impacts(count=20)
    with pytest.raises(ValueError, match="parameters: must be of mu, e"):
        carom.fit(probe, v, after, ("mu", "e", "speed"))
    with pytest.raises(ValueError, match="mu and e: each must be given"):
        carom.fit(probe, v, after, ("e",))
    with pytest.raises(ValueError, match="after: must have"):
        carom.fit(probe, v, after[:5])
    with pytest.raises(ValueError, match="loss: must be one of"):
        carom.fit(probe, v, after, loss="absolute")
    with pytest.raises(ValueError, match="bounds and start: e is not"):
        carom.fit(probe, v, after, ("mu",), e=0.7, bounds={"e": (0, 1)})
    v[3, 2] = 1
    with pytest.raises(carom.InvalidInput, match="3"):
        carom.fit(probe, v, after)
    fixed = carom.fit(probe, *impacts(count=20), ("mu",), e=0.7, bounds={"mu": (0.3, 0.5)})
    assert fixed.mu == pytest.approx(0.3)


def test_comparison_equals_the_program(tmp_path):
    v, after = impacts(count=60, speed=2, model="compliant", stiffness_ratio=1.4)
    lines = ["w11,w12,w13,w22,w23,w33,vx,vy,vz,after_vx,after_vy,after_vz"]
    for before, later in zip(v, after):
        lines.append(",".join(repr(float(x)) for x in (3.5, 0, 0, 3.5, 0, 1, *before, *later)))
    path = tmp_path / "impacts.csv"
    path.write_text("\n".join(lines) + "\n")
    said, problem, status = program("fit", "--parameters", "mu,e", "--compare", "--folds", "6",
                                    "--json", path)
    assert status == 0, problem
    rows = {row["model"]: row for row in json.loads(said)["models"]}
    found = carom.compare(probe, v, after, folds=6)
    assert {one.name for one in found} == set(rows) and len(found) == 5
    for one in found:
        assert one.rms == pytest.approx(rows[one.name]["rms"], rel=1e-12)
        assert one.above_error == pytest.approx(rows[one.name]["worse_standard_error"], rel=1e-9, abs=1e-15)
    assert found[0].model == "compliant" and found[-1].above_best > 2 * found[-1].above_error
    assert program("fit", "--parameters", "mu,e", "--folds", "6", path)[2] == 2
    with pytest.raises(carom.InvalidInput, match="folds"):
        carom.compare(probe, v, after, folds=1)
