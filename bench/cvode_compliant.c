/* See cvode_compliant.h. Units inside: w = 1, |v_n-| = 1 and the first k = 1. */
#include "cvode_compliant.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cvode_setup.h"

/* I_x, I_y, p, N, f_x, f_y */
enum { SIZE = 6, ROOTS = 3, MOST_EVENTS = 500 };

/* N at which slip starts, and ends */
static const double EDGE = 1e-6;

struct CvodeCompliant {
    CvodeSetup ode;
    double W[9], v[3], mu, e, kt, k;
    int slips, restitution;
};

static void velocity(const CvodeCompliant *c, const double *y, double v[3]) {
    for (int i = 0; i < 3; i++) {
        v[i] = c->v[i] + c->W[3 * i] * y[0] + c->W[3 * i + 1] * y[1] + c->W[3 * i + 2] * y[2];
    }
}

static int rates(realtype t, N_Vector state, N_Vector rate, void *data) {
    const CvodeCompliant *c = data;
    const double *y = N_VGetArrayPointer(state);
    double *out = N_VGetArrayPointer(rate), v[3];
    (void)t;
    velocity(c, y, v);
    out[0] = -y[4];
    out[1] = -y[5];
    out[2] = y[3];
    out[3] = -c->k * v[2];
    if (c->slips) {
        double size = sqrt(y[4] * y[4] + y[5] * y[5]), sx = y[4] / size, sy = y[5] / size;
        double along = c->mu * out[3], across = c->kt * (v[1] * sx - v[0] * sy);
        out[4] = along * sx - across * sy;
        out[5] = along * sy + across * sx;
    } else {
        out[4] = c->kt * v[0];
        out[5] = c->kt * v[1];
    }
    return 0;
}

static int roots(realtype t, N_Vector state, realtype *out, void *data) {
    const CvodeCompliant *c = data;
    const double *y = N_VGetArrayPointer(state);
    double v[3], size = sqrt(y[4] * y[4] + y[5] * y[5]);
    (void)t;
    velocity(c, y, v);
    out[0] = c->restitution ? -v[2] : v[2];
    out[1] = c->slips ? (v[0] * y[4] + v[1] * y[5]) / size + c->mu * c->k / c->kt * v[2]
                      : c->mu * y[3] - size;
    out[2] = c->restitution ? y[3] - (c->slips ? EDGE : 0) : 1;
    return 0;
}

CvodeCompliant *cvode_compliant_create(double tolerance) {
    CvodeCompliant *c = calloc(1, sizeof *c);
    int directions[ROOTS] = {1, -1, -1};
    if (c == NULL || cvode_setup_create(&c->ode, SIZE, rates, ROOTS, roots, tolerance, c) != 0) {
        free(c);
        return NULL;
    }
    CVodeSetRootDirection(c->ode.cvode, directions);
    return c;
}

void cvode_compliant_destroy(CvodeCompliant *contact) {
    if (contact != NULL) {
        cvode_setup_destroy(&contact->ode);
        free(contact);
    }
}

/* Handles a root; 1 if the impact is over. */
static int handle(CvodeCompliant *c, double *y) {
    int fired[ROOTS];
    CVodeGetRootInfo(c->ode.cvode, fired);
    if (fired[2] != 0) {
        return 1;
    }
    if (fired[0] != 0) {
        c->restitution = !c->restitution;
        if (c->restitution && c->e == 0) {
            return 1;
        }
        c->k /= c->restitution ? c->e * c->e : 1;
    }
    if (fired[1] != 0) {
        /* put the force exactly on the cone */
        double by = c->mu * y[3] / sqrt(y[4] * y[4] + y[5] * y[5]);
        y[4] *= by;
        y[5] *= by;
        c->slips = !c->slips;
    }
    return 0;
}

/* From the start to a point where slip can be integrated: N = t. */
static void start(CvodeCompliant *c, double *y) {
    double r = sqrt(c->v[0] * c->v[0] + c->v[1] * c->v[1]);
    memset(y, 0, SIZE * sizeof *y);
    c->k = 1;
    c->restitution = 0;
    c->slips = r > c->mu / c->kt;
    if (c->slips) {
        y[3] = EDGE;
        y[4] = c->mu * EDGE * c->v[0] / r;
        y[5] = c->mu * EDGE * c->v[1] / r;
        y[0] = -y[4] * EDGE / 2;
        y[1] = -y[5] * EDGE / 2;
        y[2] = EDGE * EDGE / 2;
    }
}

/* The end of slip: N falls to 0 at the rate k v_n. */
static void finish(const CvodeCompliant *c, double *y) {
    double v[3];
    velocity(c, y, v);
    if (c->slips && c->restitution && v[2] > 0) {
        double time = y[3] / (c->k * v[2]);
        y[0] -= y[4] * time / 2;
        y[1] -= y[5] * time / 2;
        y[2] += y[3] * time / 2;
    }
}

static int run(CvodeCompliant *c) {
    double *y = N_VGetArrayPointer(c->ode.y), t = 0;
    start(c, y);
    if (c->mu == 0) {
        y[2] = 1 + c->e;
        return 0;
    }
    cvode_setup_begin(&c->ode);
    for (int events = 0; events < MOST_EVENTS; events++) {
        if (cvode_setup_next_root(&c->ode, &t) != 0) {
            return -1;
        }
        if (handle(c, y)) {
            if (c->e > 0) {
                finish(c, y);
            }
            return 0;
        }
        CVodeReInit(c->ode.cvode, t, c->ode.y);
    }
    return -1;
}

void cvode_compliant_solve(CvodeCompliant *contact, const Impact *impact, Answer *answer) {
    CvodeCompliant *c = contact;
    double w = impact->W[8], speed = -impact->v[2], unit = speed / w;
    for (int i = 0; i < 9; i++) {
        c->W[i] = impact->W[i] / w;
    }
    for (int i = 0; i < 3; i++) {
        c->v[i] = impact->v[i] / speed;
    }
    c->mu = impact->contact.mu;
    c->e = impact->contact.e;
    c->kt = 1 / impact->contact.stiffness_ratio;
    answer->ok = run(c) == 0;
    const double *y = N_VGetArrayPointer(c->ode.y);
    for (int i = 0; i < 3; i++) {
        const double *row = impact->W + 3 * i;
        answer->impulse[i] = y[i] * unit;
        answer->velocity[i] = impact->v[i] + (row[0] * y[0] + row[1] * y[1] + row[2] * y[2]) * unit;
    }
}
