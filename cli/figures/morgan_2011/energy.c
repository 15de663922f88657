/* Figure 2.6 of [M]: the change of kinetic energy by the normal impulse and by friction. E = I.(v-
 * + v)/2 for any path; -En = -int v_n dp is the energy stored at the contact plus that lost at the
 * end of compression. */
#include "figures/morgan_2011/energy.h"

#include <stdlib.h>

#include "figures/morgan_2011/pendulum.h"
#include "figures/sheet_picture.h"

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
    const CaromProblem problem = {.model = CAROM_RIGID,
                                  .law = CAROM_ENERGETIC,
                                  .contact_count = 1,
                                  .inverse_inertia = impact->W,
                                  .velocity = impact->v,
                                  .contacts = &impact->contact,
                                  .planar = 1};
    if (carom_trace(&problem, &trace, NULL) < 0) {
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

static bool draw(FigureSheet *sheet, const Course *course, double compressed, double least) {
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

static bool make(FigureSheet *sheet, Course *course) {
    MImpact impact;
    if (!m_solve(sheet, m_example, &impact)) {
        return false;
    }
    const CaromEvent *event = m_event(&impact, CAROM_COMPRESSION_END);
    const CaromEnergy *energy = &impact.result.energy;
    if (!event) {
        return figure_fail(sheet, "compression does not end");
    }
    if (!find_course(sheet, &impact, event->normal_impulse, energy->normal_loss, course) ||
        !draw(sheet, course, event->normal_impulse, -event->stored)) {
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
    bool good = make(sheet, course);
    free(course);
    return good;
}
