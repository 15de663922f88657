/* A map of two numbers of a scene as a picture. */
#include "vary/vary_map_plot.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/document.h"
#include "picture/gnuplot.h"
#include "picture/picture.h"
#include "vary/vary.h"

enum { WIDTH = 760, HEIGHT = 620 };

static const char *shown_name(const char *shown) {
    return shown[0] ? shown : "loss of kinetic energy, %";
}

/* The edges of the cells are half a step away from the values. */
static double edge(const VaryRange *range, int index) {
    double part = (index - 0.5) / (range->count - 1);
    return scene_path_is_stiffness(&range->path)
               ? exp2((1 - part) * log2(range->from) + part * log2(range->to))
               : (1 - part) * range->from + part * range->to;
}

/* A stiffness has a logarithmic axis. */
static void write_axis(const VaryRange *range, char axis, FILE *script) {
    if (scene_path_is_stiffness(&range->path)) {
        fprintf(script, "set logscale %c\n", axis);
    }
    fprintf(script, "set %crange [%.9g:%.9g]\nset %clabel ", axis, edge(range, 0),
            edge(range, range->count), axis);
    gnuplot_text(script, vary_name(range));
    fputs(" noenhanced\n", script);
}

static void write_cells(const VaryMap *map, FILE *script) {
    const VaryRange *x = &map->vary->ranges[0], *y = &map->vary->ranges[1];
    fputs("$map << END\n", script);
    for (int i = 0; i <= x->count; i++) {
        for (int k = 0; k <= y->count; k++) {
            int row = i < x->count ? i : i - 1, column = k < y->count ? k : k - 1;
            double value = map->kept[(size_t)row * (size_t)y->count + (size_t)column];
            fprintf(script, "%.9g %.9g ", edge(x, i), edge(y, k));
            fprintf(script, isfinite(value) ? "%.9g\n" : "NaN\n", value);
        }
        fputc('\n', script);
    }
    fputs("END\n", script);
}

/* Smallest and largest value; false: there is none. */
static bool find_range(const VaryMap *map, double *low, double *high, int *missing) {
    *low = INFINITY;
    *high = -INFINITY;
    *missing = 0;
    for (int i = 0; i < map->count; i++) {
        double x = map->kept[i];
        *missing += !isfinite(x);
        *low = isfinite(x) ? fmin(*low, x) : *low;
        *high = isfinite(x) ? fmax(*high, x) : *high;
    }
    return *low <= *high;
}

static bool write_picture(const VaryMap *map, const Scene *scene, const char *shown,
                          const char *source_name, const char *path, Error *error) {
    char heading[512], title[600], description[1024];
    double low, high;
    int missing;
    if (!find_range(map, &low, &high, &missing)) {
        return error_set(error, "no point of the map could be solved");
    }
    FILE *script = tmpfile();
    if (!script) {
        return error_set(error, "temporary file: %s", strerror(errno));
    }
    const VaryRange *x = &map->vary->ranges[0], *y = &map->vary->ranges[1];
    picture_heading(scene->name, source_name, heading, sizeof heading);
    snprintf(title, sizeof title, "%s: map", heading);
    snprintf(description, sizeof description,
             "Map of the %s: %s from %g to %g to the right, %s from %g to %g upwards; %d by %d "
             "impacts. The values go from %.5g to %.5g. Points without an answer, left white: %d.",
             shown_name(shown), vary_name(x), x->from, x->to, vary_name(y), y->from, y->to,
             x->count, y->count, low, high, missing);
    picture_begin(picture_format(path), WIDTH, HEIGHT, script);
    fputs("set border 15 lw 0.8\nset tics nomirror out\nset lmargin at screen 0.13\n"
          "set rmargin at screen 0.80\nset bmargin at screen 0.13\nset tmargin at screen 0.91\n"
          "unset key\nset pm3d map corners2color c1\n"
          "set palette defined (0 '#440154', 0.25 '#3b528b', 0.5 '#21918c', 0.75 '#5ec962', "
          "1 '#fde725')\nset title ",
          script);
    gnuplot_text(script, heading);
    fputs(" noenhanced\nset cblabel ", script);
    gnuplot_text(script, shown_name(shown));
    fputs(" noenhanced\n", script);
    if (!(high > low)) {
        fprintf(script, "set cbrange [%.9g:%.9g]\n", low - fmax(fabs(low), 1) * 1e-3,
                low + fmax(fabs(low), 1) * 1e-3);
    }
    write_axis(x, 'x', script);
    write_axis(y, 'y', script);
    write_cells(map, script);
    fputs("splot $map using 1:2:3 with pm3d\n", script);
    bool good = picture_write(path, script, title, description, error);
    fclose(script);
    return good;
}

int vary_map_draw(json_t *document, const Vary *vary, const char *shown, const char *source_name,
                  const char *path, Error *error) {
    Scene scene;
    VaryMap map = {0};
    if (!vary_check(document, vary, error) || !vary_scene(document, NULL, 0, NULL, &scene, error)) {
        return 2;
    }
    int status = 2;
    if (vary_map_create(&scene, vary, NULL, shown, &map, error)) {
        status = vary_fill_map(document_name(source_name), document, &map);
        if (status < 0) {
            error_set(error, "out of memory");
            status = 2;
        } else {
            status = write_picture(&map, &scene, shown, source_name, path, error) ? 0
                     : status                                                     ? status
                                                                                  : 2;
        }
    }
    vary_map_free(&map);
    scene_free(&scene);
    return status;
}
