/* carom fit: the command line. */
#include "commands/fit_command.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/document.h"
#include "base/message.h"
#include "io/command_line.h"
#include "io/used_files.h"

static const char help[] =
    "Usage: carom fit [options] --parameters NAME,... DATA.csv\n"
    "Find coefficients of contacts from measured impacts (\"-\": standard input), by least\n"
    "squares, with standard errors, and say which ones the data cannot tell.\n"
    "\n"
    "A row is an impact: the columns of \"carom batch\" (those of fitted parameters may be\n"
    "missing) and after_vx, after_vy, after_vz, measured contact velocities (empty: not\n"
    "measured). With --scene the columns are paths of the scene, and after.PATH (such as\n"
    "after.bodies[0].velocity[2]) measured velocities. Standard deviations of measurements:\n"
    "column sigma for all, or sigma.COLUMN for one.\n"
    "\n"
    "  --parameters NAME,...  mu, e, stiffness, stiffness_ratio (the same at every contact), or\n"
    "                         paths such as contacts[1].mu\n"
    "  --scene FILE.json      a template: each row replaces some of its numbers\n"
    "  --model M              rigid or compliant, for all rows\n"
    "  --restitution R        energetic, poisson or newton, for all rows\n"
    "  --group COLUMN         the column that names the material; each has its own parameters\n"
    "                         (default: group)\n"
    "  --sigma S              standard deviation of all measured numbers; S% of the speed before\n"
    "  --loss L               squares (default), huber or cauchy: outliers count less\n"
    "  --bounds NAME=A:B,...  bounds of parameters\n"
    "  --start NAME=X,...     where to start (default: several places)\n"
    "  --compare              compare models by cross validation\n"
    "  --folds N              its parts, 2 to 100 (default 5)\n"
    "  --report DIR           also write a page with pictures, DIR/fit.html; needs gnuplot\n"
    "  --threads N            threads to use, 1 to 1024 (default: all processors)\n"
    "  --json                 one line of JSON instead of text\n"
    "  --help                 print this\n"
    "\n"
    "Exit status: 0 done; 1 no minimum was found; 2 bad data, file or usage.\n";

#ifdef CAROM_HAS_FIT

#include "base/text.h"
#include "batch/crew.h"
#include "fit/fit_page.h"
#include "fit/fit_report.h"
#include "fit/fit_run.h"
#include "report/json/json_report.h"
#include "scene/scene.h"
#include "scene/scene_read.h"

typedef struct Settings {
    FitReading reading;
    FitParameters parameters;
    FitRunOptions run;
    const char *scene, *bounds, *start, *report;
    int json;
} Settings;

/* S or S%. */
static int read_sigma(const char *command, const char *text, void *target) {
    FitReading *reading = target;
    size_t length = strlen(text);
    reading->sigma_percent = length > 0 && text[length - 1] == '%';
    length -= reading->sigma_percent;
    return text_span_to_number(text, length, &reading->sigma) && reading->sigma > 0
               ? 0
               : usage_fail(command, "--sigma: must be a number > 0, or one with %%, got \"%s\"",
                            text);
}

/* Check the options together. Returns 0 or the exit status. */
static int check_settings(Settings *settings, int files) {
    if (files != 1) {
        return files == 0 ? usage_fail("fit", "no data given")
                          : usage_fail("fit", "takes one file of data, got %d", files);
    }
    if (settings->parameters.count == 0) {
        return usage_fail("fit", "--parameters: missing, for example --parameters mu,e");
    }
    int wrong = settings->bounds
                    ? fit_parameters_bounds("fit", settings->bounds, &settings->parameters)
                    : 0;
    if (!wrong && settings->start) {
        wrong = fit_parameters_start("fit", settings->start, &settings->parameters);
    }
    for (int k = 0; k < settings->parameters.count; k++) {
        settings->reading.fitted[settings->parameters.list[k].coefficient] = true;
    }
    return wrong;
}

/* The exit status of all fits together. */
static int exit_status(const FitRun *run) {
    int status = 0;
    for (int g = 0; g < run->group_count; g++) {
        int one = solution_exit_status(run->groups[g].fit.status);
        status = one > status ? one : status;
    }
    return status;
}

static int report(const char *name, const FitRun *run, const Settings *settings) {
    const FitGroup *first = &run->groups[0];
    Error error;
    if (run->group_count == 1 && first->fit.status < 0) {
        return report_failure(name, first->fit.status, fit_run_message(run, first).text,
                              settings->json);
    }
    if (!settings->json) {
        fit_report_text(stdout, name, run);
    } else if (!fit_report_json(stdout, run)) {
        message_error("%s: out of memory", name);
        return 2;
    }
    if (settings->report && !fit_page(settings->report, name, run, &error)) {
        message_error("%s: --report: %s", name, error.text);
        return 2;
    }
    return exit_status(run);
}

static int fit_file(const char *path, const Settings *settings) {
    const char *name = document_name(path);
    FitTable table;
    FitRun run = {.table = &table,
                  .parameters = &settings->parameters,
                  .model = settings->reading.model,
                  .law = settings->reading.law};
    Error error;
    bool good =
        fit_table_read(strcmp(path, "-") == 0 ? NULL : path, &settings->reading, &table, &error) &&
        fit_notes_make(&table, &run.notes, &error) && fit_run(&settings->run, &run, &error);
    int status = good ? report(name, &run, settings)
                      : report_failure(name, CAROM_INVALID_INPUT, error.text, settings->json);
    fit_run_free(&run);
    fit_table_free(&table);
    return status;
}

static int read_template(Settings *settings) {
    Error error;
    settings->reading.document = document_read_file(settings->scene, &error);
    if (!settings->reading.document) {
        return report_failure(settings->scene, CAROM_INVALID_INPUT, error.text, settings->json);
    }
    return 0;
}

int fit_main(int argc, char **argv) {
    static const char *const losses[] = {"squares", "huber", "cauchy", NULL};
    static const char *const laws[] = {"energetic", "poisson", "newton", NULL};
    long threads = crew_processors(), folds = 0;
    int loss = 0, compare = 0;
    Settings settings = {.reading = {.group = "group", .model = -1, .law = -1}};
    const Option options[] = {
        {"parameters", OPTION_READ, .target = &settings.parameters, .read = fit_parameters_read},
        {"scene", OPTION_FILE, .target = &settings.scene},
        {"model", OPTION_CHOICE, .target = &settings.reading.model, .names = scene_model_names},
        {"restitution", OPTION_CHOICE, .target = &settings.reading.law, .names = laws},
        {"group", OPTION_TEXT, .target = &settings.reading.group},
        {"sigma", OPTION_READ, .target = &settings.reading, .read = read_sigma},
        {"loss", OPTION_CHOICE, .target = &loss, .names = losses},
        {"bounds", OPTION_TEXT, .target = &settings.bounds},
        {"start", OPTION_TEXT, .target = &settings.start},
        {"compare", OPTION_FLAG, .target = &compare},
        {"folds", OPTION_INTEGER, .target = &folds, .low = 2, .high = 100},
        {"report", OPTION_DIRECTORY, .target = &settings.report},
        {"threads", OPTION_INTEGER, .target = &threads, .low = 1, .high = 1024},
        {"json", OPTION_FLAG, .target = &settings.json},
        {0}};
    int status = command_line_read("fit", help, options, argc, argv);
    if (status >= 0) {
        return status;
    }
    if (folds > 0 && !compare) {
        return usage_fail("fit", "--folds: only with --compare");
    }
    settings.run = (FitRunOptions){(CaromFitLoss)loss,
                                   !compare    ? 0
                                   : folds > 0 ? (int)folds
                                               : 5,
                                   (int)threads};
    status = check_settings(&settings, argc - optind);
    if (status == 0 && settings.scene) {
        status = read_template(&settings);
    }
    if (status == 0) {
        status = used_files_note_inputs(argv + optind, 1);
    }
    if (status == 0) {
        status = fit_file(argv[optind], &settings);
    }
    json_decref(settings.reading.document);
    return status == 0 && !output_finish() ? 2 : status;
}

#else

int fit_main(int argc, char **argv) {
    const Option options[] = {{0}};
    (void)document_name;
    (void)used_files_note_inputs;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        return command_line_read("fit", help, options, argc, argv);
    }
    message_error("fit: this program was built without cminpack; install it (Debian: "
                  "libcminpack-dev) and build again");
    return 2;
}

#endif
