#include "roll/roll_plot.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "picture/gnuplot.h"
#include "picture/picture.h"

/* Width of the picture in pixels of an SVG, points of a phase, marks at equal steps of time. */
enum { WIDTH = 720, POINTS = 100, MARKS = 10 };

/* The drawing: its width; room above and below in pixels; the least height over width, because both
 * axes have the same scale and a path may be nearly straight. */
#define PANEL (0.82 * WIDTH)
enum { ABOVE = 50, BELOW = 120 };
#define SLENDER 0.3

typedef struct Frame {
    double low[2], high[2]; /* of everything drawn */
} Frame;

static void write_point(FILE *script, const RollRun *run, double time) {
    CaromRollingState state;
    carom_rolling_at(&run->path, time, &state, NULL, NULL);
    fprintf(script, "%.9g %.9g\n", state.position[0], state.position[1]);
}

/* The path in a phase, up to the end. */
static void write_phase(FILE *script, const RollRun *run, CaromRollingPhase phase) {
    double from = run->path.begin[phase], to = fmin(run->path.begin[phase + 1], run->end);
    fprintf(script, "$%s << END\n", roll_phase_name(phase));
    for (int i = 0; i <= POINTS && from < to; i++) {
        write_point(script, run, from + (to - from) * i / POINTS);
    }
    fputs("NaN NaN\nEND\n", script);
}

static void write_data(FILE *script, const RollRun *run) {
    write_phase(script, run, CAROM_ROLLING_PHASE_SLIDING);
    write_phase(script, run, CAROM_ROLLING_PHASE_ROLLING);
    fputs("$marks << END\n", script);
    for (int i = 1; i < MARKS; i++) {
        write_point(script, run, run->end * i / MARKS);
    }
    fputs("END\n$start << END\n", script);
    write_point(script, run, 0);
    fputs("END\n$end << END\n", script);
    write_point(script, run, run->end);
    fputs("END\n", script);
}

/* The rectangle that the path fills: a parabola, then a straight line. */
static Frame find_frame(const RollRun *run) {
    Frame frame = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    double slide = fmin(run->path.begin[CAROM_ROLLING_PHASE_ROLLING], run->end);
    for (int k = 0; k <= POINTS + 1; k++) {
        CaromRollingState state;
        double time = k <= POINTS ? slide * k / POINTS : run->end;
        carom_rolling_at(&run->path, time, &state, NULL, NULL);
        for (int i = 0; i < 2; i++) {
            frame.low[i] = fmin(frame.low[i], state.position[i]);
            frame.high[i] = fmax(frame.high[i], state.position[i]);
        }
    }
    return frame;
}

/* Make room around the path. Returns height over width. */
static double widen(Frame *frame, double radius) {
    double size[2], most = 2 * radius;
    for (int i = 0; i < 2; i++) {
        size[i] = 1.14 * (frame->high[i] - frame->low[i]);
        most = fmax(most, size[i]);
    }
    for (int i = 0; i < 2; i++) {
        double middle = (frame->low[i] + frame->high[i]) / 2;
        size[i] = fmax(size[i], SLENDER * most);
        frame->low[i] = middle - size[i] / 2;
        frame->high[i] = middle + size[i] / 2;
    }
    return size[1] / size[0];
}

static void write_script(FILE *script, const PictureFormat *format, const char *heading,
                         const RollRun *run) {
    Frame frame = find_frame(run);
    double ratio = widen(&frame, run->path.radius);
    int height = (int)(PANEL * fmin(ratio, 1.2)) + ABOVE + BELOW;
    picture_begin(format, WIDTH, height, script);
    fputs("set title ", script);
    gnuplot_text(script, heading);
    fputs(" noenhanced\n", script);
    write_data(script, run);
    fprintf(script,
            "set border 31 lw 0.8\nset tics nomirror\nset size ratio -1\n"
            "set lmargin at screen 0.13\nset rmargin at screen 0.95\n"
            "set tmargin at screen %g\nset bmargin at screen %g\n"
            "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n"
            "set xlabel 'x'\nset ylabel 'y' rotate by 0\n"
            "set key at screen 0.54,0.012 center bottom horizontal samplen 2 width 1 maxrows 1\n"
            "plot $sliding with lines lw 2.2 lc rgb '#0072B2' title 'slides', "
            "$rolling with lines lw 2.2 dt (9,6) lc rgb '#D55E00' title 'rolls', "
            "$marks with points pt 7 ps 0.5 lc rgb '#555555' title 'every %.3g of time', "
            "$start with points pt 6 ps 1.3 lw 1.5 lc rgb 'black' title 'is hit', "
            "$end with points pt %d ps 1.1 lw 1.5 lc rgb 'black' title '%s'\n",
            1 - (double)ABOVE / height, (double)BELOW / height, frame.low[0], frame.high[0],
            frame.low[1], frame.high[1], run->end / MARKS, run->at_rest ? 5 : 8,
            run->at_rest ? "rests" : "ends");
}

bool roll_plot(const char *path, const char *source, const RollRun *run, Error *error) {
    char heading[512], description[512];
    CaromRollingState last;
    FILE *script = tmpfile();
    if (!script) {
        return error_set(error, "temporary file: %s", strerror(errno));
    }
    carom_rolling_at(&run->path, run->end, &last, NULL, NULL);
    picture_heading(run->scene->name, source, heading, sizeof heading);
    snprintf(description, sizeof description,
             "The path of the ball over the table, from above. It slides on a parabola for a time "
             "of %.6g, then rolls along a straight line; after time %.6g it %s (%.6g, %.6g).",
             fmin(run->path.begin[CAROM_ROLLING_PHASE_ROLLING], run->end), run->end,
             run->at_rest ? "rests at" : "is at", last.position[0], last.position[1]);
    write_script(script, picture_format(path), heading, run);
    bool good = picture_write(path, script, heading, description, error);
    fclose(script);
    return good;
}
