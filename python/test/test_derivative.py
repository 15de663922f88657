"""Derivatives against differences: Richardson's extrapolation of central ones."""
import numpy as np
import pytest
from support import random_problems

import carom

W, v, mu, e = random_problems(40)


def difference(function, step=1e-3):
    """Derivative of function(t) at 0, of order 6."""
    def central(h):
        return (function(h) - function(-h)) / (2 * h)
    a, b, c = central(step), central(step / 2), central(step / 4)
    return (64 * c - 20 * b + a) / 45


def agree(found, expected, far, tolerance=1e-6):
    """On rows that are far from kinks. Measured: 3e-8 at most."""
    assert far.sum() > 0.5 * far.size
    scale = 1 + np.abs(expected[far])
    assert np.abs((found[far] - expected[far]) / scale).max() < tolerance


def far_from_kinks(out, distance=0.02):
    return (out.kinks["distance"] > distance).all(axis=-1) & (out.smoothness == 0)


@pytest.mark.parametrize("model", ["rigid", "compliant"])
@pytest.mark.parametrize("of", ["velocity", "impulse"])
def test_coefficients_and_velocity(model, of):
    out = carom.solve(W, v, mu, e, model=model)
    far = far_from_kinks(out)
    for name, index in (("mu", 2), ("e", 3)):
        def moved(t):
            arguments = [W, v, mu.copy(), e.copy()]
            arguments[index] = arguments[index] + t
            return getattr(carom.solve(*arguments, model=model), of)
        agree(out.derivative(name, of), difference(moved), far)
    for axis in range(3):
        expected = difference(lambda t: getattr(
            carom.solve(W, v + t * np.eye(3)[axis], mu, e, model=model), of))
        agree(out.derivative("v", of)[:, :, axis], expected, far)


def test_by_W_along_a_symmetric_change():
    rng = np.random.default_rng(3)
    change = rng.normal(size=(3, 3))
    change = change + change.T
    out = carom.solve(W, v, mu, e)
    expected = difference(lambda t: carom.solve(W + t * change, v, mu, e).velocity, 1e-4)
    agree((out.derivative("W") * change).sum(axis=(-1, -2)), expected, far_from_kinks(out))


def test_several_contacts():
    rng = np.random.default_rng(4)
    A = rng.normal(size=(20, 6, 6))
    W2 = A @ A.transpose(0, 2, 1) + np.eye(6)
    v2 = rng.normal(size=(20, 6))
    v2[:, [2, 5]] = -0.5 - rng.random((20, 2))
    out = carom.solve(W2, v2, mu=[0.3, 0.6], e=0)
    assert out.derivative("mu").shape == (20, 6, 2) and out.derivative("W").shape == (20, 6, 6, 6)
    far = far_from_kinks(out)
    expected = difference(lambda t: carom.solve(W2, v2, mu=np.array([0.3, 0.6 + t]), e=0).velocity, 1e-4)
    agree(out.derivative("mu")[..., 1], expected, far)


def test_several_compliant_contacts():
    """Two contacts of one body, with friction."""
    W2 = np.kron([[2.0, 0.5], [0.5, 1.5]], np.diag([3.0, 2.5, 1.0]))
    v2 = np.array([0.3, 0.1, -1.0, 0.2, -0.1, -0.6])

    def after(k):
        return carom.solve(W2, v2, 0.2, 0.7, model="compliant", stiffness=[1.0, k])
    found = after(1.3).derivative("stiffness")[:, 1]
    expected = difference(lambda t: after(1.3 + t).velocity, 1e-3)
    assert found == pytest.approx(expected, abs=1e-6)


def moving_bodies(velocity, spin=(0.3, -1, 0.4), mass=1.3, position=(0.1, 0.0, 0.2)):
    first = carom.box(mass, [0.4, 0.6, 0.9], velocity=velocity, spin=spin, position=position)
    second = carom.ball(2.0, 0.5, velocity=[0.1, 0.2, 0.3])
    return first, second


def strike(first, second, **options):
    return carom.collide(first, second, point=[0.2, -0.1, -0.2], normal=[0.1, 0.2, 1.0],
                         **{"mu": 0.2, "e": 0.6, **options})


def test_bodies():
    start = np.array([0.5, 0.3, -2.0])
    out = strike(*moving_bodies(start))
    assert out.contact.smoothness == 0
    for of in ("velocity", "spin"):
        for body in (0, 1):
            def after(impact):
                return getattr(impact.bodies[body], of)
            found = out.derivative("velocity", of=of, body=body)
            for axis in range(3):
                expected = difference(lambda t: after(strike(*moving_bodies(
                    start + t * np.eye(3)[axis]))))
                assert found[:, axis] == pytest.approx(expected, abs=1e-8)  # measured 1e-11
            expected = difference(lambda t: after(strike(*moving_bodies(start, mass=1.3 + t))))
            # the box's inertia grows with its mass
            inertia = moving_bodies(start)[0].inertia / 1.3
            by_mass = out.derivative("mass", of=of, body=body) + (
                out.derivative("inertia", of=of, body=body) * inertia).sum(axis=(-1, -2))
            assert by_mass == pytest.approx(expected, abs=1e-8)
            expected = difference(lambda t: after(strike(*moving_bodies(start), mu=0.2 + t)))
            assert out.derivative("mu", of=of, body=body) == pytest.approx(expected, abs=1e-8)
            expected = difference(lambda t: after(strike(*moving_bodies(
                start, position=(0.1, 0.0, 0.2 + t)))))
            assert out.derivative("position", of=of, body=body)[:, 2] == pytest.approx(
                expected, abs=1e-8)


def test_rows_of_bodies():
    start = np.array([[0.5, 0.3, -2.0], [0.1, 0.9, -1.0]])
    mus = np.array([[0.1], [0.2], [0.3]])
    out = strike(*moving_bodies(start), mu=mus)
    assert out.velocity.shape == (3, 2, 3) and out.derivative("mu").shape == (3, 2, 3)
    one = strike(*moving_bodies(start[1]), mu=0.3)
    assert (out.derivative("velocity")[2, 1] == one.derivative("velocity")).all()
    assert (out.derivative("e")[2, 1] == one.derivative("e")).all()


def test_mechanism():
    rng = np.random.default_rng(5)
    A = rng.normal(size=(4, 4))
    M, u, J = A @ A.T + np.eye(4), rng.normal(size=4), rng.normal(size=(3, 4))
    u -= J[2] * (J[2] @ u + 1) / (J[2] @ J[2])  # approaches with speed 1

    def speeds(M=M, u=u, J=J, mu=0.3, e=0.5):
        return carom.system(M, u).strike(J, mu=mu, e=e)
    out = speeds()
    assert out.contact.smoothness == 0
    change = rng.normal(size=(4, 4))
    change = change + change.T
    assert (out.derivative("M") * change).sum(axis=(-1, -2)) == pytest.approx(
        difference(lambda t: speeds(M=M + t * change).u, 1e-4), abs=1e-7)
    other = rng.normal(size=(3, 4))
    assert (out.derivative("J") * other).sum(axis=(-1, -2)) == pytest.approx(
        difference(lambda t: speeds(J=J + t * other).u, 1e-4), abs=1e-7)
    assert out.derivative("u")[:, 2] == pytest.approx(
        difference(lambda t: speeds(u=u + t * np.eye(4)[2]).u, 1e-4), abs=1e-7)
    assert out.derivative("e") == pytest.approx(
        difference(lambda t: speeds(e=0.5 + t).u, 1e-4), abs=1e-7)


def test_failed_rows_are_nan():
    out = carom.solve(np.eye(3), [[1, 0, -1.0], [1, 0, 1.0]], mu=0.1)
    slope = out.derivative("mu")
    assert np.isfinite(slope[0]).all() and np.isnan(slope[1]).all()
    assert out.smoothness[1] == -1 and (out.kinks["kind"][1] == -1).all()


def test_by_velocity_alone_equals_the_general_derivative():
    """derivative("v") of one rigid contact takes the closed form; with W beside it the general one."""
    out = carom.solve(*random_problems(2000))
    quick = out.derivative("v")
    general = out._differentiate(list(range(9)), 0)["velocity"][..., 6:]
    known = np.isfinite(quick) & np.isfinite(general)
    assert known.mean() > 0.99 and np.isfinite(quick).mean() >= np.isfinite(general).mean()
    scale = np.abs(general).max(axis=(1, 2), keepdims=True)
    assert (np.abs(quick - general) / scale)[known].max() < 1e-8  # measured 3e-9


def test_lanes_equal_rows():
    """Rows of one contact are followed in SIMD lanes; those asked for kinks, too, one after the other."""
    W, v, mu, e = random_problems(1200)
    W[5, 0, 1] += 1
    v[6, 2] = 1
    mu[7], mu[8] = -1, 0
    v[9, :2] = 0
    law = np.where(np.arange(1200) % 3 == 0, "newton", "energetic")
    model = np.where((np.arange(1200) % 50 == 0) & (law == "energetic"), "compliant", "rigid")
    out = carom.solve(W, v, mu, e, model=model, restitution=law)
    lanes, rows = out._differentiate(list(range(12)), 0), out._differentiate(list(range(12)), 1)
    for name in ("status", "smoothness", "message"):
        assert (lanes[name] == rows[name]).all()
    for of in ("velocity", "impulse"):
        found, expected = lanes[of], rows[of]
        assert (np.isnan(found) == np.isnan(expected)).all()
        scale = 1 + np.nanmax(np.abs(expected), axis=(1, 2), keepdims=True, initial=0)
        assert np.nanmax(np.abs(found - expected) / scale) < 1e-8  # measured 2e-10
    one = carom.solve(W[700], v[700], mu[700], e[700], model=model[700], restitution=law[700])
    assert (out.derivative("mu")[700] == one.derivative("mu")).all()
