/* The units of a scene, if it says them: "units": "SI", or the names of length, mass and time.
 * carom computes with numbers in any consistent units; these names are only shown. */
#ifndef CAROM_CLI_SCENE_UNITS_H
#define CAROM_CLI_SCENE_UNITS_H

#include <stdbool.h>

#include "base/words.h"

/* Most bytes of a name, with the final zero. */
enum { UNIT_NAME_SIZE = 16 };

/* All names are empty if the scene does not say its units. */
typedef struct Units {
    char length[UNIT_NAME_SIZE], mass[UNIT_NAME_SIZE], time[UNIT_NAME_SIZE];
    bool si;
} Units;

typedef enum UnitKind {
    UNIT_LENGTH,
    UNIT_MASS,
    UNIT_TIME,
    UNIT_VELOCITY,
    UNIT_ANGULAR_VELOCITY,
    UNIT_IMPULSE,
    UNIT_ENERGY,
    UNIT_INERTIA,
    UNIT_KINDS
} UnitKind;

/* Names of the kinds in files. */
extern const char *const unit_kind_names[UNIT_KINDS];

Units units_si(void);

/* The name of a unit, e.g. "m/s"; "" if the units are not known. */
Words units_name(const Units *units, UnitKind kind);

/* For the end of a title: " (m/s)", or "". */
Words units_suffix(const Units *units, UnitKind kind);

/* For an axis: "m/s", or "units of the scene". */
Words units_label(const Units *units, UnitKind kind);

#endif
