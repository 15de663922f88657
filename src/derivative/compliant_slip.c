/* Slip: the variational equations by collocation.
 *
 * In a clock x with dp = chi dx, g = 1/(mu eta^2) and s_perp = (-s_y, s_x),
 *
 *   J' = -mu chi s    M' = -2 k chi v_n    phi' = chi g (V.s_perp)/M
 *
 * and p is the same for all: its variation is that at the start. J and M are integrals of phi, so
 * the variations of phi at Radau's nodes solve one linear system with a column for each input. The
 * pull of V on the direction may be as stiff as it likes, and M = 0 at the start does no harm:
 * there is no node. */
#include "derivative/compliant_slip.h"

#include <math.h>
#include <string.h>

#include "compliant/radau.h"
#include "math/vec2.h"

/* Slip in a fixed direction down to N = 0: its clock, 1 - (1 - tau)^4 of the impulse, runs this
 * close to 1. */
static const double SLIP_CLOSING = 1e-4;

/* Effect of the direction on the impulse that is negligible, relative. */
static const double SLIP_SETTLED = 1e-12;

typedef struct SlipNode {
    Moment at;
    double chi, s[2], along, across, M; /* V.s, V.s_perp */
} SlipNode;

typedef struct SlipPanel {
    const CompliantSlope *slope;
    double h, k, g;
    int turns; /* phi counts */
    SlipNode node[STAGES];
    double D[STAGES][STAGES]; /* d phi'_i/d phi_j */
    Column known[STAGES];     /* phi' without them */
    Column phi[STAGES];
    double twice[STAGES]; /* weights of a double integral up to the end, with chi between */
} SlipPanel;

/* What is known of J and v_n without the changes of phi, at a node. */
static void known_rows(const SlipPanel *panel, const double integral[2], const Moment *at,
                       Column J[2], Column V[2], Column vn) {
    const CompliantSlope *slope = panel->slope;
    double *rows[2] = {J[0], J[1]};
    memcpy(J, slope->J, sizeof slope->J);
    J[0][COLUMN_MU] -= integral[0];
    J[1][COLUMN_MU] -= integral[1];
    compliant_velocity(slope, at, rows, slope->p, V, vn);
    V[0][ONE_V] += 1;
    V[1][ONE_V + 1] += 1;
    vn[ONE_V + 2] += 1;
}

/* The changes of M from a node on: those known, without those by phi. */
static void known_M(const SlipPanel *panel, Column vn[STAGES], int first, Column M[STAGES]) {
    const CompliantSlope *slope = panel->slope;
    for (int i = first; i < STAGES; i++) {
        memcpy(M[i], slope->M, sizeof slope->M);
        for (int j = 0; j < STAGES; j++) {
            double by = -2 * panel->h * INTEGRAL[i][j] * panel->node[j].chi;
            for (int c = 0; c < COLUMNS; c++) {
                M[i][c] += by * (panel->k * vn[j][c] + slope->k[c] * panel->node[j].at.vn);
            }
        }
    }
}

/* Fill the known part of phi' and the matrix. */
static void set_slip_equations(SlipPanel *panel, Column V[STAGES][2], Column M[STAGES]) {
    const CompliantSlope *slope = panel->slope;
    const double *B = slope->B, *d = slope->d, mu = slope->mu, h = panel->h;
    double twice[STAGES][STAGES]; /* of the integral of the integral, with chi between */
    for (int i = 0; i < STAGES; i++) {
        for (int j = 0; j < STAGES; j++) {
            twice[i][j] = 0;
            for (int m = 0; m < STAGES; m++) {
                twice[i][j] += INTEGRAL[i][m] * panel->node[m].chi * INTEGRAL[m][j];
            }
        }
    }
    memcpy(panel->twice, twice[STAGES - 1], sizeof panel->twice);
    for (int i = 0; i < STAGES; i++) {
        const SlipNode *at = &panel->node[i];
        double pull = at->chi * panel->g / at->M, slack = pull * at->across;
        double perp[2] = {-at->s[1], at->s[0]};
        double push[2] = {B[0] * perp[0] + B[1] * perp[1], B[1] * perp[0] + B[2] * perp[1]};
        for (int j = 0; j < STAGES; j++) {
            const SlipNode *other = &panel->node[j];
            double turned[2] = {-other->s[1], other->s[0]}, by = -mu * h * other->chi;
            double V_part = by * INTEGRAL[i][j] * dot2(push, turned);
            double M_part = -2 * panel->k * h * twice[i][j] * by * dot2(d, turned);
            panel->D[i][j] = pull * V_part - slack / at->M * M_part;
        }
        panel->D[i][i] -= pull * at->along;
        for (int c = 0; c < COLUMNS; c++) {
            panel->known[i][c] =
                pull * (perp[0] * V[i][0][c] + perp[1] * V[i][1][c]) - slack / at->M * M[i][c];
        }
        panel->known[i][COLUMN_MU] -= slack / mu;
        panel->known[i][COLUMN_RATIO] -= slack / slope->eta2;
    }
}

/* Solve (1 - h A D) phi = phi_0 + h A known by elimination with pivots. */
static void solve_phi(SlipPanel *panel) {
    double K[STAGES][STAGES];
    for (int i = 0; i < STAGES; i++) {
        memcpy(panel->phi[i], panel->slope->phi, sizeof panel->phi[i]);
        for (int j = 0; j < STAGES; j++) {
            double sum = 0, by = panel->h * INTEGRAL[i][j];
            for (int m = 0; m < STAGES; m++) {
                sum += INTEGRAL[i][m] * panel->D[m][j];
            }
            K[i][j] = (i == j) - panel->h * sum;
            for (int c = 0; c < COLUMNS; c++) {
                panel->phi[i][c] += by * panel->known[j][c];
            }
        }
    }
    for (int k = 0; k < STAGES; k++) {
        int pivot = k;
        for (int i = k + 1; i < STAGES; i++) {
            pivot = fabs(K[i][k]) > fabs(K[pivot][k]) ? i : pivot;
        }
        for (int j = 0; j < STAGES && pivot != k; j++) {
            double swap = K[k][j];
            K[k][j] = K[pivot][j];
            K[pivot][j] = swap;
        }
        for (int c = 0; c < COLUMNS && pivot != k; c++) {
            double swap = panel->phi[k][c];
            panel->phi[k][c] = panel->phi[pivot][c];
            panel->phi[pivot][c] = swap;
        }
        for (int i = k + 1; i < STAGES; i++) {
            double by = K[i][k] / K[k][k];
            for (int j = k; j < STAGES; j++) {
                K[i][j] -= by * K[k][j];
            }
            for (int c = 0; c < COLUMNS; c++) {
                panel->phi[i][c] -= by * panel->phi[k][c];
            }
        }
    }
    for (int k = STAGES - 1; k >= 0; k--) {
        for (int c = 0; c < COLUMNS; c++) {
            for (int j = k + 1; j < STAGES; j++) {
                panel->phi[k][c] -= K[k][j] * panel->phi[j][c];
            }
            panel->phi[k][c] /= K[k][k];
        }
    }
}

/* Advance the rows to the end of a panel whose nodes are set. */
static void slip_panel_run(CompliantSlope *slope, SlipPanel *panel) {
    Column V[STAGES][2], J[2], vn[STAGES], M[STAGES];
    double mu = slope->mu, integral[2];
    for (int i = 0; i < STAGES; i++) {
        integral[0] = integral[1] = 0;
        for (int j = 0; j < STAGES; j++) {
            double by = panel->h * INTEGRAL[i][j] * panel->node[j].chi;
            integral[0] += by * panel->node[j].s[0];
            integral[1] += by * panel->node[j].s[1];
        }
        known_rows(panel, integral, &panel->node[i].at, J, V[i], vn[i]);
    }
    known_M(panel, vn, panel->turns ? 0 : STAGES - 1, M);
    memcpy(slope->M, M[STAGES - 1], sizeof slope->M);
    if (panel->turns) {
        set_slip_equations(panel, V, M);
        solve_phi(panel);
    }
    /* what the changes of phi add to J and M at the end, where the last of the nodes is */
    for (int j = 0; j < STAGES && panel->turns; j++) {
        const SlipNode *at = &panel->node[j];
        double turned[2] = {-at->s[1], at->s[0]}, push = -mu * panel->h * at->chi;
        double by = push * INTEGRAL[STAGES - 1][j];
        double fall = -2 * panel->k * panel->h * push * dot2(slope->d, turned) * panel->twice[j];
        for (int c = 0; c < COLUMNS; c++) {
            double phi = panel->phi[j][c];
            J[0][c] += by * turned[0] * phi;
            J[1][c] += by * turned[1] * phi;
            slope->M[c] += fall * phi;
        }
    }
    memcpy(slope->J, J, sizeof slope->J);
    if (panel->turns) {
        memcpy(slope->phi, panel->phi[STAGES - 1], sizeof slope->phi);
    }
}

static void set_slip_node(SlipNode *node, const Process *process, double chi) {
    const Moment *at = &node->at;
    double size = norm2(at->f);
    node->chi = chi;
    node->s[0] = size > 0 ? at->f[0] / size : process->s[0];
    node->s[1] = size > 0 ? at->f[1] / size : process->s[1];
    node->along = dot2(at->V, node->s);
    node->across = cross2(node->s, at->V);
    node->M = at->N * at->N;
}

static SlipPanel slip_panel_begin(const CompliantSlope *slope, const Process *process, double h) {
    return (SlipPanel){.slope = slope,
                       .h = h,
                       .k = process->k,
                       .g = 1 / (slope->mu * slope->eta2),
                       .turns = !slope->flat};
}

/* Move the clock so that M does not change: towards N = 0 its changes would count over M^2. */
static void keep_force(CompliantSlope *slope, const Process *process, const Moment *now) {
    double size = norm2(now->f), M = now->N * now->N, fall = 2 * process->k * now->vn;
    if (slope->flat || !(size > 0 && fall > 0)) {
        return;
    }
    const double s[2] = {now->f[0] / size, now->f[1] / size};
    double turn = cross2(s, now->V) / (slope->mu * slope->eta2 * M);
    for (int c = 0; c < COLUMNS; c++) {
        double dp = slope->M[c] / fall;
        slope->p[c] += dp;
        slope->M[c] = 0;
        slope->phi[c] += turn * dp;
        slope->J[0][c] -= slope->mu * s[0] * dp;
        slope->J[1][c] -= slope->mu * s[1] * dp;
    }
}

/* Is what the direction can still do negligible? */
static int is_slip_settled(const CompliantSlope *slope, const Process *process, const Moment *now) {
    double phi = 0, J = 0, left = now->vn > 0 ? now->N * now->N / (2 * process->k * now->vn) : 1;
    for (int c = 0; c < COLUMNS; c++) {
        phi = fmax(phi, fabs(slope->phi[c]));
        J = fmax(J, fabs(slope->J[0][c]) + fabs(slope->J[1][c]));
    }
    return slope->mu * left * phi < SLIP_SETTLED * J;
}

/* Slip that turns. Close to the end x stretches what is left as (1 - x/4)^4: in panels that divide
 * 1 - x/4 by 3, because the direction contains powers of it. */
static void turning_slip(CompliantSlope *slope, const Process *process, MomentAt at,
                         MomentPace pace, const void *piece, double end) {
    int closing = pace(piece, end) < pace(piece, 0);
    double from = 0;
    while (from < end) {
        double to = closing ? 4 - (4 - from) / 3 : end;
        to = to > 0.8 * end ? end : to;
        int settled = 0;
        if (closing) {
            Moment now = from > 0 ? at(piece, from) : process->now;
            settled = is_slip_settled(slope, process, &now);
            keep_force(slope, process, &now);
            to = settled ? end : to;
        }
        SlipPanel panel = slip_panel_begin(slope, process, to - from);
        panel.turns &= !settled;
        for (int i = 0; i < STAGES; i++) {
            double x = from + (to - from) * NODE[i];
            panel.node[i].at = at(piece, x);
            set_slip_node(&panel.node[i], process, pace(piece, x));
        }
        slip_panel_run(slope, &panel);
        from = to;
    }
}

/* Slip in a fixed direction down to N = 0. */
static void closing_slip(CompliantSlope *slope, const Process *process, MomentAt at,
                         const void *piece, double end) {
    for (double left = 1; left > 0; left -= left * 2 / 3) {
        SlipPanel panel = slip_panel_begin(slope, process, left * 2 / 3);
        Moment now = at(piece, end * (1 - left * left * left * left));
        int last = left / 3 <= SLIP_CLOSING || is_slip_settled(slope, process, &now);
        if (last) {
            panel.h = left;
            panel.turns = 0;
        }
        keep_force(slope, process, &now);
        for (int i = 0; i < STAGES; i++) {
            double rest = left - panel.h * NODE[i], cube = rest * rest * rest;
            panel.node[i].at = at(piece, end * (1 - cube * rest));
            set_slip_node(&panel.node[i], process, 4 * end * cube);
        }
        slip_panel_run(slope, &panel);
        if (last) {
            return;
        }
    }
}

void crm_compliant_slip(CompliantSlope *slope, const Process *process, MomentAt at, MomentPace pace,
                        const void *piece, double end) {
    static const double cuts[4] = {0, 0.1, 0.4, 1};
    if (pace) {
        turning_slip(slope, process, at, pace, piece, end);
        return;
    }
    Moment last = at(piece, end), middle = at(piece, end / 2);
    if (!slope->flat && last.N < 1e-6 * middle.N) {
        closing_slip(slope, process, at, piece, end);
        return;
    }
    int panels = slope->flat ? 1 : 3;
    for (int k = 0; k < panels; k++) {
        double from = cuts[k], to = panels == 1 ? 1 : cuts[k + 1];
        SlipPanel panel = slip_panel_begin(slope, process, end * (to - from));
        for (int i = 0; i < STAGES; i++) {
            panel.node[i].at = at(piece, end * (from + (to - from) * NODE[i]));
            set_slip_node(&panel.node[i], process, 1);
        }
        slip_panel_run(slope, &panel);
    }
}
