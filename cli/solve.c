/* carom solve: scenes in, results out. */
#include <math.h>
#include <stdio.h>

#include "commands.h"
#include "json_write.h"
#include "report.h"
#include "solver_options.h"
#include "text.h"
#include "trace_csv.h"
#include "vary.h"

static const char help[] =
    "Usage: carom solve [options] SCENE.json...\n"
    "Solve each scene (\"-\": standard input) and print what happens.\n"
    "\n"
    "  --json             one line of JSON per scene instead of text\n"
    "  --method METHOD    exact (default), or a published scheme: ni, fs, vs for the rigid\n"
    "                     model, euler for the compliant one\n"
    "  --step H           step of a published scheme\n"
    "  --as-printed       with euler: friction e mu in restitution, as in the published numbers\n"
    "  --stop-energy E    with euler: end where the normal energy has fallen to E (published: "
    "1e-4)\n"
    "  --tolerance X      largest acceptable estimate of the relative error of the impulse;\n"
    "                     a worse one makes the status not_converged\n"
    "  --trace FILE.csv   also write the process of the one scene, sampled: the columns\n"
    "                     p,ix,iy,iz,vx,vy,vz,stored,mode[,tangential]; of several contacts\n"
    "                     clock,ix_0,iy_0,...,mode_0,tangential_0,ix_1,... with the sum of all\n"
    "                     normal impulses as clock, and mode slip, stick or open\n"
    "  --samples N        samples of the trace, 2 to 10000000 (default 201)\n"
    "  --vary NAME=FROM:TO:COUNT\n"
    "                     solve over a range of a contact's mu, e, stiffness or\n"
    "                     stiffness_ratio and print a table; with several contacts each in\n"
    "                     turn, or one: --vary stiffness[1]=0.5:2:9\n"
    "  --help             print this\n"
    "\n"
    "Exit status: 0 solved; 1 a scene could not be solved; 2 bad input or usage.\n";

typedef struct Settings {
    CaromOptions options;
    bool json;
    bool help;
    const char *trace; /* NULL: none */
    long samples;      /* 0: not given */
    Vary vary;
} Settings;

/* One option; 0, or the exit status if it is wrong. */
static int read_option(int option, char **argv, void *into) {
    Settings *settings = into;
    switch (option) {
    case 'j':
        settings->json = true;
        return 0;
    case 'h':
        settings->help = true;
        return 0;
    case 'm':
        return solver_options_method("solve", &settings->options.method);
    case 'p':
        settings->options.as_printed = 1;
        return 0;
    case 'e':
        return solver_options_positive("solve", "--stop-energy", &settings->options.stop_energy);
    case 's':
        return solver_options_positive("solve", "--step", &settings->options.step);
    case 't':
        return solver_options_positive("solve", "--tolerance", &settings->options.tolerance);
    case 'c':
        settings->trace = optarg;
        return 0;
    case 'n':
        return text_to_integer(optarg, 2, 10000000, &settings->samples)
                   ? 0
                   : usage_fail("solve", "--samples: must be 2 to 10000000, got \"%s\"", optarg);
    case 'v':
        return vary_read(optarg, &settings->vary);
    default:
        return usage_fail_option("solve", option, argv);
    }
}

/* What can only be said of all options together. */
static int check_settings(const Settings *settings, int files) {
    if (files == 0) {
        return usage_fail("solve", "no scene given");
    }
    int wrong = solver_options_check("solve", &settings->options);
    if (wrong) {
        return wrong;
    }
    if (settings->trace && settings->options.method != CAROM_EXACT) {
        return usage_fail("solve", "--trace: shows the exact process, not that of another method");
    }
    if (settings->trace && files > 1) {
        return usage_fail("solve", "--trace: takes one scene, got %d", files);
    }
    if (settings->trace && settings->vary.count > 0) {
        return usage_fail("solve", "--trace: shows one process, not those of --vary");
    }
    if (settings->samples > 0 && !settings->trace) {
        return usage_fail("solve", "--samples: only with --trace");
    }
    return 0;
}

static int read_settings(int argc, char **argv, Settings *settings) {
    static const struct option options[] = {{"json", no_argument, NULL, 'j'},
                                            {"method", required_argument, NULL, 'm'},
                                            {"step", required_argument, NULL, 's'},
                                            {"tolerance", required_argument, NULL, 't'},
                                            {"trace", required_argument, NULL, 'c'},
                                            {"samples", required_argument, NULL, 'n'},
                                            {"vary", required_argument, NULL, 'v'},
                                            {"help", no_argument, NULL, 'h'},
                                            {"as-printed", no_argument, NULL, 'p'},
                                            {"stop-energy", required_argument, NULL, 'e'},
                                            {NULL, 0, NULL, 0}};
    *settings = (Settings){.options = carom_options_default()};
    int wrong = usage_read_options(argc, argv, ":h", options, read_option, settings);
    return wrong || settings->help ? wrong : check_settings(settings, argc - optind);
}

static int report_solution(const char *name, const Scene *scene, const Solution *solution,
                           const Settings *settings) {
    const CaromResult *result = &solution->result;
    if (!solution_has_result(solution)) {
        return report_failure(name, result->status, result->message, settings->json);
    }
    if (!settings->json) {
        report_text(stdout, scene, solution);
    } else if (!json_write_line(stdout, report_json(scene, solution))) {
        fprintf(stderr, "carom: %s: out of memory\n", name);
        return 2;
    }
    if (result->status < 0) {
        fprintf(stderr, "carom: %s: %s: %s\n", name, carom_status_string(result->status),
                result->message);
    }
    if (isfinite(settings->options.tolerance) && isnan(result->error)) {
        fprintf(stderr,
                "carom: %s: --tolerance: not checked, the method does not estimate its "
                "error\n",
                name);
    }
    SceneError error;
    int samples = settings->samples > 0 ? (int)settings->samples : 201;
    if (settings->trace && !trace_csv_write(settings->trace, scene, samples, &error)) {
        fprintf(stderr, "carom: %s: --trace: %s\n", name, error.text);
        return 2;
    }
    return solution_exit_status(result->status);
}

static int solve_file(const char *path, const Settings *settings) {
    const char *name = scene_file_name(path);
    Scene scene;
    SceneError error;
    if (!scene_read_file(path, &scene, &error)) {
        return report_failure(name, CAROM_INVALID_INPUT, error.text, settings->json);
    }
    if (settings->vary.count > 0) {
        int status = vary_solve(name, &scene, &settings->options, &settings->vary, settings->json);
        scene_free(&scene);
        return status;
    }
    Solution solution;
    int status = solution_compute(&scene, &settings->options, &solution)
                     ? report_solution(name, &scene, &solution, settings)
                     : report_failure(name, CAROM_INVALID_INPUT, "out of memory", settings->json);
    solution_free(&solution);
    scene_free(&scene);
    return status;
}

int solve_main(int argc, char **argv) {
    Settings settings;
    int wrong = read_settings(argc, argv, &settings);
    if (wrong) {
        return wrong;
    }
    if (settings.help) {
        return usage_help(help);
    }
    int worst = 0;
    for (int i = optind; i < argc && !ferror(stdout); i++) {
        if (!settings.json && argc - optind > 1) {
            printf("%s=== %s ===\n", i > optind ? "\n" : "", argv[i]);
        }
        int status = solve_file(argv[i], &settings);
        worst = status > worst ? status : worst;
    }
    return output_finish() ? worst : 2;
}
