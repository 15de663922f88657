/* A scene: one impact problem. scene_read.h reads it from JSON. */
#ifndef CAROM_CLI_SCENE_SCENE_H
#define CAROM_CLI_SCENE_SCENE_H

#include <stdbool.h>

#include <carom/carom.h>
#include <carom/system.h>

#include "scene/units.h"

/* Most contacts, bodies and generalised speeds of a scene. They limit the memory of W (72 MB) and
 * of the Jacobians (24 MB), and the time to look up names and to factor M. */
#define SCENE_CONTACTS_MAX 1000
#define SCENE_BODIES_MAX 10000
#define SCENE_SPEEDS_MAX 1000

/* How the mechanics are given. */
typedef enum SceneSource {
    SCENE_CONTACT_SPACE, /* W and v as numbers */
    SCENE_BODIES,        /* free bodies, from which W and v are computed */
    SCENE_SYSTEM         /* a mechanism in generalised coordinates, likewise */
} SceneSource;

/* A mechanism. n is the number of its generalised speeds, m the rows of all contacts together. */
typedef struct SceneSystem {
    int speed_count;     /* n; 0 unless the source is SCENE_SYSTEM */
    double *mass_matrix; /* M, n x n by rows */
    double *speeds;      /* u before the impact, n */
    double *jacobian;    /* J, m x n by rows */
    double *responses;   /* R = M^-1 J^T as m rows of n */
} SceneSystem;

/* What comes after the impact: a ball on a table. */
typedef struct SceneRoll {
    int body; /* -1: not given */
    CaromTable table;
} SceneRoll;

/* Owns everything it points to. End with scene_free(). */
typedef struct Scene {
    char *name;        /* NULL: none given */
    char *description; /* NULL: none given */
    Units units;
    CaromModel model;
    CaromLaw law;
    bool law_given; /* else law is the energetic one */
    SceneSource source;
    bool planar;             /* two rows (t, n) per contact instead of three (t1, t2, n) */
    int contact_count;       /* n >= 1 */
    CaromContact *contacts;  /* n; mu_static defaults to mu */
    double *inverse_inertia; /* W, 3n x 3n (planar: 2n x 2n) by rows */
    double *velocity;        /* v-, 3n (2n) */
    int body_count;          /* 0 unless the source is SCENE_BODIES */
    CaromBody *bodies;       /* before the impact */
    char **body_names;       /* unique; default: "body 0" and so on */
    CaromSite *sites;        /* n */
    SceneSystem system;
    SceneRoll roll;
} Scene;

/* Free what the scene owns and set it to zero; an all-zero scene is allowed. */
void scene_free(Scene *scene);

/* Rows per contact: 2 if the scene is planar, else 3. */
int scene_rows(const Scene *scene);

/* Is there a process between before and after? Several rigid contacts at once have none: their law
 * relates impulses and velocities only. A sequence of impacts has one. */
bool scene_has_process(const Scene *scene, CaromMethod method);

/* The law in force: the given one, or the default of the method. */
CaromLaw scene_law(const Scene *scene, CaromMethod method);

/* Can a contact turn the body? Not if its mass is infinite or if it is guided. */
bool scene_body_turns(const CaromBody *body);

/* The problem to solve; it points into the scene. */
CaromProblem scene_problem(const Scene *scene);

/* Kinetic energy of the motion at the contacts, v.W^-1 v/2: the most that an impact can dissipate.
 * NaN if it is not defined (W singular) or W is too large. */
double scene_motion_energy(const Scene *scene);

/* A contact has friction. */
bool scene_has_friction(const Scene *scene);

/* Normal impulse of all contacts together, from the impulse vector of all contacts. */
double scene_clock(const Scene *scene, const double *impulse);

/* Names in files of the models and restitution laws, by enumerator; both lists end with NULL. The
 * law after the last enumerator is a second name of the first. */
extern const char *const scene_model_names[], *const scene_law_names[];

#endif
