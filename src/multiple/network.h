/* Several contacts in their own units: what is given, the state, and the piece of the process in
 * hand, each with its own life time.
 *
 * Units are such that the largest speed, the largest normal W and the largest k W_nn are 1. With
 * ' = d/dt, N the normal force and f the force that extends the tangential spring,
 *
 *   v' = W F, F = (-f, N) at each link      I' = F
 *   spring: N' = -k v_n                     held: 0 <= N, (W F)_n >= 0, one of them 0
 *   stick: f' = kt V                        slip: f = mu N s, rho s' = V - (V.s) s, rho = mu N/kt
 *
 * Between events everything is a power series in t (expand.h); events are zeros of those series
 * (watch.h). Forces of held links may jump at an event (jump.h). */
#ifndef CAROM_MULTIPLE_NETWORK_H
#define CAROM_MULTIPLE_NETWORK_H

#include <math.h>

#include <carom/problem.h>
#include <carom/trace.h>

#include "contact/record.h"
#include "math/lanes.h"
#include "math/reciprocal.h"
#include "multiple/jam_span.h"

/* Terms of a series. Longer ones pay only where no event is near. */
enum { ORDER = 16, TERMS = ORDER + 1, PRODUCT_TERMS = 2 * ORDER + 1 };

/* Contacts of stiffness 0, finite and infinite: each level acts after the stiffer ones have, which
 * are rigid to it. */
enum { LEVEL_SOFT, LEVEL_FINITE, LEVEL_RIGID };

/* A contact as it is given. */
typedef struct Material {
    int row; /* its first row */
    int level;
    int rough; /* mu > 0 */
    double mu, e, k, kt;
    double w;         /* W_nn */
    double weight[2]; /* rough: sqrt(w/kt) of its tangential rows, converts a force to a speed */
} Material;

/* Constant during an impact. */
typedef struct Given {
    const CaromProblem *problem;
    int count, rows, size; /* links, rows per link (1 if there is no friction), rows in all */
    int stride;            /* size made even */
    int caller_rows;       /* per contact in the caller's vectors */
    int mono;              /* the law of one stiffness */
    double followed;       /* bounces with friction are followed until k has grown by this */
    int careful;           /* slip does not go straight where a small reaction might vanish by it */
    double unit_velocity, unit_impulse;
    Material *materials;
    double *W, *v_before; /* rows of W have given.stride numbers */
    /* W for products: two rows at a time, width columns of each from band[] on (product.h) */
    double *wide;
    int *band, width;
    /* or, where most of W is 0: three columns of each block of two links that is not, of four
     * numbers each; those of link i are from block_start[i] to before block_start[i + 1] */
    int in_blocks, *block_start, *block_link;
    int is_row; /* row.h */
    /* columns that are not 0 in the caller's rows, counted as the rows here: from first to before
     * end */
    int *column_first, *column_end;
} Given;

typedef enum LinkPhase {
    ABSENT,           /* its level has not begun */
    OPEN,             /* v_n > 0, no force */
    TOUCHING,         /* v_n <= 0, no force yet: the series decide what it does */
    LINK_COMPRESSION, /* v_n < 0 */
    LINK_RESTITUTION, /* v_n > 0, N > 0 */
    HELD              /* v_n = 0 by a reaction N >= 0 */
} LinkPhase;

typedef enum LinkFriction {
    LINK_STICK,
    LINK_STICK_EDGE, /* stick has just begun, on the edge of the cone */
    LINK_SLIP,
    LINK_STRAIGHT /* slip in a constant direction: too little of it is left to matter */
} LinkFriction;

/* How friction of a held link begins whose reaction begins, if that is known (edge.h). */
typedef enum LinkBegin { BEGINS_ANYHOW, BEGINS_STICK, BEGINS_SLIP } LinkBegin;

/* What the events have reported of a link. */
typedef enum LinkShown { SHOWN_OPEN, SHOWN_ACTING, SHOWN_LATCHED } LinkShown;

/* The two parts of a velocity whose errors are counted. */
typedef enum Side { ALONG, NORMAL, SIDES } Side;

/* A contact now. */
typedef struct Link {
    LinkPhase phase;
    LinkFriction friction;
    LinkShown shown;
    int rigid;        /* it has been held: its spring has no length any more */
    int apart, loose; /* the last piece in which it did not act; or if it did, slipped */
    int restarted;    /* its compression began with a force... */
    int grips;        /* ...and all links that lasted stuck well inside their cones */
    int changes;      /* between stick and slip since time last advanced */
    int vanished;     /* held: its reaction has just come to 0... */
    LinkBegin begins; /* ...and how it begins again */
    double k;         /* normal stiffness now */
    double rate;      /* v_n' where v_n passes 0... */
    double off;       /* ...and what was left of v_n there, which is set to 0 */
    int joins;        /* so does that of others, and it comes to rest with them */
    int joint;        /* compression ends, or its bounces did: the piece that counts as its moment;
                         0: it does not... */
    int ended;        /* ...that of the last time; 0: none... */
    double grasp, fell; /* ...the friction that lasts then, and by how much it fell before... */
    double low;         /* ...and the friction when compression began */
    double keeps;       /* compression ends: the share of the energy that stays... */
    int latches;        /* ...or its bounces end, too... */
    double left[SIDES]; /* ...and the error of its velocity by what is left of them */
    double weight;      /* sqrt(W_nn/k): converts a force to a speed */
    double N, f[2], s[2];
    double peak;         /* mono-stiffness: the largest N since the link began to act */
    double booked;       /* normal energy at the start of this phase */
    double fastest;      /* the largest |v_n| so far, as far as it was looked for (graze.h) */
    double alone;        /* the speed of an impact of its own before the load; 0: none (graze.h) */
    double error[SIDES]; /* estimate of the error of its velocity so far... */
    double noise[SIDES]; /* ...but for rounding, whose square this is */
} Link;

typedef struct NetworkState {
    double *v, *I;
    Link *links;
    CaromEnergy energy;
    double clock;   /* sum of the normal impulses */
    double omitted; /* by series without friction, of any normal velocity so far */
} NetworkState;

/* Quantities whose zeros are events. */
typedef enum LinkWatch {
    WATCH_SPEED, /* v_n passes 0 */
    WATCH_FORCE, /* N falls to where the link opens; held and idle: it begins to share the load */
    WATCH_CONE,  /* stick: f reaches the cone; slip: the sliding speed falls to 0 */
    WATCH_TURN,  /* v_n passes 0 at an elastic link, whose equations do not change */
    WATCH_COUNT
} LinkWatch;

/* Part of a held link in the reaction. */
typedef enum HoldRole {
    HOLD_NONE,      /* not held */
    HOLD_UNDECIDED, /* N = v_n' = 0 up to the order in hand */
    HOLD_PUSHES,    /* N > 0 */
    HOLD_IDLE       /* N = 0: its row depends on those that push, and it would pull */
} HoldRole;

/* Does the direction of slip follow V without a delay of its own (follow.h)? */
typedef enum LinkFollow {
    FOLLOW_NOT,
    FOLLOW_V,
    FOLLOW_RELEASED, /* it cannot */
    FOLLOW_KEPT      /* constant for a short piece: its series are out of range */
} LinkFollow;

/* Orders whose sizes say what the series leave out. */
enum { SIZE_ORDERS = 4 };

/* A link in the piece in hand: what the series have decided, and the series themselves. */
typedef struct LinkPiece {
    LinkPhase phase;
    LinkFriction friction;
    HoldRole role;
    int decided;                  /* a touching link: it is known what it does */
    int written;                  /* its forces in terms_f are not all 0 */
    int absent;                   /* N = v_n' = 0 at the start, and in all sweeps (follow.h) */
    double spring, tangent;       /* -k and -kt times the unit of time */
    int order_speed, order_force; /* in slip V = O(t^order_speed), N = O(t^order_force) */
    int slipped;                  /* it did so before the piece */
    double f[2];                  /* at the start */
    double wait[WATCH_COUNT];     /* when it happens, in units of the piece */
    /* by sides: sizes of its last terms, the last one first, as speeds, and an estimate of those
     * left out */
    Pair size[SIZE_ORDERS], omitted;
    Pair effect; /* of wrong tangential forces, as speeds (reach.h) */
    double N[TERMS];
    double wish[TERMS];          /* idle: minus the force that it would take over */
    Pair s[TERMS], omega[TERMS]; /* direction of slip; its rate, twice */
    double twice_s[TERMS][4];    /* s twice */
    double turner[TERMS][4];     /* V_2, -V_1, omega twice */
    double turned[TERMS][4];     /* s, omega of the order before twice */
    Pair push;                   /* sum of N_k s_(g - k) up to k = g - 1 */
    double pull, per_N;          /* unit/rho and 1/N at the start */
    LinkFollow follow;
    double first_s[2];                       /* s of the state... */
    double last_omega[TERMS], last_N[TERMS]; /* ...series of the sweep before... */
    double unsettled; /* ...and by how much it was wrong, as the effect on a speed */
} LinkPiece;

/* How a spring's friction is found, order by order. */
typedef enum SprungWay { WAY_SMOOTH, WAY_STICK, WAY_TURN, WAY_OTHER } SprungWay;

/* A link that acts by its spring, for a quick way through the orders. */
typedef struct Sprung {
    LinkPiece *own;
    const Material *material;
    int link, row;
    double spring, tangent; /* as own has them */
    SprungWay way;
} Sprung;

/* The rows of links that may push, and the columns of W that belong to them. */
typedef struct Columns {
    int count, *list;
    const double **W;
} Columns;

/* What the terms of all rows from the first order on add over the piece: their sums, the sums of
 * their magnitudes, and of the forces the integrals. */
typedef struct Ranges {
    double *sum, *size, *area;
} Ranges;

/* The root of the remaining time that counts close to the end of a slip (pace.h). */
enum { PACE_ROOT = 3 };

typedef struct Piece {
    LinkPiece *links;
    /* the series of v and F, order by order (terms.h); both times the pace, the same where that
     * is 1 */
    double *terms_v, *terms_f, *terms_travel, *terms_push;
    double *paced_v, *paced_f;
    Columns columns;
    int acting, *list; /* links that touch or act... */
    Sprung *sprung;    /* ...and those that act by springs, once all are decided */
    enum { GENERAL, PLAIN, SINGLE } kind;
    int single;     /* SINGLE: the link that acts */
    int touching;   /* links that touch, and are not decided */
    int any_held;   /* links are held */
    int unanswered; /* the held links that begin to push have no reaction... */
    int runs_away;  /* ...or slip drags held links down faster than they are pressed: no series */
    int loses;      /* a reaction has come to 0 up to rounding: no series either */
    double unit;    /* of time: the shortest period, or the rest of a slip... */
    int closing;    /* ...whose end is stretched: dt = unit pace(x) dx */
    double pace[PACE_ROOT];
    double step;         /* length of the piece... */
    double scale[TERMS]; /* ...and its powers in the unit of the terms */
    Ranges speeds, forces;
    double moment;         /* where in it the next event is, in [0, 1] */
    Pair power[TERMS + 1]; /* plain.h: of the length, divided by g! */
    double common;         /* ...which this limits, but for links that hardly move yet */
    /* plain.h: one number per link */
    double *rate, *bound_speed, *bound_force, *bound_sign;
    double *column_in, *column_out; /* the terms of one order */
    double *I_then;                 /* I at another moment */
} Piece;

/* The velocity that the links leave which had been stuck for long, if there were any, after so many
 * pieces. */
typedef struct JamTrail {
    int work, known;
    double v[JAM_ROWS];
} JamTrail;

struct Held;
struct Row;

typedef struct Network {
    Given given;
    NetworkState state;
    Piece piece;
    struct Held *held;
    struct Row *row; /* only if given.is_row */
    CaromResult *result;
    Sampler *sampler; /* or NULL */
    int work;
    int jump_steps;      /* of all jumps so far */
    int edges;           /* modes that the fast motion has found since time last advanced */
    int ambiguous;       /* a jump had another outcome */
    int rests_on_rule;   /* another rule for jumps has another outcome */
    CaromJump jump;      /* the nearest one of the outcome (graze.h) */
    int next_look;       /* work from which on to look whether... */
    int jams;            /* ...contacts stay closed under load (jam.h) */
    JamTrail trail;      /* where the search was some time ago (jam_trail.h) */
    int level;           /* in hand */
    int differs;         /* the piece from which on a visitor sees more than a plain solve does;
                            0: none, -1: for another reason */
    int last_try;        /* bounces will not be followed less far */
    const char *message; /* why it cannot go on, or NULL */
} Network;

static inline int normal_row(const Given *given, int link) {
    return given->materials[link].row + given->rows - 1;
}

/* Row of W that belongs to this row. */
static inline const double *row_of_W(const Given *given, int row) {
    return &given->W[(size_t)row * (size_t)given->stride];
}

/* Speed by a unit of tangential impulse at a rough link, the same whatever its axes are: where one
 * direction is locked, that of the other, and that of the normal where both are. */
static inline double tangential_mobility(const Given *given, int link) {
    double sum = 0;
    for (int row = given->materials[link].row; row < normal_row(given, link); row++) {
        sum += row_of_W(given, row)[row];
    }
    return sum > 0 ? sum : given->materials[link].w;
}

static inline int caller_row(const Given *given, int row) {
    int rows = given->rows, all = given->caller_rows;
    return rows == all ? row : row / rows * all + all - rows + row % rows;
}

static inline int is_sprung(LinkPhase phase) {
    return phase == LINK_COMPRESSION || phase == LINK_RESTITUTION;
}

static inline int is_active(LinkPhase phase) {
    return phase >= LINK_COMPRESSION;
}

static inline int is_slipping(LinkFriction friction) {
    return friction >= LINK_SLIP;
}

static inline void set_stiffness(Link *link, const Material *material, double k) {
    link->k = k;
    link->weight = sqrt(material->w / k);
}

/* Force at which restitution ends: 0, but with one stiffness for all the energy that e takes is
 * still in the spring. */
static inline double opening_force(const Given *given, int i, const Link *link) {
    double e = given->materials[i].e;
    return given->mono ? sqrt(1 - e * e) * link->peak : 0;
}

static inline double spring_energy(const Link *link) {
    return is_sprung(link->phase) ? link->N * link->N / (2 * link->k) : 0;
}

static inline double tangential_energy(const Material *material, const Link *link) {
    return material->rough
               ? (link->f[0] * link->f[0] + link->f[1] * link->f[1]) / (2 * material->kt)
               : 0;
}

/* Relative to the terms of a sum, less is taken for none where only its sign matters. */
static const double NOISE = 1e-12;

/* Events within this, relative to the time of the piece so far, happen at once. */
static const double AT_ONCE = 1e-13;

/* Speeds are known up to this: compressions whose ends are no farther apart end together. */
static const double ROUNDED = 1e-14;

/* Speed below which a normal that depends on others at rest counts as at rest, too: they come to
 * rest together up to rounding. */
static const double TOGETHER = 1e-11;

/* Forces and speeds of this size, relative to the largest possible, are negligible. */
static const double NEGLIGIBLE = 1e-16;

/* Pieces after which it is looked for the first time whether contacts jam (jam.h). */
enum { JAM_FIRST = 256 };

/* Pieces of one impact: at most this many, and this many more per contact. */
enum { MOST_PIECES = 20000, CONTACT_PIECES = 1000 };

#define NO_END "no end within the bounded work"

static inline int most_pieces(const Given *given) {
    return MOST_PIECES + CONTACT_PIECES * given->count;
}

/* Begin a piece, if there are not too many. */
static inline void network_work(Network *network) {
    if (network->work++ > most_pieces(&network->given)) {
        network->message = NO_END;
    }
}

size_t crm_network_bytes(int count);
/* 0 with a reason in *message if W is not positive semidefinite. */
int crm_network_begin(Network *network, const CaromProblem *problem, void *workspace,
                      const char **message);
/* Level of a contact of this stiffness. */
int crm_stiffness_level(double stiffness);
/* Begin with the links of this level; 0: there are none. */
int crm_network_begin_level(Network *network, int level);

#endif
