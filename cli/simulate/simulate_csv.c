/* The trajectory of a simulation as a table. */
#include "simulate/simulate_csv.h"

#include <stdio.h>

#include "io/output_file.h"

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

/* The samples of one flight between its ends; the next sample is at time *index/rate. */
static bool write_flight(FILE *file, const SimulateFlight *flight, const double gravity[3],
                         double rate, double *index, const char **message) {
    CaromBody body = flight->first;
    double now = flight->from;
    *message = "";
    if (flight->to > flight->from || flight->bounces > 0) {
        write_row(file, flight->from, &body, flight->bounces);
    }
    for (; *index / rate < flight->to; ++*index) {
        double time = *index / rate;
        if (time <= flight->from) {
            continue;
        }
        if (carom_flight_advance(&body, gravity, time - now, message) < 0) {
            return false;
        }
        now = time;
        write_row(file, now, &body, flight->bounces);
    }
    return true;
}

/* Every flight has a row at its start and one at its end, unless it has no duration. */
static bool write_rows(FILE *file, const SimulateScene *scene, const SimulateRun *run, double rate,
                       const char **message) {
    fputs("t,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,bounce\n", file);
    SimulateFlight flight = simulate_first_flight(run);
    double index = 0;
    do {
        if (!write_flight(file, &flight, scene->gravity, rate, &index, message)) {
            return false;
        }
        bool more = flight.next < run->impact_count;
        if (flight.to > flight.from || (more && flight.bounces == 0)) {
            write_row(file, flight.to, &flight.last, flight.bounces);
        }
    } while (!ferror(file) && simulate_next_flight(run, &flight));
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
