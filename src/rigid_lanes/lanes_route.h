/* The choice of the next step of an impact that slips: a regular stretch, an arrival at zero slip,
 * or a straight line; how far it goes, and with which others it is done.
 *
 * The last is only about speed. Slots are sorted by their next step; stretches also by how many
 * terms they need, which follows from the zeros of G, and by whether events are expected on them.
 * So those done together have about the same to do. */
#ifndef CAROM_LANES_ROUTE_H
#define CAROM_LANES_ROUTE_H

#include "rigid_lanes/lanes_arrival.h"
#include "rigid_lanes/lanes_regular.h"

#ifdef CAROM_LANES

/* Largest rate at which the terms of a stretch may fall, to the eighth power: some 36 terms. */
static const double LANES_SLOWEST = 9e-4;

/* Of a kind of stretch, the first half of the steps is without events. */
enum {
    RATES = 8,
    STEP_REGULAR = 0,
    STEP_ARRIVAL = STEP_REGULAR + 2 * RATES,
    STEP_STRAIGHT = STEP_ARRIVAL + 2 * RATES,
    STEP_ALONE, /* left to the solver for one */
    STEPS
};

/* The rate at which the terms fall, to the eighth power, for some 12, 16, ..., 36 terms. */
static const double RATE_LIMITS[RATES - 1] = {7e-10, 1.4e-7, 3.4e-6, 2.7e-5, 1.2e-4, 3.8e-4, 9e-4};

/* Does an arrival bring events? Not if the slip stops in compression. */
INLINE ManyMask arrival_has_events(const ManyState *state, const ManySlip *now,
                                   const ManySlip *there, Many q) {
    return ~((q > 0) & ~(state->opening > 0) & (state->vn * there->f > now->a * now->r));
}

/* Does a regular stretch that is too short for the rest of the impact bring the end of
 * compression? */
INLINE ManyMask regular_has_events(const ManyState *state, const ManySlip *now, Many reach) {
    Many tau = 8 / 1.15 * reach, p = now->r * tau * (1 + 0.5 * now->f * tau);
    return ~(state->opening > 0) & (state->vn + now->a * p > 0);
}

/* The step for a kind of stretch, as a number. */
INLINE Many step_number(int kind, Many rate, ManyMask events) {
    Many step = many_all(kind) + many_where(events, many_all(RATES));
    for (int i = 0; i < RATES - 1; i++) {
        step += many_where(rate > RATE_LIMITS[i], many_all(1));
    }
    return step;
}

/* How far the next regular stretch goes, and which step that is. */
INLINE Many route_regular(const ManyProblem *problem, const ManyState *state,
                          const ManyOutlook *out, const ManyGap *gap, Many longest, Many *reach,
                          ManyMask *far) {
    ManyLine line;
    *reach = outlook_reach(out, gap, longest, far);
    regular_line(problem, &out->now, gap, *reach, &line);
    Many rate = line_rate(&line);
    /* the rate is about proportional to the length */
    ManyMask slow = rate > LANES_SLOWEST;
    if (many_any(slow)) {
        Many part = many_sqrt(many_sqrt(many_sqrt(LANES_SLOWEST / rate)));
        *reach = many_choose(slow, *reach * part, *reach);
        rate = many_choose(slow, many_all(LANES_SLOWEST), rate);
    }
    ManyMask events = ~(*far | slow) | regular_has_events(state, &out->now, *reach);
    return step_number(STEP_REGULAR, rate, events);
}

/* Choose the next step of MANY slots that slip, and write down how far it goes. */
static Many route_many(Slots *slots, const short slot[MANY]) {
    ManyProblem problem;
    ManyState state;
    ManyOutlook out;
    ManyGap gap;
    ManyMask far;
    Many reach, longest = slots_field(slots, SLOT_LONGEST, slot);
    slots_problem(slots, slot, &problem);
    slots_state(slots, slot, &state);
    outlook_make(&problem, &state, &out);
    gap_make(&problem, &out.now, &gap);
    Many step = route_regular(&problem, &state, &out, &gap, many_abs(longest), &reach, &far);
    far &= longest > 0;
    if (many_any(far)) {
        ManyTarget target;
        ManySlip there;
        target_find(&gap, &target);
        target_slip(&problem, out.now.s, &target, &there);
        Many q = -there.f / (there.f + there.across);
        ManyMask arrives =
            far & target.suits & (many_abs(q) > ARRIVAL_SLOWEST) & (q < 100) & (q > -20);
        Many arrival = step_number(STEP_ARRIVAL, target_rate(&target),
                                   arrival_has_events(&state, &out.now, &there, q));
        step = many_choose(arrives, arrival, step);
        reach = many_choose(arrives, out.rest, reach);
    }
    /* slip that is straight from the start has a letter of its own */
    Many straight = many_choose(state.p > 0, many_all(STEP_STRAIGHT), many_all(STEP_ALONE));
    for (int i = 0; i < MANY; i++) {
        slots->at[SLOT_REST][slot[i]] = reach[i];
    }
    return many_choose(outlook_straight(&problem, &state, &out), straight, step);
}

#endif

#endif
