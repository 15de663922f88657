/* Sweeps over the series of quasi-steady directions. */
#include "multiple/follow.h"

#include <string.h>

#include "math/vec2.h"
#include "multiple/terms.h"

/* Where rho/|V| is shorter than this, in units of the shortest period, s follows V. */
static const double STIFF_SLIP = 3e-3;

/* Sweeps that turn s by no more have settled. */
static const double SETTLED = 1e-14;

/* Error by s that is not where V leads it, relative to the largest speed. */
static const double FOLLOW_ERROR = 1e-12;

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
        /* where N grows or falls as fast, so does rho */
        double rate = link->k * fabs(state->v[normal_row(given, i)]);
        time = own->N[0] < rate * time ? own->N[0] / rate : time;
    }
    return relaxation(given, piece, i) < STIFF_SLIP * time;
}

int crm_follow_find(const Given *given, const NetworkState *state, Piece *piece) {
    int any = 0;
    for (int i = 0; i < given->count; i++) {
        LinkPiece *own = &piece->links[i];
        if (follows(given, state, piece, i)) {
            own->follow = FOLLOW_V;
            memset(own->last_omega, 0, sizeof own->last_omega);
            memset(own->omega, 0, sizeof own->omega);
            /* the explicit series are out of range: begin with a constant force */
            memset(&own->N[1], 0, ORDER * sizeof *own->N);
            any = 1;
        }
    }
    return any;
}

int crm_follow_remember(const Given *given, Piece *piece, double step) {
    int settled = 1;
    for (int i = 0; i < given->count; i++) {
        LinkPiece *own = &piece->links[i];
        if (own->follow != FOLLOW_V) {
            continue;
        }
        double lag = relaxation(given, piece, i) / piece->unit, change = 0, power = 1;
        for (int g = 0; g < TERMS; g++) {
            double omega = own->omega[g][0];
            double turn = lag * fabs(omega - own->last_omega[g]) * power;
            change = !(turn <= change) ? turn : change; /* also if it is out of range */
            own->last_omega[g] = omega;
            power *= step;
        }
        memcpy(own->last_N, own->N, sizeof own->N);
        own->unsettled = change;
        settled &= change <= SETTLED;
    }
    return settled;
}

void crm_follow_turn(const Given *given, Piece *piece) {
    for (int i = 0; i < given->count; i++) {
        LinkPiece *own = &piece->links[i];
        if (own->follow != FOLLOW_V) {
            continue;
        }
        double V[2], N = own->last_N[0];
        follow_speed(given, piece, i, V);
        double speed = norm2(V), slack = given->materials[i].mu / given->materials[i].kt;
        double lag = slack * N * own->last_omega[0] / (piece->unit * speed);
        lag = fabs(lag) < 1 ? lag : 0;
        double along = sqrt(1 - lag * lag);
        own->s[0] =
            (Pair){(along * V[0] + lag * V[1]) / speed, (along * V[1] - lag * V[0]) / speed};
        double *F = &piece->terms_f[given->materials[i].row];
        for (int k = 0; k < 2; k++) {
            own->f[k] = given->materials[i].mu * N * own->s[0][k];
            F[k] = -own->f[k];
        }
    }
}

void crm_follow_series(const Given *given, Piece *piece, int i, int g) {
    LinkPiece *own = &piece->links[i];
    const Material *material = &given->materials[i];
    double slack = material->mu / material->kt, part = RECIPROCAL[g], cross = 0, lag = 0;
    const double *N = own->phase == HELD ? own->last_N : own->N;
    Pair bend = {0, 0};
    int q = g - 1;
    for (int k = 0; k < q; k++) {
        bend += own->omega[k] * own->s[q - k];
    }
    /* with s_g as far as it is known */
    own->s[g] = (Pair){-bend[1] * part, bend[0] * part};
    for (int k = 0; k <= g; k++) {
        const double *V = &order_terms(given, piece->terms_travel, k)[material->row];
        cross += V[1] * own->s[g - k][0] - V[0] * own->s[g - k][1];
        lag += k >= 2 ? N[k] * own->omega[g - k][0] : 0;
    }
    const double *V = &piece->terms_travel[material->row];
    double rho = slack * N[0], along = V[0] * own->s[0][0] + V[1] * own->s[0][1];
    double known = piece->unit * cross - slack * lag - rho * own->last_omega[g];
    double omega = known / (piece->unit * along * part + slack * N[1]);
    own->omega[q] = both(omega);
    own->s[g] =
        (Pair){(-bend[1] - omega * own->s[0][1]) * part, (bend[0] + omega * own->s[0][0]) * part};
}

int crm_follow_release(const Given *given, Piece *piece) {
    int any = 0;
    for (int i = 0; i < given->count; i++) {
        LinkPiece *own = &piece->links[i];
        int row = given->materials[i].row;
        if (own->follow != FOLLOW_V) {
            continue;
        }
        double effect = given->materials[i].mu * own->N[0] * relaxation(given, piece, i) *
                        row_of_W(given, row)[row];
        double turn = hypot(own->s[0][0] - own->first_s[0], own->s[0][1] - own->first_s[1]);
        if (!(own->unsettled <= SETTLED) || effect * turn > FOLLOW_ERROR) {
            own->follow = FOLLOW_RELEASED;
            any = 1;
        }
    }
    for (int i = 0; i < given->count && any; i++) {
        LinkPiece *own = &piece->links[i];
        own->follow = own->follow == FOLLOW_V ? FOLLOW_NOT : own->follow;
    }
    return any;
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
