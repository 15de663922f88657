/* Whether bodies and sites can be used. */
#ifndef CAROM_MECHANICS_VALIDATE_H
#define CAROM_MECHANICS_VALIDATE_H

#include <carom/body.h>

/* NULL if everything is usable, or a constant string that names the first field that is not. */
const char *carom_bodies_problem(const CaromBody *bodies, int body_count, const CaromSite *sites,
                                 int site_count);

#endif
