/* Taylor series of a slip that turns.
 *
 * The start of an impact, M = 0, is a regular point (all are even in time): M omega = g (...) gives
 * every coefficient of omega by a division that cannot fail, because V pulls z towards itself. */
#include "compliant/curved.h"

#include <math.h>

/* What is left of p, relative, below which the end is stretched. */
static const double CLOSING = 0.2;

static void set_u(Curve *curve, int n, Pair u) {
    curve->u[n] = u;
    curve->ux[n] = both(u[0]);
    curve->uy[n] = both(u[1]);
}

static void set_omega(Curve *curve, int n, double omega) {
    curve->omega[n] = both(omega);
    curve->omega_chi[n][0] = omega;
}

/* Coefficient n of the products, with omega[n] = 0 as long as it is not known. */
typedef struct Products {
    Pair slide; /* V.u and V_y u_x - V_x u_y */
    Pair turn;  /* omega u_perp */
    Pair fall;  /* omega M and chi v_n */
} Products;

static Products products(const Curve *curve, int n) {
    Pair with_x = {0, 0}, with_y = {0, 0}, turn = {0, 0}, fall = {0, 0};
    for (int j = 0; j <= n; j++) {
        Pair V = curve->V[j];
        with_x += V * curve->ux[n - j];
        with_y += V * curve->uy[n - j];
        turn += curve->omega[j] * curve->u[n - j];
        fall += curve->omega_chi[j] * curve->fall[n - j];
    }
    return (Products){{with_x[0] + with_y[1], with_x[1] - with_y[0]}, perp(turn), fall};
}

/* Normal impulse that is still to come in restitution, about. */
static double impulse_left(const Process *process) {
    double vn = process->now.vn, E = slip_energy(process), rise = slip_rise(process, process->s);
    double square = vn * vn + 2 * E * most_of(rise, 0);
    /* where v_n hardly rises nothing is known about the end */
    return process->restitution && vn >= 0
               ? least_of(2 * E / (vn + sqrt(square)), 1 + process->now.p)
               : 1;
}

void crm_curved_begin(Curve *curve, const Process *process) {
    const Moment *now = &process->now;
    curve->left = impulse_left(process);
    int closing = process->restitution && curve->left < CLOSING * now->p;
    curve->process = process;
    curve->closing = closing;
    curve->chi0 = closing ? curve->left : 1;
    curve->V[0] = (Pair){now->V[0], now->V[1]};
    set_u(curve, 0, (Pair){process->s[0], process->s[1]} * both(curve->chi0));
    curve->fall[0] = (Pair){now->N * now->N, now->vn};
}

/* V, v_n and M of the next order. */
static void push_on(Curve *curve, int n, double chi_vn) {
    const Process *process = curve->process;
    const Slide *slide = &process->slide;
    const double *B = slide->B, *b = slide->b, mu = process->mu;
    double over = RECIPROCAL[n + 1], chi = curve->omega_chi[n][1];
    Pair u = curve->u[n];
    curve->V[n + 1] = (Pair){chi * slide->a[0] - mu * (B[0] * u[0] + B[1] * u[1]),
                             chi * slide->a[1] - mu * (B[1] * u[0] + B[2] * u[1])} *
                      both(over);
    curve->fall[n + 1] =
        (Pair){-2 * slide->k * chi_vn, chi * slide->b0 - mu * (b[0] * u[0] + b[1] * u[1])} *
        both(over);
}

static void build(Curve *curve) {
    const Process *process = curve->process;
    double g = 1 / (process->mu * process->eta2), stiff = slip_stiff(process);
    double over_M = 1 / curve->fall[0][0], before = 0;
    /* with tau = 1 - r x: tau chi' = -c chi, and tau omega stands for omega */
    double r = curve->closing ? 1.0 / CLOSE : 0, c = curve->closing ? 1 - r : 0;
    for (int n = 0;; n++) {
        Products at = products(curve, n);
        curve->slide[n] = at.slide[0] + stiff * at.fall[1];
        if (n == curve->order) {
            return;
        }
        double omega = (g * (at.slide[1] - r * before) - at.fall[0]) * over_M;
        before = at.slide[1];
        set_omega(curve, n, omega);
        Pair turn = at.turn + both(omega) * perp(curve->u[0]);
        set_u(curve, n + 1, (turn + both(n * r - c) * curve->u[n]) * both(RECIPROCAL[n + 1]));
        push_on(curve, n, at.fall[1]);
    }
}

/* The same from M = 0, with V along z; in p. */
static void build_start(Curve *curve) {
    const Process *process = curve->process;
    double g = 1 / (process->mu * process->eta2), stiff = slip_stiff(process);
    double speed = norm2(process->now.V);
    Products at = products(curve, 0);
    curve->slide[0] = at.slide[0] + stiff * at.fall[1];
    for (int n = 0; n < curve->order; n++) {
        double over = RECIPROCAL[n + 1];
        push_on(curve, n, at.fall[1]);
        /* the next order without omega[n] first: it enters V_y u_x - V_x u_y through u[n + 1] */
        set_u(curve, n + 1, at.turn * both(over));
        at = products(curve, n + 1);
        double omega = (g * at.slide[1] - at.fall[0]) / (curve->fall[1][0] + g * speed * over);
        Pair more = both(omega) * perp(curve->u[0]);
        set_omega(curve, n, omega);
        set_u(curve, n + 1, curve->u[n + 1] + more * both(over));
        curve->slide[n + 1] = at.slide[0] + stiff * at.fall[1];
        /* what omega[n] adds to omega u_perp: with u[1], and through u[n + 1] with omega[0] */
        at.turn += both(omega) * perp(curve->u[1]);
        if (n > 0) {
            at.turn += curve->omega[0] * perp(more) * both(over);
        }
    }
}

/* Size of the terms of order n, each relative to what it may be wrong by. */
static double term_size(const Curve *curve, int n) {
    double left = curve->left;
    Pair u = curve->u[n], V = curve->V[n], fall = curve->fall[n];
    double speed = curve->process->speed + 1, M = curve->fall[0][0];
    double turn = (fabs(u[0]) + fabs(u[1])) * curve->process->mu * (left / curve->chi0);
    double slide = (fabs(V[0]) + fabs(V[1]) + fabs(fall[1])) / speed;
    double force = fabs(fall[0]) * (M > 0 ? left / M : 1);
    double friction = curve->process->mu * fabs(curve->slide[n]);
    return most_of(most_of(turn, friction), most_of(slide, force));
}

/* The step at which the last two terms fall below CURVE_CUT. */
static double choose_step(const Curve *curve) {
    int n = curve->order;
    double last = term_size(curve, n), before = term_size(curve, n - 1);
    double a = log(CURVE_CUT / last) * RECIPROCAL[n],
           b = log(CURVE_CUT / before) * RECIPROCAL[n - 1];
    return exp(least_of(a, b));
}

double crm_curved_pull(const Curve *curve) {
    const Process *process = curve->process;
    return curve->chi0 * dot2(process->now.V, process->s) /
           (process->mu * process->eta2 * curve->fall[0][0]);
}

double crm_curved_series(Curve *curve) {
    double chi = curve->chi0;
    curve->order = CURVE_ORDER;
    for (int n = 0; n <= curve->order; n++) {
        curve->omega[n] = both(0);
        curve->omega_chi[n] = (Pair){0, chi};
        chi *= curve->closing ? (n + 1 - CLOSE) * RECIPROCAL[n + 1] / CLOSE : 0;
    }
    if (!(curve->fall[0][0] > 0)) {
        build_start(curve);
        return choose_step(curve);
    }
    build(curve);
    double pull = crm_curved_pull(curve), x = choose_step(curve);
    if (curve->process->restitution) {
        /* M must not pass through 0 */
        x = least_of(x, curve->closing ? 0.9 * CLOSE : 0.7 * curve->left);
    }
    /* beyond this the terms of a fast pull grow before they fall, and rounding with them */
    return pull > 0 ? least_of(x, curve->order / (3 * pull)) : x;
}
