/* A timeline of several contacts over the clock. A bar per contact: compressing, restituting, held
 * together (latched); none where it is open. A thin bar below shows stick and slip of a contact
 * with friction. */
#include "plot/plot_states.h"

#include "plot/plot_axis.h"
#include "plot/plot_sheet.h"

typedef enum Phase { OPEN, COMPRESSING, RESTITUTING, LATCHED, PHASES } Phase;

/* Half the height of a bar, and the range of the bar of stick and slip. */
#define BAR 0.3
#define MODE_LOW 0.34
#define MODE_HIGH 0.44

static Phase phase_after(const CaromEvent *event, Phase before) {
    switch (event->kind) {
    case CAROM_EVENT_ACTIVATION:
    case CAROM_EVENT_COMPRESSION_RESTART:
        return COMPRESSING;
    case CAROM_EVENT_COMPRESSION_END:
        return RESTITUTING;
    case CAROM_EVENT_LATCH:
        return LATCHED;
    case CAROM_EVENT_RESTITUTION_END:
    case CAROM_EVENT_RELEASE:
        return OPEN;
    default:
        return before;
    }
}

/* The bars of a row between low and high. The last one is written when its end is known: invisible
 * gaps are closed. */
typedef struct Bars {
    FILE *script;
    int row;
    double low, high, gap;
    double from, to; /* of the last one; to = from: none yet */
} Bars;

/* Returns whether there was any. */
static bool end_bars(const Bars *bars) {
    bool any = bars->to > bars->from;
    if (any) {
        fprintf(bars->script, "%.9g %d %.9g %.9g %.9g %.9g\n", bars->from, bars->row, bars->from,
                bars->to, bars->row + bars->low, bars->row + bars->high);
    }
    return any;
}

static void add_bar(Bars *bars, double from, double to) {
    if (!(to > from)) {
        return;
    }
    if (bars->to > bars->from && from - bars->to < bars->gap) {
        bars->to = to;
        return;
    }
    end_bars(bars);
    bars->from = from;
    bars->to = to;
}

/* The bars of one phase of a contact; returns whether there are any. */
static bool write_phase(const PlotRun *run, int contact, int row, Phase phase, FILE *script) {
    const CaromResult *result = &run->solution.result;
    Bars bars = {script, row, -BAR, BAR, PLOT_GRAIN * plot_run_end(run), 0, 0};
    Phase now = OPEN;
    double since = 0;
    for (int i = 0; i < result->event_count; i++) {
        const CaromEvent *event = &result->events[i];
        Phase next = event->contact == contact ? phase_after(event, now) : now;
        if (next != now) {
            if (now == phase) {
                add_bar(&bars, since, run->event_clock[i]);
            }
            now = next;
            since = run->event_clock[i];
        }
    }
    if (now == phase) {
        add_bar(&bars, since, plot_run_end(run));
    }
    return end_bars(&bars);
}

/* The mode between a row and the next: that of a sample at one of its ends. */
static int mode_between(const PlotRun *run, int row, int contact) {
    size_t n = (size_t)run->contacts, at = (size_t)row * n + (size_t)contact;
    return run->mode[at + n] != PLOT_MODE_UNKNOWN ? run->mode[at + n] : run->mode[at];
}

/* The first row with another mode; between simultaneous events the mode is unknown. */
static int mode_end(const PlotRun *run, int row, int contact, int mode) {
    int end = row + 1;
    while (end + 1 < run->row_count) {
        int next = mode_between(run, end, contact);
        if (next != mode && next != PLOT_MODE_UNKNOWN) {
            break;
        }
        end++;
    }
    return end;
}

/* The thin bars of a contact that sticks, or slips. */
static bool write_mode(const PlotRun *run, int contact, int row, int mode, FILE *script) {
    Bars bars = {script, row, MODE_LOW, MODE_HIGH, PLOT_GRAIN * plot_run_end(run), 0, 0};
    for (int i = 0; i + 1 < run->row_count;) {
        int now = mode_between(run, i, contact), end = mode_end(run, i, contact, now);
        if (now == mode) {
            add_bar(&bars, run->clock[i], run->clock[end]);
        }
        i = end;
    }
    return end_bars(&bars);
}

/* A layer of the picture: a block of bars. */
typedef struct Layer {
    const char *name, *title, *style;
    int phase; /* or -1: a mode */
    int mode;
} Layer;

static const Layer layers[] = {
    {"compressing", "compressing", "fs solid 1.0 noborder fc rgb '" PLOT_BLUE "'", COMPRESSING, 0},
    {"restituting", "restituting", "fs solid 1.0 noborder fc rgb '" PLOT_ORANGE "'", RESTITUTING,
     0},
    {"latched", "held together (latched)", "fs solid 1.0 noborder fc rgb '#444444'", LATCHED, 0},
    {"stick", "sticks", "fs solid 1.0 noborder fc rgb 'black'", -1, CAROM_MODE_STICK},
    {"slip", "slips", "fs solid 1.0 noborder fc rgb '" PLOT_PURPLE "'", -1, CAROM_MODE_SLIP}};

enum { LAYERS = sizeof layers / sizeof *layers };

/* Returns whether the layer has any bar. */
static bool write_layer(const PlotRun *run, const int *contacts, int count, const Layer *layer,
                        FILE *script) {
    bool any = false;
    fprintf(script, "$%s << END\n", layer->name);
    for (int k = 0; k < count; k++) {
        int contact = contacts[k];
        bool has = layer->phase >= 0 ? write_phase(run, contact, k, (Phase)layer->phase, script)
                                     : run->scene->contacts[contact].mu > 0 &&
                                           write_mode(run, contact, k, layer->mode, script);
        any = any || has;
    }
    fputs("END\n", script);
    return any;
}

/* The names of the states of two contacts above the frame, if there is room. */
static void write_state_names(const PlotRun *run, FILE *script) {
    const States *states = &run->solution.states;
    double end = plot_run_end(run);
    for (int i = 0; i < states->count && run->contacts == 2; i++) {
        double from = run->event_clock[states->events[i]];
        double to = i + 1 < states->count ? run->event_clock[states->events[i + 1]] : end;
        fprintf(script,
                "set arrow from %.9g, graph 0 to %.9g, graph 1 nohead back lw 0.8 dt (3,3) lc rgb "
                "'" PLOT_GREY "'\n",
                from, from);
        if (to - from > 0.045 * end) {
            fprintf(script, "set label '%s' at %.9g, graph 1 center offset 0,0.6\n",
                    states_name(states_active(run->scene, states, i)), (from + to) / 2);
        }
    }
}

static void describe(const PlotRun *run, const int *contacts, int count, FILE *description) {
    static const char *const words[PHASES] = {"open", "compressing", "restituting", "latched"};
    const CaromResult *result = &run->solution.result;
    fprintf(description,
            "Which contacts act during the impact, against the normal impulses of all contacts, "
            "which end at %.4g: %d events, %d states.",
            plot_run_end(run), result->event_count, run->solution.states.count);
    for (int k = 0; k < count && k < 8; k++) {
        Phase now = OPEN;
        int listed = 0;
        fprintf(description, " Contact %d:", contacts[k]);
        for (int i = 0; i < result->event_count && listed < 12; i++) {
            Phase next = phase_after(&result->events[i], now);
            if (result->events[i].contact == contacts[k] && next != now) {
                fprintf(description, "%s %s from %.4g", listed++ ? "," : "", words[next],
                        run->event_clock[i]);
                now = next;
            }
        }
        fputs(listed ? "." : " open.", description);
    }
}

void plot_states(const PlotRun *run, FILE *script, FILE *description) {
    int contacts[PLOT_ROWS], count = plot_choose_contacts(run, PLOT_ROWS, contacts);
    bool drawn[LAYERS];
    for (int i = 0; i < LAYERS; i++) {
        drawn[i] = write_layer(run, contacts, count, &layers[i], script);
    }
    plot_write_rows(run, contacts, count, script);
    write_state_names(run, script);
    fprintf(script,
            "set xrange [0:%.9g]\nset title offset 0,%g\nset key maxrows 2\nset xlabel '%s'\n"
            "plot ",
            plot_run_end(run), run->contacts == 2 ? 0.9 : 0.0, plot_clock_label(run).text);
    for (int k = 0; k < count; k++) {
        fprintf(script, "%s%d with lines lw 0.8 lc rgb '#999999' %s", k ? ", " : "", k,
                k == 0 ? "title 'open'" : "notitle");
    }
    for (int i = 0; i < LAYERS; i++) {
        if (drawn[i]) {
            fprintf(script, ", $%s using 1:2:3:4:5:6 with boxxyerror %s title '%s'", layers[i].name,
                    layers[i].style, layers[i].title);
        }
    }
    fputs("\n", script);
    describe(run, contacts, count, description);
}

int plot_states_height(int contacts, int most) {
    int height = 60 + 70 * contacts;
    return height < most ? height : most;
}
