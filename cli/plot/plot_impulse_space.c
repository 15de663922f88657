/* The impulse curve of one contact in impulse space (I_t1, I_t2, I_n), with the plane of
 * compression (v_n = 0), the line of sticking (gamma = 0), the friction cone |I_t| = mu I_n and a
 * mark at every event; below it, its three projections. */
#include "plot/plot_impulse_space.h"

#include <math.h>
#include <string.h>

#include "plot/plot_sheet.h"

#define CURVE "lw 2.8 lc rgb 'black'"
#define SHADOW "lw 1.8 lc rgb '#999999' dt (5,4)"
#define STICKING "lw 2 lc rgb '" PLOT_VERMILION "' dt (18,5,3,5)"
#define CONE "lw 0.9 lc rgb '" PLOT_GREEN "'"
#define CONE_EDGE "lw 1.5 lc rgb '" PLOT_GREEN "' dt (4,4)"

enum { CIRCLE = 73, GENERATORS = 12, RINGS = 3 };

static const double pi = 3.14159265358979323846;

typedef struct Space {
    const PlotRun *run;
    double mu, end; /* friction, and the final normal impulse */
    double box[3];  /* what is shown: |I_t1| and |I_t2| up to box[0] = box[1], I_n from 0 to
                       box[2] */
    double cone;    /* height up to which the cone is drawn; 0: none */
    bool sticks;    /* there is a line of sticking in the box */
    double stick[2][3];
    int plane_count; /* corners of the plane of compression in the box */
    double plane[8][3];
    double azimuth; /* of the view, in degrees */
} Space;

static double farthest_tangential(const PlotRun *run) {
    double farthest = 0;
    for (int i = 0; i < run->row_count; i++) {
        const double *I = plot_run_impulse(run, i, 0);
        farthest = fmax(farthest, hypot(I[0], I[1]));
    }
    return farthest;
}

/* The box of the curve and of a part of the cone. */
static void choose_box(Space *space) {
    double far = farthest_tangential(space->run), all = space->mu * space->end;
    bool flat = far < 1e-6 * space->end;
    double radius = flat ? fmin(all, 0.5 * space->end) : fmin(all, 1.7 * far);
    space->cone = all > 0 ? fmin(space->end, radius / space->mu) : 0;
    radius = fmax(radius, far);
    radius = radius > 0 ? radius : 0.5 * space->end;
    space->box[0] = space->box[1] = 1.15 * radius;
    space->box[2] = 1.12 * space->end;
}

/* The tangential impulse without sliding velocity at a normal impulse p: B I_t = -(gamma- + p d).
 * False: there is no such line. */
static bool stick_at(const PlotRun *run, double p, double I[3]) {
    const double *W = run->scene->inverse_inertia, *v = run->scene->velocity;
    double det = W[0] * W[4] - W[1] * W[1], x = -(v[0] + p * W[2]), y = -(v[1] + p * W[5]);
    I[0] = (W[4] * x - W[1] * y) / det;
    I[1] = (W[0] * y - W[1] * x) / det;
    I[2] = p;
    return det > 1e-12 * W[0] * W[4];
}

/* The part of the line of sticking inside the box. */
static void find_stick(Space *space) {
    double from[3], to[3], low = 0, high = 1;
    space->sticks = stick_at(space->run, 0, from) && stick_at(space->run, space->box[2], to);
    for (int k = 0; k < 2 && space->sticks; k++) {
        double slope = to[k] - from[k], a = (-space->box[k] - from[k]) / slope,
               b = (space->box[k] - from[k]) / slope;
        if (slope != 0) {
            low = fmax(low, fmin(a, b));
            high = fmin(high, fmax(a, b));
        } else if (fabs(from[k]) > space->box[k]) {
            space->sticks = false;
        }
    }
    space->sticks = space->sticks && low < high;
    for (int k = 0; k < 3 && space->sticks; k++) {
        space->stick[0][k] = from[k] + low * (to[k] - from[k]);
        space->stick[1][k] = from[k] + high * (to[k] - from[k]);
    }
}

static double plane_value(const PlotRun *run, const double I[3]) {
    const double *W = run->scene->inverse_inertia;
    return W[6] * I[0] + W[7] * I[1] + W[8] * I[2] + run->scene->velocity[2];
}

/* Corner number i of the box. */
static void corner(const Space *space, int i, double I[3]) {
    I[0] = (i & 1 ? 1 : -1) * space->box[0];
    I[1] = (i & 2 ? 1 : -1) * space->box[1];
    I[2] = (i & 4 ? 1 : 0) * space->box[2];
}

/* Sort the corners of the plane around their centre, seen from above: the plane is never vertical.
 */
static void sort_corners(Space *space) {
    double middle[2] = {0, 0};
    for (int i = 0; i < space->plane_count; i++) {
        middle[0] += space->plane[i][0] / space->plane_count;
        middle[1] += space->plane[i][1] / space->plane_count;
    }
    for (int i = 1; i < space->plane_count; i++) {
        for (int k = i; k > 0; k--) {
            double *a = space->plane[k - 1], *b = space->plane[k], swap[3];
            if (atan2(a[1] - middle[1], a[0] - middle[0]) <=
                atan2(b[1] - middle[1], b[0] - middle[0])) {
                break;
            }
            memcpy(swap, a, sizeof swap);
            memcpy(a, b, sizeof swap);
            memcpy(b, swap, sizeof swap);
        }
    }
}

/* Where the plane of compression cuts the edges of the box. */
static void find_plane(Space *space) {
    for (int i = 0; i < 8; i++) {
        for (int axis = 1; axis < 8; axis *= 2) {
            double a[3], b[3];
            if (i & axis) {
                continue;
            }
            corner(space, i, a);
            corner(space, i | axis, b);
            double from = plane_value(space->run, a), to = plane_value(space->run, b);
            if (from * to < 0 && space->plane_count < 8) {
                double *at = space->plane[space->plane_count++];
                for (int k = 0; k < 3; k++) {
                    at[k] = a[k] + (b[k] - a[k]) * from / (from - to);
                }
            }
        }
    }
    sort_corners(space);
}

/* Visibility of the plane of compression from an azimuth: 1 from above, 0 edge on. The box is drawn
 * as a cube. */
static double plane_visibility(const Space *space, double c, double s) {
    const double *W = space->run->scene->inverse_inertia, elevation = 66 * pi / 180;
    double n[3] = {W[6] * 2 * space->box[0], W[7] * 2 * space->box[1], W[8] * space->box[2]};
    double along = (s * n[0] - c * n[1]) * sin(elevation) + n[2] * cos(elevation);
    return fabs(along) / sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

/* Look along the shorter extent of the curve, but neither along an axis nor along the plane of
 * compression. gnuplot rotates the axes about n by minus the azimuth. */
static void choose_view(Space *space) {
    double best = -INFINITY;
    for (int degrees = 20; degrees < 360; degrees += 5) {
        double c = cos(degrees * pi / 180), s = sin(degrees * pi / 180), low = 0, high = 0;
        if (degrees % 90 < 20 || degrees % 90 > 70) {
            continue;
        }
        for (int i = 0; i < space->run->row_count; i++) {
            const double *I = plot_run_impulse(space->run, i, 0);
            low = fmin(low, c * I[0] + s * I[1]);
            high = fmax(high, c * I[0] + s * I[1]);
        }
        double value = (high - low) * fmin(1, plane_visibility(space, c, s) / 0.3);
        /* prefer a view from the front */
        value *= degrees < 90 ? 1.02 : 1;
        if (value > best) {
            best = value;
            space->azimuth = degrees;
        }
    }
}

static void write_point(const double I[3], FILE *script) {
    fprintf(script, "%.9g %.9g %.9g\n", I[0], I[1], I[2]);
}

/* Rings and generators of the cone, as lines. */
static void write_cone(const Space *space, FILE *script) {
    double radius = space->mu * space->cone;
    fputs("$cone << END\n", script);
    for (int ring = 1; ring <= RINGS && space->cone > 0; ring++) {
        double part = (double)ring / RINGS;
        for (int i = 0; i < CIRCLE; i++) {
            double angle = 2 * pi * i / (CIRCLE - 1);
            write_point((double[3]){part * radius * cos(angle), part * radius * sin(angle),
                                    part * space->cone},
                        script);
        }
        fputs("\n\n", script);
    }
    for (int i = 0; i < GENERATORS && space->cone > 0; i++) {
        double angle = 2 * pi * i / GENERATORS;
        write_point((double[3]){0, 0, 0}, script);
        write_point((double[3]){radius * cos(angle), radius * sin(angle), space->cone}, script);
        fputs("\n\n", script);
    }
    fputs("END\n", script);
}

static void write_data(const Space *space, FILE *script) {
    fputs("$curve << END\n", script);
    for (int i = 0; i < space->run->row_count; i++) {
        write_point(plot_run_impulse(space->run, i, 0), script);
    }
    fputs("END\n$plane << END\n", script);
    for (int i = 0; i <= space->plane_count && space->plane_count > 0; i++) {
        write_point(space->plane[i % space->plane_count], script);
    }
    fputs("END\n$stick << END\n", script);
    for (int i = 0; i < 2 && space->sticks; i++) {
        write_point(space->stick[i], script);
    }
    fputs("END\n", script);
    write_cone(space, script);
}

/* The marks as points in space, $m0 and so on; returns their number. */
static int find_marks(const PlotRun *run, PlotMark *marks, double (*points)[3]) {
    int count = 1;
    marks[0] = (PlotMark){.meaning = "start", .style = "pt 6 ps 1.7*point lw 2", .name = ""};
    memset(points[0], 0, sizeof points[0]);
    for (int i = 0; i < run->solution.result.event_count && count < PLOT_MARKS_MAX; i++) {
        const CaromEvent *event = &run->solution.result.events[i];
        if (plot_run_shows(run, i) && plot_event_mark(run, event, &marks[count])) {
            memcpy(points[count++], event->impulse, sizeof event->impulse);
        }
    }
    return count;
}

/* The first mark before number i that is so near that they share a label; i: none. */
static int label_owner(const Space *space, double (*points)[3], int i) {
    for (int k = 1; k < i; k++) {
        double far = 0;
        for (int c = 0; c < 3; c++) {
            far = fmax(far, fabs(points[i][c] - points[k][c]) /
                                (c < 2 ? 2 * space->box[c] : space->box[c]));
        }
        if (far < 0.05) {
            return k;
        }
    }
    return i;
}

static void write_marks(const Space *space, const PlotMark *marks, double (*points)[3], int count,
                        FILE *script) {
    for (int i = 0; i < count; i++) {
        fprintf(script, "$m%d << END\n", i);
        write_point(points[i], script);
        fputs("END\n", script);
    }
    for (int i = 1; i < count; i++) {
        const double *I = points[i];
        if (label_owner(space, points, i) != i) {
            continue;
        }
        fprintf(script, "set label %d '%s", i, marks[i].name);
        for (int k = i + 1; k < count; k++) {
            if (label_owner(space, points, k) == i) {
                fprintf(script, ", %s", marks[k].name);
            }
        }
        fprintf(script, "' at %.9g,%.9g,%.9g left offset 1.2,0.2 front\n", I[0], I[1], I[2]);
    }
}

static void plot_marks(const PlotMark *marks, int count, const char *columns, bool titles,
                       FILE *script) {
    for (int i = 0; i < count; i++) {
        bool again = !titles;
        for (int k = 0; k < i; k++) {
            again = again || strcmp(marks[k].meaning, marks[i].meaning) == 0;
        }
        fprintf(script, ", $m%d using %s with points %s lc rgb 'black' %s%s%s", i, columns,
                marks[i].style, again ? "notitle" : "title '", again ? "" : marks[i].meaning,
                again ? "" : "'");
    }
}

/* A step of tics that gives about count of them. */
static double tic_step(double range, double count) {
    double raw = range / count, power = pow(10, floor(log10(raw))), digit = raw / power;
    return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

/* The only tic on either side of zero. */
static double only_tic(double edge) {
    double power = pow(10, floor(log10(0.9 * edge)));
    return power * floor(0.9 * edge / power);
}

static void write_view(const Space *space, const PlotMark *marks, int count, FILE *script) {
    fprintf(script,
            "set view 66,%.9g,1.1,1.1\nset xyplane at 0\nset border 127+256+512 lw 0.8\n"
            "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\nset zrange [0:%.9g]\n"
            "set xtics %.9g offset 0,-0.3\nset ytics %.9g offset 0,-0.3\nset ztics %.9g\n"
            "set xlabel 'I_{t1}' offset 0,-0.6\nset ylabel 'I_{t2}' offset 0,-0.6\n"
            "set label 98 'I_n' at screen 0.026,0.665 center\n",
            space->azimuth, -space->box[0], space->box[0], -space->box[1], space->box[1],
            space->box[2], tic_step(2 * space->box[0], 4), tic_step(2 * space->box[1], 4),
            tic_step(space->box[2], 4));
    fputs("splot ", script);
    if (space->plane_count > 2) {
        /* the legend of polygons would have no background */
        fputs("$plane using 1:2:3 with polygons fs transparent solid 0.18 border fc rgb '" PLOT_BLUE
              "' notitle, keyentry with boxes lc rgb '" PLOT_BLUE
              "' fs transparent solid 0.18 border title 'plane of compression: v_n = 0', ",
              script);
    }
    if (space->cone > 0) {
        fputs("$cone using 1:2:3 with lines " CONE " title 'friction cone', ", script);
    }
    fputs("$curve using 1:2:(0) with lines " SHADOW " title 'shadow of the curve on the floor', ",
          script);
    if (space->sticks) {
        fputs("$stick using 1:2:3 with lines " STICKING " title 'line of sticking: v_t = 0', ",
              script);
    }
    fprintf(script, "$curve using 1:2:3 with lines " CURVE " title 'impulse so far, %s'",
            plot_unit(space->run, UNIT_IMPULSE).text);
    plot_marks(marks, count, "1:2:3", true, script);
    fputs("\nunset label\n", script);
}

/* A projection on two of the axes; x and y are columns. */
static void write_projection(const Space *space, int x, int y, double left, const PlotMark *marks,
                             int count, FILE *script) {
    static const char *const names[] = {"", "I_{t1}", "I_{t2}", "I_n"};
    double low = y == 3 ? 0 : -space->box[1], high = space->box[y - 1];
    Words columns = words_of("%d:%d", x, y);
    fprintf(script,
            "set lmargin at screen %.4f\nset rmargin at screen %.4f\n"
            "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\nset xtics %.9g\nset ytics %.9g\n"
            "set xlabel '%s' offset 0,0.4\nset label 99 '%s' at graph -0.04, graph 1.1 right\n",
            left, left + 0.225, -space->box[0], space->box[0], low, high, only_tic(space->box[0]),
            y == 3 ? tic_step(high, 3) : only_tic(high), names[x], names[y]);
    fputs("plot ", script);
    if (space->cone > 0 && y == 3) {
        fputs("$edge using 1:2 with lines " CONE_EDGE " notitle, ", script);
    } else if (space->cone > 0) {
        fputs("$ring using 1:2 with lines " CONE_EDGE " notitle, ", script);
    }
    if (space->sticks) {
        fprintf(script, "$stick using %s with lines " STICKING " notitle, ", columns.text);
    }
    fprintf(script, "$curve using %s with lines " CURVE " notitle", columns.text);
    plot_marks(marks, count, columns.text, false, script);
    fputs("\n", script);
}

/* The cone in the projections: its edges from the side, and its highest circle from above. */
static void write_edges(const Space *space, FILE *script) {
    double radius = space->mu * space->cone;
    fprintf(script, "$edge << END\n%.9g %.9g\n0 0\n%.9g %.9g\nEND\n$ring << END\n", -radius,
            space->cone, radius, space->cone);
    for (int i = 0; i < CIRCLE && space->cone > 0; i++) {
        double angle = 2 * pi * i / (CIRCLE - 1);
        fprintf(script, "%.9g %.9g\n", radius * cos(angle), radius * sin(angle));
    }
    fputs("END\n", script);
}

static void describe(const PlotRun *run, const PlotMark *marks, double (*points)[3], int count,
                     FILE *description) {
    fputs("The impulse during the impact as a curve in the space of its tangential and normal "
          "components, with the plane of compression, the line of sticking and the friction cone, "
          "and its three projections.",
          description);
    for (int i = 0; i < count; i++) {
        const double *I = points[i];
        fprintf(description, " %s at (%.4g, %.4g, %.4g);", marks[i].meaning, I[0] + 0.0, I[1] + 0.0,
                I[2] + 0.0);
    }
    const double *end = run->solution.result.impulse;
    fprintf(description, " in the end (%.4g, %.4g, %.4g).", end[0] + 0.0, end[1] + 0.0, end[2]);
}

void plot_impulse_space(const PlotRun *run, FILE *script, FILE *description) {
    Space space = {.run = run, .mu = run->scene->contacts[0].mu, .end = plot_run_end(run)};
    PlotMark marks[PLOT_MARKS_MAX];
    double points[PLOT_MARKS_MAX][3];
    int count = find_marks(run, marks, points);
    choose_box(&space);
    find_stick(&space);
    find_plane(&space);
    choose_view(&space);
    write_data(&space, script);
    write_edges(&space, script);
    write_marks(&space, marks, points, count, script);
    /* fixed margins would fit the floor, not the box */
    fputs(
        "set multiplot\nunset lmargin\nunset rmargin\nunset tmargin\nunset bmargin\n"
        "set origin 0,0.4\nset size 1,0.575\nset title offset 0,1.4\nset key at screen 0.02,0.142 "
        "maxrows 5\n",
        script);
    write_view(&space, marks, count, script);
    fputs("unset title\nset origin 0,0\nset size 1,1\nset key off\nset tmargin at screen 0.38\nset "
          "bmargin at screen 0.21125\n"
          "set border 31\nset xzeroaxis lt 1 lw 0.8 lc rgb '#999999'\n"
          "set yzeroaxis lt 1 lw 0.8 lc rgb '#999999'\nunset ylabel\nset tics font small\n"
          "set xtics offset 0,0.3\n",
          script);
    write_projection(&space, 1, 2, 0.105, marks, count, script);
    write_projection(&space, 1, 3, 0.425, marks, count, script);
    write_projection(&space, 2, 3, 0.745, marks, count, script);
    fputs("unset multiplot\n", script);
    describe(run, marks, points, count, description);
}
