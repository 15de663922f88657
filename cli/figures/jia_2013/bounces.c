/* Fig. 1 of [J]: five bounces of the ball, from the side; Table 1 and Fig. 13: eight bounces of a
 * ball that spins about two axes.
 *
 * Between bounces the ball flies freely. Gravity is not given; it changes places and times, not the
 * velocities. */
#include "figures/jia_2013/bounces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "figures/jia_2013/ball.h"
#include "figures/sheet_picture.h"

enum { FIVE = 5, MOMENTS = 2 * FIVE, PATH_POINTS = 24 };

static const double gravity = 9.81, pi = 3.14159265358979323846;

/* The content of a panel. */
typedef struct Moment {
    const char *name;
    JBall ball;
    double x, z, turn; /* of the centre; clockwise rotation since the start */
} Moment;

/* After a flight for the time t. */
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

/* The path of the centre until moment k, and an arc in proportion to the spin. */
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

static bool draw_moments(FigureSheet *sheet, const Moment moments[MOMENTS]) {
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
static bool bounce_five_times(FigureSheet *sheet, JRule rule, JBall *ball, Words reversed[2]) {
    *ball = j_thrown;
    reversed[0] = reversed[1] = (Words){""};
    for (int i = 1; i <= FIVE; i++) {
        JBall before = *ball;
        before.V[2] = -fabs(before.V[2]);
        if (!j_bounce(sheet, &before, &j_rubber, rule, ball, NULL)) {
            return false;
        }
        const bool turned[2] = {before.V[0] * ball->V[0] < 0, before.omega[1] * ball->omega[1] < 0};
        for (int k = 0; k < 2; k++) {
            if (turned[k]) {
                words_add(&reversed[k], "%s%d", reversed[k].text[0] ? ", " : "", i);
            }
        }
    }
    return true;
}

static bool list_five(FigureSheet *sheet) {
    static const char spins[] = "impacts that reverse ω_y", speeds[] = "impacts that reverse V_x";
    JBall ball;
    Words reversed[2];
    if (!bounce_five_times(sheet, J_COULOMB, &ball, reversed)) {
        return false;
    }
    figure_group(sheet, "After the fifth impact: friction μ, exact");
    figure_value(sheet, "V_x", "-0.088333", ball.V[0], J_FRICTION, NULL);
    figure_value(sheet, "V_z", "0.155565", ball.V[2], J_STOP, "5/32, as e = 1/2");
    figure_value(sheet, "ω_y", "-0.279167", ball.omega[1], J_FRICTION, NULL);
    figure_words(sheet, speeds, "1, 2", reversed[0].text, J_FRICTION, NULL);
    figure_words(sheet, spins, "1, 2, 3, 4, 5", reversed[1].text, NULL, NULL);
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
    figure_words(sheet, speeds, "1, 2", reversed[0].text, NULL, NULL);
    figure_words(sheet, spins, "1, 2, 3, 4, 5", reversed[1].text, NULL, NULL);
    return true;
}

bool j_figure_1(FigureSheet *sheet) {
    Moment moments[MOMENTS];
    return find_moments(sheet, moments) && draw_moments(sheet, moments) && list_five(sheet);
}

/* ---- table 1 ---- */

enum { BOUNCES = 8, COLUMNS = 5 };

static const JBall start = {{-1, 0, -5}, {6, 6, 0}};

static const char *const columns[COLUMNS] = {"V_x", "V_y", "V_z", "ω_x", "ω_y"};

/* Table 1 as printed; scheme: a dot for each number that the published scheme gives to the last
 * digit. */
static const struct {
    const char *value[COLUMNS];
    const char *scheme;
} table[BOUNCES] = {{{"0.898172", "-1.627", "2.5001", "1.93249", "1.25457"}, "....."},
                    {{"1.07389", "-1.77762", "1.2501", "1.55595", "0.815269"}, "--.--"},
                    {{"0.944485", "-1.6667", "0.62505", "1.83325", "1.13879"}, "-..--"},
                    {{"1.04364", "-1.75169", "0.3123", "1.62078", "0.890907"}, "--.--"},
                    {{"0.963345", "-1.68287", "0.15565", "1.79283", "1.09164"}, "-..--"},
                    {{"1.02677", "-1.73723", "0.07665", "1.65692", "0.933078"}, "...--"},
                    {{"0.998039", "-1.7126", "0.0358", "1.71849", "1.0049"}, "-..-."},
                    {{"1.00197", "-1.71598", "0.0111", "1.71006", "0.995071"}, ".-.--"}};

static void row_of(const JBall *ball, double row[COLUMNS]) {
    const double all[COLUMNS] = {ball->V[0], ball->V[1], ball->V[2], ball->omega[0],
                                 ball->omega[1]};
    memcpy(row, all, sizeof all);
}

/* The ball after bounce i (0: before the first, with V_z reversed). */
static JBall printed_ball(int i) {
    JBall ball = start;
    ball.V[2] = -ball.V[2];
    for (int k = 0; i > 0 && k < COLUMNS; k++) {
        *(k < 3 ? &ball.V[k] : &ball.omega[k - 3]) = strtod(table[i - 1].value[k], NULL);
    }
    return ball;
}

/* One bounce more; between bounces the flight reverses V_z. */
static bool go_on(FigureSheet *sheet, const JBall *last, JRule rule, JBall *next) {
    JBall before = *last;
    before.V[2] = -before.V[2];
    return j_bounce(sheet, &before, &j_rubber, rule, next, NULL);
}

/* Each row from the one before it, exactly; balls[0] is as printed_ball(0). */
static bool bounce_exactly(FigureSheet *sheet, JBall balls[BOUNCES + 1]) {
    balls[0] = printed_ball(0);
    for (int i = 1; i <= BOUNCES; i++) {
        if (!go_on(sheet, &balls[i - 1], J_COULOMB, &balls[i])) {
            return false;
        }
    }
    return true;
}

/* ---- the table ---- */

static void list_exact(FigureSheet *sheet, int i, const JBall *ball) {
    double row[COLUMNS];
    row_of(ball, row);
    figure_group(sheet, words_of("After bounce %d: friction μ, exact", i).text);
    for (int k = 0; k < COLUMNS; k++) {
        /* V_z is right in two rows, off by a step of the scheme in the third, and too small from
         * then on */
        const char *halved = i > 3 ? J_STOP : i == 3 ? J_EULER : NULL;
        const char *erratum = k == 2 ? halved : J_FRICTION;
        figure_value(sheet, columns[k], table[i - 1].value[k], row[k], erratum, NULL);
    }
}

static bool list_scheme(FigureSheet *sheet, int i) {
    double row[COLUMNS];
    JBall last = printed_ball(i - 1), ball;
    if (!go_on(sheet, &last, J_PRINTED_STOP, &ball)) {
        return false;
    }
    row_of(&ball, row);
    figure_group(
        sheet,
        words_of("After bounce %d: friction eμ in restitution, from the printed row before", i)
            .text);
    for (int k = 0; k < COLUMNS; k++) {
        figure_value(sheet, columns[k], table[i - 1].value[k], row[k],
                     table[i - 1].scheme[k] == '.' ? NULL : J_EULER, NULL);
    }
    return true;
}

bool j_table_1(FigureSheet *sheet) {
    JBall balls[BOUNCES + 1];
    bool good = bounce_exactly(sheet, balls);
    for (int i = 1; good && i <= BOUNCES; i++) {
        list_exact(sheet, i, &balls[i]);
        good = list_scheme(sheet, i);
    }
    return good;
}

/* ---- figure 13 ---- */

typedef struct Track {
    double x[BOUNCES], y[BOUNCES];
} Track;

/* The places of the bounces; the first is the origin. after[i]: the ball after bounce i. */
static Track track_of(const JBall after[BOUNCES + 1]) {
    Track track = {{0}, {0}};
    for (int i = 1; i < BOUNCES; i++) {
        double time = 2 * after[i].V[2] / gravity;
        track.x[i] = track.x[i - 1] + after[i].V[0] * time;
        track.y[i] = track.y[i - 1] + after[i].V[1] * time;
    }
    return track;
}

/* Distance of bounce i from the straight line between the first and the last one, to its left. */
static double deviation(const Track *track, int i) {
    double dx = track->x[BOUNCES - 1], dy = track->y[BOUNCES - 1];
    return (dx * track->y[i] - dy * track->x[i]) / hypot(dx, dy);
}

/* Rows: number, x, y, distance along the line, deviation. */
static void write_track(const char *name, const Track *track, FILE *script) {
    double dx = track->x[BOUNCES - 1], dy = track->y[BOUNCES - 1], length = hypot(dx, dy);
    fprintf(script, "$%s << END\n", name);
    for (int i = 0; i < BOUNCES; i++) {
        fprintf(script, "%d %.9g %.9g %.9g %.9g\n", i + 1, track->x[i], track->y[i],
                (dx * track->x[i] + dy * track->y[i]) / length, deviation(track, i));
    }
    fputs("END\n", script);
}

static bool draw_tracks(FigureSheet *sheet, const Track *exact, const Track *printed) {
    FILE *script = figure_picture_begin(
        sheet, "", "Eight bounces from above, and how far they are from a straight line", 1000,
        520);
    if (!script) {
        return false;
    }
    write_track("exact", exact, script);
    write_track("printed", printed, script);
    fputs("set multiplot title picture_title\n"
          "set key at screen 0.52,0.92 center top Left reverse samplen 3 maxrows 1\n"
          "set lmargin at screen 0.08\nset rmargin at screen 0.44\nset bmargin at screen 0.13\n"
          "set tmargin at screen 0.80\n"
          "set title '(x, y) of the bounces'\nset size ratio -1\nset xlabel 'x'\nset ylabel 'y'\n"
          "set xrange [-0.3:2]\nset yrange [-2.1:0.2]\n"
          "set label '1' at 0,0 left offset 0.8,0.5\n"
          "plot $exact every 7 using 2:3 with lines lt 8 dt (5,4) lw 1 notitle, "
          "$printed every 7 using 2:3 with lines lt 8 dt (5,4) notitle, "
          "$exact using 2:3 with linespoints lt 1 pt 7 ps 1.1*point notitle, "
          "$printed using 2:3 with linespoints lt 2 pt 6 ps 1.3*point notitle, "
          "$exact using ($1==1||$1>4?NaN:$2):3:(sprintf('%d', $1)) with labels left "
          "offset 0.8,0.4 notitle\n"
          "unset label\n"
          "set lmargin at screen 0.56\nset rmargin at screen 0.97\n"
          "set title 'distance from the dashed line'\nset size noratio\n"
          "set xlabel 'way along the line'\nset ylabel 'to its left' offset 1\n"
          "set autoscale x\nset xrange [0:2.3]\nset autoscale y\nset offsets 0,0,graph 0.05,graph "
          "0.05\n"
          "plot 0 with lines lt 8 dt (5,4) notitle, "
          "$exact using 4:5 with linespoints lt 1 pt 7 ps 1.1*point title 'friction μ, exact', "
          "$printed using 4:5 with linespoints lt 2 pt 6 ps 1.3*point title 'from the printed "
          "Table 1'\n"
          "unset multiplot\n",
          script);
    return figure_picture_end(sheet, "The places of eight bounces seen from above lie nearly on a "
                                     "straight line; magnified, they deviate from it by some "
                                     "hundredths.");
}

bool j_figure_13(FigureSheet *sheet) {
    JBall exact[BOUNCES + 1], printed[BOUNCES + 1];
    if (!bounce_exactly(sheet, exact)) {
        return false;
    }
    for (int i = 0; i <= BOUNCES; i++) {
        printed[i] = printed_ball(i);
    }
    const Track tracks[2] = {track_of(exact), track_of(printed)};
    if (!draw_tracks(sheet, &tracks[0], &tracks[1])) {
        return false;
    }
    static const char *const headings[2] = {"Friction μ, exact", "From the printed Table 1"};
    for (int k = 0; k < 2; k++) {
        const Track *track = &tracks[k];
        double far = 0;
        for (int i = 0; i < BOUNCES; i++) {
            far = fmax(far, fabs(deviation(track, i)));
        }
        figure_group(sheet, headings[k]);
        figure_computed(sheet, "x of the eighth bounce", track->x[BOUNCES - 1],
                        "with g = 9.81; it goes like 1/g");
        figure_computed(sheet, "y of the eighth bounce", track->y[BOUNCES - 1], NULL);
        figure_computed(sheet, "largest distance from the straight line", far, NULL);
    }
    return true;
}
