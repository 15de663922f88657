/* Records of numbers in memory or in a temporary file. */
#include "fit/fit_spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bytes of a window: as large as a fast read wants it. */
enum { WINDOW = 64 << 10 };

FitSpool fit_spool_begin(size_t width, size_t memory) {
    return (FitSpool){.width = width, .memory = memory > 0 ? memory : FIT_SPOOL_MEMORY, .file = -1};
}

void fit_spool_free(FitSpool *spool) {
    free(spool->held);
    if (spool->file >= 0) {
        close(spool->file);
    }
    *spool = (FitSpool){.file = -1};
}

static bool fail(const char *what, Error *error) {
    return error_set(error, "temporary file: cannot be %s: %s; its folder is TMPDIR", what,
                     strerror(errno));
}

/* A file that vanishes with the program. -1: see *error. */
static int create_file(Error *error) {
    const char *folder = getenv("TMPDIR");
    char path[4096];
    int length =
        snprintf(path, sizeof path, "%s/carom-XXXXXX", folder && folder[0] ? folder : "/tmp");
    errno = ENAMETOOLONG;
    int file = length > 0 && (size_t)length < sizeof path ? mkstemp(path) : -1;
    if (file < 0 || unlink(path) != 0 || fcntl(file, F_SETFD, FD_CLOEXEC) != 0) {
        fail("made", error);
        if (file >= 0) {
            close(file);
        }
        return -1;
    }
    return file;
}

static bool write_at(int file, const double *numbers, size_t bytes, size_t at, Error *error) {
    const char *from = (const char *)numbers;
    while (bytes > 0) {
        ssize_t done = pwrite(file, from, bytes, (off_t)at);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return fail("written", error);
        }
        from += done;
        at += (size_t)done;
        bytes -= (size_t)done;
    }
    return true;
}

static size_t record_bytes(const FitSpool *spool) {
    return spool->width * sizeof(double);
}

/* The records in memory go to the file. */
static bool flush(FitSpool *spool, Error *error) {
    size_t size = record_bytes(spool), stored = spool->rows - spool->held_rows;
    spool->file = spool->file >= 0 ? spool->file : create_file(error);
    bool good = spool->file >= 0 &&
                write_at(spool->file, spool->held, spool->held_rows * size, stored * size, error);
    spool->held_rows = 0;
    return good;
}

bool fit_spool_add(FitSpool *spool, const double *record, Error *error) {
    size_t size = record_bytes(spool), most = spool->memory / size + 1;
    if (spool->held_rows == spool->capacity && spool->capacity < most) {
        size_t room = spool->capacity > 0 ? 2 * spool->capacity : 16;
        room = room < most ? room : most;
        double *grown = realloc(spool->held, room * size);
        if (!grown) {
            return error_set(error, "out of memory");
        }
        spool->held = grown;
        spool->capacity = room;
    }
    if (spool->held_rows == spool->capacity && !flush(spool, error)) {
        return false;
    }
    memcpy(spool->held + spool->held_rows * spool->width, record, size);
    spool->held_rows++;
    spool->rows++;
    return true;
}

bool fit_spool_end(FitSpool *spool, Error *error) {
    if (spool->file < 0) {
        return true;
    }
    bool good = flush(spool, error);
    free(spool->held);
    spool->held = NULL;
    spool->capacity = 0;
    return good;
}

static size_t window_rows(const FitSpool *spool) {
    size_t rows = WINDOW / record_bytes(spool);
    return rows > 0 ? rows : 1;
}

size_t fit_spool_window(const FitSpool *spool) {
    return sizeof(FitWindow) +
           (spool->file >= 0 ? window_rows(spool) * record_bytes(spool) : sizeof(double));
}

const double *fit_spool_read(const FitSpool *spool, size_t row, FitWindow *window) {
    if (spool->file < 0) {
        return spool->held + row * spool->width;
    }
    size_t size = record_bytes(spool), most = window_rows(spool);
    size_t end = window->first + window->rows;
    if (row < window->first || row >= end) {
        /* rows in order are read ahead, single ones are not */
        size_t rows = row >= end && row < end + most ? most : 1, done = 0;
        rows = rows < spool->rows - row ? rows : spool->rows - row;
        window->rows = 0;
        while (done < rows * size) {
            ssize_t part = pread(spool->file, (char *)window->numbers + done, rows * size - done,
                                 (off_t)(row * size + done));
            if (part < 0 && errno == EINTR) {
                continue;
            }
            if (part <= 0) {
                return NULL;
            }
            done += (size_t)part;
        }
        window->first = row;
        window->rows = rows;
    }
    return window->numbers + (row - window->first) * spool->width;
}

/* Put every record to its place in the sorted spool, whose memory or file is there. */
static bool place_all(const FitSpool *spool, size_t place, size_t *next, FitWindow *window,
                      FitSpool *sorted, Error *error) {
    size_t size = record_bytes(spool);
    for (size_t i = 0; i < spool->rows; i++) {
        const double *record = fit_spool_read(spool, i, window);
        if (!record) {
            return fail("read", error);
        }
        size_t to = next[(size_t)record[place]]++;
        if (sorted->file < 0) {
            memcpy(sorted->held + to * spool->width, record, size);
        } else if (!write_at(sorted->file, record, size, to * size, error)) {
            return false;
        }
    }
    return true;
}

bool fit_spool_sort(FitSpool *spool, size_t place, const size_t *counts, int count, Error *error) {
    FitSpool sorted = *spool;
    size_t *next = calloc((size_t)count + 1, sizeof *next);
    FitWindow *window = calloc(1, fit_spool_window(spool));
    sorted.held = spool->file < 0 ? malloc((spool->rows + 1) * record_bytes(spool)) : NULL;
    sorted.capacity = spool->file < 0 ? spool->rows + 1 : 0;
    bool good =
        (next && window && (sorted.held || spool->file >= 0)) || error_set(error, "out of memory");
    sorted.file = good && spool->file >= 0 ? create_file(error) : -1;
    good = good && (spool->file < 0 || sorted.file >= 0);
    for (int i = 1; i < count && good; i++) {
        next[i] = next[i - 1] + counts[i - 1];
    }
    good = good && place_all(spool, place, next, window, &sorted, error);
    free(next);
    free(window);
    fit_spool_free(good ? spool : &sorted);
    if (good) {
        *spool = sorted;
    }
    return good;
}
