/* Common to pictures over the clock. */
#include "plot/plot_axis.h"

#include <string.h>

#include "base/text.h"
#include "picture/gnuplot.h"
#include "plot/plot_sheet.h"

const char *plot_contact_colour(int k) {
    static const char *const colours[PLOT_STYLES] = {PLOT_BLUE,   PLOT_VERMILION, PLOT_GREEN,
                                                     PLOT_PURPLE, PLOT_ORANGE,    "black",
                                                     PLOT_SKY,    PLOT_GREY};
    return colours[k % PLOT_STYLES];
}

const char *plot_contact_style(int k) {
    static const char *const styles[PLOT_STYLES] = {"lw 2.4 lc rgb '" PLOT_BLUE "' dt solid",
                                                    "lw 2.4 lc rgb '" PLOT_VERMILION "' dt (9,5)",
                                                    "lw 2.4 lc rgb '" PLOT_GREEN "' dt (18,5,3,5)",
                                                    "lw 2.4 lc rgb '" PLOT_PURPLE "' dt (4,4)",
                                                    "lw 2.4 lc rgb '" PLOT_ORANGE "' dt (14,4)",
                                                    "lw 2.4 lc rgb 'black' dt (2,4)",
                                                    "lw 2.4 lc rgb '" PLOT_SKY "' dt (9,4,2,4,2,4)",
                                                    "lw 2.4 lc rgb '" PLOT_GREY "' dt solid"};
    return styles[k % PLOT_STYLES];
}

/* Events whose names would overlap share one text. */
typedef struct Group {
    int first, last; /* events */
    Words text;
} Group;

enum { GROUPS_MAX = 128 };

/* The names of a group's events; with several contacts at most NAMES_MAX. */
static void name_group(const PlotRun *run, Group *group) {
    enum { NAMES_MAX = 3 };
    int names = 0;
    group->text = (Words){""};
    for (int i = group->first; i <= group->last; i++) {
        PlotMark mark;
        if (!plot_run_shows(run, i) ||
            !plot_event_mark(run, &run->solution.result.events[i], &mark)) {
            continue;
        }
        if (names++ < NAMES_MAX || run->contacts == 1) {
            words_add(&group->text, "%s%s", group->text.text[0] ? ", " : "", mark.name);
        } else if (names == NAMES_MAX + 1) {
            words_add(&group->text, " …");
        }
    }
}

static double group_middle(const PlotRun *run, const Group *group) {
    return (run->event_clock[group->first] + run->event_clock[group->last]) / 2;
}

static bool overlap(const PlotRun *run, double end, const Group *left, const Group *right) {
    const double character = 0.0135 * end; /* its width on the axis */
    int characters = text_width(left->text.text) + text_width(right->text.text) + 2;
    return group_middle(run, right) - group_middle(run, left) < character * characters / 2;
}

/* From left to right: a new group absorbs the groups before it that it overlaps. Returns their
 * number. */
static int find_groups(const PlotRun *run, double end, Group groups[GROUPS_MAX]) {
    int count = 0;
    for (int i = 0; i < run->solution.result.event_count && count < GROUPS_MAX; i++) {
        Group *now = &groups[count];
        *now = (Group){.first = i, .last = i};
        name_group(run, now);
        if (!now->text.text[0]) {
            continue;
        }
        count++;
        while (count > 1 && overlap(run, end, &groups[count - 2], &groups[count - 1])) {
            groups[count - 2].last = groups[count - 1].last;
            name_group(run, &groups[--count - 1]);
        }
    }
    return count;
}

static void write_names(const PlotRun *run, double end, FILE *script) {
    Group groups[GROUPS_MAX];
    int count = find_groups(run, end, groups);
    for (int i = 0; i < count; i++) {
        fprintf(script, "set label '%s' at %.9g, graph 1 center offset 0,0.6 front noenhanced\n",
                groups[i].text.text, group_middle(run, &groups[i]));
    }
}

/* The meanings of the names below the picture, each once. */
static void write_meanings(const PlotRun *run, FILE *script) {
    const CaromResult *result = &run->solution.result;
    const char *listed[CAROM_EVENT_SLIP + 1];
    int count = 0;
    fputs("set label \"", script);
    for (int i = 0; i < result->event_count; i++) {
        PlotMark mark;
        bool again = !plot_event_mark(run, &result->events[i], &mark);
        for (int k = 0; k < count && !again; k++) {
            again = strcmp(listed[k], mark.meaning) == 0;
        }
        if (!again) {
            fprintf(script, "%s%s",
                    count == 0       ? ""
                    : count % 4 == 0 ? ",\\n"
                                     : ",  ",
                    mark.meaning);
            listed[count++] = mark.meaning;
        }
    }
    fputs("\" at screen 0.5,0.035 center font small noenhanced\n", script);
}

/* Events with a mark. */
static int count_shown(const PlotRun *run) {
    const CaromResult *result = &run->solution.result;
    int count = 0;
    for (int i = 0; i < result->event_count; i++) {
        PlotMark mark;
        count += plot_run_shows(run, i) && plot_event_mark(run, &result->events[i], &mark);
    }
    return count;
}

void plot_write_events(const PlotRun *run, double end, bool named, FILE *script) {
    enum { EVENTS_MAX = 60 };
    const CaromResult *result = &run->solution.result;
    if (count_shown(run) > EVENTS_MAX) {
        fprintf(script,
                "set label 'The %d events are not marked' at screen 0.5,0.035 center font small\n",
                result->event_count);
        return;
    }
    for (int i = 0; i < result->event_count; i++) {
        PlotMark mark;
        if (plot_run_shows(run, i) && plot_event_mark(run, &result->events[i], &mark)) {
            fprintf(script,
                    "set arrow from %.9g, graph 0 to %.9g, graph 1 nohead back lw 0.8 dt (3,3) lc "
                    "rgb '" PLOT_GREY "'\n",
                    run->event_clock[i], run->event_clock[i]);
        }
    }
    if (named) {
        write_names(run, end, script);
        write_meanings(run, script);
    }
}

void plot_write_panel(double low, double high, FILE *script) {
    fprintf(script,
            "set bmargin at screen bottom + %.4f * (top - bottom)\n"
            "set tmargin at screen bottom + %.4f * (top - bottom)\n",
            low, high);
}

Words plot_clock_label(const PlotRun *run) {
    return words_of("%s, %.100s)",
                    run->contacts > 1 ? "clock  (normal impulses of all contacts"
                                      : "p  (normal impulse",
                    plot_unit(run, UNIT_IMPULSE).text);
}

void plot_write_left_out(const PlotRun *run, FILE *script) {
    if (run->contacts > PLOT_ROWS) {
        fprintf(
            script,
            "set label '%d of %d contacts are shown, those with the largest normal impulses' at "
            "screen 0.5,0.035 center font small\n",
            PLOT_ROWS, run->contacts);
    }
}

void plot_write_rows(const PlotRun *run, const int *contacts, int count, FILE *script) {
    int widest = 0;
    fprintf(script, "set yrange [%d.5:-0.5]\nset ytics scale 0 font small noenhanced (", count - 1);
    for (int k = 0; k < count; k++) {
        Words name = plot_contact_name(run, contacts[k], 26);
        gnuplot_text(script, name.text);
        fprintf(script, " %d%s", k, k + 1 < count ? ", " : ")\n");
        int width = text_width(name.text);
        widest = width > widest ? width : widest;
    }
    plot_write_left_out(run, script);
    /* a character of the small font is about a hundredth of the page */
    fprintf(script, "set lmargin at screen %.4f\n", 0.035 + 0.0092 * widest);
}
