#include "impulse/contact_order.h"

#include "math/functions.h"

enum { ORDER_KEYS = 7 };

/* Key number k of a contact. */
static double key(const CaromProblem *problem, int contact, int k) {
    int rows = problem->planar ? 2 : 3, size = rows * problem->contact_count;
    int t = contact * rows, n = t + rows - 1;
    const double *W = problem->inverse_inertia, *v = problem->velocity + t;
    switch (k) {
    case 0:
        return v[rows - 1];
    case 1:
        return rows == 3 ? hypot(v[0], v[1]) : fabs(v[0]);
    case 2:
        return W[n * (size + 1)];
    case 3:
        return W[t * (size + 1)] + (rows == 3 ? W[(t + 1) * (size + 1)] : 0);
    case 4:
        return problem->contacts[contact].mu;
    case 5:
        return problem->contacts[contact].e;
    default:
        return v[0];
    }
}

/* Blocks (a, p) and (b, q) of W, which may depend on the axes of the tangents. */
static int compare_blocks(const CaromProblem *problem, int a, int p, int b, int q) {
    int rows = problem->planar ? 2 : 3, size = rows * problem->contact_count;
    const double *W = problem->inverse_inertia;
    for (int entry = rows * rows - 1; entry >= 0; entry--) {
        int r = entry / rows, c = entry % rows;
        double x = W[(a * rows + r) * size + p * rows + c];
        double y = W[(b * rows + r) * size + q * rows + c];
        if (x != y) {
            return x < y ? -1 : 1;
        }
    }
    return 0;
}

static int compare(const CaromProblem *problem, int a, int b, const int *order, int placed) {
    for (int k = 0; k < ORDER_KEYS; k++) {
        double x = key(problem, a, k), y = key(problem, b, k);
        if (x != y) {
            return x < y ? -1 : 1;
        }
    }
    int found = compare_blocks(problem, a, a, b, b);
    for (int i = 0; i < placed && !found; i++) {
        found = compare_blocks(problem, a, order[i], b, order[i]);
    }
    return found;
}

void crm_contact_order(const CaromProblem *problem, int *order) {
    int n = problem->contact_count;
    for (int i = 0; i < n; i++) {
        order[i] = i;
    }
    for (int i = 0; i < n; i++) {
        int first = i;
        for (int k = i + 1; k < n; k++) {
            first = compare(problem, order[k], order[first], order, i) < 0 ? k : first;
        }
        int contact = order[first];
        order[first] = order[i];
        order[i] = contact;
    }
}
