/* Order by order; vectors of links, because most W' have few diagonals. */
#include "derivative/plain_series.h"

#include <string.h>

#include "compliant/radau.h"
#include "math/functions.h"
#include "math/reciprocal.h"
#include "math/wide.h"

/* Terms are left out from this phase on, and those that are less than this of a or b of their link;
 * or, where these are nearly 0, of the largest ones. */
static const double PLAIN_NEGLIGIBLE = 1e-17, PLAIN_TINY = 1e-18, PLAIN_NOTHING = 1e-30;

/* Parts of less than this of their link are left out of products with parts like them. */
static const double HALF_TINY = 1e-9;

void crm_plain_modes(PlainBack *back) {
    double part[PLAIN_ORDER + 1]; /* (g!)^2/((g - m)! (g + m + 1)!) */
    for (int g = 0; g <= PLAIN_ORDER; g++) {
        part[g] = RECIPROCAL[g + 1];
    }
    for (int m = 0; m < MODES; m++) {
        double unit = sqrt(2 * m + 1);
        for (int g = 0; g <= PLAIN_ORDER; g++) {
            back->legendre[m][g] = unit * part[g];
            part[g] *= (g - m) * RECIPROCAL[g + m + 2];
        }
    }
}

void crm_plain_series_begin(PlainBack *back) {
    int frees = back->free_count, band = 0;
    size_t padded = plain_padded(back);
    for (int i = 0; i < frees; i++) {
        int below = i - back->first[i], above = back->end[i] - 1 - i;
        band = below > band ? below : band;
        band = above > band ? above : band;
    }
    back->band = band;
    memset(back->diagonals, 0, (size_t)(2 * band + 1) * padded * sizeof(double));
    for (int i = 0; i < frees; i++) {
        for (int j = back->first[i]; j < back->end[i]; j++) {
            back->diagonals[(size_t)(band + j - i) * padded + (size_t)i] = back->W[i * frees + j];
        }
    }
    for (int row = 0; row < (PLAIN_ORDER + 1) * back->width; row++) {
        double *a = &back->terms_a[plain_term(back, 0, row, 0)], *end = a + padded;
        for (int d = 1; d <= band; d++) {
            a[-d] = end[d - 1] = 0;
        }
    }
    for (int row = 0; row < MODES * back->width; row++) {
        double *a = &back->modes[plain_mode(back, 0, row, 0)], *end = a + padded;
        for (int d = 1; d <= band; d++) {
            a[-d] = end[d - 1] = 0;
        }
    }
}

void crm_plain_step_begin(PlainBack *back, const PlainLink *links) {
    int blocks = (int)plain_padded(back) / 4, around = (back->band + 3) / 4;
    back->acting = (BlockRange){blocks, 0};
    memset(back->block_acts, 0, (size_t)blocks * sizeof *back->block_acts);
    for (int i = 0; i < 4 * blocks; i++) {
        int acts = i < back->free_count && is_sprung(links[back->free[i]].phase);
        back->stiffness[i] = acts ? links[back->free[i]].k : 0;
        back->acts[i] = acts;
        if (acts) {
            back->block_acts[i / 4] = 1;
            back->acting.first = i / 4 < back->acting.first ? i / 4 : back->acting.first;
            back->acting.end = i / 4 + 1;
        }
    }
    int first = back->acting.first - around, end = back->acting.end + around;
    back->near = (BlockRange){first > 0 ? first : 0, end < blocks ? end : blocks};
}

/* The arrays of one lane. */
typedef struct Lane {
    double *a, *b;       /* terms of order 0 */
    size_t next, padded; /* from one order to the next one, from one diagonal to the next one */
    int band, around, *order, *written;
    double *limit_a, *limit_b, *P, *last_a, *last_b;
    BlockRange near, live; /* live: where terms of the order in hand count */
} Lane;

static Lane lane_of(const PlainBack *back, int r) {
    size_t padded = plain_padded(back), at = (size_t)r * padded;
    return (Lane){.a = &back->terms_a[plain_term(back, 0, r, 0)],
                  .b = &back->terms_b[plain_term(back, 0, r, 0)],
                  .next = (size_t)back->width * plain_stride(back),
                  .padded = padded,
                  .band = back->band,
                  .around = (back->band + 3) / 4,
                  .order = &back->order[plain_degree(back, r, 0)],
                  .written = &back->written[plain_degree(back, r, 0)],
                  .limit_a = &back->limit_a[at],
                  .limit_b = &back->limit_b[at],
                  .P = &back->term_P[at],
                  .last_a = &back->last_a[at],
                  .last_b = &back->last_b[at],
                  .near = back->near,
                  .live = back->acting};
}

/* What a step begins with, from a and b of all links. */
static void begin_lane(PlainBack *back, int r, const Lane *lane) {
    int width = back->width, first = 4 * back->near.first, end = 4 * back->near.end;
    double most_a = 0, most_b = 0, *a = lane->a, *b = lane->b;
    for (int i = first; i < end; i++) {
        int link = i < back->free_count ? back->free[i] : -1;
        a[i] = link < 0 ? 0 : back->a[link * width + r];
        b[i] = link < 0 ? 0 : back->b[link * width + r];
        lane->P[i] = link < 0 ? 0 : back->push[i * width + r];
        most_a = fabs(a[i]) > most_a ? fabs(a[i]) : most_a;
        most_b = fabs(b[i]) > most_b ? fabs(b[i]) : most_b;
    }
    for (int i = first; i < end; i++) {
        lane->limit_a[i] = PLAIN_TINY * fabs(a[i]) + PLAIN_NOTHING * most_a;
        lane->limit_b[i] = PLAIN_TINY * fabs(b[i]) + PLAIN_NOTHING * most_b;
    }
    for (int block = back->near.first; block < back->near.end; block++) {
        lane->order[block] = lane->written[block] = 0;
    }
}

/* Blocks that this one reaches. */
INLINE BlockRange blocks_around(const Lane *lane, BlockRange of) {
    int first = of.first - lane->around, end = of.end + lane->around;
    return (BlockRange){first > lane->near.first ? first : lane->near.first,
                        end < lane->near.end ? end : lane->near.end};
}

/* Terms that have been left out are 0, up to order g. */
INLINE void write_zeros(const Lane *lane, int block, int g) {
    while (lane->written[block] < g) {
        size_t at = (size_t)++lane->written[block] * lane->next + 4 * (size_t)block;
        four_store(lane->a + at, four_zero());
        four_store(lane->b + at, four_zero());
    }
}

/* The terms of order g + 1 of a block. Do they count? */
INLINE int next_terms(const PlainBack *back, const Lane *lane, int g, int block, double part) {
    size_t i = 4 * (size_t)block, at = (size_t)g * lane->next + i, to = at + lane->next;
    const double *W = &back->diagonals[i], *from = lane->a + at - lane->band;
    FourMask counts = {0};
    Four press = four_zero();
    if (g == 0) {
        press = four_load(&lane->P[i]);
    }
    for (int d = 0; d <= 2 * lane->band; d++) {
        press = four_plus(press, four_times(four_load(W), four_load(from + d)));
        W += lane->padded;
    }
    Four gain = four_scale(four_times(press, four_load(&back->acts[i])), part);
    Four fall =
        four_scale(four_times(four_load(&back->stiffness[i]), four_load(lane->b + at)), -part);
    four_store(lane->b + to, gain);
    four_store(lane->a + to, fall);
    counts = four_above(counts, four_magnitude(gain), four_load(&lane->limit_b[i]));
    counts = four_above(counts, four_magnitude(fall), four_load(&lane->limit_a[i]));
    return four_any(counts);
}

/* The terms of order g + 1 from the first block where terms of order g count, or next to it, to the
 * last one. Returns where those of order g + 1 do. */
INLINE BlockRange next_order(const PlainBack *back, const Lane *lane, int g, double part) {
    BlockRange range = blocks_around(lane, lane->live), reached = blocks_around(lane, range);
    BlockRange next = {lane->near.end, lane->near.first};
    for (int block = reached.first; block < reached.end; block++) {
        if (lane->written[block] < g) {
            write_zeros(lane, block, g);
        }
    }
    for (int block = range.first; block < range.end; block++) {
        lane->written[block] = g + 1;
        if (next_terms(back, lane, g, block, part)) {
            lane->order[block] = g + 1;
            next.first = block < next.first ? block : next.first;
            next.end = block + 1;
        }
    }
    return next;
}

/* The degree up to which one of four parts counts, by this limit. */
INLINE int degree_of(const double *modes, size_t stride, int most, const double limit[4]) {
    for (; most > 0; most--) {
        FourMask any = {0};
        Four part = four_magnitude(four_load(modes + (size_t)most * stride));
        any = four_above(any, part, four_load(limit));
        if (four_any(any)) {
            break;
        }
    }
    return most;
}

/* a of a block by Legendre's polynomials, and the degrees that count. */
INLINE void find_degrees(const PlainBack *back, const Lane *lane, int r, int block) {
    size_t i = 4 * (size_t)block, stride = plain_stride(back), next = lane->next;
    int order = lane->order[block], most = order < MODES ? order : MODES - 1;
    const double *term = lane->a + i;
    double *modes = &back->modes[plain_mode(back, r, 0, 0)] + i, limit[4];
    Four size = four_zero();
    for (int m = 0; m <= most; m++) {
        const double *part = back->legendre[m];
        Four sum = four_zero();
        for (int g = order; g >= m; g--) {
            sum = four_plus(sum, four_scale(four_load(term + (size_t)g * next), part[g]));
        }
        four_store(modes + (size_t)m * stride, sum);
        size = four_plus(size, four_magnitude(sum));
    }
    for (int m = most + 1; m < MODES; m++) {
        four_store(modes + (size_t)m * stride, four_zero());
    }
    four_store(limit, four_scale(size, PLAIN_TINY));
    most = degree_of(modes, stride, most, limit);
    four_store(limit, four_scale(size, HALF_TINY));
    back->degree[plain_degree(back, r, block)] = most;
    back->half_degree[plain_degree(back, r, block)] = degree_of(modes, stride, most, limit);
}

/* a and b of a block at the end of the step. */
INLINE void find_last(const Lane *lane, int block) {
    size_t i = 4 * (size_t)block;
    Four sum_a = four_zero(), sum_b = four_zero();
    for (size_t g = (size_t)lane->order[block] + 1; g-- > 0;) {
        sum_a = four_plus(sum_a, four_load(lane->a + g * lane->next + i));
        sum_b = four_plus(sum_b, four_load(lane->b + g * lane->next + i));
    }
    four_store(&lane->last_a[i], sum_a);
    four_store(&lane->last_b[i], sum_b);
}

/* Order by order, so that lanes do not wait for their own last order. */
INLINE void expand_lanes(const PlainBack *back, Lane *lanes, double h, double phase) {
    double size = 1;
    int any = 1, count = back->lanes, last = back->width - 1;
    for (int g = 0; g < PLAIN_ORDER && size > PLAIN_NEGLIGIBLE && any; g++) {
        any = 0;
        for (int k = 0; k <= count; k++) {
            Lane *lane = &lanes[k];
            if (lane->live.first < lane->live.end) {
                lane->live = next_order(back, lane, g, h / (g + 1));
                any = 1;
            }
        }
        size *= phase / (g + 1);
    }
    for (int k = 0; k <= count; k++) {
        for (int block = back->near.first; block < back->near.end; block++) {
            find_degrees(back, &lanes[k], k < count ? k : last, block);
            find_last(&lanes[k], block);
        }
    }
}

WIDE void lanes_wide(const PlainBack *back, Lane *lanes, double h, double phase) {
    expand_lanes(back, lanes, h, phase);
}

NARROW void lanes_narrow(const PlainBack *back, Lane *lanes, double h, double phase) {
    expand_lanes(back, lanes, h, phase);
}

void crm_plain_step_series(PlainBack *back, double h, double phase) {
    int width = back->width, count = back->lanes;
    Lane lanes[WIDTH_MOST];
    for (int k = 0; k <= count; k++) {
        int r = k < count ? k : width - 1; /* the process; lanes between fill up the width */
        lanes[k] = lane_of(back, r);
        begin_lane(back, r, &lanes[k]);
    }
    (has_wide() ? lanes_wide : lanes_narrow)(back, lanes, h, phase);
    for (int k = 0; k <= count; k++) {
        int r = k < count ? k : width - 1;
        for (int i = 4 * back->acting.first; i < 4 * back->acting.end; i++) {
            if (back->acts[i] != 0) {
                back->a[back->free[i] * width + r] = lanes[k].last_a[i];
                back->b[back->free[i] * width + r] = lanes[k].last_b[i];
            }
        }
    }
}

/* a of a link at the nodes. */
static void find_nodes(const PlainBack *back, int r, int i, double sum[STAGES]) {
    const double *term = &back->terms_a[plain_term(back, 0, r, i)];
    size_t next = (size_t)back->width * plain_stride(back);
    int near = i >= 4 * back->near.first && i < 4 * back->near.end;
    for (int q = 0; q < STAGES; q++) {
        sum[q] = near ? 0 : back->a[back->free[i] * back->width + r];
    }
    for (int g = near ? plain_order(back, r, i) : -1; g >= 0; g--) {
        double one = term[(size_t)g * next];
        for (int q = 0; q < STAGES; q++) {
            sum[q] = sum[q] * NODE[q] + one;
        }
    }
}

void crm_plain_nodes(PlainBack *back) {
    for (int k = 0; k <= back->lanes; k++) {
        int r = k < back->lanes ? k : back->width - 1;
        for (int i = 0; i < back->free_count; i++) {
            double sum[STAGES];
            find_nodes(back, r, i, sum);
            for (int q = 0; q < STAGES; q++) {
                back->nodes[plain_node(back, q, r, i)] = sum[q];
            }
        }
    }
}
