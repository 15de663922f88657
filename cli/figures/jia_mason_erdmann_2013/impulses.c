/* Figs. 1, 7 and 9 of [JME]: the impulses of the two contacts as a curve.
 *
 * It stays in the ellipse I1^2/2 + (I1 - I2)^2/(2 m2) = I1 (no energy is gained), that is
 * I1 = 1 + cos t, I2 = I1 - sqrt(m2) sin t. On the line l1, I2 = (1 + m2) I1 - m2, the balls have
 * the same velocity; on l2, I2 = I1, the lower one is at rest. */
#include "figures/jia_mason_erdmann_2013/impulses.h"

#include <math.h>

#include "base/words.h"
#include "figures/jia_mason_erdmann_2013/two_balls.h"
#include "figures/sheet_picture.h"

/* The data: the curve in pieces by state, and the ellipse. */
static void write_course(const JmeCourse *course, FILE *script) {
    for (int state = 1; state <= 3; state++) {
        fprintf(script, "$s%d << END\n", state);
        bool inside = false;
        for (int i = 0; i < JME_SAMPLES; i++) {
            const JmeMoment *now = &course->samples[i];
            bool here = now->state == state;
            if (here || inside) { /* one more sample, to join the pieces */
                fprintf(script, "%.9g %.9g\n", now->I[0], now->I[1]);
            }
            if (inside && !here) {
                fputc('\n', script);
            }
            inside = here;
        }
        fputs("NaN NaN\nEND\n", script);
    }
    fputs("$ellipse << END\n", script);
    for (int i = 0; i <= 360; i++) {
        double t = i * 3.14159265358979323846 / 180, I1 = 1 + cos(t);
        fprintf(script, "%.9g %.9g\n", I1, I1 - sqrt(course->fall.m2) * sin(t));
    }
    fputs("END\n", script);
}

/* A point of the curve with a letter; offset in characters. */
static void write_dot(const char *letter, const char *offset, const double I[2], FILE *script) {
    fprintf(
        script,
        "set label '%s' at %.9g,%.9g point pt 7 ps 0.9*point lc rgb '#000000' offset %s front\n",
        letter, I[0], I[1], offset);
}

/* The curve alone, or with the ellipse and the lines. */
static void draw_course(const JmeCourse *course, const char *ranges, bool alone, FILE *script) {
    double m2 = course->fall.m2;
    fprintf(script,
            "set xlabel 'I_1 (between the balls)'\nset ylabel 'I_2 (on the table)'\n"
            "set size ratio -1\n%s\nset key outside right top Left reverse samplen 4 spacing 1.3\n"
            "plot ",
            ranges);
    if (!alone) {
        fprintf(script,
                "$ellipse with filledcurves closed fc rgb '#F4F4F4' notitle, "
                "$ellipse with lines lt 7 lw 1 title 'no energy lost', "
                "%.9g*x-%.9g with lines lt 8 lw 1.2 dt (9,5) title 'l_1: v_1 = v_2', "
                "x with lines lt 8 lw 1.2 dt (2,4) title 'l_2: v_2 = 0', ",
                1 + m2, m2);
    }
    static const char *const states[] = {
        "$s1 with lines lt 1 lw 2.8 title 'S_1: both contacts act'",
        "$s2 with lines lt 2 lw 2.8 dt (7,3) title 'S_2: only the table''s'",
        "$s3 with lines lt 3 lw 2.8 title 'S_3: only the balls'''"};
    for (int state = 1; state <= 3; state++) {
        bool there = false;
        for (int i = 0; i < course->state_count; i++) {
            there = there || course->at[course->states[i]].state == state;
        }
        fprintf(script, "%s%s", state > 1 && there ? ", " : "", there ? states[state - 1] : "");
    }
    fputc('\n', script);
}

/* A figure with its letters, their offsets, and the printed values at the end: I1, I2, v1, v2. */
typedef struct Curve {
    const JmeFall *fall;
    const char *title, *ranges, *description;
    int height;
    bool alone; /* without ellipse and lines */
    const JmeLetter *letters;
    const char *offsets[JME_LETTERS];
    const char *printed[4], *states, *erratum; /* erratum: of the states */
    const char *why[2]; /* the printed values differ: from the exact ones, from the scheme's */
} Curve;

#define OTHER_RUN                                                                                  \
    FIGURE_STEPS "Error of the paper's scheme: in steps of 1e-5, and with the threshold 1e-4 "     \
                 "that gives Table "                                                               \
                 "1, it has about half of this difference; the step and the threshold of this "    \
                 "run are unknown."

static const JmeFall elastic = {.m2 = JME_HEAVY, .e = {1, 1}, .ratio = 1};
static const JmeFall light = {.m2 = 0.5, .e = {0.9, 0.7}, .ratio = 1};

static const JmeLetter letters_7[JME_LETTERS] = {
    {"A", CAROM_EVENT_COMPRESSION_END, 0}, {"D", CAROM_EVENT_RESTITUTION_END, 0},
    {"E", CAROM_EVENT_COMPRESSION_END, 1}, {"F", CAROM_EVENT_ACTIVATION, 0},
    {"G", CAROM_EVENT_RESTITUTION_END, 1}, {"H", CAROM_EVENT_COMPRESSION_END, 0},
    {"J", CAROM_EVENT_RESTITUTION_END, 0}};
static const JmeLetter letters_9[JME_LETTERS] = {
    {"A", CAROM_EVENT_COMPRESSION_END, 0},     {"B", CAROM_EVENT_COMPRESSION_RESTART, 0},
    {"C", CAROM_EVENT_COMPRESSION_END, 1},     {"D", CAROM_EVENT_COMPRESSION_END, 0},
    {"E", CAROM_EVENT_COMPRESSION_RESTART, 1}, {"F", CAROM_EVENT_RESTITUTION_END, 0},
    {"G", CAROM_EVENT_RESTITUTION_END, 1}};

enum { FIGURE_1, FIGURE_7, FIGURE_9 };

static const Curve curves[] = {
    [FIGURE_1] = {.fall = &jme_lossy,
                  .title = "Impulses on two balls, with loss",
                  .ranges = "set xrange [0:2]\nset yrange [0:2.2]",
                  .description =
                      "The impulses as a curve in five pieces: both contacts act, then only the "
                      "table's, both again, only the balls', none.",
                  .height = 600,
                  .alone = true,
                  .letters = jme_letters,
                  .offsets = {"-1.5,0.6", "0.7,-0.3", "0.7,-0.2", "0.7,-0.4", "-1.6,0.5",
                              "-0.4,0.9", "0.6,0.5"},
                  .printed = {"1.61377", "1.85565", "0.61377", "0.20947"},
                  .why = {JME_EULER, NULL},
                  .states = "S1 S2 S1 S3 S4"},
    [FIGURE_7] = {.fall = &elastic,
                  .title = "Impulses on two balls, without loss",
                  .ranges = "set xrange [-0.1:2.3]\nset yrange [-0.6:2.6]",
                  .description =
                      "The impulses as a curve inside an ellipse that it reaches at its end, with "
                      "the two lines that part compression from restitution.",
                  .height = 640,
                  .letters = letters_7,
                  .offsets = {"-1.5,0.6", "0.7,-0.3", "0.7,-0.2", "0.7,-0.4", "-1.6,0.4",
                              "0.2,-0.9", "0.6,0.5"},
                  .printed = {"1.94484", "2.29559", "0.94484", "0.30376"},
                  .why = {OTHER_RUN, OTHER_RUN},
                  .states = "S1 S2 S1 S3 S4"},
    [FIGURE_9] = {
        .fall = &light,
        .title = "Compression that restarts",
        .ranges = "set xrange [0:2.15]\nset yrange [-0.3:2.3]",
        .description = "The impulse curve winds around the two lines and crosses them five times "
                       "before the balls part.",
        .height = 600,
        .letters = letters_9,
        .offsets = {"0.7,-0.5", "-1.6,0.4", "-1.7,0.4", "-1.6,0.5", "0.7,-0.6", "0.7,-0.4",
                    "0.6,0.5"},
        .states = "S1 S3 S4",
        .erratum = "After the last restart the balls part before the lower one leaves the table: "
                   "the second state is S2, only the table's contact acts."}};

/* ---- figure 1: the balls in each state ---- */

/* A spring from one height to another. */
static void draw_spring(double x, double from, double to, FILE *script) {
    enum { TURNS = 6 };
    static const double aside[TURNS + 1] = {0, 0.03, -0.03, 0.03, -0.03, 0.03, 0};
    for (int i = 0; i < TURNS; i++) {
        fprintf(script, "set arrow from %.6g,%.6g to %.6g,%.6g nohead lw 1.2 lc rgb '#000000'\n",
                x + aside[i], from + (to - from) * i / TURNS, x + aside[i + 1],
                from + (to - from) * (i + 1) / TURNS);
    }
}

/* The balls in each state, beside its part of the curve, with a spring at each acting contact. */
static void draw_icons(const JmeCourse *course, FILE *script) {
    static const double places[][2] = {
        {0.62, 0.3}, {1.42, 0.62}, {0.8, 1.45}, {1.42, 1.22}, {1.78, 1.22}};
    const double upper = 0.085, lower = 0.1, gap = 0.09;
    for (int i = 0; i < course->state_count && i < 5; i++) {
        int state = course->at[course->states[i]].state;
        double x = places[i][0], y = places[i][1];
        double first = y + gap + lower, second = first + lower + gap + upper;
        fprintf(script, "set arrow from %.6g,%.6g to %.6g,%.6g nohead lw 1.6 lc rgb '#777777'\n",
                x - 0.13, y, x + 0.13, y);
        fprintf(script,
                "set object circle at %.6g,%.6g size %.6g fc rgb '#E8F1F8' fs solid border lc rgb "
                "'#000000'\nset object circle at %.6g,%.6g size %.6g fc rgb '#F3DDB3' fs solid "
                "border lc rgb '#000000'\nset label 'S_%d' at %.6g,%.6g left\n",
                x, first, lower, x, second, upper, state, x + 0.12, first + lower + gap / 2);
        if (state == 1 || state == 2) {
            draw_spring(x, y, y + gap, script);
        }
        if (state == 1 || state == 3) {
            draw_spring(x, first + lower, first + lower + gap, script);
        }
    }
}

/* ---- figure 7 ---- */

/* The sample in the first state with the least v2 (which 0) or v2 - v1 (which 1). */
static const JmeMoment *least(const JmeCourse *course, int which) {
    const JmeMoment *best = &course->samples[0];
    for (int i = 0; i < JME_SAMPLES && course->samples[i].state == 1; i++) {
        const JmeMoment *now = &course->samples[i];
        double value = now->v[1] - (which ? now->v[0] : 0);
        double lowest = best->v[1] - (which ? best->v[0] : 0);
        /* v2 - v1 also falls from 1 at the start: only after l1 */
        if (now->v[1] < now->v[0] && (best == course->samples || value < lowest)) {
            best = now;
        }
    }
    return best;
}

static void list_ellipse(FigureSheet *sheet, const JmeCourse *course) {
    figure_group(sheet, "The ellipse");
    figure_value(sheet, "its turn, in units of π/6", "-1",
                 -atan(2 / JME_HEAVY) / 2 / (3.14159265358979323846 / 6), NULL, "clockwise");
    figure_computed(sheet, "energy at the end",
                    jme_energy(course, &course->at[course->event_count - 1]),
                    "as before: the end is on the ellipse");
}

/* ---- figure 9 ---- */

static void list_restarts(FigureSheet *sheet, const JmeCourse *course) {
    static const JmeLetter letters[] = {
        {"first compression of the balls ends", CAROM_EVENT_COMPRESSION_END, 0},
        {"it restarts", CAROM_EVENT_COMPRESSION_RESTART, 0},
        {"the table's ends", CAROM_EVENT_COMPRESSION_END, 1},
        {"the balls' ends again", CAROM_EVENT_COMPRESSION_END, 0},
        {"the table's restarts", CAROM_EVENT_COMPRESSION_RESTART, 1},
        {"the balls part", CAROM_EVENT_RESTITUTION_END, 0},
        {"the table's ends again", CAROM_EVENT_COMPRESSION_END, 1},
        {"the lower ball leaves", CAROM_EVENT_RESTITUTION_END, 1}};
    int found[8];
    if (!jme_find_letters(sheet, course, letters, 8, found)) {
        return;
    }
    figure_words(
        sheet, "where compression restarts on the table", "D", letters_9[4].letter,
        "The caption says D; by the text, and here, D is a crossing of l1, and the restart is "
        "at E.",
        NULL);
    figure_group(sheet, "(I1, I2) at the events");
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 2; k++) {
            figure_computed(sheet, words_of("%s: I%d", letters[i].letter, k + 1).text,
                            course->at[found[i]].I[k], NULL);
        }
    }
}

/* ---- all three ---- */

static bool draw(FigureSheet *sheet, const Curve *curve, const JmeCourse *course) {
    int found[JME_LETTERS], variant = sheet->figure->variant;
    FILE *script = figure_picture_begin(sheet, "", curve->title, 780, curve->height);
    if (!script) {
        return false;
    }
    bool good = jme_find_letters(sheet, course, curve->letters, JME_LETTERS, found);
    write_course(course, script);
    for (int i = 0; i < JME_LETTERS && good; i++) {
        write_dot(curve->letters[i].letter, curve->offsets[i], course->at[found[i]].I, script);
    }
    if (variant == FIGURE_1) {
        draw_icons(course, script);
    } else if (variant == FIGURE_7) {
        write_dot("B", "0.7,-0.5", least(course, 0)->I, script);
        write_dot("C", "0.7,-0.4", least(course, 1)->I, script);
    }
    draw_course(course, curve->ranges, curve->alone, script);
    return figure_picture_end(sheet, curve->description) && good;
}

/* States and end of the exact course (which 0) or of the scheme's (which 1). */
static void list_end(FigureSheet *sheet, const Curve *curve, const JmeCourse *course, int which) {
    static const char *const names[4] = {"I1", "I2", "v1", "v2"};
    const JmeMoment *end = &course->at[course->event_count - 1];
    const double values[4] = {end->I[0], end->I[1], end->v[0], end->v[1]};
    figure_group(sheet, which ? "By the paper's scheme" : "After the collision");
    if (which) {
        figure_words(sheet, "states", curve->states, jme_states(course).text, curve->erratum, NULL);
    }
    for (int i = 0; i < 4; i++) {
        figure_value(sheet, names[i], curve->printed[i], values[i], curve->why[which], NULL);
    }
}

bool jme_impulses(FigureSheet *sheet) {
    int variant = sheet->figure->variant;
    const Curve *curve = &curves[variant];
    JmeCourse course, scheme;
    if (!jme_fall(sheet, curve->fall, &course) || !draw(sheet, curve, &course) ||
        !jme_fall_by_scheme(sheet, curve->fall, &scheme)) {
        return false;
    }
    figure_group(sheet, "Course");
    figure_words(sheet, "states", curve->states, jme_states(&course).text, curve->erratum, NULL);
    if (variant == FIGURE_9) {
        list_restarts(sheet, &course);
    }
    list_end(sheet, curve, &course, 0);
    if (variant == FIGURE_7) {
        list_ellipse(sheet, &course);
    }
    list_end(sheet, curve, &scheme, 1);
    return true;
}
