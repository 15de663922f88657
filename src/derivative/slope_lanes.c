/* Derivatives of many rigid impacts at once: a visitor of the lanes (rigid_lanes/lanes_visit.h).
 *
 * Each step of MANY impacts is followed as the solver reports it, cut at the end of compression:
 * curved slip by the closed form and Gauss's rule (lanes_nodes.h), arrivals at zero slip, stick,
 * and slip from zero. What is nearly straight, what slips slowly, and what fails an identity is
 * left to the program for one impact, which has log-time. */
#ifdef CAROM_FMA_COPY
#define crm_slope_lanes crm_slope_lanes_fma
#define crm_rigid_lanes_visit crm_rigid_lanes_visit_fma
#endif

#include "derivative/slope_lanes.h"

#include "rigid_lanes/rigid_lanes.h"

#include "math/many.h"

#ifdef CAROM_LANES

#include <string.h>

#include "derivative/lanes_nodes.h"
#include "derivative/lanes_outcome.h"
#include "derivative/lanes_path.h"

/* As CURVED_TURN, SLOPE_FADED and SLOPE_FADED_TURN in slip_slope.c. */
static const double LANES_TURN = 1e-5, LANES_FADED = 1e-7, LANES_FADED_TURN = 1e-5;

/* Below this e the derivative of the end loses digits: eps/e. */
static const double LANES_LEAST_E = 1e-6;

/* From this q on z^q underflows at nodes near 0, whose weights count. */
static const double LANES_STEEPEST = 40;

/* The longest piece of an arrival, in log z and in q log z. */
static const double LANES_LOG = 1.4, LANES_FALL = 5;

/* Below this log z the other singularities are far, and pieces twice as long. */
static const double LANES_ALONE = -1.2;

/* As log ARRIVAL_LINE in rigid/curve/nodes.h. */
static const double LANES_LINE = -20.7;

typedef struct SlopeBlock {
    PathSlots path;
    const CaromCase *cases;
    CaromCaseDerivative *derivatives;
    unsigned char *done; /* by case */
} SlopeBlock;

/* A step and what it takes to follow it. */
typedef struct Follow {
    ManyProblem problem;
    ManyState from;
    ManySetting setting;
    ManyPath path;
} Follow;

static void visit_begin_step(const SlopeBlock *block, const ManyStep *step, Follow *follow) {
    slots_problem(step->slots, step->slot, &follow->problem);
    slots_state(step->slots, step->slot, &follow->from);
    setting_make(&follow->problem, &follow->setting);
    path_load(&block->path, step->slot, &follow->path);
}

static void visit_keep(SlopeBlock *block, const ManyStep *step, const ManyPath *path) {
    for (int i = 0; i < step->count; i++) {
        if (step->kept[i]) {
            path_keep(&block->path, step->slot[i], path, i);
        }
    }
}

/* ---- stretches ---- */

/* The turning rate at a point over its scale, and whether slip is so slow and straight there that
 * it counts as stopping. */
static Many turn_at(const Follow *follow, const ManyMark *at, ManyMask *faded) {
    const ManyProblem *problem = &follow->problem;
    const Many *d = problem->d, *b = problem->b, *s = at->s;
    Many rate[2], P = follow->from.p + at->p;
    path_rate(problem, s, rate);
    Many g = many_abs(s[0] * rate[1] - s[1] * rate[0]), f = s[0] * rate[0] + s[1] * rate[1];
    Many slow =
        LANES_FADED * (problem->speed + (many_abs(d[0]) + many_abs(d[1]) + b[0] + b[2]) * P);
    *faded = (P > 0) & (at->gamma[0] * at->gamma[0] + at->gamma[1] * at->gamma[1] < slow * slow) &
             (g < -LANES_FADED_TURN * f);
    return g / problem->rate;
}

/* One piece between two points. */
static void lanes_piece(Follow *follow, const ManyTrack *track, ManyMask where,
                        const ManyMark *from, const ManyMark *to) {
    ManyIntegrals sums;
    ManyMask faded, ends;
    ManyPath *path = &follow->path;
    Many first = turn_at(follow, from, &faded), last = turn_at(follow, to, &ends);
    Many p = to->p - from->p;
    ManyMask lost = faded | ~(many_least(first, last) > LANES_TURN) | ~(p > 0);
    path->lost = many_choose(where & lost, many_all(1), path->lost);
    track_integrate(track, from, to, &sums);
    path_curve(&follow->setting, where, from, to, &sums, path);
    path_count(where, follow->from.p + from->p, p, follow->problem.speed, sums.gamma, path);
    Many missed = many_most(path->missed, many_abs(sums.p - p));
    path->missed = many_choose(where, missed, path->missed);
}

/* Down to zero slip. */
static void lanes_arrive(Follow *follow, const ManyTrack *track, ManyMask where,
                         const ManyMark *from) {
    const ManyCurve *curve = track->curve;
    const ManyLine *line = &curve->line;
    const ManyPoint *end = &curve->end;
    ManyIntegrals sums;
    ManyMask faded, ends;
    ManyPath *path = &follow->path;
    ManyMark to = {.p = end->p, .A = curve->A, .vn = end->vn};
    for (int i = 0; i < 2; i++) {
        to.J[i] = end->J[i];
        to.gamma[i] = end->gamma[i];
    }
    to.s[0] = line->A[0] / line->D[0];
    to.s[1] = line->C[0] / line->D[0];
    Many first = turn_at(follow, from, &faded);
    turn_at(follow, &to, &ends);
    ManyMask lost = faded | ~(first > LANES_TURN) | ~(curve->q < LANES_STEEPEST);
    path->lost = many_choose(where & lost, many_all(1), path->lost);
    track_arrive(track, where, from->z, &sums);
    path_arrive(&follow->setting, where, from, &to, &sums, path);
    path_count(where, follow->from.p + from->p, to.p - from->p, follow->problem.speed, sums.gamma,
               path);
}

/* The parameter of the nodes at an x: log z = log(1 - q x)/q. */
static Many track_parameter(const ManyTrack *track, Many x) {
    if (track->kind == MANY_ARRIVAL) {
        Many q = track->curve->q, part = -q * x, y = 1 + part;
        return (many_log(y) + (part - (y - 1)) / y) / q;
    }
    return x;
}

/* To the end of compression, where it comes, and to the end of the stretch. Each element goes at
 * its own pace: at[0] and at[1] hold the two points, where[0] and where[1] who goes there. */
static void lanes_run(Follow *follow, const ManyTrack *track, const ManyEvents *events,
                      ManyMask where[2], const ManyMark marks[2], ManyMark *at) {
    Many q = many_abs(track->curve->q), most = LANES_FALL / q;
    while (many_any(where[0] | where[1])) {
        ManyMask all = where[0] | where[1], ends = all;
        ManyMark to = marks[1];
        mark_choose(where[0], &marks[0], &to);
        if (track->kind == MANY_ARRIVAL) {
            Many length =
                many_choose(at->t < LANES_ALONE, many_all(2 * LANES_LOG), many_all(LANES_LOG));
            Many next = at->t - many_least(length, most);
            ManyMark between[2];
            ends = ~(next - to.t > 1e-4);
            if (many_any(all & ~ends)) {
                next = many_choose(all & ~ends, next, at->t);
                track_marks(track, next, next, between);
                mark_choose(~ends, &between[0], &to);
            }
        }
        lanes_piece(follow, track, all, at, &to);
        mark_choose(all, &to, at);
        path_lose(where[0] & ends, follow->problem.e, events->peak, &follow->path);
        where[1] &= ~(ends & ~where[0]);
        where[0] &= ~ends;
    }
}

/* Where compression ends, more exactly: E is extremal there, but not its derivatives. */
static Many refine_compression(const ManyTrack *track, Many x) {
    Many v, dv, A;
    if (track->kind == MANY_REGULAR) {
        regular_values(track->curve, x, &v, &dv, &A);
    } else {
        arrival_values(track->curve, x, &v, &dv, &A);
    }
    return x - v / dv;
}

static void visit_stretch(void *context, const ManyStep *step, ManyKind kind,
                          const ManyCurve *curve, const ManyEvents *events) {
    SlopeBlock *block = context;
    Follow follow;
    ManyTrack track;
    ManyMask compressed = step->kept & events->compressed, rest = step->kept & ~events->waits,
             stops = rest & ~events->ends & (kind == MANY_ARRIVAL ? curve->stops : (ManyMask){0});
    Many start = kind == MANY_REGULAR ? many_all(-1) : many_all(0),
         z = kind == MANY_REGULAR ? start : many_all(1);
    ManyMark at, marks[2];
    if (!many_any(step->kept)) {
        return;
    }
    visit_begin_step(block, step, &follow);
    track_begin(&follow.setting, &follow.from, curve, kind, &track);
    /* the ends of both phases, or of the stretch; elements without get the start */
    Many first = start, last = track_parameter(&track, events->x[1]);
    if (many_any(compressed)) {
        Many x = refine_compression(&track, events->x[0]);
        first = many_choose(compressed, track_parameter(&track, x), start);
    }
    last = many_choose(events->ends, last, track_parameter(&track, curve->to));
    last = many_choose(rest & ~stops, last, start);
    track_marks(&track, first, last, marks);
    at = (ManyMark){.t = start, .z = z, .vn = follow.from.vn};
    at.gamma[0] = follow.from.gamma[0];
    at.gamma[1] = follow.from.gamma[1];
    Many D = quadratic(curve->line.D, z);
    at.s[0] = quadratic(curve->line.A, z) / D;
    at.s[1] = quadratic(curve->line.C, z) / D;
    ManyMask where[2] = {compressed, rest & ~stops};
    for (int i = 0; i < 2 && kind == MANY_ARRIVAL; i++) {
        ManyMask over = where[i] & ~(marks[i].t > LANES_LINE);
        follow.path.lost = many_choose(over, many_all(1), follow.path.lost);
        where[i] &= ~over;
    }
    lanes_run(&follow, &track, events, where, marks, &at);
    if (many_any(stops)) {
        lanes_arrive(&follow, &track, stops, &at);
    }
    visit_keep(block, step, &follow.path);
}

/* ---- lines ---- */

/* Straight slip after it has turned: its derivatives need log-time. */
static void visit_straight(void *context, const ManyStep *step, const ManyState *to) {
    SlopeBlock *block = context;
    ManyPath path;
    (void)to;
    path_load(&block->path, step->slot, &path);
    path.lost = many_all(1);
    visit_keep(block, step, &path);
}

/* From zero slip to the end: stick, or slip. */
static void visit_zero(void *context, const ManyStep *step, const ManyState *to) {
    SlopeBlock *block = context;
    Follow follow;
    visit_begin_step(block, step, &follow);
    const ManyState *from = &follow.from;
    const ManySetting *setting = &follow.setting;
    ManyPath *path = &follow.path;
    const Many *K = setting->K, *d = follow.problem.d, *gamma = to->gamma;
    Many y = to->p - from->p, none = many_all(0), s[2], end[2];
    ManyMask compresses = ~(from->opening > 0),
             sticks = many_sqrt(K[0] * K[0] + K[1] * K[1]) <= follow.problem.mu_static;
    Many speed = many_sqrt(gamma[0] * gamma[0] + gamma[1] * gamma[1]);
    s[0] = many_where(~sticks, gamma[0] / speed);
    s[1] = many_where(~sticks, gamma[1] / speed);
    /* v_n rises steadily; its zero, and E there */
    Many rise =
        many_choose(sticks, setting->k, 1 - follow.problem.mu * (d[0] * s[0] + d[1] * s[1]));
    end[0] = many_where(compresses, -from->vn / rise);
    end[1] = y;
    Many peak = from->E + 0.5 * from->vn * from->vn / rise;
    path_stop(from->p, path);
    path->sticks = many_where(sticks, many_all(1));
    ManyPath stuck = *path;
    stuck.rate[0] = stuck.rate[1] = none;
    const Many still[2] = {none, none};
    ManyMask all = none == 0;
    for (int i = 0; i < 2; i++) {
        Many begin = i ? end[0] : none, p = end[i] - begin;
        const Many area = 0.5 * (end[i] + begin) * p * (speed / y);
        const Many sum[2] = {many_where(~sticks, s[0] * area), many_where(~sticks, s[1] * area)};
        path_stick(setting, begin, end[i], &stuck);
        path_count(all, from->p + begin, p, follow.problem.speed, still, &stuck);
        path_slide(setting, s, speed / y, begin, end[i], path);
        path_count(all, from->p + begin, p, follow.problem.speed, sum, path);
        if (i == 0) {
            path_lose(compresses, follow.problem.e, peak, path);
            path_lose(compresses, follow.problem.e, peak, &stuck);
        }
    }
    const Many *yes = (const Many *)&stuck;
    Many *no = (Many *)path;
    for (int i = 0; i < PATH_FIELDS; i++) {
        no[i] = many_choose(sticks, yes[i], no[i]);
    }
    visit_keep(block, step, path);
}

/* ---- finish ---- */

/* The inputs of MANY cases, as the caller gave them. */
static void load_inputs(const SlopeBlock *block, const short id[MANY], Many inputs[LANE_ROW]) {
    for (int lane = 0; lane < MANY; lane++) {
        const CaromCase *one = &block->cases[id[lane]];
        for (int j = 0; j < 6; j++) {
            inputs[j][lane] = one->W[j];
        }
        for (int j = 0; j < 3; j++) {
            inputs[ONE_V + j][lane] = one->v[j];
        }
        inputs[ONE_MU][lane] = one->contact.mu;
        inputs[ONE_MU_STATIC][lane] = contact_mu_static(&one->contact);
        inputs[ONE_E][lane] = one->contact.e;
    }
}

static void outcome_load(const SlopeBlock *block, const Slots *slots, const short slot[MANY],
                         ManyOutcome *out) {
    slots_problem(slots, slot, &out->problem);
    slots_state(slots, slot, &out->state);
    path_load(&block->path, slot, &out->path);
    setting_make(&out->problem, &out->setting);
    out->axis[0] = slots_field(slots, SLOT_AXIS, slot);
    out->axis[1] = slots_field(slots, SLOT_AXIS + 1, slot);
    out->velocity = slots_field(slots, SLOT_VELOCITY, slot);
    out->impulse = slots_field(slots, SLOT_IMPULSE, slot);
}

static void outcome_make(ManyOutcome *out) {
    const ManyPath *path = &out->path;
    const Many *K = out->setting.K, *rate = path->rate;
    Many by = 1 / out->state.vn;
    outcome_constants(out);
    for (int j = 0; j < LANE_COUNT; j++) {
        out->end[j] = path->energy[j] * by;
    }
    out->end_e = 2 * out->problem.e * path->peak * by;
    out->rise = out->setting.k + (K[0] * rate[0] + K[1] * rate[1]);
    outcome_rows(out);
    out->good = outcome_agrees(out) & (path->lost == 0) & (out->problem.mu > 0) &
                (out->problem.speed > 0) & (out->problem.e > LANES_LEAST_E);
    outcome_turn_rows(out);
}

static void visit_finish(void *context, const Slots *slots, int count, const short *id,
                         const unsigned char *open) {
    SlopeBlock *block = context;
    for (int first = 0; first < count; first += MANY) {
        short slot[MANY], cases[MANY];
        ManyOutcome out;
        ManyKink nearest;
        Many inputs[LANE_ROW] = {{0}};
        for (int i = 0; i < MANY; i++) {
            slot[i] = (short)(first + i < count ? first + i : count - 1);
            cases[i] = id[slot[i]];
        }
        outcome_load(block, slots, slot, &out);
        outcome_make(&out);
        if (!many_any(out.good)) {
            continue;
        }
        load_inputs(block, cases, inputs);
        outcome_kinks(&out, inputs, &nearest);
        for (int i = 0; i < MANY && first + i < count; i++) {
            if (out.good[i] && !open[cases[i]]) {
                outcome_write(&out, &nearest, i, &block->derivatives[cases[i]]);
                block->done[cases[i]] = 1;
            }
        }
    }
}

void crm_slope_lanes(int count, const CaromCase *cases, CaromOutcome *outcomes,
                     CaromCaseDerivative *derivatives, unsigned char *open) {
    unsigned char done[RIGID_LANES_BLOCK] = {0};
    SlopeBlock block;
    const LanesVisitor visitor = {&block, visit_stretch, visit_straight, visit_zero, visit_finish};
    block.cases = cases;
    block.derivatives = derivatives;
    block.done = done;
    memset(&block.path, 0, sizeof block.path);
    crm_rigid_lanes_visit(count, cases, outcomes, open, &visitor);
    for (int i = 0; i < count; i++) {
        open[i] = open[i] ? SLOPE_ALL : done[i] ? SLOPE_DONE : SLOPE_DERIVATIVE;
    }
}

#else

#include <string.h>

void crm_slope_lanes(int count, const CaromCase *cases, CaromOutcome *outcomes,
                     CaromCaseDerivative *derivatives, unsigned char *open) {
    (void)cases;
    (void)outcomes;
    (void)derivatives;
    memset(open, SLOPE_ALL, (size_t)count);
}

#endif
