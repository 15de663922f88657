/* Descents from several starts. */
#include "estimate/starts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "descent/spread.h"

/* Rows that the first descents look at. */
enum { FEW_ROWS = 100, STARTS_MAX = 64 };

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

/* Stiffnesses of nearly rigid contacts and of soft ones are far from the usual; their objectives
 * have many minima. Every other start looks there. */
static void wide_range(const CaromFitParameter *parameter, double *low, double *high) {
    *low = fmin(fmax(0.01, parameter->low), parameter->high);
    *high = fmax(fmin(30, parameter->high), parameter->low);
}

static void place_start(const Task *task, int index, double *x) {
    for (int k = 0; k < task->count; k++) {
        const CaromFitParameter *parameter = &task->parameters[k];
        double low, high, part = spread(index + 1, k);
        usual_range(parameter, &low, &high);
        if (crm_task_is_log(parameter) && index % 2) {
            wide_range(parameter, &low, &high);
        }
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

static int compare_minima(const void *a, const void *b) {
    const Minimum *first = a, *second = b;
    return (first->objective > second->objective) - (first->objective < second->objective);
}

/* Are two ends of descents the same minimum? Ends of the same objective are, unless it rises
 * between them: a parameter without effect may be anything. */
static bool are_same(const Task *task, const Minimum *a, const Minimum *b) {
    double middle[CAROM_FIT_PARAMETERS_MAX], between, apart = 0;
    Task copy = *task;
    if (fabs(a->objective - b->objective) > 1e-3 * fmax(a->objective, b->objective)) {
        return false;
    }
    for (int k = 0; k < task->count; k++) {
        double range = task->high[k] - task->low[k];
        middle[k] = (a->x[k] + b->x[k]) / 2;
        apart = range > 0 ? fmax(apart, fabs(a->x[k] - b->x[k]) / range) : apart;
    }
    return apart < 1e-4 || !crm_pass_evaluate(&copy, middle, &between, NULL) ||
           between <= (1 + 1e-3) * fmax(a->objective, b->objective);
}

static bool is_known(const Task *task, const Minimum *minima, int count, const Minimum *found) {
    for (int i = 0; i < count; i++) {
        if (are_same(task, &minima[i], found)) {
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
        crm_starts_descend(&few, found.x, 1e-4, 15, end);
        found.objective = end->objective;
        if (end->found && !is_known(&few, minima, count, &found)) {
            minima[count++] = found;
        }
    }
    qsort(minima, (size_t)count, sizeof *minima, compare_minima);
    return count;
}

/* How many descents to make. */
static int count_starts(const Task *task) {
    bool given = true;
    int n = task->count, stiff = 0;
    for (int k = 0; k < n; k++) {
        stiff += crm_task_is_log(&task->parameters[k]);
        given = given && (!isnan(task->parameters[k].start) || task->low[k] == task->high[k]);
    }
    int wanted = task->options->starts > 0 ? task->options->starts : 4 + 4 * n + 4 * stiff;
    return given ? 1 : wanted < STARTS_MAX ? wanted : STARTS_MAX;
}

bool crm_starts_run(const Task *task, double *x, DescentEnd *end, Starts *result) {
    Minimum found[STARTS_MAX];
    const Minimum *best = NULL;
    *result = (Starts){.starts = count_starts(task)};
    result->minima = explore(task, result->starts, found, end);
    for (int i = 0; i < result->minima && result->count < STARTS_KEPT; i++) {
        /* on many rows only what is nearly as good deserves a pass over all of them */
        if (i > 0 && task->data->rows > 10 * FEW_ROWS &&
            found[i].objective > 1.05 * found[0].objective) {
            break;
        }
        Minimum *minimum = &result->ends[result->count];
        *minimum = found[i];
        crm_starts_descend(task, minimum->x, 1e-11, 60, end);
        minimum->objective = end->objective;
        if (end->found && !is_known(task, result->ends, result->count, minimum)) {
            result->count++;
            best = best && best->objective <= minimum->objective ? best : minimum;
        }
    }
    if (!best) {
        return false;
    }
    memcpy(x, best->x, (size_t)task->count * sizeof *x);
    /* the end of the best, unless it was the last descent */
    if (result->minima > 1) {
        crm_starts_descend(task, x, 1e-11, 60, end);
    }
    return end->found;
}
