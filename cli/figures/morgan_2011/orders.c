/* Figure 2.8 of [M]: the order of calculation of an impact, by its speeds before. An impact scales
 * with its speeds, so the orders form sectors of the half plane vn < 0. They are found by the
 * direction of the contact velocity, phi from -pi (vt < 0, vn = 0) to 0. */
#include "figures/morgan_2011/orders.h"

#include <math.h>
#include <string.h>

#include "base/words.h"
#include "figures/morgan_2011/pendulum.h"
#include "figures/sheet_picture.h"

enum { STEPS = 360, SECTORS_MAX = 8, ARC = 60 };

static const double pi = 3.14159265358979323846;

/* Radius of the sectors in the picture. */
#define RADIUS 3.5

typedef struct Sector {
    double from, to; /* phi */
    const char *order;
} Sector;

/* The speeds, scaled to a length, for which the tip moves in the direction phi. */
static void speeds_of(const double J[4], double phi, double length, double u[2]) {
    double t = cos(phi), n = sin(phi), determinant = J[0] * J[3] - J[1] * J[2];
    u[0] = (J[3] * t - J[1] * n) / determinant;
    u[1] = (J[0] * n - J[2] * t) / determinant;
    double scale = length / hypot(u[0], u[1]);
    u[0] *= scale;
    u[1] *= scale;
}

static const char *order_at(FigureSheet *sheet, const double J[4], double phi) {
    double u[2];
    MImpact impact;
    speeds_of(J, phi, 1, u);
    return m_solve(sheet, u, &impact) ? carom_planar_order(impact.result.sequence) : "none";
}

/* The border of this order between from and to. */
static double find_border(FigureSheet *sheet, const double J[4], double from, double to,
                          const char *order) {
    for (int i = 0; i < 60; i++) {
        double middle = (from + to) / 2;
        *(strcmp(order_at(sheet, J, middle), order) == 0 ? &from : &to) = middle;
    }
    return from;
}

static int find_sectors(FigureSheet *sheet, const double J[4], Sector sectors[SECTORS_MAX]) {
    double step = pi / STEPS;
    int count = 1;
    sectors[0] = (Sector){-pi, 0, order_at(sheet, J, -pi + step / 2)};
    for (int i = 1; i < STEPS && count < SECTORS_MAX; i++) {
        double phi = -pi + (i + 0.5) * step;
        Sector *last = &sectors[count - 1];
        const char *order = order_at(sheet, J, phi);
        if (strcmp(order, last->order) != 0) {
            last->to = find_border(sheet, J, phi - step, phi, last->order);
            sectors[count++] = (Sector){last->to, 0, order};
        }
    }
    return count;
}

/* An order, its meaning, and the fill of its sectors. */
typedef struct Way {
    const char *order, *meaning, *fill;
} Way;

static const Way ways[] = {
    {"a-b-e", "slip stops in compression", "fc rgb '#0072B2' fs transparent solid 0.45"},
    {"a-c-d-e", "slip stops in restitution", "fc rgb '#E69F00' fs transparent solid 0.7"},
    {"a-c-e", "slip never stops", "fc rgb '#999999' fs transparent pattern 4"}};

static void write_sectors(const double J[4], const Sector *sectors, int count, FILE *script) {
    double u[2];
    for (int i = 0; i < count; i++) {
        fprintf(script, "$s%d << END\n0 0\n", i);
        for (int k = 0; k <= ARC; k++) {
            double part = (double)k / ARC;
            speeds_of(J, (1 - part) * sectors[i].from + part * sectors[i].to, RADIUS, u);
            fprintf(script, "%.9g %.9g\n", u[0], u[1]);
        }
        fputs("0 0\nEND\n", script);
        speeds_of(J, (sectors[i].from + sectors[i].to) / 2, 0.84 * RADIUS, u);
        fprintf(script, "set label '%s' at %.9g,%.9g center front\n", sectors[i].order, u[0], u[1]);
    }
}

/* The lines vt = 0 and vn = 0, named at one end. */
static void write_lines(const double J[4], FILE *script) {
    static const char *const names[2] = {"v_t = 0", "v_n = 0"};
    double u[2];
    for (int i = 0; i < 2; i++) {
        speeds_of(J, i == 0 ? pi / 2 : -pi, 1.1 * RADIUS, u);
        fprintf(script,
                "set arrow from %.9g,%.9g to %.9g,%.9g nohead front lt %d\n"
                "set label '%s' at %.9g,%.9g center offset 0,0.8 front\n",
                -u[0], -u[1], u[0], u[1], i == 0 ? 4 : 5, names[i], u[0], u[1]);
    }
}

static bool draw(FigureSheet *sheet, const double J[4], const Sector *sectors, int count) {
    FILE *script = figure_picture_begin(
        sheet, "", "Morgan, figure 2.8: the way that an impact takes", 720, 720);
    if (!script) {
        return false;
    }
    write_sectors(J, sectors, count, script);
    write_lines(J, script);
    fputs("set size ratio -1\nset xrange [-4.2:4.2]\nset yrange [-4.2:4.2]\n"
          "set xlabel 'u_1 before  (rad/s)'\nset ylabel 'u_2 before  (rad/s)'\n"
          "set xzeroaxis lt 8\nset yzeroaxis lt 8\n"
          "set label 'no impact: the tip moves up' at 1.2,2.2 center\n"
          "set bmargin at screen 0.18\nset tmargin at screen 0.93\n"
          "set key at screen 0.5,0.05 center horizontal Left reverse maxrows 1 width -1\nplot ",
          script);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        bool first = true;
        for (int i = 0; i < count; i++) {
            if (strcmp(sectors[i].order, ways[k].order) == 0) {
                fprintf(script, "%s$s%d with filledcurves closed %s lw 0.8 %s%s%s",
                        k > 0 || !first ? ", " : "", i, ways[k].fill, first ? "title '" : "notitle",
                        first ? ways[k].meaning : "", first ? "'" : "");
                first = false;
            }
        }
    }
    fputc('\n', script);
    return figure_picture_end(sheet,
                              "The half plane of speeds that approach, divided into sectors: "
                              "where slip stops during compression, during restitution, and "
                              "not at all.");
}

bool m_orders(FigureSheet *sheet) {
    Sector sectors[SECTORS_MAX];
    MImpact impact;
    if (!m_solve(sheet, m_example, &impact)) {
        return false;
    }
    int count = find_sectors(sheet, impact.J, sectors), orders = 0;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        bool taken = false;
        for (int i = 0; i < count; i++) {
            taken = taken || strcmp(sectors[i].order, ways[k].order) == 0;
        }
        orders += taken;
    }
    if (!draw(sheet, impact.J, sectors, count)) {
        return false;
    }
    figure_count(sheet, "orders of calculation", "3", orders, NULL, NULL);
    for (int i = 0; i + 1 < count; i++) {
        Words name = words_of("vt/|vn| between %s and %s", sectors[i].order, sectors[i + 1].order);
        /* a border at vt = 0 has a rounding error */
        double ratio = -cos(sectors[i].to) / sin(sectors[i].to);
        figure_computed(sheet, name.text, fabs(ratio) < 1e-12 ? 0 : ratio, NULL);
    }
    return true;
}
