/* A body in contact over time: steps of controlled length, and how it ends. See lasting.h. */
#include <carom/lasting.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "flight/shape.h"
#include "lasting/lasting_step.h"
#include "math/vec3.h"
#include "mechanics/frame.h"

/* Most steps, and most attempts at one. */
enum { STEPS_MAX = 1000000, ATTEMPTS_MAX = 200 };

/* Relative to the time in which gravity moves the body by its size. */
static const double FIRST_STEP = 1e-3, LARGEST_STEP = 0.05, SMALLEST_STEP = 1e-9;

/* Speeds below this part of that of a fall by the body's size are none, if the forces balance. */
static const double STILL = 1e-6;

/* Velocities may err by so much more than positions, in these units: where friction changes they
 * err by the first power of the step, and positions by the second. */
static const double VELOCITY_SHARE = 1e2;

typedef struct LastingBody {
    Surroundings around;
    StepRoom room;
    double unit; /* of time */
    double tolerance;
    double step; /* to try next */
    CaromLastingRun *run;
    const char **message;
} LastingBody;

static double lasting_speed(const LastingBody *self, const CaromBody *body) {
    return sqrt(vec3_dot(body->velocity, body->velocity)) +
           self->around.size * sqrt(vec3_dot(body->angular_velocity, body->angular_velocity));
}

/* The unit of time: that of a fall by the size, or, without gravity, of a motion by it. */
static double lasting_unit(const LastingBody *self, const CaromBody *body) {
    const double *g = self->around.given->gravity;
    double pull = sqrt(vec3_dot(g, g)), speed = lasting_speed(self, body);
    double fall = pull > 0 ? sqrt(self->around.size / pull) : INFINITY;
    double pass = speed > 0 ? self->around.size / speed : INFINITY;
    double unit = fmin(fall, pass > 1e-6 * fall ? fall : pass);
    return isfinite(unit) ? unit : (isfinite(pass) ? pass : 1);
}

/* Difference of two ends of the same step, in units of the tolerance. */
static double lasting_difference(const LastingBody *self, const CaromBody *a, const CaromBody *b) {
    double size = self->around.size, place = 0, speed = 0, turn = 0;
    for (int i = 0; i < 3; i++) {
        place = fmax(place, fabs(a->position[i] - b->position[i]) / size);
        speed = fmax(speed, fabs(a->velocity[i] - b->velocity[i]) / size);
        speed = fmax(speed, fabs(a->angular_velocity[i] - b->angular_velocity[i]));
    }
    for (int i = 0; i < 4; i++) {
        turn = fmax(turn, 2 * fabs(a->orientation[i] - b->orientation[i]));
    }
    return fmax(fmax(place, turn), speed * self->unit / VELOCITY_SHARE) / self->tolerance;
}

static double lasting_energy(const LastingBody *self, const CaromBody *body) {
    return carom_body_energy(body) -
           body->mass * vec3_dot(self->around.given->gravity, body->position);
}

/* A step gains no energy: what its error would add is taken from the velocities. */
static void clamp_energy(LastingBody *self, double before, CaromBody *body) {
    double kinetic = carom_body_energy(body), gain = lasting_energy(self, body) - before;
    if (!(gain > 0)) {
        return;
    }
    double factor = kinetic > gain ? sqrt((kinetic - gain) / kinetic) : 0;
    for (int i = 0; i < 3; i++) {
        body->velocity[i] *= factor;
        body->angular_velocity[i] *= factor;
    }
    self->run->clamped += fmin(gain, kinetic);
}

/* One step, and the deepest new vertex at its end. */
static CaromStatus lasting_take(LastingBody *self, const TouchList *list, const CaromBody *from,
                                double h, CaromBody *to, double *deepest) {
    if (list->overflow) {
        *self->message = "shape: more than 64 vertices touch";
        return CAROM_NOT_CONVERGED;
    }
    CaromStatus status =
        crm_lasting_step(&self->around, list, from, h, &self->room, to, self->message);
    if (status >= 0) {
        *deepest = fmin(*deepest, crm_touch_deepest(&self->around, to, list));
    }
    return status;
}

/* Extrapolate to steps of no length: a step is of first order, so that twice the halves minus the
 * whole is of second. */
static void lasting_extrapolate(const CaromBody *whole, CaromBody *halves) {
    for (int i = 0; i < 3; i++) {
        halves->position[i] += halves->position[i] - whole->position[i];
        halves->velocity[i] += halves->velocity[i] - whole->velocity[i];
        halves->angular_velocity[i] += halves->angular_velocity[i] - whole->angular_velocity[i];
    }
    double size = 0;
    for (int i = 0; i < 4; i++) {
        halves->orientation[i] += halves->orientation[i] - whole->orientation[i];
        size += halves->orientation[i] * halves->orientation[i];
    }
    for (int i = 0; i < 4; i++) {
        halves->orientation[i] /= sqrt(size);
    }
}

/* A step of h and two of h/2; *error compares them. */
static CaromStatus lasting_try(LastingBody *self, const TouchList *list, const CaromBody *from,
                               double h, CaromBody *to, double *deepest, double *error) {
    CaromBody whole, middle;
    TouchList second;
    double ignored = INFINITY;
    *deepest = INFINITY;
    CaromStatus status = lasting_take(self, list, from, h, &whole, &ignored);
    if (status >= 0) {
        status = lasting_take(self, list, from, h / 2, &middle, deepest);
    }
    if (status >= 0) {
        crm_touch_find(&self->around, &middle, &second);
        status = lasting_take(self, &second, &middle, h / 2, to, deepest);
    }
    if (status < 0) {
        return status;
    }
    *error = lasting_difference(self, &whole, to);
    lasting_extrapolate(&whole, to);
    crm_lasting_close(&self->around, &second, &self->room, to);
    return status;
}

/* Advance the body by one accepted step of at most `most`. */
static CaromStatus lasting_go(LastingBody *self, const TouchList *list, double most,
                              CaromBody *body) {
    double h = fmin(self->step, most), deepest, error, smallest = SMALLEST_STEP * self->unit;
    double start = crm_touch_deepest(&self->around, body, list);
    bool cut = h == most;
    CaromBody to;
    for (int i = 0; i < ATTEMPTS_MAX; i++) {
        CaromStatus status = lasting_try(self, list, body, h, &to, &deepest, &error);
        if (status < 0) {
            return status;
        }
        bool lands = deepest < -LASTING_TOUCH * self->around.size;
        if (h > smallest && (error > 1 || lands)) {
            /* a vertex lands: towards the time at which its gap is 0, else as for second order */
            double part = lands ? fmin(0.95, fmax(0.1, start / (start - deepest))) : 0.5;
            h = fmax(smallest, h * (error > 1 ? fmin(part, 0.5) : part));
            cut = cut || lands;
            continue;
        }
        clamp_energy(self, lasting_energy(self, body), &to);
        *body = to;
        self->run->time += h;
        self->run->steps++;
        double growth = error > 0 ? fmin(2, 0.9 / sqrt(error)) : 2;
        if (!cut || h * growth > self->step) {
            self->step = fmin(h * growth, LARGEST_STEP * self->unit);
        }
        return CAROM_OK;
    }
    *self->message = "a vertex lands again and again";
    return CAROM_NOT_CONVERGED;
}

/* The largest speed at which a listed vertex approaches its plane. */
static double fastest_approach(const LastingBody *self, const TouchList *list,
                               const CaromBody *body, const double R[9]) {
    double fastest = 0, arm[3];
    for (int i = 0; i < list->count; i++) {
        crm_touch_arm(&self->around, R, list->touches[i].vertex, arm);
        fastest = fmax(fastest, -crm_touch_speed(&self->around, body, arm, list->touches[i].plane));
    }
    return fastest;
}

/* Nothing moves, and the law keeps it so: from rest a step of one unit of time would leave it at
 * rest. */
static bool lasting_rests(LastingBody *self, const TouchList *list, const CaromBody *body) {
    double fall = self->around.size / self->unit;
    CaromBody still = *body, to;
    if (lasting_speed(self, body) > STILL * fall) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        still.velocity[i] = still.angular_velocity[i] = 0;
    }
    /* short, so that the free flight of the step does not turn the arms */
    double h = 1e-3 * self->unit;
    const char *ignored;
    return crm_lasting_step(&self->around, list, &still, h, &self->room, &to, &ignored) >= 0 &&
           lasting_speed(self, &to) <= 1e-6 * fall * 1e-3;
}

/* Raise the body out of all planes: steps leave vertices inside by up to LASTING_TOUCH, which
 * flight does not allow. The velocities pay for the energy. */
static void lasting_raise(const LastingBody *self, CaromBody *body) {
    const CaromLasting *given = self->around.given;
    double before = lasting_energy(self, body), kinetic = carom_body_energy(body);
    for (int i = 0; i < given->plane_count; i++) {
        double gap = carom_shape_gap(body, &given->shape, &given->planes[i], NULL);
        vec3_axpy(gap < 0 ? -gap : 0, &self->around.normals[3 * i], body->position);
    }
    double raised = lasting_energy(self, body) - before;
    double factor = raised > 0 && kinetic > 0 ? sqrt(fmax(1 - raised / kinetic, 0)) : 1;
    for (int i = 0; i < 3; i++) {
        body->velocity[i] *= factor;
        body->angular_velocity[i] *= factor;
    }
}

static void lasting_finish(LastingBody *self, CaromLastingEnd end, CaromBody *body) {
    self->run->end = end;
    if (end == CAROM_LASTING_FLIGHT || end == CAROM_LASTING_IMPACT) {
        lasting_raise(self, body);
    }
}

static CaromStatus lasting_follow(LastingBody *self, CaromBody *body, double horizon,
                                  CaromLastingVisit visit, void *user) {
    TouchList list;
    double R[9];
    while (self->run->steps < STEPS_MAX) {
        double left = horizon - self->run->time;
        crm_touch_find(&self->around, body, &list);
        crm_frame_rotation(body->orientation, R);
        if (list.count == 0) {
            lasting_finish(self, CAROM_LASTING_FLIGHT, body);
            return CAROM_OK;
        }
        if (fastest_approach(self, &list, body, R) > self->around.given->speed) {
            lasting_finish(self, CAROM_LASTING_IMPACT, body);
            return CAROM_OK;
        }
        if (lasting_rests(self, &list, body)) {
            for (int i = 0; i < 3; i++) {
                body->velocity[i] = body->angular_velocity[i] = 0;
            }
            lasting_finish(self, CAROM_LASTING_REST, body);
            return CAROM_OK;
        }
        if (!(left > 0)) {
            lasting_finish(self, CAROM_LASTING_TIME, body);
            return CAROM_OK;
        }
        CaromStatus status = lasting_go(self, &list, left, body);
        if (status < 0) {
            return status;
        }
        if (visit && visit(user, self->run->time, body)) {
            lasting_finish(self, CAROM_LASTING_TIME, body);
            return CAROM_OK;
        }
    }
    *self->message = "horizon: more than 1000000 steps";
    return CAROM_NOT_CONVERGED;
}

static bool is_in_range(double x, double low, double high) {
    return x >= low && x <= high;
}

/* NULL, or what is wrong with the numbers. */
static const char *numbers_problem(const CaromLasting *given, double horizon) {
    if (!given->planes || !given->mu) {
        return "planes, mu: must not be NULL";
    }
    if (given->plane_count < 1) {
        return "plane_count: must be at least 1";
    }
    for (int i = 0; i < given->plane_count; i++) {
        if (!is_in_range(given->mu[i], 0, DBL_MAX)) {
            return "mu: must be finite and >= 0";
        }
    }
    if (!vec3_is_finite(given->gravity)) {
        return "gravity: must be finite";
    }
    if (!(given->speed > 0)) {
        return "speed: must be > 0";
    }
    if (given->tolerance != 0 && !is_in_range(given->tolerance, 1e-12, 1e-2)) {
        return "tolerance: must be 1e-12 to 1e-2, or 0";
    }
    if (!is_in_range(given->first_step, 0, DBL_MAX)) {
        return "first_step: must be finite and >= 0";
    }
    return horizon > 0 ? NULL : "horizon: must be > 0";
}

/* NULL, or what is wrong with shape, planes and start. Fills the normals and the size. */
static const char *geometry_problem(Surroundings *around, const CaromBody *body) {
    const CaromLasting *given = around->given;
    TouchList none = {.count = 0};
    for (int i = 0; i < given->plane_count; i++) {
        const char *wrong = crm_plane_problem(&given->planes[i], &around->normals[3 * i]);
        if (wrong) {
            return wrong;
        }
    }
    for (int i = 0; i < given->shape.vertex_count; i++) {
        const double *r = &given->shape.vertices[3 * i];
        around->size = fmax(around->size, sqrt(vec3_dot(r, r)));
    }
    if (!(around->size > 0)) {
        return "shape: all vertices are at the centre of mass";
    }
    return crm_touch_deepest(around, body, &none) < -LASTING_TOUCH * around->size
               ? "body: it is inside a plane"
               : NULL;
}

size_t carom_lasting_workspace(const CaromLasting *lasting) {
    if (!lasting || lasting->shape.vertex_count < 1 || lasting->plane_count < 1) {
        return 0;
    }
    /* an int takes no more room than a double */
    return crm_lasting_step_size() + (size_t)lasting->shape.vertex_count +
           3 * (size_t)lasting->plane_count;
}

/* With memory at hand. */
static CaromStatus lasting_start(CaromBody *body, const CaromLasting *given, double horizon,
                                 CaromLastingVisit visit, void *user, double *memory,
                                 LastingBody *self) {
    size_t rows = 3 * (size_t)CAROM_LASTING_CONTACTS * 6;
    self->around.given = given;
    self->around.normals = memory;
    self->around.room = (int *)(memory + 3 * (size_t)given->plane_count);
    self->room.J = memory + 3 * (size_t)given->plane_count + given->shape.vertex_count;
    self->room.R = self->room.J + rows;
    self->room.workspace = self->room.R + rows;
    const char *wrong = geometry_problem(&self->around, body);
    if (wrong) {
        *self->message = wrong;
        return CAROM_INVALID_INPUT;
    }
    self->unit = lasting_unit(self, body);
    self->step = given->first_step > 0 ? fmin(given->first_step, LARGEST_STEP * self->unit)
                                       : FIRST_STEP * self->unit;
    self->tolerance = given->tolerance > 0 ? given->tolerance : 1e-8;
    CaromStatus status = lasting_follow(self, body, horizon, visit, user);
    self->run->solves = self->room.solves;
    self->run->next_step = self->step;
    return status;
}

CaromStatus carom_lasting_advance(CaromBody *body, const CaromLasting *lasting, double horizon,
                                  CaromLastingVisit visit, void *user, double *workspace,
                                  CaromLastingRun *run, const char **message) {
    CaromLastingRun ignored_run;
    const char *ignored;
    run = run ? run : &ignored_run;
    message = message ? message : &ignored;
    *run = (CaromLastingRun){.end = CAROM_LASTING_FAILED};
    *message = "body, lasting: must not be NULL";
    if (!body || !lasting) {
        return CAROM_INVALID_INPUT;
    }
    const char *wrong = crm_shape_problem(&lasting->shape);
    wrong = wrong ? wrong : numbers_problem(lasting, horizon);
    if (!wrong && lasting->shape.radius > 0) {
        wrong = "shape: a ball; carom/rolling.h has its motion";
    }
    if (wrong) {
        *message = wrong;
        return CAROM_INVALID_INPUT;
    }
    CaromStatus status = carom_flight_advance(body, lasting->gravity, 0, message);
    if (status < 0) {
        return status;
    }
    double *own = workspace ? NULL : malloc(carom_lasting_workspace(lasting) * sizeof *own);
    if (!workspace && !own) {
        *message = "no memory";
        return CAROM_NOT_CONVERGED;
    }
    LastingBody self = {.run = run, .message = message};
    status = lasting_start(body, lasting, horizon, visit, user, workspace ? workspace : own, &self);
    free(own);
    if (status >= 0) {
        *message = "";
    }
    return status;
}
