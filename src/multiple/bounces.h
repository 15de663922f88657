/* Bounces that accumulate: what an end of compression leaves, when a link is held instead of
 * bouncing further, and the error of that.
 *
 * Compression ends: k becomes k/e^2, so that the next bounce is e times as long. Links that bounce
 * as one, as corners of a box that stands on held ones do, lose the energy that their e take, but
 * keep the ratios of their k from the second time on that they end together,
 *
 *   k_i <- k_i/q,   q = sum of e_j^2 E_j over sum of E_j,   E = N^2/(2 k).
 *
 * Each with its own e, the ratios would drift apart for ever, with them the loads that they share
 * and the friction of all that are held, and the bounces would have no limit. */
#ifndef CAROM_MULTIPLE_BOUNCES_H
#define CAROM_MULTIPLE_BOUNCES_H

#include "multiple/network.h"

/* The time that infinitely many more bounces take, each e times as long as the one before. */
double crm_bounces_time(const Link *link, const Material *material);

/* The spring has become stiff: from now on the forces of all links are needed where v_n passes 0.
 */
int crm_bounces_stiff(const Network *network, int i);

/* Has the spring become so stiff that its swing is rounding? It follows its load, and would do so
 * for pieces without number. */
int crm_bounces_rest(const Network *network, int i);

/* Compression of link i begins with a force, or from touch. */
void crm_bounces_turn(Network *network, int i);

/* Link i is held because others are, on whose rows its own depends. If it has bounced in turn with
 * one whose bounces end now, its tangential spring is unloaded too early: the error of its velocity
 * along the surface. */
double crm_bounces_dependent_error(const Network *network, int i);

/* The compression of link i is about to end, and nothing has changed at this moment yet (its rate
 * is known): what does it keep, will it latch, and what is left out then? */
void crm_bounces_foresee(Network *network, int i);

/* It ends, and the link does not latch. */
void crm_bounces_go_on(Network *network, int i);

#endif
