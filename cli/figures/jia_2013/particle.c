/* Fig. 5 of [J]: a particle hits a table head-on, and the energy stored at the contact over the
 * impulse, (11): E = -v0 I - I^2/(2 m) in compression, less (1 - e^2) m v0^2/2 in restitution. No
 * numbers are printed; m = 1, v0 = -1 and e = 0.7 are ours. */
#include "figures/jia_2013/particle.h"

#include <math.h>

#include <carom/carom.h>

#include "base/words.h"
#include "figures/sheet_picture.h"

enum { SAMPLES = 801 };
#define RESTITUTION 0.7

/* The process of the impact. */
typedef struct Run {
    double I[SAMPLES], E[SAMPLES], impulse[3];
    CaromEvent events[CAROM_RIGID_EVENTS];
    CaromResult result;
} Run;

static bool solve(FigureSheet *sheet, Run *run) {
    static const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, v[3] = {0, 0, -1};
    CaromContact contact = carom_contact_default();
    contact.e = RESTITUTION;
    const CaromProblem problem = {.model = CAROM_MODEL_RIGID,
                                  .contact_count = 1,
                                  .inverse_inertia = W,
                                  .velocity = v,
                                  .contacts = &contact};
    CaromTrace trace = {.capacity = SAMPLES, .clock = run->I, .stored = run->E};
    run->result = (CaromResult){
        .impulse = run->impulse, .events = run->events, .event_capacity = CAROM_RIGID_EVENTS};
    return carom_trace(&problem, NULL, &trace, &run->result) >= 0 ||
           figure_fail(sheet, "%s", run->result.message);
}

/* Formula (11). */
static double formula(double I) {
    return I - I * I / 2 - (I > 1 ? (1 - RESTITUTION * RESTITUTION) / 2 : 0);
}

static bool draw(FigureSheet *sheet, const Run *run) {
    FILE *script =
        figure_picture_begin(sheet, "", "Stored energy of a head-on impact, e = 0.7", 780, 520);
    if (!script) {
        return false;
    }
    const char *const names[2] = {"compression", "restitution"};
    for (int phase = 0; phase < 2; phase++) {
        fprintf(script, "$%s << END\n", names[phase]);
        for (int i = 0; i < SAMPLES; i++) {
            if ((run->I[i] > 1) == phase) {
                fprintf(script, "%.9g %.9g\n", run->I[i], run->E[i]);
            }
        }
        fputs("END\n", script);
    }
    double left = RESTITUTION * RESTITUTION / 2;
    fprintf(script,
            "set xlabel 'I  (impulse, units of -m v_0)'\n"
            "set ylabel 'E  (stored energy, units of m v_0^2)'\n"
            "set xrange [0:2.05]\nset yrange [0:0.56]\nset key top right Left reverse\n"
            "set arrow from 1,0.5 to 1,%.9g lw 1.6 dt (4,3) lc rgb '#D55E00'\n"
            "set label 'lost: (1 - e^2) m v_0^2/2' at 1.03,%.9g left\n"
            "plot $compression with lines lt 1 lw 2.6 title 'compression', $restitution with lines "
            "lt 2 lw 2.6 title 'restitution', x-x*x/2 with lines lt 8 title 'without loss'\n",
            left, (0.5 + left) / 2);
    return figure_picture_end(sheet, "The stored energy rises along a parabola to its maximum, "
                                     "drops at the end of compression, and falls along the same "
                                     "parabola, lower by the loss, to zero.");
}

/* Printed as a formula, whose value stands for the printed number. */
static void list_formula(FigureSheet *sheet, const char *name, double printed, double computed,
                         const char *note) {
    figure_value(sheet, name, words_of("%.9f", printed).text, computed, NULL, note);
}

bool j_figure_5(FigureSheet *sheet) {
    Run run;
    if (!solve(sheet, &run) || !draw(sheet, &run)) {
        return false;
    }
    double off = 0, lost = (1 - RESTITUTION * RESTITUTION) / 2;
    const CaromEvent *end = run.events;
    while (end->kind != CAROM_EVENT_COMPRESSION_END) {
        end++;
    }
    for (int i = 0; i < SAMPLES; i++) {
        off = fmax(off, fabs(run.E[i] - formula(run.I[i])));
    }
    list_formula(sheet, "impulse at the end of compression", 1, end->normal_impulse, "-m v0");
    list_formula(sheet, "largest energy", 0.5, end->stored, "m v0²/2");
    list_formula(sheet, "energy lost", lost, run.result.energy.normal_loss, "(1 - e²) m v0²/2");
    list_formula(sheet, "total impulse", 1 + RESTITUTION, run.impulse[2], "-m v0 (1 + e)");
    list_formula(sheet, "largest difference from (11)", 0, off,
                 words_of("%d samples", SAMPLES).text);
    return true;
}
