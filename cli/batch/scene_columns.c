/* The outputs of a scene. */
#include "batch/scene_columns.h"

#include <math.h>
#include <string.h>

#include "base/words.h"
#include "batch/batch_names.h"

/* What a column of the outcome has. */
typedef enum Part {
    PART_COMPONENT, /* index: of Components */
    PART_IMPULSE,   /* index: row of the impulse */
    PART_CONTACT_VELOCITY,
    PART_ENERGY, /* index: of the account */
    PART_ERROR,
    PART_SEQUENCE,
    PART_STATUS,
    PART_MESSAGE
} Part;

static double energy_at(const CaromEnergy *energy, int index) {
    double numbers[BATCH_ENERGIES];
    batch_energy_numbers(energy, numbers);
    return numbers[index];
}

TableCell scene_columns_cell(const SceneColumns *columns, int column, const SceneOutcome *outcome) {
    const CaromResult *result = outcome->result;
    int index = columns->indices[column];
    switch ((Part)columns->parts[column]) {
    case PART_COMPONENT:
        return table_number(result ? outcome->components[index] : NAN);
    case PART_IMPULSE:
        return table_number(result ? result->impulse[index] : NAN);
    case PART_CONTACT_VELOCITY:
        return table_number(result ? result->velocity[index] : NAN);
    case PART_ENERGY:
        return table_number(result ? energy_at(&result->energy, index) : NAN);
    case PART_ERROR:
        return table_number(result ? result->error : NAN);
    case PART_SEQUENCE:
        return table_text(result ? result->sequence : "");
    case PART_STATUS:
        return table_text(carom_status_string(outcome->status));
    default:
        return table_text(outcome->message);
    }
}

bool scene_columns_are_plain(const SceneColumns *columns) {
    bool plain = true;
    for (int i = 0; i < columns->list.count; i++) {
        int part = columns->parts[i];
        plain = plain && part != PART_ERROR && (part != PART_ENERGY || columns->indices[i] == 0);
    }
    return plain;
}

static bool add(SceneColumns *columns, const char *name, Part part, int index, Error *error) {
    TableColumns *list = &columns->list;
    bool text = part >= PART_SEQUENCE;
    if (table_find(list, name) >= 0) {
        return error_set(error, "column \"%s\": given twice", name);
    }
    TableColumn *column = table_add(list, name, strlen(name), text ? TABLE_TEXT : TABLE_NUMBER);
    if (!column) {
        return error_set(error, "more than %d columns", TABLE_COLUMNS_MAX);
    }
    column->width = part == PART_SEQUENCE ? CAROM_SEQUENCE_SIZE
                    : part == PART_STATUS ? BATCH_STATUS_BYTES
                                          : BATCH_MESSAGE_BYTES;
    columns->parts[list->count - 1] = (int)part;
    columns->indices[list->count - 1] = index;
    return true;
}

/* Add the numbers name[0] to name[count - 1] if the group is wanted, or that of them that is. */
static bool add_indexed(SceneColumns *columns, const char *wanted, const char *group,
                        const char *name, Part part, int count, bool *found, Error *error) {
    for (int i = 0; i < count; i++) {
        Words full = words_of("%s[%d]", name, i);
        if (strcmp(wanted, group) == 0 || strcmp(wanted, full.text) == 0) {
            *found = true;
            if (!add(columns, full.text, part, i, error)) {
                return false;
            }
        }
    }
    return true;
}

/* Where names are looked up. */
typedef struct Lookup {
    SceneColumns *columns;
    const Scene *scene;
    const Components *components;
} Lookup;

static bool add_name(void *context, const char *name, Error *error) {
    const Lookup *lookup = context;
    SceneColumns *columns = lookup->columns;
    const Scene *scene = lookup->scene;
    const Components *components = lookup->components;
    static const struct {
        const char *name;
        Part part;
    } singles[] = {{"sequence", PART_SEQUENCE},
                   {"status", PART_STATUS},
                   {"message", PART_MESSAGE},
                   {"error", PART_ERROR}};
    int m = scene_rows(scene) * scene->contact_count;
    bool found = false, good = true;
    for (size_t i = 0; i < sizeof singles / sizeof *singles && good; i++) {
        if (strcmp(name, singles[i].name) == 0) {
            found = true;
            good = add(columns, name, singles[i].part, 0, error);
        }
    }
    for (int i = 0; i < components->count && good; i++) {
        Words path = words_of("after.%s", components_path(components, i).text);
        if (strcmp(name, "velocity") == 0 || strcmp(name, path.text) == 0) {
            found = true;
            good = add(columns, path.text, PART_COMPONENT, i, error);
        }
    }
    for (int i = 0; i < BATCH_ENERGIES && good; i++) {
        if (strcmp(name, "energy") == 0 || strcmp(name, batch_energy_names[i]) == 0) {
            found = true;
            good = add(columns, batch_energy_names[i], PART_ENERGY, i, error);
        }
    }
    good = good && add_indexed(columns, name, "impulse", "impulse", PART_IMPULSE, m, &found, error);
    if (good && !found) { /* a component where the scene has neither bodies nor a mechanism */
        good = add_indexed(columns, name, "contact_velocity", "after.contact_velocity",
                           PART_CONTACT_VELOCITY, m, &found, error);
    }
    return good &&
           (found || error_set(error,
                               "column \"%s\": unknown; there are velocity, impulse, "
                               "contact_velocity, energy, error, sequence, status, message, and "
                               "single ones such as impulse[0] or after.bodies[0].velocity[2]",
                               name));
}

bool scene_columns_read(const char *list, const Scene *scene, const Components *components,
                        SceneColumns *columns, Error *error) {
    Lookup lookup = {columns, scene, components};
    *columns = (SceneColumns){.list = {.count = 0}};
    return batch_names_read(list, add_name, &lookup, error);
}
