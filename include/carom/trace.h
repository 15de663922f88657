/* The process of an impact, sampled for plots and tables. */
#ifndef CAROM_TRACE_H
#define CAROM_TRACE_H

#include <carom/solve.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CaromMode {
    CAROM_MODE_SLIP = 0,  /* sliding */
    CAROM_MODE_STICK = 1, /* not sliding; a compliant contact may still give along the surface */
    CAROM_MODE_OPEN = 2   /* several contacts: this one does not act at the moment */
} CaromMode;

/* Arrays to fill, n contacts per sample; any of them may be NULL. In a planar problem impulse and
 * velocity have 2n numbers per sample, (t, n) per contact, as the problem's own vectors do. */
typedef struct CaromTrace {
    int capacity;     /* samples wanted, >= 2 */
    double *clock;    /* capacity; the normal impulse p, of all contacts together */
    double *impulse;  /* 3n * capacity, I so far */
    double *velocity; /* 3n * capacity, contact velocity (gamma and v_n) */
    /* n * capacity, normal energy E; a sample that falls on an end of compression may have it
     * before or after the loss. Below 0 where a law creates energy. */
    double *stored;
    CaromMode *mode;    /* n * capacity */
    int count;          /* written: samples filled, capacity or 0 */
    double *tangential; /* n * capacity, energy of the tangential spring; rigid: 0 */
    /* 2n * capacity (planar: n), the extension x of the tangential spring times sqrt(2 k), with k
     * the stiffness of the normal spring in compression, which need not be known: the square is 4
     * stiffness_ratio times the energy. Rigid: 0. */
    double *spring;
    /* Likewise, dx/dt, a velocity: that of the contact in stick, less in slip. NaN where a contact
     * of several slips while it is held together. */
    double *spring_rate;
} CaromTrace;

/* Solve the problem exactly and sample the process at capacity equal steps of the clock, both
 * ends included. options: NULL, or as for carom_solve() with the method EXACT. result may be NULL;
 * else it is filled as by carom_solve(). More than CAROM_STACK_CONTACTS contacts allocate memory
 * for the impulses. */
CAROM_API CaromStatus carom_trace(const CaromProblem *problem, const CaromOptions *options,
                                  CaromTrace *trace, CaromResult *result);

#ifdef __cplusplus
}
#endif

#endif
