/* Stick: the particle rests, and the three springs oscillate in closed form.
 *
 * With y = K^1/2 x (x: deflections, K: stiffnesses) the motion is y'' = -A y, A = K^1/2 W K^1/2:
 * modes q_i = q0 cos(w t) + qd sin(w t)/w along the eigenvectors of A. Stick lasts while
 * G = (mu N)^2 - |f|^2 > 0. The events are found by marching with bounds on the fourth derivatives
 * of G and v_n, which follow from the amplitudes of the modes (jet.h).
 *
 * Where the tangential spring pushes the bodies together (d.f > 0), restitution may turn into
 * compression again and again, each time with k larger by 1/e^2 and in a time shorter by e. In the
 * limit the contact is latched: v_n = 0, and N oscillates about d.f so fast that only its mean and
 * its lowest value matter. f'' = -(B - d d^T) f/eta^2. The amplitude of N is constant, so that its
 * lowest value is d.f minus a constant; the friction cone acts on this value. */
#include "compliant/stick.h"

#include <float.h>
#include <string.h>

#include "math/eigen.h"
#include "math/functions.h"
#include "math/jet.h"
#include "math/versine.h"

/* Evaluations in search of one event; some ten are usual. Only an almost singular W, which
 * oscillates thousands of times along the surface for each time across it, needs this many. */
enum { MAX_MARCH = 200000 };

/* Stiffness beyond which a contact whose compression has restarted may be latched. The error is of
 * order 1/k, or k^-1/2 (the amplitude of v_n) where the oscillation touches the friction cone. */
static const double LATCH = 1e13, LATCH_SLIPPING = 1e20;

/* Effect on the impulse, relative, of what the last bounces would still do to f: measured, 0.002 to
 * 0.4 times this distance from the cone. */
static const double LATCH_SHARE = 0.3;

typedef struct Stick {
    const Process *process;
    int count; /* of modes: 2 in a plane, else 3 */
    /* of each mode, padded to pairs with modes that do nothing */
    double omega[4], square[4], over[4]; /* omega, its square and its inverse (0 for 0) */
    double q0[4], qd[4];
    /* N = sum normal q, v_n = -sum normal q'/k, f = sum force q, V = eta^2 sum force q' */
    double normal[3], force[3][2];
    /* bounds: |N^(m)|, |f^(m)| */
    double N_bound[6], f_bound[6];
    double G4; /* on |G''''| */
    double h4; /* on the fourth derivative of hold_jet() */
    int latched;
    double offset;  /* latched: what N is below d.f */
    double fastest; /* omega */
    double horizon; /* of the search, where a mode has frequency 0; else infinite */
} Stick;

/* The state of the modes; q_i and q_i' determine all derivatives. */
typedef struct ModeState {
    double q[4], qd[4];
} ModeState;

/* sin(w t)/w and (1 - cos(w t))/w^2 of all modes, also for w = 0. */
static void phases_at(const Stick *stick, double t, double first[4], double second[4]) {
    for (int i = 0; i < stick->count; i += 2) {
        Pair w = pair_make(stick->omega[i], stick->omega[i + 1]), sine, versine;
        sine_versine_pair(pair_times(w, pair_make(t, t)), &sine, &versine);
        for (int j = 0; j < 2; j++) {
            double over = stick->over[i + j];
            first[i + j] = over > 0 ? LANE(sine, j) * over : t;
            second[i + j] = over > 0 ? LANE(versine, j) * over * over : t * t / 2;
        }
    }
}

static ModeState modes_at(const Stick *stick, double t) {
    ModeState modes = {{0}, {0}};
    double first[4], second[4];
    if (t == 0) {
        memcpy(modes.q, stick->q0, sizeof modes.q);
        memcpy(modes.qd, stick->qd, sizeof modes.qd);
        return modes;
    }
    phases_at(stick, t, first, second);
    for (int i = 0; i < stick->count; i++) {
        double w2 = stick->square[i], c = 1 - w2 * second[i];
        modes.q[i] = stick->q0[i] * c + stick->qd[i] * first[i];
        modes.qd[i] = stick->qd[i] * c - w2 * stick->q0[i] * first[i];
    }
    return modes;
}

/* The m-th derivatives of N (m = 0 ... 4) and f (m = 0 ... 3). */
typedef struct Jets {
    double N[5];
    Pair f[4];
} Jets;

static Jets jets_of(const Stick *stick, const ModeState *modes) {
    Jets jets = {{0}, {both(0), both(0), both(0), both(0)}};
    for (int i = 0; i < stick->count; i++) {
        double w2 = stick->square[i], a = stick->normal[i];
        double value[5] = {modes->q[i], modes->qd[i]};
        value[2] = -w2 * value[0];
        value[3] = -w2 * value[1];
        value[4] = -w2 * value[2];
        Pair c = pair_make(stick->force[i][0], stick->force[i][1]);
        for (int m = 0; m < 4; m++) {
            jets.N[m] += a * value[m];
            jets.f[m] = pair_join(c, pair_make(value[m], value[m]), jets.f[m]);
        }
        jets.N[4] += a * value[4];
    }
    jets.N[0] -= stick->offset;
    return jets;
}

static double dot_pair(Pair a, Pair b) {
    Pair c = pair_times(a, b);
    return LANE(c, 0) + LANE(c, 1);
}

/* G and its derivatives. */
static void cone_jet(const Stick *stick, const Jets *jets, double G[4]) {
    double m2 = stick->process->mu * stick->process->mu;
    const double *N = jets->N;
    const Pair *f = jets->f;
    G[0] = m2 * N[0] * N[0] - dot_pair(f[0], f[0]);
    G[1] = 2 * (m2 * N[0] * N[1] - dot_pair(f[0], f[1]));
    G[2] = 2 * (m2 * (N[1] * N[1] + N[0] * N[2]) - dot_pair(f[1], f[1]) - dot_pair(f[0], f[2]));
    G[3] = 2 *
           (m2 * (3 * N[1] * N[2] + N[0] * N[3]) - 3 * dot_pair(f[1], f[2]) - dot_pair(f[0], f[3]));
}

/* How far the normal motion is from its next event: v_n < 0 in compression, > 0 in restitution;
 * N > 0 where it is latched. */
static void hold_jet(const Stick *stick, const Jets *jets, double g[4]) {
    double scale = (stick->process->restitution ? -1 : 1) / stick->process->k;
    for (int m = 0; m < 4; m++) {
        g[m] = stick->latched ? jets->N[m] : scale * jets->N[m + 1];
    }
}

/* Modes from A (n x n), y and y'. Their columns of y are left in Q. */
static void find_modes(Stick *stick, int n, double *A, const double *y, const double *yd,
                       double *Q) {
    double value[3], largest = 0;
    crm_eigen_symmetric(n, A, Q, value);
    for (int i = 0; i < n; i++) {
        largest = most_of(largest, value[i]);
    }
    stick->count = n;
    stick->fastest = sqrt(largest);
    for (int i = 0; i < n; i++) {
        stick->square[i] = value[i] > 1e-30 * largest ? value[i] : 0;
        stick->omega[i] = sqrt(stick->square[i]);
        stick->over[i] = stick->omega[i] > 0 ? 1 / stick->omega[i] : 0;
        stick->q0[i] = stick->qd[i] = 0;
        for (int j = 0; j < n; j++) {
            stick->q0[i] += y[j] * Q[n * j + i];
            stick->qd[i] += yd[j] * Q[n * j + i];
        }
    }
}

/* Both springs. */
static void find_free_modes(Stick *stick) {
    const Process *process = stick->process;
    const Moment *now = &process->now;
    int n = process->planar ? 2 : 3, last = n - 1;
    double along = process->root_kt, across = sqrt(process->k), kt = process->kt;
    const double *B = process->B, *d = process->d;
    double A[9], Q[9], y[3], yd[3], over = process->eta2 * along;
    const double full[2][2] = {{B[0], B[1]}, {B[1], B[2]}};
    for (int i = 0; i < last; i++) {
        for (int j = 0; j < last; j++) {
            A[n * i + j] = kt * full[i][j];
        }
        A[n * i + last] = A[n * last + i] = along * across * d[i];
        y[i] = now->f[i] * over;
        yd[i] = along * now->V[i];
    }
    A[n * n - 1] = process->k;
    y[last] = -now->N / across;
    yd[last] = across * now->vn;
    find_modes(stick, n, A, y, yd, Q);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 2; j++) {
            stick->force[i][j] = j < last ? along * Q[n * j + i] : 0;
        }
        stick->normal[i] = -across * Q[n * last + i];
    }
}

/* The tangential spring alone. */
static void find_latched_modes(Stick *stick) {
    const Process *process = stick->process;
    const Moment *now = &process->now;
    int n = process->planar ? 1 : 2;
    double along = process->root_kt, kt = process->kt;
    const double *B = process->B, *d = process->d;
    const double full[2][2] = {{B[0], B[1]}, {B[1], B[2]}};
    double A[4], Q[4], y[2], yd[2];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            A[n * i + j] = kt * (full[i][j] - d[i] * d[j]);
        }
        y[i] = now->f[i] / along;
        yd[i] = along * now->V[i];
    }
    find_modes(stick, n, A, y, yd, Q);
    for (int i = 0; i < n; i++) {
        stick->force[i][0] = along * Q[i];
        stick->force[i][1] = n > 1 ? along * Q[n + i] : 0;
        stick->normal[i] = dot2(d, stick->force[i]);
    }
}

/* Bounds on derivatives from the amplitudes. A mode of frequency 0 is bounded over the horizon. */
static void find_bounds(Stick *stick) {
    double m2 = stick->process->mu * stick->process->mu;
    stick->horizon = INFINITY;
    double slowest = sqrt(stick->process->k + stick->process->kt);
    for (int i = 0; i < stick->count; i++) {
        slowest = stick->omega[i] > 0 ? least_of(slowest, stick->omega[i]) : slowest;
    }
    for (int i = 0; i < stick->count; i++) {
        stick->horizon = stick->omega[i] > 0 ? stick->horizon : 1000 / slowest;
    }
    memset(stick->N_bound, 0, sizeof stick->N_bound);
    memset(stick->f_bound, 0, sizeof stick->f_bound);
    for (int i = 0; i < stick->count; i++) {
        double w = stick->omega[i], rate = norm2((double[2]){w * stick->q0[i], stick->qd[i]});
        double level = w > 0 ? rate / w : fabs(stick->q0[i]) + fabs(stick->qd[i]) * stick->horizon;
        double a = fabs(stick->normal[i]), c = norm2(stick->force[i]);
        for (int m = 0; m < 6; m++) {
            stick->N_bound[m] += a * level;
            stick->f_bound[m] += c * level;
            level = m == 0 ? rate : level * w;
        }
    }
    stick->N_bound[0] += fabs(stick->offset);
    const double *N = stick->N_bound, *f = stick->f_bound;
    stick->G4 = 2 * (m2 * (3 * N[2] * N[2] + 4 * N[1] * N[3] + N[0] * N[4]) + 3 * f[2] * f[2] +
                     4 * f[1] * f[3] + f[0] * f[4]);
    stick->h4 = stick->latched ? N[4] : N[5] / stick->process->k;
}

static Moment stick_moment(const void *piece, double t) {
    const Stick *stick = piece;
    const Process *process = stick->process;
    Moment to = process->now;
    double first[4], second[4];
    to.N = to.f[0] = to.f[1] = to.V[0] = to.V[1] = to.vn = 0;
    phases_at(stick, t, first, second);
    for (int i = 0; i < stick->count; i++) {
        double w2 = stick->square[i], q0 = stick->q0[i], qd = stick->qd[i], c = 1 - w2 * second[i];
        double q = q0 * c + qd * first[i], rate = qd * c - w2 * q0 * first[i];
        double sum = q0 * first[i] + qd * second[i]; /* the time integral of q */
        to.N += stick->normal[i] * q;
        to.vn -= stick->latched ? 0 : stick->normal[i] * rate / process->k;
        to.p += stick->normal[i] * sum;
        for (int j = 0; j < 2; j++) {
            to.f[j] += stick->force[i][j] * q;
            to.V[j] += process->eta2 * stick->force[i][j] * rate;
            to.J[j] -= stick->force[i][j] * sum;
        }
    }
    to.N -= stick->offset;
    return to;
}

typedef enum { HOLD_ENDS, YIELD, NONE } StickEvent;

/* Does v_n only rise? As |f| <= mu N, v_n' = N - d.f >= N (1 - mu |d|). */
static int is_steady(const Stick *stick) {
    return !stick->latched && stick->process->mu * norm2(stick->process->d) < 1;
}

/* In steady compression: where v_n rises through 0, or would if stick lasted that long. Halley's
 * method from the estimate of a single mode; INFINITY if it does not converge. */
static double find_stick_turn(const Stick *stick) {
    const Process *process = stick->process;
    double w = sqrt(process->k), t = atan2(-process->now.vn, process->now.N / w) / w;
    for (int i = 0; i < 8; i++) {
        ModeState modes = modes_at(stick, t);
        double rate = 0, slope = 0, bend = 0; /* N' = -k v_n, N'', N''' */
        for (int j = 0; j < stick->count; j++) {
            double w2 = stick->square[j], a = stick->normal[j];
            rate += a * modes.qd[j];
            slope -= a * w2 * modes.q[j];
            bend -= a * w2 * modes.qd[j];
        }
        double step = 2 * rate * slope / (2 * slope * slope - rate * bend);
        if (!(slope < 0) || !(fabs(step) * w < 4)) {
            return INFINITY;
        }
        t -= step;
        /* the next error is of the order of the cube of this step */
        if (fabs(step) * stick->fastest < 1e-6) {
            return t > 0 ? t : INFINITY;
        }
    }
    return INFINITY;
}

/* A function that is positive up to the event. */
typedef struct StickWatch {
    double bound; /* on the fourth derivative */
    double reach; /* of one bound */
    double size;  /* of the terms: the scale of rounding */
    double g[4];
} StickWatch;

static double reach_of(double size, double bound) {
    return sqrt(sqrt(24 * size / bound));
}

/* The distance to the cone. In a plane G is a product of two linear functions, one for each side;
 * the other one is then *far. Returns whether there is one. */
static int look_at_cone(const Stick *stick, const Jets *jets, StickWatch *near, StickWatch *far) {
    double mu = stick->process->mu;
    if (!stick->process->planar || stick->latched) {
        cone_jet(stick, jets, near->g);
        near->size = dot_pair(jets->f[0], jets->f[0]);
        return 0;
    }
    double side = LANE(jets->f[0], 0) < 0 ? -1 : 1;
    for (int m = 0; m < 4; m++) {
        near->g[m] = mu * jets->N[m] - side * LANE(jets->f[m], 0);
        far->g[m] = mu * jets->N[m] + side * LANE(jets->f[m], 0);
    }
    near->size = fabs(LANE(jets->f[0], 0));
    return 1;
}

/* Stick begins on the edge of the cone: rounding must not make an event of that. */
static void begin_on_cone(const Stick *stick, StickWatch *near, StickWatch *far) {
    const Process *process = stick->process;
    if (!process->fresh) {
        return;
    }
    near->g[0] = 0;
    if (process->planar && process->now.N == 0) {
        /* the impact begins: both sides rise from 0 */
        near->g[1] = most_of(near->g[1], 0);
        far->g[1] = most_of(far->g[1], 0);
    } else if (process->latched) {
        /* no slip has brought it there: it leaves the cone, or it would slip */
        near->g[1] = most_of(near->g[1], 0);
    } else {
        near->g[1] = 0;
        near->g[2] = most_of(near->g[2], 0);
    }
}

/* How far the normal motion lets stick go from t; 0 if its event is here. */
static double look_at_hold(const Stick *stick, const Jets *jets, double t, StickWatch *hold) {
    hold_jet(stick, jets, hold->g);
    if (t == 0) {
        hold->g[0] = most_of(hold->g[0], 0);
    } else if (hold->g[0] <= 8 * DBL_EPSILON * hold->size && hold->g[1] < 0) {
        return 0;
    }
    return crm_jet_clear(hold->g, hold->bound, hold->reach);
}

static void set_watches(const Stick *stick, int search, StickWatch *cone, StickWatch *hold) {
    const double *N = stick->N_bound, *f = stick->f_bound, mu = stick->process->mu;
    int linear = stick->process->planar && !stick->latched;
    cone->bound = linear ? mu * N[4] + f[4] : stick->G4;
    cone->reach = reach_of(linear ? mu * N[0] + f[0] : mu * mu * N[0] * N[0], cone->bound);
    hold->bound = stick->h4;
    hold->size = stick->latched ? N[0] : N[1] / stick->process->k;
    hold->reach = search ? reach_of(hold->size, hold->bound) : 0;
}

/* Is the event so close that the derivatives here locate it to rounding? */
static int is_near(const Stick *stick, const StickWatch *watch, double step, double *rest) {
    if (!(step * stick->fastest < 1e-4 && watch->g[0] > 0 && watch->g[1] < 0)) {
        return 0;
    }
    *rest = crm_jet_near_zero(watch->g);
    return *rest >= 0 && *rest <= 2 * step;
}

/* The first event and its time. */
static StickEvent next_stick_event(const Stick *stick, double *at) {
    const Process *process = stick->process;
    StickWatch cone, far, hold;
    int steady = is_steady(stick);
    double turn = steady && !process->restitution ? find_stick_turn(stick) : INFINITY, t = 0,
           rest = 0;
    int search = !(steady && (process->restitution || turn < INFINITY));
    set_watches(stick, search, &cone, &hold);
    for (int i = 0; i < MAX_MARCH && t < stick->horizon; i++) {
        ModeState modes = modes_at(stick, t);
        Jets jets = jets_of(stick, &modes);
        if (turn < INFINITY && jets.N[1] < -8 * DBL_EPSILON * stick->N_bound[1]) {
            /* v_n has passed 0 already: Halley's method had converged to a later root */
            search = 1;
            set_watches(stick, search, &cone, &hold);
            turn = INFINITY;
            t = 0;
            continue;
        }
        int sides = look_at_cone(stick, &jets, &cone, &far);
        if (t == 0) {
            begin_on_cone(stick, &cone, &far);
        }
        int here = t > 0 && cone.g[0] <= 8 * DBL_EPSILON * cone.size && cone.g[1] < 0;
        double reach = least_of(cone.reach, turn - t);
        double yield = here ? 0 : crm_jet_clear(cone.g, cone.bound, reach);
        double other = sides && !here ? crm_jet_clear(far.g, cone.bound, yield) : yield;
        double held = search ? look_at_hold(stick, &jets, t, &hold) : INFINITY;
        double step = least_of(held, other);
        if (t + step >= turn) {
            *at = turn;
            return HOLD_ENDS;
        }
        StickEvent event = held <= other ? HOLD_ENDS : YIELD;
        const StickWatch *first = event == HOLD_ENDS ? &hold : other < yield ? &far : &cone;
        int near = is_near(stick, first, step, &rest);
        if (near || step <= DBL_EPSILON * t) {
            *at = near ? t + rest : t;
            return event;
        }
        t += step;
    }
    return NONE;
}

/* To the next event; NONE if the process has failed. */
static StickEvent run_stick(Process *process, Stick *stick) {
    double t = 0;
    find_bounds(stick);
    process->work++;
    StickEvent event = next_stick_event(stick, &t);
    process->fresh = 0;
    if (event == NONE) {
        crm_process_fail(process, "stick: no event within the bounded work");
        return NONE;
    }
    crm_process_sample(process, stick_moment, NULL, stick, t);
    process->now = stick_moment(stick, t);
    return event;
}

/* The spring yields: put the force exactly onto the cone, by the one of N and f that has lost fewer
 * digits. Each is accurate to rounding of the modes that it sums. */
static void yield(Process *process, const Stick *stick) {
    Moment *now = &process->now;
    double size = norm2(now->f);
    process->s[0] = now->f[0] / size;
    process->s[1] = now->f[1] / size;
    if (stick->N_bound[0] * size > stick->f_bound[0] * now->N) {
        now->N = size / process->mu;
    } else {
        now->f[0] = process->mu * now->N * process->s[0];
        now->f[1] = process->mu * now->N * process->s[1];
    }
    crm_process_slip(process);
}

/* Bounces that go on and on: is this what they tend to? N swings about d.f, between what it is now
 * and as far below; k is that of the last modes. */
static void try_latch(Process *process, double k) {
    const Moment *now = &process->now;
    double low = 2 * dot2(process->d, now->f) - now->N;
    double held = norm2(now->f), room = process->mu * low - held;
    /* how much one bounce can change f; bounces that touch the cone are that close to it */
    double change = 64 * norm2(now->V) / (process->eta2 * sqrt(k)) + 1e-12 * held;
    int inside = room > 1e3 * change;
    if (low > 0 && (inside || (room > -change && k > LATCH_SLIPPING))) {
        process->cut_bounces = inside ? 0 : LATCH_SHARE * fabs(room) / now->N;
        crm_process_latch(process, low, room <= change);
    }
}

void crm_stick_run(Process *process) {
    double k = process->k;
    Stick stick = {.process = process};
    find_free_modes(&stick);
    StickEvent event = run_stick(process, &stick);
    if (event == YIELD) {
        yield(process, &stick);
    } else if (event == HOLD_ENDS && process->restitution) {
        crm_process_restart_compression(process);
    } else if (event == HOLD_ENDS) {
        crm_process_end_compression(process);
        if (k > LATCH) {
            try_latch(process, k);
        }
    }
}

void crm_stick_run_latched(Process *process) {
    Stick stick = {.process = process, .latched = 1};
    stick.offset = dot2(process->d, process->now.f) - process->now.N;
    find_latched_modes(&stick);
    StickEvent event = run_stick(process, &stick);
    if (event == YIELD) {
        yield(process, &stick);
        process->now.vn = -dot2(process->d, process->now.V); /* slip's v: see Slide */
    } else if (event == HOLD_ENDS) {
        crm_process_release(process);
    }
}
