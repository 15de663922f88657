/* [JME], Fig. 16: the way of the ball after a massé shot.
 *
 * (a) and (b) are the measured shot: its velocities (56) are printed, and the way follows from
 * them; the dots of (a), places of the ball in a video, are not printed. (c) is the prediction, (d)
 * what becomes of it when the tangential stiffness under the cue is changed. */
#include "figures/jia_mason_erdmann_2013/masse.h"

#include <math.h>
#include <string.h>

#include "figures/jia_mason_erdmann_2013/shot.h"
#include "figures/sheet_picture.h"

enum { POINTS = 60, FIRST = 2, LAST = 7 }; /* eta1^2 in (d) */

#define NOT_REPRODUCED                                                                             \
    "It does not follow from the model with the printed parameters, neither with the printed "     \
    "mass of the ball nor with the right one; an integration in small steps confirms the "         \
    "computed one."

static const CaromRollingState measured = {.velocity = {-1.67063, -0.274431, 0},
                                           .angular_velocity = {28.4584, 79.1561, 0}};
static const CaromRollingState printed = {.velocity = {-1.67629, -0.075349, 0.637937},
                                          .angular_velocity = {40.3064, 83.6145, -15.4927}};

/* As many points while it slides as while it rolls, and the place between. */
static bool write_path(FigureSheet *sheet, const char *name, const CaromRollingState *ball,
                       FILE *script) {
    CaromRollingPath path;
    if (!jme_shot_path(sheet, ball, jme_shot.radius, &path)) {
        return false;
    }
    fprintf(script, "$%s << END\n", name);
    for (int i = 0; i <= 2 * POINTS; i++) {
        CaromRollingState at;
        int phase = i < POINTS ? 0 : 1;
        double part = (double)(i - phase * POINTS) / POINTS;
        double t = path.begin[phase] + part * (path.begin[phase + 1] - path.begin[phase]);
        if (carom_rolling_at(&path, t, &at, NULL) < 0) {
            return figure_fail(sheet, "the way of the ball: not known at time %g", t);
        }
        fprintf(script, "%.9g %.9g\n", at.position[0], at.position[1]);
    }
    fprintf(script, "END\n$%s_rolls << END\n%.9g %.9g\nEND\n", name, path.state[1].position[0],
            path.state[1].position[1]);
    return true;
}

static bool write_paths(FigureSheet *sheet, const CaromRollingState balls[LAST + 1], FILE *script) {
    bool good = write_path(sheet, "measured", &measured, script) &&
                write_path(sheet, "printed", &printed, script);
    for (int i = FIRST; good && i <= LAST; i++) {
        char name[16];
        snprintf(name, sizeof name, "eta%d", i);
        good = write_path(sheet, name, &balls[i], script);
    }
    return good;
}

/* A dot where rolling begins. The measured way, (b), is in both panels. */
static void draw_panels(FILE *script) {
    fputs(
        "set multiplot layout 2,1 title picture_title margins 0.07,0.8,0.07,0.9 spacing 0.1,0.14\n"
        "set size ratio -1\nset grid lt 8 lw 0.4\nset xlabel 'x (m)' offset 0,0.4\n"
        "set ylabel 'y (m)' offset 1\nset xrange [-6.8:0.3]\nset yrange [-1.6:1.4]\n"
        "set key at graph 1.02,1 left top Left reverse samplen 2.5 spacing 1.25\n"
        "rolls = \"with points pt 7 ps 0.7*point lc rgb '#000000'\"\n"
        "set title '(b), (c): measured and predicted' enhanced\n"
        "eval \"plot $measured with lines lt 7 lw 2.4 title 'measured (56)', $printed with lines "
        "lt "
        "6 lw 2.2 title 'printed (57)', $eta7 with lines lt 2 dt solid lw 2.2 title 'computed', "
        "$measured_rolls \".rolls.\" title 'rolling begins', $printed_rolls \".rolls.\" notitle, "
        "$eta7_rolls \".rolls.\" notitle\"\n",
        script);
    fputs(
        "set title '(d): computed, for stiffness ratios η@_1^2 from 2 to 7' enhanced\n"
        "eval \"plot $measured with lines lt 7 lw 1.6 title 'measured (56)', $eta2 with lines lt 1 "
        "title '2', $eta3 with lines lt 6 title '3', $eta4 with lines lt 3 title '4', $eta5 with "
        "lines lt 5 title '5', $eta6 with lines lt 4 title '6', $eta7 with lines lt 2 dt solid lw "
        "2.2 title '7', $eta2_rolls \".rolls.\" notitle, $eta3_rolls \".rolls.\" notitle, "
        "$eta4_rolls \".rolls.\" notitle, $eta5_rolls \".rolls.\" notitle, $eta6_rolls "
        "\".rolls.\" notitle, $eta7_rolls \".rolls.\" notitle\"\nunset multiplot\n",
        script);
}

static bool draw(FigureSheet *sheet, const CaromRollingState balls[LAST + 1]) {
    FILE *script =
        figure_picture_begin(sheet, "", "The way of the ball after a massé shot", 960, 800);
    if (!script) {
        return false;
    }
    bool good = write_paths(sheet, balls, script);
    draw_panels(script);
    return figure_picture_end(
               sheet, "Two panels with ways of the ball seen from above. The measured one bends to "
                      "the left; the printed prediction is like it, the computed one is nearly "
                      "straight and goes to the other side. Those for other stiffnesses bend right "
                      "for 2 to 4 and hardly for 5 to 7.") &&
           good;
}

/* ---- beside the printed ---- */

static void list_prediction(FigureSheet *sheet, const CaromRollingState *ball, const char *states) {
    static const char *const names[6] = {"v_x", "v_y", "v_z", "ω_x", "ω_y", "ω_z"};
    static const char *const values[6] = {"-1.67629", "-0.075349", "0.637937",
                                          "40.3064",  "83.6145",   "-15.4927"};
    figure_group(sheet, "(c) after the shot, beside the printed prediction (57)");
    for (int i = 0; i < 6; i++) {
        double value = i < 3 ? ball->velocity[i] : ball->angular_velocity[i - 3];
        figure_value(sheet, names[i], values[i], value, NOT_REPRODUCED, NULL);
    }
    figure_words(sheet, "states", "S1 S2 S4", states, NULL, NULL);
    figure_group(sheet, "(b) after the shot, beside the measured velocities (56)");
    static const char *const seen[6] = {"-1.67063", "-0.274431", NULL, "28.4584", "79.1561", NULL};
    for (int i = 0; i < 6; i++) {
        double value = i < 3 ? ball->velocity[i] : ball->angular_velocity[i - 3];
        if (seen[i]) {
            figure_measured(sheet, names[i], seen[i], value,
                            "printed: measured, from a video of the shot");
        }
    }
}

static void list_bends(FigureSheet *sheet, const CaromRollingState balls[LAST + 1]) {
    char bends[64] = "";
    for (int i = FIRST, used = 0; i <= LAST; i++) {
        bool left = jme_shot_bends_left(&balls[i], jme_shot.radius);
        used += snprintf(bends + used, sizeof bends - (size_t)used, "%s%s", used ? " " : "",
                         left ? "left" : "right");
    }
    figure_group(sheet, "(d) which way the path bends, η1² from 2 to 7");
    figure_words(sheet, "bends", "right right left left left left", bends,
                 "As for (57): the change is there, one step later.", NULL);
}

/* What is given, and cannot all be right. */
static void list_parameters(FigureSheet *sheet) {
    double springs = 353.756, drawn = 0.079, before = 0.011, cue = 0.5018;
    figure_group(sheet, "Parameters");
    figure_value(sheet, "mass of the ball (kg)", "0.01701", 6 * 0.028349523125,
                 "A digit was lost: a ball of 6 oz has ten times that mass.", "6 oz");
    figure_value(sheet, "speed of the cue (m/s)", "3.089095",
                 sqrt(2 * springs * (drawn * drawn - before * before) / cue),
                 "The printed springs give less by the printed formula; the printed speed is used "
                 "here.",
                 NULL);
    figure_value(sheet, "radius that (57) belongs to (m)", "0.0305", jme_shot_radius(&printed),
                 "(57) belongs to the radius of a pool ball of 2 1/4 inches.", NULL);
    CaromRollingPath path;
    if (jme_shot_path(sheet, &measured, jme_shot.radius, &path)) {
        figure_value(sheet, "deceleration in rolling over μ_r g", "0.2857",
                     path.deceleration[1] / (0.0209727 * 9.81),
                     "Printed as 2/7; 5/7 is right, and the printed formula for μ_r has it.", NULL);
    }
}

static bool list_ways(FigureSheet *sheet, const CaromRollingState *computed) {
    static const char *const headings[3] = {"Way from the measured velocities (56)",
                                            "Way from the printed prediction (57)",
                                            "Way from the computed prediction"};
    const CaromRollingState *const balls[3] = {&measured, &printed, computed};
    for (int i = 0; i < 3; i++) {
        CaromRollingPath path;
        if (!jme_shot_path(sheet, balls[i], jme_shot.radius, &path)) {
            return false;
        }
        figure_group(sheet, headings[i]);
        figure_computed(sheet, "slides for (s)", path.begin[1], NULL);
        figure_computed(sheet, "rests at x (m)", path.state[2].position[0], NULL);
        figure_computed(sheet, "rests at y (m)", path.state[2].position[1], NULL);
    }
    return true;
}

bool jme_figure_16(FigureSheet *sheet) {
    CaromRollingState balls[LAST + 1];
    char states[JME_SHOT_STATES];
    memset(balls, 0, sizeof balls);
    for (int i = FIRST; i <= LAST; i++) {
        JmeShot shot = jme_shot;
        shot.eta[0] = i;
        if (!jme_shoot(sheet, &shot, &balls[i], states)) {
            return false;
        }
    }
    if (!draw(sheet, balls)) {
        return false;
    }
    list_prediction(sheet, &balls[LAST], states);
    list_bends(sheet, balls);
    list_parameters(sheet);
    return list_ways(sheet, &balls[LAST]);
}
