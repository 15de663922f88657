/* Processes that share the rows of a run. */
#include "batch/batch_ranks.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "io/module.h"

#define MODULE "carom-mpi.so"

bool batch_ranks_started(void) {
    /* Open MPI's mpirun; Hydra's, or srun with PMI-2; srun with PMIx, which does not say how many.
     * Slurm's own variables are no sign: the script of a job has them, too. */
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *text = getenv(sizes[i]);
        long size;
        if (text && text_to_integer(text, 1, 1000000000, &size)) {
            return size > 1;
        }
    }
    return getenv("PMIX_RANK") != NULL;
}

BatchRanks *batch_ranks_open(Error *error) {
    Error why;
    void *function = module_function(MODULE, "carom_ranks_open", true, &why);
    BatchRanksOpen *call = NULL;
    memcpy(&call, &function, sizeof call); /* C has no cast for it */
    if (!call) {
        error_set(error, "a run of several processes %s (--shard auto does without)", why.text);
    }
    return call ? call(error) : NULL;
}
