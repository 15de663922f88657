/* Fuzz target: arbitrary numbers to the derivatives of several compliant contacts.
 *
 * Oracles: nothing crashes or hangs (build with the sanitizers); a failure writes NaN and a
 * message; the solution has the bits of carom_solve(); derivatives are finite where they are
 * smooth, homogeneous of degree 1 in v, -1 in W and 0 in all stiffnesses, obey v+ = v- + W I, and
 * are those of the gradient in reverse; kinks come in order. Far from kinks they agree with central
 * differences along a direction of all inputs that keeps W a mobility of as many freedoms. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_several.h"

enum { KINKS = 12, EVENTS = 400 };

/* Of carom_inputs(SEVERAL_MOST, 0). */
enum { INPUTS_MOST = SEVERAL_ROWS * (SEVERAL_ROWS + 1) / 2 + SEVERAL_ROWS + 5 * SEVERAL_MOST };

/* Relative errors: of sums that are rounding mostly (in reverse 3.5e-8 at worst, of 10,000), of
 * differences of second order with this step that agree with each other so far. */
static const double IDENTITY_SLACK = 1e-6, REVERSE_SLACK = 1e-6;
static const double NEARLY_LOST = 1e-9; /* a residual; from 1e-7 on there are no derivatives */
static const double STEP = 1e-4, STEADY = 1e-4, DIFFERENCE_SLACK = 1e-3;

typedef struct Slopes {
    CaromInputs inputs;
    double I[SEVERAL_ROWS], v[SEVERAL_ROWS];
    double by_I[SEVERAL_ROWS * INPUTS_MOST], by_v[SEVERAL_ROWS * INPUTS_MOST];
    CaromKink kinks[KINKS];
    CaromDerivative derivative;
    double *work;
} Slopes;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The inputs as one vector, in the order of CaromInputs. */
static void list_inputs(const Several *input, const CaromInputs *inputs, double *x) {
    int rows = inputs->rows;
    for (int i = 0; i < rows; i++) {
        x[inputs->v + i] = input->v[i];
        for (int j = i; j < rows; j++) {
            x[carom_input_W(inputs, i, j)] = input->W[i * rows + j];
        }
    }
    for (int i = 0; i < input->count; i++) {
        const CaromContact *contact = &input->contacts[i];
        const double own[] = {contact->mu, contact->mu_static, contact->e, contact->stiffness,
                              contact->stiffness_ratio};
        memcpy(x + inputs->contact + 5 * i, own, sizeof own);
    }
}

/* ---- identities ---- */

static void check_identities(const Several *input, const Slopes *slopes) {
    const CaromInputs *inputs = &slopes->inputs;
    double x[INPUTS_MOST], slack = IDENTITY_SLACK + 10 * slopes->derivative.residual;
    list_inputs(input, inputs, x);
    for (int row = 0; row < inputs->rows; row++) {
        const double *by = slopes->by_I + row * inputs->count;
        double by_W = slopes->I[row], by_v = -slopes->I[row], by_k = 0, all = fabs(slopes->I[row]);
        for (int j = 0; j < inputs->contact; j++) {
            *(j < inputs->v ? &by_W : &by_v) += by[j] * x[j];
            all += fabs(by[j] * x[j]);
        }
        for (int i = 0; i < input->count; i++) {
            int at = carom_input_coefficient(inputs, i, CAROM_COEFFICIENT_STIFFNESS);
            by_k += by[at] * x[at];
            all += fabs(by[at] * x[at]);
        }
        several_require(fabs(by_v) <= slack * all, "not of degree 1 in v", input);
        several_require(fabs(by_W) <= slack * all, "not of degree -1 in W", input);
        several_require(fabs(by_k) <= slack * all, "not of degree 0 in stiffness", input);
    }
}

/* v+ = v- + W I by a coefficient. */
static void check_velocity(const Several *input, const Slopes *slopes) {
    int rows = slopes->inputs.rows, count = slopes->inputs.count;
    for (int j = slopes->inputs.contact; j < count; j++) {
        for (int i = 0; i < rows; i++) {
            double sum = 0, all = 0, own = slopes->by_v[i * count + j];
            for (int k = 0; k < rows; k++) {
                sum += input->W[i * rows + k] * slopes->by_I[k * count + j];
                all += fabs(input->W[i * rows + k] * slopes->by_I[k * count + j]);
            }
            several_require(isnan(own) ? isnan(sum) : fabs(sum - own) <= 1e-12 * all,
                            "v+ must follow from I", input);
        }
    }
}

static void check_reverse(const Several *input, const CaromProblem *problem, const Slopes *slopes,
                          Bytes *bytes) {
    int rows = slopes->inputs.rows, count = slopes->inputs.count;
    double by_I[SEVERAL_ROWS], by_v[SEVERAL_ROWS], gradient[INPUTS_MOST], x[INPUTS_MOST], size = 0;
    double off = 0, most_W = 0, most_v = 0;
    for (int i = 0; i < rows; i++) {
        by_I[i] = take_small(bytes);
        by_v[i] = take_small(bytes);
    }
    CaromStatus status =
        carom_differentiate_reverse(problem, by_I, by_v, slopes->work, NULL, NULL, gradient);
    if (status < 0) { /* digits that are nearly lost */
        several_require(slopes->derivative.residual > NEARLY_LOST, "a Jacobian, and no gradient",
                        input);
        return;
    }
    list_inputs(input, &slopes->inputs, x);
    for (int j = 0; j < slopes->inputs.contact; j++) {
        double *most = j < slopes->inputs.v ? &most_W : &most_v;
        *most = fmax(*most, fabs(x[j]));
    }
    for (int j = 0; j < count; j++) {
        double unit = j < slopes->inputs.v         ? most_W
                      : j < slopes->inputs.contact ? most_v
                                                   : fabs(x[j]);
        double sum = 0, all = 0;
        for (int i = 0; i < rows; i++) {
            double parts[2] = {by_I[i] * slopes->by_I[i * count + j],
                               by_v[i] * slopes->by_v[i * count + j]};
            sum += parts[0] + parts[1];
            all += fabs(parts[0]) + fabs(parts[1]);
        }
        several_require(isnan(sum) == isnan(gradient[j]), "in reverse others are missing", input);
        size = fmax(size, isnan(sum) ? 0 : all * unit);
        off = fmax(off, isnan(sum) ? 0 : fabs(sum - gradient[j]) * unit);
    }
    several_require(off <= (REVERSE_SLACK + 10 * slopes->derivative.residual) * size,
                    "in reverse there is another gradient", input);
}

static void check_kinks(const Several *input, const Slopes *slopes) {
    const CaromKink *kinks = slopes->kinks;
    for (int i = 0; i < slopes->derivative.kink_count && i < KINKS; i++) {
        several_require(kinks[i].distance >= 0 &&
                            (i == 0 || kinks[i].distance >= kinks[i - 1].distance) &&
                            kinks[i].contact >= 0 && kinks[i].contact < input->count,
                        "a kink without a distance, or out of order", input);
    }
}

/* ---- differences ---- */

/* All inputs that are not 0 move in proportion; e = 1 stays, and v as one that bodies can have. */
static Several take_direction(const Several *input, Bytes *bytes) {
    Several to = *input;
    double *const lists[] = {to.A, to.u, to.q};
    const int sizes[] = {to.freedoms * 3 * to.count, 3 * to.count, to.freedoms};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < sizes[k]; i++) {
            lists[k][i] *= take_small(bytes) / 4;
        }
    }
    for (int i = 0; i < to.count; i++) {
        CaromContact *contact = &to.contacts[i];
        contact->mu *= take_small(bytes) / 4;
        contact->e *= contact->e < 1 ? take_small(bytes) / 4 * (1 - contact->e) : 0;
        contact->stiffness *= take_small(bytes) / 4;
        contact->stiffness_ratio *= take_small(bytes) / 4;
    }
    return to;
}

static Several move_along(const Several *from, const Several *direction, double h) {
    Several to = *from;
    for (int i = 0; i < SEVERAL_ROWS * SEVERAL_ROWS; i++) {
        to.A[i] += h * direction->A[i];
    }
    for (int i = 0; i < SEVERAL_ROWS; i++) {
        to.u[i] += h * direction->u[i];
        to.q[i] += h * direction->q[i];
    }
    for (int i = 0; i < to.count; i++) {
        const CaromContact *by = &direction->contacts[i];
        CaromContact *contact = &to.contacts[i];
        contact->mu += h * by->mu;
        contact->e += h * by->e;
        contact->stiffness += h * by->stiffness;
        contact->stiffness_ratio += h * by->stiffness_ratio;
    }
    several_complete(&to);
    return to;
}

/* An outcome, and a number that says what has happened at each contact in which order. */
typedef struct Outcome {
    int ok;
    double I[SEVERAL_ROWS], error;
    uint64_t sequence;
} Outcome;

static Outcome solve_for(const Several *input) {
    Outcome out = {0};
    CaromEvent events[EVENTS];
    double v[SEVERAL_ROWS];
    CaromProblem problem = several_problem(input);
    CaromResult result = {
        .impulse = out.I, .velocity = v, .events = events, .event_capacity = EVENTS};
    out.ok = carom_solve(&problem, NULL, &result) >= 0 && result.event_count <= EVENTS;
    out.error = result.error;
    for (int i = 0; i < input->count && out.ok; i++) {
        for (int k = 0; k < result.event_count; k++) {
            if (events[k].contact == i) {
                out.sequence = 31 * out.sequence + (uint64_t)events[k].kind + 1;
            }
        }
        out.sequence = 31 * out.sequence + 29;
    }
    return out;
}

/* Is no kink within so much of the direction? */
static int is_far(const Several *input, const Slopes *slopes, const double *rates, double step) {
    double x[INPUTS_MOST], change = 0;
    list_inputs(input, &slopes->inputs, x);
    for (int j = 0; j < slopes->inputs.count; j++) {
        change += rates[j] != 0 ? fabs(rates[j] / x[j]) : 0;
    }
    return slopes->derivative.kink_count == 0 || slopes->kinks[0].distance > change * step;
}

static void check_differences(const Several *input, const Slopes *slopes, Bytes *bytes) {
    const CaromInputs *inputs = &slopes->inputs;
    Several direction = take_direction(input, bytes), moved[4];
    double ahead[INPUTS_MOST], behind[INPUTS_MOST], rates[INPUTS_MOST], size = 0, swing = 0,
                                                                        off = 0;
    static const double steps[] = {STEP, -STEP, STEP / 2, -STEP / 2};
    Outcome there = solve_for(input), outcomes[4];
    for (int k = 0; k < 4; k++) {
        moved[k] = move_along(input, &direction, steps[k]);
        outcomes[k] = solve_for(&moved[k]);
        if (!outcomes[k].ok || outcomes[k].sequence != there.sequence) {
            return;
        }
    }
    list_inputs(&moved[0], inputs, ahead);
    list_inputs(&moved[1], inputs, behind);
    for (int j = 0; j < inputs->count; j++) { /* quadratic at most, but for rounding */
        rates[j] = (ahead[j] - behind[j]) / (2 * STEP);
    }
    if (!is_far(input, slopes, rates, 2 * STEP)) {
        return;
    }
    for (int i = 0; i < inputs->rows; i++) {
        double sum = 0;
        for (int j = 0; j < inputs->count; j++) {
            double part = rates[j] != 0 ? rates[j] * slopes->by_I[i * inputs->count + j] : 0;
            sum += part;
            size = fmax(size, fabs(part)); /* NaN does not count */
        }
        double far = (outcomes[0].I[i] - outcomes[1].I[i]) / (2 * STEP);
        double near = (outcomes[2].I[i] - outcomes[3].I[i]) / STEP;
        size = fmax(size, fabs(there.I[i]));
        swing = fmax(swing, fabs(far - near));
        off = fmax(off, isnan(sum) ? 0 : fabs(near + (near - far) / 3 - sum));
    }
    if (swing <= STEADY * size && there.error < STEADY * STEP) {
        several_require(off <= DIFFERENCE_SLACK * size, "differences disagree", input);
    }
}

/* ---- one input ---- */

static void check_slopes(const Several *input, const CaromProblem *problem, Slopes *slopes,
                         Bytes *bytes) {
    double I[SEVERAL_ROWS], v[SEVERAL_ROWS];
    CaromResult result = {.impulse = I, .velocity = v};
    size_t bytes_used = (size_t)slopes->inputs.rows * sizeof(double);
    int missing = 0;
    several_require(carom_solve(problem, NULL, &result) >= 0 &&
                        memcmp(I, slopes->I, bytes_used) == 0 &&
                        memcmp(v, slopes->v, bytes_used) == 0,
                    "with derivatives there is another solution", input);
    for (int j = 0; j < slopes->inputs.rows * slopes->inputs.count; j++) {
        missing |= !isfinite(slopes->by_I[j]) || !isfinite(slopes->by_v[j]);
    }
    several_require(!missing || (slopes->derivative.smoothness == CAROM_NOT_SMOOTH &&
                                 slopes->derivative.message[0] != '\0'),
                    "derivatives are missing without a word", input);
    check_identities(input, slopes);
    check_velocity(input, slopes);
    check_kinks(input, slopes);
    check_reverse(input, problem, slopes, bytes);
    check_differences(input, slopes, bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static Slopes slopes;
    Bytes bytes = {.data = data, .size = size};
    Several input = several_take(&bytes, "fuzz_slope");
    CaromProblem problem = several_problem(&input);
    CaromResult result = {.impulse = slopes.I, .velocity = slopes.v};
    slopes.inputs = carom_inputs(input.count, 0);
    slopes.work = malloc(carom_derivative_workspace(input.count) * sizeof(double));
    slopes.derivative = (CaromDerivative){.impulse = slopes.by_I,
                                          .velocity = slopes.by_v,
                                          .kinks = slopes.kinks,
                                          .kink_capacity = KINKS};
    CaromStatus status = carom_differentiate(&problem, slopes.work, &result, &slopes.derivative);
    if (status < 0) {
        several_require(slopes.derivative.message[0] != '\0' && slopes.derivative.kink_count == 0 &&
                            isnan(slopes.by_I[0]) && isnan(slopes.by_v[0]),
                        "a failure must say so", &input);
    } else {
        check_slopes(&input, &problem, &slopes, &bytes);
    }
    free(slopes.work);
    return 0;
}
