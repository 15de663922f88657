/* The series of a piece and gradients from it. */
#include "derivative/plain_piece.h"

#include <string.h>

#include "compliant/radau.h"
#include "derivative/plain_integrals.h"
#include "derivative/plain_series.h"
#include "derivative/plain_slide.h"
#include "math/functions.h"

/* Longest step, in units of the fastest oscillation: the error of the nodes is below rounding. */
static const double PLAIN_PHASE = 2;

/* A bound of the fastest rate: Gershgorin's, of K^1/2 W' K^1/2. */
static double fastest_spring(const PlainBack *back) {
    int frees = back->free_count;
    double most = 0, *root = back->column;
    for (int i = 0; i < frees; i++) {
        root[i] = sqrt(back->stiffness[i]);
    }
    for (int i = 4 * back->acting.first; i < 4 * back->acting.end; i++) {
        double sum = 0;
        for (int j = back->acts[i] != 0 ? back->first[i] : frees; j < frees && j < back->end[i];
             j++) {
            sum += fabs(back->W[i * frees + j]) * root[j];
        }
        most = fmax(most, back->acts[i] != 0 ? sum * root[i] : 0);
    }
    return sqrt(most);
}

/* ---- gradients ---- */

/* dL/dk of a place of R over the steps of the piece so far, -int b v = ([a v] + int a.v')/k. */
static inline void find_by_k(int width, const PlainBack *back, const PlainLink *links, int place,
                             double *out) {
    int link = back->free[place];
    double speed = -back->b[link * width + width - 1], per_k = 1 / links[link].k;
    for (int r = 0; r < back->lanes; r++) {
        double change = back->before[place * width + r] + speed * back->a[link * width + r];
        out[r] = per_k * (change + back->bend[(size_t)r * plain_padded(back) + (size_t)place]);
    }
}

/* An elastic link ends its compression in the step in hand, this part of its length h before its
 * end. The stiffness k/e^2 from there on is a new parameter: dL/de gets -2 k of the dL/dk of all
 * that is later. */
static inline void turn_elastic(int width, PlainBack *back, const PlainLink *links, int place,
                                double part, double h) {
    int link = back->free[place], last = width - 1;
    double later[WIDTH_MOST];
    find_by_k(width, back, links, place, later);
    for (int r = 0; r < back->lanes; r++) {
        double earlier = 0;
        for (int q = 0; q < STAGES; q++) {
            double x = part + (1 - part) * NODE[q], b = 0, v = 0;
            for (int g = plain_order(back, r, place); g >= 0; g--) {
                b = b * x + back->terms_b[plain_term(back, g, r, place)];
            }
            for (int g = plain_order(back, last, place); g >= 0; g--) {
                v = v * x - back->terms_b[plain_term(back, g, last, place)];
            }
            earlier -= (1 - part) * h * INTEGRAL[STAGES - 1][q] * b * v;
        }
        back->by_e[link * width + r] -=
            2 * links[link].k * (back->by_k[link * width + r] + later[r] - earlier);
    }
}

/* The turns in the step in hand, from right - h to right. */
static inline void turn_links(int width, PlainBack *back, const PlainLink *links,
                              const PlainTurns *turns, double right, double h) {
    for (int i = turns->first; i < turns->end; i++) {
        const PlainHead *turn = plain_head(turns->tape, i);
        double part = (right - turn->length) / h;
        for (int place = 0; place < back->free_count && turn->ends && part >= 0 && part < 1;
             place++) {
            if (back->free[place] == turn->link && back->acts[place] != 0) {
                turn_elastic(width, back, links, place, part, h);
            }
        }
    }
}

/* ---- pieces ---- */

/* a of the held links now. */
static inline void hold_links(int width, PlainBack *back) {
    for (int h = 0; h < back->hold_count; h++) {
        double *to = &back->a[back->holds[h] * width];
        memcpy(to, &back->held[h * width], (size_t)width * sizeof *to);
        for (int j = back->reach[2 * h]; j < back->reach[2 * h + 1]; j++) {
            double by = back->C[h * back->free_count + j];
            for (int r = 0; r < width && by != 0; r++) {
                to[r] -= by * back->a[back->free[j] * width + r];
            }
        }
    }
}

static inline void pass_time(int width, PlainBack *back, const PlainLink *links, double time,
                             const PlainTurns *turns) {
    int first = 4 * back->acting.first, end = 4 * back->acting.end;
    crm_plain_integrals_begin(back);
    for (int i = first; i < end; i++) {
        for (int r = 0; r < width && back->acts[i] != 0; r++) {
            int link = back->free[i] * width;
            back->before[i * width + r] = back->b[link + width - 1] * back->a[link + r];
        }
    }
    double rate = fastest_spring(back) * time;
    int steps = 1 + (int)fmin(rate / PLAIN_PHASE, 1e6);
    for (int i = 0; i < steps; i++) {
        double h = time / steps;
        crm_plain_step_series(back, h, rate / steps);
        crm_plain_integrate(back, h);
        turn_links(width, back, links, turns, time - i * h, h);
        crm_plain_slide_step(back, links, h);
    }
    for (int i = first; i < end; i++) {
        double part[WIDTH_MOST], *to = back->by_k;
        if (back->acts[i] == 0) {
            continue;
        }
        find_by_k(width, back, links, i, part);
        for (int r = 0; r < back->lanes; r++) {
            to[back->free[i] * width + r] += part[r];
        }
    }
}

void crm_plain_time(PlainBack *back, const PlainLink *links, double time, PlainTurns turns) {
    crm_plain_step_begin(back, links);
    if (back->acting.first < back->acting.end && time > 0) {
        FOR_WIDTH(pass_time, back, links, time, &turns);
    }
    FOR_WIDTH(hold_links, back);
}

/* With beta = dL/dE. */
static inline void pass_single(int width, PlainBack *back, const PlainLink *links, int i, double p,
                               int opens, double first) {
    const Given *given = back->given;
    double k = links[i].k, N = opens && !given->mono ? 0 : links[i].N, beta[WIDTH_MOST];
    if (opens) {
        plain_press(width, back, i, beta); /* P N = k b v, always */
    }
    for (int r = 0; r < width; r++) {
        beta[r] = r == width - 1 ? 0
                  : opens        ? beta[r] / links[i].v
                                 : back->b[i * width + r] * k / N;
    }
    for (int j = 0; j < given->count; j++) {
        for (int r = 0; r < back->lanes; r++) {
            back->by_W[plain_by_W(back, r, i, j)] +=
                p * (back->a[j * width + r] - (j == i ? p / 2 * beta[r] : 0));
        }
    }
    crm_plain_slide_single(back, i, p, beta);
    for (int r = 0; r < width; r++) {
        back->by_k[i * width + r] += beta[r] * (N - first) * (N + first) / (2 * k * k);
        back->a[i * width + r] -= p * beta[r];
        back->b[i * width + r] = beta[r] * first / k;
    }
}

void crm_plain_single(PlainBack *back, const PlainLink *links, int i, double p, int opens,
                      double first) {
    FOR_WIDTH(pass_single, back, links, i, p, opens, first);
}
