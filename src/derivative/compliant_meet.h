/* What the events of one compliant contact do to its rows. */
#ifndef CAROM_DERIVATIVE_COMPLIANT_MEET_H
#define CAROM_DERIVATIVE_COMPLIANT_MEET_H

#include "derivative/compliant_slope.h"

/* The rows of V and v_n at the present moment; v = -d.V/w of a contact that is held. */
void crm_compliant_rows(const CompliantSlope *slope, Column V[2], Column vn);

/* The event of v_n = 0. s: the direction of slip. */
void crm_compliant_turn(CompliantSlope *slope, const Process *process, const double s[2]);

/* Slip ends: sigma = V.s + mu eta^2 k v = 0. */
void crm_compliant_stop(CompliantSlope *slope, const Process *process, const double s[2]);

/* Stick ends: |f| = mu N. */
void crm_compliant_yield(CompliantSlope *slope, const Process *process);

/* N = 0. */
void crm_compliant_end(CompliantSlope *slope, const Process *process, const double s[2]);

/* The contact is held from here on; process->now is where that begins. */
void crm_compliant_latch(CompliantSlope *slope, const Process *process);

/* A held contact loses its grip where N = 0, or in slip where mu d.s = w. */
void crm_compliant_release(CompliantSlope *slope, const Process *process, const double s[2]);

#endif
