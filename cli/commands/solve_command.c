/* carom solve: scenes in, results out. */
#include "commands/solve_command.h"

#include <getopt.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/document.h"
#include "base/json_write.h"
#include "base/message.h"
#include "commands/solver_options.h"
#include "io/command_line.h"
#include "io/used_files.h"
#include "outcomes/outcomes_report.h"
#include "report/json/json_report.h"
#include "report/page/report_pages.h"
#include "report/text/text_report.h"
#include "report/trace_csv.h"
#include "scene/scene_read.h"
#include "sensitivity/sensitivity_report.h"
#include "sensitivity/uncertainty_report.h"
#include "vary/vary.h"

static const char help[] =
    "Usage: carom solve [options] SCENE.json...\n"
    "Solve each scene (\"-\": standard input) and print the result.\n"
    "\n"
    "  --json             one line of JSON per scene instead of text\n" SOLVER_OPTIONS_HELP
    "  --tolerance X      largest acceptable estimate of the relative error of the impulse;\n"
    "                     a worse one makes the status not_converged\n"
    "  --trace FILE.csv   also write the process of the one scene, sampled: the columns\n"
    "                     p,ix,iy,iz,vx,vy,vz,stored,mode, of a compliant contact also\n"
    "                     tangential,spring_x,spring_y,rate_x,rate_y; of several contacts\n"
    "                     clock,ix_0,iy_0,...,mode_0,tangential_0,ix_1,... with the sum of all\n"
    "                     normal impulses as clock, and mode slip, stick or open\n"
    "  --samples N        samples of the trace, 2 to 10000000 (default 201)\n"
    "  --report DIR       also write a page about each scene to DIR, which is made if need be:\n"
    "                     SCENE.html, one file with all its pictures (they need gnuplot);\n"
    "                     of several scenes also index.html\n"
    "  --vary PATH=FROM:TO:COUNT\n"
    "                     solve over a range of a number of the scene, named as in its file, and\n"
    "                     print a table: bodies[0].velocity[2]=-3:-1:9. Short: a contact's mu,\n"
    "                     mu_static, e, stiffness or stiffness_ratio, with several contacts each\n"
    "                     in turn, or one: stiffness[1]=0.5:2:9. An angle in radians:\n"
    "                     contacts[0].normal.turn_x turns the normal about the x axis. Given "
    "twice:\n"
    "                     print a map of both as CSV\n"
    "  --sensitivity[=PATH,...]\n"
    "                     also print the derivatives of the outcome by numbers of the scene, by\n"
    "                     default every mu, e, stiffness, stiffness_ratio and velocity, and the\n"
    "                     nearest change of the sequence of events\n"
    "  --uncertainty NAME=SIGMA,...\n"
    "                     also print error bars of the outcome for standard deviations of numbers\n"
    "                     of the scene: mu=0.02,e=0.01,velocity=1%; linear and from 1000 samples\n"
    "  --outcomes[=N]     instead print the set of outcomes: rigid contacts one after another\n"
    "                     in all orders, and compliant contacts at once over their stiffness\n"
    "                     ratios; at most N of each (default 1000, at most 10000), more orders\n"
    "                     are sampled at random\n"
    "  --stiffness-range LOW:HIGH\n"
    "                     factors of the stiffnesses for --outcomes (default 0.01:100)\n"
    "  --seed N           of the random samples of --outcomes and --uncertainty (default 1)\n"
    "  --help             print this\n"
    "\n"
    "Exit status: 0 solved; 1 a scene could not be solved; 2 bad input or usage.\n";

typedef struct Settings {
    CaromOptions options;
    int json;
    const char *trace;  /* NULL: none */
    long samples;       /* 0: not given */
    const char *report; /* NULL: none */
    Vary vary;
    SensitivityPaths sensitivity;
    Uncertainty uncertainty;
    OutcomesOptions outcomes;
    long seed; /* 0: not given */
} Settings;

/* A scene that is being solved. */
typedef struct Job {
    int index; /* among those of the command line */
    const char *path;
    const char *name; /* in messages */
    char *bytes;      /* as it was given, owned; NULL: not read */
    size_t size;
} Job;

/* --outcomes goes alone with its own options and --json. */
static int check_outcomes(Settings *settings) {
    const OutcomesOptions defaults = outcomes_options_default();
    OutcomesOptions *outcomes = &settings->outcomes;
    if (outcomes->count == 0) {
        return outcomes->low != defaults.low || outcomes->high != defaults.high
                   ? usage_fail("solve", "--stiffness-range: only with --outcomes")
               : settings->seed > 0 && settings->uncertainty.count == 0
                   ? usage_fail("solve", "--seed: only with --outcomes or --uncertainty")
                   : 0;
    }
    const char *other = settings->trace                                  ? "--trace"
                        : settings->report                               ? "--report"
                        : settings->vary.count > 0                       ? "--vary"
                        : settings->sensitivity.wanted                   ? "--sensitivity"
                        : settings->uncertainty.count > 0                ? "--uncertainty"
                        : settings->options.method != CAROM_METHOD_EXACT ? "--method"
                        : settings->options.tolerance > 0                ? "--tolerance"
                                                                         : NULL;
    outcomes->seed = settings->seed > 0 ? settings->seed : outcomes->seed;
    return other ? usage_fail("solve", "%s: not with --outcomes", other) : 0;
}

/* Check the options together. Returns 0 or the exit status. */
static int check_settings(Settings *settings, int files) {
    if (files == 0) {
        return usage_fail("solve", "no scene given");
    }
    int wrong = solver_options_check("solve", &settings->options);
    if (wrong) {
        return wrong;
    }
    if (settings->trace && settings->options.method != CAROM_METHOD_EXACT) {
        return usage_fail("solve", "--trace: shows the exact process, not that of another method");
    }
    if (settings->trace && files > 1) {
        return usage_fail("solve", "--trace: takes one scene, got %d", files);
    }
    if (settings->trace && settings->vary.count > 0) {
        return usage_fail("solve", "--trace: shows one process, not those of --vary");
    }
    if (settings->report && settings->vary.count > 0) {
        return usage_fail("solve", "--report: shows one solution, not those of --vary");
    }
    const char *slopes = settings->sensitivity.wanted      ? "--sensitivity"
                         : settings->uncertainty.count > 0 ? "--uncertainty"
                                                           : NULL;
    if (slopes && settings->vary.count > 0) {
        return usage_fail("solve", "%s: not with --vary", slopes);
    }
    if (slopes && settings->options.method != CAROM_METHOD_EXACT) {
        return usage_fail("solve", "%s: only with the method exact", slopes);
    }
    if (settings->samples > 0 && !settings->trace) {
        return usage_fail("solve", "--samples: only with --trace");
    }
    return check_outcomes(settings);
}

/* Report that a scene has no result, also in the index of the pages. */
static int fail(const Job *job, CaromStatus status, const char *message, const Settings *settings,
                ReportPages *pages) {
    if (settings->report) {
        report_pages_skip(pages, job->index, message);
    }
    return report_failure(job->name, status, message, settings->json);
}

/* Warnings about a result, on standard error. */
static void print_notes(const char *name, const CaromResult *result, const Settings *settings) {
    if (result->status < 0) {
        message_error("%s: %s: %s", name, carom_status_string(result->status), result->message);
    }
    if (settings->options.tolerance > 0 && isnan(result->error)) {
        message_error("%s: --tolerance: not checked, the method does not estimate its "
                      "error",
                      name);
    }
}

/* How the outcome depends on the scene's numbers, where that is wanted. */
typedef struct Slopes {
    bool has_sensitivity, has_bars;
    Sensitivity sensitivity;
    ErrorBars bars;
} Slopes;

static bool find_slopes(const Job *job, const Scene *scene, const Solution *solution,
                        const Settings *settings, Slopes *slopes, Error *error) {
    bool good = true;
    *slopes = (Slopes){.has_sensitivity = settings->sensitivity.wanted,
                       .has_bars = settings->uncertainty.count > 0};
    if (!slopes->has_sensitivity && !slopes->has_bars) {
        return true;
    }
    json_t *document = document_read_memory(job->bytes, job->size, error);
    good = document != NULL;
    if (good && slopes->has_sensitivity) {
        good = sensitivity_compute(document, scene, solution, &settings->sensitivity,
                                   &slopes->sensitivity, error);
    }
    if (good && slopes->has_bars) {
        good = error_bars_compute(document, scene, solution, &settings->options,
                                  &settings->uncertainty, settings->seed > 0 ? settings->seed : 1,
                                  &slopes->bars, error);
    }
    json_decref(document);
    return good;
}

static void free_slopes(Slopes *slopes) {
    sensitivity_free(&slopes->sensitivity);
    error_bars_free(&slopes->bars);
}

/* The solution on standard output. False: out of memory. */
static bool print_solution(const Scene *scene, const Solution *solution, const Slopes *slopes,
                           bool json) {
    json_t *line = json ? report_json(scene, solution) : NULL;
    if (!json) {
        report_text(stdout, scene, solution);
    }
    if (slopes->has_sensitivity && json) {
        sensitivity_json(line, &slopes->sensitivity);
    } else if (slopes->has_sensitivity) {
        sensitivity_text(stdout, &slopes->sensitivity);
    }
    if (slopes->has_bars && json) {
        error_bars_json(line, &slopes->bars);
    } else if (slopes->has_bars) {
        error_bars_text(stdout, &slopes->bars);
    }
    return !json || json_write_line(stdout, line);
}

static int report_slopes(const Job *job, const Scene *scene, const Solution *solution,
                         const Settings *settings, ReportPages *pages, const Slopes *slopes) {
    const CaromResult *result = &solution->result;
    if (!print_solution(scene, solution, slopes, settings->json)) {
        message_error("%s: out of memory", job->name);
        return 2;
    }
    print_notes(job->name, result, settings);
    Error error;
    int samples = settings->samples > 0 ? (int)settings->samples : 201;
    if (settings->trace && !trace_csv_write(settings->trace, scene, samples, &error)) {
        message_error("%s: --trace: %s", job->name, error.text);
        return 2;
    }
    ReportPage page = {report_pages_file_name(job->path),
                       job->bytes,
                       job->size,
                       &settings->options,
                       scene,
                       solution,
                       slopes->has_sensitivity ? &slopes->sensitivity : NULL,
                       slopes->has_bars ? &slopes->bars : NULL};
    int written = 0, status = solution_exit_status(result->status);
    if (settings->report) {
        written = report_pages_write(pages, job->index, &page, !settings->json);
    }
    return written > status ? written : status;
}

static int report_solution(const Job *job, const Scene *scene, const Solution *solution,
                           const Settings *settings, ReportPages *pages) {
    const CaromResult *result = &solution->result;
    if (!solution_has_result(solution)) {
        return fail(job, result->status, result->message, settings, pages);
    }
    Slopes slopes;
    Error error;
    int status = find_slopes(job, scene, solution, settings, &slopes, &error)
                     ? report_slopes(job, scene, solution, settings, pages, &slopes)
                     : fail(job, CAROM_INVALID_INPUT, error.text, settings, pages);
    free_slopes(&slopes);
    return status;
}

static int solve_scene(const Job *job, const Scene *scene, const Settings *settings,
                       ReportPages *pages) {
    if (settings->outcomes.count > 0) {
        return outcomes_solve(job->name, scene, &settings->outcomes, settings->json);
    }
    Solution solution;
    int status = solution_compute(scene, &settings->options, &solution)
                     ? report_solution(job, scene, &solution, settings, pages)
                     : fail(job, CAROM_INVALID_INPUT, "out of memory", settings, pages);
    solution_free(&solution);
    return status;
}

static int solve_varied(const Job *job, const Settings *settings) {
    Error error;
    json_t *document = document_read_memory(job->bytes, job->size, &error);
    if (!document) {
        return report_failure(job->name, CAROM_INVALID_INPUT, error.text, settings->json);
    }
    int status =
        vary_solve(job->name, document, &settings->options, &settings->vary, settings->json);
    json_decref(document);
    return status;
}

static int solve_file(const char *path, int index, const Settings *settings, ReportPages *pages) {
    Job job = {.index = index, .path = path, .name = document_name(path)};
    Scene scene;
    Error error;
    job.bytes = document_read_bytes(path, &job.size, &error);
    int status = 0;
    if (job.bytes && settings->vary.count > 0) {
        status = solve_varied(&job, settings);
    } else if (job.bytes && scene_read_memory(job.bytes, job.size, &scene, &error)) {
        status = solve_scene(&job, &scene, settings, pages);
        scene_free(&scene);
    } else {
        status = fail(&job, CAROM_INVALID_INPUT, error.text, settings, pages);
    }
    free(job.bytes);
    return status;
}

/* All scenes in turn, and the index of their pages. Returns the worst exit status. */
static int solve_files(char **paths, int count, const Settings *settings) {
    ReportPages pages = {0};
    if (settings->report && !report_pages_create(settings->report, paths, count, &pages)) {
        message_error("--report: out of memory");
        return 2;
    }
    int worst = 0;
    for (int i = 0; i < count && !ferror(stdout); i++) {
        if (!settings->json && count > 1) {
            fputs(i > 0 ? "\n" : "", stdout);
            message_note("=== %s ===", paths[i]);
        }
        int status = solve_file(paths[i], i, settings, &pages);
        worst = status > worst ? status : worst;
    }
    int listed = report_pages_finish(&pages, !settings->json);
    report_pages_free(&pages);
    return listed > worst ? listed : worst;
}

int solve_main(int argc, char **argv) {
    Settings settings = {.options = carom_options_default(),
                         .outcomes = outcomes_options_default()};
    settings.options.jumps = 1;
    const Option options[] = {
        {"json", OPTION_FLAG, .target = &settings.json},
        {"tolerance", OPTION_POSITIVE, .target = &settings.options.tolerance},
        {"trace", OPTION_FILE, .target = &settings.trace},
        {"samples", OPTION_INTEGER, .target = &settings.samples, .low = 2,
         .high = TRACE_SAMPLES_MAX},
        {"report", OPTION_DIRECTORY, .target = &settings.report},
        {"vary", OPTION_READ, .target = &settings.vary, .read = vary_read},
        {"sensitivity", OPTION_READ, .target = &settings.sensitivity, .optional = true,
         .read = sensitivity_read},
        {"uncertainty", OPTION_READ, .target = &settings.uncertainty, .read = uncertainty_read},
        {"outcomes", OPTION_READ, .target = &settings.outcomes, .optional = true,
         .read = outcomes_read_count},
        {"stiffness-range", OPTION_READ, .target = &settings.outcomes, .read = outcomes_read_range},
        {"seed", OPTION_INTEGER, .target = &settings.seed, .low = 1, .high = INT32_MAX},
        SOLVER_OPTIONS(settings.options),
        {0}};
    int status = command_line_read("solve", help, options, argc, argv);
    if (status < 0) {
        status = check_settings(&settings, argc - optind);
        if (!status) {
            status = used_files_note_inputs(argv + optind, argc - optind);
        }
        if (!status) {
            status = solve_files(argv + optind, argc - optind, &settings);
            status = output_finish() ? status : 2;
        }
    }
    sensitivity_paths_free(&settings.sensitivity);
    return status;
}
