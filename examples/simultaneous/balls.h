/* Balls that touch each other and walls: what the examples of this folder collide. */
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

/* Add a solid ball; its index. */
int balls_add(Balls *balls, double mass, double radius, double x, double y, double z);

/* Let the balls touch, without friction; the contact's index. */
int balls_touch(Balls *balls, int first, int second, double e, double stiffness);

/* Add a wall that the ball touches in the direction (x, y, z); the contact's index. */
int balls_touch_wall(Balls *balls, int ball, double x, double y, double z, double e,
                     double stiffness);

/* Collide. result->impulse and the rest may be set as for carom_solve(); if result is NULL nothing
 * but the bodies is told. False, with a message, if it was not solved. */
bool balls_collide(Balls *balls, CaromResult *result);

double balls_energy(const Balls *balls);

/* ---- what happened ---- */

/* Events and what all contacts were doing at them. */
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

/* A walk over the states of a course, as the paper counts them: 1 both contacts act, 2 only the
 * second, 3 only the first, 4 none. Start from {0}. */
typedef struct States {
    int state; /* the present one */
    int event; /* after which it began; its row in the snapshots */
    int next;
    bool active[2];
} States;

/* Go on to the next state; false if there is none. */
bool states_next(States *states, const Course *course);

/* The sequence of states, e.g. "S1 S3 S4". */
void course_states(const Course *course, char *text, int size);

#endif
