/* One compliant contact: pieces and events (compliant_slope.h), and the outcome. */
#include "derivative/compliant_follow.h"

#include <string.h>

#include "compliant/compliant.h"
#include "contact/check.h"
#include "derivative/compliant_meet.h"
#include "derivative/compliant_slip.h"
#include "derivative/compliant_slope.h"
#include "derivative/compliant_stick.h"
#include "derivative/frame_turn.h"
#include "derivative/one.h"
#include "math/functions.h"
#include "math/vec2.h"

/* An event that has happened, and the row of its p. */
typedef struct PastEvent {
    int happened;
    double p;
    Column by;
} PastEvent;

typedef struct Follower {
    CompliantSlope slope;
    const CaromContact *contact;
    OneSlope *out;
    Units units;
    double speed;        /* |v_t-| */
    const char *problem; /* why the derivatives cannot be computed; NULL */
    int rows, done;
    int bounces;                  /* shortly */
    int slid;                     /* with e = 0, after compression: it is not known how by e */
    PastEvent change, compressed; /* the last change between stick and slip, end of compression */
    Moment end;                   /* of the outcome */
    double outcome[6][CAROM_INPUTS_ONE];
} Follower;

/* To the inputs. */
static void spread_columns(const double *row, double *to) {
    memset(to, 0, CAROM_INPUTS_ONE * sizeof *to);
    memcpy(to, row, 9 * sizeof *to);
    to[ONE_MU] = row[COLUMN_MU];
    to[ONE_E] = row[COLUMN_E];
    to[ONE_RATIO] = row[COLUMN_RATIO];
}

/* How far away a kink is: the least change of one input, relative. */
static double kink_reach(const Follower *follower, const OneKink *kink) {
    const CompliantSlope *slope = &follower->slope;
    const double *B = slope->B, *d = slope->d;
    const double input[9] = {B[0], B[1], d[0], B[2], d[1], 1, follower->speed, 0, -1};
    double reach = fmax(fabs(kink->by[ONE_MU] * slope->mu), fabs(kink->by[ONE_E] * slope->e));
    reach = fmax(reach, fabs(kink->by[ONE_RATIO] * slope->eta2));
    for (int i = 0; i < 9; i++) {
        reach = fmax(reach, fabs(kink->by[i] * input[i]));
    }
    return fabs(kink->phi) / reach;
}

/* Note a kink; of too many the farthest is dropped. */
static void note_kink(Follower *follower, CaromKinkKind kind, int happens, int jumps, double phi,
                      const double *row) {
    OneSlope *out = follower->out;
    OneKink *kinks = out->kinks, *last = &kinks[CAROM_KINKS_ONE];
    int full = out->kink_count == CAROM_KINKS_ONE, farthest = 0;
    if (follower->done || follower->bounces) {
        return;
    }
    spread_columns(row, one_add_kink(out, kind, happens, jumps, phi));
    for (int i = 1; i <= CAROM_KINKS_ONE && full; i++) {
        if (kink_reach(follower, &kinks[i]) > kink_reach(follower, &kinks[farthest])) {
            farthest = i;
        }
    }
    if (full) {
        kinks[farthest] = *last;
    }
}

/* Stiffness, over that of compression, beyond which bounces are so short that the distance of their
 * events loses its digits. All of them swing alike: those before count, and the contact that is
 * held in the end. */
static const double SHORT_BOUNCES = 1e6;

/* A contact that begins to be held on its cone, to rounding. */
static const double CONE_ROUNDING = 1e-12;

/* Samples of a piece of stick, and steps that find a minimum to the root of the rounding. */
enum { NEAR_SAMPLES = 16, NEAR_STEPS = 40 };

static void follow_begin(void *context, const Process *process) {
    Follower *follower = context;
    CompliantSlope *slope = &follower->slope;
    memset(slope, 0, sizeof *slope);
    slope->vn[ONE_V + 2] = 1;
    memcpy(slope->B, process->B, sizeof slope->B);
    memcpy(slope->d, process->d, sizeof slope->d);
    slope->mu = process->mu;
    slope->e = process->e;
    slope->eta2 = process->eta2;
    slope->kt = process->kt;
    slope->flat = process->rows == 2;
    follower->units = process->units;
    follower->speed = process->speed;
    follower->rows = process->rows;
    slope->slips = process->mode == CAROM_MODE_SLIP;
    slope->direct = process->speed == 0 && norm2(process->d) == 0;
    slope->now = process->now;
    if (slope->slips && process->speed > 0) {
        slope->phi[ONE_V + 1] = 1 / process->speed;
    }
    /* slip or stick at the start */
    double limit = process->mu * process->eta2;
    Column by = {0};
    by[ONE_V] = 1;
    by[ONE_V + 2] = limit; /* v_n- = -1 */
    by[COLUMN_MU] = -process->eta2;
    by[COLUMN_RATIO] = -process->mu;
    note_kink(follower, CAROM_KINK_START, slope->slips, 0, process->speed - limit, by);
}

/* A direct impact in time: only the normal spring moves. */
static Moment direct_at(const void *start, double t) {
    const Process *process = start;
    double w = sqrt(process->k), c = cos(w * t), s = sin(w * t);
    Moment to = process->now;
    to.N = process->now.N * c - w * process->now.vn * s;
    to.vn = process->now.vn * c + process->now.N * s / w;
    to.p += to.vn - process->now.vn;
    return to;
}

/* What may come near to 0 inside a piece of stick: mu N - |f|, |v_n|, or N of a held contact. */
typedef enum Near { NEAR_SLIP, NEAR_RESTART, NEAR_RELEASE } Near;

static double near_value(double mu, Near of, const Moment *now) {
    return of == NEAR_SLIP      ? mu * now->N - norm2(now->f)
           : of == NEAR_RESTART ? fabs(now->vn)
                                : now->N;
}

/* x of its least minimum inside the piece; 0: there is none. Samples are close together at the
 * ends, where pieces meet. */
static double find_near(double mu, Near of, MomentAt at, const void *piece, double end) {
    const double section = 0.6180339887498949, turn = 2 * acos(0) / NEAR_SAMPLES;
    double value[3] = {0}, least = INFINITY, found = 0;
    for (int q = 0; q <= NEAR_SAMPLES; q++) {
        Moment now = at(piece, end * (1 - cos(turn * q)) / 2);
        value[0] = value[1];
        value[1] = value[2];
        value[2] = near_value(mu, of, &now);
        if (q >= 2 && value[1] < value[0] && value[1] < value[2] && value[1] < least) {
            least = value[1];
            found = q - 1;
        }
    }
    double a = end * (1 - cos(turn * (found - 1))) / 2, b = end * (1 - cos(turn * (found + 1))) / 2;
    for (int k = 0; k < NEAR_STEPS && found > 0; k++) {
        double c = b - section * (b - a), d = a + section * (b - a);
        Moment left = at(piece, c), right = at(piece, d);
        if (near_value(mu, of, &left) < near_value(mu, of, &right)) {
            b = d;
        } else {
            a = c;
        }
    }
    return found > 0 ? (a + b) / 2 : 0;
}

/* Stick almost ends. Its margin is least: it does not depend on the moment. */
static void note_near_slip(Follower *follower, const Moment *now) {
    const CompliantSlope *slope = &follower->slope;
    double size = norm2(now->f), mu = slope->mu, phi = mu * now->N - size;
    if (!(phi > 0 && phi < size)) {
        return; /* far, or without a direction */
    }
    Column row;
    for (int c = 0; c < COLUMNS; c++) {
        row[c] =
            mu * slope->N[c] - (now->f[0] * slope->f[0][c] + now->f[1] * slope->f[1][c]) / size;
    }
    row[COLUMN_MU] += now->N;
    note_kink(follower, CAROM_KINK_STICK_HOLDS, 1, 0, phi, row);
}

static void note_near(Follower *follower, Near of, const Moment *now) {
    const CompliantSlope *slope = &follower->slope;
    if (of == NEAR_SLIP) {
        note_near_slip(follower, now);
    } else if (of == NEAR_RESTART) {
        /* compression almost ends, or almost begins again: the stiffness would change */
        note_kink(follower, CAROM_KINK_RESTART, 0, slope->e < 1, now->vn, slope->vn);
    } else {
        note_kink(follower, CAROM_KINK_TOUCH, 0, 1, now->N, slope->N);
    }
}

/* Stick from process->now to the end of the piece, and the kinks that it comes near to. */
static int follow_stick(Follower *follower, const Process *process, MomentAt at, const void *piece,
                        double end) {
    CompliantSlope *slope = &follower->slope;
    double from = 0, near[2] = {0, 0};
    int ok = 1;
    const Near of[2] = {NEAR_SLIP, slope->held ? NEAR_RELEASE : NEAR_RESTART};
    for (int i = 0; i < 2 && follower->out->wants_near && !follower->bounces; i++) {
        near[i] = find_near(slope->mu, of[i], at, piece, end);
    }
    for (int i = 0; i < 2; i++) {
        int next = i ^ (near[1] < near[0]); /* the earlier first */
        if (near[next] > 0) {
            Moment now = at(piece, near[next]);
            ok &= crm_compliant_stick(slope, process, at, piece, from, near[next]);
            note_near(follower, of[next], &now);
            from = near[next];
        }
    }
    return ok && crm_compliant_stick(slope, process, at, piece, from, end);
}

/* The contact is held from here on, if it was not before. */
static void hold_follower(Follower *follower, const Process *process) {
    CompliantSlope *slope = &follower->slope;
    if (slope->held || !process->latched) {
        return;
    }
    if (slope->e == 0) {
        /* bounces of a little e take a time that goes like e, over which their mean force is that
         * of the contact that is held */
        slope->p[COLUMN_E] = slope->J[0][COLUMN_E] = slope->J[1][COLUMN_E] =
            follower->slid ? NAN : 0;
    }
    follower->done = 0;
    crm_compliant_latch(slope, process);
    double size = norm2(slope->now.f), room = slope->mu * slope->now.N - size;
    if (follower->out->wants_near && room > CONE_ROUNDING * size) {
        note_near(follower, NEAR_SLIP, &slope->now);
        note_near(follower, NEAR_RELEASE, &slope->now);
    }
}

static void follow_piece(void *context, const Process *process, MomentAt at, MomentPace pace,
                         const void *piece, double end) {
    Follower *follower = context;
    CompliantSlope *slope = &follower->slope;
    if (follower->problem) {
        return;
    }
    int ok = 1;
    follower->bounces = process->k > SHORT_BOUNCES && !process->latched;
    hold_follower(follower, process);
    if (slope->direct) {
        /* a direct impact is solved as frictionless; its variation sticks, a quarter of a period */
        ok = crm_compliant_stick(slope, process, direct_at, process, 0, acos(0) / sqrt(process->k));
    } else if (process->mode == CAROM_MODE_STICK) {
        ok = follow_stick(follower, process, at, piece, end);
    } else {
        crm_compliant_slip(slope, process, at, pace, piece, end);
    }
    slope->now = at(piece, end);
    slope->now.vn = slope->held ? -dot2(slope->d, slope->now.V) : slope->now.vn;
    if (!ok) {
        follower->problem = "stick oscillates too often: its derivatives are not computed";
    }
}

/* Two events that are close to each other may both vanish: p between them goes like the root of the
 * distance. */
static void note_pair(Follower *follower, const PastEvent *first, CaromKinkKind kind, int happens,
                      int jumps) {
    const CompliantSlope *slope = &follower->slope;
    double length = slope->now.p - first->p;
    Column row;
    for (int c = 0; c < COLUMNS; c++) {
        row[c] = 2 * length * (slope->p[c] - first->by[c]);
    }
    note_kink(follower, kind, happens, jumps, length * length, row);
}

/* Here, for the next one. */
static void note_past(const Follower *follower, PastEvent *turn) {
    turn->happened = 1;
    turn->p = follower->slope.now.p;
    memcpy(turn->by, follower->slope.p, sizeof turn->by);
}

static void note_change(Follower *follower, int stops) {
    if (follower->change.happened) {
        note_pair(follower, &follower->change, CAROM_KINK_SLIP_STOPS, !stops, 0);
    }
    note_past(follower, &follower->change);
}

/* I and v+ of the present moment. */
static void write_compliant_outcome(Follower *follower) {
    const CompliantSlope *slope = &follower->slope;
    Column V[2], vn;
    crm_compliant_rows(slope, V, vn);
    if (slope->held) {
        memset(vn, 0, sizeof vn);
    }
    const double *rows[6] = {slope->J[0], slope->J[1], slope->p, V[0], V[1], vn};
    for (int i = 0; i < 6; i++) {
        double *to = follower->outcome[i];
        spread_columns(rows[i], to);
        to[ONE_MU_STATIC] = to[ONE_STIFFNESS] = 0;
    }
    follower->end = slope->now;
    follower->done = 1;
}

/* e = 0: what a little e would return, in a time that goes like e. With theta = t sqrt(k)/e it is
 * N'' = -(N - d.f), f constant as long as it sticks, then f = mu N s and N'' = -(1 - mu d.s) N.
 * NaN: N does not come to 0. */
static void return_impulse(Follower *follower, double k, const double s[2]) {
    CompliantSlope *slope = &follower->slope;
    const Moment *now = &slope->now;
    int sticks = !slope->slips || slope->direct;
    const double *const J[2] = {slope->J[0], slope->J[1]};
    const Moment none = {.p = 0};
    double N = now->N, fall = 0, theta = 0, p = 0, per_k = 1 / sqrt(k);
    Column vn;
    if (sticks) {
        double rest = dot2(slope->d, now->f), edge = norm2(now->f) / slope->mu;
        double part = fmin((edge - rest) / (N - rest), 1);
        theta = N > rest ? acos(part) : NAN;
        fall = (N - rest) * sin(theta);
        p = rest * theta + fall;
        N = fmin(edge, N);
    }
    double slip = N * N / (fall + sqrt(fall * fall + (1 - slope->mu * dot2(slope->d, s)) * N * N));
    slip = N > 0 ? slip : 0;
    slope->p[COLUMN_E] += per_k * (p + slip);
    for (int i = 0; i < 2; i++) {
        slope->J[i][COLUMN_E] -=
            per_k * ((sticks ? theta * now->f[i] : 0) + slope->mu * s[i] * slip);
    }
    compliant_normal(slope, &none, J, slope->p, vn);
    slope->vn[COLUMN_E] = vn[COLUMN_E];
}

/* Compression ends. With e = 0 this is the outcome, unless the contact becomes held: pieces that
 * follow decide that, with an e of 1e-13. */
static void meet_compression_end(Follower *follower, const Process *process, const double s[2]) {
    CompliantSlope *slope = &follower->slope;
    double e = slope->e;
    crm_compliant_turn(slope, process, s);
    if (e == 0) {
        return_impulse(follower, process->k, s);
        write_compliant_outcome(follower);
        slope->p[COLUMN_E] = slope->J[0][COLUMN_E] = slope->J[1][COLUMN_E] = 0;
        slope->vn[COLUMN_E] = 0;
        follower->slid |= slope->slips;
        return;
    }
    for (int c = 0; c < COLUMNS; c++) {
        slope->k[c] /= e * e;
    }
    slope->k[COLUMN_E] -= 2 * process->k / (e * e * e);
    note_past(follower, &follower->compressed);
}

/* Has compression restarted so soon after it ended that both might vanish? A swing takes pi. */
static int is_short(const Follower *follower, const Process *process) {
    const Moment *now = &follower->slope.now;
    double length = now->p - follower->compressed.p;
    return length * sqrt(process->k) < 1.5 * now->N;
}

/* Stick ends; a contact that begins to be held on its cone slips at once. */
static void yield_or_hold(Follower *follower, const Process *process) {
    if (process->latched && !follower->slope.held) {
        hold_follower(follower, process);
    } else {
        crm_compliant_yield(&follower->slope, process);
    }
}

static void end_impact(Follower *follower, const Process *process, const double s[2]) {
    if (!follower->done) {
        crm_compliant_end(&follower->slope, process, s);
        write_compliant_outcome(follower);
    }
}

static void follow_event(void *context, const Process *process, CaromEventKind kind) {
    Follower *follower = context;
    CompliantSlope *slope = &follower->slope;
    double size = norm2(slope->now.f);
    const double s[2] = {size > 0 ? slope->now.f[0] / size : process->s[0],
                         size > 0 ? slope->now.f[1] / size : process->s[1]};
    if (follower->problem) {
        return;
    }
    switch (kind) {
    case CAROM_EVENT_COMPRESSION_END:
        meet_compression_end(follower, process, s);
        break;
    case CAROM_EVENT_COMPRESSION_RESTART:
        crm_compliant_turn(slope, process, s);
        if (is_short(follower, process)) {
            note_pair(follower, &follower->compressed, CAROM_KINK_RESTART, 1, slope->e < 1);
        }
        break;
    case CAROM_EVENT_STICK:
        crm_compliant_stop(slope, process, s);
        note_change(follower, 1);
        slope->slips = 0;
        break;
    case CAROM_EVENT_SLIP:
        yield_or_hold(follower, process);
        note_change(follower, 0);
        follower->slid |= follower->done;
        slope->slips = 1;
        break;
    case CAROM_EVENT_RESTITUTION_END:
        end_impact(follower, process, s);
        break;
    case CAROM_EVENT_RELEASE:
        crm_compliant_release(slope, process, s);
        write_compliant_outcome(follower);
        break;
    default: /* the contact is held: process has it before the next piece */
        break;
    }
}

/* Largest accepted error of the identities of the derivatives: the impulse is homogeneous of degree
 * 1 in v and of degree -1 in W. */
static const double COMPLIANT_MISMATCH = 1e-7;

/* How far they are off, relative. */
static double find_residual(const Follower *follower) {
    const CompliantSlope *slope = &follower->slope;
    const double *B = slope->B, *d = slope->d;
    const double W[6] = {B[0], B[1], d[0], B[2], d[1], 1};
    const double I[3] = {follower->end.J[0], follower->end.J[1], follower->end.p};
    double size = fabs(I[0]) + fabs(I[1]) + I[2], worst = 0;
    for (int i = 0; i < 3; i++) {
        const double *row = follower->outcome[i];
        double by_v = row[ONE_V] * follower->speed - row[ONE_V + 2], by_W = 0, all = size;
        for (int j = 0; j < 6; j++) {
            by_W += row[j] * W[j];
            all += fabs(row[j] * W[j]);
        }
        all += fabs(row[ONE_V] * follower->speed) + fabs(row[ONE_V + 2]);
        double off = (fabs(by_v - I[i]) + fabs(by_W + I[i])) / all;
        worst = off <= worst ? worst : off; /* NaN as well */
    }
    return worst;
}

CaromStatus crm_compliant_follow(const double *W, const double *v, int rows,
                                 const CaromContact *contact, CaromResult *result,
                                 OneSlope *slope) {
    Follower follower = {.contact = contact, .out = slope};
    const CompliantVisitor visitor = {&follower, follow_begin, follow_piece, follow_event};
    CaromTrace none = {0};
    Sampler sampler = {.trace = &none, .compliant = &visitor};
    slope->kink_count = 0;
    slope->residual = NAN;
    slope->smoothness = contact->e == 0 ? CAROM_ONE_SIDED : CAROM_SMOOTH;
    slope->message = "";
    CaromStatus status = crm_compliant_solve(W, v, rows, contact, &sampler, result);
    if (status < 0) {
        return status;
    }
    if (follower.problem) {
        slope->message = follower.problem;
        return CAROM_NOT_CONVERGED;
    }
    slope->residual = find_residual(&follower);
    if (!(slope->residual <= COMPLIANT_MISMATCH)) {
        slope->message = "the derivatives have lost their digits";
        return CAROM_NOT_CONVERGED;
    }
    turn_outcome(&follower.units, follower.outcome, slope);
    for (int i = 0; i < slope->kink_count; i++) {
        turn_gradient(&follower.units, slope->kinks[i].by);
    }
    if (isnan(slope->outcome[0][ONE_E])) {
        slope->smoothness = CAROM_NOT_SMOOTH;
        slope->message = follower.slope.held ? "e = 0: the derivative by e is not computed"
                                             : "e = 0: the contact would not open for a little e";
    }
    return status;
}
