/* Materials of a world, and the coefficients of their pairs. The materials are those that
 * "contacts" names. */
#include "world/world_materials.h"

#include <stdlib.h>
#include <string.h>

enum { MATERIALS_MAX = CAROM_WORLD_MATERIALS };

int world_material_find(const WorldScene *scene, const char *name) {
    for (int i = 0; i < scene->setup.material_count; i++) {
        if (strcmp(scene->materials[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

static bool add_material(const Field *field, WorldScene *scene, int *index) {
    const char *name;
    if (!field_string(field, &name)) {
        return false;
    }
    *index = world_material_find(scene, name);
    if (*index >= 0) {
        return true;
    }
    if (scene->setup.material_count == scene->room) {
        return field_fail(field, "there are more than %d materials", MATERIALS_MAX);
    }
    scene->materials[scene->setup.material_count] = strdup(name);
    if (!scene->materials[scene->setup.material_count]) {
        return field_fail(field, "out of memory");
    }
    *index = scene->setup.material_count++;
    return true;
}

bool world_coefficients_read(const Field *field, CaromContact *contact) {
    Field mu = field_member(field, "mu"), e = field_member(field, "e");
    Field stiffness = field_member(field, "stiffness");
    Field ratio = field_member(field, "stiffness_ratio");
    return field_number(&mu, FIELD_NOT_NEGATIVE, &contact->mu) &&
           field_number(&e, FIELD_FRACTION, &contact->e) &&
           (!stiffness.value || field_number(&stiffness, FIELD_POSITIVE, &contact->stiffness)) &&
           (!ratio.value || field_number(&ratio, FIELD_POSITIVE, &contact->stiffness_ratio));
}

/* The place of a pair; surfaces are a matrix of the largest size while materials are read. */
static size_t pair_at(const WorldScene *scene, int a, int b) {
    int low = a < b ? a : b, high = a < b ? b : a;
    return (size_t)low * (size_t)scene->room + (size_t)high;
}

static bool read_contact(const Field *field, WorldScene *scene) {
    static const char *const known[] = {"materials", "mu",      "e",       "stiffness",
                                        "mu_slide",  "mu_roll", "mu_spin", "stiffness_ratio",
                                        NULL};
    Field pair = field_member(field, "materials");
    if (!field_is_object(field, "an object", known)) {
        return false;
    }
    if (!json_is_array(pair.value) || json_array_size(pair.value) != 2) {
        return field_fail_type(&pair, "an array of two names");
    }
    Field first = field_element(&pair, 0), second = field_element(&pair, 1);
    int a, b;
    if (!add_material(&first, scene, &a) || !add_material(&second, scene, &b)) {
        return false;
    }
    CaromSurface *surface = &scene->surfaces[pair_at(scene, a, b)];
    if (scene->surface_given[pair_at(scene, a, b)]) {
        return field_fail(&pair, "this pair is given twice");
    }
    scene->surface_given[pair_at(scene, a, b)] = true;
    if (!world_coefficients_read(field, &surface->contact)) {
        return false;
    }
    surface->mu_slide = surface->contact.mu;
    const struct {
        const char *name;
        double *value;
    } more[] = {{"mu_slide", &surface->mu_slide},
                {"mu_roll", &surface->mu_roll},
                {"mu_spin", &surface->mu_spin}};
    for (int i = 0; i < 3; i++) {
        Field number = field_member(field, more[i].name);
        if (number.value && !field_number(&number, FIELD_NOT_NEGATIVE, more[i].value)) {
            return false;
        }
    }
    return true;
}

bool world_contacts_read(const Field *world, WorldScene *scene) {
    Field list = field_member(world, "contacts");
    size_t count;
    if (!field_is_list(&list, "an array of contacts", MATERIALS_MAX * MATERIALS_MAX, &count)) {
        return false;
    }
    scene->room = 2 * count < MATERIALS_MAX ? 2 * (int)count : MATERIALS_MAX;
    size_t room = (size_t)scene->room;
    scene->materials = calloc(room, sizeof *scene->materials);
    scene->surfaces = calloc(room * room, sizeof *scene->surfaces);
    scene->surface_given = calloc(room * room, sizeof *scene->surface_given);
    if (!scene->materials || !scene->surfaces || !scene->surface_given) {
        return field_fail(&list, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        Field contact = field_element(&list, i);
        if (!read_contact(&contact, scene)) {
            return false;
        }
    }
    return true;
}

bool world_material_read(const Field *thing, const char *usual, const WorldScene *scene,
                         int *material) {
    Field field = field_member(thing, "material");
    const char *name = usual;
    if (field.value && !field_string(&field, &name)) {
        return false;
    }
    *material = world_material_find(scene, name);
    return *material >= 0 ||
           field_fail(field.value ? &field : thing, "world.contacts has no material \"%s\"", name);
}

/* A pair that may meet needs its coefficients. */
static bool needs_pair(const Field *root, const WorldScene *scene, int a, int b) {
    Field world = field_member(root, "world"), list = field_member(&world, "contacts");
    return scene->surface_given[pair_at(scene, a, b)] ||
           field_fail(&list, "none for the materials \"%s\" and \"%s\"", scene->materials[a],
                      scene->materials[b]);
}

/* Bodies of a material. */
typedef struct MaterialUse {
    int balls, convex;
} MaterialUse;

/* Balls meet everything; convex bodies do not meet each other. */
static bool can_meet(const MaterialUse *a, const MaterialUse *b) {
    bool balls = a == b ? a->balls > 1 : a->balls > 0 && b->balls > 0;
    return balls || (a->balls > 0 && b->convex > 0) || (a->convex > 0 && b->balls > 0);
}

static bool check_pairs(const Field *root, const WorldScene *scene) {
    MaterialUse use[MATERIALS_MAX] = {{0}};
    bool good = true;
    for (int i = 0; i < scene->setup.body_count; i++) {
        MaterialUse *used = &use[scene->bodies[i].material];
        *(i < scene->ball_count ? &used->balls : &used->convex) += 1;
    }
    for (int a = 0; a < scene->setup.material_count; a++) {
        bool moves = use[a].balls + use[a].convex > 0;
        for (int b = a; b < scene->setup.material_count && good; b++) {
            good = !can_meet(&use[a], &use[b]) || needs_pair(root, scene, a, b);
        }
        for (int i = 0; i < scene->setup.plane_count && good && moves; i++) {
            good = needs_pair(root, scene, a, scene->planes[i].material);
        }
        if (good && scene->has_table && moves) {
            good = needs_pair(root, scene, a, scene->cushions[0].material);
        }
    }
    return good;
}

bool world_surfaces_finish(const Field *root, WorldScene *scene) {
    size_t count = (size_t)scene->setup.material_count, room = (size_t)scene->room;
    if (!check_pairs(root, scene)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        memmove(&scene->surfaces[i * count], &scene->surfaces[i * room],
                count * sizeof *scene->surfaces);
    }
    scene->setup.surfaces = scene->surfaces;
    return true;
}
