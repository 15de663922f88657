/* One rigid contact: events along the slope of slip (slip_slope.h), and the outcome.
 *
 * An event where h(p) = 0 moves by dp = -dh/h'. The stored energy E is extremal where compression
 * ends, so that its derivative at fixed p is the derivative there:
 *
 *   compression ends    v_n = 0;   E <- e^2 E
 *   energetic           E = 0;     dp_r = dE/v_n
 *   Poisson             p_r = (1 + e) p_c
 *   Newton              v_n = -e v_n-
 *
 * and then gamma+ = gamma(p_r), J = B^-1 (gamma+ - gamma- - p_r d). */
#include "derivative/rigid_slope.h"

#include <math.h>
#include <string.h>

#include "contact/check.h"
#include "contact/singular.h"
#include "derivative/frame_turn.h"
#include "derivative/one.h"
#include "derivative/singular_slope.h"
#include "derivative/slip_slope.h"
#include "math/vec2.h"
#include "planar/planar.h"
#include "rigid/rigid.h"

/* Below this e the end of restitution is expanded about the end of compression: (dE - dL)/v_n has a
 * rounding error of eps/e, the expansion an error of e. */
static const double SLOPE_SMALL_E = 1e-8;

/* v_n' below this part of 1 + mu |d| is a turn of v_n. */
static const double TURN_OF_VN = 1e-9;

/* Errors of the identities of the derivatives: up to the first the closed form is taken, up to the
 * second they are accepted. The second attempt is slow: with 1e-10 the mean time is 0.85 times as
 * long, and twice as many errors are above 1e-11. */
static const double RIGID_PLAIN = 5e-12, RIGID_MISMATCH = 1e-7;

enum { RIGID_USED = 12 }; /* the last two inputs do nothing here */

typedef double Gradient[RIGID_USED];

typedef struct RigidSlope {
    Slope slope;
    const CaromContact *contact;
    CaromLaw law;
    Units units;
    int careful; /* log-time for all curves */
    int planar;  /* the second tangent does nothing */
    int locked, wedged;
    int stopped, sticks, restitution;
    Gradient K[2], k;
    /* the normal process */
    double E, peak;     /* E at the last mark, and before it lost energy there */
    double compression; /* p of the end of compression */
    Gradient stored;    /* of E at the last mark */
    Gradient end_of_compression, end;
    Gradient stop; /* of the p of the stop */
    double stop_p;
    double weights[6]; /* in the impact's own units */
    Gradient rows[6];  /* with weights only the first is used */
    OneSlope *out;
} RigidSlope;

/* From the seven numbers that slip depends on to the inputs; b = mu B. */
static void spread_slope(const Slope *slope, const double by[SLOPE_COUNT], double *out) {
    const double *b = by + SLOPE_B, *B = slope->B, mu = slope->mu;
    out[ONE_W11] = mu * b[0];
    out[ONE_W12] = mu * b[1];
    out[ONE_W13] = by[SLOPE_D];
    out[ONE_W22] = mu * b[2];
    out[ONE_W23] = by[SLOPE_D + 1];
    out[ONE_W33] = 0;
    out[ONE_V] = by[0];
    out[ONE_V + 1] = by[1];
    out[ONE_V + 2] = 0;
    out[ONE_MU] = B[0] * b[0] + B[1] * b[1] + B[2] * b[2];
    out[ONE_MU_STATIC] = out[ONE_E] = 0;
}

/* x = B^-1 (y1, y2) */
static void solve_B(const double B[3], double y1, double y2, double x[2]) {
    double det = B[0] * B[2] - B[1] * B[1];
    x[0] = (B[2] * y1 - B[1] * y2) / det;
    x[1] = (B[0] * y2 - B[1] * y1) / det;
}

/* The gradients of K and k. */
static void set_constants(RigidSlope *rigid) {
    const Slope *slope = &rigid->slope;
    const double *K = slope->K, *B = slope->B;
    const double change[5][2] = {
        {-K[0], 0}, {-K[1], -K[0]}, {1, 0}, {0, -K[1]}, {0, 1}}; /* delta d - delta B K */
    memset(rigid->K, 0, sizeof rigid->K);
    memset(rigid->k, 0, sizeof rigid->k);
    for (int j = 0; j < 5; j++) {
        double x[2];
        solve_B(B, change[j][0], change[j][1], x);
        rigid->K[0][j] = x[0];
        rigid->K[1][j] = x[1];
        rigid->k[j] = -dot2(change[j], K);
    }
    rigid->k[ONE_W13] -= K[0];
    rigid->k[ONE_W23] -= K[1];
    rigid->k[ONE_W33] = 1;
}

/* Slip that starts next to an invariant direction from which it turns away, but only after it has
 * almost stopped: on the direction itself it would stop before the end of the impact. */
static void note_direction(RigidSlope *rigid) {
    const Slope *slope = &rigid->slope;
    const double *b = slope->b, *d = slope->d, r = slope->first;
    double f = d[0] - b[0], g = d[1] - b[1], away = -f - b[2];
    if (r > 0 && slope->mu > 0 && away > 0 && r < -f * slope->p && !rigid->planar) {
        double *by = one_add_kink(rigid->out, CAROM_KINK_DIRECTION, g > 0, 0, g);
        by[ONE_W23] = 1;
        by[ONE_W12] = -slope->mu;
        by[ONE_MU] = -slope->B[1];
        by[ONE_V + 1] = away / r;
    }
}

static void rigid_begin(void *context, const RigidSetting *setting) {
    RigidSlope *rigid = context;
    crm_slope_begin(&rigid->slope, setting, rigid->contact->mu);
    rigid->slope.careful = rigid->careful;
    rigid->units = setting->units;
    rigid->locked = setting->locked;
    rigid->wedged = setting->wedged;
    rigid->stopped = rigid->sticks = rigid->restitution = 0;
    rigid->E = rigid->compression = 0;
    memset(rigid->stored, 0, sizeof rigid->stored);
    rigid->out->kink_count = 0;
    set_constants(rigid);
}

/* The gradient of v_n at fixed p. */
static void normal_gradient(const RigidSlope *rigid, double *out) {
    const Slope *slope = &rigid->slope;
    double along[SLOPE_COUNT], p = slope->p;
    double eta[2] = {slope->gamma[0] - slope->first, slope->gamma[1]};
    for (int j = 0; j < SLOPE_COUNT; j++) {
        along[j] = slope->K[0] * slope->by[0][j] + slope->K[1] * slope->by[1][j];
    }
    spread_slope(slope, along, out);
    for (int j = 0; j < RIGID_USED; j++) {
        out[j] += p * rigid->k[j] + (eta[0] * rigid->K[0][j] + eta[1] * rigid->K[1][j]);
    }
    out[ONE_V + 2] += 1;
}

/* The gradient of the stored energy at fixed p. */
static void energy_gradient(const RigidSlope *rigid, double *out) {
    const Slope *slope = &rigid->slope;
    double p = slope->since, middle = slope->p - p / 2;
    const double *H = slope->H;
    spread_slope(slope, slope->work, out);
    for (int j = 0; j < RIGID_USED; j++) {
        out[j] = rigid->stored[j] - (out[j] + p * middle * rigid->k[j] +
                                     (H[0] * rigid->K[0][j] + H[1] * rigid->K[1][j]));
    }
    out[ONE_V + 2] -= p;
}

/* The stored energy; v_n- = -1. */
static double energy_now(const RigidSlope *rigid) {
    const Slope *slope = &rigid->slope;
    double p = slope->since, middle = slope->p - p / 2;
    return rigid->E + p * (1 - middle * slope->k) - dot2(slope->K, slope->H);
}

/* v_n' */
static double normal_rise(const Slope *slope) {
    return slope->k + dot2(slope->K, slope->rate);
}

static void rigid_piece(void *context, const RigidPiece *piece) {
    RigidSlope *rigid = context;
    Slope *slope = &rigid->slope;
    if (rigid->locked) {
        return;
    }
    crm_slope_piece(slope, piece);
    double steep = slope->mu * norm2(slope->d), rise = normal_rise(slope);
    if (steep > 1 && piece->kind == RIGID_PIECE_CURVE && fabs(rise) <= TURN_OF_VN * (1 + steep)) {
        /* a turn of v_n: restitution would turn into compression here, or has done so */
        int happens = slope->vn < 0, counts = rigid->restitution || rigid->compression > 0;
        if (rigid->out->wants_kinks && counts && rigid->law == CAROM_LAW_ENERGETIC) {
            normal_gradient(rigid, one_add_kink(rigid->out, CAROM_KINK_RESTART, happens,
                                                rigid->contact->e < 1, slope->vn));
        }
    }
}

/* Take E and its gradient here, and count from here on. */
static void mark_energy(RigidSlope *rigid) {
    Gradient energy;
    energy_gradient(rigid, energy);
    rigid->E = energy_now(rigid);
    memcpy(rigid->stored, energy, sizeof energy);
    crm_slope_mark(&rigid->slope);
}

static void slope_end_compression(RigidSlope *rigid) {
    Slope *slope = &rigid->slope;
    double e = rigid->contact->e, rise = normal_rise(slope);
    slope->vn = 0;
    rigid->compression = slope->p;
    normal_gradient(rigid, rigid->end_of_compression);
    mark_energy(rigid);
    for (int j = 0; j < RIGID_USED; j++) {
        rigid->end_of_compression[j] *= -1 / rise;
        rigid->stored[j] *= e * e;
    }
    rigid->stored[ONE_E] += 2 * e * rigid->E;
    rigid->peak = rigid->E;
    rigid->E *= e * e;
    rigid->restitution = 1;
}

/* The gradient of the p at which restitution ends. */
static void slope_find_end(RigidSlope *rigid) {
    Slope *slope = &rigid->slope;
    double e = rigid->contact->e, rise = normal_rise(slope), *end = rigid->end;
    Gradient other;
    switch (rigid->law) {
    case CAROM_LAW_POISSON:
        for (int j = 0; j < RIGID_USED; j++) {
            end[j] = (1 + e) * rigid->end_of_compression[j];
        }
        end[ONE_E] += rigid->compression;
        return;
    case CAROM_LAW_NEWTON:
        normal_gradient(rigid, other);
        for (int j = 0; j < RIGID_USED; j++) {
            end[j] = -other[j] / rise;
        }
        end[ONE_E] += 1 / rise;
        end[ONE_V + 2] -= e / rise;
        return;
    default:
        if (e < SLOPE_SMALL_E) {
            memcpy(end, rigid->end_of_compression, sizeof rigid->end);
            end[ONE_E] += sqrt(2 * rigid->peak / rise);
            return;
        }
        energy_gradient(rigid, other);
        for (int j = 0; j < RIGID_USED; j++) {
            end[j] = other[j] / slope->vn;
        }
    }
}

/* J = B^-1 (eta - p d), in the impact's own units. */
static void find_impulse(const Slope *slope, double J[2]) {
    const double *d = slope->d, p = slope->p;
    solve_B(slope->B, slope->gamma[0] - slope->first - p * d[0], slope->gamma[1] - p * d[1], J);
}

/* The gradient of a weighted sum of I and v+: with y = B^-1 w_J and a = y + w_gamma it is
 *
 *   a.(d eta + eta' dp) + w_gamma.d gamma- + w_n dv_n + w_p dp - y.(dB J + d dp + p dd) */
static void slope_find_gradient(RigidSlope *rigid, const double w[6]) {
    const Slope *slope = &rigid->slope;
    const double *d = slope->d, p = slope->p, *end = rigid->end;
    double y[2], J[2], by[SLOPE_COUNT], *row = rigid->rows[0];
    find_impulse(slope, J);
    solve_B(slope->B, w[0], w[1], y);
    double a[2] = {y[0] + w[3], y[1] + w[4]}, n = w[5];
    double along[2] = {a[0] + n * slope->K[0], a[1] + n * slope->K[1]};
    double eta[2] = {slope->gamma[0] - slope->first, slope->gamma[1]};
    double by_end = dot2(a, slope->rate) + n * normal_rise(slope) + w[2] - dot2(y, d);
    for (int j = 0; j < SLOPE_COUNT; j++) {
        by[j] = along[0] * slope->by[0][j] + along[1] * slope->by[1][j];
    }
    spread_slope(slope, by, row);
    for (int j = 0; j < RIGID_USED; j++) {
        row[j] += by_end * end[j] +
                  n * (p * rigid->k[j] + (eta[0] * rigid->K[0][j] + eta[1] * rigid->K[1][j]));
    }
    row[ONE_V] += w[3];
    row[ONE_V + 1] += w[4];
    row[ONE_V + 2] += n;
    row[ONE_W11] -= y[0] * J[0];
    row[ONE_W12] -= y[0] * J[1] + y[1] * J[0];
    row[ONE_W22] -= y[1] * J[1];
    row[ONE_W13] -= y[0] * p;
    row[ONE_W23] -= y[1] * p;
}

/* The gradients of the outcome, in the impact's own units. */
static void slope_find_outcome(RigidSlope *rigid) {
    const Slope *slope = &rigid->slope;
    const double *B = slope->B, *d = slope->d, p = slope->p, rise = normal_rise(slope);
    const double *end = rigid->end;
    Gradient *rows = rigid->rows;
    double J[2];
    find_impulse(slope, J);
    spread_slope(slope, slope->by[0], rows[3]);
    spread_slope(slope, slope->by[1], rows[4]);
    normal_gradient(rigid, rows[5]);
    for (int j = 0; j < RIGID_USED; j++) {
        rows[2][j] = end[j];
        rows[0][j] = rows[3][j] + (slope->rate[0] - d[0]) * end[j];
        rows[1][j] = rows[4][j] + (slope->rate[1] - d[1]) * end[j];
        rows[3][j] += slope->rate[0] * end[j];
        rows[4][j] += slope->rate[1] * end[j];
        rows[5][j] += rise * end[j];
    }
    rows[3][ONE_V] += 1;
    rows[4][ONE_V + 1] += 1;
    rows[0][ONE_W11] -= J[0];
    rows[0][ONE_W12] -= J[1];
    rows[1][ONE_W12] -= J[0];
    rows[1][ONE_W22] -= J[1];
    rows[0][ONE_W13] -= p;
    rows[1][ONE_W23] -= p;
    for (int j = 0; j < RIGID_USED; j++) {
        double x[2];
        solve_B(B, rows[0][j], rows[1][j], x);
        rows[0][j] = x[0];
        rows[1][j] = x[1];
    }
}

/* ---- kinks ---- */

/* Slip stops before the end, or would have stopped soon after. */
static void note_stop(RigidSlope *rigid) {
    const Slope *slope = &rigid->slope;
    double r = norm2(slope->gamma), f = r > 0 ? dot2(slope->gamma, slope->rate) / r : 0;
    if (rigid->stopped) {
        if (!(rigid->stop_p > 0)) {
            return;
        }
        double *by =
            one_add_kink(rigid->out, CAROM_KINK_SLIP_STOPS, 1, 0, slope->p - rigid->stop_p);
        for (int j = 0; j < RIGID_USED; j++) {
            by[j] = rigid->end[j] - rigid->stop[j];
        }
        if (rigid->law == CAROM_LAW_POISSON) {
            by = one_add_kink(rigid->out, CAROM_KINK_ORDER, rigid->stop_p < rigid->compression, 0,
                              rigid->compression - rigid->stop_p);
            for (int j = 0; j < RIGID_USED; j++) {
                by[j] = rigid->end_of_compression[j] - rigid->stop[j];
            }
        }
    } else if (f < 0) {
        double *by = one_add_kink(rigid->out, CAROM_KINK_SLIP_STOPS, 0, 0, r / -f);
        double s[2] = {slope->gamma[0] / (r * -f), slope->gamma[1] / (r * -f)}, along[SLOPE_COUNT];
        for (int j = 0; j < SLOPE_COUNT; j++) {
            along[j] = s[0] * slope->by[0][j] + s[1] * slope->by[1][j];
        }
        spread_slope(slope, along, by);
        by[ONE_V] += s[0];
        by[ONE_V + 1] += s[1];
        for (int j = 0; j < RIGID_USED; j++) {
            by[j] -= rigid->end[j];
        }
    }
}

/* Slip that has stopped sticks where |K| <= mu_static. */
static void note_stick(RigidSlope *rigid) {
    const Slope *slope = &rigid->slope;
    double limit = contact_mu_static(rigid->contact), size = norm2(slope->K);
    if (!rigid->stopped) {
        return;
    }
    double *by = one_add_kink(rigid->out, CAROM_KINK_STICK_HOLDS, rigid->sticks, limit > slope->mu,
                              limit - size);
    for (int j = 0; j < RIGID_USED && size > 0; j++) {
        by[j] = -(slope->K[0] * rigid->K[0][j] + slope->K[1] * rigid->K[1][j]) / size;
    }
    by[limit > slope->mu ? ONE_MU_STATIC : ONE_MU] += 1;
}

static void rigid_event(void *context, CaromEventKind kind) {
    RigidSlope *rigid = context;
    Slope *slope = &rigid->slope;
    if (rigid->locked) {
        return;
    }
    switch (kind) {
    case CAROM_EVENT_COMPRESSION_END:
        slope_end_compression(rigid);
        break;
    case CAROM_EVENT_COMPRESSION_RESTART:
        slope->vn = 0;
        rigid->restitution = 0;
        break;
    case CAROM_EVENT_STICK:
    case CAROM_EVENT_SLIP:
        rigid->stopped = 1;
        rigid->sticks = kind == CAROM_EVENT_STICK;
        rigid->stop_p = slope->p;
        crm_slope_stop(slope, rigid->sticks);
        spread_slope(slope, slope->stop, rigid->stop);
        break;
    default:
        slope_find_end(rigid);
        if (rigid->out->weights) {
            turn_weights(&rigid->units, rigid->out->weights, rigid->weights);
            slope_find_gradient(rigid, rigid->weights);
        } else {
            slope_find_outcome(rigid);
        }
        if (rigid->out->wants_kinks) {
            note_direction(rigid);
            note_stop(rigid);
            note_stick(rigid);
        }
        break;
    }
}

/* ---- the result ---- */

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
    double I[3] = {0, 0, slope->p}, worst = 0;
    find_impulse(slope, I);
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
}

static const char SINGULAR_W[] =
    "inverse_inertia is singular, and the contact wedges: there is no derivative";

/* Solve and follow. */
static CaromStatus follow_rigid(const double W[9], const double v[3], RigidSlope *rigid,
                                CaromResult *result) {
    const RigidVisitor visitor = {rigid, rigid_begin, rigid_piece, rigid_event};
    CaromTrace none = {0};
    Sampler sampler = {.trace = &none, .visitor = &visitor};
    CaromEvent events[CAROM_RIGID_EVENTS], *theirs = result->events;
    int capacity = result->event_capacity;
    clear_slope(rigid->out);
    /* the visitor sees the events that there is room for */
    result->events = events;
    result->event_capacity = CAROM_RIGID_EVENTS;
    CaromStatus status = crm_rigid_solve(W, v, rigid->contact, rigid->law, &sampler, result);
    result->events = theirs;
    result->event_capacity = capacity;
    for (int i = 0; theirs && i < capacity && i < result->event_count; i++) {
        theirs[i] = events[i];
    }
    return status;
}

/* How far the derivatives are off their identities; 0 if they do not exist anyway. */
static double check_rigid_slope(const RigidSlope *rigid) {
    double off = rigid->slope.rough ? 0 : find_mismatch(rigid);
    return isnan(off) ? INFINITY : off;
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
    CaromStatus then = crm_rigid_slope(wide, v, rigid->contact, rigid->law, &other, out);
    if (then < 0) {
        return CAROM_NOT_CONVERGED;
    }
    crm_locked_spoil(t, out);
    return status;
}

CaromStatus crm_rigid_slope(const double W[9], const double v[3], const CaromContact *contact,
                            CaromLaw law, CaromResult *result, OneSlope *slope) {
    RigidSlope rigid; /* rigid_begin() sets the rest */
    rigid.contact = contact;
    rigid.law = law;
    rigid.out = slope;
    rigid.careful = rigid.planar = 0;
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
    if (off > RIGID_PLAIN) {
        /* once more in log-time, which is slow but has no singular X */
        OneSlope other = *slope;
        RigidSlope again = rigid;
        again.out = &other;
        again.careful = 1;
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
    return status;
}

/* Feed the lines between the events of a planar impact, with a second tangent that does nothing. */
static void follow_plane(RigidSlope *rigid, const RigidSetting *setting, const CaromEvent *events,
                         int count) {
    const Units *units = &setting->units;
    double gamma = setting->speed, vn = -1, p = 0;
    int sticks = 0;
    rigid_begin(rigid, setting);
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
            rigid_piece(rigid, &piece);
        }
        rigid_event(rigid, events[i].kind);
        sticks |= events[i].kind == CAROM_EVENT_STICK;
        gamma = piece.gamma[1][0];
        vn = rise;
        p = at;
    }
}

CaromStatus crm_planar_slope(const double W[4], const double v[2], const CaromContact *contact,
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
