/* Several compliant contacts: solve, go back through the pieces, and write the gradients. */
#include "derivative/multiple_slope.h"

#include <stdint.h>
#include <string.h>

#include "contact/block.h"
#include "contact/check.h"
#include "derivative/kink_list.h"
#include "derivative/multiple_adjoint.h"
#include "derivative/multiple_backwards.h"
#include "derivative/multiple_kinks.h"
#include "derivative/multiple_nodes.h"
#include "derivative/multiple_tape.h"
#include "math/array.h"
#include "math/functions.h"
#include "multiple/multiple.h"

/* Largest accepted error of the identities: the impulse is homogeneous of degree 1 in v, -1 in W
 * and 0 in all stiffnesses together. */
static const double MULTIPLE_MISMATCH = 1e-7;

/* A contact that leaves more slowly than this, relative to the speeds, rests. */
static const double RESTS = 1e-9;

/* Numbers that crm_multiple_slope_workspace(1) does not exceed. */
enum { ONE_NUMBERS = 18000 };

/* What the call has asked for. */
typedef struct MultipleSlope {
    Tape tape;
    const CaromProblem *problem;
    const Reverse *reverse;
    CaromDerivative *derivative;
    CaromInputs inputs;
    Nodes nodes;
    Adjoint adjoint;
    double *I;                   /* in the caller's units */
    double *weights[LANES_MOST]; /* of I, in the caller's rows */
    LinkScan *scans;
    double *row; /* room for a gradient */
} MultipleSlope;

/* ---- memory ---- */

static size_t lay_out_multiple(MultipleSlope *slope, char *start, int links) {
    Block block = {start, 0};
    Adjoint *to = &slope->adjoint;
    size_t n = (size_t)links, m = 3 * n + 1, lanes = LANES_MOST;
    double **by_row[] = {&to->weight, &to->a, &to->P};
    double **by_link[] = {&to->b,     &to->gamma, &to->peak, &to->by_k,
                          &to->by_kt, &to->by_mu, &to->by_e};
    double **single[] = {&to->F, &to->F_after, &to->v, &to->column, &slope->I};
    for (size_t i = 0; i < sizeof by_row / sizeof *by_row; i++) {
        *by_row[i] = block_take(&block, m * lanes, sizeof(double));
    }
    for (size_t i = 0; i < sizeof by_link / sizeof *by_link; i++) {
        *by_link[i] = block_take(&block, n * lanes, sizeof(double));
    }
    for (size_t i = 0; i < sizeof single / sizeof *single; i++) {
        *single[i] = block_take(&block, m, sizeof(double));
    }
    for (int r = 0; r < LANES_MOST; r++) {
        slope->weights[r] = block_take(&block, m, sizeof(double));
    }
    to->c = block_take(&block, 2 * n * lanes, sizeof(double));
    to->matrix = block_take(&block, n * (n + 1), sizeof(double));
    to->links = block_take(&block, n, sizeof *to->links);
    to->after = block_take(&block, n, sizeof *to->after);
    slope->scans = block_take(&block, n, sizeof *slope->scans);
    slope->row = block_take(&block, (size_t)carom_inputs(links, 0).count, sizeof(double));
    to->nodes = &slope->nodes;
    crm_nodes_lay_out(&slope->nodes, &block, links, 3 * links);
    return block.used;
}

size_t crm_multiple_slope_workspace(int contact_count) {
    MultipleSlope none;
    size_t bytes = crm_multiple_workspace_size(contact_count) + crm_tape_bytes(contact_count) +
                   lay_out_multiple(&none, NULL, contact_count);
    return bytes / sizeof(double) + 8;
}

/* ---- gradients in the caller's units ---- */

/* By the coefficients of a contact, from those by k, kt, mu, e of the network. */
static void write_coefficients(const MultipleSlope *slope, int i, int r) {
    const Adjoint *adjoint = &slope->adjoint;
    const Material *material = &adjoint->network->given.materials[i];
    const CaromContact *contact = &slope->problem->contacts[i];
    int at = i * adjoint->lanes + r;
    double *to = adjoint->out[r] + slope->inputs.contact + CAROM_COEFFICIENT_COUNT * i;
    double stiffness = contact_stiffness(contact), ratio = contact_stiffness_ratio(contact);
    double by_kt = adjoint->by_kt[at] * material->kt, by_k = adjoint->by_k[at] * material->k;
    to[CAROM_COEFFICIENT_MU] = contact->mu > 0 ? adjoint->by_mu[at] : NAN;
    to[CAROM_COEFFICIENT_MU_STATIC] = 0;
    to[CAROM_COEFFICIENT_E] = contact->e > 0 ? adjoint->by_e[at] : NAN;
    to[CAROM_COEFFICIENT_STIFFNESS] = stiffness > 0 ? (by_k + by_kt) / stiffness : NAN;
    to[CAROM_COEFFICIENT_STIFFNESS_RATIO] = -by_kt / ratio;
}

static void write_lane(const MultipleSlope *slope, int r) {
    const Adjoint *adjoint = &slope->adjoint;
    const Given *given = &adjoint->network->given;
    double *out = adjoint->out[r], unit = given->unit_impulse;
    for (int j = 0; j < given->size; j++) {
        out[slope->inputs.v + caller_row(given, j)] = adjoint->a[j * adjoint->lanes + r];
    }
    for (int i = 0; i < given->count; i++) {
        write_coefficients(slope, i, r);
    }
    double by_v = unit / given->unit_velocity, by_W = by_v * unit;
    for (int j = 0; j < slope->inputs.count; j++) {
        out[j] *= j < slope->inputs.v ? by_W : j < slope->inputs.contact ? by_v : unit;
    }
}

/* Is weight.I homogeneous as it must be? */
static int lane_is_homogeneous(const MultipleSlope *slope, int r) {
    const Adjoint *adjoint = &slope->adjoint;
    const CaromProblem *problem = slope->problem;
    const double *out = adjoint->out[r], *weight = slope->weights[r];
    int m = slope->inputs.rows;
    double L = 0, by_W = 0, by_v = 0, by_k = 0, size = 0;
    for (int i = 0; i < m; i++) {
        L += weight[i] * slope->I[i];
        by_v += out[slope->inputs.v + i] * problem->velocity[i];
        size += fabs(out[slope->inputs.v + i] * problem->velocity[i]);
        for (int j = i; j < m; j++) {
            double part =
                out[carom_input_W(&slope->inputs, i, j)] *
                (problem->inverse_inertia[i * m + j] + problem->inverse_inertia[j * m + i]) / 2;
            by_W += part;
            size += fabs(part);
        }
    }
    for (int i = 0; i < problem->contact_count; i++) {
        double stiffness = contact_stiffness(&problem->contacts[i]);
        double part =
            stiffness > 0 && stiffness < INFINITY
                ? stiffness *
                      out[carom_input_coefficient(&slope->inputs, i, CAROM_COEFFICIENT_STIFFNESS)]
                : 0;
        by_k += part;
        size += fabs(part);
    }
    return fabs(by_v - L) + fabs(by_W + L) + fabs(by_k) <= MULTIPLE_MISMATCH * (size + fabs(L));
}

/* So many gradients, of nothing yet. */
static void clear_lanes(MultipleSlope *slope, int lanes) {
    slope->adjoint.lanes = lanes;
    for (int r = 0; r < lanes; r++) {
        memset(slope->adjoint.out[r], 0, (size_t)slope->inputs.count * sizeof(double));
    }
}

/* The gradients of weights[r].I in out[r]. */
static void differentiate_lanes(MultipleSlope *slope, int lanes) {
    Adjoint *adjoint = &slope->adjoint;
    const Given *given = &adjoint->network->given;
    clear_lanes(slope, lanes);
    for (int r = 0; r < lanes; r++) {
        for (int j = 0; j < given->size; j++) {
            adjoint->weight[j * lanes + r] = slope->weights[r][caller_row(given, j)];
        }
    }
    crm_adjoint_run(&slope->tape, adjoint, NULL, 0);
    for (int r = 0; r < lanes && !adjoint->message; r++) {
        write_lane(slope, r);
        if (!lane_is_homogeneous(slope, r)) {
            adjoint->message = "the derivatives have lost their digits";
        }
    }
}

/* ---- the outcome ---- */

/* Add what velocity_weight.v+ has beside W velocity_weight.I. */
static void add_velocity_part(const MultipleSlope *slope, const double *weight, double *gradient) {
    int m = slope->inputs.rows;
    for (int i = 0; i < m; i++) {
        gradient[slope->inputs.v + i] += weight[i];
        for (int j = 0; j < m; j++) {
            gradient[carom_input_W(&slope->inputs, i, j)] += weight[i] * slope->I[j];
        }
    }
}

/* Weights of I: of the impulse itself, and through v+ = v- + W I. */
static void weigh_impulse(const MultipleSlope *slope, const double *by_I, const double *by_v,
                          double *weight) {
    int m = slope->inputs.rows;
    const double *W = slope->problem->inverse_inertia;
    for (int i = 0; i < m; i++) {
        weight[i] = by_I ? by_I[i] : 0;
        for (int j = 0; j < m && by_v; j++) {
            weight[i] += (W[j * m + i] + W[i * m + j]) / 2 * by_v[j];
        }
    }
}

/* One function of the outcome. */
static void differentiate_function(MultipleSlope *slope) {
    const Reverse *reverse = slope->reverse;
    weigh_impulse(slope, reverse->impulse, reverse->velocity, slope->weights[0]);
    slope->adjoint.out[0] = reverse->gradient;
    differentiate_lanes(slope, 1);
    if (!slope->adjoint.message && reverse->velocity) {
        add_velocity_part(slope, reverse->velocity, reverse->gradient);
    }
}

/* All rows of I, or of v+, a few at once. */
static void differentiate_rows(MultipleSlope *slope, int of_v, double *to) {
    int m = slope->inputs.rows, rough = slope->adjoint.network->given.rows > 1;
    int last = slope->adjoint.network->given.caller_rows - 1;
    for (int row = 0, lanes = 0; row < m && !slope->adjoint.message; row++) {
        double *out = to + (size_t)row * (size_t)slope->inputs.count;
        int constant = !of_v && !rough && row % (last + 1) != last;
        if (constant) {
            memset(out, 0, (size_t)slope->inputs.count * sizeof *out);
        } else {
            double *unit = slope->adjoint.column;
            memset(unit, 0, (size_t)m * sizeof *unit);
            unit[row] = 1;
            weigh_impulse(slope, of_v ? NULL : unit, of_v ? unit : NULL, slope->weights[lanes]);
            slope->adjoint.out[lanes++] = out;
        }
        if (lanes == LANES_MOST || (row == m - 1 && lanes > 0)) {
            differentiate_lanes(slope, lanes);
            lanes = 0;
        }
    }
    for (int row = 0; row < m && of_v && !slope->adjoint.message; row++) {
        double *unit = slope->adjoint.column;
        memset(unit, 0, (size_t)m * sizeof *unit);
        unit[row] = 1;
        add_velocity_part(slope, unit, to + (size_t)row * (size_t)slope->inputs.count);
    }
}

/* v+ = v- + W I by the rows of I. */
static void combine_rows(const MultipleSlope *slope, const double *by_I, double *by_v) {
    int m = slope->inputs.rows, count = slope->inputs.count;
    const double *W = slope->problem->inverse_inertia;
    for (int i = 0; i < m; i++) {
        double *to = by_v + (size_t)i * (size_t)count;
        memset(to, 0, (size_t)count * sizeof *to);
        for (int j = 0; j < m; j++) {
            double w = (W[i * m + j] + W[j * m + i]) / 2;
            const double *from = by_I + (size_t)j * (size_t)count;
            for (int k = 0; k < count && w != 0; k++) {
                to[k] += w * from[k];
            }
        }
        double *unit = slope->adjoint.column;
        memset(unit, 0, (size_t)m * sizeof *unit);
        unit[i] = 1;
        add_velocity_part(slope, unit, to);
    }
}

/* ---- kinks ---- */

/* Contacts that start to act: does friction stick or slip? Both are known from the input alone. */
static void list_starts(const MultipleSlope *slope) {
    const CaromProblem *problem = slope->problem;
    int each = problem->planar ? 2 : 3;
    for (int i = 0; i < problem->contact_count; i++) {
        const CaromContact *contact = &problem->contacts[i];
        const double *v = problem->velocity + each * i;
        double V = each == 3 ? hypot(v[0], v[1]) : fabs(v[0]);
        double limit = contact->mu * contact_stiffness_ratio(contact) * -v[each - 1];
        if (contact->mu > 0 && v[each - 1] < 0) {
            double most = each == 3 ? fmax(fabs(v[0]), fabs(v[1])) : V;
            double reach = fmax(limit, V > 0 ? most * most / V : 0);
            kink_insert(slope->derivative, (CaromKink){.kind = CAROM_KINK_START,
                                                       .contact = i,
                                                       .happens = V > limit,
                                                       .distance = fabs(V - limit) / reach});
        }
    }
}

/* The contact that leaves most slowly: it would touch again. row: room for a gradient. */
static void list_touch(MultipleSlope *slope, double *row) {
    const CaromProblem *problem = slope->problem;
    const double *W = problem->inverse_inertia;
    int m = slope->inputs.rows, each = problem->planar ? 2 : 3, slowest = -1;
    double least = INFINITY, most = 0;
    for (int i = each - 1; i < m; i += each) {
        double v = problem->velocity[i];
        most = fmax(most, fabs(v));
        for (int j = 0; j < m; j++) {
            v += (W[i * m + j] + W[j * m + i]) / 2 * slope->I[j];
            most = fmax(most, fabs(W[i * m + j] * slope->I[j]));
        }
        int rests = fabs(v) <= RESTS * most && slope->I[i] > 0; /* it is held to the end */
        if (!rests && v < least) {
            least = v;
            slowest = i;
        }
    }
    if (slowest < 0) {
        return;
    }
    CaromKink kink = {.kind = CAROM_KINK_TOUCH, .contact = slowest / each};
    if (least > RESTS * most) {
        double *unit = slope->adjoint.column;
        memset(unit, 0, (size_t)m * sizeof *unit);
        unit[slowest] = 1;
        weigh_impulse(slope, NULL, unit, slope->weights[0]);
        slope->adjoint.out[0] = row;
        differentiate_lanes(slope, 1);
        memset(unit, 0, (size_t)m * sizeof *unit);
        unit[slowest] = 1;
        add_velocity_part(slope, unit, row);
        kink.distance = kink_distance(problem, &slope->inputs, least, row);
    }
    if (!slope->adjoint.message) {
        kink_insert(slope->derivative, kink);
    }
}

/* The kinks along the process. rows: room for so many gradients. */
static void list_passed(MultipleSlope *slope, double *rows, int room) {
    Adjoint *adjoint = &slope->adjoint;
    Candidate list[CANDIDATES_MOST];
    int count = crm_kinks_scan(&slope->tape, adjoint, slope->scans, list);
    room = room < LANES_MOST ? room : LANES_MOST;
    for (int first = 0; first < count && !adjoint->message; first += room) {
        int lanes = count - first < room ? count - first : room;
        Probe probes[LANES_MOST];
        for (int r = 0; r < lanes; r++) {
            adjoint->out[r] = rows + (size_t)r * (size_t)slope->inputs.count;
        }
        clear_lanes(slope, lanes);
        memset(adjoint->weight, 0,
               (size_t)(adjoint->network->given.size * lanes) * sizeof *adjoint->weight);
        for (int r = 0; r < lanes; r++) {
            probes[r] = list[first + r].probe;
        }
        crm_adjoint_run(&slope->tape, adjoint, probes, lanes);
        for (int r = 0; r < lanes && !adjoint->message; r++) {
            const Candidate *of = &list[first + r];
            write_lane(slope, r);
            double phi = of->phi * adjoint->network->given.unit_impulse; /* write_lane() has it */
            CaromKink kink = {of->kind, of->probe.link, of->happens,
                              kink_distance(slope->problem, &slope->inputs, phi, adjoint->out[r]),
                              of->jumps};
            kink_insert(slope->derivative, kink);
        }
    }
}

/* Kinks need room for gradients: that of the caller, before it is filled. */
static void list_kinks(MultipleSlope *slope) {
    const CaromDerivative *derivative = slope->derivative;
    double *rows = slope->reverse        ? slope->reverse->gradient
                   : derivative->impulse ? derivative->impulse
                                         : derivative->velocity;
    int room = slope->reverse || !rows ? 1 : slope->inputs.rows;
    rows = rows ? rows : slope->row;
    if (derivative->kinks && derivative->kink_capacity > 0) {
        list_starts(slope);
        list_touch(slope, rows);
        list_passed(slope, rows, room);
    }
}

/* The process is over: back through it. */
static void differentiate_process(void *context, Network *network) {
    MultipleSlope *slope = context; /* its first member is the tape */
    CaromDerivative *derivative = slope->derivative;
    Adjoint *adjoint = &slope->adjoint;
    const Given *given = &network->given;
    adjoint->network = network;
    memset(slope->I, 0, (size_t)slope->inputs.rows * sizeof *slope->I);
    for (int j = 0; j < given->size; j++) {
        slope->I[caller_row(given, j)] = given->unit_impulse * network->state.I[j];
    }
    if (slope->tape.ran_away) {
        adjoint->message = "slip runs away: its derivatives are not computed";
    } else if (slope->tape.count > slope->tape.capacity) {
        adjoint->message = "more pieces than fit into the workspace";
    } else {
        list_kinks(slope);
        adjoint->message = NULL; /* a kink without a gradient is no reason to stop */
    }
    if (adjoint->message) {
        return;
    }
    if (slope->reverse) {
        differentiate_function(slope);
    } else if (derivative->impulse) {
        differentiate_rows(slope, 0, derivative->impulse);
    } else if (derivative->velocity) {
        differentiate_rows(slope, 1, derivative->velocity);
    }
    if (!adjoint->message && !slope->reverse && derivative->impulse && derivative->velocity) {
        combine_rows(slope, derivative->impulse, derivative->velocity);
    }
}

/* Inputs at the edge of what is allowed. */
static void judge_smoothness(const CaromProblem *problem, CaromDerivative *derivative) {
    derivative->smoothness = CAROM_SMOOTH;
    for (int i = 0; i < problem->contact_count; i++) {
        const CaromContact *contact = &problem->contacts[i];
        if (contact->e == 0) {
            derivative->message = "e = 0: the derivative by e is not computed";
        } else if (contact->mu == 0) {
            derivative->message = "mu = 0: the derivative by mu is not computed";
        } else if (contact->stiffness < 0) {
            derivative->message = "a stiffness of 0 has no derivative";
        }
        if (contact->e == 1 && derivative->smoothness == CAROM_SMOOTH) {
            derivative->smoothness = CAROM_ONE_SIDED;
        }
    }
    if (derivative->message[0]) {
        derivative->smoothness = CAROM_NOT_SMOOTH;
    }
}

CaromStatus crm_multiple_slope(const CaromProblem *problem, double *workspace, CaromResult *result,
                               const Reverse *reverse, CaromDerivative *derivative) {
    MultipleSlope slope = {.problem = problem, .reverse = reverse, .derivative = derivative};
    CaromTrace none = {0};
    Sampler sampler = {.trace = &none};
    int n = problem->contact_count;
    char *memory = (char *)(((uintptr_t)workspace + 15) / 16 * 16);
    slope.inputs = carom_inputs(n, problem->planar);
    derivative->kink_count = 0;
    memory += lay_out_multiple(&slope, memory, n);
    crm_tape_begin(&slope.tape, n, memory);
    memory += crm_tape_bytes(n);
    slope.tape.visitor.end = differentiate_process;
    sampler.multiple = &slope.tape.visitor;
    CaromStatus status = crm_multiple_solve(problem, memory, &sampler, result);
    derivative->message = result->message;
    if (status < 0) {
        return status;
    }
    derivative->message = slope.adjoint.message ? slope.adjoint.message : "";
    if (slope.adjoint.message) {
        return CAROM_NOT_CONVERGED;
    }
    judge_smoothness(problem, derivative);
    return status;
}

CaromStatus crm_multiple_slope_one(const CaromProblem *problem, CaromResult *result,
                                   const Reverse *reverse, CaromDerivative *derivative) {
    double workspace[ONE_NUMBERS];
    if (crm_multiple_slope_workspace(1) > ONE_NUMBERS) {
        derivative->message = "more pieces than fit into the workspace";
        return CAROM_NOT_CONVERGED;
    }
    return crm_multiple_slope(problem, workspace, result, reverse, derivative);
}
