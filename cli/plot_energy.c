/* Energy against the normal impulse: what the bodies have given up so far, and where it is. Of a
 * rigid contact the friction work is the trapezoid sum of mu |gamma| over the rows, good to a
 * line's thickness, and the loss at the contact is what closes the account. Of a compliant one the
 * loss is known from the ends of compression, and friction closes the account: the particle that
 * slides is not in the rows. */
#include <math.h>

#include "plot_run.h"

typedef struct Account {
    double given, stored, held, lost, friction;
} Account;

static double slip_speed(const PlotRun *run, const PlotRow *row) {
    return run->planar ? fabs(row->v[0]) : hypot(row->v[0], row->v[1]);
}

static Account account_at(const PlotRun *run, int row, double *friction) {
    const PlotRow *now = &run->rows[row];
    double given = 0;
    for (int k = 0; k < 3; k++) {
        given -= now->I[k] * (run->v_before[k] + now->v[k]) / 2;
    }
    if (run->compliant) {
        *friction = given - now->E - now->T - now->lost;
    } else if (row > 0) {
        const PlotRow *last = &run->rows[row - 1];
        *friction +=
            run->mu * (now->p - last->p) * (slip_speed(run, now) + slip_speed(run, last)) / 2;
    }
    return (Account){given, now->E, now->T, given - now->E - now->T - *friction, *friction};
}

static const char *event_name(const PlotRun *run, int event) {
    switch (run->events[event].kind) {
    case CAROM_COMPRESSION_END:
        return "c";
    case CAROM_COMPRESSION_RESTART:
        return "restart";
    case CAROM_RESTITUTION_END:
        return "r";
    case CAROM_SLIP:
        return run->compliant ? "slip" : "s";
    default:
        return "s";
    }
}

/* A thin line at each event, named above the frame; those that crowd share one text. */
static void write_events(const PlotRun *run, double end, FILE *script) {
    for (int i = 0; i < run->event_count; i++) {
        double p = run->events[i].normal_impulse, last = p;
        if (!plot_run_shows(run, i)) {
            continue;
        }
        bool first = i == 0 || p - run->events[i - 1].normal_impulse >= 0.04 * end;
        fprintf(script,
                "set arrow from %.9g, graph 0 to %.9g, graph 1 nohead back lw 0.8 dt (3,3) lc rgb "
                "'#777777'\n",
                p, p);
        if (!first) {
            continue;
        }
        fprintf(script, "set label '%s", event_name(run, i));
        for (int k = i + 1; k < run->event_count; k++) {
            if (run->events[k].normal_impulse - last >= 0.04 * end) {
                break;
            }
            last = run->events[k].normal_impulse;
            if (plot_run_shows(run, k)) {
                fprintf(script, ", %s", event_name(run, k));
            }
        }
        fprintf(script, "' at %.9g, graph 1.02 center front\n", (p + last) / 2);
    }
}

/* Rows of the account, and the range of energies; rounding below zero does not count. */
static void write_rows(const PlotRun *run, FILE *script) {
    double friction = 0, low = 0, high = 0;
    fputs("$energy << END\n", script);
    for (int i = 0; i < run->row_count; i++) {
        Account a = account_at(run, i, &friction);
        fprintf(script, "%.9g %.9g %.9g %.9g %.9g %.9g\n", run->rows[i].p, a.given, a.stored,
                a.lost, a.friction, a.held);
        low = fmin(low, fmin(a.given, fmin(a.stored, a.lost)));
        high = fmax(fmax(high, a.given), fmax(a.stored, fmax(a.lost, a.friction)));
    }
    fprintf(script, "END\nset yrange [%.9g:%.9g]\n", low < -2e-3 * high ? 1.05 * low : 0,
            1.05 * high);
}

void plot_energy(const PlotRun *run, FILE *script, FILE *description) {
    const CaromEnergy *energy = &run->result.energy;
    double end = run->rows[run->row_count - 1].p;
    write_rows(run, script);
    write_events(run, end, script);
    fprintf(script, "set xrange [0:%.9g]\nset xzeroaxis lt 1 lw 0.8 lc rgb '#999999'\n",
            1.03 * end);
    fprintf(script, "set title offset 0,0.9\nset key maxrows %d\n", run->compliant ? 3 : 2);
    fputs("set xlabel 'p  (normal impulse, units of the "
          "scene)'\n"
          "set ylabel 'energy  (units of the scene)'\n"
          "plot $energy using 1:2 with lines lw 2.6 lc rgb 'black' "
          "title 'given up by the bodies', "
          "'' using 1:3 with lines lw 2.2 lc rgb '#0072B2' dt (9,6) title 'stored at the contact', "
          "'' using 1:4 with lines lw 2.2 lc rgb '#D55E00' dt (18,5,3,5) "
          "title 'lost at the contact', "
          "'' using 1:5 with lines lw 2.4 lc rgb '#009E73' dt (4,4) title 'lost to friction'",
          script);
    if (run->compliant) {
        fputs(", '' using 1:6 with lines lw 2.2 lc rgb '#CC79A7' dt (14,4) "
              "title 'held along the surface'",
              script);
    }
    fputs("\n", script);
    fprintf(description,
            "Energy during the impact against the normal impulse, which ends at %.4g. In the end "
            "the bodies have given up %.4g: %.4g lost at the contact, %.4g lost to friction.",
            end, -energy->change, energy->normal_loss, energy->friction_loss);
    if (run->compliant) {
        fprintf(description, " The spring along the surface held %.4g when compression ended.",
                energy->tangential);
    }
}
