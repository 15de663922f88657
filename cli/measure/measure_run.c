/* carom measure: the procedures by name. */
#include "measure/measure_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "measure/measure_track.h"

enum { VALUES_MAX = 1000 };

/* Numbers on the command line. */
typedef struct Values {
    int count;
    double first[VALUES_MAX], second[VALUES_MAX];
} Values;

typedef struct Procedure Procedure;
struct Procedure {
    const char *name;
    const char *arguments; /* what they are; NULL: a track */
    bool pairs, none;
    MeasureTrack track; /* of a track */
    bool (*run)(const Values *values, const CaromTrackPoint *points, int count,
                const MeasureSettings *settings, MeasureResult *result, Error *error);
};

/* The result of a procedure of the bench. */
static bool finish(CaromStatus status, const char *message, const char *name, const char *what,
                   CaromMeasured measured, MeasureResult *result, Error *error) {
    *result = (MeasureResult){what, 1, {{name, measured}}};
    return status >= 0 || error_set(error, "%s", message);
}

#define PROCEDURE(name)                                                                            \
    static bool name(const Values *values, const CaromTrackPoint *points, int count,               \
                     const MeasureSettings *settings, MeasureResult *result, Error *error)
#define UNUSED_TRACK                                                                               \
    (void)points;                                                                                  \
    (void)count

PROCEDURE(run_drop) {
    const char *message;
    CaromMeasured e;
    UNUSED_TRACK;
    CaromStatus status = carom_measure_drop(values->first, values->second, values->count,
                                            settings->sigma, &e, &message);
    return finish(status, message, "e", "coefficient of restitution", e, result, error);
}

PROCEDURE(run_bounces) {
    const char *message;
    CaromMeasured e;
    UNUSED_TRACK;
    CaromStatus status =
        carom_measure_heights(values->first, values->count, settings->sigma, &e, &message);
    return finish(status, message, "e", "coefficient of restitution", e, result, error);
}

PROCEDURE(run_times) {
    const char *message;
    CaromMeasured e;
    UNUSED_TRACK;
    CaromStatus status =
        carom_measure_times(values->first, values->count, settings->sigma, &e, &message);
    return finish(status, message, "e", "coefficient of restitution", e, result, error);
}

PROCEDURE(run_pendulum) {
    const char *message;
    CaromMeasured e;
    UNUSED_TRACK;
    double struck = settings->as_printed ? 0 : settings->struck;
    CaromStatus status = carom_measure_pendulum(values->first, values->second, values->count,
                                                settings->sigma, struck, &e, &message);
    return finish(status, message, "e", "coefficient of restitution", e, result, error);
}

PROCEDURE(run_tilt) {
    const char *message;
    CaromMeasured mu;
    Values radians = *values;
    double degree = acos(-1) / 180;
    UNUSED_TRACK;
    for (int i = 0; i < values->count; i++) {
        radians.first[i] *= degree;
    }
    CaromStatus status =
        carom_measure_tilt(radians.first, values->count, settings->sigma * degree, &mu, &message);
    return finish(status, message, "mu_static", "coefficient of static friction", mu, result,
                  error);
}

PROCEDURE(run_ramp) {
    const char *message;
    CaromMeasured mu;
    UNUSED_TRACK;
    CaromStatus status = carom_measure_ramp(values->first, values->second, values->count,
                                            settings->sigma, settings->as_printed, &mu, &message);
    return finish(status, message, "mu_roll", "coefficient of rolling friction", mu, result, error);
}

PROCEDURE(run_springs) {
    const char *message;
    CaromMeasured speed, k = {settings->stiffness, settings->sigma_stiffness};
    CaromMeasured m = {settings->mass, settings->sigma_mass};
    CaromMeasured stretch = {settings->stretch, settings->sigma};
    CaromMeasured rest = {settings->rest, settings->rest > 0 ? settings->sigma : 0};
    (void)values;
    UNUSED_TRACK;
    if (isnan(k.value) || isnan(m.value) || isnan(stretch.value)) {
        return error_set(error, "springs needs --stiffness, --stretch and --mass");
    }
    CaromStatus status =
        carom_measure_springs((int)settings->springs, k, stretch, rest, m, &speed, &message);
    return finish(status, message, "speed", "speed", speed, result, error);
}

PROCEDURE(run_poisson) {
    const char *message;
    CaromMeasured ratio, nu = {values->first[0], settings->sigma};
    UNUSED_TRACK;
    if (values->count != 1) {
        return error_set(error, "poisson takes one number, Poisson's ratio");
    }
    CaromStatus status = carom_measure_poisson(nu, &ratio, &message);
    return finish(status, message, "stiffness_ratio", "stiffness ratio", ratio, result, error);
}

static void add(MeasureResult *result, const char *name, CaromMeasured measured) {
    result->numbers[result->count++] = (MeasureNumber){name, measured};
}

PROCEDURE(run_flight) {
    static const char *const names[6] = {"before_vx", "before_vy", "before_vz",
                                         "after_vx",  "after_vy",  "after_vz"};
    const double gravity[3] = {0, 0, -settings->gravity};
    const char *message;
    CaromTrackBounce bounce;
    (void)values;
    CaromStatus status = carom_measure_bounce(points, count, gravity, &bounce, &message);
    bool good =
        finish(status, message, "e", "normal velocity after over before", bounce.e, result, error);
    for (int k = 0; k < 6; k++) {
        add(result, names[k], k < 3 ? bounce.before[k] : bounce.after[k - 3]);
    }
    add(result, "time", (CaromMeasured){bounce.time, NAN});
    add(result, "rms", (CaromMeasured){bounce.rms, NAN});
    return good;
}

PROCEDURE(run_roll) {
    const char *message;
    CaromTrackRoll roll;
    (void)values;
    if (isnan(settings->radius)) {
        return error_set(error, "roll needs --radius, that of the ball");
    }
    CaromStatus status = carom_measure_roll(points, count, settings->radius, settings->gravity,
                                            settings->mu_slide, settings->mu_roll, &roll, &message);
    const CaromMeasured *v = roll.velocity;
    CaromMeasured speed = {hypot(v[0].value, v[1].value), 0};
    speed.standard_error =
        hypot(v[0].value * v[0].standard_error, v[1].value * v[1].standard_error) / speed.value;
    bool good = finish(status, message, "speed", "speed at the first point", speed, result, error);
    add(result, "vx", v[0]);
    add(result, "vy", v[1]);
    add(result, "wx", roll.angular_velocity[0]);
    add(result, "wy", roll.angular_velocity[1]);
    add(result, "mu_slide", roll.mu_slide);
    add(result, "mu_roll", roll.mu_roll);
    add(result, "rms", (CaromMeasured){roll.rms, NAN});
    return good;
}

PROCEDURE(run_tumble) {
    static const char *const names[6] = {"vx", "vy", "vz", "wx", "wy", "wz"};
    const double gravity[3] = {0, 0, -settings->gravity};
    const char *message;
    CaromTrackTumble tumble;
    (void)values;
    double time = isnan(settings->time) && count > 0 ? points[count - 1].time : settings->time;
    CaromStatus status =
        carom_measure_tumble(points, count, gravity, settings->inertia, time, &tumble, &message);
    CaromMeasured spin = {0, 0};
    for (int k = 0; k < 3 && status >= 0; k++) {
        const CaromMeasured *w = &tumble.angular_velocity[k];
        spin.value = hypot(spin.value, w->value);
        spin.standard_error = hypot(spin.standard_error, w->value * w->standard_error);
    }
    spin.standard_error /= spin.value;
    bool good = finish(status, message, "angular_speed", "angular speed", spin, result, error);
    for (int k = 0; k < 6; k++) {
        add(result, names[k], k < 3 ? tumble.velocity[k] : tumble.angular_velocity[k - 3]);
    }
    add(result, "rms", (CaromMeasured){tumble.rms, NAN});
    add(result, "rms_angle", (CaromMeasured){tumble.angle, NAN});
    return good;
}

static const Procedure procedures[] = {
    {"drop", "DROP:BOUNCE ...", true, false, 0, run_drop},
    {"bounces", "HEIGHT HEIGHT ...", false, false, 0, run_bounces},
    {"times", "TIME TIME TIME ...", false, false, 0, run_times},
    {"pendulum", "RELEASED:REACHED ...", true, false, 0, run_pendulum},
    {"tilt", "DEGREES ...", false, false, 0, run_tilt},
    {"ramp", "HEIGHT:DISTANCE ...", true, false, 0, run_ramp},
    {"springs", "", false, true, 0, run_springs},
    {"poisson", "NU", false, false, 0, run_poisson},
    {"flight", NULL, false, false, MEASURE_FLIGHT, run_flight},
    {"roll", NULL, false, false, MEASURE_TABLE, run_roll},
    {"tumble", NULL, false, false, MEASURE_TUMBLE, run_tumble}};
enum { PROCEDURES = sizeof procedures / sizeof *procedures };

const char *const measure_kinds[] = {"drop",    "bounces", "times",  "pendulum", "tilt",   "ramp",
                                     "springs", "poisson", "flight", "roll",     "tumble", NULL};

/* A number, or a pair A:B. */
static bool read_value(const Procedure *procedure, const char *text, Values *values, Error *error) {
    const char *colon = strchr(text, ':');
    size_t length = colon && procedure->pairs ? (size_t)(colon - text) : strlen(text);
    int at = values->count;
    bool good = at < VALUES_MAX && (colon != NULL) == procedure->pairs &&
                text_span_to_number(text, length, &values->first[at]) &&
                (!colon || text_to_number(colon + 1, &values->second[at]));
    values->count += good;
    return good || error_set(error, "%s takes %s, got \"%.64s\"", procedure->name,
                             procedure->arguments, text);
}

bool measure_run(const char *kind, char *const *arguments, int count,
                 const MeasureSettings *settings, MeasureResult *result, Error *error) {
    const Procedure *procedure = procedures;
    while (procedure < procedures + PROCEDURES && strcmp(procedure->name, kind) != 0) {
        procedure++;
    }
    if (procedure == procedures + PROCEDURES) {
        return error_set(error, "unknown procedure \"%.64s\"", kind);
    }
    Values *values = calloc(1, sizeof *values);
    CaromTrackPoint *points = NULL;
    int point_count = 0;
    bool good = values || error_set(error, "out of memory"), track = !procedure->arguments;
    if (good && (track ? count != 1 : (count == 0) != procedure->none)) {
        good = error_set(error, "%s takes %s", kind,
                         track             ? "one file, TRACK.csv"
                         : procedure->none ? "options only"
                                           : procedure->arguments);
    }
    for (int i = 0; i < count && good && !track; i++) {
        good = read_value(procedure, arguments[i], values, error);
    }
    if (good && track) {
        good = measure_track_read(strcmp(arguments[0], "-") == 0 ? NULL : arguments[0],
                                  procedure->track, &points, &point_count, error);
    }
    good = good && procedure->run(values, points, point_count, settings, result, error);
    free(points);
    free(values);
    return good;
}
