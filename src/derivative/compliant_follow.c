/* One compliant contact: pieces and events (compliant_slope.h), and the outcome. */
#include "derivative/compliant_follow.h"

#include <string.h>

#include "compliant/compliant.h"
#include "contact/check.h"
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
    int rows, slips, direct, done;
    Moment now;
    PastEvent change, compressed; /* the last change between stick and slip, end of compression */
    double outcome[6][CAROM_INPUTS_ONE];
} Follower;

/* Samples of a piece of stick, and steps that find a minimum to the root of the rounding. */
enum { NEAR_SAMPLES = 16, NEAR_STEPS = 40 };

static const char HELD_CONTACT[] = "the contact is held";

/* The rows of V and v_n at the present moment. */
static void compliant_rows_now(const CompliantSlope *slope, const Moment *now, Column V[2],
                               Column vn) {
    const double *const J[2] = {slope->J[0], slope->J[1]};
    compliant_velocity(slope, now, J, slope->p, V, vn);
    V[0][ONE_V] += 1;
    V[1][ONE_V + 1] += 1;
    vn[ONE_V + 2] += 1;
}

static void follow_begin(void *context, const Process *process) {
    Follower *follower = context;
    CompliantSlope *slope = &follower->slope;
    memset(slope, 0, sizeof *slope);
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
    follower->slips = process->mode == CAROM_MODE_SLIP;
    follower->direct = process->speed == 0 && norm2(process->d) == 0;
    follower->now = process->now;
    if (follower->slips && process->speed > 0) {
        slope->phi[ONE_V + 1] = 1 / process->speed;
    }
    /* slip or stick at the start */
    double limit = process->mu * process->eta2, *by;
    by = one_add_kink(follower->out, CAROM_KINK_START, follower->slips, 0, process->speed - limit);
    by[ONE_V] = 1;
    by[ONE_V + 2] = limit; /* v_n- = -1 */
    by[ONE_MU] = -process->eta2;
    by[ONE_RATIO] = -process->mu;
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

/* To the inputs. */
static void spread_columns(const double *row, double *to) {
    memcpy(to, row, 9 * sizeof *to);
    to[ONE_MU] = row[COLUMN_MU];
    to[ONE_E] = row[COLUMN_E];
    to[ONE_RATIO] = row[COLUMN_RATIO];
}

/* What may come near to 0 inside a piece of stick: mu N - |f|, or |v_n|. */
static double near_value(double mu, int of_speed, const Moment *now) {
    return of_speed ? fabs(now->vn) : mu * now->N - norm2(now->f);
}

/* x of its least minimum inside the piece; 0: there is none. Samples are close together at the
 * ends, where pieces meet. */
static double find_near(double mu, int of_speed, MomentAt at, const void *piece, double end) {
    const double section = 0.6180339887498949, turn = 2 * acos(0) / NEAR_SAMPLES;
    double value[3] = {0}, least = INFINITY, found = 0;
    for (int q = 0; q <= NEAR_SAMPLES; q++) {
        Moment now = at(piece, end * (1 - cos(turn * q)) / 2);
        value[0] = value[1];
        value[1] = value[2];
        value[2] = near_value(mu, of_speed, &now);
        if (q >= 2 && value[1] < value[0] && value[1] < value[2] && value[1] < least) {
            least = value[1];
            found = q - 1;
        }
    }
    double a = end * (1 - cos(turn * (found - 1))) / 2, b = end * (1 - cos(turn * (found + 1))) / 2;
    for (int k = 0; k < NEAR_STEPS && found > 0; k++) {
        double c = b - section * (b - a), d = a + section * (b - a);
        Moment left = at(piece, c), right = at(piece, d);
        if (near_value(mu, of_speed, &left) < near_value(mu, of_speed, &right)) {
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
    double *by = one_add_kink(follower->out, CAROM_KINK_STICK_HOLDS, 1, 0, phi);
    Column row;
    for (int c = 0; c < COLUMNS; c++) {
        row[c] =
            mu * slope->N[c] - (now->f[0] * slope->f[0][c] + now->f[1] * slope->f[1][c]) / size;
    }
    row[COLUMN_MU] += now->N;
    spread_columns(row, by);
}

/* Compression almost ends, or almost begins again: the stiffness would change. */
static void note_near_restart(Follower *follower, const Moment *now) {
    const CompliantSlope *slope = &follower->slope;
    Column V[2], vn;
    compliant_rows_now(slope, now, V, vn);
    spread_columns(vn, one_add_kink(follower->out, CAROM_KINK_RESTART, 0, slope->e < 1, now->vn));
}

/* Stick from process->now to the end of the piece, and the kinks that it comes near to. */
static int follow_stick(Follower *follower, const Process *process, MomentAt at, const void *piece,
                        double end) {
    CompliantSlope *slope = &follower->slope;
    double from = 0, near[2] = {0, 0};
    int ok = 1;
    for (int i = 0; i < 2 && follower->out->wants_near; i++) {
        near[i] = find_near(slope->mu, i, at, piece, end);
    }
    for (int i = 0; i < 2; i++) {
        int next = i ^ (near[1] < near[0]); /* the earlier first */
        if (near[next] > 0) {
            Moment now = at(piece, near[next]);
            ok &= crm_compliant_stick(slope, process, at, piece, from, near[next]);
            (next ? note_near_restart : note_near_slip)(follower, &now);
            from = near[next];
        }
    }
    return ok && crm_compliant_stick(slope, process, at, piece, from, end);
}

static void follow_piece(void *context, const Process *process, MomentAt at, MomentPace pace,
                         const void *piece, double end) {
    Follower *follower = context;
    CompliantSlope *slope = &follower->slope;
    if (process->latched) {
        follower->problem = HELD_CONTACT; /* with e = 0 after what looked like the end */
    }
    if (follower->problem || follower->done) {
        return;
    }
    int ok = 1;
    if (follower->direct) {
        /* a direct impact is solved as frictionless; its variation sticks, a quarter of a period */
        ok = crm_compliant_stick(slope, process, direct_at, process, 0, acos(0) / sqrt(process->k));
    } else if (process->mode == CAROM_MODE_STICK) {
        ok = follow_stick(follower, process, at, piece, end);
    } else {
        crm_compliant_slip(slope, process, at, pace, piece, end);
    }
    follower->now = at(piece, end);
    if (!ok) {
        follower->problem = "stick oscillates too often: its derivatives are not computed";
    }
}

/* Move the rows by dx, the change of the moment, at the rates of stick (in t). */
static void shift_stick(Follower *follower, double k, const double *dx) {
    CompliantSlope *slope = &follower->slope;
    const Moment *now = &follower->now;
    for (int c = 0; c < COLUMNS; c++) {
        slope->p[c] += now->N * dx[c];
        slope->N[c] -= k * now->vn * dx[c];
        for (int i = 0; i < 2; i++) {
            slope->J[i][c] -= now->f[i] * dx[c];
            slope->f[i][c] += slope->kt * now->V[i] * dx[c];
        }
    }
}

/* The same in slip (in p). */
static void shift_slip(Follower *follower, double k, const double s[2], const double *dx) {
    CompliantSlope *slope = &follower->slope;
    const Moment *now = &follower->now;
    double M = now->N * now->N;
    double turn = M > 0 && !slope->flat ? cross2(s, now->V) / (slope->mu * slope->eta2 * M) : 0;
    for (int c = 0; c < COLUMNS; c++) {
        slope->p[c] += dx[c];
        slope->M[c] -= 2 * k * now->vn * dx[c];
        slope->phi[c] += turn * dx[c];
        for (int i = 0; i < 2; i++) {
            slope->J[i][c] -= slope->mu * s[i] * dx[c];
        }
    }
}

/* The event of v_n = 0, or of slip that ends, or of N = 0: dx = -dh/h'. */
static void meet_turn(Follower *follower, const Process *process, const double s[2]) {
    const CompliantSlope *slope = &follower->slope;
    const Moment *now = &follower->now;
    Column V[2], vn;
    compliant_rows_now(slope, now, V, vn);
    int sticks = !follower->slips || follower->direct;
    double rise = sticks ? now->N - dot2(slope->d, now->f) : 1 - slope->mu * dot2(slope->d, s);
    for (int c = 0; c < COLUMNS; c++) {
        vn[c] *= -1 / rise;
    }
    if (sticks) {
        shift_stick(follower, process->k, vn);
    } else {
        shift_slip(follower, process->k, s, vn);
    }
}

/* Slip ends: sigma = V.s + mu eta^2 k v_n = 0. */
static void meet_stop(Follower *follower, const Process *process, const double s[2]) {
    CompliantSlope *slope = &follower->slope;
    const Moment *now = &follower->now;
    const double *B = slope->B, *d = slope->d, mu = slope->mu, eta2 = slope->eta2, k = process->k;
    Column V[2], vn, sigma;
    compliant_rows_now(slope, now, V, vn);
    double across = cross2(s, now->V), stiff = mu * eta2 * k;
    double drift[2] = {d[0] - mu * (B[0] * s[0] + B[1] * s[1]),
                       d[1] - mu * (B[1] * s[0] + B[2] * s[1])};
    double growth = dot2(drift, s) + stiff * (1 - mu * dot2(d, s));
    if (!slope->flat) {
        growth += across * across / (mu * eta2 * now->N * now->N);
    }
    for (int c = 0; c < COLUMNS; c++) {
        sigma[c] = s[0] * V[0][c] + s[1] * V[1][c] + across * slope->phi[c] + stiff * vn[c] +
                   mu * eta2 * now->vn * slope->k[c];
    }
    sigma[COLUMN_MU] += eta2 * k * now->vn;
    sigma[COLUMN_RATIO] += mu * k * now->vn;
    for (int c = 0; c < COLUMNS; c++) {
        sigma[c] *= -1 / growth;
    }
    shift_slip(follower, k, s, sigma);
    for (int c = 0; c < COLUMNS; c++) {
        double N = slope->M[c] / (2 * now->N);
        slope->N[c] = N;
        slope->f[0][c] = mu * (s[0] * N - s[1] * now->N * slope->phi[c]);
        slope->f[1][c] = mu * (s[1] * N + s[0] * now->N * slope->phi[c]);
    }
    slope->f[0][COLUMN_MU] += now->N * s[0];
    slope->f[1][COLUMN_MU] += now->N * s[1];
}

/* Stick ends: |f| = mu N. */
static void meet_yield(Follower *follower, const Process *process) {
    CompliantSlope *slope = &follower->slope;
    const Moment *now = &follower->now;
    double size = norm2(now->f), s[2] = {now->f[0] / size, now->f[1] / size}, mu = slope->mu;
    double rate = slope->kt * dot2(s, now->V) + mu * process->k * now->vn;
    Column h;
    for (int c = 0; c < COLUMNS; c++) {
        h[c] = -(s[0] * slope->f[0][c] + s[1] * slope->f[1][c] - mu * slope->N[c]) / rate;
    }
    h[COLUMN_MU] += now->N / rate;
    shift_stick(follower, process->k, h);
    for (int c = 0; c < COLUMNS; c++) {
        slope->M[c] = 2 * now->N * slope->N[c];
        slope->phi[c] = (s[0] * slope->f[1][c] - s[1] * slope->f[0][c]) / size;
    }
}

/* N = 0. */
static void meet_end(Follower *follower, const Process *process, const double s[2]) {
    const CompliantSlope *slope = &follower->slope;
    const Moment *now = &follower->now;
    Column dx;
    if (follower->direct) {
        for (int c = 0; c < COLUMNS; c++) {
            dx[c] = slope->N[c] / (process->k * now->vn);
        }
        shift_stick(follower, process->k, dx);
        return;
    }
    for (int c = 0; c < COLUMNS; c++) {
        dx[c] = slope->M[c] / (2 * process->k * now->vn);
    }
    shift_slip(follower, process->k, s, dx);
}

/* Two events that are close to each other may both vanish: p between them goes like the root of the
 * distance. */
static void note_pair(Follower *follower, const PastEvent *first, CaromKinkKind kind, int happens,
                      int jumps) {
    const CompliantSlope *slope = &follower->slope;
    double length = follower->now.p - first->p;
    Column row;
    for (int c = 0; c < COLUMNS; c++) {
        row[c] = 2 * length * (slope->p[c] - first->by[c]);
    }
    spread_columns(row, one_add_kink(follower->out, kind, happens, jumps, length * length));
}

/* Here, for the next one. */
static void note_past(const Follower *follower, PastEvent *turn) {
    turn->happened = 1;
    turn->p = follower->now.p;
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
    compliant_rows_now(slope, &follower->now, V, vn);
    const double *rows[6] = {slope->J[0], slope->J[1], slope->p, V[0], V[1], vn};
    for (int i = 0; i < 6; i++) {
        double *to = follower->outcome[i];
        spread_columns(rows[i], to);
        to[ONE_MU_STATIC] = to[ONE_STIFFNESS] = 0;
    }
    follower->done = 1;
}

/* e = 0: what a little e would return, in a time that goes like e. With theta = t sqrt(k)/e it is
 * N'' = -(N - d.f), f constant as long as it sticks, then f = mu N s and N'' = -(1 - mu d.s) N.
 * NaN: N does not come to 0. */
static void return_impulse(Follower *follower, double k, const double s[2]) {
    CompliantSlope *slope = &follower->slope;
    const Moment *now = &follower->now;
    int sticks = !follower->slips || follower->direct;
    double N = now->N, fall = 0, theta = 0, p = 0, per_k = 1 / sqrt(k);
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
}

static void follow_event(void *context, const Process *process, CaromEventKind kind) {
    Follower *follower = context;
    CompliantSlope *slope = &follower->slope;
    double size = norm2(follower->now.f), e = slope->e;
    const double s[2] = {size > 0 ? follower->now.f[0] / size : process->s[0],
                         size > 0 ? follower->now.f[1] / size : process->s[1]};
    if (follower->problem || follower->done) {
        return;
    }
    switch (kind) {
    case CAROM_EVENT_COMPRESSION_END:
        meet_turn(follower, process, s);
        if (e == 0) {
            return_impulse(follower, process->k, s);
            write_compliant_outcome(follower);
            return;
        }
        for (int c = 0; c < COLUMNS; c++) {
            slope->k[c] /= e * e;
        }
        slope->k[COLUMN_E] -= 2 * process->k / (e * e * e);
        note_past(follower, &follower->compressed);
        break;
    case CAROM_EVENT_COMPRESSION_RESTART:
        meet_turn(follower, process, s);
        note_pair(follower, &follower->compressed, CAROM_KINK_RESTART, 1, e < 1);
        break;
    case CAROM_EVENT_STICK:
        meet_stop(follower, process, s);
        note_change(follower, 1);
        follower->slips = 0;
        break;
    case CAROM_EVENT_SLIP:
        meet_yield(follower, process);
        note_change(follower, 0);
        follower->slips = 1;
        break;
    case CAROM_EVENT_RESTITUTION_END:
        meet_end(follower, process, s);
        write_compliant_outcome(follower);
        break;
    default:
        follower->problem = HELD_CONTACT;
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
    const double I[3] = {follower->now.J[0], follower->now.J[1], follower->now.p};
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

/* Enough for the events before a contact counts as held. */
enum { FOLLOWED_EVENTS = 256 };

CaromStatus crm_compliant_follow(const double *W, const double *v, int rows,
                                 const CaromContact *contact, CaromResult *result,
                                 OneSlope *slope) {
    Follower follower = {.contact = contact, .out = slope};
    const CompliantVisitor visitor = {&follower, follow_begin, follow_piece, follow_event};
    CaromTrace none = {0};
    Sampler sampler = {.trace = &none, .compliant = &visitor};
    CaromEvent events[FOLLOWED_EVENTS], *theirs = result->events;
    int capacity = result->event_capacity;
    slope->kink_count = 0;
    slope->residual = NAN;
    slope->smoothness = contact->e == 0 ? CAROM_ONE_SIDED : CAROM_SMOOTH;
    slope->message = "";
    result->events = events;
    result->event_capacity = FOLLOWED_EVENTS;
    CaromStatus status = crm_compliant_solve(W, v, rows, contact, &sampler, result);
    result->events = theirs;
    result->event_capacity = capacity;
    for (int i = 0; theirs && i < capacity && i < result->event_count; i++) {
        theirs[i] = events[i];
    }
    if (status < 0) {
        return status;
    }
    if (follower.problem || !follower.done) {
        slope->message = follower.problem ? follower.problem : "too many events";
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
        slope->message = "e = 0: the contact would not open for a little e";
    }
    return status;
}
