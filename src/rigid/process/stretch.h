/* Curved slip as a sequence of stretches: the choice of the expansion for the next one.
 *
 * In order: a regular expansion over the whole rest of the impact, if no invariant direction is
 * near; a fade, if the slip decays before it turns; an arrival at the invariant direction ahead, a
 * departure from the one behind or a regular expansion between them; log-time, which always suits.
 * Each maker checks its own series and declines if it does not converge (docs/theory.md, section
 * 10). */
#ifndef CAROM_RIGID_STRETCH_H
#define CAROM_RIGID_STRETCH_H

#include <float.h>

#include "math/functions.h"
#include "rigid/curve/walk.h"
#include "rigid/process/impact.h"
#include "rigid/process/line.h"
#include "rigid/slip/invariants.h"

/* Most stretches of one slip. Most impacts take one to three; if progress stalls, log-time finishes
 * sooner (tens of stretches). */
static const int MAX_STRETCHES = 200, MAX_STRETCHES_CAREFUL = 2000;

/* The rates of slip now (slip.h) and the normal impulse expected to come, rest; INFINITY if
 * unknown. Only the length of a stretch depends on it: one much longer than the rest of the impact
 * would lose digits at its beginning. rest = rise/unit, so callers can defer the division. */
typedef struct Outlook {
    double s[2], r, inverse, f, g, a, da, across;
    double rest, rise, unit;
} Outlook;

/* The rest if v_n' = a is not positive or changes fast, with v_n'' = da. */
static void guess_bent_rest(const Impact *impact, Outlook *out) {
    double vn = impact->now.vn, a = out->a, E = impact->E, rest;
    if (impact->phase == IMPACT_COMPRESSION) {
        /* NaN if the quadratic model of v_n has no zero */
        rest = (1 + impact->e) * -2 * vn / (a + sqrt(a * a - 2 * out->da * vn));
    } else if (impact->law == CAROM_LAW_POISSON) {
        rest = impact->stop - impact->now.p;
    } else if (impact->law == CAROM_LAW_NEWTON) {
        double rise = impact->stop - vn;
        rest = 2 * rise / (a + sqrt(a * a + 2 * out->da * rise));
    } else {
        rest = 2 * E / (vn + sqrt(most_of(vn * vn + 2 * a * E, 0)));
    }
    out->rest = out->rise = rest > 0 ? rest : INFINITY;
    out->unit = 1;
}

/* The rest if v_n' = a stays constant. */
static void guess_rest(const Impact *impact, Outlook *out) {
    double vn = impact->now.vn, e = impact->e, a = out->a;
    int speeds_up = impact->phase == IMPACT_COMPRESSION && !(-out->da * vn < a * a);
    if (!(a > 0) || speeds_up) {
        guess_bent_rest(impact, out);
        return;
    }
    out->unit = a;
    if (impact->phase == IMPACT_COMPRESSION) {
        /* E at the end of compression is E + v_n^2/(2a) */
        double E = impact->E;
        out->rise = -vn + e * (E > 0 ? sqrt(vn * vn + 2 * a * E) : -vn);
    } else if (impact->law == CAROM_LAW_POISSON) {
        out->rise = a * (impact->stop - impact->now.p);
    } else if (impact->law == CAROM_LAW_NEWTON) {
        out->rise = impact->stop - vn;
    } else {
        out->rise = 2 * a * impact->E / (vn + sqrt(vn * vn + 2 * a * impact->E));
    }
    out->rest = out->rise / a;
}

static Outlook outlook_now(const Impact *impact) {
    const double *gamma = impact->now.gamma;
    double r = gamma[0], s[2] = {1, 0};
    if (gamma[1] != 0) {
        r = norm2(gamma);
        s[0] = gamma[0] / r;
        s[1] = gamma[1] / r;
    }
    Rates now = {.s = {both(s[0]), both(s[1])}, .inverse = both(1 / r)};
    slip_rates(&impact->slip, &now);
    Outlook out = {{s[0], s[1]},
                   r,
                   LANE(now.inverse, 0),
                   LANE(now.f, 0),
                   LANE(now.g, 0),
                   LANE(now.a, 0),
                   LANE(now.da, 0),
                   LANE(now.across, 0),
                   0,
                   0,
                   0};
    guess_rest(impact, &out);
    return out;
}

/* Is the turn of the slip direction still to come negligible in its effect on the impulse? */
static int outlook_is_straight(const Outlook *out, const Slip *slip, double p) {
    double f = out->f, g = fabs(out->g);
    return g <= 4 * DBL_EPSILON * slip->rate || g * out->rest <= 1e-17 * out->r ||
           (f < 0 && out->r * g <= 1e-17 * f * f * p);
}

/* The log-time int dp/r still to come if r' = f stays constant; INFINITY if the slip stops first.
 */
static Fraction outlook_log_time(const Outlook *out) {
    double part = out->rise * out->inverse, grow = out->f * part, unit = out->unit;
    if (!(grow > -0.9 * unit && part < INFINITY)) {
        return (Fraction){INFINITY, 1};
    }
    /* log(1 + x)/f with x = f rest/r = grow/unit, by its continued fraction x (6 + x)/(6 + 4 x);
     * too long where r grows tenfold and more */
    return (Fraction){part * (6 * unit + grow), unit * (6 * unit + 4 * grow)};
}

/* Is mu F so small beside A that a curve without its own normal work keeps the digits of A? If not,
 * regular stretches slow the slip down first. */
static int outlook_needs_no_own_work(const Outlook *out, const Impact *impact) {
    double p = least_of(out->rest, out->r / fabs(out->f));
    /* E at the end of compression is of order one; at the end of restitution v_n is sqrt(2 E) */
    double stored = impact->E + (impact->phase == IMPACT_COMPRESSION);
    double normal = sqrt(stored) + p * (fabs(impact->now.vn) + fabs(out->a) * p);
    /* compression and restitution on one stretch magnify the loss of digits by 1/e */
    int joint = out->rest < INFINITY && impact->e >= CURVE_SMALL_E;
    double most = joint ? 15 * impact->e : 50;
    return impact->law != CAROM_LAW_ENERGETIC || impact->slip.mu * out->r * p < most * normal;
}

/* The invariant directions, found when first needed. */
typedef struct Invariants {
    int known, count;
    double s[4][2];
} Invariants;

/* A stretch as long as the expected rest, if no invariant direction is near. */
static int try_direct(const Impact *impact, const Outlook *out, const Gap *gap, SlipCurve *curve) {
    Fraction turn = outlook_log_time(out);
    double time = 1.15 * turn.above / turn.below;
    /* where r dp/dtheta grows on the way, by (3 f + across)/g, the terms fall faster if the middle
     * lies further on; the factor was found by trial */
    double grows = 3 * out->f + out->across;
    double bias = most_of(least_of(0.045 * time * grows, 0.1), -0.1);
    turn.above *= 1.15 / 8;
    curve->kind = CURVE_REGULAR;
    return regular_direct(impact, out->s, out->r, gap, turn, bias, &curve->regular);
}

/* A stretch towards zero slip, if the slip turns at most `part` as fast as it falls. */
static int try_fade(const Impact *impact, const Outlook *out, double part, SlipCurve *curve) {
    curve->kind = CURVE_FADE;
    /* dg/dtheta = -(f + across) */
    return fabs(out->g) + fabs(out->f + out->across) < -part * out->f &&
           outlook_needs_no_own_work(out, impact) &&
           fade_make(impact, out->r, out->f, &curve->fade);
}

/* A stretch towards the invariant direction ahead. */
static int try_arrival(const Impact *impact, const Outlook *out, const Gap *gap, SlipCurve *curve) {
    curve->kind = CURVE_ARRIVAL;
    return outlook_needs_no_own_work(out, impact) &&
           arrival_make(impact, out->s, out->r, gap, &curve->arrival);
}

/* A stretch between two invariant directions: away from the one behind if the slip starts next to
 * it, else about the middle of the expected rest. */
static int try_sector(const Impact *impact, const Outlook *out, const Sector *sector,
                      SlipCurve *curve) {
    const double slowest = 0.4, longest = 0.34; /* some 50 terms, with the usual exponents */
    /* if r' = f stays, the end is at u = ((1 - reach)/(1 + reach))^2, reach = tanh(half) */
    Fraction half = outlook_log_time(out);
    half.above *= 1.1 / 4 * sector->speed;
    Fraction far = fraction_tanh(half, 1);
    double reach = half.above < 3 * half.below ? least_of(far.above / far.below, 1) : 1;
    if (!(reach <= longest * sector_disc(sector, reach))) {
        reach = longest * sector_disc(sector, longest);
        /* a regular stretch advances u by a factor of 4 only */
        double depart = slowest * sector_far(sector);
        curve->kind = CURVE_ARRIVAL;
        if (depart > 10 && outlook_needs_no_own_work(out, impact) &&
            arrival_make_departure(impact, out->r, sector, depart, &curve->arrival)) {
            return 1;
        }
    }
    curve->kind = CURVE_REGULAR;
    return regular_middle(impact, out->r, sector, reach, &curve->regular);
}

/* A stretch that suits every case. */
static void take_logtime(const Impact *impact, SlipCurve *curve) {
    curve->kind = CURVE_LOGTIME;
    logtime_make(impact, &curve->logtime);
}

/* The sector from all invariant directions. */
static int find_sector(const Impact *impact, const Outlook *out, Invariants *invariants,
                       Sector *sector) {
    const double *b = impact->slip.b, *d = impact->slip.d;
    if (!invariants->known) {
        invariants->known = 1;
        invariants->count = crm_invariants_find(b[0], b[1], b[2], d[0], d[1], invariants->s);
    }
    return sector_find(impact->now.gamma, out->g > 0, invariants->s, invariants->count,
                       &impact->slip, sector);
}

static void next_curve(const Impact *impact, const Outlook *out, Invariants *invariants,
                       SlipCurve *curve) {
    Sector sector;
    if (impact->careful) {
        take_logtime(impact, curve);
        return;
    }
    Gap gap = gap_estimate(&impact->slip, out->s);
    if (try_direct(impact, out, &gap, curve)) {
        return;
    }
    gap_divide(&gap);
    /* fade first where it takes few terms, and again where only log-time is left */
    if (try_fade(impact, out, 0.03, curve) || try_arrival(impact, out, &gap, curve)) {
        return;
    }
    int between = find_sector(impact, out, invariants, &sector);
    if (!(between && try_sector(impact, out, &sector, curve)) &&
        !try_fade(impact, out, 0.3, curve)) {
        take_logtime(impact, curve);
    }
}

/* Run curved slip to the end of the impact. Gives up, with impact->done = 0, after a bounded number
 * of stretches. */
static void stretch_run_all(Impact *impact) {
    SlipCurve curve;
    Invariants invariants = {.known = 0};
    int most = impact->careful ? MAX_STRETCHES_CAREFUL : MAX_STRETCHES;
    for (int i = 0; i < most && !impact->done; i++) {
        Outlook out = outlook_now(impact);
        if (outlook_is_straight(&out, &impact->slip, impact->now.p)) {
            line_run_straight(impact, out.s);
            return;
        }
        next_curve(impact, &out, &invariants, &curve);
        if (!walk_curve(impact, &curve, out.s, out.inverse)) {
            continue;
        }
        if (curve.span.ending == CURVE_STOPS) {
            line_run_from_zero(impact);
            return;
        }
        if (curve.span.ending == CURVE_STRAIGHT) {
            line_run_straight(impact, curve.span.last.s);
            return;
        }
    }
}

#endif
