/* When the clock is stretched, and what it does to the series. */
#include "multiple/pace.h"

#include "math/vec2.h"

_Static_assert(PACE_ROOT == 3, "the pace has three terms");

/* The rest of a slip, in units of the shortest period, below which its end is stretched, and how
 * far a piece goes towards it. */
static const double PACE_CLOSING = 0.5, CLOSED = 0.9;

/* The time left of slip at this link if v_n' stays as it is; INFINITY: its end is none that turns
 * the direction fast. */
static double slip_left(const Given *given, const NetworkState *state, int i) {
    const Link *link = &state->links[i];
    const Material *material = &given->materials[i];
    int n = normal_row(given, i);
    double vn = state->v[n], rise = 0;
    if (!material->rough || link->phase != LINK_RESTITUTION || link->friction != LINK_SLIP ||
        vn <= 0) {
        return INFINITY;
    }
    const double *V = &state->v[n - 2];
    double slow = material->mu * link->k * vn / material->kt;
    if (dot2(V, V) > slow * slow) {
        return INFINITY; /* q > 1: smooth enough */
    }
    const double *W = row_of_W(given, n);
    for (int j = 0; j < given->count; j++) {
        const Link *other = &state->links[j];
        int t = given->materials[j].row;
        if (is_active(other->phase)) {
            rise += W[t + 2] * other->N - W[t] * other->f[0] - W[t + 1] * other->f[1];
        }
    }
    double square = vn * vn + 2 * rise * link->N / link->k;
    return square > 0 ? 2 * link->N / (link->k * (vn + sqrt(square))) : INFINITY;
}

void crm_pace_choose(const Given *given, const NetworkState *state, Piece *piece) {
    double left = INFINITY;
    for (int i = 0; i < given->count; i++) {
        double time = given->rows > 2 && !given->mono ? slip_left(given, state, i) : INFINITY;
        left = time < left ? time : left;
    }
    piece->closing = left < PACE_CLOSING * piece->unit;
    piece->terms_travel = piece->closing ? piece->paced_v : piece->terms_v;
    piece->terms_push = piece->closing ? piece->paced_f : piece->terms_f;
    if (piece->closing) {
        piece->unit = left;
        piece->pace[0] = 1;
        for (int j = 1; j < PACE_ROOT; j++) {
            piece->pace[j] = -piece->pace[j - 1] * (PACE_ROOT - j) / (j * (double)PACE_ROOT);
        }
    }
}

double crm_pace_reach(const Piece *piece) {
    return piece->closing ? CLOSED * PACE_ROOT : INFINITY;
}

void crm_pace_apply(const Given *given, const Piece *piece, const double *terms, int g,
                    double *paced) {
    pace_apply(piece, (size_t)given->stride, terms, g, paced);
}

double crm_pace_at(const Piece *piece, double x) {
    double sum = 0, y = piece->scale[1] * x;
    for (int j = PACE_ROOT - 1; j >= 0; j--) {
        sum = sum * y + piece->pace[j];
    }
    return piece->closing ? sum : 1;
}
