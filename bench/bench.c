/* Benchmark: time and error of each method, and of general ODE solvers, on the reference scenes.
 *
 *   carom_bench [OUT.json [RIGID_SCENES.json [COMPLIANT_SCENES.json [SHOTS.json]]]]
 *
 * The environment variable CAROM_BENCH_ONLY names the parts to run and to write, by their keys:
 * CAROM_BENCH_ONLY=multiple,derivatives.
 *
 * Every contender solves every scene many times in the same run. The minimum and the median of the
 * repeats are kept for each scene; the report gives their medians over the scenes. Ratios compare
 * medians of minima. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sections.h"

static json_t *machine(void) {
    char line[256], cpu[256] = "unknown";
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
            snprintf(cpu, sizeof cpu, "%s", colon + 2);
            cpu[strcspn(cpu, "\n")] = '\0';
            break;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    printf("\n%s, %s %s\n", cpu, __VERSION__, CAROM_BENCH_FLAGS);
    return json_pack("{s:s, s:s, s:s}", "cpu", cpu, "compiler", __VERSION__, "flags",
                     CAROM_BENCH_FLAGS);
}

/* Is this part to be run? All are if none is named. */
static int wanted(const char *part) {
    const char *only = getenv("CAROM_BENCH_ONLY");
    size_t length = strlen(part);
    while (only != NULL && *only != '\0') {
        size_t next = strcspn(only, ",");
        if (next == length && strncmp(only, part, length) == 0) {
            return 1;
        }
        only += next + (only[next] == ',');
    }
    return only == NULL;
}

int main(int argc, char **argv) {
    const char *out = argc > 1 ? argv[1] : "bench.json";
    const char *rigid_path = argc > 2 ? argv[2] : CAROM_BENCH_SCENES "/friction.json";
    const char *compliant_path = argc > 3 ? argv[3] : CAROM_BENCH_SCENES "/compliant.json";
    const char *shots_path = argc > 4 ? argv[4] : CAROM_BENCH_SCENES "/multiple_compliant.json";
    static ReferenceSet scenes;
    if (reference_load(rigid_path, &scenes) != 0) {
        return 2;
    }
    json_t *root = json_object();
    int failed = 0;
    if (wanted("rigid") || wanted("planar")) {
        json_t *rigid = bench_rigid(&scenes);
        failed |= json_object_set_new(root, "rigid", rigid);
        if (!failed) {
            json_object_set_new(root, "planar", bench_planar(&scenes, rigid));
        }
    }
    if (!failed && wanted("batch")) {
        json_object_set_new(root, "batch", bench_batch(&scenes));
    }
    if (!failed && wanted("compliant")) {
        failed |= json_object_set_new(root, "compliant", bench_compliant(compliant_path));
    }
    if (!failed && wanted("derivatives")) {
        json_object_set_new(root, "derivatives", bench_derivatives(&scenes, compliant_path));
    }
    if (!failed && wanted("multiple")) {
        failed |= json_object_set_new(root, "multiple", bench_multiple(shots_path));
    }
    if (!failed && wanted("world")) {
        json_object_set_new(root, "world", bench_world());
    }
    if (!failed) {
        json_object_set_new(root, "machine", machine());
        failed = json_dump_file(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
        if (failed) {
            fprintf(stderr, "carom_bench: cannot write %s\n", out);
        }
    }
    json_decref(root);
    return failed ? 1 : 0;
}
