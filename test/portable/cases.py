#!/usr/bin/env python3
"""Write the reference cases as a table of C, for test/portable/reference.c.

    test/portable/cases.py > cases.h

A case is a row of numbers: the largest error allowed, model, law, planar, number of contacts, W, v, for
each contact its coefficients, and the impulse. A system is brought to contact space with fractions, so
that W and v are rounded once.
"""
import fractions
import json
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "reference"
# how well the stored answers are known, as in the tests of each solver
ERRORS = {"friction": 1e-11, "compliant": 1e-11, "multiple": 1.5e-9, "multiple_compliant": 1e-8,
          "system": 1e-11}
MODELS = {"rigid": "CAROM_MODEL_RIGID", "compliant": "CAROM_MODEL_COMPLIANT"}
LAWS = {"energetic": "CAROM_LAW_ENERGETIC", "poisson": "CAROM_LAW_POISSON",
        "newton": "CAROM_LAW_NEWTON"}


def solve(matrix, right):
    """The columns x of matrix x = right, in fractions."""
    rows = [[fractions.Fraction(x) for x in [*row, *more]] for row, more in zip(matrix, right)]
    n = len(rows)
    for i in range(n):
        pivot = next(k for k in range(i, n) if rows[k][i] != 0)
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for k in range(n):
            if k != i:
                rows[k] = [x - rows[k][i] * y for x, y in zip(rows[k], rows[i])]
    return [row[n:] for row in rows]


def contact_space(scene):
    """W, v and whether the contacts are planar."""
    if "inverse_inertia" in scene:
        return scene["inverse_inertia"], scene["contact_velocity"], False
    jacobian = [[fractions.Fraction(x) for x in row]
                for contact in scene["contacts"] for row in contact["jacobian"]]
    mass, velocity = scene["system"]["mass_matrix"], scene["system"]["velocity"]
    response = solve(mass, [list(column) for column in zip(*jacobian)])
    W = [[float(sum(a * b[j] for a, b in zip(row, response))) for j in range(len(jacobian))]
         for row in jacobian]
    v = [float(sum(a * fractions.Fraction(u) for a, u in zip(row, velocity))) for row in jacobian]
    return W, v, len(scene["contacts"][0]["jacobian"]) == 2


def numbers(case, error):
    scene = case["scene"]
    W, v, planar = contact_space(scene)
    yield from (repr(error), MODELS[scene["model"]], LAWS[scene["restitution"]], str(int(planar)),
                str(len(scene["contacts"])))
    values = [x for row in W for x in row] + list(v)
    for contact in scene["contacts"]:
        values += [contact["mu"], contact.get("mu_static", 0), contact["e"],
                   contact.get("stiffness", 1), contact.get("stiffness_ratio", 17 / 14)]
    yield from (float(x).hex() for x in values + case["impulse"])


def main():
    print("static const double cases[] = {")
    for name, error in ERRORS.items():
        for case in json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")):
            print(", ".join(numbers(case, error)) + ",")
    print("0};")


main()
