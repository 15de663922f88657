/* The derivatives of one rigid contact: followed (rigid_follow.h), checked by identities, and
 * turned to the caller's units; in a plane as with a second tangent that does nothing. */
#include "derivative/rigid_slope.h"

#include <math.h>
#include <string.h>

#include "contact/singular.h"
#include "derivative/frame_turn.h"
#include "derivative/one.h"
#include "derivative/rigid_follow.h"
#include "derivative/singular_slope.h"
#include "derivative/slip_nodes.h"
#include "derivative/slip_slope.h"
#include "math/vec2.h"
#include "planar/planar.h"
#include "rigid/rigid.h"

/* Errors of the identities of the derivatives: up to the first the closed form is taken, up to the
 * second they are accepted. The second attempt is slow; with 5e-12 the mean time is 0.9 times as
 * long, and rotation about n is off by up to 1e-10. */
static const double RIGID_PLAIN = 2e-12, RIGID_MISMATCH = 1e-7;

/* The derivatives by v_t do not exist. */
static void spoil_velocity(OneSlope *out) {
    for (int i = 0; i < (out->weights ? 1 : 6); i++) {
        out->outcome[i][ONE_V] = out->outcome[i][ONE_V + 1] = NAN;
    }
    out->smoothness = CAROM_NOT_SMOOTH;
    out->message = "slip starts from rest: the derivatives by the tangential velocity do not exist";
}

/* Without friction the start from rest does not matter: I = (0, 0, p), p = -(1 + e) v_n/w under
 * every law, v+ = v- + (d, w) p. In the impact's own units w = 1 and v_n = -1. The derivatives by
 * mu stay as they are. */
static void release_slip(RigidSlope *rigid) {
    double p = 1 + rigid->contact->e;
    const double column[3] = {rigid->slope.d[0], rigid->slope.d[1], 1}, *w = rigid->weights;
    Gradient rows[6] = {[2] = {[ONE_V + 2] = -p, [ONE_W33] = -p, [ONE_E] = 1},
                        [3] = {[ONE_W13] = p},
                        [4] = {[ONE_W23] = p}};
    for (int i = 0; i < 3; i++) {
        rows[3 + i][ONE_V + i] = 1;
        rows[3 + i][ONE_V + 2] -= column[i] * p;
        rows[3 + i][ONE_E] = column[i];
        rows[3 + i][ONE_W33] = i == 2 ? 0 : -column[i] * p;
    }
    for (int j = 0; j < RIGID_USED; j++) {
        if (j == ONE_MU || j == ONE_MU_STATIC) {
            continue;
        }
        double sum = 0;
        for (int i = 0; i < 6; i++) {
            sum += w[i] * rows[i][j]; /* weights are 0 if there are none */
            rigid->rows[i][j] = rows[i][j];
        }
        rigid->rows[0][j] = rigid->out->weights ? sum : rows[0][j];
    }
}

/* How far a row is off: dL/dv.v and dL/dW.W are known. Relative to the sizes of all terms and the
 * given one; ten times as far is allowed for v relative to its own terms, which are small beside
 * those of W where W is nearly singular. */
static double row_mismatch(const Slope *slope, const double *row, double by_v, double by_W,
                           double size) {
    const double *B = slope->B, *d = slope->d;
    const double terms[8] = {row[ONE_V] * slope->first, -row[ONE_V + 2],     row[ONE_W11] * B[0],
                             row[ONE_W12] * B[1],       row[ONE_W22] * B[2], row[ONE_W13] * d[0],
                             row[ONE_W23] * d[1],       row[ONE_W33]};
    double v = terms[0] + terms[1], W = 0, own = size + fabs(terms[0]) + fabs(terms[1]);
    for (int i = 0; i < 8; i++) {
        W += i < 2 ? 0 : terms[i];
        size += fabs(terms[i]);
    }
    double off = (fabs(v - by_v) + fabs(W - by_W)) / size, alone = 0.1 * fabs(v - by_v) / own;
    return alone > off ? alone : off; /* a NaN stays one */
}

/* Two identities, in the impact's own units: the outcome is homogeneous of degree 1 in v, the
 * impulse of degree -1 in W and the velocity of degree 0. Returns how far they are off, relative.
 */
static double find_mismatch(const RigidSlope *rigid) {
    const Slope *slope = &rigid->slope;
    const double *w = rigid->weights;
    double I[3] = {slope->J[0], slope->J[1], slope->p}, worst = 0;
    double size = fabs(I[0]) + fabs(I[1]) + slope->p;
    if (rigid->out->weights) {
        double impulse = dot2(w, I) + w[2] * I[2];
        double velocity = dot2(w + 3, slope->gamma) + w[5] * slope->vn;
        double most = (fabs(w[0]) + fabs(w[1]) + fabs(w[2])) * size +
                      (fabs(w[3]) + fabs(w[4])) * (slope->first + norm2(slope->gamma)) +
                      fabs(w[5]) * (1 + slope->vn);
        return most == 0 ? 0
                         : row_mismatch(slope, rigid->rows[0], impulse + velocity, -impulse, most);
    }
    for (int i = 0; i < 3; i++) {
        double off = row_mismatch(slope, rigid->rows[i], I[i], -I[i], size);
        worst = off > worst || isnan(off) ? off : worst;
    }
    return worst;
}

static void finish_rigid(RigidSlope *rigid) {
    OneSlope *out = rigid->out;
    const CaromContact *contact = rigid->contact;
    int slides = rigid->sticks && rigid->stop_p == 0 && norm2(rigid->slope.K) >= contact->mu;
    int rough = rigid->slope.rough || slides;
    if (rough && contact->mu == 0 && contact->mu_static == 0) {
        release_slip(rigid);
        rough = 0;
    }
    for (int i = 0; i < (out->weights ? 1 : 6); i++) {
        memcpy(out->outcome[i], rigid->rows[i], sizeof rigid->rows[i]);
        out->outcome[i][ONE_STIFFNESS] = out->outcome[i][ONE_RATIO] = 0;
    }
    if (out->weights) {
        turn_gradient(&rigid->units, out->outcome[0]);
    } else {
        turn_vector(&rigid->units, rigid->units.impulse, out->outcome);
        turn_vector(&rigid->units, rigid->units.velocity, out->outcome + 3);
    }
    for (int i = 0; i < out->kink_count; i++) {
        turn_gradient(&rigid->units, out->kinks[i].by);
    }
    if (contact->e == 0 || contact->mu == 0 || rigid->wedged) {
        out->smoothness = CAROM_ONE_SIDED;
    }
    if (rough) {
        spoil_velocity(out);
    }
}

static void clear_slope(OneSlope *slope) {
    slope->kink_count = 0;
    slope->smoothness = CAROM_SMOOTH;
    slope->message = "";
    slope->residual = NAN;
}

static const char SINGULAR_W[] =
    "inverse_inertia is singular, and the contact wedges: there is no derivative";

/* Solve and follow. */
static CaromStatus follow_rigid(const double W[9], const double v[3], RigidSlope *rigid,
                                CaromResult *result) {
    const RigidVisitor visitor = {rigid, rigid->way == RIGID_NODES_WAY, crm_follow_begin,
                                  crm_follow_piece, crm_follow_event};
    CaromTrace none = {0};
    Sampler sampler = {.trace = &none, .visitor = &visitor};
    clear_slope(rigid->out);
    return crm_rigid_solve(W, v, rigid->contact, rigid->law, &sampler, result);
}

/* How far the derivatives are off their identities; 0 if they do not exist anyway. The integral of
 * gamma counts in none of them, so the rule that gave it must have had p. */
static double check_rigid_slope(const RigidSlope *rigid) {
    const Slope *slope = &rigid->slope;
    double off = slope->rough ? 0 : find_mismatch(rigid), missed = slope->missed / slope->p;
    return isnan(off) ? INFINITY : missed > off && !slope->rough ? missed : off;
}

/* A singular W. If slip is along the free direction the locked one t does not matter: the outcome
 * is that with a mobility along t, and so are the derivatives by what is not along t. */
static CaromStatus locked_slope(const double W[9], const double v[3], const RigidSlope *rigid,
                                CaromStatus status) {
    const Slope *own = &rigid->slope;
    const Units *units = &rigid->units;
    OneSlope *out = rigid->out;
    if (rigid->locked == 2) {
        crm_slide_slope(units, own->B[0], own->d[0], own->first, rigid->contact, out);
        return status;
    }
    if (own->B[1] != 0 || own->B[2] != 0) {
        out->message = "inverse_inertia is singular, and slip goes across what it moves: the "
                       "derivatives are not computed";
        return CAROM_NOT_CONVERGED;
    }
    const double t[2] = {-units->axis[1], units->axis[0]};
    double wide[9], mobility = own->B[0] * W[8];
    memcpy(wide, W, sizeof wide);
    for (int i = 0; i < 4; i++) {
        wide[3 * (i / 2) + i % 2] += mobility * t[i / 2] * t[i % 2];
    }
    CaromResult other = {0};
    CaromStatus then = crm_rigid_slope_copy(wide, v, rigid->contact, rigid->law, &other, out);
    if (then < 0) {
        return CAROM_NOT_CONVERGED;
    }
    crm_locked_spoil(t, out);
    return status;
}

CaromStatus crm_rigid_slope_copy(const double W[9], const double v[3], const CaromContact *contact,
                                 CaromLaw law, CaromResult *result, OneSlope *slope) {
    RigidSlope rigid; /* crm_follow_begin() sets the rest */
    rigid.contact = contact;
    rigid.law = law;
    rigid.out = slope;
    rigid.way = RIGID_CLOSED;
    rigid.planar = 0;
    CaromStatus status = follow_rigid(W, v, &rigid, result);
    if (status < 0) {
        return status;
    }
    if (rigid.locked) {
        return locked_slope(W, v, &rigid, status);
    }
    if (rigid.wedged && rigid.sticks) {
        slope->message = SINGULAR_W;
        return CAROM_NOT_CONVERGED;
    }
    double off = check_rigid_slope(&rigid);
    for (RigidWay way = RIGID_NODES_WAY; way <= RIGID_LOG_TIME && off > RIGID_PLAIN; way++) {
        /* once more, more slowly, but without the singular X */
        OneSlope other = *slope;
        RigidSlope again = rigid;
        again.out = &other;
        again.way = way;
        follow_rigid(W, v, &again, result);
        double then = check_rigid_slope(&again);
        if (then < off) {
            *slope = other;
            rigid = again;
            rigid.out = slope;
            off = then;
        }
    }
    if (!(off < RIGID_MISMATCH)) {
        slope->message = "the derivative has lost its digits: slip passes zero too closely, or W "
                         "is nearly singular";
        return CAROM_NOT_CONVERGED;
    }
    finish_rigid(&rigid);
    slope->residual = rigid.slope.rough ? NAN : off;
    return status;
}

/* Feed the lines between the events of a planar impact, with a second tangent that does nothing. */
static void follow_plane(RigidSlope *rigid, const RigidSetting *setting, const CaromEvent *events,
                         int count) {
    const Units *units = &setting->units;
    double gamma = setting->speed, vn = -1, p = 0;
    int sticks = 0;
    crm_follow_begin(rigid, setting);
    for (int i = 0; i < count; i++) {
        double to = units->axis[0] * events[i].velocity[0] / units->velocity;
        double rise = events[i].velocity[2] / units->velocity;
        double at = events[i].normal_impulse / units->impulse;
        int stops = events[i].kind == CAROM_EVENT_STICK || events[i].kind == CAROM_EVENT_SLIP;
        double side = gamma != 0 ? gamma : setting->d[0];
        RigidPiece piece = {.kind = sticks ? RIGID_PIECE_STICK : RIGID_PIECE_LINE,
                            .gamma = {{gamma, 0}, {stops ? 0 : to, 0}},
                            .vn = {vn, rise},
                            .p = at - p,
                            .J = {-copysign(rigid->contact->mu, side), 0}};
        if (piece.p > 0) {
            crm_follow_piece(rigid, &piece);
        }
        crm_follow_event(rigid, events[i].kind);
        sticks |= events[i].kind == CAROM_EVENT_STICK;
        gamma = piece.gamma[1][0];
        vn = rise;
        p = at;
    }
}

CaromStatus crm_planar_slope_copy(const double W[4], const double v[2], const CaromContact *contact,
                                  CaromLaw law, CaromResult *result, OneSlope *slope) {
    RigidSlope rigid = {.contact = contact, .law = law, .planar = 1, .out = slope};
    CaromEvent events[CAROM_RIGID_EVENTS], *theirs = result->events;
    int capacity = result->event_capacity;
    clear_slope(slope);
    result->events = events;
    result->event_capacity = CAROM_RIGID_EVENTS;
    CaromStatus status = crm_planar_solve(W, v, contact, law, NULL, result);
    result->events = theirs;
    result->event_capacity = capacity;
    for (int i = 0; theirs && i < capacity && i < result->event_count; i++) {
        theirs[i] = events[i];
    }
    if (status < 0) {
        return status;
    }
    double speed = -v[1], w = W[3], side = v[0] < 0 ? -1 : 1;
    RigidSetting setting = {.units = {{side, 0}, speed, speed / w},
                            .B = {W[0] / w, 0, 1},
                            .d = {side * W[1] / w, 0},
                            .speed = fabs(v[0]) / speed};
    const double *B = setting.B, *d = setting.d;
    if (B[0] <= LOCKED) {
        crm_slide_slope(&setting.units, 0, 0, setting.speed, contact, slope);
        return status;
    }
    setting.wedged = !(B[0] - d[0] * d[0] > SINGULAR * B[0]);
    setting.K[0] = d[0] / B[0];
    setting.k = 1 - setting.K[0] * d[0];
    follow_plane(&rigid, &setting, events, result->event_count);
    if (rigid.wedged && rigid.sticks) {
        slope->message = SINGULAR_W;
        return CAROM_NOT_CONVERGED;
    }
    finish_rigid(&rigid);
    return status;
}
