/* Checks of a problem before any solver sees it. */
#ifndef CAROM_CONTACT_CHECK_H
#define CAROM_CONTACT_CHECK_H

#include <carom/problem.h>
#include <carom/status.h>

/* A contact's coefficients with the defaults of fields that are 0. */
static inline double contact_mu_static(const CaromContact *contact) {
    return contact->mu_static > 0 ? contact->mu_static : contact->mu;
}

static inline double contact_stiffness(const CaromContact *contact) {
    return contact->stiffness != 0 ? contact->stiffness : 1;
}

static inline double contact_stiffness_ratio(const CaromContact *contact) {
    return contact->stiffness_ratio > 0 ? contact->stiffness_ratio : 17.0 / 14;
}

/* Why the problem cannot even be looked at: something is NULL, or the count is out of range; or "".
 */
const char *crm_check_arrays(const CaromProblem *problem);
/* CAROM_OK, or why not, with a constant string that names the field in *message. */
CaromStatus crm_check_contact(const CaromContact *contact, const char **message);
CaromStatus crm_check_matrix(const double *W, int rows, const char **message);
/* The compliant model has one coefficient of friction. */
CaromStatus crm_check_one_friction(const CaromContact *contact, const char **message);
/* rows: 3 per contact, or 2 in a planar problem */
CaromStatus crm_check_velocity(const double *v, int contact_count, int rows, const char **message);
/* All three for the contacts of a problem whose pointers are not NULL; without
 * crm_check_semidefinite(). */
CaromStatus crm_check_problem(const CaromProblem *problem, const char **message);
/* Is a symmetric W with finite entries positive semidefinite, to 1e-9? L is room for rows * rows
 * numbers. */
CaromStatus crm_check_semidefinite(const double *W, int rows, double *L, const char **message);

#endif
