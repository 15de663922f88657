"""Bodies, mechanisms, flight, geometry, scenes."""
import json
import subprocess
import sys

import numpy as np
import pytest
from support import ROOT, program

import carom


def test_collide_equals_the_library_example():
    """examples/hello.c prints 1.5989, -1.00275, 2.4."""
    ball = carom.body(1.0, 0.4 * np.eye(3), velocity=[2, 0, -3], spin=[5, 0, 0], position=[0, 0, 1])
    out = carom.collide(ball, carom.fixed(), point=[0, 0, 0], normal=[0, 0, 1], mu=0.2, e=0.8)
    assert out.velocity == pytest.approx([1.5989, -1.00275, 2.4], abs=5e-5)
    same = carom.collide(carom.ball(1, 1, velocity=[2, 0, -3], spin=[5, 0, 0]), carom.floor(), mu=0.2,
                         e=0.8)
    assert (same.velocity == out.velocity).all()


def test_momentum_and_energy_of_two_balls():
    rng = np.random.default_rng(6)
    first = carom.ball(1.0, 0.5, velocity=rng.normal(size=(30, 3)) + [0, 0, -3],
                       spin=rng.normal(size=(30, 3)), position=[0, 0.2, 0.9])
    second = carom.ball(2.0, 0.5, spin=[1, 2, 3], position=[0, 0, 0])
    out = carom.collide(first, second, mu=0.3, e=0.7).raise_for_status()
    after, other = out.bodies
    momentum = 1.0 * after.velocity + 2.0 * other.velocity
    assert np.allclose(momentum, first.velocity, atol=1e-14)  # measured 9e-16
    change = after.energy + other.energy - first.energy - second.energy
    assert np.allclose(change, out.energy.change, atol=1e-13)  # measured 4e-15
    assert out.frame.shape[-2:] == (3, 3)


def test_collide_needs_a_place():
    box = carom.box(1, [1, 1, 1], velocity=[0, 0, -1])
    with pytest.raises(ValueError, match="point: must be given"):
        carom.collide(box, carom.floor())
    with pytest.raises(ValueError, match="normal: must be given"):
        carom.collide(box, carom.fixed(), point=[0, 0, 0])
    with pytest.raises(ValueError, match="position: two balls need it"):
        carom.collide(carom.ball(1, 1), carom.ball(1, 1))
    with pytest.raises(TypeError, match="colour: a body has no such field"):
        carom.ball(1, 1, colour=3)
    with pytest.raises(ValueError, match=r"velocity: must have shape \(\.\.\., 3\)"):
        carom.ball(1, 1, velocity=[1, 2])


def test_refused_bodies_are_rows():
    ball = carom.ball(1, 1, velocity=[[0, 0, -1.0]] * 3)
    mass = carom.body([1.0, -1.0, 1.0], np.eye(3), velocity=ball.velocity)
    out = carom.collide(mass, carom.fixed(), point=[0, 0, -1], normal=[0, 0, 1])
    assert out.status.tolist() == ["ok", "invalid_input", "ok"] and "mass" in out.message[1]
    assert np.isnan(out.velocity[1]).all() and not np.isnan(out.velocity[[0, 2]]).any()
    with pytest.raises(carom.InvalidInput, match="row 1: .*mass"):
        out.raise_for_status()
    with pytest.raises(carom.InvalidInput, match="mass"):
        carom.ball(-1, 1)
    one = carom.collide(carom.body(-1.0, np.eye(3)), carom.fixed(), point=[0, 0, 0], normal=[0, 0, 1])
    assert "mass" in one.message


def test_scene_of_bodies_by_hand():
    """pin_ball_bodies.json built from arrays."""
    scene = carom.load(ROOT / "scenes/two_balls.json")
    document = scene.document
    by_name = {}
    for i, one in enumerate(document["bodies"]):
        by_name[one.get("name", f"body {i}")] = i
    problem, expected = scene.problem(), scene.solve()
    direct = carom.solve(**problem)
    assert (direct.impulse == expected.impulse).all()
    assert set(expected.bodies) == set(by_name)


def test_strike_equals_carom_strike_scene():
    """robot_foot.json through system().strike(): the same speeds as the program's."""
    for name in ("robot_foot", "heel_toe"):
        scene = carom.load(ROOT / f"scenes/{name}.json")
        document = scene.document
        mechanism = carom.system(document["system"]["mass_matrix"], document["system"]["velocity"])
        contacts = document["contacts"]
        coefficients = {key: np.array([contact[key] for contact in contacts]).squeeze()
                        for key in ("mu", "e", "stiffness", "stiffness_ratio") if key in contacts[0]}
        out = mechanism.strike([contact["jacobian"] for contact in contacts], **coefficients,
                               model=document["model"], planar=len(contacts[0]["jacobian"]) == 2,
                               restitution=document.get("restitution"))
        assert out.raise_for_status().u.tolist() == scene.solve().velocity.tolist()


def test_system_input():
    with pytest.raises(ValueError, match=r"M: must have shape"):
        carom.system(np.eye(3), [1.0, 2.0])
    with pytest.raises(ValueError, match=r"J: must have shape"):
        carom.system(np.eye(2), [1.0, 2.0]).strike(np.eye(2))
    bad = carom.system(-np.eye(3), [0, 0, -1.0]).strike(np.eye(3))
    with pytest.raises(carom.InvalidInput, match="positive definite"):
        bad.raise_for_status()
    assert np.isnan(bad.u).all()
    u = np.array([[1.0, 0, -2], [1, 0, 2]])
    rows = carom.system(np.eye(3), u).strike(np.eye(3), mu=0.1, e=1)
    assert rows.status.tolist() == ["ok", "not_approaching"] and np.isnan(rows.u[1]).all()


def test_flight():
    body = carom.box(1.0, [1, 2, 3], velocity=[1, 2, 3], spin=[1, -2, 0.5])
    there = carom.fly(body, [0.5, 1.0])
    back = carom.fly(carom.fly(body, 0.7), -0.7)
    assert there.position.shape == (2, 3)
    assert there.position[1] == pytest.approx([1, 2, 3 - 9.81 / 2], rel=1e-14)
    assert back.orientation == pytest.approx([1, 0, 0, 0], abs=1e-13)  # measured 3e-16
    with pytest.raises(carom.InvalidInput, match="dt"):
        carom.fly(body, np.nan)
    vertices = np.array([[x, y, z] for x in (-.5, .5) for y in (-1, 1) for z in (-1.5, 1.5)])
    hit = carom.touch(body.replace(position=[0, 0, 3]), vertices=vertices)
    assert hit.found and abs(hit.point[2]) < 1e-9
    none = carom.touch(body.replace(position=[0, 0, 3]), gravity=[0, 0, 0], vertices=vertices,
                       horizon=[0.1, 0.2])
    assert not none.found.any() and np.isnan(none.time).all()


def test_bounce_repeats():
    """A ball that falls from h rises to e^2 h."""
    ball = carom.ball(1.0, 0.1, position=[0, 0, 1.1])
    hit = carom.touch(ball)
    up = carom.collide(hit.body, carom.floor(), e=0.8).bodies[0]
    top = carom.fly(up, up.velocity[2] / 9.81)
    assert top.position[2] - 0.1 == pytest.approx(0.64, rel=1e-12)


def test_geometry():
    W = np.diag([1.0, 2.0, 1.0])
    found = carom.invariant_directions(np.stack([W, np.eye(3)]), 0.3)
    assert found.count.tolist() == [4, -1] and np.isnan(found.rate[1]).all()
    with pytest.raises(carom.InvalidInput, match="mu"):
        carom.invariant_directions(W, -1)
    assert np.isnan(carom.hodograph(W, 0.3, [1, 1], [0.5, 3.0])).tolist() == [False, True]
    assert carom.combine([0.2], 0.8, "max") == [0.8]
    with pytest.raises(ValueError, match="rule: must be one of min"):
        carom.combine(1, 1, "sum")
    assert np.isnan(carom.stiffness_ratio(2.0))


def test_roll_and_mesh():
    end = carom.roll(np.inf, radius=0.03, mu_slide=0.2, mu_roll=0.01, velocity=[1, 0, 0])
    rolling = 5 / 7  # speed when it starts to roll
    length = (1 - rolling**2) / (2 * 0.2 * 9.81) + rolling**2 / (2 * 5 / 7 * 0.01 * 9.81)
    assert end.position[0] == pytest.approx(length, rel=1e-12)
    with pytest.raises(carom.InvalidInput, match="radius"):
        carom.roll(1, radius=-1, mu_slide=0, mu_roll=0, velocity=[1, 0, 0])
    with pytest.raises(ValueError, match="faces"):
        carom.mesh(np.eye(3), [[0, 1]], 1.0)
    with pytest.raises(ValueError, match="closed|edge"):
        carom.mesh(np.eye(3), [[0, 1, 2]], 1.0)


def test_scene_edit_and_save(tmp_path):
    scene = carom.load(ROOT / "scenes/pencil.json")
    before = scene.solve()
    scene["contacts[0].e"] = 0.25
    assert scene["e"] == 0.25 and scene.document["contacts"][0]["e"] == 0.25
    scene.save(tmp_path / "new.json")
    expected = json.loads(program("solve", "--json", tmp_path / "new.json")[0])
    assert scene.solve().report == expected != before.report
    assert "sequence" in scene.words() and scene.trace(7).clock.shape == (7,)
    with pytest.raises(KeyError, match="contacts"):
        scene["contacts[9].mu"] = 1
    with pytest.raises(carom.SceneError, match=r"contacts\[0\]\.mu: must be a number >= 0, got -1"):
        scene["mu"] = -1
    assert scene.solve().report == expected
    scene.document["colour"] = "red"
    with pytest.raises(carom.SceneError, match="colour"):
        scene.solve()


def test_scene_messages_are_the_programs(tmp_path):
    for text in ("{", '{"carom": 1}', '{"carom": 1, "model": "rigid"}', "[]", ""):
        path = tmp_path / "bad.json"
        path.write_text(text)
        with pytest.raises(carom.SceneError) as caught:
            carom.load(path)
        assert program("solve", path)[1].strip().endswith(str(caught.value))
    with pytest.raises(carom.SceneError, match="nothing.json"):
        carom.load(tmp_path / "nothing.json")


def test_scene_without_a_result():
    scene = carom.load(ROOT / "scenes/thrown_ball.json")
    out = carom.Scene({"carom": 1, "model": "rigid", "inverse_inertia": np.eye(3).tolist(),
                       "contact_velocity": [0, 0, 1], "contacts": [{"mu": 0, "e": 1}]}).solve()
    assert not out.ok and out.status == "not_approaching"
    with pytest.raises(carom.SceneError, match="not_approaching"):
        out.raise_for_status()
    assert scene.solve().ok


def test_module_is_the_program():
    scene = str(ROOT / "scenes/pencil.json")
    for arguments in (["solve", scene], ["--version"], ["solve", "nothing.json"], ["nonsense"], []):
        done = subprocess.run([sys.executable, "-m", "carom", *arguments], capture_output=True,
                              text=True, check=False)
        assert (done.stdout, done.stderr, done.returncode) == program(*arguments)


def test_one_contact_by_the_impulse_law():
    """Closed form of a ball that sticks or slides: as one contact of the process where slip does not
    turn; other rows are those of two contacts of which one does not act."""
    M, J = np.eye(3), np.diag([1.0, 1.0, 1.0])
    out = carom.system(M, [[3.0, 0, -1], [0.1, 0, -1]]).strike(J, mu=0.2, e=0.5, method="impulse")
    assert out.u == pytest.approx(np.array([[3 - 0.3, 0, 0.5], [0, 0, 0.5]]))
    assert out.events.size == 0 and out.sequence.tolist() == ["", ""]
    rng = np.random.default_rng(5)
    A = rng.normal(size=(50, 3, 3))
    W = A @ A.transpose(0, 2, 1) + 0.3 * np.eye(3)
    v = rng.normal(size=(50, 3)) - [0, 0, 3]
    one = carom.solve(W, v, 0.4, 0.6, method="impulse").raise_for_status()
    both = np.zeros((50, 6, 6))
    both[:, :3, :3], both[:, 3:, 3:] = W, np.eye(3)
    two = carom.solve(both, np.concatenate([v, np.tile([0.0, 0, 1], (50, 1))], axis=1), 0.4, 0.6)
    assert np.abs(one.velocity - two.velocity[:, :3]).max() < 1e-12  # measured 4e-15
    process = carom.solve(W, v, 0.4, 0.6, restitution="newton")
    assert np.abs(one.velocity - process.velocity).max() > 1e-3  # another law
    with pytest.raises(ValueError, match="only the exact one has derivatives"):
        one.derivative("mu")
    with pytest.raises(ValueError, match="rigid contacts"):
        carom.solve(W, v, 0.4, 0.6, model="compliant", method="impulse")


def moved(body, motion):
    """The body with small changes of position, rotation vector, velocity and spin."""
    x, r, v, w = np.asarray(motion).reshape(4, 3)
    angle = np.linalg.norm(r)
    turn = np.array([np.cos(angle / 2), *(np.sinc(angle / 2 / np.pi) * r / 2)])
    a, b = turn, body.orientation
    product = np.array([a[0] * b[0] - a[1:] @ b[1:],
                        *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:]))])
    return body.replace(position=body.position + x, orientation=product, velocity=body.velocity + v,
                        spin=body.spin + w)


def test_flight_and_touch_derivatives():
    """Against differences: a tumbling box that falls on a corner."""
    size = np.array([0.3, 0.2, 0.1])
    box = carom.box(1.0, size, position=[0, 0, 1.0], orientation=[0.8, 0.1, 0.5, 0.3162],
                    velocity=[1.0, 0.5, 0], spin=[3.0, -2, 1])
    box = box.replace(orientation=box.orientation / np.linalg.norm(box.orientation))
    corners = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]) * size / 2
    hit = carom.touch(box, vertices=corners, derivative=True)
    flight = carom.fly_derivative(box, [0.1, 0.2])
    assert flight.shape == (2, 12, 12) and hit.by_motion.shape == (12, 12)
    h = 1e-6
    for k in range(12):
        step = h * np.eye(12)[k]
        ends = [carom.touch(moved(box, side * step), vertices=corners) for side in (-1, 1)]
        assert hit.by_time[k] == pytest.approx((ends[1].time - ends[0].time) / (2 * h), abs=1e-8)
        places = [np.concatenate([end.body.position, end.body.velocity, end.body.spin]) for end in ends]
        slope = (places[1] - places[0]) / (2 * h)
        assert hit.by_motion[[0, 1, 2, 6, 7, 8, 9, 10, 11], k] == pytest.approx(slope, abs=1e-7)
        flown = [carom.fly(moved(box, side * step), 0.2) for side in (-1, 1)]
        slope = (flown[1].spin - flown[0].spin) / (2 * h)
        assert flight[1, 9:, k] == pytest.approx(slope, abs=1e-7)
    rows = carom.touch(box.replace(velocity=np.zeros((4, 3))), vertices=corners, derivative=True)
    assert rows.by_time.shape == (4, 12)
