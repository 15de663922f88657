/* Impulse planes, with lines on which a contact velocity vanishes and a mark at every event. Equal
 * scales unless the curve would become too small.
 *
 * One planar contact: (I_t, I_n), with the line of compression (v_n = 0), the line of sticking (v_t
 * = 0) and the friction cone.
 *
 * Two contacts: the normal impulse of one against that of the other, a line style per state, the
 * lines of compression, and the ellipse that bounds the impulses: I.(v- + v)/2 <= 0 with v = v- + W
 * I, as the springs hold no negative energy and friction only dissipates. Without friction I has
 * two components, and the ellipse passes through the origin. With friction it is the projection of
 * an ellipsoid: over the tangential impulses u the form v-.I + I.W I/2 is least where W_uu u =
 * -(v_u + W_un I_n), which leaves a + b.I_n + I_n.S I_n/2 with S = W_nn - W_nu W_uu^-1 W_un, b =
 * v_n - W_nu W_uu^-1 v_u and a = -v_u.W_uu^-1 v_u/2. */
#include "plot/plot_impulse_plane.h"

#include <math.h>
#include <string.h>

#include "plot/plot_axis.h"
#include "plot/plot_sheet.h"

enum { ELLIPSE_POINTS = 181, ROWS_MAX = 6 };

static const double pi = 3.14159265358979323846;

/* The visible part of a straight line. */
typedef struct Segment {
    bool seen;
    double ends[2][2];
} Segment;

/* The line w.I + v = 0. */
static void find_zero_line(PlotSheet *sheet, const double w[2], double v, Segment *segment) {
    double square = w[0] * w[0] + w[1] * w[1];
    const double at[2] = {-v * w[0] / square, -v * w[1] / square}, along[2] = {-w[1], w[0]};
    segment->seen = square > 0 && plot_sheet_segment(sheet, at, along, -INFINITY, segment->ends);
}

static void write_segments(const Segment *segments, int count, FILE *script) {
    for (int i = 0; i < count; i++) {
        const double(*e)[2] = segments[i].ends;
        fprintf(script, "$line%d << END\n%.9g %.9g\n%.9g %.9g\nEND\n", i, e[0][0], e[0][1], e[1][0],
                e[1][1]);
    }
}

/* The start and the events, at (I_t, I_n) of one contact or at the normal impulses of two. */
static void find_marks(const PlotRun *run, PlotSheet *sheet) {
    bool pair = run->contacts == 2;
    int rows = scene_rows(run->scene);
    plot_sheet_mark(sheet, 0, 0, "start", "start", "pt 6 ps 1.7*point lw 2", "black");
    for (int i = 0; i < run->solution.result.event_count; i++) {
        const CaromEvent *event = &run->solution.result.events[i];
        PlotMark mark;
        bool start = pair && event->kind == CAROM_EVENT_ACTIVATION && !(run->event_clock[i] > 0);
        if (!start && plot_run_shows(run, i) && plot_event_mark(run, event, &mark)) {
            const double *I =
                pair ? &run->solution.snapshots.impulse[(size_t)(2 * rows * i)] : NULL;
            plot_sheet_mark(sheet, pair ? I[rows - 1] : event->impulse[0],
                            pair ? I[2 * rows - 1] : event->impulse[2], mark.name, mark.meaning,
                            mark.style, pair ? plot_contact_colour(event->contact) : "black");
        }
    }
}

/* ---- one planar contact ---- */

#define COMPRESSION "lw 1.7 lc rgb '" PLOT_BLUE "' dt (9,6)"
#define STICKING "lw 1.7 lc rgb '" PLOT_VERMILION "' dt (18,5,3,5)"
#define CONE "lw 1.5 lc rgb '" PLOT_GREEN "' dt (4,4)"

/* The window of the curve and the origin; returns whether the scales are equal. */
static bool choose_planar_window(const PlotRun *run, PlotSheet *sheet) {
    double low = 0, high = 0, top = plot_run_end(run);
    for (int i = 0; i < run->row_count; i++) {
        low = fmin(low, plot_run_impulse(run, i, 0)[0]);
        high = fmax(high, plot_run_impulse(run, i, 0)[0]);
    }
    sheet->centre[0] = (low + high) / 2;
    sheet->centre[1] = top / 2;
    sheet->half[0] = 0.75 * (high - low);
    sheet->half[1] = 0.6 * top;
    bool equal = sheet->half[0] > 0.3 * sheet->half[1] && sheet->half[0] < 3 * sheet->half[1];
    if (equal) {
        sheet->half[0] = sheet->half[1] = fmax(sheet->half[0], sheet->half[1]);
    } else if (sheet->half[0] <= 1e-9 * top) {
        sheet->half[0] = sheet->half[1];
    }
    return equal;
}

/* Lines of compression and sticking, and the edges of the friction cone. */
static void find_planar_lines(const PlotRun *run, PlotSheet *sheet, Segment segments[4]) {
    const double *W = run->scene->inverse_inertia, *v = run->scene->velocity;
    double mu = run->scene->contacts[0].mu;
    /* compression is the second row of W I + v = 0, sticking the first */
    find_zero_line(sheet, &W[2], v[1], &segments[0]);
    find_zero_line(sheet, &W[0], v[0], &segments[1]);
    for (int i = 2; i < 4 && mu > 0; i++) {
        const double origin[2] = {0, 0}, edge[2] = {i == 2 ? mu : -mu, 1};
        segments[i].seen = plot_sheet_segment(sheet, origin, edge, 0, segments[i].ends);
    }
}

static void plot_planar(const PlotSheet *sheet, const Segment segments[4], FILE *script) {
    static const char *const styles[] = {COMPRESSION, STICKING, CONE, CONE};
    static const char *const titles[] = {"line of compression: v_n = 0",
                                         "line of sticking: v_t = 0", "friction cone",
                                         "friction cone"};
    fputs("plot $curve using 1:2 with lines lw 2.6 lc rgb 'black' title 'impulse so far'", script);
    bool named = false;
    for (int i = 0; i < 4; i++) {
        if (segments[i].seen) {
            bool again = i >= 2 && named;
            fprintf(script, ", $line%d using 1:2 with lines %s %s%s%s", i, styles[i],
                    again ? "notitle" : "title '", again ? "" : titles[i], again ? "" : "'");
            named = named || i >= 2;
        }
    }
    plot_sheet_plot_marks(sheet, script);
    fputs("\n", script);
}

void plot_impulse_planar(const PlotRun *run, FILE *script, FILE *description) {
    PlotSheet sheet = {.axes = true};
    Segment segments[4] = {{0}};
    const double *I = plot_run_impulse(run, 0, 0), *end = run->solution.result.impulse;
    bool equal = choose_planar_window(run, &sheet);
    find_marks(run, &sheet);
    plot_sheet_line(&sheet, I, I + 2, run->row_count, 3);
    find_planar_lines(run, &sheet, segments);
    plot_sheet_place_labels(&sheet);
    plot_sheet_write_ranges(&sheet, equal, script);
    write_segments(segments, 4, script);
    fputs("$curve << END\n", script);
    for (int i = 0; i < run->row_count; i++, I += 3) {
        fprintf(script, "%.9g %.9g\n", I[0], I[2]);
    }
    fputs("END\n", script);
    plot_sheet_write_arrow(&sheet, &sheet.lines[0], "black", script);
    plot_sheet_write_marks(&sheet, script);
    Words unit = plot_unit(run, UNIT_IMPULSE);
    fprintf(script, "set xlabel 'I_t  (impulse, %s)'\n" PLOT_Y_LABEL("I_n  (impulse, %s)"),
            unit.text, unit.text);
    plot_planar(&sheet, segments, script);
    fputs("The impulse during the planar impact, tangential and normal, with the line of "
          "compression, the line of sticking and the friction cone.",
          description);
    plot_sheet_describe_marks(&sheet, description);
    fprintf(description, " in the end (%.4g, %.4g).", end[0] + 0.0, end[1]);
}

/* ---- two contacts ---- */

typedef struct Pair {
    const PlotRun *run;
    PlotSheet sheet;
    bool equal;           /* the scales are equal */
    double W[2][2], v[2]; /* of the normals alone */
    bool coupled;         /* friction also changes the normal velocities */
    bool bounded;         /* there is an ellipse */
    double ellipse[ELLIPSE_POINTS][2];
    Segment segments[2]; /* lines of compression */
} Pair;

/* The form a + b.I + I.S I/2 of the energy given to the bodies, least over the friction impulses.
 */
typedef struct Form {
    double a, b[2], S[2][2];
} Form;

/* Eliminate unknown r from the form (A, c, a) of n unknowns by taking it where the form is least. A
 * row of rounding errors (grain: of A, and of c) changes nothing. False: not bounded below. */
static bool eliminate(double A[ROWS_MAX][ROWS_MAX], double c[ROWS_MAX], double *a, int n, int r,
                      const double grain[2]) {
    double pivot = A[r][r];
    if (!(pivot > grain[0])) {
        return fabs(c[r]) <= grain[1];
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n && i != r; k++) {
            A[i][k] -= k == r ? 0 : A[i][r] * A[r][k] / pivot;
        }
        c[i] -= i == r ? 0 : A[i][r] * c[r] / pivot;
    }
    *a -= c[r] * c[r] / (2 * pivot);
    for (int i = 0; i < n; i++) {
        A[i][r] = A[r][i] = 0;
    }
    return true;
}

static bool find_form(const PlotRun *run, Form *form) {
    int rows = scene_rows(run->scene), n = 2 * rows;
    double A[ROWS_MAX][ROWS_MAX], c[ROWS_MAX];
    double grain[2] = {0, 0};
    form->a = 0;
    for (int i = 0; i < n; i++) {
        c[i] = run->scene->velocity[i];
        grain[0] = fmax(grain[0], 1e-12 * run->scene->inverse_inertia[(n + 1) * i]);
        grain[1] = fmax(grain[1], 1e-12 * fabs(c[i]));
        memcpy(A[i], &run->scene->inverse_inertia[n * i], (size_t)n * sizeof(double));
    }
    for (int i = 0; i < n; i++) {
        if (i % rows != rows - 1 && run->scene->contacts[i / rows].mu > 0 &&
            !eliminate(A, c, &form->a, n, i, grain)) {
            return false;
        }
    }
    for (int i = 0; i < 2; i++) {
        form->b[i] = c[rows * i + rows - 1];
        for (int k = 0; k < 2; k++) {
            form->S[i][k] = A[rows * i + rows - 1][rows * k + rows - 1];
        }
    }
    return true;
}

/* The ellipse as points, from its centre along the columns of L^-T, S = L L^T. */
static void find_ellipse(Pair *pair) {
    Form f;
    pair->bounded = find_form(pair->run, &f);
    if (!pair->bounded) {
        return;
    }
    double det = f.S[0][0] * f.S[1][1] - f.S[0][1] * f.S[0][1];
    pair->bounded = det > 1e-9 * f.S[0][0] * f.S[1][1];
    double x = -(f.S[1][1] * f.b[0] - f.S[0][1] * f.b[1]) / det;
    double y = -(f.S[0][0] * f.b[1] - f.S[0][1] * f.b[0]) / det;
    double radius = sqrt(fmax(0, -2 * f.a - f.b[0] * x - f.b[1] * y));
    double l00 = sqrt(f.S[0][0]), l10 = f.S[0][1] / l00, l11 = sqrt(det / f.S[0][0]);
    for (int i = 0; i < ELLIPSE_POINTS && pair->bounded; i++) {
        double angle = 2 * pi * i / (ELLIPSE_POINTS - 1);
        double s = radius * sin(angle) / l11;
        pair->ellipse[i][0] = x + (radius * cos(angle) - l10 * s) / l00;
        pair->ellipse[i][1] = y + s;
    }
}

static void find_normals(Pair *pair) {
    const Scene *scene = pair->run->scene;
    int rows = scene_rows(scene), n = 2 * rows;
    for (int i = 0; i < 2; i++) {
        int row = rows * i + rows - 1;
        const double *W = &scene->inverse_inertia[n * row];
        pair->v[i] = scene->velocity[row];
        for (int k = 0; k < n; k++) {
            if (k % rows == rows - 1) {
                pair->W[i][k / rows] = W[k];
            } else if (scene->contacts[k / rows].mu > 0 && fabs(W[k]) > 1e-12 * W[row]) {
                pair->coupled = true;
            }
        }
    }
}

/* The window of the ellipse and the curve, or of the curve alone if it would become too small. */
static void choose_pair_window(Pair *pair) {
    PlotSheet *sheet = &pair->sheet;
    double longest = 0;
    for (int k = 0; k < 2; k++) {
        double most = plot_run_total(pair->run, k), low = 0, high = most;
        for (int i = 0; i < ELLIPSE_POINTS && pair->bounded; i++) {
            low = fmin(low, pair->ellipse[i][k]);
            high = fmax(high, pair->ellipse[i][k]);
        }
        if (high - low > 3 * most) {
            low = fmax(low, -0.15 * most);
            high = fmin(high, 1.25 * most);
        }
        sheet->centre[k] = (low + high) / 2;
        sheet->half[k] = 0.55 * (high - low);
        longest = fmax(longest, sheet->half[k]);
    }
    double shortest = fmin(sheet->half[0], sheet->half[1]);
    pair->equal = longest < 3.5 * shortest;
    for (int k = 0; k < 2; k++) {
        sheet->half[k] = pair->equal || !(sheet->half[k] > 0) ? longest : sheet->half[k];
    }
}

/* Labels keep clear of the curve, the lines of compression and the ellipse. */
static void place_labels(Pair *pair) {
    const double *x = plot_run_impulse(pair->run, 0, 0) + 2;
    plot_sheet_line(&pair->sheet, x, x + 3, pair->run->row_count, 6);
    for (int i = 0; i < 2; i++) {
        find_zero_line(&pair->sheet, pair->W[i], pair->v[i], &pair->segments[i]);
    }
    if (pair->bounded) {
        plot_sheet_line(&pair->sheet, &pair->ellipse[0][0], &pair->ellipse[0][1], ELLIPSE_POINTS,
                        2);
    }
    plot_sheet_place_labels(&pair->sheet);
}

/* The contacts that act between a row and the next: bit 0 the first, bit 1 the second. *event: the
 * last event before the row, which advances. */
static int state_at(const PlotRun *run, int row, int *event) {
    const CaromResult *result = &run->solution.result;
    while (*event + 1 < result->event_count && run->event_clock[*event + 1] <= run->clock[row]) {
        ++*event;
    }
    const unsigned char *active = states_after(run->scene, &run->solution.states, *event);
    return (active[0] ? 1 : 0) + (active[1] ? 2 : 0);
}

/* The parts of the curve in a state; returns whether there are any. */
static bool write_state(const PlotRun *run, int state, FILE *script) {
    bool any = false, inside = false;
    int event = 0;
    fprintf(script, "$state%d << END\n", state);
    for (int i = 0; i + 1 < run->row_count; i++) {
        const double *now = plot_run_impulse(run, i, 0), *next = plot_run_impulse(run, i + 1, 0);
        bool here = state_at(run, i, &event) == state;
        if (here && !inside) {
            fprintf(script, "%s%.9g %.9g\n", any ? "\n" : "", now[2], now[5]);
        }
        if (here) {
            fprintf(script, "%.9g %.9g\n", next[2], next[5]);
        }
        any = any || here;
        inside = here;
    }
    fputs("END\n", script);
    return any;
}

static void write_curve(const bool any[4], FILE *script) {
    static const struct {
        int state;
        const char *title, *style;
    } parts[] = {{3, "both act (S1)", "lw 3 lc rgb 'black'"},
                 {2, "only contact 1 acts (S2)", "lw 3 lc rgb '" PLOT_VERMILION "' dt (9,4)"},
                 {1, "only contact 0 acts (S3)", "lw 3 lc rgb '" PLOT_BLUE "' dt (4,3)"}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (any[parts[i].state]) {
            fprintf(script, ", $state%d using 1:2 with lines %s title '%s'", parts[i].state,
                    parts[i].style, parts[i].title);
        }
    }
}

static void plot_pair(const Pair *pair, const bool any[4], FILE *script) {
    static const char *const styles[2] = {"lw 1.5 lc rgb '" PLOT_BLUE "' dt (18,5,3,5)",
                                          "lw 1.5 lc rgb '" PLOT_VERMILION "' dt (18,5,3,5)"};
    if (pair->bounded) {
        fputs("plot $ellipse using 1:2 with lines lw 1.4 lc rgb '" PLOT_GREEN
              "' title 'bounding ellipse'",
              script);
    } else {
        fputs("plot NaN notitle", script);
    }
    for (int i = 0; i < 2; i++) {
        if (pair->segments[i].seen) {
            fprintf(script, ", $line%d using 1:2 with lines %s title 'v_n = 0 at %s%d%s'", i,
                    styles[i], pair->coupled ? "" : "contact ", i,
                    pair->coupled ? ", but for friction" : "");
        }
    }
    write_curve(any, script);
    plot_sheet_plot_marks(&pair->sheet, script);
    fputs("\n", script);
}

void plot_impulse_pair(const PlotRun *run, FILE *script, FILE *description) {
    Pair pair = {.run = run, .sheet = {.axes = true}};
    bool any[4];
    find_normals(&pair);
    find_ellipse(&pair);
    choose_pair_window(&pair);
    find_marks(run, &pair.sheet);
    place_labels(&pair);
    plot_sheet_write_ranges(&pair.sheet, pair.equal, script);
    write_segments(pair.segments, 2, script);
    fputs("$ellipse << END\n", script);
    for (int i = 0; i < ELLIPSE_POINTS && pair.bounded; i++) {
        fprintf(script, "%.9g %.9g\n", pair.ellipse[i][0], pair.ellipse[i][1]);
    }
    fputs("END\n", script);
    for (int state = 0; state < 4; state++) {
        any[state] = write_state(run, state, script);
    }
    plot_sheet_write_arrow(&pair.sheet, &pair.sheet.lines[0], "black", script);
    plot_sheet_write_marks(&pair.sheet, script);
    Words unit = plot_unit(run, UNIT_IMPULSE);
    fprintf(script,
            "set key maxrows 7 width 1\n"
            "set xlabel 'normal impulse at contact 0  (%s)'\n" PLOT_Y_LABEL(
                "normal impulse at contact 1  (%s)"),
            unit.text, unit.text);
    plot_pair(&pair, any, script);
    fprintf(description,
            "The normal impulse at contact 1 against that at contact 0 during the impact, with the "
            "lines on which their normal velocities vanish%s.",
            pair.bounded ? " and the ellipse that bounds the impulses" : "");
    plot_sheet_describe_marks(&pair.sheet, description);
    fprintf(description, " in the end (%.4g, %.4g).", plot_run_total(run, 0),
            plot_run_total(run, 1));
}
