/* What the Python package calls: the library over arrays.
 *
 * An array holds rows, one per impact, in any number of dimensions; a Rows says where each begins.
 * Every function does all rows of one call, over several threads, and writes each row's outputs as
 * a function of that row's inputs alone. Outputs are contiguous; those that are NULL are not
 * written. The package allocates everything.
 *
 * The builder gives this file to cffi without its lines that begin with #: keep to plain
 * declarations. */
#ifndef CAROM_PYTHON_NATIVE_H
#define CAROM_PYTHON_NATIVE_H

#include <stddef.h>
#include <stdint.h>

/* The shape that all inputs of a call broadcast to. */
typedef struct Shape {
    int64_t count; /* of rows: the product of the sizes */
    int dims;
    const int64_t *sizes;
    int threads; /* at most */
} Shape;

/* An input. */
typedef struct Rows {
    const void *data;       /* NULL: not given */
    const int64_t *strides; /* bytes, one per dimension; NULL: the same row for all */
    int64_t step;           /* bytes between the numbers of the contacts of a row; 0: the same */
} Rows;

/* Problems in contact space. model and law are int32_t, all others double. */
typedef struct Problems {
    int contacts, planar;
    Rows W, v, mu, mu_static, e, stiffness, stiffness_ratio, model, law;
} Problems;

/* As CaromOptions, with the fields of CaromSchemeOptions. impulse_law: one rigid contact follows
 * the impulse-level law, too. */
typedef struct Settings {
    int method, absolute, as_printed, impulse_law;
    double tolerance, step, h1, h2, epsilon, straight, zero, stop_energy;
} Settings;

/* m: rows of all contacts together, 3n or 2n. message and ambiguous are addresses of constant
 * strings. */
typedef struct RowOutcomes {
    double *impulse, *velocity; /* m each */
    double *energy;             /* 7 arrays of all rows: the fields of CaromEnergy in order */
    double *error;
    int32_t *status, *event_count, *solutions, *work;
    char *sequence; /* CAROM_SEQUENCE_SIZE each */
    uintptr_t *message, *ambiguous;
    double *jump; /* distances of the nearest jumps... */
    int32_t *jump_contact;
    uintptr_t *jump_reason; /* ...likewise addresses */
} RowOutcomes;

void rows_solve(const Shape *shape, const Problems *problems, const Settings *settings,
                const RowOutcomes *out);

/* An event of a row, and the states of all contacts then (any may be NULL). */
typedef struct RowEvent {
    int64_t row;
    int32_t kind, contact;
    double normal_impulse, impulse[3], velocity[3], stored, tangential;
} RowEvent;

typedef struct EventStates {
    double *impulse, *velocity, *stored;
    unsigned char *active;
} EventStates;

/* Solve again for the events: those of row i go to events[offset[i]] and on. Returns the number of
 * rows whose impulse is not the one of the first solve, bit for bit: inputs that were changed. */
int64_t rows_events(const Shape *shape, const Problems *problems, const Settings *settings,
                    const double *impulse, const int64_t *offset, RowEvent *events,
                    const EventStates *states);

/* The arrays of CaromTrace, samples numbers (times n or m) per row. */
typedef struct Traces {
    int samples;
    double *clock, *impulse, *velocity, *stored, *tangential, *spring, *spring_rate;
    int32_t *mode, *status;
    uintptr_t *message;
} Traces;

void rows_trace(const Shape *shape, const Problems *problems, const Traces *out);

/* One problem by impacts in an order that choose() decides: a sequence with a Python function as
 * context. */
void sequence_solve(const Problems *problems, void *context, const RowOutcomes *out);

typedef struct RowKink {
    int32_t kind, contact, happens, jumps;
    double distance;
} RowKink;

/* Derivatives by some of the inputs, CaromInputs' indices. */
typedef struct Derivatives {
    int count;         /* of inputs, k */
    const int *inputs; /* k */
    double *impulse;   /* m rows of k */
    double *velocity;  /* likewise */
    int kink_count;    /* per row */
    RowKink *kinks;    /* the nearest; kind -1 beyond the last */
    int32_t *smoothness, *status;
    uintptr_t *message;
} Derivatives;

/* Solves again. Returns the number of rows whose impulse is another one than in the first solve. */
int64_t rows_differentiate(const Shape *shape, const Problems *problems, const double *impulse,
                           const Derivatives *out);

/* dL/dinputs, inputs.count each, from the weights dL/dI and dL/dv+ (m each). */
void rows_reverse(const Shape *shape, const Problems *problems, const Rows *impulse_weight,
                  const Rows *velocity_weight, double *gradient, int32_t *status,
                  uintptr_t *message);

typedef struct Bodies {
    Rows mass, inertia, guide, position, orientation, velocity, spin;
} Bodies;

typedef struct Sites {
    int first, second;
    Rows point, normal, tangent;
} Sites;

/* W, v and the frames (9 per site). */
typedef struct Spaces {
    double *W, *v, *frame;
    int32_t *status;
    uintptr_t *message;
} Spaces;

void rows_bodies_space(const Shape *shape, int body_count, const Bodies *bodies, int site_count,
                       const Sites *sites, const Spaces *out);

/* Velocities after the impulses (3 per site), 3 per body: velocity[i], spin[i] are the arrays of
 * body i. With motion 0 the bodies are taken at rest: what the impulse alone gives. */
void rows_bodies_apply(const Shape *shape, int body_count, const Bodies *bodies, int site_count,
                       const Sites *sites, const Rows *impulse, int motion, double **velocity,
                       double **spin);

/* dL/d(body): mass 1, inertia 6, position 3, rotation 3, velocity 3, spin 3. */
enum { BODY_GRADIENT = 19 };

/* Gradients by all bodies (BODY_GRADIENT each) and sites (point 3, normal 3), in reverse: weights
 * are 6 per body, velocity and spin. by_problem has CaromInputs' numbers. */
typedef struct BodiesGradient {
    double *by_bodies, *by_sites, *by_problem;
    int32_t *status;
    uintptr_t *message;
} BodiesGradient;

void rows_bodies_reverse(const Shape *shape, int body_count, const Bodies *bodies, int site_count,
                         const Sites *sites, const Problems *problems, const Rows *weights,
                         const BodiesGradient *out);

void rows_body_energy(const Shape *shape, const Bodies *body, double *energy);

/* A mechanism: W, v from M (n x n), J (m x n), u (n); R is m x n. */
void rows_system_space(const Shape *shape, int n, int m, const Rows *M, const Rows *J,
                       const Rows *u, double *R, const Spaces *out);
void rows_system_apply(const Shape *shape, int n, int m, const Rows *R, const Rows *impulse,
                       const Rows *u, double *after);
void rows_system_reverse(const Shape *shape, int n, const Rows *M, const Rows *J, const Rows *u,
                         const Problems *problems, const Rows *weights, double *by_u, double *by_M,
                         double *by_J, double *by_problem, int32_t *status, uintptr_t *message);

/* Geometry of slip. */
void rows_invariants(const Shape *shape, const Rows *W, const Rows *mu, double *direction,
                     double *rate, unsigned char *stable, int32_t *count, int32_t *status,
                     uintptr_t *message);
void rows_stick_ratio(const Shape *shape, const Rows *W, double *out);
void rows_solvability_margin(const Shape *shape, const Rows *W, const Rows *mu, double *out);
void rows_compression_bound(const Shape *shape, const Rows *W, const Rows *v, const Rows *mu,
                            double *out);
void rows_hodograph(const Shape *shape, const Rows *W, const Rows *mu, const Rows *gamma,
                    const Rows *theta, double *speed, int32_t *status, uintptr_t *message);

/* Inertia of a solid, 9 each; size has carom_solid_dimensions() numbers. */
void rows_solid_inertia(const Shape *shape, int solid, const Rows *mass, const Rows *size,
                        double *inertia, int32_t *status, uintptr_t *message);

/* Coefficients of two materials. */
void rows_combine(const Shape *shape, int rule, const Rows *a, const Rows *b, double *out);
void rows_stiffness_ratio(const Shape *shape, const Rows *nu, double *out);
int mesh_properties(const double *vertices, size_t vertex_count, const int *faces,
                    size_t face_count, double density, double *properties, const char **message);

/* Flight: the states after. */
typedef struct Motions {
    double *position, *orientation, *velocity, *spin;
    int32_t *status;
    uintptr_t *message;
} Motions;

/* A motion: position, rotation, velocity, spin, three numbers each. */
enum { MOTION = 12 };

/* The motion after by the motion before, MOTION x MOTION. */
void rows_fly_derivative(const Shape *shape, const Bodies *body, const Rows *gravity,
                         const Rows *dt, double *jacobian, int32_t *status, uintptr_t *message);

void rows_fly(const Shape *shape, const Bodies *body, const Rows *gravity, const Rows *dt,
              const Motions *out);

/* The next touch of a ball (radius) or of vertices (the same for all rows) with a plane. */
typedef struct Touches {
    double *time, *point, *speed;
    int32_t *found, *vertex;
    Motions body;
    double *by_time, *by_motion; /* MOTION, MOTION x MOTION each; both may be NULL */
} Touches;

void rows_touch(const Shape *shape, const Bodies *body, const Rows *gravity, const Rows *radius,
                const double *vertices, int vertex_count, const Rows *plane_point,
                const Rows *plane_normal, const Rows *horizon, const Touches *out);

/* The touch of two balls and the derivatives of its time, 3 numbers each by position and velocity
 * of the first. */
typedef struct BallTouches {
    double *time, *normal, *by_position, *by_velocity;
    int32_t *found, *status;
    uintptr_t *message;
} BallTouches;

void rows_balls_touch(const Shape *shape, const Rows *first_position, const Rows *first_velocity,
                      const Rows *second_position, const Rows *second_velocity,
                      const Rows *distance, const BallTouches *out);

/* A ball on a table at the given times. */
typedef struct Rollings {
    double *position, *velocity, *spin, *begin; /* begin: 3, when sliding, rolling, rest begin */
    int32_t *phase, *status;
    uintptr_t *message;
} Rollings;

void rows_roll(const Shape *shape, const Rows *radius, const Rows *mu_slide, const Rows *mu_roll,
               const Rows *gravity, const Rows *position, const Rows *velocity, const Rows *spin,
               const Rows *time, const Rollings *out);

/* Fits. contact -1: all; low, high, start NaN: the library's. */
typedef struct FitParameter {
    int coefficient, contact;
    double low, high, start;
} FitParameter;

enum { FIT_PARAMETERS = 16, FIT_CONTACTS = 8, FIT_REASON = 192, FIT_MESSAGE = 256 };

/* Of k parameters; all arrays must be there. */
typedef struct FitOut {
    double *estimates;  /* 4 each: value, standard error, ends of the interval */
    int32_t *flags;     /* 3 each: identified, profiled, linear */
    char *reasons;      /* FIT_REASON each */
    double *covariance; /* k x k */
    double *distances;  /* of each row */
    double *numbers;    /* rms, chi2, scale */
    int64_t *counts;    /* rows, residuals, minima, differences, slipped, stuck */
    char *message;      /* FIT_MESSAGE */
} FitOut;

/* after (m): velocities after, NaN where not measured; sigma (m) and velocity_sigma (m) may be left
 * out. Returns the status. */
int rows_fit(const Shape *shape, const Problems *problems, const Rows *after, const Rows *sigma,
             const Rows *velocity_sigma, int loss, int count, const FitParameter *parameters,
             const FitOut *out);

/* Cross validation: squares gets each row's mean squared residual, numbers rms and its error. */
int rows_validate(const Shape *shape, const Problems *problems, const Rows *after,
                  const Rows *sigma, const Rows *velocity_sigma, int loss, int count,
                  const FitParameter *parameters, int folds, double *squares, double *numbers,
                  char *message);

/* Bench procedures, by the names of carom measure. result: value and standard error of each number.
 * All return the status; *message says what is wrong. */
int measure_values(const char *kind, const double *first, const double *second, int count,
                   double sigma, double option, double *result, const char **message);
/* numbers: stiffness, stretch, rest and mass, each with its standard error. */
int measure_springs(int springs, const double *numbers, double *result, const char **message);
/* Tracks: 8 numbers per point, time, position, quaternion. */
int measure_bounce(const double *points, int count, const double *gravity, double *result,
                   int32_t *last, const char **message);
int measure_roll(const double *points, int count, double radius, double gravity, double mu_slide,
                 double mu_roll, double *result, const char **message);
int measure_tumble(const double *points, int count, const double *gravity, const double *inertia,
                   double time, double *result, const char **message);

/* Aim at an outcome that a Python function (context) has. Arrays have room for capacity solutions
 * and, behind them, the closest outcome. *found: solutions. */
enum { AIM_FREE = 16, AIM_MISSES = 64, AIM_SEQUENCE = 64 };

typedef struct AimOut {
    double *values;         /* free_count each */
    int32_t *bound;         /* likewise */
    double *residual;       /* of each */
    int32_t *family, found; /* of each; their number */
    char *sequence;         /* AIM_SEQUENCE each */
} AimOut;

int aim_function(void *context, int free_count, const double *low, const double *high,
                 const double *given, int miss_count, int starts, int slopes, int capacity,
                 AimOut *out, const char **message);

/* Scenes. Functions that return text return memory to be freed with text_free(); NULL: see
 * *error, which has room for 1024 bytes. */
typedef struct SceneSizes {
    int contacts, rows, model, law, speeds, bodies;
} SceneSizes;

/* The document that a file ("-": standard input) holds, checked. */
char *scene_file(const char *path, char *error);
/* Check a document. */
int scene_check(const char *text, size_t size, SceneSizes *sizes, char *error);
/* W (m x m), v (m), coefficients (5 per contact, order of CaromContact). */
int scene_numbers(const char *text, size_t size, double *W, double *v, double *coefficients,
                  char *error);
/* The line of carom solve --json, or (words 1) the text of carom solve. */
char *scene_solve(const char *text, size_t size, const Settings *settings, int words, char *error);
/* The number at a path, and the document with another number there. */
int scene_get(const char *text, size_t size, const char *path, double *number, char *error);
char *scene_set(const char *text, size_t size, const char *path, double number, char *error);
/* The line of carom aim --json; the document has "aim". */
char *scene_aim(const char *text, size_t size, char *error);
/* The line of carom solve --json --sensitivity: by paths (count 0: the usual ones); sigmas (may be
 * NULL) make it --uncertainty, percent[i]: of the number's own value. */
char *scene_slopes(const char *text, size_t size, int count, const char *const *paths,
                   const double *sigmas, const int *percent, long seed, char *error);
/* The line of carom solve --json --outcomes. */
char *scene_outcomes(const char *text, size_t size, long count, double low, double high, long seed,
                     char *error);
void text_free(char *text);

/* The program; returns its exit status. */
int program_main(int argc, char **argv);

/* Names by number: "status", "event", "kink", "solid", "model", "law", "method"; NULL beyond. */
const char *name_of(const char *kind, int number);
const char *version(void);
int inputs_count(int contacts, int planar);
int input_W(int contacts, int planar, int i, int j);

#endif
