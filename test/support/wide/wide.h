/* The library in long double: its own sources, compiled with another type (wide.sed), as a measure
 * of rounding and of truncated series. Tolerances are 2048 times smaller there, and bounces are
 * followed 1000 times further, with friction 100,000 times: with e of some thousandths the truth
 * would often end with the same bounce as the answer. Much shorter ones are lost in its rounding.
 * It cannot detect an error of the model or of the method: for that there are the oracles, which
 * share no code. No header of the library may be included where this is implemented with another
 * double, so the problem is given in plain types. */
#ifndef CAROM_TEST_WIDE_WIDE_H
#define CAROM_TEST_WIDE_WIDE_H

/* As CaromContact. */
typedef struct WideContact {
    double mu, mu_static, e, stiffness, stiffness_ratio;
} WideContact;

/* As CaromProblem. */
typedef struct WideProblem {
    int model, law, contact_count, planar;
    const double *inverse_inertia, *velocity;
    const WideContact *contacts;
} WideProblem;

#define WIDE_CONTACTS 36

/* carom_solve() with the defaults; returns its status. impulse has the rows of the velocity.
 * Thread-safe. */
int wide_solve(const WideProblem *problem, long double *impulse);

/* carom_differentiate() of one spatial contact: its 14 inputs in the order of carom_inputs(), and
 * the derivatives of the impulse by them, 3 rows of 14. Returns its status. Thread-safe. */
int wide_differentiate(const WideProblem *problem, const long double *inputs,
                       long double *by_impulse, long double *residual);

#endif
