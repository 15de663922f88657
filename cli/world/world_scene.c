/* Reading a scene of a world: its planes and table, how it ends, and the parts that other files
 * read. */
#include "world/world_scene.h"

#include <stdlib.h>
#include <string.h>

#include "base/field.h"
#include "base/words.h"
#include "scene/scene_read.h"
#include "world/world_bodies.h"
#include "world/world_materials.h"
#include "world/world_places.h"
#include "world/world_shot.h"

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
            !world_material_read(&plane, "plane", scene, &read->material)) {
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
    if (!world_material_read(&field, "table", scene, &cloth->material)) {
        return false;
    }
    for (int i = 0; i < 4; i++) {
        CaromCushion *cushion = &scene->cushions[i];
        int axis = i / 2;
        double side = i % 2 == 0 ? 1 : -1;
        cushion->point[axis] = side * scene->table_size[axis] / 2;
        cushion->point[2] = nose;
        cushion->normal[axis] = -side;
        cushion->material = world_material_find(scene, "cushion");
    }
    if (scene->cushions[0].material < 0) {
        return field_fail(&field, "world.contacts has no material \"cushion\"");
    }
    if (!world_places_check_nose(&height, scene, nose)) {
        return false;
    }
    scene->setup.cushion_count = 4;
    scene->has_table = true;
    const double *g = scene->setup.gravity;
    if (g[0] != 0 || g[1] != 0 || !(g[2] < 0)) {
        return field_fail(&field, "needs gravity along -z");
    }
    return read_pockets(&field, scene);
}

static bool read_world(const Field *root, WorldScene *scene) {
    static const char *const known[] = {"balls", "bodies", "planes",  "table", "contacts",
                                        "shot",  "rest",   "several", NULL};
    static const char *const several[] = {"rigid", "compliant", NULL};
    Field field = field_member(root, "world");
    if (!field_is_object(&field, "an object with \"balls\" or \"bodies\", and \"contacts\"",
                         known)) {
        return false;
    }
    Field rest = field_member(&field, "rest"), many = field_member(&field, "several");
    int choice = CAROM_MODEL_COMPLIANT;
    if ((rest.value && !field_number(&rest, FIELD_POSITIVE, &scene->setup.rest)) ||
        (many.value && !field_choice(&many, several, &choice))) {
        return false;
    }
    scene->setup.several_rigid = choice == CAROM_MODEL_RIGID;
    return world_contacts_read(&field, scene) && world_bodies_read(&field, scene) &&
           read_planes(&field, scene) && read_table(&field, scene) &&
           world_shot_read(&field, scene);
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

/* The library looks at the whole. */
static bool finish(const Field *root, WorldScene *scene) {
    CaromWorld *world;
    const char *message;
    if (!world_surfaces_finish(root, scene)) {
        return false;
    }
    scene->setup.bodies = scene->bodies;
    scene->setup.planes = scene->planes;
    scene->setup.cushions = scene->cushions;
    scene->setup.pockets = scene->pockets;
    scene->setup.one = scene->scene.model;
    if (carom_world_create(&scene->setup, NULL, &world, &message) < 0) {
        return world_places_fail(root, scene, message);
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
    for (int i = 0; scene->vertices && i < scene->setup.body_count; i++) {
        free(scene->vertices[i]);
    }
    for (int i = 0; scene->materials && i < scene->room; i++) {
        free(scene->materials[i]);
    }
    scene_free(&scene->scene);
    free(scene->bodies);
    free(scene->names);
    free(scene->vertices);
    free(scene->planes);
    free(scene->surfaces);
    free(scene->surface_given);
    free(scene->materials);
    *scene = (WorldScene){.setup = {.material_count = 0}};
}
