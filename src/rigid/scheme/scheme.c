#include "rigid/scheme/scheme.h"

#include <math.h>

#include "contact/result.h"
#include "rigid/process/line.h"
#include "rigid/process/normal.h"

typedef struct {
    CaromMethod method;
    double h;        /* NI, FS: step in p */
    double h1, h2;   /* VS: arc length, tangential angle */
    double epsilon;  /* VS: weight of h1 */
    double straight; /* |s x gamma'| at which slip is straight, (33) */
    double zero;     /* |gamma| at which slip has stopped */
    int steps;
} Scheme;

/* The slip direction s, gamma' and J' there. At zero slip, which only NI can meet here, those of
 * stick or of the slip that starts. */
typedef struct {
    double r, s[2], rate[2], jr[2];
} SchemeSlope;

static SchemeSlope slope_at(const Impact *impact) {
    const Slip *slip = &impact->slip;
    const double *gamma = impact->now.gamma, *stick = impact->stick, r = norm2(gamma);
    if (r == 0 && impact->sticks) {
        return (SchemeSlope){.jr = {-stick[0], -stick[1]}};
    }
    double s[2] = {gamma[0] / r, gamma[1] / r}, rate[2];
    if (r == 0) {
        line_centrifugal(impact, s);
    }
    slip_rate(slip, s, rate);
    /* Speed: built in one go, it stays in registers. */
    return (SchemeSlope){r, {s[0], s[1]}, {rate[0], rate[1]}, {-slip->mu * s[0], -slip->mu * s[1]}};
}

/* |gamma' x gamma''|/|gamma'|^3 with gamma'' = -mu B s_perp (s x gamma')/r, (37). */
static double scheme_curvature(const Slip *slip, const SchemeSlope *slope) {
    double turn[2] = {-slope->s[1], slope->s[0]}, size = norm2(slope->rate);
    double second[2] = {-(slip->b[0] * turn[0] + slip->b[1] * turn[1]),
                        -(slip->b[1] * turn[0] + slip->b[2] * turn[1])};
    double g = cross2(slope->s, slope->rate);
    return fabs(cross2(slope->rate, second) * g) / (slope->r * size * size * size);
}

static double step_size(const Scheme *scheme, const Slip *slip, const SchemeSlope *slope) {
    if (scheme->method != CAROM_METHOD_VS) {
        return scheme->h;
    }
    double epsilon = scheme->epsilon;
    double arc = epsilon * scheme->h1 + (1 - epsilon) * scheme->h2 / scheme_curvature(slip, slope);
    double longest = slope->r > scheme->h1 ? slope->r : scheme->h1;
    return (arc < longest ? arc : longest) / norm2(slope->rate);
}

/* One Euler step of everything, the phases aside. */
static void euler_step(Impact *impact, const Scheme *scheme, const SchemeSlope *slope, double h) {
    const Slip *slip = &impact->slip;
    ImpactState *now = &impact->now;
    double before = now->vn;
    for (int j = 0; j < 2; j++) {
        now->gamma[j] += h * slope->rate[j];
        now->J[j] += h * slope->jr[j];
    }
    now->p += h;
    now->vn = -1 + now->p + dot2(slip->d, now->J);
    normal_book(impact, -h * (scheme->method == CAROM_METHOD_NI ? before : now->vn));
    impact->energy.friction_loss += h * slip->mu * slope->r;
}

/* The end of a phase, if the last step brought it. */
static void scheme_check_phase(Impact *impact) {
    double vn = impact->now.vn;
    if (impact->phase == IMPACT_COMPRESSION) {
        if (vn >= 0) {
            normal_end_compression(impact);
            impact->now.vn = vn; /* where the step has gone; the event has 0 */
        }
        return;
    }
    int ends = impact->law == CAROM_LAW_POISSON  ? impact->now.p >= impact->stop
               : impact->law == CAROM_LAW_NEWTON ? vn >= impact->stop
                                                 : impact->E <= 0;
    if (ends) {
        normal_end(impact);
    }
}

/* Event s: J onto the line of sticking, then closed form to the end. The slip started along the
 * first axis. */
static void scheme_run_from_zero(Impact *impact) {
    ImpactState *now = &impact->now;
    const double *B = impact->slip.B, *d = impact->slip.d;
    double a[2] = {impact->speed + now->p * d[0], now->p * d[1]};
    double det = B[0] * B[2] - B[1] * B[1];
    now->J[0] = -(B[2] * a[0] - B[1] * a[1]) / det;
    now->J[1] = -(B[0] * a[1] - B[1] * a[0]) / det;
    now->vn = -1 + now->p + dot2(d, now->J);
    now->gamma[0] = now->gamma[1] = 0;
    line_run_from_zero(impact);
}

/* Event l: closed form along s, to the end or to zero slip. */
static void scheme_run_straight(Impact *impact, const SchemeSlope *slope) {
    double f = dot2(slope->s, slope->rate);
    normal_letter(impact, 'l');
    line_run(impact, slope->jr, f < 0 ? -slope->r / f : INFINITY);
    if (!impact->done) {
        scheme_run_from_zero(impact);
    }
}

/* Event s, after a step from this slope. */
static int slip_has_stopped(const Impact *impact, const Scheme *scheme, const SchemeSlope *slope) {
    const double *gamma = impact->now.gamma;
    return dot2(slope->s, gamma) <= 0 || norm2(gamma) <= scheme->zero;
}

static void scheme_run(Impact *impact, Scheme *scheme) {
    int closed_forms = scheme->method != CAROM_METHOD_NI;
    if (closed_forms && impact->now.gamma[0] <= scheme->zero) {
        scheme_run_from_zero(impact);
        return;
    }
    while (!impact->done && scheme->steps < SCHEME_MAX_STEPS) {
        SchemeSlope slope = slope_at(impact);
        if (closed_forms && fabs(cross2(slope.s, slope.rate)) <= scheme->straight) {
            scheme_run_straight(impact, &slope);
            return;
        }
        euler_step(impact, scheme, &slope, step_size(scheme, &impact->slip, &slope));
        scheme->steps++;
        scheme_check_phase(impact);
        if (closed_forms && !impact->done && slip_has_stopped(impact, scheme, &slope)) {
            scheme_run_from_zero(impact);
            return;
        }
    }
}

/* An option in the impact's own units, whose size in the caller's is `unit`; 0: the default. */
static double scheme_option(const CaromSchemeOptions *options, double value, double unit,
                            double normal) {
    return value == 0 ? normal : options->absolute ? value / unit : value;
}

static Scheme scheme_from_options(const CaromOptions *options, const Units *units) {
    const CaromSchemeOptions *given = &options->scheme;
    double impulse = units->impulse, velocity = units->velocity;
    return (Scheme){.method = options->method,
                    .h = scheme_option(given, given->step, impulse, 1e-3),
                    .h1 = scheme_option(given, given->h1, velocity, 0.01),
                    .h2 = scheme_option(given, given->h2, 1, 0.01),
                    .epsilon = scheme_option(given, given->epsilon, 1, 0.5),
                    .straight = scheme_option(given, given->straight, velocity / impulse, 0.002),
                    .zero = scheme_option(given, given->zero, velocity, 0)};
}

CaromStatus crm_rigid_scheme_solve(const double W[9], const double v[3],
                                   const CaromContact *contact, CaromLaw law,
                                   const CaromOptions *options, CaromResult *result) {
    Impact impact;
    const char *message;
    crm_result_begin(result);
    if (impact_begin(&impact, W, v, contact, law, result, &message) != IMPACT_READY) {
        return crm_result_fail(result, 3, CAROM_INVALID_INPUT, message);
    }
    impact_find_stick(&impact);
    Scheme scheme = scheme_from_options(options, &impact.units);
    scheme_run(&impact, &scheme);
    if (!impact.done) {
        return crm_result_fail(result, 3, CAROM_NOT_CONVERGED,
                               "step: the scheme did not end within its bounded number of steps");
    }
    impact_finish(&impact, result);
    result->work = scheme.steps;
    result->error = NAN;
    return result->status;
}
