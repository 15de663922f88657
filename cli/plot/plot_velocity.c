/* Contact velocities over the clock. One contact: the components and the tangential speed. Several
 * contacts: the normal velocity of each, and below it the tangential speed of those with friction;
 * of more than PLOT_STYLES contacts a strip each. */
#include "plot/plot_velocity.h"

#include <math.h>

#include "picture/gnuplot.h"
#include "plot/plot_axis.h"
#include "plot/plot_sheet.h"

/* The clock and, per contact of the list, the normal velocity and the tangential speed. */
static void write_rows(const PlotRun *run, const int *contacts, int count, FILE *script) {
    fputs("$velocity << END\n", script);
    for (int i = 0; i < run->row_count; i = plot_run_next(run, i)) {
        fprintf(script, "%.9g", run->clock[i]);
        for (int k = 0; k < count; k++) {
            const double *v = plot_run_velocity(run, i, contacts[k]);
            fprintf(script, " %.9g %.9g", v[2], hypot(v[0], v[1]));
        }
        fputc('\n', script);
    }
    fputs("END\n", script);
}

typedef struct Range {
    double low, high;
} Range;

static void widen(Range *range, double x) {
    range->low = fmin(range->low, x);
    range->high = fmax(range->high, x);
}

static void write_range(Range range, FILE *script) {
    double margin = 0.06 * (range.high - range.low);
    margin = margin > 0 ? margin : 1;
    fprintf(script, "set yrange [%.9g:%.9g]\n", range.low < 0 ? range.low - margin : 0,
            range.high > 0 ? range.high + margin : 0);
}

static void write_one(const PlotRun *run, FILE *script) {
    Range range = {0, 0};
    fputs("$velocity << END\n", script);
    for (int i = 0; i < run->row_count; i++) {
        const double *v = plot_run_velocity(run, i, 0);
        double speed = hypot(v[0], v[1]);
        fprintf(script, "%.9g %.9g %.9g %.9g %.9g\n", run->clock[i], v[0], v[1], v[2], speed);
        widen(&range, v[0]);
        widen(&range, v[1]);
        widen(&range, v[2]);
        widen(&range, run->planar ? 0 : speed);
    }
    fputs("END\n", script);
    plot_write_events(run, plot_run_end(run), true, script);
    write_range(range, script);
    fprintf(script,
            "set title offset 0,0.9\nset key maxrows 2\nset xlabel '%s'\n" PLOT_Y_LABEL(
                "contact velocity  (%s)") "plot $velocity using 1:4 with lines lw 2.6 lc rgb "
                                          "'black' title 'v_n, normal', ",
            plot_clock_label(run).text, plot_unit(run, UNIT_VELOCITY).text);
    if (run->planar) {
        fputs("'' using 1:2 with lines lw 2.2 lc rgb '" PLOT_BLUE "' dt (9,6) title "
              "'v_t, tangential'\n",
              script);
    } else {
        fputs("'' using 1:5 with lines lw 5 lc rgb '#BBBBBB' title '|v_t|, tangential speed', "
              "'' using 1:2 with lines lw 2.2 lc rgb '" PLOT_BLUE "' dt (9,6) title 'v_{t1}', "
              "'' using 1:3 with lines lw 2.2 lc rgb '" PLOT_VERMILION
              "' dt (18,5,3,5) title 'v_{t2}'\n",
              script);
    }
}

/* A panel with a line per contact; what: 0 normal velocities, 1 tangential speeds of contacts with
 * friction. */
static void write_lines(const PlotRun *run, const int *contacts, int count, int what,
                        FILE *script) {
    Range range = {0, 0};
    const char *before = "plot";
    for (int i = 0; i < run->row_count; i++) {
        for (int k = 0; k < count; k++) {
            const double *v = plot_run_velocity(run, i, contacts[k]);
            widen(&range, what == 0 ? v[2] : hypot(v[0], v[1]));
        }
    }
    write_range(range, script);
    for (int k = 0; k < count; k++) {
        if (what == 1 && !(run->scene->contacts[contacts[k]].mu > 0)) {
            continue;
        }
        Words name = plot_contact_name(run, contacts[k], 30);
        fprintf(script, "%s $velocity using 1:%d with lines %s title ", before, 2 + 2 * k + what,
                plot_contact_style(k));
        gnuplot_text(script, name.text);
        fputs(" noenhanced", script);
        before = ",";
    }
    fputs("\n", script);
}

static void write_several(const PlotRun *run, FILE *script) {
    int contacts[PLOT_STYLES], count = plot_choose_contacts(run, PLOT_STYLES, contacts);
    bool friction = scene_has_friction(run->scene);
    write_rows(run, contacts, count, script);
    plot_write_events(run, plot_run_end(run), true, script);
    fprintf(script,
            "set title offset 0,0.9\nset key maxrows %d\n" PLOT_Y_LABEL("normal velocity  (%s)"),
            (count + 1) / 2, plot_unit(run, UNIT_VELOCITY).text);
    if (friction) {
        plot_write_panel(0.525, 1, script);
        fputs("set multiplot\nset format x ''\n", script);
    } else {
        fprintf(script, "set xlabel '%s'\n", plot_clock_label(run).text);
    }
    write_lines(run, contacts, count, 0, script);
    if (friction) {
        fprintf(
            script,
            "unset title\nunset label\nset format x\nset key off\nset xlabel '%s'\n" PLOT_Y_LABEL(
                "tangential speed"),
            plot_clock_label(run).text);
        plot_write_panel(0, 0.475, script);
        write_lines(run, contacts, count, 1, script);
        fputs("unset multiplot\n", script);
    }
}

/* The range of the lines, in strips; scale: strips per velocity. */
static Range strips_range(const PlotRun *run, const int *contacts, int count, double scale) {
    Range range = {-0.5, count - 0.5};
    for (int i = 0; i < run->row_count; i++) {
        for (int k = 0; k < count; k++) {
            widen(&range, k - scale * plot_run_velocity(run, i, contacts[k])[2]);
        }
    }
    return range;
}

static double largest_speed(const PlotRun *run, const int *contacts, int count) {
    double largest = 0;
    for (int i = 0; i < run->row_count; i++) {
        for (int k = 0; k < count; k++) {
            largest = fmax(largest, fabs(plot_run_velocity(run, i, contacts[k])[2]));
        }
    }
    return largest;
}

/* The data of strip number k: the clock and the normal velocity of a contact. */
static void write_strip(const PlotRun *run, int contact, int k, double grain, FILE *script) {
    const double *values = plot_run_velocity(run, 0, contact) + 2;
    fprintf(script, "$velocity%d << END\n", k);
    for (int i = 0; i < run->row_count; i = plot_run_next_bend(run, values, grain, i)) {
        fprintf(script, "%.9g %.9g\n", run->clock[i], plot_run_velocity(run, i, contact)[2]);
    }
    fputs("END\n", script);
}

/* A strip per contact: its normal velocity about a line, all to one scale. The fastest contact may
 * reach into the strips of its neighbours. */
static void write_strips(const PlotRun *run, FILE *script) {
    int contacts[PLOT_ROWS], count = plot_choose_contacts(run, PLOT_ROWS, contacts);
    double scale = 1.5 / largest_speed(run, contacts, count);
    Range range = strips_range(run, contacts, count, scale);
    for (int k = 0; k < count; k++) {
        write_strip(run, contacts[k], k, PLOT_GRAIN * (range.high - range.low) / scale, script);
    }
    plot_write_rows(run, contacts, count, script);
    fprintf(script,
            "scale = %.9g\nset yrange [%.4f:%.4f]\nset key off\nset xlabel '%s'\n"
            "set label 'Normal velocity of each contact about a line of its own; %.3g from one "
            "line to the next' at screen 0.5,bottom-0.105 center\nplot ",
            scale, range.high + 0.1, range.low - 0.1, plot_clock_label(run).text, 1 / scale);
    for (int k = 0; k < count; k++) {
        fprintf(script, "%s %d with lines lw 0.6 lc rgb '#999999'", k ? "," : "", k);
    }
    for (int k = 0; k < count; k++) {
        fprintf(script, ", $velocity%d using 1:(%d-scale*$2) with lines lw 1.8 lc rgb '%s'", k, k,
                k % 2 ? PLOT_VERMILION : PLOT_BLUE);
    }
    fputs("\n", script);
}

void plot_velocity(const PlotRun *run, FILE *script, FILE *description) {
    fprintf(script, "set xrange [0:%.9g]\nset xzeroaxis lt 1 lw 0.8 lc rgb '#999999'\n",
            1.03 * plot_run_end(run));
    if (run->contacts == 1) {
        write_one(run, script);
    } else if (run->contacts <= PLOT_STYLES) {
        write_several(run, script);
    } else {
        write_strips(run, script);
    }
    fprintf(description, "Contact velocity during the impact against the normal impulse%s.",
            run->contacts > 1 ? "s of all contacts" : "");
    int rows = scene_rows(run->scene);
    for (int i = 0; i < run->contacts && i < PLOT_ROWS; i++) {
        double before[3];
        plot_run_start(run, i, before);
        fprintf(description, " Contact %d: normal velocity %.4g before, %.4g after.", i, before[2],
                run->solution.result.velocity[rows * i + rows - 1] + 0.0);
    }
}
