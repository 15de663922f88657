/* The strike for a wanted outcome. */
#include <carom/aim.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "descent/curve.h"
#include "descent/spread.h"

/* Starts for each free number, and most starts. */
enum { STARTS_EACH = 40, STARTS_MAX = 400 };

/* Solutions are the same within this part of the ranges. */
#define SAME 1e-3

static bool find_misses(void *context, const double *x, double *misses) {
    const CaromAim *aim = context;
    char sequence[CAROM_AIM_SEQUENCE_SIZE];
    return aim->outcome(aim->context, x, misses, sequence) >= 0;
}

static bool find_slopes(void *context, const double *x, double *slopes) {
    const CaromAim *aim = context;
    return aim->slopes(aim->context, x, slopes) >= 0;
}

_Static_assert(CAROM_AIM_FREE_MAX <= SPREAD_AXES, "an axis for each number");

static void place_start(const CaromAim *aim, int index, double *x) {
    for (int k = 0; k < aim->free_count; k++) {
        double low = aim->low[k], high = aim->high[k];
        x[k] = index == 0 && aim->given ? aim->given[k] : low + (high - low) * spread(index, k);
        x[k] = fmin(fmax(x[k], low), high);
    }
}

/* What the outcome at x is; inverse is that of J^T J. False: there is none. */
static bool judge(const CaromAim *aim, const double *x, const double *inverse,
                  CaromAimSolution *solution) {
    double misses[CAROM_AIM_MISSES_MAX];
    *solution = (CaromAimSolution){.family = aim->free_count > aim->miss_count};
    for (int k = 0; k < aim->free_count; k++) { /* a direction in which nothing changes */
        solution->family |= isnan(inverse[k * (aim->free_count + 1)]);
    }
    memcpy(solution->values, x, (size_t)aim->free_count * sizeof *x);
    if (aim->outcome(aim->context, x, misses, solution->sequence) < 0) {
        return false;
    }
    for (int i = 0; i < aim->miss_count; i++) {
        solution->residual = fmax(solution->residual, fabs(misses[i]));
    }
    for (int k = 0; k < aim->free_count; k++) {
        double near = 1e-9 * (aim->high[k] - aim->low[k]);
        solution->bound[k] = x[k] <= aim->low[k] + near ? -1 : x[k] >= aim->high[k] - near ? 1 : 0;
    }
    return !isnan(solution->residual);
}

/* Largest distance of two points in parts of the ranges. */
static double distance(const CaromAim *aim, const double *a, const double *b) {
    double most = 0;
    for (int k = 0; k < aim->free_count; k++) {
        most = fmax(most, fabs(a[k] - b[k]) / (aim->high[k] - aim->low[k]));
    }
    return most;
}

/* Keep a solution, unless it is known; of a continuum the one nearest to what is given. */
static void keep(const CaromAim *aim, const CaromAimSolution *found, CaromAimSolution *solutions,
                 int capacity, int *count) {
    const double *given = aim->given ? aim->given : aim->low;
    int place = *count;
    for (int i = 0; i < *count; i++) {
        bool same = strcmp(solutions[i].sequence, found->sequence) == 0 &&
                    (found->family || distance(aim, solutions[i].values, found->values) < SAME);
        if (same) {
            bool nearer = distance(aim, found->values, given) <
                          distance(aim, solutions[i].values, given) - SAME;
            bool better = !found->family && found->residual < solutions[i].residual;
            if (!(found->family ? nearer : better)) {
                return;
            }
            place = i;
            break;
        }
    }
    if (place < capacity) {
        solutions[place] = *found;
        *count += place == *count;
    }
}

/* Nearest to what is given first. */
static void sort(const CaromAim *aim, CaromAimSolution *solutions, int count) {
    const double *given = aim->given ? aim->given : aim->low;
    for (int i = 1; i < count; i++) {
        CaromAimSolution moved = solutions[i];
        int at = i;
        for (; at > 0 &&
               distance(aim, moved.values, given) < distance(aim, solutions[at - 1].values, given);
             at--) {
            solutions[at] = solutions[at - 1];
        }
        solutions[at] = moved;
    }
}

static const char *check(const CaromAim *aim) {
    if (!aim || !aim->outcome || !aim->low || !aim->high || aim->free_count < 1 ||
        aim->free_count > CAROM_AIM_FREE_MAX || aim->miss_count < 1 ||
        aim->miss_count > CAROM_AIM_MISSES_MAX) {
        return "1 to 16 free numbers and 1 to 64 misses";
    }
    for (int k = 0; k < aim->free_count; k++) {
        if (!isfinite(aim->low[k]) || !isfinite(aim->high[k]) || !(aim->low[k] < aim->high[k])) {
            return "ranges: low must be below high, both finite";
        }
    }
    return NULL;
}

CaromStatus carom_aim(const CaromAim *aim, CaromAimSolution *solutions, int capacity, int *count,
                      CaromAimSolution *closest, const char **message) {
    const char *wrong = check(aim), *ignored;
    message = message ? message : &ignored;
    *message = wrong ? wrong : "";
    if (wrong || !solutions || !count || !closest) {
        return CAROM_INVALID_INPUT;
    }
    double size[CAROM_AIM_FREE_MAX];
    for (int k = 0; k < aim->free_count; k++) {
        size[k] = 0.1 * (aim->high[k] - aim->low[k]);
    }
    /* misses are in units of the tolerance: 1e-9 of it is as good as none */
    CaromAim copy = *aim;
    Curve curve = {.n = aim->free_count,
                   .m = aim->miss_count,
                   .low = aim->low,
                   .high = aim->high,
                   .size = size,
                   .residuals = find_misses,
                   .slopes = aim->slopes ? find_slopes : NULL,
                   .context = &copy,
                   .floor = 1e-18};
    int starts = aim->starts > 0 ? aim->starts : STARTS_EACH * aim->free_count;
    *count = 0;
    *closest = (CaromAimSolution){.residual = INFINITY};
    for (int i = 0; i < starts && i < STARTS_MAX; i++) {
        CaromAimSolution found;
        double x[CAROM_AIM_FREE_MAX], objective;
        double inverse[CAROM_AIM_FREE_MAX * CAROM_AIM_FREE_MAX];
        place_start(aim, i, x);
        if (!crm_curve_solve(&curve, x, &objective, inverse) || !judge(aim, x, inverse, &found)) {
            continue;
        }
        if (found.residual < closest->residual) {
            *closest = found;
        }
        if (found.residual <= 1) {
            keep(aim, &found, solutions, capacity, count);
        }
    }
    sort(aim, solutions, *count);
    if (isinf(closest->residual)) {
        *message = "nowhere in the ranges is there an impact with an outcome";
        return CAROM_NOT_CONVERGED;
    }
    return CAROM_OK;
}
