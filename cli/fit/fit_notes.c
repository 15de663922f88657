/* What is suspicious about a table of measured impacts, in words. */
#include "fit/fit_notes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A measured speed after that is so many times the speed before (in the norm of the kinetic energy)
 * is no noise; so is a spread of the speeds before. */
#define FAST 10
#define SPREAD 500

/* Part of the energy that a row may gain by noise without a remark. */
#define GAIN 0.02

/* x.W^-1 y of a row, by Cholesky's factor; NAN if W is not positive definite. */
static double energy_product(const double W[6], const double x[3], const double y[3]) {
    double a = sqrt(W[0]), b = W[1] / a, c = W[2] / a;
    double d = sqrt(W[3] - b * b), e = (W[4] - b * c) / d, f = sqrt(W[5] - c * c - e * e);
    double p[2][3];
    const double *given[2] = {x, y};
    for (int i = 0; i < 2; i++) {
        p[i][0] = given[i][0] / a;
        p[i][1] = (given[i][1] - b * p[i][0]) / d;
        p[i][2] = (given[i][2] - c * p[i][0] - e * p[i][1]) / f;
    }
    return p[0][0] * p[1][0] + p[0][1] * p[1][1] + p[0][2] * p[1][2];
}

/* Energies of a row as measured. */
typedef struct Energies {
    bool known;
    double before, after; /* v.W^-1 v, twice the kinetic energy of the motion at the contact */
} Energies;

static Energies row_energies(const FitPlainRow *row) {
    Energies energies = {0};
    const double *after = row->after;
    energies.known = !isnan(after[0]) && !isnan(after[1]) && !isnan(after[2]);
    if (energies.known) {
        energies.before = energy_product(row->W, row->v, row->v);
        energies.after = energy_product(row->W, after, after);
        energies.known = isfinite(energies.before) && isfinite(energies.after);
    }
    return energies;
}

/* Sums over the table. */
typedef struct Tally {
    size_t known, gains, slow;
    size_t worst, fastest, slowest; /* lines */
    double most;                    /* gain of the worst, as a part of its energy */
    double high, low;               /* speeds before */
    bool alike;
} Tally;

/* False: the rows cannot be read. */
static bool count(const FitTable *table, FitTableRoom *room, Tally *result) {
    Tally tally = {.low = INFINITY, .alike = true};
    FitPlainRow first, one, *const row = &one;
    size_t line;
    for (size_t i = 0; i < table->spool.rows; i++) {
        if (!fit_table_plain(table, i, room, row, &line)) {
            return false;
        }
        first = i == 0 ? *row : first;
        double speed = hypot(hypot(row->v[0], row->v[1]), row->v[2]);
        Energies energies = row_energies(row);
        double gain = energies.known ? energies.after / energies.before - 1 : 0;
        tally.known += energies.known;
        tally.gains += gain > GAIN;
        tally.slow += energies.known && gain < -1 + 1e-4;
        tally.worst = gain > tally.most ? line : tally.worst;
        tally.most = fmax(tally.most, gain);
        tally.fastest = speed > tally.high ? line : tally.fastest;
        tally.high = fmax(tally.high, speed);
        tally.slowest = speed < tally.low ? line : tally.slowest;
        tally.low = fmin(tally.low, speed);
        tally.alike = tally.alike && memcmp(row->W, first.W, sizeof row->W) == 0 &&
                      memcmp(row->v, first.v, sizeof row->v) == 0;
    }
    *result = tally;
    return true;
}

static void add(FitNotes *notes, Words words) {
    if (notes->count < FIT_NOTES_MAX) {
        notes->notes[notes->count++] = words;
    }
}

static bool look_at_plain(const FitTable *table, FitNotes *notes, Error *error) {
    FitTableRoom *room = calloc(1, fit_table_room(table));
    Tally tally;
    bool good = room && count(table, room, &tally);
    free(room);
    if (!good) {
        return error_set(error, "out of memory, or the temporary file cannot be read");
    }
    if (tally.most > FAST * FAST) {
        return error_set(
            error,
            "line %zu: the velocity after has %.3g times the kinetic energy of the one "
            "before: are units mixed (mm/s and m/s)?",
            tally.worst, tally.most + 1);
    }
    if (tally.gains > 0) {
        add(notes, words_of("%zu of %zu rows gain energy by their measured velocities, the most in "
                            "line %zu (%.3g %%): noise, wrong signs or axes, or W of other units",
                            tally.gains, tally.known, tally.worst, 100 * tally.most));
    }
    if (tally.known > 0 && 2 * tally.slow > tally.known) {
        add(notes, words_of("%zu of %zu rows keep less than 0.01 %% of their energy: are the "
                            "velocities after in larger units than those before?",
                            tally.slow, tally.known));
    }
    if (table->spool.rows > 1 && tally.high > SPREAD * tally.low) {
        add(notes, words_of("speeds before differ by a factor of %.3g between lines %zu and %zu: "
                            "are units mixed?",
                            tally.high / tally.low, tally.fastest, tally.slowest));
    }
    if (table->spool.rows > 1 && tally.alike) {
        add(notes, words_of("all rows are the same impact, measured %zu times: other speeds and "
                            "directions would tell more",
                            table->spool.rows));
    }
    return true;
}

bool fit_notes_make(const FitTable *table, FitNotes *notes, Error *error) {
    *notes = (FitNotes){0};
    bool sigma = table->from_scene ? table->scene.known : table->plain.has_sigma;
    if (table->spool.rows == 1 && !sigma) {
        add(notes, words_of("one row only: nothing tells how much measurements scatter"));
    }
    if (table->unused[0]) {
        add(notes, words_of("columns not used: %.200s", table->unused));
    }
    if (table->from_scene && table->scene.mixed) {
        add(notes, words_of("no sigma is given, and the measured numbers have different units: "
                            "they count by their kinetic energy"));
    }
    return table->from_scene || look_at_plain(table, notes, error);
}
