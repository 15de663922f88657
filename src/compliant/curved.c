/* Slip whose direction turns: from piece to piece (curved.h) to the next event. */
#include "compliant/curved.h"

#include <math.h>

#include "math/jet.h"

/* Of one slip; ten are usual. */
enum { MAX_SLIP_PIECES = 4000 };

static Moment curve_at(const void *piece, double x) {
    const Curve *curve = piece;
    const Process *process = curve->process;
    int n = curve->order;
    Moment to = process->now;
    Pair V = curve->V[n], u = curve->u[n], fall = curve->fall[n], push = {0, 0}, xx = both(x);
    for (int i = n - 1; i >= 0; i--) {
        V = V * xx + curve->V[i];
        u = u * xx + curve->u[i];
        fall = fall * xx + curve->fall[i];
        push = push * xx + curve->u[i] * both(RECIPROCAL[i + 1]);
    }
    double size = sqrt(u[0] * u[0] + u[1] * u[1]);
    to.N = sqrt(most_of(fall[0], 0));
    to.vn = fall[1];
    for (int j = 0; j < 2; j++) {
        to.J[j] -= process->mu * push[j] * x;
        to.V[j] = V[j];
        to.f[j] = process->mu * to.N * u[j] / size;
    }
    double along[2] = {push[0], push[1]};
    to.p += process->latched ? process->mu * dot2(process->d, along) * x : curved_impulse(curve, x);
    return to;
}

/* Work of friction up to x: mu times the integral of sigma dp. */
static double friction_work(const Curve *curve, double x) {
    double sum = 0;
    for (int n = curve->order; n >= 0; n--) {
        sum = sum * x + curve->slide[n] * RECIPROCAL[n + 1];
    }
    return curve->process->mu * sum * x;
}

typedef enum { GO_ON, STOP, TURN, LOST } SlipEvent;

/* What must stay positive until the normal motion has its next event: v_n, with the sign of the
 * phase; the grip of a latched contact. */
static void hold_series(const Curve *curve, double hold[CURVE_ORDER + 1]) {
    const Process *process = curve->process;
    double sign = process->restitution ? 1 : -1;
    for (int n = 0; n <= curve->order; n++) {
        double u[2] = {curve->u[n][0], curve->u[n][1]};
        hold[n] = process->latched ? slip_grip(process, curve->omega_chi[n][1], u)
                                   : sign * curve->fall[n][1];
    }
}

/* The first event up to *x, which then is where it happens.
 *
 * V.z has the slope V'.z + (V.z_perp)^2 g/M >= V'.z, so sigma falls no faster than V and v_n can
 * make it; mostly that settles it. */
static SlipEvent next_event(const Curve *curve, double *x) {
    const Process *process = curve->process;
    double sign = process->restitution ? 1 : -1, hold[CURVE_ORDER + 1];
    double stiff = slip_stiff(process), h = *x;
    double V = 0, normal = 0, power = h;
    for (int n = 1; n <= curve->order; n++) {
        V += (fabs(curve->V[n][0]) + fabs(curve->V[n][1])) * power;
        normal += (n > 1 ? fabs(curve->fall[n][1]) : 0) * power;
        power *= h;
    }
    double first = sign * curve->fall[0][1], last = first + sign * curve->fall[1][1] * h;
    double sigma = curve->slide[0] / curve->chi0;
    double stop = INFINITY, turns = INFINITY;
    if (!(sigma > V + stiff * (normal + fabs(last - first)))) {
        stop = crm_jet_polynomial_zero(curve->slide, curve->order, h);
    }
    if (process->latched || !(least_of(first, last) > normal)) {
        hold_series(curve, hold);
        turns =
            hold[0] > 0 || !process->latched ? crm_jet_polynomial_zero(hold, curve->order, h) : 0;
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
        process_fail(process, "slip: its end cannot be told");
    } else if (event == STOP) {
        process_stick(process);
    } else if (event == TURN && process->latched) {
        process_release(process);
    } else if (event == TURN && process->restitution) {
        process_restart_compression(process);
    } else if (event == TURN) {
        process_end_compression(process);
    }
    return event != GO_ON;
}

static int series_piece(Process *process, Curve *curve) {
    double x = curved_series(curve);
    SlipEvent event = next_event(curve, &x);
    process_sample(process, curve_at, curve, x);
    Moment to = curve_at(curve, x);
    return arrive(process, &to, friction_work(curve, x), event);
}

/* What vanishes at the event, in the state that a piece ends with. */
static double event_value(const Process *process, const Moment *to, SlipEvent event) {
    double size = norm2(to->f), s[2] = {to->f[0] / size, to->f[1] / size};
    return event == STOP      ? dot2(to->V, s) + slip_stiff(process) * to->vn
           : process->latched ? slip_grip(process, 1, s)
                              : to->vn;
}

/* A piece of length *stride at most, which is changed to what the next should try. */
static int stiff_piece(Process *process, Curve *curve, double *stride) {
    double h = curve->closing ? least_of(*stride, 0.8 * CLOSE) : *stride, friction, error;
    Moment to;
    for (int i = 0; (error = curved_collocate(curve, h, &to, &friction)) > 1; i++) {
        if (i > 60) {
            process_fail(process, "slip: the direction cannot be followed");
            return 1;
        }
        h *= error < 1e4 ? 0.7 : 0.35;
    }
    *stride = error < 0.01 ? 1.6 * h : h;
    double x = h, value, before = NAN, last = NAN;
    SlipEvent event = next_event(curve, &x);
    /* the polynomials know the event well enough to start a secant on the length of the piece */
    for (int i = 0; (event == STOP || event == TURN) && i < 8; i++) {
        if (!(curved_collocate(curve, x, &to, &friction) < INFINITY)) {
            process_fail(process, "slip: an event cannot be closed in on");
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
    process_sample(process, curve_at, curve, x);
    return arrive(process, &to, friction, event);
}

/* May the direction be frozen for what is left? */
static int is_settled(const Process *process, double left) {
    const double *V = process->now.V, vn = process->now.vn;
    double drift[2], speed = norm2(V), rise = slip_rise(process, process->s);
    slip_drift(process, process->s, drift);
    double turn = (fabs(cross2(V, process->s)) + left * norm2(drift)) / speed;
    return process->restitution && vn > 0 && vn * vn > -4 * rise * slip_energy(process) &&
           process->mu * left * least_of(turn, 2) <= CURVE_CUT * process->now.p;
}

/* Is the pull on the direction so fast that series would take many pieces to where V has changed?
 */
static int is_stiff(const Curve *curve) {
    const Process *process = curve->process;
    double drift[2], pull = curved_pull(curve);
    slip_drift(process, process->s, drift);
    double reach = least_of(1, norm2(process->now.V) / (curve->chi0 * norm2(drift)));
    return pull * reach > 24;
}

void curved_run(Process *process) {
    double stride = 0;
    process->cut = CURVE_CUT;
    for (int i = 0; i < MAX_SLIP_PIECES; i++) {
        Curve curve;
        curved_begin(&curve, process);
        if (is_settled(process, curve.left)) {
            straight_finish(process);
            return;
        }
        process->work++;
        int stiff = process->now.N > 0 && is_stiff(&curve);
        if (stiff && stride == 0) {
            stride = 0.5;
        }
        if (stiff ? stiff_piece(process, &curve, &stride) : series_piece(process, &curve)) {
            return;
        }
    }
    process_fail(process, "slip: no event within the bounded work");
}
