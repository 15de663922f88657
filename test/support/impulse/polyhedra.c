#include "support/impulse/polyhedra.h"

#include <math.h>
#include <string.h>

enum {
    VELOCITIES = 2 * POLYHEDRA_CONTACTS,
    CONDITIONS = 2 * POLYHEDRA_CONTACTS,
    COLUMNS = 6 * POLYHEDRA_CONTACTS,
    PIVOTS = 5000 /* some ten are usual */
};

/* Rows of W are dependent to rounding: pivots and slopes below these are none. */
static const long double PIVOT = 1e-11L, SLOPE = 1e-10L, FEASIBLE = 1e-12L, LARGEST = 1e6L;

/* Conditions A x = b, x >= 0, last column b, last row the objective; basis[i]: the unknown that row
 * i stands for. */
typedef struct Tableau {
    int rows, columns, basis[CONDITIONS];
    long double A[CONDITIONS + 1][COLUMNS + 1];
} Tableau;

/* The unknowns of a set of modes, and the velocity as a linear function of them. */
typedef struct Modes {
    int kind[POLYHEDRA_CONTACTS]; /* open, stick, slip forward, slip backward */
    int unknowns, contact[VELOCITIES];
    long double edge[VELOCITIES];              /* I_t per I_n */
    long double v[VELOCITIES][VELOCITIES + 1]; /* last column: v- */
} Modes;

static void pivot(Tableau *t, int row, int column) {
    long double unit = t->A[row][column];
    for (int j = 0; j <= t->columns; j++) {
        t->A[row][j] /= unit;
    }
    for (int i = 0; i <= t->rows; i++) {
        long double part = i == row ? 0 : t->A[i][column];
        for (int j = 0; j <= t->columns && part != 0; j++) {
            t->A[i][j] -= part * t->A[row][j];
        }
    }
    t->basis[row] = column;
}

/* Minimise with Bland's rule; the first most columns may enter. 0: unbounded, or rounding makes it
 * go round in circles. */
static int minimise(Tableau *t, int most) {
    for (int work = 0; work < PIVOTS; work++) {
        int column = 0, row = -1;
        long double least = INFINITY;
        while (column < most && t->A[t->rows][column] >= -SLOPE) {
            column++;
        }
        if (column == most) {
            return 1;
        }
        for (int i = 0; i < t->rows; i++) {
            long double step =
                t->A[i][column] > PIVOT ? t->A[i][t->columns] / t->A[i][column] : INFINITY;
            if (step < least - 1e-15L ||
                (row >= 0 && step <= least + 1e-15L && t->basis[i] < t->basis[row])) {
                least = step;
                row = i;
            }
        }
        if (row < 0) {
            return 0;
        }
        pivot(t, row, column);
    }
    return 0;
}

static long double asked(const MultipleProblem *problem, int contact) {
    double before = problem->v[2 * contact + 1];
    return before < 0 ? -(long double)problem->contacts[contact].e * before : 0;
}

static void add_unknown(Modes *modes, int contact, long double edge) {
    modes->contact[modes->unknowns] = contact;
    modes->edge[modes->unknowns++] = edge;
}

/* Modes number set, two bits for each contact. 0: without friction there is only one closed mode.
 */
static int set_modes(const MultipleProblem *problem, int set, Modes *modes) {
    int rows = 2 * problem->count;
    modes->unknowns = 0;
    for (int i = 0; i < problem->count; i++) {
        int kind = modes->kind[i] = set >> (2 * i) & 3;
        long double mu = problem->contacts[i].mu;
        if (mu == 0 && (kind & 1)) {
            return 0;
        }
        if (kind == 1 || kind == 3) {
            add_unknown(modes, i, mu);
        }
        if (kind == 1 || kind == 2) {
            add_unknown(modes, i, -mu);
        }
    }
    for (int r = 0; r < rows; r++) {
        const double *W = problem->W + r * rows;
        for (int k = 0; k < modes->unknowns; k++) {
            int t = 2 * modes->contact[k];
            modes->v[r][k] = W[t] * modes->edge[k] + W[t + 1];
        }
        modes->v[r][modes->unknowns] = problem->v[r];
    }
    return 1;
}

/* sign v_row = value, or >= value with a slack. */
static void add_condition(const Modes *modes, int row, int sign, long double value, int slack,
                          int *slacks, Tableau *t) {
    long double *A = t->A[t->rows++], *v = (long double *)modes->v[row];
    for (int k = 0; k < modes->unknowns; k++) {
        A[k] = sign * v[k];
    }
    A[COLUMNS] = value - sign * v[modes->unknowns];
    if (slack) {
        A[modes->unknowns + (*slacks)++] = -1;
    }
}

/* A point of the polyhedron as first basis. Returns the number of unknowns and slacks; -1: empty.
 */
static int find_point(const MultipleProblem *problem, const Modes *modes, Tableau *t) {
    int slacks = 0;
    memset(t, 0, sizeof *t);
    for (int i = 0; i < problem->count; i++) {
        int kind = modes->kind[i], rough = kind > 0 && problem->contacts[i].mu > 0;
        add_condition(modes, 2 * i + 1, 1, asked(problem, i), kind == 0, &slacks, t);
        if (rough) {
            add_condition(modes, 2 * i, kind == 3 ? -1 : 1, 0, kind > 1, &slacks, t);
        }
    }
    int all = modes->unknowns + slacks, rows = t->rows;
    t->columns = all + rows;
    for (int i = 0; i < rows; i++) { /* one more unknown for each condition, all to vanish */
        long double right = t->A[i][COLUMNS], sign = right < 0 ? -1 : 1;
        t->A[i][COLUMNS] = 0;
        for (int j = 0; j < all; j++) {
            t->A[i][j] *= sign;
            t->A[rows][j] -= t->A[i][j];
        }
        t->A[i][all + i] = 1;
        t->A[i][t->columns] = sign * right;
        t->A[rows][t->columns] -= sign * right;
        t->basis[i] = all + i;
    }
    minimise(t, all);
    return -t->A[rows][t->columns] > FEASIBLE ? -1 : all;
}

/* Those that are in the basis still are 0; they must stay so. */
static void remove_artificial(int all, Tableau *t) {
    for (int i = 0; i < t->rows; i++) {
        for (int j = 0; j < all && t->basis[i] >= all; j++) {
            if (fabsl(t->A[i][j]) > 1e-10L) {
                pivot(t, i, j);
            }
        }
    }
}

/* Least value of sign v_row in the polyhedron. */
static long double least(const Modes *modes, int row, int sign, int all, const Tableau *point) {
    Tableau t = *point;
    memset(t.A[t.rows], 0, sizeof t.A[t.rows]);
    for (int k = 0; k < modes->unknowns; k++) {
        t.A[t.rows][k] = sign * modes->v[row][k];
    }
    for (int i = 0; i < t.rows; i++) {
        long double part = t.basis[i] < all ? t.A[t.rows][t.basis[i]] : 0;
        for (int j = 0; j <= t.columns; j++) {
            t.A[t.rows][j] -= part * t.A[i][j];
        }
    }
    return minimise(&t, all) ? -t.A[t.rows][t.columns] + sign * modes->v[row][modes->unknowns]
                             : -INFINITY;
}

/* May the velocity differ within the polyhedron? Not without slip: W dI = 0 then. */
static int has_spread(const MultipleProblem *problem, const Modes *modes, int all,
                      const Tableau *point) {
    int slips = 0, spread = 0;
    for (int i = 0; i < problem->count; i++) {
        slips |= modes->kind[i] > 1 && problem->contacts[i].mu > 0;
    }
    for (int row = 0; row < 2 * problem->count && slips && !spread; row++) {
        long double low = least(modes, row, 1, all, point);
        spread = -least(modes, row, -1, all, point) - low > 1e-7L;
    }
    return spread;
}

static void keep(const MultipleProblem *problem, const Modes *modes, int all, const Tableau *point,
                 Polyhedra *found) {
    long double I[VELOCITIES] = {0}, x[COLUMNS] = {0}, energy = 0, *v = found->v[found->count];
    int rows = 2 * problem->count;
    for (int i = 0; i < point->rows; i++) {
        x[point->basis[i]] = point->A[i][point->columns];
        if (x[point->basis[i]] > LARGEST) {
            return; /* a jam that no digit is left of */
        }
    }
    for (int k = 0; k < modes->unknowns; k++) {
        I[2 * modes->contact[k]] += modes->edge[k] * x[k];
        I[2 * modes->contact[k] + 1] += x[k];
    }
    for (int r = 0; r < rows; r++) {
        v[r] = modes->v[r][modes->unknowns];
        for (int k = 0; k < modes->unknowns; k++) {
            v[r] += modes->v[r][k] * x[k];
        }
        energy += I[r] * (problem->v[r] + v[r]) / 2;
    }
    found->spread |= has_spread(problem, modes, all, point);
    for (int k = 0; k < found->count; k++) {
        long double gap = 0;
        for (int r = 0; r < rows; r++) {
            gap = fmaxl(gap, fabsl(found->v[k][r] - v[r]));
        }
        if (gap < 1e-7L) {
            return;
        }
    }
    found->energy[found->count] = energy;
    found->count += found->count < POLYHEDRA_MOST - 1;
}

void impulse_polyhedra(const MultipleProblem *problem, Polyhedra *found) {
    Modes modes;
    Tableau tableau;
    found->count = found->spread = 0;
    for (int set = 0; set < 1 << (2 * problem->count); set++) {
        if (!set_modes(problem, set, &modes)) {
            continue;
        }
        int all = find_point(problem, &modes, &tableau);
        if (all >= 0) {
            remove_artificial(all, &tableau);
            keep(problem, &modes, all, &tableau, found);
        }
    }
}
