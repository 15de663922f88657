/* Where a compliant contact turns into something known: rigid, without friction along the surface,
 * frictionless, stuck for good, plastic, elastic. And input that is wrong. */
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/compliant/impacts.h"
#include "support/refusal.h"

static Impact with(double vx, double vy, double mu, double e, const char *tag) {
    Impact impact = impact_ordinary();
    impact.v[0] = vx;
    impact.v[1] = vy;
    impact.contact.mu = mu;
    impact.contact.e = e;
    impact.tag = tag;
    return impact;
}

static double relative_distance(const double a[3], const double b[3]) {
    double off = hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
    return off / hypot(hypot(b[0], b[1]), b[2]);
}

/* The library's impulse for a stiffness ratio. */
static void impulse_at(const Impact *impact, double ratio, double I[3]) {
    Impact changed = *impact;
    changed.contact.stiffness_ratio = ratio;
    CompliantAnswer answer = compliant_library(&changed);
    if (!answer.answer.ok) {
        print_error("%s, eta^2 = %g: %s\n", impact->tag, ratio, answer.message);
        impact_print(&changed);
        fail();
    }
    memcpy(I, answer.answer.impulse, 3 * sizeof *I);
}

/* ---- stiff and soft along the surface ---- */

typedef struct Limit {
    Impact impact;
    double rate; /* the power of eta^2 with which the limit is approached */
} Limit;

/* Largest distance from a limit for ratios around a power of ten: where the tangential spring still
 * swings, the distance at one ratio depends on the phase in which the swing is cut off. */
static double distance_around(const Impact *impact, double ratio, const double limit[3]) {
    double worst = 0, I[3];
    for (int i = 0; i < 32; i++) {
        impulse_at(impact, ratio * (1 - 0.01 * i), I);
        worst = larger(worst, relative_distance(I, limit));
    }
    return worst;
}

/* The spring's deflection is of order eta^2. Once it sticks, the spring swings about its place with
 * a velocity of order eta that nothing damps, until the friction cone closes in on it as the normal
 * force falls: that leaves eta^2 as well. With e = 0 the swing is cut off, and eta is left. */
static void stiff_tends_to_rigid(void **state) {
    (void)state;
    const Limit limits[] = {
        {with(2, -1.5, 0.3, 0.6, "slips throughout"), 1},
        {with(0.3, -0.2, 0.9, 0.6, "sticks early"), 1},
        {with(1.6, -0.7, 0.9, 0.6, "sticks late"), 1},
        {with(0, 0, 0.05, 0.6, "slips from rest"), 1},
        {with(0, 0, 0.9, 0.6, "sticks from rest"), 1},
        {with(0.3, -0.2, 0.9, 1, "sticks, elastic"), 1},
        {with(0.3, -0.2, 0.9, 0, "sticks, plastic"), 0.5},
    };
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        const Impact *impact = &limits[k].impact;
        Answer rigid = answer_of_library(impact);
        double coarse = distance_around(impact, 1e-4, rigid.impulse);
        double fine = distance_around(impact, 1e-6, rigid.impulse);
        double rate = log(coarse / fine) / log(100);
        print_message("%-16s rigid %s: off by %.1e at 1e-4, %.1e at 1e-6, rate %.2f\n", impact->tag,
                      rigid.sequence, coarse, fine, rate);
        check_close(rate, limits[k].rate, 0.1);
        assert_true(fine <= 5 * pow(1e-6, limits[k].rate));
    }
}

/* The force along the surface is at most |v_t| t/eta^2. */
static void soft_tends_to_no_force_along_the_surface(void **state) {
    (void)state;
    const Limit limits[] = {
        {with(2, -1.5, 0.3, 0.6, "oblique"), -1},
        {with(0.3, -0.2, 0.9, 1, "steep, elastic"), -1},
        {with(0, 0, 0.4, 0, "straight, plastic"), -1},
    };
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        const Impact *impact = &limits[k].impact;
        double p = (1 + impact->contact.e) / impact->W[8], none[3] = {0, 0, p}, I[3];
        impulse_at(impact, 1e3, I);
        double near = relative_distance(I, none);
        impulse_at(impact, 1e4, I);
        double far = relative_distance(I, none), rate = log10(far / near);
        print_message("%-18s off by %.1e at 1e3, %.1e at 1e4, rate %.3f\n", impact->tag, near, far,
                      rate);
        check_close(rate, limits[k].rate, 0.02);
    }
}

/* ---- friction ---- */

static void no_friction(void **state) {
    (void)state;
    static const double es[] = {0, 1e-8, 0.5, 1};
    for (int i = 0; i < 4; i++) {
        Impact impact = with(0.7, -0.4, 0, es[i], "frictionless");
        CompliantAnswer answer = compliant_library(&impact);
        double p = (1 + es[i]) / 1.5;
        assert_true(answer.answer.ok);
        assert_true(answer.answer.impulse[0] == 0 && answer.answer.impulse[1] == 0);
        check_close(answer.answer.impulse[2], p, 4e-16);
        check_close(answer.energy.normal_loss, (1 - es[i] * es[i]) / 3, 4e-16);
        check_close(answer.energy.friction_loss, 0, 0);
        check_close(answer.energy.tangential, 0, 0);
        assert_string_equal(answer.answer.sequence, "cr");
    }
}

/* Eigenvalues (on the diagonal of A) and eigenvectors (columns of Q) of a symmetric 3x3, by
 * Jacobi's rotations. */
static void eigen(double A[9], double Q[9]) {
    for (int i = 0; i < 9; i++) {
        Q[i] = i % 4 == 0;
    }
    for (int sweep = 0; sweep < 60; sweep++) {
        static const int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
        int a = pairs[sweep % 3][0], b = pairs[sweep % 3][1];
        double angle = 0.5 * atan2(2 * A[3 * a + b], A[4 * b] - A[4 * a]);
        double c = cos(angle), s = sin(angle);
        for (int i = 0; i < 3; i++) {
            double x = A[3 * i + a], y = A[3 * i + b], u = Q[3 * i + a], w = Q[3 * i + b];
            A[3 * i + a] = c * x - s * y;
            A[3 * i + b] = s * x + c * y;
            Q[3 * i + a] = c * u - s * w;
            Q[3 * i + b] = s * u + c * w;
        }
        for (int i = 0; i < 3; i++) {
            double x = A[3 * a + i], y = A[3 * b + i];
            A[3 * a + i] = c * x - s * y;
            A[3 * b + i] = s * x + c * y;
        }
    }
}

/* A particle that never slides: x'' = -W K x, by its three modes. y = K^(1/2) x has the symmetric
 * matrix K^(1/2) W K^(1/2), whose modes are sines and cosines. */
typedef struct Oscillator {
    double root[3]; /* of the stiffnesses */
    double omega[3], Q[9];
    double a[3], b[3]; /* y = Q (a cos(omega t) + b sin(omega t)) */
} Oscillator;

static Oscillator oscillator(const double W[9], const double K[3], const double x[3],
                             const double v[3]) {
    Oscillator o;
    double S[9];
    for (int i = 0; i < 3; i++) {
        o.root[i] = sqrt(K[i]);
    }
    for (int i = 0; i < 9; i++) {
        S[i] = o.root[i / 3] * W[i] * o.root[i % 3];
    }
    eigen(S, o.Q);
    for (int m = 0; m < 3; m++) {
        o.omega[m] = sqrt(S[4 * m]);
        o.a[m] = o.b[m] = 0;
        for (int i = 0; i < 3; i++) {
            o.a[m] += o.Q[3 * i + m] * o.root[i] * x[i];
            o.b[m] += o.Q[3 * i + m] * o.root[i] * v[i] / o.omega[m];
        }
    }
    return o;
}

/* Deflection and velocity at time t. */
static void at_time(const Oscillator *o, double t, double x[3], double v[3]) {
    for (int i = 0; i < 3; i++) {
        x[i] = v[i] = 0;
        for (int m = 0; m < 3; m++) {
            double w = o->omega[m], q = o->Q[3 * i + m] / o->root[i];
            x[i] += q * (o->a[m] * cos(w * t) + o->b[m] * sin(w * t));
            v[i] += q * w * (o->b[m] * cos(w * t) - o->a[m] * sin(w * t));
        }
    }
}

/* First time at which x_n or v_n rises through 0, by small steps and bisection. */
static double rises(const Oscillator *o, int of_velocity) {
    double low = 1e-3, high, x[3], v[3], step = 1e-3;
    do {
        low += step;
        at_time(o, low, x, v);
    } while ((of_velocity ? v[2] : x[2]) < 0);
    high = low;
    low -= step;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        at_time(o, middle, x, v);
        *((of_velocity ? v[2] : x[2]) < 0 ? &low : &high) = middle;
    }
    return high;
}

/* W^-1 a by Cramer's rule. */
static void solve3(const double W[9], const double a[3], double out[3]) {
    double det = 0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        det += W[i] * (W[3 + j] * W[6 + k] - W[3 + k] * W[6 + j]);
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = 0;
        for (int r = 0; r < 3; r++) {
            int s = (r + 1) % 3, t = (r + 2) % 3;
            out[i] += a[r] * (W[3 * s + j] * W[3 * t + k] - W[3 * s + k] * W[3 * t + j]) / det;
        }
    }
}

/* With no slip at all: the impulse at the end of the impact. */
static void stuck_impulse(const Impact *impact, double I[3]) {
    double k = 1, kt = 1 / impact->contact.stiffness_ratio, e2 = impact->contact.e;
    double x[3] = {0, 0, 0}, v[3], change[3];
    const double K[3] = {kt, kt, k};
    Oscillator o = oscillator(impact->W, K, x, impact->v);
    e2 *= e2;
    at_time(&o, rises(&o, 1), x, v);
    x[2] *= e2;
    const double stiff[3] = {kt, kt, k / e2};
    o = oscillator(impact->W, stiff, x, v);
    at_time(&o, rises(&o, 0), x, v);
    for (int i = 0; i < 3; i++) {
        change[i] = v[i] - impact->v[i];
    }
    solve3(impact->W, change, I);
}

/* Friction without end: sticks until the normal force is all but gone, slips for a time of order
 * 1/mu. Measured: at most 0.44/mu. */
static void rough_tends_to_stuck(void **state) {
    (void)state;
    static const double ratios[] = {0.1, 17.0 / 14, 8};
    static const double es[] = {0.3, 0.9, 1};
    for (int i = 0; i < 9; i++) {
        Impact impact = with(0.7, -0.4, 0, es[i % 3], "stuck");
        double stuck[3], last = 0;
        impact.contact.stiffness_ratio = ratios[i / 3];
        stuck_impulse(&impact, stuck);
        for (double mu = 1e2; mu < 2e8; mu *= 100) {
            impact.contact.mu = mu;
            CompliantAnswer answer = compliant_library(&impact);
            assert_true(answer.answer.ok);
            last = relative_distance(answer.answer.impulse, stuck);
            if (!(last <= 2 / mu + 1e-12)) {
                print_error("mu = %g, eta^2 = %g, e = %g: off by %.2e\n", mu, ratios[i / 3],
                            es[i % 3], last);
                compliant_print_events("library", &answer);
                fail();
            }
        }
        print_message("eta^2 = %.3g, e = %.1f: off by %.1e at mu = 1e8\n", ratios[i / 3], es[i % 3],
                      last);
    }
}

/* |v_t| = mu eta^2 |v_n| exactly: between slip and stick at the start. The sliding speed
 * decides, sigma' = -mu B + mu eta^2 at the start where d = 0; nothing happens
 * twice.
 */
static void starts_on_the_edge(void **state) {
    (void)state;
    static const double B[] = {1, 3.5};
    for (int i = 0; i < 2; i++) {
        Impact impact = with(1, 0, 0.5, 0.5, "on the edge");
        const double W[9] = {B[i], 0, 0, 0, B[i], 0, 0, 0, 1};
        memcpy(impact.W, W, sizeof W);
        impact.contact.stiffness_ratio = 2;
        CompliantAnswer answer = compliant_library(&impact);
        assert_true(answer.answer.ok && answer.event_count >= 2);
        /* the first event is a later one, and of the other kind */
        const CaromEvent *first = &answer.events[0];
        assert_true(first->normal_impulse > 0.1);
        assert_true(first->kind != (i == 0 ? CAROM_EVENT_SLIP : CAROM_EVENT_STICK));
    }
}

/* ---- restitution ---- */

static void plastic(void **state) {
    (void)state;
    Impact impact = with(0.7, -0.4, 0.4, 0, "plastic");
    CompliantAnswer answer = compliant_library(&impact), truth = compliant_oracle_solve(&impact);
    const CaromEvent *events = answer.events;
    int n = answer.event_count;
    assert_true(answer.answer.ok && n >= 2);
    assert_int_equal(events[n - 2].kind, CAROM_EVENT_COMPRESSION_END);
    assert_int_equal(events[n - 1].kind, CAROM_EVENT_RESTITUTION_END);
    assert_true(events[n - 2].normal_impulse == events[n - 1].normal_impulse);
    check_close(answer.answer.velocity[2], 0, 1e-15);
    assert_true(answer_error(&impact, &answer.answer, &truth.answer) <= 5e-14); /* 2.4e-15 */
    /* all that was stored is lost, along the surface too */
    check_close(answer.energy.released, 0, 0);
    check_close(answer.energy.normal_loss, answer.energy.stored, 1e-15);
    assert_true(answer.energy.tangential > 1e-3);
    assert_true(answer.energy.friction_loss >= answer.energy.tangential);
    check_close(answer.energy.residual, 0, 1e-14);
    /* a little restitution makes little difference */
    impact.contact.e = 1e-7;
    CompliantAnswer little = compliant_library(&impact);
    assert_true(relative_distance(little.answer.impulse, answer.answer.impulse) <= 2e-7);
}

/* Bounces that accumulate: with e = 0 there is one, which may touch the cone and stick from there
 * on. A little restitution makes little difference there, too. */
static void plastic_and_held(void **state) {
    (void)state;
    double worst = 0;
    int held = 0;
    for (int i = 0; i < 600; i++) {
        Impact impact = compliant_random(19201, (uint64_t)i);
        int latches = 0;
        impact.contact.mu *= 2;
        impact.contact.e = 0;
        CompliantAnswer none = compliant_library(&impact);
        impact.contact.e = 1e-9;
        CompliantAnswer little = compliant_library(&impact);
        for (int k = 0; k < none.event_count && k < COMPLIANT_EVENTS; k++) {
            latches |= none.events[k].kind == CAROM_EVENT_LATCH;
        }
        if (latches && strcmp(impact.tag, "singular") != 0) {
            double off = relative_distance(little.answer.impulse, none.answer.impulse);
            held++;
            worst = fmax(worst, off);
            if (!(off < 1e-6)) {
                print_error("number %d, %s: off by %.1e\n", i, impact.tag, off);
                fail();
            }
        }
    }
    print_message("held with e = 0: %d, e = 1e-9 off by %.1e at most\n", held, worst);
    assert_true(held > 20);
}

static void elastic(void **state) {
    (void)state;
    Impact impact = with(0.7, -0.4, 0.4, 1, "elastic");
    CompliantAnswer answer = compliant_library(&impact), truth = compliant_oracle_solve(&impact);
    assert_true(answer_error(&impact, &answer.answer, &truth.answer) <= 3e-13); /* 1.6e-14 */
    check_close(answer.energy.normal_loss, 0, 0);
    check_close(answer.energy.released, answer.energy.stored, 1e-15);
    check_close(answer.energy.change + answer.energy.friction_loss, 0, 1e-12);
    assert_true(answer.energy.friction_loss > 1e-3);
    impact.contact.e = 1 - 1e-9;
    CompliantAnswer nearly = compliant_library(&impact);
    assert_true(relative_distance(nearly.answer.impulse, answer.answer.impulse) <= 1e-9);
}

/* An impulse inside the cone that moves nothing: compression has no end, and the library says so.
 */
static void jam_without_end(void **state) {
    (void)state;
    Impact impact = impact_ordinary();
    static const double W[9] = {4, 0, -2, 0, 1, 0, -2, 0, 1}; /* W (1, 0, 2) = 0 */
    double I[3], v[3];
    CaromResult result = {.impulse = I, .velocity = v};
    memcpy(impact.W, W, sizeof W);
    impact.contact.mu = 0.8;
    impact.v[0] = impact.v[1] = 0.1;
    CaromStatus status = carom_compliant_solve(impact.W, impact.v, &impact.contact, &result);
    assert_int_equal(status, CAROM_NOT_CONVERGED);
    assert_true(isnan(I[0]) && isnan(I[2]) && isnan(v[1]) && result.message[0] != '\0');
}

/* ---- wrong input ---- */

static void refused(const char *what, const Impact *impact, const char *word) {
    check_impact_refused(CAROM_MODEL_COMPLIANT, what, impact, CAROM_INVALID_INPUT, word);
}

static void numbers_that_are_not(void **state) {
    (void)state;
    check_numbers_refused(CAROM_MODEL_COMPLIANT);
}

static void values_out_of_range(void **state) {
    (void)state;
    static const double wrong[] = {-DBL_MIN, -1, NAN, INFINITY, -INFINITY};
    check_ranges_refused(CAROM_MODEL_COMPLIANT);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Impact impact = impact_ordinary();
        impact.contact.stiffness_ratio = wrong[i];
        refused("stiffness_ratio", &impact, "stiffness_ratio");
        impact = impact_ordinary();
        impact.contact.stiffness = wrong[i];
        refused("stiffness", &impact, "stiffness must");
    }
    Impact impact = impact_ordinary();
    impact.contact.mu_static = 0.5;
    refused("mu_static > mu", &impact, "mu_static");
    impact.contact.mu_static = 0.3;
    refused("mu_static < mu", &impact, "mu_static");
    impact = impact_ordinary();
    impact.law = CAROM_LAW_POISSON;
    refused("poisson", &impact, "restitution");
    impact.law = CAROM_LAW_NEWTON;
    refused("newton", &impact, "restitution");
}

static void inverse_inertia_wrong(void **state) {
    (void)state;
    check_matrices_refused(CAROM_MODEL_COMPLIANT);
}

/* mu_static equal to mu is the same as none; no outputs at all is fine too. */
static void what_is_allowed(void **state) {
    (void)state;
    Impact impact = impact_ordinary();
    CompliantAnswer plain = compliant_library(&impact);
    impact.contact.mu_static = impact.contact.mu;
    CompliantAnswer same = compliant_library(&impact);
    assert_memory_equal(plain.answer.impulse, same.answer.impulse, sizeof same.answer.impulse);
    CaromResult none = {.event_capacity = COMPLIANT_EVENTS};
    assert_int_equal(carom_compliant_solve(impact.W, impact.v, &impact.contact, &none), CAROM_OK);
    assert_string_equal(none.sequence, plain.answer.sequence);
    assert_int_equal(none.event_count, plain.event_count);
    /* room for fewer events: the first are stored, all are counted */
    CaromEvent one[2];
    memset(one, 0x55, sizeof one);
    CaromEvent untouched = one[1];
    CaromResult less = {.events = one, .event_capacity = 1};
    carom_compliant_solve(impact.W, impact.v, &impact.contact, &less);
    assert_int_equal(less.event_count, plain.event_count);
    assert_true(one[0].normal_impulse == plain.events[0].normal_impulse);
    assert_memory_equal(&one[1], &untouched, sizeof untouched);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stiff_tends_to_rigid),
        cmocka_unit_test(soft_tends_to_no_force_along_the_surface),
        cmocka_unit_test(no_friction),
        cmocka_unit_test(rough_tends_to_stuck),
        cmocka_unit_test(starts_on_the_edge),
        cmocka_unit_test(plastic),
        cmocka_unit_test(plastic_and_held),
        cmocka_unit_test(elastic),
        cmocka_unit_test(jam_without_end),
        cmocka_unit_test(numbers_that_are_not),
        cmocka_unit_test(values_out_of_range),
        cmocka_unit_test(inverse_inertia_wrong),
        cmocka_unit_test(what_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
