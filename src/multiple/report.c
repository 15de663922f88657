/* What the caller is told: events, snapshots, samples and the account. */
#include <float.h>
#include <math.h>

#include "multiple/terms.h"

/* Impulse of all contacts in the caller's units; 0 along the surface where there is no friction. */
static void fill_impulse(const Network *network, const double *I, double *impulse) {
    int size = network->count * network->caller_rows;
    for (int i = 0; i < size; i++) {
        impulse[i] = 0;
    }
    for (int i = 0; i < network->size; i++) {
        impulse[caller_row(network, i)] = network->unit_impulse * I[i];
    }
}

/* Contact velocity, in the caller's row, once the impulses are I. */
static double velocity_after(const Network *network, const double *I, int row) {
    const CaromProblem *problem = network->problem;
    int size = network->count * network->caller_rows;
    double sum = 0;
    for (int j = 0; j < network->size; j++) {
        sum += problem->inverse_inertia[row * size + caller_row(network, j)] * I[j];
    }
    return problem->velocity[row] + network->unit_impulse * sum;
}

/* One contact once the impulses are I. */
static ContactState link_state(const Network *network, const double *I, int contact,
                               const Link *link) {
    int rows = network->rows, all = network->caller_rows;
    double unit = network->unit_velocity * network->unit_impulse;
    ContactState state = {.stored = unit * spring_energy(link),
                          .tangential = unit * link_tangential_energy(link),
                          .mode = !is_active(link)    ? CAROM_MODE_OPEN
                                  : is_gripping(link) ? link->mode
                                                      : CAROM_MODE_SLIP};
    for (int i = 0; i < all; i++) {
        int to = i == all - 1 ? 2 : i, own = i - (all - rows);
        state.velocity[to] = velocity_after(network, I, contact * all + i);
        state.impulse[to] = own < 0 ? 0 : network->unit_impulse * I[contact * rows + own];
    }
    return state;
}

/* What the event makes of the link it happens to: does it act, and what does its spring hold? */
static int acts_after(const Link *link, CaromEventKind kind) {
    return kind == CAROM_EVENT_ACTIVATION || kind == CAROM_EVENT_LATCH ||
           (link->acting && kind != CAROM_EVENT_RESTITUTION_END && kind != CAROM_EVENT_RELEASE);
}

static double stored_after(const Network *network, const Link *link, CaromEventKind kind) {
    double kept = kind == CAROM_EVENT_COMPRESSION_END && !network->mono ? link->e * link->e
                  : kind == CAROM_EVENT_RESTITUTION_END                 ? 0
                                                                        : 1;
    return kept * spring_energy(link);
}

static void fill_snapshots(const Network *network, const Link *changed, CaromEventKind kind,
                           int at) {
    const CaromSnapshots *snapshots = network->result->snapshots;
    int n = network->count, size = n * network->caller_rows;
    double unit = network->unit_velocity * network->unit_impulse;
    if (snapshots->impulse) {
        fill_impulse(network, network->I, &snapshots->impulse[(size_t)at * (size_t)size]);
    }
    for (int i = 0; i < size && snapshots->velocity; i++) {
        snapshots->velocity[(size_t)at * (size_t)size + (size_t)i] =
            velocity_after(network, network->I, i);
    }
    for (int i = 0; i < n; i++) {
        const Link *link = &network->links[i];
        size_t place = (size_t)at * (size_t)n + (size_t)i;
        int same = link != changed;
        if (snapshots->stored) {
            snapshots->stored[place] =
                unit * (same ? spring_energy(link) : stored_after(network, link, kind));
        }
        if (snapshots->active) {
            snapshots->active[place] =
                (unsigned char)(same ? link->acting : acts_after(link, kind));
        }
    }
}

void crm_report_event(Network *network, const Link *link, CaromEventKind kind) {
    CaromEvent *event = record_event(network->result);
    int index = (int)(link - network->links);
    if (event) {
        ContactState state = link_state(network, network->I, index, link);
        crm_record_write_event(event, kind, index, &state);
        if (network->result->snapshots) {
            fill_snapshots(network, link, kind, network->result->event_count - 1);
        }
    }
}

/* The next sample, at x of the piece in hand; x < 0: now, after the piece. */
static void put_link_sample(Network *network, double x) {
    CaromTrace *trace = network->sampler->trace;
    int at = network->sampler->next++;
    double *I = network->I_then, *F = network->column_in, *gain = network->column_out;
    if (x >= 0) {
        terms_at(network, network->terms_f, x, F);
        terms_integral(network, network->terms_push, x, gain);
    }
    for (int i = 0; i < network->size; i++) {
        I[i] = network->I[i] + (x < 0 ? 0 : network->step * gain[i]);
    }
    if (trace->clock) {
        trace->clock[at] = network->sampler->step * at;
    }
    for (int i = 0; i < network->count; i++) {
        Link then = network->links[i];
        if (x >= 0 && is_sprung(&then)) {
            then.N = F[normal_row(network, &network->links[i])];
        }
        for (int j = 0; j < network->rows - 1 && x >= 0 && is_gripping(&then); j++) {
            then.f[j] = -F[then.row + j];
        }
        ContactState state = link_state(network, I, i, &then);
        crm_record_write_sample(trace, at, i, network->count, network->caller_rows, &state);
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
    double rate[TERMS] = {0}, unit = network->unit_impulse;
    if (!sampler) {
        return;
    }
    for (int i = 0; i < network->count; i++) {
        double N[TERMS];
        terms_series(network, network->terms_push, normal_row(network, &network->links[i]), 1, N);
        for (int g = 0; g < TERMS; g++) {
            rate[g] += network->step * N[g];
        }
    }
    double end = network->clock + crm_series_integral(rate, network->moment);
    while (sampler_is_due(sampler, unit * end)) {
        double gain = sampler->next * sampler->step / unit - network->clock;
        put_link_sample(network, find_clock(rate, gain, network->moment));
    }
}

void crm_report_last_samples(Network *network) {
    while (sampler_has_room(network->sampler)) {
        put_link_sample(network, -1);
    }
}

void crm_report_finish(Network *network) {
    CaromResult *result = network->result;
    const CaromProblem *problem = network->problem;
    int size = network->count * network->caller_rows;
    double unit = network->unit_velocity * network->unit_impulse, change = 0, error = 0;
    for (int i = 0; i < network->size; i++) {
        int row = caller_row(network, i);
        double v = velocity_after(network, network->I, row);
        change += network->I[i] * (problem->velocity[row] + v) / 2;
    }
    if (result->impulse) {
        fill_impulse(network, network->I, result->impulse);
    }
    for (int i = 0; i < size && result->velocity; i++) {
        result->velocity[i] = velocity_after(network, network->I, i);
    }
    CaromEnergy *energy = &result->energy;
    *energy = (CaromEnergy){.change = network->unit_impulse * change,
                            .stored = unit * network->energy.stored,
                            .released = unit * network->energy.released,
                            .normal_loss = unit * network->energy.normal_loss,
                            .friction_loss = unit * network->energy.friction_loss,
                            .tangential = unit * network->energy.tangential};
    energy->residual = energy->change + energy->normal_loss + energy->friction_loss;
    for (int row = network->rows - 1; row < network->size; row += network->rows) {
        double gap = fabs(velocity_after(network, network->I, caller_row(network, row)) /
                              network->unit_velocity -
                          network->v[row]);
        error = gap > error ? gap : error;
    }
    result->error = error + network->doubt + 4 * DBL_EPSILON;
    result->work = network->work;
}
