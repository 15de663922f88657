/* A picture of a simulation: the path of the centre of mass from the side (x, z) and from above (x,
 * y), the points of touch, and outlines of a body with vertices. */
#include "simulate/simulate_plot.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture/gnuplot.h"
#include "picture/hull.h"
#include "picture/picture.h"
#include "simulate/simulate_piece.h"

/* Points of the path of a piece; most outlines of the body; most numbers of bounces. */
enum { PIECE_POINTS = 48, OUTLINES = 9, NUMBERS_MAX = 40 };

/* Size of the picture, in pixels of an SVG. */
enum { WIDTH = 720, HEIGHT = 860 };

/* Width over height of a panel. Both axes have the same scale unless the path fills less than
 * 1/SLENDER of one of them. */
#define PANEL (0.82 * WIDTH / (0.32 * HEIGHT))
#define SLENDER 6.0

/* A view: which world axes go to the right and up. */
typedef struct View {
    const char *name, *title;
    int right, up;
    double low[2], high[2]; /* of everything drawn */
    double (*corners)[2];   /* room for an outline, and for making it */
    double (*room)[2];
} View;

static void write_point(View *view, const double point[3], FILE *script) {
    const double at[2] = {point[view->right], point[view->up]};
    for (int i = 0; i < 2; i++) {
        view->low[i] = fmin(view->low[i], at[i]);
        view->high[i] = fmax(view->high[i], at[i]);
    }
    fprintf(script, "%.9g %.9g\n", at[0], at[1]);
}

/* False: a flight failed. */
static bool write_path(View *view, const SimulateScene *scene, const SimulateRun *run,
                       FILE *script) {
    fprintf(script, "$%s_path << END\n", view->name);
    for (size_t k = 0; k < run->piece_count; k++) {
        const SimulatePiece *piece = &run->pieces[k];
        SimulateCursor cursor = simulate_cursor(piece);
        double lasts = piece->to - piece->from;
        for (int i = 0; i < PIECE_POINTS && lasts > 0; i++) {
            const char *message;
            double time = piece->from + lasts * i / PIECE_POINTS;
            if (!simulate_cursor_advance(scene, run, time, &cursor, &message)) {
                return false;
            }
            write_point(view, cursor.body.position, script);
        }
        write_point(view, piece->last.position, script);
    }
    fputs("END\n", script);
    return true;
}

/* The points of touch. */
static void write_touches(View *view, const SimulateRun *run, FILE *script) {
    fprintf(script, "$%s_touch << END\n", view->name);
    for (int i = 0; i < run->impact_count; i++) {
        write_point(view, run->impacts[i].point, script);
    }
    if (run->impact_count == 0) {
        fputs("NaN NaN\n", script);
    }
    fputs("END\n", script);
}

/* The numbers of the bounces, where there is room. */
static void write_numbers(const View *view, const SimulateRun *run, FILE *script) {
    double near = 0.04 * fmax(view->high[0] - view->low[0], PANEL * (view->high[1] - view->low[1]));
    const double *listed[NUMBERS_MAX];
    int count = 0;
    for (int i = 0; i < run->impact_count && count < NUMBERS_MAX; i++) {
        const double *point = run->impacts[i].point;
        bool free_place = true;
        for (int k = 0; k < count; k++) {
            free_place = free_place && hypot(point[view->right] - listed[k][view->right],
                                             point[view->up] - listed[k][view->up]) > near;
        }
        if (free_place) {
            listed[count++] = point;
            fprintf(script, "set label '%d' at %.9g,%.9g center offset 0,-0.75 front\n",
                    run->impacts[i].bounce, point[view->right], point[view->up]);
        }
    }
}

/* The outline of the body in this view, as a closed line. */
static void write_outline(View *view, const SimulateScene *scene, const CaromBody *body,
                          FILE *script) {
    int count = scene->shape.vertex_count;
    for (int i = 0; i < count; i++) {
        double at[3];
        simulate_point(scene, body, i, at);
        view->corners[i][0] = at[view->right];
        view->corners[i][1] = at[view->up];
    }
    int size = convex_hull(view->corners, count, view->room);
    for (int i = 0; i <= size; i++) {
        double at[3] = {0, 0, 0};
        at[view->right] = view->corners[i % size][0];
        at[view->up] = view->corners[i % size][1];
        write_point(view, at, script);
    }
    fputc('\n', script);
}

/* Outlines at equal steps of time. */
static bool write_outlines(View *view, const SimulateScene *scene, const SimulateRun *run,
                           FILE *script) {
    size_t piece = 0;
    fprintf(script, "$%s_body << END\n", view->name);
    for (int i = 0; i < OUTLINES && scene->vertices; i++) {
        double time = run->time * i / (OUTLINES - 1);
        const char *message;
        while (run->pieces[piece].to < time && piece + 1 < run->piece_count) {
            piece++;
        }
        SimulateCursor cursor = simulate_cursor(&run->pieces[piece]);
        if (!simulate_cursor_advance(scene, run, time, &cursor, &message)) {
            return false;
        }
        write_outline(view, scene, &cursor.body, script);
    }
    fputs("NaN NaN\nEND\n", script);
    return true;
}

/* The plane, if it is seen edge-on. */
static void write_plane(const View *view, const CaromPlane *plane, FILE *script) {
    int hidden = 3 - view->right - view->up;
    const double *n = plane->normal, *p = plane->point;
    if (fabs(n[hidden]) > 1e-9 || fabs(n[view->up]) < 1e-3) {
        return;
    }
    double slope = -n[view->right] / n[view->up], at = p[view->up] - slope * p[view->right];
    fprintf(script, ", %.9g + %.9g*x with lines lw 1.5 lc rgb '#777777' title 'plane'", at, slope);
}

/* Ranges with margins, wider below for the numbers. Equal scales, unless the view is slender; an
 * extent of 0 does not count. */
static void write_ranges(const View *view, FILE *script) {
    double size[2], middle[2];
    for (int i = 0; i < 2; i++) {
        size[i] = 1.12 * (view->high[i] - view->low[i]);
        middle[i] = (view->high[i] + view->low[i]) / 2;
    }
    double across = fmax(size[0], PANEL * size[1]), large = across > 0 ? across : 1;
    bool slender = (size[0] > 0 && SLENDER * size[0] < large) ||
                   (size[1] > 0 && SLENDER * PANEL * size[1] < large);
    if (!slender) {
        size[0] = large;
        size[1] = large / PANEL;
    }
    for (int i = 0; i < 2; i++) {
        double half = size[i] > 0 ? size[i] / 2 : large / 2;
        fprintf(script, "set %crange [%.9g:%.9g]\n", i == 0 ? 'x' : 'y',
                middle[i] - (i == 1 ? 1.12 : 1) * half, middle[i] + half);
    }
}

static bool write_view(View *view, const SimulateScene *scene, const SimulateRun *run,
                       double bottom, FILE *script) {
    if (!write_path(view, scene, run, script) || !write_outlines(view, scene, run, script)) {
        return false;
    }
    write_touches(view, run, script);
    write_ranges(view, script);
    write_numbers(view, run, script);
    fprintf(script,
            "set tmargin at screen %g\nset bmargin at screen %g\nset title '%s'\n"
            "set xlabel '%c'\nset ylabel '%c' rotate by 0\n"
            "plot $%s_body with lines lw 0.8 lc rgb '#999999' %s",
            bottom + 0.32, bottom, view->title, 'x' + view->right, 'x' + view->up, view->name,
            scene->vertices ? "title 'body'" : "notitle");
    write_plane(view, &scene->plane, script);
    fprintf(script,
            ", $%s_path with lines lw 1.8 lc rgb '#0072B2' title 'centre of mass', $%s_touch with "
            "points pt 7 ps 0.5 lc rgb '#D55E00' title 'touches'\nunset label\n",
            view->name, view->name);
    return true;
}

static bool write_script(const PictureFormat *format, const char *heading,
                         const SimulateScene *scene, const SimulateRun *run, FILE *script) {
    size_t count = (size_t)scene->shape.vertex_count;
    View views[2] = {{.name = "side", .title = "from the side", .right = 0, .up = 2},
                     {.name = "top", .title = "from above", .right = 0, .up = 1}};
    double(*corners)[2] = calloc(count + 1, sizeof *corners);
    double(*room)[2] = calloc(2 * count + 2, sizeof *room);
    bool good = corners && room;
    picture_begin(format, WIDTH, HEIGHT, script);
    fputs("set border 31 lw 0.8\nset tics nomirror\n"
          "set lmargin at screen 0.13\nset rmargin at screen 0.95\nset key noenhanced\n"
          "set key at screen 0.54,0.012 center bottom horizontal samplen 2 width 1 maxrows 1\n"
          "set multiplot title ",
          script);
    gnuplot_text(script, heading);
    fputs(" noenhanced\n", script);
    for (int i = 0; i < 2 && good; i++) {
        views[i].low[0] = views[i].low[1] = INFINITY;
        views[i].high[0] = views[i].high[1] = -INFINITY;
        views[i].corners = corners;
        views[i].room = room;
        good = write_view(&views[i], scene, run, i == 0 ? 0.595 : 0.15, script);
        fputs("unset key\n", script);
    }
    fputs("unset multiplot\n", script);
    free(corners);
    free(room);
    return good;
}

bool simulate_plot(const char *path, const char *source, const SimulateScene *scene,
                   const SimulateRun *run, Error *error) {
    char heading[512], description[512];
    const double *end = run->last.position;
    FILE *script = tmpfile();
    if (!script) {
        return error_set(error, "temporary file: %s", strerror(errno));
    }
    picture_heading(scene->scene.name, source, heading, sizeof heading);
    snprintf(description, sizeof description,
             "The path of the centre of mass, from the side (x, z) and from above (x, y). %d "
             "bounces; after time %.6g it is at (%.6g, %.6g, %.6g): %s.",
             run->impact_count, run->time, end[0], end[1], end[2], simulate_end_words(run->end));
    bool good = write_script(picture_format(path), heading, scene, run, script)
                    ? picture_write(path, script, heading, description, error)
                    : error_set(error, "%s: the flights cannot be drawn", path);
    fclose(script);
    return good;
}
