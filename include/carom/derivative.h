/* Derivatives of an impact: of impulse and velocity after by everything that was given.
 *
 * The outcome is a smooth function of its input except where the sequence of events changes: at
 * kinks. Derivatives are exact (docs/derivatives.md), one-sided at a kink, and come with the
 * distance to the next kinks. No function allocates; all are pure functions of their arguments. */
#ifndef CAROM_DERIVATIVE_H
#define CAROM_DERIVATIVE_H

#include <stddef.h>

#include <carom/batch.h>
#include <carom/problem.h>
#include <carom/result.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The coefficients of a contact, in the order in which derivatives have them. */
typedef enum CaromCoefficient {
    CAROM_COEFFICIENT_MU = 0,
    CAROM_COEFFICIENT_MU_STATIC = 1,
    CAROM_COEFFICIENT_E = 2,
    CAROM_COEFFICIENT_STIFFNESS = 3,
    CAROM_COEFFICIENT_STIFFNESS_RATIO = 4,
    CAROM_COEFFICIENT_COUNT = 5
} CaromCoefficient;

/* The inputs of a problem as one vector:
 *
 *   W     the upper triangle of inverse_inertia, by rows: w11, w12, ..., w1m, w22, ...
 *   v     velocity, m numbers; m = 3n, planar 2n
 *   then for each contact its coefficients: mu, mu_static, e, stiffness, stiffness_ratio
 *
 * A derivative by an entry of W beside the diagonal is by both mirrored entries at once. By
 * mu_static it is 0 where it is used at all (it only decides). With mu_static left 0 (as mu) the
 * derivative by mu is by both. */
typedef struct CaromInputs {
    int rows;    /* m */
    int v;       /* index of the first velocity */
    int contact; /* index of the first contact's mu */
    int count;   /* of all inputs */
} CaromInputs;

/* The layout for 1 to CAROM_CONTACTS_MAX contacts; all 0 else. */
CAROM_API CaromInputs carom_inputs(int contact_count, int planar);

/* Index of W_ij, 0 <= i, j < m; W_ij and W_ji have the same. -1 if inputs is NULL. */
CAROM_API int carom_input_W(const CaromInputs *inputs, int i, int j);

/* Index of a coefficient of a contact. */
CAROM_API int carom_input_coefficient(const CaromInputs *inputs, int contact,
                                      CaromCoefficient coefficient);

/* Inputs of one spatial contact: 6 of W, 3 of v, 5 coefficients. */
#define CAROM_INPUTS_ONE 14

/* Can the outcome be differentiated where it is? */
typedef enum CaromSmoothness {
    CAROM_SMOOTH = 0,
    /* On the edge of what is allowed (e 0, mu 0; several compliant contacts: e 1 as well), or on a
     * kink: the derivative is that of the side that is allowed, or on which the outcome lies. */
    CAROM_ONE_SIDED = 1,
    /* There is none, of some or all outcomes or by some inputs; these derivatives are NaN, and
     * message says why. */
    CAROM_NOT_SMOOTH = 2
} CaromSmoothness;

/* Where the sequence of events changes. */
typedef enum CaromKinkKind {
    CAROM_KINK_SLIP_STOPS = 0,  /* slip stops just before the end of the impact, or not at all */
    CAROM_KINK_STICK_HOLDS = 1, /* slip that has stopped sticks, or starts again */
    CAROM_KINK_RESTART = 2,     /* compression restarts, or just does not */
    CAROM_KINK_START = 3,       /* the mode at the start: slip or stick */
    CAROM_KINK_ORDER = 4,       /* two events change their order */
    CAROM_KINK_DIRECTION = 5,   /* slip starts on the other side of an invariant direction */
    CAROM_KINK_TOUCH = 6        /* several contacts: a contact acts or does not; a mode changes */
} CaromKinkKind;

/* Name of a kind as it appears in files, e.g. "slip_stops"; a constant string. */
CAROM_API const char *carom_kink_string(CaromKinkKind kind);

/* A kink near the input. */
typedef struct CaromKink {
    CaromKinkKind kind;
    int contact;
    /* 1: the event of the kink happens (slip stops, stick holds, compression restarts, the contact
     * starts in slip or acts); 0: it does not. The derivative belongs to this side. */
    int happens;
    /* How far away it is: the smallest change of one input, as a part of its own size, that reaches
     * the kink, to first order. 0: the input lies on it; above 1: far. */
    double distance;
    int jumps; /* 1: the outcome itself jumps there; 0: only its derivatives do */
} CaromKink;

/* Room for all kinks of one contact. */
#define CAROM_KINKS_ONE 8

/* The caller sets the pointers (any of them may be NULL: that part is then not reported) and
 * kink_capacity; the call writes everything else. On failure numbers are NaN and counts 0. */
typedef struct CaromDerivative {
    double *impulse;  /* m rows of inputs.count: dI_i/dinput_j */
    double *velocity; /* likewise: dv+_i/dinput_j */
    CaromKink *kinks; /* nearest first; those of compliant contacts take time: NULL if not wanted */
    int kink_capacity;
    int kink_count; /* those beyond kink_capacity are not stored */
    CaromSmoothness smoothness;
    const char *message; /* constant string: why it is not smooth or could not be computed; "" */
    /* How far the derivatives of the impulse are off dI/dv.v = I and dI/dW.W = -I, relative to the
     * terms of these sums; several compliant contacts: degree 0 in stiffness as well, and not less
     * than the error of the solution. Most often rounding; where it is not, about the error. NaN:
     * not known (several rigid contacts). */
    double residual;
} CaromDerivative;

/* Numbers (not bytes) of workspace that several contacts need, for the pieces of the process of
 * compliant ones above all: some 120,000 for two contacts. 0 for one contact. */
CAROM_API size_t carom_derivative_workspace(int contact_count);

/* Solve a problem as carom_solve() does with the default options, to the same bits, and
 * differentiate. result may be NULL. workspace: carom_derivative_workspace() numbers; may be NULL
 * for one contact. Returns the status of the solve, or CAROM_NOT_CONVERGED if it succeeded but its
 * derivative could not be computed to some nine digits (derivative->message says why; *result is
 * there). Thread-safe. */
CAROM_API CaromStatus carom_differentiate(const CaromProblem *problem, double *workspace,
                                          CaromResult *result, CaromDerivative *derivative);

/* The same in reverse: with a function L of the outcome, of which impulse_weight (m numbers) is
 * dL/dI and velocity_weight dL/dv+ (either may be NULL: 0), writes dL/dinput to gradient
 * (inputs.count numbers). Kinks and smoothness go to *derivative, whose impulse and velocity are
 * not used; it may be NULL. The cost does not grow with the number of inputs. */
CAROM_API CaromStatus carom_differentiate_reverse(const CaromProblem *problem,
                                                  const double *impulse_weight,
                                                  const double *velocity_weight, double *workspace,
                                                  CaromResult *result, CaromDerivative *derivative,
                                                  double *gradient);

/* One rigid contact by its velocity alone, in closed form: impulse and velocity after, and their
 * derivatives by v (3 x 3 by rows). The direct call for hot paths. *smoothness may be NULL. On
 * failure all numbers are NaN. */
CAROM_API CaromStatus carom_rigid_velocity_derivative(const double W[9], const double v[3],
                                                      const CaromContact *contact, CaromLaw law,
                                                      CaromResult *result, double impulse_by_v[9],
                                                      double velocity_by_v[9],
                                                      CaromSmoothness *smoothness);

/* The derivatives of one case of a batch. */
typedef struct CaromCaseDerivative {
    double impulse[3 * CAROM_INPUTS_ONE]; /* by rows, inputs as in CaromInputs */
    double velocity[3 * CAROM_INPUTS_ONE];
    CaromSmoothness smoothness;
    CaromKink kink; /* the nearest; distance INFINITY if there is none */
} CaromCaseDerivative;

/* As carom_batch_solve(), with derivatives: rigid contacts with the energetic law in SIMD lanes,
 * what lanes do not suit one after the other by carom_differentiate(). Lanes pass the same checks;
 * the last digits differ. Each outcome and derivative depends on its case alone; outcomes of rigid
 * contacts have the bits of carom_batch_solve(). Takes some 350 kB of stack. */
CAROM_API void carom_batch_differentiate(size_t count, const CaromCase *cases,
                                         CaromOutcome *outcomes, CaromCaseDerivative *derivatives);

#ifdef __cplusplus
}
#endif

#endif
