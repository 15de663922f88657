/* What reports say, whether as text or as a page: words and amounts, without their layout. The
 * solution must have a result. */
#ifndef CAROM_CLI_REPORT_WORDS_H
#define CAROM_CLI_REPORT_WORDS_H

#include "motion.h"
#include "solution.h"

/* A sentence or a part of one. */
typedef struct Words {
    char text[256];
} Words;

/* A name that cannot disturb the terminal, cut to size. */
typedef struct PlainName {
    char text[48];
} PlainName;

PlainName report_name(const char *name);

/* Model, law and method. */
Words report_model_words(const Scene *scene, CaromMethod method, bool as_printed);

/* The coefficients of a contact, "mu = 0.3, e = 0.6"; and whether all contacts have the same. */
Words report_coefficient_words(const Scene *scene, int contact);
bool report_is_alike(const Scene *scene);

/* The bodies of a contact, "ball hits table"; empty if the scene has none. */
Words report_pair(const Scene *scene, int contact);

/* What becomes of a slip that has stopped, at one rigid contact; empty if nothing can be said. */
Words report_slip_words(const Scene *scene, const Solution *solution);

/* How the impact starts, empty if an event says it; and the first event to be told after that. */
Words report_start_words(const Scene *scene, const Solution *solution);
int report_first_event(const Scene *scene, const Solution *solution);

/* An event, without the contact's index, and its moment: the normal impulses of all contacts
 * together. */
Words report_event_words(const Scene *scene, const CaromEvent *event);
double report_clock(const Scene *scene, const Solution *solution, int event);

/* What the events of several contacts come to. */
typedef struct ReportSummary {
    int started; /* contacts that act from the start */
    int acted;   /* contacts that act at some time */
    int latched; /* contacts that stay in touch for a time */
    int most;    /* acting at once */
} ReportSummary;

ReportSummary report_summary(const Scene *scene, const Solution *solution);
Words report_acting_words(const Scene *scene, const ReportSummary *summary);
Words report_count_words(const Solution *solution, const ReportSummary *summary);
/* Empty if none is latched. */
Words report_latch_words(const Scene *scene, const ReportSummary *summary);

/* A state of two contacts as it begins: which act, and normal impulse, normal velocity and stored
 * energy, of both contacts each. */
const char *report_state_words(const Scene *scene, const Solution *solution, int state);
void report_state_numbers(const Scene *scene, const Solution *solution, int state,
                          double numbers[6]);

/* No contact has friction; and the size of the tangential part of a contact's vector. */
bool report_is_smooth(const Scene *scene);
double report_tangential(const double *x, int rows);

/* How often a contact acts, and whether it latches. */
int report_times(const CaromResult *result, int contact, bool *latched);
/* The same in words; several rigid contacts: "open", "sticks" or "slips". */
Words report_acts_words(const Scene *scene, const CaromResult *result, int contact);

/* A body's velocity (angular: angular velocity) after the impact. With several contacts, sums that
 * should be nothing are not quite: they are shown as nothing. */
void report_after(const Scene *scene, const Solution *solution, const MotionNoise *noise, int body,
                  bool angular, double shown[3]);

/* What is said instead of showing angular velocities; NULL: they are to be shown. */
const char *report_turn_words(const Scene *scene, const Solution *solution);

/* An amount of energy, and which part of the energy before it is. NaN: not known; an amount that is
 * not known is left out. */
typedef struct ReportAmount {
    const char *what;
    double amount, part;
} ReportAmount;

/* Where the energy went. */
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

/* Which part of the energy is lost, and to what; empty if the energy before is not known. */
Words report_loss_words(const Scene *scene, const Solution *solution);

/* What the tangential spring of one compliant contact held, and which part of the speed along the
 * surface goes on or comes back (direction NULL: there was none). */
typedef struct ReportSurface {
    ReportAmount held;
    const char *direction;
    double part;
} ReportSurface;

ReportSurface report_surface(const Scene *scene, const Solution *solution);

/* How far the result may be trusted; and what is wrong with it, empty if nothing is. */
Words report_accuracy_words(const CaromResult *result);
Words report_warning_words(const Scene *scene, const CaromResult *result);

/* Whether there are other solutions, several rigid contacts only; empty if none was found. */
Words report_solutions_words(const CaromResult *result);

#endif
