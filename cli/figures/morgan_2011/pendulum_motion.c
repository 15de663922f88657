/* Figure 3.1 of [M]: the double pendulum in motion. Between impacts
 *
 *   M(q) u' + b(q, u) = 0,   b = (-sin q2 (u1 u2 + u2^2/2) + g (3/2 cos q1 + cos(q1 + q2)/2),
 *                                 sin q2 u1^2/2 + g cos(q1 + q2)/2)      (l = m = 1)
 *
 * is integrated by the classical Runge-Kutta method in steps of 1/4096 s (error of the impact times
 * below 1e-12 s). The step in which the tip meets the floor is shortened to end there; the impact
 * is solved in closed form. */
#include "figures/morgan_2011/pendulum_motion.h"

#include <math.h>
#include <stdlib.h>

#include <carom/planar.h>
#include <carom/system.h>

#include "base/words.h"
#include "figures/morgan_2011/pendulum.h"
#include "figures/sheet_picture.h"

#define STEP (1.0 / 4096)
#define GRAVITY 9.81
#define BEARING 1.25

/* Steps between drawn bars; number of impacts; steps after the last; most states. */
enum { DRAWN = 200, IMPACTS = 5, AFTERWARDS = 1200, STATES_MAX = 20000 };

typedef struct Motion {
    double q[2], u[2];
} Motion;

static Motion rates(const Motion *at) {
    const double *q = at->q, *u = at->u;
    double M[4], J[4];
    m_pendulum(q, M, J);
    double b[2] = {-sin(q[1]) * (u[0] * u[1] + u[1] * u[1] / 2) +
                       GRAVITY * (1.5 * cos(q[0]) + cos(q[0] + q[1]) / 2),
                   sin(q[1]) * u[0] * u[0] / 2 + GRAVITY * cos(q[0] + q[1]) / 2};
    double determinant = M[0] * M[3] - M[1] * M[2];
    return (Motion){
        {u[0], u[1]},
        {-(M[3] * b[0] - M[1] * b[1]) / determinant, -(M[0] * b[1] - M[2] * b[0]) / determinant}};
}

static Motion advanced(const Motion *from, const Motion *rate, double h) {
    Motion to;
    for (int i = 0; i < 2; i++) {
        to.q[i] = from->q[i] + h * rate->q[i];
        to.u[i] = from->u[i] + h * rate->u[i];
    }
    return to;
}

static Motion step(const Motion *from, double h) {
    Motion a = rates(from), at = advanced(from, &a, h / 2);
    Motion b = rates(&at);
    at = advanced(from, &b, h / 2);
    Motion c = rates(&at);
    at = advanced(from, &c, h);
    Motion d = rates(&at), mean;
    for (int i = 0; i < 2; i++) {
        mean.q[i] = (a.q[i] + 2 * b.q[i] + 2 * c.q[i] + d.q[i]) / 6;
        mean.u[i] = (a.u[i] + 2 * b.u[i] + 2 * c.u[i] + d.u[i]) / 6;
    }
    return advanced(from, &mean, h);
}

static double tip_height(const double q[2]) {
    return BEARING + sin(q[0]) + sin(q[0] + q[1]);
}

static double energy(const Motion *at) {
    double M[4], J[4];
    m_pendulum(at->q, M, J);
    return carom_system_energy(2, M, at->u) +
           GRAVITY * (2 * BEARING + 1.5 * sin(at->q[0]) + sin(at->q[0] + at->q[1]) / 2);
}

/* The length of the step that ends when the tip touches the floor. */
static double find_touch(const Motion *from) {
    double low = 0, high = STEP;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        Motion at = step(from, middle);
        *(tip_height(at.q) > 0 ? &low : &high) = middle;
    }
    return low;
}

static bool hit(FigureSheet *sheet, Motion *at, char sequence[CAROM_SEQUENCE_SIZE]) {
    double M[4], J[4], R[4], W[4], v[2], impulse[2], workspace[4];
    CaromContact contact = carom_contact_default();
    contact.mu = 0.15;
    contact.e = 0.8;
    CaromResult result = {.impulse = impulse};
    m_pendulum(at->q, M, J);
    if (carom_system_responses(2, M, 2, J, workspace, R, NULL) < 0 ||
        carom_system_contact_space(2, 2, J, R, at->u, W, v, NULL) < 0 ||
        carom_planar_solve(W, v, &contact, CAROM_LAW_ENERGETIC, &result) < 0) {
        return figure_fail(sheet, "an impact of the pendulum cannot be solved");
    }
    carom_system_apply(2, 2, R, impulse, at->u);
    snprintf(sequence, CAROM_SEQUENCE_SIZE, "%s", result.sequence);
    return true;
}

/* The motion: a state for each step, two at an impact (before and after). */
typedef struct Track {
    Motion states[STATES_MAX];
    int count;
    int touches[IMPACTS]; /* index of the state after it */
    double times[IMPACTS];
    char sequences[IMPACTS][CAROM_SEQUENCE_SIZE];
    int touch_count;
} Track;

/* From rest to the last impact and AFTERWARDS steps further. */
static bool run(FigureSheet *sheet, Track *track) {
    Motion at = {{0.3, 0.9}, {0, 0}};
    double time = 0;
    int left = AFTERWARDS;
    track->states[track->count++] = at;
    while (left > 0 && track->count + 2 < STATES_MAX) {
        Motion next = step(&at, STEP);
        double h = STEP;
        bool touches = tip_height(next.q) <= 0;
        if (touches && track->touch_count == IMPACTS) {
            break;
        }
        if (touches) {
            h = find_touch(&at);
            next = step(&at, h);
            track->states[track->count++] = next;
            if (!hit(sheet, &next, track->sequences[track->touch_count])) {
                return false;
            }
            track->touches[track->touch_count] = track->count;
            track->times[track->touch_count++] = time + h;
        }
        time += h;
        at = next;
        track->states[track->count++] = at;
        left -= track->touch_count == IMPACTS;
    }
    return track->touch_count == IMPACTS || figure_fail(sheet, "the pendulum touches too seldom");
}

static void find_tip(const Motion *at, double elbow[2], double tip[2]) {
    elbow[0] = cos(at->q[0]);
    elbow[1] = BEARING + sin(at->q[0]);
    tip[0] = elbow[0] + cos(at->q[0] + at->q[1]);
    tip[1] = tip_height(at->q);
}

static void write_track(const Track *track, FILE *script) {
    double elbow[2], tip[2];
    fputs("$bars << END\n", script);
    for (int i = 0; i < track->count; i += DRAWN) {
        find_tip(&track->states[i], elbow, tip);
        fprintf(script, "0 %g\n%.6f %.6f\n%.6f %.6f\n\n", BEARING, elbow[0], elbow[1], tip[0],
                tip[1]);
    }
    fputs("END\n$path << END\n", script);
    for (int i = 0; i < track->count; i += 8) {
        find_tip(&track->states[i], elbow, tip);
        fprintf(script, "%.6f %.6f\n", tip[0], tip[1]);
    }
    fputs("END\n$touches << END\n", script);
    for (int i = 0; i < track->touch_count; i++) {
        find_tip(&track->states[track->touches[i]], elbow, tip);
        fprintf(script, "%.6f %.6f %d\n", tip[0], tip[1], i + 1);
    }
    fputs("END\n", script);
}

static bool draw(FigureSheet *sheet, const Track *track) {
    FILE *script = figure_picture_begin(
        sheet, "", "Morgan, figure 3.1: a double pendulum on a floor", 720, 640);
    if (!script) {
        return false;
    }
    write_track(track, script);
    fprintf(script,
            "set size ratio -1\nset xrange [-2.1:2.1]\nset yrange [-0.3:3.3]\n"
            "set xlabel 'x  (m)'\nset ylabel 'height  (m)'\n"
            "set bmargin at screen 0.19\nset tmargin at screen 0.92\n"
            "set key at screen 0.5,0.05 center horizontal Left reverse maxrows 1 width 1\n"
            "set arrow from -2.1,0 to 2.1,0 nohead lw 2.5 lc rgb '#777777'\n"
            "plot $bars with lines lw 0.8 lc rgb '#9ec9e2' title 'bars', "
            "$path with lines lt 1 title 'path of the tip', "
            "$touches with points pt 7 ps 1.2*point lc rgb '#D55E00' title 'impacts', "
            "'' using 1:2:3 with labels offset 0,-0.9 notitle, "
            "'+' using (0):(%g) every ::0::0 with points pt 7 ps 1.2*point lc rgb 'black' title "
            "'bearing'\n",
            BEARING);
    return figure_picture_end(sheet,
                              "The two bars at equal steps of time, and the path of the tip, "
                              "which bounces on the floor.");
}

static void add_values(FigureSheet *sheet, const Track *track) {
    double start = energy(&track->states[0]);
    for (int i = 0; i < track->touch_count; i++) {
        const Motion *after = &track->states[track->touches[i]];
        int n = i + 1;
        figure_computed(sheet, words_of("impact %d: time, s", n).text, track->times[i], NULL);
        figure_words(sheet, words_of("impact %d: sequence", n).text, NULL, track->sequences[i],
                     NULL, NULL);
        figure_computed(sheet, words_of("impact %d: energy left, J", n).text, energy(after), NULL);
    }
    figure_computed(sheet, "energy at the start, J", start, "ours");
}

bool m_motion(FigureSheet *sheet) {
    Track *track = calloc(1, sizeof *track);
    if (!track) {
        return figure_fail(sheet, "out of memory");
    }
    bool good = run(sheet, track) && draw(sheet, track);
    if (good) {
        add_values(sheet, track);
    }
    free(track);
    return good;
}
