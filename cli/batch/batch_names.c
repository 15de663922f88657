/* Names of outputs. */
#include "batch/batch_names.h"

#include <string.h>

const char *const batch_energy_names[BATCH_ENERGIES] = {
    "energy_change",        "energy_stored",   "energy_released",  "energy_normal_loss",
    "energy_friction_loss", "energy_residual", "energy_tangential"};

void batch_energy_numbers(const CaromEnergy *energy, double numbers[BATCH_ENERGIES]) {
    const double account[BATCH_ENERGIES] = {
        energy->change,        energy->stored,   energy->released,  energy->normal_loss,
        energy->friction_loss, energy->residual, energy->tangential};
    memcpy(numbers, account, sizeof account);
}

bool batch_names_read(const char *list, BatchAddName *add, void *context, Error *error) {
    while (list) {
        const char *comma = strchr(list, ',');
        size_t length = comma ? (size_t)(comma - list) : strlen(list);
        char name[TABLE_NAME_SIZE];
        if (length >= sizeof name) {
            return error_set(error, "column \"%.40s...\": unknown", list);
        }
        memcpy(name, list, length);
        name[length] = '\0';
        if (!add(context, name, error)) {
            return false;
        }
        list = comma ? comma + 1 : NULL;
    }
    return true;
}
