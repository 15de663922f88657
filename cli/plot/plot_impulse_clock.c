/* Normal impulses of several contacts over the clock, which is their sum. Up to PLOT_STYLES lines
 * have a legend; more have their contact's index at their end. */
#include "plot/plot_impulse_clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture/gnuplot.h"
#include "plot/plot_axis.h"
#include "plot/plot_sheet.h"

/* A block per contact: the clock and its normal impulse. */
static void write_curves(const PlotRun *run, const int *contacts, int count, double top,
                         FILE *script) {
    for (int k = 0; k < count; k++) {
        const double *values = plot_run_impulse(run, 0, contacts[k]) + 2;
        fprintf(script, "$impulse%d << END\n", k);
        for (int i = 0; i < run->row_count;
             i = plot_run_next_bend(run, values, PLOT_GRAIN * top, i)) {
            fprintf(script, "%.9g %.9g\n", run->clock[i], plot_run_impulse(run, i, contacts[k])[2]);
        }
        fputs("END\n", script);
    }
}

/* Lines that end together, and their names. */
typedef struct End {
    double at, text; /* the end of the lines, and the place of the names */
    char names[32];
} End;

typedef struct Last {
    int contact;
    double at;
} Last;

static int compare_lasts(const void *a, const void *b) {
    const Last *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at ? 1 : x->contact - y->contact;
}

/* Lines that end nearer to each other than near share a place, while it has room. */
static int find_ends(const PlotRun *run, const int *contacts, int count, double near, End *ends) {
    enum { NAMES_WIDTH = 12 };
    Last lasts[PLOT_ROWS];
    int found = 0;
    for (int k = 0; k < count; k++) {
        /* contacts that are equal by symmetry differ by rounding; sort them by index */
        double grain = 1e-4 * near;
        lasts[k] = (Last){contacts[k], grain * round(plot_run_total(run, contacts[k]) / grain)};
    }
    qsort(lasts, (size_t)count, sizeof *lasts, compare_lasts);
    for (int k = 0; k < count; k++) {
        End *end = &ends[found > 0 ? found - 1 : 0];
        size_t used = found > 0 ? strlen(end->names) : 0;
        if (found > 0 && lasts[k].at - end->at < near && used < NAMES_WIDTH) {
            snprintf(end->names + used, sizeof end->names - used, ", %d", lasts[k].contact);
        } else {
            end = &ends[found++];
            *end = (End){.at = lasts[k].at, .text = lasts[k].at};
            snprintf(end->names, sizeof end->names, "%d", lasts[k].contact);
        }
    }
    return found;
}

/* Move the names apart to distances of at least gap: upwards, then down from the top. */
static void spread(End *ends, int count, double gap, double top) {
    for (int k = 0; k < count; k++) {
        double least = k > 0 ? ends[k - 1].text + gap : 0;
        ends[k].text = fmax(ends[k].at, least);
    }
    for (int k = count - 1; k >= 0; k--) {
        double most = k + 1 < count ? ends[k + 1].text - gap : top;
        ends[k].text = fmin(ends[k].text, most);
    }
}

/* The contacts at the ends of their lines. */
static void write_ends(const PlotRun *run, const int *contacts, int count, double top,
                       FILE *script) {
    End ends[PLOT_ROWS];
    int found = find_ends(run, contacts, count, top / 100, ends);
    spread(ends, found, top / 42, top);
    for (int k = 0; k < found; k++) {
        fprintf(script,
                "set arrow from graph 1.0, first %.9g to graph 1.025, first %.9g nohead lw 0.7 lc "
                "rgb '#999999'\nset label '%s' at graph 1.03, first %.9g left font small\n",
                ends[k].at, ends[k].text, ends[k].names, ends[k].text);
    }
    fputs("set label 'contacts' at graph 1.03, graph 1 left offset 0,0.8 font small\n"
          "set rmargin at screen 0.845\n",
          script);
}

/* The contacts with an impulse. */
static int choose_contacts(const PlotRun *run, int chosen[PLOT_ROWS]) {
    int all = plot_choose_contacts(run, PLOT_ROWS, chosen), count = 0;
    for (int k = 0; k < all; k++) {
        if (plot_run_total(run, chosen[k]) > 0) {
            chosen[count++] = chosen[k];
        }
    }
    return count;
}

/* The style of a line: that of an earlier one with the same end, as the lines of contacts that are
 * equal by symmetry coincide. */
static const char *style_of(const PlotRun *run, const int *contacts, int k, double top) {
    int style = 0;
    for (int i = 0; i < k; i++) {
        bool first = true;
        for (int j = 0; j < i; j++) {
            first = first && fabs(plot_run_total(run, contacts[i]) -
                                  plot_run_total(run, contacts[j])) > 1e-6 * top;
        }
        if (fabs(plot_run_total(run, contacts[i]) - plot_run_total(run, contacts[k])) <=
            1e-6 * top) {
            return plot_contact_style(style);
        }
        style += first;
    }
    return plot_contact_style(style);
}

static void write_plot(const PlotRun *run, const int *contacts, int count, double top, bool legend,
                       FILE *script) {
    for (int k = 0; k < count; k++) {
        Words name = plot_contact_name(run, contacts[k], 30);
        fprintf(script, "%s $impulse%d using 1:2 with lines %s title ", k ? "," : "plot", k,
                legend ? plot_contact_style(k) : style_of(run, contacts, k, top));
        gnuplot_text(script, name.text);
        fputs(" noenhanced", script);
    }
    fputs("\n", script);
}

static void describe(const PlotRun *run, const int *contacts, int count, FILE *description) {
    fprintf(description,
            "The normal impulse of each contact against the sum of all of them, which ends at "
            "%.4g. In the end:",
            plot_run_end(run));
    for (int k = 0; k < count; k++) {
        fprintf(description, " %s%.4g at contact %d%s", k + 1 == count && k > 0 ? "and " : "",
                plot_run_total(run, contacts[k]), contacts[k], k + 1 < count ? "," : ".");
    }
}

void plot_impulse_clock(const PlotRun *run, FILE *script, FILE *description) {
    int contacts[PLOT_ROWS], count = choose_contacts(run, contacts);
    bool legend = count <= PLOT_STYLES;
    double top = 0, end = plot_run_end(run);
    for (int k = 0; k < count; k++) {
        top = fmax(top, 1.05 * plot_run_total(run, contacts[k]));
    }
    write_curves(run, contacts, count, top, script);
    if (legend) {
        plot_write_events(run, end, true, script);
        fputs("set title offset 0,0.9\n", script);
    } else {
        write_ends(run, contacts, count, top, script);
    }
    fprintf(script,
            "set xrange [0:%.9g]\nset yrange [0:%.9g]\nset key %s maxrows %d\nset xlabel "
            "'%s'\n" PLOT_Y_LABEL("normal impulse of a contact  (%s)"),
            end, top, legend ? "on" : "off", (count + 1) / 2, plot_clock_label(run).text,
            plot_unit(run, UNIT_IMPULSE).text);
    plot_write_left_out(run, script);
    write_plot(run, contacts, count, top, legend, script);
    describe(run, contacts, count, description);
}
