/* The convex hull of points in a plane. */
#ifndef CAROM_CLI_PICTURE_HULL_H
#define CAROM_CLI_PICTURE_HULL_H

/* Put the corners of the convex hull of count points (x, y) first, counter-clockwise; returns their
 * number. room has space for 2 * count + 2 points. */
int convex_hull(double (*points)[2], int count, double (*room)[2]);

#endif
