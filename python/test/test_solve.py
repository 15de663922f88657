"""solve(): closed forms, agreement with the program, broadcasting, threads, failures."""
import json

import numpy as np
import pytest
from support import SCENES, program_solve, random_problems

import carom


def test_frictionless_contact_in_closed_form():
    e = np.linspace(0, 1, 11)
    out = carom.solve(np.diag([2.0, 3.0, 4.0]), [1.0, -1.0, -2.0], mu=0, e=e)
    assert np.allclose(out.impulse[:, 2], (1 + e) * 2 / 4, rtol=1e-15)  # measured 0
    assert (out.velocity[:, :2] == [1, -1]).all()
    assert np.allclose(out.velocity[:, 2], 2 * e, rtol=1e-15)  # measured 0
    assert np.allclose(out.energy.change, -(1 - e**2) * 4 / 8, rtol=0, atol=1e-15)  # measured 1e-16


def test_ball_sticks_in_closed_form():
    out = carom.solve(np.diag([3.5, 3.5, 1.0]), [1.0, 0.0, -2.0], mu=10, e=0.5)
    assert out.impulse == pytest.approx([-1 / 3.5, 0, 3], rel=1e-14)  # measured 2e-16
    assert out.sequence == "lscr" and out.status == "ok" and out.message == ""


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_scene_equals_program_to_the_bit(path):
    """The same code with the same flags: every number, in both ways of solving."""
    scene, expected = carom.load(path), program_solve(path)
    found = scene.solve()
    assert found.report == expected
    direct = carom.solve(**scene.problem())
    assert direct.impulse.tolist() == expected["impulse"]
    assert direct.status == expected["status"]
    assert direct.energy.friction_loss == expected["energy"]["friction_loss"]
    events = direct.events
    assert [carom.EVENTS[kind] for kind in events["kind"]] == [
        event["event"] for event in expected["events"]]
    assert events["normal_impulse"].tolist() == [
        event["normal_impulse"] for event in expected["events"]]


def test_rows_equal_single_solves_to_the_bit():
    W, v, mu, e = random_problems(50)
    laws = ["energetic", "poisson", "newton", "energetic", "newton"] * 10
    many = carom.solve(W, v, mu, e, restitution=laws)
    for i in range(50):
        one = carom.solve(W[i], v[i], mu[i], e[i], restitution=laws[i])
        assert (one.impulse == many.impulse[i]).all()
        assert one.sequence == many.sequence[i] and one.error == many.error[i]
        assert one.energy.friction_loss == many.energy.friction_loss[i]


def test_everything_broadcasts():
    W, v, _, _ = random_problems(3)
    mu = np.linspace(0, 1, 4)[:, None, None]
    e = np.linspace(0.2, 1, 5)[:, None]
    out = carom.solve(W, v, mu, e)
    assert out.shape == (4, 5, 3) and out.velocity.shape == (4, 5, 3, 3)
    full = carom.solve(*np.broadcast_arrays(W[None, None], np.zeros((4, 5, 1, 1, 1)))[:1],
                       np.broadcast_to(v, (4, 5, 3, 3)), np.broadcast_to(mu, (4, 5, 3)),
                       np.broadcast_to(e, (4, 5, 3)))
    assert (full.impulse == out.impulse).all()
    for i, j, k in ((0, 0, 0), (3, 1, 2), (2, 4, 1)):
        one = carom.solve(W[k], v[k], mu[i, 0, 0], e[j, 0])
        assert (one.impulse == out.impulse[i, j, k]).all()


def test_threads_give_the_same_bits():
    W, v, mu, e = random_problems(20000)
    try:
        carom.set_threads(1)
        one = carom.solve(W, v, mu, e)
        carom.set_threads(7)
        seven = carom.solve(W, v, mu, e)
    finally:
        carom.set_threads(2)
    assert one.impulse.tobytes() == seven.impulse.tobytes()
    assert (one.status == "ok").all()


def test_models_and_methods():
    W, v, mu, e = random_problems(20)
    both = carom.solve(W, v, mu, e, model=["rigid", "compliant"] * 10)
    compliant = carom.solve(W, v, mu, e, model="compliant", stiffness_ratio=17 / 14)
    assert (both.impulse[1::2] == compliant.impulse[1::2]).all()
    assert (both.impulse[::2] != compliant.impulse[::2]).any()
    rough = carom.solve(W, v, mu, e, method="ni", scheme={"step": 1e-5})
    exact = carom.solve(W, v, mu, e)
    assert np.abs(rough.velocity - exact.velocity).max() < 2e-3  # measured 5e-4


def test_several_contacts_and_snapshots():
    W = np.kron([[2.0, -1.0], [-1.0, 2.0]], np.diag([0.0, 0.0, 1.0]))
    v = np.array([[0, 0, -1.0, 0, 0, 0], [0, 0, 0, 0, 0, -1.0]])
    out = carom.solve(W, v, e=1, model="compliant", stiffness=[1.0, 1.0])
    assert out.impulse[0, 2] == pytest.approx(out.impulse[1, 5], rel=1e-13)  # mirrored
    assert out.impulse[0, 5] == pytest.approx(out.impulse[1, 2], rel=1e-13)
    snapshots = out.snapshots
    assert snapshots.impulse.shape == (len(out.events), 6)
    last = np.flatnonzero(out.events["row"] == 0)[-1]
    assert snapshots.impulse[last] == pytest.approx(out.impulse[0], rel=1e-12)
    assert out.ambiguous.tolist() == ["", ""]
    stiffer = carom.solve(W, v, e=1, model="compliant", stiffness=[1.0, np.inf])
    assert (stiffer.status == "ok").all()


def test_planar():
    out = carom.solve(np.diag([3.0, 1.0]), [1.0, -2.0], mu=0.1, e=0.5, planar=True)
    assert out.velocity == pytest.approx([0.1, 1.0], rel=1e-14)


def test_status_of_rows():
    v = [[0, 0, -1.0], [0, 0, 1.0], [np.nan, 0, -1], [1, 0, -1]]
    out = carom.solve(np.eye(3), v, mu=[0.1, 0.1, 0.1, -1], e=1)
    assert out.status.tolist() == [
        "ok", "not_approaching", "invalid_input", "invalid_input"]
    assert np.isnan(out.velocity[1:]).all() and np.isnan(out.energy.change[1:]).all()
    assert (out.velocity[0] == [0, 0, 1]).all()
    assert out.message[2] == "v has an entry that is not finite"
    assert out.ok.tolist() == [True, False, False, False]
    with pytest.raises(carom.NotApproaching, match=r"row 1: v: no contact is approaching") as caught:
        out.raise_for_status()
    assert caught.value.row == (1,) and "3 of 4 rows failed" in str(caught.value)
    with pytest.raises(carom.InvalidInput, match="mu must be"):
        carom.solve(np.eye(3), v[0], mu=-1).raise_for_status()
    assert carom.solve(np.eye(3), v[0]).raise_for_status().status == "ok"


def test_tolerance_and_energy_gain():
    W, v, mu, e = random_problems(5)
    assert (carom.solve(W, v, mu, e, tolerance=1e-300).status == "not_converged").any()
    gain = carom.solve([[1, 0, .9], [0, 1, 0], [.9, 0, 1]], [-1, 0, -1], mu=1, e=1, restitution="newton")
    assert gain.status in ("ok", "energy_gain") and gain.ok


def test_sequence_with_a_function():
    W = np.kron([[2.0, -1.0], [-1.0, 2.0]], np.diag([0.0, 0.0, 1.0]))
    v, calls = [0, 0, -1.0, 0, 0, -1.0], []

    def last(contacts, speeds):
        calls.append((contacts, speeds))
        return len(contacts) - 1

    by_function = carom.sequence(W, v, e=0.5, choose=last)
    default = carom.sequence(W, v, e=0.5)
    assert calls[0] == ([0, 1], [1.0, 1.0])
    assert by_function.impulse[[2, 5]] == pytest.approx(default.impulse[[5, 2]], rel=1e-12)
    with pytest.raises(ZeroDivisionError):
        carom.sequence(W, v, choose=lambda contacts, speeds: 1 // 0)
    assert carom.sequence(W, v, choose=lambda *_: 7).status == "invalid_input"


def test_without_details():
    """In lanes: the same outcome but for the last digits, whatever the threads; refused rows too."""
    W, v, mu, e = random_problems(3000)
    v[7, 2], W[8, 0, 1] = 1.0, 99.0
    mu[9] = -1
    full, few = carom.solve(W, v, mu, e), carom.solve(W, v, mu, e, details=False)
    ok = full.ok
    size = np.abs(full.impulse[ok]).max(axis=1)
    assert (np.abs(few.impulse - full.impulse)[ok].max(axis=1) <= 1e-12 * size).all()  # measured 1.7e-14
    assert (few.status == full.status).all() and (few.message == full.message).all()
    assert (few.sequence == full.sequence).all() and np.isnan(few.velocity[~ok]).all()
    assert full.status[7:10].tolist() == ["not_approaching", "invalid_input", "invalid_input"]
    carom.set_threads(1)
    alone = carom.solve(W, v, mu, e, details=False)
    carom.set_threads(2)
    assert np.array_equal(alone.impulse, few.impulse, equal_nan=True)
    assert list(few.columns()) == ["status", "impulse_t1", "impulse_t2", "impulse_n", "velocity_t1",
                                   "velocity_t2", "velocity_n", "sequence", "message"]
    for name in ("energy", "error", "event_count", "solutions", "work", "ambiguous", "events", "kinks"):
        with pytest.raises(ValueError, match="details=False"):
            getattr(few, name)
    assert carom.solve(W[0], v[0], mu[0], e[0], details=False).impulse.tolist() == few.impulse[0].tolist()


def test_planar_without_details():
    """In lanes: the bits of the planar solver, with every law; refused rows too."""
    W, v, mu, e = random_problems(3000)
    W, v = W[:, ::2, ::2].copy(), v[:, ::2].copy()
    v[7, 1], W[8, 0, 1], mu[9] = 1.0, 99.0, -1
    law = np.array(["energetic", "poisson", "newton"])[np.arange(3000) % 3]
    full = carom.solve(W, v, mu, e, planar=True, restitution=law)
    few = carom.solve(W, v, mu, e, planar=True, restitution=law, details=False)
    for name in ("impulse", "velocity"):
        assert np.array_equal(getattr(full, name), getattr(few, name), equal_nan=True)
    for name in ("status", "message", "sequence"):
        assert (getattr(full, name) == getattr(few, name)).all()
    assert full.status[7:10].tolist() == ["not_approaching", "invalid_input", "invalid_input"]


def test_compliant_without_details():
    """In lanes: the same outcome but for the last digits."""
    W, v, mu, e = random_problems(3000)
    full = carom.solve(W, v, mu, e, model="compliant", stiffness_ratio=1.5)
    few = carom.solve(W, v, mu, e, model="compliant", stiffness_ratio=1.5, details=False)
    assert (full.sequence == few.sequence).all() and full.ok.all() and few.ok.all()
    size = np.abs(full.impulse).max(axis=1)
    assert (np.abs(few.impulse - full.impulse).max(axis=1) <= (1e-13 + full.error) * size).all()


def test_changed_input_is_noticed():
    """Events and derivatives solve again: with other input they would be of another impact."""
    W, v, mu, e = random_problems(4)
    out = carom.solve(W, v, mu, e)
    out.events
    v[2, 0] += 1
    with pytest.raises(RuntimeError, match="1 rows have another impulse"):
        out.events
    with pytest.raises(RuntimeError, match="1 rows"):
        out.derivative("mu")


def test_trace_ends_at_the_result():
    W, v, mu, e = random_problems(6)
    out = carom.solve(W, v, mu, e)
    trace = out.trace(11)
    assert trace.impulse.shape == (6, 11, 3)
    assert np.allclose(trace.impulse[:, -1], out.impulse, rtol=1e-12)  # measured 3e-15
    assert (trace.impulse[:, 0] == 0).all()
    assert np.allclose(trace.velocity[:, 0], v, rtol=1e-14)  # measured 2e-16
    v[0, 2] = 1
    failed = carom.solve(W, v, mu, e).trace(5)
    assert np.isnan(failed.velocity[0]).all() and (failed.mode[0] == -1).all()
    with pytest.raises(carom.NotApproaching):
        failed.raise_for_status()


def test_pandas():
    pandas = pytest.importorskip("pandas")
    W, v, mu, e = random_problems(6)
    table = carom.solve(W.reshape(2, 3, 3, 3), v.reshape(2, 3, 3), 0.3, 0.5).to_pandas()
    assert isinstance(table.index, pandas.MultiIndex) and len(table) == 6
    assert {"status", "impulse_t1", "velocity_n", "energy_friction_loss", "sequence"} <= set(table)
    assert json.loads(table.to_json())["status"]["(0, 0)"] == "ok" or (table["status"] == "ok").all()
