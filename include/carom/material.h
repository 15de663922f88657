/* From the coefficients of two materials to those of their contact.
 *
 * Friction and restitution belong to pairs of surfaces and are best measured for the pair. Where
 * only a number per material is known, engines combine the two by one of these rules. */
#ifndef CAROM_MATERIAL_H
#define CAROM_MATERIAL_H

#include <carom/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CaromCombine {
    CAROM_COMBINE_MIN = 0,
    CAROM_COMBINE_MAX = 1,
    CAROM_COMBINE_PRODUCT = 2,
    CAROM_COMBINE_AVERAGE = 3,
    CAROM_COMBINE_GEOMETRIC = 4 /* geometric mean, sqrt(a b) */
} CaromCombine;

/* One coefficient (mu or e) from two. All rules keep e in [0, 1] and mu >= 0, and give the same
 * for (b, a). NaN if a or b is negative or NaN, or the rule is not one of the above. */
CAROM_API double carom_combine(CaromCombine rule, double a, double b);

/* The ratio of the stiffnesses of a compliant contact, CaromContact.stiffness_ratio, from Poisson's
 * ratio nu of the material: (2 - nu)/(2 (1 - nu)), that of a rigid circular punch on an elastic
 * half space (K. L. Johnson, Contact Mechanics, 1985). 17/14 for nu = 0.3. NaN unless -1 < nu <=
 * 1/2. */
CAROM_API double carom_stiffness_ratio(double nu);

/* What one material brings to a contact. */
typedef struct CaromMaterial {
    double mu;        /* >= 0 */
    double mu_static; /* >= mu, or 0: the same as mu */
    double e;         /* in [0, 1] */
} CaromMaterial;

/* The contact of two materials: mu and mu_static by one rule, e by another, all else as in
 * carom_contact_default(). A rule never makes mu_static smaller than mu. What is wrong in the
 * materials shows as NaN in the contact, which every solver refuses by name. */
CAROM_API CaromContact carom_material_combine(const CaromMaterial *first,
                                              const CaromMaterial *second, CaromCombine mu_rule,
                                              CaromCombine e_rule);

#ifdef __cplusplus
}
#endif

#endif
