/* MANY rigid impacts in their own units: the problems and how far each process has come.
 *
 * Units and equations are those of the solver for one impact (docs/theory.md, section 10): w = 1,
 * v_n- = -1, slip starts along the first axis; with ' = d/dp
 *
 *   gamma = gamma- + d p + B J,   v_n = -1 + p + d.J,   J' = -mu s in slip,   E' = -v_n
 *
 * A block of impacts is kept as a structure of arrays. Each array has a slot per impact; a pass
 * gathers MANY slots, whichever are due, and scatters them again. */
#ifndef CAROM_LANES_SLOTS_H
#define CAROM_LANES_SLOTS_H

#include "math/many.h"
#include "rigid_lanes/rigid_lanes.h"

#ifdef CAROM_LANES

/* Slip at one point; see src/rigid/slip/slip.h. f = r', g = r theta', a = v_n', da = v_n'',
 * across = s_perp.b s_perp. */
typedef struct ManySlip {
    Many s[2], r, inverse, f, g, a, da, across;
} ManySlip;

typedef struct ManyState {
    Many p, J[2], gamma[2], vn;
    Many E;       /* stored now */
    Many loss;    /* normal_loss so far */
    Many opening; /* 1 in restitution, else 0 */
} ManyState;

typedef struct ManyProblem {
    Many mu, mu_static, e;
    Many B[3], d[2];
    Many speed;     /* of slip at the start */
    Many condition; /* magnification of rounding of the input */
    /* from these */
    Many b[3]; /* mu B */
    Many rate; /* |b| + |d|: the scale of gamma' */
} ManyProblem;

/* The fields of the slots. The state comes last, in the order of ManyState. */
enum {
    SLOT_MU,
    SLOT_MU_STATIC,
    SLOT_E,
    SLOT_B,
    SLOT_D = SLOT_B + 3,
    SLOT_SPEED = SLOT_D + 2,
    SLOT_CONDITION,
    SLOT_AXIS,
    SLOT_VELOCITY = SLOT_AXIS + 2,
    SLOT_IMPULSE,
    SLOT_LONGEST, /* of regular stretches; negative: no arrival */
    SLOT_REST,    /* how far the next stretch goes: half its length, or the rest of p */
    SLOT_STATE,
    STATE_FIELDS = 9,
    SLOT_FIELDS = SLOT_STATE + STATE_FIELDS
};

_Static_assert(sizeof(ManyState) == STATE_FIELDS * sizeof(Many), "all of the state");

/* From one field to the next. Speed: not a power of 2, so that the fields of a slot do not compete
 * for the same lines of the cache. */
enum { SLOT_STRIDE = RIGID_LANES_BLOCK + 8 };

typedef struct Slots {
    double at[SLOT_FIELDS][SLOT_STRIDE];
} Slots;

/* Slots with the same next step. */
typedef struct Queue {
    int count;
    short slot[RIGID_LANES_BLOCK];
} Queue;

static inline void queue_put(Queue *queue, int slot) {
    queue->slot[queue->count++] = (short)slot;
}

INLINE Many slots_field(const Slots *slots, int field, const short slot[MANY]) {
    const double *at = slots->at[field];
    Many x = {0};
    for (int i = 0; i < MANY; i++) {
        x[i] = at[slot[i]];
    }
    return x;
}

/* Fill what follows from mu, B, d. */
INLINE void problem_complete(ManyProblem *problem) {
    for (int i = 0; i < 3; i++) {
        problem->b[i] = problem->mu * problem->B[i];
    }
    problem->rate = (many_abs(problem->d[0]) + many_abs(problem->d[1])) +
                    (many_abs(problem->b[0]) + many_abs(problem->b[1]) + many_abs(problem->b[2]));
}

static inline void slots_problem(const Slots *slots, const short slot[MANY], ManyProblem *problem) {
    problem->mu = slots_field(slots, SLOT_MU, slot);
    problem->mu_static = slots_field(slots, SLOT_MU_STATIC, slot);
    problem->e = slots_field(slots, SLOT_E, slot);
    for (int i = 0; i < 3; i++) {
        problem->B[i] = slots_field(slots, SLOT_B + i, slot);
    }
    for (int i = 0; i < 2; i++) {
        problem->d[i] = slots_field(slots, SLOT_D + i, slot);
    }
    problem->speed = slots_field(slots, SLOT_SPEED, slot);
    problem->condition = slots_field(slots, SLOT_CONDITION, slot);
    problem_complete(problem);
}

static inline void slots_state(const Slots *slots, const short slot[MANY], ManyState *state) {
    Many *fields = &state->p;
    for (int i = 0; i < STATE_FIELDS; i++) {
        fields[i] = slots_field(slots, SLOT_STATE + i, slot);
    }
}

/* Store one element of the state. */
static inline void slots_keep(Slots *slots, int slot, const ManyState *state, int lane) {
    const Many *fields = &state->p;
    for (int i = 0; i < STATE_FIELDS; i++) {
        slots->at[SLOT_STATE + i][slot] = fields[i][lane];
    }
}

/* The rates of slip in direction (x, y) with speed r = 1/inverse. */
INLINE void slip_at(const ManyProblem *problem, Many x, Many y, Many r, Many inverse,
                    ManySlip *slip) {
    const Many *d = problem->d, *b = problem->b;
    Many along = y * d[1] + x * d[0], aside = x * d[1] - y * d[0];
    Many rate0 = d[0] - (b[1] * y + b[0] * x), rate1 = d[1] - (b[2] * y + b[1] * x);
    slip->s[0] = x;
    slip->s[1] = y;
    slip->r = r;
    slip->inverse = inverse;
    slip->f = y * rate1 + x * rate0;
    slip->g = x * rate1 - y * rate0;
    slip->a = 1 - problem->mu * along;
    slip->da = -(problem->mu * aside * slip->g * inverse);
    slip->across = slip->f + (b[0] + b[2] - along);
}

/* Half-angle spinor of a direction, of any length. */
INLINE void spinor_of(const Many s[2], Many xi[2]) {
    Many large = 1 + many_abs(s[0]);
    xi[0] = many_choose(s[0] >= 0, large, s[1]);
    xi[1] = many_choose(s[0] >= 0, s[1], large);
}

/* The rates of slip now. */
INLINE void slip_now(const ManyProblem *problem, const ManyState *state, ManySlip *slip) {
    const Many *gamma = state->gamma;
    Many r = many_sqrt(gamma[0] * gamma[0] + gamma[1] * gamma[1]);
    /* divided, so that the direction is exact at the start */
    slip_at(problem, gamma[0] / r, gamma[1] / r, r, 1 / r, slip);
}

#endif

#endif
