/* Sweeps over the series of quasi-steady directions. */
#include "multiple/follow.h"

#include <string.h>

#include "math/functions.h"
#include "math/vec2.h"
#include "multiple/terms.h"

/* Where rho/|V| is shorter than this, in units of the shortest period, s follows V. */
static const double STIFF_SLIP = 1e-2;

/* How far the lag may be from its leading term, in units of that and of the next one. */
static const double LAG_SHARE = 3;

/* Share of its last change by which a lag may still be wrong. */
static const double LAG_KNOWN = 0.05;

/* Error by s that is not where V leads it, relative to the largest speed. */
static const double FOLLOW_ERROR = 1e-14;

static void follow_speed(const Given *given, const Piece *piece, int i, double V[2]) {
    const double *v = &piece->terms_v[given->materials[i].row];
    V[0] = v[0];
    V[1] = v[1];
}

static double relaxation(const Given *given, const Piece *piece, int i) {
    double V[2];
    follow_speed(given, piece, i, V);
    return given->materials[i].mu / given->materials[i].kt * piece->links[i].N[0] / norm2(V);
}

/* The direction that lags behind V by an angle, given by its sine. */
static void lagging(const double V[2], double lag, double s[2]) {
    double speed = norm2(V), along;
    lag = fabs(lag) < 1 ? lag : 0;
    along = sqrt(1 - lag * lag);
    s[0] = (along * V[0] + lag * V[1]) / speed;
    s[1] = (along * V[1] - lag * V[0]) / speed;
}

/* How far s of the state is from the direction that lags behind V like this. */
static double distance(const Given *given, const Piece *piece, int i, double lag) {
    const double *first = piece->links[i].first_s;
    double V[2], s[2];
    follow_speed(given, piece, i, V);
    lagging(V, lag, s);
    return hypot(s[0] - first[0], s[1] - first[1]);
}

/* The trace of the tangential W, whatever the axes. */
static double tangential_W(const Given *given, int i) {
    int row = given->materials[i].row;
    return row_of_W(given, row)[row] + row_of_W(given, row + 1)[row + 1];
}

/* The effect of a wrong angle, as a speed: s relaxes before long. */
static double angle_effect(const Given *given, const Piece *piece, int i) {
    return given->materials[i].mu * piece->links[i].N[0] * relaxation(given, piece, i) *
           tangential_W(given, i);
}

/* Does s lag behind V as it should? With psi the angle of V and tau = rho/|V| the lag is
 *
 *   tau psi' - tau (tau psi')' + ...
 *
 * of which the first two terms are known, and the third one is about as much smaller again. */
static int lags(const Given *given, const Piece *piece, int i) {
    int row = given->materials[i].row;
    const double *V = &piece->terms_v[row], *V1 = V + given->stride, *V2 = V1 + given->stride;
    const double *N = piece->links[i].N;
    double slack = given->materials[i].mu / (given->materials[i].kt * piece->unit);
    double square = V[0] * V[0] + V[1] * V[1], speed = sqrt(square), tau = slack * N[0] / speed;
    double growth = (V[0] * V1[0] + V[1] * V1[1]) / square;
    double turn = (V[0] * V1[1] - V[1] * V1[0]) / square;
    double bend = 2 * (V[0] * V2[1] - V[1] * V2[0]) / square - 2 * growth * turn;
    double first = tau * turn, tau_rate = slack * N[1] / speed - tau * growth;
    double second = tau * (tau_rate * turn + tau * bend);
    double unsure = fabs(second) * 2 * (fabs(tau_rate) + tau) + tau * tau * fabs(second);
    double off = distance(given, piece, i, first - second) - LAG_SHARE * unsure;
    return !(off * angle_effect(given, piece, i) > FOLLOW_ERROR); /* also if out of range */
}

int crm_follow_may(const Given *given, const Piece *piece) {
    for (int a = 0; a < piece->acting && given->rows > 2; a++) {
        int i = piece->list[a];
        const LinkPiece *own = &piece->links[i];
        const Material *material = &given->materials[i];
        if (material->rough && is_sprung(own->phase) && own->friction == LINK_SLIP) {
            const double *V = &piece->terms_v[material->row];
            double rho = material->mu * own->N[0], most = STIFF_SLIP * piece->unit * material->kt;
            if (rho * rho < most * most * dot2(V, V)) {
                return 1;
            }
        }
    }
    return 0;
}

static int follows(const Given *given, const NetworkState *state, const Piece *piece, int i) {
    const LinkPiece *own = &piece->links[i];
    const Link *link = &state->links[i];
    double time = piece->unit;
    if (given->rows < 3 || !given->materials[i].rough || !is_active(own->phase) ||
        own->friction != LINK_SLIP || own->order_force > 0 || own->follow == FOLLOW_RELEASED ||
        (own->phase == HELD && own->role != HOLD_PUSHES)) {
        return 0;
    }
    if (is_sprung(own->phase)) {
        /* where N falls as fast, so does rho */
        double rate = link->k * state->v[normal_row(given, i)];
        time = own->N[0] < rate * time ? own->N[0] / rate : time;
    }
    return relaxation(given, piece, i) < STIFF_SLIP * time && lags(given, piece, i);
}

/* The rate at which s of the state turns. */
static double first_omega(const Given *given, const Piece *piece, int i) {
    const double *s = piece->links[i].first_s;
    double V[2], rho = given->materials[i].mu / given->materials[i].kt * piece->links[i].N[0];
    follow_speed(given, piece, i, V);
    return rho > 0 ? piece->unit * (V[1] * s[0] - V[0] * s[1]) / rho : 0;
}

int crm_follow_find(const Given *given, const NetworkState *state, Piece *piece) {
    int links = 0;
    for (int i = 0; i < given->count; i++) {
        LinkPiece *own = &piece->links[i];
        if (follows(given, state, piece, i)) {
            own->follow = FOLLOW_V;
            /* the explicit series are out of range: begin with s and N as they are */
            memset(own->last_omega, 0, sizeof own->last_omega);
            memset(own->omega, 0, sizeof own->omega);
            own->last_omega[0] = first_omega(given, piece, i);
            memset(own->last_N, 0, sizeof own->last_N);
            own->last_N[0] = own->N[0];
            links++;
        }
    }
    return links;
}

/* Row g of the linear equations for the correction epsilon of the angle, rho epsilon' + (V.s)
 * epsilon = -r, up to its coefficient of epsilon_g; the one of epsilon_(g + 1) is rho_0 (g + 1). */
typedef struct LagRow {
    double of[TERMS], right;
} LagRow;

static void find_rows(const Given *given, const Piece *piece, int i, int terms,
                      LagRow rows[TERMS]) {
    const LinkPiece *own = &piece->links[i];
    double slack = given->materials[i].mu / given->materials[i].kt, along[TERMS], rho[TERMS];
    Pair V[TERMS], across[TERMS]; /* (V_1, V_2) and (V_2, -V_1) */
    for (int g = 0; g < terms; g++) {
        V[g] = pair_load(&order_terms(given, piece->terms_travel, g)[given->materials[i].row]);
        across[g] = pair_make(LANE(V[g], 1), -LANE(V[g], 0));
        rho[g] = slack * own->N[g];
    }
    for (int g = 0; g < terms; g++) {
        Pair cross = pair_make(0, 0), sum = pair_make(0, 0);
        double lag = 0;
        for (int k = 0; k <= g; k++) {
            Pair s = own->s[g - k];
            cross = pair_join(across[k], s, cross);
            sum = pair_join(V[k], s, sum);
            lag += rho[k] * LANE(own->omega[g - k], 0);
        }
        along[g] = piece->unit * (LANE(sum, 0) + LANE(sum, 1));
        rows[g].right = piece->unit * (LANE(cross, 0) + LANE(cross, 1)) - lag;
        rows[g].of[0] = along[g];
        for (int j = 1; j <= g; j++) {
            rows[g].of[j] = along[g - j] + j * rho[g - j + 1];
        }
    }
}

/* The angle that s has to turn by to lag behind V as it should, for V and N as they are: so many
 * terms of it. */
static void solve_lag(const Given *given, const Piece *piece, int i, int terms,
                      double epsilon[TERMS]) {
    LagRow rows[TERMS];
    double rho = given->materials[i].mu / given->materials[i].kt * piece->links[i].N[0];
    find_rows(given, piece, i, terms, rows);
    for (int g = terms - 2; g >= 0; g--) {
        double share = rho * (g + 1) / rows[g + 1].of[g + 1];
        for (int j = 0; j <= g; j++) {
            rows[g].of[j] -= share * rows[g + 1].of[j];
        }
        rows[g].right -= share * rows[g + 1].right;
    }
    for (int g = 0; g < terms; g++) {
        double sum = rows[g].right;
        for (int j = 0; j < g; j++) {
            sum -= rows[g].of[j] * epsilon[j];
        }
        epsilon[g] = sum / rows[g].of[g];
    }
}

/* Is s so far from where V leads it that the impulse differs? known: by how much the lag may be
 * wrong. */
static int strays(const Given *given, const Piece *piece, int i, double known) {
    double lag = relaxation(given, piece, i) * piece->links[i].last_omega[0] / piece->unit;
    double off = distance(given, piece, i, lag) - known;
    return angle_effect(given, piece, i) * off > FOLLOW_ERROR;
}

/* Correct the lag of a link for the next sweep; the angle by which this one was wrong, also as the
 * effect of the force on speeds, in *effect. */
static double correct(const Given *given, Piece *piece, int i, double step, double *effect) {
    LinkPiece *own = &piece->links[i];
    const Material *material = &given->materials[i];
    double epsilon[TERMS], tau = relaxation(given, piece, i) / piece->unit;
    double most = 0, power = 1, N = 0;
    solve_lag(given, piece, i, TERMS, epsilon);
    for (int g = 0; g < TERMS; g++) {
        double omega = LANE(own->omega[g], 0) + (g < ORDER ? (g + 1) * epsilon[g + 1] : 0);
        double turn = tau * fabs(omega - own->last_omega[g]) * power;
        most = !(turn <= most) ? turn : most; /* also if it is out of range */
        own->last_omega[g] = omega;
        N += fabs(own->N[g]) * power;
        power *= step;
    }
    memcpy(own->last_N, own->N, sizeof own->N);
    *effect = most * material->mu * N * sqrt(tangential_W(given, i) / material->kt);
    return most;
}

void crm_follow_guess(const Given *given, Piece *piece, int terms) {
    for (int i = 0; i < given->count; i++) {
        LinkPiece *own = &piece->links[i];
        double epsilon[TERMS];
        if (own->follow == FOLLOW_V) {
            solve_lag(given, piece, i, terms, epsilon);
            for (int g = 0; g < terms - 1; g++) {
                own->last_omega[g] = LANE(own->omega[g], 0) + (g + 1) * epsilon[g + 1];
            }
            memcpy(own->last_N, own->N, (size_t)terms * sizeof *own->N);
        }
    }
}

int crm_follow_correct(const Given *given, Piece *piece, double step, double *change) {
    int left = 0;
    *change = 0;
    for (int i = 0; i < given->count; i++) {
        LinkPiece *own = &piece->links[i];
        if (own->follow != FOLLOW_V) {
            continue;
        }
        double angle = correct(given, piece, i, step, &own->unsettled);
        *change = !(own->unsettled <= *change) ? own->unsettled : *change;
        own->follow = strays(given, piece, i, LAG_KNOWN * angle) ? FOLLOW_RELEASED : FOLLOW_V;
        left += own->follow == FOLLOW_V;
    }
    return left;
}

void crm_follow_turn(const Given *given, Piece *piece) {
    for (int i = 0; i < given->count; i++) {
        LinkPiece *own = &piece->links[i];
        if (own->follow != FOLLOW_V) {
            continue;
        }
        double V[2], N = own->last_N[0];
        follow_speed(given, piece, i, V);
        double rho = given->materials[i].mu / given->materials[i].kt * N, s[2];
        lagging(V, rho * own->last_omega[0] / (piece->unit * norm2(V)), s);
        own->s[0] = pair_make(s[0], s[1]);
        double *F = &piece->terms_f[given->materials[i].row];
        for (int k = 0; k < 2; k++) {
            own->f[k] = given->materials[i].mu * N * LANE(own->s[0], k);
            F[k] = -own->f[k];
        }
    }
}

double crm_follow_effect(const Given *given, const Piece *piece, int i) {
    const LinkPiece *own = &piece->links[i];
    double turn = hypot(LANE(own->s[0], 0) - own->first_s[0], LANE(own->s[0], 1) - own->first_s[1]);
    return turn * angle_effect(given, piece, i);
}

void crm_follow_series(const Given *given, Piece *piece, int i, int g) {
    LinkPiece *own = &piece->links[i];
    const Material *material = &given->materials[i];
    double slack = material->mu / material->kt, part = RECIPROCAL[g], cross = 0, lag = 0;
    const double *N = own->phase == HELD ? own->last_N : own->N;
    Pair bend = pair_make(0, 0);
    int q = g - 1;
    for (int k = 0; k < q; k++) {
        bend = pair_join(own->omega[k], own->s[q - k], bend);
    }
    /* with s_g as far as it is known */
    own->s[g] = pair_make(-LANE(bend, 1) * part, LANE(bend, 0) * part);
    for (int k = 0; k <= g; k++) {
        const double *V = &order_terms(given, piece->terms_travel, k)[material->row];
        cross += V[1] * LANE(own->s[g - k], 0) - V[0] * LANE(own->s[g - k], 1);
        lag += k >= 2 ? N[k] * LANE(own->omega[g - k], 0) : 0;
    }
    const double *V = &piece->terms_travel[material->row];
    double rho = slack * N[0], along = V[0] * LANE(own->s[0], 0) + V[1] * LANE(own->s[0], 1);
    double known = piece->unit * cross - slack * lag - rho * own->last_omega[g];
    double omega = known / (piece->unit * along * part + slack * N[1]);
    own->omega[q] = both(omega);
    own->s[g] = pair_make((-LANE(bend, 1) - omega * LANE(own->s[0], 1)) * part,
                          (LANE(bend, 0) + omega * LANE(own->s[0], 0)) * part);
}

int crm_follow_release(const Given *given, Piece *piece) {
    double slowest = 0;
    int left = 0;
    for (int i = 0; i < given->count; i++) {
        const LinkPiece *own = &piece->links[i];
        if (own->follow == FOLLOW_V && !(own->unsettled <= FOLLOW_SETTLED)) {
            slowest = fmax(slowest, relaxation(given, piece, i));
        }
    }
    for (int i = 0; i < given->count; i++) {
        LinkPiece *own = &piece->links[i];
        if (own->follow == FOLLOW_V && !(own->unsettled <= FOLLOW_SETTLED) &&
            relaxation(given, piece, i) >= slowest / 2) {
            own->follow = FOLLOW_RELEASED;
        }
        left += own->follow == FOLLOW_V;
    }
    return left;
}

void crm_follow_none(const Given *given, Piece *piece) {
    for (int i = 0; i < given->count; i++) {
        LinkPiece *own = &piece->links[i];
        own->follow = own->follow == FOLLOW_V ? FOLLOW_RELEASED : own->follow;
    }
}

int crm_follow_keep(const Given *given, Piece *piece) {
    int any = 0;
    for (int i = 0; i < given->count && given->rows > 2; i++) {
        LinkPiece *own = &piece->links[i];
        if (given->materials[i].rough && is_active(own->phase) && own->friction == LINK_SLIP &&
            own->order_force == 0 && own->follow != FOLLOW_KEPT &&
            relaxation(given, piece, i) < STIFF_SLIP * piece->unit) {
            own->follow = FOLLOW_KEPT;
            any = 1;
        }
    }
    return any;
}
