"""carom.torch: gradients against differences, and what they are for."""
import numpy as np
import pytest
from support import random_problems

torch = pytest.importorskip("torch", reason="torch is not here (python3-torch)")

import carom  # noqa: E402
import carom.torch  # noqa: E402
from torch.autograd import gradcheck  # noqa: E402


def smooth_problems(count, model="rigid"):
    """Problems away from kinks, as tensors that want gradients."""
    W, v, mu, e = random_problems(4 * count)
    out = carom.solve(W, v, mu, e, model=model)
    far = (out.kinks["distance"] > 0.05).all(axis=-1) & (out.smoothness == 0)
    assert far.sum() >= count
    return [torch.tensor(a[far][:count], requires_grad=True) for a in (W, v, mu, e)]


@pytest.mark.parametrize("model", ["rigid", "compliant"])
def test_gradcheck(model):
    inputs = smooth_problems(5, model)
    ratio = torch.full((5,), 1.3, dtype=torch.double, requires_grad=True)

    def outcome(W, v, mu, e, ratio):
        options = {"stiffness_ratio": ratio} if model == "compliant" else {}
        out = carom.torch.solve(W, v, mu, e, model=model, **options)
        return out.impulse, out.velocity
    assert gradcheck(outcome, (*inputs, ratio), eps=1e-6, atol=1e-6)


def test_gradcheck_of_several_contacts_and_broadcasting():
    rng = np.random.default_rng(8)
    A = rng.normal(size=(6, 6))
    W = torch.tensor(A @ A.T + np.eye(6), requires_grad=True)
    v = torch.tensor(rng.normal(size=(3, 6)) - [0, 0, 2, 0, 0, 2], requires_grad=True)
    mu = torch.tensor([0.2, 0.3], dtype=torch.double, requires_grad=True)
    out = carom.torch.solve(W, v, mu, 0.0)
    assert out.ok.all() and (out.result.kinks["distance"] > 1e-3).all()
    assert gradcheck(lambda W, v, mu: carom.torch.solve(W, v, mu, 0.0).velocity, (W, v, mu))


def test_rows_that_the_loss_leaves_out():
    v = torch.tensor([[1.0, 0, -1], [1, 0, 1]], dtype=torch.double, requires_grad=True)
    out = carom.torch.solve(torch.eye(3, dtype=torch.double), v, 0.1, 0.5)
    out.velocity[out.ok].sum().backward()
    assert torch.isfinite(v.grad).all() and (v.grad[1] == 0).all() and (v.grad[0] != 0).any()
    v.grad = None
    carom.torch.solve(torch.eye(3, dtype=torch.double), v, 0.1, 0.5).velocity.sum().backward()
    assert torch.isnan(v.grad[1]).all()


def test_kinds_of_tensors():
    v = torch.tensor([1.0, 0, -1], requires_grad=True)  # float32
    out = carom.torch.solve(torch.eye(3), v, 0.1, 0.5)
    out.velocity.sum().backward()
    assert out.velocity.dtype == torch.float32 and v.grad.dtype == torch.float32
    with pytest.raises(TypeError, match="method: only the exact one"):
        carom.torch.solve(torch.eye(3), v, method="ni")
    changed = torch.tensor([1.0, 0, -1], dtype=torch.double, requires_grad=True)
    copy = changed * 1
    loss = carom.torch.solve(torch.eye(3, dtype=torch.double), copy, 0.1, 0.5).velocity.sum()
    copy.mul_(2)
    with pytest.raises(RuntimeError, match="inplace"):
        loss.backward()


def test_learn_mu_and_e():
    """From 200 impacts with mu 0.23 and e 0.71, by stochastic gradient descent."""
    torch.manual_seed(0)
    rng = np.random.default_rng(9)
    v = 10 * rng.normal(size=(200, 3))  # fast enough to slip: stick does not know mu
    v[:, 2] = -1 - rng.random(200)
    W = np.diag([3.5, 3.5, 1.0])
    after = torch.tensor(carom.solve(W, v, 0.23, 0.71).velocity)
    W, v = torch.tensor(W), torch.tensor(v)
    raw = torch.tensor([0.0, 0.0], dtype=torch.double, requires_grad=True)
    descent = torch.optim.SGD([raw], lr=0.2, momentum=0.5)
    for _ in range(200):
        for batch in torch.randperm(200).split(50):
            descent.zero_grad()
            mu, e = torch.sigmoid(raw)
            out = carom.torch.solve(W, v[batch], mu, e)
            ((out.velocity - after[batch])**2).mean().backward()
            descent.step()
    mu, e = torch.sigmoid(raw).tolist()
    assert abs(mu - 0.23) < 1e-6 and abs(e - 0.71) < 1e-6  # measured 3e-11, 2e-10


def positions_after(x1, v1, x2, v2, T=2.0, mu=0.0, e=1.0):
    """Two balls of radius 1/2 and equal mass: where they are at time T, after they met."""
    time = carom.torch.touch_time(x1, v1, x2, v2, 1.0)[..., None]
    y1, y2 = x1 + v1 * time, x2 + v2 * time
    rest = torch.zeros_like(x1)
    after = carom.torch.collide_balls(y1 - y2, v1, rest, v2, rest, (1.0, 1.0), (0.5, 0.5), mu, e)
    return torch.cat([y1 + after.first_velocity * (T - time),
                      y2 + after.second_velocity * (T - time)], dim=-1)


def two_balls(*offsets):
    numbers = [[0.0, 0, 0], [1.0, 0, 0], [2.0, 0, 0], [-0.5, 0, 0]]
    numbers[2][1], numbers[2][2] = offsets
    return [torch.tensor(x, dtype=torch.double, requires_grad=True) for x in numbers]


def test_positions_after_an_elastic_collision():
    """nimblephysics issue 97: engines with time steps give d(position after)/d(position before) of
    the identity. Head on, equal balls change places: ball 1 goes on where ball 2 would be."""
    inputs = two_balls(0.0, 0.0)
    rows = [torch.autograd.grad(positions_after(*inputs)[i], inputs) for i in (0, 3)]
    by = [[float(part[0]) for part in row] for row in rows]  # x of both balls by x1, v1, x2, v2
    assert by[0] == pytest.approx([0, 0, 1, 2.0], abs=1e-14)  # measured 2e-16
    assert by[1] == pytest.approx([1, 2.0, 0, 0], abs=1e-14)


@pytest.mark.parametrize("mu, e", [(0.0, 1.0), (0.2, 0.8)])
def test_positions_after_an_oblique_collision(mu, e):
    assert gradcheck(lambda *x: positions_after(*x, mu=mu, e=e), two_balls(0.3, -0.2), atol=1e-6)
