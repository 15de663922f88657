#include "roll/roll_report.h"

#include <math.h>

#include "base/json_write.h"
#include "io/output_file.h"
#include "report/text/scene_text.h"
#include "report/words/scene_words.h"

/* Does a phase take time before the end? A phase that does not happen lasts no time. */
static bool takes_time(const RollRun *run, int phase) {
    double until = phase < CAROM_ROLLING_PHASE_REST ? run->path.begin[phase + 1] : INFINITY;
    return run->path.begin[phase] <= run->end && run->path.begin[phase] < until;
}

/* Text: a line per phase, as it begins. */

/* Rounding errors of a component become 0. */
static double plain(double x, double scale) {
    return fabs(x) < 1e-13 * scale ? 0 : x;
}

static void print_state(FILE *file, const RollRun *run, const char *what, double time,
                        const CaromRollingState *state) {
    double speed = hypot(state->velocity[0], state->velocity[1]);
    double spin = speed / run->path.radius + fabs(state->angular_velocity[2]);
    fprintf(file, "  %-7s %11.6g %11.6g %11.6g ", what, time, state->position[0],
            state->position[1]);
    for (int i = 0; i < 2; i++) {
        fprintf(file, " %10.6g", plain(state->velocity[i], speed));
    }
    for (int i = 0; i < 3; i++) {
        fprintf(file, " %10.6g", plain(state->angular_velocity[i], spin));
    }
    fputc('\n', file);
}

static void print_end(FILE *file, const RollRun *run) {
    CaromRollingState last;
    const double *from = run->path.state[0].position;
    carom_rolling_at(&run->path, run->end, &last, NULL, NULL);
    if (!run->at_rest) {
        print_state(file, run, "ends", run->end, &last);
    }
    fprintf(file, "\nAfter time %.6g it is %.6g away from where it was hit%s.\n", run->end,
            hypot(last.position[0] - from[0], last.position[1] - from[1]),
            run->at_rest ? ", at rest" : "");
    if (run->hop > 1e-13) {
        fprintf(file, "It leaves the table with the velocity %.6g upwards; this hop is left out.\n",
                run->hop);
    }
}

void roll_text(FILE *file, const Solution *solution, const RollRun *run) {
    const Scene *scene = run->scene;
    const CaromTable *table = &scene->roll.table;
    report_scene(file, scene, solution->method, solution->as_printed);
    fprintf(file, "Table          mu_slide = %g, mu_roll = %g, gravity %g; ball of radius %g\n",
            table->mu_slide, table->mu_roll, table->gravity, table->radius);
    fprintf(file, "\n%s after the impact\n  %-7s %11s %11s %11s  %10s %10s %10s %10s %10s\n",
            report_name(scene->body_names[scene->roll.body]).text, "", "time", "x", "y", "v_x",
            "v_y", "omega_x", "omega_y", "omega_z");
    for (int i = 0; i < roll_phases(run); i++) {
        if (takes_time(run, i)) {
            print_state(file, run, roll_phase_words((CaromRollingPhase)i), run->path.begin[i],
                        &run->path.state[i]);
        }
    }
    print_end(file, run);
}

/* JSON. */

static json_t *state_object(const char *phase, double time, const CaromRollingState *state) {
    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "phase", phase, "time", json_write_number(time),
                     "position", json_write_numbers(state->position, 3), "velocity",
                     json_write_numbers(state->velocity, 3), "angular_velocity",
                     json_write_numbers(state->angular_velocity, 3));
}

bool roll_json(FILE *file, const Solution *solution, const RollRun *run) {
    const Scene *scene = run->scene;
    json_t *line = json_object(), *phases = json_array();
    for (int i = 0; i < roll_phases(run); i++) {
        if (takes_time(run, i)) {
            json_array_append_new(phases, state_object(roll_phase_name((CaromRollingPhase)i),
                                                       run->path.begin[i], &run->path.state[i]));
        }
    }
    CaromRollingState last;
    CaromRollingPhase phase;
    carom_rolling_at(&run->path, run->end, &last, &phase, NULL);
    json_object_set_new(line, "status", json_string(carom_status_string(solution->result.status)));
    json_object_set_new(line, "model", json_string(scene_model_names[scene->model]));
    json_object_set_new(line, "body", json_string(scene->body_names[scene->roll.body]));
    json_object_set_new(line, "phases", phases);
    json_object_set_new(line, "end", state_object(roll_phase_name(phase), run->end, &last));
    json_object_set_new(line, "hop", json_write_number(run->hop));
    return json_write_line(file, line);
}

/* The path. */

/* Most samples, as of a trace. */
#define SAMPLES_MAX 1e7

typedef struct Rows {
    const RollRun *run;
    double rate;
} Rows;

static void write_row(FILE *file, const RollRun *run, double time) {
    CaromRollingState state;
    CaromRollingPhase phase;
    carom_rolling_at(&run->path, time, &state, &phase, NULL);
    const double *const parts[] = {state.position, state.velocity, state.angular_velocity};
    fprintf(file, "%.17g", time);
    for (int i = 0; i < 9; i++) {
        fprintf(file, ",%.17g", parts[i / 3][i % 3]);
    }
    fprintf(file, ",%s\n", roll_phase_name(phase));
}

/* A row at every multiple of 1/rate, where a phase begins, and at the end. */
static void write_rows(FILE *file, const void *data) {
    const Rows *rows = data;
    const RollRun *run = rows->run;
    double last = -1; /* time of the last row */
    int phase = 0;
    fputs("t,x,y,z,vx,vy,vz,wx,wy,wz,phase\n", file);
    for (double index = 0; last < run->end && !ferror(file); index++) {
        double time = fmin(index / rows->rate, run->end);
        for (; phase < roll_phases(run) && run->path.begin[phase] <= time; phase++) {
            if (takes_time(run, phase)) {
                last = run->path.begin[phase];
                write_row(file, run, last);
            }
        }
        if (time > last) {
            last = time;
            write_row(file, run, last);
        }
    }
}

bool roll_csv(const char *path, const RollRun *run, double rate, Error *error) {
    Rows rows = {run, rate > 0 ? rate : run->end > 0 ? 1000 / run->end : 1};
    if (rows.rate * run->end > SAMPLES_MAX) {
        return error_set(error, "--rate: %g is too high for a time of %g, at most %g", rows.rate,
                         run->end, SAMPLES_MAX / run->end);
    }
    Error why;
    return output_file_write(path, write_rows, &rows, &why) ||
           error_set(error, "--trajectory: %s: cannot be written: %s", path, why.text);
}
