/* A plane with curves, marks at events and their labels. */
#include "plot/plot_sheet.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

void plot_sheet_line(PlotSheet *sheet, const double *x, const double *y, int count, int stride) {
    if (sheet->line_count < PLOT_LINES_MAX && count > 0) {
        sheet->lines[sheet->line_count++] = (PlotLine){x, y, count, stride};
    }
}

void plot_sheet_mark(PlotSheet *sheet, double x, double y, const char *name, const char *meaning,
                     const char *style, const char *colour) {
    if (sheet->mark_count < PLOT_MARKS_MAX) {
        PlotMark *mark = &sheet->marks[sheet->mark_count++];
        *mark = (PlotMark){.x = x, .y = y, .meaning = meaning, .style = style, .colour = colour};
        snprintf(mark->name, sizeof mark->name, "%s", name);
    }
}

bool plot_event_mark(const PlotRun *run, const CaromEvent *event, PlotMark *mark) {
    static const struct {
        char letter; /* with several contacts */
        const char *name, *meaning, *meaning_several, *style;
    } marks[] = {
        [CAROM_EVENT_COMPRESSION_END] = {'c', "c", "c: compression ends", "c: compression ends",
                                         "pt 9 ps 1.9*point"},
        [CAROM_EVENT_COMPRESSION_RESTART] = {'x', "restart", "compression restarts",
                                             "x: compression restarts", "pt 8 ps 1.9*point lw 2"},
        [CAROM_EVENT_RESTITUTION_END] = {'r', "r", "r: impact ends", "r: restitution ends",
                                         "pt 7 ps 1.5*point"},
        [CAROM_EVENT_ACTIVATION] = {'a', "a", "", "a: contact acts", "pt 10 ps 1.9*point lw 2"},
        [CAROM_EVENT_LATCH] = {'l', "latch", "contact latches", "l: contact latches",
                               "pt 5 ps 1.6*point"},
        [CAROM_EVENT_RELEASE] = {'f', "release", "contact is released", "f: contact is released",
                                 "pt 4 ps 1.6*point lw 2"},
        [CAROM_EVENT_STICK] = {'s', "s", "s: slip ends, contact sticks",
                               "s: slip ends, contact sticks", "pt 4 ps 2.1*point lw 2"},
        [CAROM_EVENT_SLIP] = {'g', "slip", "stick ends, contact slips",
                              "g: stick ends, contact slips", "pt 12 ps 1.9*point lw 2"}};
    bool several = run->contacts > 1;
    bool passes = event->kind == CAROM_EVENT_SLIP && !several && !run->compliant;
    bool reverses = run->planar && event->normal_impulse > 0;
    *mark = (PlotMark){.style = marks[passes ? CAROM_EVENT_STICK : event->kind].style,
                       .meaning = passes && reverses ? "s: slip stops and reverses"
                                  : passes           ? "s: slip zero, then resumes"
                                  : several          ? marks[event->kind].meaning_several
                                                     : marks[event->kind].meaning,
                       .colour = "black"};
    if (several) {
        snprintf(mark->name, sizeof mark->name, "%c%d", marks[event->kind].letter, event->contact);
    } else {
        snprintf(mark->name, sizeof mark->name, "%s", passes ? "s" : marks[event->kind].name);
    }
    return several || event->kind != CAROM_EVENT_ACTIVATION;
}

bool plot_sheet_span(const PlotSheet *sheet, const double at[2], const double along[2], double *low,
                     double *high) {
    for (int k = 0; k < 2; k++) {
        double edge = 0.95 * sheet->half[k], from = sheet->centre[k] - at[k];
        double near = from - copysign(edge, along[k]), far = from + copysign(edge, along[k]);
        if (along[k] != 0) {
            *low = fmax(*low, near / along[k]);
            *high = fmin(*high, far / along[k]);
        } else if (fabs(from) > edge) {
            return false;
        }
    }
    return *low < *high;
}

bool plot_sheet_segment(PlotSheet *sheet, const double at[2], const double along[2], double low,
                        double ends[2][2]) {
    double high = INFINITY;
    if (!plot_sheet_span(sheet, at, along, &low, &high)) {
        return false;
    }
    for (int k = 0; k < 2; k++) {
        ends[0][k] = at[k] + low * along[k];
        ends[1][k] = at[k] + high * along[k];
    }
    plot_sheet_line(sheet, &ends[0][0], &ends[0][1], 2, 2);
    return true;
}

/* Distance in half sides. */
static double distance(const PlotSheet *sheet, double ax, double ay, double bx, double by) {
    return hypot((ax - bx) / sheet->half[0], (ay - by) / sheet->half[1]);
}

/* From a point to a line. */
static double line_distance(const PlotSheet *sheet, const PlotLine *line, double x, double y) {
    double best = distance(sheet, x, y, line->x[0], line->y[0]);
    for (int i = 1; i < line->count; i++) {
        double ax = (line->x[(i - 1) * line->stride] - x) / sheet->half[0];
        double ay = (line->y[(i - 1) * line->stride] - y) / sheet->half[1];
        double dx = (line->x[i * line->stride] - x) / sheet->half[0] - ax;
        double dy = (line->y[i * line->stride] - y) / sheet->half[1] - ay;
        double square = dx * dx + dy * dy;
        double part = square > 0 ? -(ax * dx + ay * dy) / square : 0;
        part = fmin(fmax(part, 0), 1);
        best = fmin(best, hypot(ax + part * dx, ay + part * dy));
    }
    return best;
}

/* Distance of a point from everything that is drawn, in half sides. */
static double clearance(const PlotSheet *sheet, double x, double y) {
    double best = INFINITY;
    const double at[2] = {x, y};
    for (int k = 0; k < 2; k++) {
        best = fmin(best, 1 - fabs(at[k] - sheet->centre[k]) / sheet->half[k]);
        /* text may come nearer to the axes, which are thin and grey */
        best = sheet->axes ? fmin(best, 1.6 * fabs(at[k]) / sheet->half[k]) : best;
    }
    for (int i = 0; i < sheet->line_count; i++) {
        best = fmin(best, line_distance(sheet, &sheet->lines[i], x, y));
    }
    for (int i = 0; i < sheet->mark_count; i++) {
        best = fmin(best, distance(sheet, x, y, sheet->marks[i].x, sheet->marks[i].y));
    }
    for (int i = 0; i < sheet->label_count; i++) {
        best = fmin(best, distance(sheet, x, y, sheet->labels[i].tx, sheet->labels[i].ty) / 2);
    }
    return best;
}

/* Clearance of a text that is centred at (x, y), over its width. */
static double text_clearance(const PlotSheet *sheet, double x, double y, double width) {
    double best = INFINITY;
    for (int i = -2; i <= 2; i++) {
        best = fmin(best, clearance(sheet, x + i * width / 2, y));
    }
    return best;
}

/* Put the label at a free place near its point, out of 16 directions and three distances. A larger
 * distance pays only up to a clearance of enough. */
static void place_label(const PlotSheet *sheet, PlotLabel *label) {
    static const double enough = 0.055, distances[] = {0.085, 0.12, 0.16};
    double width = 0.013 * sheet->half[0] * (double)strlen(label->text), best = -INFINITY;
    for (int i = 0; i < 48; i++) {
        double away = distances[i / 16], c = cos(i * pi / 8), s = sin(i * pi / 8);
        double x = label->x + (away * sheet->half[0] + width) * c;
        double y = label->y + away * sheet->half[1] * s;
        double free = text_clearance(sheet, x, y, width);
        double value = i < 16 ? free : fmin(free, enough) - 0.15 * (away - distances[0]);
        if (value > best + 1e-9) {
            best = value;
            label->tx = x;
            label->ty = y;
        }
    }
}

void plot_sheet_place_labels(PlotSheet *sheet) {
    PlotLabel labels[PLOT_MARKS_MAX] = {0};
    int count = 0;
    for (int i = 0; i < sheet->mark_count; i++) {
        const PlotMark *mark = &sheet->marks[i];
        int k = 0;
        while (k < count && distance(sheet, mark->x, mark->y, labels[k].x, labels[k].y) > 0.06) {
            k++;
        }
        if (k == count) {
            labels[count++] = (PlotLabel){.x = mark->x, .y = mark->y};
        }
        size_t used = strlen(labels[k].text), room = sizeof labels[k].text;
        if (strcmp(labels[k].text, mark->name) ==
            0) { /* several contacts start in the same place */
            continue;
        }
        if (used + strlen(mark->name) + 7 < room) {
            snprintf(labels[k].text + used, room - used, "%s%s", used ? ", " : "", mark->name);
        } else if (used > 3 && strcmp(labels[k].text + used - 3, "...") != 0) {
            snprintf(labels[k].text + used, room - used, ", ...");
        }
    }
    for (int i = 0; i < count; i++) {
        place_label(sheet, &labels[i]);
        sheet->labels[sheet->label_count++] = labels[i];
    }
}

/* Distance between two points of a line. */
static double gap(const PlotSheet *sheet, const PlotLine *line, int a, int b) {
    return distance(sheet, line->x[a * line->stride], line->y[a * line->stride],
                    line->x[b * line->stride], line->y[b * line->stride]);
}

int plot_sheet_next(const PlotSheet *sheet, const PlotLine *line, int point) {
    int next = point + 1;
    while (next + 1 < line->count && gap(sheet, line, point, next + 1) < 4 * PLOT_GRAIN) {
        next++;
    }
    return next;
}

/* The point of the arrow of time: of nine places along the line, the one farthest from the marks; 0
 * if all are too near. */
static int choose_arrow(const PlotSheet *sheet, const PlotLine *line) {
    double length = 0, along = 0, best = 2.2 * plot_head;
    int chosen = 0;
    for (int i = 1; i < line->count; i++) {
        length += gap(sheet, line, i - 1, i);
    }
    for (int i = 1; i < line->count; i++) {
        double next = along + gap(sheet, line, i - 1, i), free = INFINITY;
        for (int k = 0; k < sheet->mark_count; k++) {
            free = fmin(free, distance(sheet, line->x[i * line->stride], line->y[i * line->stride],
                                       sheet->marks[k].x, sheet->marks[k].y));
        }
        if (floor(10 * next / length) > floor(10 * along / length) && free > best) {
            best = free;
            chosen = i;
        }
        along = next;
    }
    return chosen;
}

void plot_sheet_write_arrow(const PlotSheet *sheet, const PlotLine *line, const char *colour,
                            FILE *script) {
    int to = choose_arrow(sheet, line), from = to;
    while (from > 0 && gap(sheet, line, from, to) < plot_head) {
        from--;
    }
    if (from < to) {
        /* from the last point outside the head, moved to its edge */
        double part = plot_head / gap(sheet, line, from, to);
        double x = line->x[to * line->stride], y = line->y[to * line->stride];
        fprintf(script, "set arrow from %.9g,%.9g to %.9g,%.9g " PLOT_HEAD " lc rgb '%s'\n",
                x + part * (line->x[from * line->stride] - x),
                y + part * (line->y[from * line->stride] - y), x, y, colour);
    }
}

void plot_sheet_write_ranges(const PlotSheet *sheet, bool equal, FILE *script) {
    fprintf(script, "set size %s\n", equal ? "ratio -1" : "noratio");
    for (int k = 0; k < 2; k++) {
        double low = sheet->centre[k] - sheet->half[k], high = sheet->centre[k] + sheet->half[k];
        fprintf(script, "set %crange [%.9g:%.9g]\n", k == 0 ? 'x' : 'y', low, high);
    }
    if (sheet->axes) {
        fputs("set xzeroaxis lt 1 lw 0.8 lc rgb '#999999'\n"
              "set yzeroaxis lt 1 lw 0.8 lc rgb '#999999'\n",
              script);
    }
}

void plot_sheet_write_marks(const PlotSheet *sheet, FILE *script) {
    for (int i = 0; i < sheet->mark_count; i++) {
        fprintf(script, "$m%d << END\n%.9g %.9g\nEND\n", i, sheet->marks[i].x, sheet->marks[i].y);
    }
    for (int i = 0; i < sheet->label_count; i++) {
        const PlotLabel *label = &sheet->labels[i];
        fprintf(script, "set label '%s' at %.9g,%.9g center front noenhanced\n", label->text,
                label->tx, label->ty);
    }
}

/* An earlier mark means the same. */
static bool is_again(const PlotSheet *sheet, int mark) {
    for (int i = 0; i < mark; i++) {
        if (strcmp(sheet->marks[i].meaning, sheet->marks[mark].meaning) == 0) {
            return true;
        }
    }
    return false;
}

int plot_sheet_meanings(const PlotSheet *sheet) {
    int count = 0;
    for (int i = 0; i < sheet->mark_count; i++) {
        count += !is_again(sheet, i);
    }
    return count;
}

void plot_sheet_plot_marks(const PlotSheet *sheet, FILE *script) {
    for (int i = 0; i < sheet->mark_count; i++) {
        const PlotMark *mark = &sheet->marks[i];
        bool again = is_again(sheet, i), black = strcmp(mark->colour, "black") == 0;
        fprintf(script, ", $m%d using 1:2 with points %s lc rgb '%s' ", i, mark->style,
                mark->colour);
        if (again || !black) {
            fputs("notitle", script);
        } else {
            fprintf(script, "title '%s'", mark->meaning);
        }
        /* a mark of any contact's colour is black in the legend */
        if (!again && !black) {
            fprintf(script, ", keyentry with points %s lc rgb 'black' title '%s'", mark->style,
                    mark->meaning);
        }
    }
}

void plot_sheet_describe_marks(const PlotSheet *sheet, FILE *description) {
    for (int i = 0; i < sheet->mark_count; i++) {
        const PlotMark *mark = &sheet->marks[i];
        /* never "-0" */
        fprintf(description, " %s at (%.4g, %.4g);", mark->meaning, mark->x + 0.0, mark->y + 0.0);
    }
}
