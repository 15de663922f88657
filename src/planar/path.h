/* A planar impact in its own units: two straight legs and the normal process along them.
 *
 * Units are chosen so that w = W_nn = 1 and v_n- = -1; the tangent is turned so that the slip
 * starts forwards. With B = W_tt, d = W_tn, p the normal impulse so far and ' = d/dp,
 *
 *   leg 1, slip from gamma- > 0:   J' = -mu,      gamma' = d - mu B,   v_n' = 1 - mu d
 *   leg 2, from gamma = 0:
 *     stick if |d/B| <= mu_static: J' = -d/B,     gamma' = 0,          v_n' = 1 - d^2/B
 *     else slip, s = sign(d):      J' = -mu s,    gamma' = d - mu B s, v_n' = 1 - mu |d|
 *
 * and E' = -v_n. v_n' > 0 on leg 2, and on leg 1 unless the slip stops: v_n rises through 0 once,
 * at p_c, so that compression never restarts. All of [M] ch. 2 is then which of p_c, p_r and the
 * turn (gamma = 0) comes first; v_n is linear and E quadratic on each leg.
 *
 * W may be singular. A locked tangent (B = 0, so d = 0) keeps gamma as it is. If d^2 = B the
 * contact is wedged: a push along (-d/B, 1) moves nothing, v_n' = 0 in stick, and where an impact
 * would have to go on like that for ever there is no answer. */
#ifndef CAROM_PLANAR_PATH_H
#define CAROM_PLANAR_PATH_H

#include <math.h>

#include <carom/problem.h>

typedef struct Path {
    /* the problem */
    double mu, mu_static, e;
    double B, d;
    double gamma; /* at the start, >= 0 */
    CaromLaw law;
    int wedged;
    /* back to the caller's units */
    double side; /* 1 or -1: forwards here, in the caller's tangent */
    double unit_velocity, unit_impulse;
    /* the legs */
    double turn;     /* p at which gamma = 0; INFINITY if the impact ends before */
    double drift[2]; /* gamma' */
    double rise[2];  /* v_n' */
    double ratio;    /* J' on leg 2 */
    int sticks;      /* on leg 2 */
    /* the normal process */
    int early;               /* compression ends on leg 1 */
    double compression, end; /* p_c, p_r */
    double vn;               /* at the end */
    double stored, released; /* energy taken up, given back */
} Path;

/* Where the process is. */
typedef struct PathState {
    double p, J, gamma, vn;
} PathState;

/* NULL, or why the checked input has no answer. */
const char *crm_path_begin(Path *path, const double W[4], const double v[2],
                           const CaromContact *contact, CaromLaw law);

/* Find the legs and the ends of the phases. Returns 0 if the contact wedges for ever. */
int crm_path_run(Path *path);

/* The state at p <= path->end; v_n from the start, so to rounding of 1. */
static inline PathState path_at(const Path *path, double p) {
    double first = p < path->turn ? p : path->turn, second = p - first;
    PathState state = {.p = p};
    state.J = -path->mu * first;
    state.gamma = path->gamma + path->drift[0] * first;
    state.vn = path->rise[0] * first - 1;
    if (!(p < path->turn)) {
        state.J += path->ratio * second;
        state.gamma = path->drift[1] * second;
        state.vn += path->rise[1] * second;
    }
    return state;
}

/* E at p, in restitution after the loss. */
double crm_path_stored(const Path *path, double p, int restitution);

#endif
