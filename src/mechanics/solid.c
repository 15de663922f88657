/* Inertia of simple bodies of uniform density. */
#include <carom/solid.h>

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "contact/status_end.h"
#include "math/array.h"

enum { SOLIDS = CAROM_SOLID_ROD + 1 };

static const struct {
    const char *name;
    int dimensions;
} solids[SOLIDS] = {{"ball", 1}, {"shell", 1}, {"box", 3}, {"cylinder", 2},
                    {"tube", 2}, {"cone", 2},  {"rod", 2}};

static bool is_solid(CaromSolid solid) {
    return (unsigned)solid < SOLIDS;
}

int carom_solid_dimensions(CaromSolid solid) {
    return is_solid(solid) ? solids[solid].dimensions : 0;
}

const char *carom_solid_string(CaromSolid solid) {
    return is_solid(solid) ? solids[solid].name : NULL;
}

/* Mean squares of x, y and z: the inertia is made of their sums. */
static void find_squares(CaromSolid solid, const double *size, double square[3]) {
    double a = size[0] * size[0], b = solids[solid].dimensions > 1 ? size[1] * size[1] : 0;
    double xy = 0, z = 0;
    switch (solid) {
    case CAROM_SOLID_BALL:
        xy = z = a / 5;
        break;
    case CAROM_SOLID_SHELL:
        xy = z = a / 3;
        break;
    case CAROM_SOLID_BOX:
        for (int i = 0; i < 3; i++) {
            square[i] = size[i] * size[i] / 12;
        }
        return;
    case CAROM_SOLID_CYLINDER:
        xy = a / 4;
        z = b / 12;
        break;
    case CAROM_SOLID_TUBE:
        xy = a / 2;
        z = b / 12;
        break;
    case CAROM_SOLID_CONE:
        xy = 3 * a / 20;
        z = 3 * b / 80;
        break;
    case CAROM_SOLID_ROD:
        xy = b / 4;
        z = a / 12;
        break;
    }
    square[0] = square[1] = xy;
    square[2] = z;
}

static const char *find_inertia_of(CaromSolid solid, double mass, const double *size,
                                   double inertia[9]) {
    if (!size || !inertia) {
        return "size and inertia must not be NULL";
    }
    if (!is_solid(solid)) {
        return "solid is not a known solid";
    }
    if (!(mass > 0 && mass < INFINITY)) {
        return "mass must be a finite number > 0";
    }
    for (int i = 0; i < solids[solid].dimensions; i++) {
        if (!(size[i] > 0 && size[i] < INFINITY)) {
            return "size has an entry that is not a finite number > 0";
        }
    }
    double square[3];
    find_squares(solid, size, square);
    for (int i = 0; i < 9; i++) {
        inertia[i] = 0;
    }
    for (int i = 0; i < 3; i++) {
        double moment = mass * (square[(i + 1) % 3] + square[(i + 2) % 3]);
        if (!(moment > 0 && moment < INFINITY)) {
            return "mass and size exceed the range of double precision";
        }
        inertia[4 * i] = moment;
    }
    return NULL;
}

CaromStatus carom_solid_inertia(CaromSolid solid, double mass, const double *size,
                                double inertia[9], const char **message) {
    const char *problem = find_inertia_of(solid, mass, size, inertia);
    if (problem) {
        array_fill_nan(inertia, 9);
    }
    return status_end(problem, message);
}
