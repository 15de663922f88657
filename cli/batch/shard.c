/* A part of the work. */
#include "batch/shard.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "io/command_line.h"

enum { COUNT_MAX = 1000000 };

/* Names in the environment; arrays of Slurm count from where the user wants. */
static const struct {
    const char *index, *count, *first;
} environments[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", NULL},
                    {"PMI_RANK", "PMI_SIZE", NULL},
                    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN"},
                    {"SLURM_PROCID", "SLURM_NTASKS", NULL}};

static bool environment_number(const char *name, long *number) {
    const char *text = name ? getenv(name) : NULL;
    return text && text_to_integer(text, 0, COUNT_MAX, number);
}

static int read_environment(const char *command, Shard *shard) {
    for (size_t i = 0; i < sizeof environments / sizeof *environments; i++) {
        long index, count, first = 0;
        if (environment_number(environments[i].index, &index) &&
            environment_number(environments[i].count, &count) &&
            (!environments[i].first || environment_number(environments[i].first, &first)) &&
            count > 0 && index >= first && index - first < count) {
            *shard = (Shard){(int)(index - first), (int)count, true};
            return 0;
        }
    }
    return usage_fail(command, "--shard: auto: not started by mpirun, srun or as a Slurm array");
}

int shard_read(const char *command, const char *text, void *target) {
    Shard *shard = target;
    const char *slash = strchr(text, '/');
    char index[16] = "";
    long first = 0, count = 0;
    if (strcmp(text, "auto") == 0) {
        return read_environment(command, shard);
    }
    if (slash && slash - text < (long)sizeof index) {
        memcpy(index, text, (size_t)(slash - text));
    }
    if (!slash || !text_to_integer(slash + 1, 1, COUNT_MAX, &count) ||
        !text_to_integer(index, 1, count, &first)) {
        return usage_fail(command, "--shard: must be I/N with I from 1 to N, or auto, got \"%s\"",
                          text);
    }
    *shard = (Shard){(int)first - 1, (int)count, false};
    return 0;
}
