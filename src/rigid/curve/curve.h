/* A stretch of curved slip: one of four expansions, behind the same three questions.
 *
 *   curve_points()   value: the state and the slip at parameter x
 *   curve_rates()    rates: those of slip and v_n there, and dx/dp
 *   curve_locate()   location: the x of a direction of slip
 *
 * Speed: a switch, not function pointers, and inline, so that values stay in registers. */
#ifndef CAROM_RIGID_CURVE_H
#define CAROM_RIGID_CURVE_H

#include "rigid/curve/arrival.h"
#include "rigid/curve/fade.h"
#include "rigid/curve/logtime.h"
#include "rigid/curve/regular.h"

typedef enum CurveKind { CURVE_REGULAR, CURVE_ARRIVAL, CURVE_FADE, CURVE_LOGTIME } CurveKind;

typedef struct SlipCurve {
    CurveKind kind;
    union {
        CurveSpan span; /* every kind begins with it */
        RegularCurve regular;
        ArrivalCurve arrival; /* and departure */
        FadeCurve fade;
        LogtimeCurve logtime;
    };
} SlipCurve;

/* The points at both x, with direction and speed of slip; the other rates are not filled. */
static inline void curve_points(const SlipCurve *curve, const Slip *slip, Pair x, PointPair *at) {
    switch (curve->kind) {
    case CURVE_REGULAR:
        regular_at(&curve->regular, slip, x, at);
        break;
    case CURVE_ARRIVAL:
        arrival_at(&curve->arrival, slip, x, at);
        break;
    case CURVE_FADE:
        fade_at(&curve->fade, slip, x, at);
        break;
    default:
        logtime_at(&curve->logtime, slip, x, at);
        break;
    }
}

/* Fill the other rates, x1 and x2 too, from direction and speed. */
static inline void curve_rates(const SlipCurve *curve, const Slip *slip, PointPair *at) {
    slip_rates(slip, &at->rates);
    switch (curve->kind) {
    case CURVE_REGULAR:
        regular_pace(&curve->regular, at);
        break;
    case CURVE_ARRIVAL:
        arrival_pace(&curve->arrival, at);
        break;
    case CURVE_FADE:
        fade_pace(&curve->fade, at);
        break;
    default:
        logtime_pace(&curve->logtime, at);
        break;
    }
}

/* The x at which the slip has direction s, which must lie on the stretch. */
static inline double curve_locate(const SlipCurve *curve, const double s[2]) {
    switch (curve->kind) {
    case CURVE_REGULAR:
        return spinor_locate(&curve->regular.moments.spinor, s);
    case CURVE_ARRIVAL:
        return arrival_locate(&curve->arrival, s);
    case CURVE_FADE:
        return fade_locate(&curve->fade, s);
    default:
        return logtime_locate(&curve->logtime, s);
    }
}

#endif
