/* Balls in contact with each other and with walls, for the examples of this folder. */
#ifndef CAROM_EXAMPLE_BALLS_H
#define CAROM_EXAMPLE_BALLS_H

#include <carom/carom.h>
#include <stdbool.h>

enum { MOST_BALLS = 20, MOST_TOUCHES = 40, MOST_EVENTS = 2000 };

/* Start from {0}. */
typedef struct Balls {
    int count; /* of bodies, walls included */
    CaromBody body[MOST_BALLS];
    double radius[MOST_BALLS]; /* 0: a wall */
    int touches;
    CaromSite site[MOST_TOUCHES];
    CaromContact contact[MOST_TOUCHES];
} Balls;

/* Add a solid ball; returns its index. */
int balls_add(Balls *balls, double mass, double radius, double x, double y, double z);

/* Add a frictionless contact of two balls; returns its index. */
int balls_touch(Balls *balls, int first, int second, double e, double stiffness);

/* Add a wall that touches the ball in the direction (x, y, z); returns the contact's index. */
int balls_touch_wall(Balls *balls, int ball, double x, double y, double z, double e,
                     double stiffness);

/* Collide: updates the bodies. result is as for carom_solve(), or NULL. False, with a message, if
 * the impact was not solved. */
bool balls_collide(Balls *balls, CaromResult *result);

double balls_energy(const Balls *balls);

/* ---- the course of a collision ---- */

/* Events, and the state of all contacts at each. */
typedef struct Course {
    CaromEvent events[MOST_EVENTS];
    double impulse[MOST_EVENTS * 3 * 2];
    double stored[MOST_EVENTS * 2];
    CaromSnapshots snapshots;
    CaromResult result;
    double I[6];
} Course;

/* Prepare a course of two contacts for balls_collide(balls, &course->result) or carom_solve(). */
void course_begin(Course *course);

/* An iterator over the states of a course, numbered as in the paper: 1 both contacts act, 2 only
 * the second, 3 only the first, 4 none. Start from {0}. */
typedef struct States {
    int state; /* the current state */
    int event; /* event that began it; its row in the snapshots */
    int next;
    bool active[2];
} States;

/* Advance to the next state; false if there is none. */
bool states_next(States *states, const Course *course);

/* The sequence of states, e.g. "S1 S3 S4". */
void course_states(const Course *course, char *text, int size);

#endif
