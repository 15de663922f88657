/* Figs. 17 and 18 of [J], section 8.2: a pencil, a cylinder on a cone, hits a desk with its point.
 */
#include "figures/jia_2013/pencil.h"

#include <math.h>

#include "base/words.h"
#include "figures/sheet_picture.h"
#include "picture/hull.h"

/* (89): radius, height of the cylinder and of the cone; the mass is 1. */
static const double radius = 0.5, cylinder_height = 3, cone_height = 0.5;

/* The moment of inertia about the axes across the pencil. */
typedef enum Moment {
    MOMENT_EXACT,   /* about the centre of mass */
    MOMENT_FORMULA, /* (85), which uses the cone's moment about its vertex, not about its centre */
    MOMENT_PRINTED  /* that of the printed impulse and velocities */
} Moment;

static const double gravity[3] = {0, 0, -9.81}, pi = 3.14159265358979323846; /* gravity not given */

/* The contact of pencil and desk. */
static const CaromSite site = {.first = 0, .second = 1, .normal = {0, 0, 1}, .tangent = {1, 0, 0}};

/* From the point of the pencil to its centre of mass. */
static double centre_height(void) {
    double h1 = cylinder_height, h2 = cone_height;
    return (6 * h1 * h1 + 12 * h1 * h2 + 3 * h2 * h2) / (12 * h1 + 4 * h2);
}

/* About the axes across; the masses of the parts are in proportion to their volumes. */
static double pencil_moment(Moment moment) {
    double r = radius, h1 = cylinder_height, h2 = cone_height;
    double h = centre_height(), l = h1 / 2 + h2 - h;
    double cylinder = h1 * ((3 * r * r + h1 * h1) / 12 + l * l);
    switch (moment) {
    case MOMENT_FORMULA:
        return (cylinder + h2 / 3 * (0.6 * (r * r / 4 + h2 * h2) + h * h)) / (h1 + h2 / 3);
    case MOMENT_PRINTED: /* from omega_x of (92), by (87) */
        return h / ((0.101268 + 1) / 0.668992);
    default:
        return (cylinder + h2 / 3 * (0.15 * r * r + 0.0375 * h2 * h2 + pow(h - 0.75 * h2, 2))) /
               (h1 + h2 / 3);
    }
}

/* About the axis: r^2/2 of the cylinder's mass, 3 r^2/10 of the cone's. */
static double axial_moment(void) {
    double r = radius, h1 = cylinder_height, h2 = cone_height;
    return r * r * (h1 / 2 + 0.3 * h2 / 3) / (h1 + h2 / 3);
}

/* The pencil at the impact, before it (91). */
static CaromBody pencil_before(Moment moment) {
    const double theta = pi / 3, h = centre_height(), omega[3] = {-1, -0.5, -0.5};
    double s = sin(theta), c = cos(theta), turn = (pi / 2 - theta) / 2;
    CaromBody pencil = {
        .mass = 1,
        .position = {h * c, 0, h * s},
        .orientation = {cos(turn), 0, sin(turn), 0},
        .velocity = {-5 * cos(pi / 6), 0, -5 * sin(pi / 6)},
        /* (86) */
        .angular_velocity = {s * omega[0] + c * omega[2], omega[1], -c * omega[0] + s * omega[2]}};
    pencil.inertia[0] = pencil.inertia[4] = pencil_moment(moment);
    pencil.inertia[8] = axial_moment();
    return pencil;
}

/* Angular velocity at the impact in the pencil's axes, as the paper gives it. */
static void pencil_spin(const CaromBody *pencil, double omega[3]) {
    const double *w = pencil->angular_velocity;
    double s = sin(pi / 3), c = cos(pi / 3);
    omega[0] = s * w[0] - c * w[2];
    omega[1] = w[1];
    omega[2] = c * w[0] + s * w[2];
}

/* The impact; trace NULL: none. as_printed: by the published scheme with friction e mu in
 * restitution (no trace). result: with room for the impulse. */
static bool hit_desk(FigureSheet *sheet, CaromBody *pencil, bool as_printed, CaromTrace *trace,
                     CaromResult *result) {
    CaromBody bodies[2] = {*pencil, carom_body_fixed()};
    CaromContact contact = carom_contact_default();
    contact.mu = 0.8;
    contact.e = 0.5;
    contact.stiffness_ratio = 17.0 / 14;
    double W[9], v[3];
    const char *message = "";
    if (carom_bodies_contact_space(bodies, 2, &site, 1, W, v, &message) < 0) {
        return figure_fail(sheet, "the pencil: %s", message);
    }
    const CaromProblem problem = {.model = CAROM_MODEL_COMPLIANT,
                                  .contact_count = 1,
                                  .inverse_inertia = W,
                                  .velocity = v,
                                  .contacts = &contact};
    CaromOptions options = carom_options_default();
    if (as_printed) {
        options.method = CAROM_METHOD_EULER;
        options.scheme.as_printed = 1;
        options.scheme.absolute = 1;
        options.scheme.step = 5e-5;
    }
    CaromStatus status = trace ? carom_trace(&problem, NULL, trace, result)
                               : carom_solve(&problem, &options, result);
    if (status < 0) {
        return figure_fail(sheet, "the pencil: %s", result->message);
    }
    carom_bodies_apply(bodies, &site, 1, result->impulse);
    *pencil = bodies[0];
    return true;
}

/* ---- figure 17: the impulse, a curve in space ---- */

enum { SAMPLES = 601 };

/* Why the printed result is not reproduced. */
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

static bool solve(FigureSheet *sheet, Moment moment, bool as_printed, Run *run) {
    CaromTrace trace = {.capacity = SAMPLES, .clock = run->p, .impulse = run->I};
    run->before = run->after = pencil_before(moment);
    run->result = (CaromResult){.impulse = run->impulse,
                                .velocity = run->velocity,
                                .events = run->events,
                                .event_capacity = CAROM_SEQUENCE_SIZE};
    return hit_desk(sheet, &run->after, as_printed, as_printed ? NULL : &trace, &run->result);
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
        bool mode = event->kind == CAROM_EVENT_STICK || event->kind == CAROM_EVENT_SLIP;
        fprintf(script, "%.9g %.9g %.9g %d\n", event->impulse[0], event->impulse[1],
                event->impulse[2],
                mode                                         ? 0
                : event->kind == CAROM_EVENT_COMPRESSION_END ? 1
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

static bool draw_impulse(FigureSheet *sheet, const Run *formula, const Run *exact) {
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
    static const char *const printed[9] = {"3.86261",   "0.668992", "5.36495",
                                           "-0.467515", "0.668992", "2.86495",
                                           "0.101268",  "-1.59082", "-0.5"};
    static const char *const names[3] = {"I", "V", "ω"};
    static const char axes[] = "xyz";
    double omega[3];
    pencil_spin(&run->after, omega);
    figure_group(sheet, heading);
    const double *const computed[3] = {run->impulse, run->after.velocity, omega};
    for (int i = 0; i < 9; i++) {
        figure_value(sheet, words_of("%s_%c", names[i / 3], axes[i % 3]).text, printed[i],
                     computed[i / 3][i % 3], i == 8 ? NULL : PRINTED_MOMENT, NULL);
    }
    figure_words(sheet, "is the spin about x_p reversed?", "yes", omega[0] > 0 ? "yes" : "no",
                 PRINTED_MOMENT, NULL);
}

/* The nearest result: with the moment of inertia and the friction of the printed one. */
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
    const double h = centre_height(), *V = exact->before.velocity;
    double s = sqrt(0.75);
    figure_group(sheet, "Before, and energies");
    figure_value(sheet, "tangential contact velocity, x", "-3.50114", V[0] + h * 0.5 * s, NULL,
                 NULL);
    figure_value(sheet, "tangential contact velocity, y", "-1.91447", -h, NULL, NULL);
    Words course = {""};
    for (int i = 0; i < exact->result.event_count; i++) {
        words_add(&course, "%s%s", i ? ", " : "", carom_event_string(exact->events[i].kind));
    }
    figure_words(sheet, "events, from slip", "stick, compression_end, slip, restitution_end",
                 course.text, NULL, "printed in words");
    figure_value(sheet, "kinetic energy before", "12.5375", carom_body_energy(&exact->before),
                 energy, NULL);
    figure_value(sheet, "kinetic energy after", "4.71613", carom_body_energy(&exact->after),
                 PRINTED_MOMENT, NULL);
    figure_computed(sheet, "h/Q22, right moment", h / pencil_moment(MOMENT_EXACT), NULL);
    figure_value(sheet, "h/Q22, (85)", NULL, h / pencil_moment(MOMENT_FORMULA), NULL, NULL);
    figure_computed(sheet, "h/Q22, of the printed result", h / pencil_moment(MOMENT_PRINTED),
                    "from the printed impulse and change of ω_x, by (87); ω_y gives the same");
}

bool j_figure_17(FigureSheet *sheet) {
    Run formula, exact, nearest;
    if (!solve(sheet, MOMENT_FORMULA, false, &formula) ||
        !solve(sheet, MOMENT_EXACT, false, &exact) ||
        !solve(sheet, MOMENT_PRINTED, true, &nearest) || !draw_impulse(sheet, &formula, &exact)) {
        return false;
    }
    list_before(sheet, &exact);
    list_run(sheet, "Moment of inertia (85), friction μ, exact", &formula);
    list_run(sheet, "Right moment of inertia, friction μ, exact", &exact);
    list_nearest(sheet, &nearest);
    return true;
}

/* ---- figure 18: free flight from 0.4 before the impact to 0.4 after it, in two views ---- */

enum { FRAMES = 9, RIM = 48, OUTLINE = 2 * RIM + 1 };

/* A view: which world axis goes to the right; z is up. */
typedef struct View {
    const char *name, *title, *axis, *description;
    int right;
    double low, high; /* of that axis */
} View;

/* From the pencil's axes to the world's: q p q*, with q = (w, u). */
static void to_world(const CaromBody *pencil, const double p[3], double at[3]) {
    const double *q = pencil->orientation, *u = q + 1;
    double a[3] = {u[1] * p[2] - u[2] * p[1], u[2] * p[0] - u[0] * p[2], u[0] * p[1] - u[1] * p[0]};
    double b[3] = {u[1] * a[2] - u[2] * a[1], u[2] * a[0] - u[0] * a[2], u[0] * a[1] - u[1] * a[0]};
    for (int k = 0; k < 3; k++) {
        at[k] = pencil->position[k] + p[k] + 2 * (q[0] * a[k] + b[k]);
    }
}

/* A point in the view; part: 0 the tip, 1 the rim of the cone, 2 the rim of the far end. */
static void project(const CaromBody *pencil, const View *view, int part, int i, double at[2]) {
    double h = centre_height(), angle = 2 * pi * i / RIM, world[3];
    double r = part ? radius : 0;
    double z = part == 0 ? 0 : part == 1 ? cone_height : cone_height + cylinder_height;
    const double p[3] = {r * cos(angle), r * sin(angle), z - h};
    to_world(pencil, p, world);
    at[0] = world[view->right];
    at[1] = world[2];
}

/* The outline as a polygon, and the two rims as lines. */
static void write_frame(const CaromBody *pencil, const View *view, int frame, FILE *script) {
    double corners[OUTLINE][2], room[2 * OUTLINE + 2][2];
    for (int i = 0; i < RIM; i++) {
        project(pencil, view, 1, i, corners[i]);
        project(pencil, view, 2, i, corners[RIM + i]);
    }
    project(pencil, view, 0, 0, corners[2 * RIM]);
    int size = convex_hull(corners, OUTLINE, room);
    fprintf(script, "$outline%d << END\n", frame);
    for (int i = 0; i <= size; i++) {
        fprintf(script, "%.6g %.6g\n", corners[i % size][0], corners[i % size][1]);
    }
    fprintf(script, "END\n$rims%d << END\n", frame);
    for (int part = 1; part <= 2; part++) {
        for (int i = 0; i <= RIM; i++) {
            double at[2];
            project(pencil, view, part, i, at);
            fprintf(script, "%.6g %.6g\n", at[0], at[1]);
        }
        fputc('\n', script);
    }
    double tip[2];
    project(pencil, view, 0, 0, tip);
    fprintf(script, "END\n$tip%d << END\n%.6g %.6g\nEND\n", frame, tip[0], tip[1]);
}

static bool draw_view(FigureSheet *sheet, const CaromBody frames[FRAMES], const View *view) {
    FILE *script = figure_picture_begin(sheet, view->name, view->title, 900, 760);
    if (!script) {
        return false;
    }
    for (int i = 0; i < FRAMES; i++) {
        write_frame(&frames[i], view, i, script);
    }
    fprintf(script,
            "set multiplot layout 3,3 title picture_title margins 0.06,0.985,0.07,0.9 spacing "
            "0.03,0.06\nset size ratio -1\nset xrange [%g:%g]\nset yrange [-0.35:4.65]\n"
            "set xtics 1\nset ytics 1\nset tics scale 0.5\n",
            view->low, view->high);
    for (int i = 0; i < FRAMES; i++) {
        fprintf(script,
                "set title '%d: t = %.1f%s' offset 0,-0.6\nset format x '%s'\nset format y '%s'\n"
                "set xlabel '%s' offset 0,0.6\nset ylabel '%s' offset 1.2\n",
                i + 1, (i - 4) / 10.0, i == 4 ? ", impact" : "", i < 6 ? "" : "%g",
                i % 3 ? "" : "%g", i < 6 ? "" : view->axis, i % 3 ? "" : "z");
        fprintf(script,
                "plot $outline%d with filledcurves closed fc rgb '#F3DDB3' notitle, "
                "$outline%d with lines lw 1.4 dt solid lc rgb '#000000' notitle, "
                "$rims%d with lines lw 0.8 dt solid lc rgb '#555555' notitle, "
                "$tip%d with points pt 7 ps 0.9*point lc rgb '#D55E00' notitle, "
                "0 with lines lw 1.6 dt solid lc rgb '#777777' notitle\n",
                i, i, i, i);
    }
    fputs("unset multiplot\n", script);
    return figure_picture_end(sheet, view->description);
}

/* Frame 4 is at the impact; earlier frames are flown backwards. */
static bool find_frames(FigureSheet *sheet, CaromBody frames[FRAMES], CaromBody *after) {
    double I[3];
    CaromResult result = {.impulse = I};
    const CaromBody before = pencil_before(MOMENT_EXACT);
    *after = before;
    if (!hit_desk(sheet, after, false, NULL, &result)) {
        return false;
    }
    for (int i = 0; i < FRAMES; i++) {
        const char *message;
        frames[i] = i <= 4 ? before : *after;
        if (carom_flight_advance(&frames[i], gravity, (i - 4) / 10.0, &message) < 0) {
            return figure_fail(sheet, "the pencil's flight: %s", message);
        }
    }
    return true;
}

bool j_figure_18(FigureSheet *sheet) {
    static const View views[2] = {
        {"side", "The pencil from the side, every tenth of a second", "x",
         "Nine views from the side: the pencil comes from the right, its point meets the desk in "
         "the fifth, and it rises again, turning.",
         0, -2.6, 4.9},
        {"front", "The pencil from the front, every tenth of a second", "y",
         "Nine views along x: the pencil comes down leaning sideways, stands upright in this view "
         "at the impact, and leans to the other side afterwards.",
         1, -3.75, 3.75}};
    CaromBody frames[FRAMES], after;
    if (!find_frames(sheet, frames, &after) || !draw_view(sheet, frames, &views[0]) ||
        !draw_view(sheet, frames, &views[1])) {
        return false;
    }
    static const char *const names[4] = {"first frame: x of the centre", "first frame: z",
                                         "last frame: x of the centre", "last frame: z"};
    for (int i = 0; i < 4; i++) {
        figure_computed(sheet, names[i], frames[i / 2 ? FRAMES - 1 : 0].position[i % 2 ? 2 : 0],
                        i ? NULL : "with g = 9.81; nothing is printed for this figure");
    }
    return true;
}
