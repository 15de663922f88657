/* Rank-revealing factorisation and block principal pivoting. The solution of the complementarity
 * problem is unique where nothing slips, so the outcome does not depend on the order of the links.
 */
#include "multiple/held.h"

#include <string.h>

/* A row whose pivot is below this, relative to its diagonal, depends on the others. */
static const double DEPENDENT = 1e-9;

/* Forces and accelerations of this size, relative to the sums that they come from, are 0. */
static const double HELD_ZERO = 1e-11;

/* From this least pivot on equations are far from singular, in any order of their rows. */
static const double FAR_FROM_SINGULAR = 0.1;

/* The same where it is known that they are 0, unless links share the load. */
static const double ON_NEITHER_SIDE = 1e-8;

size_t crm_held_bytes(int count) {
    size_t n = (size_t)count;
    return sizeof(Held) + (7 * n * n + (14 + TERMS) * n) * sizeof(double) + 6 * n * sizeof(int) +
           64;
}

void crm_held_begin(Held *held, int count) {
    size_t n = (size_t)count;
    double *numbers = (double *)(held + 1);
    *held = (Held){.limit = count};
    double **arrays[] = {&held->b, &held->size, &held->N, &held->slack, &held->wish};
    held->G = numbers;
    held->LU = numbers + n * n;
    held->room = numbers + 2 * n * n;
    numbers += 5 * n * n + 2 * n;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++, numbers += n) {
        *arrays[i] = numbers;
    }
    held->drag = numbers;
    held->flow = numbers + 2 * n;
    int *integers = (int *)(held->flow + (5 + TERMS) * n + 2 * n * n);
    held->list = integers;
    held->swap = integers + n;
    held->pushes = integers + 2 * n;
    held->depends = integers + 3 * n;
    held->kind = (HeldKind *)(integers + 4 * n);
    held->falling = integers + 5 * n;
    memset(held->drag, 0, 2 * n * sizeof *held->drag);
    memset(held->pushes, 0, n * sizeof *held->pushes);
}

static double normal_W(const Given *given, int i, int j) {
    return row_of_W(given, normal_row(given, i))[normal_row(given, j)];
}

double crm_held_effect(const Given *given, const Held *held, int i, int j) {
    const double *row = row_of_W(given, normal_row(given, i)), *drag = &held->drag[2 * j];
    int t = given->materials[j].row;
    double sum = row[normal_row(given, j)];
    for (int k = 0; k < given->rows - 1; k++) {
        sum -= row[t + k] * drag[k];
    }
    return sum;
}

static double stiff_mobility(const Material *material) {
    return material->k * material->w;
}

/* Pivoted Cholesky: columns of L, m numbers each, with L L^T = K^1/2 W_PP K^1/2; its rank. The
 * links from number pivots on are only carried along. left: what is left of the diagonal, negative
 * at the pivots. */
static int find_root(const Given *given, const int *list, int m, int pivots, double *L,
                     double *left) {
    int rank = 0;
    for (int i = 0; i < m; i++) {
        left[i] = stiff_mobility(&given->materials[list[i]]);
    }
    for (; rank < pivots; rank++) {
        int best = 0;
        double largest = 0;
        for (int i = 0; i < pivots; i++) {
            double share = left[i] / stiff_mobility(&given->materials[list[i]]);
            if (share > largest) {
                largest = share;
                best = i;
            }
        }
        if (largest < DEPENDENT) {
            break;
        }
        double *column = &L[rank * m], root = sqrt(left[best]);
        for (int i = 0; i < m; i++) {
            const Material *a = &given->materials[list[i]], *b = &given->materials[list[best]];
            double sum = sqrt(a->k * b->k) * normal_W(given, list[i], list[best]);
            for (int c = 0; c < rank; c++) {
                sum -= L[c * m + i] * L[c * m + best];
            }
            column[i] = left[i] > 0 ? sum / root : 0;
        }
        for (int i = 0; i < m; i++) {
            left[i] = left[i] > 0 ? left[i] - column[i] * column[i] : left[i];
        }
        left[best] = -1;
    }
    return rank;
}

/* L = Q R by Gram and Schmidt, twice; Q takes the place of L. */
static void orthogonalise(double *Q, double *R, int m, int rank) {
    for (int c = 0; c < rank; c++) {
        double *q = &Q[c * m], norm = 0;
        memset(&R[c * rank], 0, (size_t)rank * sizeof *R);
        for (int pass = 0; pass < 2; pass++) {
            for (int d = 0; d < c; d++) {
                double dot = 0;
                for (int i = 0; i < m; i++) {
                    dot += Q[d * m + i] * q[i];
                }
                for (int i = 0; i < m; i++) {
                    q[i] -= dot * Q[d * m + i];
                }
                R[c * rank + d] += dot;
            }
        }
        for (int i = 0; i < m; i++) {
            norm += q[i] * q[i];
        }
        norm = sqrt(norm);
        R[c * rank + c] = norm;
        for (int i = 0; i < m; i++) {
            q[i] /= norm;
        }
    }
}

/* G = B^T B with R B = Q^T K^1/2; R is stored by columns. */
static void find_G(const Given *given, Held *held) {
    int m = held->count;
    double *Q = held->room, *R = Q + held->limit * held->limit;
    int rank = find_root(given, held->list, m, m, Q, R);
    orthogonalise(Q, R, m, rank);
    for (int c = rank - 1; c >= 0; c--) {
        for (int i = 0; i < m; i++) {
            double sum = Q[c * m + i];
            for (int d = c + 1; d < rank; d++) {
                sum -= R[d * rank + c] * Q[d * m + i];
            }
            Q[c * m + i] = sum / R[c * rank + c];
        }
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int c = 0; c < rank; c++) {
                sum += Q[c * m + i] * Q[c * m + j];
            }
            sum *= sqrt(given->materials[held->list[i]].k * given->materials[held->list[j]].k);
            held->G[i * m + j] = held->G[j * m + i] = sum;
        }
    }
}

/* LU with row exchanges; the least pivot, with the sign of the determinant. */
static double decompose(double *A, int m, int *swap) {
    double least = INFINITY, sign = 1;
    for (int c = 0; c < m; c++) {
        int p = c;
        for (int i = c + 1; i < m; i++) {
            p = fabs(A[i * m + c]) > fabs(A[p * m + c]) ? i : p;
        }
        swap[c] = p;
        for (int j = 0; j < m && p != c; j++) {
            double a = A[c * m + j];
            A[c * m + j] = A[p * m + j];
            A[p * m + j] = a;
        }
        sign = (A[c * m + c] < 0) != (p != c) ? -sign : sign;
        least = fmin(least, fabs(A[c * m + c]));
        if (A[c * m + c] == 0) {
            return 0;
        }
        for (int i = c + 1; i < m; i++) {
            double a = A[i * m + c] /= A[c * m + c];
            for (int j = c + 1; j < m && a != 0; j++) {
                A[i * m + j] -= a * A[c * m + j];
            }
        }
    }
    return sign * least;
}

static void substitute(const double *A, int m, const int *swap, double *x) {
    for (int i = 0; i < m; i++) {
        double a = x[swap[i]];
        x[swap[i]] = x[i];
        x[i] = a;
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < i; j++) {
            x[i] -= A[i * m + j] * x[j];
        }
    }
    for (int i = m - 1; i >= 0; i--) {
        for (int j = i + 1; j < m; j++) {
            x[i] -= A[i * m + j] * x[j];
        }
        x[i] /= A[i * m + i];
    }
}

/* How far from singular is the matrix, whose least pivot depends on the order of its rows? The
 * mean size of a column of the inverse, inverted; 1 for the unit matrix. With the sign of the
 * determinant. */
static double find_stability(const double *A, int m, const int *swap, double least, double *x) {
    double square = 0;
    if (fabs(least) > FAR_FROM_SINGULAR || least == 0) {
        return least;
    }
    for (int j = 0; j < m; j++) {
        for (int i = 0; i < m; i++) {
            x[i] = i == j;
        }
        substitute(A, m, swap, x);
        for (int i = 0; i < m; i++) {
            square += x[i] * x[i];
        }
    }
    return copysign(sqrt(m / square), least);
}

double crm_held_linear(int count, double *A, double *b) {
    int swap[MOST_LINEAR];
    double room[MOST_LINEAR];
    double least = count <= MOST_LINEAR ? decompose(A, count, swap) : 0;
    if (least != 0) {
        substitute(A, count, swap, b);
    }
    return find_stability(A, count, swap, least, room);
}

/* 1 - G M, whose column of a link that sticks is that of 1. */
static void couple(const Given *given, Held *held) {
    int m = held->count;
    held->coupled = 0;
    held->pivot = 1;
    for (int j = 0; j < m; j++) {
        const double *drag = &held->drag[2 * held->list[j]];
        held->coupled |= drag[0] != 0 || drag[1] != 0;
    }
    for (int j = 0; j < m && held->coupled; j++) {
        int link = held->list[j];
        const double *drag = &held->drag[2 * link];
        int t = given->materials[link].row;
        for (int i = 0; i < m; i++) {
            held->LU[i * m + j] = i == j;
        }
        if (drag[0] == 0 && drag[1] == 0) {
            continue;
        }
        for (int a = 0; a < m; a++) {
            const double *row = row_of_W(given, normal_row(given, held->list[a]));
            double pull = 0;
            for (int k = 0; k < given->rows - 1; k++) {
                pull += row[t + k] * drag[k];
            }
            for (int i = 0; i < m; i++) {
                held->LU[i * m + j] -= held->G[i * m + a] * pull;
            }
        }
    }
    if (held->coupled) {
        double least = decompose(held->LU, m, held->swap);
        held->pivot = find_stability(held->LU, m, held->swap, least, held->room);
    }
}

void crm_held_factor(const Given *given, Held *held) {
    int count = 0, same = 1;
    for (int i = 0; i < given->count; i++) {
        if (held->pushes[i]) {
            same &= count < held->count && held->list[count] == i;
            held->list[count++] = i;
        }
    }
    same &= count == held->count;
    held->count = count;
    if (!same) {
        find_G(given, held);
    }
    couple(given, held);
}

void crm_held_solve(Held *held) {
    int m = held->count;
    double *x = held->room;
    for (int i = 0; i < m; i++) {
        x[i] = 0;
        for (int j = 0; j < m; j++) {
            x[i] -= held->G[i * m + j] * held->b[held->list[j]];
        }
    }
    if (held->coupled && held->pivot != 0) {
        substitute(held->LU, m, held->swap, x);
    }
    for (int i = 0; i < m; i++) {
        held->N[held->list[i]] = x[i];
    }
}

/* Row i of W_iP G; the share of W_ii that is independent of the links that push. */
static double held_share(const Given *given, Held *held, int i, double *c) {
    int m = held->count;
    double left = given->materials[i].w;
    for (int j = 0; j < m; j++) {
        double size = 0;
        c[j] = 0;
        for (int a = 0; a < m; a++) {
            double part = normal_W(given, i, held->list[a]) * held->G[a * m + j];
            c[j] += part;
            size += fabs(part);
        }
        c[j] = fabs(c[j]) <= HELD_ZERO * size ? 0 : c[j];
        left -= c[j] * normal_W(given, i, held->list[j]);
    }
    return left / given->materials[i].w;
}

/* The shares stay in held->room. */
double crm_held_wish_of(const Given *given, Held *held, int i, const double *N) {
    double *c = held->room, wish = 0, size = 0;
    held_share(given, held, i, c);
    for (int j = 0; j < held->count; j++) {
        double part = c[j] * N[j] / given->materials[held->list[j]].k;
        wish += part;
        size += fabs(part);
    }
    return fabs(wish) <= HELD_ZERO * size ? 0 : wish;
}

double crm_held_wish(const Given *given, Held *held, int i) {
    double *N = held->room + held->limit;
    for (int j = 0; j < held->count; j++) {
        N[j] = held->N[held->list[j]];
    }
    return crm_held_wish_of(given, held, i, N);
}

void crm_held_place(const Given *given, Held *held, int i) {
    held->depends[i] = held->kind[i] == HELD_RESTRICTED && !held->pushes[i] && held->count > 0 &&
                       held_share(given, held, i, held->room) < DEPENDENT;
}

int crm_held_keeps(const Given *given, Held *held, int count, int *list, int i) {
    double *left = held->room + (count + 1) * (count + 1);
    list[count] = i;
    find_root(given, list, count + 1, count, held->room, left);
    return left[count] < DEPENDENT * stiff_mobility(&given->materials[i]);
}

/* Where the sizes of forces are: the sums of magnitudes that they come from. A force that is the
 * small difference of large ones is rounding, and so is all that it does to others. */
static double *force_sizes(Held *held) {
    return held->room + (3 * held->limit + 1) * held->limit;
}

static void find_force_sizes(const Held *held, double *sizes) {
    int m = held->count;
    for (int i = 0; i < m; i++) {
        sizes[i] = fabs(held->N[held->list[i]]);
        for (int j = 0; j < m; j++) {
            sizes[i] += fabs(held->G[i * m + j]) * held->size[held->list[j]];
        }
    }
}

/* This sum over the forces of order g of the links that push; the magnitudes of its terms in *size.
 */
static double sum_over(const Held *held, int g, const double *c, double *size) {
    double sum = 0;
    *size = 0;
    for (int j = 0; j < held->count; j++) {
        double part = c[j] * held->links[held->list[j]].N[g];
        sum += part;
        *size += fabs(part);
    }
    return fabs(sum) <= ON_NEITHER_SIDE * *size ? 0 : sum;
}

/* The same, relative to its terms, of the first order before the one in hand at which it is not 0.
 */
static double earlier_sum(const Held *held, const double *c) {
    double sum = 0, size;
    for (int g = 0; g < held->orders && sum == 0; g++) {
        sum = sum_over(held, g, c, &size);
        sum = sum != 0 ? sum / size : 0;
    }
    return sum;
}

/* Factors of the forces in what link i would take over. Those of links on which it does not depend
 * are rounding, in units of the stiffnesses. */
static double *wish_factors(const Given *given, Held *held, int i) {
    double *c = held->room, own = given->materials[i].k;
    held_share(given, held, i, c);
    for (int j = 0; j < held->count; j++) {
        double k = given->materials[held->list[j]].k;
        c[j] = fabs(c[j]) <= ON_NEITHER_SIDE * sqrt(k / own) ? 0 : c[j] / k;
    }
    return c;
}

/* What link i, whose row depends on those of the links that push, would have taken over before
 * these pushed. */
static double earlier_wish(const Given *given, Held *held, int i) {
    return held->orders > 0 ? earlier_sum(held, wish_factors(given, held, i)) : 0;
}

double crm_held_wish_at(const Given *given, Held *held, int i, int g) {
    double size;
    return sum_over(held, g, wish_factors(given, held, i), &size);
}

/* What link number a of those that push would have had as its share of the load before it pushed.
 */
static double earlier_share(const Given *given, Held *held, int a) {
    double *c = held->room, own = given->materials[held->list[a]].k;
    for (int j = 0; j < held->count && held->orders > 0; j++) {
        double k = given->materials[held->list[j]].k;
        c[j] = 0;
        for (int b = 0; b < held->count; b++) {
            c[j] += held->G[a * held->count + b] * normal_W(given, held->list[b], held->list[j]);
        }
        c[j] = fabs(c[j]) <= ON_NEITHER_SIDE * sqrt(own / k) ? 0 : c[j];
    }
    return held->orders > 0 ? earlier_sum(held, c) : 0;
}

/* How far a link that does not push is on the wrong side, relative to the terms of the sum. */
static double find_outside(const Given *given, Held *held, int i) {
    const double *sizes = force_sizes(held);
    double slack = held->b[i], size = held->size[i];
    held->N[i] = held->slack[i] = held->wish[i] = 0;
    crm_held_place(given, held, i);
    if (held->depends[i]) {
        double wish = earlier_wish(given, held, i);
        if (wish != 0) {
            held->wish[i] = wish;
            return wish;
        }
        wish = crm_held_wish(given, held, i);
        size = 0;
        for (int j = 0; j < held->count; j++) {
            size += fabs(held->room[j]) * sizes[j] / given->materials[held->list[j]].k;
        }
        held->wish[i] = fabs(wish) <= HELD_ZERO * size ? 0 : wish;
        return held->wish[i] == 0 ? 0 : wish / size;
    }
    for (int j = 0; j < held->count; j++) {
        double effect = crm_held_effect(given, held, i, held->list[j]);
        slack += effect * held->N[held->list[j]];
        size += fabs(effect) * sizes[j];
    }
    held->slack[i] = fabs(slack) <= HELD_ZERO * size ? 0 : slack;
    return held->slack[i] == 0 ? 0 : -held->slack[i] / size;
}

static int place_in_list(const Held *held, int i) {
    int a = 0;
    while (held->list[a] != i) {
        a++;
    }
    return a;
}

/* How far a link that pushes is on the wrong side. */
static double find_inside(const Given *given, Held *held, int i) {
    double size = held->size[i], w = given->materials[i].w;
    for (int j = 0; j < held->count; j++) {
        size += fabs(normal_W(given, i, held->list[j])) * force_sizes(held)[j];
    }
    held->slack[i] = held->wish[i] = held->depends[i] = 0;
    held->N[i] = fabs(held->N[i]) * w <= HELD_ZERO * size ? 0 : held->N[i];
    double share = earlier_share(given, held, place_in_list(held, i));
    return share != 0 ? -share : -held->N[i] * w / size;
}

/* How far each link is on the wrong side, by the factors in use; not positive: it is not. Rounding
 * becomes 0, first in the forces. */
static void find_violations(const Given *given, Held *held, double *violation) {
    crm_held_solve(held);
    find_force_sizes(held, force_sizes(held));
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < given->count; i++) {
            if (held->kind[i] != HELD_RESTRICTED) {
                violation[i] = 0;
            } else if (side == 0 ? held->pushes[i] : !held->pushes[i]) {
                violation[i] = (side == 0 ? find_inside : find_outside)(given, held, i);
            }
        }
    }
}

void crm_held_evaluate(const Given *given, Held *held) {
    crm_held_factor(given, held);
    find_violations(given, held, held->room + 2 * held->limit);
}

/* The same by rates of b where a link is on neither side, with a margin: it is known to be there,
 * but for links that share the load. */
static void find_rate_violations(const Given *given, Held *held, const HeldRates *rates,
                                 double *violation) {
    double *b = held->b, *size = held->size;
    memcpy(rates->now, violation, (size_t)given->count * sizeof *violation);
    held->b = rates->b;
    held->size = rates->size;
    find_violations(given, held, violation);
    for (int i = 0; i < given->count; i++) {
        violation[i] = fabs(rates->now[i]) <= ON_NEITHER_SIDE ? violation[i] : rates->now[i];
    }
    held->b = b;
    held->size = size;
}

int crm_held_react_on(const Given *given, Held *held, const HeldRates *rates) {
    /* all links on the wrong side change; if their number does not fall for a while, the worst */
    int fewest = given->count + 1, patience = 3, tries = 30 + 10 * given->count;
    for (int i = 0; i < given->count; i++) {
        held->pushes[i] =
            held->kind[i] == HELD_FREE || (held->kind[i] == HELD_RESTRICTED && held->pushes[i]);
    }
    while (tries-- > 0) {
        int wrong = 0, worst = -1;
        double largest = 0, *violation = held->room + 3 * held->limit * held->limit;
        crm_held_factor(given, held);
        find_violations(given, held, violation);
        if (rates) {
            find_rate_violations(given, held, rates, violation);
        }
        for (int i = 0; i < given->count; i++) {
            wrong += violation[i] > 0;
            if (violation[i] > largest) {
                largest = violation[i];
                worst = i;
            }
        }
        if (wrong == 0) {
            return 1;
        }
        patience = wrong < fewest ? 3 : patience - 1;
        fewest = wrong < fewest ? wrong : fewest;
        for (int i = 0; i < given->count; i++) {
            if (violation[i] > 0 && (patience > 0 || i == worst)) {
                held->pushes[i] = !held->pushes[i];
            }
        }
    }
    return 0;
}

int crm_held_react(const Given *given, Held *held) {
    return crm_held_react_on(given, held, NULL);
}
