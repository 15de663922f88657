/* The inputs of a problem as one vector. */
#include <carom/derivative.h>

#include "derivative/packed.h"

CaromInputs carom_inputs(int contact_count, int planar) {
    if (contact_count < 1 || contact_count > CAROM_CONTACTS_MAX) {
        return (CaromInputs){0};
    }
    int rows = (planar ? 2 : 3) * contact_count, v = packed_count(rows), contact = v + rows;
    return (CaromInputs){rows, v, contact, contact + CAROM_COEFFICIENT_COUNT * contact_count};
}

int carom_input_W(const CaromInputs *inputs, int i, int j) {
    return inputs ? packed_index(inputs->rows, i, j) : -1;
}

int carom_input_coefficient(const CaromInputs *inputs, int contact, CaromCoefficient coefficient) {
    return !inputs ? -1 : inputs->contact + CAROM_COEFFICIENT_COUNT * contact + (int)coefficient;
}

const char *carom_kink_string(CaromKinkKind kind) {
    static const char *const names[] = {"slip_stops", "stick_holds", "restart", "start",
                                        "order",      "direction",   "touch"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "unknown_kink";
}
