/* Invariant directions of slip at one contact, from friction-scaled planar data: b = mu B and d.
 *
 * With s = (cos theta, sin theta) and s_perp = (-s_y, s_x),
 *   f(s) = s.(d - b s)        rate of the sliding speed,    r' = f
 *   g(s) = s_perp.(d - b s)   rate of the sliding angle,    r theta' = g
 * and an invariant direction is a zero of g. Only d and the deviatoric part of b enter g. */
#ifndef CAROM_RIGID_INVARIANTS_H
#define CAROM_RIGID_INVARIANTS_H

/* Unit vectors s with g(s) = 0, sorted by angle in (-pi, pi]. Returns their number, 2 to 4, or 0 if
 * every direction is one (b exactly a multiple of 1 and d exactly 0). The data must be finite.
 *
 * Accuracy: |g(s)| is a few rounding errors of the data, so a root is off by that over |g'|.
 * A second pair exists if the data, as rounded, lie inside the astroid
 * |d1|^(2/3) + |d2|^(2/3) < D^(2/3) (d in the eigenframe of b, D the difference of its
 * eigenvalues). Next to its edge the two roots of the pair are some sqrt(rounding) apart; a pair
 * that rounding does not separate counts as one root, where g touches zero without changing sign
 * (so 3 in all). At the edge's cusps the pair meets a third root and that one alone is reported. */
int crm_invariants_find(double b11, double b12, double b22, double d1, double d2, double s[4][2]);

#endif
