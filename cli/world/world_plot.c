#include "world/world_plot.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "picture/gnuplot.h"
#include "picture/picture.h"
#include "world/world_places.h"
#include "world/world_tracks.h"

/* Size of the picture in pixels of an SVG; points of a curved piece; most bodies with a colour and
 * a line in the key. */
enum { WIDTH = 860, HEIGHT = 560, CURVE_POINTS = 8, NAMED_MAX = 16 };

/* A view has at most this ratio of its sides. */
#define SLENDER 3.0

/* What all centres fill, and the largest radius. */
typedef struct PlotBox {
    double low[3], high[3], size;
} PlotBox;

static void box_take(PlotBox *box, const double point[3]) {
    for (int k = 0; k < 3; k++) {
        box->low[k] = fmin(box->low[k], point[k]);
        box->high[k] = fmax(box->high[k], point[k]);
    }
}

/* The path of one ball: x, y, z. */
static void write_path(const WorldRecord *record, int body, PlotBox *box, FILE *script) {
    const CaromMotion *piece = NULL;
    fprintf(script, "$path%d << END\n", body);
    for (size_t i = 0; i <= record->piece_count; i++) {
        bool last = i == record->piece_count;
        if (!last && record->pieces[i].body != body) {
            continue;
        }
        double until = last ? record->time : record->pieces[i].motion.time;
        for (int k = 0; piece && k <= CURVE_POINTS; k++) {
            CaromMotion motion = *piece;
            bool straight = motion.phase >= CAROM_PHASE_ROLLING;
            if (straight && k > 0 && k < CURVE_POINTS) {
                continue;
            }
            carom_motion_advance(&motion, piece->time + (until - piece->time) * k / CURVE_POINTS);
            box_take(box, motion.position);
            fprintf(script, "%.9g %.9g %.9g\n", motion.position[0], motion.position[1],
                    motion.position[2]);
        }
        piece = last ? NULL : &record->pieces[i].motion;
    }
    fputs("END\n", script);
}

/* First and last places of all balls that are in the world, with their radii. */
static void write_places(const WorldScene *scene, const WorldRecord *record, FILE *script) {
    for (int end = 0; end < 2; end++) {
        fprintf(script, "$places%d << END\nNaN NaN NaN NaN\n", end);
        for (int i = 0; i < scene->ball_count; i++) {
            const CaromMotion *motion = end ? &record->last[i] : &record->pieces[i].motion;
            if (motion->phase == CAROM_PHASE_POCKETED) {
                continue;
            }
            fprintf(script, "%.9g %.9g %.9g %.9g\n", motion->position[0], motion->position[1],
                    motion->position[2], scene->bodies[i].shape.radius);
        }
        fputs("END\n", script);
    }
}

static void write_table(const WorldScene *scene, FILE *script) {
    double x = scene->table_size[0] / 2, y = scene->table_size[1] / 2;
    fprintf(script,
            "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n"
            "set object 1 rectangle from %.9g,%.9g to %.9g,%.9g fillstyle empty border lc rgb "
            "'#777777' lw 2\n",
            -1.06 * x, 1.06 * x, -1.06 * y, 1.06 * y, -x, -y, x, y);
    for (int i = 0; i < scene->setup.pocket_count; i++) {
        const CaromPocket *pocket = &scene->pockets[i];
        fprintf(script, "set object %d circle at %.9g,%.9g size %.9g fc rgb '#bbbbbb'\n", i + 2,
                pocket->point[0], pocket->point[1], pocket->radius);
    }
}

/* Ranges of a view with equal scales: a slender one is widened, so that its axis has room. */
static void write_ranges(const PlotBox *box, int up, FILE *script) {
    const int axes[2] = {0, up};
    double side[2], longest = 0;
    for (int i = 0; i < 2; i++) {
        side[i] = 1.1 * (box->high[axes[i]] - box->low[axes[i]] + 2 * box->size);
        longest = fmax(longest, side[i]);
    }
    for (int i = 0; i < 2; i++) {
        double middle = (box->high[axes[i]] + box->low[axes[i]]) / 2;
        double half = fmax(side[i], longest / SLENDER) / 2;
        fprintf(script, "set %crange [%.9g:%.9g]\n", "xy"[i], middle - half, middle + half);
    }
}

/* One view; column of the coordinate that goes up. */
static void write_view(const WorldScene *scene, int up, FILE *script) {
    int count = scene->setup.body_count;
    fprintf(script, "set xlabel 'x'\nset ylabel '%c' rotate by 0\nset size ratio -1\nplot ",
            "xyz"[up - 1]);
    for (int i = 0; i < count; i++) {
        fprintf(script, "$path%d using 1:%d with lines lw 1.4 lc %d ", i, up, i % NAMED_MAX + 1);
        if (count <= NAMED_MAX) {
            fputs("title ", script);
            gnuplot_text(script, scene->names[i]);
            fputs(", ", script);
        } else {
            fputs("notitle, ", script);
        }
    }
    if (count > scene->ball_count) {
        fprintf(script,
                "$shapes0%c using 1:2 with lines lw 1 lc rgb '#777777' dt 3 %s, "
                "$shapes1%c using 1:2 with lines lw 1 lc rgb 'black' %s, ",
                "xyz"[up - 1], scene -> ball_count > 0 ? "notitle" : "title 'start'", "xyz"[up - 1],
                scene -> ball_count > 0 ? "notitle" : "title 'end'");
    }
    fprintf(script,
            "$places0 using 1:%d:4 with circles fs empty lc rgb '#777777' dt 3 %s, "
            "$places1 using 1:%d:4 with circles fs solid 0.25 lc rgb 'black' %s\n",
            up, scene->ball_count > 0 ? "title 'start'" : "notitle", up,
            scene->ball_count > 0 ? "title 'end'" : "notitle");
}

/* The data of all paths and places, and the box they fill. */
static bool write_data(const WorldScene *scene, const WorldRecord *record, PlotBox *box,
                       FILE *script, Error *error) {
    WorldTracks tracks = {0};
    int count = scene->setup.body_count;
    *box = (PlotBox){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0};
    bool good = count == scene->ball_count || world_tracks_follow(scene, record, &tracks, error);
    for (int i = 0; i < count && good; i++) {
        if (count == scene->ball_count) {
            write_path(record, i, box, script);
        } else {
            world_tracks_write(&tracks, i, script);
        }
    }
    for (int end = 0; end < 2 && good && count > scene->ball_count; end++) {
        good = (world_outlines_write(scene, record, end, 1, script) &&
                world_outlines_write(scene, record, end, 2, script)) ||
               error_set(error, "out of memory");
    }
    for (size_t i = 0; i < tracks.count; i++) {
        box_take(box, tracks.points[i]);
    }
    for (int i = 0; i < count; i++) {
        box->size = fmax(box->size, world_shape_size(&scene->bodies[i].shape));
    }
    write_places(scene, record, script);
    world_tracks_free(&tracks);
    return good;
}

bool world_plot(const char *path, const char *source, const WorldScene *scene,
                const WorldRecord *record, Error *error) {
    char heading[512], description[512];
    FILE *script = tmpfile();
    PlotBox box;
    if (!script) {
        return error_set(error, "temporary file: %s", strerror(errno));
    }
    picture_heading(scene->scene.name, source, heading, sizeof heading);
    snprintf(description, sizeof description,
             "The paths of %d bodies, from above (x, y)%s. %zu events until time %.6g: %s.",
             scene->setup.body_count, scene->has_table ? "" : " and from the side (x, z)",
             record->event_count, record->time, world_end_words(record->run.end));
    picture_begin(picture_format(path), WIDTH, scene->has_table ? HEIGHT : 2 * HEIGHT, script);
    if (!write_data(scene, record, &box, script, error)) {
        fclose(script);
        return false;
    }
    fputs("set border 31 lw 0.8\nset tics nomirror\nset key noenhanced outside bottom center "
          "horizontal samplen 2\n",
          script);
    if (scene->has_table) {
        fputs("set title ", script);
        gnuplot_text(script, heading);
        fputs(" noenhanced\n", script);
        write_table(scene, script);
        write_view(scene, 2, script);
    } else {
        fputs("set multiplot layout 2,1 title ", script);
        gnuplot_text(script, heading);
        fputs(" noenhanced\n", script);
        write_ranges(&box, 2, script);
        write_view(scene, 3, script);
        write_ranges(&box, 1, script);
        write_view(scene, 2, script);
        fputs("unset multiplot\n", script);
    }
    bool good = picture_write(path, script, heading, description, error);
    fclose(script);
    return good;
}
