/* [J], Table 1 and Fig. 13: eight bounces of a ball that spins about two axes. */
#include "figures/jia_2013/bounces_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures/jia_2013/ball.h"
#include "figures/sheet_picture.h"

enum { BOUNCES = 8, COLUMNS = 5 };

static const double gravity = 9.81; /* not printed; the shape of the path does not depend on it */

static const JBall start = {{-1, 0, -5}, {6, 6, 0}};

static const char *const columns[COLUMNS] = {"V_x", "V_y", "V_z", "ω_x", "ω_y"};

/* Table 1 as printed; and which of its numbers the published scheme gives to the last digit: a dot
 * for those that it does, a minus for others. */
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

/* The ball after bounce i (0: before the first, coming down like after one). */
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
    char heading[64];
    double row[COLUMNS];
    row_of(ball, row);
    snprintf(heading, sizeof heading, "After bounce %d: friction μ, exact", i);
    figure_group(sheet, heading);
    for (int k = 0; k < COLUMNS; k++) {
        /* V_z is right to its last digit in two rows, a step of the scheme off in the third, and
         * too small from then on */
        const char *halved = i > 3 ? J_STOP : i == 3 ? J_EULER : NULL;
        const char *erratum = k == 2 ? halved : J_FRICTION;
        figure_value(sheet, columns[k], table[i - 1].value[k], row[k], erratum, NULL);
    }
}

static bool list_scheme(FigureSheet *sheet, int i) {
    char heading[96];
    double row[COLUMNS];
    JBall last = printed_ball(i - 1), ball;
    if (!go_on(sheet, &last, J_PRINTED_STOP, &ball)) {
        return false;
    }
    row_of(&ball, row);
    snprintf(heading, sizeof heading,
             "After bounce %d: friction eμ in restitution, from the printed row before", i);
    figure_group(sheet, heading);
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

/* Where the bounces are: the first one at the origin. after[i] is the ball after bounce i. */
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

/* Rows: number, x, y, way along the line, deviation. */
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
