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
#include "derivative/multiple_path.h"
#include "derivative/multiple_share.h"
#include "derivative/multiple_tape.h"
#include "derivative/plain_back.h"
#include "derivative/plain_tape.h"
#include "math/array.h"
#include "math/functions.h"
#include "multiple/friction.h"
#include "multiple/multiple.h"

/* Largest accepted error of the identities: the impulse is homogeneous of degree 1 in v, -1 in W
 * and 0 in all stiffnesses together. */
static const double MULTIPLE_MISMATCH = 1e-7;

/* A contact that leaves more slowly than this, relative to the speeds, rests. */
static const double RESTS = 1e-9;

/* Numbers that crm_multiple_slope_workspace(1) does not exceed. */
enum { ONE_NUMBERS = 24000 };

/* What the call has asked for. */
typedef struct MultipleSlope {
    union { /* first: the context of the visitors */
        Tape tape;
        PlainTape plain_tape; /* no contact has friction */
    };
    PlainBack *plain; /* then; else NULL */
    const CaromProblem *problem;
    const Reverse *reverse;
    CaromDerivative *derivative;
    CaromInputs inputs;
    Nodes nodes;
    Adjoint adjoint;
    double *I;                   /* in the caller's units */
    double *weights[LANES_MOST]; /* of I, in the caller's rows */
    LinkScan *scans;
    double *row;     /* room for a gradient */
    double residual; /* of the identities; -1: none yet */
    /* the process is not that of a plain solve from this piece on (multiple/network.h), and the
     * last moment before it might have become so, with the solver's memory, if there is room */
    int differs;
    char *memory, *kept;
    size_t kept_bytes;
    Network network;
    CaromResult result;
    int misses_e, misses_mu; /* a derivative by e or mu is missing */
} MultipleSlope;

/* ---- memory ---- */

static size_t lay_out_multiple(MultipleSlope *slope, char *start, int links) {
    Block block = {start, 0};
    Adjoint *to = &slope->adjoint;
    size_t n = (size_t)links, m = 3 * n + 1, lanes = LANES_MOST;
    double **by_row[] = {&to->weight, &to->a, &to->P};
    double **by_link[] = {&to->b,     &to->gamma, &to->peak, &to->by_k,
                          &to->by_kt, &to->by_mu, &to->by_e, &to->by_share};
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
    to->share = block_take(&block, share_numbers(n), sizeof(double));
    crm_path_lay_out(&to->path, &block, links);
    to->links = block_take(&block, n, sizeof *to->links);
    to->after = block_take(&block, n, sizeof *to->after);
    slope->scans = block_take(&block, n, sizeof *slope->scans);
    slope->row = block_take(&block, (size_t)carom_inputs(links, 0).count, sizeof(double));
    to->nodes = &slope->nodes;
    /* not used at the same time */
    Block other = block;
    slope->plain = crm_plain_back_lay_out(&other, links);
    crm_nodes_lay_out(&slope->nodes, &block, links, 3 * links);
    return block.used > other.used ? block.used : other.used;
}

/* Contacts up to which the solver's memory is kept: it grows with the square. */
enum { KEPT_CONTACTS = 8 };

static size_t kept_bytes(int links) {
    return links > 1 && links <= KEPT_CONTACTS ? crm_multiple_workspace_size(links) : 0;
}

size_t crm_multiple_slope_workspace(int contact_count) {
    MultipleSlope none;
    size_t bytes = crm_multiple_workspace_size(contact_count) + kept_bytes(contact_count) +
                   crm_tape_bytes(contact_count) + lay_out_multiple(&none, NULL, contact_count);
    return bytes / sizeof(double) + 8;
}

/* ---- gradients in the caller's units ---- */

/* Is there no derivative by e with friction? Where e = 0 a held contact keeps its tangential
 * spring, for a little e it opens first and loses it: the outcome jumps. Where e = 1 with one
 * stiffness the force ends with N = 0, and the direction of slip is not known there. */
static int lacks_e(const MultipleSlope *slope, const CaromContact *contact) {
    int mono = slope->problem->law == CAROM_LAW_MONO_STIFFNESS;
    return !slope->plain && (contact->e == 0 || (contact->e == 1 && mono && contact->mu > 0));
}

/* By mu where mu = 0; NaN: not known. */
static double by_no_mu(const MultipleSlope *slope, int i, int r) {
    const Adjoint *adjoint = &slope->adjoint;
    const double *S = slope->plain ? crm_plain_slide(slope->plain, i) : NULL;
    int rows = adjoint->network->given.caller_rows;
    double sum = adjoint->by_mu[i * adjoint->lanes + r];
    for (int c = 0; c < rows - 1 && S; c++) {
        sum -= slope->weights[r][rows * i + c] * S[c];
    }
    return S ? sum : NAN;
}

/* By the coefficients of a contact, from those by k, kt, mu, e of the network. */
static void write_coefficients(const MultipleSlope *slope, int i, int r) {
    const Adjoint *adjoint = &slope->adjoint;
    const Material *material = &adjoint->network->given.materials[i];
    const CaromContact *contact = &slope->problem->contacts[i];
    int at = i * adjoint->lanes + r;
    double *to = adjoint->out[r] + slope->inputs.contact + CAROM_COEFFICIENT_COUNT * i;
    double stiffness = contact_stiffness(contact), ratio = contact_stiffness_ratio(contact);
    double by_kt = adjoint->by_kt[at] * material->kt, by_k = adjoint->by_k[at] * material->k;
    to[CAROM_COEFFICIENT_MU] = contact->mu > 0 ? adjoint->by_mu[at] : by_no_mu(slope, i, r);
    to[CAROM_COEFFICIENT_MU_STATIC] = 0;
    to[CAROM_COEFFICIENT_E] = lacks_e(slope, contact) ? NAN : adjoint->by_e[at];
    double by_share = adjoint->by_share[at] * material->k;
    to[CAROM_COEFFICIENT_STIFFNESS] = stiffness > 0 ? (by_k + by_kt + by_share) / stiffness : NAN;
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

/* How far weight.I is from homogeneous, relative. */
static double lane_residual(const MultipleSlope *slope, int r) {
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
    double off = fabs(by_v - L) + fabs(by_W + L) + fabs(by_k);
    return off > 0 || isnan(off) ? off / (size + fabs(L)) : 0;
}

/* Is a derivative by e or mu missing? */
static void note_missing(MultipleSlope *slope, int r) {
    for (int i = 0; i < slope->problem->contact_count; i++) {
        int at = carom_input_coefficient(&slope->inputs, i, CAROM_COEFFICIENT_E);
        slope->misses_e |= isnan(slope->adjoint.out[r][at]);
        at = carom_input_coefficient(&slope->inputs, i, CAROM_COEFFICIENT_MU);
        slope->misses_mu |= isnan(slope->adjoint.out[r][at]);
    }
}

/* So many gradients, of nothing yet. */
static void clear_lanes(MultipleSlope *slope, int lanes) {
    size_t links = (size_t)slope->problem->contact_count;
    slope->adjoint.lanes = lanes;
    memset(slope->adjoint.by_share, 0, links * (size_t)lanes * sizeof(double));
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
    if (slope->plain) {
        crm_plain_back_run(slope->plain, &slope->plain_tape, adjoint);
    } else {
        crm_adjoint_run(&slope->tape, adjoint, NULL, 0);
    }
    for (int r = 0; r < lanes && !adjoint->message; r++) {
        write_lane(slope, r);
        note_missing(slope, r);
        double off = lane_residual(slope, r);
        slope->residual = off <= slope->residual ? slope->residual : off; /* NaN as well */
        if (!(off <= MULTIPLE_MISMATCH)) {
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
    int most = slope->plain ? crm_plain_lanes(slope->problem->contact_count) : LANES_MOST;
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
        if (lanes == most || (row == m - 1 && lanes > 0)) {
            differentiate_lanes(slope, lanes);
            lanes = 0;
        }
    }
    for (int i = 0; i < m && slope->plain && !of_v; i++) {
        /* the tangential impulse by mu where mu = 0 */
        const double *S = crm_plain_slide(slope->plain, i / (last + 1));
        int c = i % (last + 1),
            at = carom_input_coefficient(&slope->inputs, i / (last + 1), CAROM_COEFFICIENT_MU);
        if (c != last) {
            to[(size_t)i * (size_t)slope->inputs.count + (size_t)at] =
                S ? -S[c] * slope->adjoint.network->given.unit_impulse : NAN;
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

/* A contact that acts and was exactly at rest, or -1. If it approaches, or departs, by however
 * little, the events come in another order. */
static int find_resting(const MultipleSlope *slope) {
    const CaromProblem *problem = slope->problem;
    int each = problem->planar ? 2 : 3;
    for (int i = 0; i < problem->contact_count; i++) {
        int normal = each * i + each - 1;
        if (problem->velocity[normal] == 0 && slope->I[normal] > 0) {
            return i;
        }
    }
    return -1;
}

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

/* Are kinks wanted? */
static int wants_kinks(const MultipleSlope *slope) {
    return slope->derivative->kinks && slope->derivative->kink_capacity > 0;
}

/* Kinks need room for gradients: that of the caller, before it is filled. */
static void list_kinks(MultipleSlope *slope) {
    const CaromDerivative *derivative = slope->derivative;
    double *rows = slope->reverse        ? slope->reverse->gradient
                   : derivative->impulse ? derivative->impulse
                                         : derivative->velocity;
    int room = slope->reverse || !rows ? 1 : slope->inputs.rows;
    rows = rows ? rows : slope->row;
    int resting = find_resting(slope);
    if (resting >= 0) {
        kink_insert(slope->derivative,
                    (CaromKink){.kind = CAROM_KINK_TOUCH, .contact = resting, .happens = 1});
    }
    list_starts(slope);
    list_touch(slope, rows);
    if (!slope->plain) {
        list_passed(slope, rows, room);
    }
    slope->adjoint.message = NULL; /* a kink without a gradient is no reason to stop */
}

/* The kinks of contacts without friction, from a process that was followed in detail. */
static void list_plain_kinks(void *context, Network *network) {
    MultipleSlope *slope = context; /* its first member is the tape */
    slope->adjoint.network = network;
    if (slope->tape.count <= slope->tape.capacity) {
        list_passed(slope, slope->row, 1);
    }
    slope->adjoint.message = NULL;
}

/* The process is over: back through it. */
static void differentiate_process(void *context, Network *network) {
    MultipleSlope *slope = context; /* its first member is the tape */
    CaromDerivative *derivative = slope->derivative;
    Adjoint *adjoint = &slope->adjoint;
    const Given *given = &network->given;
    adjoint->network = network;
    slope->differs = network->differs;
    memset(slope->I, 0, (size_t)slope->inputs.rows * sizeof *slope->I);
    for (int j = 0; j < given->size; j++) {
        slope->I[caller_row(given, j)] = given->unit_impulse * network->state.I[j];
    }
    if (!slope->plain && slope->tape.ran_away) {
        adjoint->message = "slip runs away: its derivatives are not computed";
    } else if (slope->plain ? slope->plain_tape.count > slope->plain_tape.capacity
                            : slope->tape.count > slope->tape.capacity) {
        adjoint->message = "more pieces than fit into the workspace";
    }
    if (adjoint->message) {
        return;
    }
    if (wants_kinks(slope)) {
        list_kinks(slope);
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

/* Inputs at the edge of what is allowed. error: of the solution. */
static void judge_smoothness(const MultipleSlope *slope, double error) {
    const CaromProblem *problem = slope->problem;
    CaromDerivative *derivative = slope->derivative;
    derivative->smoothness = find_resting(slope) >= 0 ? CAROM_ONE_SIDED : CAROM_SMOOTH;
    derivative->residual = slope->residual < 0 ? NAN : fmax(slope->residual, error);
    for (int i = 0; i < problem->contact_count; i++) {
        const CaromContact *contact = &problem->contacts[i];
        if (slope->misses_e) {
            derivative->message = "e = 0 or 1: the derivative by e is not computed";
        } else if (slope->misses_mu) {
            derivative->message = "mu = 0: the derivative by mu is not computed";
        } else if (contact->stiffness < 0) {
            derivative->message = "a stiffness of 0 has no derivative";
        }
        if (contact->e == 0 || contact->e == 1 || contact->mu == 0) {
            derivative->smoothness = CAROM_ONE_SIDED;
        }
    }
    if (derivative->message[0]) {
        derivative->smoothness = CAROM_NOT_SMOOTH;
    } else if (slope->adjoint.has_shared) {
        derivative->smoothness = CAROM_ONE_SIDED;
        derivative->message = "contacts share the load in many ways: derivatives hold for changes "
                              "that leave the contacts redundant";
    }
}

/* Has no contact friction? */
static int is_plain(const CaromProblem *problem) {
    int rough = 0;
    for (int i = 0; i < problem->contact_count; i++) {
        rough |= problem->contacts[i].mu != 0;
    }
    return !rough;
}

/* Events are about to happen: keep the state if slip might end without a turn but for us. */
static void keep_network(void *context, const Network *network) {
    MultipleSlope *slope = context;
    int late = 0;
    for (int i = 0; i < network->given.count; i++) {
        late |= crm_friction_is_late(&network->given, &network->state, i);
    }
    if (late && network->differs == 0 && slope->kept_bytes > 0) {
        memcpy(slope->kept, slope->memory, slope->kept_bytes);
        slope->network = *network;
        slope->result = *network->result;
    }
}

/* The outcome of a plain solve. */
static CaromStatus finish_plainly(MultipleSlope *slope, CaromResult *result) {
    if (slope->kept_bytes == 0 || slope->differs != slope->network.work) {
        return crm_multiple_solve(slope->problem, slope->memory, NULL, result);
    }
    memcpy(slope->memory, slope->kept, slope->kept_bytes);
    *result = slope->result;
    CaromStatus status = crm_multiple_resume(&slope->network);
    return status == CAROM_NOT_CONVERGED
               ? crm_multiple_solve(slope->problem, slope->memory, NULL, result)
               : status;
}

/* Solve in memory behind the tape, and call end() with the record. */
static CaromStatus follow_process(MultipleSlope *slope, char *memory, int plain,
                                  void (*end)(void *, Network *), CaromResult *result) {
    CaromTrace none = {0};
    Sampler sampler = {.trace = &none};
    int n = slope->problem->contact_count;
    size_t bytes = crm_tape_bytes(n);
    if (plain) {
        crm_plain_tape_begin(&slope->plain_tape, n, memory, bytes);
        slope->plain_tape.visitor.end = end;
        sampler.multiple = &slope->plain_tape.visitor;
    } else {
        crm_tape_begin(&slope->tape, n, memory);
        slope->tape.visitor.end = end;
        slope->tape.visitor.events = keep_network;
        sampler.multiple = &slope->tape.visitor;
    }
    slope->memory = memory + bytes;
    slope->kept = slope->memory + crm_multiple_workspace_size(n);
    slope->kept_bytes = plain ? 0 : kept_bytes(n);
    return crm_multiple_solve(slope->problem, slope->memory, &sampler, result);
}

CaromStatus crm_multiple_slope(const CaromProblem *problem, double *workspace, CaromResult *result,
                               const Reverse *reverse, CaromDerivative *derivative) {
    MultipleSlope slope = {
        .problem = problem, .reverse = reverse, .derivative = derivative, .residual = -1};
    int n = problem->contact_count, plain = is_plain(problem);
    char *memory = (char *)(((uintptr_t)workspace + 15) / 16 * 16);
    slope.inputs = carom_inputs(n, problem->planar);
    derivative->kink_count = 0;
    memory += lay_out_multiple(&slope, memory, n);
    slope.plain = plain ? slope.plain : NULL;
    CaromStatus status = follow_process(&slope, memory, plain, differentiate_process, result);
    derivative->message = result->message;
    if (status == CAROM_NOT_CONVERGED) {
        /* without derivatives fewer bounces may do */
        crm_multiple_solve(problem, memory, NULL, result);
    }
    if (status < 0) {
        return status;
    }
    derivative->message = slope.adjoint.message ? slope.adjoint.message : "";
    if (slope.adjoint.message) {
        return CAROM_NOT_CONVERGED;
    }
    if (plain && wants_kinks(&slope)) {
        CaromResult own = {0};
        slope.plain = NULL;
        follow_process(&slope, memory, 0, list_plain_kinks, &own);
    }
    if (slope.differs) {
        status = finish_plainly(&slope, result);
    }
    judge_smoothness(&slope, result->error);
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
