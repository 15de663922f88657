/* [J], Fig. 1: five bounces of the ball, from the side.
 *
 * Between bounces the ball flies freely. Gravity is not given; it changes where and when things
 * happen, not the velocities. */
#include "figures/jia_2013/bounces.h"

#include <math.h>

#include "figures/jia_2013/ball.h"
#include "figures/sheet_picture.h"

enum { BOUNCES = 5, MOMENTS = 2 * BOUNCES, PATH_POINTS = 24 };

static const double gravity = 9.81, pi = 3.14159265358979323846;

/* What a panel shows. */
typedef struct Moment {
    const char *name;
    JBall ball;
    double x, z, turn; /* of the centre; turned clockwise since the start */
} Moment;

/* Through a flight for the time t. */
static Moment fly(const Moment *from, double t) {
    Moment at = *from;
    at.x += from->ball.V[0] * t;
    at.z += (from->ball.V[2] - gravity * t / 2) * t;
    at.turn += from->ball.omega[1] * t;
    at.ball.V[2] -= gravity * t;
    return at;
}

/* Before the first impact, then after each one and at the top of the flight that follows. */
static bool find_moments(FigureSheet *sheet, Moment moments[MOMENTS]) {
    static const char *const names[MOMENTS] = {
        "(a) before impact 1", "(b) after impact 1", "(c) highest", "(d) after impact 2",
        "(e) highest",         "(f) after impact 3", "(g) highest", "(h) after impact 4",
        "(i) highest",         "(j) after impact 5"};
    Moment now = {.ball = j_thrown, .z = 1};
    moments[0] = now;
    for (int i = 1; i < MOMENTS; i++) {
        if (i % 2) {
            if (!j_bounce(sheet, &now.ball, &j_rubber, J_COULOMB, &now.ball, NULL)) {
                return false;
            }
            moments[i] = now;
        } else {
            double up = now.ball.V[2] / gravity;
            moments[i] = fly(&now, up);
            now = fly(&now, 2 * up);
            now.z = 1; /* exactly */
        }
    }
    for (int i = 0; i < MOMENTS; i++) {
        moments[i].name = names[i];
    }
    return true;
}

/* The way of the centre until moment k, and the ball then: its edge, a spoke, and an arc along the
 * spin with an angle in proportion to it. */
static void write_moment(const Moment moments[], int k, FILE *script) {
    fprintf(script, "$path%d << END\n", k);
    for (int i = 1; i <= k; i++) {
        const Moment *from = &moments[i % 2 ? i : i - 1];
        double up = from->ball.V[2] / gravity, begin = i % 2 ? 0 : up;
        double end = i == k ? begin : begin + up;
        for (int j = 0; j <= PATH_POINTS && i > 0; j++) {
            Moment at = fly(from, begin + (end - begin) * j / PATH_POINTS);
            fprintf(script, "%.6g %.6g\n", at.x, at.z);
        }
    }
    const Moment *m = &moments[k];
    fprintf(script, "%.6g %.6g\nEND\n$arc%d << END\n", m->x, m->z, k);
    double span = 0.5 * pi * m->ball.omega[1];
    for (int j = 0; j <= PATH_POINTS; j++) {
        double angle = span * ((double)j / PATH_POINTS - 0.5);
        fprintf(script, "%.6g %.6g\n", m->x + 0.62 * sin(angle), m->z + 0.62 * cos(angle));
    }
    fputs("END\n", script);
}

static void draw_moment(const Moment *m, int k, FILE *script) {
    const double *V = m->ball.V;
    double span = 0.25 * pi * m->ball.omega[1], back = span - copysign(0.05, span);
    fprintf(script, "set title '%s' offset 0,-0.4\n", m->name);
    fprintf(script,
            "unset arrow\nunset object\nunset label\n"
            "set object circle at %.6g,%.6g size 1 fc rgb '#E8F1F8' fs solid border lc rgb "
            "'#000000' lw 1.2 behind\n",
            m->x, m->z);
    fprintf(script, "set arrow from %.6g,%.6g to %.6g,%.6g nohead lw 1.2 lc rgb '#000000'\n", m->x,
            m->z, m->x + sin(m->turn), m->z + cos(m->turn));
    fprintf(script,
            "set arrow from %.6g,%.6g to %.6g,%.6g head filled size 0.16,20 fixed lw 2.2 lc rgb "
            "'#D55E00' front\n",
            m->x + 0.62 * sin(back), m->z + 0.62 * cos(back), m->x + 0.62 * sin(span),
            m->z + 0.62 * cos(span));
    double length = 0.24 * hypot(V[0], V[2]);
    fprintf(script,
            "set arrow from %.6g,%.6g to %.6g,%.6g head filled size %.6g,20 fixed lw %g lc rgb "
            "'#0072B2' front\n",
            m->x, m->z, m->x + 0.24 * V[0], m->z + 0.24 * V[2], fmin(0.16, 0.8 * length),
            length < 0.2 ? 1.2 : 2.2);
    fprintf(script,
            "set label 'V = (%.3f, %.3f)' at 0,-0.5 center\n"
            "set label 'ω_y = %.3f' at 0,-0.9 center\n",
            V[0], V[2], m->ball.omega[1]);
    fprintf(
        script,
        "plot $path%d with lines lw 1 dt solid lc rgb '#666666' notitle, $arc%d with lines lw 2.2 "
        "dt "
        "solid lc rgb '#D55E00' notitle, 0 with lines lw 1.6 dt solid lc rgb '#777777' notitle\n",
        k, k);
}

static bool draw(FigureSheet *sheet, const Moment moments[MOMENTS]) {
    FILE *script = figure_picture_begin(sheet, "", "Five bounces of a ball", 1080, 540);
    if (!script) {
        return false;
    }
    for (int k = 0; k < MOMENTS; k++) {
        write_moment(moments, k, script);
    }
    fputs("set multiplot layout 2,5 title picture_title margins 0.01,0.99,0.02,0.87 spacing "
          "0.012,0.09\nunset border\nunset tics\nset size ratio -1\n"
          "set xrange [-1.55:1.55]\nset yrange [-1.1:2.4]\n",
          script);
    for (int k = 0; k < MOMENTS; k++) {
        draw_moment(&moments[k], k, script);
    }
    fputs("unset multiplot\n", script);
    return figure_picture_end(
        sheet, "Ten small views of a ball on a table from the side: before the first impact, after "
               "each of five impacts, and at the top of each flight between them. Arrows show its "
               "velocity and its spin; it moves to and fro as its spin changes sign.");
}

/* ---- beside the printed ---- */

/* The ball after five bounces, and which of them reversed V_x and omega_y, e.g. "1, 2". */
static bool bounce_five_times(FigureSheet *sheet, JRule rule, JBall *ball, char reversed[2][16]) {
    *ball = j_thrown;
    reversed[0][0] = reversed[1][0] = '\0';
    for (int i = 1, used[2] = {0, 0}; i <= BOUNCES; i++) {
        JBall before = *ball;
        before.V[2] = -fabs(before.V[2]);
        if (!j_bounce(sheet, &before, &j_rubber, rule, ball, NULL)) {
            return false;
        }
        const bool turned[2] = {before.V[0] * ball->V[0] < 0, before.omega[1] * ball->omega[1] < 0};
        for (int k = 0; k < 2; k++) {
            if (turned[k]) {
                used[k] += snprintf(reversed[k] + used[k], sizeof reversed[k] - (size_t)used[k],
                                    "%s%d", used[k] ? ", " : "", i);
            }
        }
    }
    return true;
}

static bool list(FigureSheet *sheet) {
    static const char spins[] = "impacts that reverse ω_y", speeds[] = "impacts that reverse V_x";
    JBall ball;
    char reversed[2][16];
    if (!bounce_five_times(sheet, J_COULOMB, &ball, reversed)) {
        return false;
    }
    figure_group(sheet, "After the fifth impact: friction μ, exact");
    figure_value(sheet, "V_x", "-0.088333", ball.V[0], J_FRICTION, NULL);
    figure_value(sheet, "V_z", "0.155565", ball.V[2], J_STOP, "5/32, as e = 1/2");
    figure_value(sheet, "ω_y", "-0.279167", ball.omega[1], J_FRICTION, NULL);
    figure_words(sheet, speeds, "1, 2", reversed[0], J_FRICTION, NULL);
    figure_words(sheet, spins, "1, 2, 3, 4, 5", reversed[1], NULL, NULL);
    if (!bounce_five_times(sheet, J_PRINTED_STOP, &ball, reversed)) {
        return false;
    }
    figure_group(sheet, "After the fifth impact: friction eμ in restitution, as was printed");
    figure_value(sheet, "V_x", "-0.088333", ball.V[0], J_EULER, NULL);
    figure_value(sheet, "V_z", "0.155565", ball.V[2],
                 "A 5 too many, it seems: every V_z of the scheme is a multiple of its step 5e-5, "
                 "and Table 1 has 0.15565.",
                 NULL);
    figure_value(sheet, "ω_y", "-0.279167", ball.omega[1], J_EULER, NULL);
    figure_words(sheet, speeds, "1, 2", reversed[0], NULL, NULL);
    figure_words(sheet, spins, "1, 2, 3, 4, 5", reversed[1], NULL, NULL);
    return true;
}

bool j_figure_1(FigureSheet *sheet) {
    Moment moments[MOMENTS];
    return find_moments(sheet, moments) && draw(sheet, moments) && list(sheet);
}
