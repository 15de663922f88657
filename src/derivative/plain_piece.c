/* The series of a piece and gradients from it. */
#include "derivative/plain_piece.h"

#include <string.h>

#include "compliant/radau.h"
#include "derivative/plain_integrals.h"
#include "derivative/plain_links.h"
#include "derivative/plain_series.h"
#include "derivative/plain_slide.h"
#include "math/functions.h"

/* Longest step, in units of the fastest oscillation: the error of the nodes is below rounding. */
static const double PLAIN_PHASE = 2;

/* to += row i of W times a of the links that do not change. */
static inline void add_others(int width, const PlainBack *back, int i, const PlainLink *links,
                              double *to) {
    const double *W = row_of_W(back->given, i);
    int row = back->given->caller_rows * (i + 1) - 1;
    for (int j = back->given->column_first[row]; j < back->given->column_end[row]; j++) {
        if (!is_sprung(links[j].phase) && !links[j].pushes) {
            for (int r = 0; r < width - 1; r++) {
                to[r] += W[j] * back->a[j * width + r];
            }
        }
    }
}

/* What is constant in P of A, and in a of H. */
static inline void find_constants(int width, PlainBack *back, const PlainLink *links) {
    int acts = back->act_count, holds = back->hold_count;
    for (int i = 0; i < acts; i++) {
        double *push = &back->push[i * width];
        memcpy(push, &back->weight[back->acts[i] * width], (size_t)width * sizeof *push);
        add_others(width, back, back->acts[i], links, push);
    }
    for (int i = 0; i < holds; i++) {
        double *held = &back->held[i * width];
        memcpy(held, &back->weight[back->holds[i] * width], (size_t)width * sizeof *held);
        add_others(width, back, back->holds[i], links, held);
    }
    for (int r = 0; r < width && holds > 0; r++) {
        for (int i = 0; i < holds; i++) {
            back->column[i] = -back->held[i * width + r];
        }
        crm_plain_solve_held(back, back->column);
        for (int i = 0; i < holds; i++) {
            back->held[i * width + r] = back->column[i];
        }
    }
    for (int i = 0; i < acts && holds > 0; i++) {
        const double *W = row_of_W(back->given, back->acts[i]);
        for (int j = 0; j < holds; j++) {
            double w = W[back->holds[j]];
            for (int r = 0; r < width && w != 0; r++) {
                back->push[i * width + r] += w * back->held[j * width + r];
            }
        }
    }
}

/* A bound of the fastest rate: Gershgorin's, of K^1/2 W' K^1/2. */
static double fastest_spring(const PlainBack *back, const PlainLink *links) {
    int acts = back->act_count;
    double most = 0, *root = back->column;
    for (int i = 0; i < acts; i++) {
        root[i] = sqrt(links[back->acts[i]].k);
    }
    for (int i = 0; i < acts; i++) {
        double sum = 0;
        for (int j = back->first[i]; j < back->end[i]; j++) {
            sum += fabs(back->W[i * acts + j]) * root[j];
        }
        most = fmax(most, sum * root[i]);
    }
    return sqrt(most);
}

/* ---- gradients ---- */

/* dL/dk of a place of A over the steps of the piece so far, -int b v = ([a v] + int a.v')/k. */
static inline void find_by_k(int width, const PlainBack *back, const PlainLink *links, int place,
                             double *out) {
    int link = back->acts[place];
    double speed = -back->b[link * width + width - 1], per_k = 1 / links[link].k;
    for (int r = 0; r < width; r++) {
        double change = back->before[place * width + r] + speed * back->a[link * width + r];
        out[r] = per_k * (change + back->bend[place * width + r]);
    }
}

/* An elastic link ends its compression in the step in hand, this part of its length h before its
 * end. The stiffness k/e^2 from there on is a new parameter: dL/de gets -2 k of the dL/dk of all
 * that is later. */
static inline void turn_elastic(int width, PlainBack *back, const PlainLink *links, int place,
                                double part, double h, int order) {
    int link = back->acts[place];
    double later[WIDTH_MOST];
    find_by_k(width, back, links, place, later);
    for (int r = 0; r < width - 1; r++) {
        double earlier = 0;
        for (int q = 0; q < STAGES; q++) {
            double x = part + (1 - part) * NODE[q], b = 0, v = 0;
            for (int g = order; g >= 0; g--) {
                b = b * x + back->terms_b[plain_term(back, g, r, place)];
                v = v * x - back->terms_b[plain_term(back, g, width - 1, place)];
            }
            earlier -= (1 - part) * h * INTEGRAL[STAGES - 1][q] * b * v;
        }
        back->by_e[link * width + r] -=
            2 * links[link].k * (back->by_k[link * width + r] + later[r] - earlier);
    }
}

/* The turns in the step in hand, from right - h to right. */
static inline void turn_links(int width, PlainBack *back, const PlainLink *links,
                              const PlainTurns *turns, double right, double h, int order) {
    for (int i = turns->first; i < turns->end; i++) {
        const PlainHead *turn = plain_head(turns->tape, i);
        double part = (right - turn->length) / h;
        for (int place = 0; place < back->act_count && turn->ends && part >= 0 && part < 1;
             place++) {
            if (back->acts[place] == turn->link) {
                turn_elastic(width, back, links, place, part, h, order);
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
        for (int j = 0; j < back->act_count; j++) {
            double by = back->C[h * back->act_count + j];
            for (int r = 0; r < width && by != 0; r++) {
                to[r] -= by * back->a[back->acts[j] * width + r];
            }
        }
    }
}

static inline void pass_time(int width, PlainBack *back, const PlainLink *links, double time,
                             const PlainTurns *turns) {
    int acts = back->act_count, last = width - 1, order;
    crm_plain_step_begin(back, links);
    crm_plain_integrals_begin(back, links);
    for (int i = 0; i < acts; i++) {
        const double *a = &back->a[back->acts[i] * width];
        double speed = -back->b[back->acts[i] * width + last];
        for (int r = 0; r < width; r++) {
            back->before[i * width + r] = -speed * a[r];
        }
    }
    double rate = fastest_spring(back, links) * time;
    int steps = 1 + (int)fmin(rate / PLAIN_PHASE, 1e6);
    for (int i = 0; i < steps; i++) {
        double h = time / steps;
        order = crm_plain_step_series(back, h, rate / steps);
        crm_plain_integrate(back, h);
        turn_links(width, back, links, turns, time - i * h, h, order);
        crm_plain_slide_step(back, links, h);
    }
    for (int i = 0; i < acts; i++) {
        double part[WIDTH_MOST], *to = &back->by_k[back->acts[i] * width];
        find_by_k(width, back, links, i, part);
        for (int r = 0; r < width; r++) {
            to[r] += part[r];
        }
    }
}

void crm_plain_time(PlainBack *back, const PlainLink *links, double time, PlainTurns turns) {
    FOR_WIDTH(find_constants, back, links);
    if (back->act_count > 0 && time > 0) {
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
