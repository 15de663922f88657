/* Descents from several starts. */
#include "estimate/starts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "descent/spread.h"

/* Rows that the first descents look at. */
enum { FEW_ROWS = 300, STARTS_MAX = 64, KEPT = 3 };

/* Where starts are taken from, inside the bounds: values that contacts have. */
static void usual_range(const CaromFitParameter *parameter, double *low, double *high) {
    static const double ranges[CAROM_COEFFICIENT_COUNT][2] = {
        [CAROM_COEFFICIENT_MU] = {0.02, 1.2},
        [CAROM_COEFFICIENT_MU_STATIC] = {0.02, 1.2},
        [CAROM_COEFFICIENT_E] = {0.1, 0.95},
        [CAROM_COEFFICIENT_STIFFNESS] = {0.2, 5},
        [CAROM_COEFFICIENT_STIFFNESS_RATIO] = {0.5, 4}};
    *low = fmin(fmax(ranges[parameter->coefficient][0], parameter->low), parameter->high);
    *high = fmax(fmin(ranges[parameter->coefficient][1], parameter->high), parameter->low);
}

_Static_assert(CAROM_FIT_PARAMETERS_MAX <= SPREAD_AXES, "an axis for each number");

static void place_start(const Task *task, int index, double *x) {
    for (int k = 0; k < task->count; k++) {
        const CaromFitParameter *parameter = &task->parameters[k];
        double low, high, part = spread(index + 1, k);
        usual_range(parameter, &low, &high);
        double value = low + (high - low) * part;
        if (parameter->coefficient == CAROM_COEFFICIENT_MU && low > 0) {
            value = low * pow(high / low, part);
        }
        x[k] = crm_task_is_log(parameter) ? log(low) + (log(high) - log(low)) * part : value;
        if (!isnan(parameter->start)) {
            x[k] = crm_task_variable(parameter, parameter->start);
        }
        x[k] = fmin(fmax(x[k], task->low[k]), task->high[k]);
    }
}

void crm_starts_descend(const Task *task, double *x, double tolerance, int passes,
                        DescentEnd *end) {
    Task copy = *task;
    const Descent descent = {.n = task->count,
                             .low = task->low,
                             .high = task->high,
                             .evaluate = crm_pass_evaluate,
                             .context = &copy,
                             .passes_max = passes,
                             .tolerance = tolerance};
    crm_descend(&descent, x, end);
}

/* An end of a descent. */
typedef struct Minimum {
    double x[CAROM_FIT_PARAMETERS_MAX], objective;
} Minimum;

static int compare_minima(const void *a, const void *b) {
    const Minimum *first = a, *second = b;
    return (first->objective > second->objective) - (first->objective < second->objective);
}

/* Is the end of a descent as low as one that is known? Ends of the same objective count as one: a
 * parameter without effect may be anything. */
static bool is_known(const Minimum *minima, int count, double objective) {
    for (int i = 0; i < count; i++) {
        if (fabs(minima[i].objective - objective) <= 1e-3 * objective) {
            return true;
        }
    }
    return false;
}

/* The first descents. Returns how many distinct ends they have, the best first. */
static int explore(const Task *task, int starts, Minimum *minima, DescentEnd *end) {
    Task few = *task;
    int count = 0;
    size_t rows = task->data->rows;
    few.stride = rows > FEW_ROWS ? rows / FEW_ROWS : 1;
    for (int i = 0; i < starts; i++) {
        Minimum found;
        place_start(task, i, found.x);
        crm_starts_descend(&few, found.x, 1e-6, 40, end);
        found.objective = end->objective;
        if (end->found && !is_known(minima, count, found.objective)) {
            minima[count++] = found;
        }
    }
    qsort(minima, (size_t)count, sizeof *minima, compare_minima);
    return count;
}

bool crm_starts_run(const Task *task, double *x, DescentEnd *end, int *starts, int *minima) {
    Minimum found[STARTS_MAX];
    bool given = true;
    int n = task->count;
    for (int k = 0; k < n; k++) {
        given = given && (!isnan(task->parameters[k].start) || task->low[k] == task->high[k]);
    }
    int wanted = task->options->starts > 0 ? task->options->starts : 4 + 4 * n;
    *starts = given ? 1 : wanted < STARTS_MAX ? wanted : STARTS_MAX;
    *minima = explore(task, *starts, found, end);
    int kept = *minima < KEPT ? *minima : KEPT;
    double best = INFINITY;
    for (int i = 0; i < kept; i++) {
        Minimum *minimum = &found[i];
        /* on many rows only what is nearly as good deserves a pass over all of them */
        if (i > 0 && task->data->rows > 10 * FEW_ROWS &&
            minimum->objective > 1.05 * found[0].objective) {
            break;
        }
        crm_starts_descend(task, minimum->x, 1e-11, 60, end);
        minimum->objective = end->found ? end->objective : INFINITY;
        if (minimum->objective < best) {
            best = minimum->objective;
            memcpy(x, minimum->x, (size_t)n * sizeof *x);
        }
    }
    if (isinf(best)) {
        return false;
    }
    /* the end of the best, unless it was the last */
    if (end->objective != best || kept > 1) {
        crm_starts_descend(task, x, 1e-11, 60, end);
    }
    return end->found;
}
