"""Pictures: each takes ax and returns it, and shows the numbers of the trace."""
import numpy as np
import pytest
from support import ROOT, random_problems

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

import carom  # noqa: E402
import carom.plot  # noqa: E402


@pytest.fixture
def ax():
    figure, axes = pyplot.subplots()
    yield axes
    figure.canvas.draw()
    pyplot.close(figure)


@pytest.mark.parametrize("kind", ["hodograph", "impulse", "velocity", "energy", "states"])
@pytest.mark.parametrize("name", ["pencil", "superball", "two_balls", "rod_planar", "ball_ball_table"])
def test_scene(kind, name, ax):
    scene = carom.load(ROOT / f"scenes/{name}.json")
    assert scene.trace().plot(kind, ax=ax) is ax
    assert ax.get_xlabel() and ax.get_ylabel()
    assert ax.lines or ax.collections


def test_lines_are_the_trace(ax):
    W, v, mu, e = random_problems(1)
    out = carom.solve(W[0], v[0], mu[0], e[0])
    carom.plot.impulse(out, ax)
    trace = out.trace()
    for i, line in enumerate(ax.lines):
        assert (line.get_xdata() == trace.clock).all()
        assert (line.get_ydata() == trace.impulse[:, i]).all()


def test_many_rows(ax):
    W, v, mu, e = random_problems(5)
    out = carom.solve(W, v, mu, e)
    assert len(carom.plot.velocity(out, ax).lines) == 15
    with pytest.raises(ValueError, match="one impact"):
        carom.plot.states(out, ax)
    with pytest.raises(ValueError, match="at most 200"):
        carom.plot.energy(carom.solve(np.eye(3), [0, 0, -1], np.zeros(201)), ax)
    with pytest.raises(ValueError, match="kind: must be one of"):
        out.trace().plot("cake")


def test_new_axes():
    axes = carom.plot.hodograph(carom.solve(np.eye(3), [1, 0, -1], mu=.2))
    assert axes.get_aspect() == 1
    pyplot.close(axes.figure)
