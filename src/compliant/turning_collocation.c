/* Collocation of a slip that turns, where its direction is pulled towards V faster than series can
 * follow: stiff along the surface, |V| >> mu eta^2.
 *
 * The angle alpha of z from where it is now is a polynomial that satisfies its equation at Radau's
 * nodes; V, v_n and M follow from z by integrals. Newton's method solves for alpha at the nodes,
 * with the derivatives of V but not of M in its matrix. As h times the pull goes to infinity the
 * solution goes to the slow one, z along V: the pull puts no bound on h. */
#include "compliant/turning_collocation.h"

#include "compliant/radau.h"
#include "math/functions.h"

enum { MAX_NEWTON = 12 };

typedef struct Stage {
    double x, chi;
    double u[2], V[2], vn, M, omega;
} Stage;

typedef struct Collocation {
    const TurningPiece *piece;
    double h, g;
    double alpha[STAGES];
    Stage stage[STAGES];
} Collocation;

/* All stages from the angles; 0 if M does not stay positive. */
static int evaluate_stages(Collocation *problem) {
    const TurningPiece *piece = problem->piece;
    const Process *process = piece->process;
    const Slide *slide = &process->slide;
    const double *B = slide->B, *a = slide->a, mu = process->mu, *z = process->s;
    double h = problem->h;
    Stage *stage = problem->stage;
    for (int i = 0; i < STAGES; i++) {
        double c = cos(problem->alpha[i]), s = sin(problem->alpha[i]), chi = stage[i].chi;
        stage[i].u[0] = chi * (c * z[0] - s * z[1]);
        stage[i].u[1] = chi * (c * z[1] + s * z[0]);
    }
    for (int i = 0; i < STAGES; i++) {
        double U[2] = {0, 0}, P = 0;
        for (int j = 0; j < STAGES; j++) {
            U[0] += INTEGRAL[i][j] * stage[j].u[0];
            U[1] += INTEGRAL[i][j] * stage[j].u[1];
            P += INTEGRAL[i][j] * stage[j].chi;
        }
        stage[i].V[0] = process->now.V[0] + h * (a[0] * P - mu * (B[0] * U[0] + B[1] * U[1]));
        stage[i].V[1] = process->now.V[1] + h * (a[1] * P - mu * (B[1] * U[0] + B[2] * U[1]));
        stage[i].vn = process->now.vn + h * (slide->b0 * P - mu * dot2(slide->b, U));
    }
    for (int i = 0; i < STAGES; i++) {
        double fall = 0;
        for (int j = 0; j < STAGES; j++) {
            fall += INTEGRAL[i][j] * stage[j].chi * stage[j].vn;
        }
        stage[i].M = process->now.N * process->now.N - 2 * slide->k * h * fall;
        if (!(stage[i].M > 0)) {
            return 0;
        }
        stage[i].omega = -problem->g * cross2(stage[i].V, stage[i].u) / stage[i].M;
    }
    return 1;
}

/* d omega_i / d alpha_j. */
static void find_slopes(const Collocation *problem, double K[STAGES][STAGES]) {
    const Process *process = problem->piece->process;
    const double *B = process->slide.B, mu = process->mu;
    for (int i = 0; i < STAGES; i++) {
        const Stage *at = &problem->stage[i];
        double factor = problem->g / at->M;
        for (int j = 0; j < STAGES; j++) {
            const double *u = problem->stage[j].u, turned[2] = {-u[1], u[0]};
            double push[2] = {B[0] * turned[0] + B[1] * turned[1],
                              B[1] * turned[0] + B[2] * turned[1]};
            K[i][j] = factor * mu * problem->h * INTEGRAL[i][j] * cross2(push, at->u);
        }
        K[i][i] -= factor * dot2(at->V, at->u);
    }
}

/* Solve G x = r by elimination with row exchanges; x comes in r. */
static void solve_linear(double G[STAGES][STAGES], double r[STAGES]) {
    for (int k = 0; k < STAGES; k++) {
        int best = k;
        for (int i = k + 1; i < STAGES; i++) {
            best = fabs(G[i][k]) > fabs(G[best][k]) ? i : best;
        }
        for (int j = k; j < STAGES; j++) {
            double swap = G[k][j];
            G[k][j] = G[best][j];
            G[best][j] = swap;
        }
        double swap = r[k];
        r[k] = r[best];
        r[best] = swap;
        for (int i = k + 1; i < STAGES; i++) {
            double factor = G[i][k] / G[k][k];
            for (int j = k + 1; j < STAGES; j++) {
                G[i][j] -= factor * G[k][j];
            }
            r[i] -= factor * r[k];
        }
    }
    for (int k = STAGES - 1; k >= 0; k--) {
        for (int j = k + 1; j < STAGES; j++) {
            r[k] -= G[k][j] * r[j];
        }
        r[k] /= G[k][k];
    }
}

/* One step of Newton's method; the largest change of an angle. */
static double improve(Collocation *problem) {
    double K[STAGES][STAGES], G[STAGES][STAGES], r[STAGES], largest = 0;
    find_slopes(problem, K);
    for (int i = 0; i < STAGES; i++) {
        r[i] = -problem->alpha[i];
        for (int j = 0; j < STAGES; j++) {
            r[i] += problem->h * INTEGRAL[i][j] * problem->stage[j].omega;
            double sum = 0;
            for (int m = 0; m < STAGES; m++) {
                sum += INTEGRAL[i][m] * K[m][j];
            }
            G[i][j] = (i == j) - problem->h * sum;
        }
    }
    solve_linear(G, r);
    for (int i = 0; i < STAGES; i++) {
        problem->alpha[i] += r[i];
        largest = most_of(largest, fabs(r[i]));
    }
    return largest;
}

static int converge(Collocation *problem) {
    double before = INFINITY;
    for (int i = 0; i < MAX_NEWTON; i++) {
        if (!evaluate_stages(problem)) {
            return 0;
        }
        double change = improve(problem);
        if (!(change < 3)) {
            return 0;
        }
        if (change < 1e-15 || (change < 1e-11 && change > before / 4)) {
            return evaluate_stages(problem);
        }
        before = change;
    }
    return 0;
}

/* Coefficients of x^n from the values at the nodes. */
static void interpolate(TurningPiece *piece, const Collocation *problem) {
    const Process *process = piece->process;
    const Slide *slide = &process->slide;
    const double *B = slide->B, *a = slide->a, mu = process->mu;
    double stiff = slip_stiff(process), power = 1;
    for (int n = 0; n < STAGES; n++) {
        double u[2] = {0, 0}, chi = 0, fall = 0, sliding = 0;
        for (int j = 0; j < STAGES; j++) {
            const Stage *at = &problem->stage[j];
            double basis = BASIS[j][n] * power;
            u[0] += basis * at->u[0];
            u[1] += basis * at->u[1];
            chi += basis * at->chi;
            fall += basis * at->chi * at->vn;
            sliding += basis * (dot2(at->V, at->u) + stiff * at->chi * at->vn);
        }
        double over = RECIPROCAL[n + 1];
        piece->u[n] = pair_make(u[0], u[1]);
        piece->slide[n] = sliding;
        piece->omega_chi[n] = pair_make(0, chi);
        piece->V[n + 1] = pair_times(pair_make(chi * a[0] - mu * (B[0] * u[0] + B[1] * u[1]),
                                               chi * a[1] - mu * (B[1] * u[0] + B[2] * u[1])),
                                     both(over));
        piece->fall[n + 1] = pair_times(
            pair_make(-2 * slide->k * fall, chi * slide->b0 - mu * dot2(slide->b, u)), both(over));
        power /= problem->h;
    }
    piece->order = STAGES;
    piece->u[STAGES] = both(0);
    piece->slide[STAGES] = 0;
    piece->omega_chi[STAGES] = both(0);
}

/* By how much the direction misses its equation between the nodes, as an error of its angle. */
static double defect(const Collocation *problem, int check) {
    const TurningPiece *piece = problem->piece;
    const Process *process = piece->process;
    const Slide *slide = &process->slide;
    const double *B = slide->B, *a = slide->a, mu = process->mu, *z = process->s;
    double h = problem->h, alpha = 0, omega = 0, U[2] = {0, 0}, P = 0, fall = 0;
    for (int j = 0; j < STAGES; j++) {
        const Stage *at = &problem->stage[j];
        double weight = h * CHECK_INTEGRAL[check][j];
        omega += CHECK_VALUE[check][j] * at->omega;
        /* not from omega: a fast pull magnifies its rounding */
        alpha += CHECK_VALUE[check][j] * (CHECK_AT[check] / NODE[j]) * problem->alpha[j];
        U[0] += weight * at->u[0];
        U[1] += weight * at->u[1];
        P += weight * at->chi;
        fall += weight * at->chi * at->vn;
    }
    double V[2] = {process->now.V[0] + a[0] * P - mu * (B[0] * U[0] + B[1] * U[1]),
                   process->now.V[1] + a[1] * P - mu * (B[1] * U[0] + B[2] * U[1])};
    double M = process->now.N * process->now.N - 2 * slide->k * fall;
    double chi = turning_chi(piece, h * CHECK_AT[check]);
    double u[2] = {chi * (cos(alpha) * z[0] - sin(alpha) * z[1]),
                   chi * (cos(alpha) * z[1] + sin(alpha) * z[0])};
    double wanted = -problem->g * cross2(V, u) / M, pull = problem->g * fabs(dot2(V, u)) / M;
    return fabs(omega - wanted) / (1 / h + pull);
}

static void finish_collocation(const Collocation *problem, Moment *end, double *friction) {
    const TurningPiece *piece = problem->piece;
    const Process *process = piece->process;
    const Stage *last = &problem->stage[STAGES - 1];
    double mu = process->mu, stiff = slip_stiff(process), h = problem->h;
    *end = process->now;
    *friction = 0;
    for (int j = 0; j < STAGES; j++) {
        const Stage *at = &problem->stage[j];
        double weight = h * INTEGRAL[STAGES - 1][j];
        end->p += weight * (process->latched ? mu * dot2(process->d, at->u) : at->chi);
        end->J[0] -= mu * weight * at->u[0];
        end->J[1] -= mu * weight * at->u[1];
        *friction += mu * weight * (dot2(at->V, at->u) + stiff * at->chi * at->vn);
    }
    end->N = sqrt(last->M);
    end->vn = last->vn;
    for (int j = 0; j < 2; j++) {
        end->V[j] = last->V[j];
        end->f[j] = mu * end->N * last->u[j] / last->chi;
    }
}

double crm_turning_collocate(TurningPiece *piece, double h, Moment *end, double *friction) {
    const Process *process = piece->process;
    Collocation problem = {.piece = piece, .h = h, .g = 1 / (process->mu * process->eta2)};
    for (int i = 0; i < STAGES; i++) {
        problem.stage[i].x = h * NODE[i];
        problem.stage[i].chi = turning_chi(piece, problem.stage[i].x);
    }
    if (!converge(&problem)) {
        return INFINITY;
    }
    interpolate(piece, &problem);
    finish_collocation(&problem, end, friction);
    double a = defect(&problem, 0), b = defect(&problem, 1);
    return most_of(a, b) * process->mu * piece->left / TURNING_CUT;
}
