/* Phrases and numbers of reports about the course of the impact: events and states. The solution
 * must have a result. */
#ifndef CAROM_CLI_REPORT_WORDS_COURSE_WORDS_H
#define CAROM_CLI_REPORT_WORDS_COURSE_WORDS_H

#include "base/words.h"
#include "solve/solution.h"

/* Whether one rigid contact sticks once slip has stopped; empty if it is not known. */
Words report_slip_words(const Scene *scene, const Solution *solution);

/* How the impact starts, empty if an event says it; and the first event to report after that. */
Words report_start_words(const Scene *scene, const Solution *solution);
int report_first_event(const Scene *scene, const Solution *solution);

/* An event, without the contact's index; and its clock, the normal impulse of all contacts. */
Words report_event_words(const Scene *scene, const CaromEvent *event);
double report_clock(const Scene *scene, const Solution *solution, int event);

/* Counts over the events of several contacts. */
typedef struct ReportSummary {
    int started; /* contacts that act from the start */
    int acted;   /* contacts that act at some time */
    int latched; /* contacts that latch */
    int most;    /* acting at once */
} ReportSummary;

ReportSummary report_summary(const Scene *scene, const Solution *solution);
Words report_acting_words(const Scene *scene, const ReportSummary *summary);
Words report_count_words(const Solution *solution, const ReportSummary *summary);
/* Empty if no contact latches. */
Words report_latch_words(const Scene *scene, const ReportSummary *summary);

/* A state of two contacts as it begins: its name, and normal impulse, normal velocity and stored
 * energy of both contacts. */
const char *report_state_words(const Scene *scene, const Solution *solution, int state);
void report_state_numbers(const Scene *scene, const Solution *solution, int state,
                          double numbers[6]);

#endif
