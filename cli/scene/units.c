/* The units of a scene. */
#include "scene/units.h"

const char *const unit_kind_names[UNIT_KINDS] = {
    [UNIT_LENGTH] = "length",   [UNIT_MASS] = "mass",
    [UNIT_TIME] = "time",       [UNIT_VELOCITY] = "velocity",
    [UNIT_IMPULSE] = "impulse", [UNIT_ANGULAR_VELOCITY] = "angular_velocity",
    [UNIT_ENERGY] = "energy",   [UNIT_INERTIA] = "inertia",
};

Units units_si(void) {
    return (Units){"m", "kg", "s", true};
}

Words units_name(const Units *units, UnitKind kind) {
    const char *length = units->length, *mass = units->mass, *time = units->time;
    if (!length[0]) {
        return words_of("%s", "");
    }
    switch (kind) {
    case UNIT_LENGTH:
        return words_of("%s", length);
    case UNIT_MASS:
        return words_of("%s", mass);
    case UNIT_TIME:
        return words_of("%s", time);
    case UNIT_VELOCITY:
        return words_of("%s/%s", length, time);
    case UNIT_ANGULAR_VELOCITY:
        return words_of("rad/%s", time);
    case UNIT_IMPULSE:
        return units->si ? words_of("N s") : words_of("%s %s/%s", mass, length, time);
    case UNIT_ENERGY:
        return units->si ? words_of("J") : words_of("%s %s²/%s²", mass, length, time);
    case UNIT_INERTIA:
        return words_of("%s %s²", mass, length);
    case UNIT_KINDS:
        break;
    }
    return words_of("%s", "");
}

Words units_suffix(const Units *units, UnitKind kind) {
    return units->length[0] ? words_of(" (%.250s)", units_name(units, kind).text) : (Words){""};
}

Words units_label(const Units *units, UnitKind kind) {
    return units->length[0] ? units_name(units, kind) : words_of("units of the scene");
}
