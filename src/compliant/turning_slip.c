/* Slip whose direction turns: from piece to piece (turning_piece.h) to the next event. */
#include "compliant/turning_slip.h"

#include <math.h>

#include "compliant/straight_slip.h"
#include "compliant/turning_collocation.h"
#include "compliant/turning_series.h"
#include "math/jet.h"

/* Of one slip; ten are usual. */
enum { MAX_SLIP_PIECES = 4000 };

static Moment turning_at(const void *piece_of_slip, double x) {
    const TurningPiece *piece = piece_of_slip;
    const Process *process = piece->process;
    int n = piece->order;
    Moment to = process->now;
    Pair V = piece->V[n], u = piece->u[n], fall = piece->fall[n], push = pair_make(0, 0),
         xx = both(x);
    for (int i = n - 1; i >= 0; i--) {
        V = pair_join(V, xx, piece->V[i]);
        u = pair_join(u, xx, piece->u[i]);
        fall = pair_join(fall, xx, piece->fall[i]);
        push = pair_join(piece->u[i], both(RECIPROCAL[i + 1]), pair_times(push, xx));
    }
    double size = sqrt(LANE(u, 0) * LANE(u, 0) + LANE(u, 1) * LANE(u, 1));
    to.N = sqrt(most_of(LANE(fall, 0), 0));
    to.vn = LANE(fall, 1);
    for (int j = 0; j < 2; j++) {
        to.J[j] -= process->mu * LANE(push, j) * x;
        to.V[j] = LANE(V, j);
        to.f[j] = process->mu * to.N * LANE(u, j) / size;
    }
    double along[2] = {LANE(push, 0), LANE(push, 1)};
    to.p +=
        process->latched ? process->mu * dot2(process->d, along) * x : turning_impulse(piece, x);
    return to;
}

/* dp/dx */
static double turning_pace(const void *piece, double x) {
    return turning_chi(piece, x);
}

/* Work of friction up to x: mu times the integral of sigma dp. */
static double friction_work(const TurningPiece *piece, double x) {
    double sum = 0;
    for (int n = piece->order; n >= 0; n--) {
        sum = sum * x + piece->slide[n] * RECIPROCAL[n + 1];
    }
    return piece->process->mu * sum * x;
}

typedef enum { GO_ON, STOP, TURN, LOST } SlipEvent;

/* The function that stays positive until the next event of the normal motion: v_n, with the sign of
 * the phase, or the grip of a latched contact. */
static void hold_series(const TurningPiece *piece, double hold[TURNING_ORDER + 1]) {
    const Process *process = piece->process;
    double sign = process->restitution ? 1 : -1;
    for (int n = 0; n <= piece->order; n++) {
        double u[2] = {LANE(piece->u[n], 0), LANE(piece->u[n], 1)};
        hold[n] = process->latched ? slip_grip(process, LANE(piece->omega_chi[n], 1), u)
                                   : sign * LANE(piece->fall[n], 1);
    }
}

/* The first event up to *x, which then is where it happens.
 *
 * V.z has the slope V'.z + (V.z_perp)^2 g/M >= V'.z, so that V and v_n bound the fall of sigma;
 * this usually excludes an event without a search. */
static SlipEvent next_slip_event(const TurningPiece *piece, double *x) {
    const Process *process = piece->process;
    double sign = process->restitution ? 1 : -1;
    double stiff = slip_stiff(process), h = *x;
    double V = 0, normal = 0, power = h;
    for (int n = 1; n <= piece->order; n++) {
        V += (fabs(LANE(piece->V[n], 0)) + fabs(LANE(piece->V[n], 1))) * power;
        normal += (n > 1 ? fabs(LANE(piece->fall[n], 1)) : 0) * power;
        power *= h;
    }
    double first = sign * LANE(piece->fall[0], 1),
           last = first + sign * LANE(piece->fall[1], 1) * h;
    double sigma = piece->slide[0] / piece->chi0;
    double stop = INFINITY, turns = INFINITY;
    if (!(sigma > V + stiff * (normal + fabs(last - first)))) {
        stop = crm_jet_polynomial_zero(piece->slide, piece->order, h);
    }
    if (process->latched || !(least_of(first, last) > normal)) {
        double hold[TURNING_ORDER + 1] = {0};
        hold_series(piece, hold);
        turns =
            hold[0] > 0 || !process->latched ? crm_jet_polynomial_zero(hold, piece->order, h) : 0;
    }
    if (isnan(stop) || isnan(turns)) {
        return LOST;
    }
    if (least_of(stop, turns) < h) {
        *x = least_of(stop, turns);
        return stop < turns ? STOP : TURN;
    }
    return GO_ON;
}

/* The state after a piece, its direction, and the event that ended it. */
static int arrive(Process *process, const Moment *to, double friction, SlipEvent event) {
    double size = process->mu * to->N;
    process->energy.friction_loss += friction;
    process->now = *to;
    process->s[0] = to->f[0] / size;
    process->s[1] = to->f[1] / size;
    if (event == LOST) {
        crm_process_fail(process, "slip: its end cannot be located");
    } else if (event == STOP) {
        crm_process_stick(process);
    } else if (event == TURN && process->latched) {
        crm_process_release(process);
    } else if (event == TURN && process->restitution) {
        crm_process_restart_compression(process);
    } else if (event == TURN) {
        crm_process_end_compression(process);
    }
    return event != GO_ON;
}

static int series_piece(Process *process, TurningPiece *piece) {
    double x = crm_turning_series(piece);
    SlipEvent event = next_slip_event(piece, &x);
    crm_process_sample(process, turning_at, turning_pace, piece, x);
    Moment to = turning_at(piece, x);
    return arrive(process, &to, friction_work(piece, x), event);
}

/* The function that vanishes at the event, in the state at the end of a piece. */
static double event_value(const Process *process, const Moment *to, SlipEvent event) {
    double size = norm2(to->f), s[2] = {to->f[0] / size, to->f[1] / size};
    return event == STOP      ? dot2(to->V, s) + slip_stiff(process) * to->vn
           : process->latched ? slip_grip(process, 1, s)
                              : to->vn;
}

/* A piece of length *stride at most; *stride becomes the length to try next. */
static int stiff_piece(Process *process, TurningPiece *piece, double *stride) {
    double h = piece->closing ? least_of(*stride, 0.8 * TURNING_ROOT) : *stride, friction, error;
    Moment to;
    for (int i = 0; (error = crm_turning_collocate(piece, h, &to, &friction)) > 1; i++) {
        if (i > 60) {
            crm_process_fail(process, "slip: the direction cannot be followed");
            return 1;
        }
        h *= error < 1e4 ? 0.7 : 0.35;
    }
    *stride = error < 0.01 ? 1.6 * h : h;
    double x = h, value, before = NAN, last = NAN;
    SlipEvent event = next_slip_event(piece, &x);
    /* the polynomials locate the event well enough to start a secant on the length of the piece */
    for (int i = 0; (event == STOP || event == TURN) && i < 8; i++) {
        if (!(crm_turning_collocate(piece, x, &to, &friction) < INFINITY)) {
            crm_process_fail(process, "slip: an event cannot be closed in on");
            return 1;
        }
        value = event_value(process, &to, event);
        double change = i == 0 ? -1e-6 * x : -value * (x - before) / (value - last);
        if (value == 0 || (i > 0 && fabs(change) <= 1e-15 * x) || !(fabs(change) < x / 2)) {
            break;
        }
        before = x;
        last = value;
        x += change;
    }
    crm_process_sample(process, turning_at, turning_pace, piece, x);
    return arrive(process, &to, friction, event);
}

/* May the direction be frozen for what is left? */
static int is_settled(const Process *process, double left) {
    const double *V = process->now.V, vn = process->now.vn;
    double drift[2], speed = norm2(V), rise = slip_rise(process, process->s);
    slip_drift(process, process->s, drift);
    double turn = (fabs(cross2(V, process->s)) + left * norm2(drift)) / speed;
    return process->restitution && vn > 0 && vn * vn > -4 * rise * slip_energy(process) &&
           process->mu * left * least_of(turn, 2) <= TURNING_CUT * process->now.p;
}

/* Is the pull on the direction so fast that series would take many pieces to where V has changed?
 */
static int is_stiff(const TurningPiece *piece) {
    const Process *process = piece->process;
    double drift[2], pull = crm_turning_series_pull(piece);
    slip_drift(process, process->s, drift);
    double reach = least_of(1, norm2(process->now.V) / (piece->chi0 * norm2(drift)));
    return pull * reach > 24;
}

void crm_turning_slip_run(Process *process) {
    double stride = 0;
    process->cut = TURNING_CUT;
    for (int i = 0; i < MAX_SLIP_PIECES; i++) {
        TurningPiece piece;
        crm_turning_series_begin(&piece, process);
        if (is_settled(process, piece.left)) {
            crm_straight_slip_finish(process);
            return;
        }
        process->work++;
        int stiff = process->now.N > 0 && is_stiff(&piece);
        if (stiff && stride == 0) {
            stride = 0.5;
        }
        if (stiff ? stiff_piece(process, &piece, &stride) : series_piece(process, &piece)) {
            return;
        }
    }
    crm_process_fail(process, "slip: no event within the bounded work");
}
