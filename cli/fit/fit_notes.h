/* What is suspicious about a table of measured impacts, in words. */
#ifndef CAROM_CLI_FIT_FIT_NOTES_H
#define CAROM_CLI_FIT_FIT_NOTES_H

#include "base/words.h"
#include "fit/fit_table.h"

enum { FIT_NOTES_MAX = 8 };

typedef struct FitNotes {
    int count;
    Words notes[FIT_NOTES_MAX];
} FitNotes;

/* Look at the rows. False: they cannot be right (units are mixed), see *error. */
bool fit_notes_make(FitTable *table, FitNotes *notes, Error *error);

#endif
