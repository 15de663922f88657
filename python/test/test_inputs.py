"""Arguments that are not contiguous float64: right answers or clear exceptions."""
import subprocess
import sys

import numpy as np
import pytest
from support import random_problems

import carom

W, v, mu, e = random_problems(8)
EXPECTED = carom.solve(W, v, mu, e).impulse


@pytest.mark.parametrize("change", [
    lambda a: np.asfortranarray(a), lambda a: np.repeat(a, 2, axis=0)[::2],
    lambda a: a[::-1].copy()[::-1], lambda a: a.astype(">f8"), lambda a: a.tolist(),
    lambda a: a.astype(np.longdouble), lambda a: np.frombuffer(b"x" + a.tobytes(), "f8", a.size, 1)
    .reshape(a.shape)], ids=["fortran", "strided", "negative_stride", "big_endian", "list",
                             "longdouble", "unaligned"])
def test_layouts_give_the_same_bits(change):
    out = carom.solve(change(W), change(v), change(mu), change(e))
    assert out.impulse.tobytes() == EXPECTED.tobytes()


def test_transposed_core():
    out = carom.solve(W.transpose(0, 2, 1), v, mu, e)
    assert out.impulse.tobytes() == EXPECTED.tobytes()


def test_float32_and_integers_are_converted():
    out = carom.solve(W.astype("f4"), v.astype("f4"), mu.astype("f4"), e.astype("f4"))
    same = carom.solve(W.astype("f4").astype("f8"), v.astype("f4").astype("f8"),
                       mu.astype("f4").astype("f8"), e.astype("f4").astype("f8"))
    assert out.impulse.dtype == np.float64 and (out.impulse == same.impulse).all()
    assert (carom.solve(np.eye(3, dtype=int), [0, 0, -1]).velocity == [0, 0, 1]).all()


def test_read_only():
    arrays = [a.copy() for a in (W, v, mu, e)]
    for a in arrays:
        a.flags.writeable = False
    out = carom.solve(*arrays)
    assert (out.impulse == EXPECTED).all() and out.events.size
    assert out.derivative("mu").shape == (8, 3)


def test_empty():
    out = carom.solve(W[:0], v[:0], mu[:0], e[:0])
    assert out.impulse.shape == (0, 3) and out.events.size == 0 and out.status.shape == (0,)
    assert out.derivative("v").shape == (0, 3, 3) and out.raise_for_status() is out
    assert carom.solve(W, v, np.zeros((0, 8))).impulse.shape == (0, 8, 3)


def test_no_copies_of_contiguous_input():
    problems = carom.solve(W, v, mu, e)._problems
    assert problems.W is W and problems.v is v


@pytest.mark.parametrize("arguments, error, message", [
    ((np.eye(2), [0, -1]), ValueError, r"W: must have shape \(\.\.\., 3n, 3n\) .* got \(2, 2\)"),
    ((np.eye(3), [0, -1]), ValueError, r"v: must have shape \(\.\.\., 3\), got \(2,\)"),
    ((np.ones((3, 4)), [0, 0, -1]), ValueError, "W: must have shape"),
    ((1.0, [0, 0, -1]), ValueError, "W: must have shape"),
    ((np.eye(3), [[0, 0, -1]] * 4, np.ones(3)), ValueError, r"mu: its rows \(3,\) do not broadcast"),
    ((np.eye(3), ["a", "b", "c"]), TypeError, "v: must be real numbers"),
    ((np.eye(3), [0, 0, -1j]), TypeError, "v: must be real numbers"),
    ((np.eye(3), [0, 0, -1], "x"), TypeError, "mu: must be real numbers"),
    ((np.eye(3), np.array([0, 0, -1], dtype=object)), TypeError, "v: .* dtype object"),
    ((np.eye(3), [0, [1, 2], -1]), ValueError, "v: not an array of numbers"),
    ((np.eye(6), np.full(6, -1.0), [1, 2, 3]), ValueError, r"mu: must have shape \(\.\.\., 2\)"),
])
def test_wrong_shapes_and_types(arguments, error, message):
    with pytest.raises(error, match=message):
        carom.solve(*arguments)


@pytest.mark.parametrize("options, message", [
    ({"model": "soft"}, "model: must be one of rigid, compliant, got 'soft'"),
    ({"restitution": "stronge"}, "restitution: must be one of energetic"), ({"method": "rk4"}, "method: must be"),
    ({"restitution": np.array(["newton", "nothing"])}, "restitution: .* got 'nothing'"),
    ({"scheme": {"stepp": 1}}, "scheme: unknown field 'stepp'")])
def test_wrong_names(options, message):
    with pytest.raises(ValueError, match=message):
        carom.solve(np.eye(3), [0, 0, -1], **options)
    with pytest.raises(TypeError, match="model: must be a name"):
        carom.solve(np.eye(3), [0, 0, -1], model=1)


@pytest.mark.parametrize("options, message", [
    ({"mu": np.nan}, "mu must be"), ({"e": 1.5}, r"e must be in \[0, 1\]"),
    ({"stiffness_ratio": 0, "model": "compliant"}, "stiffness_ratio must be"),
    ({"mu": 0.5, "mu_static": 0.0}, "mu_static must be"),
    ({"mu": 0.5, "mu_static": 0.4}, "mu_static must be"),
    ({"restitution": "mono_stiffness"}, "restitution: mono_stiffness belongs to the compliant model"),
    ({"restitution": "plastic_deformation"}, "restitution")])
def test_refused_values_name_the_argument(options, message):
    with pytest.raises(carom.InvalidInput, match=message):
        carom.solve(np.eye(3), [1, 0, -1], **options).raise_for_status()


def test_W_that_is_refused():
    for bad, message in ((np.full((3, 3), np.nan), "W has an entry that is not finite"),
                         (np.diag([1.0, 1, -1]), "W is not positive"),
                         ([[1, 0, 0], [.5, 1, 0], [0, 0, 1]], "W is not symmetric")):
        with pytest.raises(carom.InvalidInput, match=message):
            carom.solve(bad, [1, 0, -1], mu=.1).raise_for_status()


def test_options_of_result():
    out = carom.solve(np.eye(3), [1, 0, -1], mu=.1)
    with pytest.raises(ValueError, match="name: must be one of W, v, mu"):
        out.derivative("x")
    with pytest.raises(ValueError, match="of: must be velocity or impulse"):
        out.derivative("mu", of="energy")
    with pytest.raises(ValueError, match="samples: must be at least 2"):
        out.trace(1)
    with pytest.raises(ValueError, match="only the exact one has derivatives"):
        carom.solve(np.eye(3), [1, 0, -1], method="ni").derivative("mu")
    with pytest.raises(ValueError, match="count: must be at least 1"):
        carom.set_threads(0)


def test_memory_of_a_call():
    """A call takes memory for its results and nothing else that grows with the rows."""
    script = """
import resource, numpy as np, carom
n = 400_000
W, v = np.tile(np.diag([3.5, 3.5, 1.0]), (n, 1, 1)), np.tile([1.0, 0.5, -2.0], (n, 1))
mu = np.linspace(0.01, 1, n)
carom.solve(W[:1000], v[:1000], mu[:1000], 0.5)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
out = carom.solve(W, v, mu, 0.5)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
size = sum(a.nbytes for a in vars(out).values() if isinstance(a, np.ndarray))
print(size / n, 1024 * (after - before) / n)
"""
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    results, grown = (float(word) for word in done.stdout.split())
    assert grown < results + 16  # bytes per row; measured 152 and 152
