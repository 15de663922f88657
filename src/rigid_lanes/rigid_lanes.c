/* Many rigid impacts at once.
 *
 * Each impact of a block goes through the same steps as in the solver for one, but the impacts that
 * are due for the same step take it together, MANY at a time:
 *
 *   begin     units, checks                                      all, in order
 *   route     how far is it? regular stretch, or arrival         every impact that slips
 *   regular   one stretch; it may hold the ends of the phases
 *   arrive    a stretch down to zero slip
 *   zero      stick, or slip from zero, to the end
 *   finish    checks of the answer, the caller's units           all, in order
 *
 * An impact that a step does not suit is left to the solver for one. Every step is a function of
 * the impact alone, so the outcome depends neither on the others nor on its place. */
#ifdef CAROM_FMA_COPY
#define crm_rigid_lanes crm_rigid_lanes_fma
#define crm_rigid_lanes_visit crm_rigid_lanes_visit_fma
#endif

#include "rigid_lanes/rigid_lanes.h"

#include "rigid_lanes/slots.h"

#ifdef CAROM_LANES

#include <float.h>
#include <string.h>

#include "contact/singular.h"
#include "rigid_lanes/lanes_events.h"
#include "rigid_lanes/lanes_route.h"
#include "rigid_lanes/lanes_visit.h"
#include "rigid_lanes/lanes_zero.h"

/* Longest stretch, relative to the distance of the invariant directions. */
static const double LANES_LONGEST = 0.3;

/* Stretches after which an impact is left to the solver for one. */
enum { LANES_PASSES = 12 };

/* Magnification of rounding up to which lanes are used. */
static const double LANES_CONDITION = 1e4;

typedef struct LaneBlock {
    Slots slots;
    int count;                       /* of slots in use */
    short id[RIGID_LANES_BLOCK];     /* case of each slot */
    char letters[RIGID_LANES_BLOCK]; /* how many */
    char done[RIGID_LANES_BLOCK];
    Queue route, regular, arrive, straight, zero;
    CaromOutcome *outcomes;
    const LanesVisitor *visitor; /* or NULL */
} LaneBlock;

/* ---- begin ---- */

/* Is the case one for the lanes, with valid input? NaN and infinity make the sum NaN or infinite.
 */
static int suits_lanes(const CaromCase *one) {
    const double *W = one->W, *v = one->v;
    const CaromContact *contact = &one->contact;
    double sum = (fabs(v[0]) + fabs(v[1])) + (fabs(W[1]) + fabs(W[2])) + fabs(W[4]);
    sum += (W[0] + W[3]) + (W[5] - v[2]);
    sum += contact->mu + (contact->stiffness + contact->stiffness_ratio);
    return !one->planar && one->model == CAROM_MODEL_RIGID && one->law == CAROM_LAW_ENERGETIC &&
           sum < INFINITY && W[0] >= 0 && W[3] >= 0 && W[5] > 0 && v[2] < 0 && contact->mu >= 0 &&
           (contact->mu_static == 0 || contact->mu_static >= contact->mu) &&
           contact->mu_static < INFINITY && contact->e >= 0 && contact->e <= 1 &&
           contact->stiffness >= 0 && contact->stiffness_ratio >= 0;
}

/* Copy what is given into a slot: W into B, d and condition, v into gamma and v_n. */
static void slot_fill(Slots *slots, int slot, const CaromCase *one) {
    const CaromContact *contact = &one->contact;
    double(*at)[SLOT_STRIDE] = slots->at;
    at[SLOT_MU][slot] = contact->mu;
    at[SLOT_MU_STATIC][slot] = contact->mu_static > 0 ? contact->mu_static : contact->mu;
    at[SLOT_E][slot] = contact->e;
    at[SLOT_B][slot] = one->W[0];
    at[SLOT_B + 1][slot] = one->W[1];
    at[SLOT_B + 2][slot] = one->W[3];
    at[SLOT_D][slot] = one->W[2];
    at[SLOT_D + 1][slot] = one->W[4];
    at[SLOT_CONDITION][slot] = one->W[5];
    at[SLOT_AXIS][slot] = one->v[0];
    at[SLOT_AXIS + 1][slot] = one->v[1];
    at[SLOT_VELOCITY][slot] = -one->v[2];
}

/* Is [B d; d^T 1] positive definite, with a margin for rounding? *condition estimates the condition
 * number in units of W_nn. */
INLINE ManyMask is_definite_each(const Many B[3], const Many d[2], Many *condition) {
    Many s11 = B[0] - d[0] * d[0], s12 = B[1] - d[0] * d[1], s22 = B[2] - d[1] * d[1];
    Many det = s11 * s22 - s12 * s12, trace = s11 + s22;
    Many mobility = B[0] + B[2], area = B[0] * B[2] - B[1] * B[1];
    *condition =
        (mobility + 1) * many_most(trace / det, many_all(1)) * (1 + (d[0] * d[0] + d[1] * d[1]));
    return (s11 > SINGULAR * B[0]) & (s22 > SINGULAR * B[2]) & (det > SINGULAR * B[0] * B[2]) &
           (area > SINGULAR * mobility * mobility) & (mobility > SINGULAR);
}

/* Set up MANY slots from the first one on, in place. Returns which are ready. */
static ManyMask begin_many(double (*at)[SLOT_STRIDE], int slot) {
    const double *w = at[SLOT_CONDITION] + slot;
    Many vx = many_load(at[SLOT_AXIS] + slot), vy = many_load(at[SLOT_AXIS + 1] + slot),
         speed = many_load(at[SLOT_VELOCITY] + slot), by = 1 / many_load(w);
    Many across = many_sqrt(vx * vx + vy * vy), r = across / speed;
    ManyMask slips = across > 0;
    Many c = many_choose(slips, vx / across, many_all(1)), s = many_where(slips, vy / across);
    Many B11 = many_load(at[SLOT_B] + slot) * by, B12 = many_load(at[SLOT_B + 1] + slot) * by,
         B22 = many_load(at[SLOT_B + 2] + slot) * by, d1 = many_load(at[SLOT_D] + slot) * by,
         d2 = many_load(at[SLOT_D + 1] + slot) * by;
    const Many B[3] = {c * c * B11 + 2 * c * s * B12 + s * s * B22,
                       c * s * (B22 - B11) + (c * c - s * s) * B12,
                       s * s * B11 - 2 * c * s * B12 + c * c * B22},
               d[2] = {c * d1 + s * d2, c * d2 - s * d1};
    Many condition, impulse = speed * by, energy = impulse * speed;
    ManyMask ready = is_definite_each(B, d, &condition);
    Many mu = many_load(at[SLOT_MU] + slot);
    Many rate = many_abs(d[0]) + many_abs(d[1]) + mu * (B[0] + many_abs(B[1]) + B[2]);
    ready &=
        (condition < LANES_CONDITION) & ((across == 0) | ((across > 1e-140) & (across < 1e140)));
    ready &=
        ((across == 0) | (r > 1e-140)) & (r + rate < 1e70) & (energy > 1e-290) & (energy < 1e290);
    for (int i = 0; i < 3; i++) {
        many_store(at[SLOT_B + i] + slot, B[i]);
    }
    many_store(at[SLOT_D] + slot, d[0]);
    many_store(at[SLOT_D + 1] + slot, d[1]);
    many_store(at[SLOT_SPEED] + slot, r);
    many_store(at[SLOT_CONDITION] + slot, condition);
    many_store(at[SLOT_AXIS] + slot, c);
    many_store(at[SLOT_AXIS + 1] + slot, s);
    many_store(at[SLOT_IMPULSE] + slot, impulse);
    many_store(at[SLOT_LONGEST] + slot, many_all(LANES_LONGEST));
    const Many none = many_all(0);
    const ManyState state = {none, {none, none}, {r, none}, many_all(-1), none, none, none};
    const Many *fields = &state.p;
    for (int i = 0; i < STATE_FIELDS; i++) {
        many_store(at[SLOT_STATE + i] + slot, fields[i]);
    }
    return ready;
}

static void block_begin(LaneBlock *block, int count, const CaromCase *cases) {
    Slots *slots = &block->slots;
    block->count = 0;
    for (int i = 0; i < count; i++) {
        if (suits_lanes(&cases[i])) {
            block->id[block->count] = (short)i;
            slot_fill(slots, block->count++, &cases[i]);
        }
    }
    /* the last vector is filled up with copies */
    for (int i = block->count; i % MANY != 0; i++) {
        slot_fill(slots, i, &cases[block->id[block->count - 1]]);
    }
    for (int slot = 0; slot < block->count; slot += MANY) {
        ManyMask ready = begin_many(slots->at, slot);
        for (int i = 0; i < MANY && slot + i < block->count; i++) {
            int at = slot + i;
            block->letters[at] = block->done[at] = 0;
            if (ready[i]) {
                queue_put(slots->at[SLOT_SPEED][at] > 0 ? &block->route : &block->zero, at);
            }
        }
    }
}

/* ---- steps ---- */

/* The next MANY slots of a queue, the last one repeated; returns how many. */
static int queue_take(const Queue *queue, int from, short slot[MANY]) {
    int count = queue->count - from < MANY ? queue->count - from : MANY;
    for (int i = 0; i < MANY; i++) {
        slot[i] = queue->slot[from + (i < count ? i : count - 1)];
    }
    return count;
}

/* Write down up to two letters of the sequence: where they hold. */
static void block_letters(LaneBlock *block, int slot, char first, int holds, char second,
                          int also) {
    char *sequence = block->outcomes[block->id[slot]].sequence;
    int n = block->letters[slot];
    sequence[n] = first;
    n += holds != 0;
    sequence[n] = second;
    n += also != 0;
    block->letters[slot] = (char)n;
}

/* Put the slots of the queue in order of their steps; count[k]: how many have step k, becomes the
 * place after the last of them. */
static void route_sort(Queue *queue, const unsigned char *step, int count[STEPS]) {
    short slot[RIGID_LANES_BLOCK];
    for (int k = 0, place = 0; k < STEPS; k++) {
        int size = count[k];
        count[k] = place;
        place += size;
    }
    for (int i = 0; i < queue->count; i++) {
        slot[count[step[i]]++] = queue->slot[i];
    }
    memcpy(queue->slot, slot, (size_t)queue->count * sizeof *slot);
}

/* Append some slots of a queue to another. */
static void queue_append(const Queue *queue, int from, int end, Queue *to) {
    memcpy(to->slot + to->count, queue->slot + from, (size_t)(end - from) * sizeof *to->slot);
    to->count += end - from;
}

static void run_route(LaneBlock *block) {
    Queue *queue = &block->route;
    unsigned char step[RIGID_LANES_BLOCK];
    int count[STEPS] = {0};
    for (int from = 0; from < queue->count; from += MANY) {
        short slot[MANY];
        int taken = queue_take(queue, from, slot);
        Many next = route_many(&block->slots, slot);
        for (int i = 0; i < taken; i++) {
            step[from + i] = (unsigned char)next[i];
            count[step[from + i]]++;
        }
    }
    route_sort(queue, step, count);
    int regular = count[STEP_ARRIVAL - 1], arrive = count[STEP_STRAIGHT - 1];
    queue_append(queue, 0, regular, &block->regular);
    queue_append(queue, regular, arrive, &block->arrive);
    queue_append(queue, arrive, count[STEP_STRAIGHT], &block->straight);
    queue->count = 0;
}

/* The state after a stretch. */
INLINE void state_advance(const ManyProblem *problem, const ManyCurve *curve,
                          const ManyEvents *events, ManyState *state) {
    ManyMask early = events->ends | events->waits;
    const Many *end = &curve->end.p, *last = &events->last.p;
    Many next[6], e = problem->e;
    for (int i = 0; i < 6; i++) {
        next[i] = many_choose(early, last[i], end[i]);
    }
    Many E = many_choose(events->compressed, e * e * events->peak, state->E) +
             many_where(~events->waits, events->since);
    state->loss += many_where(events->compressed, (1 - e) * (1 + e) * events->peak);
    state->E = many_where(~events->ends, E);
    state->p += next[0];
    state->J[0] += next[1];
    state->J[1] += next[2];
    state->gamma[0] = next[3];
    state->gamma[1] = next[4];
    state->vn = many_where(~events->waits, next[5]);
    state->opening = many_choose(events->compressed, many_all(1), state->opening);
}

/* Expand the next stretch of MANY slots: how far is known from route_many(). */
INLINE void stretch_make(const ManyProblem *problem, const ManyState *state, ManyKind kind,
                         Many far, ManyCurve *curve) {
    ManySlip now;
    ManyGap gap;
    slip_now(problem, state, &now);
    gap_make(problem, &now, &gap);
    if (kind == MANY_ARRIVAL) {
        arrival_expand(problem, state, &now, far, &gap, curve);
    } else {
        regular_line(problem, &now, &gap, far, &curve->line);
        regular_expand(problem, state, &now, curve);
    }
}

/* A stretch that does not converge, or fails its checks: a shorter one, or regular ones instead of
 * an arrival. */
static void stretch_again(LaneBlock *block, int slot, ManyKind kind) {
    double *longest = &block->slots.at[SLOT_LONGEST][slot];
    if (kind == MANY_ARRIVAL) {
        *longest = -LANES_LONGEST;
    } else {
        *longest *= 0.6;
    }
    if (fabs(*longest) > 0.05) {
        queue_put(&block->route, slot);
    }
}

/* Keep what MANY slots have come to: letters, and where they go next. */
INLINE void stretch_keep(LaneBlock *block, const short slot[MANY], int count, ManyKind kind,
                         const ManyCurve *curve, const ManyEvents *events, ManyMask done,
                         const ManyState *state) {
    Slots *slots = &block->slots;
    ManyMask stops = kind == MANY_ARRIVAL ? curve->stops & ~events->waits : (ManyMask){0};
    ManyMask again = ~curve->good | (kind == MANY_ARRIVAL ? events->failed : (ManyMask){0});
    ManyMask failed = events->failed;
    for (int i = 0; i < count; i++) {
        int at = slot[i];
        if (again[i]) {
            stretch_again(block, at, kind);
        } else if (!failed[i]) {
            slots_keep(slots, at, state, i);
            slots->at[SLOT_LONGEST][at] = LANES_LONGEST;
            block_letters(block, at, 'c', events->compressed[i] != 0, 'r', done[i] != 0);
            block->done[at] = done[i] != 0;
            if (!done[i]) {
                queue_put(stops[i] ? &block->zero : &block->route, at);
            }
        }
    }
}

/* One stretch of all slots of a queue. */
INLINE void run_stretches(LaneBlock *block, Queue *queue, ManyKind kind) {
    Slots *slots = &block->slots;
    for (int from = 0; from < queue->count; from += MANY) {
        short slot[MANY];
        int count = queue_take(queue, from, slot);
        ManyProblem problem;
        ManyState state;
        ManyCurve curve;
        ManyEvents events;
        slots_problem(slots, slot, &problem);
        slots_state(slots, slot, &state);
        stretch_make(&problem, &state, kind, slots_field(slots, SLOT_REST, slot), &curve);
        events_run(&problem, &state, &curve, kind, &events);
        state_advance(&problem, &curve, &events, &state);
        ManyMask done = events.ends | (events.compressed & (problem.e == 0));
        /* restitution must have something left unless it has ended */
        events.failed |= (state.opening > 0) & ~done & ~(state.E > 0);
        if (block->visitor) {
            const ManyStep step = {slots, slot, count, curve.good & ~events.failed};
            block->visitor->stretch(block->visitor->context, &step, kind, &curve, &events);
        }
        stretch_keep(block, slot, count, kind, &curve, &events, done, &state);
    }
    queue->count = 0;
}

static void run_regular(LaneBlock *block) {
    run_stretches(block, &block->regular, MANY_REGULAR);
}

/* An arrival that fails, or whose v_n has an extremum on the way, becomes a regular stretch. */
static void run_arrivals(LaneBlock *block) {
    run_stretches(block, &block->arrive, MANY_ARRIVAL);
}

/* Straight slip, to zero slip or to the end. */
static void run_straight(LaneBlock *block) {
    Slots *slots = &block->slots;
    Queue *queue = &block->straight;
    for (int from = 0; from < queue->count; from += MANY) {
        short slot[MANY];
        int count = queue_take(queue, from, slot);
        ManyProblem problem;
        ManyState state;
        ManyMask compressed, stops;
        slots_problem(slots, slot, &problem);
        slots_state(slots, slot, &state);
        ManyMask good = straight_run(&problem, &state, &compressed, &stops);
        if (block->visitor) {
            const ManyStep step = {slots, slot, count, good};
            block->visitor->straight(block->visitor->context, &step, &state);
        }
        for (int i = 0; i < count; i++) {
            if (!good[i]) {
                continue;
            }
            slots_keep(slots, slot[i], &state, i);
            block_letters(block, slot[i], 'c', compressed[i] != 0, 'r', stops[i] == 0);
            block->done[slot[i]] = stops[i] == 0;
            if (stops[i]) {
                queue_put(&block->zero, slot[i]);
            }
        }
    }
}

/* From zero slip to the end. */
static void run_zero(LaneBlock *block) {
    Slots *slots = &block->slots;
    for (int from = 0; from < block->zero.count; from += MANY) {
        short slot[MANY];
        int count = queue_take(&block->zero, from, slot);
        ManyProblem problem;
        ManyState state;
        ManyMask compressed;
        slots_problem(slots, slot, &problem);
        slots_state(slots, slot, &state);
        ManyMask good = zero_run(&problem, &state, &compressed);
        if (block->visitor) {
            const ManyStep step = {slots, slot, count, good};
            block->visitor->zero(block->visitor->context, &step, &state);
        }
        for (int i = 0; i < count; i++) {
            if (good[i]) {
                slots_keep(slots, slot[i], &state, i);
                block_letters(block, slot[i], 's', 1, 'c', compressed[i] != 0);
                block_letters(block, slot[i], 'r', 1, 0, 0);
                block->done[slot[i]] = 1;
            }
        }
    }
}

/* ---- finish ---- */

/* Properties of every right answer; see docs/theory.md, section 11. */
INLINE ManyMask is_sound_each(double (*at)[SLOT_STRIDE], int slot, const ManyState *state) {
    Many speed = many_load(at[SLOT_SPEED] + slot), mu = many_load(at[SLOT_MU_STATIC] + slot);
    const Many *J = state->J;
    Many work = 0.5 * (J[0] * (speed + state->gamma[0]) + J[1] * state->gamma[1] +
                       state->p * (state->vn - 1));
    Many friction = -(work + state->loss),
         rounding = 1e-11 + 64 * DBL_EPSILON * many_load(at[SLOT_CONDITION] + slot);
    Many most = mu * state->p * (1 + rounding);
    return (friction >= -rounding * (1 + state->loss)) & (friction < INFINITY) &
           (state->loss >= 0) & (work <= rounding) & (J[0] * J[0] + J[1] * J[1] <= most * most) &
           (state->vn >= -1e-11) & (state->p > 0) & (state->p < INFINITY);
}

static void block_finish(LaneBlock *block, unsigned char *open) {
    double(*at)[SLOT_STRIDE] = block->slots.at;
    for (int slot = 0; slot < block->count; slot += MANY) {
        ManyState state;
        Many *fields = &state.p, out[6];
        for (int i = 0; i < STATE_FIELDS; i++) {
            fields[i] = many_load(at[SLOT_STATE + i] + slot);
        }
        state.vn = many_choose((state.vn < 0) & (state.vn > -1e-11), many_all(0), state.vn);
        Many c = many_load(at[SLOT_AXIS] + slot), s = many_load(at[SLOT_AXIS + 1] + slot);
        Many impulse = many_load(at[SLOT_IMPULSE] + slot),
             velocity = many_load(at[SLOT_VELOCITY] + slot);
        ManyMask sound = is_sound_each(at, slot, &state);
        out[0] = impulse * (c * state.J[0] - s * state.J[1]);
        out[1] = impulse * (s * state.J[0] + c * state.J[1]);
        out[2] = impulse * state.p;
        out[3] = velocity * (c * state.gamma[0] - s * state.gamma[1]);
        out[4] = velocity * (s * state.gamma[0] + c * state.gamma[1]);
        out[5] = velocity * state.vn;
        for (int i = 0; i < MANY && slot + i < block->count; i++) {
            if (!block->done[slot + i] || !sound[i]) {
                continue;
            }
            CaromOutcome *outcome = &block->outcomes[block->id[slot + i]];
            for (int j = 0; j < 3; j++) {
                outcome->impulse[j] = out[j][i];
                outcome->velocity[j] = out[j + 3][i];
            }
            memset(outcome->sequence + block->letters[slot + i], 0,
                   sizeof outcome->sequence - (size_t)block->letters[slot + i]);
            outcome->status = CAROM_OK;
            open[block->id[slot + i]] = 0;
        }
    }
}

void crm_rigid_lanes_visit(int count, const CaromCase *cases, CaromOutcome *outcomes,
                           unsigned char *open, const LanesVisitor *visitor) {
    LaneBlock block;
    block.outcomes = outcomes;
    block.visitor = visitor;
    block.route.count = block.regular.count = block.arrive.count = 0;
    block.straight.count = block.zero.count = 0;
    memset(open, 1, (size_t)count);
    block_begin(&block, count, cases);
    for (int i = 0; i < LANES_PASSES && block.route.count > 0; i++) {
        run_route(&block);
        run_regular(&block);
        run_arrivals(&block);
    }
    run_straight(&block);
    run_zero(&block);
    block_finish(&block, open);
    if (visitor) {
        visitor->finish(visitor->context, &block.slots, block.count, block.id, open);
    }
}

void crm_rigid_lanes(int count, const CaromCase *cases, CaromOutcome *outcomes,
                     unsigned char *open) {
    crm_rigid_lanes_visit(count, cases, outcomes, open, NULL);
}

#else

#include <string.h>

void crm_rigid_lanes(int count, const CaromCase *cases, CaromOutcome *outcomes,
                     unsigned char *open) {
    (void)cases;
    (void)outcomes;
    memset(open, 1, (size_t)count);
}

#endif
