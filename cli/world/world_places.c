/* Where the bodies of a world are at the start. */
#include "world/world_places.h"

#include <math.h>
#include <stdlib.h>

#include "base/words.h"

/* The library's own bound: gaps down to this part of the size are touch. */
static const double TOUCH = -1e-9;

/* The field "position" of a body gets the error. */
static bool fail_at(const Field *root, const WorldScene *scene, int index, const char *what) {
    Field world = field_member(root, "world");
    bool ball = index < scene->ball_count;
    Field list = field_member(&world, ball ? "balls" : "bodies");
    Field body = field_element(&list, (size_t)(ball ? index : index - scene->ball_count));
    Field position = field_member(&body, "position");
    return field_fail(&position, "\"%s\" is %s", scene->names[index], what);
}

double world_shape_size(const CaromShape *shape) {
    double size = shape->radius;
    for (int i = 0; i < shape->vertex_count; i++) {
        const double *r = &shape->vertices[3 * (size_t)i];
        size = fmax(size, hypot(hypot(r[0], r[1]), r[2]));
    }
    return size;
}

/* Inside a plane? Then the error is set. */
static bool is_in_plane(const Field *root, const WorldScene *scene, int index) {
    const CaromWorldBody *body = &scene->bodies[index];
    for (int i = 0; i < scene->setup.plane_count; i++) {
        double gap = carom_shape_gap(&body->body, &body->shape, &scene->planes[i].plane, NULL);
        bool table = scene->has_table && i == scene->setup.plane_count - 1;
        if (gap < TOUCH * world_shape_size(&body->shape)) {
            Words where = table ? words_of("the table") : words_of("plane %d", i);
            fail_at(root, scene, index, words_of("inside %s by %.6g", where.text, -gap).text);
            return true;
        }
    }
    return false;
}

/* Beyond the noses of the cushions, or in a pocket? Then the error is set. */
static bool is_off_table(const Field *root, const WorldScene *scene, int index) {
    const double *x = scene->bodies[index].body.position;
    for (int axis = 0; scene->has_table && axis < 2; axis++) {
        double half = scene->table_size[axis] / 2;
        if (fabs(x[axis]) > half) {
            fail_at(root, scene, index, "not on the table, which is about the origin");
            return true;
        }
    }
    for (int i = 0; i < scene->setup.pocket_count; i++) {
        const CaromPocket *pocket = &scene->pockets[i];
        if (hypot(x[0] - pocket->point[0], x[1] - pocket->point[1]) <= pocket->radius) {
            fail_at(root, scene, index, words_of("in pocket %d", i).text);
            return true;
        }
    }
    return false;
}

/* A ball by the least x that it reaches. */
typedef struct Reach {
    double low;
    int index;
} Reach;

static int compare_reach(const void *a, const void *b) {
    const Reach *first = a, *second = b;
    return (first->low > second->low) - (first->low < second->low);
}

/* Do two balls overlap? Then the error is set. */
static bool overlap(const Field *root, const WorldScene *scene, int i, int j) {
    const CaromWorldBody *first = &scene->bodies[i], *second = &scene->bodies[j];
    const double *a = first->body.position, *b = second->body.position;
    double gap = hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]) - first->shape.radius -
                 second->shape.radius;
    if (!(gap < TOUCH * fmin(first->shape.radius, second->shape.radius))) {
        return false;
    }
    Field world = field_member(root, "world"), list = field_member(&world, "balls");
    field_fail(&list, "\"%s\" and \"%s\" overlap by %.6g", scene->names[i < j ? i : j],
               scene->names[i < j ? j : i], -gap);
    return true;
}

/* Do any balls overlap? Then the error is set. Only those whose ranges of x do are compared. */
static bool balls_overlap(const Field *root, const WorldScene *scene) {
    int count = scene->ball_count;
    Reach *sorted = calloc((size_t)count + 1, sizeof *sorted);
    bool found = false;
    for (int i = 0; sorted && i < count; i++) {
        const CaromWorldBody *ball = &scene->bodies[i];
        sorted[i] = (Reach){ball->body.position[0] - ball->shape.radius, i};
    }
    if (sorted) {
        qsort(sorted, (size_t)count, sizeof *sorted, compare_reach);
    }
    for (int i = 0; sorted && i < count && !found; i++) {
        double high = sorted[i].low + 2 * scene->bodies[sorted[i].index].shape.radius;
        for (int j = i + 1; j < count && sorted[j].low <= high && !found; j++) {
            found = overlap(root, scene, sorted[i].index, sorted[j].index);
        }
    }
    free(sorted);
    return found;
}

bool world_places_fail(const Field *root, const WorldScene *scene, const char *message) {
    Field world = field_member(root, "world");
    for (int i = 0; i < scene->setup.body_count; i++) {
        if (is_in_plane(root, scene, i) || is_off_table(root, scene, i)) {
            return false;
        }
    }
    return !balls_overlap(root, scene) && field_fail(&world, "%s", message);
}

bool world_places_check_nose(const Field *nose, const WorldScene *scene, double height) {
    for (int i = 0; i < scene->ball_count; i++) {
        double size = 2 * scene->bodies[i].shape.radius;
        if (!(size > height)) {
            return field_fail(nose, "\"%s\" passes below it: its diameter is %.6g", scene->names[i],
                              size);
        }
    }
    return true;
}
