#include "planar/path.h"

#include "contact/check.h"
#include "contact/singular.h"

const char *crm_path_begin(Path *path, const double W[4], const double v[2],
                           const CaromContact *contact, CaromLaw law) {
    double speed = -v[1], inverse = 1 / W[3], unit = speed * inverse;
    double B = W[0] * inverse, d = W[1] * inverse, gamma = v[0] / speed;
    path->side = gamma < 0 ? -1 : 1;
    path->gamma = gamma = fabs(gamma);
    d *= path->side;
    path->mu = contact->mu;
    path->mu_static = contact_mu_static(contact);
    path->e = contact->e;
    path->law = law;
    path->unit_velocity = speed;
    path->unit_impulse = unit;
    /* squares of these occur: keep them well inside the range of a double */
    if (!(gamma < 1e100 && path->mu * (B + 1) < 1e100 && B < 1e100 && unit * speed > 1e-290 &&
          unit * speed < 1e290)) {
        return "inverse_inertia, contact_velocity, mu: the scales are too far apart";
    }
    path->wedged = 0;
    if (!(B - d * d > SINGULAR * B && B > LOCKED)) {
        if (B <= LOCKED && fabs(d) <= SINGULAR) {
            B = d = 0;
        } else if (B - d * d >= -SINGULAR * B) {
            path->wedged = 1;
        } else {
            return "inverse_inertia is not positive definite";
        }
    }
    path->B = B;
    path->d = d;
    return 0;
}

/* Leg 2: stick, or slip towards d. */
static void leave_zero(Path *path) {
    double B = path->B, d = path->d, hold = B > 0 ? d / B : 0;
    path->sticks = fabs(hold) <= path->mu_static;
    if (path->sticks) {
        path->ratio = -hold;
        path->drift[1] = 0;
        path->rise[1] = B == 0 ? 1 : path->wedged ? 0 : (B - d * d) / B;
    } else {
        path->ratio = d > 0 ? -path->mu : path->mu;
        path->drift[1] = d + path->ratio * B;
        path->rise[1] = 1 - path->mu * fabs(d);
    }
}

/* Restitution on leg 2, from p with the given v_n and E; `released` holds what came before. */
static int restitute(Path *path, double from, double vn, double E) {
    double rise = path->rise[1], rest;
    switch (path->law) {
    case CAROM_LAW_POISSON:
        path->end = (1 + path->e) * path->compression;
        rest = path->end - from;
        path->vn = vn + rise * rest;
        path->released += (vn + path->vn) / 2 * rest;
        return 1;
    case CAROM_LAW_NEWTON:
        rest = path->e > vn ? (path->e - vn) / rise : 0;
        path->vn = path->e;
        path->end = from + rest;
        path->released += (vn + path->vn) / 2 * rest;
        return path->end < INFINITY;
    default:
        path->vn = sqrt(vn * vn + 2 * rise * E);
        rest = E > 0 ? 2 * E / (vn + path->vn) : 0;
        path->end = from + rest;
        path->released = path->e * path->e * path->stored;
        /* v_n' may be nothing but rounding: does the answer hang on that? */
        return !(path->wedged && rise <= SINGULAR && E > 0 && vn * vn <= 2 * SINGULAR * E);
    }
}

/* Compression ends in the first slip. */
static int run_early(Path *path) {
    double e = path->e, rise = path->rise[0], pc = 1 / rise;
    path->compression = pc;
    path->stored = pc / 2;
    if ((1 + e) * pc <= path->turn) {
        path->turn = INFINITY;
        path->end = (1 + e) * pc;
        path->vn = e;
        path->released = e * e * path->stored;
        return 1;
    }
    leave_zero(path);
    double past = path->turn - pc, back = e * pc;
    path->released = rise / 2 * past * past;
    return restitute(path, path->turn, rise * past, rise / 2 * (back - past) * (back + past));
}

/* Compression ends after the slip has stopped. */
static int run_late(Path *path) {
    double turn = path->turn, vn = turn > 0 ? path->rise[0] * turn - 1 : -1;
    leave_zero(path);
    if (path->wedged && path->sticks) {
        /* v_n and gamma vanish at once, or v_n never does */
        if (vn < -SINGULAR * (2 + fabs(path->rise[0]) * turn)) {
            return 0;
        }
        vn = 0;
        path->compression = turn;
        path->stored = turn / 2;
    } else {
        double rise = path->rise[1], rest = -vn / rise;
        if (path->wedged && rise <= SINGULAR) {
            return 0;
        }
        path->compression = turn + rest;
        path->stored = turn * (1 - vn) / 2 - vn * rest / 2;
    }
    path->released = 0;
    return restitute(path, path->compression, 0, path->e * path->e * path->stored);
}

int crm_path_run(Path *path) {
    double mu = path->mu, d = path->d, drift = d - mu * path->B, rise = 1 - mu * d;
    path->drift[0] = drift;
    path->rise[0] = rise;
    if (path->gamma == 0) {
        path->early = 0;
        path->turn = 0;
        return run_late(path);
    }
    /* wedged in slip: neither velocity changes */
    if (path->wedged && fabs(rise) <= SINGULAR * (1 + mu * fabs(d))) {
        return 0;
    }
    path->turn = drift < 0 ? path->gamma / -drift : INFINITY;
    path->early = rise * path->turn >= 1;
    return path->early ? run_early(path) : run_late(path);
}

double crm_path_stored(const Path *path, double p, int restitution) {
    double first = p < path->turn ? p : path->turn, second = p - first;
    double vn = path->rise[0] * first - 1; /* at the end of leg 1 */
    double E = -(vn - 1) / 2 * first;
    if (second > 0) {
        E -= (vn + path->rise[1] * second / 2) * second;
    }
    if (path->law != CAROM_LAW_ENERGETIC) {
        return E; /* below 0 where the law creates energy */
    }
    E -= restitution ? (1 - path->e) * (1 + path->e) * path->stored : 0;
    return E > 0 ? E : 0;
}
