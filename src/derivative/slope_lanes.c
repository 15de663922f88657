/* Derivatives of many rigid impacts at once: a visitor of the lanes (rigid_lanes/lanes_visit.h).
 *
 * Each step of MANY impacts is followed as the solver reports it: stretches of slip
 * (lanes_stretch.h), straight slip (lanes_slide.h), stick, and slip from zero. Impacts that come
 * too close to an invariant direction for the closed form, or fail an identity, are gone through
 * once more, in log-time. Those that fail again are left to the program for one impact. */
#ifdef CAROM_FMA_COPY
#define crm_slope_lanes crm_slope_lanes_fma
#define crm_rigid_lanes_visit crm_rigid_lanes_visit_fma
#endif

#include "derivative/slope_lanes.h"

#include "rigid_lanes/rigid_lanes.h"

#include "math/many.h"

#ifdef CAROM_LANES

#include <string.h>

#include "derivative/lanes_outcome.h"
#include "derivative/lanes_stretch.h"

/* Below this e the derivative of the end loses digits: eps/e. */
static const double LANES_LEAST_E = 1e-6;

/* As log ARRIVAL_LINE in rigid/curve/nodes.h. */
static const double LANES_LINE = -20.7;

/* As STOP_TURN in slip_slope.c; and where slip sticks in any case, so that only the distance of a
 * kink counts on it. */
static const double LANES_STOP_TURN = 1e-6, LANES_HELD_TURN = 0.1;

/* Cases that are gone through again at a time. */
enum { SLOPE_AGAIN = 128 };

typedef struct SlopeBlock {
    PathSlots path;
    const CaromCase *cases;
    CaromCaseDerivative *derivatives;
    unsigned char *done; /* by case */
    const short *place;  /* of the derivatives of each case, or NULL: in order */
    int chain;           /* curves in log-time; else by the closed form */
    int has_rule;
    ChainRule rule;
} SlopeBlock;

/* The rule of the chain, made when it is first needed. */
static const ChainRule *block_rule(SlopeBlock *block) {
    if (!block->has_rule) {
        chain_rule_make(&block->rule);
        block->has_rule = 1;
    }
    return &block->rule;
}

static void visit_begin_step(SlopeBlock *block, const ManyStep *step, Follow *follow) {
    follow->rule = block->chain ? block_rule(block) : NULL;
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

/* Slip so slow and straight that it counts as stopping from here on, as is_fading() in slip_slope.c
 * has it. Returns where. */
static ManyMask lanes_fade(Follow *follow, const ManyStep *step) {
    const ManyState *from = &follow->from;
    ManySlip now;
    ManySlide line;
    ManyMask slow = step->kept & is_slow(&follow->problem, from->p, from->gamma),
             faded = step->kept & (follow->path.faded > 0);
    if (many_any(slow)) {
        slip_now(&follow->problem, from, &now);
        slide_make(&follow->problem, now.s, now.r, &line);
        ManyMask fades = slow & ~faded & (many_abs(now.g) < -LANES_FADED_TURN * now.f);
        ManyMask suits = slide_stop(&follow->setting, fades, &line, -now.r / now.f, &follow->path);
        follow_lose(follow, fades & ~suits);
        follow_rate(follow, fades, now.s);
        faded |= fades;
        follow->path.faded = many_choose(faded, many_all(1), follow->path.faded);
    }
    return faded;
}

/* Count slip that has faded over a length p. */
static void faded_count(Follow *follow, ManyMask where, Many p) {
    const Many gamma[2] = {many_all(0), many_all(0)};
    path_count(where, follow->from.p, p, follow->problem.speed, gamma, &follow->path);
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
    Many settled = many_all(-INFINITY);
    ManyMask along = rest & ~stops;
    if (follow.rule && kind == MANY_ARRIVAL) {
        settled = settled_at(curve);
        last = many_choose(stops, settled, last);
        along = rest;
    }
    last = many_choose(along, last, start);
    track_marks(&track, first, last, marks);
    at = (ManyMark){.t = start, .z = z, .vn = follow.from.vn};
    at.gamma[0] = follow.from.gamma[0];
    at.gamma[1] = follow.from.gamma[1];
    Many D = quadratic(curve->line.D, z);
    at.s[0] = quadratic(curve->line.A, z) / D;
    at.s[1] = quadratic(curve->line.C, z) / D;
    ManyMask where[2] = {compressed, along};
    for (int i = 0; i < 2 && kind == MANY_ARRIVAL && !follow.rule; i++) {
        ManyMask over = where[i] & ~(marks[i].t > LANES_LINE);
        follow_lose(&follow, over);
        where[i] &= ~over;
    }
    if (follow.rule) {
        ManyMask faded = lanes_fade(&follow, step);
        faded_count(&follow, faded, curve->end.p);
        follow_lose(&follow, faded & (compressed | events->ends));
        /* compression that ends where slip has settled */
        follow_lose(&follow, compressed & stops & ~(marks[0].t > settled));
        where[0] &= ~faded;
        where[1] &= ~faded;
        stops &= ~faded;
    }
    lanes_run(&follow, &track, events, settled, where, marks, &at);
    if (many_any(stops)) {
        (follow.rule ? lanes_settle : lanes_arrive)(&follow, &track, stops, &at);
    }
    visit_keep(block, step, &follow.path);
}

/* ---- lines ---- */

/* Straight slip after it has turned, to the end or down to zero. */
static void visit_straight(void *context, const ManyStep *step, const ManyState *to) {
    SlopeBlock *block = context;
    Follow follow;
    ManySlip now;
    visit_begin_step(block, step, &follow);
    const ManyState *from = &follow.from;
    ManyPath *path = &follow.path;
    slip_now(&follow.problem, from, &now);
    Many y = to->p - from->p, none = many_all(0);
    ManyMask compressed = ~(from->opening > 0) & (to->opening > 0), stops = to->E > 0;
    const Many *K = follow.setting.K;
    ManyMask holds = K[0] * K[0] + K[1] * K[1] < follow.problem.mu * follow.problem.mu;
    const Many peak = from->E + 0.5 * from->vn * from->vn / now.a;
    const Many end[2] = {many_where(compressed, -from->vn / now.a), y};
    ManyMask faded = step->kept & (path->faded > 0);
    follow_lose(&follow, faded & (compressed | ~stops));
    /* slip that stops while it turns passes zero below rounding */
    Many most = many_choose(holds, many_all(LANES_HELD_TURN), many_all(LANES_STOP_TURN));
    path->turn = many_where(stops, many_abs(now.g / now.f));
    follow_lose(&follow, stops & ~(path->turn <= most));
    faded_count(&follow, faded, y);
    for (int i = 0; i < 2; i++) {
        Many begin = i ? end[0] : none, P = from->p + begin, p = end[i] - begin;
        ManyMask these = step->kept & ~faded, falls = these & (i ? stops : none != 0),
                 slips = these & ~falls & (p > 0);
        ManyMask suits = none == 0;
        ManySlide line;
        slide_make(&follow.problem, now.s, now.r + now.f * begin, &line);
        if (many_any(slips)) {
            suits = slide_run(&follow.setting, block_rule(block), slips, P, &line, p, path);
            follow_lose(&follow, slips & ~suits);
        }
        if (many_any(falls)) {
            suits = slide_stop(&follow.setting, falls, &line, p, path);
            slide_count(&follow.setting, falls, P, &line, none, p, path);
            follow_lose(&follow, falls & ~suits);
        }
        if (i == 0) {
            path_lose(compressed, follow.problem.e, peak, path);
        }
    }
    path_rate(&follow.problem, now.s, path->rate);
    visit_keep(block, step, path);
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
    out->good = outcome_agrees(out) & (path->lost == 0) & (path->faded == 0) &
                (out->problem.mu > 0) & (out->problem.speed > 0) & (out->problem.e > LANES_LEAST_E);
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
        out.good &= outcome_kinks(&out, inputs, &nearest);
        for (int i = 0; i < MANY && first + i < count; i++) {
            if (out.good[i] && !open[cases[i]]) {
                int at = block->place ? block->place[cases[i]] : cases[i];
                outcome_write(&out, &nearest, i, &block->derivatives[at]);
                block->done[cases[i]] = 1;
            }
        }
    }
}

/* Go through cases, which are done or stay open. */
static void block_run(SlopeBlock *block, int count, const CaromCase *cases, CaromOutcome *outcomes,
                      unsigned char *open) {
    const LanesVisitor visitor = {block, visit_stretch, visit_straight, visit_zero, visit_finish};
    block->cases = cases;
    for (int i = 0; i < PATH_FIELDS; i++) {
        memset(block->path.at[i], 0, (size_t)count * sizeof block->path.at[i][0]);
    }
    memset(block->done, 0, (size_t)count);
    crm_rigid_lanes_visit(count, cases, outcomes, open, &visitor);
}

/* Once more those that have an outcome, but no derivatives: more slowly, but without X^-1. */
static void block_again(SlopeBlock *block, int count, const CaromCase *cases, unsigned char *open) {
    CaromCase some[SLOPE_AGAIN];
    CaromOutcome outcomes[SLOPE_AGAIN];
    unsigned char theirs[SLOPE_AGAIN];
    short place[SLOPE_AGAIN];
    block->chain = 1;
    block->place = place;
    for (int i = 0, size = 0; i < count; i++) {
        if (open[i] == SLOPE_DERIVATIVE) {
            some[size] = cases[i];
            place[size++] = (short)i;
        }
        if (size == SLOPE_AGAIN || (size > 0 && i == count - 1)) {
            block_run(block, size, some, outcomes, theirs);
            for (int k = 0; k < size; k++) {
                open[place[k]] = block->done[k] ? SLOPE_DONE : SLOPE_DERIVATIVE;
            }
            size = 0;
        }
    }
    block->place = NULL;
}

void crm_slope_lanes(int count, const CaromCase *cases, CaromOutcome *outcomes,
                     CaromCaseDerivative *derivatives, unsigned char *open) {
    unsigned char done[RIGID_LANES_BLOCK];
    SlopeBlock block;
    block.derivatives = derivatives;
    block.done = done;
    block.place = NULL;
    block.chain = block.has_rule = 0;
    block_run(&block, count, cases, outcomes, open);
    for (int i = 0; i < count; i++) {
        open[i] = open[i] ? SLOPE_ALL : done[i] ? SLOPE_DONE : SLOPE_DERIVATIVE;
    }
    block_again(&block, count, cases, open);
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
