/* [J], Fig. 17: the impulse on the pencil, a curve in space. */
#include "figures/jia_2013/pencil_impulse.h"

#include <math.h>

#include "figures/jia_2013/pencil.h"
#include "figures/sheet_picture.h"

enum { SAMPLES = 601 };

/* Why nothing of the printed result is found again. */
#define PRINTED_MOMENT                                                                             \
    "The printed result belongs to a moment of inertia that is neither (85) nor right, and comes " \
    "nearest with friction eμ in restitution."

typedef struct Run {
    double p[SAMPLES], I[3 * SAMPLES];
    CaromResult result;
    CaromEvent events[CAROM_SEQUENCE_SIZE];
    double impulse[3], velocity[3];
    CaromBody before, after;
} Run;

static bool solve(FigureSheet *sheet, JMoment moment, bool as_printed, Run *run) {
    CaromTrace trace = {.capacity = SAMPLES, .clock = run->p, .impulse = run->I};
    run->before = run->after = j_pencil_before(moment);
    run->result = (CaromResult){.impulse = run->impulse,
                                .velocity = run->velocity,
                                .events = run->events,
                                .event_capacity = CAROM_SEQUENCE_SIZE};
    return j_pencil_hit(sheet, &run->after, as_printed, as_printed ? NULL : &trace, &run->result);
}

/* ---- drawing ---- */

static void write_run(const char *name, const Run *run, FILE *script) {
    fprintf(script, "$%s << END\n", name);
    for (int i = 0; i < SAMPLES; i++) {
        const double *I = &run->I[3 * i];
        fprintf(script, "%.9g %.9g %.9g\n", I[0], I[1], I[2]);
    }
    fprintf(script, "END\n$%s_marks << END\n", name);
    for (int i = 0; i < run->result.event_count; i++) {
        const CaromEvent *event = &run->events[i];
        bool mode = event->kind == CAROM_STICK || event->kind == CAROM_SLIP;
        fprintf(script, "%.9g %.9g %.9g %d\n", event->impulse[0], event->impulse[1],
                event->impulse[2],
                mode                                   ? 0
                : event->kind == CAROM_COMPRESSION_END ? 1
                                                       : 2);
    }
    fputs("END\n", script);
}

/* Two of the three axes, 1 to 3. */
static void draw_projection(const char *title, int across, int up, const char *ranges,
                            FILE *script) {
    static const char axes[] = "xyz";
    /* (c) is below (a), (b) and (d) to their right */
    double left = across == 1 && up == 3 ? 0.08 : 0.58, bottom = up == 2 ? 0.53 : 0.08;
    fprintf(script,
            "set lmargin at screen %g\nset rmargin at screen %g\nset bmargin at screen %g\nset "
            "tmargin at screen %g\n",
            left, left + 0.39, bottom, bottom + 0.31);
    fprintf(script,
            "set title '%s' enhanced offset 0,0\nset xlabel 'I_%c' offset 0,0.3\nset ylabel 'I_%c' "
            "offset 1\n"
            "%s\nplot $formula using %d:%d with lines lt 1 notitle, $exact using %d:%d with lines "
            "lt 2 notitle, ",
            title, axes[across - 1], axes[up - 1], ranges, across, up, across, up);
    fprintf(
        script,
        "$formula_marks using %d:($4==0?$%d:NaN) with points pt 7 ps 1.2*point lc rgb '#009E73' "
        "notitle, '' using %d:($4==1?$%d:NaN) with points pt 9 ps 1.5*point lc rgb '#0072B2' "
        "notitle, '' using %d:($4==2?$%d:NaN) with points pt 5 ps 1.1*point lc rgb '#000000' "
        "notitle, $printed using %d:%d with points pt 2 ps 1.3*point lw 2 lc rgb '#000000' "
        "notitle\n",
        across, up, across, up, across, up, across, up);
}

static void draw_space(FILE *script) {
    fputs("set origin 0,0.45\nset size 0.5,0.44\nset title ' '\nset label 1 '(a) in space' at "
          "screen 0.28,0.88 center\nset xlabel 'I_x' offset 0,0.3\n"
          "set ylabel 'I_y' offset 0,0\n"
          "set zlabel 'I_z' offset 1\nset view 62,52,1,1.25\nset xyplane 0\nset grid x y z lt 8 lw "
          "0.4\n"
          "set xrange [0:5]\nset yrange [0:1]\nset zrange [0:6]\nset xtics 1 offset 0,-0.2\n"
          "set ytics 0.5\nset ztics 2\nset border 127+256+512 lw 0.6\n"
          "splot $formula with lines lt 1 title 'moment of inertia (85)', "
          "$exact with lines lt 2 title 'right moment of inertia', "
          "$formula_marks using 1:2:($4==0?$3:NaN) with points pt 7 ps 1.2*point lc rgb '#009E73' "
          "title 'stick begins, ends', "
          "'' using 1:2:($4==1?$3:NaN) with points pt 9 ps 1.5*point lc rgb '#0072B2' title "
          "'compression ends', "
          "'' using 1:2:($4==2?$3:NaN) with points pt 5 ps 1.1*point lc rgb '#000000' title "
          "'restitution ends', "
          "$printed with points pt 2 ps 1.3*point lw 2 lc rgb '#000000' title 'printed end'\n"
          "unset key\nunset label 1\nunset grid\nset origin 0,0\nset size 1,1\nset border 31 lw "
          "0.8\nset xtics 1 norotate offset 0,0\nset ytics "
          "autofreq offset 0,0\n",
          script);
}

static bool draw(FigureSheet *sheet, const Run *formula, const Run *exact) {
    FILE *script = figure_picture_begin(sheet, "", "Impulse on the pencil", 920, 780);
    if (!script) {
        return false;
    }
    write_run("formula", formula, script);
    write_run("exact", exact, script);
    fputs("$printed << END\n3.86261 0.668992 5.36495\nEND\n"
          "set multiplot title picture_title\n"
          "set key at screen 0.53,0.955 center top Left reverse samplen 3 maxrows 2\n",
          script);
    draw_space(script);
    draw_projection("(b) from above", 1, 2, "set xrange [0:5]\nset yrange [0:1.2]", script);
    draw_projection("(c) from the side", 1, 3, "set xrange [0:5]\nset yrange [0:6.5]", script);
    draw_projection("(d) from the front", 2, 3,
                    "set xrange [0:1.2]\nset yrange [0:6.5]\nset xtics 0.2", script);
    fputs("unset multiplot\n", script);
    return figure_picture_end(
        sheet, "The impulse on the pencil as a curve in space and its projections on the three "
               "coordinate planes, for two moments of inertia; it starts along the slip, bends "
               "while the contact sticks, and hooks back at the end. A cross marks the printed "
               "end, which is on neither curve.");
}

/* ---- beside the printed ---- */

static void list_run(FigureSheet *sheet, const char *heading, const Run *run) {
    static const char *const impulse[3] = {"3.86261", "0.668992", "5.36495"};
    static const char *const velocity[3] = {"-0.467515", "0.668992", "2.86495"};
    static const char *const spin[3] = {"0.101268", "-1.59082", "-0.5"};
    static const char axes[] = "xyz";
    double omega[3];
    j_pencil_spin(&run->after, omega);
    figure_group(sheet, heading);
    for (int i = 0; i < 9; i++) {
        int k = i % 3;
        char name[16];
        const char *what = i < 3   ? "I"
                           : i < 6 ? "V"
                                   : "ω",
                   *printed = i < 3   ? impulse[k]
                              : i < 6 ? velocity[k]
                                      : spin[k];
        double value = i < 3 ? run->impulse[k] : i < 6 ? run->after.velocity[k] : omega[k];
        snprintf(name, sizeof name, "%s_%c", what, axes[k]);
        figure_value(sheet, name, printed, value, i == 8 ? NULL : PRINTED_MOMENT, NULL);
    }
    figure_words(sheet, "is the spin about x_p reversed?", "yes", omega[0] > 0 ? "yes" : "no",
                 PRINTED_MOMENT, NULL);
}

/* The nearest that one comes: the moment of inertia of the printed result, and its friction. */
static void list_nearest(FigureSheet *sheet, const Run *run) {
    figure_group(sheet, "Moment of inertia of the printed result, friction eμ in restitution");
    figure_value(sheet, "I_x", "3.86261", run->impulse[0],
                 "Not reproduced by any reading of the text.", NULL);
    figure_value(sheet, "I_y", "0.668992", run->impulse[1],
                 "Not reproduced to its digits by any reading of the text.", NULL);
    figure_value(sheet, "I_z", "5.36495", run->impulse[2],
                 "Not reproduced by any reading of the text.", NULL);
}

static void list_before(FigureSheet *sheet, const Run *exact) {
    static const char energy[] = "The printed energies count the rotation by 0.025 ω·ω before and "
                                 "0.1 ω·ω after, whatever the axis.";
    const double h = j_pencil_height(), *V = exact->before.velocity;
    double s = sqrt(0.75);
    figure_group(sheet, "Before, and energies");
    figure_value(sheet, "tangential contact velocity, x", "-3.50114", V[0] + h * 0.5 * s, NULL,
                 NULL);
    figure_value(sheet, "tangential contact velocity, y", "-1.91447", -h, NULL, NULL);
    char course[128] = "";
    for (int i = 0, used = 0; i < exact->result.event_count && used < 96; i++) {
        used += snprintf(course + used, sizeof course - (size_t)used, "%s%s", i ? ", " : "",
                         carom_event_string(exact->events[i].kind));
    }
    figure_words(sheet, "events, from slip", "stick, compression_end, slip, restitution_end",
                 course, NULL, "printed in words");
    figure_value(sheet, "kinetic energy before", "12.5375", carom_body_energy(&exact->before),
                 energy, NULL);
    figure_value(sheet, "kinetic energy after", "4.71613", carom_body_energy(&exact->after),
                 PRINTED_MOMENT, NULL);
    figure_computed(sheet, "h/Q22, right moment", h / j_pencil_moment(J_MOMENT_EXACT), NULL);
    figure_value(sheet, "h/Q22, (85)", NULL, h / j_pencil_moment(J_MOMENT_FORMULA), NULL, NULL);
    figure_computed(sheet, "h/Q22, of the printed result", h / j_pencil_moment(J_MOMENT_PRINTED),
                    "from the printed impulse and change of ω_x, by (87); ω_y gives the same");
}

bool j_figure_17(FigureSheet *sheet) {
    Run formula, exact, nearest;
    if (!solve(sheet, J_MOMENT_FORMULA, false, &formula) ||
        !solve(sheet, J_MOMENT_EXACT, false, &exact) ||
        !solve(sheet, J_MOMENT_PRINTED, true, &nearest) || !draw(sheet, &formula, &exact)) {
        return false;
    }
    list_before(sheet, &exact);
    list_run(sheet, "Moment of inertia (85), friction μ, exact", &formula);
    list_run(sheet, "Right moment of inertia, friction μ, exact", &exact);
    list_nearest(sheet, &nearest);
    return true;
}
