/* The output of carom batch: which columns are wanted, and an outcome as a row of them. */
#ifndef CAROM_CLI_BATCH_BATCH_OUTPUT_H
#define CAROM_CLI_BATCH_BATCH_OUTPUT_H

#include <carom/carom.h>

#include "base/error.h"
#include "batch/batch_input.h"
#include "batch/batch_names.h"
#include "table/table_encode.h"

/* Columns without --columns. */
#define BATCH_DEFAULT_COLUMNS "impulse,velocity,sequence,status"

enum { BATCH_EVENTS_MAX = 16, BATCH_EVENTS_BYTES = 768 };

/* Which of the library's calls gives all that is wanted. For many rows at once: outcomes, and
 * outcomes with their derivatives; row by row: all results, and these with derivatives. */
typedef enum BatchDepth {
    BATCH_OUTCOME = 0,
    BATCH_SLOPE = 1,
    BATCH_RESULT = 2,
    BATCH_DERIVATIVE = BATCH_SLOPE | BATCH_RESULT
} BatchDepth;

/* What a column has. */
typedef enum BatchPart {
    BATCH_PART_NUMBER,     /* index: of the numbers of a BatchAnswer */
    BATCH_PART_DERIVATIVE, /* index: of its derivatives */
    BATCH_PART_SEQUENCE,
    BATCH_PART_STATUS,
    BATCH_PART_EVENTS,
    BATCH_PART_MESSAGE
} BatchPart;

/* The columns that are wanted, without those passed through. */
typedef struct BatchOutput {
    BatchDepth depth;
    bool planar; /* there is no y */
    int count;
    BatchPart parts[TABLE_COLUMNS_MAX];
    int indices[TABLE_COLUMNS_MAX];
    TableColumn columns[TABLE_COLUMNS_MAX];
} BatchOutput;

/* Impulse, velocity, energy account, error, distance to the nearest kink. */
enum { BATCH_NUMBERS = 15 };

/* An outcome with all that can be told of it. */
typedef struct BatchAnswer {
    CaromStatus status;
    const char *message;
    char sequence[CAROM_SEQUENCE_SIZE];
    double numbers[BATCH_NUMBERS];
    double derivatives[6 * CAROM_INPUTS_ONE]; /* of impulse and velocity by all inputs */
    char events[BATCH_EVENTS_BYTES];
} BatchAnswer;

/* Read a list of columns: names and groups of names, of planar rows without those of y. False:
 * *error names the column. */
bool batch_output_read(const char *list, bool planar, BatchOutput *output, Error *error);

/* Solve a problem as deep as the output needs, BATCH_RESULT at least. */
void batch_output_solve(const BatchOutput *output, const CaromCase *row, BatchAnswer *answer);

/* The answer of a row of BATCH_SLOPE. */
void batch_output_take(const CaromOutcome *outcome, const CaromCaseDerivative *derivative,
                       BatchAnswer *answer);

/* The answer to a row that cannot be read. */
void batch_output_refuse(const char *why, BatchAnswer *answer);

/* Where the values of the columns are: in answers, or if that is NULL in outcomes; names of
 * statuses apart. */
void batch_output_sources(const BatchOutput *output, const CaromOutcome *outcomes,
                          const BatchAnswer *answers, const char *const *status_names,
                          TableSource *sources);

#endif
