/* One pass over the rows.
 *
 * Rows are cut into parts by their number alone and parts are summed in order, so that the result
 * does not depend on the threads. */
#include "estimate/pass.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/row.h"

/* Rows of a part, at least; and most parts, so that their triangles need some megabytes. */
enum { PART_ROWS = 64, PARTS_MAX = 1024 };

typedef struct Part {
    bool good;
    double objective;
    double R[(CAROM_FIT_PARAMETERS_MAX + 1) * (CAROM_FIT_PARAMETERS_MAX + 1)];
    PassSurvey survey;
    double sum[CAROM_FIT_PARAMETERS_MAX * CAROM_FIT_PARAMETERS_MAX];
} Part;

typedef enum PassKind { PASS_VALUE, PASS_TRIANGLE, PASS_SURVEY, PASS_LEAVE_OUT } PassKind;

typedef struct Pass {
    PassKind kind;
    const Task *task;
    double values[CAROM_FIT_PARAMETERS_MAX], slopes[CAROM_FIT_PARAMETERS_MAX];
    size_t rows, part_rows; /* of the task, with its stride */
    int part_count;
    Part *parts;
    double *distances;
    const double *inverse;
} Pass;

/* Residuals of a row in units of sigma, with their slopes by the variables (by rows). */
typedef struct Residuals {
    int count;
    double r[CAROM_FIT_MEASURED_MAX];
    double J[CAROM_FIT_MEASURED_MAX * CAROM_FIT_PARAMETERS_MAX];
    double weight; /* by the loss: derivative of rho by the square */
    double rho;
} Residuals;

static double sigma_of(const CaromFitRow *row, int i) {
    return row->sigma ? row->sigma[i] : 1;
}

/* The loss of a row whose residuals have the mean square s^2, in units of the scale. A row counts
 * as a whole, because what spoils one number spoils all. */
static void apply_loss(const Task *task, Residuals *residuals) {
    double square = 0;
    for (int i = 0; i < residuals->count; i++) {
        square += residuals->r[i] * residuals->r[i];
    }
    residuals->rho = square;
    residuals->weight = 1;
    if (task->loss == CAROM_FIT_SQUARES || square == 0) {
        return;
    }
    /* 1.345 and 2.385: 95 % efficiency for normal errors */
    double tuning = task->loss == CAROM_FIT_HUBER ? 1.345 : 2.385;
    double limit = tuning * tuning * task->scale * task->scale * residuals->count;
    if (task->loss == CAROM_FIT_CAUCHY) {
        residuals->rho = limit * log1p(square / limit);
        residuals->weight = 1 / (1 + square / limit);
    } else if (square > limit) {
        residuals->rho = 2 * sqrt(limit * square) - limit;
        residuals->weight = sqrt(limit / square);
    }
}

/* The covariance of two numbers by the inputs that are not exact. */
static double propagate(const RowRoom *room, int i, int j) {
    const CaromFitRow *row = &room->row;
    double sum = 0;
    for (int k = 0; row->velocity_sigma && k < crm_row_size(row); k++) {
        double s = row->velocity_sigma[k];
        sum +=
            room->by_velocity[i * ROW_NUMBERS + k] * s * s * room->by_velocity[j * ROW_NUMBERS + k];
    }
    for (int k = 0; k < row->uncertain_count; k++) {
        double s = row->uncertain[k].sigma;
        sum += room->by_uncertain[i * CAROM_FIT_UNCERTAIN_MAX + k] * s * s *
               room->by_uncertain[j * CAROM_FIT_UNCERTAIN_MAX + k];
    }
    return sum;
}

/* Divide residuals and slopes by the root of their covariance diag(sigma^2) + G S G^T, S that of
 * the inputs, G at the reference values: Cholesky's factor, solved in place. */
static bool whiten(RowRoom *room, const Pass *pass, Residuals *residuals) {
    const CaromFitRow *row = &room->row;
    const Task *task = pass->task;
    int n = row->count, p = task->count;
    double predicted[CAROM_FIT_MEASURED_MAX], C[CAROM_FIT_MEASURED_MAX * CAROM_FIT_MEASURED_MAX];
    memcpy(predicted, room->predicted, sizeof predicted);
    if (crm_row_predict(room, task->parameters, p, task->reference, false, true) < 0) {
        return false;
    }
    memcpy(room->predicted, predicted, sizeof predicted);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = propagate(room, i, j);
            sum += i == j ? sigma_of(row, i) * sigma_of(row, i) : 0;
            for (int k = 0; k < j; k++) {
                sum -= C[i * n + k] * C[j * n + k];
            }
            C[i * n + j] = i == j ? sqrt(fmax(sum, 0)) : sum / C[j * n + j];
        }
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) {
            residuals->r[i] -= C[i * n + k] * residuals->r[k];
            for (int c = 0; c < p; c++) {
                residuals->J[i * p + c] -= C[i * n + k] * residuals->J[k * p + c];
            }
        }
        residuals->r[i] /= C[i * n + i];
        for (int c = 0; c < p; c++) {
            residuals->J[i * p + c] /= C[i * n + i];
        }
    }
    return true;
}

/* Predict room->row and compare. False: it has no outcome. */
static bool compare(RowRoom *room, const Pass *pass, bool slopes, Residuals *residuals) {
    const Task *task = pass->task;
    const CaromFitRow *row = &room->row;
    int p = task->count;
    if (crm_row_predict(room, task->parameters, p, pass->values, slopes, false) < 0) {
        return false;
    }
    bool uncertain = task->reference && crm_row_uncertain(row);
    residuals->count = row->count;
    for (int i = 0; i < row->count; i++) {
        double sigma = uncertain ? 1 : sigma_of(row, i);
        residuals->r[i] = (room->predicted[i] - row->value[i]) / sigma;
        for (int k = 0; k < p; k++) {
            residuals->J[i * p + k] =
                slopes
                    ? room->by_parameter[i * CAROM_FIT_PARAMETERS_MAX + k] * pass->slopes[k] / sigma
                    : 0;
        }
    }
    if (uncertain && !whiten(room, pass, residuals)) {
        return false;
    }
    apply_loss(task, residuals);
    return isfinite(residuals->rho);
}

/* Add a row to the triangle, weighted. */
static void add_row(const Residuals *residuals, int p, Triangle *triangle) {
    double root = sqrt(residuals->weight), slopes[CAROM_FIT_PARAMETERS_MAX];
    for (int i = 0; i < residuals->count; i++) {
        for (int k = 0; k < p; k++) {
            slopes[k] = root * residuals->J[i * p + k];
        }
        crm_triangle_add(triangle, slopes, root * residuals->r[i]);
    }
}

/* g g^T of a row. (1 - H)^-1 r by Gauss's elimination without exchange: 1 - H is positive definite
 * but for a row that alone determines a parameter, whose pivots are kept above 1e-3. */
static void leave_row_out(const Residuals *residuals, const Pass *pass, double *sum) {
    int p = pass->task->count, n = residuals->count;
    double A[CAROM_FIT_MEASURED_MAX * CAROM_FIT_MEASURED_MAX], r[CAROM_FIT_MEASURED_MAX];
    double g[CAROM_FIT_PARAMETERS_MAX] = {0}, w = residuals->weight;
    for (int i = 0; i < n; i++) {
        r[i] = residuals->r[i];
        for (int j = 0; j < n; j++) {
            double h = 0;
            for (int k = 0; k < p; k++) {
                for (int l = 0; l < p; l++) {
                    h += residuals->J[i * p + k] * pass->inverse[k * p + l] *
                         residuals->J[j * p + l];
                }
            }
            A[i * n + j] = (i == j) - w * h;
        }
    }
    for (int k = 0; k < n; k++) {
        double pivot = fmax(A[k * n + k], 1e-3);
        for (int i = k + 1; i < n; i++) {
            double factor = A[i * n + k] / pivot;
            r[i] -= factor * r[k];
            for (int j = k + 1; j < n; j++) {
                A[i * n + j] -= factor * A[k * n + j];
            }
        }
        A[k * n + k] = pivot;
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) {
            r[i] -= A[i * n + j] * r[j];
        }
        r[i] /= A[i * n + i];
        for (int k = 0; k < p; k++) {
            g[k] += w * residuals->J[i * p + k] * r[i];
        }
    }
    for (int k = 0; k < p; k++) {
        for (int l = 0; l < p; l++) {
            sum[k * p + l] += g[k] * g[l];
        }
    }
}

/* What is wrong with the numbers of a row; NULL: nothing. */
static const char *check_row(const CaromFitRow *row) {
    if (row->problem.contact_count > CAROM_FIT_CONTACTS_MAX || row->problem.contact_count < 1) {
        return "contacts: must be 1 to 8";
    }
    if (row->count < 0 || row->count > CAROM_FIT_MEASURED_MAX) {
        return "measured numbers: at most 64";
    }
    for (int i = 0; i < row->count; i++) {
        if (!isfinite(row->value[i]) || !isfinite(row->offset[i])) {
            return "a measured number is not finite";
        }
        if (row->sigma && !(row->sigma[i] > 0 && isfinite(row->sigma[i]))) {
            return "sigma: must be > 0";
        }
    }
    for (int k = 0; row->velocity_sigma && k < crm_row_size(row); k++) {
        if (!(row->velocity_sigma[k] >= 0 && isfinite(row->velocity_sigma[k]))) {
            return "sigma of the velocity before: must be >= 0";
        }
    }
    if (row->uncertain_count < 0 || row->uncertain_count > CAROM_FIT_UNCERTAIN_MAX) {
        return "uncertain inputs: at most 32";
    }
    for (int k = 0; k < row->uncertain_count; k++) {
        if (!(row->uncertain[k].sigma >= 0 && isfinite(row->uncertain[k].sigma))) {
            return "sigma of an input: must be >= 0";
        }
    }
    return NULL;
}

/* How the contacts of the row moved. */
static void note_modes(const RowRoom *room, PassSurvey *survey) {
    const CaromProblem *problem = &room->row.problem;
    int rows = problem->planar ? 2 : 3, n = problem->contact_count;
    double scale = 0, before = 0, after = 0;
    for (int i = 0; i < n * rows; i++) {
        scale = fmax(scale, fabs(problem->velocity[i]));
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k + 1 < rows; k++) {
            before = fmax(before, fabs(problem->velocity[i * rows + k]));
            after = fmax(after, fabs(room->velocity[i * rows + k]));
        }
    }
    bool sliding = before > 1e-9 * scale, one = n == 1;
    bool changes = strchr(room->sequence, 's') != NULL;
    survey->sliding += sliding;
    survey->stuck += one && changes && after <= 1e-9 * scale;
    survey->slipped += one && sliding && !changes;
    survey->compliant += problem->model == CAROM_MODEL_COMPLIANT;
}

static void survey_row(RowRoom *room, const Pass *pass, size_t index, PassSurvey *survey) {
    const CaromFitRow *row = &room->row;
    Residuals residuals;
    const char *wrong = check_row(row);
    if (!wrong && row->count > 0 && !compare(room, pass, false, &residuals)) {
        wrong = crm_row_reason(room, pass->task->parameters, pass->task->count, pass->values);
        wrong = wrong[0] ? wrong : "the predicted numbers are not finite";
    }
    if (pass->distances) {
        pass->distances[index] = NAN;
    }
    if (wrong && index < survey->bad) {
        survey->bad = index;
        snprintf(survey->reason, sizeof survey->reason, "%s", wrong);
    }
    if (wrong || row->count == 0) {
        return;
    }
    double square = 0;
    for (int i = 0; i < row->count; i++) {
        double difference = room->predicted[i] - row->value[i];
        double number = row->value[i] / sigma_of(row, i);
        survey->squares += difference * difference;
        survey->numbers += number * number;
        square += residuals.r[i] * residuals.r[i];
    }
    survey->chi2 += square;
    survey->rows++;
    survey->residuals += (size_t)row->count;
    survey->sigma_given |= row->sigma != NULL;
    survey->sigma_missing |= row->sigma == NULL;
    survey->uncertain |= crm_row_uncertain(row);
    note_modes(room, survey);
    if (pass->distances) {
        pass->distances[index] = sqrt(square / row->count);
    }
}

static void work_row(RowRoom *room, const Pass *pass, size_t index, Part *part,
                     Triangle *triangle) {
    Residuals residuals;
    int p = pass->task->count;
    if (pass->kind == PASS_SURVEY) {
        survey_row(room, pass, index, &part->survey);
        return;
    }
    if (room->row.count == 0) {
        return;
    }
    if (!compare(room, pass, pass->kind != PASS_VALUE, &residuals)) {
        part->good = false;
        return;
    }
    part->objective += residuals.rho;
    if (pass->kind == PASS_TRIANGLE) {
        add_row(&residuals, p, triangle);
    } else if (pass->kind == PASS_LEAVE_OUT) {
        leave_row_out(&residuals, pass, part->sum);
    }
}

static void work_part(int number, void *context) {
    Pass *pass = context;
    Part *part = &pass->parts[number];
    size_t first = (size_t)number * pass->part_rows, last = first + pass->part_rows;
    RowRoom *room = crm_row_room(pass->task->data->room);
    Triangle *triangle = malloc(sizeof *triangle);
    part->good = room && triangle;
    part->survey.bad = pass->task->data->rows;
    if (triangle) {
        crm_triangle_begin(triangle, pass->task->count);
    }
    for (size_t i = first; i < last && i < pass->rows && part->good; i++) {
        size_t index = i * pass->task->stride;
        pass->task->data->read(pass->task->data->source, index, &room->row);
        work_row(room, pass, index, part, triangle);
    }
    if (part->good && pass->kind == PASS_TRIANGLE) {
        crm_triangle_end(triangle);
        size_t width = (size_t)pass->task->count + 1;
        memcpy(part->R, triangle->R, width * width * sizeof *part->R);
    }
    part->survey.differences = room && room->differences;
    crm_row_room_free(room);
    free(triangle);
}

/* Work through all parts. False: out of memory; then there is nothing to end. */
static bool run(Pass *pass, const double *x) {
    const Task *task = pass->task;
    pass->rows = (task->data->rows + task->stride - 1) / task->stride;
    pass->part_rows = pass->rows / PARTS_MAX + 1;
    pass->part_rows = pass->part_rows > PART_ROWS ? pass->part_rows : PART_ROWS;
    pass->part_count = (int)((pass->rows + pass->part_rows - 1) / pass->part_rows);
    pass->parts = calloc((size_t)pass->part_count + 1, sizeof *pass->parts);
    if (!pass->parts) {
        return false;
    }
    for (int k = 0; k < task->count; k++) {
        pass->values[k] = crm_task_value(&task->parameters[k], x[k]);
        pass->slopes[k] = crm_task_slope(&task->parameters[k], x[k]);
    }
    if (task->options->run) {
        task->options->run(task->options->crew, pass->part_count, work_part, pass);
    } else {
        for (int i = 0; i < pass->part_count; i++) {
            work_part(i, pass);
        }
    }
    return true;
}

bool crm_pass_evaluate(void *context, const double *x, double *objective, Triangle *triangle) {
    const Task *task = context;
    Pass pass = {.kind = triangle ? PASS_TRIANGLE : PASS_VALUE, .task = task};
    bool good = run(&pass, x);
    *objective = 0;
    if (triangle) {
        crm_triangle_begin(triangle, task->count);
    }
    for (int i = 0; i < pass.part_count && good; i++) {
        good = pass.parts[i].good;
        *objective += pass.parts[i].objective;
        if (triangle) {
            crm_triangle_merge(triangle, pass.parts[i].R);
        }
        if (task->differences && pass.parts[i].survey.differences) {
            *task->differences = true;
        }
    }
    if (triangle) {
        crm_triangle_end(triangle);
    }
    free(pass.parts);
    return good && isfinite(*objective);
}

bool crm_pass_survey(const Task *task, const double *x, PassSurvey *survey, double *distances) {
    Pass pass = {.kind = PASS_SURVEY, .task = task, .distances = distances};
    bool good = run(&pass, x);
    *survey = (PassSurvey){.bad = task->data->rows};
    for (int i = 0; i < pass.part_count && good; i++) {
        const PassSurvey *part = &pass.parts[i].survey;
        good = pass.parts[i].good;
        survey->rows += part->rows;
        survey->residuals += part->residuals;
        survey->slipped += part->slipped;
        survey->stuck += part->stuck;
        survey->sliding += part->sliding;
        survey->compliant += part->compliant;
        survey->squares += part->squares;
        survey->chi2 += part->chi2;
        survey->numbers += part->numbers;
        survey->sigma_given |= part->sigma_given;
        survey->sigma_missing |= part->sigma_missing;
        survey->uncertain |= part->uncertain;
        if (part->bad < survey->bad) {
            survey->bad = part->bad;
            memcpy(survey->reason, part->reason, sizeof survey->reason);
        }
    }
    free(pass.parts);
    if (task->options->sigma_relative) {
        survey->sigma_given = false;
        survey->sigma_missing = true;
    }
    return good;
}

bool crm_pass_leave_out(const Task *task, const double *x, const double *inverse, double *sum) {
    Pass pass = {.kind = PASS_LEAVE_OUT, .task = task, .inverse = inverse};
    bool good = run(&pass, x);
    size_t size = (size_t)task->count * (size_t)task->count;
    memset(sum, 0, size * sizeof *sum);
    for (int i = 0; i < pass.part_count && good; i++) {
        good = pass.parts[i].good;
        for (size_t k = 0; k < size; k++) {
            sum[k] += pass.parts[i].sum[k];
        }
    }
    free(pass.parts);
    return good;
}
