/* Slip without friction, by impulses; its direction where it does not turn too fast for the nodes.
 */
#include "derivative/plain_slide.h"

#include <string.h>

#include "compliant/radau.h"
#include "derivative/plain_series.h"
#include "math/functions.h"

/* Slip below this, in the network's units, is none. */
static const double NO_SLIP = 1e-13;

/* Directions that differ by less are the same. */
static const double SAME_DIRECTION = 1e-9;

/* A step in which slip changes by more than this part of its least speed turns too fast. */
static const double SLOW_TURN = 1;

void crm_plain_slide_begin(PlainBack *back) {
    const Given *given = back->given;
    const CaromProblem *problem = given->problem;
    int n = given->count, rows = given->caller_rows, m = n * rows;
    double by_W = given->unit_impulse / given->unit_velocity;
    for (int i = 0; i < n; i++) {
        back->slides[i] = back->turns_fast[i] = 0;
        for (int c = 0; c < 2; c++) {
            double *T = &back->tangent[(2 * i + c) * n], *V = &back->V[2 * i + c];
            int row = rows * i + c;
            back->S[2 * i + c] = 0;
            *V = c < rows - 1 ? problem->velocity[row] / given->unit_velocity : 0;
            for (int j = 0; j < n; j++) {
                int column = rows * j + rows - 1;
                const double *W = problem->inverse_inertia;
                T[j] = c < rows - 1 ? (W[row * m + column] + W[column * m + row]) / 2 * by_W : 0;
                *V += T[j] * back->adjoint->network->state.I[j];
                back->slides[i] |= T[j] != 0 || *V != 0;
            }
        }
    }
    memset(back->M, 0, (size_t)(n * back->width) * sizeof *back->M);
}

/* Row c of link i, by the free links: those of H push and have a as these say. out: what is
 * constant, times width. */
static void reduce_tangent(const PlainBack *back, int i, int c, double *T, double *out) {
    const double *row = &back->tangent[(2 * i + c) * back->given->count];
    int frees = back->free_count, width = back->width;
    memset(out, 0, (size_t)width * sizeof *out);
    for (int j = 0; j < frees; j++) {
        T[j] = row[back->free[j]];
        for (int h = 0; h < back->hold_count; h++) {
            T[j] -= row[back->holds[h]] * back->C[h * frees + j];
        }
    }
    for (int h = 0; h < back->hold_count; h++) {
        for (int r = 0; r < width; r++) {
            out[r] += row[back->holds[h]] * back->held[h * width + r];
        }
    }
}

/* Directions at all nodes. */
static void find_directions(PlainBack *back, int i, double V[STAGES][2], double s[STAGES][2]) {
    double least = INFINITY, change = 0, turn = 0;
    const double *end = &back->V[2 * i];
    double size = sqrt(end[0] * end[0] + end[1] * end[1]);
    double first[2] = {0, 0};
    for (int q = -1; q < STAGES; q++) {
        const double *v = q < 0 ? end : V[q];
        double length = q < 0 ? size : sqrt(v[0] * v[0] + v[1] * v[1]);
        double x = length > NO_SLIP ? v[0] / length : 0, y = length > NO_SLIP ? v[1] / length : 0;
        if (q >= 0) {
            s[q][0] = x;
            s[q][1] = y;
        }
        if (!(length > NO_SLIP)) {
            continue;
        }
        if (first[0] == 0 && first[1] == 0) {
            first[0] = x;
            first[1] = y;
        }
        least = fmin(least, length);
        change = fmax(change,
                      sqrt((v[0] - end[0]) * (v[0] - end[0]) + (v[1] - end[1]) * (v[1] - end[1])));
        turn = fmax(turn, fabs(x - first[0]) + fabs(y - first[1]));
    }
    back->turns_fast[i] |= turn > SAME_DIRECTION && change > SLOW_TURN * least;
}

/* Friction of link i, N dt at the nodes; P: W_tn a, two rows times width at each node. */
static void add_slide(PlainBack *back, int i, const double push[STAGES], double V[STAGES][2],
                      double P[STAGES][2][WIDTH_MOST]) {
    double s[STAGES][2];
    find_directions(back, i, V, s);
    for (int q = 0; q < STAGES; q++) {
        for (int c = 0; c < 2; c++) {
            double by = push[q] * s[q][c];
            back->S[2 * i + c] += by;
            for (int r = 0; r < back->lanes; r++) {
                back->M[i * back->width + r] += by * P[q][c][r];
            }
        }
    }
}

/* The impulses of R between a node and the end of the step. */
static void find_later(const PlainBack *back, double h, double *later) {
    int frees = back->free_count, width = back->width;
    for (int j = 0; j < frees; j++) {
        for (int q = 0; q < STAGES; q++) {
            double sum = 0;
            for (int x = 0; x < STAGES; x++) {
                sum += INTEGRAL[q][x] * back->nodes[plain_node(back, x, width - 1, j)];
            }
            later[q * frees + j] = h * sum;
        }
    }
}

/* N dt of link i at the nodes: place in R, or in H. */
static void find_push(const PlainBack *back, double h, int place, int held, double push[STAGES]) {
    int frees = back->free_count, width = back->width;
    for (int q = 0; q < STAGES; q++) {
        double N = held ? 0 : back->nodes[plain_node(back, q, width - 1, place)];
        for (int j = 0; j < frees && held; j++) {
            N -= back->C[place * frees + j] * back->nodes[plain_node(back, q, width - 1, j)];
        }
        push[q] = h * INTEGRAL[STAGES - 1][q] * N;
    }
}

void crm_plain_slide_step(PlainBack *back, const PlainLink *links, double h) {
    int frees = back->free_count, n = back->given->count;
    double *later = back->later, *T = back->column, constant[WIDTH_MOST];
    int any = 0;
    for (int i = 0; i < n; i++) {
        any |= back->slides[i];
    }
    if (!any) {
        return;
    }
    crm_plain_nodes(back);
    find_later(back, h, later);
    for (int i = 0; i < n; i++) {
        int held = links[i].pushes, acting = is_sprung(links[i].phase), place = 0;
        double V[STAGES][2], P[STAGES][2][WIDTH_MOST], push[STAGES], after[2];
        if (!back->slides[i]) {
            continue;
        }
        for (int c = 0; c < 2; c++) {
            reduce_tangent(back, i, c, T, constant);
            after[c] = back->V[2 * i + c];
            for (int q = 0; q < STAGES; q++) {
                double sum = after[c];
                for (int j = 0; j < frees; j++) {
                    sum -= T[j] * later[q * frees + j];
                }
                V[q][c] = sum;
                for (int r = 0; r < back->lanes && (held || acting); r++) {
                    double press = constant[r];
                    for (int j = 0; j < frees; j++) {
                        press += T[j] * back->nodes[plain_node(back, q, r, j)];
                    }
                    P[q][c][r] = press;
                }
            }
        }
        const int *list = held ? back->holds : back->free;
        while (place < (held ? back->hold_count : frees) && list[place] != i) {
            place++;
        }
        if (held || acting) {
            find_push(back, h, place, held, push);
            add_slide(back, i, push, V, P);
        }
        back->V[2 * i] = V[STAGES - 1][0];
        back->V[2 * i + 1] = V[STAGES - 1][1];
    }
}

void crm_plain_slide_single(PlainBack *back, int i, double p, const double *beta) {
    int n = back->given->count, width = back->width;
    double V[STAGES][2], P[STAGES][2][WIDTH_MOST], push[STAGES];
    for (int c = 0; c < 2 && back->slides[i]; c++) {
        const double *T = &back->tangent[(2 * i + c) * n];
        for (int q = 0; q < STAGES; q++) {
            double later = p * NODE[q];
            push[q] = p * INTEGRAL[STAGES - 1][q];
            V[q][c] = back->V[2 * i + c] - T[i] * later;
            for (int r = 0; r < width; r++) {
                double sum = -T[i] * beta[r] * later;
                for (int j = 0; j < n; j++) {
                    sum += T[j] * back->a[j * width + r];
                }
                P[q][c][r] = sum;
            }
        }
    }
    if (back->slides[i]) {
        add_slide(back, i, push, V, P);
    }
    for (int j = 0; j < 2 * n; j++) {
        back->V[j] -= back->tangent[j * n + i] * p;
    }
}
