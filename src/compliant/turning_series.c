/* Taylor series of a slip that turns.
 *
 * The start of an impact, M = 0, is a regular point (all are even in time): M omega = g (...) gives
 * every coefficient of omega by a division that cannot fail, because V pulls z towards itself. */
#include "compliant/turning_series.h"

#include "math/functions.h"

/* What is left of p, relative, below which the end is stretched. */
static const double TURNING_CLOSING = 0.2;

static void set_u(TurningPiece *piece, int n, Pair u) {
    piece->u[n] = u;
    piece->ux[n] = both(LANE(u, 0));
    piece->uy[n] = both(LANE(u, 1));
}

static void set_omega(TurningPiece *piece, int n, double omega) {
    piece->omega[n] = both(omega);
    LANE(piece->omega_chi[n], 0) = omega;
}

/* Coefficient n of the products, with omega[n] = 0 as long as it is not known. */
typedef struct Products {
    Pair slide; /* V.u and V_y u_x - V_x u_y */
    Pair turn;  /* omega u_perp */
    Pair fall;  /* omega M and chi v_n */
} Products;

static Products products(const TurningPiece *piece, int n) {
    Pair with_x = pair_make(0, 0), with_y = pair_make(0, 0), turn = pair_make(0, 0),
         fall = pair_make(0, 0);
    for (int j = 0; j <= n; j++) {
        Pair V = piece->V[j];
        with_x = pair_join(V, piece->ux[n - j], with_x);
        with_y = pair_join(V, piece->uy[n - j], with_y);
        turn = pair_join(piece->omega[j], piece->u[n - j], turn);
        fall = pair_join(piece->omega_chi[j], piece->fall[n - j], fall);
    }
    return (Products){
        pair_make(LANE(with_x, 0) + LANE(with_y, 1), LANE(with_x, 1) - LANE(with_y, 0)), perp(turn),
        fall};
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

void crm_turning_series_begin(TurningPiece *piece, const Process *process) {
    const Moment *now = &process->now;
    piece->left = impulse_left(process);
    int closing = process->restitution && piece->left < TURNING_CLOSING * now->p;
    piece->process = process;
    piece->closing = closing;
    piece->chi0 = closing ? piece->left : 1;
    piece->V[0] = pair_make(now->V[0], now->V[1]);
    set_u(piece, 0, pair_times(pair_make(process->s[0], process->s[1]), both(piece->chi0)));
    piece->fall[0] = pair_make(now->N * now->N, now->vn);
}

/* V, v_n and M of the next order. */
static void push_on(TurningPiece *piece, int n, double chi_vn) {
    const Process *process = piece->process;
    const Slide *slide = &process->slide;
    const double *B = slide->B, *b = slide->b, mu = process->mu;
    double over = RECIPROCAL[n + 1], chi = LANE(piece->omega_chi[n], 1);
    Pair u = piece->u[n];
    piece->V[n + 1] =
        pair_times(pair_make(chi * slide->a[0] - mu * (B[0] * LANE(u, 0) + B[1] * LANE(u, 1)),
                             chi * slide->a[1] - mu * (B[1] * LANE(u, 0) + B[2] * LANE(u, 1))),
                   both(over));
    piece->fall[n + 1] =
        pair_times(pair_make(-2 * slide->k * chi_vn,
                             chi * slide->b0 - mu * (b[0] * LANE(u, 0) + b[1] * LANE(u, 1))),
                   both(over));
}

static void build_series(TurningPiece *piece) {
    const Process *process = piece->process;
    double g = 1 / (process->mu * process->eta2), stiff = slip_stiff(process);
    double over_M = 1 / LANE(piece->fall[0], 0), before = 0;
    /* with tau = 1 - r x: tau chi' = -c chi, and tau omega stands for omega */
    double r = piece->closing ? 1.0 / TURNING_ROOT : 0, c = piece->closing ? 1 - r : 0;
    for (int n = 0;; n++) {
        Products at = products(piece, n);
        piece->slide[n] = LANE(at.slide, 0) + stiff * LANE(at.fall, 1);
        if (n == piece->order) {
            return;
        }
        double omega = (g * (LANE(at.slide, 1) - r * before) - LANE(at.fall, 0)) * over_M;
        before = LANE(at.slide, 1);
        set_omega(piece, n, omega);
        Pair turn = pair_join(both(omega), perp(piece->u[0]), at.turn);
        set_u(piece, n + 1,
              pair_times(pair_join(both(n * r - c), piece->u[n], turn), both(RECIPROCAL[n + 1])));
        push_on(piece, n, LANE(at.fall, 1));
    }
}

/* The same from M = 0, with V along z; in p. */
static void build_start(TurningPiece *piece) {
    const Process *process = piece->process;
    double g = 1 / (process->mu * process->eta2), stiff = slip_stiff(process);
    double speed = norm2(process->now.V);
    Products at = products(piece, 0);
    piece->slide[0] = LANE(at.slide, 0) + stiff * LANE(at.fall, 1);
    for (int n = 0; n < piece->order; n++) {
        double over = RECIPROCAL[n + 1];
        push_on(piece, n, LANE(at.fall, 1));
        /* the next order without omega[n] first: it enters V_y u_x - V_x u_y through u[n + 1] */
        set_u(piece, n + 1, pair_times(at.turn, both(over)));
        at = products(piece, n + 1);
        double omega = (g * LANE(at.slide, 1) - LANE(at.fall, 0)) /
                       (LANE(piece->fall[1], 0) + g * speed * over);
        Pair more = pair_times(both(omega), perp(piece->u[0]));
        set_omega(piece, n, omega);
        set_u(piece, n + 1, pair_join(more, both(over), piece->u[n + 1]));
        piece->slide[n + 1] = LANE(at.slide, 0) + stiff * LANE(at.fall, 1);
        /* what omega[n] adds to omega u_perp: with u[1], and through u[n + 1] with omega[0] */
        at.turn = pair_join(both(omega), perp(piece->u[1]), at.turn);
        if (n > 0) {
            at.turn = pair_join(pair_times(piece->omega[0], perp(more)), both(over), at.turn);
        }
    }
}

/* Size of the terms of order n, each relative to what it may be wrong by. */
static double series_term_size(const TurningPiece *piece, int n) {
    double left = piece->left;
    Pair u = piece->u[n], V = piece->V[n], fall = piece->fall[n];
    double speed = piece->process->speed + 1, M = LANE(piece->fall[0], 0);
    double turn = (fabs(LANE(u, 0)) + fabs(LANE(u, 1))) * piece->process->mu * (left / piece->chi0);
    double slide = (fabs(LANE(V, 0)) + fabs(LANE(V, 1)) + fabs(LANE(fall, 1))) / speed;
    double force = fabs(LANE(fall, 0)) * (M > 0 ? left / M : 1);
    double friction = piece->process->mu * fabs(piece->slide[n]);
    return most_of(most_of(turn, friction), most_of(slide, force));
}

/* The step at which the last two terms fall below TURNING_CUT. */
static double choose_step(const TurningPiece *piece) {
    int n = piece->order;
    double last = series_term_size(piece, n), before = series_term_size(piece, n - 1);
    double a = log(TURNING_CUT / last) * RECIPROCAL[n],
           b = log(TURNING_CUT / before) * RECIPROCAL[n - 1];
    return exp(least_of(a, b));
}

double crm_turning_series_pull(const TurningPiece *piece) {
    const Process *process = piece->process;
    return piece->chi0 * dot2(process->now.V, process->s) /
           (process->mu * process->eta2 * LANE(piece->fall[0], 0));
}

double crm_turning_series(TurningPiece *piece) {
    double chi = piece->chi0;
    piece->order = TURNING_ORDER;
    for (int n = 0; n <= piece->order; n++) {
        piece->omega[n] = both(0);
        piece->omega_chi[n] = pair_make(0, chi);
        chi *= piece->closing ? (n + 1 - TURNING_ROOT) * RECIPROCAL[n + 1] / TURNING_ROOT : 0;
    }
    if (!(LANE(piece->fall[0], 0) > 0)) {
        build_start(piece);
        return choose_step(piece);
    }
    build_series(piece);
    double pull = crm_turning_series_pull(piece), x = choose_step(piece);
    if (piece->process->restitution) {
        /* M must not pass through 0 */
        x = least_of(x, piece->closing ? 0.9 * TURNING_ROOT : 0.7 * piece->left);
    }
    /* beyond this the terms of a fast pull grow before they fall, and rounding with them */
    return pull > 0 ? least_of(x, piece->order / (3 * pull)) : x;
}
