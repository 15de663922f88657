/* A scene: one impact problem as a user writes it down, read from JSON.
 *
 * The reader checks everything that can be said about a field by itself (type, size, range,
 * names) and describes the first fault with the path of the field, e.g.
 * "contacts[0].mu: must be a number >= 0, got -1". What only the mechanics can tell (W positive
 * definite, approaching) is left to the library. */
#ifndef CAROM_CLI_SCENE_H
#define CAROM_CLI_SCENE_H

#include <stdbool.h>
#include <stddef.h>

#include <carom/carom.h>
#include <carom/system.h>

/* Largest file, and most contacts, bodies and generalised speeds, that a scene may have. The last
 * three keep the memory of W (72 MB) and of the Jacobians (24 MB), the time of looking up names and
 * that of the Cholesky factor within reason. */
#define SCENE_BYTES_MAX ((size_t)64 << 20)
#define SCENE_CONTACTS_MAX 1000
#define SCENE_BODIES_MAX 10000
#define SCENE_SPEEDS_MAX 1000

/* How the scene says the mechanics. */
typedef enum SceneSource {
    SCENE_CONTACT_SPACE, /* W and v as numbers */
    SCENE_BODIES,        /* free bodies; W and v were computed from them */
    SCENE_SYSTEM         /* a mechanism in generalised coordinates; likewise */
} SceneSource;

/* A mechanism. n is the number of its generalised speeds, m the rows of all contacts together. */
typedef struct SceneSystem {
    int speed_count;     /* n; 0 unless the source is SCENE_SYSTEM */
    double *mass_matrix; /* M, n x n by rows */
    double *speeds;      /* u before the impact, n */
    double *jacobian;    /* J, m x n by rows */
    double *responses;   /* R = M^-1 J^T as m rows of n */
} SceneSystem;

/* Owns everything it points to. Make it with a scene_read_...(), end it with scene_free(). */
typedef struct Scene {
    char *name;        /* NULL: none given */
    char *description; /* NULL: none given */
    CaromModel model;
    CaromLaw law;
    SceneSource source;
    bool planar;             /* two rows (t, n) per contact instead of three (t1, t2, n) */
    int contact_count;       /* n >= 1 */
    CaromContact *contacts;  /* n; mu_static as given, or the same as mu */
    double *inverse_inertia; /* W, 3n x 3n (planar: 2n x 2n) by rows */
    double *velocity;        /* v-, 3n (2n) */
    int body_count;          /* 0 unless the source is SCENE_BODIES */
    CaromBody *bodies;       /* before the impact */
    char **body_names;       /* unique; "body 0" and so on where none is given */
    CaromSite *sites;        /* n */
    SceneSystem system;
} Scene;

/* What is wrong with a scene; text is complete but for the file's name. */
typedef struct SceneError {
    char text[512];
} SceneError;

/* Read a scene from a file ("-": standard input). On failure *scene is all zero, *error is
 * filled, and the answer is false. */
bool scene_read_file(const char *path, Scene *scene, SceneError *error);

/* What to call a file in messages: its path, or "standard input". */
const char *scene_file_name(const char *path);

/* As scene_read_file(), from memory; the bytes need no final zero and may be anything. */
bool scene_read_memory(const char *bytes, size_t size, Scene *scene, SceneError *error);

/* Give back what the scene owns and make it all zero; harmless on an all-zero scene. */
void scene_free(Scene *scene);

/* Rows per contact: 2 if the scene is planar, else 3. */
int scene_rows(const Scene *scene);

/* Is there a process between before and after? Several rigid contacts have none: their law relates
 * velocities and impulses only. */
bool scene_has_process(const Scene *scene);

/* The problem to solve; it points into the scene. */
CaromProblem scene_problem(const Scene *scene);

/* Kinetic energy of the motion at the contacts, v.W^-1 v/2: what an impact could take away at most.
 * NaN if W does not say, or is too large to ask. */
double scene_motion_energy(const Scene *scene);

/* Names of a model and of a restitution law as they appear in files. */
const char *scene_model_name(CaromModel model);
const char *scene_law_name(CaromLaw law);

#endif
