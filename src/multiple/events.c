/* Events change the state of their own link; where the set of held links changes, the reactions
 * jump together (jump.h). */
#include "multiple/events.h"

#include <float.h>
#include <string.h>

#include "math/functions.h"
#include "math/vec2.h"
#include "multiple/bounces.h"
#include "multiple/follow.h"
#include "multiple/friction.h"
#include "multiple/graze.h"
#include "multiple/held.h"
#include "multiple/jump.h"
#include "multiple/multiple_visit.h"
#include "multiple/plain.h"
#include "multiple/product.h"
#include "multiple/report.h"
#include "multiple/single.h"
#include "multiple/terms.h"
#include "multiple/watch.h"

/* Error of a speed that its zeros may be due to; effect of an energy that is lost or not. */
static const double CHATTER = 1e-12, CHATTER_ERROR = 4;

/* A reaction that is rounding, relative to the largest one. */
static const double VANISH = 1e-13;

/* Rounding of a piece, relative to the speeds. */
static const double ROUNDING = 4 * DBL_EPSILON;

/* Derivatives see the turn of the direction: for them it goes on until the force, whose impulse
 * goes like its square, is this. */
static const double VISITED_FORCE = 1e-9;

/* Changes between stick and slip without progress in time, after which no mode is consistent. */
enum { RESTLESS = 6 };

/* The tangential spring is unloaded; its energy is lost to friction. */
static void let_go(Network *network, int i) {
    Link *link = &network->state.links[i];
    network->state.energy.friction_loss += tangential_energy(&network->given.materials[i], link);
    link->f[0] = link->f[1] = 0;
    link->friction = LINK_STICK;
}

/* s at x; even and odd terms apart, as in terms_at(). */
static Pair link_direction(const LinkPiece *own, double x) {
    Pair even = own->s[ORDER], odd = pair_make(0, 0), by = both(x * x);
    for (int g = ORDER - 2; g >= 0; g -= 2) {
        odd = pair_join(odd, by, own->s[g + 1]);
        even = pair_join(even, by, own->s[g]);
    }
    return pair_join(both(x), odd, even);
}

static void advance_friction(const Given *given, NetworkState *state, const Piece *piece, int i,
                             const double *F, double x) {
    const Material *material = &given->materials[i];
    const LinkPiece *own = &piece->links[i];
    Link *link = &state->links[i];
    int slips = is_slipping(link->friction);
    double before = tangential_energy(material, link);
    double work = slips ? crm_terms_work(given, piece, material->row, x) : 0;
    for (int k = 0; k < given->rows - 1; k++) {
        link->f[k] = -F[material->row + k];
    }
    if (slips) {
        Pair s = link_direction(own, x);
        double length = link->friction == LINK_STRAIGHT
                            ? 1
                            : sqrt(LANE(s, 0) * LANE(s, 0) + LANE(s, 1) * LANE(s, 1));
        link->s[0] = LANE(s, 0) / length;
        link->s[1] = LANE(s, 1) / length;
        state->energy.friction_loss += work - (tangential_energy(material, link) - before);
    }
    link->friction = link->friction == LINK_STICK_EDGE ? LINK_STICK : link->friction;
}

static void advance_general(const Given *given, NetworkState *state, Piece *piece) {
    double x = piece->moment, *at = piece->column_in, *gain = piece->column_out;
    crm_terms_end(given, piece, x, state->v, at, gain);
    for (int row = 0; row < given->size; row++) {
        state->I[row] += piece->step * gain[row];
    }
    for (int row = given->rows - 1; row < given->size; row += given->rows) {
        state->clock += piece->step * gain[row];
    }
    for (int i = 0; i < given->count; i++) {
        Link *link = &state->links[i];
        link->changes = link->vanished = 0;
        link->begins = BEGINS_ANYHOW;
        if (!is_active(link->phase)) {
            continue;
        }
        link->N = at[normal_row(given, i)];
        link->N = link->N > 0 ? link->N : 0;
        if (given->materials[i].rough) {
            advance_friction(given, state, piece, i, at, x);
        }
    }
}

/* What the series of the piece leave out, and rounding, whose sign is random. */
static void add_errors(Network *network) {
    const Given *given = &network->given;
    const Piece *piece = &network->piece;
    double x = piece->moment, square = x * x, fourth = square * square, eighth = fourth * fourth;
    double part = x < 1 ? eighth * eighth * x : 1; /* x^(ORDER + 1) */
    for (int i = 0; i < given->count; i++) {
        Link *link = &network->state.links[i];
        const double *v = &network->state.v[given->materials[i].row];
        double speed[SIDES] = {given->rows > 1 ? fabs(v[0]) : 0, fabs(v[given->rows - 1])};
        speed[ALONG] = given->rows > 2 ? most_of(speed[ALONG], fabs(v[1])) : speed[ALONG];
        speed[NORMAL] = most_of(speed[NORMAL], link->N * link->weight);
        for (int side = 0; side < SIDES; side++) {
            double omitted = LANE(piece->links[i].omitted, side) * part;
            link->error[side] += side == ALONG ? omitted : 0;
            link->noise[side] += side == NORMAL ? omitted * omitted : 0;
            link->noise[side] += ROUNDING * speed[side] * ROUNDING * speed[side];
        }
    }
}

void crm_events_advance(Network *network) {
    Piece *piece = &network->piece;
    if (piece->moment == 0) {
        return;
    }
    network->edges = 0;
    if (piece->kind == GENERAL) {
        add_errors(network);
        advance_general(&network->given, &network->state, piece);
    } else {
        (piece->kind == SINGLE ? crm_single_advance : crm_plain_advance)(network);
    }
}

/* Normal energy stored or released since this phase began. */
static void book(NetworkState *state, Link *link) {
    double E = spring_energy(link);
    if (link->phase == LINK_COMPRESSION) {
        state->energy.stored += E - link->booked;
    } else {
        state->energy.released += link->booked - E;
    }
    link->booked = E;
}

static void open_held(Network *network, int i) {
    Link *link = &network->state.links[i];
    if (link->shown != SHOWN_OPEN) {
        crm_report_event(network, i,
                         link->shown == SHOWN_LATCHED ? CAROM_EVENT_RELEASE
                                                      : CAROM_EVENT_RESTITUTION_END);
    }
    link->phase = OPEN;
    link->N = link->booked = 0;
    link->shown = SHOWN_OPEN;
}

void crm_events_latch(Network *network, int i) {
    Link *link = &network->state.links[i];
    if (link->shown != SHOWN_LATCHED) {
        link->shown = SHOWN_LATCHED;
        crm_report_event(network, i, CAROM_EVENT_LATCH);
    }
}

void crm_events_decide(Network *network, int i, LinkPhase phase) {
    Link *link = &network->state.links[i];
    if (phase == OPEN && link->phase == TOUCHING) {
        crm_graze_left(network, i);
    }
    if (phase == LINK_COMPRESSION && link->shown == SHOWN_OPEN) {
        link->phase = LINK_COMPRESSION;
        link->N = link->booked = link->peak = 0;
        link->restarted = 0;
        crm_bounces_turn(network, i);
        link->shown = SHOWN_ACTING;
        crm_report_event(network, i, CAROM_EVENT_ACTIVATION);
    }
    link->phase = phase;
}

void crm_events_commit(Network *network) {
    const Given *given = &network->given;
    for (int i = 0; i < given->count && network->piece.kind != SINGLE; i++) {
        const LinkPiece *own = &network->piece.links[i];
        Link *link = &network->state.links[i];
        if (link->phase == HELD && own->phase == OPEN) {
            open_held(network, i);
        }
        crm_events_decide(network, i, own->phase);
        link->N = own->role == HOLD_PUSHES ? own->N[0] : link->N;
        int slips = given->materials[i].rough && is_slipping(own->friction);
        link->apart = is_active(link->phase) ? link->apart : network->work;
        link->loose = slips ? network->work : link->loose;
        if (given->materials[i].rough && is_active(link->phase)) {
            link->friction = own->friction;
            double s[2] = {LANE(own->s[0], 0), LANE(own->s[0], 1)};
            if (own->follow == FOLLOW_V) {
                link->error[ALONG] += crm_follow_effect(given, &network->piece, i);
            }
            if (own->follow == FOLLOW_V ||
                (own->role == HOLD_PUSHES && is_slipping(own->friction))) {
                crm_friction_set(given, &network->state, i, s);
            }
            memcpy(link->s, s, sizeof s);
        }
        if (own->role == HOLD_PUSHES) {
            crm_events_latch(network, i);
        }
    }
}

void crm_events_finish(Network *network) {
    for (int i = 0; i < network->given.count; i++) {
        Link *link = &network->state.links[i];
        if (link->phase == LINK_COMPRESSION) {
            crm_report_event(network, i, CAROM_EVENT_COMPRESSION_END);
        }
        if (is_sprung(link->phase)) {
            book(&network->state, link);
        }
        if (link->shown != SHOWN_OPEN) {
            let_go(network, i);
            open_held(network, i);
        }
    }
}

/* The link is held from here on. */
static void hold(Network *network, int i) {
    const Given *given = &network->given;
    const Material *material = &given->materials[i];
    Link *link = &network->state.links[i];
    link->rigid = 1;
    link->error[ALONG] += link->left[ALONG];
    link->error[NORMAL] += link->left[NORMAL];
    if (material->rough && material->e > 0 && !link->restarted) {
        /* it has opened in each bounce: its tangential spring begins without load where the bounces
         * have come to their end */
        double rest = crm_bounces_time(link, material);
        let_go(network, i);
        for (int k = 0; k < given->rows - 1; k++) {
            link->f[k] = -material->kt * rest * network->state.v[material->row + k];
        }
        network->state.energy.friction_loss -= tangential_energy(material, link);
    }
    link->phase = HELD;
    link->booked = 0;
}

/* The error of the normal velocities if compression may have ended once more or less: v_n swings
 * about 0 by no more than its error. Each end takes its share of the energy. */
static double chatter_error(const Network *network, int i) {
    const Material *material = &network->given.materials[i];
    const Link *link = &network->state.links[i];
    double e = material->e;
    return fabs(link->rate) < CHATTER * sqrt(link->k * material->w)
               ? CHATTER_ERROR * (1 - e) * (1 + e) * spring_energy(link)
               : 0;
}

/* v_n is 0, or close to it. */
static void set_at_rest(Network *network, int i) {
    double *vn = &network->state.v[normal_row(&network->given, i)];
    network->state.links[i].error[NORMAL] += fabs(*vn);
    network->state.links[i].off = *vn;
    *vn = 0;
}

static void end_compression(Network *network, int i, int *jumps) {
    const Material *material = &network->given.materials[i];
    NetworkState *state = &network->state;
    Link *link = &state->links[i];
    double e = material->e;
    set_at_rest(network, i);
    crm_report_event(network, i, CAROM_EVENT_COMPRESSION_END);
    book(state, link);
    state->energy.tangential += tangential_energy(material, link);
    link->peak = link->N > link->peak ? link->N : link->peak;
    link->phase = LINK_RESTITUTION;
    if (network->given.mono || e == 1) {
        return;
    }
    link->error[NORMAL] += chatter_error(network, i);
    crm_graze_ends(network, i);
    if (!link->latches) {
        crm_bounces_go_on(network, i);
        link->booked = spring_energy(link);
        return;
    }
    state->energy.normal_loss += spring_energy(link);
    hold(network, i);
    *jumps = 1;
}

void crm_events_turn(Network *network, int i) {
    Link *link = &network->state.links[i];
    int ends = link->phase == LINK_COMPRESSION;
    crm_report_event(network, i,
                     ends ? CAROM_EVENT_COMPRESSION_END : CAROM_EVENT_COMPRESSION_RESTART);
    book(&network->state, link);
    link->phase = network->piece.links[i].phase = ends ? LINK_RESTITUTION : LINK_COMPRESSION;
}

static void open_spring(Network *network, int i) {
    NetworkState *state = &network->state;
    Link *link = &state->links[i];
    double *vn = &state->v[normal_row(&network->given, i)];
    if (!network->given.mono) {
        link->N = 0;
    }
    crm_report_event(network, i, CAROM_EVENT_RESTITUTION_END);
    book(state, link);
    state->energy.normal_loss += spring_energy(link);
    let_go(network, i);
    link->N = 0;
    link->shown = SHOWN_OPEN;
    link->phase = OPEN;
    *vn = *vn > 0 ? *vn : 0;
}

/* Slip that was thought to end goes on. */
static void resume_slip(Network *network, int i) {
    Link *link = &network->state.links[i];
    double size = hypot(link->s[0], link->s[1]);
    if (link->friction == LINK_STRAIGHT && size > 0) {
        const Given *given = &network->given;
        const Material *material = &given->materials[i];
        /* the mean of directions that differ is shorter than 1 */
        double off = material->mu * link->N * sqrt(fmax(1 - size * size, 0));
        link->error[ALONG] += off * sqrt(tangential_mobility(given, i) / material->kt);
        link->friction = LINK_SLIP;
        crm_friction_set(given, &network->state, i,
                         (const double[2]){link->s[0] / size, link->s[1] / size});
    }
}

/* An open link whose v_n has come to 0. */
static void close_link(Network *network, int i, int *jumps) {
    Link *link = &network->state.links[i];
    set_at_rest(network, i);
    link->phase = TOUCHING;
    if (link->rigid) {
        link->phase = HELD;
        link->N = 0;
        *jumps = 1;
    }
}

static void pass_zero_speed(Network *network, int i, int *jumps) {
    Link *link = &network->state.links[i];
    if (link->phase == LINK_COMPRESSION) {
        end_compression(network, i, jumps);
    } else if (link->phase == LINK_RESTITUTION) {
        network->state.v[normal_row(&network->given, i)] = 0;
        crm_report_event(network, i, CAROM_EVENT_COMPRESSION_RESTART);
        book(&network->state, link);
        resume_slip(network, i);
        link->restarted = 1;
        crm_bounces_turn(network, i);
        link->phase = LINK_COMPRESSION;
    } else {
        close_link(network, i, jumps);
    }
}

static void change_mode(Network *network, int i) {
    Link *link = &network->state.links[i];
    double s[2] = {link->s[0], link->s[1]};
    link->changes++;
    if (link->friction == LINK_SLIP) {
        link->friction = LINK_STICK_EDGE;
        crm_friction_set(&network->given, &network->state, i, s);
        crm_report_event(network, i, CAROM_EVENT_STICK);
        return;
    }
    double size = hypot(link->f[0], link->f[1]);
    link->friction = LINK_SLIP;
    s[0] = size > 0 ? link->f[0] / size : 1;
    s[1] = size > 0 ? link->f[1] / size : 0;
    crm_friction_set(&network->given, &network->state, i, s);
    crm_report_event(network, i, CAROM_EVENT_SLIP);
}

void crm_events_at(Network *network, int i, int speed, int force, int *jumps) {
    Link *link = &network->state.links[i];
    int opens = is_sprung(link->phase) && force;
    if (opens) {
        open_spring(network, i);
    } else if (link->phase == HELD && force) {
        link->vanished = network->piece.links[i].role == HOLD_PUSHES;
        link->N = 0;
        let_go(network, i);
    } else if (link->phase != TOUCHING && speed) {
        pass_zero_speed(network, i, jumps);
    }
    double vn = network->state.v[normal_row(&network->given, i)];
    if (link->phase == OPEN && (vn < 0 || (vn == 0 && opens))) {
        close_link(network, i, jumps);
    }
}

/* The events of link i at this moment. */
static void happen_at(Network *network, int i, double now, int *jumps) {
    Link *link = &network->state.links[i];
    const double *wait = network->piece.links[i].wait;
    int force = wait[WATCH_FORCE] <= now && is_active(link->phase),
        speed = wait[WATCH_SPEED] <= now;
    crm_events_at(network, i, speed, force, jumps);
    if (!force && is_active(link->phase) && wait[WATCH_CONE] <= now) {
        change_mode(network, i);
    }
}

/* Slip close to its end goes straight, at held links as long as nothing happens elsewhere. */
static void straighten(Network *network, int i) {
    Link *link = &network->state.links[i], before = *link;
    double loss = network->state.energy.friction_loss;
    if (link->phase == HELD && network->piece.moment < 1) {
        resume_slip(network, i);
    } else if (network->given.materials[i].rough && network->piece.kind == GENERAL) {
        link->error[ALONG] +=
            crm_friction_straighten(&network->given, &network->state, &network->piece, i);
    }
    int changes = link->friction != before.friction;
    if (changes && before.N > VISITED_FORCE && network_observer(network)) {
        *link = before;
        network->state.energy.friction_loss = loss;
        network->differs = network->differs ? network->differs : network->work;
    }
}

/* Does compression of link i end, or would it if its speed were larger by as much as this? */
static int nearly_ends(const Network *network, int i, double speed) {
    const Link *link = &network->state.links[i];
    return link->phase == LINK_COMPRESSION && link->N > 0 &&
           network->state.v[normal_row(&network->given, i)] > -speed &&
           normal_acceleration(&network->given, &network->state, i) > 0;
}

/* Is the speed of link i, which does not rest, 0 up to rounding? Where its row depends on those of
 * links at rest (held->list), which have rounding of their own, it is 0 whatever it says. */
static int rests_too(Network *network, int i) {
    const Given *given = &network->given;
    double speed = fabs(network->state.v[normal_row(given, i)]);
    if (speed <= ROUNDED || given->is_row) {
        return 1;
    }
    crm_held_place(given, network->held, i);
    return network->held->depends[i];
}

/* Does link i end its compression, or close, if speeds up to TOGETHER count as 0? */
static int may_join(const Network *network, int i) {
    return nearly_ends(network, i, TOGETHER) ||
           (network->state.links[i].phase == OPEN &&
            network->state.v[normal_row(&network->given, i)] < TOGETHER);
}

/* List the links at rest that are in this phase at least, or have just come to rest. */
static void list_rest(Network *network, LinkPhase least) {
    const Given *given = &network->given;
    Held *held = network->held;
    for (int i = 0; i < given->count; i++) {
        const Link *link = &network->state.links[i];
        int rests = link->phase >= least && network->state.v[normal_row(given, i)] == 0;
        held->pushes[i] = rests || link->off != 0;
        held->kind[i] = HELD_RESTRICTED;
        held->drag[2 * i] = held->drag[2 * i + 1] = 0;
    }
    crm_held_factor(given, held);
}

/* Links that come to rest, or close, together with others up to rounding. Those that close by this
 * are decided anew, by the reactions or by their series. */
static void join_events(Network *network, int *jumps) {
    const Given *given = &network->given;
    int any = 0;
    for (int i = 0; i < given->count; i++) {
        any |= network->state.links[i].joins = may_join(network, i);
    }
    if (!any) {
        return;
    }
    if (!given->is_row) {
        list_rest(network, TOUCHING);
    }
    for (int i = 0; i < given->count; i++) {
        Link *link = &network->state.links[i];
        link->joins = link->joins && rests_too(network, i);
    }
    for (int i = 0; i < given->count; i++) {
        Link *link = &network->state.links[i];
        if (link->joins && link->phase == LINK_COMPRESSION) {
            link->rate = normal_acceleration(given, &network->state, i);
            crm_bounces_foresee(network, i);
        }
    }
    for (int i = 0; i < given->count; i++) {
        if (network->state.links[i].joins) {
            pass_zero_speed(network, i, jumps);
        }
    }
}

/* Reactions that come to 0 together with others, up to rounding. */
static void join_reactions(Network *network, double now) {
    const Given *given = &network->given;
    LinkPiece *links = network->piece.links;
    double largest = 0;
    int vanish = 0;
    for (int i = 0; i < given->count; i++) {
        const Link *link = &network->state.links[i];
        vanish |= link->phase == HELD && links[i].wait[WATCH_FORCE] <= now;
        largest = fmax(largest, link->phase == HELD ? link->N : 0);
    }
    for (int i = 0; i < given->count && vanish; i++) {
        const Link *link = &network->state.links[i];
        if (link->phase == HELD && link->N > 0 && link->N <= VANISH * largest) {
            links[i].wait[WATCH_FORCE] = fmin(links[i].wait[WATCH_FORCE], now);
        }
    }
}

/* Before anything changes at this moment: the rates of the speeds that pass 0; which compressions
 * end, up to rounding, and which of these links latch. */
static void foresee_events(Network *network, double now) {
    const Given *given = &network->given;
    int ends = 0;
    for (int i = 0; i < given->count; i++) {
        Link *link = &network->state.links[i];
        double *wait = &network->piece.links[i].wait[WATCH_SPEED];
        if (*wait > now && crm_bounces_rest(network, i)) {
            *wait = now;
        }
        int speed = *wait <= now;
        link->rate = speed ? normal_acceleration(given, &network->state, i) : 0;
        ends |= speed && link->phase == LINK_COMPRESSION;
    }
    for (int i = 0; i < given->count && ends; i++) {
        double *wait = &network->piece.links[i].wait[WATCH_SPEED];
        if (*wait > now && nearly_ends(network, i, ROUNDED)) {
            *wait = now;
            network->state.links[i].rate = normal_acceleration(given, &network->state, i);
        }
        if (*wait <= now) {
            crm_bounces_foresee(network, i);
        }
    }
}

/* Links that have bounced and are kept at rest by held links, on whose rows theirs depend, are
 * held with them; what their tangential springs hold stays, up to the jump. 1: there are such. */
static int hold_dependent(Network *network) {
    const Given *given = &network->given;
    Held *held = network->held;
    int any = 0;
    for (int i = 0; i < given->count; i++) {
        const Link *link = &network->state.links[i];
        held->pushes[i] = link->phase == HELD && link->N > 0;
        held->kind[i] = HELD_RESTRICTED;
    }
    crm_held_factor(given, held);
    for (int i = 0; i < given->count; i++) {
        Link *link = &network->state.links[i];
        double *vn = &network->state.v[normal_row(given, i)];
        int idle = link->phase == TOUCHING || is_sprung(link->phase);
        if (!idle || link->k == given->materials[i].k || fabs(*vn) > TOGETHER) {
            continue;
        }
        crm_held_place(given, held, i);
        if (held->depends[i]) {
            *vn = 0;
            link->error[ALONG] += crm_bounces_dependent_error(network, i);
            book(&network->state, link);
            network->state.energy.normal_loss += spring_energy(link);
            link->rigid = 1;
            link->phase = HELD;
            link->booked = 0;
            any = 1;
        }
    }
    return any;
}

/* Impulses of the links at rest that take up these normal speeds, held->b. Normals at rest stay so.
 */
static void push_back(Network *network) {
    const Given *given = &network->given;
    NetworkState *state = &network->state;
    Held *held = network->held;
    crm_held_solve(held);
    for (int a = 0; a < held->count; a++) {
        int n = normal_row(given, held->list[a]);
        const double *W = row_of_W(given, n);
        double impulse = held->N[held->list[a]];
        state->I[n] += impulse;
        state->clock += impulse;
        for (int row = 0; row < given->size; row++) {
            int rests = row % given->rows == given->rows - 1 && state->v[row] == 0;
            state->v[row] += rests ? 0 : W[row] * impulse;
        }
    }
}

/* Speeds that events have set to 0, by more than rounding, are taken up by impulses of all links at
 * rest, so that speeds that depend on theirs change with them. Else the corners of a box that
 * stands on others drift apart, which shows as their bounces become short. */
static void take_up_rest(Network *network) {
    const Given *given = &network->given;
    Link *links = network->state.links;
    double largest = 0;
    for (int i = 0; i < given->count; i++) {
        largest = fmax(largest, fabs(links[i].off));
    }
    if (largest > ROUNDED && !given->is_row) {
        list_rest(network, LINK_COMPRESSION);
        for (int i = 0; i < given->count; i++) {
            network->held->b[i] = links[i].off;
        }
        push_back(network);
    }
    for (int i = 0; i < given->count; i++) {
        links[i].off = 0;
    }
}

/* Links that were to open, before something else happened in no time, are to be decided again: the
 * rounding of their acceleration would close them. */
static void take_back_openings(Network *network) {
    for (int i = 0; i < network->given.count; i++) {
        Link *link = &network->state.links[i];
        if (link->phase == OPEN && network->state.v[normal_row(&network->given, i)] == 0) {
            link->phase = link->rigid ? HELD : TOUCHING;
        }
    }
}

void crm_events_happen(Network *network) {
    const Given *given = &network->given;
    double now = network->piece.moment * (1 + AT_ONCE);
    int jumps = 0, restless = 0, closed = 0;
    if (network->piece.kind == GENERAL && network->piece.any_held) {
        join_reactions(network, now);
    }
    foresee_events(network, now);
    for (int i = 0; i < given->count; i++) {
        int was_open = network->state.links[i].phase == OPEN;
        happen_at(network, i, now, &jumps);
        straighten(network, i);
        restless |= network->state.links[i].changes > RESTLESS;
        closed |= was_open && network->state.links[i].phase != OPEN;
    }
    if (network->piece.moment == 0) {
        take_back_openings(network);
    }
    crm_events_settle(network, jumps, restless, closed);
}

void crm_events_settle(Network *network, int jumps, int restless, int closed) {
    if (jumps || closed) {
        join_events(network, &jumps);
    }
    take_up_rest(network);
    jumps |= (jumps || closed) && hold_dependent(network);
    if (jumps || restless) {
        crm_jump(network, restless);
    }
    if ((jumps || closed) && !network->message && hold_dependent(network)) {
        crm_jump(network, 0);
        jumps = 1;
    }
    for (int i = 0; i < network->given.count && (jumps || restless); i++) {
        const Link *link = &network->state.links[i];
        if (link->phase == HELD && link->N > 0) {
            crm_events_latch(network, i);
        }
    }
}
