/* The trajectory of a simulation as a table. */
#include "simulate/simulate_csv.h"

#include <stdio.h>

#include "io/output_file.h"
#include "simulate/simulate_piece.h"

/* Most samples, as of a trace; the file then has 3 GB. */
#define SAMPLES_MAX 1e7

static void write_row(FILE *file, double time, const CaromBody *body, int bounces) {
    const double *const parts[] = {body->position, body->orientation, body->velocity,
                                   body->angular_velocity};
    static const int sizes[] = {3, 4, 3, 3};
    fprintf(file, "%.17g", time);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < sizes[i]; k++) {
            fprintf(file, ",%.17g", parts[i][k]);
        }
    }
    fprintf(file, ",%d\n", bounces);
}

/* The samples of one piece between its ends; the next sample is at time *index/rate. */
static bool write_piece(FILE *file, const SimulateScene *scene, const SimulateRun *run,
                        const SimulatePiece *piece, double rate, double *index,
                        const char **message) {
    SimulateCursor cursor = simulate_cursor(piece);
    *message = "";
    if (piece->to > piece->from || piece->bounces > 0) {
        write_row(file, piece->from, &piece->first, piece->bounces);
    }
    for (; *index / rate < piece->to; ++*index) {
        double time = *index / rate;
        if (time <= piece->from) {
            continue;
        }
        if (!simulate_cursor_advance(scene, run, time, &cursor, message)) {
            return false;
        }
        write_row(file, time, &cursor.body, piece->bounces);
    }
    return true;
}

/* Every piece has a row at its start and one at its end, unless it has no duration. */
static bool write_rows(FILE *file, const SimulateScene *scene, const SimulateRun *run, double rate,
                       const char **message) {
    double index = 0;
    fputs("t,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,bounce\n", file);
    for (size_t i = 0; i < run->piece_count && !ferror(file); i++) {
        const SimulatePiece *piece = &run->pieces[i];
        if (!write_piece(file, scene, run, piece, rate, &index, message)) {
            return false;
        }
        bool more = piece->bounces < run->impact_count;
        if (piece->to > piece->from || (more && piece->bounces == 0)) {
            write_row(file, piece->to, &piece->last, piece->bounces);
        }
    }
    return true;
}

bool simulate_csv(const char *path, const SimulateScene *scene, const SimulateRun *run, double rate,
                  Error *error) {
    if (!(rate > 0)) {
        rate = run->time > 0 ? 1000 / run->time : 1;
    }
    if (rate * run->time > SAMPLES_MAX) {
        return error_set(error, "--rate: %g is too high for a time of %g, at most %g", rate,
                         run->time, SAMPLES_MAX / run->time);
    }
    const char *message = "";
    OutputFile file;
    Error why;
    if (!output_file_begin(path, &file, &why)) {
        return error_set(error, "--trajectory: %s: cannot be written: %s", path, why.text);
    }
    if (!write_rows(file.stream, scene, run, rate, &message)) {
        output_file_drop(&file);
        return error_set(error, "--trajectory: %s: %s", path, message);
    }
    return output_file_finish(&file, &why) ||
           error_set(error, "--trajectory: %s: cannot be written: %s", path, why.text);
}
