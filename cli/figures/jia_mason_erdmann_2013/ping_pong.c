/* Fig. 14 of [JME]: a ping-pong ball falls on an equal one on a plexiglass block.
 *
 * Restitution was measured, k2/k1 was not: the paper tries 2.25 and 2.7. The outcome scales with
 * the speed, so the prediction is a pair of lines through the origin. The measured velocities are
 * only dots in the paper's figure, so they are not shown here. */
#include "figures/jia_mason_erdmann_2013/ping_pong.h"

#include "figures/jia_mason_erdmann_2013/two_balls.h"
#include "figures/sheet_picture.h"

enum { RATIOS = 2 };

static const double ratios[RATIOS] = {2.25, 2.7};

static bool draw(FigureSheet *sheet, const JmeMoment ends[RATIOS]) {
    FILE *script =
        figure_picture_begin(sheet, "", "Two ping-pong balls: predicted velocities", 940, 480);
    if (!script) {
        return false;
    }
    fputs("set multiplot layout 1,2 title picture_title margins 0.07,0.97,0.13,0.79 spacing "
          "0.08,0.1\nset xrange [2:3.6]\nset yrange [0:3.2]\nset xlabel 'speed before (m/s)'\n"
          "set ylabel 'velocity after (m/s)' offset 1\n"
          "set key at screen 0.52,0.92 center top Left reverse samplen 3 maxrows 1\n",
          script);
    for (int i = 0; i < RATIOS; i++) {
        const double *v = ends[i].v;
        fprintf(
            script,
            "set title '(%c) k_2/k_1\u00a0= %g' enhanced\n"
            "set label 1 '%.4f |v_0|' at 3.2,%.6g right\nset label 2 '%.4f |v_0|' at 3.2,%.6g "
            "right\n"
            "plot %.9g*x with lines lt 1 lw 2.4 title 'v_1, upper ball', %.9g*x with lines lt 2 "
            "lw 2.4 title 'v_2, lower ball'\nunset key\n",
            'b' + i, ratios[i], v[0], 3.2 * v[0] + 0.12, v[1], 3.2 * v[1] + 0.12, v[0], v[1]);
    }
    fputs("unset multiplot\n", script);
    return figure_picture_end(sheet,
                              "Velocities of both balls after the collision over the speed before "
                              "it, for two ratios of the stiffnesses: straight lines.");
}

bool jme_figure_14(FigureSheet *sheet) {
    JmeMoment ends[RATIOS];
    Words states[RATIOS];
    for (int i = 0; i < RATIOS; i++) {
        const JmeFall fall = {.m2 = 1, .e = {0.950043, 0.846529}, .ratio = ratios[i]};
        JmeCourse course;
        if (!jme_fall(sheet, &fall, &course)) {
            return false;
        }
        ends[i] = course.at[course.event_count - 1];
        states[i] = jme_states(&course);
    }
    if (!draw(sheet, ends)) {
        return false;
    }
    for (int i = 0; i < RATIOS; i++) {
        figure_group(sheet, i ? "(c) k2/k1 = 2.7" : "(b) k2/k1 = 2.25");
        figure_words(sheet, "states", "S1 S3 S4", states[i].text, NULL, NULL);
        figure_computed(sheet, "v1/|v0|", ends[i].v[0], NULL);
        figure_computed(sheet, "v2/|v0|", ends[i].v[1], NULL);
        figure_computed(sheet, "v1 at v0 = -2.02014", 2.02014 * ends[i].v[0],
                        "slowest of ten trials; the measured velocities are not printed");
        figure_computed(sheet, "v1 at v0 = -3.59304", 3.59304 * ends[i].v[0],
                        "fastest of ten trials");
    }
    return true;
}
