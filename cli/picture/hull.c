/* The convex hull of points in a plane: two chains over the sorted points (Andrew). */
#include "picture/hull.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
    const double *p = a, *q = b;
    if (p[0] != q[0]) {
        return p[0] < q[0] ? -1 : 1;
    }
    return (p[1] > q[1]) - (p[1] < q[1]);
}

/* Twice the area of the triangle; > 0: counter-clockwise. */
static double turn(const double *o, const double *a, const double *b) {
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
}

int convex_hull(double (*points)[2], int count, double (*room)[2]) {
    qsort(points, (size_t)count, sizeof *points, compare);
    if (count < 3) {
        return count;
    }
    int size = 0;
    for (int pass = 0; pass < 2; pass++) {
        int floor = size + (pass == 0);
        for (int i = pass; i < count; i++) {
            const double *next = points[pass == 0 ? i : count - 1 - i];
            while (size > floor && turn(room[size - 2], room[size - 1], next) <= 0) {
                size--;
            }
            memcpy(room[size++], next, sizeof *points);
        }
    }
    size--; /* the second chain ends where the first began */
    memcpy(points, room, (size_t)size * sizeof *points);
    return size;
}
