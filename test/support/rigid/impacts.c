#include "support/rigid/impacts.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- small things ---- */

static double sign(Random *random) {
    return random_bits(random) >> 63 ? 1 : -1;
}

/* A uniformly distributed unit vector: the ball inside the cube, by rejection. */
static void unit_vector(Random *random, int size, double *out) {
    double norm2;
    do {
        norm2 = 0;
        for (int i = 0; i < size; i++) {
            out[i] = random_between(random, -1, 1);
            norm2 += out[i] * out[i];
        }
    } while (norm2 > 1 || norm2 < 0.01);
    for (int i = 0; i < size; i++) {
        out[i] /= sqrt(norm2);
    }
}

static void rotation(Random *random, double R[9]) {
    double q[4];
    unit_vector(random, 4, q);
    double w = q[0], x = q[1], y = q[2], z = q[3];
    const double rows[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
        2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(R, rows, sizeof rows);
}

/* ---- inverse inertias ---- */

/* W += R diag(a) R^T */
static void add_spectral(const double R[9], const double a[3], double W[9]) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++) {
                W[3 * i + j] += R[3 * i + k] * a[k] * R[3 * j + k];
            }
        }
    }
}

static void mirror(double W[9]) {
    W[3] = W[1];
    W[6] = W[2];
    W[7] = W[5];
}

/* W += 1/m - [r]x J^-1 [r]x of a body of mass m: a cloud of radii of order one. */
static void add_body(Random *random, double W[9]) {
    double R[9], spread[3], K[9] = {0}, r[3], mass = random_log(random, 0.1, 10);
    double size = random_log(random, 0.3, 3);
    rotation(random, R);
    for (int k = 0; k < 3; k++) {
        spread[k] = random_between(random, 0.02, 0.3);
    }
    const double inverse[3] = {1 / (mass * (spread[1] + spread[2])),
                               1 / (mass * (spread[0] + spread[2])),
                               1 / (mass * (spread[0] + spread[1]))};
    add_spectral(R, inverse, K);
    unit_vector(random, 3, r);
    for (int k = 0; k < 3; k++) {
        r[k] *= size;
    }
    const double X[9] = {0, -r[2], r[1], r[2], 0, -r[0], -r[1], r[0], 0};
    for (int i = 0; i < 3; i++) {
        W[4 * i] += 1 / mass;
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 9; k++) {
                W[3 * i + j] += X[3 * i + k / 3] * K[k] * X[3 * j + k % 3];
            }
        }
    }
}

static void two_bodies(Random *random, double W[9]) {
    memset(W, 0, 9 * sizeof *W);
    add_body(random, W);
    if (random_uniform(random) < 0.7) {
        add_body(random, W);
    }
    mirror(W);
}

static void conditioned(Random *random, double W[9]) {
    double R[9], a[3];
    rotation(random, R);
    for (int k = 0; k < 3; k++) {
        a[k] = 1 / random_log(random, 1, 1e2);
    }
    a[random_bits(random) % 3] /= random_log(random, 1, 1e6);
    memset(W, 0, 9 * sizeof *W);
    add_spectral(R, a, W);
    mirror(W);
}

/* Set d, and w to more than d.B^-1 d so that W stays positive definite. */
static void set_coupling(double W[9], double d1, double d2, double excess) {
    double determinant = W[0] * W[4] - W[1] * W[1];
    double least = (W[4] * d1 * d1 - 2 * W[1] * d1 * d2 + W[0] * d2 * d2) / determinant;
    W[2] = d1;
    W[5] = d2;
    W[8] = least > 0 ? least * (1 + excess) : W[8];
    mirror(W);
}

/* Make s invariant with rate f: d = mu B s + f s. */
static void make_invariant(double W[9], double mu, const double s[2], double f, double excess) {
    set_coupling(W, mu * (W[0] * s[0] + W[1] * s[1]) + f * s[0],
                 mu * (W[1] * s[0] + W[4] * s[1]) + f * s[1], excess);
}

/* ---- classes ---- */

static void set_slip(Impact *impact, const double s[2], double r) {
    impact->v[0] = r * s[0];
    impact->v[1] = r * s[1];
}

static Impact common(Random *random) {
    Impact impact = {.contact = {.mu_static = 0, .stiffness = 1, .stiffness_ratio = 1}};
    double s[2];
    two_bodies(random, impact.W);
    unit_vector(random, 2, s);
    impact.v[2] = -random_log(random, 0.1, 10);
    set_slip(&impact, s, random_log(random, 0.03, 30) * -impact.v[2]);
    impact.contact.mu = random_between(random, 0, 1.5);
    impact.contact.e = random_uniform(random);
    return impact;
}

/* A rate f of slip along s on either side of the change of stability at -mu s_perp.B s_perp. */
static double some_rate(Random *random, const double W[9], double mu, const double s[2]) {
    double across = W[0] * s[1] * s[1] - 2 * W[1] * s[0] * s[1] + W[4] * s[0] * s[0];
    return mu * across * random_between(random, -3, 1);
}

static void near_invariant(Random *random, Impact *impact) {
    double s[2], f, angle = sign(random) * random_log(random, 1e-14, 1e-2);
    unit_vector(random, 2, s);
    impact->contact.mu += 0.02;
    f = some_rate(random, impact->W, impact->contact.mu, s);
    make_invariant(impact->W, impact->contact.mu, s, f, random_log(random, 1e-2, 1e2));
    const double off[2] = {s[0] - angle * s[1], s[1] + angle * s[0]};
    set_slip(impact, off, random_log(random, 0.03, 30) * -impact->v[2]);
}

/* Stability changes where two invariant directions merge: there f = -mu s_perp.B s_perp. */
static void merging(Random *random, Impact *impact) {
    double s[2], *W = impact->W, mu = impact->contact.mu + 0.02;
    double angle = sign(random) * random_log(random, 1e-8, 2), off = sign(random);
    off *= random_uniform(random) < 0.2 ? 0 : random_log(random, 1e-14, 1e-2);
    unit_vector(random, 2, s);
    impact->contact.mu = mu;
    double across = W[0] * s[1] * s[1] - 2 * W[1] * s[0] * s[1] + W[4] * s[0] * s[0];
    make_invariant(W, mu, s, -mu * across * (1 + off), random_log(random, 1e-2, 1e2));
    double norm = sqrt(1 + angle * angle);
    const double start[2] = {(s[0] - angle * s[1]) / norm, (s[1] + angle * s[0]) / norm};
    set_slip(impact, start, random_log(random, 0.03, 30) * -impact->v[2]);
}

/* B, d and gamma share an axis, so the cross product is exactly 0. */
static void on_invariant(Random *random, Impact *impact) {
    int axis = (int)(random_bits(random) & 1);
    double s[2] = {axis == 0 ? sign(random) : 0, axis == 1 ? sign(random) : 0}, f;
    impact->W[1] = 0;
    impact->contact.mu += 0.02;
    f = some_rate(random, impact->W, impact->contact.mu, s);
    make_invariant(impact->W, impact->contact.mu, s, f, random_log(random, 1e-2, 1e2));
    set_slip(impact, s, random_log(random, 0.03, 30) * -impact->v[2]);
}

static void isotropic(Impact *impact) {
    double *W = impact->W;
    double b = W[0] + W[4];
    W[0] = W[4] = b;
    W[1] = W[3] = 0;
}

static void ball(Random *random, Impact *impact) {
    double small = random_uniform(random) < 0.2 ? 0 : random_log(random, 1e-14, 1e-2);
    double *W = impact->W, b = W[0] + W[4];
    W[0] = b;
    W[4] = b * (1 + small * random_between(random, -1, 1));
    W[1] = b * small * random_between(random, -1, 1);
    W[2] *= small;
    W[5] *= small;
    mirror(W);
}

static void threshold(Random *random, Impact *impact) {
    double u[2], *W = impact->W, mu = impact->contact.mu + 0.02;
    double k = mu * (1 + sign(random) * random_log(random, 1e-12, 1e-2));
    unit_vector(random, 2, u);
    impact->contact.mu = mu;
    set_coupling(W, k * (W[0] * u[0] + W[1] * u[1]), k * (W[1] * u[0] + W[4] * u[1]),
                 random_log(random, 1e-2, 1e2));
}

static void jam(Random *random, Impact *impact) {
    double u[2], *W = impact->W, size = random_log(random, 0.01, 1);
    unit_vector(random, 2, u);
    set_coupling(W, size * u[0], size * u[1], random_log(random, 1e-3, 10));
    impact->contact.mu = W[8] / hypot(W[2], W[5]) * random_log(random, 1, 16);
}

/* The largest rise of v_n while the slip lasts, by Euler's rule: gamma's path does not depend on
 * v_n, so v_n- can be chosen after it. */
static double largest_rise(const double W[9], const double gamma[2], double mu) {
    double x = gamma[0], y = gamma[1], start = sqrt(x * x + y * y), rise = 0, largest = 0;
    for (int i = 0; i < 1000; i++) {
        double r = sqrt(x * x + y * y);
        double h = 0.02 * r / (mu * (W[0] + W[4])), sx = x / r, sy = y / r;
        if (r < 1e-4 * start) {
            break;
        }
        rise += h * (W[8] - mu * (W[2] * sx + W[5] * sy));
        x += h * (W[2] - mu * (W[0] * sx + W[1] * sy));
        y += h * (W[5] - mu * (W[1] * sx + W[4] * sy));
        largest = rise > largest ? rise : largest;
    }
    return largest;
}

/* Friction first kills the slip along a stiff axis, then, along the other, drives v_n down again:
 * with the approach just slow enough, compression ends before that and restarts. */
static void restart(Random *random, Impact *impact) {
    double u[2], *W = impact->W, mu = random_between(random, 0.3, 5),
                 soft = random_log(random, 0.1, 10);
    double stiff = soft * random_log(random, 4, 512),
           d = mu * soft * random_between(random, 0.1, 0.9);
    unit_vector(random, 2, u);
    W[0] = stiff * u[0] * u[0] + soft * u[1] * u[1];
    W[1] = (stiff - soft) * u[0] * u[1];
    W[4] = stiff * u[1] * u[1] + soft * u[0] * u[0];
    set_coupling(W, -d * u[1], d * u[0], random_log(random, 1e-3, 1));
    double x = random_log(random, 0.1, 10),
           y = x * W[8] / (mu * d) * random_between(random, 0.02, 0.9);
    impact->v[0] = x * u[0] - y * u[1];
    impact->v[1] = x * u[1] + y * u[0];
    double rise = largest_rise(W, impact->v, mu);
    if (rise > 0) {
        impact->v[2] = -rise * (1 - random_log(random, 1e-3, 0.5));
    }
    impact->contact.mu = mu;
}

static void units(Random *random, Impact *impact) {
    double mass = random_log(random, 1e-9, 1e9), speed = random_log(random, 1e-9, 1e9);
    for (int i = 0; i < 9; i++) {
        impact->W[i] *= mass;
    }
    for (int i = 0; i < 3; i++) {
        impact->v[i] *= speed;
    }
}

static void restitution(Random *random, Impact *impact) {
    static const double ends[] = {0, 1};
    double choice = random_uniform(random);
    impact->contact.e = choice < 0.6 ? ends[choice < 0.3] : random_log(random, 1e-8, 1e-2);
}

const char *impact_class_name(ImpactClass which) {
    static const char *const names[] = {
        "common",         "conditioned",  "smooth",  "rough",     "restitution", "oblique",
        "near-invariant", "on-invariant", "no-slip", "isotropic", "central",     "ball",
        "threshold",      "jam",          "units",   "law",       "static",      "merging"};
    return which < IMPACT_CLASS_COUNT ? names[which] : "?";
}

Impact random_impact(uint64_t seed, uint64_t index) {
    Random random = random_start(seed, index);
    ImpactClass which = (ImpactClass)(index % IMPACT_CLASS_COUNT);
    Impact impact = common(&random);
    double *W = impact.W, *v = impact.v, unit[2];
    CaromContact *contact = &impact.contact;
    impact.tag = impact_class_name(which);
    switch (which) {
    case IMPACT_CONDITIONED:
        conditioned(&random, W);
        break;
    case IMPACT_SMOOTH:
        contact->mu = random_uniform(&random) < 0.3 ? 0 : random_log(&random, 1e-8, 1e-2);
        break;
    case IMPACT_ROUGH:
        contact->mu = random_between(&random, 1, 10);
        break;
    case IMPACT_RESTITUTION:
        restitution(&random, &impact);
        break;
    case IMPACT_OBLIQUE:
        unit_vector(&random, 2, unit);
        set_slip(&impact, unit, random_log(&random, 1e-6, 1e6) * -v[2]);
        break;
    case IMPACT_NEAR_INVARIANT:
        near_invariant(&random, &impact);
        break;
    case IMPACT_ON_INVARIANT:
        on_invariant(&random, &impact);
        break;
    case IMPACT_NO_SLIP:
        v[0] = v[1] = 0;
        break;
    case IMPACT_ISOTROPIC:
        isotropic(&impact);
        break;
    case IMPACT_CENTRAL:
        set_coupling(W, 0, 0, 0);
        break;
    case IMPACT_BALL:
        ball(&random, &impact);
        break;
    case IMPACT_THRESHOLD:
        threshold(&random, &impact);
        break;
    case IMPACT_JAM:
        (random_bits(&random) & 1 ? jam : restart)(&random, &impact);
        break;
    case IMPACT_UNITS:
        units(&random, &impact);
        break;
    case IMPACT_LAW:
        if (random_uniform(&random) < 0.25) {
            restart(&random, &impact);
        }
        impact.law = random_bits(&random) & 1 ? CAROM_LAW_POISSON : CAROM_LAW_NEWTON;
        break;
    case IMPACT_STATIC:
        contact->mu_static = contact->mu * random_log(&random, 1, 16);
        break;
    case IMPACT_MERGING:
        merging(&random, &impact);
        break;
    default:
        break;
    }
    return impact;
}
