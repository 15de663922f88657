/* Figs. 6 and 8 of [JW]: hodographs of slip that starts with unit speed in many directions. Only
 * those on the invariant directions are printed; between them the circle is divided evenly, and
 * then as many reach the origin as the text says. */
#include "figures/jia_wang_2017/bundle.h"

#include <math.h>
#include <string.h>

#include "base/words.h"
#include "figures/jia_wang_2017/icosahedron.h"
#include "figures/sheet_picture.h"

enum { SAMPLES = 801, STARTS_MAX = 15 };

static const double pi = 3.14159265358979323846;

typedef struct Bundle {
    double mu, vz;
    int parts[2]; /* of the sector after the first and after the second invariant direction */
} Bundle;

static const Bundle bundles[] = {{0.8, -0.2, {9, 6}}, {0.25, -0.8, {7, 6}}};

/* The bundle being made. Direction 0, and parts[0], are on the invariant directions. */
typedef struct Bunch {
    const Bundle *bundle;
    CaromInvariant invariants[4];
    int count;
    double start[STARTS_MAX][2];
    JwImpact impacts[STARTS_MAX];
} Bunch;

static const char reaches[] =
    "Slip that does not start along an invariant direction only approaches it, and passes the "
    "origin where that direction is unstable; a program that compares with a tolerance sees them "
    "reached.";

static bool find_starts(FigureSheet *sheet, Bunch *bunch) {
    const Bundle *bundle = bunch->bundle;
    int count;
    if (carom_invariant_directions(jw_W, bundle->mu, bunch->invariants, &count) < 0 || count != 2) {
        return figure_fail(sheet, "two invariant directions were expected");
    }
    for (int side = 0; side < 2; side++) {
        const double *from = bunch->invariants[side].direction;
        const double *to = bunch->invariants[1 - side].direction;
        double turn = atan2(from[0] * to[1] - from[1] * to[0], from[0] * to[0] + from[1] * to[1]);
        turn += turn < 0 ? 2 * pi : 0;
        for (int i = 0; i < bundle->parts[side]; i++) {
            double angle = turn * i / bundle->parts[side], c = cos(angle), s = sin(angle);
            double *start = bunch->start[bunch->count++];
            start[0] = c * from[0] - s * from[1];
            start[1] = s * from[0] + c * from[1];
        }
    }
    return true;
}

static bool solve(FigureSheet *sheet, Bunch *bunch) {
    for (int i = 0; i < bunch->count; i++) {
        const double v[3] = {bunch->start[i][0], bunch->start[i][1], bunch->bundle->vz};
        if (!jw_solve(sheet, bunch->bundle->mu, v, &bunch->impacts[i])) {
            return false;
        }
    }
    return true;
}

/* One hodograph as points, and an empty line. */
static bool write_curve(FigureSheet *sheet, const JwImpact *impact, FILE *script) {
    double velocity[3 * SAMPLES];
    CaromTrace trace = {.capacity = SAMPLES, .velocity = velocity};
    const CaromProblem problem = jw_problem(impact);
    if (carom_trace(&problem, &trace, NULL) < 0) {
        return figure_fail(sheet, "a hodograph cannot be sampled");
    }
    for (int i = 0; i < trace.count; i++) {
        fprintf(script, "%.9g %.9g\n", velocity[3 * i] + 0.0, velocity[3 * i + 1] + 0.0);
    }
    fputc('\n', script);
    return true;
}

static bool ends_at_origin(const JwImpact *impact) {
    return impact->velocity[0] == 0 && impact->velocity[1] == 0;
}

/* Where they start and end. */
static void write_ends(const Bunch *bunch, FILE *script) {
    fputs("$starts << END\n", script);
    for (int i = 0; i < bunch->count; i++) {
        const double *start = bunch->start[i];
        fprintf(script, "%.9g %.9g %.9g %.9g\n", start[0], start[1], 1.1 * start[0],
                1.1 * start[1]);
    }
    fputs("END\n$ends << END\n", script);
    for (int i = 0; i < bunch->count; i++) {
        const double *end = bunch->impacts[i].velocity;
        fprintf(script, "%.9g %.9g\n", end[0] + 0.0, end[1] + 0.0);
    }
    fputs("END\n", script);
}

/* Rays of the invariant directions, as long as the sheet. */
static void write_rays(const Bunch *bunch, FILE *script) {
    for (int i = 0; i < 2; i++) {
        const double *s = bunch->invariants[i].direction;
        fprintf(script, "$ray%d << END\n0 0\n%.9g %.9g\nEND\n", i, 3 * s[0], 3 * s[1]);
    }
}

/* The rays in the plot command, dashed as in the other hodographs. */
static void plot_rays(const Bunch *bunch, FILE *script) {
    bool told = false;
    for (int i = 0; i < 2; i++) {
        bool outward = bunch->invariants[i].rate > 0;
        fprintf(script, ", $ray%d with lines lw 1.7 %s ", i,
                outward ? "lc rgb '#D55E00' dt (18,5,3,5)" : "lc rgb '#0072B2' dt (9,6)");
        fputs(outward ? "title 'centrifugal direction'"
              : told  ? "notitle"
                      : "title 'centripetal direction'",
              script);
        told = told || !outward;
    }
    fputc('\n', script);
}

static bool draw(FigureSheet *sheet, const Bunch *bunch) {
    const Bundle *bundle = bunch->bundle;
    bool outward = bunch->invariants[0].rate > 0 || bunch->invariants[1].rate > 0;
    Words title =
        words_of("Jia and Wang, figure %s: %d hodographs, μ = %g, v_z = %g",
                 sheet->figure->label + strlen("Fig. "), bunch->count, bundle->mu, bundle->vz);
    FILE *script = figure_picture_begin(sheet, "", title.text, 720, 860);
    if (!script) {
        return false;
    }
    fputs("$curves << END\n", script);
    for (int i = 0; i < bunch->count; i++) {
        if (!write_curve(sheet, &bunch->impacts[i], script)) {
            return false;
        }
    }
    fputs("END\n", script);
    write_ends(bunch, script);
    write_rays(bunch, script);
    double high = outward ? 1.4 : 1.25;
    fprintf(script,
            "set lmargin at screen 0.145\nset rmargin at screen 0.955\n"
            "set bmargin at screen 0.2219\nset tmargin at screen 0.9\n"
            "set size ratio -1\nset xrange [-1.25:%g]\nset yrange [-1.25:%g]\n"
            "set xlabel 'v_x  (velocity, units of the paper)'\n"
            "set ylabel 'v_y  (velocity, units of the paper)'\n"
            "set xzeroaxis lt 8\nset yzeroaxis lt 8\n"
            "set key at screen 0.1,0.145 top left vertical Left reverse maxrows 3 spacing 1.25 "
            "samplen 4 width 3\n"
            "plot $curves with lines lw 1.8 lc rgb 'black' title 'sliding velocity', "
            "$starts with points pt 6 ps 1.3*point lw 1.5 lc rgb 'black' title 'start', "
            "$ends with points pt 7 ps 1.2*point lc rgb 'black' title 'end'",
            high, high);
    plot_rays(bunch, script);
    Words description = words_of(
        "%d hodographs that start on the unit circle in the plane of sliding velocities and %s.",
        bunch->count,
        outward ? "bend towards the centrifugal direction, where they move outwards"
                : "end at the origin or before it");
    return figure_picture_end(sheet, description.text);
}

static void add_values_6(FigureSheet *sheet, const Bunch *bunch) {
    int stuck = 0, straight = 0;
    for (int i = 0; i < bunch->count; i++) {
        stuck += ends_at_origin(&bunch->impacts[i]);
        straight += bunch->impacts[i].result.sequence[0] == 'l';
    }
    figure_count(sheet, "hodographs", "15", bunch->count, NULL, "directions ours");
    figure_count(sheet, "reach the origin and stick", "11", stuck, NULL, NULL);
    figure_count(sheet, "end before they reach it", "4", bunch->count - stuck, NULL, NULL);
    figure_count(sheet, "are straight", "2", straight, NULL, NULL);
}

/* Angle between the final velocity and the centrifugal direction. */
static double angle_left(const Bunch *bunch, const JwImpact *impact) {
    const CaromInvariant *rays = bunch->invariants, *ray = rays[0].rate > 0 ? rays : rays + 1;
    const double *s = ray->direction, *v = impact->velocity;
    return fabs(atan2(s[0] * v[1] - s[1] * v[0], s[0] * v[0] + s[1] * v[1]));
}

static void add_values_8(FigureSheet *sheet, const Bunch *bunch) {
    int exactly = 0, nearly = 0, stopped = 0;
    double largest = 0;
    for (int i = 0; i < bunch->count; i++) {
        const JwImpact *impact = &bunch->impacts[i];
        double left = angle_left(bunch, impact);
        exactly += left < 1e-12;
        nearly += left < 0.03;
        stopped += jw_event(impact, CAROM_SLIP) != NULL;
        largest = fmax(largest, left);
    }
    figure_count(sheet, "hodographs", "13", bunch->count, NULL, "directions ours");
    figure_count(sheet, "reach the centrifugal direction", "6", exactly, reaches, NULL);
    figure_count(sheet, "end within 0.03 rad of it", NULL, nearly, NULL, NULL);
    figure_count(sheet, "reach the origin", "2", stopped, reaches, NULL);
    figure_computed(sheet, "largest angle to it in the end, rad", largest, NULL);
}

bool jw_bundle(FigureSheet *sheet) {
    Bunch bunch = {.bundle = &bundles[sheet->figure->variant]};
    if (!find_starts(sheet, &bunch) || !solve(sheet, &bunch) || !draw(sheet, &bunch)) {
        return false;
    }
    (bunch.bundle == &bundles[0] ? add_values_6 : add_values_8)(sheet, &bunch);
    return true;
}
