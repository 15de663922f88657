/* Several contacts in their own units: the links between the bodies, their state, and how a piece
 * of the process is expanded, searched for events and left behind.
 *
 * Units are such that the largest speed, the largest normal W and the largest k W_nn are 1. With
 * ' = d/dt, N the force of the normal spring and f that of the tangential one (on the second body),
 *
 *   v' = W F, F = (-f, N) at each link      I' = F
 *   N' = -k v_n                             f' = kt V in stick, f = mu N s in slip
 *   s' = omega s_perp, rho omega = V.s_perp, rho = mu N/kt
 *
 * Between events everything is a power series in t (expand.c, slide.c); events are zeros of those
 * series, found without skipping any (watch.c); what happens there is local to a link (events.c).
 * A link that is held (v_n = 0 by a force that may push, not pull) is eliminated from W (hold.c):
 * its N is then the mean of its swings, and what friction sees is their lowest value n, "low". */
#ifndef CAROM_MULTIPLE_NETWORK_H
#define CAROM_MULTIPLE_NETWORK_H

#include <math.h>

#include <carom/problem.h>
#include <carom/trace.h>

#include "contact/record.h"

#include "math/lanes.h"
#include "math/reciprocal.h"

/* Terms of a series. Longer ones pay only where no event is near. */
enum { ORDER = 16, TERMS = ORDER + 1, PRODUCT_TERMS = 2 * ORDER + 1 };

/* The root of what is left of a slip that counts close to its end (pace.c). */
enum { PACE_ROOT = 3 };

/* Contacts of stiffness 0, finite and infinite: each level acts after the stiffer ones have, which
 * are rigid to it. */
enum { LEVEL_SOFT, LEVEL_FINITE, LEVEL_RIGID };

typedef enum LinkPhase {
    ABSENT,           /* its time has not come */
    OPEN,             /* v_n > 0, no force */
    TOUCHING,         /* v_n <= 0, no force yet: the series decide what it does */
    LINK_COMPRESSION, /* v_n < 0 */
    LINK_RESTITUTION, /* v_n > 0, N > 0 */
    HELD              /* v_n = 0 by a force that is not a spring's */
} LinkPhase;

/* What a link may be waiting for. */
typedef enum LinkWatch {
    WATCH_SPEED, /* v_n passes 0 */
    WATCH_FORCE, /* N falls to where the link opens */
    WATCH_CONE,  /* stick: f reaches the cone; slip: the sliding speed falls to 0 */
    WATCH_LOW,   /* held: n falls to 0, or rises from there again */
    WATCH_SLACK, /* held: the swings die out, n reaches N */
    WATCH_TURN,  /* v_n passes 0 at an elastic link, which takes no notice */
    WATCH_COUNT
} LinkWatch;

typedef struct Link {
    /* the contact */
    int row; /* its first one */
    double mu, e, kt, k_first;
    int rough; /* mu > 0 */
    int level; /* of stiffness: LEVEL_SOFT, LEVEL_FINITE, LEVEL_RIGID */
    /* the state */
    double k, N;
    double weight; /* sqrt(W_nn/k): makes a speed of a force */
    double f[2], s[2];
    double low;    /* n of a rough link that is held */
    double peak;   /* mono-stiffness: the largest N since the link began to act */
    double booked; /* normal energy at the start of this phase */
    LinkPhase phase;
    CaromMode mode;
    int acting;     /* as the events tell it */
    int latched;    /* likewise: held */
    int holding;    /* it is known how its swings began */
    int eliminated; /* from the matrix of the held */
    int rigid;      /* its spring has no length any more: it is held whenever it is pressed */
    int fresh;      /* stick has just begun, on the edge of the cone */
    int frozen;     /* slip goes on straight: too little is left of it to matter */
    int bare;       /* held, and its swings reach N = 0: there is no friction */
    int tight;      /* held without swings: n = N */
    int grips;      /* how often it has got hold again since it was held */
    int torn;       /* changes between stick and slip since time last went on */
    int slipped;    /* since compression ended the last time */
    /* the piece in hand */
    int decided;                  /* touching at its start: it is known what it does */
    int gripped;                  /* bare at its start: likewise */
    LinkPhase first_phase;        /* at its start: it may be expanded more than once... */
    int first_bare;               /* ...and what it decides must not count until the last time */
    int kept;                     /* s stays as it is: the series would be out of range */
    int slaved;                   /* s follows V so fast that it has no life of its own */
    int order_speed, order_force; /* in slip V = O(t^order_speed), N = O(t^order_force) */
    double wait[WATCH_COUNT];     /* when it happens, in units of the piece */
    /* series; from pair_V on they are not cleared for a new piece */
    double series_s[2][TERMS];
    double pressure[TERMS];                /* what the cone is made of: N or, if held, n */
    Pair pair_s[TERMS], pair_omega[TERMS]; /* for the sums: s; omega, twice */
    Pair pair_V[TERMS];                    /* (V_2, -V_1) from its first term on */
    Pair pair_pressure[TERMS];             /* twice */
    double last_omega[TERMS];              /* of the sweep before, if slaved... */
    double own_s[2];                       /* ...s before all sweeps... */
    double unsettled;                      /* ...and what the last one changed, as an angle */
    int free;                              /* is not to be slaved in this piece */
} Link;

typedef struct Network {
    int count, rows, size; /* links, rows per link (1 if there is no friction), rows in all */
    int caller_rows;       /* per contact in the caller's vectors */
    int mono;
    double unit_velocity, unit_impulse;
    double *W;        /* size x size */
    double *held;     /* W with the held links eliminated */
    double *v, *I;    /* now; v_t is kept up to date only where the link may act */
    double *v_before; /* v- */
    int stride;       /* rows in all, made even */
    double *wide;     /* the matrix in use, two rows at a time, width columns of each */
    int *band;        /* the first of these columns */
    int width;
    int *drivers; /* columns where there may be a force */
    int driver_count;
    double *column_in, *column_out; /* room for the terms of one order */
    /* the series of v and F, order by order (terms.h)... */
    double *terms_v, *terms_f;
    double *terms_travel, *terms_push; /* both times the pace; the same where that is 1 */
    double *paced_v, *paced_f;
    /* ...and for plain.c one number per link */
    double *rate, *bound_speed, *bound_force, *bound_sign;
    Pair power[TERMS + 1];                /* of the piece's length, divided by g! */
    double *beside;                       /* the diagonal of W and those beside it... */
    int is_row;                           /* ...if that is all */
    Link *single;                         /* the only one that acts */
    enum { GENERAL, PLAIN, SINGLE } kind; /* of the piece in hand: whose it is */
    double *I_then;                       /* room for another moment's I */
    Link *links;
    int *used; /* rows that are needed */
    int used_count;
    int any_touching; /* at the start of the piece */
    int any_held;     /* links are held, or may be */
    int held_ready;   /* the matrix has the links eliminated that say so... */
    int used_held;    /* ...and it is the one in use, as it is now */
    int again;        /* the state has changed while the piece was expanded: once more */
    int sweeping;     /* directions are being tried: nothing else is to change */
    double unit;      /* of time in the piece in hand: that of its fastest swing... */
    int closing; /* ...or what is left of a slip, whose end is stretched: dt = unit pace(x) dx */
    double pace[PACE_ROOT];
    double step;         /* how long the piece is... */
    double scale[TERMS]; /* ...and the powers of that in the unit of its terms */
    double moment;       /* where in it the next event is, in [0, 1] */
    int work;
    CaromEnergy energy;
    double doubt; /* relative error of the impulses where links are held with friction */
    const CaromProblem *problem;
    CaromResult *result;
    Sampler *sampler; /* or NULL */
    double clock;
    const char *message; /* why it cannot go on, or NULL */
} Network;

static inline int normal_row(const Network *network, const Link *link) {
    return link->row + network->rows - 1;
}

static inline int caller_row(const Network *network, int row) {
    int rows = network->rows;
    return row / rows * network->caller_rows + network->caller_rows - rows + row % rows;
}

static inline int is_sprung(const Link *link) {
    return link->phase == LINK_COMPRESSION || link->phase == LINK_RESTITUTION;
}

static inline int is_active(const Link *link) {
    return is_sprung(link) || link->phase == HELD;
}

/* Friction acts, or may soon. */
static inline int is_gripping(const Link *link) {
    return link->rough && is_active(link) && !(link->phase == HELD && link->bare);
}

static inline double normal_W(const Network *network, const Link *link) {
    size_t n = (size_t)normal_row(network, link);
    return network->W[n * (size_t)network->size + n];
}

static inline void set_stiffness(const Network *network, Link *link, double k) {
    link->k = k;
    link->weight = sqrt(normal_W(network, link) / k);
}

/* Row of the matrix with the held links eliminated. */
static inline const double *held_row(const Network *network, int row) {
    return &network->held[(size_t)row * (size_t)network->size];
}

/* Force at which restitution ends: 0, but with one stiffness for all the energy that e takes is
 * still in the spring. */
static inline double opening_force(const Network *network, const Link *link) {
    return network->mono ? sqrt(1 - link->e * link->e) * link->peak : 0;
}

static inline void wait_for_nothing(Link *link) {
    for (int i = 0; i < WATCH_COUNT; i++) {
        link->wait[i] = INFINITY;
    }
}

static inline double spring_energy(const Link *link) {
    return is_sprung(link) ? link->N * link->N / (2 * link->k) : 0;
}

static inline double link_tangential_energy(const Link *link) {
    return link->rough ? (link->f[0] * link->f[0] + link->f[1] * link->f[1]) / (2 * link->kt) : 0;
}

/* setup.c: 0 with a reason in *message if W is not positive semidefinite. */
size_t crm_network_bytes(int count);
int crm_network_begin(Network *network, const CaromProblem *problem, void *workspace,
                      const char **message);
/* Level of a contact of this stiffness. */
int crm_stiffness_level(double stiffness);
/* The turn of the links of this level; 0: there are none. */
int crm_network_begin_level(Network *network, int level);

/* Relative to the terms of a sum, less is taken for none where only its sign matters. */
static const double NOISE = 1e-12;

/* What happens within this, relative to the time of the piece so far, happens at once. */
static const double AT_ONCE = 1e-13;

/* pace.c: an even clock for the piece that begins here, or the one that suits it; how far it may
 * go, in its units; dt/dx at x, in units of the piece; order g of terms times the pace. */
void crm_pace_even(Network *network);
void crm_pace_choose(Network *network);
double crm_pace_reach(const Network *network);
double crm_pace_at(const Network *network, double x);
void crm_pace_apply(const Network *network, const double *terms, int g, double *paced);

/* expand.c: the series of the piece that begins here, and how long it holds. */
void crm_expand(Network *network);

/* plain.c: all of it where there is no friction and nothing is held. */
void crm_plain_begin(Network *network);
int crm_plain_applies(const Network *network);
void crm_plain_expand(Network *network);
void crm_plain_watch(Network *network);
void crm_plain_advance(Network *network);

/* single.c: all of it where moreover one link alone acts. */
int crm_single_applies(Network *network);
void crm_single_watch(Network *network);
void crm_single_advance(Network *network);

/* slide.c: what friction adds to the series. */
void crm_slide_begin(Network *network, Link *link);
void crm_slide_decide(Network *network, Link *link, double rate, int order);
void crm_slide_force(Network *network, Link *link, int order);
void crm_slide_low(Network *network, Link *link, int order);
/* The mean of a held link has jumped: is its lowest force still below? Else it is made to be, and
 * the answer is 0. */
int crm_slide_fits(Network *network, Link *link, double mean);
/* Slip in this direction, under this pressure; what the spring loses by it is friction's. */
void crm_set_direction(Network *network, Link *link, const double s[2], double pressure);
/* What the friction of a held link leaves of the force that presses it: 1 - mu G.s. */
double crm_hold_pivot(const Network *network, const Link *link);
double crm_slide_reach(const Network *network, const Link *link);
/* Keep s for this piece, if it is so fast that its series cannot be had; 0: it is not. */
int crm_slide_keep(const Network *network, Link *link);
/* Shall s follow V without a life of its own in the piece that begins here? */
int crm_slide_is_slaved(const Network *network, const Link *link);
/* Keep omega for the next sweep; 1 if over the step it has not changed. */
int crm_slide_remember(const Network *network, Link *link, double step);
/* Turn s to where V leads it. */
void crm_slide_follow(Network *network, Link *link);
/* After the sweeps: have they not settled, or does s, as it was, differ from where V leads it by
 * enough to matter? Then it is as it was again, and the answer 1. */
int crm_slide_is_free(Network *network, Link *link);
/* Freeze s where the rest of the way is known well enough. */
void crm_slide_freeze(Network *network, Link *link);

/* hold.c */
void crm_hold_begin(Network *network);
/* The rows that are needed, and the columns with forces. */
void crm_list_terms(Network *network);
/* Take W into use or, where links are held, what is left of it. */
void crm_use_right_matrix(Network *network);
void crm_hold_decide(Network *network, int order);

/* Is a term of this row nothing but rounding, if these are the forces? */
int crm_is_noise(const Network *network, int row, const double *forces, double value);

/* watch.c: the first event of the piece, network->moment; 1 if there is none. */
void crm_watch(Network *network);
/* Something happens at this moment of the piece; up to which moment is it of interest? */
void crm_watch_for(Network *network, Link *link, LinkWatch what, double moment);
double crm_watch_limit(const Network *network);
/* Where the series, positive or rising from 0, first vanishes again; INFINITY: not up to limit. */
double crm_series_zero(const double *series, int terms, double limit);

/* A series in x = t/step, and its integral from 0. */
double crm_series_at(const double *series, double x);
double crm_series_slope(const double *series, double x);
double crm_series_integral(const double *series, double x);

/* Add factor times the product of two vectors of one or two series, one after the other; all of it:
 * a product swings twice as fast. */
void crm_series_dot(double product[PRODUCT_TERMS], double factor, const double *a, const double *b,
                    int rows);

/* events.c: go to the moment, and do what happens there. */
void crm_advance(Network *network);
void crm_happen(Network *network);
/* Compression ends or restarts at a link that takes no notice. */
void crm_elastic_turn(Network *network, Link *link);
/* A link is held from here on, by this mean force. */
void crm_begin_to_hold(Network *network, Link *link, double mean);
/* Friction ends with what the spring along the surface still holds. */
void crm_let_go(Network *network, Link *link);
/* So it does at a link that is held, if its lowest force is 0. */
void crm_go_bare(Network *network, Link *link);
/* Tell what the piece has decided: what begins to act, is held, or is not any more. */
void crm_commit(Network *network);
/* Nothing acts any more. */
void crm_finish(Network *network);

/* record.c */
void crm_report_event(Network *network, const Link *link, CaromEventKind kind);
/* The samples that fall on the piece up to its moment; the rest of them, at the end. */
void crm_report_samples(Network *network);
void crm_report_last_samples(Network *network);
void crm_report_finish(Network *network);

#endif
