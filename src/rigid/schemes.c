/* The published Euler schemes; schemes.h says how they are read. They run in the impact's own units
 * (impact.h), and share the normal process and the closed forms with the exact solver. */
#include "rigid/schemes.h"

#include <math.h>

#include "contact/result.h"
#include "rigid/exact.h"

typedef struct {
    CaromMethod method;
    double h;        /* NI, FS: step in p */
    double h1, h2;   /* VS: arc length, tangential angle */
    double epsilon;  /* VS: weight of h1 */
    double straight; /* |gamma x gamma'| at which slip is straight */
    int steps;
} Scheme;

/* The slip direction s, and gamma' there. At zero slip, which only NI can meet here, J' is that of
 * stick or of the slip that starts. */
typedef struct {
    double r, s[2], rate[2], jr[2];
} Slope;

static void zero_slip_slope(const Impact *impact, Slope *slope) {
    const Slip *slip = &impact->slip;
    double s[2] = {0, 0};
    slope->jr[0] = -impact->stick[0];
    slope->jr[1] = -impact->stick[1];
    slope->rate[0] = slope->rate[1] = 0;
    if (!impact->sticks) {
        exact_centrifugal(impact, s);
        slip_rate(slip, s, slope->rate);
        slope->jr[0] = -slip->mu * s[0];
        slope->jr[1] = -slip->mu * s[1];
    }
}

static Slope slope_at(const Impact *impact) {
    const Slip *slip = &impact->slip;
    const double *gamma = impact->now.gamma;
    Slope slope = {.r = norm2(gamma)};
    if (slope.r == 0) {
        zero_slip_slope(impact, &slope);
        return slope;
    }
    for (int j = 0; j < 2; j++) {
        slope.s[j] = gamma[j] / slope.r;
        slope.jr[j] = -slip->mu * slope.s[j];
    }
    slip_rate(slip, slope.s, slope.rate);
    return slope;
}

/* |gamma' x gamma''|/|gamma'|^3 with gamma'' = -mu B s_perp (s x gamma')/r, (37). */
static double curvature(const Slip *slip, const Slope *slope) {
    double turn[2] = {-slope->s[1], slope->s[0]}, size = norm2(slope->rate);
    double second[2] = {-(slip->b[0] * turn[0] + slip->b[1] * turn[1]),
                        -(slip->b[1] * turn[0] + slip->b[2] * turn[1])};
    double g = cross2(slope->s, slope->rate);
    return fabs(cross2(slope->rate, second) * g) / (slope->r * size * size * size);
}

static double step_size(const Scheme *scheme, const Slip *slip, const Slope *slope) {
    if (scheme->method != CAROM_METHOD_VS) {
        return scheme->h;
    }
    double epsilon = scheme->epsilon;
    double arc = epsilon * scheme->h1 + (1 - epsilon) * scheme->h2 / curvature(slip, slope);
    double longest = slope->r > scheme->h1 ? slope->r : scheme->h1;
    return (arc < longest ? arc : longest) / norm2(slope->rate);
}

/* One Euler step of everything, the phases aside. */
static void euler_step(Impact *impact, const Scheme *scheme, const Slope *slope, double h) {
    const Slip *slip = &impact->slip;
    State *now = &impact->now;
    double before = now->vn;
    for (int j = 0; j < 2; j++) {
        now->gamma[j] += h * slope->rate[j];
        now->J[j] += h * slope->jr[j];
    }
    now->p += h;
    now->vn = -1 + now->p + dot2(slip->d, now->J);
    impact_book(impact, -h * (scheme->method == CAROM_METHOD_NI ? before : now->vn));
    impact->energy.friction_loss += h * slip->mu * slope->r;
}

/* The end of a phase, if the last step brought it. */
static void check_phase(Impact *impact) {
    double vn = impact->now.vn;
    if (impact->phase == COMPRESSION) {
        if (vn >= 0) {
            impact_end_compression(impact);
            impact->now.vn = vn; /* where the step has gone; the event has 0 */
        }
        return;
    }
    int ends = impact->law == CAROM_LAW_POISSON  ? impact->now.p >= impact->stop
               : impact->law == CAROM_LAW_NEWTON ? vn >= impact->stop
                                                 : impact->E <= 0;
    if (ends) {
        impact_end(impact);
    }
}

/* Event s: J onto the line of sticking, then closed form to the end. The slip started along the
 * first axis. */
static void run_from_zero(Impact *impact) {
    State *now = &impact->now;
    const double *B = impact->slip.B, *d = impact->slip.d;
    double a[2] = {impact->speed + now->p * d[0], now->p * d[1]};
    double det = B[0] * B[2] - B[1] * B[1];
    now->J[0] = -(B[2] * a[0] - B[1] * a[1]) / det;
    now->J[1] = -(B[0] * a[1] - B[1] * a[0]) / det;
    now->vn = -1 + now->p + dot2(d, now->J);
    now->gamma[0] = now->gamma[1] = 0;
    exact_run(impact);
}

/* Event l: closed form along s, to the end or to zero slip. */
static void run_straight(Impact *impact, const Slope *slope) {
    double f = dot2(slope->s, slope->rate);
    impact_letter(impact, 'l');
    line_run(impact, slope->jr, f < 0 ? -slope->r / f : INFINITY);
    if (!impact->done) {
        run_from_zero(impact);
    }
}

static void run(Impact *impact, Scheme *scheme) {
    int closed_forms = scheme->method != CAROM_METHOD_NI;
    if (closed_forms && impact->now.gamma[0] == 0) {
        run_from_zero(impact);
        return;
    }
    while (!impact->done && scheme->steps < SCHEME_MAX_STEPS) {
        Slope slope = slope_at(impact);
        if (closed_forms && slope.r * fabs(cross2(slope.s, slope.rate)) <= scheme->straight) {
            run_straight(impact, &slope);
            return;
        }
        euler_step(impact, scheme, &slope, step_size(scheme, &impact->slip, &slope));
        scheme->steps++;
        check_phase(impact);
        if (closed_forms && !impact->done && dot2(slope.s, impact->now.gamma) <= 0) {
            run_from_zero(impact);
            return;
        }
    }
}

/* An option in the impact's own units, whose size in the caller's is `unit`; 0: the default. */
static double own(const CaromSchemeOptions *options, double value, double unit, double normal) {
    return value == 0 ? normal : options->absolute ? value / unit : value;
}

static Scheme make_scheme(const CaromOptions *options, const Units *units) {
    const CaromSchemeOptions *given = &options->scheme;
    double impulse = units->impulse, velocity = units->velocity;
    return (Scheme){.method = options->method,
                    .h = own(given, given->step, impulse, 1e-3),
                    .h1 = own(given, given->h1, velocity, 0.01),
                    .h2 = own(given, given->h2, 1, 0.01),
                    .epsilon = own(given, given->epsilon, 1, 0.5),
                    .straight = own(given, given->straight, velocity * velocity / impulse, 0.002)};
}

CaromStatus crm_rigid_scheme_solve(const double W[9], const double v[3],
                                   const CaromContact *contact, CaromLaw law,
                                   const CaromOptions *options, CaromResult *result) {
    Impact impact;
    const char *message;
    crm_result_begin(result);
    if (!exact_begin(&impact, W, v, contact, law, result, &message)) {
        return crm_result_fail(result, 3, CAROM_INVALID_INPUT, message);
    }
    exact_find_stick(&impact);
    Scheme scheme = make_scheme(options, &impact.units);
    run(&impact, &scheme);
    if (!impact.done) {
        return crm_result_fail(result, 3, CAROM_NOT_CONVERGED,
                               "the scheme did not end within its bounded number of steps");
    }
    exact_finish(&impact, result);
    result->work = scheme.steps;
    result->error = NAN;
    return result->status;
}
