#include "mechanism/mechanism_plot.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "picture/gnuplot.h"
#include "picture/picture.h"

/* Size of the picture, in pixels of an SVG; about how many times the bars are drawn. */
enum { WIDTH = 900, HEIGHT = 430, POSES = 80 };

/* Bars in motion: each pose is a line from the bearing over the elbow to the tip. */
static void write_poses(const MechanismScene *scene, const MechanismRun *run, FILE *script) {
    double step = run->last.time / POSES, next = 0, elbow[2], tip[2];
    fputs("$bars << END\n", script);
    for (size_t i = 0; i < run->state_count; i++) {
        const MechanismState *state = &run->states[i];
        if (state->phase == CAROM_MECHANISM_FREE && state->time >= next) {
            double_pendulum_points(&scene->pendulum, state->q, elbow, tip);
            fprintf(script, "0 %.9g\n%.9g %.9g\n%.9g %.9g\n\n", scene->pendulum.bearing, elbow[0],
                    elbow[1], tip[0], tip[1]);
            next = state->time + step;
        }
    }
    fputs("NaN NaN\nEND\n", script);
}

static void write_tip(const MechanismScene *scene, const MechanismRun *run, FILE *script) {
    double elbow[2], tip[2];
    fputs("$tip << END\n", script);
    for (size_t i = 0; i < run->state_count; i++) {
        double_pendulum_points(&scene->pendulum, run->states[i].q, elbow, tip);
        fprintf(script, "%.9g %.9g\n", tip[0], tip[1]);
    }
    fputs("END\n", script);
}

static void write_energy(const MechanismRun *run, FILE *script) {
    fputs("$energy << END\n", script);
    for (size_t i = 0; i < run->state_count; i++) {
        const MechanismState *state = &run->states[i];
        fprintf(script, "%.9g %.9g %.9g\n", state->time, state->kinetic, state->potential);
    }
    fputs("END\n", script);
}

static void write_script(const PictureFormat *format, const char *heading,
                         const MechanismScene *scene, const MechanismRun *run, FILE *script) {
    double reach = 2.05 * scene->pendulum.length, bearing = scene->pendulum.bearing;
    picture_begin(format, WIDTH, HEIGHT, script);
    write_poses(scene, run, script);
    write_tip(scene, run, script);
    write_energy(run, script);
    fputs("set multiplot layout 1,2 title ", script);
    gnuplot_text(script, heading);
    fprintf(script,
            " noenhanced\nset size ratio -1\nunset xtics\nunset ytics\nset border 0\n"
            "set lmargin at screen 0.03\nset rmargin at screen 0.47\n"
            "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n"
            "set key bottom center horizontal samplen 2\n"
            "set arrow 1 from %.9g,0 to %.9g,0 nohead lw 2 lc rgb '#777777'\n"
            "plot $bars with lines lw 0.7 lc rgb '#9ec9e2' title 'bars', "
            "$tip with lines lw 1.8 lc rgb '#0072B2' title 'tip', "
            "'+' using (0):(%.9g) every ::0::0 with points pt 7 ps 0.7 lc rgb 'black' title "
            "'bearing'\n",
            -reach, reach, -0.22 * reach, bearing + reach, -reach, reach, bearing);
    fputs("unset arrow 1\nset size noratio\nset border 31 lw 0.8\nset lmargin at screen 0.58\n"
          "set rmargin at screen 0.98\nset xtics nomirror\nset ytics nomirror\n"
          "set autoscale\nset yrange [0:*]\nset xlabel 'time'\nset ylabel 'energy'\n"
          "set key top right vertical maxcols 1 Left reverse samplen 3\n"
          "plot $energy using 1:($2+$3) with lines lw 2.4 lc rgb 'black' title 'total', "
          "'' using 1:3 with lines lw 1.6 dt (9,6) lc rgb '#0072B2' title 'potential', "
          "'' using 1:2 with lines lw 1.6 dt (4,4) lc rgb '#D55E00' title 'kinetic'\n"
          "unset multiplot\n",
          script);
}

bool mechanism_plot(const char *path, const char *source, const MechanismScene *scene,
                    const MechanismRun *run, Error *error) {
    char heading[512], description[512];
    FILE *script = tmpfile();
    if (!script) {
        return error_set(error, "temporary file: %s", strerror(errno));
    }
    picture_heading(scene->scene.name, source, heading, sizeof heading);
    snprintf(description, sizeof description,
             "Left: the bars of a double pendulum in flight, and the path of the tip above the "
             "floor. Right: kinetic, potential and total energy over time. %d impacts; at time "
             "%.6g it is %s.",
             run->summary.impacts, run->summary.time, carom_mechanism_end_string(run->summary.end));
    write_script(picture_format(path), heading, scene, run, script);
    bool good = picture_write(path, script, heading, description, error);
    fclose(script);
    return good;
}
