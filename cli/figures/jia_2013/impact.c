/* Figs. 11 and 12 of [J]: one impact of the ball, in detail.
 *
 * In slip friction limits the length of the tangential spring, so its rate follows from the normal
 * velocity: x' = s mu (k/k_t) v_n, with s the sign of its force; in stick x' is the tangential
 * velocity. Its length, scaled by sqrt(2 k0), is 2 eta0 sqrt(E_t). */
#include "figures/jia_2013/impact.h"

#include <math.h>

#include "figures/jia_2013/ball.h"
#include "figures/sheet_picture.h"

enum { SAMPLES = 1501 };

/* The impact of section 8.1.1: exact and sampled, and as printed. */
typedef struct Run {
    double p[SAMPLES], I[3 * SAMPLES], v[3 * SAMPLES], tangential[SAMPLES];
    CaromMode mode[SAMPLES];
    JImpact exact, printed;
    JBall after, after_printed;
} Run;

/* Indices of the events of both impacts. */
enum { STICKS, COMPRESSED, SLIPS, ENDS, EVENTS };

static bool solve(FigureSheet *sheet, Run *run) {
    static const CaromEventKind kinds[EVENTS] = {
        [STICKS] = CAROM_EVENT_STICK,
        [COMPRESSED] = CAROM_EVENT_COMPRESSION_END,
        [SLIPS] = CAROM_EVENT_SLIP,
        [ENDS] = CAROM_EVENT_RESTITUTION_END,
    };
    CaromTrace trace = {.capacity = SAMPLES,
                        .clock = run->p,
                        .impulse = run->I,
                        .velocity = run->v,
                        .tangential = run->tangential,
                        .mode = run->mode};
    if (!j_bounce(sheet, &j_thrown, &j_rubber, J_COULOMB, &run->after, NULL) ||
        !j_trace(sheet, &j_thrown, &j_rubber, &trace, &run->exact) ||
        !j_bounce(sheet, &j_thrown, &j_rubber, J_PRINTED, &run->after_printed, &run->printed)) {
        return false;
    }
    for (int i = 0; i < EVENTS; i++) {
        if (run->exact.result.event_count != EVENTS || run->exact.events[i].kind != kinds[i] ||
            run->printed.result.event_count != EVENTS || run->printed.events[i].kind != kinds[i]) {
            return figure_fail(sheet, "the impact has another course than is drawn");
        }
    }
    return true;
}

/* ---- figure 11 ---- */

static void draw_impulse(const Run *run, FILE *script) {
    const CaromEvent *at = run->exact.events;
    const double *I = run->printed.I;
    fputs("$curve << END\n", script);
    for (int i = 0; i < SAMPLES; i++) {
        fprintf(script, "%.9g %.9g\n", run->I[3 * i], run->p[i]);
    }
    fputs("END\n$marks << END\n", script);
    for (int i = 0; i < EVENTS; i++) {
        fprintf(script, "%.9g %.9g %d\n", at[i].impulse[0], at[i].normal_impulse, i);
    }
    /* both are the same until slip, and slip in restitution is straight */
    fprintf(script, "END\n$printed << END\n%.9g %.9g\n%.9g %.9g\nEND\n", at[SLIPS].impulse[0],
            at[SLIPS].normal_impulse, I[0], I[2]);
    fputs(
        "curves = \"$curve with lines lt 1 lw 2.6 title 'friction μ, exact', $printed with lines "
        "lt 2 title 'friction eμ, as printed', $marks using 1:($3==0||$3==2 ? $2 : "
        "NaN) with points pt 7 ps 1.5*point lc rgb '#009E73' title 'stick begins, ends', '' using "
        "1:($3==1 ? $2 : NaN) with points pt 9 ps 1.8*point lc rgb '#0072B2' title 'compression "
        "ends', '' using 1:($3==3 ? $2 : NaN) with points pt 5 ps 1.4*point lc rgb '#000000' title "
        "'restitution ends'\"\n",
        script);
    fputs("set multiplot layout 1,2 title picture_title margins 0.06,0.98,0.14,0.76 spacing "
          "0.09,0.1\n"
          "set xlabel 'I_x'\nset ylabel 'I_z'\n"
          "set key at screen 0.54,0.93 center top Left reverse samplen 3 maxrows 2\n"
          "set title 'all of it' enhanced\nset xrange [0:2.5]\nset yrange [0:8]\n"
          "set label 'slips' at 0.36,0.62\nset label 'sticks' at 0.75,3.4\n"
          "set label 'slips back' at 1.68,7.55\nset label 'I_x = μI_z' at 2.02,4.6\n"
          "eval 'plot x/0.4 with lines lt 8 dt (6,4) notitle, '.curves\n"
          "unset key\nunset label\nset title 'the end of it, magnified' enhanced\n"
          "set xrange [1.48:1.74]\nset yrange [6.9:7.6]\nset xtics 0.05\n"
          "eval 'plot '.curves\nunset multiplot\n",
          script);
}

static void list_impulse(FigureSheet *sheet, const Run *run) {
    const CaromEvent *at = run->exact.events;
    figure_group(sheet, "I_z at the events");
    figure_value(sheet, "slip ends", "0.62485", at[STICKS].normal_impulse, J_EULER, NULL);
    figure_value(sheet, "compression ends", "5", at[COMPRESSED].normal_impulse, NULL, NULL);
    figure_value(sheet, "slip back begins", "7.36575", at[SLIPS].normal_impulse, J_EULER, NULL);
    figure_value(sheet, "restitution ends", "7.5", at[ENDS].normal_impulse, NULL, NULL);
    figure_group(sheet, "After the impact: friction μ, exact");
    figure_value(sheet, "V_x", "0.570982", run->after.V[0], J_FRICTION, NULL);
    figure_value(sheet, "V_z", "2.5", run->after.V[2], NULL, NULL);
    figure_value(sheet, "ω_y", "-1.92746", run->after.omega[1], J_FRICTION, NULL);
    figure_group(sheet, "After the impact: friction eμ in restitution, as was printed");
    figure_value(sheet, "V_x", "0.570982", run->after_printed.V[0], NULL, NULL);
    figure_value(sheet, "V_z", "2.5", run->after_printed.V[2], NULL, NULL);
    figure_value(sheet, "ω_y", "-1.92746", run->after_printed.omega[1], NULL, NULL);
}

static void list_energies(FigureSheet *sheet, const Run *run) {
    static const JBall printed = {{0.570982, 0, 2.5}, {0, -1.92746, 0}};
    figure_group(sheet, "Kinetic energy");
    figure_value(sheet, "before", "13.4", j_energy(&j_thrown), J_HALF, NULL);
    figure_value(sheet, "before, rotation by half", "13.4", j_energy_by_half(&j_thrown), NULL,
                 NULL);
    figure_value(sheet, "after", "3.65997", j_energy(&run->after),
                 "The printed energy counts the rotation by half, and the printed velocities have "
                 "friction eμ in restitution.",
                 NULL);
    figure_value(
        sheet, "after, from the printed velocities, rotation by half", "3.65997",
        j_energy_by_half(&printed),
        FIGURE_STEPS
        "It would take V_z = 2.50018; 2.5 is printed, and the scheme overshoots the end by "
        "1e-4 to 2e-4.",
        NULL);
    figure_value(sheet, "lost in the normal direction", "9.375",
                 run->exact.result.energy.normal_loss, NULL, NULL);
    figure_computed(sheet, "lost to friction", run->exact.result.energy.friction_loss, NULL);
}

bool j_figure_11(FigureSheet *sheet) {
    Run run;
    FILE *script = solve(sheet, &run)
                       ? figure_picture_begin(sheet, "", "Impulse on the ball", 900, 500)
                       : NULL;
    if (!script) {
        return false;
    }
    draw_impulse(&run, script);
    if (!figure_picture_end(sheet, "The impulse in the x-z plane: it leaves the origin along the "
                                   "friction cone, bends steeply upwards while the contact "
                                   "sticks, and bends back just before the end.")) {
        return false;
    }
    list_impulse(sheet, &run);
    list_energies(sheet, &run);
    return true;
}

/* ---- figure 12 ---- */

/* Rate of the spring at sample i. */
static double spring_rate(const Run *run, int i) {
    const double *v = &run->v[3 * i];
    double ratio = j_rubber.eta * j_rubber.eta;
    if (run->mode[i] == CAROM_MODE_STICK) {
        return v[0];
    }
    return v[2] < 0 ? j_rubber.mu * ratio * v[2]
                    : -j_rubber.mu * ratio / (j_rubber.e * j_rubber.e) * v[2];
}

/* Length of the spring times sqrt(2 k0); the force opposes it and is the growth of the impulse. */
static void write_spring(const Run *run, FILE *script) {
    fputs("$spring << END\n", script);
    for (int i = 0; i < SAMPLES; i++) {
        double grown = run->I[3 * (i > 0 ? i : 1)] - run->I[3 * (i > 0 ? i - 1 : 0)];
        double length = 2 * j_rubber.eta * sqrt(run->tangential[i]);
        fprintf(script, "%.9g %.9g\n", run->p[i], -copysign(length, grown));
    }
    fputs("END\n", script);
}

static void write_rates(const Run *run, FILE *script) {
    fputs("$rate << END\n", script);
    for (int i = 0; i < SAMPLES; i++) {
        if (i > 0 && run->mode[i] == CAROM_MODE_SLIP && run->mode[i - 1] == CAROM_MODE_STICK) {
            fputc('\n', script); /* a jump */
        }
        fprintf(script, "%.9g %.9g %.9g\n", run->p[i], run->v[3 * i], spring_rate(run, i));
    }
    const CaromEvent *at = &run->printed.events[SLIPS], *end = &run->printed.events[ENDS];
    double factor = -j_rubber.mu * j_rubber.eta * j_rubber.eta / j_rubber.e;
    fprintf(script, "END\n$printed << END\n%.9g %.9g %.9g\n%.9g %.9g %.9g\nEND\n",
            at->normal_impulse, at->velocity[0], factor * at->velocity[2], end->normal_impulse,
            end->velocity[0], factor * end->velocity[2]);
}

static void draw_evolution(const Run *run, FILE *script) {
    const CaromEvent *at = run->exact.events;
    write_rates(run, script);
    write_spring(run, script);
    fputs("set multiplot layout 1,3 title picture_title margins 0.06,0.985,0.15,0.75 spacing "
          "0.065,0.1\n"
          "set xrange [0:8]\nset xtics 2\nset xlabel 'I_z' offset 0,0.3\nset xzeroaxis lt 8\n"
          "set key at screen 0.52,0.915 center top Left reverse samplen 3 maxrows 1\n",
          script);
    for (int i = 0; i < EVENTS; i++) {
        fprintf(script, "set arrow from %.9g,graph 0 to %.9g,graph 1 nohead lt 8 dt (2,4)\n",
                at[i].normal_impulse, at[i].normal_impulse);
    }
    fprintf(script,
            "set title '(a) tangential contact velocity' enhanced\nset ylabel 'v_⟂' offset 1\n"
            "set yrange [-5.5:3.5]\n"
            "plot $rate using 1:2 with lines lt 1 notitle, $printed using 1:2 with lines lt 2 "
            "notitle\n"
            "set title '(b) rate of the spring'\nset ylabel 'rate of x' offset 1\n"
            "set arrow 9 from %.9g,2.5925 to %.9g,-4.596 nohead lt 8 dt (5,4) lw 1.2\n"
            "plot $rate using 1:3 with lines lt 1 title 'friction μ, exact', $printed using 1:3 "
            "with lines lt 2 title 'friction eμ in restitution, as printed'\nunset arrow 9\n",
            at[SLIPS].normal_impulse, at[SLIPS].normal_impulse);
    fputs("set title '(c) length of the spring'\nset ylabel 'x √(2k_0)' offset 1\n"
          "set autoscale y\n"
          "plot $spring with lines lt 1 notitle\nunset multiplot\n",
          script);
}

static void list_evolution(FigureSheet *sheet, const Run *run) {
    const CaromEvent *at = run->exact.events, *printed = run->printed.events;
    double ratio = j_rubber.mu * j_rubber.eta * j_rubber.eta, e = j_rubber.e;
    figure_group(sheet, "(a) tangential contact velocity");
    figure_value(sheet, "at the start", "-3", run->v[0], NULL, NULL);
    figure_value(sheet, "at the end", "2.49847", at[ENDS].velocity[0], J_FRICTION, NULL);
    figure_value(sheet, "at the end, friction eμ in restitution", "2.49847",
                 printed[ENDS].velocity[0], "The printed V_x and ω_y give 2.49844 themselves.",
                 NULL);
    figure_group(sheet, "(b) rate of the spring");
    figure_value(sheet, "at the start", "-2.42852", ratio * run->v[2], J_EULER, NULL);
    figure_value(sheet, "where slip ends", "-2.12528", at[STICKS].velocity[0], J_EULER, NULL);
    figure_value(sheet, "before the slip back", "2.59255", at[SLIPS].velocity[0], J_EULER, NULL);
    figure_value(sheet, "after its start", "-2.29806", -ratio / (e * e) * at[SLIPS].velocity[2],
                 J_FRICTION, NULL);
    figure_value(sheet, "after its start, friction eμ in restitution", "-2.29806",
                 -ratio / e * printed[SLIPS].velocity[2], NULL, NULL);
}

bool j_figure_12(FigureSheet *sheet) {
    Run run;
    FILE *script = solve(sheet, &run) ? figure_picture_begin(sheet, "",
                                                             "The ball's contact in the course of "
                                                             "the impact",
                                                             1080, 400)
                                      : NULL;
    if (!script) {
        return false;
    }
    draw_evolution(&run, script);
    if (!figure_picture_end(sheet,
                            "Three curves over the normal impulse: the tangential velocity rises "
                            "from -3 to about 2.4; the rate of the spring follows it while the "
                            "contact sticks and jumps down when it slips back; the spring is first "
                            "drawn out one way, then the other, and ends unstretched.")) {
        return false;
    }
    list_evolution(sheet, &run);
    return true;
}
