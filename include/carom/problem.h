/* An impact problem in contact space.
 *
 * Everything about the mechanics enters through W = J M^-1 J^T, the inverse inertia seen at
 * the contacts: v = v- + W I. The solver knows nothing else about the bodies. */
#ifndef CAROM_PROBLEM_H
#define CAROM_PROBLEM_H

#include <carom/api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which mechanics the contact has. */
typedef enum CaromModel {
    /* No compliance. One contact: the process of the impact with Coulomb friction. Several: the
     * impulse-level law, without a process (docs/impulse.md). */
    CAROM_MODEL_RIGID = 0,
    CAROM_MODEL_COMPLIANT = 1 /* normal and tangential springs, any number of contacts */
} CaromModel;

/* What ends an impact: the meaning of the coefficient of restitution e. */
typedef enum CaromLaw {
    /* Stronge's: the contact gives back e^2 of the energy it stored. A compliant contact gets
     * stiffer by 1/e^2 where compression ends ("bi-stiffness"). */
    CAROM_LAW_ENERGETIC = 0,
    CAROM_LAW_POISSON = 1, /* restitution has e times the normal impulse of compression */
    CAROM_LAW_NEWTON = 2,  /* the bodies part at e times the normal speed of approach */
    /* Energetic as well, but the stiffness stays ("mono-stiffness"): the contact opens where its
     * energy has fallen to 1 - e^2 of its highest value. Compliant model only. */
    CAROM_LAW_MONO_STIFFNESS = 3,
    /* Energetic as well: bi-stiffness whose 1 - e^2 of the deflection is plastic. Compression
     * always has the given stiffness, restitution 1/e^2 times that, so contacts that restart or
     * close again do not harden. Compliant model, method EULER only. */
    CAROM_LAW_PLASTIC_DEFORMATION = 4
} CaromLaw;

/* The stiffness of a contact that acts only after all stiffer contacts have. */
#define CAROM_STIFFNESS_ZERO (-1.0)

/* The coefficients of one contact. A field left 0 has its default, so that {.mu = 0.5, .e = 0.8} is
 * complete. */
typedef struct CaromContact {
    double mu;        /* coefficient of sliding friction, >= 0 */
    double mu_static; /* used only to decide whether the contact sticks; >= mu, or 0: the same */
    double e;         /* coefficient of restitution, in [0, 1] */
    /* Of the normal spring; only ratios between contacts matter. 0: 1. INFINITY: it acts as if
     * rigid, before all others; CAROM_STIFFNESS_ZERO: after all others. These two limits are for
     * several contacts without friction. */
    double stiffness;
    double stiffness_ratio; /* normal over tangential stiffness (eta^2), > 0; 0: 17/14. Compliant */
} CaromContact;

/* Frictionless and elastic, defaults written out: mu 0, mu_static 0 (as mu), e 1, stiffness 1,
 * stiffness_ratio 17/14. */
CAROM_API CaromContact carom_contact_default(void);

/* Largest number of contacts; the memory for more would exceed what can be addressed. */
#define CAROM_CONTACTS_MAX (sizeof(void *) < 8 ? 1000 : 10000)

/* An impact. All arrays belong to the caller and are only read. */
typedef struct CaromProblem {
    CaromModel model;
    /* Several rigid contacts at once take CAROM_LAW_NEWTON only. The zero default,
     * CAROM_LAW_ENERGETIC, is refused there: e would silently mean something else. */
    CaromLaw law;
    int contact_count;             /* n, 1 to CAROM_CONTACTS_MAX */
    const double *inverse_inertia; /* W, 3n x 3n by rows, order t1, t2, n per contact; symmetric */
    const double *velocity;        /* v-, 3n */
    const CaromContact *contacts;  /* n */
    int planar; /* 1: two rows t, n per contact instead of three; W is 2n x 2n, v, I are 2n */
} CaromProblem;

#ifdef __cplusplus
}
#endif

#endif
