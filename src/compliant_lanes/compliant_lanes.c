/* Many compliant impacts of one contact at once.
 *
 * Each impact of a block goes from event to event as in the solver for one, but those that are due
 * for the same step take it together, MANY at a time:
 *
 *   begin      units, checks, the first mode                  all, in order
 *   start      slip that turns, its first piece
 *   turn       a further piece of it (slip_lanes.h)
 *   straight   slip along a fixed direction, to its event
 *   stick      a piece of stick (stick_lanes.h)
 *   finish     checks of the answer, the caller's units        all, in order
 *
 * An impact that a step does not suit is left to the solver for one. Every step is a function of
 * the impact alone, so the outcome depends neither on the others nor on its place. */
#ifdef CAROM_FMA_COPY
#define crm_compliant_lanes crm_compliant_lanes_fma
#endif

#include "compliant_lanes/compliant_lanes.h"

#include "compliant_lanes/spring_slots.h"

#ifdef CAROM_LANES

#include <float.h>
#include <string.h>

#include "compliant_lanes/slip_lanes.h"
#include "compliant_lanes/stick_lanes.h"
#include "contact/check.h"

/* Pieces after which an impact is left to the solver for one; ten are usual. */
enum { SPRING_PASSES = 300 };

/* Shortest piece that is tried, relative to the usual one. */
static const double SPRING_SHORTEST = 1e-4;

/* As in compliant/process.c: e that counts as 0, and what counts as in a plane. */
static const double SPRING_PLASTIC = 1e-13, SPRING_IN_PLANE = 4 * DBL_EPSILON;

/* Magnification of rounding up to which lanes are used. */
static const double SPRING_CONDITION = 1e5;

typedef struct SpringBlock {
    SpringSlots slots;
    int count;                           /* of slots in use */
    short id[COMPLIANT_LANES_BLOCK];     /* case of each slot */
    char letters[COMPLIANT_LANES_BLOCK]; /* how many */
    char done[COMPLIANT_LANES_BLOCK], keeps[COMPLIANT_LANES_BLOCK];
    SpringQueue queue[SPRING_STEPS];
    CaromOutcome *outcomes;
} SpringBlock;

/* ---- begin ---- */

/* Is the case one for the lanes, with valid input? NaN and infinity make the sum NaN or infinite.
 */
static int suits_springs(const CaromCase *one) {
    const double *W = one->W, *v = one->v;
    const CaromContact *contact = &one->contact;
    double sum = fabs(v[0]) + fabs(W[2]);
    if (!one->planar) {
        sum += (fabs(v[1]) + fabs(W[1])) + (fabs(W[4]) + W[3]);
    }
    sum += W[0] + (W[5] - v[2]);
    sum += contact->mu + (contact->stiffness + contact->stiffness_ratio);
    return one->model == CAROM_MODEL_COMPLIANT && one->law == CAROM_LAW_ENERGETIC &&
           sum < INFINITY && W[0] >= 0 && (one->planar || W[3] >= 0) && W[5] > 0 && v[2] < 0 &&
           contact->mu >= 0 && (contact->mu_static == 0 || contact->mu_static == contact->mu) &&
           contact->e >= 0 && contact->e <= 1 && contact->stiffness >= 0 &&
           contact->stiffness_ratio >= 0;
}

/* Copy what is given into a slot, W as it is. A planar problem has a second tangent that nothing
 * moves. */
static void spring_fill(SpringSlots *slots, int slot, const CaromCase *one) {
    const double *W = one->W, across = one->planar ? 0 : 1;
    double(*at)[SPRING_STRIDE] = slots->at;
    at[SPRING_MU][slot] = one->contact.mu;
    at[SPRING_E][slot] = one->contact.e < SPRING_PLASTIC ? 0 : one->contact.e;
    at[SPRING_ETA2][slot] = contact_stiffness_ratio(&one->contact);
    at[SPRING_B][slot] = W[0];
    at[SPRING_B + 1][slot] = across > 0 ? W[1] : 0;
    at[SPRING_B + 2][slot] = across > 0 ? W[3] : 0;
    at[SPRING_D][slot] = W[2];
    at[SPRING_D + 1][slot] = across > 0 ? W[4] : 0;
    at[SPRING_IMPULSE][slot] = W[5];
    at[SPRING_AXIS][slot] = one->v[0];
    at[SPRING_AXIS + 1][slot] = across > 0 ? one->v[1] : 0;
    at[SPRING_VELOCITY][slot] = -one->v[2];
}

/* W in units of W_nn, turned so that the slip is along the first axis; without slip, d. */
INLINE void spring_units(double (*at)[SPRING_STRIDE], int slot, SpringProblem *problem,
                         Many axis[2], Many *scale) {
    Many vx = many_load(at[SPRING_AXIS] + slot), vy = many_load(at[SPRING_AXIS + 1] + slot),
         speed = many_load(at[SPRING_VELOCITY] + slot),
         by = 1 / many_load(at[SPRING_IMPULSE] + slot);
    Many across = many_sqrt(vx * vx + vy * vy), one = many_all(1);
    Many B11 = many_load(at[SPRING_B] + slot) * by, B12 = many_load(at[SPRING_B + 1] + slot) * by,
         B22 = many_load(at[SPRING_B + 2] + slot) * by, d1 = many_load(at[SPRING_D] + slot) * by,
         d2 = many_load(at[SPRING_D + 1] + slot) * by, size = many_sqrt(d1 * d1 + d2 * d2);
    ManyMask slips = across > 0, leans = ~slips & (size > 0);
    Many c = many_choose(slips, vx / across, many_choose(leans, d1 / size, one)),
         s = many_where(slips | leans, many_choose(slips, vy / across, d2 / size));
    problem->B[0] = c * c * B11 + 2 * c * s * B12 + s * s * B22;
    problem->B[1] = c * s * (B22 - B11) + (c * c - s * s) * B12;
    problem->B[2] = s * s * B11 - 2 * c * s * B12 + c * c * B22;
    problem->d[0] = c * d1 + s * d2;
    problem->d[1] = c * d2 - s * d1;
    problem->speed = across / speed;
    axis[0] = c;
    axis[1] = s;
    *scale = across;
}

/* Are the numbers those that lanes are for? Also where W is so far from singular that rounding is
 * not magnified much; a second tangent that nothing moves does not count. */
INLINE ManyMask spring_is_ready(const SpringProblem *problem, Many across, Many unit) {
    const Many *B = problem->B, *d = problem->d;
    Many s11 = B[0] - d[0] * d[0], s12 = B[1] - d[0] * d[1], s22 = B[2] - d[1] * d[1];
    Many det = s11 * s22 - s12 * s12, trace = s11 + s22, mu = problem->mu, eta2 = problem->eta2;
    Many size = B[0] + B[2] + 1;
    ManyMask flat = (B[2] == 0) & (B[1] == 0) & (d[1] == 0);
    Many least = many_choose(flat, s11, det / trace);
    Many limit = mu * eta2;
    return (s11 > 0) & (least * SPRING_CONDITION > size * size) & (size < 1e10) &
           (spring_steady(problem) | (problem->e > 0)) & (mu < 1e3) & (eta2 > 1e-8) & (eta2 < 1e8) &
           ((across == 0) | ((across > 1e-140) & (across < 1e140))) & (problem->speed < 1e8) &
           (unit > 1e-290) & (unit < 1e290) &
           /* not where rounding decides whether it slips or sticks at first */
           ((mu == 0) | (many_abs(problem->speed - limit) > 1e-9 * limit));
}

/* Does slip in direction s keep it? */
INLINE ManyMask spring_keeps(const SpringProblem *problem, const Many s[2], const Many V[2]) {
    const Many *B = problem->B, *d = problem->d;
    Many drift[2];
    spring_drift(problem, s, drift);
    ManyMask planar = (B[1] == 0) & (d[1] == 0) & (s[1] == 0) & (V[1] == 0);
    return planar | (problem->mu == 0) |
           ((many_abs(many_cross(s, drift)) <=
             4 * DBL_EPSILON * many_sqrt(many_dot(drift, drift))) &
            (many_abs(many_cross(s, V)) <= 4 * DBL_EPSILON * many_sqrt(many_dot(V, V))));
}

/* Set up MANY slots from the first one on, in place. Returns which are ready, and their steps. */
static ManyMask spring_begin(double (*at)[SPRING_STRIDE], int slot, Many *step) {
    SpringProblem problem;
    Many axis[2], across, one = many_all(1), none = many_all(0);
    problem.mu = many_load(at[SPRING_MU] + slot);
    problem.e = many_load(at[SPRING_E] + slot);
    problem.eta2 = many_load(at[SPRING_ETA2] + slot);
    spring_units(at, slot, &problem, axis, &across);
    Many *B = problem.B, *d = problem.d, velocity = many_load(at[SPRING_VELOCITY] + slot);
    Many impulse = velocity / many_load(at[SPRING_IMPULSE] + slot);
    ManyMask in_plane =
        (many_abs(B[1]) <= SPRING_IN_PLANE * (B[0] + B[2])) &
        (many_abs(d[1]) <= SPRING_IN_PLANE * (many_abs(d[0]) + many_sqrt(many_most(B[2], none))));
    B[1] = many_where(~in_plane, B[1]);
    d[1] = many_where(~in_plane, d[1]);
    ManyMask ready = spring_is_ready(&problem, across, impulse * velocity);
    /* nothing along the surface, ever: without friction, whatever mu */
    ManyMask direct = (problem.speed == 0) & (many_dot(d, d) == 0);
    problem.mu = many_where(~direct, problem.mu);
    ManyMask slips = (problem.speed > problem.mu * problem.eta2) | (problem.mu == 0);
    const Many s[2] = {one, none}, V[2] = {problem.speed, none};
    *step = many_choose(slips,
                        many_choose(spring_keeps(&problem, s, V), many_all(SPRING_STRAIGHT),
                                    many_all(SPRING_START)),
                        many_all(SPRING_STICK));
    const SpringState state = {.vn = -one,
                               .V = {problem.speed, none},
                               .x = {many_where(slips, one), none},
                               .k = one,
                               .fresh = many_where(~slips, one)};
    many_store(at[SPRING_MU] + slot, problem.mu);
    for (int i = 0; i < 3; i++) {
        many_store(at[SPRING_B + i] + slot, B[i]);
    }
    for (int i = 0; i < 2; i++) {
        many_store(at[SPRING_D + i] + slot, d[i]);
        many_store(at[SPRING_AXIS + i] + slot, axis[i]);
    }
    many_store(at[SPRING_SPEED] + slot, problem.speed);
    many_store(at[SPRING_IMPULSE] + slot, impulse);
    many_store(at[SPRING_LONGEST] + slot, one);
    const Many *fields = &state.p;
    for (int i = 0; i < SPRING_STATE_FIELDS; i++) {
        many_store(at[SPRING_STATE + i] + slot, fields[i]);
    }
    return ready;
}

static void spring_put(SpringBlock *block, int step, int slot) {
    SpringQueue *queue = &block->queue[step];
    queue->slot[queue->count++] = (short)slot;
}

static void spring_block_begin(SpringBlock *block, int count, const CaromCase *cases) {
    SpringSlots *slots = &block->slots;
    block->count = 0;
    for (int i = 0; i < count; i++) {
        if (suits_springs(&cases[i])) {
            block->id[block->count] = (short)i;
            spring_fill(slots, block->count++, &cases[i]);
        }
    }
    /* the last vector is filled up with copies */
    for (int i = block->count; i % MANY != 0; i++) {
        spring_fill(slots, i, &cases[block->id[block->count - 1]]);
    }
    for (int slot = 0; slot < block->count; slot += MANY) {
        Many step;
        ManyMask ready = spring_begin(slots->at, slot, &step);
        for (int i = 0; i < MANY && slot + i < block->count; i++) {
            block->letters[slot + i] = block->done[slot + i] = 0;
            if (ready[i]) {
                spring_put(block, (int)step[i], slot + i);
            }
        }
    }
}

/* ---- steps ---- */

/* One letter more, if there is room. */
static void spring_letter(SpringBlock *block, int slot, char letter) {
    char *n = &block->letters[slot];
    if (*n < CAROM_SEQUENCE_SIZE - 1) {
        block->outcomes[block->id[slot]].sequence[(int)(*n)++] = letter;
    }
}

/* Keep what MANY slots have come to, and where they go next. */
static void spring_sort(SpringBlock *block, const short slot[MANY], int count, int step,
                        const SpringPiece *piece, const SpringState *state, ManyMask keeps) {
    SpringSlots *slots = &block->slots;
    for (int i = 0; i < count; i++) {
        int at = slot[i], next = step == SPRING_START ? SPRING_TURN : step;
        double *longest = &slots->at[SPRING_LONGEST][at];
        if (!piece->good[i]) {
            *longest *= piece->shorter[i];
            if (piece->again[i] && *longest > SPRING_SHORTEST) {
                spring_put(block, step, at);
            }
            continue;
        }
        *longest = 1;
        spring_keep(slots, at, state, i);
        if (piece->compressed[i]) {
            spring_letter(block, at, 'c');
        } else if (piece->stuck[i]) {
            spring_letter(block, at, 's');
            next = SPRING_STICK;
        } else if (piece->yielded[i]) {
            next = keeps[i] ? SPRING_STRAIGHT : SPRING_TURN;
        }
        if (piece->done[i]) {
            spring_letter(block, at, 'r');
            block->done[at] = 1;
        } else {
            spring_put(block, next, at);
        }
    }
}

/* One piece of each slot of a queue. */
INLINE void spring_run(SpringBlock *block, int step) {
    SpringQueue due = block->queue[step];
    block->queue[step].count = 0;
    for (int from = 0; from < due.count; from += MANY) {
        short slot[MANY];
        int count = due.count - from < MANY ? due.count - from : MANY;
        for (int i = 0; i < MANY; i++) {
            slot[i] = due.slot[from + (i < count ? i : count - 1)];
        }
        SpringProblem problem;
        SpringState state;
        const ManyMask none = {0};
        SpringPiece piece = {none, none, many_all(0.5), none, none, none, none};
        spring_problem(&block->slots, slot, &problem);
        spring_state(&block->slots, slot, &state);
        Many longest = spring_field(&block->slots, SPRING_LONGEST, slot);
        ManyMask keeps = none;
        if (step == SPRING_STICK) {
            stick_run(&problem, &state, longest, &piece);
            if (many_any(piece.yielded)) {
                keeps = spring_keeps(&problem, state.x, state.V);
            }
        } else if (step == SPRING_STRAIGHT) {
            straight_slip_run(&problem, none, &state, &piece);
        } else {
            turning_run(&problem, step == SPRING_START, longest, &state, &piece);
        }
        spring_sort(block, slot, count, step, &piece, &state, keeps);
    }
}

/* ---- finish ---- */

/* What an answer may differ by from v- + W I, relative to all velocities, and from a closed account
 * of the energy; otherwise the solver for one decides. */
static const double SPRING_DRIFT = 1e-12, SPRING_SOUND = 1e-11;

/* v+ = v- + W I; returns by how much the answer violates a law, where it does not. */
static inline ManyMask spring_is_sound(double (*at)[SPRING_STRIDE], int slot, SpringState *state) {
    const Many B[3] = {many_load(at[SPRING_B] + slot), many_load(at[SPRING_B + 1] + slot),
                       many_load(at[SPRING_B + 2] + slot)},
               d[2] = {many_load(at[SPRING_D] + slot), many_load(at[SPRING_D + 1] + slot)};
    Many speed = many_load(at[SPRING_SPEED] + slot), mu = many_load(at[SPRING_MU] + slot),
         e = many_load(at[SPRING_E] + slot), p = state->p;
    const Many *J = state->J;
    const Many V[2] = {speed + (B[0] * J[0] + B[1] * J[1] + d[0] * p),
                       B[1] * J[0] + B[2] * J[1] + d[1] * p};
    Many vn = (p - 1) + many_dot(d, J), size = 1 + speed;
    Many off =
        many_abs(V[0] - state->V[0]) + many_abs(V[1] - state->V[1]) + many_abs(vn - state->vn);
    Many change = 0.5 * (J[0] * (speed + V[0]) + J[1] * V[1] + p * (vn - 1));
    Many loss = (1 - e) * (1 + e) * state->stored, through = state->stored + state->friction;
    Many residual = change + loss + state->friction;
    state->V[0] = V[0];
    state->V[1] = V[1];
    /* after e = 0 the bodies do not part */
    Many slack = many_choose(e == 0, many_abs(vn), -vn);
    state->vn =
        many_choose(((vn < 0) | (e == 0)) & (slack <= SPRING_DRIFT * size), many_all(0), vn);
    Many most = mu * p * (1 + 1e-11);
    return (off <= SPRING_DRIFT * size) & (many_abs(residual) <= SPRING_SOUND * through) &
           (J[0] * J[0] + J[1] * J[1] <= most * most) & (state->vn >= 0) &
           ((e > 0) | (state->vn == 0)) & (p > 0) & (p < INFINITY) &
           (state->friction >= -1e-13 * through);
}

static void spring_block_finish(SpringBlock *block, unsigned char *open) {
    double(*at)[SPRING_STRIDE] = block->slots.at;
    for (int slot = 0; slot < block->count; slot += MANY) {
        SpringState state;
        Many *fields = &state.p, out[6];
        for (int i = 0; i < SPRING_STATE_FIELDS; i++) {
            fields[i] = many_load(at[SPRING_STATE + i] + slot);
        }
        ManyMask sound = spring_is_sound(at, slot, &state);
        Many c = many_load(at[SPRING_AXIS] + slot), s = many_load(at[SPRING_AXIS + 1] + slot);
        Many impulse = many_load(at[SPRING_IMPULSE] + slot),
             velocity = many_load(at[SPRING_VELOCITY] + slot);
        out[0] = impulse * (c * state.J[0] - s * state.J[1]);
        out[1] = impulse * (s * state.J[0] + c * state.J[1]);
        out[2] = impulse * state.p;
        out[3] = velocity * (c * state.V[0] - s * state.V[1]);
        out[4] = velocity * (s * state.V[0] + c * state.V[1]);
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

static void spring_run_start(SpringBlock *block) {
    spring_run(block, SPRING_START);
}

static void spring_run_turn(SpringBlock *block) {
    spring_run(block, SPRING_TURN);
}

static void spring_run_straight(SpringBlock *block) {
    spring_run(block, SPRING_STRAIGHT);
}

static void spring_run_stick(SpringBlock *block) {
    spring_run(block, SPRING_STICK);
}

/* Slots with a further step. */
static int spring_due(const SpringBlock *block) {
    int due = 0;
    for (int i = 0; i < SPRING_STEPS; i++) {
        due += block->queue[i].count;
    }
    return due;
}

void crm_compliant_lanes(int count, const CaromCase *cases, CaromOutcome *outcomes,
                         unsigned char *open) {
    SpringBlock block;
    block.outcomes = outcomes;
    for (int i = 0; i < SPRING_STEPS; i++) {
        block.queue[i].count = 0;
    }
    spring_block_begin(&block, count, cases);
    for (int i = 0; i < SPRING_PASSES && spring_due(&block) > 0; i++) {
        spring_run_start(&block);
        spring_run_turn(&block);
        spring_run_straight(&block);
        spring_run_stick(&block);
    }
    spring_block_finish(&block, open);
}

#else

void crm_compliant_lanes(int count, const CaromCase *cases, CaromOutcome *outcomes,
                         unsigned char *open) {
    (void)count;
    (void)cases;
    (void)outcomes;
    (void)open;
}

#endif
