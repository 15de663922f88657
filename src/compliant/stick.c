/* Stick: the particle rests, and the three springs swing in closed form.
 *
 * With y = K^1/2 x (x: deflections, K: stiffnesses) the motion is y'' = -A y, A = K^1/2 W K^1/2:
 * modes q_i = q0 cos(w t) + qd sin(w t)/w along the eigenvectors of A. Stick lasts while
 * G = (mu N)^2 - |f|^2 > 0. The events are found by marching with bounds on the fourth derivatives
 * of G and v_n, which follow from the amplitudes of the modes (jet.h).
 *
 * Where the tangential spring pushes the bodies together (d.f > 0) restitution may turn into
 * compression again and again, each time with k larger by 1/e^2 and in a time shorter by e. What
 * that tends to is a contact that is latched: v_n = 0, and N swings about d.f so fast that only its
 * mean and its lowest value matter. f'' = -(B - d d^T) f/eta^2; the amplitude stays, so that the
 * lowest value is d.f less a constant, and it is what the friction cone sees. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "compliant/process.h"
#include "math/eigen.h"
#include "math/jet.h"
#include "math/swing.h"

/* Evaluations in search of one event; some ten are usual. It takes an almost singular W, which
 * swings thousands of times along the surface while it swings once across, to need this many. */
enum { MAX_MARCH = 200000 };

typedef struct Stick {
    const Process *process;
    int count;                         /* of modes: 2 in a plane, else 3 */
    int pairs;                         /* of modes, the last padded with one that does nothing */
    int still;                         /* a mode does not swing at all */
    Pair omega[2], square[2], over[2]; /* omega, its square and its inverse (0 for 0) */
    Pair q0[2], qd[2];
    /* N = sum normal q, v_n = -sum normal q'/k, f_j = sum force_j q, V_j = eta^2 sum force_j q' */
    Pair normal[2], force[2][2];
    /* bounds: |N^(m)|, |f^(m)| */
    double N_bound[6], f_bound[6];
    double G4; /* on |G''''| */
    double h4; /* on the fourth derivative of what hold_jet() tells */
    int latched;
    double offset;  /* latched: what N is below d.f */
    double fastest; /* omega */
    double horizon; /* of the search, where a mode does not swing at all; else infinite */
} Stick;

static Pair both(double x) {
    return (Pair){x, x};
}

/* The sum over the modes of weight times value. */
static double sum_of(const Stick *stick, const Pair weight[2], const Pair value[2]) {
    Pair sum = weight[0] * value[0];
    if (stick->pairs > 1) {
        sum += weight[1] * value[1];
    }
    return sum[0] + sum[1];
}

/* q_i and its first four derivatives are told by two numbers. */
typedef struct Swing {
    Pair q[2], qd[2];
} Swing;

/* sin(w t)/w and (1 - cos(w t))/w^2 of all modes, also for w = 0. */
static void phases_at(const Stick *stick, double t, Pair first[2], Pair second[2]) {
    for (int i = 0; i < stick->pairs; i++) {
        Pair over = stick->over[i];
        swing_pair(stick->omega[i] * both(t), &first[i], &second[i]);
        first[i] *= over;
        second[i] *= over * over;
        for (int j = 0; stick->still && j < 2; j++) {
            first[i][j] = over[j] > 0 ? first[i][j] : t;
            second[i][j] = over[j] > 0 ? second[i][j] : t * t / 2;
        }
    }
}

static Swing swing_of(const Stick *stick, const Pair first[2], const Pair second[2]) {
    Swing swing = {{{0}}, {{0}}};
    for (int i = 0; i < stick->pairs; i++) {
        Pair w2 = stick->square[i], c = both(1) - w2 * second[i];
        swing.q[i] = stick->q0[i] * c + stick->qd[i] * first[i];
        swing.qd[i] = stick->qd[i] * c - w2 * stick->q0[i] * first[i];
    }
    return swing;
}

static Swing swing_at(const Stick *stick, double t) {
    Pair first[2], second[2];
    if (t == 0) {
        return (Swing){{stick->q0[0], stick->q0[1]}, {stick->qd[0], stick->qd[1]}};
    }
    phases_at(stick, t, first, second);
    return swing_of(stick, first, second);
}

/* The m-th derivatives of N (m = 0 ... 4) and f (m = 0 ... 3). */
typedef struct Jets {
    double N[5];
    Pair f[4];
} Jets;

static Jets jets_of(const Stick *stick, const Swing *swing) {
    Jets jets;
    Pair value[5][2] = {{{0}}};
    for (int i = 0; i < stick->pairs; i++) {
        Pair fall = -stick->square[i];
        value[0][i] = swing->q[i];
        value[1][i] = swing->qd[i];
        value[2][i] = fall * value[0][i];
        value[3][i] = fall * value[1][i];
        value[4][i] = fall * value[2][i];
    }
    for (int m = 0; m < 5; m++) {
        jets.N[m] = sum_of(stick, stick->normal, value[m]);
    }
    for (int m = 0; m < 4; m++) {
        double x = sum_of(stick, stick->force[0], value[m]);
        jets.f[m] = (Pair){x, stick->pairs > 1 ? sum_of(stick, stick->force[1], value[m]) : 0};
    }
    jets.N[0] -= stick->offset;
    return jets;
}

static double dot_pair(Pair a, Pair b) {
    Pair c = a * b;
    return c[0] + c[1];
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
    eigen_symmetric(n, A, Q, value);
    for (int i = 0; i < n; i++) {
        largest = most_of(largest, value[i]);
    }
    stick->count = n;
    stick->pairs = (n + 1) / 2;
    stick->fastest = sqrt(largest);
    for (int i = 0; i < n; i++) {
        int k = i / 2, l = i % 2;
        double square = value[i] > 1e-30 * largest ? value[i] : 0, omega = sqrt(square);
        stick->square[k][l] = square;
        stick->omega[k][l] = omega;
        stick->over[k][l] = omega > 0 ? 1 / omega : 0;
        stick->still |= !(omega > 0);
        for (int j = 0; j < n; j++) {
            stick->q0[k][l] += y[j] * Q[n * j + i];
            stick->qd[k][l] += yd[j] * Q[n * j + i];
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
        for (int j = 0; j < last; j++) {
            stick->force[j][i / 2][i % 2] = along * Q[n * j + i];
        }
        stick->normal[i / 2][i % 2] = -across * Q[n * last + i];
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
        double force[2] = {along * Q[i], n > 1 ? along * Q[n + i] : 0};
        stick->force[0][0][i] = force[0];
        stick->force[1][0][i] = force[1];
        stick->normal[0][i] = dot2(d, force);
    }
    stick->pairs = 2; /* both components of f may be there with one pair of modes */
}

/* Bounds on derivatives from the amplitudes. A mode that does not swing counts over the horizon. */
static void find_bounds(Stick *stick) {
    double m2 = stick->process->mu * stick->process->mu;
    stick->horizon = INFINITY;
    if (stick->still) {
        double slowest = sqrt(stick->process->k + 1 / stick->process->eta2);
        for (int i = 0; i < stick->count; i++) {
            double w = stick->omega[i / 2][i % 2];
            slowest = w > 0 ? least_of(slowest, w) : slowest;
        }
        stick->horizon = 1000 / slowest;
    }
    Pair N_sum[6] = {{0}}, f_sum[6] = {{0}};
    for (int i = 0; i < stick->pairs; i++) {
        Pair w = stick->omega[i], q0 = stick->q0[i], qd = stick->qd[i], normal = stick->normal[i];
        Pair x = stick->force[0][i], y = stick->force[1][i];
        Pair square = w * w * q0 * q0 + qd * qd, along = x * x + y * y;
        Pair rate = {sqrt(square[0]), sqrt(square[1])}, level = rate * stick->over[i];
        Pair a = {fabs(normal[0]), fabs(normal[1])}, c = {sqrt(along[0]), sqrt(along[1])};
        for (int j = 0; stick->still && j < 2; j++) {
            level[j] = w[j] > 0 ? level[j] : fabs(q0[j]) + fabs(qd[j]) * stick->horizon;
        }
        for (int m = 0; m < 6; m++) {
            N_sum[m] += a * level;
            f_sum[m] += c * level;
            level = m == 0 ? rate : level * w;
        }
    }
    for (int m = 0; m < 6; m++) {
        stick->N_bound[m] = N_sum[m][0] + N_sum[m][1];
        stick->f_bound[m] = f_sum[m][0] + f_sum[m][1];
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
    Pair first[2], second[2], integral[2] = {{0}};
    phases_at(stick, t, first, second);
    Swing swing = swing_of(stick, first, second);
    for (int i = 0; i < stick->pairs; i++) {
        integral[i] = stick->q0[i] * first[i] + stick->qd[i] * second[i];
    }
    to.N = sum_of(stick, stick->normal, swing.q) - stick->offset;
    to.p += sum_of(stick, stick->normal, integral);
    to.vn = stick->latched ? 0 : -sum_of(stick, stick->normal, swing.qd) / process->k;
    for (int j = 0; j < 2; j++) {
        to.f[j] = sum_of(stick, stick->force[j], swing.q);
        to.V[j] = process->eta2 * sum_of(stick, stick->force[j], swing.qd);
        to.J[j] -= sum_of(stick, stick->force[j], integral);
    }
    return to;
}

typedef enum { HOLD_ENDS, YIELD, NONE } StickEvent;

/* Does v_n only rise? As |f| <= mu N, v_n' = N - d.f >= N (1 - mu |d|). */
static int is_steady(const Stick *stick) {
    return !stick->latched && stick->process->mu * norm2(stick->process->d) < 1;
}

/* In steady compression: where v_n rises through 0, or would if stick lasted that long. Halley's
 * method from where a single swing would have it; INFINITY if that does not settle. */
static double find_turn(const Stick *stick) {
    const Process *process = stick->process;
    double w = sqrt(process->k), t = atan2(-process->now.vn, process->now.N / w) / w;
    for (int i = 0; i < 8; i++) {
        Swing swing = swing_at(stick, t);
        /* N' = -k v_n, N'' and N''' */
        Pair second[2] = {{0}}, third[2] = {{0}};
        for (int j = 0; j < stick->pairs; j++) {
            second[j] = -stick->square[j] * swing.q[j];
            third[j] = -stick->square[j] * swing.qd[j];
        }
        double rate = sum_of(stick, stick->normal, swing.qd);
        double slope = sum_of(stick, stick->normal, second);
        double bend = sum_of(stick, stick->normal, third);
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

/* What is watched for an event: positive until then. */
typedef struct Watch {
    StickEvent event;
    double bound; /* on the fourth derivative */
    double reach; /* what one look can be good for */
    double size;  /* of the terms that g is made of */
    double g[4];
} Watch;

static void set_watch(Watch *watch, StickEvent event, double bound, double size) {
    watch->event = event;
    watch->bound = bound;
    watch->size = size;
    watch->reach = sqrt(sqrt(24 * size / bound));
}

/* The cone first; the normal motion last, if it must be watched at all. Returns how many. */
static int set_watches(const Stick *stick, int normal, Watch watches[3]) {
    const double *N = stick->N_bound, *f = stick->f_bound, mu = stick->process->mu;
    int count = stick->pairs > 1 ? 1 : 2;
    if (count == 1) {
        set_watch(&watches[0], YIELD, stick->G4, mu * mu * N[0] * N[0]);
    } else {
        /* in a plane G is a product of two linear ones */
        set_watch(&watches[0], YIELD, mu * N[4] + f[4], mu * N[0] + f[0]);
        watches[1] = watches[0];
    }
    if (normal) {
        double size = stick->latched ? N[0] : N[1] / stick->process->k;
        set_watch(&watches[count], HOLD_ENDS, stick->h4, size);
    }
    return count + (normal != 0);
}

/* Value and derivatives of all that is watched. */
static void look(const Stick *stick, const Jets *jets, Watch *watches, int count) {
    double mu = stick->process->mu;
    if (stick->pairs > 1) {
        cone_jet(stick, jets, watches[0].g);
        watches[0].size = dot_pair(jets->f[0], jets->f[0]);
    } else {
        watches[0].size = watches[1].size = fabs(jets->f[0][0]);
        for (int m = 0; m < 4; m++) {
            watches[0].g[m] = mu * jets->N[m] - jets->f[m][0];
            watches[1].g[m] = mu * jets->N[m] + jets->f[m][0];
        }
    }
    if (watches[count - 1].event == HOLD_ENDS) {
        hold_jet(stick, jets, watches[count - 1].g);
    }
}

/* At the start of stick rounding must not make an event of what has just been one. */
static void begin_watch(const Stick *stick, Watch *watches, int count) {
    const Process *process = stick->process;
    Watch *hold = &watches[count - 1], *cone = &watches[0];
    if (hold->event == HOLD_ENDS) {
        hold->g[0] = most_of(hold->g[0], 0);
    }
    if (!process->fresh) {
        return;
    }
    if (stick->pairs == 1 && process->now.N == 0) {
        /* the impact begins: both rise from 0 */
        cone[0].g[1] = most_of(cone[0].g[1], 0);
        cone[1].g[1] = most_of(cone[1].g[1], 0);
        return;
    }
    /* slip has ended here: a double zero */
    cone += stick->pairs == 1 && cone[1].g[0] < cone[0].g[0];
    cone->g[0] = cone->g[1] = 0;
    cone->g[2] = most_of(cone->g[2], 0);
}

/* The watch that allows the shortest step from t, and that step; 0 if its event is here. */
static const Watch *first_watch(const Watch *watches, int count, double t, double turn,
                                double *step) {
    const Watch *first = NULL;
    *step = INFINITY;
    for (int i = 0; i < count; i++) {
        const Watch *watch = &watches[i];
        int here = t > 0 && watch->g[0] <= 8 * DBL_EPSILON * watch->size && watch->g[1] < 0;
        double clear =
            here ? 0 : jet_clear(watch->g, watch->bound, least_of(watch->reach, turn - t));
        if (clear < *step) {
            *step = clear;
            first = watch;
        }
    }
    return first;
}

/* The first event and its time. */
static StickEvent next_event(const Stick *stick, double *at) {
    const Process *process = stick->process;
    Watch watches[3];
    int steady = is_steady(stick);
    double turn = steady && !process->restitution ? find_turn(stick) : INFINITY, t = 0, step;
    int normal = !(steady && (process->restitution || turn < INFINITY));
    int count = set_watches(stick, normal, watches);
    for (int i = 0; i < MAX_MARCH && t < stick->horizon; i++) {
        Swing swing = swing_at(stick, t);
        Jets jets = jets_of(stick, &swing);
        if (turn < INFINITY && jets.N[1] < -8 * DBL_EPSILON * stick->N_bound[1]) {
            /* v_n has passed 0 already: Halley's method had settled on a later root */
            turn = INFINITY;
            count = set_watches(stick, 1, watches);
            t = 0;
            continue;
        }
        look(stick, &jets, watches, count);
        if (t == 0) {
            begin_watch(stick, watches, count);
        }
        const Watch *first = first_watch(watches, count, t, turn, &step);
        if (t + step >= turn) {
            *at = turn;
            return HOLD_ENDS;
        }
        /* so close to the event that the derivatives here tell it to rounding? */
        int near = step * stick->fastest < 1e-4 && first->g[0] > 0 && first->g[1] < 0;
        double rest = near ? jet_near_zero(first->g) : 0;
        near = near && rest >= 0 && rest <= 2 * step;
        if (near || step <= DBL_EPSILON * t) {
            *at = near ? t + rest : t;
            return first->event;
        }
        t += step;
    }
    return NONE;
}

/* To the next event; NONE if the process has failed. */
static StickEvent run(Process *process, Stick *stick) {
    double t = 0;
    find_bounds(stick);
    process->work++;
    StickEvent event = next_event(stick, &t);
    process->fresh = 0;
    if (event == NONE) {
        process_fail(process, "stick: no event within the bounded work");
        return NONE;
    }
    process_sample(process, stick_moment, stick, t);
    process->now = stick_moment(stick, t);
    return event;
}

/* The spring yields: onto the cone exactly, by the larger of N and f, as the other may be a
 * difference of modes. */
static void yield(Process *process) {
    Moment *now = &process->now;
    double size = norm2(now->f);
    process->s[0] = now->f[0] / size;
    process->s[1] = now->f[1] / size;
    if (process->mu > 1) {
        now->N = size / process->mu;
    } else {
        now->f[0] = process->mu * now->N * process->s[0];
        now->f[1] = process->mu * now->N * process->s[1];
    }
    process_slip(process);
}

void stick_run(Process *process) {
    Stick stick = {.process = process};
    find_free_modes(&stick);
    StickEvent event = run(process, &stick);
    if (event == YIELD) {
        yield(process);
    } else if (event == HOLD_ENDS && process->restitution) {
        process_restart_compression(process);
    } else if (event == HOLD_ENDS) {
        process_end_compression(process);
    }
}

void stick_run_latched(Process *process) {
    Stick stick = {.process = process, .latched = 1};
    stick.offset = dot2(process->d, process->now.f) - process->now.N;
    find_latched_modes(&stick);
    StickEvent event = run(process, &stick);
    if (event == YIELD) {
        yield(process);
        process->now.vn = -dot2(process->d, process->now.V); /* slip's v: see Slide */
    } else if (event == HOLD_ENDS) {
        process_release(process);
    }
}
