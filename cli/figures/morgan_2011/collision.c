/* Figures 2.2 to 2.7 and 2.9 of [M]: a collision in the plane of the generalised speeds, with
 * the lines on which the tip does not slide (vt = 0) and does not approach (vn = 0). */
#include "figures/morgan_2011/collision.h"

#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "figures/morgan_2011/pendulum.h"
#include "figures/sheet_picture.h"

/* The part of the collision that a figure shows. */
typedef enum Stage { VECTORS, LINE, BEND, CORRECTED, WHOLE } Stage;

typedef struct View {
    Stage stage;
    const double *u;                 /* before */
    const char *order;               /* printed order of figure 2.8; NULL: none */
    double left, right, bottom, top; /* ranges of u1 and u2 */
    const char *description;         /* the picture in words */
} View;

static const double ends_early[2] = {-2.2, -1.4}, leads_away[2] = {1.5, -2.5};

static const View views[] = {
    {VECTORS, m_example, NULL, -1, 1, -2.5, 1.9,
     "From the speeds before the impact the vectors Ln and μ Lt add up to L, which points towards "
     "the lines vt = 0 and vn = 0."},
    {LINE, m_example, NULL, -1, 1, -2.5, 1.9,
     "The straight line along L crosses vt = 0, and farther on vn = 0."},
    {BEND, m_example, NULL, -1, 1, -2.5, 1.9,
     "The path bends at vt = 0, where the part of friction changes its sign."},
    {CORRECTED, m_example, NULL, -1, 1, -2.5, 1.9,
     "The bent path crosses vn = 0 to the left of where the straight line would have."},
    {WHOLE, m_example, "a-b-e", -1, 1, -2.5, 1.9,
     "The path from the start over vt = 0 and vn = 0 to the end of the impact."},
    {WHOLE, ends_early, "a-c-e", -2.8, 0.8, -2, 4,
     "A straight path that crosses vn = 0 and ends before vt = 0."},
    {WHOLE, leads_away, "a-c-e", -1, 2, -3, 2,
     "A straight path that leads away from vt = 0 and crosses vn = 0."}};

/* A picture that is being drawn. */
typedef struct Plane {
    const View *view;
    MImpact impact;
    double sign;  /* of the first friction: +1 to the right, as the tip slides to the left */
    double naive; /* normal impulse at which the first line meets vn = 0 */
    const CaromEvent *pause, *compressed, *end; /* pause may be NULL */
    FILE *script;
} Plane;

/* Speeds after the normal impulse n on the first line. */
static void on_first_line(const Plane *plane, double n, double u[2]) {
    m_speeds(&plane->impact, plane->sign * M_MU * n, n, u);
}

/* Speeds at an event. */
static void at_event(const Plane *plane, const CaromEvent *event, double u[2]) {
    m_speeds(&plane->impact, event->impulse[0], event->impulse[2], u);
}

static void write_vector(const Plane *plane, const double from[2], const double to[2],
                         const char *style) {
    fprintf(plane->script,
            "set arrow from %.9g,%.9g to %.9g,%.9g head filled size screen 0.022,17 fixed front "
            "lw 2.2 %s\n",
            from[0], from[1], to[0], to[1], style);
}

static void write_label(const Plane *plane, double x, double y, const char *text,
                        const char *place) {
    fprintf(plane->script, "set label '%s' at %.9g,%.9g %s front\n", text, x, y, place);
}

/* A point and its label. */
static void write_point(const Plane *plane, const double u[2], const char *text, const char *style,
                        const char *place) {
    fprintf(plane->script,
            "set label '' at %.9g,%.9g point %s lc rgb 'black' front\n"
            "set label '%s' at %.9g,%.9g %s front\n",
            u[0], u[1], style, text, u[0], u[1], place);
}

/* The vectors Ln and sign mu Lt, times size, from the speeds after the impulse (t, n), and their
 * sum. */
static void write_vectors(const Plane *plane, double t, double n, double sign, double size) {
    double from[2], normal[2], both[2];
    m_speeds(&plane->impact, t, n, from);
    m_speeds(&plane->impact, t, n + size, normal);
    m_speeds(&plane->impact, t + sign * M_MU * size, n + size, both);
    write_vector(plane, from, normal, "lc rgb '#009E73' dt (12,4,2,4)");
    write_vector(plane, normal, both, "lc rgb '#D55E00' dt (9,4)");
    write_vector(plane, from, both, "lc rgb '#0072B2'");
    bool right = both[0] > normal[0];
    write_label(plane, (from[0] + normal[0]) / 2, (from[1] + normal[1]) / 2, "L_n",
                right ? "right offset -0.8,0" : "left offset 0.8,0");
    write_label(plane, (normal[0] + both[0]) / 2, (normal[1] + both[1]) / 2,
                sign > 0 ? "μ L_t" : "-μ L_t", "center offset 0,1");
    write_label(plane, (from[0] + both[0]) / 2, (from[1] + both[1]) / 2, "L",
                right ? "left offset 1,0" : "right offset -1,0");
}

/* The lines vt = 0 and vn = 0, named where they leave the picture. */
static void write_lines(const Plane *plane) {
    static const char *const names[2] = {"v_t = 0", "v_n = 0"};
    const double *J = plane->impact.J;
    const View *view = plane->view;
    fprintf(plane->script,
            "set xrange [%g:%g]\nset yrange [%g:%g]\nset xlabel 'u_1  (rad/s)'\n"
            "set ylabel 'u_2  (rad/s)'\nset xzeroaxis lt 8\nset yzeroaxis lt 8\n",
            view->left, view->right, view->bottom, view->top);
    for (int i = 0; i < 2; i++) {
        double slope = -J[2 * i] / J[2 * i + 1];
        fprintf(plane->script, "line%d(x) = %.9g*x\n", i, slope);
        /* near the left edge, or the upper one */
        double at = view->left + 0.09 * (view->right - view->left);
        double top = view->top - 0.06 * (view->top - view->bottom);
        bool steep = slope * at > top;
        write_label(plane, steep ? top / slope : at, steep ? top : slope * at, names[i],
                    steep ? "right offset -0.8,0" : "center offset 0,0.9");
    }
}

/* The path up to the stage. */
static void write_path(const Plane *plane) {
    double u[2];
    Stage stage = plane->view->stage;
    double beyond = stage < CORRECTED ? 1.3 : 1;
    fprintf(plane->script, "$path << END\n%.9g %.9g\n", plane->impact.u[0], plane->impact.u[1]);
    if (stage >= BEND && plane->pause) {
        at_event(plane, plane->pause, u);
        fprintf(plane->script, "%.9g %.9g\n", u[0], u[1]);
    }
    if (stage >= CORRECTED) {
        at_event(plane, plane->compressed, u);
        fprintf(plane->script, "%.9g %.9g\n", u[0], u[1]);
    }
    if (stage == WHOLE) {
        at_event(plane, plane->end, u);
        fprintf(plane->script, "%.9g %.9g\n", u[0], u[1]);
    }
    fputs("END\n$first << END\n", plane->script);
    for (int i = 0; i < 2; i++) {
        on_first_line(plane, i == 0 ? 0 : beyond * plane->naive, u);
        fprintf(plane->script, "%.9g %.9g\n", u[0], u[1]);
    }
    fputs("END\n", plane->script);
}

static void write_points(const Plane *plane) {
    double u[2];
    Stage stage = plane->view->stage;
    write_point(plane, plane->impact.u, "before", "pt 6 ps 1.7*point lw 2", "left offset 1.2,-0.3");
    if (stage >= LINE && plane->pause) {
        at_event(plane, plane->pause, u);
        write_point(plane, u, stage == LINE ? "1st: v_t = 0" : "friction reverses",
                    "pt 5 ps 1.5*point", "left offset 1.2,0.3");
    }
    if (stage == LINE || stage == CORRECTED) {
        on_first_line(plane, plane->naive, u);
        write_point(plane, u, stage == LINE ? "2nd: v_n = 0" : "no longer valid",
                    "pt 8 ps 1.7*point lw 2",
                    stage == LINE ? "left offset 1.2,1.1" : "left offset 0.8,-1.5");
    }
    if (stage >= CORRECTED) {
        at_event(plane, plane->compressed, u);
        write_point(plane, u, "compression ends", "pt 9 ps 1.8*point", "left offset 1,0.8");
    }
    if (stage == WHOLE) {
        at_event(plane, plane->end, u);
        write_point(plane, u, "after", "pt 7 ps 1.5*point", "left offset 1.2,0.3");
    }
}

static bool draw(FigureSheet *sheet, Plane *plane) {
    const View *view = plane->view;
    Words title = words_of("Morgan, figure %s: m = %.4f, μ = %g, e = %g",
                           sheet->figure->label + strlen("Figure "), plane->impact.m, M_MU, M_E);
    plane->script = figure_picture_begin(sheet, "", title.text, 720, 640);
    if (!plane->script) {
        return false;
    }
    fputs("unset key\n", plane->script);
    write_lines(plane);
    write_path(plane);
    if (view->stage == VECTORS) {
        write_vectors(plane, 0, 0, plane->sign, 0.6 * plane->naive);
    } else if (view->stage == BEND) {
        const double *I = plane->pause->impulse;
        write_vectors(plane, I[0], I[2], -plane->sign, 0.6 * plane->naive);
    }
    write_points(plane);
    fprintf(plane->script,
            "plot line0(x) with lines lt 4, line1(x) with lines lt 5, "
            "$first with lines lt 8 lw %s dt (4,4), $path with lines lt 7 lw 2.6\n",
            view->stage == LINE ? "2" : "1.2");
    return figure_picture_end(sheet, view->description);
}

/* The values that the stage adds. */
static void add_values(FigureSheet *sheet, const Plane *plane) {
    const MImpact *impact = &plane->impact;
    Stage stage = plane->view->stage;
    double u[2];
    if (stage == VECTORS || stage == WHOLE) {
        figure_computed(sheet, "u1 before", impact->u[0], "ours");
        figure_computed(sheet, "u2 before", impact->u[1], "ours");
    }
    if (stage == BEND) {
        figure_computed(sheet, "m of (3.1)", impact->m, NULL);
    }
    if (plane->pause && (stage == LINE || stage == WHOLE)) {
        figure_computed(sheet, "pn at vt = 0", plane->pause->normal_impulse, NULL);
    }
    if (stage == LINE) {
        figure_computed(sheet, "pn at vn = 0 on the first line", plane->naive, NULL);
    }
    if (stage >= CORRECTED) {
        figure_computed(sheet, "pn at vn = 0", plane->compressed->normal_impulse, NULL);
    }
    if (stage == WHOLE) {
        m_speeds(impact, impact->impulse[0], impact->impulse[1], u);
        figure_computed(sheet, "pn at the end", impact->impulse[1], NULL);
        figure_computed(sheet, "u1 after", u[0], NULL);
        figure_computed(sheet, "u2 after", u[1], NULL);
        figure_words(sheet, "way through figure 2.8", plane->view->order,
                     carom_planar_order(impact->result.sequence), NULL, NULL);
    }
}

bool m_plane(FigureSheet *sheet) {
    Plane plane = {.view = &views[sheet->figure->variant]};
    if (!m_solve(sheet, plane.view->u, &plane.impact)) {
        return false;
    }
    const MImpact *impact = &plane.impact;
    plane.sign = impact->v[0] < 0 ? 1 : -1;
    plane.naive = -impact->v[1] / (impact->W[3] + plane.sign * M_MU * impact->W[1]); /* (3.3) */
    plane.pause = m_tangential_pause(impact);
    plane.compressed = m_event(impact, CAROM_EVENT_COMPRESSION_END);
    plane.end = m_event(impact, CAROM_EVENT_RESTITUTION_END);
    if (!plane.compressed || !plane.end || (plane.view->stage < WHOLE && !plane.pause)) {
        return figure_fail(sheet, "an event of the collision is missing");
    }
    if (!draw(sheet, &plane)) {
        return false;
    }
    add_values(sheet, &plane);
    return true;
}

/* Figure 2.6: the change of kinetic energy by the normal impulse and by friction. E = I.(v-
 * + v)/2 for any path; -En = -int v_n dp is the energy stored at the contact plus that lost at the
 * end of compression. */

enum { SAMPLES = 401 };

typedef struct Course {
    double p[SAMPLES], normal[SAMPLES], friction[SAMPLES];
} Course;

/* E, En and Ef at the samples; lost is the normal energy lost at p = compressed. */
static bool find_course(FigureSheet *sheet, const MImpact *impact, double compressed, double lost,
                        Course *course) {
    double impulse[2 * SAMPLES], velocity[2 * SAMPLES], stored[SAMPLES];
    CaromTrace trace = {.capacity = SAMPLES,
                        .clock = course->p,
                        .impulse = impulse,
                        .velocity = velocity,
                        .stored = stored};
    const CaromProblem problem = {.model = CAROM_MODEL_RIGID,
                                  .law = CAROM_LAW_ENERGETIC,
                                  .contact_count = 1,
                                  .inverse_inertia = impact->W,
                                  .velocity = impact->v,
                                  .contacts = &impact->contact,
                                  .planar = 1};
    if (carom_trace(&problem, NULL, &trace, NULL) < 0) {
        return figure_fail(sheet, "the collision cannot be sampled");
    }
    for (int i = 0; i < SAMPLES; i++) {
        const double *I = &impulse[2 * i], *v = &velocity[2 * i], *before = impact->v;
        double all = (I[0] * (before[0] + v[0]) + I[1] * (before[1] + v[1])) / 2;
        course->normal[i] = -stored[i] - (course->p[i] > compressed ? lost : 0);
        course->friction[i] = all - course->normal[i];
    }
    return true;
}

static bool draw_energy(FigureSheet *sheet, const Course *course, double compressed, double least) {
    FILE *script = figure_picture_begin(
        sheet, "", "Morgan, figure 2.6: energy during the collision", 720, 560);
    if (!script) {
        return false;
    }
    fputs("$course << END\n", script);
    for (int i = 0; i < SAMPLES; i++) {
        fprintf(script, "%.9g %.9g %.9g\n", course->p[i], course->normal[i], course->friction[i]);
    }
    double end = course->p[SAMPLES - 1], stop = course->normal[SAMPLES - 1];
    fprintf(script,
            "END\nset xrange [0:%.9g]\nset yrange [*:0.08]\n"
            "set xlabel 'p_n, normal impulse  (N s)'\n"
            "set ylabel 'change of kinetic energy  (J)'\nset key bottom left Left reverse spacing "
            "1.3\n"
            "set arrow from %.9g, graph 0 to %.9g, graph 1 nohead lt 8 dt (4,4)\n"
            "set label 'v_n = 0' at %.9g, graph 0.94 left offset 0.8,0\n"
            "set arrow from 0,%.9g to %.9g,%.9g nohead lt 8 dt (2,4)\n"
            "set label '(1 - e^2) min E_n' at %.9g,%.9g left offset 0,0.8\n"
            "set label '' at %.9g,%.9g point pt 9 ps 1.8*point lc rgb 'black' front\n"
            "set label '' at %.9g,%.9g point pt 7 ps 1.5*point lc rgb 'black' front\n"
            "plot $course using 1:2 with lines lt 3 title 'E_n: normal', "
            "'' using 1:3 with lines lt 2 title 'E_f: friction', "
            "'' using 1:($2 + $3) with lines lt 7 lw 2.4 title 'E = E_n + E_f'\n",
            1.02 * end, compressed, compressed, compressed, stop, end, stop, 0.62 * end, stop,
            compressed, least, end, stop);
    return figure_picture_end(sheet, "En falls until vn = 0 and rises again to its stopping value; "
                                     "Ef falls all the time; E is their sum.");
}

static bool make_energy(FigureSheet *sheet, Course *course) {
    MImpact impact;
    if (!m_solve(sheet, m_example, &impact)) {
        return false;
    }
    const CaromEvent *event = m_event(&impact, CAROM_EVENT_COMPRESSION_END);
    const CaromEnergy *energy = &impact.result.energy;
    if (!event) {
        return figure_fail(sheet, "compression does not end");
    }
    if (!find_course(sheet, &impact, event->normal_impulse, energy->normal_loss, course) ||
        !draw_energy(sheet, course, event->normal_impulse, -event->stored)) {
        return false;
    }
    figure_computed(sheet, "least En, J", -event->stored, NULL);
    figure_computed(sheet, "En at the end, J", -energy->normal_loss, NULL);
    figure_computed(sheet, "Ef at the end, J", -energy->friction_loss, NULL);
    figure_computed(sheet, "E at the end, J", energy->change, NULL);
    return true;
}

bool m_energy(FigureSheet *sheet) {
    Course *course = malloc(sizeof *course);
    if (!course) {
        return figure_fail(sheet, "out of memory");
    }
    bool good = make_energy(sheet, course);
    free(course);
    return good;
}
