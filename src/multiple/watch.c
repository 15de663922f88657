/* The first event of a piece: zeros of series, none of which can be skipped. */
#include <math.h>

#include "math/jet.h"
#include "multiple/terms.h"

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

void crm_series_dot(double product[PRODUCT_TERMS], double factor, const double *a, const double *b,
                    int rows) {
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

static double first_zero(const double *series, double limit) {
    return crm_series_zero(series, TERMS, limit);
}

/* Bounds of a series over the piece. */
static double watch_lowest(const double *series) {
    double sum = series[0];
    for (int g = 1; g < TERMS; g++) {
        sum += series[g] < 0 ? series[g] : 0;
    }
    return sum;
}

static double largest_term(const double *series) {
    double sum = 0;
    for (int g = 0; g < TERMS; g++) {
        sum += fabs(series[g]);
    }
    return sum;
}

/* Leading terms that are rounding, compared with what they are the difference of, are none. */
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
static double wait_for_slip(const Network *network, const Link *link, double limit) {
    const double *N = link->pressure, mu2 = link->mu * link->mu;
    double room[PRODUCT_TERMS] = {0}, taken[PRODUCT_TERMS] = {0}, f[2][TERMS];
    double bound = 0, least = watch_lowest(N);
    int row = link->row;
    for (int j = 0; j < network->rows - 1; j++) {
        terms_series(network, network->terms_f, row + j, 1, f[j]);
        double size = largest_term(f[j]);
        bound += size * size;
    }
    if (least > 0 && mu2 * least * least > bound) {
        return INFINITY;
    }
    crm_series_dot(room, mu2, N, N, 1);
    crm_series_dot(taken, 1, f[0], f[0], network->rows - 1);
    if (link->fresh) {
        /* stick has begun on the edge of the cone, as slip came to rest */
        room[0] = taken[0];
        room[1] = room[1] < taken[1] ? taken[1] : room[1];
    }
    return wait_for_difference(room, taken, limit);
}

/* rho' = mu/kt times the rate of what presses the link: -k v_n, or that of its lowest force. */
static void stretch_rate(const Network *network, const Link *link, double rate[TERMS]) {
    double slack = link->mu / link->kt;
    terms_series(network, network->terms_v, normal_row(network, link), 1, rate);
    for (int g = 0; g < ORDER; g++) {
        rate[g] = is_sprung(link) ? -slack * link->k * rate[g]
                                  : slack * (g + 1) * link->pressure[g + 1] / network->step;
    }
    rate[ORDER] = 0;
}

/* Can the sliding speed V.s - rho' not fall to 0, by the size of its terms? */
static int slides_on(double V[][TERMS], const double s[][TERMS], int rows,
                     const double rate[TERMS]) {
    double change = largest_term(rate) - fabs(rate[0]), now = -rate[0];
    for (int j = 0; j < rows; j++) {
        now += V[j][0] * s[j][0];
        change += largest_term(V[j]) * largest_term(s[j]) - fabs(V[j][0] * s[j][0]);
    }
    return now > change;
}

/* When the sliding speed V.s - rho' falls to 0. */
static double wait_for_stick(const Network *network, const Link *link, double limit) {
    int rows = network->rows - 1;
    double speed[PRODUCT_TERMS] = {0}, taken[PRODUCT_TERMS] = {0}, V[2][TERMS];
    stretch_rate(network, link, taken);
    for (int j = 0; j < rows; j++) {
        terms_series(network, network->terms_v, link->row + j, 1, V[j]);
    }
    if (slides_on(V, link->series_s, rows, taken)) {
        return INFINITY;
    }
    crm_series_dot(speed, 1, V[0], link->series_s[0], rows);
    return wait_for_difference(speed, taken, limit);
}

/* Latest time that is still of interest: the earliest so far, and what coincides with it. */
double crm_watch_limit(const Network *network) {
    double limit = network->moment * (1 + AT_ONCE);
    return limit < 1 ? limit : 1;
}

void crm_watch_for(Network *network, Link *link, LinkWatch what, double moment) {
    link->wait[what] = moment;
    if (moment < network->moment) {
        network->moment = moment;
    }
}

static void watch_normal(Network *network, Link *link) {
    int n = normal_row(network, link);
    double v[TERMS], N[TERMS];
    if (is_sprung(link) || link->phase == OPEN) {
        terms_series(network, network->terms_v, n, link->phase == LINK_COMPRESSION ? -1 : 1, v);
        crm_watch_for(network, link, WATCH_SPEED, first_zero(v, crm_watch_limit(network)));
    }
    if (link->phase == LINK_COMPRESSION || link->phase == OPEN) {
        return;
    }
    terms_series(network, network->terms_f, n, 1, N);
    if (link->phase == HELD && link->decided) {
        crm_watch_for(network, link, WATCH_FORCE, first_zero(N, crm_watch_limit(network)));
    } else if (link->phase == LINK_RESTITUTION) {
        N[0] -= opening_force(network, link);
        N[0] = N[0] < 0 ? 0 : N[0];
        crm_watch_for(network, link, WATCH_FORCE, first_zero(N, crm_watch_limit(network)));
    }
}

/* The lowest force of a held link. */
static void watch_swings(Network *network, Link *link) {
    if (link->bare) {
        double rate[TERMS] = {0};
        if (!link->gripped) {
            return;
        }
        for (int g = 1; g < TERMS; g++) {
            rate[g - 1] = -g * link->pressure[g];
        }
        crm_watch_for(network, link, WATCH_LOW, first_zero(rate, crm_watch_limit(network)));
        return;
    }
    crm_watch_for(network, link, WATCH_LOW, first_zero(link->pressure, crm_watch_limit(network)));
    if (!link->tight) {
        double slack[TERMS];
        terms_series(network, network->terms_f, normal_row(network, link), 1, slack);
        for (int g = 0; g < TERMS; g++) {
            slack[g] -= link->pressure[g];
        }
        crm_watch_for(network, link, WATCH_SLACK, first_zero(slack, crm_watch_limit(network)));
    }
}

void crm_watch(Network *network) {
    if (network->kind != GENERAL) {
        (network->kind == SINGLE ? crm_single_watch : crm_plain_watch)(network);
        return;
    }
    network->moment = 1;
    for (Link *link = network->links; link < network->links + network->count; link++) {
        wait_for_nothing(link);
        watch_normal(network, link);
        if (link->phase == HELD && link->rough) {
            watch_swings(network, link);
        }
        /* slip that goes on straight does not come to rest */
        if (is_gripping(link) && !(link->mode == CAROM_MODE_SLIP && link->frozen)) {
            crm_watch_for(network, link, WATCH_CONE,
                          (link->mode == CAROM_MODE_STICK ? wait_for_slip : wait_for_stick)(
                              network, link, crm_watch_limit(network)));
        }
    }
}
