/* The hodograph: the sliding velocity in the tangent plane, with the invariant directions as rays
 * from the origin and a mark at every event. A compliant contact: the tangential velocity of the
 * bodies, without such directions. Several contacts: a curve each, for those with friction. Equal
 * scales on a square, so that directions are true. A planar scene: (v_t, v_n). */
#include "plot/plot_hodograph.h"

#include <math.h>

#include "plot/plot_axis.h"
#include "plot/plot_sheet.h"

#define CENTRIPETAL "lc rgb '" PLOT_BLUE "' dt (9,6)"
#define CENTRIFUGAL "lc rgb '" PLOT_VERMILION "' dt (18,5,3,5)"

static const double origin[2] = {0, 0}, pi = 3.14159265358979323846;

typedef struct Hodograph {
    const PlotRun *run;
    PlotSheet sheet;
    bool remote;                      /* the origin is outside */
    int contacts[PLOT_STYLES], count; /* those that are drawn */
    int left_out;                     /* those with friction that are not */
    bool crowded;                     /* there are too many events to be marked */
    double rays[4][2][2]; /* ends of the invariant directions' rays, as lines to avoid */
} Hodograph;

/* Component k of the plane. */
static int component(const PlotRun *run, int k) {
    return k == 1 && run->planar ? 2 : k;
}

static PlotLine curve_of(const PlotRun *run, int contact) {
    const double *v = plot_run_velocity(run, 0, contact);
    return (PlotLine){v, v + component(run, 1), run->row_count, 3 * run->contacts};
}

/* The contacts with friction, at most PLOT_STYLES; a single contact always. */
static void choose_contacts(Hodograph *all) {
    for (int i = 0; i < all->run->contacts; i++) {
        bool wanted = all->run->contacts == 1 || all->run->scene->contacts[i].mu > 0;
        if (wanted && all->count < PLOT_STYLES) {
            all->contacts[all->count++] = i;
        } else {
            all->left_out += wanted;
        }
    }
}

/* The box of the curves: its centre; returns its longer side. */
static double find_box(const Hodograph *all, bool with_origin, double centre[2]) {
    double side = 0;
    for (int k = 0; k < 2; k++) {
        double low = with_origin ? 0 : INFINITY, high = with_origin ? 0 : -INFINITY;
        for (int c = 0; c < all->count; c++) {
            for (int i = 0; i < all->run->row_count; i++) {
                const double *v = plot_run_velocity(all->run, i, all->contacts[c]);
                low = fmin(low, v[component(all->run, k)]);
                high = fmax(high, v[component(all->run, k)]);
            }
        }
        centre[k] = (low + high) / 2;
        side = fmax(side, high - low);
    }
    return side;
}

/* Largest normal speed of a contact before the impact. */
static double find_approach(const PlotRun *run) {
    double approach = 0, v[3];
    for (int i = 0; i < run->contacts; i++) {
        plot_run_start(run, i, v);
        approach = fmax(approach, fabs(v[2]));
    }
    return approach;
}

/* The square around the curves and the origin, with room for labels and rays; around the curves
 * alone if they are far from the origin. */
static void choose_square(Hodograph *all) {
    PlotSheet *sheet = &all->sheet;
    double side = find_box(all, false, sheet->centre);
    double away = hypot(sheet->centre[0], sheet->centre[1]);
    all->remote = side < 0.08 * away && side > 1e-6 * away;
    if (!all->remote) {
        side = find_box(all, true, sheet->centre);
    }
    /* without slip the speed of approach is the only scale */
    double approach = find_approach(all->run);
    double half = 0.64 * side > 1e-12 * approach ? 0.64 * side : approach;
    sheet->half[0] = sheet->half[1] = half;
    sheet->axes = true;
}

/* The mark of an event of a drawn contact; returns the contact's index in the list, -1: none. */
static int mark_of(const Hodograph *all, int event, PlotMark *mark) {
    const CaromEvent *now = &all->run->solution.result.events[event];
    for (int i = 0; i < all->count; i++) {
        if (all->contacts[i] == now->contact && now->kind != CAROM_EVENT_ACTIVATION &&
            plot_run_shows(all->run, event) && plot_event_mark(all->run, now, mark)) {
            return i;
        }
    }
    return -1;
}

static const char *colour_of(const PlotRun *run, int i) {
    return run->contacts > 1 ? plot_contact_colour(i) : "black";
}

/* The starts, and the events unless there are too many. */
static void find_marks(Hodograph *all) {
    enum { EVENTS_MAX = 40 };
    const PlotRun *run = all->run;
    int y = component(run, 1), events = run->solution.result.event_count, marked = 0;
    PlotMark mark;
    double v[3];
    for (int i = 0; i < all->count; i++) {
        plot_run_start(run, all->contacts[i], v);
        plot_sheet_mark(&all->sheet, v[0], v[y], "start", "start", "pt 6 ps 1.7*point lw 2",
                        colour_of(run, i));
    }
    for (int i = 0; i < events; i++) {
        marked += mark_of(all, i, &mark) >= 0;
    }
    all->crowded = marked > EVENTS_MAX;
    for (int i = 0; i < events && !all->crowded; i++) {
        const double *at = run->solution.result.events[i].velocity;
        int of = mark_of(all, i, &mark);
        if (of >= 0) {
            plot_sheet_mark(&all->sheet, at[0], at[y], mark.name, mark.meaning, mark.style,
                            colour_of(run, of));
        }
    }
}

static int ray_count(const PlotRun *run) {
    int count = run->solution.slip.known ? run->solution.slip.count : 0;
    return count == CAROM_ALL_DIRECTIONS ? 0 : count;
}

static bool every_direction(const PlotRun *run) {
    return run->solution.slip.known && run->solution.slip.count == CAROM_ALL_DIRECTIONS;
}

/* Labels keep clear of curves and rays. */
static void find_lines(Hodograph *all) {
    for (int i = 0; i < all->count; i++) {
        PlotLine line = curve_of(all->run, all->contacts[i]);
        plot_sheet_line(&all->sheet, line.x, line.y, line.count, line.stride);
    }
    for (int i = 0; i < ray_count(all->run); i++) {
        const double *s = all->run->solution.slip.invariants[i].direction;
        plot_sheet_segment(&all->sheet, origin, s, 0, all->rays[i]);
    }
}

/* A dashed ray with a solid arrow head, towards the origin or away from it. False: it is outside.
 */
static bool write_ray(const Hodograph *all, FILE *script, const CaromInvariant *ray) {
    bool centrifugal = ray->rate > 0;
    double start = 0, end = INFINITY, size = plot_head * all->sheet.half[0];
    if (!plot_sheet_span(&all->sheet, origin, ray->direction, &start, &end)) {
        return false;
    }
    double at = start + fmax(0.7 * (end - start), fmin(end - start, 1.6 * size));
    double from = centrifugal ? at - size : at, to = centrifugal ? at : at - size;
    double x = ray->direction[0], y = ray->direction[1];
    fprintf(script, "set arrow from %.9g,%.9g to %.9g,%.9g nohead lw 1.7 %s\n", start * x,
            start * y, end * x, end * y, centrifugal ? CENTRIFUGAL : CENTRIPETAL);
    fprintf(script, "set arrow from %.9g,%.9g to %.9g,%.9g " PLOT_HEAD " lc rgb '%s'\n", from * x,
            from * y, to * x, to * y, centrifugal ? PLOT_VERMILION : PLOT_BLUE);
    return true;
}

/* Returns the numbers of visible rays, towards the origin and away from it. */
static void write_rays(const Hodograph *all, FILE *script, int *inward, int *outward) {
    *inward = *outward = 0;
    for (int i = 0; i < ray_count(all->run); i++) {
        const CaromInvariant *ray = &all->run->solution.slip.invariants[i];
        *(ray->rate > 0 ? outward : inward) += write_ray(all, script, ray);
    }
}

static void write_curves(const Hodograph *all, FILE *script) {
    for (int i = 0; i < all->count; i++) {
        PlotLine line = curve_of(all->run, all->contacts[i]);
        fprintf(script, "$curve%d << END\n", i);
        for (int k = 0; k < line.count; k = plot_sheet_next(&all->sheet, &line, k)) {
            fprintf(script, "%.9g %.9g\n", line.x[k * line.stride], line.y[k * line.stride]);
        }
        fputs("END\n", script);
        plot_sheet_write_arrow(&all->sheet, &line, colour_of(all->run, i), script);
    }
}

/* An arrow to the origin, if it is outside. */
static void write_way_to_origin(const PlotSheet *sheet, FILE *script) {
    const double *centre = sheet->centre;
    double longest = fmax(fabs(centre[0]), fabs(centre[1]));
    double x = -sheet->half[0] * centre[0] / longest, y = -sheet->half[1] * centre[1] / longest;
    fprintf(script,
            "set arrow from %.9g,%.9g to %.9g,%.9g " PLOT_HEAD " lc rgb '" PLOT_GREY "'\n"
            "set label 'to the origin' at %.9g,%.9g center front textcolor rgb '#555555'\n",
            centre[0] + 0.80 * x, centre[1] + 0.80 * y, centre[0] + 0.94 * x, centre[1] + 0.94 * y,
            centre[0] + 0.72 * x, centre[1] + 0.72 * y);
}

/* A note below the picture about what is left out. */
static void write_left_out(const Hodograph *all, FILE *script) {
    if (!all->crowded && all->left_out == 0) {
        return;
    }
    fputs("set label '", script);
    if (all->left_out > 0) {
        fprintf(script, "%d of %d contacts with friction are shown%s", all->count,
                all->count + all->left_out, all->crowded ? "; t" : "");
    }
    if (all->crowded) {
        fprintf(script, "%she events are not marked", all->left_out > 0 ? "" : "T");
    }
    fputs("' at screen 0.5,0.035 center font small\n", script);
}

/* The name of the velocity. v_t of a compliant contact is not the sliding velocity. */
static const char *curve_name(const PlotRun *run) {
    return run->planar ? "contact" : run->compliant ? "tangential" : "sliding";
}

static void write_axes(const PlotRun *run, FILE *script) {
    Words unit = plot_unit(run, UNIT_VELOCITY);
    fprintf(script, "set xlabel '%s  (velocity, %s)'\n" PLOT_Y_LABEL("%s  (velocity, %s)"),
            run->planar ? "v_t" : "v_{t1}", unit.text, run->planar ? "v_n" : "v_{t2}", unit.text);
}

static void write_plot(const Hodograph *all, FILE *script, int inward, int outward) {
    const PlotRun *run = all->run;
    int entries = all->count + plot_sheet_meanings(&all->sheet);
    if (run->contacts > 1) { /* two columns */
        fprintf(script, "set key maxrows %d\n", entries > 8 ? (entries + 1) / 2 : 4);
    }
    for (int i = 0; i < all->count; i++) {
        fprintf(script, "%s $curve%d using 1:2 with lines %s title '%s velocity", i ? "," : "plot",
                i, run->contacts > 1 ? plot_contact_style(i) : "lw 2.6 lc rgb 'black'",
                curve_name(run));
        if (run->contacts > 1) {
            fprintf(script, ", contact %d", all->contacts[i]);
        }
        fputc('\'', script);
    }
    if (inward > 0) {
        fputs(", NaN with lines lw 1.7 " CENTRIPETAL " title 'centripetal invariant direction'",
              script);
    }
    if (outward > 0) {
        fputs(", NaN with lines lw 1.7 " CENTRIFUGAL " title 'centrifugal invariant direction'",
              script);
    }
    if (every_direction(run)) {
        fputs(", NaN with lines lw 1.7 " CENTRIPETAL " title 'every direction is invariant'",
              script);
    }
    plot_sheet_plot_marks(&all->sheet, script);
    fputs("\n", script);
}

static void describe(const Hodograph *all, FILE *description) {
    const PlotRun *run = all->run;
    const char *whose = run->contacts > 1 ? " of each contact with friction" : "";
    if (run->planar) {
        fprintf(description,
                "The contact velocity%s, tangential and normal, during the planar impact.", whose);
    } else {
        fprintf(description, "The %s velocity%s in the tangent plane during the impact.",
                curve_name(run), whose);
    }
    plot_sheet_describe_marks(&all->sheet, description);
    if (every_direction(run)) {
        fputs(" every direction is invariant.", description);
    }
    int count = ray_count(run);
    for (int i = 0; i < count; i++) {
        const CaromInvariant *ray = &run->solution.slip.invariants[i];
        double angle = atan2(ray->direction[1], ray->direction[0]) * 180 / pi;
        fprintf(description, " %s invariant direction at %.1f degrees%s",
                ray->rate > 0 ? "centrifugal" : "centripetal", fabs(angle) < 0.05 ? 0 : angle,
                i + 1 < count ? ";" : ".");
    }
}

void plot_hodograph(const PlotRun *run, FILE *script, FILE *description) {
    Hodograph all = {.run = run};
    choose_contacts(&all);
    choose_square(&all);
    find_marks(&all);
    find_lines(&all);
    plot_sheet_place_labels(&all.sheet);
    plot_sheet_write_ranges(&all.sheet, true, script);
    write_axes(run, script);
    int inward, outward;
    write_rays(&all, script, &inward, &outward);
    write_curves(&all, script);
    if (all.remote) {
        write_way_to_origin(&all.sheet, script);
    }
    write_left_out(&all, script);
    plot_sheet_write_marks(&all.sheet, script);
    write_plot(&all, script, inward, outward);
    describe(&all, description);
}
