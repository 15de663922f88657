/* [J], Fig. 18: the pencil from 0.4 before the impact to 0.4 after it, in two views.
 *
 * Free flight before and after, with the right moment of inertia; gravity is not given. */
#include "figures/jia_2013/pencil_motion.h"

#include <math.h>
#include <string.h>

#include "figures/jia_2013/pencil.h"
#include "figures/sheet_picture.h"
#include "picture/hull.h"

enum { FRAMES = 9, RIM = 48, OUTLINE = 2 * RIM + 1 };

static const double gravity[3] = {0, 0, -9.81}, pi = 3.14159265358979323846;

/* A view: which world axis goes to the right; z is up. */
typedef struct View {
    const char *name, *title, *axis, *description;
    int right;
    double low, high; /* of that axis */
} View;

/* From the pencil's axes to the world's: q p q*, with q = (w, u). */
static void to_world(const CaromBody *pencil, const double p[3], double at[3]) {
    const double *q = pencil->orientation, *u = q + 1;
    double a[3] = {u[1] * p[2] - u[2] * p[1], u[2] * p[0] - u[0] * p[2], u[0] * p[1] - u[1] * p[0]};
    double b[3] = {u[1] * a[2] - u[2] * a[1], u[2] * a[0] - u[0] * a[2], u[0] * a[1] - u[1] * a[0]};
    for (int k = 0; k < 3; k++) {
        at[k] = pencil->position[k] + p[k] + 2 * (q[0] * a[k] + b[k]);
    }
}

/* A point of the view; part: 0 the point, 1 the rim of the cone, 2 that of the far end. */
static void project(const CaromBody *pencil, const View *view, int part, int i, double at[2]) {
    double h = j_pencil_height(), angle = 2 * pi * i / RIM, world[3];
    double r = part ? j_pencil_radius : 0;
    double z = part == 0 ? 0 : part == 1 ? j_pencil_cone : j_pencil_cone + j_pencil_cylinder;
    const double p[3] = {r * cos(angle), r * sin(angle), z - h};
    to_world(pencil, p, world);
    at[0] = world[view->right];
    at[1] = world[2];
}

/* The outline as a polygon, and the two rims as lines. */
static void write_frame(const CaromBody *pencil, const View *view, int frame, FILE *script) {
    double corners[OUTLINE][2], room[2 * OUTLINE + 2][2];
    for (int i = 0; i < RIM; i++) {
        project(pencil, view, 1, i, corners[i]);
        project(pencil, view, 2, i, corners[RIM + i]);
    }
    project(pencil, view, 0, 0, corners[2 * RIM]);
    int size = convex_hull(corners, OUTLINE, room);
    fprintf(script, "$outline%d << END\n", frame);
    for (int i = 0; i <= size; i++) {
        fprintf(script, "%.6g %.6g\n", corners[i % size][0], corners[i % size][1]);
    }
    fprintf(script, "END\n$rims%d << END\n", frame);
    for (int part = 1; part <= 2; part++) {
        for (int i = 0; i <= RIM; i++) {
            double at[2];
            project(pencil, view, part, i, at);
            fprintf(script, "%.6g %.6g\n", at[0], at[1]);
        }
        fputc('\n', script);
    }
    double tip[2];
    project(pencil, view, 0, 0, tip);
    fprintf(script, "END\n$tip%d << END\n%.6g %.6g\nEND\n", frame, tip[0], tip[1]);
}

static bool draw_view(FigureSheet *sheet, const CaromBody frames[FRAMES], const View *view) {
    FILE *script = figure_picture_begin(sheet, view->name, view->title, 900, 760);
    if (!script) {
        return false;
    }
    for (int i = 0; i < FRAMES; i++) {
        write_frame(&frames[i], view, i, script);
    }
    fprintf(script,
            "set multiplot layout 3,3 title picture_title margins 0.06,0.985,0.07,0.9 spacing "
            "0.03,0.06\nset size ratio -1\nset xrange [%g:%g]\nset yrange [-0.35:4.65]\n"
            "set xtics 1\nset ytics 1\nset tics scale 0.5\n",
            view->low, view->high);
    for (int i = 0; i < FRAMES; i++) {
        fprintf(script,
                "set title '%d: t = %.1f%s' offset 0,-0.6\nset format x '%s'\nset format y '%s'\n"
                "set xlabel '%s' offset 0,0.6\nset ylabel '%s' offset 1.2\n",
                i + 1, (i - 4) / 10.0, i == 4 ? ", impact" : "", i < 6 ? "" : "%g",
                i % 3 ? "" : "%g", i < 6 ? "" : view->axis, i % 3 ? "" : "z");
        fprintf(script,
                "plot $outline%d with filledcurves closed fc rgb '#F3DDB3' notitle, "
                "$outline%d with lines lw 1.4 dt solid lc rgb '#000000' notitle, "
                "$rims%d with lines lw 0.8 dt solid lc rgb '#555555' notitle, "
                "$tip%d with points pt 7 ps 0.9*point lc rgb '#D55E00' notitle, "
                "0 with lines lw 1.6 dt solid lc rgb '#777777' notitle\n",
                i, i, i, i);
    }
    fputs("unset multiplot\n", script);
    return figure_picture_end(sheet, view->description);
}

/* Frame 4 is at the impact; what is before comes from the flight followed backwards. */
static bool find_frames(FigureSheet *sheet, CaromBody frames[FRAMES], CaromBody *after) {
    double I[3];
    CaromResult result = {.impulse = I};
    const CaromBody before = j_pencil_before(J_MOMENT_EXACT);
    *after = before;
    if (!j_pencil_hit(sheet, after, false, NULL, &result)) {
        return false;
    }
    for (int i = 0; i < FRAMES; i++) {
        const char *message;
        frames[i] = i <= 4 ? before : *after;
        if (carom_flight_advance(&frames[i], gravity, (i - 4) / 10.0, &message) < 0) {
            return figure_fail(sheet, "the pencil's flight: %s", message);
        }
    }
    return true;
}

bool j_figure_18(FigureSheet *sheet) {
    static const View views[2] = {
        {"side", "The pencil from the side, every tenth of a second", "x",
         "Nine views from the side: the pencil comes from the right, its point meets the desk in "
         "the fifth, and it rises again, turning.",
         0, -2.6, 4.9},
        {"front", "The pencil from the front, every tenth of a second", "y",
         "Nine views along x: the pencil comes down leaning sideways, stands upright in this view "
         "at the impact, and leans to the other side afterwards.",
         1, -3.75, 3.75}};
    CaromBody frames[FRAMES], after;
    if (!find_frames(sheet, frames, &after) || !draw_view(sheet, frames, &views[0]) ||
        !draw_view(sheet, frames, &views[1])) {
        return false;
    }
    static const char *const names[4] = {"first frame: x of the centre", "first frame: z",
                                         "last frame: x of the centre", "last frame: z"};
    for (int i = 0; i < 4; i++) {
        figure_computed(sheet, names[i], frames[i / 2 ? FRAMES - 1 : 0].position[i % 2 ? 2 : 0],
                        i ? NULL : "with g = 9.81; nothing is printed for this figure");
    }
    return true;
}
