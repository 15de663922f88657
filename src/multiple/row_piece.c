/* Series of a row, block by block. */
#include "multiple/row_piece.h"

#include <string.h>

#include "math/bits.h"
#include "math/functions.h"
#include "math/jet.h"
#include "math/wide.h"
#include "multiple/events.h"
#include "multiple/graze.h"
#include "multiple/multiple_visit.h"
#include "multiple/terms.h"
#include "multiple/watch.h"

/* What the series may leave out in a piece, relative to the largest speed. */
static const double ROW_CUT = 6e-14;

/* Terms of a link that are negligible, relative to the amplitude of that link: less than rounding.
 * What is negligible to others may decide the events of a link that has only begun to move. */
static const double BLOCK_CUT = 1e-17;

/* Longest piece that is prepared for, in units of the shortest period. Longer ones are possible
 * where the stiffest link is almost at rest. */
static const double ROW_LONGEST = 4;

/* 1/16! */
static const double LAST_FACTOR = 1 / 20922789888000.0;

static double *row_order(const Row *row, int order) {
    return &row->terms[(order + 1) * row->stride];
}

/* Powers of t, divided by g!, for all orders of x and one more for integrals. */
static void row_powers(double t, double power[ROW_POWERS]) {
    power[0] = 1;
    for (int g = 0; g < ROW_POWERS - 1; g++) {
        power[g + 1] = power[g] * t * RECIPROCAL[g + 1];
    }
}

void crm_row_store(Network *network, const double *v, const double *y, const double *I) {
    const Row *row = network->row;
    NetworkState *state = &network->state;
    for (int place = 0; place < row->count; place++) {
        int i = row->link[place];
        state->v[i] = v[place];
        state->I[i] = I[place];
        state->links[i].N = row->k[place] > 0 ? -row->k[place] * y[place] : 0;
    }
    for (int h = 0; h < row->held_count; h++) {
        int i = row->held[h], before = row->before[i], after = row->after[i];
        state->I[row->order[i]] = row->offset[i] + row_reaction(row, i, I);
        state->links[row->order[i]].N =
            (before < 0 ? 0 : row->from_before[i] * state->links[row->link[before]].N) +
            (after < 0 ? 0 : row->from_after[i] * state->links[row->link[after]].N);
    }
}

/* The link at this place acts with its k. */
static void row_set_rate(Row *row, int place) {
    double rate = row->rate[place] = -row->k[place] * row->unit * row->unit;
    row->pull_at[place] = row->at[place] * rate;
    row->pull_above[place - 1] = row->above[place - 1] * rate;
    row->pull_below[place + 1] = row->below[place + 1] * rate;
}

static double row_shortest_period(const Network *network) {
    const Row *row = network->row;
    double fastest = 0;
    for (int i = 0; i < row->count; i++) {
        double rate = row->k[i] * row->w[i];
        fastest = rate > fastest ? rate : fastest;
    }
    for (int i = 0; i < row->touching_count; i++) {
        int place = row->touching[i];
        double rate = network->state.links[row->link[place]].k * row->w[place];
        fastest = rate > fastest ? rate : fastest;
    }
    return fastest > 0 ? 1 / sqrt(fastest) : 1;
}

/* Orders 0 of x and v, and the products with the rates. */
INLINE void row_load_blocks(Row *row) {
    double *x = row_order(row, -1), *v = row_order(row, 0), by = 1 / row->unit;
    double square = -row->unit * row->unit;
    for (int i = 0; i < ROW_BLOCK * row->blocks; i += 4) {
        Four speed = four_load(&row->v[i]), way = four_load(&row->y[i]);
        Four rate = four_scale(four_load(&row->k[i]), square);
        Four size = four_plus(four_magnitude(speed),
                              four_times(four_magnitude(way), four_load(&row->omega[i])));
        four_store(&x[i], four_scale(way, by));
        four_store(&v[i], speed);
        four_store(&row->rate[i], rate);
        four_store(&row->pull_at[i], four_times(four_load(&row->at[i]), rate));
        four_store(&row->least[i], four_scale(size, BLOCK_CUT));
    }
    for (int i = 0; i < ROW_BLOCK * row->blocks; i += 4) {
        four_store(&row->pull_below[i],
                   four_times(four_load(&row->below[i]), four_load(&row->rate[i - 1])));
        four_store(&row->pull_above[i],
                   four_times(four_load(&row->above[i]), four_load(&row->rate[i + 1])));
    }
}

WIDE void row_load_wide(Row *row) {
    row_load_blocks(row);
}

NARROW void row_load_narrow(Row *row) {
    row_load_blocks(row);
}

static void row_load(Network *network) {
    Row *row = network->row;
    row->unit = row_shortest_period(network);
    (has_wide() ? row_load_wide : row_load_narrow)(row);
    for (int b = 0; b < row->blocks; b++) {
        row->orders[b] = 3;
        row->filled[b] |= 3;
    }
}

/* What row_push() reads: of its own, because the compiler does not know that it stays as it is. */
typedef struct RowPulls {
    const double *below, *at, *above, *least;
} RowPulls;

/* A block of the order that is two orders after x. Is it not negligible? scale: of its terms. */
INLINE int row_push(const RowPulls *pulls, const double *x, double *out, int start, double scale) {
    FourMask any = {0};
    for (int i = start; i < start + ROW_BLOCK; i += 4) {
        Four sum = four_times(four_load(&pulls->below[i]), four_load(&x[i - 1]));
        sum = four_plus(sum, four_times(four_load(&pulls->at[i]), four_load(&x[i])));
        sum = four_plus(sum, four_times(four_load(&pulls->above[i]), four_load(&x[i + 1])));
        four_store(&out[i], sum);
        any = four_above(any, four_scale(four_magnitude(sum), scale), four_load(&pulls->least[i]));
    }
    return four_any(any);
}

/* Order g + 1 from order g - 1, where it is not negligible. */
INLINE void row_push_blocks(Row *row, int g, double scale) {
    const double *x = row_order(row, g - 1);
    double *out = row_order(row, g + 1);
    unsigned from = 1u << g, to = from << 2, *orders = row->orders, *filled = row->filled;
    RowPulls pulls = {row->pull_below, row->pull_at, row->pull_above, row->least};
    for (int b = 0, blocks = row->blocks; b < blocks; b++) {
        int near = ((orders[b - 1] | orders[b] | orders[b + 1]) & from) != 0;
        filled[b] |= near ? to : 0;
        if (near && row_push(&pulls, x, out, b * ROW_BLOCK, scale)) {
            orders[b] |= to;
        } else if (filled[b] & to) {
            memset(&out[b * ROW_BLOCK], 0, ROW_BLOCK * sizeof *out);
            filled[b] &= ~to;
        }
    }
}

/* Speed: the same where the processor has AVX2. */
WIDE void row_push_wide(Row *row, int g, double scale) {
    row_push_blocks(row, g, scale);
}

static void row_push_all(Row *row, int g, double scale) {
    if (has_wide()) {
        row_push_wide(row, g, scale);
    } else {
        row_push_blocks(row, g, scale);
    }
}

/* How far the series hold for all links together, by their last two terms. */
static double row_find_reach(const Row *row) {
    double last = 0;
    for (int b = 0; b < row->blocks; b++) {
        for (int g = ORDER - 1; g <= ORDER && row->orders[b] >> ORDER != 0; g++) {
            for (int i = b * ROW_BLOCK; i < (b + 1) * ROW_BLOCK; i++) {
                double size = fabs(row_order(row, g)[i]);
                last = size > last ? size : last;
            }
        }
    }
    return sqrt(sqrt(sqrt(sqrt(ROW_CUT / (LAST_FACTOR * last)))));
}

/* Is a term of this order rounding? */
static int row_is_noise(const Row *row, int place, int g) {
    const double *x = row_order(row, g - 2) + place;
    double sum = fabs(row->pull_below[place] * x[-1]) + fabs(row->pull_above[place] * x[1]);
    return fabs(row_order(row, g)[place]) <= NOISE * sum;
}

/* Places that touch: the first order that moves them decides. */
static void row_decide(Network *network, int g) {
    Row *row = network->row;
    double *v = row_order(row, g);
    for (int i = 0; i < row->touching_count; i++) {
        int place = row->touching[i];
        if (v[place] == 0 || row->phase[place] != TOUCHING) {
            continue;
        }
        if (g > ORDER - 2 || (g > 0 && row_is_noise(row, place, g))) {
            v[place] = 0;
            continue;
        }
        row_set_phase(row, place, v[place] < 0 ? LINK_COMPRESSION : OPEN);
        if (v[place] < 0) {
            row->k[place] = network->state.links[row->link[place]].k;
            row_set_rate(row, place);
        }
    }
}

/* Report what has been decided. */
static void row_commit(Network *network) {
    Row *row = network->row;
    int left = 0;
    for (int i = 0; i < row->touching_count; i++) {
        int place = row->touching[i];
        if (row->phase[place] == TOUCHING) {
            row->touching[left++] = place;
        } else {
            row_show(network);
            crm_events_decide(network, row->link[place], row->phase[place]);
        }
    }
    row->touching_count = left;
}

/* The reach over which the series hold also for links that hardly move yet. Those that have bounced
 * may come to rest within longer ones: there are many. */
static double row_own_reach(const Network *network, double reach) {
    const Row *row = network->row;
    double fastest = 0;
    for (int place = 0; place < row->count; place++) {
        if (row->k[place] == network->given.materials[row->link[place]].k) {
            fastest = fmax(fastest, terms_own_rate(&network->given, row->link[place], row->k[place],
                                                   row->v[place]));
        }
    }
    return fastest > 0 ? fmin(reach, OWN_LONGEST / (sqrt(fastest) * row->unit)) : reach;
}

void crm_row_expand(Network *network) {
    Row *row = network->row;
    double most[ROW_POWERS];
    row_load(network);
    row_powers(row->longest, most);
    for (int g = 0; g < ORDER; g++) {
        if (row->touching_count > 0) {
            row_decide(network, g);
        }
        row_push_all(row, g, most[g + 1]);
    }
    if (row->touching_count > 0) {
        row_decide(network, ORDER);
        row_commit(network);
    }
    row->common = row_find_reach(row);
    double reach = fmin(row->common, row->longest);
    row->longest = fmax(ROW_LONGEST, 2 * reach);
    row->reach = row_own_reach(network, reach);
    row_powers(row->reach, row->power);
}

/* Highest order of a block that is not 0, as an index of terms. */
static int row_top(const Row *row, int block) {
    return highest_bit(row->orders[block]);
}

/* The series of one place over the piece, from this order on, times factor. */
static void row_gather(const Row *row, int order, int place, double factor, double series[TERMS]) {
    const double *term = row_order(row, order) + place;
    int top = row_top(row, place / ROW_BLOCK) - (order + 1);
    for (int g = 0; g < TERMS; g++) {
        series[g] = g <= top ? factor * row->power[g] * term[g * row->stride] : 0;
    }
}

/* How low and how high the speeds of a block, times their sign, may be in the piece, at most. */
INLINE void row_bound_block(const Row *row, int block, double low[ROW_BLOCK],
                            double high[ROW_BLOCK]) {
    int top = row_top(row, block), start = block * ROW_BLOCK;
    const double *v = row_order(row, 0);
    for (int i = 0; i < ROW_BLOCK; i += 4) {
        Four sum = four_zero(), size = sum;
        const double *term = &v[start + i];
        for (int g = top - 1; g > 0; g--) {
            Four part = four_scale(four_load(&term[g * row->stride]), row->power[g]);
            sum = four_plus(sum, part);
            size = four_plus(size, four_magnitude(part));
        }
        Four middle = four_times(four_load(&row->sign[start + i]),
                                 four_plus(four_load(term), four_scale(sum, 0.5)));
        four_store(&low[i], four_minus(middle, four_scale(size, 0.5)));
        four_store(&high[i], four_plus(middle, four_scale(size, 0.5)));
    }
}

WIDE void row_bound_wide(const Row *row, int block, double low[ROW_BLOCK], double high[ROW_BLOCK]) {
    row_bound_block(row, block, low, high);
}

static void row_bound_speed(const Row *row, int block, double low[ROW_BLOCK],
                            double high[ROW_BLOCK]) {
    if (has_wide()) {
        row_bound_wide(row, block, low, high);
    } else {
        row_bound_block(row, block, low, high);
    }
}

static double row_limit(const Row *row) {
    return fmin(row->moment * (1 + AT_ONCE), 1);
}

/* Search one series for the next event. */
static void row_look(Row *row, int place, LinkWatch what, const double series[TERMS]) {
    double low = series[0], power = 1, limit = row_limit(row);
    for (int g = 1; g < TERMS; g++) {
        power *= limit;
        low += series[g] < 0 ? power * series[g] : 0;
    }
    if (low > 0) {
        return;
    }
    double wait = crm_series_zero(series, TERMS, limit);
    if (wait <= limit) {
        row->events[row->event_count++] = (RowEvent){place, what, wait};
        row->moment = fmin(row->moment, wait);
    }
}

static void row_look_force(Network *network, int place) {
    Row *row = network->row;
    int i = row->link[place];
    double series[TERMS];
    row_gather(row, -1, place, row->rate[place] / row->unit, series);
    series[0] -= opening_force(&network->given, i, &network->state.links[i]);
    series[0] = series[0] < 0 ? 0 : series[0];
    row_look(row, place, WATCH_FORCE, series);
}

/* Events of a block; the places of elastic links that may turn back. */
static int row_watch_block(Network *network, int block, int *turning) {
    Row *row = network->row;
    int end = row->count - block * ROW_BLOCK, turns = 0;
    double low[ROW_BLOCK], high[ROW_BLOCK], series[TERMS];
    row_bound_speed(row, block, low, high);
    for (int i = 0; i < ROW_BLOCK && i < end; i++) {
        int place = block * ROW_BLOCK + i,
            elastic = (row->elastic[place] && is_sprung(row->phase[place]));
        LinkPhase phase = row->phase[place];
        if (low[i] <= 0 && elastic) {
            turning[turns++] = place;
        } else if (low[i] <= 0 && (phase == OPEN || is_sprung(phase))) {
            row_gather(row, 0, place, row->sign[place], series);
            row_look(row, place, WATCH_SPEED, series);
        }
        if (low[i] <= GRAZE_NEAR &&
            row->k[place] * row->y[place] * row->y[place] > row->grazes[place]) {
            row->grazing[row->grazing_count++] = place;
        }
        /* the way to where the force is 0 may be too long for these speeds */
        double way = -row_order(row, -1)[place];
        if ((phase == LINK_RESTITUTION && (network->given.mono || high[i] * row->reach >= way)) ||
            (elastic && low[i] <= 0)) {
            row_look_force(network, place);
        }
    }
    return turns;
}

/* The next time after x that the speed of an elastic link changes its sign; x < 0: the first. */
static double row_next_turn(const Row *row, int place, double x) {
    double series[TERMS];
    row_gather(row, 0, place, row->sign[place], series);
    if (x < 0) {
        return crm_series_zero(series, TERMS, row->moment);
    }
    double zero = crm_jet_polynomial_zero_after(series, ORDER, x, row->moment);
    return isnan(zero) ? INFINITY : zero;
}

/* The state at t from the start of the piece. */
INLINE void row_sum(const Row *row, double t, double *v, double *y, double *I) {
    double power[ROW_POWERS];
    row_powers(t, power);
    for (int i = 0; i < row->blocks * ROW_BLOCK; i += ROW_BLOCK) {
        int top = row_top(row, i / ROW_BLOCK);
        const double *term = &row->terms[i];
        Four speed[ROW_FOURS], way[ROW_FOURS], area[ROW_FOURS];
        for (int j = 0; j < ROW_FOURS; j++) {
            way[j] = four_load(&term[4 * j]);
            speed[j] = four_zero();
            area[j] = four_scale(way[j], power[1]);
        }
        for (int g = top; g > 0; g--) {
            double low = power[g - 1], middle = power[g], high = power[g + 1];
            for (int j = 0; j < ROW_FOURS; j++) {
                Four part = four_load(&term[g * row->stride + 4 * j]);
                speed[j] = four_plus(speed[j], four_scale(part, low));
                way[j] = four_plus(way[j], four_scale(part, middle));
                area[j] = four_plus(area[j], four_scale(part, high));
            }
        }
        for (int j = 0; j < ROW_BLOCK; j++) {
            int place = i + j;
            double x = FOUR_LANE(way[j / 4], j % 4);
            v[place] = FOUR_LANE(speed[j / 4], j % 4);
            y[place] = row->k[place] > 0 && x < 0 ? x * row->unit : 0;
            I[place] = row->I[place] + row->rate[place] * FOUR_LANE(area[j / 4], j % 4);
        }
    }
}

WIDE void row_sum_wide(const Row *row, double t, double *v, double *y, double *I) {
    row_sum(row, t, v, y, I);
}

static void row_evaluate(const Row *row, double t, double *v, double *y, double *I) {
    if (has_wide()) {
        row_sum_wide(row, t, v, y, I);
    } else {
        row_sum(row, t, v, y, I);
    }
}

/* An elastic link turns back at x: report it, and go on. */
static void row_turn_back(Network *network, int place, double x) {
    Row *row = network->row;
    Link *link = &network->state.links[row->link[place]];
    if (network->result->event_count < network->result->event_capacity) {
        row_evaluate(row, x * row->reach, row->v_then, row->y_then, row->I_then);
        crm_row_store(network, row->v_then, row->y_then, row->I_then);
    } else {
        double series[TERMS];
        row_gather(row, -1, place, row->rate[place] / row->unit, series);
        link->N = crm_series_at(series, x);
    }
    crm_events_turn(network, row->link[place]);
    row_set_phase(row, place, link->phase);
    const MultipleVisitor *follower = network_follower(network);
    if (follower) {
        follower->turned(follower->context, network, row->link[place], x * row->reach * row->unit);
    }
}

/* All turns of these links up to the moment, in their order. */
static void row_report_turns(Network *network, const int *turning, int count) {
    Row *row = network->row;
    double *wait = row->turn_wait;
    for (int i = 0; i < count; i++) {
        wait[i] = row_next_turn(row, turning[i], -1);
    }
    /* a series has no more zeros than terms */
    for (int left = count * ORDER; left > 0; left--) {
        int first = 0;
        for (int i = 1; i < count; i++) {
            first = wait[i] < wait[first] ? i : first;
        }
        if (!(wait[first] < row->moment)) {
            return;
        }
        row_turn_back(network, turning[first], wait[first]);
        wait[first] = row_next_turn(row, turning[first], wait[first]);
    }
}

/* Speeds near 0 (graze.h). */
static void row_graze(Network *network) {
    const Row *row = network->row;
    for (int i = 0; i < row->grazing_count; i++) {
        int place = row->grazing[i];
        double speed[TERMS], force[TERMS];
        row_gather(row, 0, place, 1, speed);
        if (crm_graze_may(network, row->link[place], speed, row->moment)) {
            row_gather(row, -1, place, row->rate[place] / row->unit, force);
            crm_graze_at(network, row->link[place], speed, force, row->moment);
        }
    }
}

void crm_row_watch(Network *network) {
    Row *row = network->row;
    int turns = 0, left = 0;
    row->moment = 1;
    row->event_count = row->grazing_count = 0;
    for (int b = 0; b < row->blocks; b++) {
        turns += row_watch_block(network, b, &row->turning[turns]);
    }
    for (int i = 0; i < row->event_count; i++) {
        if (row->events[i].wait <= row->moment * (1 + AT_ONCE)) {
            row->events[left++] = row->events[i];
        }
    }
    row->event_count = left;
    row_graze(network);
    row_report_turns(network, row->turning, turns);
}

void crm_row_advance(Network *network) {
    Row *row = network->row;
    if (row->moment > 0) {
        /* vibrations do not last: measured, it adds up like a random walk */
        double so_far = network->state.omitted;
        double more =
            terms_plain_omitted(ROW_CUT, row->common, row->moment * row->reach / row->common);
        network->state.omitted = sqrt(so_far * so_far + more * more);
        row_evaluate(row, row->moment * row->reach, row->v, row->y, row->I);
    }
}
