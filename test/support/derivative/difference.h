/* Central differences of sixth order in long double: the measure of derivatives.
 *
 * An independent solver gives the outcome in long double; steps are tried from large to small, each
 * with its half, until both agree. Where the sequence of events changes within a step there is no
 * difference. */
#ifndef CAROM_TEST_DERIVATIVE_DIFFERENCE_H
#define CAROM_TEST_DERIVATIVE_DIFFERENCE_H

enum { DIFFERENCE_ROWS = 32, DIFFERENCE_SIGNATURE = 64 };

/* The outcome with one input shifted; the signature names the sequence of events. Returns 0 if
 * there is none. */
typedef int (*Outcome)(const void *problem, int input, long double shift,
                       long double outcome[DIFFERENCE_ROWS], char signature[DIFFERENCE_SIGNATURE]);

typedef struct Difference {
    Outcome solve;
    const void *problem;
    int rows;
    double units[DIFFERENCE_ROWS]; /* sizes of the outcomes */
} Difference;

/* The derivative by an input of the given size, in column. Returns its doubt, in units of outcome
 * over size; INFINITY if no step is small enough to stay on this side of all kinks. */
double difference_column(const Difference *difference, int input, double size,
                         double column[DIFFERENCE_ROWS]);

/* The error of a column of derivatives, relative to the larger of the column and the outcome
 * itself, both in units of outcome over size. */
double difference_error(const Difference *difference, double size, const double *column,
                        const double *truth);

#endif
