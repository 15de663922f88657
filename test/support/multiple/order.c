#include "support/multiple/order.h"

#include <math.h>

#include "support/math/random.h"

MultipleOrder multiple_random_order(const MultipleProblem *problem, uint64_t seed,
                                    uint64_t number) {
    MultipleOrder order;
    Random random = random_start(seed, number);
    for (int i = 0; i < problem->count; i++) {
        int j = (int)(random_uniform(&random) * (i + 1)), k = j < i ? j : i;
        order.order[i] = order.order[k];
        order.order[k] = i;
        double angle = 6.28 * random_uniform(&random);
        order.turn[i][0] = problem->planar ? 1 : cos(angle);
        order.turn[i][1] = problem->planar ? 0 : sin(angle);
    }
    return order;
}

/* Rows of the reordered problem from those of the given one, or back. */
static void apply(const MultipleOrder *order, const MultipleProblem *problem, const double *from,
                  int stride, double *to, int back) {
    int rows = problem->planar ? 2 : 3;
    for (int i = 0; i < problem->count; i++) {
        const double *turn = order->turn[i];
        int here = rows * i, there = rows * order->order[i];
        for (int k = 0; k < rows; k++) {
            int a = (back ? here : there) + k, b = (back ? there : here) + k;
            double x = from[a * stride];
            if (rows == 3 && k < 2) {
                double y = from[(a + (k == 0 ? 1 : -1)) * stride];
                double sign = (k == 0) == !back ? 1 : -1;
                x = turn[0] * x + sign * turn[1] * y;
            }
            to[b * stride] = x;
        }
    }
}

void multiple_reorder(const MultipleOrder *order, const MultipleProblem *from,
                      MultipleProblem *to) {
    double half[MULTIPLE_ROWS * MULTIPLE_ROWS];
    int rows = multiple_rows(from);
    *to = *from;
    for (int i = 0; i < rows; i++) {
        apply(order, from, &from->W[i], rows, &half[i], 0);
    }
    for (int i = 0; i < rows; i++) {
        apply(order, from, &half[i * rows], 1, &to->W[i * rows], 0);
    }
    apply(order, from, from->v, 1, to->v, 0);
    for (int i = 0; i < from->count; i++) {
        to->contacts[i] = from->contacts[order->order[i]];
    }
}

void multiple_order_back(const MultipleOrder *order, const MultipleProblem *problem,
                         const double *from, double *to) {
    apply(order, problem, from, 1, to, 1);
}

double multiple_difference(const MultipleProblem *problem, const double *a, const double *b) {
    double worst = 0, largest = 0;
    for (int i = 0; i < multiple_rows(problem); i++) {
        worst = larger(worst, fabs(a[i] - b[i]));
        largest = larger(largest, fabs(problem->v[i]));
    }
    return worst / largest;
}
