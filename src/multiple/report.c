/* Events, snapshots, samples and the energy account in the caller's units. */
#include "multiple/report.h"

#include <float.h>

#include "math/functions.h"
#include "multiple/terms.h"
#include "multiple/watch.h"

/* Impulse of all contacts in the caller's units; 0 along the surface where there is no friction. */
static void fill_impulse(const Network *network, const double *I, double *impulse) {
    int size = network->given.count * network->given.caller_rows;
    for (int i = 0; i < size; i++) {
        impulse[i] = 0;
    }
    for (int i = 0; i < network->given.size; i++) {
        impulse[caller_row(&network->given, i)] = network->given.unit_impulse * I[i];
    }
}

/* Contact velocity, in the caller's row, once the impulses are I. */
static double velocity_after(const Network *network, const double *I, int row) {
    const CaromProblem *problem = network->given.problem;
    int size = network->given.count * network->given.caller_rows;
    double sum = 0;
    for (int j = network->given.column_first[row]; j < network->given.column_end[row]; j++) {
        sum += problem->inverse_inertia[row * size + caller_row(&network->given, j)] * I[j];
    }
    return problem->velocity[row] + network->given.unit_impulse * sum;
}

static CaromMode contact_mode(const Material *material, const Link *link) {
    return !is_active(link->phase)                           ? CAROM_MODE_OPEN
           : material->rough && !is_slipping(link->friction) ? CAROM_MODE_STICK
                                                             : CAROM_MODE_SLIP;
}

/* The tangential spring of a contact whose velocity is known, as CaromTrace has it. own: its rows
 * along the surface. */
static void fill_spring(const Network *network, const Material *material, const Link *link, int own,
                        ContactState *state) {
    double unit =
        sqrt(2 * material->k * network->given.unit_velocity * network->given.unit_impulse);
    const double *v = state->velocity, *f = link->f;
    double size = sqrt(f[0] * f[0] + f[1] * f[1]), s[2] = {link->s[0], link->s[1]};
    for (int i = 0; i < 2 && size > 0; i++) {
        s[i] = f[i] / size;
    }
    double across = v[1] * s[0] - v[0] * s[1];
    for (int i = 0; i < own && material->rough && is_active(link->phase); i++) {
        double along = -material->mu * link->k / material->kt * v[2];
        double slip = along * s[i] + across * (i == 0 ? -s[1] : s[0]);
        state->spring[i] = unit * f[i] / material->kt;
        state->spring_rate[i] = !is_slipping(link->friction) ? v[i]
                                : link->phase == HELD        ? NAN
                                                             : slip;
    }
}

/* One contact once the impulses are I. */
static ContactState link_state(const Network *network, const double *I, int contact,
                               const Link *link) {
    int rows = network->given.rows, all = network->given.caller_rows;
    double unit = network->given.unit_velocity * network->given.unit_impulse;
    ContactState state = {.stored = unit * spring_energy(link),
                          .tangential =
                              unit * tangential_energy(&network->given.materials[contact], link),
                          .mode = contact_mode(&network->given.materials[contact], link)};
    for (int i = 0; i < all; i++) {
        int to = i == all - 1 ? 2 : i, own = i - (all - rows);
        state.velocity[to] = velocity_after(network, I, contact * all + i);
        state.impulse[to] = own < 0 ? 0 : network->given.unit_impulse * I[contact * rows + own];
    }
    fill_spring(network, &network->given.materials[contact], link, rows - 1, &state);
    return state;
}

/* What the event makes of the link it happens to: does it act, and what does its spring hold? */
static int acts_after(const Link *link, CaromEventKind kind) {
    return kind == CAROM_EVENT_ACTIVATION || kind == CAROM_EVENT_LATCH ||
           (link->shown != SHOWN_OPEN && kind != CAROM_EVENT_RESTITUTION_END &&
            kind != CAROM_EVENT_RELEASE);
}

static double stored_after(const Network *network, int i, CaromEventKind kind) {
    const Link *link = &network->state.links[i];
    int loses = !network->given.mono && network->given.materials[i].e < 1;
    double kept = kind == CAROM_EVENT_COMPRESSION_END && loses ? link->keeps
                  : kind == CAROM_EVENT_RESTITUTION_END        ? 0
                                                               : 1;
    return kept * spring_energy(link);
}

static void fill_snapshots(const Network *network, int changed, CaromEventKind kind, int at) {
    const CaromSnapshots *snapshots = network->result->snapshots;
    int n = network->given.count, size = n * network->given.caller_rows;
    double unit = network->given.unit_velocity * network->given.unit_impulse;
    if (snapshots->impulse) {
        fill_impulse(network, network->state.I, &snapshots->impulse[(size_t)at * (size_t)size]);
    }
    for (int i = 0; i < size && snapshots->velocity; i++) {
        snapshots->velocity[(size_t)at * (size_t)size + (size_t)i] =
            velocity_after(network, network->state.I, i);
    }
    for (int i = 0; i < n; i++) {
        const Link *link = &network->state.links[i];
        size_t place = (size_t)at * (size_t)n + (size_t)i;
        int same = i != changed;
        if (snapshots->stored) {
            snapshots->stored[place] =
                unit * (same ? spring_energy(link) : stored_after(network, i, kind));
        }
        if (snapshots->active) {
            snapshots->active[place] =
                (unsigned char)(same ? link->shown != SHOWN_OPEN : acts_after(link, kind));
        }
    }
}

void crm_report_event(Network *network, int i, CaromEventKind kind) {
    CaromEvent *event = record_event(network->result);
    if (event) {
        ContactState state = link_state(network, network->state.I, i, &network->state.links[i]);
        crm_record_write_event(event, kind, i, &state);
        if (network->result->snapshots) {
            fill_snapshots(network, i, kind, network->result->event_count - 1);
        }
    }
}

/* The next sample, at x of the piece in hand; x < 0: now, after the piece. */
static void put_link_sample(Network *network, double x) {
    CaromTrace *trace = network->sampler->trace;
    int at = network->sampler->next++;
    double *I = network->piece.I_then, *F = network->piece.column_in,
           *gain = network->piece.column_out;
    if (x >= 0) {
        terms_at(&network->given, &network->piece, network->piece.terms_f, x, F);
        terms_integral(&network->given, &network->piece, network->piece.terms_push, x, gain);
    }
    for (int i = 0; i < network->given.size; i++) {
        I[i] = network->state.I[i] + (x < 0 ? 0 : network->piece.step * gain[i]);
    }
    if (trace->clock) {
        trace->clock[at] = network->sampler->step * at;
    }
    for (int i = 0; i < network->given.count; i++) {
        Link then = network->state.links[i];
        if (x >= 0 && is_active(then.phase)) {
            then.N = F[normal_row(&network->given, i)];
            for (int j = 0; j < network->given.rows - 1; j++) {
                then.f[j] = -F[network->given.materials[i].row + j];
            }
        }
        ContactState state = link_state(network, I, i, &then);
        crm_record_write_sample(trace, at, i, network->given.count, network->given.caller_rows,
                                &state);
    }
}

/* Where in the piece its clock has gained so much; the forces are not negative, so it only rises.
 */
static double find_clock(const double *rate, double gain, double end) {
    double low = 0, high = end, x = end / 2;
    for (int i = 0; i < 100 && high - low > 1e-15 * end; i++) {
        double miss = crm_series_integral(rate, x) - gain, slope = crm_series_at(rate, x);
        *(miss > 0 ? &high : &low) = x;
        double next = slope > 0 ? x - miss / slope : -1;
        x = next > low && next < high ? next : (low + high) / 2;
    }
    return x;
}

void crm_report_samples(Network *network) {
    Sampler *sampler = network->sampler;
    double rate[TERMS] = {0}, unit = network->given.unit_impulse;
    if (!sampler_has_room(sampler)) {
        return;
    }
    for (int i = 0; i < network->given.count; i++) {
        double N[TERMS];
        terms_series(&network->given, &network->piece, network->piece.terms_push,
                     normal_row(&network->given, i), 1, N);
        for (int g = 0; g < TERMS; g++) {
            rate[g] += network->piece.step * N[g];
        }
    }
    double end = network->state.clock + crm_series_integral(rate, network->piece.moment);
    while (sampler_is_due(sampler, unit * end)) {
        double gain = sampler->next * sampler->step / unit - network->state.clock;
        put_link_sample(network, find_clock(rate, gain, network->piece.moment));
    }
}

void crm_report_last_samples(Network *network) {
    while (sampler_has_room(network->sampler)) {
        put_link_sample(network, -1);
    }
}

/* Growth of the disagreement of v and I, as an error of I; measured. */
static const double GAP_GROWTH = 3;

/* A smaller mobility, relative to the largest normal W, is rounding. */
static const double LEAST_MOBILITY = 1e-12;

/* The rows of one side of a link: from first to before end. */
typedef struct Rows {
    int first, end;
} Rows;

static Rows side_rows(const Given *given, int i, Side side) {
    int n = normal_row(given, i);
    return side == NORMAL ? (Rows){n, n + 1} : (Rows){given->materials[i].row, n};
}

/* By how much an error of the rows b moves the rows a. */
static double spread_error(const Given *given, Rows a, Rows b) {
    double largest = 0, own = 0;
    for (int j = b.first; j < b.end; j++) {
        own += row_of_W(given, j)[j];
        for (int i = a.first; i < a.end; i++) {
            largest = fmax(largest, fabs(row_of_W(given, i)[j]));
        }
    }
    return a.first == b.first ? 1 : own > 0 ? largest / own : 0;
}

static double side_error(const Link *link, Side side) {
    return link->error[side] + sqrt(link->noise[side]);
}

/* Error of the velocity of one side of link i, with what the others do to it: those that W couples
 * to it. */
static double speed_error(const Network *network, int i, Side side) {
    const Given *given = &network->given;
    Rows rows = side_rows(given, i, side), reach = {given->size, 0};
    double sum = 0;
    for (int row = rows.first; row < rows.end; row++) {
        int to = caller_row(given, row);
        reach.first = given->column_first[to] < reach.first ? given->column_first[to] : reach.first;
        reach.end = given->column_end[to] > reach.end ? given->column_end[to] : reach.end;
    }
    for (int j = reach.first / given->rows; j * given->rows < reach.end; j++) {
        const Link *link = &network->state.links[j];
        for (int other = 0; other < SIDES; other++) {
            double error = side_error(link, (Side)other);
            sum +=
                error > 0 ? error * spread_error(given, rows, side_rows(given, j, (Side)other)) : 0;
        }
    }
    return sum;
}

/* I.W I of the rows of link i alone. */
static double own_work(const Network *network, int i) {
    const Given *given = &network->given;
    int first = given->materials[i].row;
    const double *I = &network->state.I[first];
    double sum = 0;
    for (int k = 0; k < given->rows; k++) {
        const double *row = &row_of_W(given, first + k)[first];
        for (int l = 0; l < given->rows; l++) {
            sum += I[k] * row[l] * I[l];
        }
    }
    return sum;
}

static double impulse_size(const Network *network, Rows rows) {
    double square = 0;
    for (int i = rows.first; i < rows.end; i++) {
        square += network->state.I[i] * network->state.I[i];
    }
    return sqrt(square);
}

/* |dI|/|I| by the errors e of the velocities; v: those after. An impulse that moves next to
 * nothing, of one link or of all together, must change much to make up for a small speed: dI.W I =
 * e.I. */
static double impulse_error(const Network *network, const double *v) {
    const Given *given = &network->given;
    double all = impulse_size(network, (Rows){0, given->size});
    double common = network->state.omitted;
    double work = 0, missed = common * all, largest = common, alone = 0;
    for (int i = 0; i < given->size; i++) {
        work += network->state.I[i] * (v[i] - given->v_before[i]);
    }
    for (int i = 0; i < given->count; i++) {
        double own = 0, square = 0;
        for (int side = 0; side < SIDES; side++) {
            double I = impulse_size(network, side_rows(given, i, (Side)side));
            largest = fmax(largest, side_error(&network->state.links[i], (Side)side));
            own += I > 0 ? speed_error(network, i, (Side)side) * I : 0;
            square += I * I;
        }
        missed += own;
        own += common * sqrt(square);
        alone = square > 0 ? fmax(alone, own * sqrt(square) /
                                             fmax(own_work(network, i), LEAST_MOBILITY * square))
                           : alone;
    }
    return all > 0
               ? fmax(fmax(largest, alone / all), missed / fmax(work, LEAST_MOBILITY * all * all))
               : largest;
}

/* The largest error of a speed. The impulses of a jam would go on for ever. */
static double speeds_error(const Network *network) {
    double largest = 0;
    for (int i = 0; i < network->given.count; i++) {
        for (int side = 0; side < SIDES; side++) {
            largest = fmax(largest, speed_error(network, i, (Side)side));
        }
    }
    return largest;
}

void crm_report_finish(Network *network) {
    CaromResult *result = network->result;
    const CaromProblem *problem = network->given.problem;
    int size = network->given.count * network->given.caller_rows;
    double unit = network->given.unit_velocity * network->given.unit_impulse, change = 0;
    double *after = network->piece.I_then, *velocity = result->velocity;
    for (int i = 0; i < size && velocity; i++) {
        velocity[i] = velocity_after(network, network->state.I, i);
    }
    for (int i = 0; i < network->given.size; i++) {
        int row = caller_row(&network->given, i);
        double v = velocity ? velocity[row] : velocity_after(network, network->state.I, row);
        change += network->state.I[i] * (problem->velocity[row] + v) / 2;
        after[i] = v / network->given.unit_velocity;
    }
    if (result->impulse) {
        fill_impulse(network, network->state.I, result->impulse);
    }
    CaromEnergy *energy = &result->energy;
    *energy = (CaromEnergy){.change = network->given.unit_impulse * change,
                            .stored = unit * network->state.energy.stored,
                            .released = unit * network->state.energy.released,
                            .normal_loss = unit * network->state.energy.normal_loss,
                            .friction_loss = unit * network->state.energy.friction_loss,
                            .tangential = unit * network->state.energy.tangential};
    energy->residual = energy->change + energy->normal_loss + energy->friction_loss;
    for (int i = 0; i < network->given.count; i++) {
        int row = normal_row(&network->given, i);
        network->state.links[i].error[NORMAL] +=
            GAP_GROWTH * fabs(after[row] - network->state.v[row]);
    }
    result->error =
        (network->jams ? speeds_error(network) : impulse_error(network, after)) + 4 * DBL_EPSILON;
    result->work = network->work;
    result->ambiguous =
        network->ambiguous ? "friction presses a held contact so much that it could slip instead"
        : network->rests_on_rule
            ? "friction forces that jump with the reactions stop inside their cones: they depend "
              "on the rule for such jumps"
            : "";
    result->jump = network->jump;
    if (network->jams) {
        result->message =
            "contacts jam: they stay closed under a load that moves nothing, and what "
            "still vibrates there is lost";
    }
}
