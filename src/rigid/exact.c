/* The exact solve of one rigid contact: which stretch comes next. */
#include "rigid/exact.h"

#include <float.h>
#include <math.h>

#include "rigid/curve.h"
#include "rigid/invariants.h"
#include "rigid/singular.h"
#include "rigid/spinor.h"

/* The invariant directions, found when first needed. */
typedef struct Invariants {
    int known, count;
    double s[4][2];
} Invariants;

/* Stretches that one slip may take before it is given up: the fast way takes one to three of them
 * in most impacts, and where it creeps the careful way, some tens, is sooner there. */
static const int MAX_STRETCHES = 200, MAX_STRETCHES_CAREFUL = 2000;

/* Make gamma exactly 0, with the impulse that does it: what rounding left of gamma would otherwise
 * be missing in the account of energy. */
static void meet_zero(Impact *impact) {
    const double *B = impact->slip.B, *a = impact->free;
    double *gamma = impact->now.gamma, x = 0, y = 0;
    if (impact->locked == 1) {
        double along = -dot2(a, gamma) / impact->mobility;
        x = along * a[0];
        y = along * a[1];
    } else if (impact->slip.mu > 0 && !impact->locked) {
        double inverse = 1 / (B[0] * B[2] - B[1] * B[1]);
        x = (B[1] * gamma[1] - B[2] * gamma[0]) * inverse;
        y = (B[1] * gamma[0] - B[0] * gamma[1]) * inverse;
    }
    impact->now.J[0] += x;
    impact->now.J[1] += y;
    impact->now.vn += impact->slip.d[0] * x + impact->slip.d[1] * y;
    gamma[0] = gamma[1] = 0;
}

/* Stick while nothing moves: v_n stays what it is. Where that is no end, there is no answer and
 * the impact is left undone. */
static void run_wedged(Impact *impact) {
    double jr[2] = {-impact->stick[0], -impact->stick[1]}, vn = impact->now.vn;
    /* v_n and gamma vanish at once */
    if (impact->phase == COMPRESSION && vn >= -SINGULAR * (1 + norm2(impact->slip.d))) {
        impact_end_compression(impact);
    }
    /* v_n' is 0 to SINGULAR: does the answer hang on that? */
    if (impact->law == CAROM_LAW_ENERGETIC && vn * vn <= 2 * SINGULAR * impact->E) {
        return;
    }
    line_run(impact, jr, INFINITY);
}

void exact_centrifugal(const Impact *impact, double direction[2]) {
    const Slip *slip = &impact->slip;
    double s[4][2], rate[2], best = -INFINITY;
    if (impact->locked) {
        double side = dot2(slip->d, impact->free) < 0 ? -1 : 1;
        direction[0] = side * impact->free[0];
        direction[1] = side * impact->free[1];
        return;
    }
    int count = invariants_find(slip->b[0], slip->b[1], slip->b[2], slip->d[0], slip->d[1], s);
    for (int i = 0; i < count; i++) {
        slip_rate(slip, s[i], rate);
        if (dot2(rate, s[i]) > best) {
            best = dot2(rate, s[i]);
            direction[0] = s[i][0];
            direction[1] = s[i][1];
        }
    }
}

/* Slip stopped: stick for good, or slip away along the centrifugal invariant direction. */
static void run_from_zero(Impact *impact) {
    exact_find_stick(impact);
    double jr[2] = {-impact->stick[0], -impact->stick[1]}, s[2] = {0, 0};
    meet_zero(impact);
    impact_letter(impact, 's');
    if (impact->sticks) {
        impact->mode = CAROM_MODE_STICK;
        impact_event(impact, CAROM_EVENT_STICK);
        if (impact->wedged) {
            run_wedged(impact);
        } else {
            line_run(impact, jr, INFINITY);
        }
        return;
    }
    exact_centrifugal(impact, s);
    jr[0] = -impact->slip.mu * s[0];
    jr[1] = -impact->slip.mu * s[1];
    impact_event(impact, CAROM_EVENT_SLIP);
    line_run(impact, jr, INFINITY);
}

/* Straight slip from here on, in direction s. */
static void run_straight(Impact *impact, const double s[2]) {
    const Slip *slip = &impact->slip;
    double rate[2];
    slip_rate(slip, s, rate);
    double r = dot2(impact->now.gamma, s), f = dot2(rate, s);
    double jr[2] = {-slip->mu * s[0], -slip->mu * s[1]}, push = dot2(slip->d, jr);
    if (impact->wedged && fabs(1 + push) <= SINGULAR * (1 + fabs(push))) {
        return; /* v_n does not change, or only by rounding */
    }
    line_run(impact, jr, f < 0 ? -r / f : INFINITY);
    if (!impact->done) {
        run_from_zero(impact);
    }
}

/* What slip does (see Rates), and a guess of the normal impulse that is still to come, also times a
 * unit, so that it need not be waited for. */
typedef struct Outlook {
    double s[2], r, inverse, f, g, a, da, across;
    double rest, rise, unit;
} Outlook;

/* The normal impulse that is still to come where v_n' = a is not positive or soon much larger, with
 * v_n'' = da; INFINITY if that does not tell. A stretch much longer than needed would leave fewer
 * digits at its beginning. */
static void guess_bent_rest(const Impact *impact, Outlook *out) {
    double vn = impact->now.vn, a = out->a, E = impact->E, rest;
    if (impact->phase == COMPRESSION) {
        /* NaN if v_n does not come to 0 like this */
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

/* The same if v_n' = a stays. */
static void guess_rest(const Impact *impact, Outlook *out) {
    double vn = impact->now.vn, e = impact->e, a = out->a;
    int speeds_up = impact->phase == COMPRESSION && !(-out->da * vn < a * a);
    if (!(a > 0) || speeds_up) {
        guess_bent_rest(impact, out);
        return;
    }
    out->unit = a;
    if (impact->phase == COMPRESSION) {
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

static Outlook look_ahead(const Impact *impact) {
    const double *gamma = impact->now.gamma;
    double r = gamma[0], s[2] = {1, 0};
    if (gamma[1] != 0) {
        r = norm2(gamma);
        s[0] = gamma[0] / r;
        s[1] = gamma[1] / r;
    }
    Rates now = {.s = {both(s[0]), both(s[1])}, .inverse = both(1 / r)};
    slip_rates(&impact->slip, &now);
    Outlook out = {.s = {s[0], s[1]},
                   .r = r,
                   .inverse = now.inverse[0],
                   .f = now.f[0],
                   .g = now.g[0],
                   .a = now.a[0],
                   .da = now.da[0],
                   .across = now.across[0]};
    guess_rest(impact, &out);
    return out;
}

/* Is what the slip direction will still turn below rounding, in what it does to the impulse, p so
 * far? */
static int is_straight(const Slip *slip, const Outlook *out, double p) {
    double f = out->f, g = fabs(out->g);
    return g <= 4 * DBL_EPSILON * slip->rate || g * out->rest <= 1e-17 * out->r ||
           (f < 0 && out->r * g <= 1e-17 * f * f * p);
}

/* The log-time that is still to come if r' = f stays, as a fraction: log(1 + grow)/f with
 * grow = f rest/r = f rise/(unit r), from its continued fraction; too long where r grows tenfold
 * and more. */
static Fraction log_time(const Outlook *out) {
    double part = out->rise * out->inverse, grow = out->f * part, unit = out->unit;
    if (!(grow > -0.9 * unit && part < INFINITY)) {
        return (Fraction){INFINITY, 1};
    }
    return (Fraction){part * (6 * unit + grow), unit * (6 * unit + 4 * grow)};
}

/* Does the slip seem to stop before the impact ends? */
static int stops(const Outlook *out) {
    return log_time(out).above == INFINITY;
}

/* A stretch as long as what is expected to come, if no invariant direction seems to be in the way.
 */
static int try_direct(const Impact *impact, const Outlook *out, const Gap *gap, Curve *curve) {
    Fraction turn = log_time(out);
    double time = 1.15 * turn.above / turn.below;
    /* where r dp/dtheta grows on the way, by (3 f + across)/g, the terms fall faster if the middle
     * lies further on; how much further was found by trial */
    double grows = 3 * out->f + out->across;
    double bias = most_of(least_of(0.045 * time * grows, 0.1), -0.1);
    turn.above *= 1.15 / 8;
    return curve_direct(&impact->slip, &impact->now, out->s, out->r, gap, turn, bias, curve);
}

/* An arrival has no series of A's own (curve.h): is mu F so small beside A that it needs none?
 * Else the slip is first slowed down by regular stretches. */
static int needs_no_own_work(const Impact *impact, const Outlook *out) {
    double p = least_of(out->rest, out->r / fabs(out->f));
    /* E at the end of compression is of order one; at the end of restitution v_n is sqrt(2 E) */
    double stored = impact->E + (impact->phase == COMPRESSION);
    double normal = sqrt(stored) + p * (fabs(impact->now.vn) + fabs(out->a) * p);
    /* compression and restitution on one stretch magnify what is lost by 1/e */
    int both = out->rest < INFINITY && impact->e >= CURVE_SMALL_E;
    double most = both ? 15 * impact->e : 50;
    return impact->law != CAROM_LAW_ENERGETIC || impact->slip.mu * out->r * p < most * normal;
}

/* A stretch down to zero slip, or on the way there, if it turns at most `part` as fast as it
 * falls. */
static int try_fade(const Impact *impact, const Outlook *out, double part, Curve *curve) {
    const Slip *slip = &impact->slip;
    /* dg/dtheta = -(f + across) */
    return fabs(out->g) + fabs(out->f + out->across) < -part * out->f &&
           needs_no_own_work(impact, out) && curve_fade(slip, &impact->now, out->r, out->f, curve);
}

/* A stretch between two invariant directions: the expansion that needs fewer terms, about the
 * target or about the middle of what is expected to come. */
static int try_sector(const Impact *impact, const Outlook *out, const Sector *sector,
                      Curve *curve) {
    const Slip *slip = &impact->slip;
    const double slowest = 0.4, longest = 0.34; /* some 50 terms, with the usual exponents */
    double weight = sector->weight, arrival = sector_ratio(sector, weight);
    double plain = sector_ratio(sector, 0);
    if (!(arrival < plain)) {
        weight = 0;
        arrival = plain;
    }
    /* if r' = f stays, the end is at u = ((1 - reach)/(1 + reach))^2, reach = tanh(half) */
    Fraction half = log_time(out);
    half.above *= 1.1 / 4 * sector->speed;
    Fraction far = fraction_tanh(half, 1);
    double reach = half.above < 3 * half.below ? least_of(far.above / far.below, 1) : 1;
    double middle = reach / sector_disc(sector, reach);
    if (arrival < slowest && arrival <= middle && needs_no_own_work(impact, out) &&
        curve_arrival(slip, &impact->now, out->r, sector, weight, curve)) {
        return 1;
    }
    if (!(middle <= longest)) {
        reach = longest * sector_disc(sector, longest);
        /* a middle stretch gets on by 4 */
        double depart = slowest * sector_far(sector);
        if (depart > 10 && !sector->rough && needs_no_own_work(impact, out) &&
            curve_departure(slip, &impact->now, out->r, sector, depart, curve)) {
            return 1;
        }
    }
    return curve_middle(slip, &impact->now, out->r, sector, reach, curve);
}

/* The sector by way of all invariant directions. */
static int find_sector(const Impact *impact, const Outlook *out, Invariants *invariants,
                       Sector *sector) {
    const Slip *slip = &impact->slip;
    if (!invariants->known) {
        invariants->known = 1;
        invariants->count = invariants_find(slip->b[0], slip->b[1], slip->b[2], slip->d[0],
                                            slip->d[1], invariants->s);
    }
    return sector_find(impact->now.gamma, out->g > 0, invariants->s, invariants->count, slip,
                       sector);
}

/* The next stretch of curved slip. Whether an expansion suits is its maker's decision, and log-time
 * always does. */
static void next_curve(const Impact *impact, const Outlook *out, Invariants *invariants,
                       Curve *curve) {
    const Slip *slip = &impact->slip;
    const State *now = &impact->now;
    Sector sector;
    if (impact->careful) {
        curve_logtime(slip, now, curve);
        return;
    }
    Gap gap = gap_estimate(slip, out->s);
    if (try_direct(impact, out, &gap, curve)) {
        return;
    }
    gap_divide(&gap);
    /* first where it takes few terms, and again where nothing else but log-time is left */
    if (try_fade(impact, out, 0.03, curve)) {
        return;
    }
    if (stops(out) && needs_no_own_work(impact, out) &&
        curve_approach(slip, now, out->r, out->s, &gap, curve)) {
        return;
    }
    int between =
        gap_sector(&gap, out->s, &sector) || find_sector(impact, out, invariants, &sector);
    if (!(between && try_sector(impact, out, &sector, curve)) &&
        !try_fade(impact, out, 0.3, curve)) {
        curve_logtime(slip, now, curve);
    }
}

static void run_slip(Impact *impact) {
    Curve curve;
    Invariants invariants = {.known = 0};
    int most = impact->careful ? MAX_STRETCHES_CAREFUL : MAX_STRETCHES;
    for (int i = 0; i < most && !impact->done; i++) {
        Outlook out = look_ahead(impact);
        if (is_straight(&impact->slip, &out, impact->now.p)) {
            run_straight(impact, out.s);
            return;
        }
        next_curve(impact, &out, &invariants, &curve);
        if (!curve_run(impact, &curve, out.s, out.inverse)) {
            continue;
        }
        if (curve.ending == CURVE_STOPS) {
            run_from_zero(impact);
            return;
        }
        if (curve.ending == CURVE_STRAIGHT) {
            run_straight(impact, curve.last.s);
            return;
        }
    }
}

void exact_run(Impact *impact) {
    const Slip *slip = &impact->slip;
    const double *gamma = impact->now.gamma;
    const double none[2] = {0, 0}, along[2] = {1, 0};
    if (gamma[0] == 0) {
        run_from_zero(impact);
    } else if (fabs(slip->d[1] - slip->b[1]) <= 4 * DBL_EPSILON * slip->rate) {
        impact_letter(impact, 'l');
        run_straight(impact, along);
    } else if (slip->mu == 0) {
        line_run(impact, none, INFINITY);
    } else {
        run_slip(impact);
    }
}
