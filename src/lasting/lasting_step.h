/* One step of a body in contact, of a given length.
 *
 * Free flight takes the body to u_free and a free position. Impulses I at the touching vertices
 * change the velocities by du = M^-1 J^T I and, as they act over the whole step h, the position by
 * h du/2:
 *
 *   u = u_free + du,   x = x_free + h dv/2,   the orientation turned by h domega/2,
 *   0 <= v_n,  0 <= I_n, one of them 0;  |I_t| <= mu I_n against slip,
 *
 * with v = J u at the end of the step; J there is found by doing it twice. Gaps that the step
 * opened or closed, by the third power of its length, are taken back by moving the body. */
#ifndef CAROM_LASTING_LASTING_STEP_H
#define CAROM_LASTING_LASTING_STEP_H

#include "lasting/touch_list.h"

/* Room for the law. */
typedef struct StepRoom {
    double *J, *R;                              /* 3 CAROM_LASTING_CONTACTS rows of 6 */
    double impulse[3 * CAROM_LASTING_CONTACTS]; /* of the last step */
    CaromContact contacts[CAROM_LASTING_CONTACTS];
    double *workspace;
    int solves; /* so far */
} StepRoom;

/* Numbers of memory that J, R and the workspace take together. */
size_t crm_lasting_step_size(void);

CaromStatus crm_lasting_step(const Surroundings *around, const TouchList *list,
                             const CaromBody *from, double h, StepRoom *room, CaromBody *to,
                             const char **message);

/* Move the body so that vertices of the list that the last step pushed, or that are inside, come
 * back to their planes. */
void crm_lasting_close(const Surroundings *around, const TouchList *list, const StepRoom *room,
                       CaromBody *body);

#endif
