/* Figs. 4, 7 and 10 of [JW]: single hodographs and their sequences of events; and Fig. 5: the
 * impulse curve of Fig. 4(a). */
#include "figures/jia_wang_2017/hodograph.h"

#include <math.h>
#include <stdlib.h>

#include "base/words.h"
#include "figures/jia_wang_2017/icosahedron.h"
#include "figures/sheet_picture.h"

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

static const char straight[] =
    "Slip becomes straight (event l) exactly only if it starts along an invariant direction; a "
    "program that compares directions with a tolerance reports it somewhere on the way.";
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
static bool add_least_speed(FigureSheet *sheet, const JwImpact *impact) {
    const double turn = 2 * 3.14159265358979323846, *v = impact->v, *after = impact->velocity;
    double from = atan2(v[1], v[0]), to = atan2(after[1], after[0]), mu = impact->contact.mu;
    double along, across, least;
    slip_rates(mu, from, &along, &across);
    to += across > 0 && to < from ? turn : across < 0 && to > from ? -turn : 0;
    for (int i = 0; i < 60; i++) {
        double middle = (from + to) / 2;
        slip_rates(mu, middle, &along, &across);
        *(along < 0 ? &from : &to) = middle;
    }
    if (carom_hodograph_speed(jw_W, mu, v, from, &least) < 0) {
        return figure_fail(sheet, "the least sliding speed is not between start and end");
    }
    figure_value(sheet, "least sliding speed", "0.000", least, passes, "printed: zero");
    return true;
}

static bool add_directions(FigureSheet *sheet, const Instance *instance) {
    CaromInvariant invariants[4];
    int count, outward = 0;
    if (carom_invariant_directions(jw_W, instance->mu, invariants, &count) < 0) {
        return figure_fail(sheet, "the invariant directions cannot be found");
    }
    for (int i = 0; i < count; i++) {
        outward += invariants[i].rate > 0;
    }
    figure_count(sheet, "centripetal directions", instance->inward, count - outward, NULL, NULL);
    figure_count(sheet, "centrifugal directions", instance->outward, outward, NULL, NULL);
    return true;
}

static void add_events(FigureSheet *sheet, const JwImpact *impact) {
    const CaromEvent *compressed = jw_event(impact, CAROM_COMPRESSION_END);
    const CaromEvent *stuck = jw_event(impact, CAROM_STICK);
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
    JwImpact frictionless;
    if (!jw_solve(sheet, 0, jw_v, &frictionless)) {
        return false;
    }
    figure_group(sheet, "The same without friction (section 2.4)");
    figure_value(sheet, "Iz without friction", "0.058", frictionless.impulse[2], NULL, NULL);
    return true;
}

static bool add_values(FigureSheet *sheet, const Instance *instance, const JwImpact *impact) {
    static const char *const names[3] = {"Ix", "Iy", "Iz"};
    bool original = instance == &instances[0];
    figure_words(sheet, "sequence", instance->sequence, impact->result.sequence, instance->erratum,
                 NULL);
    for (int i = 0; i < 3; i++) {
        figure_value(sheet, names[i], original ? printed_impulse[i] : NULL, impact->impulse[i],
                     NULL, NULL);
    }
    add_events(sheet, impact);
    return add_directions(sheet, instance) &&
           (instance->erratum != passes || add_least_speed(sheet, impact)) &&
           (!original || add_figure_3(sheet, impact->impulse));
}

/* Half the side of the window around the origin. */
#define NEAR 0.02

static bool write_near(FigureSheet *sheet, const JwImpact *impact, FILE *script) {
    enum { SAMPLES = 100001 };
    double *velocity = malloc(sizeof(double) * 3 * SAMPLES);
    CaromTrace trace = {.capacity = SAMPLES, .velocity = velocity};
    const CaromProblem problem = jw_problem(impact);
    if (!velocity || carom_trace(&problem, &trace, NULL) < 0) {
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
    carom_invariant_directions(jw_W, instance->mu, rays, &count);
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
static bool draw_near(FigureSheet *sheet, const Instance *instance, const JwImpact *impact) {
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
    JwImpact impact;
    for (int i = 0; i < 3; i++) {
        v[i] = jw_v[i] + instance->V1[i] - V1[i];
    }
    if (!jw_solve(sheet, instance->mu, v, &impact)) {
        return false;
    }
    Words description = words_of(
        "Hodograph: the sliding velocity goes from (%.4g, %.4g) to (%.4g, %.4g); sequence %s. "
        "The invariant directions are rays from the origin.",
        v[0], v[1], impact.velocity[0] + 0.0, impact.velocity[1] + 0.0, impact.result.sequence);
    return jw_draw(sheet, &impact, "hodograph", description.text) &&
           (instance->erratum != passes || draw_near(sheet, instance, &impact)) &&
           add_values(sheet, instance, &impact);
}

/* The impulse at an event, which must be there. */
static bool add_event(FigureSheet *sheet, const JwImpact *impact, CaromEventKind kind,
                      const char *const names[3]) {
    const CaromEvent *event = jw_event(impact, kind);
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
    JwImpact impact;
    if (!jw_solve(sheet, 0.8, jw_v, &impact) ||
        !jw_draw(sheet, &impact, "impulse",
                 "The impulse grows from 0, crosses the plane of compression, reaches the line of "
                 "sticking and follows it to the end.") ||
        !add_event(sheet, &impact, CAROM_COMPRESSION_END, c) ||
        !add_event(sheet, &impact, CAROM_STICK, s)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        figure_value(sheet, r[i], printed_impulse[i], impact.impulse[i], NULL, NULL);
    }
    return true;
}
