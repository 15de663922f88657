/* Phrases and numbers of reports about the outcome: motion, energy, accuracy. The solution must
 * have a result. */
#ifndef CAROM_CLI_REPORT_WORDS_OUTCOME_WORDS_H
#define CAROM_CLI_REPORT_WORDS_OUTCOME_WORDS_H

#include "base/words.h"
#include "solve/motion.h"
#include "solve/solution.h"

/* Length of the tangential part of a contact's vector. */
double report_tangential(const double *x, int rows);

/* How many times a contact acts, and whether it latches. */
int report_times(const CaromResult *result, int contact, bool *latched);

/* Several rigid contacts at once: "open", "slips" or "sticks". */
const char *report_mode_words(const Scene *scene, const CaromResult *result, int contact);

/* The velocity at a contact after the impact; components that are only rounding error become 0. */
void report_contact_after(const Scene *scene, const CaromResult *result, int contact,
                          double shown[3]);

/* A body's velocity (angular: angular velocity) after the impact. Components that are only rounding
 * error become 0. */
void report_after(const Solution *solution, const MotionNoise *noise, int body, bool angular,
                  double shown[3]);

/* The sentence that replaces the angular velocities; NULL: show them. */
const char *report_turn_words(const Scene *scene, const Solution *solution);

/* An amount of energy, and as a part of the energy before the impact. NaN: not known; an unknown
 * amount is left out. */
typedef struct ReportAmount {
    const char *what;
    double amount, part;
} ReportAmount;

/* Rows of the energy account. */
enum {
    ACCOUNT_BEFORE,
    ACCOUNT_FRICTION,
    ACCOUNT_NORMAL,
    ACCOUNT_AFTER,
    ACCOUNT_CHANGE,
    ACCOUNT_ROWS
};

typedef struct ReportAccount {
    const char *owner; /* "the bodies" */
    Words title;
    ReportAmount rows[ACCOUNT_ROWS];
} ReportAccount;

ReportAccount report_account(const Scene *scene, const Solution *solution);

/* The outcome in plain words: who meets, how fast they part, the energy left. */
Words report_plain_words(const Scene *scene, const Solution *solution);

/* Which part of the energy is lost, and to what; empty if the energy before is not known. */
Words report_loss_words(const Scene *scene, const Solution *solution);

/* One compliant contact: the energy that the tangential spring held, and the ratio of tangential
 * speeds after and before (direction NULL: there was none before). */
typedef struct ReportSurface {
    ReportAmount held;
    const char *direction;
    double part;
} ReportSurface;

ReportSurface report_surface(const Scene *scene, const Solution *solution);

/* The estimated error; and a warning, empty if there is none. */
Words report_accuracy_words(const CaromResult *result);
Words report_warning_words(const Scene *scene, const CaromResult *result);

/* Whether there are other solutions; empty if none was found. */
Words report_solutions_words(const CaromResult *result);

/* Whether the outcome depends on more than the law of friction, or jumps nearby; empty if neither
 * was seen. */
Words report_ambiguous_words(const CaromResult *result);
Words report_jump_words(const CaromResult *result);

#endif
