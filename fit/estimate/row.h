/* One measured impact: its predicted numbers and their derivatives. */
#ifndef CAROM_FIT_ESTIMATE_ROW_H
#define CAROM_FIT_ESTIMATE_ROW_H

#include <stdbool.h>

#include <carom/fit.h>

enum {
    ROW_NUMBERS = 3 * CAROM_FIT_CONTACTS_MAX, /* of an impulse */
    ROW_INPUTS = ROW_NUMBERS * (ROW_NUMBERS + 1) / 2 + ROW_NUMBERS +
                 CAROM_COEFFICIENT_COUNT * CAROM_FIT_CONTACTS_MAX
};

/* Memory for the work on one row after another; of one thread. */
typedef struct RowRoom {
    CaromFitRow row;
    double impulse[ROW_NUMBERS], velocity[ROW_NUMBERS];
    double slope[ROW_NUMBERS * ROW_INPUTS]; /* of the impulse by all inputs */
    double *workspace;                      /* for several contacts, or NULL; owned */
    char sequence[CAROM_SEQUENCE_SIZE];
    bool differences; /* a row was differentiated by differences */
    double by_parameter[CAROM_FIT_MEASURED_MAX * CAROM_FIT_PARAMETERS_MAX]; /* by rows */
    double by_velocity[CAROM_FIT_MEASURED_MAX * ROW_NUMBERS];
    double by_uncertain[CAROM_FIT_MEASURED_MAX * CAROM_FIT_UNCERTAIN_MAX];
    double predicted[CAROM_FIT_MEASURED_MAX];
} RowRoom;

/* reader: bytes of room for the reader of rows. NULL: out of memory. crm_row_room_free() accepts
 * NULL. */
RowRoom *crm_row_room(size_t reader);
void crm_row_room_free(RowRoom *room);

/* Some of the row's inputs are not exact. */
bool crm_row_uncertain(const CaromFitRow *row);

/* Numbers of the row's impulse. */
int crm_row_size(const CaromFitRow *row);

/* The row's numbers from an impulse. */
void crm_row_measure(const CaromFitRow *row, const double *impulse, double *numbers);

/* Predict room->row with values of the parameters into room->predicted, and with slopes also
 * room->by_parameter; with by_inputs also by_velocity and by_uncertain. Returns the status of the
 * solve. */
CaromStatus crm_row_predict(RowRoom *room, const CaromFitParameter *parameters, int count,
                            const double *values, bool slopes, bool by_inputs);

/* Why the row cannot be solved; a constant string. */
const char *crm_row_reason(RowRoom *room, const CaromFitParameter *parameters, int count,
                           const double *values);

#endif
