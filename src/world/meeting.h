/* When two things meet whose distance changes by a polynomial of the time.
 *
 * A contact that is open: the first time at which its gap is 0 while it closes. One that touches:
 * the time at which it next closes. What closes so slowly that its bounces would accumulate (it is
 * pressed, c = gap'' < 0) is left alone until it closes at the speed
 * min(rest/2, sqrt(-2 c depth)), by which it is at most `depth` deep: bounces between things that
 * press each other do not get faster than that allows. */
#ifndef CAROM_WORLD_MEETING_H
#define CAROM_WORLD_MEETING_H

typedef struct MeetingRule {
    double touch; /* gaps up to this are none */
    double depth;
    double rest;
    double creep; /* rounding of speeds */
} MeetingRule;

/* A gap g + s t + c t^2/2. INFINITY: never. */
double crm_meeting_parabola(double g, double s, double c, const MeetingRule *rule);

/* The distance |d + v t + a t^2/2| falls to `reach`; looked for up to a time, which may be
 * INFINITY. */
double crm_meeting_distance(const double d[3], const double v[3], const double a[3], double reach,
                            double until, const MeetingRule *rule);

#endif
