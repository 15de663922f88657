/* Many planar rigid impacts at once: the closed form of planar/path.h without branches.
 *
 * Units, legs and symbols are those of planar/path.h. Every choice there is a choice between two
 * numbers here, and every number is made by the same operations in the same order, so that the bits
 * are the same. Singular W, and whatever a check refuses, is left to the solver for one. */
#ifdef CAROM_FMA_COPY
#define crm_planar_lanes crm_planar_lanes_fma
#endif

#include "planar_lanes/planar_lanes.h"

#include "math/many.h"

#ifdef CAROM_LANES

#include <float.h>
#include <string.h>

#include "contact/check.h"
#include "contact/singular.h"

/* As in planar/planar.c. */
static const double LANES_GAIN = 1e-12, LANES_SOUND = 1e-11;

typedef struct ManyProcess {
    Many mu, mu_static, e, B, d, gamma;
    ManyMask poisson, newton; /* the law; neither: energetic */
    Many side, velocity, impulse;
    /* the legs */
    Many turn, drift[2], rise[2], ratio;
    ManyMask sticks;
    /* the normal process */
    ManyMask early;
    Many compression, end, vn, stored, released;
} ManyProcess;

/* What the caller gets, in his units. */
typedef struct ManyAnswer {
    Many impulse[2], velocity[2];
    ManyMask good, gains;
    Many sequence; /* an index of SEQUENCES */
} ManyAnswer;

static const char SEQUENCES[4][CAROM_SEQUENCE_SIZE] = {"scr", "lcr", "lcsr", "lscr"};

/* Valid input of a planar rigid impact? NaN and infinity make the sum NaN or infinite. */
static int suits_path(const CaromCase *one) {
    const double *W = one->W, *v = one->v;
    const CaromContact *contact = &one->contact;
    double sum = (fabs(v[0]) + fabs(W[2])) + (W[0] + (W[5] - v[2]));
    sum += contact->mu + (contact->stiffness + contact->stiffness_ratio);
    return one->planar && one->model == CAROM_MODEL_RIGID &&
           (unsigned)one->law <= CAROM_LAW_NEWTON && sum < INFINITY && W[0] >= 0 && W[5] > 0 &&
           v[2] < 0 && contact->mu >= 0 &&
           (contact->mu_static == 0 || contact->mu_static >= contact->mu) &&
           contact->mu_static < INFINITY && contact->e >= 0 && contact->e <= 1 &&
           contact->stiffness >= 0 && contact->stiffness_ratio >= 0;
}

/* Into the path's units. Returns where the scales and W suit. */
INLINE ManyMask many_path_begin(const CaromCase *const at[MANY], ManyProcess *path) {
    Many W0 = {0}, W1 = W0, W3 = W0, v0 = W0, v1 = W0;
    *path = (ManyProcess){.mu = W0};
    for (int i = 0; i < MANY; i++) {
        const CaromCase *one = at[i];
        W0[i] = one->W[0];
        W1[i] = one->W[2];
        W3[i] = one->W[5];
        v0[i] = one->v[0];
        v1[i] = one->v[2];
        path->mu[i] = one->contact.mu;
        path->mu_static[i] = contact_mu_static(&one->contact);
        path->e[i] = one->contact.e;
        path->poisson[i] = one->law == CAROM_LAW_POISSON ? -1 : 0;
        path->newton[i] = one->law == CAROM_LAW_NEWTON ? -1 : 0;
    }
    Many speed = -v1, inverse = 1 / W3, unit = speed * inverse, energy = unit * speed;
    Many B = W0 * inverse, d = W1 * inverse, gamma = v0 / speed;
    path->side = many_choose(gamma < 0, many_all(-1), many_all(1));
    gamma = many_abs(gamma);
    d *= path->side;
    path->B = B;
    path->d = d;
    path->gamma = gamma;
    path->velocity = speed;
    path->impulse = unit;
    return (gamma < 1e100) & (path->mu * (B + 1) < 1e100) & (B < 1e100) & (energy > 1e-290) &
           (energy < 1e290) & (B - d * d > SINGULAR * B) & (B > LOCKED);
}

/* Leg 2: stick, or slip towards d. */
INLINE void many_path_leave_zero(ManyProcess *path) {
    Many B = path->B, d = path->d, hold = d / B, mu = path->mu;
    path->sticks = many_abs(hold) <= path->mu_static;
    path->ratio = many_choose(path->sticks, -hold, many_choose(d > 0, -mu, mu));
    path->drift[1] = many_where(~path->sticks, d + path->ratio * B);
    path->rise[1] = many_choose(path->sticks, (B - d * d) / B, 1 - mu * many_abs(d));
}

/* Restitution on leg 2, from p with the given v_n and E. */
INLINE void many_path_restitute(ManyProcess *path, Many from, Many vn, Many E) {
    Many rise = path->rise[1], e = path->e;
    Many after = many_sqrt(vn * vn + 2 * rise * E);
    Many rest = many_where(E > 0, 2 * E / (vn + after)), end = from + rest;
    Many released = e * e * path->stored;
    ManyMask others = path->poisson | path->newton;
    if (many_any(others)) {
        Many poisson = (1 + e) * path->compression;
        rest = many_choose(path->poisson, poisson - from, many_where(e > vn, (e - vn) / rise));
        end = many_choose(others, many_choose(path->poisson, poisson, from + rest), end);
        after = many_choose(others, many_choose(path->poisson, vn + rise * rest, e), after);
        released = many_choose(others, path->released + (vn + after) / 2 * rest, released);
    }
    path->vn = after;
    path->end = end;
    path->released = released;
}

/* The legs and the ends of the phases. */
INLINE void many_path_run(ManyProcess *path) {
    Many mu = path->mu, d = path->d, e = path->e;
    Many drift = d - mu * path->B, rise = 1 - mu * d;
    path->drift[0] = drift;
    path->rise[0] = rise;
    Many turn = many_choose(drift < 0, path->gamma / -drift, many_all(INFINITY));
    turn = many_where(path->gamma != 0, turn);
    many_path_leave_zero(path);
    /* compression ends on leg 1... */
    Many pc = 1 / rise, past = turn - pc, back = e * pc;
    ManyMask early = (path->gamma != 0) & (rise * turn >= 1),
             straight = early & ((1 + e) * pc <= turn);
    /* ...or on leg 2 */
    Many vn = many_choose(turn > 0, rise * turn - 1, many_all(-1)), rest = -vn / path->rise[1];
    Many late = turn * (1 - vn) / 2 - vn * rest / 2;
    path->early = early;
    path->turn = turn;
    path->compression = many_choose(early, pc, turn + rest);
    path->stored = many_choose(early, pc / 2, late);
    path->released = many_where(early, rise / 2 * past * past);
    many_path_restitute(
        path, many_choose(early, turn, path->compression), many_where(early, rise * past),
        many_choose(early, rise / 2 * (back - past) * (back + past), e * e * path->stored));
    path->turn = many_choose(straight, many_all(INFINITY), turn);
    path->end = many_choose(straight, (1 + e) * pc, path->end);
    path->vn = many_choose(straight, e, path->vn);
    path->released = many_choose(straight, e * e * path->stored, path->released);
}

/* The answer, with the checks of planar.c. */
INLINE void many_path_answer(const ManyProcess *path, ManyAnswer *answer) {
    Many mu = path->mu, e = path->e, end = path->end, turn = path->turn, zero = many_all(0);
    ManyMask turned = turn <= end, second_leg = ~(end < turn);
    Many first = many_choose(end < turn, end, turn), second = end - first;
    Many J = -mu * first, gamma = path->gamma + path->drift[0] * first;
    J = many_choose(second_leg, J + path->ratio * second, J);
    gamma = many_choose(second_leg, path->drift[1] * second, gamma);
    /* estimate_path_error() */
    Many amplify = 1 + mu * many_abs(path->d), rise = path->rise[1];
    Many slowest = many_choose(path->early, path->rise[0], many_all(1));
    Many cancel = many_choose(turned, mu * turn + many_abs(path->ratio) * (end - turn), mu * end);
    slowest = many_choose(turned & (rise < slowest) & (rise > 0), rise, slowest);
    Many error = 4 * DBL_EPSILON * (amplify / slowest + cancel / (many_abs(J) + end));
    /* account() */
    Many change = J * (path->gamma + gamma) / 2 + end * (path->vn - 1) / 2, mean = mu / 2;
    ManyMask others = path->poisson | path->newton;
    Many normal_loss =
        many_choose(others, path->stored - path->released, (1 - e) * (1 + e) * path->stored);
    Many slipped = end - turn;
    Many friction = many_choose(
        turned, mean * path->gamma * turn + mean * many_abs(path->drift[1]) * slipped * slipped,
        mean * (path->gamma + gamma) * end);
    Many through = path->stored + friction, residual = change + normal_loss + friction;
    answer->good = (many_abs(residual) <= (LANES_SOUND + 64 * error) * through) & (end < INFINITY);
    answer->gains = others & (change > LANES_GAIN * through);
    answer->impulse[0] = path->side * path->impulse * J + zero;
    answer->impulse[1] = path->impulse * end;
    answer->velocity[0] = path->side * path->velocity * gamma + zero;
    answer->velocity[1] = path->velocity * path->vn;
    answer->sequence =
        many_choose(turn > end, many_all(1), many_choose(path->early, many_all(2), many_all(3)));
    answer->sequence = many_where(path->gamma != 0, answer->sequence);
}

static void keep_answer(const ManyAnswer *answer, int lane, CaromOutcome *outcome) {
    const double impulse[3] = {answer->impulse[0][lane], 0, answer->impulse[1][lane]};
    const double velocity[3] = {answer->velocity[0][lane], 0, answer->velocity[1][lane]};
    memcpy(outcome->impulse, impulse, sizeof impulse);
    memcpy(outcome->velocity, velocity, sizeof velocity);
    memcpy(outcome->sequence, SEQUENCES[(int)answer->sequence[lane]], CAROM_SEQUENCE_SIZE);
    outcome->status = answer->gains[lane] ? CAROM_ENERGY_GAIN : CAROM_OK;
}

void crm_planar_lanes(int count, const CaromCase *cases, CaromOutcome *outcomes,
                      unsigned char *open) {
    short id[PLANAR_LANES_BLOCK];
    int suited = 0;
    for (int i = 0; i < count; i++) {
        id[suited] = (short)i;
        suited += suits_path(&cases[i]);
    }
    for (int from = 0; from < suited; from += MANY) {
        const CaromCase *at[MANY];
        ManyProcess path;
        ManyAnswer answer;
        int size = suited - from < MANY ? suited - from : MANY;
        for (int i = 0; i < MANY; i++) {
            at[i] = &cases[id[from + (i < size ? i : size - 1)]];
        }
        ManyMask ready = many_path_begin(at, &path);
        many_path_run(&path);
        many_path_answer(&path, &answer);
        answer.good &= ready;
        for (int i = 0; i < size; i++) {
            if (answer.good[i]) {
                keep_answer(&answer, i, &outcomes[id[from + i]]);
                open[id[from + i]] = 0;
            }
        }
    }
}

#else

void crm_planar_lanes(int count, const CaromCase *cases, CaromOutcome *outcomes,
                      unsigned char *open) {
    (void)count;
    (void)cases;
    (void)outcomes;
    (void)open;
}

#endif
