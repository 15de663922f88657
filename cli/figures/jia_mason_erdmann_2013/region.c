/* Figs. 5 and 6 of [JME]: where the impulses of the two contacts can be.
 *
 * No energy is gained: I.v- + I.W I/2 <= 0, with W and v- of the two normals. That is an ellipse
 * about c = -W^-1 v-. With W = L L^T its boundary is c + rho L^-T (cos t, sin t), rho^2 = v-.W^-1
 * v-. The paper gives formulas for W and v- of the two balls, (42), (43) and (58); here they are
 * computed from the bodies. The compression lines l1 (v1 = v2) and l2 (v2 = 0) pass through c. */
#include "figures/jia_mason_erdmann_2013/region.h"

#include <math.h>

#include "base/words.h"
#include "figures/jia_mason_erdmann_2013/two_balls.h"
#include "figures/sheet_picture.h"

/* Points of the ellipse; collisions that are followed, by e1, e2 and k2/k1. */
enum { POINTS = 1440, VALUES = 5, COLLISIONS = VALUES * VALUES * VALUES };

static const double pi = 3.14159265358979323846;

typedef struct Ellipse {
    double centre[2], half[2]; /* half the widths along I1 and I2 */
    double touch;              /* I2 where I1 is largest */
    double axes[2], angle;     /* semi-minor, semi-major; from I1 to the semi-minor one */
    double edge[POINTS][2];
} Ellipse;

static bool find_ellipse(FigureSheet *sheet, const JmeFall *fall, Ellipse *ellipse) {
    double W[4], v[2];
    if (!jme_normals(sheet, fall, W, v)) {
        return false;
    }
    double det = W[0] * W[3] - W[1] * W[2];
    double inverse[4] = {W[3] / det, -W[1] / det, -W[2] / det, W[0] / det}, square = 0;
    for (int i = 0; i < 2; i++) {
        ellipse->centre[i] = -(inverse[2 * i] * v[0] + inverse[2 * i + 1] * v[1]);
        square -= ellipse->centre[i] * v[i];
    }
    double mean = (W[0] + W[3]) / 2, apart = hypot((W[0] - W[3]) / 2, W[1]);
    for (int i = 0; i < 2; i++) {
        ellipse->half[i] = sqrt(square * inverse[3 * i]);
        ellipse->axes[i] = sqrt(square / (i ? mean - apart : mean + apart));
    }
    ellipse->touch = ellipse->centre[1] + ellipse->half[0] * inverse[2] / inverse[0];
    ellipse->angle = atan2(2 * W[1], W[0] - W[3]) / 2;
    double L[3] = {sqrt(W[0]), W[2] / sqrt(W[0]), 0};
    L[2] = sqrt(W[3] - L[1] * L[1]);
    for (int k = 0; k < POINTS; k++) {
        double t = 2 * pi * k / POINTS, y = sqrt(square) * sin(t) / L[2];
        ellipse->edge[k][0] = ellipse->centre[0] + (sqrt(square) * cos(t) - L[1] * y) / L[0];
        ellipse->edge[k][1] = ellipse->centre[1] + y;
    }
    return true;
}

/* Collision number index. */
static JmeFall collision(int index) {
    static const double e[VALUES] = {0.2, 0.4, 0.6, 0.8, 1}, k[VALUES] = {0.1, 0.3, 1, 3, 10};
    return (JmeFall){.m2 = JME_HEAVY,
                     .e = {e[index % VALUES], e[index / VALUES % VALUES]},
                     .ratio = k[index / VALUES / VALUES]};
}

/* What all collisions have in common. */
typedef struct Survey {
    int outside; /* samples outside of the region: more energy than before, or I2 < 0 */
    int ended;   /* collisions that end in region IV */
    double off; /* largest speed that should be 0 on a compression line at the end of compression */
} Survey;

static bool follow(FigureSheet *sheet, int index, JmeCourse *course, Survey *survey) {
    JmeFall fall = collision(index);
    if (!jme_fall(sheet, &fall, course)) {
        return false;
    }
    for (int i = 0; i < JME_SAMPLES; i++) {
        const double *I = course->samples[i].I, d = I[0] - I[1];
        survey->outside += I[0] * I[0] / 2 + d * d / (2 * fall.m2) - I[0] > 1e-12 || I[1] < -1e-12;
    }
    for (int i = 0; i < course->event_count; i++) {
        const double *v = course->at[i].v;
        if (course->events[i].kind == CAROM_EVENT_COMPRESSION_END) {
            survey->off =
                fmax(survey->off, fabs(course->events[i].contact == 0 ? v[0] - v[1] : v[1]));
        }
    }
    const double *v = course->at[course->event_count - 1].v;
    survey->ended += v[0] - v[1] >= -1e-12 && v[1] >= -1e-12;
    return true;
}

/* A point of the edge, drawn to the I1-axis along the ray to the centre if it is below the axis. */
static void write_edge(const Ellipse *ellipse, int k, FILE *script) {
    const double *c = ellipse->centre, *q = ellipse->edge[k % POINTS];
    double part = q[1] < 0 ? c[1] / (c[1] - q[1]) : 1;
    fprintf(script, "%.9g %.9g\n", c[0] + part * (q[0] - c[0]), c[1] + part * (q[1] - c[1]));
}

/* The whole ellipse, and its part above the I1-axis. */
static void write_ellipse(const Ellipse *ellipse, FILE *script) {
    fputs("$ellipse << END\n", script);
    for (int k = 0; k <= POINTS; k++) {
        const double *q = ellipse->edge[k % POINTS];
        fprintf(script, "%.9g %.9g\n", q[0], q[1]);
    }
    fputs("END\n$inside << END\n", script);
    for (int k = 0; k <= POINTS; k++) {
        write_edge(ellipse, k, script);
    }
    fputs("END\n", script);
}

static void write_axes(FILE *script) {
    fputs("set xlabel 'I_1 (between the balls)'\nset ylabel 'I_2 (on the table)'\n"
          "set size ratio -1\nset xrange [-0.15:2.25]\nset yrange [-0.65:2.65]\n"
          "set xzeroaxis lt 8\nset yzeroaxis lt 8\n"
          "set key outside right top Left reverse samplen 4 spacing 1.3\n",
          script);
}

/* ---- figure 5 ---- */

/* All curves, every tenth sample. */
static bool write_curves(FigureSheet *sheet, Survey *survey, FILE *script) {
    JmeCourse course;
    fputs("$curves << END\n", script);
    for (int index = 0; index < COLLISIONS; index++) {
        if (!follow(sheet, index, &course, survey)) {
            return false;
        }
        for (int i = 0; i < JME_SAMPLES; i += 10) {
            const double *I = course.samples[i].I;
            fprintf(script, "%.6g %.6g\n", I[0], I[1]);
        }
        fputc('\n', script);
    }
    fputs("END\n", script);
    return true;
}

/* Printed without digits, as a formula or a whole number: its value for this mass stands for it. */
static void list_formula(FigureSheet *sheet, const char *name, double formula, double computed,
                         const char *note) {
    figure_value(sheet, name, words_of("%.9f", formula).text, computed, NULL, note);
}

static void list_ellipse(FigureSheet *sheet, const Ellipse *ellipse) {
    const double *c = ellipse->centre, *half = ellipse->half, m2 = JME_HEAVY;
    double root = sqrt(4 + m2 * m2);
    figure_group(sheet, "The ellipse");
    list_formula(sheet, "centre: I1", 1, c[0], NULL);
    list_formula(sheet, "centre: I2", 1, c[1], NULL);
    list_formula(sheet, "least I1", 0, c[0] - half[0], NULL);
    list_formula(sheet, "largest I1", 2, c[0] + half[0], NULL);
    list_formula(sheet, "I2 there", 2, ellipse->touch, NULL);
    list_formula(sheet, "least I2", 1 - sqrt(1 + m2), c[1] - half[1], "1 - √(1 + m2)");
    list_formula(sheet, "largest I2", 1 + sqrt(1 + m2), c[1] + half[1], "1 + √(1 + m2)");
    list_formula(sheet, "angle of the semi-minor axis", -atan(2 / m2) / 2, ellipse->angle, "(43)");
    list_formula(sheet, "semi-minor axis", sqrt((2 + m2 - root) / 2), ellipse->axes[0], "(58)");
    list_formula(sheet, "semi-major axis", sqrt((2 + m2 + root) / 2), ellipse->axes[1], "(58)");
}

bool jme_figure_5(FigureSheet *sheet) {
    Ellipse ellipse;
    Survey survey = {0};
    const JmeFall fall = collision(0);
    if (!find_ellipse(sheet, &fall, &ellipse)) {
        return false;
    }
    FILE *script = figure_picture_begin(sheet, "", "The impulses stay in an ellipse", 780, 680);
    if (!script) {
        return false;
    }
    write_ellipse(&ellipse, script);
    if (!write_curves(sheet, &survey, script)) {
        return false;
    }
    write_axes(script);
    fputs("set label '' at 1,1 point pt 1 ps 1.3*point lw 1.5 front\n"
          "set label 'centre (1, 1)' at 1.25,0.97 left front\n"
          "plot $inside with filledcurves closed fc rgb '#F4F4F4' title 'impulse region', "
          "$curves with lines dt 1 lw 0.6 lc rgb '#0072B2' title '125 collisions', "
          "$ellipse with lines lt 7 lw 1.4 title 'no energy lost'\n",
          script);
    if (!figure_picture_end(sheet, "An inclined ellipse through the origin. The impulses of 125 "
                                   "collisions are curves inside it, above the axis.")) {
        return false;
    }
    list_ellipse(sheet, &ellipse);
    figure_group(sheet, words_of("%d collisions", COLLISIONS).text);
    figure_count(sheet, "samples outside of the impulse region", "0", survey.outside, NULL,
                 "Corollary 8");
    return true;
}

/* ---- figure 6 ---- */

/* A region: its number, phases, place of its label, and the signs of v1 - v2 and v2. */
static const struct {
    const char *name, *phases, *fill;
    double at[2];
    int signs[2];
} regions[] = {{"I", "C_1C_2", "#DDEAF5", {0.36, 0.12}, {-1, -1}},
               {"II", "R_1C_2", "#F6E0D2", {1.27, 0.78}, {1, -1}},
               {"III", "C_1R_2", "#E6F2EC", {0.85, 1.5}, {-1, 1}},
               {"IV", "R_1R_2", "#F3EBD0", {1.75, 2.15}, {1, 1}}};
enum { REGIONS = 4 };

/* Is the middle of this piece of the edge in the region? */
static bool is_in(const Ellipse *ellipse, int k, int region) {
    const double *a = ellipse->edge[k % POINTS], *b = ellipse->edge[(k + 1) % POINTS];
    double I[2] = {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2};
    double v1 = I[0] - 1, v2 = (I[1] - I[0]) / JME_HEAVY;
    return (v1 - v2) * regions[region].signs[0] > 0 && v2 * regions[region].signs[1] > 0;
}

/* A region as a polygon: the centre, and its part of the edge. */
static void write_region(const Ellipse *ellipse, int region, FILE *script) {
    int first = 0;
    while (first < POINTS &&
           (is_in(ellipse, first, region) || !is_in(ellipse, first + 1, region))) {
        first++;
    }
    const double *c = ellipse->centre, *at = regions[region].at;
    fprintf(script, "$r%d << END\n%.9g %.9g\n", region, c[0], c[1]);
    for (int k = first + 1; k <= first + POINTS && is_in(ellipse, k, region); k++) {
        write_edge(ellipse, k, script);
        if (!is_in(ellipse, k + 1, region)) {
            write_edge(ellipse, k + 1, script);
        }
    }
    fprintf(script, "%.9g %.9g\nEND\nset label '%s: %s' at %g,%g center front\n", c[0], c[1],
            regions[region].name, regions[region].phases, at[0], at[1]);
}

bool jme_figure_6(FigureSheet *sheet) {
    Ellipse ellipse;
    JmeCourse course;
    Survey survey = {0};
    const JmeFall fall = collision(0);
    FILE *script;
    if (!find_ellipse(sheet, &fall, &ellipse) ||
        !(script = figure_picture_begin(sheet, "", "The four regions of the impulses", 780, 680))) {
        return false;
    }
    write_ellipse(&ellipse, script);
    for (int i = 0; i < REGIONS; i++) {
        write_region(&ellipse, i, script);
    }
    write_axes(script);
    fputs("plot ", script);
    for (int i = 0; i < REGIONS; i++) {
        fprintf(script, "$r%d with filledcurves closed fc rgb '%s' notitle, ", i, regions[i].fill);
    }
    fprintf(script,
            "%.9g*x-%.9g with lines lt 8 lw 1.6 dt (9,5) title 'l_1: v_1 = v_2', "
            "x with lines lt 8 lw 1.6 dt (2,4) title 'l_2: v_2 = 0', "
            "$ellipse with lines lt 7 lw 1.4 title 'no energy lost'\n",
            1 + JME_HEAVY, JME_HEAVY);
    if (!figure_picture_end(sheet,
                            "The ellipse, divided by two lines through its centre into four "
                            "regions: both contacts in compression, one, the other, none.")) {
        return false;
    }
    for (int index = 0; index < COLLISIONS; index++) {
        if (!follow(sheet, index, &course, &survey)) {
            return false;
        }
    }
    figure_group(sheet, words_of("%d collisions", COLLISIONS).text);
    figure_count(sheet, "end in region IV", words_of("%d", COLLISIONS).text, survey.ended, NULL,
                 "section 7");
    figure_value(sheet, "largest distance of an end of compression from its line", "0.000000000",
                 survey.off, NULL, "as a velocity");
    return true;
}
