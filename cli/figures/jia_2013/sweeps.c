/* Figs. 14 and 15 of [J]: the ball's velocities after the impact, over one parameter.
 *
 * Every curve is drawn twice: with friction mu, exact, and as in the paper, with friction e mu in
 * restitution by its scheme. */
#include "figures/jia_2013/sweeps.h"

#include "figures/jia_2013/ball.h"
#include "figures/sheet_picture.h"

typedef enum Parameter { SPEED, SPIN, FRICTION, COMPLIANCE, RESTITUTION } Parameter;

/* Points of an exact curve, and of a curve by the scheme, which takes a thousand times as long. */
enum { POINTS = 600, SCHEME_POINTS = 100 };

static bool bounce_with(FigureSheet *sheet, Parameter parameter, double value, JRule rule,
                        JBall *after, JImpact *impact) {
    JBall ball = j_thrown;
    JSurface surface = j_rubber;
    double *const parameters[] = {[SPEED] = &ball.V[0],
                                  [SPIN] = &ball.omega[1],
                                  [FRICTION] = &surface.mu,
                                  [COMPLIANCE] = &surface.eta,
                                  [RESTITUTION] = &surface.e};
    *parameters[parameter] = value;
    return j_bounce(sheet, &ball, &surface, rule, after, impact);
}

/* ---- searching ---- */

/* Where V_x (0) or omega_y (1) passes through zero between two values of a parameter. */
static bool find_zero(FigureSheet *sheet, Parameter parameter, JRule rule, int which, double low,
                      double high, double *zero) {
    double at_low = 0;
    for (int i = 0; i < (rule == J_COULOMB ? 60 : 24); i++) {
        JBall ball;
        double middle = i ? (low + high) / 2 : low;
        if (!bounce_with(sheet, parameter, middle, rule, &ball, NULL)) {
            return false;
        }
        double value = which ? ball.omega[1] : ball.V[0];
        if (i == 0) {
            at_low = value;
        }
        *(at_low * value > 0 ? &low : &high) = middle;
    }
    *zero = (low + high) / 2;
    return true;
}

/* Where V_x is largest between two values of a parameter: a golden section. */
static bool find_largest(FigureSheet *sheet, Parameter parameter, JRule rule, double low,
                         double high, double *at, JBall *largest) {
    const double part = 0.3819660112501051; /* (3 - sqrt 5)/2 */
    JBall ball[2];
    double x[2] = {low + part * (high - low), high - part * (high - low)};
    bool good = bounce_with(sheet, parameter, x[0], rule, &ball[0], NULL) &&
                bounce_with(sheet, parameter, x[1], rule, &ball[1], NULL);
    for (int i = 0; good && i < (rule == J_COULOMB ? 60 : 16); i++) {
        int worse = ball[0].V[0] < ball[1].V[0] ? 0 : 1, better = 1 - worse;
        *(worse == 0 ? &low : &high) = x[worse];
        x[worse] = x[better];
        ball[worse] = ball[better];
        x[better] = better == 1 ? high - part * (high - low) : low + part * (high - low);
        good = bounce_with(sheet, parameter, x[better], rule, &ball[better], NULL);
    }
    *at = x[0];
    *largest = ball[0];
    return good;
}

/* The border between two values of a parameter: the contact slides all the way on one side only. */
static bool find_sliding(FigureSheet *sheet, Parameter parameter, JRule rule, double sticks,
                         double slides, double *edge) {
    for (int i = 0; i < (rule == J_COULOMB ? 50 : 16); i++) {
        JBall ball;
        JImpact impact;
        double middle = (sticks + slides) / 2;
        if (!bounce_with(sheet, parameter, middle, rule, &ball, &impact)) {
            return false;
        }
        *(impact.slides ? &slides : &sticks) = middle;
    }
    *edge = (sticks + slides) / 2;
    return true;
}

/* ---- drawing ---- */

typedef struct Sweep {
    Parameter parameter;
    double from, to;
    const char *title, *axis;
    const char *more; /* further gnuplot commands, e.g. labels */
} Sweep;

static void write_ball(double value, const JBall *ball, FILE *script) {
    fprintf(script, "%.9g %.9g %.9g\n", value, ball->V[0], ball->omega[1]);
}

/* Points on both sides of the border of sliding between a and b, where the scheme's curve jumps. */
static bool write_edge(FigureSheet *sheet, const Sweep *sweep, JRule rule, double a, double b,
                       bool b_slides, FILE *script) {
    double edge, gap = 1e-3 * (b - a);
    JBall before, behind;
    if (!find_sliding(sheet, sweep->parameter, rule, b_slides ? a : b, b_slides ? b : a, &edge) ||
        !bounce_with(sheet, sweep->parameter, edge - gap, rule, &before, NULL) ||
        !bounce_with(sheet, sweep->parameter, edge + gap, rule, &behind, NULL)) {
        return false;
    }
    write_ball(edge - gap, &before, script);
    write_ball(edge + gap, &behind, script);
    return true;
}

static bool write_curve(FigureSheet *sheet, const Sweep *sweep, JRule rule, const char *name,
                        FILE *script) {
    int points = rule == J_COULOMB ? POINTS : SCHEME_POINTS;
    double step = (sweep->to - sweep->from) / points;
    bool slid = false;
    fprintf(script, "$%s%d << END\n", name, (int)sweep->parameter);
    for (int i = 0; i <= points; i++) {
        double value = sweep->from + step * i;
        JBall after;
        JImpact impact;
        if (!bounce_with(sheet, sweep->parameter, value, rule, &after, &impact)) {
            return false;
        }
        bool edge = i > 0 && impact.slides != slid;
        if (edge && !write_edge(sheet, sweep, rule, value - step, value, impact.slides, script)) {
            return false;
        }
        write_ball(value, &after, script);
        slid = impact.slides;
    }
    fputs("END\n", script);
    return true;
}

static void draw_panel(const Sweep *sweep, FILE *script) {
    int k = (int)sweep->parameter;
    fprintf(script,
            "set title '%s' enhanced\nset xlabel '%s'\nset xrange [%.9g:%.9g]\nunset label\n%s"
            "plot $exact%d using 1:2 with lines lt 1 lw 2.6 title 'V_x, exact', "
            "'' using 1:3 with lines lt 2 lw 2.6 dt solid title 'ω_y, exact', "
            "$scheme%d using 1:2 with lines lt 1 lw 1.5 dt (5,4) title 'V_x, friction eμ', "
            "'' using 1:3 with lines lt 2 lw 1.5 dt (5,4) title 'ω_y, friction eμ'\n",
            sweep->title, sweep->axis, sweep->from, sweep->to, sweep->more, k, k);
}

static bool draw_sweeps(FigureSheet *sheet, const char *title, const Sweep sweeps[], int count,
                        const char *description) {
    FILE *script = figure_picture_begin(sheet, "", title, count == 2 ? 900 : 1080, 450);
    if (!script) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        if (!write_curve(sheet, &sweeps[i], J_COULOMB, "exact", script) ||
            !write_curve(sheet, &sweeps[i], J_PRINTED_STOP, "scheme", script)) {
            figure_picture_end(sheet, "");
            return false;
        }
    }
    fprintf(script,
            "set multiplot layout 1,%d title picture_title margins 0.05,0.985,0.145,0.77 spacing "
            "0.05,0.1\nset xzeroaxis lt 8\n"
            "set key at screen 0.52,0.92 center top Left reverse samplen 3 maxrows 1\n",
            count);
    for (int i = 0; i < count; i++) {
        draw_panel(&sweeps[i], script);
        fputs("unset key\n", script);
    }
    fputs("unset multiplot\n", script);
    return figure_picture_end(sheet, description);
}

/* ---- figure 14 ---- */

/* Where sliding all the way begins, on both sides. */
static bool list_edges(FigureSheet *sheet) {
    double edge[4], rigid = 3.5 * j_rubber.mu * (1 + j_rubber.e) * 5;
    if (!find_sliding(sheet, SPEED, J_COULOMB, 1, -15, &edge[0]) ||
        !find_sliding(sheet, SPEED, J_COULOMB, 3, 15, &edge[1]) ||
        !find_sliding(sheet, SPIN, J_COULOMB, -2, -10, &edge[2]) ||
        !find_sliding(sheet, SPIN, J_COULOMB, 0, 10, &edge[3])) {
        return false;
    }
    figure_group(sheet, "Slides all the way");
    figure_value(sheet, "(a) V_0x up to", "-5", edge[0], NULL, "printed as v_0x");
    figure_value(sheet, "(a) V_0x from", "9", edge[1], NULL, "printed as v_0x");
    figure_value(sheet, "(a) V_0x up to, without compliance", "-8.5", 2 - rigid, NULL, NULL);
    figure_value(sheet, "(a) V_0x from, without compliance", "12.5", 2 + rigid, NULL, NULL);
    figure_value(sheet, "(b) ω_0y up to", "-8.0", edge[2], NULL, NULL);
    figure_value(sheet, "(b) ω_0y from", "6.0", edge[3], NULL, NULL);
    return true;
}

static bool list_sliding(FigureSheet *sheet, JRule rule) {
    const char *erratum = rule == J_COULOMB ? J_FRICTION : NULL;
    JBall slow, fast, back, forth;
    JImpact low, high;
    if (!bounce_with(sheet, SPEED, -12, rule, &slow, &low) ||
        !bounce_with(sheet, SPEED, 14, rule, &fast, &high) ||
        !bounce_with(sheet, SPIN, -9.5, rule, &back, NULL) ||
        !bounce_with(sheet, SPIN, 9.5, rule, &forth, NULL)) {
        return false;
    }
    figure_group(sheet, rule == J_COULOMB
                            ? "Where it slides all the way: friction μ, exact"
                            : "Where it slides all the way: friction eμ in restitution, as was "
                              "printed");
    figure_value(sheet, "(a) I_x at V_0x = -12", "2.5", low.I[0], erratum, "printed as 5/2");
    figure_value(sheet, "(a) I_x at V_0x = 14", "-2.5", high.I[0], erratum, "printed as -5/2");
    figure_value(sheet, "(a) ω_y at V_0x = -12", "-4.25", slow.omega[1], erratum,
                 "printed as 2 - 25/4");
    figure_value(sheet, "(a) ω_y at V_0x = 14", "8.25", fast.omega[1], erratum,
                 "printed as 2 + 25/4");
    figure_value(sheet, "(b) V_x at ω_0y = -9.5", "-3.5", back.V[0], erratum, NULL);
    figure_value(sheet, "(b) V_x at ω_0y = 9.5", "1.5", forth.V[0], erratum, NULL);
    return true;
}

bool j_figure_14(FigureSheet *sheet) {
    static const Sweep sweeps[] = {
        {SPEED, -15, 15, "(a) over the speed before, ω_{0y} = 2", "V_{0x}",
         "set label 'V_x' at -9.5,-9.3 tc lt 1\nset label 'ω_y' at -13,-6.7 tc lt 2\n"},
        {SPIN, -10, 10, "(b) over the spin before, V_{0x} = -1", "ω_{0y}",
         "set label 'V_x' at 2.7,2 tc lt 1\nset label 'ω_y' at 2.2,-2.6 tc lt 2\n"}};
    return draw_sweeps(sheet, "The ball after the impact, over its motion before it", sweeps, 2,
                       "Two panels with the velocity and the spin after the impact, over the "
                       "velocity and over the spin before it: straight where the ball slides all "
                       "the way, bent where it sticks for a while. The dashed curves of the "
                       "printed rule jump where sliding all the way begins.") &&
           list_edges(sheet) && list_sliding(sheet, J_COULOMB) &&
           list_sliding(sheet, J_PRINTED_STOP);
}

/* ---- figure 15 ---- */

static bool list_friction(FigureSheet *sheet, JRule rule) {
    const char *erratum = rule == J_COULOMB ? J_FRICTION : NULL;
    double at, forwards, turns;
    JBall largest, given;
    if (!find_largest(sheet, FRICTION, rule, 0.25, 0.5, &at, &largest) ||
        !bounce_with(sheet, FRICTION, 0.36, rule, &given, NULL) ||
        !find_zero(sheet, FRICTION, rule, 1, 0.05, 0.25, &turns) ||
        !find_zero(sheet, FRICTION, rule, 0, 0.05, 0.25, &forwards)) {
        return false;
    }
    figure_group(sheet, rule == J_COULOMB ? "(a) friction: μ, exact"
                                          : "(a) friction: eμ in restitution, as was printed");
    figure_value(sheet, "V_x at μ = 0.36", "0.575906", given.V[0], erratum, NULL);
    figure_value(sheet, "ω_y at μ = 0.36", "-1.93976", given.omega[1], erratum, NULL);
    figure_value(sheet, "μ of the largest V_x", "0.36", at, erratum, NULL);
    figure_computed(sheet, "largest V_x", largest.V[0], NULL);
    figure_value(sheet, "μ from which the spin is reversed", "0.13", turns, erratum, NULL);
    figure_value(sheet, "μ from which it comes back", "0.16", forwards, erratum, NULL);
    return true;
}

static bool list_compliance(FigureSheet *sheet, JRule rule) {
    double at, forwards, turns;
    JBall largest;
    if (!find_largest(sheet, COMPLIANCE, rule, 1.2, 1.6, &at, &largest) ||
        !find_zero(sheet, COMPLIANCE, rule, 0, 1.5, 3, &forwards) ||
        !find_zero(sheet, COMPLIANCE, rule, 1, 1.5, 3, &turns)) {
        return false;
    }
    figure_group(sheet, rule == J_COULOMB
                            ? "(b) compliance: friction μ, exact"
                            : "(b) compliance: friction eμ in restitution, as was printed");
    figure_value(sheet, "η_0 of the largest V_x", "1.5", at, NULL,
                 "printed as \"slightly less than 1.5\"");
    figure_value(sheet, "η_0 where V_x = 0", "2.4", forwards, NULL, "printed as \"close to\"");
    figure_value(sheet, "η_0 where ω_y = 0", "2.6", turns,
                 "By (79) ω_y is 0 where V_x = -0.2, which is later.", "printed as \"around\"");
    return true;
}

static bool list_restitution(FigureSheet *sheet, JRule rule) {
    double at;
    JBall largest, plastic, elastic;
    const char *euler = rule == J_COULOMB ? J_EULER : NULL;
    if (!find_largest(sheet, RESTITUTION, rule, 0.1, 0.4, &at, &largest) ||
        !bounce_with(sheet, RESTITUTION, 0, rule, &plastic, NULL) ||
        !bounce_with(sheet, RESTITUTION, 1, rule, &elastic, NULL)) {
        return false;
    }
    figure_group(sheet, rule == J_COULOMB ? "(c) restitution: exact"
                                          : "(c) restitution: by the published scheme");
    figure_value(sheet, "e of the largest V_x", "0.22", at, NULL, NULL);
    figure_value(sheet, "e = 0: V_x", "0.554553", plastic.V[0], J_EULER, NULL);
    figure_value(sheet, "e = 0: ω_y", "-1.88638", plastic.omega[1], J_EULER, NULL);
    figure_value(sheet, "e = 1: V_x", "-0.089745", elastic.V[0], euler, NULL);
    figure_value(sheet, "e = 1: ω_y", "-0.275637", elastic.omega[1], euler, NULL);
    return true;
}

static bool list_energies(FigureSheet *sheet) {
    static const char *const after[2] = {"0.5096", NULL}, *const lost[2] = {"96.197", "6.628"};
    for (int e = 0; e <= 1; e++) {
        JBall ball;
        if (!bounce_with(sheet, RESTITUTION, e, J_COULOMB, &ball, NULL)) {
            return false;
        }
        figure_group(sheet, e ? "(c) energy, e = 1" : "(c) energy, e = 0");
        double before = j_energy(&j_thrown), halved = j_energy_by_half(&j_thrown);
        figure_value(sheet, "after", after[e], j_energy(&ball), after[e] ? J_HALF : NULL, NULL);
        figure_value(sheet, "after, rotation by half", after[e], j_energy_by_half(&ball), NULL,
                     NULL);
        figure_value(sheet, "lost, in %", lost[e], 100 * (1 - j_energy(&ball) / before), J_HALF,
                     NULL);
        figure_value(
            sheet, "lost, in %, rotation by half", lost[e],
            100 * (1 - j_energy_by_half(&ball) / halved),
            e ? FIGURE_STEPS
                "It would take V_z = 5.00005; 5 is printed, and the scheme overshoots the end."
              : NULL,
            NULL);
    }
    return true;
}

bool j_figure_15(FigureSheet *sheet) {
    static const Sweep sweeps[] = {
        {FRICTION, 0, 1, "(a) friction", "μ",
         "set label 'V_x' at 0.7,0.66 tc lt 1\nset label 'ω_y' at 0.7,-1.5 tc lt 2\n"},
        {COMPLIANCE, 1, 3, "(b) tangential compliance", "η_0",
         "set label 'V_x' at 1.95,0.55 tc lt 1\nset label 'ω_y' at 1.95,-1.65 tc lt 2\n"},
        {RESTITUTION, 0, 1, "(c) restitution", "e",
         "set label 'V_x' at 0.6,0.65 tc lt 1\nset label 'ω_y' at 0.62,-1.9 tc lt 2\n"}};
    bool good =
        draw_sweeps(sheet, "The ball after the impact, over what the surface is like", sweeps, 3,
                    "Three panels with the velocity and the spin after the impact, over "
                    "friction, tangential compliance and restitution. Each velocity has a "
                    "maximum, where the spin has its minimum.");
    return good && list_friction(sheet, J_COULOMB) && list_friction(sheet, J_PRINTED_STOP) &&
           list_compliance(sheet, J_COULOMB) && list_compliance(sheet, J_PRINTED_STOP) &&
           list_restitution(sheet, J_COULOMB) && list_restitution(sheet, J_PRINTED_STOP) &&
           list_energies(sheet);
}
