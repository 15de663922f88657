/* Figs. 4 to 8 and 10 of [JW]: hodographs and the impulse curve of the impact of an icosahedron on
 * a tetrahedron (Fig. 3), with some parameters changed. */
#include "figures/jia_wang_2017/hodograph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "figures/sheet_picture.h"

static const double pi = 3.14159265358979323846;

const double jw_W[9] = {11.5984,  -0.910367, 2.442355, -0.910367, 9.90134,
                        1.957465, 2.442355,  1.957465, 2.59042};

/* The contact velocity of Fig. 3. It is not printed; it follows from W, the printed impulse and the
 * line of sticking: docs/errata.md. */
static const double given_velocity[3] = {-0.26197583, 0.38632923, -0.07685529};

typedef struct Impact {
    CaromContact contact;
    double v[3], impulse[3], velocity[3]; /* velocity before; impulse; velocity after */
    CaromEvent events[CAROM_RIGID_EVENTS];
    CaromResult result;
} Impact;

/* Solve the impact with this friction and contact velocity. False: the figure has failed. */
static bool solve_with(FigureSheet *sheet, double mu, const double v[3], Impact *impact) {
    *impact = (Impact){.contact = carom_contact_default(), .v = {v[0], v[1], v[2]}};
    impact->contact.mu = impact->contact.mu_static = mu;
    impact->contact.e = JW_E;
    impact->result = (CaromResult){.impulse = impact->impulse,
                                   .velocity = impact->velocity,
                                   .events = impact->events,
                                   .event_capacity = CAROM_RIGID_EVENTS};
    CaromStatus status =
        carom_rigid_solve(jw_W, v, &impact->contact, CAROM_LAW_ENERGETIC, &impact->result);
    return status >= 0 || figure_fail(sheet, "%s", impact->result.message);
}

/* The impact as a problem, for carom_trace(); it points into the impact. */
static CaromProblem problem_of(const Impact *impact) {
    return (CaromProblem){.model = CAROM_MODEL_RIGID,
                          .law = CAROM_LAW_ENERGETIC,
                          .contact_count = 1,
                          .inverse_inertia = jw_W,
                          .velocity = impact->v,
                          .contacts = &impact->contact};
}

/* The first event of a kind; NULL: none. */
static const CaromEvent *event_of(const Impact *impact, CaromEventKind kind) {
    for (int i = 0; i < impact->result.event_count; i++) {
        if (impact->events[i].kind == kind) {
            return &impact->events[i];
        }
    }
    return NULL;
}

/* A picture of the impact by carom plot. */
static bool draw_scene(FigureSheet *sheet, Impact *impact, const char *kind,
                       const char *description) {
    double W[9];
    memcpy(W, jw_W, sizeof W);
    Words name = words_of("Jia and Wang, figure %s", sheet->figure->label + strlen("Fig. "));
    const Scene scene = {.name = name.text,
                         .model = CAROM_MODEL_RIGID,
                         .law = CAROM_LAW_ENERGETIC,
                         .source = SCENE_CONTACT_SPACE,
                         .contact_count = 1,
                         .contacts = &impact->contact,
                         .inverse_inertia = W,
                         .velocity = impact->v};
    return figure_picture_scene(sheet, "", &scene, kind, description);
}

/* ---- figures 4, 7 and 10: single hodographs; figure 5: the impulse curve ---- */

/* A change of V1 in a caption changes the contact velocity by the same vector. */
typedef struct Instance {
    double mu;
    double V1[3];
    const char *sequence; /* printed */
    const char *erratum;  /* of the sequence */
    const char *inward;   /* centripetal directions in the text; NULL: not given */
    const char *outward;  /* centrifugal ones */
} Instance;

static const double V1[3] = {-0.1, 0.5, 0.95}, V2[3] = {0.1, 0.1, 1}, m1 = 3, m2 = 1;

/* The impulse of Figs. 4(a) and 5. */
static const char *const printed_impulse[3] = {"-0.00326657", "-0.0592263", "0.1007"};

static const char straight[] = FIGURE_SETTING
    "Slip becomes straight (event l) exactly only if it starts along an invariant direction; the "
    "paper's scheme compares with a tolerance, and reports it somewhere on the way.";
static const char passes[] =
    "The exact hodograph passes the origin at a distance of 0.0044 and does not reach it, so that "
    "there is no event s.";

static const Instance instances[] = {{0.8, {-0.1, 0.5, 0.95}, "csr", NULL, NULL, "0"},
                                     {0.4, {-0.1, 0.5, 0.2}, "lscr", straight, "2", "0"},
                                     {0.25, {-0.1, 0.5, 0.2}, "clr", straight, "1", "1"},
                                     {3, {-0.1, 0.5, 0.5}, "scr", NULL, "4", "0"},
                                     {0.25, {-0.7, -0.35, -0.5}, "scr", passes, NULL, NULL},
                                     {0.35, {-0.1, 0.5, 0.2}, "lcsr", straight, NULL, NULL},
                                     {0.25, {-0.1, 0.5, -1}, "lcr", straight, NULL, NULL},
                                     {0.55, {-0.1, 0.5, 0.9}, "clsr", straight, NULL, NULL}};

/* Rates of slip in the direction theta: along it dr/dp = s.(d - mu B s), and across. */
static void slip_rates(double mu, double theta, double *along, double *across) {
    double s[2] = {cos(theta), sin(theta)}, rate[2];
    for (int i = 0; i < 2; i++) {
        rate[i] = jw_W[3 * i + 2] - mu * (jw_W[3 * i] * s[0] + jw_W[3 * i + 1] * s[1]);
    }
    *along = s[0] * rate[0] + s[1] * rate[1];
    *across = s[0] * rate[1] - s[1] * rate[0];
}

/* The least sliding speed, by the closed form, where its rate changes sign. The direction turns one
 * way only. */
static bool add_least_speed(FigureSheet *sheet, const Impact *impact) {
    const double turn = 2 * pi, *v = impact->v, *after = impact->velocity;
    double from = atan2(v[1], v[0]), to = atan2(after[1], after[0]), mu = impact->contact.mu;
    double along, across, least;
    slip_rates(mu, from, &along, &across);
    to += across > 0 && to < from ? turn : across < 0 && to > from ? -turn : 0;
    for (int i = 0; i < 60; i++) {
        double middle = (from + to) / 2;
        slip_rates(mu, middle, &along, &across);
        *(along < 0 ? &from : &to) = middle;
    }
    if (carom_hodograph_speed(jw_W, mu, v, from, &least, NULL) < 0) {
        return figure_fail(sheet, "the least sliding speed is not between start and end");
    }
    figure_value(sheet, "least sliding speed", "0.000", least, passes, "printed: zero");
    return true;
}

static bool add_directions(FigureSheet *sheet, const Instance *instance) {
    CaromInvariant invariants[4];
    int count, outward = 0;
    if (carom_invariant_directions(jw_W, instance->mu, invariants, &count, NULL) < 0) {
        return figure_fail(sheet, "the invariant directions cannot be found");
    }
    for (int i = 0; i < count; i++) {
        outward += invariants[i].rate > 0;
    }
    figure_count(sheet, "centripetal directions", instance->inward, count - outward, NULL, NULL);
    figure_count(sheet, "centrifugal directions", instance->outward, outward, NULL, NULL);
    return true;
}

static void add_events(FigureSheet *sheet, const Impact *impact) {
    const CaromEvent *compressed = event_of(impact, CAROM_EVENT_COMPRESSION_END);
    const CaromEvent *stuck = event_of(impact, CAROM_EVENT_STICK);
    if (compressed) {
        figure_computed(sheet, "Iz at c", compressed->normal_impulse, NULL);
    }
    if (stuck) {
        figure_computed(sheet, "Iz at s", stuck->normal_impulse, NULL);
    }
}

/* Values printed for Fig. 3, whose hodograph is Fig. 4(a). */
static bool add_figure_3(FigureSheet *sheet, const double I[3]) {
    static const char *const first[3] = {"-0.101089", "0.480258", "0.983567"};
    static const char *const second[3] = {"0.103267", "0.159226", "0.8993"};
    static const char *const name[2][3] = {{"V1x", "V1y", "V1z"}, {"V2x", "V2y", "V2z"}};
    figure_value(sheet, "|B⁻¹d|", "0.3157", carom_stick_ratio(jw_W), NULL, NULL);
    figure_group(sheet, "Velocities of the bodies after the impact (section 2.2)");
    for (int i = 0; i < 3; i++) {
        figure_value(sheet, name[0][i], first[i], V1[i] + I[i] / m1, NULL, NULL);
    }
    for (int i = 0; i < 3; i++) {
        figure_value(sheet, name[1][i], second[i], V2[i] - I[i] / m2, NULL, NULL);
    }
    Impact frictionless;
    if (!solve_with(sheet, 0, given_velocity, &frictionless)) {
        return false;
    }
    figure_group(sheet, "The same without friction (section 2.4)");
    figure_value(sheet, "Iz without friction", "0.058", frictionless.impulse[2], NULL, NULL);
    return true;
}

/* The sequence by the paper's scheme VS, with its h1 = h2 = 0.01. */
static bool add_published_sequence(FigureSheet *sheet, const Instance *instance,
                                   const Impact *impact) {
    CaromProblem problem = problem_of(impact);
    CaromOptions options = {
        .method = CAROM_METHOD_VS,
        .scheme = {
            .absolute = 1, .h1 = 0.01, .h2 = 0.01, .straight = JW_STRAIGHT, .zero = JW_ZERO}};
    CaromResult result = {0};
    if (carom_solve(&problem, &options, &result) < 0) {
        return figure_fail(sheet, "VS: %s", result.message);
    }
    figure_words(sheet, "sequence by VS", instance->sequence, result.sequence, NULL,
                 "with tolerances 0.06 for straight and 0.015 for zero slip");
    return true;
}

static bool add_values(FigureSheet *sheet, const Instance *instance, const Impact *impact) {
    static const char *const names[3] = {"Ix", "Iy", "Iz"};
    bool original = instance == &instances[0];
    figure_words(sheet, "sequence", instance->sequence, impact->result.sequence, instance->erratum,
                 NULL);
    for (int i = 0; i < 3; i++) {
        figure_value(sheet, names[i], original ? printed_impulse[i] : NULL, impact->impulse[i],
                     NULL, NULL);
    }
    add_events(sheet, impact);
    return add_published_sequence(sheet, instance, impact) && add_directions(sheet, instance) &&
           (instance->erratum != passes || add_least_speed(sheet, impact)) &&
           (!original || add_figure_3(sheet, impact->impulse));
}

/* Half the side of the window around the origin. */
#define NEAR 0.02

static bool write_near(FigureSheet *sheet, const Impact *impact, FILE *script) {
    enum { SAMPLES = 100001 };
    double *velocity = malloc(sizeof(double) * 3 * SAMPLES);
    CaromTrace trace = {.capacity = SAMPLES, .velocity = velocity};
    const CaromProblem problem = problem_of(impact);
    if (!velocity || carom_trace(&problem, NULL, &trace, NULL) < 0) {
        free(velocity);
        return figure_fail(sheet, "the hodograph cannot be sampled");
    }
    fputs("$near << END\n", script);
    for (const double *v = velocity; v < velocity + 3 * SAMPLES; v += 3) {
        if (fabs(v[0]) < 1.2 * NEAR && fabs(v[1]) < 1.2 * NEAR) {
            fprintf(script, "%.9g %.9g\n", v[0], v[1]);
        }
    }
    fputs("END\n", script);
    free(velocity);
    return true;
}

static void write_near_rays(const Instance *instance, FILE *script) {
    CaromInvariant rays[4];
    int count = 0;
    carom_invariant_directions(jw_W, instance->mu, rays, &count, NULL);
    for (int i = 0; i < count; i++) {
        const double *s = rays[i].direction;
        fprintf(script, "$ray%d << END\n0 0\n%.9g %.9g\nEND\n", i, s[0], s[1]);
    }
    fputs("plot $near with lines lw 2.6 lc rgb 'black' title 'sliding velocity'", script);
    for (int i = 0; i < count; i++) {
        fprintf(script, ", $ray%d with lines lw 1.7 %s", i,
                rays[i].rate > 0
                    ? "lc rgb '#D55E00' dt (18,5,3,5) title 'centrifugal invariant direction'"
                    : "lc rgb '#0072B2' dt (9,6) title 'centripetal invariant direction'");
    }
    fputc('\n', script);
}

/* Fig. 7 near the origin. */
static bool draw_near(FigureSheet *sheet, const Instance *instance, const Impact *impact) {
    FILE *script =
        figure_picture_begin(sheet, "near", "Jia and Wang, figure 7, about the origin", 720, 860);
    if (!script || !write_near(sheet, impact, script)) {
        return false;
    }
    fprintf(script,
            "set lmargin at screen 0.145\nset rmargin at screen 0.955\n"
            "set bmargin at screen 0.2219\nset tmargin at screen 0.9\nset size ratio -1\n"
            "set xrange [-%g:%g]\nset yrange [-%g:%g]\nset xtics 0.01\nset ytics 0.01\n"
            "set xlabel 'v_{t1}  (velocity, units of the paper)'\n"
            "set ylabel 'v_{t2}  (velocity, units of the paper)'\n"
            "set xzeroaxis lt 8\nset yzeroaxis lt 8\n"
            "set label '' at 0,0 point pt 6 ps 1.7*point lw 2\n"
            "set label 'origin' at 0,0 left offset 1,-0.8\n"
            "set key at screen 0.1,0.145 top left vertical Left reverse maxrows 4 spacing 1.25 "
            "samplen 4 width 3\n",
            NEAR, NEAR, NEAR, NEAR);
    write_near_rays(instance, script);
    return figure_picture_end(sheet, "A curve that passes above the origin, without touching it, "
                                     "and turns into the centrifugal direction.");
}

bool jw_hodograph(FigureSheet *sheet) {
    const Instance *instance = &instances[sheet->figure->variant];
    double v[3];
    Impact impact;
    for (int i = 0; i < 3; i++) {
        v[i] = given_velocity[i] + instance->V1[i] - V1[i];
    }
    if (!solve_with(sheet, instance->mu, v, &impact)) {
        return false;
    }
    Words description = words_of(
        "Hodograph: the sliding velocity goes from (%.4g, %.4g) to (%.4g, %.4g); sequence %s. "
        "The invariant directions are rays from the origin.",
        v[0], v[1], impact.velocity[0] + 0.0, impact.velocity[1] + 0.0, impact.result.sequence);
    return draw_scene(sheet, &impact, "hodograph", description.text) &&
           (instance->erratum != passes || draw_near(sheet, instance, &impact)) &&
           add_values(sheet, instance, &impact);
}

/* The impulse at an event, which must be there. */
static bool add_event(FigureSheet *sheet, const Impact *impact, CaromEventKind kind,
                      const char *const names[3]) {
    const CaromEvent *event = event_of(impact, kind);
    if (!event) {
        return figure_fail(sheet, "no %s", carom_event_string(kind));
    }
    for (int i = 0; i < 3; i++) {
        figure_computed(sheet, names[i], event->impulse[i], NULL);
    }
    return true;
}

bool jw_impulse(FigureSheet *sheet) {
    static const char *const c[3] = {"Ic x", "Ic y", "Ic z"}, *const s[3] = {"Is x", "Is y",
                                                                             "Is z"};
    static const char *const r[3] = {"Ir x", "Ir y", "Ir z"};
    Impact impact;
    if (!solve_with(sheet, 0.8, given_velocity, &impact) ||
        !draw_scene(
            sheet, &impact, "impulse",
            "The impulse grows from 0, crosses the plane of compression, reaches the line of "
            "sticking and follows it to the end.") ||
        !add_event(sheet, &impact, CAROM_EVENT_COMPRESSION_END, c) ||
        !add_event(sheet, &impact, CAROM_EVENT_STICK, s)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        figure_value(sheet, r[i], printed_impulse[i], impact.impulse[i], NULL, NULL);
    }
    return true;
}

/* ---- figures 6 and 8 ---- */

/* Figs. 6 and 8: hodographs of slip that starts with unit speed in many directions. Only
 * those on the invariant directions are printed; between them the circle is divided evenly, and
 * then as many reach the origin as the text says. */

enum { CURVE_SAMPLES = 801, STARTS_MAX = 15 };

typedef struct Bundle {
    double mu, vz;
    int parts[2]; /* of the sector after the first and after the second invariant direction */
} Bundle;

static const Bundle bundles[] = {{0.8, -0.2, {9, 6}}, {0.25, -0.8, {7, 6}}};

/* The bundle being made. Direction 0, and parts[0], are on the invariant directions. */
typedef struct Bunch {
    const Bundle *bundle;
    CaromInvariant invariants[4];
    int count;
    double start[STARTS_MAX][2];
    Impact impacts[STARTS_MAX];
} Bunch;

static const char reaches[] = FIGURE_SETTING
    "Slip that does not start along an invariant direction only approaches it, and passes the "
    "origin where that direction is unstable; a program that compares with a tolerance sees them "
    "reached.";

static bool find_starts(FigureSheet *sheet, Bunch *bunch) {
    const Bundle *bundle = bunch->bundle;
    int count;
    if (carom_invariant_directions(jw_W, bundle->mu, bunch->invariants, &count, NULL) < 0 ||
        count != 2) {
        return figure_fail(sheet, "two invariant directions were expected");
    }
    for (int side = 0; side < 2; side++) {
        const double *from = bunch->invariants[side].direction;
        const double *to = bunch->invariants[1 - side].direction;
        double turn = atan2(from[0] * to[1] - from[1] * to[0], from[0] * to[0] + from[1] * to[1]);
        turn += turn < 0 ? 2 * pi : 0;
        for (int i = 0; i < bundle->parts[side]; i++) {
            double angle = turn * i / bundle->parts[side], c = cos(angle), s = sin(angle);
            double *start = bunch->start[bunch->count++];
            start[0] = c * from[0] - s * from[1];
            start[1] = s * from[0] + c * from[1];
        }
    }
    return true;
}

static bool solve_bunch(FigureSheet *sheet, Bunch *bunch) {
    for (int i = 0; i < bunch->count; i++) {
        const double v[3] = {bunch->start[i][0], bunch->start[i][1], bunch->bundle->vz};
        if (!solve_with(sheet, bunch->bundle->mu, v, &bunch->impacts[i])) {
            return false;
        }
    }
    return true;
}

/* One hodograph as points, and an empty line. */
static bool write_curve(FigureSheet *sheet, const Impact *impact, FILE *script) {
    double velocity[3 * CURVE_SAMPLES];
    CaromTrace trace = {.capacity = CURVE_SAMPLES, .velocity = velocity};
    const CaromProblem problem = problem_of(impact);
    if (carom_trace(&problem, NULL, &trace, NULL) < 0) {
        return figure_fail(sheet, "a hodograph cannot be sampled");
    }
    for (int i = 0; i < trace.count; i++) {
        fprintf(script, "%.9g %.9g\n", velocity[3 * i] + 0.0, velocity[3 * i + 1] + 0.0);
    }
    fputc('\n', script);
    return true;
}

static bool ends_at_origin(const Impact *impact) {
    return impact->velocity[0] == 0 && impact->velocity[1] == 0;
}

/* Where they start and end. */
static void write_ends(const Bunch *bunch, FILE *script) {
    fputs("$starts << END\n", script);
    for (int i = 0; i < bunch->count; i++) {
        const double *start = bunch->start[i];
        fprintf(script, "%.9g %.9g %.9g %.9g\n", start[0], start[1], 1.1 * start[0],
                1.1 * start[1]);
    }
    fputs("END\n$ends << END\n", script);
    for (int i = 0; i < bunch->count; i++) {
        const double *end = bunch->impacts[i].velocity;
        fprintf(script, "%.9g %.9g\n", end[0] + 0.0, end[1] + 0.0);
    }
    fputs("END\n", script);
}

/* Rays of the invariant directions, as long as the sheet. */
static void write_rays(const Bunch *bunch, FILE *script) {
    for (int i = 0; i < 2; i++) {
        const double *s = bunch->invariants[i].direction;
        fprintf(script, "$ray%d << END\n0 0\n%.9g %.9g\nEND\n", i, 3 * s[0], 3 * s[1]);
    }
}

/* The rays in the plot command, dashed as in the other hodographs. */
static void plot_rays(const Bunch *bunch, FILE *script) {
    bool listed = false;
    for (int i = 0; i < 2; i++) {
        bool outward = bunch->invariants[i].rate > 0;
        fprintf(script, ", $ray%d with lines lw 1.7 %s ", i,
                outward ? "lc rgb '#D55E00' dt (18,5,3,5)" : "lc rgb '#0072B2' dt (9,6)");
        fputs(outward  ? "title 'centrifugal direction'"
              : listed ? "notitle"
                       : "title 'centripetal direction'",
              script);
        listed = listed || !outward;
    }
    fputc('\n', script);
}

static bool draw_bunch(FigureSheet *sheet, const Bunch *bunch) {
    const Bundle *bundle = bunch->bundle;
    bool outward = bunch->invariants[0].rate > 0 || bunch->invariants[1].rate > 0;
    Words title =
        words_of("Jia and Wang, figure %s: %d hodographs, μ = %g, v_z = %g",
                 sheet->figure->label + strlen("Fig. "), bunch->count, bundle->mu, bundle->vz);
    FILE *script = figure_picture_begin(sheet, "", title.text, 720, 860);
    if (!script) {
        return false;
    }
    fputs("$curves << END\n", script);
    for (int i = 0; i < bunch->count; i++) {
        if (!write_curve(sheet, &bunch->impacts[i], script)) {
            return false;
        }
    }
    fputs("END\n", script);
    write_ends(bunch, script);
    write_rays(bunch, script);
    double high = outward ? 1.4 : 1.25;
    fprintf(script,
            "set lmargin at screen 0.145\nset rmargin at screen 0.955\n"
            "set bmargin at screen 0.2219\nset tmargin at screen 0.9\n"
            "set size ratio -1\nset xrange [-1.25:%g]\nset yrange [-1.25:%g]\n"
            "set xlabel 'v_x  (velocity, units of the paper)'\n"
            "set ylabel 'v_y  (velocity, units of the paper)'\n"
            "set xzeroaxis lt 8\nset yzeroaxis lt 8\n"
            "set key at screen 0.1,0.145 top left vertical Left reverse maxrows 3 spacing 1.25 "
            "samplen 4 width 3\n"
            "plot $curves with lines lw 1.8 lc rgb 'black' title 'sliding velocity', "
            "$starts with points pt 6 ps 1.3*point lw 1.5 lc rgb 'black' title 'start', "
            "$ends with points pt 7 ps 1.2*point lc rgb 'black' title 'end'",
            high, high);
    plot_rays(bunch, script);
    Words description = words_of(
        "%d hodographs that start on the unit circle in the plane of sliding velocities and %s.",
        bunch->count,
        outward ? "bend towards the centrifugal direction, where they move outwards"
                : "end at the origin or before it");
    return figure_picture_end(sheet, description.text);
}

static void add_values_6(FigureSheet *sheet, const Bunch *bunch) {
    int stuck = 0, lines = 0;
    for (int i = 0; i < bunch->count; i++) {
        stuck += ends_at_origin(&bunch->impacts[i]);
        lines += bunch->impacts[i].result.sequence[0] == 'l';
    }
    figure_count(sheet, "hodographs", "15", bunch->count, NULL, "directions ours");
    figure_count(sheet, "reach the origin and stick", "11", stuck, NULL, NULL);
    figure_count(sheet, "end before they reach it", "4", bunch->count - stuck, NULL, NULL);
    figure_count(sheet, "are straight", "2", lines, NULL, NULL);
}

/* Angle between the final velocity and the centrifugal direction. */
static double angle_left(const Bunch *bunch, const Impact *impact) {
    const CaromInvariant *rays = bunch->invariants, *ray = rays[0].rate > 0 ? rays : rays + 1;
    const double *s = ray->direction, *v = impact->velocity;
    return fabs(atan2(s[0] * v[1] - s[1] * v[0], s[0] * v[0] + s[1] * v[1]));
}

static void add_values_8(FigureSheet *sheet, const Bunch *bunch) {
    int exactly = 0, nearly = 0, stopped = 0;
    double largest = 0;
    for (int i = 0; i < bunch->count; i++) {
        const Impact *impact = &bunch->impacts[i];
        double left = angle_left(bunch, impact);
        exactly += left < 1e-12;
        nearly += left < 0.03;
        stopped += event_of(impact, CAROM_EVENT_SLIP) != NULL;
        largest = fmax(largest, left);
    }
    figure_count(sheet, "hodographs", "13", bunch->count, NULL, "directions ours");
    figure_count(sheet, "reach the centrifugal direction", "6", exactly, reaches, NULL);
    figure_count(sheet, "end within 0.03 rad of it", NULL, nearly, NULL, NULL);
    figure_count(sheet, "reach the origin", "2", stopped, reaches, NULL);
    figure_computed(sheet, "largest angle to it in the end, rad", largest, NULL);
}

bool jw_bundle(FigureSheet *sheet) {
    Bunch bunch = {.bundle = &bundles[sheet->figure->variant]};
    if (!find_starts(sheet, &bunch) || !solve_bunch(sheet, &bunch) || !draw_bunch(sheet, &bunch)) {
        return false;
    }
    (bunch.bundle == &bundles[0] ? add_values_6 : add_values_8)(sheet, &bunch);
    return true;
}
