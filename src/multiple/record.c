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

/* A vector of one contact with three entries, (t, 0, n) if planar. */
static void fill_event_vector(const Network *network, const double *values, double vector[3]) {
    vector[0] = values[0];
    vector[1] = network->caller_rows > 2 ? values[1] : 0;
    vector[2] = values[network->caller_rows - 1];
}

/* What the event makes of the link it happens to: does it act, and what does its spring hold? */
static int acts_after(const Link *link, CaromEventKind kind) {
    return kind == CAROM_ACTIVATION || kind == CAROM_LATCH ||
           (link->acting && kind != CAROM_RESTITUTION_END && kind != CAROM_RELEASE);
}

static double stored_after(const Network *network, const Link *link, CaromEventKind kind) {
    double kept = kind == CAROM_COMPRESSION_END && !network->mono ? link->e * link->e
                  : kind == CAROM_RESTITUTION_END                 ? 0
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

void record_event(Network *network, const Link *link, CaromEventKind kind) {
    CaromResult *result = network->result;
    int at = result->event_count++, index = (int)(link - network->links);
    if (at >= result->event_capacity || !result->events) {
        return;
    }
    double impulse[3] = {0}, velocity[3];
    int rows = network->rows, all = network->caller_rows;
    for (int i = 0; i < all; i++) {
        velocity[i] = velocity_after(network, network->I, index * all + i);
    }
    for (int i = 0; i < rows; i++) {
        impulse[all - rows + i] = network->unit_impulse * network->I[index * rows + i];
    }
    double unit = network->unit_velocity * network->unit_impulse;
    CaromEvent *event = &result->events[at];
    *event = (CaromEvent){.kind = kind,
                          .contact = index,
                          .normal_impulse = impulse[all - 1],
                          .stored = unit * spring_energy(link),
                          .tangential = unit * tangential_energy(link)};
    fill_event_vector(network, impulse, event->impulse);
    fill_event_vector(network, velocity, event->velocity);
    if (result->snapshots) {
        fill_snapshots(network, link, kind, at);
    }
}

/* One sample, at x of the piece in hand; x < 0: now, after the piece. */
static void fill_sample(Network *network, int at, double clock, double x) {
    CaromTrace *trace = network->trace;
    int n = network->count, size = n * network->caller_rows;
    double unit = network->unit_velocity * network->unit_impulse, *I = network->I_then;
    size_t first = (size_t)at * (size_t)size;
    double *F = network->column_in, *gain = network->column_out;
    if (x >= 0) {
        terms_at(network, network->terms_f, x, F);
        terms_integral(network, network->terms_push, x, gain);
    }
    for (int i = 0; i < network->size; i++) {
        I[i] = network->I[i] + (x < 0 ? 0 : network->step * gain[i]);
    }
    if (trace->clock) {
        trace->clock[at] = network->unit_impulse * clock;
    }
    if (trace->impulse) {
        fill_impulse(network, I, &trace->impulse[first]);
    }
    for (int i = 0; i < size && trace->velocity; i++) {
        trace->velocity[first + (size_t)i] = velocity_after(network, I, i);
    }
    for (int i = 0; i < n; i++) {
        Link then = network->links[i];
        size_t place = (size_t)at * (size_t)n + (size_t)i;
        int row = normal_row(network, &network->links[i]);
        if (x >= 0 && is_sprung(&then)) {
            then.N = F[row];
        }
        for (int j = 0; j < network->rows - 1 && x >= 0 && is_gripping(&then); j++) {
            then.f[j] = -F[then.row + j];
        }
        if (trace->stored) {
            trace->stored[place] = unit * spring_energy(&then);
        }
        if (trace->tangential) {
            trace->tangential[place] = unit * tangential_energy(&then);
        }
        if (trace->mode) {
            trace->mode[place] = !is_active(&then)    ? CAROM_MODE_OPEN
                                 : is_gripping(&then) ? then.mode
                                                      : CAROM_MODE_SLIP;
        }
    }
}

/* Where in the piece its clock has gained so much; the forces are not negative, so it only rises.
 */
static double find_clock(const double *rate, double gain, double end) {
    double low = 0, high = end, x = end / 2;
    for (int i = 0; i < 100 && high - low > 1e-15 * end; i++) {
        double miss = series_integral(rate, x) - gain, slope = series_at(rate, x);
        *(miss > 0 ? &high : &low) = x;
        double next = slope > 0 ? x - miss / slope : -1;
        x = next > low && next < high ? next : (low + high) / 2;
    }
    return x;
}

void record_samples(Network *network) {
    if (!network->trace) {
        return;
    }
    double rate[TERMS] = {0};
    for (int i = 0; i < network->count; i++) {
        double N[TERMS];
        terms_series(network, network->terms_push, normal_row(network, &network->links[i]), 1, N);
        for (int g = 0; g < TERMS; g++) {
            rate[g] += network->step * N[g];
        }
    }
    double gain = series_integral(rate, network->moment);
    while (network->sample_next < network->trace->capacity - 1) {
        double clock = network->sample_next * network->sample_step;
        if (clock > network->clock + gain) {
            return;
        }
        double x = find_clock(rate, clock - network->clock, network->moment);
        fill_sample(network, network->sample_next++, clock, x);
    }
}

void record_last_samples(Network *network) {
    while (network->trace && network->sample_next < network->trace->capacity) {
        double clock = network->sample_next * network->sample_step;
        fill_sample(network, network->sample_next++, clock, -1);
    }
}

void record_finish(Network *network) {
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
    energy->residual = energy->change + energy->normal_loss + energy->friction_loss - energy->left;
    for (int row = network->rows - 1; row < network->size; row += network->rows) {
        double gap = fabs(velocity_after(network, network->I, caller_row(network, row)) /
                              network->unit_velocity -
                          network->v[row]);
        error = gap > error ? gap : error;
    }
    result->error = error + network->doubt + 4 * DBL_EPSILON;
    result->work = network->work;
}
