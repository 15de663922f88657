/* What a body looks like from one side. */
#ifndef CAROM_CLI_SIMULATE_HULL_H
#define CAROM_CLI_SIMULATE_HULL_H

/* Sort count points of the plane (x, y each) and answer how many of them, now in front, are the
 * corners of their convex hull, counter-clockwise. room has space for 2 * count + 2 points. */
int simulate_hull(double (*points)[2], int count, double (*room)[2]);

#endif
