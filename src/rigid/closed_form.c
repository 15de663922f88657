/* d(log r)/dtheta = f/g in closed form.
 *
 * g is a trigonometric polynomial of degree 2 without constant term, with zeros theta_k (two of
 * them may be complex), so f/g = sum_k (q_k/2) cot((theta - theta_k)/2), q_k = f/g' at theta_k,
 * sum_k q_k = -2, and r = C prod_k |sin((theta - theta_k)/2)|^q_k. With t = tan(theta/2) that is
 * r = C (1 + t^2) prod_k |t - t_k|^q_k.
 *
 * Two real zeros m -+ h are split off,
 *   g = 1/2 (cos h - cos(theta - m)) Q,   Q = sigma rho (cos y - C),   y = theta - centre,
 * and the other two are kept together as a pair: real at y = -+xi (C = cos xi; xi = 0 if double) or
 * complex at y = -+i eta (C = cosh eta). The exponents of a pair grow like 1/xi or 1/eta as it
 * closes; their sum does not, nor does what they contribute, which is evaluated as one. */
#include "rigid/closed_form.h"

#include <complex.h>
#include <float.h>
#include <math.h>

#include "rigid/invariants.h"

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

static double pi(void) {
    return acos(-1);
}

/* The angle in [0, 2 pi). */
static double wrap(double angle) {
    double turns = remainder(angle, 2 * pi());
    return turns < 0 ? turns + 2 * pi() : turns;
}

static double f_at(const Field *field, double theta) {
    return field_f(field, cos(theta), sin(theta));
}

static double g_between(const Field *field, double a, double b) {
    double middle = a + wrap(b - a) / 2;
    return field_g(field, cos(middle), sin(middle));
}

/* Choose which zeros to split off and which to keep as a pair. */
static void choose(const Field *field, const double angle[4], int count, Zeros *zeros) {
    int first = 0; /* of the pair, counter-clockwise */
    if (count == 4) {
        for (int i = 1; i < 4; i++) {
            if (wrap(angle[(i + 1) % 4] - angle[i]) < wrap(angle[(first + 1) % 4] - angle[first])) {
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
    zeros->xi = size == 2 ? wrap(angle[(first + 1) % count] - angle[first]) / 2 : 0;
    zeros->centre = angle[first] + zeros->xi;
}

/* The factor Q that is left when two zeros are split off. */
static void deflate(const Field *field, Zeros *zeros) {
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
    zeros->centre = m + atan2(kappa, beta) + (alpha > 0 ? pi() : 0);
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

/* Imaginary part of f/g' at centre + i eta. */
static double complex_split(const Field *field, const Zeros *zeros) {
    double root = sqrt((zeros->alpha - zeros->rho) * (zeros->alpha + zeros->rho));
    double eta = log((zeros->alpha + root) / zeros->rho);
    double complex theta = zeros->centre + I * eta;
    double complex c = ccos(theta), s = csin(theta);
    double complex f = c * (field->d1 - field->b11 * c - field->b12 * s) +
                       s * (field->d2 - field->b12 * c - field->b22 * s);
    double complex k = (cos(zeros->h) - ccos(theta - zeros->m)) / 2;
    return cimag(f / (k * (-I * zeros->sigma * root)));
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

/* The way from `from` to `to` that crosses no zero; NaN if both cross one, or `from` is one. */
static double way(const double angle[4], int count, double from, double to) {
    double up = 2 * pi(), down = 2 * pi();
    for (int i = 0; i < count; i++) {
        up = fmin(up, wrap(angle[i] - from));
        down = fmin(down, wrap(from - angle[i]));
    }
    const double on_zero = 8 * DBL_EPSILON;
    double turn = remainder(to - from, 2 * pi());
    if (up < on_zero || down < on_zero) {
        return NAN;
    }
    if (turn < up && turn > -down) {
        return turn;
    }
    turn -= copysign(2 * pi(), turn);
    return turn < up && turn > -down ? turn : NAN;
}

int closed_form_log_speed(const Field *field, double from, double to, double *log_ratio) {
    double s[4][2], angle[4];
    int count = invariants_find(field->b11, field->b12, field->b22, field->d1, field->d2, s);
    for (int i = 0; i < count; i++) {
        angle[i] = atan2(s[i][1], s[i][0]);
    }
    double turn = count > 0 ? way(angle, count, from, to) : NAN;
    if (isnan(turn)) {
        return 0;
    }
    Zeros zeros;
    choose(field, angle, count, &zeros);
    deflate(field, &zeros);
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
