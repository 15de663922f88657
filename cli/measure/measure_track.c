/* Tracked positions from a CSV file. */
#include "measure/measure_track.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "table/csv.h"

enum { NUMBERS = 8, COLUMNS_MAX = 128, CHUNK = 256, POINTS_MAX = 100000 };
static const char *const names[NUMBERS] = {"t", "x", "y", "z", "qw", "qx", "qy", "qz"};

/* Which of them each kind of track needs, and how many it reads. */
static const bool needed[][NUMBERS] = {
    [MEASURE_FLIGHT] = {true, false, false, true},
    [MEASURE_TABLE] = {true, true, true},
    [MEASURE_TUMBLE] = {true, true, true, true, true, true, true, true}};
static const int used[] = {[MEASURE_FLIGHT] = 4, [MEASURE_TABLE] = 3, [MEASURE_TUMBLE] = 8};

/* Places of the columns; -1: absent. */
static bool read_header(const CsvLine *line, MeasureTrack kind, int *places, int *count,
                        Error *error) {
    CsvField fields[COLUMNS_MAX];
    *count = line->too_long ? -1 : csv_split(line, fields, COLUMNS_MAX);
    if (*count < 1 || *count > COLUMNS_MAX) {
        return error_set(error, "the header row cannot be read");
    }
    for (int k = 0; k < NUMBERS; k++) {
        places[k] = -1;
        for (int i = 0; i < *count; i++) {
            if (csv_equals(&fields[i], names[k]) && places[k] >= 0) {
                return error_set(error, "column \"%s\": is there twice", names[k]);
            }
            places[k] = csv_equals(&fields[i], names[k]) ? i : places[k];
        }
        if (places[k] < 0 && needed[kind][k]) {
            return error_set(error, "column \"%s\": missing", names[k]);
        }
    }
    return true;
}

static bool read_point(const CsvLine *line, const int *places, int count, MeasureTrack kind,
                       int number, CaromTrackPoint *point, Error *error) {
    CsvField fields[COLUMNS_MAX];
    double *targets[NUMBERS] = {&point->time,           &point->position[0],
                                &point->position[1],    &point->position[2],
                                &point->orientation[0], &point->orientation[1],
                                &point->orientation[2], &point->orientation[3]};
    *point = (CaromTrackPoint){0};
    if (line->too_long || csv_split(line, fields, COLUMNS_MAX) != count) {
        return error_set(error, "line %d: not as many fields as the header has", number);
    }
    for (int k = 0; k < used[kind]; k++) {
        const CsvField *field = places[k] >= 0 ? &fields[places[k]] : NULL;
        if (field && !text_span_to_number(field->text, field->length, targets[k])) {
            return error_set(error, "line %d: %s: not a finite number", number, names[k]);
        }
    }
    return true;
}

static bool read_points(CsvReader *reader, MeasureTrack kind, CaromTrackPoint **points, int *count,
                        Error *error) {
    CsvLine lines[CHUNK];
    int places[NUMBERS], columns, got, room = 0;
    if (csv_read_lines(reader, lines, 1) == 0) {
        return error_set(error, "empty: the header row is missing");
    }
    if (!read_header(&lines[0], kind, places, &columns, error)) {
        return false;
    }
    while ((got = csv_read_lines(reader, lines, CHUNK)) > 0) {
        for (int i = 0; i < got; i++) {
            if (*count == room) {
                room = room > 0 ? 2 * room : 64;
                CaromTrackPoint *more =
                    room <= POINTS_MAX ? realloc(*points, (size_t)room * sizeof *more) : NULL;
                if (!more) {
                    return error_set(error, "too many points");
                }
                *points = more;
            }
            if (!read_point(&lines[i], places, columns, kind, *count + 2, &(*points)[*count],
                            error)) {
                return false;
            }
            (*count)++;
        }
    }
    return true;
}

bool measure_track_read(const char *path, MeasureTrack kind, CaromTrackPoint **points, int *count,
                        Error *error) {
    FILE *file = path ? fopen(path, "rb") : stdin;
    CsvReader reader = {0};
    *points = NULL;
    *count = 0;
    if (!file) {
        return error_set(error, "cannot be opened: %s", strerror(errno));
    }
    bool good = csv_open(file, &reader) ? read_points(&reader, kind, points, count, error)
                                        : error_set(error, "out of memory");
    csv_close(&reader);
    if (path) {
        fclose(file);
    }
    return good;
}
