/* The hodograph: the sliding velocity in the tangent plane, with the invariant directions as
 * rays from the origin and a mark at every event; of a compliant contact the tangential velocity of
 * the bodies, and no such directions. Equal scales on a square, so that directions
 * are true; the legend stands below it and covers nothing. In a planar scene the plane is that of
 * the motion, (v_t, v_n): at most three straight stretches, which bend where v_t is zero. */
#include <math.h>
#include <string.h>

#include "plot_run.h"

/* Okabe and Ito's blue and vermilion: told apart by colour-blind readers, and in grey. */
#define CENTRIPETAL "lc rgb '#0072B2' dt (9,6)"
#define HEAD "head filled size screen 0.024,17 fixed front lw 1.5"
#define CENTRIFUGAL "lc rgb '#D55E00' dt (18,5,3,5)"

/* More than can be told apart; what comes later is left out. */
enum { MARKS_MAX = 40 };

static const double pi = 3.14159265358979323846;

typedef struct Mark {
    double x, y;
    const char *name;
    const char *meaning; /* for the legend */
    const char *style;   /* of the point */
} Mark;

typedef struct Label {
    double x, y;   /* the point that it names */
    double tx, ty; /* where it stands */
    char text[64];
} Label;

typedef struct Sheet {
    const PlotRun *run;
    double cx, cy, half; /* the square that is shown: centre and half its side */
    bool remote;         /* the origin is too far away to be shown */
    Mark marks[MARKS_MAX];
    int mark_count;
    Label labels[MARKS_MAX];
    int label_count;
} Sheet;

/* The box of the curve: centre, and its longer side as the answer. */
static double find_box(const PlotRun *run, bool origin, double *cx, double *cy) {
    const double *start = run->rows[0].v;
    double low[2], high[2];
    for (int k = 0; k < 2; k++) {
        low[k] = origin ? fmin(0, start[k]) : start[k];
        high[k] = origin ? fmax(0, start[k]) : start[k];
        for (int i = 0; i < run->row_count; i++) {
            low[k] = fmin(low[k], run->rows[i].v[k]);
            high[k] = fmax(high[k], run->rows[i].v[k]);
        }
    }
    *cx = (low[0] + high[0]) / 2;
    *cy = (low[1] + high[1]) / 2;
    return fmax(high[0] - low[0], high[1] - low[1]);
}

/* The square around the curve and the origin, with room for labels and short rays; around the curve
 * alone where it would be too small beside its distance from the origin. */
static void choose_square(Sheet *sheet) {
    const PlotRun *run = sheet->run;
    double side = find_box(run, false, &sheet->cx, &sheet->cy);
    double away = hypot(sheet->cx, sheet->cy);
    sheet->remote = side < 0.08 * away && side > 1e-6 * away;
    if (!sheet->remote) {
        side = find_box(run, true, &sheet->cx, &sheet->cy);
    }
    sheet->half = 0.64 * side;
    /* no slip at all: the speed of approach is the only scale there is */
    double approach = fabs(run->v_before[run->planar ? 1 : 2]);
    if (!(sheet->half > 1e-12 * approach)) {
        sheet->half = approach;
    }
}

static void add_mark(Sheet *sheet, const double v[3], const char *name, const char *meaning,
                     const char *style) {
    if (sheet->mark_count < MARKS_MAX) {
        sheet->marks[sheet->mark_count++] = (Mark){v[0], v[1], name, meaning, style};
    }
}

static void find_marks(Sheet *sheet) {
    const PlotRun *run = sheet->run;
    add_mark(sheet, run->v_before, "start", "start", "pt 6 ps 1.7*point lw 2");
    for (int i = 0; i < run->event_count; i++) {
        const double *v = run->events[i].velocity;
        if (!plot_run_shows(run, i)) {
            continue;
        }
        switch (run->events[i].kind) {
        case CAROM_COMPRESSION_END:
            add_mark(sheet, v, "c", "c: compression ends", "pt 9 ps 1.9*point");
            break;
        case CAROM_COMPRESSION_RESTART:
            add_mark(sheet, v, "restart", "compression restarts", "pt 8 ps 1.9*point lw 2");
            break;
        case CAROM_RESTITUTION_END:
            add_mark(sheet, v, "r", "r: impact ends", "pt 7 ps 1.5*point");
            break;
        case CAROM_STICK:
            add_mark(sheet, v, "s", "s: slip ends, contact sticks", "pt 4 ps 2.1*point lw 2");
            break;
        case CAROM_SLIP:
            if (run->compliant) {
                add_mark(sheet, v, "slip", "stick ends, contact slips", "pt 12 ps 1.9*point lw 2");
            } else {
                add_mark(sheet, v, "s", "s: slip zero, then resumes", "pt 4 ps 2.1*point lw 2");
            }
            break;
        default:
            break;
        }
    }
}

/* The part of the ray t s, t >= 0, that is well inside the square; false if there is none. */
static bool ray_span(const Sheet *sheet, const double s[2], double *from, double *to) {
    double edge = 0.95 * sheet->half, centre[2] = {sheet->cx, sheet->cy};
    *from = 0;
    *to = INFINITY;
    for (int k = 0; k < 2; k++) {
        double near = centre[k] - copysign(edge, s[k]), far = centre[k] + copysign(edge, s[k]);
        if (s[k] != 0) {
            *from = fmax(*from, near / s[k]);
            *to = fmin(*to, far / s[k]);
        } else if (fabs(centre[k]) > edge) {
            return false;
        }
    }
    return *from < *to;
}

/* Distance of a point from all that is drawn, in units of half the side. */
static double clearance(const Sheet *sheet, double x, double y) {
    const PlotRun *run = sheet->run;
    double best = fmin(sheet->half - fabs(x - sheet->cx), sheet->half - fabs(y - sheet->cy));
    /* the axes are thin and grey: text may come nearer to them */
    best = fmin(best, 1.6 * fmin(fabs(x), fabs(y)));
    for (int i = 0; i < run->row_count; i++) {
        best = fmin(best, hypot(x - run->rows[i].v[0], y - run->rows[i].v[1]));
    }
    for (int i = 0; i < sheet->mark_count; i++) {
        best = fmin(best, hypot(x - sheet->marks[i].x, y - sheet->marks[i].y));
    }
    for (int i = 0; i < sheet->label_count; i++) {
        best = fmin(best, hypot(x - sheet->labels[i].tx, y - sheet->labels[i].ty) / 2);
    }
    for (int i = 0; i < run->invariant_count; i++) {
        const double *s = run->invariants[i].direction;
        double from, to;
        if (ray_span(sheet, s, &from, &to)) {
            double along = fmax(from, fmin(x * s[0] + y * s[1], to));
            best = fmin(best, hypot(x - along * s[0], y - along * s[1]));
        }
    }
    return best / sheet->half;
}

/* Put the label at the one of 16 places around its point that is freest over the text's width. */
static void place_label(Sheet *sheet, Label *label) {
    double width = 0.013 * sheet->half * (double)strlen(label->text), best = -INFINITY;
    for (int i = 0; i < 16; i++) {
        double c = cos(i * pi / 8), s = sin(i * pi / 8);
        double x = label->x + (0.085 * sheet->half + width) * c;
        double y = label->y + 0.085 * sheet->half * s;
        double free = fmin(clearance(sheet, x, y),
                           fmin(clearance(sheet, x - width, y), clearance(sheet, x + width, y)));
        if (free > best + 1e-9) {
            best = free;
            label->tx = x;
            label->ty = y;
        }
    }
}

/* One label per place: marks that fall together share theirs. */
static void place_labels(Sheet *sheet) {
    Label labels[MARKS_MAX] = {0};
    int count = 0;
    for (int i = 0; i < sheet->mark_count; i++) {
        const Mark *mark = &sheet->marks[i];
        int k = 0;
        while (k < count &&
               hypot(mark->x - labels[k].x, mark->y - labels[k].y) > 0.06 * sheet->half) {
            k++;
        }
        if (k == count) {
            labels[count++] = (Label){.x = mark->x, .y = mark->y};
        }
        size_t used = strlen(labels[k].text);
        snprintf(labels[k].text + used, sizeof labels[k].text - used, "%s%s", used ? ", " : "",
                 mark->name);
    }
    for (int i = 0; i < count; i++) {
        place_label(sheet, &labels[i]);
        sheet->labels[sheet->label_count++] = labels[i];
    }
}

static void write_square(const Sheet *sheet, FILE *script) {
    fprintf(script, "set size ratio -1\nset xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n",
            sheet->cx - sheet->half, sheet->cx + sheet->half, sheet->cy - sheet->half,
            sheet->cy + sheet->half);
    bool planar = sheet->run->planar;
    fprintf(script,
            "set xlabel '%s  (velocity, units of the scene)'\n"
            "set ylabel '%s  (velocity, units of the scene)'\n"
            "set xzeroaxis lt 1 lw 0.8 lc rgb '#999999'\n"
            "set yzeroaxis lt 1 lw 0.8 lc rgb '#999999'\n",
            planar ? "v_t" : "v_{t1}", planar ? "v_n" : "v_{t2}");
}

/* Length of an arrow's head on the sheet; a shorter arrow would lose its direction in rounding. */
static const double head = 0.055;

/* A dashed ray, and on it a solid arrow head: towards the origin or away from it. False: none of it
 * is on the sheet. */
static bool write_ray(const Sheet *sheet, FILE *script, const CaromInvariant *ray) {
    bool centrifugal = ray->rate > 0;
    double start, end, size = head * sheet->half;
    if (!ray_span(sheet, ray->direction, &start, &end)) {
        return false;
    }
    double at = start + fmax(0.7 * (end - start), fmin(end - start, 1.6 * size));
    double from = centrifugal ? at - size : at, to = centrifugal ? at : at - size;
    double x = ray->direction[0], y = ray->direction[1];
    fprintf(script, "set arrow from %.9g,%.9g to %.9g,%.9g nohead lw 1.7 %s\n", start * x,
            start * y, end * x, end * y, centrifugal ? CENTRIFUGAL : CENTRIPETAL);
    fprintf(script, "set arrow from %.9g,%.9g to %.9g,%.9g " HEAD " lc rgb '%s'\n", from * x,
            from * y, to * x, to * y, centrifugal ? "#D55E00" : "#0072B2");
    return true;
}

static double distance(const PlotRun *run, int i, int k) {
    const double *a = run->rows[i].v, *b = run->rows[k].v;
    return hypot(b[0] - a[0], b[1] - a[1]);
}

/* The row at which the arrow of time stands: of nine places along the curve, the one farthest from
 * the marks; 0 if all are too near. */
static int choose_arrow(const Sheet *sheet) {
    const PlotRun *run = sheet->run;
    double length = 0, along = 0, best = 2.2 * head * sheet->half;
    int chosen = 0;
    for (int i = 1; i < run->row_count; i++) {
        length += distance(run, i - 1, i);
    }
    for (int i = 1; i < run->row_count; i++) {
        double next = along + distance(run, i - 1, i), free = INFINITY;
        for (int k = 0; k < sheet->mark_count; k++) {
            free = fmin(free, hypot(run->rows[i].v[0] - sheet->marks[k].x,
                                    run->rows[i].v[1] - sheet->marks[k].y));
        }
        if (floor(10 * next / length) > floor(10 * along / length) && free > best) {
            best = free;
            chosen = i;
        }
        along = next;
    }
    return chosen;
}

static void write_curve_arrow(const Sheet *sheet, FILE *script) {
    const PlotRun *run = sheet->run;
    int to = choose_arrow(sheet), from = to;
    while (from > 0 && distance(run, from, to) < head * sheet->half) {
        from--;
    }
    if (from < to) {
        /* from the last row outside the head, pulled onto its edge */
        const double *a = run->rows[from].v, *b = run->rows[to].v;
        double part = head * sheet->half / distance(run, from, to);
        fprintf(script, "set arrow from %.9g,%.9g to %.9g,%.9g " HEAD " lc rgb 'black'\n",
                b[0] + part * (a[0] - b[0]), b[1] + part * (a[1] - b[1]), b[0], b[1]);
    }
}

/* Answers how many rays of either sort are seen. */
static void write_rays(const Sheet *sheet, FILE *script, int *inward, int *outward) {
    *inward = *outward = 0;
    for (int i = 0; i < sheet->run->invariant_count; i++) {
        const CaromInvariant *ray = &sheet->run->invariants[i];
        *(ray->rate > 0 ? outward : inward) += write_ray(sheet, script, ray);
    }
}

static void write_curve(const PlotRun *run, FILE *script) {
    fputs("$curve << END\n", script);
    for (int i = 0; i < run->row_count; i++) {
        fprintf(script, "%.9g %.9g\n", run->rows[i].v[0], run->rows[i].v[1]);
    }
    fputs("END\n", script);
}

/* Where the origin is, if it is not on the sheet. */
static void write_way_to_origin(const Sheet *sheet, FILE *script) {
    double longest = fmax(fabs(sheet->cx), fabs(sheet->cy));
    double x = -sheet->half * sheet->cx / longest, y = -sheet->half * sheet->cy / longest;
    fprintf(script,
            "set arrow from %.9g,%.9g to %.9g,%.9g " HEAD " lc rgb '#777777'\n"
            "set label 'to the origin' at %.9g,%.9g center front textcolor rgb '#555555'\n",
            sheet->cx + 0.80 * x, sheet->cy + 0.80 * y, sheet->cx + 0.94 * x, sheet->cy + 0.94 * y,
            sheet->cx + 0.72 * x, sheet->cy + 0.72 * y);
}

static void write_marks(const Sheet *sheet, FILE *script) {
    for (int i = 0; i < sheet->mark_count; i++) {
        fprintf(script, "$m%d << END\n%.9g %.9g\nEND\n", i, sheet->marks[i].x, sheet->marks[i].y);
    }
    for (int i = 0; i < sheet->label_count; i++) {
        const Label *label = &sheet->labels[i];
        fprintf(script, "set label '%s' at %.9g,%.9g center front noenhanced\n", label->text,
                label->tx, label->ty);
    }
}

/* What the curve shows. Of a compliant contact v_t is not the velocity of sliding. */
static const char *curve_name(const PlotRun *run) {
    return run->planar ? "contact" : run->compliant ? "tangential" : "sliding";
}

static void write_plot(const Sheet *sheet, FILE *script, int inward, int outward) {
    fprintf(script, "plot $curve using 1:2 with lines lw 2.6 lc rgb 'black' title '%s velocity'",
            curve_name(sheet->run));
    if (inward > 0) {
        fputs(", NaN with lines lw 1.7 " CENTRIPETAL " title 'centripetal invariant direction'",
              script);
    }
    if (outward > 0) {
        fputs(", NaN with lines lw 1.7 " CENTRIFUGAL " title 'centrifugal invariant direction'",
              script);
    }
    if (sheet->run->invariant_count == CAROM_ALL_DIRECTIONS) {
        fputs(", NaN with lines lw 1.7 " CENTRIPETAL " title 'every direction is invariant'",
              script);
    }
    for (int i = 0; i < sheet->mark_count; i++) {
        bool again = false;
        for (int k = 0; k < i; k++) {
            again = again || strcmp(sheet->marks[k].meaning, sheet->marks[i].meaning) == 0;
        }
        fprintf(script, ", $m%d using 1:2 with points %s lc rgb 'black' %s%s%s", i,
                sheet->marks[i].style, again ? "notitle" : "title '",
                again ? "" : sheet->marks[i].meaning, again ? "" : "'");
    }
    fputs("\n", script);
}

static void describe(const Sheet *sheet, FILE *description) {
    const PlotRun *run = sheet->run;
    if (run->planar) {
        fputs("The contact velocity, tangential and normal, during the planar impact.",
              description);
    } else {
        fprintf(description, "The %s velocity in the tangent plane during the impact.",
                curve_name(run));
    }
    for (int i = 0; i < sheet->mark_count; i++) {
        const Mark *mark = &sheet->marks[i];
        /* never "-0" */
        fprintf(description, " %s at (%.4g, %.4g);", mark->meaning, mark->x + 0.0, mark->y + 0.0);
    }
    if (run->invariant_count == CAROM_ALL_DIRECTIONS) {
        fputs(" every direction is invariant.", description);
    }
    for (int i = 0; i < run->invariant_count; i++) {
        const CaromInvariant *ray = &run->invariants[i];
        double angle = atan2(ray->direction[1], ray->direction[0]) * 180 / pi;
        fprintf(description, " %s invariant direction at %.1f degrees%s",
                ray->rate > 0 ? "centrifugal" : "centripetal", fabs(angle) < 0.05 ? 0 : angle,
                i + 1 < run->invariant_count ? ";" : ".");
    }
}

void plot_hodograph(const PlotRun *run, FILE *script, FILE *description) {
    Sheet sheet = {.run = run};
    choose_square(&sheet);
    find_marks(&sheet);
    place_labels(&sheet);
    write_square(&sheet, script);
    write_curve(run, script);
    int inward, outward;
    write_rays(&sheet, script, &inward, &outward);
    write_curve_arrow(&sheet, script);
    if (sheet.remote) {
        write_way_to_origin(&sheet, script);
    }
    write_marks(&sheet, script);
    write_plot(&sheet, script, inward, outward);
    describe(&sheet, description);
}
