/* Energy over the clock, in two panels: the kinetic energy of the bodies (its change, if the masses
 * are not known), and the energy given up so far by its destination.
 *
 * Rigid contact: the friction work is the trapezoid sum of mu |gamma| over the rows, accurate to a
 * line's thickness, and the loss at the contact closes the account. Compliant contacts: the loss is
 * known from the events, and friction closes the account, as the rows lack the sliding velocity. */
#include "plot/plot_energy.h"

#include <math.h>

#include "plot/plot_axis.h"
#include "plot/plot_sheet.h"

typedef struct Account {
    double given, stored, held, lost, friction;
} Account;

/* Given up so far: -I.(v- + v)/2 over all contacts. */
static double given_at(const PlotRun *run, int row) {
    double given = 0, before[3];
    for (int i = 0; i < run->contacts; i++) {
        const double *I = plot_run_impulse(run, row, i), *v = plot_run_velocity(run, row, i);
        plot_run_start(run, i, before);
        for (int k = 0; k < 3; k++) {
            given -= I[k] * (before[k] + v[k]) / 2;
        }
    }
    return given;
}

static double sum_at(const PlotRun *run, const double *energy, int row) {
    double sum = 0;
    for (int i = 0; i < run->contacts; i++) {
        sum += energy[(size_t)row * (size_t)run->contacts + (size_t)i];
    }
    return sum;
}

static double slip_speed(const PlotRun *run, int row) {
    const double *v = plot_run_velocity(run, row, 0);
    return hypot(v[0], v[1]);
}

/* *friction: of the row before; becomes that of this row. */
static Account account_at(const PlotRun *run, int row, double *friction) {
    Account now = {.given = given_at(run, row),
                   .stored = sum_at(run, run->stored, row),
                   .held = sum_at(run, run->held, row)};
    if (run->compliant) {
        *friction = now.given - now.stored - now.held - run->lost[row];
    } else if (row > 0) {
        *friction += run->scene->contacts[0].mu * (run->clock[row] - run->clock[row - 1]) *
                     (slip_speed(run, row) + slip_speed(run, row - 1)) / 2;
    }
    now.friction = *friction;
    now.lost = now.given - now.stored - now.held - *friction;
    return now;
}

/* Rows of the account: clock, kinetic, given, stored, lost, friction, held. Returns the ranges of
 * the two panels. */
static void write_rows(const PlotRun *run, double before, double kinetic[2], double parts[2],
                       FILE *script) {
    double friction = 0;
    kinetic[0] = INFINITY;
    kinetic[1] = -INFINITY;
    parts[0] = parts[1] = 0;
    fputs("$energy << END\n", script);
    for (int i = 0, drawn = 0; i < run->row_count; i++) {
        Account a = account_at(run, i, &friction);
        double now = before - a.given;
        if (i == drawn) {
            fprintf(script, "%.9g %.9g %.9g %.9g %.9g %.9g %.9g\n", run->clock[i], now, a.given,
                    a.stored, a.lost, a.friction, a.held);
            drawn = plot_run_next(run, i);
        }
        kinetic[0] = fmin(kinetic[0], now);
        kinetic[1] = fmax(kinetic[1], now);
        parts[0] = fmin(parts[0], fmin(a.given, fmin(a.stored, a.lost)));
        parts[1] = fmax(fmax(parts[1], a.given), fmax(a.stored, fmax(a.lost, a.friction)));
    }
    fputs("END\n", script);
}

/* The axis of the kinetic energy starts at zero unless its change would be too small. */
static void write_kinetic(const PlotRun *run, bool known, const double range[2], FILE *script) {
    double change = range[1] - range[0], margin = 0.08 * change;
    double low = range[0] - margin, high = range[1] + margin;
    if (known && change > 0.25 * range[1]) {
        low = 0;
    }
    if (!(high > low)) {
        high = low + 1;
    }
    plot_write_events(run, plot_run_end(run), true, script);
    plot_write_panel(0.65, 1, script);
    fprintf(script,
            "set title offset 0,0.9\nset yrange [%.9g:%.9g]\nset xlabel\nset format x "
            "''\n" PLOT_Y_LABEL(
                "%s") "set key off\n"
                      "plot $energy using 1:2 with lines lw 2.6 lc rgb 'black' notitle\n",
            low, high, known ? "kinetic energy" : "change of kinetic energy");
}

static void write_parts(const PlotRun *run, const double range[2], FILE *script) {
    bool held = run->compliant && scene_has_friction(run->scene);
    const char *whose = run->contacts > 1 ? "contacts" : "contact";
    fputs("unset title\nunset label\nset format x\nset key on\n", script);
    plot_write_panel(0, 0.6, script);
    fprintf(script, "set yrange [%.9g:%.9g]\nset key maxrows %d\n",
            range[0] < -2e-3 * range[1] ? 1.05 * range[0] : 0, 1.05 * range[1], held ? 3 : 2);
    fprintf(script,
            "set xlabel '%s'\n" PLOT_Y_LABEL(
                "energy given up  (%s)") "plot $energy using 1:3 with lines lw 2.6 lc rgb 'black' "
                                         "title 'given up by the "
                                         "bodies', "
                                         "'' using 1:4 with lines lw 2.2 lc rgb '" PLOT_BLUE
                                         "' dt (9,6) title 'stored at the %s', "
                                         "'' using 1:5 with lines lw 2.2 lc rgb '" PLOT_VERMILION
                                         "' dt (18,5,3,5) title 'lost at the %s'",
            plot_clock_label(run).text, plot_unit(run, UNIT_ENERGY).text, whose, whose);
    if (scene_has_friction(run->scene)) {
        fputs(", '' using 1:6 with lines lw 2.4 lc rgb '" PLOT_GREEN
              "' dt (4,4) title 'lost to friction'",
              script);
    }
    if (held) {
        fputs(", '' using 1:7 with lines lw 2.2 lc rgb '" PLOT_PURPLE
              "' dt (14,4) title 'held along the surface'",
              script);
    }
    fputs("\n", script);
}

static void describe(const PlotRun *run, bool known, double before, double after,
                     FILE *description) {
    const CaromEnergy *energy = &run->solution.result.energy;
    bool several = run->contacts > 1;
    fprintf(description,
            "Energy during the impact against the normal impulse%s, which ends at %.4g. In the end "
            "the bodies have given up %.4g: %.4g lost at the contact%s, %.4g lost to friction.",
            several ? "s of all contacts" : "", plot_run_end(run), 0.0 - energy->change,
            energy->normal_loss, several ? "s" : "", energy->friction_loss);
    if (run->compliant && scene_has_friction(run->scene)) {
        fprintf(description, " The spring%s along the surface held %.4g when compression ended.",
                several ? "s" : "", energy->tangential);
    }
    if (known) {
        fprintf(description, " Their kinetic energy was %.4g and is %.4g.", before, after);
    }
}

void plot_energy(const PlotRun *run, FILE *script, FILE *description) {
    double before, after, kinetic[2], parts[2];
    bool known = solution_energies(run->scene, &run->solution, &before, &after);
    write_rows(run, known ? before : 0, kinetic, parts, script);
    fprintf(script, "set xrange [0:%.9g]\nset xzeroaxis lt 1 lw 0.8 lc rgb '#999999'\n",
            1.03 * plot_run_end(run));
    fputs("set multiplot\n", script);
    write_kinetic(run, known, kinetic, script);
    write_parts(run, parts, script);
    fputs("unset multiplot\n", script);
    describe(run, known, before, after, description);
}
