/* One rigid contact, followed: the derivatives of its events and of its outcome, in the impact's
 * own units. The visitor's functions of rigid/rigid_visit.h; context is a RigidSlope. */
#ifndef CAROM_DERIVATIVE_RIGID_FOLLOW_H
#define CAROM_DERIVATIVE_RIGID_FOLLOW_H

#include "contact/units.h"
#include "derivative/copies.h"
#include "derivative/one.h"
#include "derivative/slip_nodes.h"
#include "derivative/slip_slope.h"
#include "rigid/rigid.h"

enum { RIGID_USED = 12 }; /* the last two inputs do nothing here */

typedef double Gradient[RIGID_USED];

/* v_n, E and p of events depend on the path by the seven numbers of slip_slope.h, and on k, K and
 * v_n- beside: the coefficients of d(those), in this order, and last the derivative by e. Speed:
 * gradients are sums of these along the path, and become gradients by the inputs only once. */
enum { PATH_K = SLOPE_COUNT, PATH_VN = PATH_K + 3, PATH_COUNT };

typedef struct PathGradient {
    double by[PATH_COUNT], e;
} PathGradient;

/* How curves are followed: by the closed form (slip_slope.c), at the solver's nodes (slip_nodes.c),
 * or with a solution of its own (slip_log_time.c). Each way takes longer than the one before it and
 * loses fewer digits. */
typedef enum RigidWay { RIGID_CLOSED, RIGID_NODES_WAY, RIGID_LOG_TIME } RigidWay;

typedef struct RigidSlope {
    Slope slope;
    const CaromContact *contact;
    CaromLaw law;
    Units units;
    RigidWay way;
    int planar; /* the second tangent does nothing */
    int locked, wedged;
    int stopped, sticks, restitution;
    double constants[3][5]; /* of k and K by w11, w12, w13, w22, w23; dk/dw33 = 1 */
    /* the normal process */
    double E, peak;      /* E at the last mark, and before it lost energy there */
    double compression;  /* p of the end of compression */
    PathGradient stored; /* of E at the last mark */
    PathGradient end_of_compression, end;
    double stop[SLOPE_COUNT]; /* of the p of the stop */
    double stop_p;
    double weights[6]; /* in the impact's own units */
    Gradient rows[6];  /* with weights only the first is used */
    OneSlope *out;
    SlopeRule rule; /* RIGID_NODES_WAY only */
} RigidSlope;

/* The start, a piece of slip, an event; the last event fills the rows, and the kinks of out. */
void crm_follow_begin(void *context, const RigidSetting *setting);
void crm_follow_piece(void *context, const RigidPiece *piece);
void crm_follow_event(void *context, CaromEventKind kind);

#endif
