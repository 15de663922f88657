/* The trajectories of a world as a table. */
#include "world/world_csv.h"

#include <stdlib.h>

#include "io/output_file.h"
#include "world/world_samples.h"

/* Most rows of samples; the table then has some 2 GB. */
#define SAMPLES_MAX 1e7

static void write_row(FILE *file, int body, double time, CaromMotion motion) {
    carom_motion_advance(&motion, time);
    const double *const parts[] = {motion.position, motion.velocity, motion.angular_velocity};
    fprintf(file, "%.17g,%d", time, body);
    for (int i = 0; i < 3; i++) {
        fprintf(file, ",%.17g,%.17g,%.17g", parts[i][0], parts[i][1], parts[i][2]);
    }
    fprintf(file, ",%s\n", carom_phase_string(motion.phase));
}

/* Samples of all bodies up to a time, then the change of one. */
static void write_rows(FILE *file, const WorldScene *scene, const WorldRecord *record, double rate,
                       CaromMotion *now) {
    int count = scene->setup.body_count;
    double index = 0;
    for (size_t i = 0; i <= record->piece_count && !ferror(file); i++) {
        const WorldPiece *piece = i < record->piece_count ? &record->pieces[i] : NULL;
        double until = piece ? piece->motion.time : record->time;
        for (; i >= (size_t)count && index / rate <= until; index++) {
            for (int k = 0; k < count; k++) {
                write_row(file, k, index / rate, now[k]);
            }
        }
        if (piece) {
            if (i >= (size_t)count) {
                write_row(file, piece->body, until, now[piece->body]);
                write_row(file, piece->body, until, piece->motion);
            }
            now[piece->body] = piece->motion;
        }
    }
}

/* A row of a world with convex bodies, whose orientation is followed. */
static void write_sample(void *user, double time, int body, const CaromBody *state,
                         CaromPhase phase) {
    FILE *file = user;
    const double *const parts[] = {state->position, state->velocity, state->angular_velocity};
    const double *q = state->orientation;
    fprintf(file, "%.17g,%d", time, body);
    for (int i = 0; i < 3; i++) {
        fprintf(file, ",%.17g,%.17g,%.17g", parts[i][0], parts[i][1], parts[i][2]);
    }
    fprintf(file, ",%s,%.17g,%.17g,%.17g,%.17g\n", carom_phase_string(phase), q[0], q[1], q[2],
            q[3]);
}

/* The table of a world of balls, from the pieces of the record. False: out of memory. */
static bool write_balls(FILE *file, const WorldScene *scene, const WorldRecord *record,
                        double rate) {
    CaromMotion *now = calloc((size_t)scene->setup.body_count, sizeof *now);
    if (!now) {
        return false;
    }
    fputs("t,body,x,y,z,vx,vy,vz,wx,wy,wz,phase\n", file);
    write_rows(file, scene, record, rate, now);
    free(now);
    return true;
}

static bool write_table(FILE *file, const WorldScene *scene, const WorldRecord *record, double rate,
                        Error *error) {
    if (scene->ball_count == scene->setup.body_count) {
        return write_balls(file, scene, record, rate) || error_set(error, "out of memory");
    }
    fputs("t,body,x,y,z,vx,vy,vz,wx,wy,wz,phase,qw,qx,qy,qz\n", file);
    return world_samples(scene, record->time, rate, write_sample, file, error);
}

bool world_csv(const char *path, const WorldScene *scene, const WorldRecord *record, double rate,
               Error *error) {
    size_t count = (size_t)scene->setup.body_count;
    rate = rate > 0 ? rate : record->time > 0 ? 1000 / record->time : 1;
    if (rate * record->time * (double)count > SAMPLES_MAX) {
        return error_set(error, "--rate: %g is too high for a time of %g, at most %g", rate,
                         record->time, SAMPLES_MAX / record->time / (double)count);
    }
    OutputFile file;
    Error why;
    if (!output_file_begin(path, &file, &why)) {
        return error_set(error, "--trajectory: %s: cannot be written: %s", path, why.text);
    }
    if (!write_table(file.stream, scene, record, rate, &why)) {
        output_file_drop(&file);
        return error_set(error, "--trajectory: %s", why.text);
    }
    return output_file_finish(&file, &why) ||
           error_set(error, "--trajectory: %s: cannot be written: %s", path, why.text);
}
