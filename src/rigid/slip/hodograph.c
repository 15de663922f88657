/* The geometry of slip: invariant directions, the stick test, bounds and the hodograph in closed
 * form (docs/theory.md, sections 4, 5 and 7).
 *
 * Closed form, in friction-scaled planar data b = mu B, d (invariants.h): d(log r)/dtheta = f/g.
 * g is a trigonometric polynomial of degree 2 without constant term, with zeros theta_k (two of
 * them may be complex), so f/g = sum_k (q_k/2) cot((theta - theta_k)/2), q_k = f/g' at theta_k,
 * sum_k q_k = -2, and r = C prod_k |sin((theta - theta_k)/2)|^q_k. With t = tan(theta/2) that is
 * r = C (1 + t^2) prod_k |t - t_k|^q_k.
 *
 * Two real zeros m -+ h are split off,
 *   g = 1/2 (cos h - cos(theta - m)) Q,   Q = sigma rho (cos y - C),   y = theta - centre,
 * and the other two are kept together as a pair: real at y = -+xi (C = cos xi; xi = 0 if double) or
 * complex at y = -+i eta (C = cosh eta). The exponents of a pair grow like 1/xi or 1/eta as it
 * closes; their sum and their joint contribution do not, so that this is evaluated as one. */
#include <carom/hodograph.h>

#include <float.h>

#include "contact/status_end.h"
#include "math/array.h"
#include "math/eigen.h"
#include "math/functions.h"
#include "math/vec2.h"
#include "rigid/slip/invariants.h"

typedef struct Field {
    double b11, b12, b22, d1, d2;
} Field;

/* s.(d - b s) for s = (x, y) */
static inline double field_f(const Field *field, double x, double y) {
    return x * (field->d1 - field->b11 * x - field->b12 * y) +
           y * (field->d2 - field->b12 * x - field->b22 * y);
}

/* s_perp.(d - b s) for a unit vector s = (x, y) */
static inline double field_g(const Field *field, double x, double y) {
    return x * field->d2 - y * field->d1 + (field->b11 - field->b22) * x * y -
           field->b12 * (x * x - y * y);
}

/* Are mu and the upper triangle of W finite, mu >= 0? */
static int is_valid_slip(const double W[9], double mu) {
    double sum = W ? 0 : NAN;
    for (int i = 0; W && i < 3; i++) {
        for (int j = i; j < 3; j++) {
            sum += fabs(W[3 * i + j]);
        }
    }
    return mu >= 0 && isfinite(sum) && isfinite(mu * sum);
}

static Field field_of(const double W[9], double mu) {
    return (Field){.b11 = mu * W[0], .b12 = mu * W[1], .b22 = mu * W[4], .d1 = W[2], .d2 = W[5]};
}

/* Why is_valid_slip() refuses. */
static const char INVALID_SLIP[] = "W must be finite and not NULL, mu finite and >= 0";

/* Half way from a to b, counter-clockwise; the whole turn if they are the same. */
static void bisect(const double a[2], const double b[2], double middle[2]) {
    double turn = atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
    double half = (turn > 0 ? turn : turn + 2 * acos(-1)) / 2;
    middle[0] = cos(half) * a[0] - sin(half) * a[1];
    middle[1] = cos(half) * a[1] + sin(half) * a[0];
}

CaromStatus carom_invariant_directions(const double W[9], double mu, CaromInvariant invariants[4],
                                       int *count, const char **message) {
    double s[4][2];
    if (!invariants || !count) {
        return status_end("invariants and count must not be NULL", message);
    }
    for (int i = 0; i < 4; i++) {
        invariants[i] = (CaromInvariant){{NAN, NAN}, NAN, 0};
    }
    *count = 0;
    if (!is_valid_slip(W, mu)) {
        return status_end(INVALID_SLIP, message);
    }
    Field field = field_of(W, mu);
    int found = crm_invariants_find(field.b11, field.b12, field.b22, field.d1, field.d2, s);
    *count = found == 0 ? CAROM_ALL_DIRECTIONS : found;
    for (int i = 0; i < found; i++) {
        /* stable where g falls through 0; between zeros its sign is safe from rounding */
        double before[2], after[2];
        bisect(s[(i + found - 1) % found], s[i], before);
        bisect(s[i], s[(i + 1) % found], after);
        invariants[i] = (CaromInvariant){
            .direction = {s[i][0], s[i][1]},
            .rate = field_f(&field, s[i][0], s[i][1]),
            .stable = field_g(&field, before[0], before[1]) > 0 &&
                      field_g(&field, after[0], after[1]) < 0,
        };
    }
    return status_end(NULL, message);
}

double carom_stick_ratio(const double W[9]) {
    if (!is_valid_slip(W, 0)) {
        return NAN;
    }
    /* eliminate by the larger diagonal entry */
    int swap = W[4] > W[0];
    double a = swap ? W[4] : W[0], c = swap ? W[0] : W[4];
    double d1 = swap ? W[5] : W[2], d2 = swap ? W[2] : W[5];
    double factor = W[1] / a, pivot = c - factor * W[1];
    if (!(pivot > 2 * DBL_EPSILON * c)) {
        return NAN;
    }
    double x2 = (d2 - factor * d1) / pivot;
    double x1 = (d1 - W[1] * x2) / a;
    return hypot(x1, x2);
}

double carom_solvability_margin(const double W[9], double mu) {
    return is_valid_slip(W, mu) ? W[8] - mu * hypot(W[2], W[5]) : NAN;
}

/* A lower bound of the least eigenvalue, within some roundings of |W|. */
static double least_eigenvalue(const double W[9]) {
    double size = fabs(W[0]) + fabs(W[4]) + fabs(W[8]), A[9], Q[9], value[3];
    for (int i = 0; i < 9; i++) {
        A[i] = W[i % 3 < i / 3 ? 3 * (i % 3) + i / 3 : i] / size; /* the upper triangle counts */
    }
    crm_eigen_symmetric(3, A, Q, value);
    return (least_of(value[0], least_of(value[1], value[2])) - 16 * DBL_EPSILON) * size;
}

double carom_compression_bound(const double W[9], const double v[3], double mu) {
    if (!is_valid_slip(W, mu) || !v || !isfinite(v[0]) || !isfinite(v[1]) || !isfinite(v[2])) {
        return NAN;
    }
    double least = least_eigenvalue(W);
    double speed = mu * hypot(v[0], v[1]) - v[2];
    return least > 0 ? speed / least : INFINITY;
}

typedef enum { PAIR_NONE, PAIR_REAL, PAIR_COMPLEX } PairKind;

typedef struct {
    double zero[2], q[2]; /* the two zeros that are split off */
    double m, h;
    PairKind kind;
    double sigma, rho, centre;
    double xi;    /* real pair */
    double alpha; /* rho C, complex pair */
    double sum;   /* of the exponents of the pair */
    double split; /* real: (q3 - q4)/2 sin xi; complex: imaginary part of the upper exponent */
} Zeros;

static double half_turn(void) {
    return acos(-1);
}

/* The angle in [0, 2 pi). */
static double angle_wrap(double angle) {
    double turns = remainder(angle, 2 * half_turn());
    return turns < 0 ? turns + 2 * half_turn() : turns;
}

static double f_at(const Field *field, double theta) {
    return field_f(field, cos(theta), sin(theta));
}

static double g_between(const Field *field, double a, double b) {
    double middle = a + angle_wrap(b - a) / 2;
    return field_g(field, cos(middle), sin(middle));
}

/* Choose which zeros to split off and which to keep as a pair. */
static void zeros_choose(const Field *field, const double angle[4], int count, Zeros *zeros) {
    int first = 0; /* of the pair, counter-clockwise */
    if (count == 4) {
        for (int i = 1; i < 4; i++) {
            if (angle_wrap(angle[(i + 1) % 4] - angle[i]) <
                angle_wrap(angle[(first + 1) % 4] - angle[first])) {
                first = i;
            }
        }
    } else if (count == 3) {
        /* the double zero, where g keeps its sign */
        for (int i = 0; i < 3; i++) {
            double before = g_between(field, angle[(i + 2) % 3], angle[i]);
            double after = g_between(field, angle[i], angle[(i + 1) % 3]);
            first = before * after > 0 ? i : first;
        }
    }
    int size = count - 2; /* of the pair, in real zeros */
    zeros->zero[0] = angle[(first + size) % count];
    zeros->zero[1] = angle[(first + size + 1) % count];
    zeros->kind = size == 0 ? PAIR_COMPLEX : PAIR_REAL;
    zeros->xi = size == 2 ? angle_wrap(angle[(first + 1) % count] - angle[first]) / 2 : 0;
    zeros->centre = angle[first] + zeros->xi;
}

/* The factor Q that is left when two zeros are split off. */
static void zeros_deflate(const Field *field, Zeros *zeros) {
    double m = (zeros->zero[0] + zeros->zero[1]) / 2, h = (zeros->zero[1] - zeros->zero[0]) / 2;
    double e1 = (field->b11 - field->b22) / 2, e2 = field->b12;
    /* g = A1 cos + ... about m; Q = alpha + beta cos + kappa sin */
    double A1 = field->d2 * cos(m) - field->d1 * sin(m);
    double beta = -4 * (e1 * sin(2 * m) - e2 * cos(2 * m));
    double kappa = -4 * (e1 * cos(2 * m) + e2 * sin(2 * m));
    double alpha = beta * cos(h) - 2 * A1;
    zeros->m = m;
    zeros->h = h;
    zeros->rho = hypot(beta, kappa);
    if (zeros->kind == PAIR_REAL) {
        double there = zeros->centre - m;
        zeros->sigma = copysign(1, beta * cos(there) + kappa * sin(there));
        return;
    }
    /* a pair that is so far off contributes nothing, and 1/rho might overflow */
    if (!(zeros->rho > 1e-100 * fabs(alpha))) {
        zeros->kind = PAIR_NONE;
    }
    zeros->sigma = -copysign(1, alpha);
    zeros->centre = m + atan2(kappa, beta) + (alpha > 0 ? half_turn() : 0);
    /* no real pair was found: rounding must not say otherwise */
    zeros->alpha = fmax(fabs(alpha), (1 + DBL_EPSILON) * zeros->rho);
}

static double Q_at(const Zeros *zeros, double theta) {
    double y = theta - zeros->centre, rho = zeros->rho;
    if (zeros->kind == PAIR_REAL) {
        return -2 * zeros->sigma * rho * sin((y + zeros->xi) / 2) * sin((y - zeros->xi) / 2);
    }
    double sine = sin(y / 2);
    return -zeros->sigma * (zeros->alpha - rho + 2 * rho * sine * sine);
}

/* f/g' at the two ends of a real pair differ by `split` over sin xi. */
static double real_split(const Field *field, const Zeros *zeros) {
    double total = 0;
    for (int side = -1; side <= 1; side += 2) {
        double theta = zeros->centre + side * zeros->xi, phi = theta - zeros->m;
        double k = sin((phi + zeros->h) / 2) * sin((phi - zeros->h) / 2);
        total += f_at(field, theta) / k;
    }
    return total / (2 * zeros->sigma * zeros->rho);
}

/* Imaginary part of f/g' at theta = centre + i eta, where g' = -i sigma root k. */
static double complex_split(const Field *field, const Zeros *zeros) {
    double root = sqrt((zeros->alpha - zeros->rho) * (zeros->alpha + zeros->rho));
    double cosh = zeros->alpha / zeros->rho, sinh = root / zeros->rho; /* of eta */
    double e1 = (field->b11 - field->b22) / 2, e2 = field->b12,
           mean = (field->b11 + field->b22) / 2;
    /* f = d1 cos + d2 sin - mean - e1 cos 2theta - e2 sin 2theta, and k = (cos h - cos(theta -
     * m))/2 */
    double c = cos(zeros->centre), s = sin(zeros->centre), c2 = c * c - s * s, s2 = 2 * c * s;
    double cosh2 = cosh * cosh + sinh * sinh, sinh2 = 2 * cosh * sinh, y = zeros->centre - zeros->m;
    double f_re = (field->d1 * c + field->d2 * s) * cosh - mean - (e1 * c2 + e2 * s2) * cosh2;
    double f_im = (field->d2 * c - field->d1 * s) * sinh + (e1 * s2 - e2 * c2) * sinh2;
    double k_re = (cos(zeros->h) - cos(y) * cosh) / 2, k_im = sin(y) * sinh / 2;
    return (f_re * k_re + f_im * k_im) / (k_re * k_re + k_im * k_im) / (zeros->sigma * root);
}

static void find_exponents(const Field *field, Zeros *zeros) {
    for (int i = 0; i < 2; i++) {
        double slope = (i ? 0.5 : -0.5) * sin(zeros->h) * Q_at(zeros, zeros->zero[i]);
        zeros->q[i] = f_at(field, zeros->zero[i]) / slope;
    }
    zeros->sum = -2 - zeros->q[0] - zeros->q[1];
    zeros->split = zeros->kind == PAIR_REAL      ? real_split(field, zeros)
                   : zeros->kind == PAIR_COMPLEX ? complex_split(field, zeros)
                                                 : 0;
}

/* log |sin((to - zero)/2)/sin((from - zero)/2)| */
static double log_sines(double zero, double from, double to) {
    return log(fabs(sin((to - zero) / 2) / sin((from - zero) / 2)));
}

static double real_pair(const Zeros *zeros, double from, double to) {
    double third = zeros->centre - zeros->xi, fourth = zeros->centre + zeros->xi;
    double sine = sin(zeros->xi);
    double l3 = log_sines(third, from, to), l4 = log_sines(fourth, from, to);
    /* (l3 - l4)/sin xi, by log1p while the difference is small */
    double ratio = sin((to - from) / 2) / (sin((from - third) / 2) * sin((to - fourth) / 2));
    double x = -sine * ratio, difference;
    if (sine == 0) {
        difference = -ratio;
    } else {
        difference = (fabs(x) < 0.5 ? log1p(x) : l3 - l4) / sine;
    }
    return zeros->sum / 2 * (l3 + l4) + zeros->split * difference;
}

static double complex_pair(const Zeros *zeros, double from, double to) {
    double y0 = from - zeros->centre, y = to - zeros->centre;
    double low = zeros->alpha - zeros->rho, high = zeros->alpha + zeros->rho;
    double tau = sqrt(low / high); /* tanh(eta/2) */
    double turned = 2 * atan2(tau * sin((y - y0) / 2),
                              tau * tau * cos(y / 2) * cos(y0 / 2) + sin(y / 2) * sin(y0 / 2));
    return zeros->sum / 2 * log(Q_at(zeros, to) / Q_at(zeros, from)) - zeros->split * turned;
}

/* The turn from `from` to `to` that crosses no zero; NaN if both cross one, or `from` is one. */
static double turn_between(const double angle[4], int count, double from, double to) {
    double up = 2 * half_turn(), down = 2 * half_turn();
    for (int i = 0; i < count; i++) {
        up = fmin(up, angle_wrap(angle[i] - from));
        down = fmin(down, angle_wrap(from - angle[i]));
    }
    const double on_zero = 8 * DBL_EPSILON;
    double turn = remainder(to - from, 2 * half_turn());
    if (up < on_zero || down < on_zero) {
        return NAN;
    }
    if (turn < up && turn > -down) {
        return turn;
    }
    turn -= copysign(2 * half_turn(), turn);
    return turn < up && turn > -down ? turn : NAN;
}

/* *log_ratio = log r(to)/r(from) along the hodograph between two directions, as angles. Returns 0
 * if an invariant direction lies between them both ways round, or `from` is one to rounding. */
static int log_speed_ratio(const Field *field, double from, double to, double *log_ratio) {
    double s[4][2], angle[4];
    int count = crm_invariants_find(field->b11, field->b12, field->b22, field->d1, field->d2, s);
    for (int i = 0; i < count; i++) {
        angle[i] = atan2(s[i][1], s[i][0]);
    }
    double turn = count > 0 ? turn_between(angle, count, from, to) : NAN;
    if (isnan(turn)) {
        return 0;
    }
    Zeros zeros = {0};
    zeros_choose(field, angle, count, &zeros);
    zeros_deflate(field, &zeros);
    find_exponents(field, &zeros);
    to = from + turn;
    *log_ratio = zeros.q[0] * log_sines(zeros.zero[0], from, to) +
                 zeros.q[1] * log_sines(zeros.zero[1], from, to);
    if (zeros.kind == PAIR_REAL) {
        *log_ratio += real_pair(&zeros, from, to);
    } else if (zeros.kind == PAIR_COMPLEX) {
        *log_ratio += complex_pair(&zeros, from, to);
    }
    return 1;
}

CaromStatus carom_hodograph_speed(const double W[9], double mu, const double gamma[2], double theta,
                                  double *r, const char **message) {
    if (!gamma || !r) {
        array_fill_nan(r, 1);
        return status_end("gamma and r must not be NULL", message);
    }
    *r = NAN;
    double speed = hypot(gamma[0], gamma[1]);
    if (!is_valid_slip(W, mu)) {
        return status_end(INVALID_SLIP, message);
    }
    if (!isfinite(theta) || !isfinite(speed) || speed == 0) {
        return status_end("gamma must be finite and not zero, theta finite", message);
    }
    Field field = field_of(W, mu);
    double from = atan2(gamma[1], gamma[0]), log_ratio;
    if (!log_speed_ratio(&field, from, theta, &log_ratio)) {
        return status_end("theta lies beyond an invariant direction, or gamma on one", message);
    }
    *r = speed * exp(log_ratio);
    return status_end(NULL, message);
}
