/* Slip: the variational equations by collocation.
 *
 * In a clock x with dp = chi dx, g = 1/(mu eta^2) and s_perp = (-s_y, s_x),
 *
 *   J' = -mu chi s    M' = -2 k chi v_n    phi' = chi g (V.s_perp)/M
 *
 * and p is the same for all: its variation is that at the start. J and M are integrals of phi, so
 * the variations of phi at Radau's nodes solve one linear system with a column for each input. The
 * pull of V on the direction may be as stiff as it likes, and M = 0 at the start does no harm:
 * there is no node.
 *
 * A contact that is held obeys the same equations with v = -d.V/w in the place of v_n, and
 * B - d d^T, -(B - d d^T) d and kt in those of B, d and k (Slide); its clock is q, dq = N dt. */
#include "derivative/compliant_slip.h"

#include <string.h>

#include "compliant/radau.h"
#include "math/functions.h"
#include "math/vec2.h"

/* Slip in a fixed direction down to N = 0: its clock, 1 - (1 - tau)^4 of the impulse, runs this
 * close to 1. */
static const double SLIP_CLOSING = 1e-4;

/* Distance of the roots of M from the middle of a panel, in half lengths. Errors fall like
 * (R + sqrt(R^2 - 1))^-17: 2e-10. */
static const double SLIP_CLEAR = 2;

/* Widths from V.s = 0 from which on phi is smooth. */
static const double SLIP_WIDE = 3;

/* The shortest panel, relative: it bounds the work. */
static const double SLIP_LEAST = 1e-3;

/* Effect of the direction on the impulse that is negligible, relative. */
static const double SLIP_SETTLED = 1e-12;

typedef struct SlipNode {
    Moment at;
    double chi, s[2], along, across, M; /* V.s, V.s_perp */
    double J[2], p;                     /* since the start of the panel */
} SlipNode;

typedef struct SlipPanel {
    const CompliantSlope *slope;
    const Slide *slide;
    double h, k, g;
    int turns;            /* phi counts */
    const SlipNode *last; /* if not NULL: the start of the last of the impulse... */
    double rest;          /* ...and how much it is */
    SlipNode node[STAGES];
    double turn[STAGES][2];        /* int chi s dx up to each node, times h */
    Column V[2], v;                /* without the parts that differ from node to node */
    double twice[STAGES][STAGES];  /* weights of a double integral, with chi between */
    double matrix[STAGES][STAGES]; /* of the equations of phi */
    Column phi[STAGES];            /* their right sides, and then phi */
} SlipPanel;

/* ---- what is known without the changes of phi: J follows -mu s, V and v_n follow J ---- */

static void set_turns(SlipPanel *panel) {
    const CompliantSlope *slope = panel->slope;
    for (int i = 0; i < STAGES; i++) {
        SlipNode *node = &panel->node[i];
        double x = 0, y = 0, p = 0;
        for (int j = 0; j < STAGES; j++) {
            double by = INTEGRAL[i][j] * panel->node[j].chi;
            p += by;
            x += by * panel->node[j].s[0];
            y += by * panel->node[j].s[1];
        }
        panel->turn[i][0] = panel->h * x;
        panel->turn[i][1] = panel->h * y;
        node->J[0] = -slope->mu * panel->turn[i][0];
        node->J[1] = -slope->mu * panel->turn[i][1];
        node->p = slope->held ? -dot2(slope->d, node->J) : panel->h * p;
    }
}

static void set_common_rows(SlipPanel *panel) {
    const CompliantSlope *slope = panel->slope;
    const Moment none = {.p = 0};
    const double *const J[2] = {slope->J[0], slope->J[1]};
    compliant_velocity(slope, &none, J, slope->p, panel->V);
    panel->V[0][ONE_V] += 1;
    panel->V[1][ONE_V + 1] += 1;
    for (int c = 0; c < COLUMNS; c++) {
        double pull = -(slope->d[0] * panel->V[0][c] + slope->d[1] * panel->V[1][c]);
        panel->v[c] = slope->held ? pull : slope->vn[c];
    }
}

/* The terms of which the changes of M are integrals: k v without and with its own parts by W and
 * mu, and v for the change of k. The last three are for a contact that is held. */
enum {
    FALL_ALL,
    FALL_W13,
    FALL_W23,
    FALL_W33,
    FALL_MU,
    FALL_K,
    FALLS_FREE,
    FALL_W11 = FALLS_FREE,
    FALL_W12,
    FALL_W22,
    FALLS
};

/* What v of a node that is held has by entries of W. */
static void set_held_fall(const SlipPanel *panel, const SlipNode *node, double by, double *terms) {
    const double *d = panel->slope->d, size = dot2(d, d);
    const Moment *at = &node->at;
    terms[FALL_W13] = by * (size * node->J[0] - d[0] * at->p - at->V[0]);
    terms[FALL_W23] = by * (size * node->J[1] - d[1] * at->p - at->V[1]);
    terms[FALL_W33] = by * (size * node->p + dot2(d, at->V));
    terms[FALL_W11] = -by * d[0] * at->J[0];
    terms[FALL_W12] = -by * (d[0] * at->J[1] + d[1] * at->J[0]);
    terms[FALL_W22] = -by * d[1] * at->J[1];
}

/* The integrals of these terms up to each node from the first on. */
static void set_falls(const SlipPanel *panel, int first, double falls[STAGES][FALLS]) {
    const double k = panel->k;
    int held = panel->slope->held, count = held ? FALLS : FALLS_FREE;
    double terms[STAGES][FALLS];
    for (int j = 0; j < STAGES; j++) {
        const SlipNode *node = &panel->node[j];
        double by = -2 * panel->h * node->chi;
        terms[j][FALL_ALL] = by * k;
        terms[j][FALL_W13] = by * k * node->J[0];
        terms[j][FALL_W23] = by * k * node->J[1];
        terms[j][FALL_W33] = by * k * node->p;
        terms[j][FALL_MU] = -by * k * dot2(panel->slide->b, panel->turn[j]);
        terms[j][FALL_K] = by * node->at.vn;
        if (held) {
            set_held_fall(panel, node, by * k, terms[j]);
        }
    }
    for (int i = first; i < STAGES; i++) {
        double sum[FALLS] = {0};
        for (int j = 0; j < STAGES; j++) {
            for (int m = 0; m < count; m++) {
                sum[m] += INTEGRAL[i][j] * terms[j][m];
            }
        }
        memcpy(falls[i], sum, sizeof sum);
    }
}

/* The changes of M at a node. */
static void known_M(const SlipPanel *panel, const double fall[FALLS], double *M) {
    const CompliantSlope *slope = panel->slope;
    for (int c = 0; c < COLUMNS; c++) {
        M[c] = slope->M[c] + (fall[FALL_ALL] * panel->v[c] + fall[FALL_K] * slope->k[c]);
    }
    if (slope->held) {
        M[ONE_W11] += fall[FALL_W11];
        M[ONE_W12] += fall[FALL_W12];
        M[ONE_W22] += fall[FALL_W22];
    }
    M[ONE_W13] += fall[FALL_W13];
    M[ONE_W23] += fall[FALL_W23];
    M[ONE_W33] += fall[FALL_W33];
    M[COLUMN_MU] += fall[FALL_MU];
}

/* ---- the equations of phi at the nodes: RATE phi + RATE_0 phi_0 = h phi' ---- */

static void set_twice(SlipPanel *panel) {
    for (int i = 0; i < STAGES; i++) {
        double sum[STAGES] = {0};
        for (int m = 0; m < STAGES; m++) {
            double by = INTEGRAL[i][m] * panel->node[m].chi;
            for (int j = 0; j < STAGES; j++) {
                sum[j] += by * INTEGRAL[m][j];
            }
        }
        memcpy(panel->twice[i], sum, sizeof sum);
    }
}

/* Row i of the matrix, RATE - h d phi'_i/d phi_j. pull and slack: h d phi'/d(V.s_perp) and
 * -h d phi'/dM. */
static void set_matrix_row(SlipPanel *panel, int i, double pull, double slack) {
    const double *B = panel->slide->B, *d = panel->slide->b, *s = panel->node[i].s;
    double push[2] = {B[1] * s[0] - B[0] * s[1], B[2] * s[0] - B[1] * s[1]};
    double by = panel->slope->mu * panel->h, fall = 2 * panel->k * panel->h;
    for (int j = 0; j < STAGES; j++) {
        const SlipNode *other = &panel->node[j];
        double V = push[1] * other->s[0] - push[0] * other->s[1];
        double M = d[1] * other->s[0] - d[0] * other->s[1];
        panel->matrix[i][j] =
            RATE[i][j] +
            by * other->chi * (pull * INTEGRAL[i][j] * V + slack * fall * panel->twice[i][j] * M);
    }
    panel->matrix[i][i] += pull * panel->node[i].along;
}

/* pull times the change of V.s_perp by all but phi, at a place with int chi s dx up to it. */
static void set_pull(const SlipPanel *panel, const SlipNode *at, const double turn[2], double pull,
                     double *to) {
    const CompliantSlope *slope = panel->slope;
    const double *B = panel->slide->B, *J = at->at.J;
    double x = -pull * at->s[1], y = pull * at->s[0];
    for (int c = 0; c < COLUMNS; c++) {
        to[c] = x * panel->V[0][c] + y * panel->V[1][c];
    }
    if (slope->held) {
        double along = x * slope->d[0] + y * slope->d[1];
        to[ONE_W13] -= along * at->J[0];
        to[ONE_W23] -= along * at->J[1];
        to[ONE_W33] -= along * at->p;
    }
    to[ONE_W11] += x * J[0];
    to[ONE_W12] += x * J[1] + y * J[0];
    to[ONE_W22] += y * J[1];
    to[ONE_W13] += x * at->at.p;
    to[ONE_W23] += y * at->at.p;
    to[COLUMN_MU] -= x * (B[0] * turn[0] + B[1] * turn[1]) + y * (B[1] * turn[0] + B[2] * turn[1]) +
                     pull * at->across / slope->mu;
    to[COLUMN_RATIO] -= pull * at->across / slope->eta2;
}

/* Row i of the right sides. */
static void set_right_side(SlipPanel *panel, int i, double pull, double slack, const double *M) {
    const CompliantSlope *slope = panel->slope;
    double *to = panel->phi[i];
    set_pull(panel, &panel->node[i], panel->turn[i], pull, to);
    for (int c = 0; c < COLUMNS; c++) {
        to[c] -= slack * M[c] + RATE_0[i] * slope->phi[c];
    }
}

static void swap_rows(double *a, double *b, int count) {
    for (int i = 0; i < count; i++) {
        double swap = a[i];
        a[i] = b[i];
        b[i] = swap;
    }
}

/* Elimination with pivots. */
static void solve_phi(SlipPanel *panel) {
    double(*K)[STAGES] = panel->matrix;
    for (int k = 0; k < STAGES; k++) {
        int pivot = k;
        for (int i = k + 1; i < STAGES; i++) {
            pivot = fabs(K[i][k]) > fabs(K[pivot][k]) ? i : pivot;
        }
        if (pivot != k) {
            swap_rows(K[k], K[pivot], STAGES);
            swap_rows(panel->phi[k], panel->phi[pivot], COLUMNS);
        }
        double over = 1 / K[k][k];
        for (int i = k + 1; i < STAGES; i++) {
            double by = K[i][k] * over;
            for (int j = k + 1; j < STAGES; j++) {
                K[i][j] -= by * K[k][j];
            }
            for (int c = 0; c < COLUMNS; c++) {
                panel->phi[i][c] -= by * panel->phi[k][c];
            }
        }
    }
    for (int k = STAGES - 1; k >= 0; k--) {
        double over = 1 / K[k][k];
        for (int c = 0; c < COLUMNS; c++) {
            panel->phi[k][c] *= over;
        }
        for (int i = 0; i < k; i++) {
            for (int c = 0; c < COLUMNS; c++) {
                panel->phi[i][c] -= K[i][k] * panel->phi[k][c];
            }
        }
    }
}

static void find_phi(SlipPanel *panel, double falls[STAGES][FALLS]) {
    set_twice(panel);
    for (int i = 0; i < STAGES; i++) {
        const SlipNode *at = &panel->node[i];
        double pull = panel->h * at->chi * panel->g / at->M, slack = pull * at->across / at->M;
        Column M;
        known_M(panel, falls[i], M);
        set_matrix_row(panel, i, pull, slack);
        set_right_side(panel, i, pull, slack, M);
    }
    solve_phi(panel);
}

/* What the changes of phi add to J, M and v_n at the end, where the last of the nodes is. */
static void add_phi(const SlipPanel *panel, CompliantSlope *slope) {
    const double *d = panel->slide->b;
    for (int j = 0; j < STAGES; j++) {
        const SlipNode *at = &panel->node[j];
        double push = slope->mu * panel->h * at->chi, by = push * INTEGRAL[STAGES - 1][j];
        double x = by * at->s[1], y = -by * at->s[0];
        double fall = 2 * panel->k * panel->h * push * panel->twice[STAGES - 1][j] *
                      (d[1] * at->s[0] - d[0] * at->s[1]);
        double rise = d[0] * x + d[1] * y;
        for (int c = 0; c < COLUMNS; c++) {
            double phi = panel->phi[j][c];
            slope->J[0][c] += x * phi;
            slope->J[1][c] += y * phi;
            slope->M[c] += fall * phi;
            slope->vn[c] += rise * phi;
        }
    }
    memcpy(slope->phi, panel->phi[STAGES - 1], sizeof slope->phi);
}

/* What the direction still does in the last of the impulse, rest, at the end of slip in a fixed
 * direction: M is 2 k v_n times what is left of p, and all else as it is, so that with u what is
 * left, relative, lambda = -g (V.s)/(2 k v_n) and the pull q of the change of V,
 *
 *   u phi' = -lambda phi - q,   the mean of phi = (phi_0 + q)/(1 - lambda).
 *
 * lambda is less than 1/2, because it slides. */
static void add_last_turn(const SlipPanel *panel, CompliantSlope *slope) {
    static const double none[2] = {0, 0};
    const SlipNode *now = panel->last;
    const double *d = panel->slide->b;
    double pull = panel->g / (2 * panel->k * now->at.vn);
    double by = slope->mu * panel->rest / (1 + pull * now->along);
    double x = by * now->s[1], y = -by * now->s[0], rise = d[0] * x + d[1] * y;
    Column q;
    set_pull(panel, now, none, pull, q);
    for (int c = 0; c < COLUMNS; c++) {
        double phi = slope->phi[c] + q[c];
        slope->J[0][c] += x * phi;
        slope->J[1][c] += y * phi;
        slope->vn[c] += rise * phi;
    }
}

/* Advance the rows to the end of a panel whose nodes are set. */
static void slip_panel_run(CompliantSlope *slope, SlipPanel *panel) {
    const SlipNode *last = &panel->node[STAGES - 1];
    const double *const J[2] = {slope->J[0], slope->J[1]};
    double falls[STAGES][FALLS];
    Column M;
    set_turns(panel);
    set_common_rows(panel);
    set_falls(panel, panel->turns ? 0 : STAGES - 1, falls);
    if (panel->turns) {
        find_phi(panel, falls);
    }
    known_M(panel, falls[STAGES - 1], M);
    memcpy(slope->M, M, sizeof M);
    slope->J[0][COLUMN_MU] -= panel->turn[STAGES - 1][0];
    slope->J[1][COLUMN_MU] -= panel->turn[STAGES - 1][1];
    slope->vn[ONE_W13] += last->J[0];
    slope->vn[ONE_W23] += last->J[1];
    slope->vn[ONE_W33] += last->p;
    slope->vn[COLUMN_MU] -= dot2(slope->d, panel->turn[STAGES - 1]);
    if (panel->turns) {
        add_phi(panel, slope);
    } else if (panel->last) {
        add_last_turn(panel, slope);
    }
    if (slope->held) {
        compliant_hold(slope, &last->at, J, slope->p);
        slope->p[ONE_V + 2] -= 1;
    }
}

static void set_slip_node(SlipNode *node, const Process *process, double chi) {
    const Moment *at = &node->at;
    double size = norm2(at->f);
    node->chi = chi;
    node->at.vn = process->latched ? -dot2(process->d, at->V) : at->vn;
    node->s[0] = size > 0 ? at->f[0] / size : process->s[0];
    node->s[1] = size > 0 ? at->f[1] / size : process->s[1];
    node->along = dot2(at->V, node->s);
    node->across = cross2(node->s, at->V);
    node->M = at->N * at->N;
}

static void slip_panel_begin(const CompliantSlope *slope, const Process *process, double h,
                             SlipPanel *panel) {
    panel->slope = slope;
    panel->slide = &process->slide;
    panel->h = h;
    panel->k = process->slide.k;
    panel->g = 1 / (slope->mu * slope->eta2);
    panel->turns = !slope->flat;
    panel->last = NULL;
}

/* Move the clock so that M does not change: towards N = 0 its changes would count over M^2. */
static void keep_force(CompliantSlope *slope, const Process *process, const Moment *now) {
    double size = norm2(now->f), M = now->N * now->N, fall = 2 * process->slide.k * now->vn;
    if (slope->flat || !(size > 0 && fall > 0)) {
        return;
    }
    const double s[2] = {now->f[0] / size, now->f[1] / size};
    double turn = cross2(s, now->V) / (slope->mu * slope->eta2 * M);
    double rise = slip_rise(process, s), push = slope->held ? slope->mu * dot2(slope->d, s) : 1;
    for (int c = 0; c < COLUMNS; c++) {
        double dp = slope->M[c] / fall;
        slope->p[c] += push * dp;
        slope->vn[c] += rise * dp;
        slope->M[c] = 0;
        slope->phi[c] += turn * dp;
        slope->J[0][c] -= slope->mu * s[0] * dp;
        slope->J[1][c] -= slope->mu * s[1] * dp;
    }
}

/* Is what the direction can still do negligible? Not if v_n may turn. */
static int is_slip_settled(const CompliantSlope *slope, const Process *process, const Moment *now) {
    double size = norm2(now->f), vn = now->vn, fall = 2 * process->slide.k * vn;
    double s[2] = {size > 0 ? now->f[0] / size : 1, size > 0 ? now->f[1] / size : 0};
    double phi = 0, J = 0, left = fall > 0 ? now->N * now->N / fall : 1;
    if (!(vn > -4 * slip_rise(process, s) * left)) {
        return 0;
    }
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
        SlipPanel panel;
        slip_panel_begin(slope, process, to - from, &panel);
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

/* Straight slip from now on, where M is a quadratic and V.s linear in p. Where M = 0 the equations
 * are singular. Where V.s = 0 the pull on the direction changes its sign: phi follows the change of
 * V over V.s before, a pole, but for a width of sqrt(M/(g |(V.s)'|)). */
typedef struct SlipCourse {
    double ahead, behind; /* roots of M, as p from now on; INFINITY: none */
    double aside;         /* both, if they are complex: the imaginary part */
    double still, pull;   /* V.s = 0; g |(V.s)'| */
} SlipCourse;

static SlipCourse slip_course(const CompliantSlope *slope, const Process *process) {
    const double *s = process->s;
    double drift[2], along = dot2(process->now.V, s), rise = slip_rise(process, s);
    slip_drift(process, s, drift);
    double slows = dot2(drift, s);
    double vn = process->latched ? -dot2(process->d, process->now.V) : process->now.vn;
    double M = process->now.N * process->now.N / process->slide.k, square = vn * vn + rise * M;
    SlipCourse course = {INFINITY, INFINITY, 0, -along / slows,
                         fabs(slows) / (slope->mu * slope->eta2)};
    if (square < 0) {
        course.ahead = course.behind = -vn / rise;
        course.aside = sqrt(-square) / fabs(rise);
        return course;
    }
    double q = -(vn + copysign(sqrt(square), vn)), roots[2] = {q / rise, -M / q};
    for (int i = 0; i < 2; i++) {
        if (roots[i] > 0) {
            course.ahead = fmin(course.ahead, roots[i]);
        } else if (roots[i] < 0) {
            course.behind = fmin(course.behind, -roots[i]);
        }
    }
    return course;
}

/* The longest panel from p = x on, with this M there, for V.s. */
static double still_length(const SlipCourse *course, double x, double M) {
    double width = SLIP_WIDE * sqrt(M / course->pull);
    return 2 * hypot(course->still - x, width) / (SLIP_CLEAR + 1);
}

/* The longest panel whose middle is SLIP_CLEAR half lengths from the roots of M; M = 0 at the start
 * is no harm. */
static double clear_length(const SlipCourse *course, double x) {
    double ahead = hypot(course->ahead - x, course->aside);
    double behind = course->aside > 0 ? INFINITY : course->behind + x;
    return fmin(2 * ahead / (SLIP_CLEAR + 1), 2 * behind / (SLIP_CLEAR - 1));
}

/* Straight slip that ends close to a root, at N = 0 or not far from it. The clock is left, with
 * left^4 = 1 - p/p at the root: near it phi contains powers of what is left of p. */
static void closing_slip(CompliantSlope *slope, const Process *process, MomentAt at,
                         const void *piece, double end, const SlipCourse *course) {
    double all = course->ahead, goal = all > end ? sqrt(sqrt((all - end) / all)) : 0;
    double behind = sqrt(sqrt(1 + course->behind / all));
    for (double left = 1; left > goal;) {
        SlipPanel panel;
        SlipNode now;
        double begun = left * left * left * left;
        double h = fmin(2 * left / (SLIP_CLEAR + 1),
                        fmax(2 * (behind - left) / (SLIP_CLEAR - 1), SLIP_LEAST));
        now.at = at(piece, all * (1 - begun));
        set_slip_node(&now, process, 0);
        int last =
            goal == 0 && (left <= 3 * SLIP_CLOSING || is_slip_settled(slope, process, &now.at));
        double still = still_length(course, all * (1 - begun), now.M) / all;
        h = still < begun ? fmin(h, fmax(left - sqrt(sqrt(begun - still)), SLIP_LEAST * left)) : h;
        h = last || left - 1.2 * h < goal ? left - goal : h;
        slip_panel_begin(slope, process, h, &panel);
        if (last) {
            panel.turns = 0;
            panel.last = &now;
            panel.rest = all * begun;
        }
        keep_force(slope, process, &now.at);
        for (int i = 0; i < STAGES; i++) {
            double rest = left - h * NODE[i], cube = rest * rest * rest;
            panel.node[i].at = at(piece, all * (1 - cube * rest));
            set_slip_node(&panel.node[i], process, 4 * all * cube);
        }
        slip_panel_run(slope, &panel);
        left = last ? goal : left - h;
    }
}

/* Straight slip that ends far from N = 0. The first panels are short: phi may begin off the course
 * to which V pulls it. */
static void open_slip(CompliantSlope *slope, const Process *process, MomentAt at, const void *piece,
                      double end, const SlipCourse *course) {
    static const double cuts[3] = {0.1, 0.4, 1};
    double from = 0;
    for (int k = 0; from < end;) {
        double N = at(piece, from).N;
        double h = fmin(clear_length(course, from), still_length(course, from, N * N));
        h = fmax(h, SLIP_LEAST * end);
        double to = slope->flat ? end : fmin(cuts[k] * end, from + h);
        SlipPanel panel;
        slip_panel_begin(slope, process, to - from, &panel);
        for (int i = 0; i < STAGES; i++) {
            panel.node[i].at = at(piece, from + (to - from) * NODE[i]);
            set_slip_node(&panel.node[i], process, 1);
        }
        slip_panel_run(slope, &panel);
        k += k < 2 && to >= cuts[k] * end;
        from = to;
    }
}

void crm_compliant_slip(CompliantSlope *slope, const Process *process, MomentAt at, MomentPace pace,
                        const void *piece, double end) {
    if (pace) {
        turning_slip(slope, process, at, pace, piece, end);
        return;
    }
    SlipCourse course = slip_course(slope, process);
    Moment last = at(piece, end), middle = at(piece, end / 2);
    if (last.N < 1e-6 * middle.N) {
        course.ahead = end;
    }
    if (slope->flat || course.aside > 0 || course.ahead - end > end / 16) {
        open_slip(slope, process, at, piece, end, &course);
    } else {
        closing_slip(slope, process, at, piece, end, &course);
    }
}
