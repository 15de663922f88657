/* The series of a piece, integrals over it, and gradients. */
#include "derivative/plain_piece.h"

#include <string.h>

#include "compliant/radau.h"
#include "derivative/plain_links.h"
#include "derivative/plain_slide.h"
#include "math/functions.h"
#include "math/wide.h"

/* Longest step, in units of the fastest oscillation: the error of the nodes is below rounding. */
static const double PLAIN_PHASE = 2;

/* Terms of this size are left out. */
static const double PLAIN_NEGLIGIBLE = 1e-17;

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

/* ---- a step ---- */

/* P += W' a */
static inline void press_acting(int width, const PlainBack *back, const double *a, double *P) {
    int acts = back->act_count;
    for (int i = 0; i < acts; i++) {
        double sum[WIDTH_MOST];
        for (int r = 0; r < width; r++) {
            sum[r] = P[i * width + r];
        }
        for (int j = back->first[i]; j < back->end[i]; j++) {
            double W = back->W[i * acts + j];
            for (int r = 0; r < width; r++) {
                sum[r] += W * a[j * width + r];
            }
        }
        for (int r = 0; r < width; r++) {
            P[i * width + r] = sum[r];
        }
    }
}

/* Back by the time h: all terms, a and b at its end, a at the nodes. Returns the last order. */
static inline int expand_step(int width, PlainBack *back, const PlainLink *links, double h,
                              double phase) {
    int acts = back->act_count, count = acts * width, g = 0;
    double *P = back->term_P, power[STAGES], size = 1;
    for (int i = 0; i < acts; i++) {
        size_t bytes = (size_t)width * sizeof(double);
        memcpy(&back->terms_a[i * width], &back->a[back->acts[i] * width], bytes);
        memcpy(&back->terms_b[i * width], &back->b[back->acts[i] * width], bytes);
    }
    memcpy(P, back->push, (size_t)count * sizeof *P);
    for (int q = 0; q < STAGES; q++) {
        power[q] = NODE[q];
        memcpy(&back->nodes[q * count], back->terms_a, (size_t)count * sizeof(double));
    }
    while (g < PLAIN_ORDER && size > PLAIN_NEGLIGIBLE) {
        double *a = &back->terms_a[g * count], *b = &back->terms_b[g * count];
        double *next_a = a + count, *next_b = b + count, part = h / ++g;
        press_acting(width, back, a, P);
        for (int i = 0; i < acts; i++) {
            const PlainLink *link = &links[back->acts[i]];
            double *end = &back->b[back->acts[i] * width], stiff = -part * link->k;
            for (int r = 0; r < width; r++) {
                int at = i * width + r;
                next_a[at] = stiff * b[at];
                next_b[at] = part * P[at];
                end[r] += next_b[at];
                P[at] = 0;
            }
        }
        for (int q = 0; q < STAGES; q++) {
            double *to = &back->nodes[q * count];
            for (int k = 0; k < count; k++) {
                to[k] += power[q] * next_a[k];
            }
            power[q] *= NODE[q];
        }
        size *= phase / g;
    }
    for (int i = 0; i < acts; i++) {
        memcpy(&back->a[back->acts[i] * width], &back->nodes[(STAGES - 1) * count + i * width],
               (size_t)width * sizeof(double));
    }
    return g;
}

/* Add int N_j a_k dt and int N_j dt of the step. */
static inline void add_integrals(int width, PlainBack *back, double h) {
    int acts = back->act_count, count = acts * width;
    for (int j = 0; j < acts; j++) {
        double N[STAGES], *to = &back->Q[j * count];
        for (int q = 0; q < STAGES; q++) {
            N[q] = h * INTEGRAL[STAGES - 1][q] * back->nodes[q * count + j * width + width - 1];
            back->impulse[back->acts[j]] += N[q];
        }
        for (int k = 0; k < count; k++) {
            double sum = 0;
            for (int q = 0; q < STAGES; q++) {
                sum += N[q] * back->nodes[q * count + k];
            }
            to[k] += sum;
        }
    }
}

static inline void step_plain(int width, PlainBack *back, const PlainLink *links, double h,
                              double phase, int *order) {
    *order = expand_step(width, back, links, h, phase);
    add_integrals(width, back, h);
}

/* The same, compiled once more for processors with AVX2. */
WIDE void step_wide(PlainBack *back, const PlainLink *links, double h, double phase, int *order) {
    FOR_WIDTH(step_plain, back, links, h, phase, order);
}

NARROW void step_narrow(PlainBack *back, const PlainLink *links, double h, double phase,
                        int *order) {
    FOR_WIDTH(step_plain, back, links, h, phase, order);
}

/* ---- gradients ---- */

/* Add int F_j a_k dt. */
static inline void add_to_W(int width, PlainBack *back, int j, int k, const double *sum) {
    double *to = &back->by_W[(j * back->given->count + k) * width];
    for (int r = 0; r < width; r++) {
        to[r] += sum[r];
    }
}

/* The links of A that reach held link h: their places in list; returns how many. */
static int list_coupled(const PlainBack *back, int h, int *list) {
    int acts = back->act_count, count = 0;
    for (int j = 0; j < acts; j++) {
        if (back->C[h * acts + j] != 0) {
            list[count++] = j;
        }
    }
    return count;
}

/* By W_hk, W_gh of held links: F and a of H are linear in those of A. */
static inline void spread_held(int width, PlainBack *back) {
    int acts = back->act_count, holds = back->hold_count, *list = back->list;
    for (int h = 0; h < holds; h++) {
        const double *C = &back->C[h * acts], *held = &back->held[h * width];
        int count = list_coupled(back, h, list);
        for (int k = 0; k < acts; k++) {
            double *T = &back->T[(h * acts + k) * width], sum[WIDTH_MOST] = {0};
            for (int r = 0; r < width; r++) {
                sum[r] = held[r] * back->impulse[back->acts[k]];
                T[r] = 0;
            }
            for (int x = 0; x < count; x++) {
                const double *one = &back->Q[(list[x] * acts + k) * width];
                const double *other = &back->Q[(k * acts + list[x]) * width];
                for (int r = 0; r < width; r++) {
                    T[r] -= C[list[x]] * one[r]; /* F_h a_k */
                    sum[r] -= C[list[x]] * other[r];
                }
            }
            add_to_W(width, back, back->holds[h], back->acts[k], T);
            add_to_W(width, back, back->acts[k], back->holds[h], sum);
        }
    }
    for (int h = 0; h < holds; h++) {
        const double *C = &back->C[h * acts], *held = &back->held[h * width];
        int count = list_coupled(back, h, list);
        for (int g = 0; g < holds; g++) { /* F_g a_h */
            double sum[WIDTH_MOST] = {0};
            for (int r = 0; r < width; r++) {
                sum[r] = held[r] * back->impulse[back->holds[g]];
            }
            for (int x = 0; x < count; x++) {
                const double *T = &back->T[(g * acts + list[x]) * width];
                for (int r = 0; r < width; r++) {
                    sum[r] -= C[list[x]] * T[r];
                }
            }
            add_to_W(width, back, back->holds[g], back->holds[h], sum);
        }
    }
}

/* By W, from Q. a of links that neither act nor are held is constant. */
static inline void spread_integrals(int width, PlainBack *back, const PlainLink *links) {
    const Given *given = back->given;
    int acts = back->act_count;
    for (int h = 0; h < back->hold_count; h++) {
        double push = 0;
        for (int j = 0; j < acts; j++) {
            push -= back->C[h * acts + j] * back->impulse[back->acts[j]];
        }
        back->impulse[back->holds[h]] = push;
    }
    for (int j = 0; j < acts; j++) {
        for (int k = 0; k < acts; k++) {
            add_to_W(width, back, back->acts[j], back->acts[k], &back->Q[(j * acts + k) * width]);
        }
    }
    spread_held(width, back);
    for (int k = 0; k < given->count; k++) {
        if (is_sprung(links[k].phase) || links[k].pushes) {
            continue;
        }
        for (int j = 0; j < given->count; j++) {
            double sum[WIDTH_MOST] = {0}, push = back->impulse[j];
            for (int r = 0; r < width; r++) {
                sum[r] = push * back->a[k * width + r];
            }
            if (push != 0) {
                add_to_W(width, back, j, k, sum);
            }
        }
    }
}

/* dL/dk of a place of A over the steps of the piece so far, -int b v = ([a v] + int a.v')/k. */
static inline void find_by_k(int width, const PlainBack *back, const PlainLink *links, int place,
                             double *out) {
    int acts = back->act_count, link = back->acts[place];
    double speed = -back->b[link * width + width - 1], per_k = 1 / links[link].k;
    for (int r = 0; r < width; r++) {
        double sum = back->before[place * width + r] + speed * back->a[link * width + r];
        for (int j = back->first[place]; j < back->end[place]; j++) {
            sum += back->W[place * acts + j] * back->Q[(j * acts + place) * width + r];
        }
        out[r] = per_k * sum;
    }
}

/* An elastic link ends its compression in the step in hand, this part of its length h before its
 * end. The stiffness k/e^2 from there on is a new parameter: dL/de gets -2 k of the dL/dk of all
 * that is later. */
static inline void turn_elastic(int width, PlainBack *back, const PlainLink *links, int place,
                                double part, double h, int order) {
    int count = back->act_count * width, link = back->acts[place];
    double later[WIDTH_MOST];
    find_by_k(width, back, links, place, later);
    for (int r = 0; r < width - 1; r++) {
        double earlier = 0;
        for (int q = 0; q < STAGES; q++) {
            double x = part + (1 - part) * NODE[q], b = 0, v = 0;
            for (int g = order; g >= 0; g--) {
                const double *term = &back->terms_b[g * count + place * width];
                b = b * x + term[r];
                v = v * x - term[width - 1];
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
    memset(back->Q, 0, (size_t)(acts * acts * width) * sizeof *back->Q);
    memset(back->impulse, 0, (size_t)back->given->count * sizeof *back->impulse);
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
        (has_wide() ? step_wide : step_narrow)(back, links, h, rate / steps, &order);
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
    spread_integrals(width, back, links);
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
        double sum[WIDTH_MOST];
        for (int r = 0; r < width; r++) {
            sum[r] = p * (back->a[j * width + r] - (j == i ? p / 2 * beta[r] : 0));
        }
        add_to_W(width, back, i, j, sum);
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
