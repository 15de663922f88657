/* Sums over the nodes of a rule, four at a time: the integrals of rigid/rigid_visit.h. */
#ifndef CAROM_RIGID_NODE_SUMS_H
#define CAROM_RIGID_NODE_SUMS_H

#include "rigid/curve/regular.h"
#include "rigid/rigid_visit.h"

/* Four points on a curve. */
typedef struct NodeFour {
    Quad s[2], r;
    Quad p, J[2], A;
} NodeFour;

typedef struct NodeSums {
    const Slip *slip;
    const CurvePoint *base;   /* from which p, J and A count */
    double K[2], k, along;    /* along: K.gamma of the base */
    Quad sum[3][5], gamma[2]; /* as in RigidSums, without its zeros */
} NodeSums;

static inline void node_sums_begin(const Slip *slip, const CurvePoint *base, NodeSums *sums) {
    /* Speed: zeros that compilers do not know to be zeros, because they would call memset() */
    const Quad none = quad_all(0 * slip->mu);
    sums->slip = slip;
    sums->base = base;
    slip_solve(slip->B, slip->d, sums->K);
    sums->k = 1 - dot2(sums->K, slip->d);
    sums->along = dot2(sums->K, base->gamma);
    sums->gamma[0] = sums->gamma[1] = none;
    for (int i = 0; i < 15; i++) {
        sums->sum[i / 5][i % 5] = none;
    }
}

/* From two pairs of points. */
static inline void node_four(const PointPair *a, const PointPair *b, NodeFour *four) {
    for (int i = 0; i < 2; i++) {
        four->s[i] = quad_of(a->rates.s[i], b->rates.s[i]);
        four->J[i] = quad_of(a->J[i], b->J[i]);
    }
    four->r = quad_of(a->rates.r, b->rates.r);
    four->p = quad_of(a->p, b->p);
    four->A = quad_of(a->A, b->A);
}

/* a x + b y */
static inline Quad node_mix(double a, Quad x, double b, Quad y) {
    return quad_join(quad_all(a), x, quad_times(quad_all(b), y));
}

/* p or J of the moments. */
static inline Quad node_moment(const MomentSeries *moments, int i, const Quad N[3]) {
    const double(*map)[4] = moments->map;
    return quad_plus(
        node_mix(map[1][i], N[1], map[0][i], N[0]),
        quad_minus(quad_times(quad_all(map[2][i]), N[2]), quad_all(moments->origin[i])));
}

/* A of a regular curve from the last of its series times x, and v_n and gamma. */
static inline Quad node_work(const RegularCurve *curve, const Slip *slip, Quad last, Quad vn,
                             const Quad gamma[2], const NodeFour *at) {
    const ImpactState *start = &curve->span.start;
    const MomentSeries *moments = &curve->moments;
    if (curve->has_own_work) {
        return quad_minus(quad_minus(quad_all(curve->a), last),
                          quad_times(quad_all(curve->vn), at->p));
    }
    Quad twice = quad_times(at->p, quad_plus(quad_all(start->vn), vn));
    for (int i = 0; i < 2; i++) {
        twice = quad_join(at->J[i], quad_plus(quad_all(start->gamma[i]), gamma[i]), twice);
    }
    Quad F = quad_minus(quad_times(last, quad_all(moments->square)), quad_all(moments->F));
    return quad_minus(quad_times(quad_all(-slip->mu), F), quad_times(quad_all(0.5), twice));
}

/* Four points of a regular curve, as regular_at() has them, from its series there. Returns
 * dtheta/dx. */
static inline Quad node_regular(const RegularCurve *curve, const Slip *slip, Quad x,
                                const Quad sum[4], NodeFour *at) {
    const MomentSeries *moments = &curve->moments;
    const ImpactState *start = &curve->span.start;
    const double *m0 = moments->spinor.m0, *m1 = moments->spinor.m1, *B = slip->B, *d = slip->d;
    Quad xx = quad_times(x, x), gamma[2];
    const Quad N[3] = {quad_times(x, sum[0]), quad_times(xx, sum[1]),
                       quad_times(quad_times(x, xx), sum[2])};
    Quad a = quad_join(x, quad_all(m1[0]), quad_all(m0[0])),
         b = quad_join(x, quad_all(m1[1]), quad_all(m0[1])), aa = quad_times(a, a),
         bb = quad_times(b, b), inverse = quad_inverse(quad_plus(aa, bb));
    at->s[0] = quad_times(quad_minus(aa, bb), inverse);
    at->s[1] = quad_times(quad_times(quad_plus(a, a), b), inverse);
    at->p = node_moment(moments, 0, N);
    at->J[0] = node_moment(moments, 1, N);
    at->J[1] = node_moment(moments, 2, N);
    for (int i = 0; i < 2; i++) {
        Quad pushed = node_mix(B[i], at->J[0], B[i + 1], at->J[1]);
        gamma[i] = quad_plus(quad_all(start->gamma[i]), quad_join(quad_all(d[i]), at->p, pushed));
    }
    Quad vn =
        quad_plus(quad_all(start->vn), quad_plus(at->p, node_mix(d[0], at->J[0], d[1], at->J[1])));
    at->r = quad_join(gamma[1], at->s[1], quad_times(gamma[0], at->s[0]));
    at->A = node_work(curve, slip, quad_times(x, sum[3]), vn, gamma, at);
    return quad_times(quad_all(moments->spinor.k), inverse);
}

/* Add four nodes, with weights dtheta; weight_r is for functions with the factor r. Returns the
 * weights dp. */
static inline Quad node_sums_add(NodeSums *sums, const NodeFour *at, Quad weight, Quad weight_r) {
    const double *d = sums->slip->d, *b = sums->slip->b;
    const CurvePoint *base = sums->base;
    Quad s0 = at->s[0], s1 = at->s[1], r = at->r, p = quad_minus(at->p, quad_all(base->p));
    Quad rate0 = quad_minus(quad_all(d[0]), node_mix(b[1], s1, b[0], s0)),
         rate1 = quad_minus(quad_all(d[1]), node_mix(b[2], s1, b[1], s0));
    /* dp = (r/g) dtheta, 1/det X = -1/(r g) */
    Quad over = quad_inverse(quad_minus(quad_times(s0, rate1), quad_times(s1, rate0)));
    /* K.Xi: K.(gamma - gamma_0) = d.J + K.d p, and the integral of gamma from that of v_n */
    Quad push = node_mix(d[1], quad_minus(at->J[1], quad_all(base->J[1])), d[0],
                         quad_minus(at->J[0], quad_all(base->J[0])));
    Quad change = quad_join(quad_all(1 - sums->k), p, push);
    Quad area = quad_join(p, quad_join(quad_all(0.5 * sums->k), p, quad_all(base->vn)),
                          quad_minus(at->A, quad_all(base->A)));
    Quad scaling =
        quad_minus(quad_times(p, quad_minus(quad_all(sums->along), change)), quad_plus(area, area));
    Quad minus1 = quad_minus(quad_all(0), rate1);
    Quad X[3][2] = {{quad_join(p, minus1, quad_times(r, s1)),
                     quad_minus(quad_times(p, rate0), quad_times(r, s0))},
                    {minus1, rate0}};
    X[2][0] = quad_join(scaling, X[1][0], quad_times(change, X[0][0]));
    X[2][1] = quad_join(scaling, X[1][1], quad_times(change, X[0][1]));
    Quad dp = quad_times(quad_times(weight_r, over), r), flow = quad_times(dp, r);
    Quad first = quad_times(quad_times(weight, over), over),
         last = quad_times(quad_times(weight_r, over), over);
    for (int i = 0; i < 3; i++) {
        Quad *sum = sums->sum[i], by = quad_minus(quad_all(0), i < 2 ? first : last);
        Quad x = quad_times(by, X[i][0]), y = quad_times(by, X[i][1]);
        sum[0] = quad_plus(sum[0], x);
        sum[1] = quad_plus(sum[1], y);
        sum[2] = quad_join(x, s0, sum[2]);
        sum[3] = quad_join(x, s1, quad_join(y, s0, sum[3]));
        sum[4] = quad_join(y, s1, sum[4]);
    }
    sums->gamma[0] = quad_join(flow, s0, sums->gamma[0]);
    sums->gamma[1] = quad_join(flow, s1, sums->gamma[1]);
    return dp;
}

static inline void node_sums_total(const NodeSums *sums, RigidSums *out) {
    for (int i = 0; i < 3; i++) {
        const Quad *row = sums->sum[i];
        Pair d = quad_sums(row[0], row[1]), b = quad_sums(row[2], row[4]);
        double *to = out->sum[i];
        to[0] = to[1] = to[7] = 0;
        to[2] = LANE(d, 0);
        to[3] = LANE(d, 1);
        to[4] = -LANE(b, 0);
        to[5] = -quad_sum(row[3]);
        to[6] = -LANE(b, 1);
    }
    Pair gamma = quad_sums(sums->gamma[0], sums->gamma[1]);
    out->gamma[0] = LANE(gamma, 0);
    out->gamma[1] = LANE(gamma, 1);
}

#endif
