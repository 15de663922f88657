/* Cube tosses, whole: from the first flight to rest, every model with its own best coefficients
 * from some tosses, errors on others. */
#include <math.h>
#include <string.h>

#include <carom/carom.h>

#include "cube_track.h"
#include "parts.h"
#include "toss.h"

/* Every ninth toss finds the coefficients. */
enum { EVERY = 9, POSES_MAX = 100000, MODELS_MAX = 10 };

typedef struct Tosses {
    int read, used;
    Toss train[TOSSES_MAX], test[TOSSES_MAX];
    int train_count, test_count;
    Pose poses[POSES_MAX];
    int pose_count;
} Tosses;

/* The pose at the end of a flight: the mean of all its frames, carried there. */
static void mean_pose(const CaromTrackPoint *frames, int count, const CaromTrackTumble *tumble,
                      Pose *mean) {
    static const double gravity[3] = {0, 0, -CUBE_GRAVITY};
    double length = 0;
    *mean = (Pose){0};
    for (int i = 0; i < count; i++) {
        double dt = frames[count - 1].time - frames[i].time, dot = 0;
        CaromBody body = cube_body(&frames[i], tumble);
        body.velocity[2] += CUBE_GRAVITY * dt;
        carom_flight_advance(&body, gravity, dt, NULL);
        for (int k = 0; k < 4; k++) {
            dot += body.orientation[k] * mean->orientation[k];
        }
        for (int k = 0; k < 4; k++) {
            mean->orientation[k] += dot < 0 ? -body.orientation[k] : body.orientation[k];
        }
        for (int k = 0; k < 3; k++) {
            mean->position[k] += body.position[k] / count;
        }
    }
    for (int k = 0; k < 4; k++) {
        length = hypot(length, mean->orientation[k]);
    }
    for (int k = 0; k < 4; k++) {
        mean->orientation[k] /= length;
    }
}

/* The state before the first touch, and the frames from there on. */
static bool take(const CubeTrack *track, Pose *poses, Toss *toss) {
    static const double gravity[3] = {0, 0, -CUBE_GRAVITY}, inertia[3] = {1, 1, 1};
    CaromTrackTumble tumble;
    int touch = 0;
    while (touch < track->count && !cube_touching(&track->frames[touch])) {
        touch++;
    }
    int flight = touch < CUBE_FLIGHT_MOST ? touch : CUBE_FLIGHT_MOST;
    const CaromTrackPoint *frames = track->frames + touch - flight;
    if (flight < CUBE_FLIGHT_LEAST || touch == track->count ||
        carom_measure_tumble(frames, flight, gravity, inertia, frames[flight - 1].time, &tumble,
                             NULL) < 0) {
        return false;
    }
    *toss = (Toss){.half = CUBE_HALF,
                   .mass = CUBE_MASS,
                   .inertia = CUBE_INERTIA,
                   .gravity = CUBE_GRAVITY,
                   .count = track->count - touch,
                   .frames = poses};
    mean_pose(frames, flight, &tumble, &toss->start);
    for (int k = 0; k < 3; k++) {
        toss->velocity[k] = tumble.velocity[k].value;
        toss->angular_velocity[k] = tumble.angular_velocity[k].value;
    }
    for (int i = touch; i < track->count; i++) {
        Pose *pose = &poses[i - touch];
        pose->time = track->frames[i].time - frames[flight - 1].time;
        memcpy(pose->position, track->frames[i].position, sizeof pose->position);
        memcpy(pose->orientation, track->frames[i].orientation, sizeof pose->orientation);
    }
    return true;
}

static void add(void *user, const CubeTrack *track) {
    Tosses *all = user;
    bool train = all->used % EVERY == 0;
    Toss *toss = train ? &all->train[all->train_count] : &all->test[all->test_count];
    all->read++;
    if (all->used < TOSSES_MAX && all->pose_count + track->count <= POSES_MAX &&
        take(track, all->poses + all->pose_count, toss)) {
        all->used++;
        all->pose_count += toss->count;
        *(train ? &all->train_count : &all->test_count) += 1;
    }
}

/* Errors of a model on the tosses kept back: position, at the end, rotation, at the end, and
 * whether the face is wrong. */
enum { NUMBERS = 5 };
typedef struct Errors {
    double of[NUMBERS][TOSSES_MAX];
    int failed;
} Errors;

static void find_errors(const TossModel *model, const Tosses *all, const double *coefficients,
                        Errors *errors) {
    errors->failed = 0;
    for (int i = 0; i < all->test_count; i++) {
        TossError error = toss_error(model, &all->test[i], coefficients);
        errors->of[0][i] = error.position;
        errors->of[1][i] = error.position_end;
        errors->of[2][i] = error.rotation;
        errors->of[3][i] = error.rotation_end;
        errors->of[4][i] = error.face ? 0 : 100;
        errors->failed += error.failed;
    }
}

static void print_number(const double *x, int n, int number,
                         double (*statistic)(const double *, int)) {
    const char *format = number < 2 ? "%.3f +- %.3f" : "%.1f +- %.1f";
    printf(format, statistic(x, n), judge_bootstrap(x, n, statistic));
}

static void report(const TossModel *model, int n, const double *coefficients,
                   const Errors *errors) {
    printf("| %s | ", model->name);
    for (int k = 0; k < model->count; k++) {
        printf("%s%s %.3g", k ? ", " : "", model->names[k], coefficients[k]);
    }
    for (int k = 0; k < NUMBERS; k++) {
        printf(" | ");
        print_number(errors->of[k], n, k, judge_mean);
        if (k + 1 < NUMBERS) { /* a share has no median */
            printf(" / ");
            print_number(errors->of[k], n, k, judge_median);
        }
    }
    printf(" | %d |\n", errors->failed);
    fflush(stdout);
}

/* Differences to the first model on the same tosses. */
static void compare(const TossModel *models, int count, int n, const Errors *errors) {
    static double above[TOSSES_MAX];
    printf("\nAbove the first model on the same tosses, mean of the differences:\n\n| model | "
           "position, frames | at the end | rotation, frames | at the end | wrong face, %% "
           "|\n|---|---|---|---|---|---|\n");
    for (int m = 1; m < count; m++) {
        printf("| %s", models[m].name);
        for (int k = 0; k < NUMBERS; k++) {
            for (int i = 0; i < n; i++) {
                above[i] = errors[m].of[k][i] - errors[0].of[k][i];
            }
            printf(" | ");
            print_number(above, n, k, judge_mean);
        }
        printf(" |\n");
    }
}

bool part_tosses(const char *path) {
    static Tosses all;
    static Errors errors[MODELS_MAX];
    TossModel models[MODELS_MAX];
    FILE *file = fopen(path, "r");
    printf("\n## Cube tosses, to rest\n\n");
    if (!file) {
        printf("skipped: %s is not there\n", path);
        return false;
    }
    cube_track_visit(file, add, &all);
    fclose(file);
    printf(
        "%d tosses, %d of which begin with a flight of %d frames or more; %d to find the "
        "coefficients, %d kept back.\nMean / median over tosses, +- by resampling tosses; position "
        "in edges, rotation in degrees.\n\n| model | best coefficients | position, frames | at the "
        "end | rotation, "
        "frames | at the end | wrong face, %% | failed |\n|---|---|---|---|---|---|---|---|\n",
        all.read, all.used, CUBE_FLIGHT_LEAST, all.train_count, all.test_count);
    int count = toss_ours(models);
    int (*const engines[])(TossModel *) = {toss_bullet, toss_mujoco, toss_ode};
    int missing = 0;
    for (int i = 0; i < 3; i++) {
        int found = engines[i](&models[count]);
        count += found;
        missing += found == 0;
    }
    for (int i = 0; i < count; i++) {
        double coefficients[TOSS_COEFFICIENTS_MAX] = {0};
        toss_search(&models[i], all.train, all.train_count, coefficients);
        find_errors(&models[i], &all, coefficients, &errors[i]);
        report(&models[i], all.test_count, coefficients, &errors[i]);
    }
    compare(models, count, all.test_count, errors);
    if (missing > 0) {
        printf("\n%d of 3 engines (Bullet, MuJoCo, ODE) are not installed\n", missing);
    }
    return true;
}
