/* See cvode_contact.h. Units inside: w = 1 and |v_n-| = 1. */
#include "cvode_contact.h"

#include <math.h>
#include <stdlib.h>

#include "cvode_setup.h"

struct CvodeContact {
    CvodeSetup ode;
    double B11, B12, B22, d1, d2, mu, e, gx, gy, mu_static;
    CaromLaw law;
    int restitution;
    double stop, least;
};

static void slip(const CvodeContact *c, double p, const double *y, double gamma[2]) {
    gamma[0] = c->gx + c->d1 * p + c->B11 * y[0] + c->B12 * y[1];
    gamma[1] = c->gy + c->d2 * p + c->B12 * y[0] + c->B22 * y[1];
}

static int rates(realtype p, N_Vector state, N_Vector rate, void *data) {
    const CvodeContact *c = data;
    const double *y = N_VGetArrayPointer(state);
    double *out = N_VGetArrayPointer(rate), gamma[2];
    slip(c, p, y, gamma);
    double r = sqrt(gamma[0] * gamma[0] + gamma[1] * gamma[1]);
    out[0] = -c->mu * gamma[0] / r;
    out[1] = -c->mu * gamma[1] / r;
    out[2] = 1 - p - c->d1 * y[0] - c->d2 * y[1];
    return 0;
}

static int roots(realtype p, N_Vector state, realtype *out, void *data) {
    const CvodeContact *c = data;
    const double *y = N_VGetArrayPointer(state);
    double gamma[2], vn = -1 + p + c->d1 * y[0] + c->d2 * y[1];
    slip(c, p, y, gamma);
    out[0] = vn;
    out[1] = gamma[0] * gamma[0] + gamma[1] * gamma[1] - c->least;
    out[2] = !c->restitution                 ? 1
             : c->law == CAROM_LAW_ENERGETIC ? y[2]
             : c->law == CAROM_LAW_POISSON   ? c->stop - p
                                             : c->stop - vn;
    return 0;
}

CvodeContact *cvode_contact_create(double tolerance) {
    CvodeContact *c = calloc(1, sizeof *c);
    if (c == NULL || cvode_setup_create(&c->ode, 3, rates, 3, roots, tolerance, c) != 0) {
        free(c);
        return NULL;
    }
    return c;
}

void cvode_contact_destroy(CvodeContact *contact) {
    if (contact != NULL) {
        cvode_setup_destroy(&contact->ode);
        free(contact);
    }
}

/* ---- closed form on straight impulse paths: I' = (kx, ky, 1) ---- */

static void end_compression(CvodeContact *c, double p, double *E) {
    c->restitution = 1;
    if (c->law == CAROM_LAW_ENERGETIC) {
        *E *= c->e * c->e;
    }
    c->stop = c->law == CAROM_LAW_POISSON ? (1 + c->e) * p : c->e;
}

static void finish_straight(CvodeContact *c, double kx, double ky, double *p, double *y) {
    double a = 1 + c->d1 * kx + c->d2 * ky;
    double vn = -1 + *p + c->d1 * y[0] + c->d2 * y[1], dp;
    if (!c->restitution) {
        dp = -vn / a;
        *p += dp;
        y[0] += kx * dp;
        y[1] += ky * dp;
        y[2] += vn * vn / (2 * a);
        vn = 0;
        end_compression(c, *p, &y[2]);
    }
    dp = c->law == CAROM_LAW_ENERGETIC ? 2 * y[2] / (vn + sqrt(vn * vn + 2 * a * y[2]))
         : c->law == CAROM_LAW_POISSON ? c->stop - *p
                                       : (c->stop - vn) / a;
    *p += dp;
    y[0] += kx * dp;
    y[1] += ky * dp;
}

/* From zero slip: stick, or slip along the direction with (mu B + lambda) s = d. */
static void finish_from_zero(CvodeContact *c, double *p, double *y) {
    double det = c->B11 * c->B22 - c->B12 * c->B12;
    double kx = (c->B12 * c->d2 - c->B22 * c->d1) / det;
    double ky = (c->B12 * c->d1 - c->B11 * c->d2) / det;
    if (hypot(kx, ky) > c->mu_static) {
        double low = 0, high = hypot(c->d1, c->d2), x = 1, z = 0;
        for (int i = 0; i < 60; i++) {
            double l = (low + high) / 2, m11 = c->mu * c->B11 + l, m22 = c->mu * c->B22 + l;
            double m12 = c->mu * c->B12, dm = m11 * m22 - m12 * m12;
            x = (m22 * c->d1 - m12 * c->d2) / dm;
            z = (m11 * c->d2 - m12 * c->d1) / dm;
            *(hypot(x, z) > 1 ? &low : &high) = l;
        }
        kx = -c->mu * x;
        ky = -c->mu * z;
    }
    finish_straight(c, kx, ky, p, y);
}

/* Slip is nearly zero: take it straight to zero, then continue from there. */
static void finish(CvodeContact *c, double *p, double *y) {
    double gamma[2], f;
    slip(c, *p, y, gamma);
    double r = hypot(gamma[0], gamma[1]), sx = r > 0 ? gamma[0] / r : 0,
           sy = r > 0 ? gamma[1] / r : 0;
    f = sx * (c->d1 - c->mu * (c->B11 * sx + c->B12 * sy)) +
        sy * (c->d2 - c->mu * (c->B12 * sx + c->B22 * sy));
    if (f < 0) {
        double dp = -r / f, vn = -1 + *p + c->d1 * y[0] + c->d2 * y[1];
        double a = 1 - c->mu * (c->d1 * sx + c->d2 * sy);
        y[2] -= dp * (vn + a * dp / 2);
        *p += dp;
        y[0] -= c->mu * sx * dp;
        y[1] -= c->mu * sy * dp;
    }
    finish_from_zero(c, p, y);
}

static int run(CvodeContact *c, double *p) {
    double *y = N_VGetArrayPointer(c->ode.y);
    int fired[3];
    c->least = 1e-12 * (c->gx * c->gx + c->gy * c->gy);
    if (c->least == 0) {
        finish_from_zero(c, p, y);
        return 0;
    }
    cvode_setup_begin(&c->ode);
    while (cvode_setup_next_root(&c->ode, p) == 0) {
        CVodeGetRootInfo(c->ode.cvode, fired);
        if (fired[2] != 0 && c->restitution) {
            return 0;
        }
        if (fired[1] != 0) {
            finish(c, p, y);
            return 0;
        }
        if (fired[0] > 0) {
            end_compression(c, *p, &y[2]);
            if (c->e == 0) {
                return 0;
            }
            CVodeReInit(c->ode.cvode, *p, c->ode.y);
        } else if (fired[0] < 0) {
            c->restitution = 0;
        }
    }
    return -1;
}

void cvode_contact_solve(CvodeContact *contact, const Impact *impact, Answer *answer) {
    CvodeContact *c = contact;
    const double *W = impact->W, w = W[8], speed = -impact->v[2];
    double p = 0, *y = N_VGetArrayPointer(c->ode.y);
    c->B11 = W[0] / w;
    c->B12 = W[1] / w;
    c->B22 = W[4] / w;
    c->d1 = W[2] / w;
    c->d2 = W[5] / w;
    c->gx = impact->v[0] / speed;
    c->gy = impact->v[1] / speed;
    c->mu = impact->contact.mu;
    c->mu_static = impact_mu_static(impact);
    c->e = impact->contact.e;
    c->law = impact->law;
    c->restitution = 0;
    y[0] = y[1] = y[2] = 0;
    answer->ok = run(c, &p) == 0;
    double unit = speed / w;
    const double I[3] = {y[0] * unit, y[1] * unit, p * unit};
    for (int i = 0; i < 3; i++) {
        answer->impulse[i] = I[i];
        answer->velocity[i] =
            impact->v[i] + W[3 * i] * I[0] + W[3 * i + 1] * I[1] + W[3 * i + 2] * I[2];
    }
}
