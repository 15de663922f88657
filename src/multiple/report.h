/* What the caller is told: events, snapshots, samples, the energy account. */
#ifndef CAROM_MULTIPLE_REPORT_H
#define CAROM_MULTIPLE_REPORT_H

#include "multiple/network.h"

/* An event at link i, before the state changes. */
void crm_report_event(Network *network, int i, CaromEventKind kind);

/* The samples that fall on the piece up to its moment; the rest of them, at the end. */
void crm_report_samples(Network *network);
void crm_report_last_samples(Network *network);

/* Impulse, velocity, energy account and error. */
void crm_report_finish(Network *network);

#endif
