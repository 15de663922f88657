/* A measured impact as a template scene with numbers replaced. */
#ifndef CAROM_CLI_FIT_FIT_SCENE_ROW_H
#define CAROM_CLI_FIT_FIT_SCENE_ROW_H

#include "fit/fit_table.h"

/* Fill in the template and read it. Empty cells of paths keep the template's number. False: see
 * *error; nothing is to be freed. */
bool fit_scene_row_read(const FitColumns *columns, const CsvField *fields,
                        const FitReading *reading, FitSceneRow *row, Error *error);
void fit_scene_row_free(FitSceneRow *row);

#endif
