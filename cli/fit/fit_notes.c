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

/* A row that keeps less of its energy is slow after the impact. */
#define KEPT 1e-4

enum { M = 3 };

/* Solve A x = y for a symmetric A of n rows, by Cholesky's factor. False: not positive definite. */
static bool solve(const double *A, int n, const double *y, double *x) {
    double L[M][M], z[M];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = A[i * n + j];
            for (int k = 0; k < j; k++) {
                sum -= L[i][k] * L[j][k];
            }
            if (i == j && !(sum > 1e-10 * A[i * n + i])) {
                return false;
            }
            L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
        }
    }
    for (int i = 0; i < n; i++) {
        z[i] = y[i];
        for (int k = 0; k < i; k++) {
            z[i] -= L[i][k] * z[k];
        }
        z[i] /= L[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        x[i] = z[i];
        for (int k = i + 1; k < n; k++) {
            x[i] -= L[k][i] * x[k];
        }
        x[i] /= L[i][i];
    }
    return true;
}

/* The impulse that fits the measured numbers of a row best. A component that changes none of them
 * (y in a film of x and z) counts as 0. False: they do not tell it. */
static bool find_impulse(const CaromFitRow *row, int m, double *impulse) {
    double gram[M * M] = {0}, right[M] = {0};
    for (int i = 0; i < row->count; i++) {
        double weight = row->sigma ? 1 / (row->sigma[i] * row->sigma[i]) : 1;
        const double *gain = row->gain + i * m;
        for (int j = 0; j < m; j++) {
            right[j] += weight * gain[j] * (row->value[i] - row->offset[i]);
            for (int k = 0; k < m; k++) {
                gram[j * m + k] += weight * gain[j] * gain[k];
            }
        }
    }
    for (int j = 0; j < m; j++) {
        gram[j * m + j] += gram[j * m + j] == 0;
    }
    return row->count > 0 && solve(gram, m, right, impulse);
}

/* Energies of a row as measured. */
typedef struct Energies {
    bool known;
    double before, after; /* v.W^-1 v, twice the kinetic energy of the motion at the contact */
} Energies;

/* One contact only: several may have a singular W. */
static Energies row_energies(const CaromFitRow *row) {
    Energies energies = {0};
    const CaromProblem *problem = &row->problem;
    int m = problem->planar ? 2 : 3;
    const double *W = problem->inverse_inertia, *v = problem->velocity;
    double impulse[M], momentum[M], after[M];
    if (problem->contact_count != 1 || !find_impulse(row, m, impulse) ||
        !solve(W, m, v, momentum)) {
        return energies;
    }
    for (int i = 0; i < m; i++) {
        after[i] = v[i];
        for (int k = 0; k < m; k++) {
            after[i] += W[i * m + k] * impulse[k];
        }
        energies.before += v[i] * momentum[i];
    }
    for (int i = 0; i < m; i++) { /* W^-1 after is W^-1 v + impulse */
        energies.after += after[i] * (momentum[i] + impulse[i]);
    }
    energies.known = isfinite(energies.before) && isfinite(energies.after);
    return energies;
}

/* Sums over the table. */
typedef struct Tally {
    size_t known, gains, slow;
    size_t worst, fastest, slowest, stopped; /* rows; stopped: a slow one */
    double most;                             /* gain of the worst, as a part of its energy */
    double high, low;                        /* speeds before */
    bool alike, copies;                      /* the same impact; also the same numbers after it */
} Tally;

/* W, v and the measured numbers of the first row. */
enum { NUMBERS = 3 * CAROM_FIT_CONTACTS_MAX };
typedef struct First {
    double W[NUMBERS * NUMBERS], v[NUMBERS], values[CAROM_FIT_MEASURED_MAX];
    int count;
} First;

static void count_row(const CaromFitRow *row, size_t i, First *first, Tally *tally) {
    const CaromProblem *problem = &row->problem;
    size_t m = (size_t)problem->contact_count * (problem->planar ? 2 : 3);
    double speed = 0;
    for (size_t k = 0; k < m; k++) {
        speed = hypot(speed, problem->velocity[k]);
    }
    if (i == 0) {
        memcpy(first->W, problem->inverse_inertia, m * m * sizeof *first->W);
        memcpy(first->v, problem->velocity, m * sizeof *first->v);
        memcpy(first->values, row->value, (size_t)row->count * sizeof *first->values);
        first->count = row->count;
    }
    Energies energies = row_energies(row);
    double gain = energies.known ? energies.after / energies.before - 1 : 0;
    bool slow = energies.known && gain < -1 + KEPT;
    tally->known += energies.known;
    tally->gains += gain > GAIN;
    tally->slow += slow;
    tally->stopped = slow ? i : tally->stopped;
    tally->worst = gain > tally->most ? i : tally->worst;
    tally->most = fmax(tally->most, gain);
    tally->fastest = speed > tally->high ? i : tally->fastest;
    tally->high = fmax(tally->high, speed);
    tally->slowest = speed < tally->low ? i : tally->slowest;
    tally->low = fmin(tally->low, speed);
    tally->alike = tally->alike &&
                   memcmp(problem->inverse_inertia, first->W, m * m * sizeof *first->W) == 0 &&
                   memcmp(problem->velocity, first->v, m * sizeof *first->v) == 0;
    tally->copies = tally->copies && tally->alike && row->count == first->count &&
                    memcmp(row->value, first->values, (size_t)row->count * sizeof(double)) == 0;
}

/* False: the rows cannot be read. */
static bool count(FitTable *table, Tally *tally) {
    const FitView view = {table, 0, -1, -1};
    CaromFitRow *row = calloc(1, sizeof *row);
    First *first = malloc(sizeof *first);
    void *room = calloc(1, fit_table_room(table));
    bool good = row && first && room;
    *tally = (Tally){.low = INFINITY, .alike = true, .copies = true};
    for (size_t i = 0; i < table->spool.rows && good; i++) {
        row->room = room;
        fit_table_row(&view, i, row);
        good = !atomic_load(&table->failed);
        if (good) {
            count_row(row, i, first, tally);
        }
    }
    free(row);
    free(first);
    free(room);
    return good;
}

static void add(FitNotes *notes, Words words) {
    if (notes->count < FIT_NOTES_MAX) {
        notes->notes[notes->count++] = words;
    }
}

/* Rows whose velocities have the units of others cannot be used. */
static bool check_units(const FitTable *table, const Tally *tally, Error *error) {
    if (tally->most > FAST * FAST) {
        return error_set(
            error,
            "line %zu: the velocity after has %.3g times the kinetic energy of the one "
            "before: are units mixed (mm/s and m/s)?",
            fit_table_line(table, tally->worst), tally->most + 1);
    }
    /* where most impacts keep nothing, that is what they are */
    if (tally->slow > 0 && 2 * tally->slow <= tally->known && tally->high > SPREAD * tally->low) {
        return error_set(
            error,
            "line %zu: keeps less than 0.01 %% of its energy, as most rows do not, and "
            "speeds before differ by a factor of %.3g: are units mixed (mm/s and m/s)?",
            fit_table_line(table, tally->stopped), tally->high / tally->low);
    }
    return true;
}

static bool look_at_rows(FitTable *table, FitNotes *notes, Error *error) {
    Tally tally;
    if (!count(table, &tally)) {
        return error_set(error, "out of memory, or the temporary file cannot be read");
    }
    if (!check_units(table, &tally, error)) {
        return false;
    }
    if (tally.gains > 0) {
        add(notes, words_of("%zu of %zu rows gain energy by their measured velocities, the most in "
                            "line %zu (%.3g %%): noise, wrong signs or axes, or %s of other units",
                            tally.gains, tally.known, fit_table_line(table, tally.worst),
                            100 * tally.most, table->from_scene ? "masses and lengths" : "W"));
    }
    if (tally.known > 0 && 2 * tally.slow > tally.known) {
        add(notes, words_of("%zu of %zu rows keep less than 0.01 %% of their energy: are the "
                            "velocities after in larger units than those before?",
                            tally.slow, tally.known));
    }
    if (table->spool.rows > 1 && tally.high > SPREAD * tally.low) {
        add(notes, words_of("speeds before differ by a factor of %.3g between lines %zu and %zu: "
                            "are units mixed?",
                            tally.high / tally.low, fit_table_line(table, tally.fastest),
                            fit_table_line(table, tally.slowest)));
    }
    if (table->spool.rows > 1 && tally.alike) {
        add(notes, words_of("all rows are the same impact, measured %zu times: other speeds and "
                            "directions would tell more%s",
                            table->spool.rows,
                            tally.copies ? "; also the velocities after are the same: copies tell "
                                           "nothing about scatter, do not trust the errors"
                                         : ""));
    }
    return true;
}

bool fit_notes_make(FitTable *table, FitNotes *notes, Error *error) {
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
    return look_at_rows(table, notes, error);
}
