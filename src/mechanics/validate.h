/* Checks of bodies and sites. */
#ifndef CAROM_MECHANICS_VALIDATE_H
#define CAROM_MECHANICS_VALIDATE_H

#include <carom/body.h>

/* NULL if the body is usable, else a constant string that names the first bad field. */
const char *crm_body_problem(const CaromBody *body);

/* The same for all bodies and the sites among them. */
const char *crm_bodies_problem(const CaromBody *bodies, int body_count, const CaromSite *sites,
                               int site_count);

#endif
