/* carom measure: the command line. */
#include "commands/measure_command.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "io/command_line.h"

static const char help[] =
    "Usage: carom measure KIND [options] VALUES...\n"
    "Coefficients and speeds from what is easily measured, with standard errors.\n"
    "\n"
    "  drop DROP:BOUNCE ...          e from heights, sqrt(bounce/drop)\n"
    "  bounces HEIGHT HEIGHT ...     e from the heights of successive bounces\n"
    "  times TIME TIME TIME ...      e from the times of successive bounces\n"
    "  pendulum RELEASED:REACHED ... e from heights of a pendulum that hits a fixed body; with\n"
    "                                --struck M of a ball at rest that it hits, M times as heavy\n"
    "  tilt DEGREES ...              mu_static from angles at which bodies begin to slide\n"
    "  ramp HEIGHT:DISTANCE ...      mu_roll from a ball that rolls down a ramp, h/d;\n"
    "                                --as-printed: 7h/(5d)\n"
    "  springs                       speed of a cue: --stiffness K --stretch X [--rest X0]\n"
    "                                --mass M [--springs 2] [--sigma-stiffness S]\n"
    "                                [--sigma-mass S]\n"
    "  poisson NU                    stiffness_ratio from Poisson's ratio\n"
    "  flight TRACK.csv              velocities before and after a bounce: columns t,z[,x,y]\n"
    "  roll TRACK.csv                velocities of a ball on a table after a shot: t,x,y;\n"
    "                                --radius R [--mu-slide M] [--mu-roll M] (else fitted)\n"
    "  tumble TRACK.csv              velocities of a body in flight: t,x,y,z,qw,qx,qy,qz;\n"
    "                                [--inertia A,B,C] [--time T] (default: the last)\n"
    "\n"
    "  --sigma S      standard deviation of a height, time, angle (degrees), stretch or nu\n"
    "  --gravity G    default 9.81; z is up\n"
    "  --json         one line of JSON instead of text\n"
    "  --help         print this\n"
    "\n"
    "Exit status: 0 done; 2 bad values, file or usage.\n";

#ifdef CAROM_HAS_FIT

#include <math.h>

#include "base/json_write.h"
#include "base/text.h"
#include "measure/measure_run.h"
#include "report/json/json_report.h"

static int read_inertia(const char *command, const char *text, void *target) {
    double *inertia = target;
    for (int k = 0; k < 3; k++) {
        const char *comma = strchr(text, ',');
        size_t length = comma && k < 2 ? (size_t)(comma - text) : strlen(text);
        if (!text_span_to_number(text, length, &inertia[k]) || !(inertia[k] > 0) ||
            (comma == NULL) != (k == 2)) {
            return usage_fail(command, "--inertia: must be three numbers > 0, A,B,C");
        }
        text = comma ? comma + 1 : text;
    }
    return 0;
}

static void print_text(const MeasureResult *result) {
    const MeasureNumber *first = &result->numbers[0];
    printf("%s (%s): %.6g", first->name, result->what, first->measured.value);
    if (!isnan(first->measured.standard_error)) {
        printf(" +- %.2g", first->measured.standard_error);
    }
    putchar('\n');
    for (int i = 1; i < result->count; i++) {
        const CaromMeasured *measured = &result->numbers[i].measured;
        printf("  %-12s %12.6g", result->numbers[i].name, measured->value);
        if (!isnan(measured->standard_error)) {
            printf(" +- %.2g", measured->standard_error);
        }
        putchar('\n');
    }
}

static bool print_json(const char *kind, const MeasureResult *result) {
    const CaromMeasured *first = &result->numbers[0].measured;
    json_t *line = json_pack("{s:s, s:s, s:s, s:o, s:o}", "status", "ok", "kind", kind, "name",
                             result->numbers[0].name, "value", json_write_number(first->value),
                             "standard_error", json_write_number(first->standard_error));
    if (result->count > 1) {
        json_t *numbers = json_object();
        for (int i = 1; i < result->count; i++) {
            const CaromMeasured *measured = &result->numbers[i].measured;
            json_object_set_new(numbers, result->numbers[i].name,
                                json_pack("{s:o, s:o}", "value", json_write_number(measured->value),
                                          "standard_error",
                                          json_write_number(measured->standard_error)));
        }
        json_object_set_new(line, "numbers", numbers);
    }
    return json_write_line(stdout, line);
}

static int measure(const char *kind, char *const *arguments, int count,
                   const MeasureSettings *settings, bool json) {
    MeasureResult result;
    Error error;
    if (!measure_run(kind, arguments, count, settings, &result, &error)) {
        Words name = words_of("measure %.64s", kind);
        return report_failure(name.text, CAROM_INVALID_INPUT, error.text, json);
    }
    if (!json) {
        print_text(&result);
    } else if (!print_json(kind, &result)) {
        message_error("measure: out of memory");
        return 2;
    }
    return output_finish() ? 0 : 2;
}

int measure_main(int argc, char **argv) {
    int json = 0;
    MeasureSettings settings = {.gravity = 9.81,
                                .stiffness = NAN,
                                .stretch = NAN,
                                .mass = NAN,
                                .springs = 2,
                                .radius = NAN,
                                .mu_slide = NAN,
                                .mu_roll = NAN,
                                .time = NAN,
                                .inertia = {1, 1, 1}};
    const Option options[] = {
        {"sigma", OPTION_POSITIVE, .target = &settings.sigma},
        {"as-printed", OPTION_FLAG, .target = &settings.as_printed},
        {"struck", OPTION_POSITIVE, .target = &settings.struck},
        {"gravity", OPTION_POSITIVE, .target = &settings.gravity},
        {"stiffness", OPTION_POSITIVE, .target = &settings.stiffness},
        {"stretch", OPTION_POSITIVE, .target = &settings.stretch},
        {"rest", OPTION_POSITIVE, .target = &settings.rest},
        {"mass", OPTION_POSITIVE, .target = &settings.mass},
        {"sigma-stiffness", OPTION_POSITIVE, .target = &settings.sigma_stiffness},
        {"sigma-mass", OPTION_POSITIVE, .target = &settings.sigma_mass},
        {"springs", OPTION_INTEGER, .target = &settings.springs, .low = 1, .high = 1000},
        {"radius", OPTION_POSITIVE, .target = &settings.radius},
        {"mu-slide", OPTION_POSITIVE, .target = &settings.mu_slide},
        {"mu-roll", OPTION_POSITIVE, .target = &settings.mu_roll},
        {"time", OPTION_POSITIVE, .target = &settings.time},
        {"inertia", OPTION_READ, .target = settings.inertia, .read = read_inertia},
        {"json", OPTION_FLAG, .target = &json},
        {0}};
    int status = command_line_read("measure", help, options, argc, argv);
    if (status >= 0) {
        return status;
    }
    if (optind >= argc) {
        return usage_fail("measure", "no procedure given");
    }
    return measure(argv[optind], argv + optind + 1, argc - optind - 1, &settings, json != 0);
}

#else

int measure_main(int argc, char **argv) {
    const Option options[] = {{0}};
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        return command_line_read("measure", help, options, argc, argv);
    }
    message_error("measure: this program was built without cminpack; install it (Debian: "
                  "libcminpack-dev) and build again");
    return 2;
}

#endif
