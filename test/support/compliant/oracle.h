/* An independent slow solver of one compliant contact, in long double: the measure of the tests.
 *
 * Units: W_nn = 1, |v_n-| = 1, normal stiffness k = 1 at first, tangential kt = 1/eta^2. The state
 * is v, the impulse I so far, the normal force N and the tangential force or its direction; with t
 * the time, N' = -k v_n, I' = F, v' = W F:
 *
 *   stick, clock t:                      F_t = q,        q' = -kt v_t
 *   slip,  clock theta, dt = N d theta:  F_t = -mu N s,  s turns at the rate (kt/mu) v_t.s_perp
 *
 * With that clock slip is polynomial and N -> 0 is at infinity, at the start and at the end: it
 * starts at a small N, where its direction is that of v_t-, and ends where what is left of the
 * impulse is below rounding.
 * Stick ends where mu N - |q| falls through 0, slip where the sliding speed v_t.s + mu (k/kt) v_n
 * does, compression where v_n rises through 0 (k becomes k/e^2), restitution where N is used up; if
 * v_n falls through 0 before that, compression restarts (k kept).
 *
 * Chatter. With 0 < e < 1 the tangential spring may press v_n down so hard that restitution never
 * ends: compression ends and restarts without end, k grows by 1/e^2 each time and the periods
 * shrink by e, so that all of it takes finite time. The limit is a contact that is latched: v_n
 * = 0, N swings infinitely fast about -d.F_t/w with an amplitude that stick does not change. What
 * matters is the mean of N, which gives the impulse, and its lowest value, which the friction cone
 * sees. Let N stand for the lowest value: it follows N' = kt d.v_t, and with that all
 * of the above holds as it is (slip: each swing touches the cone and slips a little), but for the
 * end, which also comes if mu d.s falls to w.
 *
 * Integrated by Gragg's midpoint rule with extrapolation. An event is found by repeating the step
 * that jumped over it with ever better lengths. No closed form is used but for mu = 0, no code and
 * no method is shared with the library. Where long double is no wider than double the results are
 * only as good as double. */
#ifndef CAROM_TEST_COMPLIANT_ORACLE_H
#define CAROM_TEST_COMPLIANT_ORACLE_H

#include "support/contact/impact.h"

#define COMPLIANT_EVENTS 64

/* The answer of an oracle or of the library to a compliant impact. */
typedef struct CompliantAnswer {
    Answer answer;
    const char *message; /* library only: the error message, or "" */
    int latched;         /* oracle only: 1 if the contact chattered and latched */
    int event_count;     /* all that happened; the first COMPLIANT_EVENTS of them are kept */
    CaromEvent events[COMPLIANT_EVENTS];
    CaromEnergy energy;
} CompliantAnswer;

/* How to integrate; compliant_oracle_default() has the oracle's own settings. */
typedef struct OracleSettings {
    double tolerance;   /* error per step, relative to the units above */
    double start_force; /* where slip from the first touch starts */
    long step_limit;    /* ok is 0 beyond */
    double stiffest;    /* beyond this, in units of the first k, compression leaves k as it is:
                           chatter is then followed through, and the limit is not taken */
} OracleSettings;

OracleSettings compliant_oracle_default(void);

/* Solve; ok is 0 if the step limit was hit. Thread-safe. The time grows with compliant_stiffness():
 * measured, 4 ms (mean) up to 10, 60 ms up to 100, up to a minute at 3000. */
CompliantAnswer compliant_oracle_solve(const Impact *impact);
CompliantAnswer compliant_oracle_solve_with(const Impact *impact, OracleSettings settings);

#endif
