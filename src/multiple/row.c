/* Held links of a row as rigid bodies, and its events. */
#include "multiple/row.h"

#include <string.h>

#include "contact/block.h"
#include "multiple/bounces.h"
#include "multiple/events.h"
#include "multiple/graze.h"
#include "multiple/multiple_visit.h"
#include "multiple/row_piece.h"

/* A pivot this small, relative to its diagonal, is rounding. */
static const double ROW_SINGULAR = 1e-9;

/* Hand out the block; returns its size. */
static size_t row_lay_out(Row *row, char *start, int count) {
    Block block = {start, 0};
    size_t n = (size_t)count, blocks = (n + ROW_BLOCK - 1) / ROW_BLOCK + 2;
    double **places[] = {&row->below,      &row->at,         &row->above, &row->v,
                         &row->y,          &row->k,          &row->I,     &row->v_then,
                         &row->y_then,     &row->I_then,     &row->sign,  &row->omega,
                         &row->least,      &row->w,          &row->rate,  &row->pull_at,
                         &row->pull_below, &row->pull_above, &row->terms};
    size_t arrays = sizeof places / sizeof *places;
    block_take(&block, 1, sizeof *row);
    row->stride = (int)blocks * ROW_BLOCK;
    row->numbers = block_take(&block, (arrays + TERMS) * blocks * ROW_BLOCK, sizeof(double));
    unsigned *orders = block_take(&block, 2 * blocks, sizeof *orders);
    double **numbers[] = {&row->from_before, &row->from_after, &row->offset, &row->turn_wait,
                          &row->grazes};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        *numbers[i] = block_take(&block, n, sizeof(double));
    }
    int **integers[] = {&row->order, &row->link,     &row->held,    &row->before,
                        &row->after, &row->touching, &row->turning, &row->grazing};
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        *integers[i] = block_take(&block, n, sizeof(int));
    }
    row->events = block_take(&block, 3 * n, sizeof *row->events);
    row->phase = block_take(&block, n, sizeof *row->phase);
    row->elastic = block_take(&block, n, sizeof *row->elastic);
    if (start) {
        memset(row->numbers, 0, (arrays + TERMS) * blocks * ROW_BLOCK * sizeof(double));
        memset(orders, 0, 2 * blocks * sizeof *orders);
        for (size_t i = 0; i < arrays; i++) {
            *places[i] = row->numbers + (i * blocks + 1) * ROW_BLOCK;
        }
        row->orders = orders + 1;
        row->filled = orders + blocks;
    }
    return block.used;
}

size_t crm_row_bytes(int count) {
    Row none;
    return row_lay_out(&none, NULL, count);
}

/* The neighbours of link i; how many, or 3 if this is no row. */
static int row_neighbours(const Given *given, int i, int beside[2]) {
    const double *W = row_of_W(given, i);
    int found = 0;
    for (int j = 0; j < given->count && found < 3; j++) {
        if (j != i && W[j] != 0) {
            if (found == 2 || W[j] > 0) {
                return 3;
            }
            beside[found++] = j;
        }
    }
    return found;
}

int crm_row_find(const Given *given, Row *row) {
    int n = given->count, found = 0, beside[2];
    row_lay_out(row, (char *)row, n);
    for (int i = 0; i < n; i++) {
        row->before[i] = -1; /* not in the row yet */
    }
    /* from each end to the other */
    for (int i = 0; i < n; i++) {
        if (row_neighbours(given, i, beside) == 3) {
            return 0;
        }
    }
    for (int i = 0; i < n; i++) {
        int ends = row_neighbours(given, i, beside), at = i;
        while (ends < 2 && at >= 0 && row->before[at] < 0) {
            row->before[at] = found;
            row->order[found++] = at;
            int next = -1;
            for (int j = row_neighbours(given, at, beside) - 1; j >= 0; j--) {
                next = row->before[beside[j]] < 0 ? beside[j] : next;
            }
            at = next;
        }
    }
    return found == n; /* else there is a ring */
}

/* W of two links by their positions in the row. */
static double row_W(const Given *given, const Row *row, int i, int j) {
    return row_of_W(given, row->order[i])[row->order[j]];
}

/* The reactions of the held links first to last from the forces beside them: W_HH y = -W_HA N_A for
 * one force at a time, by elimination. 0: W_HH is singular. */
static int row_share(const Given *given, Row *row, int first, int last) {
    double *left = row->from_before, *right = row->from_after, *pivot = row->turn_wait;
    for (int i = first; i <= last; i++) {
        double beside = i > first ? row_W(given, row, i, i - 1) : 0;
        double factor = i > first ? beside / pivot[i - 1] : 0;
        pivot[i] = row_W(given, row, i, i) - factor * beside;
        if (pivot[i] <= ROW_SINGULAR * row_W(given, row, i, i)) {
            return 0;
        }
        left[i] = i > first ? -factor * left[i - 1] : first > 0 ? -row_W(given, row, i, i - 1) : 0;
        right[i] = i == last && last < given->count - 1 ? -row_W(given, row, i, i + 1) : 0;
    }
    for (int i = last; i >= first; i--) {
        double beside = i < last ? row_W(given, row, i, i + 1) : 0;
        left[i] = (left[i] - (i < last ? beside * left[i + 1] : 0)) / pivot[i];
        right[i] = (right[i] - (i < last ? beside * right[i + 1] : 0)) / pivot[i];
    }
    return 1;
}

/* Take the held links first to last, between the places before and before + 1, out of the row. 0:
 * it cannot be done. */
static int row_take_out(const Given *given, Row *row, int first, int last) {
    int before = first > 0 ? row->count - 1 : -1, after = last < given->count - 1 ? row->count : -1;
    for (int i = first; i <= last; i++) {
        row->held[row->held_count++] = i;
        row->before[i] = before;
        row->after[i] = after;
    }
    if (before < 0 && after < 0) {
        return 1; /* all are held */
    }
    if (!row_share(given, row, first, last)) {
        return 0;
    }
    if (before >= 0) {
        double W = row_W(given, row, first - 1, first);
        row->at[before] += W * row->from_before[first];
        row->above[before] = after < 0 ? 0 : W * row->from_after[first];
    }
    if (after >= 0) {
        double W = row_W(given, row, last + 1, last);
        row->at[after] += W * row->from_after[last];
        row->below[after] = before < 0 ? 0 : W * row->from_before[last];
    }
    return 1;
}

/* The row of the links that are not held. 0: one of them depends on those that are. */
static int row_reduce(Network *network) {
    const Given *given = &network->given;
    const Link *links = network->state.links;
    Row *row = network->row;
    int n = given->count;
    size_t bytes = (size_t)(row->stride - 2 * ROW_BLOCK) * sizeof(double);
    row->count = row->held_count = 0;
    memset(row->below, 0, bytes);
    memset(row->at, 0, bytes);
    memset(row->above, 0, bytes);
    for (int i = 0; i < n; i++) {
        if (links[row->order[i]].phase != HELD) {
            int place = row->count++;
            row->link[place] = row->order[i];
            row->w[place] = given->materials[row->order[i]].w;
            row->at[place] += row->w[place];
            if (i > 0 && links[row->order[i - 1]].phase != HELD) {
                row->below[place] = row->above[place - 1] = row_W(given, row, i, i - 1);
            }
            continue;
        }
        int first = i;
        while (i + 1 < n && links[row->order[i + 1]].phase == HELD) {
            i++;
        }
        if (!row_take_out(given, row, first, i)) {
            return 0;
        }
    }
    for (int i = 0; i < row->count; i++) {
        if (row->at[i] <= ROW_SINGULAR * row->w[i]) {
            return 0;
        }
    }
    row->blocks = (row->count + ROW_BLOCK - 1) / ROW_BLOCK;
    return 1;
}

/* The state of one link. */
static void row_read(Network *network, int place) {
    Row *row = network->row;
    int i = row->link[place];
    const Link *link = &network->state.links[i];
    int acts = is_sprung(link->phase);
    row_set_phase(row, place, link->phase);
    row->v[place] = network->state.v[i];
    row->k[place] = acts ? link->k : 0;
    row->y[place] = acts ? -link->N / link->k : 0;
    row->omega[place] = sqrt(link->k * row->w[place]);
    if (link->phase == TOUCHING) {
        row->touching[row->touching_count++] = place;
    }
}

/* The state of all links, whose held ones may have changed. 0: this cannot be solved as a row. */
static int row_enter(Network *network) {
    Row *row = network->row;
    if (!row_reduce(network)) {
        return 0;
    }
    row->touching_count = 0;
    for (int i = row->count; i < ROW_BLOCK * row->blocks; i++) {
        row->v[i] = row->y[i] = row->k[i] = row->I[i] = row->w[i] = 0;
    }
    for (int place = 0; place < row->count; place++) {
        int i = row->link[place];
        row->elastic[place] = network->given.materials[i].e == 1 && !network->given.mono;
        row->grazes[place] =
            network->given.mono ? INFINITY : graze_least(&network->given.materials[i]);
        row->I[place] = network->state.I[i];
        row_read(network, place);
    }
    for (int h = 0; h < row->held_count; h++) {
        int i = row->held[h];
        row->offset[i] = network->state.I[row->order[i]] - row_reaction(row, i, row->I);
    }
    return 1;
}

/* Does a link act at this place? */
static int row_acts(const Row *row, int place) {
    return place >= 0 && row->k[place] > 0;
}

/* Held links that push from here on are reported as latched. */
static void row_latch(Network *network) {
    Row *row = network->row;
    row->unlatched = 0;
    for (int h = 0; h < row->held_count; h++) {
        int i = row->held[h], link = row->order[i];
        if (row_acts(row, row->before[i]) || row_acts(row, row->after[i])) {
            row_show(network);
            crm_events_latch(network, link);
        }
        row->unlatched |= network->state.links[link].shown != SHOWN_LATCHED;
    }
}

/* v_n' at a place. */
static double row_rate(const Row *row, int place) {
    const double *k = &row->k[place], *y = &row->y[place];
    return -row->below[place] * k[-1] * y[-1] - row->at[place] * *k * *y -
           row->above[place] * k[1] * y[1];
}

/* Apply the events of this moment. 0: this is not a row any more. */
static int row_happen(Network *network) {
    Row *row = network->row;
    int jumps = 0;
    for (int place = 0; place < row->count; place++) {
        if (row->phase[place] == OPEN && row->v[place] < 0) {
            row->events[row->event_count++] = (RowEvent){place, WATCH_SPEED, row->moment};
        }
    }
    for (int i = 0; i < row->event_count; i++) {
        const RowEvent *event = &row->events[i];
        int same = i + 1 < row->event_count && event[1].place == event->place;
        int place = event->place, force = event->what == WATCH_FORCE, link = row->link[place];
        i += same;
        network->state.v[link] = row->v[place];
        network->state.links[link].N = row->k[place] > 0 ? -row->k[place] * row->y[place] : 0;
        network->state.links[link].rate = row_rate(row, place);
        if (crm_bounces_stiff(network, link)) {
            crm_row_store(network, row->v, row->y, row->I);
        } else {
            row_show(network);
        }
        crm_bounces_foresee(network, link);
        crm_events_at(network, link, !force || same, force || same, &jumps);
        row_read(network, place);
    }
    if (jumps) {
        crm_row_store(network, row->v, row->y, row->I);
        if (!row_enter(network)) {
            crm_events_settle(network, jumps, 0, 1);
            return 0;
        }
        row->unlatched = 1;
    }
    return 1;
}

/* How many links act? 2: more than one. */
static int row_acting(const Row *row) {
    int acting = 0;
    for (int i = 0; i < row->count && acting < 2; i++) {
        acting += row->k[i] > 0;
    }
    return acting;
}

static int row_is_over(const Row *row) {
    for (int i = 0; i < row->count; i++) {
        if (row->k[i] > 0 &&
            (-row->k[i] * row->y[i] > NEGLIGIBLE || fabs(row->v[i]) > NEGLIGIBLE)) {
            return 0;
        }
    }
    return 1;
}

/* The piece in hand is over. All held links share what reaches them. */
static void row_tell_passed(Network *network) {
    const MultipleVisitor *follower = network_follower(network);
    Row *row = network->row;
    if (!follower) {
        return;
    }
    crm_row_store(network, row->v, row->y, row->I);
    network->piece.kind = PLAIN;
    for (int h = 0; h < row->held_count; h++) {
        network->piece.links[row->order[row->held[h]]].role = HOLD_PUSHES;
    }
    follower->passed(follower->context, network, row->moment * row->reach * row->unit);
}

int crm_row_run(Network *network) {
    Row *row = network->row;
    int over = 0, goes_on = 1;
    if (!network->given.is_row || network_needs_series(network) || !row_enter(network)) {
        return 0;
    }
    row->unlatched = row->held_count > 0;
    row->longest = 1;
    while (goes_on && !network->message) {
        /* a single link has a closed form (single.h) */
        if (row->held_count == 0 && row->touching_count == 0 && row_acting(row) < 2) {
            break;
        }
        network_work(network);
        crm_row_expand(network);
        if (row->unlatched) {
            row_latch(network);
        }
        over = row_is_over(row);
        if (over) {
            break;
        }
        crm_row_watch(network);
        crm_row_advance(network);
        row_tell_passed(network);
        goes_on = row_happen(network);
    }
    if (goes_on) {
        crm_row_store(network, row->v, row->y, row->I);
    }
    return over;
}
