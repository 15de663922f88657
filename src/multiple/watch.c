/* Which series are searched for zeros, by the phase and friction of a link. */
#include "multiple/watch.h"

#include <string.h>

#include "math/jet.h"
#include "math/vec2.h"
#include "multiple/plain.h"
#include "multiple/single.h"
#include "multiple/terms.h"

/* Slopes that differ by no more, relative to their size, are equal where slip came to rest. */
static const double TANGENT = 1e-6;

/* Even and odd terms apart here and in the integral: two short sums that do not wait for each
 * other. ORDER is even. */
double crm_series_at(const double *series, double x) {
    double even = series[ORDER], odd = 0, z = x * x;
    for (int g = ORDER - 2; g >= 0; g -= 2) {
        odd = odd * z + series[g + 1];
        even = even * z + series[g];
    }
    return even + x * odd;
}

double crm_series_slope(const double *series, double x) {
    double sum = ORDER * series[ORDER];
    for (int g = ORDER - 1; g > 0; g--) {
        sum = sum * x + g * series[g];
    }
    return sum;
}

double crm_series_integral(const double *series, double x) {
    double even = series[ORDER] * RECIPROCAL[ORDER + 1], odd = 0, z = x * x;
    for (int g = ORDER - 2; g >= 0; g -= 2) {
        odd = odd * z + series[g + 1] * RECIPROCAL[g + 2];
        even = even * z + series[g] * RECIPROCAL[g + 1];
    }
    return (even + x * odd) * x;
}

/* Add factor times the product of two vectors of one or two series, one after the other; all of
 * it: a product oscillates twice as fast. */
static void series_dot(double product[PRODUCT_TERMS], double factor, const double *a,
                       const double *b, int rows) {
    for (int i = 0; i < TERMS; i++) {
        double first = factor * a[i], second = rows > 1 ? factor * a[TERMS + i] : 0;
        for (int j = 0; j < TERMS && rows > 1; j++) {
            product[i + j] += first * b[j] + second * b[TERMS + j];
        }
        for (int j = 0; j < TERMS && rows == 1; j++) {
            product[i + j] += first * b[j];
        }
    }
}

static double value_at(const double *series, int terms, double x) {
    double sum = series[terms - 1];
    for (int g = terms - 2; g >= 0; g--) {
        sum = sum * x + series[g];
    }
    return sum;
}

/* Where all but rounding is lost any change of sign will do. */
static double coarse_zero(const double *series, int terms, double limit) {
    enum { WATCH_LOOKS = 64 };
    for (int i = 1; i <= WATCH_LOOKS; i++) {
        double high = limit * i / WATCH_LOOKS, low = limit * (i - 1) / WATCH_LOOKS;
        if (value_at(series, terms, high) > 0) {
            continue;
        }
        for (int j = 0; j < 60; j++) {
            double middle = (low + high) / 2;
            *(value_at(series, terms, middle) > 0 ? &low : &high) = middle;
        }
        return high;
    }
    return INFINITY;
}

double crm_series_zero(const double *series, int terms, double limit) {
    int first = 0;
    while (first < terms && series[first] == 0) {
        first++;
    }
    if (first >= terms - 1) {
        return INFINITY;
    }
    if (series[first] < 0) {
        return 0;
    }
    double zero = crm_jet_polynomial_zero(&series[first], terms - 1 - first, limit);
    return isnan(zero) ? coarse_zero(&series[first], terms - first, limit) : zero;
}

/* Leading terms that are rounding, compared with those they are the difference of, are none. */
static double wait_for_difference(double *first, const double *second, double limit) {
    for (int g = 0; g < PRODUCT_TERMS; g++) {
        double left = first[g] - second[g];
        if (fabs(left) > NOISE * (fabs(first[g]) + fabs(second[g]))) {
            break;
        }
        first[g] = second[g];
    }
    for (int g = 0; g < PRODUCT_TERMS; g++) {
        first[g] -= second[g];
    }
    return crm_series_zero(first, PRODUCT_TERMS, limit);
}

/* When f reaches the cone: (mu N)^2 - f^2 falls to 0. */
static double wait_for_slip(const Given *given, const Piece *piece, int i, double limit) {
    const LinkPiece *own = &piece->links[i];
    double mu2 = given->materials[i].mu * given->materials[i].mu;
    int t = given->materials[i].row, n = normal_row(given, i);
    double bound = 0, least = terms_lowest(&piece->forces, n, own->N[0], 1);
    for (int row = t; row < n; row++) {
        double low = terms_lowest(&piece->forces, row, piece->terms_f[row], 1);
        double high = -terms_lowest(&piece->forces, row, piece->terms_f[row], -1);
        bound += high > -low ? high * high : low * low;
    }
    if (least > 0 && mu2 * least * least > bound) {
        return INFINITY;
    }
    double room[PRODUCT_TERMS] = {0}, taken[PRODUCT_TERMS] = {0}, f[2][TERMS], N[TERMS];
    for (int row = t; row < n; row++) {
        terms_series(given, piece, piece->terms_f, row, 1, f[row - t]);
    }
    memcpy(N, own->N, sizeof N);
    series_dot(taken, 1, f[0], f[0], given->rows - 1);
    if (own->friction == LINK_STICK_EDGE) {
        /* stick has begun on the edge of the cone: mu N is |f|, whatever rounding says of a small
         * reaction among large ones; where slip came to rest, along it */
        N[0] = sqrt(taken[0] / mu2);
    }
    series_dot(room, mu2, N, N, 1);
    if (own->friction == LINK_STICK_EDGE) {
        room[0] = taken[0];
        if (fabs(room[1] - taken[1]) < TANGENT * (fabs(room[1]) + fabs(taken[1]))) {
            room[1] = room[1] < taken[1] ? taken[1] : room[1];
        }
    }
    return wait_for_difference(room, taken, limit);
}

/* rho' = mu N'/kt, with N' = -k v_n at a spring; times the pace, as is the derivative of N by the
 * clock of the piece. */
static void stretch_rate(const Given *given, const NetworkState *state, const Piece *piece, int i,
                         double rate[TERMS]) {
    const LinkPiece *own = &piece->links[i];
    double slack = given->materials[i].mu / given->materials[i].kt;
    terms_series(given, piece, piece->terms_travel, normal_row(given, i), 1, rate);
    for (int g = 0; g < ORDER; g++) {
        rate[g] = is_sprung(own->phase) ? -slack * state->links[i].k * rate[g]
                                        : slack * (g + 1) * own->N[g + 1] / piece->step;
    }
    rate[ORDER] = 0;
}

/* The least product of numbers of two ranges. */
static double least_product(double low, double high, double first, double last) {
    double a = low * first, b = low * last, c = high * first, d = high * last;
    return least_of(least_of(a, b), least_of(c, d));
}

/* Can the sliding speed V.s - rho' not fall to 0, by the size of its terms? */
static int slides_on(const Given *given, const NetworkState *state, const Piece *piece, int i) {
    const LinkPiece *own = &piece->links[i];
    int t = given->materials[i].row, n = normal_row(given, i);
    if (!is_sprung(own->phase)) {
        return 0; /* N' of held links is no row of the terms */
    }
    double rate = given->materials[i].mu / given->materials[i].kt * state->links[i].k;
    double speed = rate * terms_lowest(&piece->speeds, n, piece->terms_v[n], 1);
    Pair sum = both(0), size = sum;
    for (int g = 1; g < TERMS && own->friction == LINK_SLIP; g++) {
        sum = pair_plus(sum, own->s[g]);
        size = pair_plus(size, magnitude(own->s[g]));
    }
    for (int row = t; row < n; row++) {
        double s = LANE(own->s[0], row - t), down = (LANE(sum, row - t) - LANE(size, row - t)) / 2,
               up = (LANE(sum, row - t) + LANE(size, row - t)) / 2;
        double low = terms_lowest(&piece->speeds, row, piece->terms_v[row], 1);
        double high = -terms_lowest(&piece->speeds, row, piece->terms_v[row], -1);
        speed += least_product(low, high, s + down, s + up);
    }
    return speed > 0;
}

/* When the sliding speed V.s - rho', times the pace, falls to 0. */
static double wait_for_stick(const Given *given, const NetworkState *state, const Piece *piece,
                             int i, double limit) {
    const LinkPiece *own = &piece->links[i];
    int rows = given->rows - 1;
    if (slides_on(given, state, piece, i)) {
        return INFINITY;
    }
    double speed[PRODUCT_TERMS] = {0}, taken[PRODUCT_TERMS] = {0}, V[2][TERMS], s[2][TERMS];
    stretch_rate(given, state, piece, i, taken);
    for (int j = 0; j < rows; j++) {
        terms_series(given, piece, piece->terms_travel, given->materials[i].row + j, 1, V[j]);
        for (int g = 0; g < TERMS; g++) {
            s[j][g] = LANE(own->s[g], j);
        }
    }
    series_dot(speed, 1, V[0], s[0], rows);
    return wait_for_difference(speed, taken, limit);
}

double crm_watch_limit(const Piece *piece) {
    double limit = piece->moment * (1 + AT_ONCE);
    return limit < 1 ? limit : 1;
}

void crm_watch_for(Piece *piece, int i, LinkWatch what, double moment) {
    piece->links[i].wait[what] = moment;
    if (moment < piece->moment) {
        piece->moment = moment;
    }
}

void crm_watch_clear(LinkPiece *link) {
    for (int i = 0; i < WATCH_COUNT; i++) {
        link->wait[i] = INFINITY;
    }
}

static void watch_normal(const Given *given, const NetworkState *state, Piece *piece, int i) {
    const LinkPiece *own = &piece->links[i];
    int n = normal_row(given, i);
    double series[TERMS];
    if (is_sprung(own->phase) || own->phase == OPEN) {
        double sign = own->phase == LINK_COMPRESSION ? -1 : 1;
        if (!(terms_lowest(&piece->speeds, n, piece->terms_v[n], sign) > 0)) {
            terms_series(given, piece, piece->terms_v, n, sign, series);
            crm_watch_for(piece, i, WATCH_SPEED,
                          crm_series_zero(series, TERMS, crm_watch_limit(piece)));
        }
    }
    double least = terms_lowest(&piece->forces, n, piece->terms_f[n], 1);
    if (own->phase == LINK_RESTITUTION && !(least > opening_force(given, i, &state->links[i]))) {
        terms_series(given, piece, piece->terms_f, n, 1, series);
        series[0] -= opening_force(given, i, &state->links[i]);
        series[0] = series[0] < 0 ? 0 : series[0];
        crm_watch_for(piece, i, WATCH_FORCE,
                      crm_series_zero(series, TERMS, crm_watch_limit(piece)));
    } else if (own->role == HOLD_PUSHES || own->role == HOLD_IDLE) {
        const double *force = own->role == HOLD_IDLE ? own->wish : own->N;
        crm_watch_for(piece, i, WATCH_FORCE, crm_series_zero(force, TERMS, crm_watch_limit(piece)));
    }
}

void crm_watch(Network *network) {
    const Given *given = &network->given;
    Piece *piece = &network->piece;
    if (piece->kind != GENERAL) {
        (piece->kind == SINGLE ? crm_single_watch : crm_plain_watch)(network);
        return;
    }
    piece->moment = 1;
    crm_terms_ranges(given, piece, piece->terms_v, &piece->speeds);
    crm_terms_ranges(given, piece, piece->terms_f, &piece->forces);
    for (int i = 0; i < given->count; i++) {
        LinkPiece *own = &piece->links[i];
        crm_watch_clear(own);
        watch_normal(given, &network->state, piece, i);
        int acts = is_sprung(own->phase) || own->role == HOLD_PUSHES;
        if (!given->materials[i].rough || !acts || own->friction == LINK_STRAIGHT) {
            continue;
        }
        double limit = crm_watch_limit(piece);
        crm_watch_for(piece, i, WATCH_CONE,
                      own->friction == LINK_SLIP
                          ? wait_for_stick(given, &network->state, piece, i, limit)
                          : wait_for_slip(given, piece, i, limit));
    }
}
