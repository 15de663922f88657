/* Piece by piece: what happens at its end, then the piece itself. */
#include "derivative/plain_back.h"

#include <string.h>

#include "compliant/radau.h"
#include "derivative/plain_integrals.h"
#include "derivative/plain_links.h"
#include "derivative/plain_piece.h"
#include "derivative/plain_series.h"
#include "derivative/plain_slide.h"
#include "derivative/plain_state.h"
#include "math/functions.h"

/* A force, in the network's units, that moves nothing. */
static const double PLAIN_NO_FORCE = 1e-13;

/* Jumps that differ by less, relative to their parts, are the same. */
static const double PLAIN_SAME = 1e-9;

/* Contacts up to which several gradients are found at once: memory goes with the square. */
enum { WIDE_CONTACTS = 40 };

int crm_plain_lanes(int contact_count) {
    return contact_count > 1 && contact_count <= WIDE_CONTACTS ? LANES_MOST : 1;
}

PlainBack *crm_plain_back_lay_out(Block *block, int contact_count) {
    size_t n = (size_t)contact_count, m = crm_plain_lanes(contact_count) > 1 ? WIDTH_MOST : 2;
    size_t padded = (n + 3) / 4 * 4, terms = padded + 2 * (n - 1); /* with a band */
    PlainBack *back = block_take(block, 1, sizeof *back), none;
    PlainBack *to = back ? back : &none;
    double **by_link[] = {&to->weight, &to->a,    &to->b,    &to->peak,  &to->by_k,
                          &to->by_e,   &to->push, &to->held, &to->before};
    double **square[] = {&to->W, &to->C, &to->factor};
    double **single[] = {&to->stiffness, &to->acts, &to->impulse};
    double **by_lane[] = {&to->limit_a, &to->limit_b, &to->term_P,
                          &to->last_a,  &to->last_b,  &to->bend};
    int **of_blocks[] = {&to->order, &to->written, &to->degree, &to->half_degree};
    int **integers[] = {&to->free, &to->holds,  &to->first,      &to->end,        &to->begins,
                        &to->list, &to->slides, &to->turns_fast, &to->block_acts, &to->gathers};
    for (size_t i = 0; i < sizeof by_link / sizeof *by_link; i++) {
        *by_link[i] = block_take(block, n * m, sizeof(double));
    }
    for (size_t i = 0; i < sizeof square / sizeof *square; i++) {
        *square[i] = block_take(block, n * n, sizeof(double));
    }
    for (size_t i = 0; i < sizeof single / sizeof *single; i++) {
        *single[i] = block_take(block, padded, sizeof(double));
    }
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        *integers[i] = block_take(block, n, sizeof(int));
    }
    for (size_t i = 0; i < sizeof by_lane / sizeof *by_lane; i++) {
        *by_lane[i] = block_take(block, padded * m, sizeof(double));
    }
    for (size_t i = 0; i < sizeof of_blocks / sizeof *of_blocks; i++) {
        *of_blocks[i] = block_take(block, padded / 4 * m, sizeof(int));
    }
    to->column = block_take(block, n, sizeof(double));
    to->tangent = block_take(block, 2 * n * n, sizeof(double));
    to->V = block_take(block, 2 * n, sizeof(double));
    to->S = block_take(block, 2 * n, sizeof(double));
    to->M = block_take(block, n * m, sizeof(double));
    to->later = block_take(block, STAGES * n, sizeof(double));
    to->terms_a = block_take(block, (PLAIN_ORDER + 1) * terms * m, sizeof(double));
    to->terms_b = block_take(block, (PLAIN_ORDER + 1) * terms * m, sizeof(double));
    to->modes = block_take(block, MODES * terms * m, sizeof(double));
    to->nodes = block_take(block, STAGES * padded * m, sizeof(double));
    to->diagonals = block_take(block, 2 * n * padded, sizeof(double));
    to->gathered = block_take(block, n * padded * m, sizeof(double));
    to->by_W = block_take(block, n * padded * m, sizeof(double));
    to->reach = block_take(block, 2 * n, sizeof(int));
    to->phase = block_take(block, n, sizeof *to->phase);
    to->nothing = block_take(block, n, sizeof *to->nothing);
    return back;
}

/* k becomes k/e^2 where compression ends. */
static inline void stiffen(int width, PlainBack *back, int i, double k) {
    double e = back->given->materials[i].e;
    for (int r = 0; r < width; r++) {
        double *by_k = &back->by_k[i * width + r];
        back->by_e[i * width + r] -= 2 * k / (e * e * e) * *by_k;
        *by_k /= e * e;
    }
}

/* v_n' of link i by these forces. */
static double plain_rise(const PlainBack *back, int i, const PlainLink *links) {
    const double *W = row_of_W(back->given, i);
    double sum = 0;
    for (int j = 0; j < back->given->count; j++) {
        sum += W[j] * links[j].N;
    }
    return sum;
}

/* The force of a link that is not held. */
static double plain_force(const PlainLink *link) {
    return is_sprung(link->phase) ? link->N : 0;
}

/* What link i returns after its spring is lost, per e a little above 0: its impulse in a time that
 * goes like e, over which v_n' = w N + c. With one stiffness N is there for the time
 * e sqrt(N/(k v_n')). Links that are held stay so meanwhile; NaN: they do not. */
static double returned_impulse(const PlainBack *back, const PlainLink *links, int place) {
    const Given *given = back->given;
    int frees = back->free_count, i = back->free[place];
    double N = links[i].N, k = links[i].k, w = back->W[place * frees + place], c = 0;
    for (int j = 0; j < given->count; j++) {
        if (j != i && back->after[j].pushes && !links[j].pushes) {
            return NAN;
        }
    }
    for (int j = 0; j < frees; j++) {
        c += j == place ? 0 : back->W[place * frees + j] * plain_force(&links[back->free[j]]);
    }
    for (int h = 0; h < back->hold_count; h++) {
        double rest = 0, size = 0;
        for (int j = 0; j < frees; j++) {
            double part = back->C[h * frees + j] * plain_force(&links[back->free[j]]);
            rest -= j == place ? 0 : part;
            size += fabs(part);
        }
        if (back->C[h * frees + place] != 0 && rest < -PLAIN_SAME * size) {
            return NAN;
        }
    }
    if (given->mono) {
        return N * sqrt(N / (k * (w * N + c)));
    }
    double rest = -c / w, part = rest / (rest - N);
    return (rest * acos(part) + (N - rest) * sqrt((1 - part) * (1 + part))) / sqrt(k * w);
}

/* Does the spring of link i go on beyond the event? With one stiffness and e = 0 it may open under
 * load and act anew at once. */
static int spring_stays(const PlainBack *back, const PlainLink *now, int i) {
    int reopened = back->given->mono && back->given->materials[i].e == 0 &&
                   back->a[(i + 1) * back->width - 1] < now->N / 2;
    return is_sprung(now->phase) && is_sprung(back->phase[i]) && !reopened;
}

/* Does link i lose its spring where v_n = 0? */
static int loses_spring(const PlainBack *back, const PlainLink *now, int i) {
    int at_rest =
        now->phase == LINK_COMPRESSION || (back->given->mono && back->given->materials[i].e == 0);
    return is_sprung(now->phase) && !spring_stays(back, now, i) && at_rest;
}

/* Does link i, where v_n = 0, change the forces at once? It loses its spring, or begins to be held.
 */
static int triggers(const PlainBack *back, const PlainLink *links, int i) {
    return loses_spring(back, &links[i], i)
               ? links[i].N > PLAIN_NO_FORCE
               : back->phase[i] == HELD && links[i].phase != HELD && !is_sprung(links[i].phase);
}

/* Forces of links that lose their springs or are held jump at the event: v_n of the trigger has
 * (F+ - F-).P/v_n'. P = 0 where a link is held from there on. */
static inline void meet_jump(int width, PlainBack *back, const PlainLink *links) {
    const Given *given = back->given;
    int count = 0, trigger = -1, coupled = 0, last = width - 1;
    double jump[WIDTH_MOST] = {0}, size = 0, P[WIDTH_MOST];
    for (int i = 0; i < given->count; i++) {
        for (int j = 0; j < i && triggers(back, links, i); j++) {
            coupled |= triggers(back, links, j) && row_of_W(given, i)[j] != 0;
        }
        if (triggers(back, links, i)) {
            trigger = i;
            count++;
        }
    }
    for (int j = 0; j < given->count && count > 0; j++) {
        double change = back->a[j * width + last] - links[j].N;
        if (spring_stays(back, &links[j], j) || fabs(change) <= PLAIN_NO_FORCE) {
            continue;
        }
        plain_press(width, back, j, P);
        int own = count > 1 && !coupled && triggers(back, links, j);
        for (int r = 0; r < last; r++) {
            /* contacts that do not know of each other may come to rest together */
            back->a[j * width + r] += own ? change * P[r] / plain_rise(back, j, links) : 0;
            jump[r] += own ? 0 : change * P[r];
            size = fmax(size, fabs(change * P[r]));
        }
    }
    for (int r = 0; r < last && count > 0; r++) {
        if (count == 1) {
            back->a[trigger * width + r] += jump[r] / plain_rise(back, trigger, links);
        } else if (fabs(jump[r]) > PLAIN_SAME * size) {
            back->adjoint->message = "contacts come to rest together, and their forces jump";
        }
    }
}

/* Do links hold from here on with no force to speak of? Then they may open for a little e. */
static int is_loose(const PlainBack *back, double N) {
    int loose = 0;
    for (int j = 0; j < back->given->count; j++) {
        double push = back->a[(j + 1) * back->width - 1];
        loose |= back->phase[j] == HELD && !(push > PLAIN_SAME * N);
    }
    return loose;
}

/* The derivative by e where e = 0, at a place of R. A link that is held from here on comes back in
 * a time that goes like e, without effect. */
static inline void meet_return(int width, PlainBack *back, const PlainLink *links, int place) {
    double P[WIDTH_MOST], sum[WIDTH_MOST];
    int i = back->free[place], held = back->phase[i] == HELD && back->after[i].pushes;
    int loose = is_loose(back, links[i].N);
    if (back->given->materials[i].e > 0 || (held && !loose)) {
        return;
    }
    double returns = loose ? NAN : returned_impulse(back, links, place);
    plain_press(width, back, i, sum);
    for (int h = 0; h < back->hold_count; h++) {
        plain_press(width, back, back->holds[h], P);
        for (int r = 0; r < width - 1; r++) {
            sum[r] -= back->C[h * back->free_count + place] * P[r];
        }
    }
    for (int r = 0; r < width - 1; r++) {
        back->by_e[i * width + r] += returns * sum[r];
    }
}

/* One stiffness for all: a spring opens with a force, h = N - sqrt(1 - e^2) N_max. */
static inline void open_mono(int width, PlainBack *back, const PlainLink *link, int i) {
    double P[WIDTH_MOST], e = back->given->materials[i].e, share = sqrt((1 - e) * (1 + e));
    plain_press(width, back, i, P);
    for (int r = 0; r < width - 1; r++) {
        double by_N = P[r] / (link->k * link->v);
        back->b[i * width + r] = link->N * by_N;
        back->peak[i * width + r] = -share * link->N * by_N;
        back->by_e[i * width + r] += by_N * link->peak * link->peak * e;
    }
}

/* From the start of the piece after to the end of the piece in hand. */
static inline void plain_meet(int width, PlainBack *back, const PlainLink *links) {
    const Given *given = back->given;
    int last = width - 1;
    for (int place = 0; place < back->free_count; place++) {
        int i = back->free[place];
        if (loses_spring(back, &links[i], i) && links[i].N > PLAIN_NO_FORCE) {
            meet_return(width, back, links, place);
        }
    }
    meet_jump(width, back, links);
    for (int i = 0; i < given->count; i++) {
        const PlainLink *now = &links[i];
        int sprung = is_sprung(now->phase), stays = spring_stays(back, now, i);
        double *b = &back->b[i * width], *peak = &back->peak[i * width];
        double e = given->materials[i].e;
        int stiffens = stays && !given->mono && e > 0 && now->phase == LINK_COMPRESSION &&
                       back->phase[i] == LINK_RESTITUTION;
        if (stiffens) {
            stiffen(width, back, i, now->k);
        }
        for (int r = 0; r < last; r++) {
            b[r] = stays ? b[r] : 0;
        }
        if (given->mono && (!stays || back->after[i].peak != now->peak)) {
            for (int r = 0; r < last; r++) {
                b[r] += stays ? peak[r] : 0;
                peak[r] = 0;
            }
        }
        if (loses_spring(back, now, i)) {
            continue;
        }
        if (sprung && !stays && given->mono) {
            open_mono(width, back, now, i);
        }
    }
    /* the process itself */
    for (int i = 0; i < given->count; i++) {
        back->a[i * width + last] = is_sprung(links[i].phase) ? links[i].N : 0;
        back->b[i * width + last] = -links[i].v;
    }
}

/* N of a link at the start of a piece, whose first record this is, by the end of the one before. */
static double first_force(const PlainTape *tape, int record, int i) {
    if (record == 0) {
        return 0;
    }
    const PlainLink *before = &plain_links(plain_head(tape, record - 1))[i];
    return is_sprung(before->phase) ? before->N : 0;
}

/* Does the force of the link that acts alone come to its end with the piece? */
static int single_opens(const PlainBack *back, const PlainLink *link, int i) {
    return !is_sprung(back->phase[i]) && link->phase == LINK_RESTITUTION && link->v > 0;
}

/* One piece, whose record is i; returns its first record. */
static inline int piece_back(int width, PlainBack *back, const PlainTape *tape, int i) {
    const PlainHead *head = plain_head(tape, i);
    const PlainLink *links = plain_links(head);
    int first = i;
    if (!crm_plain_choose(back, links)) {
        back->adjoint->message =
            "held contacts share their load in many ways: there is no derivative";
        return first;
    }
    plain_meet(width, back, links);
    int opens = head->kind == PLAIN_SINGLE && single_opens(back, &links[head->link], head->link);
    for (int k = 0; k < back->given->count; k++) {
        back->phase[k] = links[k].phase;
    }
    while (first > 0 && plain_head(tape, first - 1)->kind == PLAIN_TURN) {
        const PlainHead *turn = plain_head(tape, --first);
        back->phase[turn->link] = turn->ends ? LINK_COMPRESSION : LINK_RESTITUTION;
    }
    if (head->kind == PLAIN_SINGLE) {
        crm_plain_single(back, links, head->link, head->length, opens,
                         first_force(tape, first, head->link));
    } else {
        crm_plain_time(back, links, head->length, (PlainTurns){tape, first, i});
    }
    back->after = links;
    return first;
}

const double *crm_plain_slide(const PlainBack *back, int contact) {
    return back->turns_fast[contact] ? NULL : &back->S[2 * contact];
}

void crm_plain_back_run(PlainBack *back, const PlainTape *tape, Adjoint *adjoint) {
    const Given *given = &adjoint->network->given;
    int lanes = adjoint->lanes, width = lanes == 1 ? 2 : lanes < 4 ? 4 : WIDTH_MOST;
    size_t count = (size_t)(given->count * width);
    double *arrays[] = {back->weight, back->a, back->b, back->peak, back->by_k, back->by_e};
    back->given = given;
    back->adjoint = adjoint;
    back->lanes = lanes;
    back->width = width;
    back->hold_count = -1;
    back->free_count = 0;
    crm_plain_modes(back);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        memset(arrays[i], 0, count * sizeof(double));
    }
    crm_plain_integrals_clear(back);
    back->after = back->nothing;
    for (int i = 0; i < given->count; i++) {
        back->phase[i] = OPEN;
        back->nothing[i] = (PlainLink){.phase = OPEN};
        memcpy(&back->weight[i * width], &adjoint->weight[i * lanes],
               (size_t)lanes * sizeof(double));
    }
    crm_plain_slide_begin(back);
    for (int i = tape->count - 1; i >= 0 && !adjoint->message; i--) {
        i = FOR_WIDTH(piece_back, back, tape, i);
    }
    crm_plain_integrals_flush(back);
    for (int j = 0; j < given->count; j++) {
        for (int k = j; k < given->count; k++) {
            int index = adjoint_index(given, j, k);
            for (int r = 0; r < lanes; r++) {
                double other = j == k ? 0 : back->by_W[plain_by_W(back, r, k, j)];
                adjoint->out[r][index] = back->by_W[plain_by_W(back, r, j, k)] + other;
            }
        }
    }
    for (int i = 0; i < given->count; i++) {
        for (int r = 0; r < lanes; r++) {
            adjoint->a[i * lanes + r] = back->a[i * width + r];
            adjoint->by_k[i * lanes + r] = back->by_k[i * width + r];
            adjoint->by_e[i * lanes + r] = back->by_e[i * width + r];
            adjoint->by_kt[i * lanes + r] = 0;
            adjoint->by_mu[i * lanes + r] = -back->M[i * width + r];
        }
    }
}
