/* The impulse plane (I_t, I_n) of a planar contact: the curve, the line of compression (v_n = 0),
 * the line of sticking (v_t = 0), the friction cone and a mark at every event. Equal scales where
 * they leave the curve to be seen. */
#include "plot/plot_impulse_planar.h"

#include <math.h>

#include "plot/plot_sheet.h"

#define COMPRESSION "lw 1.7 lc rgb '" PLOT_BLUE "' dt (9,6)"
#define STICKING "lw 1.7 lc rgb '" PLOT_VERMILION "' dt (18,5,3,5)"
#define CONE "lw 1.5 lc rgb '" PLOT_GREEN "' dt (4,4)"

enum { LINES = 4 };

typedef struct Plane {
    const PlotRun *run;
    PlotSheet sheet;
    bool equal;
    double ends[LINES][2][2]; /* of compression, sticking and the two edges of the cone */
    bool seen[LINES];
} Plane;

/* The curve, the origin, and the points where the lines come nearest to the curve, which are on
 * it. */
static void choose_window(Plane *plane) {
    const PlotRun *run = plane->run;
    PlotSheet *sheet = &plane->sheet;
    double low = 0, high = 0, top = plot_run_end(run);
    for (int i = 0; i < run->row_count; i++) {
        low = fmin(low, plot_run_impulse(run, i, 0)[0]);
        high = fmax(high, plot_run_impulse(run, i, 0)[0]);
    }
    sheet->centre[0] = (low + high) / 2;
    sheet->centre[1] = top / 2;
    sheet->half[0] = 0.75 * (high - low);
    sheet->half[1] = 0.6 * top;
    plane->equal = sheet->half[0] > 0.3 * sheet->half[1] && sheet->half[0] < 3 * sheet->half[1];
    if (plane->equal) {
        sheet->half[0] = sheet->half[1] = fmax(sheet->half[0], sheet->half[1]);
    } else if (sheet->half[0] <= 1e-9 * top) {
        sheet->half[0] = sheet->half[1];
    }
    sheet->axes = true;
}

/* Line number i: through a point along a direction, from t = low on. */
static void find_line(Plane *plane, int i, const double at[2], const double along[2], double low) {
    double high = INFINITY;
    plane->seen[i] = plot_sheet_span(&plane->sheet, at, along, &low, &high);
    if (plane->seen[i]) {
        for (int k = 0; k < 2; k++) {
            plane->ends[i][0][k] = at[k] + low * along[k];
            plane->ends[i][1][k] = at[k] + high * along[k];
        }
        plot_sheet_line(&plane->sheet, &plane->ends[i][0][0], &plane->ends[i][0][1], 2, 2);
    }
}

static void find_lines(Plane *plane) {
    const double *W = plane->run->scene->inverse_inertia, *v = plane->run->scene->velocity;
    double mu = plane->run->scene->contacts[0].mu;
    static const double origin[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        /* compression is the second row of W I + v = 0, sticking the first */
        const double *w = &W[i == 0 ? 2 : 0];
        double square = w[0] * w[0] + w[1] * w[1], rest = -v[i == 0 ? 1 : 0];
        if (square > 0) {
            find_line(plane, i, (double[2]){rest * w[0] / square, rest * w[1] / square},
                      (double[2]){-w[1], w[0]}, -INFINITY);
        }
    }
    if (mu > 0) {
        find_line(plane, 2, origin, (double[2]){mu, 1}, 0);
        find_line(plane, 3, origin, (double[2]){-mu, 1}, 0);
    }
}

static void find_marks(Plane *plane) {
    const PlotRun *run = plane->run;
    plot_sheet_mark(&plane->sheet, 0, 0, "start", "start", "pt 6 ps 1.7*point lw 2", "black");
    for (int i = 0; i < run->solution.result.event_count; i++) {
        const CaromEvent *event = &run->solution.result.events[i];
        PlotMark mark;
        if (plot_run_shows(run, i) && plot_event_mark(run, event, &mark)) {
            plot_sheet_mark(&plane->sheet, event->impulse[0], event->impulse[2], mark.name,
                            mark.meaning, mark.style, "black");
        }
    }
}

static void write_data(const Plane *plane, FILE *script) {
    for (int i = 0; i < LINES; i++) {
        const double(*e)[2] = plane->ends[i];
        fprintf(script, "$line%d << END\n%.9g %.9g\n%.9g %.9g\nEND\n", i, e[0][0], e[0][1], e[1][0],
                e[1][1]);
    }
    fputs("$curve << END\n", script);
    for (int i = 0; i < plane->run->row_count; i++) {
        const double *I = plot_run_impulse(plane->run, i, 0);
        fprintf(script, "%.9g %.9g\n", I[0], I[2]);
    }
    fputs("END\n", script);
}

static void write_plot(const Plane *plane, FILE *script) {
    static const char *const styles[LINES] = {COMPRESSION, STICKING, CONE, CONE};
    static const char *const titles[LINES] = {"line of compression: v_n = 0",
                                              "line of sticking: v_t = 0", "friction cone",
                                              "friction cone"};
    fputs("plot $curve using 1:2 with lines lw 2.6 lc rgb 'black' title 'impulse so far'", script);
    bool named = false;
    for (int i = 0; i < LINES; i++) {
        if (plane->seen[i]) {
            bool again = i >= 2 && named;
            fprintf(script, ", $line%d using 1:2 with lines %s %s%s%s", i, styles[i],
                    again ? "notitle" : "title '", again ? "" : titles[i], again ? "" : "'");
            named = named || i >= 2;
        }
    }
    plot_sheet_plot_marks(&plane->sheet, script);
    fputs("\n", script);
}

void plot_impulse_planar(const PlotRun *run, FILE *script, FILE *description) {
    Plane plane = {.run = run};
    const double *I = plot_run_impulse(run, 0, 0);
    choose_window(&plane);
    find_marks(&plane);
    plot_sheet_line(&plane.sheet, I, I + 2, run->row_count, 3);
    find_lines(&plane);
    plot_sheet_place_labels(&plane.sheet);
    plot_sheet_write_ranges(&plane.sheet, plane.equal, script);
    write_data(&plane, script);
    plot_sheet_write_arrow(&plane.sheet, &plane.sheet.lines[0], "black", script);
    plot_sheet_write_marks(&plane.sheet, script);
    fputs("set xlabel 'I_t  (impulse, units of the scene)'\n"
          "set ylabel 'I_n  (impulse, units of the scene)'\n",
          script);
    write_plot(&plane, script);
    fputs("The impulse during the planar impact, tangential and normal, with the line of "
          "compression, the line of sticking and the friction cone.",
          description);
    plot_sheet_describe_marks(&plane.sheet, description);
    const double *end = run->solution.result.impulse;
    fprintf(description, " in the end (%.4g, %.4g).", end[0] + 0.0, end[1]);
}
