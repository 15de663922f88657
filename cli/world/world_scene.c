/* Reading a scene of a world. The materials are those that "contacts" names. */
#include "world/world_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/field.h"
#include "base/words.h"
#include "scene/scene_read.h"

enum { MATERIALS_MAX = CAROM_WORLD_MATERIALS };

static char *copy_text(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

/* The index of a material; -1: there is no such. */
static int find_material(const WorldScene *scene, const char *name) {
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
    *index = find_material(scene, name);
    if (*index >= 0) {
        return true;
    }
    if (scene->setup.material_count == scene->room) {
        return field_fail(field, "there are more than %d materials", MATERIALS_MAX);
    }
    scene->materials[scene->setup.material_count] = copy_text(name);
    if (!scene->materials[scene->setup.material_count]) {
        return field_fail(field, "out of memory");
    }
    *index = scene->setup.material_count++;
    return true;
}

/* mu, e and stiffnesses, of a pair or of a cue's tip. */
static bool read_coefficients(const Field *field, CaromContact *contact) {
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
    if (!read_coefficients(field, &surface->contact)) {
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

static bool read_contacts(const Field *world, WorldScene *scene) {
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

/* The field "material" of a thing, or the default name of its kind. */
static bool read_material(const Field *thing, const char *usual, const WorldScene *scene,
                          int *material) {
    Field field = field_member(thing, "material");
    const char *name = usual;
    if (field.value && !field_string(&field, &name)) {
        return false;
    }
    *material = find_material(scene, name);
    return *material >= 0 ||
           field_fail(field.value ? &field : thing, "world.contacts has no material \"%s\"", name);
}

static bool read_ball_name(const Field *field, size_t index, WorldScene *scene) {
    Words usual = words_of("ball %zu", index);
    const char *name = usual.text;
    if (field->value && !field_string(field, &name)) {
        return false;
    }
    /* few have so many balls that looking through all names would take long */
    for (size_t i = 0; i < index && index < 2000; i++) {
        if (strcmp(scene->names[i], name) == 0) {
            return field_fail(field, "two balls are called \"%s\"", name);
        }
    }
    scene->names[index] = copy_text(name);
    return scene->names[index] || field_fail(field, "out of memory");
}

static bool read_ball(const Field *field, size_t index, WorldScene *scene) {
    static const char *const known[] = {"name",     "radius",           "mass",
                                        "inertia",  "position",         "velocity",
                                        "material", "angular_velocity", NULL};
    CaromWorldBody *ball = &scene->bodies[index];
    double radius, moment;
    ball->body = carom_body_default();
    if (!field_is_object(field, "an object", known)) {
        return false;
    }
    Field name = field_member(field, "name"), size = field_member(field, "radius");
    Field mass = field_member(field, "mass"), inertia = field_member(field, "inertia");
    Field position = field_member(field, "position"), velocity = field_member(field, "velocity");
    Field spin = field_member(field, "angular_velocity");
    if (!read_ball_name(&name, index, scene) || !field_number(&size, FIELD_POSITIVE, &radius) ||
        !field_number(&mass, FIELD_POSITIVE, &ball->body.mass) ||
        !field_vector(&position, 3, ball->body.position) ||
        (velocity.value && !field_vector(&velocity, 3, ball->body.velocity)) ||
        (spin.value && !field_vector(&spin, 3, ball->body.angular_velocity)) ||
        !read_material(field, "ball", scene, &ball->material)) {
        return false;
    }
    moment = 0.4 * ball->body.mass * radius * radius;
    if (inertia.value && !field_number(&inertia, FIELD_POSITIVE, &moment)) {
        return false;
    }
    for (int i = 0; i < 9; i++) {
        ball->body.inertia[i] = i % 4 == 0 ? moment : 0;
    }
    ball->shape = carom_shape_ball(radius);
    return true;
}

static bool read_balls(const Field *world, WorldScene *scene) {
    Field list = field_member(world, "balls");
    size_t count;
    if (!field_is_list(&list, "an array of balls", WORLD_BALLS_MAX, &count)) {
        return false;
    }
    scene->bodies = calloc(count, sizeof *scene->bodies);
    scene->names = calloc(count, sizeof *scene->names);
    if (!scene->bodies || !scene->names) {
        return field_fail(&list, "out of memory");
    }
    scene->setup.body_count = (int)count;
    for (size_t i = 0; i < count; i++) {
        Field ball = field_element(&list, i);
        if (!read_ball(&ball, i, scene)) {
            return false;
        }
    }
    return true;
}

/* The planes, and room for that of the table. */
static bool read_planes(const Field *world, WorldScene *scene) {
    static const char *const known[] = {"point", "normal", "material", NULL};
    Field list = field_member(world, "planes");
    size_t count = 0;
    if (list.value && !field_is_list(&list, "an array of planes", WORLD_PLANES_MAX, &count)) {
        return false;
    }
    scene->planes = calloc(count + 1, sizeof *scene->planes);
    if (!scene->planes) {
        return field_fail(&list, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        Field plane = field_element(&list, i);
        CaromWorldPlane *read = &scene->planes[i];
        if (!field_is_object(&plane, "an object with \"point\" and \"normal\"", known)) {
            return false;
        }
        Field point = field_member(&plane, "point"), normal = field_member(&plane, "normal");
        if (!field_vector(&point, 3, read->plane.point) ||
            !field_vector(&normal, 3, read->plane.normal) ||
            !read_material(&plane, "plane", scene, &read->material)) {
            return false;
        }
        const double *n = read->plane.normal;
        if (n[0] == 0 && n[1] == 0 && n[2] == 0) {
            return field_fail(&normal, "must not be zero");
        }
    }
    scene->setup.plane_count = (int)count;
    return true;
}

/* Corner and side pockets; the side ones are in the middle of the long cushions. */
static bool read_pockets(const Field *table, WorldScene *scene) {
    static const char *const known[] = {"corner", "side", NULL};
    Field field = field_member(table, "pockets");
    double corner, side;
    if (!field.value) {
        return true;
    }
    if (!field_is_object(&field, "an object with \"corner\" and \"side\"", known)) {
        return false;
    }
    Field at_corner = field_member(&field, "corner"), at_side = field_member(&field, "side");
    if (!field_number(&at_corner, FIELD_POSITIVE, &corner) ||
        !field_number(&at_side, FIELD_POSITIVE, &side)) {
        return false;
    }
    double x = scene->table_size[0] / 2, y = scene->table_size[1] / 2;
    for (int i = 0; i < 6; i++) {
        double sign = i % 2 == 0 ? 1 : -1, along = i / 2 - 1;
        CaromPocket *pocket = &scene->pockets[scene->setup.pocket_count++];
        pocket->radius = along == 0 ? side : corner;
        pocket->point[0] = x >= y ? along * x : sign * x;
        pocket->point[1] = x >= y ? sign * y : along * y;
    }
    return true;
}

/* A table: the plane z = 0 and four cushions. */
static bool read_table(const Field *world, WorldScene *scene) {
    static const char *const known[] = {"size", "nose", "pockets", NULL};
    Field field = field_member(world, "table");
    double nose;
    if (!field.value) {
        return true;
    }
    if (!field_is_object(&field, "an object with \"size\" and \"nose\"", known)) {
        return false;
    }
    Field size = field_member(&field, "size"), height = field_member(&field, "nose");
    if (!field_vector(&size, 2, scene->table_size) ||
        !field_number(&height, FIELD_POSITIVE, &nose)) {
        return false;
    }
    if (!(scene->table_size[0] > 0 && scene->table_size[1] > 0)) {
        return field_fail(&size, "must be two numbers > 0");
    }
    CaromWorldPlane *cloth = &scene->planes[scene->setup.plane_count++];
    *cloth = (CaromWorldPlane){.plane = {.normal = {0, 0, 1}}};
    if (!read_material(&field, "table", scene, &cloth->material)) {
        return false;
    }
    for (int i = 0; i < 4; i++) {
        CaromCushion *cushion = &scene->cushions[i];
        int axis = i / 2;
        double side = i % 2 == 0 ? 1 : -1;
        cushion->point[axis] = side * scene->table_size[axis] / 2;
        cushion->point[2] = nose;
        cushion->normal[axis] = -side;
        cushion->material = find_material(scene, "cushion");
    }
    if (scene->cushions[0].material < 0) {
        return field_fail(&field, "world.contacts has no material \"cushion\"");
    }
    scene->setup.cushion_count = 4;
    scene->has_table = true;
    const double *g = scene->setup.gravity;
    if (g[0] != 0 || g[1] != 0 || !(g[2] < 0)) {
        return field_fail(&field, "needs gravity along -z");
    }
    return read_pockets(&field, scene);
}

static bool read_shot(const Field *world, WorldScene *scene) {
    static const char *const known[] = {"ball", "mass", "speed",     "direction",       "offset",
                                        "mu",   "e",    "stiffness", "stiffness_ratio", NULL};
    Field field = field_member(world, "shot");
    double speed;
    const char *name;
    scene->shot = -1;
    if (!field.value) {
        return true;
    }
    if (!field_is_object(&field, "an object", known)) {
        return false;
    }
    Field ball = field_member(&field, "ball"), mass = field_member(&field, "mass");
    Field fast = field_member(&field, "speed"), direction = field_member(&field, "direction");
    Field offset = field_member(&field, "offset");
    if (!field_string(&ball, &name) || !field_number(&mass, FIELD_POSITIVE, &scene->cue.mass) ||
        !field_number(&fast, FIELD_POSITIVE, &speed) ||
        !field_vector(&direction, 3, scene->cue.velocity) ||
        !field_vector(&offset, 3, scene->cue.offset) ||
        !read_coefficients(&field, &scene->cue.contact)) {
        return false;
    }
    for (int i = 0; i < scene->setup.body_count && scene->shot < 0; i++) {
        scene->shot = strcmp(scene->names[i], name) == 0 ? i : -1;
    }
    if (scene->shot < 0) {
        return field_fail(&ball, "there is no ball \"%s\"", name);
    }
    double *v = scene->cue.velocity, length = hypot(hypot(v[0], v[1]), v[2]);
    const double *at = scene->cue.offset;
    if (!(length > 0 && isfinite(length))) {
        return field_fail(&direction, "must not be zero");
    }
    if (at[0] == 0 && at[1] == 0 && at[2] == 0) {
        return field_fail(&offset, "must not be zero");
    }
    for (int k = 0; k < 3; k++) {
        v[k] *= speed / length;
    }
    return at[0] * v[0] + at[1] * v[1] + at[2] * v[2] < 0 ||
           field_fail(&direction, "the cue does not move towards the ball");
}

static bool read_world(const Field *root, WorldScene *scene) {
    static const char *const known[] = {"balls", "planes", "table",   "contacts",
                                        "shot",  "rest",   "several", NULL};
    static const char *const several[] = {"rigid", "compliant", NULL};
    Field field = field_member(root, "world");
    if (!field_is_object(&field, "an object with \"balls\" and \"contacts\"", known)) {
        return false;
    }
    Field rest = field_member(&field, "rest"), many = field_member(&field, "several");
    int choice = CAROM_MODEL_COMPLIANT;
    if ((rest.value && !field_number(&rest, FIELD_POSITIVE, &scene->setup.rest)) ||
        (many.value && !field_choice(&many, several, &choice))) {
        return false;
    }
    scene->setup.several_rigid = choice == CAROM_MODEL_RIGID;
    return read_contacts(&field, scene) && read_balls(&field, scene) &&
           read_planes(&field, scene) && read_table(&field, scene) && read_shot(&field, scene);
}

static bool read_ends(const Field *root, WorldScene *scene) {
    static const char *const known[] = {"time", "events", NULL};
    Field field = field_member(root, "simulate");
    double events = 100000;
    if (field.value && !field_is_object(&field, "an object", known)) {
        return false;
    }
    Field time = field_member(&field, "time"), most = field_member(&field, "events");
    if ((time.value && !field_number(&time, FIELD_POSITIVE, &scene->time)) ||
        (most.value && !field_number(&most, FIELD_POSITIVE, &events))) {
        return false;
    }
    scene->events = events <= WORLD_EVENTS_MAX ? (long)events : 0;
    return (scene->events >= 1 && events == (double)scene->events) ||
           field_fail_type(&most, words_of("a whole number from 1 to %d", WORLD_EVENTS_MAX).text);
}

/* A pair that may meet needs its coefficients. */
static bool needs_pair(const Field *root, const WorldScene *scene, int a, int b) {
    Field world = field_member(root, "world"), list = field_member(&world, "contacts");
    return scene->surface_given[pair_at(scene, a, b)] ||
           field_fail(&list, "none for the materials \"%s\" and \"%s\"", scene->materials[a],
                      scene->materials[b]);
}

static bool check_pairs(const Field *root, const WorldScene *scene) {
    int counts[MATERIALS_MAX] = {0};
    bool good = true;
    for (int i = 0; i < scene->setup.body_count; i++) {
        counts[scene->bodies[i].material]++;
    }
    for (int a = 0; a < scene->setup.material_count; a++) {
        for (int b = a; b < scene->setup.material_count && good; b++) {
            bool meet = a == b ? counts[a] > 1 : counts[a] > 0 && counts[b] > 0;
            good = !meet || needs_pair(root, scene, a, b);
        }
        for (int i = 0; i < scene->setup.plane_count && good && counts[a] > 0; i++) {
            good = needs_pair(root, scene, a, scene->planes[i].material);
        }
        if (good && scene->has_table && counts[a] > 0) {
            good = needs_pair(root, scene, a, scene->cushions[0].material);
        }
    }
    return good;
}

/* Two balls that overlap, by name; the library says only that there are some. */
static bool name_overlap(const Field *root, const WorldScene *scene, const char *message) {
    Field world = field_member(root, "world"), list = field_member(&world, "balls");
    for (int i = 0; i < scene->setup.body_count && scene->setup.body_count < 5000; i++) {
        for (int j = 0; j < i; j++) {
            const double *a = scene->bodies[i].body.position, *b = scene->bodies[j].body.position;
            double reach = scene->bodies[i].shape.radius + scene->bodies[j].shape.radius;
            double gap = hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]) - reach;
            if (gap < -1e-9 * reach / 2) {
                return field_fail(&list, "\"%s\" and \"%s\" overlap by %.6g", scene->names[j],
                                  scene->names[i], -gap);
            }
        }
    }
    return field_fail(&world, "%s", message);
}

/* Surfaces in their final order; the library looks at the whole. */
static bool finish(const Field *root, WorldScene *scene) {
    size_t count = (size_t)scene->setup.material_count, room = (size_t)scene->room;
    CaromWorld *world;
    const char *message;
    if (!check_pairs(root, scene)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        memmove(&scene->surfaces[i * count], &scene->surfaces[i * room],
                count * sizeof *scene->surfaces);
    }
    scene->setup.bodies = scene->bodies;
    scene->setup.planes = scene->planes;
    scene->setup.cushions = scene->cushions;
    scene->setup.pockets = scene->pockets;
    scene->setup.surfaces = scene->surfaces;
    scene->setup.one = scene->scene.model;
    if (carom_world_create(&scene->setup, NULL, &world, &message) < 0) {
        return name_overlap(root, scene, message);
    }
    carom_world_destroy(world);
    return true;
}

/* What every scene has, by the reader of scenes: in place of the world any W and v. */
static bool read_heading(json_t *document, WorldScene *scene, Error *error) {
    json_t *copy = json_copy(document);
    json_object_del(copy, "world");
    json_object_del(copy, "gravity");
    json_object_del(copy, "simulate");
    if (!json_object_get(copy, "model")) {
        json_object_set_new(copy, "model", json_string("rigid"));
    }
    json_object_set_new(copy, "contacts", json_pack("[{s:f, s:f}]", "mu", 0.0, "e", 1.0));
    json_object_set_new(
        copy, "inverse_inertia",
        json_pack("[[fff][fff][fff]]", 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0));
    json_object_set_new(copy, "contact_velocity", json_pack("[fff]", 0.0, 0.0, -1.0));
    bool good = scene_from_json(copy, &scene->scene, error);
    json_decref(copy);
    return good;
}

bool world_scene_read(json_t *document, WorldScene *scene, Error *error) {
    static const char *const known[] = {"carom",   "name",  "description", "units", "model",
                                        "gravity", "world", "simulate",    NULL};
    Field root = field_root(document, error);
    *scene = (WorldScene){.setup = {.material_count = 0}};
    Field gravity = field_member(&root, "gravity");
    if (field_is_object(&root, "an object", known) &&
        field_vector(&gravity, 3, scene->setup.gravity) && read_heading(document, scene, error) &&
        read_world(&root, scene) && read_ends(&root, scene) && finish(&root, scene)) {
        return true;
    }
    world_scene_free(scene);
    return false;
}

void world_scene_free(WorldScene *scene) {
    for (int i = 0; scene->names && i < scene->setup.body_count; i++) {
        free(scene->names[i]);
    }
    for (int i = 0; scene->materials && i < scene->room; i++) {
        free(scene->materials[i]);
    }
    scene_free(&scene->scene);
    free(scene->bodies);
    free(scene->names);
    free(scene->planes);
    free(scene->surfaces);
    free(scene->surface_given);
    free(scene->materials);
    *scene = (WorldScene){.setup = {.material_count = 0}};
}
