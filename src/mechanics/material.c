#include <carom/material.h>

#include <math.h>

double carom_combine(CaromCombine rule, double a, double b) {
    if (!(a >= 0 && b >= 0)) {
        return NAN;
    }
    switch (rule) {
    case CAROM_COMBINE_MIN:
        return a < b ? a : b;
    case CAROM_COMBINE_MAX:
        return a > b ? a : b;
    case CAROM_COMBINE_PRODUCT:
        return a * b;
    case CAROM_COMBINE_AVERAGE:
        return a / 2 + b / 2;
    case CAROM_COMBINE_GEOMETRIC:
        /* equal values are returned exactly, without overflow */
        return a == b ? a : sqrt(a) * sqrt(b);
    }
    return NAN;
}

double carom_stiffness_ratio(double nu) {
    return nu > -1 && nu <= 0.5 ? (2 - nu) / (2 * (1 - nu)) : NAN;
}

static double resolve_static(const CaromMaterial *material) {
    return material->mu_static == 0 ? material->mu : material->mu_static;
}

CaromContact carom_material_combine(const CaromMaterial *first, const CaromMaterial *second,
                                    CaromCombine mu_rule, CaromCombine e_rule) {
    CaromContact contact = carom_contact_default();
    if (!first || !second) {
        contact.mu = contact.mu_static = contact.e = NAN;
        return contact;
    }
    contact.mu = carom_combine(mu_rule, first->mu, second->mu);
    contact.mu_static = carom_combine(mu_rule, resolve_static(first), resolve_static(second));
    /* rounding must not make mu_static < mu */
    contact.mu_static = contact.mu_static < contact.mu ? contact.mu : contact.mu_static;
    contact.e = carom_combine(e_rule, first->e, second->e);
    return contact;
}
