/* Paths: the numbers of a scene by name. */
#include "scene/scene_path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <carom/body.h>
#include <carom/problem.h>

#include "base/text.h"

/* Parameters of a contact that have short names. */
static const char *const short_names[] = {"mu", "mu_static", "e", "stiffness", "stiffness_ratio"};

/* A step of a path: a name, or an index in brackets. */
typedef struct Step {
    char name[32]; /* empty: an index */
    long index;
} Step;

/* The next step of *text, which moves on. False: it is not one. */
static bool next_step(const char **text, Step *step) {
    const char *at = *text;
    *step = (Step){0};
    if (*at == '[') {
        size_t length = strspn(at + 1, "0123456789");
        char digits[8] = "";
        if (length == 0 || length >= sizeof digits || at[1 + length] != ']') {
            return false;
        }
        memcpy(digits, at + 1, length);
        step->index = strtol(digits, NULL, 10);
        *text = at + length + 2;
        return true;
    }
    at += *at == '.';
    size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz_0123456789");
    if (length == 0 || length >= sizeof step->name) {
        return false;
    }
    memcpy(step->name, at, length);
    *text = at + length;
    return true;
}

static bool is_path(const char *text) {
    Step step;
    bool good = *text != '.' && *text != '[';
    while (good && *text) {
        good = next_step(&text, &step);
    }
    return good;
}

/* Write a short name in full. */
static void expand_short_name(ScenePath *path) {
    const char *rest = path->text;
    Step name, index = {0};
    if (!next_step(&rest, &name) || (*rest && (!next_step(&rest, &index) || index.name[0]))) {
        return;
    }
    for (size_t i = 0; i < sizeof short_names / sizeof *short_names && !*rest; i++) {
        if (strcmp(name.name, short_names[i]) == 0) {
            path->any_contact = strchr(path->text, '[') == NULL;
            snprintf(path->short_name, sizeof path->short_name, "%s", name.name);
            snprintf(path->text, sizeof path->text, "contacts[%ld].%s", index.index, name.name);
            return;
        }
    }
}

bool scene_path_read(const char *text, size_t length, ScenePath *path, Error *error) {
    int shown = (int)(length < 64 ? length : 64);
    *path = (ScenePath){0};
    if (length < sizeof path->text) {
        memcpy(path->text, text, length);
    }
    if (!is_path(path->text) || path->text[0] == '\0') {
        return error_set(error,
                         "must be the path of a number, for example mu, contacts[0].e or "
                         "bodies[0].velocity[2], got \"%.*s\"",
                         shown, text);
    }
    expand_short_name(path);
    return true;
}

/* The last name of the path. */
static const char *last_name(const ScenePath *path) {
    const char *dot = strrchr(path->text, '.');
    return dot ? dot + 1 : path->text;
}

bool scene_path_is_stiffness(const ScenePath *path) {
    return strncmp(path->text, "contacts[", 9) == 0 &&
           strncmp(last_name(path), "stiffness", 9) == 0;
}

/* The number of a member that the object does not have, or NULL: zero vectors for the motion of a
 * body, the library's default for a contact. The caller owns it. */
static json_t *default_member(const json_t *object, const char *name) {
    const CaromContact contact = carom_contact_default();
    if (strcmp(name, "velocity") == 0 || strcmp(name, "angular_velocity") == 0) {
        return json_pack("[fff]", 0., 0., 0.);
    }
    if (strcmp(name, "stiffness") == 0 || strcmp(name, "stiffness_ratio") == 0) {
        return json_real(name[9] ? contact.stiffness_ratio : contact.stiffness);
    }
    return strcmp(name, "mu_static") == 0
               ? json_real(json_number_value(json_object_get(object, "mu")))
               : NULL;
}

/* The way to a number: nodes[0] is the document, steps[i] leads from nodes[i] to nodes[i + 1]. */
enum { DEPTH_MAX = 8 };
typedef struct Way {
    int length; /* of steps */
    Step steps[DEPTH_MAX];
    json_t *nodes[DEPTH_MAX + 1]; /* borrowed; the last one of a turn is NULL */
    int turn;                     /* axis of the angle that turns a normal; -1: a plain number */
    bool whole;                   /* it turns the whole contact around its first body */
} Way;

/* The member or element of a node; a missing one with a default is put there. */
static json_t *go(json_t *node, const Step *step) {
    if (!step->name[0]) {
        return json_array_get(node, (size_t)step->index);
    }
    json_t *member = json_object_get(node, step->name);
    if (!member && json_is_object(node)) {
        member = default_member(node, step->name);
        if (member && json_object_set_new(node, step->name, member) != 0) {
            return NULL;
        }
    }
    return member;
}

/* The last step leads nowhere; `done` characters of the path end with it. */
static bool fail_step(const ScenePath *path, const Way *way, int done, Error *error) {
    json_t *node = way->nodes[way->length - 1];
    if (!way->steps[way->length - 1].name[0] && json_is_array(node)) {
        size_t size = json_array_size(node);
        return error_set(error, "%.*s: there %s %zu, counted from 0", done, path->text,
                         size == 1 ? "is" : "are", size);
    }
    return error_set(error, "%.*s: the scene has no such field", done, path->text);
}

/* The last step is turn_x, turn_y or turn_z of a normal, or of a contact of bodies: its axis, else
 * -1. */
static int turn_axis(Way *way) {
    const char *name = way->steps[way->length - 1].name;
    if (way->length < 2 || strncmp(name, "turn_", 5) != 0 || name[5] < 'x' || name[5] > 'z' ||
        name[6] != '\0') {
        return -1;
    }
    way->whole = way->length == 3 && strcmp(way->steps[0].name, "contacts") == 0 &&
                 json_object_get(way->nodes[2], "bodies") != NULL;
    return way->whole || strcmp(way->steps[way->length - 2].name, "normal") == 0 ? name[5] - 'x'
                                                                                 : -1;
}

static bool find_way(json_t *document, const ScenePath *path, Way *way, Error *error) {
    const char *rest = path->text;
    *way = (Way){.nodes = {document}, .turn = -1};
    while (*rest) {
        if (way->length == DEPTH_MAX) {
            return error_set(error, "%s: the scene has no such field", path->text);
        }
        next_step(&rest, &way->steps[way->length]);
        way->length++;
        way->turn = *rest ? -1 : turn_axis(way);
        if (way->turn >= 0) {
            return true;
        }
        way->nodes[way->length] = go(way->nodes[way->length - 1], &way->steps[way->length - 1]);
        if (!way->nodes[way->length]) {
            return fail_step(path, way, (int)(rest - path->text), error);
        }
    }
    return json_is_number(way->nodes[way->length]) ||
           error_set(error, "%s: is not a number in this scene", path->text);
}

bool scene_path_get(json_t *document, const ScenePath *path, double *number, Error *error) {
    Way way;
    if (!find_way(document, path, &way, error)) {
        return false;
    }
    *number = way.turn >= 0 ? 0 : json_number_value(way.nodes[way.length]);
    return true;
}

/* Give a contact without a tangent the one that the library chooses for its normal, so that the
 * tangent turns with the normal instead of being chosen again. */
static bool fix_tangent(json_t *contact) {
    CaromSite site = {0};
    double frame[9];
    json_t *normal = json_object_get(contact, "normal");
    if (json_object_get(contact, "tangent")) {
        return true;
    }
    for (size_t i = 0; i < 3; i++) {
        site.normal[i] = json_number_value(json_array_get(normal, i));
    }
    /* a normal that makes no frame is refused when the scene is read */
    return carom_site_frame(&site, frame, NULL) < 0 ||
           json_object_set_new(contact, "tangent",
                               json_pack("[fff]", frame[0], frame[1], frame[2])) == 0;
}

/* Turn a vector of the contact about an axis of the world; a missing one stays missing. */
static bool turn_vector(json_t *vector, int axis, double angle) {
    int first = (axis + 1) % 3, second = (axis + 2) % 3;
    double x = json_number_value(json_array_get(vector, (size_t)first));
    double y = json_number_value(json_array_get(vector, (size_t)second));
    double c = cos(angle), s = sin(angle);
    return !vector || (json_array_set_new(vector, (size_t)first, json_real(c * x - s * y)) == 0 &&
                       json_array_set_new(vector, (size_t)second, json_real(s * x + c * y)) == 0);
}

/* The position of the first body of a contact, which has its name or its index; NULL: it is the
 * origin, or there is no such body. */
static json_t *first_position(const json_t *document, const json_t *contact) {
    const json_t *first = json_array_get(json_object_get(contact, "bodies"), 0);
    json_t *bodies = json_object_get(document, "bodies"), *body;
    size_t i;
    json_array_foreach(bodies, i, body) {
        const json_t *name = json_object_get(body, "name");
        if (json_is_number(first) ? json_number_value(first) == (double)i
                                  : name && json_equal(first, name)) {
            return json_object_get(body, "position");
        }
    }
    return NULL;
}

/* Turn the point of a contact around the first body's centre. */
static bool turn_point(const json_t *document, json_t *contact, int axis, double angle) {
    json_t *point = json_object_get(contact, "point"), *centre = first_position(document, contact);
    for (int way = -1; way <= 1; way += 2) { /* from the centre, and back */
        for (size_t k = 0; k < 3; k++) {
            double moved = json_number_value(json_array_get(point, k)) +
                           way * json_number_value(json_array_get(centre, k));
            if (point && json_array_set_new(point, k, json_real(moved)) != 0) {
                return false;
            }
        }
        if (way < 0 && !turn_vector(point, axis, angle)) {
            return false;
        }
    }
    return true;
}

/* Turn normal and tangent of a contact, and, if all of it turns, its point. */
static bool turn_contact(const Way *way, double angle) {
    json_t *contact = way->nodes[way->length - (way->whole ? 1 : 2)];
    return fix_tangent(contact) &&
           turn_vector(json_object_get(contact, "normal"), way->turn, angle) &&
           turn_vector(json_object_get(contact, "tangent"), way->turn, angle) &&
           (!way->whole || turn_point(way->nodes[0], contact, way->turn, angle));
}

/* The steps end with [i][j] in a symmetric matrix. */
static bool is_symmetric_entry(const Way *way) {
    static const char *const matrices[] = {"inverse_inertia", "mass_matrix", "inertia"};
    const Step *end = way->steps + way->length;
    bool entry = way->length >= 3 && !end[-1].name[0] && !end[-2].name[0];
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices && entry; i++) {
        if (strcmp(end[-3].name, matrices[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool set_entry(json_t *node, const Step *step, double number) {
    json_t *value = json_real(number);
    return value && (step->name[0] ? json_object_set_new(node, step->name, value)
                                   : json_array_set_new(node, (size_t)step->index, value)) == 0;
}

bool scene_path_set(json_t *document, const ScenePath *path, double number, Error *error) {
    Way way;
    if (!find_way(document, path, &way, error)) {
        return false;
    }
    const Step *last = &way.steps[way.length - 1];
    json_t *node = way.nodes[way.length - 1];
    bool good;
    if (way.turn >= 0) {
        good = turn_contact(&way, number);
    } else {
        double before = json_number_value(way.nodes[way.length]);
        json_t *mu_static = json_object_get(node, "mu_static");
        good = set_entry(node, last, number);
        if (good && mu_static && strcmp(last->name, "mu") == 0 &&
            json_number_value(mu_static) == before) {
            good = json_object_set_new(node, "mu_static", json_real(number)) == 0;
        }
        if (good && is_symmetric_entry(&way)) {
            json_t *row = json_array_get(way.nodes[way.length - 2], (size_t)last->index);
            good = set_entry(row, &last[-1], number);
        }
    }
    return good || error_set(error, "%s: out of memory", path->text);
}

const char *scene_path_name(const ScenePath *path) {
    return path->short_name[0] ? path->short_name : path->text;
}

double scene_path_between(const ScenePath *path, double from, double to, double part) {
    if (part == 0 || part == 1) {
        return part == 0 ? from : to;
    }
    /* by logarithms, as the quotient of the ends may overflow */
    return scene_path_is_stiffness(path) ? exp2((1 - part) * log2(from) + part * log2(to))
                                         : (1 - part) * from + part * to;
}
