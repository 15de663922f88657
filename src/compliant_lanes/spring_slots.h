/* MANY compliant impacts in their own units: the problems and how far each process has come.
 *
 * Units and equations are those of compliant/process.h: w = 1, v_n- = -1, k = 1 in compression,
 * v_t- along the first axis. Lanes are for impacts whose compression ends once and does not
 * restart, so that nothing latches: always if mu |d| < 1, as v_n then only rises; otherwise each
 * piece is looked at. A block of impacts is kept as a
 * structure of arrays, as in rigid_lanes/slots.h. */
#ifndef CAROM_LANES_SPRING_SLOTS_H
#define CAROM_LANES_SPRING_SLOTS_H

#include "compliant_lanes/compliant_lanes.h"
#include "compliant_lanes/many_root.h"

#ifdef CAROM_LANES

typedef struct SpringProblem {
    Many mu, e, eta2, kt; /* kt = 1/eta2 */
    Many B[3], d[2];
    Many speed;      /* of slip at the start */
    ManyMask steady; /* mu |d| < 1 */
} SpringProblem;

typedef struct SpringState {
    Many p, N, vn;
    Many J[2], V[2];
    Many x[2]; /* slip: its direction s. Stick: the force f */
    Many k;
    Many opening;  /* 1 in restitution, else 0 */
    Many fresh;    /* 1 where stick has just begun, on the edge of slip, else 0 */
    Many stored;   /* normal energy when compression ended */
    Many friction; /* work so far */
} SpringState;

/* What rounding may leave of the coefficients of a series that is looked at for zeros. */
static const double SPRING_SMALL = 1e-12;

/* Part of a piece below which v_n that does not do what it should is a restart of compression. */
static const double SPRING_RESTARTS = 0.5;

/* The fields of the slots. The state comes last, in the order of SpringState. */
enum {
    SPRING_MU,
    SPRING_E,
    SPRING_ETA2,
    SPRING_B,
    SPRING_D = SPRING_B + 3,
    SPRING_SPEED = SPRING_D + 2,
    SPRING_AXIS,
    SPRING_VELOCITY = SPRING_AXIS + 2,
    SPRING_IMPULSE,
    SPRING_LONGEST, /* of the next piece, relative to what is usual */
    SPRING_STATE,
    SPRING_STATE_FIELDS = 14,
    SPRING_FIELDS = SPRING_STATE + SPRING_STATE_FIELDS
};

_Static_assert(sizeof(SpringState) == SPRING_STATE_FIELDS * sizeof(Many), "all of the state");

/* Speed: not a power of 2, so that the fields of a slot do not compete for lines of the cache. */
enum { SPRING_STRIDE = COMPLIANT_LANES_BLOCK + 8 };

typedef struct SpringSlots {
    double at[SPRING_FIELDS][SPRING_STRIDE];
} SpringSlots;

/* What an impact does next. */
typedef enum { SPRING_START, SPRING_TURN, SPRING_STRAIGHT, SPRING_STICK, SPRING_STEPS } SpringStep;

/* Slots with the same next step. */
typedef struct SpringQueue {
    int count;
    short slot[COMPLIANT_LANES_BLOCK];
} SpringQueue;

/* What a piece has come to. */
typedef struct SpringPiece {
    ManyMask good;       /* the state is that at its end; otherwise see again */
    ManyMask again;      /* a shorter one, */
    Many shorter;        /* by this factor */
    ManyMask compressed; /* compression has ended */
    ManyMask stuck;      /* slip has stopped */
    ManyMask yielded;    /* stick has ended */
    ManyMask done;       /* the impact has ended */
} SpringPiece;

INLINE Many spring_field(const SpringSlots *slots, int field, const short slot[MANY]) {
    const double *at = slots->at[field];
    Many x = {0};
    for (int i = 0; i < MANY; i++) {
        x[i] = at[slot[i]];
    }
    return x;
}

/* Does v_n only rise? As |f| <= mu N, v_n' = N - d.f >= N (1 - mu |d|). */
INLINE ManyMask spring_steady(const SpringProblem *problem) {
    const Many *d = problem->d, lean = problem->mu * problem->mu * (d[0] * d[0] + d[1] * d[1]);
    return lean < 0.998;
}

static inline void spring_problem(const SpringSlots *slots, const short slot[MANY],
                                  SpringProblem *problem) {
    problem->mu = spring_field(slots, SPRING_MU, slot);
    problem->e = spring_field(slots, SPRING_E, slot);
    problem->eta2 = spring_field(slots, SPRING_ETA2, slot);
    problem->kt = 1 / problem->eta2;
    for (int i = 0; i < 3; i++) {
        problem->B[i] = spring_field(slots, SPRING_B + i, slot);
    }
    for (int i = 0; i < 2; i++) {
        problem->d[i] = spring_field(slots, SPRING_D + i, slot);
    }
    problem->speed = spring_field(slots, SPRING_SPEED, slot);
    problem->steady = spring_steady(problem);
}

static inline void spring_state(const SpringSlots *slots, const short slot[MANY],
                                SpringState *state) {
    Many *fields = &state->p;
    for (int i = 0; i < SPRING_STATE_FIELDS; i++) {
        fields[i] = spring_field(slots, SPRING_STATE + i, slot);
    }
}

/* Store one element of the state. */
static inline void spring_keep(SpringSlots *slots, int slot, const SpringState *state, int lane) {
    const Many *fields = &state->p;
    for (int i = 0; i < SPRING_STATE_FIELDS; i++) {
        slots->at[SPRING_STATE + i][slot] = fields[i][lane];
    }
}

/* Does v_n, a polynomial on [0, 1], do what it should: rise through 0 at most once in compression,
 * stay above 0 in restitution? */
INLINE ManyMask spring_holds(const SpringProblem *problem, const SpringState *state,
                             const Many *vn) {
    ManyMask holds = problem->steady, opening = state->opening > 0;
    if (many_any(~holds & ~opening)) {
        holds |= ~opening & many_rises_once(vn, SPRING_SMALL);
    }
    if (many_any(~holds & opening)) {
        holds |= opening & many_is_positive(vn, SPRING_SMALL);
    }
    return holds;
}

/* Compression ends where it holds: N is continuous, the spring gets stiffer. With e = 0 the impact
 * ends, too; friction then takes the energy of the tangential spring, whose force is f. */
INLINE void spring_compressed(const SpringProblem *problem, ManyMask where, const Many f[2],
                              SpringState *state, SpringPiece *piece) {
    Many e = problem->e, none = many_all(0);
    ManyMask ends = where & (e == 0);
    state->vn = many_choose(where, none, state->vn);
    state->stored = many_choose(where, state->N * state->N / (2 * state->k), state->stored);
    state->opening = many_choose(where, many_all(1), state->opening);
    state->k = many_choose(where & ~ends, state->k / (e * e), state->k);
    state->friction += many_where(ends, problem->eta2 * (f[0] * f[0] + f[1] * f[1]) * 0.5);
    piece->compressed = where;
    piece->done |= ends;
}

#endif

#endif
