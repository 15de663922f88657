#include "support/multiple/random.h"

#include <math.h>
#include <string.h>

#include "support/math/vector.h"
#include "support/multiple/scene.h"

/* ---- small things ---- */

static int some(Random *random, int low, int high) {
    return low + (int)(random_bits(random) % (uint64_t)(high - low + 1));
}

static int chance(Random *random, double probability) {
    return random_uniform(random) < probability;
}

static void vector(Random *random, double out[3]) {
    do {
        for (int i = 0; i < 3; i++) {
            out[i] = random_between(random, -1, 1);
        }
    } while (vector_dot(out, out) > 1);
}

/* ---- surfaces ---- */

static void surfaces(Random *random, MultipleProblem *problem, int rough) {
    for (int i = 0; i < problem->count; i++) {
        CaromContact *contact = &problem->contacts[i];
        *contact = carom_contact_default();
        contact->e = chance(random, 0.1) ? 1 : random_between(random, 0.2, 1);
        contact->stiffness = random_log(random, 0.25, 4);
        if (rough) {
            contact->mu = random_between(random, 0.05, 0.8);
            contact->stiffness_ratio = random_log(random, 0.5, 8);
        }
    }
}

static void plastic(Random *random, MultipleProblem *problem) {
    for (int i = 0; i < problem->count; i++) {
        double choice = random_uniform(random);
        if (choice < 0.6) {
            problem->contacts[i].e = choice < 0.4 ? 0 : random_log(random, 1e-8, 0.1);
        }
    }
}

/* ---- where they come from ---- */

/* Balls in a row; the last one may touch a wall. */
static void chain(Random *random, int most, int equal, MultipleProblem *problem) {
    double inverse[MULTIPLE_CONTACTS + 1] = {0};
    int wall = chance(random, 0.5), count = some(random, 2, most < 6 ? most : 6);
    problem->count = count;
    for (int i = 0; i <= count; i++) {
        inverse[i] = equal ? 1 : random_log(random, 0.2, 5);
    }
    inverse[count] = wall ? 0 : inverse[count];
    int rows = multiple_rows(problem);
    for (int i = 0; i < count; i++) {
        problem->W[3 * i * (rows + 1)] = problem->W[(3 * i + 1) * (rows + 1)] = 1;
        problem->W[(3 * i + 2) * (rows + 1)] = inverse[i] + inverse[i + 1];
        if (i > 0) {
            int a = 3 * i + 2, b = 3 * i - 1;
            problem->W[a * rows + b] = problem->W[b * rows + a] = -inverse[i];
        }
    }
    problem->v[2] = -1;
    if (chance(random, 0.2)) {
        problem->v[3 * (count - 1) + 2] = -random_between(random, 0, 2);
    }
}

/* Row and place of a ball in a triangle, tip first. */
static void rack_ball(Scene *scene, int row, int place) {
    Body *body = scene_add_body(scene, 1, 1);
    body->position[0] = -row * sqrt(3);
    body->position[1] = 2 * place - row;
}

static void rack_touches(Scene *scene) {
    for (int i = 0; i < scene->body_count; i++) {
        for (int j = 0; j < i; j++) {
            double x = scene->bodies[i].position[0] - scene->bodies[j].position[0];
            double y = scene->bodies[i].position[1] - scene->bodies[j].position[1];
            if (x * x + y * y < 4.1 && scene->touch_count < MULTIPLE_CONTACTS) {
                scene_add_touch(scene, i, j);
            }
        }
    }
}

void multiple_rack(int rows, MultipleProblem *problem, int mirror[MULTIPLE_CONTACTS]) {
    Scene scene = {0};
    memset(problem, 0, sizeof *problem);
    problem->tag = "rack";
    for (int row = 0; row < rows; row++) {
        for (int place = 0; place <= row; place++) {
            rack_ball(&scene, row, place);
        }
    }
    rack_touches(&scene);
    Body *cue = scene_add_body(&scene, 1, 1);
    cue->position[0] = 2;
    cue->velocity[0] = -1;
    scene_add_touch(&scene, scene.body_count - 1, 0);
    scene_assemble(&scene, problem);
    for (int i = 0; i < problem->count; i++) {
        problem->contacts[i] = carom_contact_default();
        for (int j = 0; j < problem->count; j++) {
            const double *a = scene.touches[i].point, *b = scene.touches[j].point;
            if (fabs(a[0] - b[0]) + fabs(a[1] + b[1]) < 1e-9) {
                mirror[i] = j;
            }
        }
    }
}

/* A ball of another mass into some balls of a triangle; it touches one, or two between which it
 * falls. */
static void rack(Random *random, int most, MultipleProblem *problem) {
    Scene scene = {0};
    int rows = most < 12 ? 2 : most < 24 ? some(random, 2, 4) : some(random, 2, 5);
    int limit = most < 5 ? 2 : most < 8 ? 3 : most < 12 ? 4 : 15;
    for (int row = 0; row < rows; row++) {
        for (int place = 0; place <= row; place++) {
            /* at least two of them touch */
            int needed = row == 0 || (row == 1 && place == 0);
            if (scene.body_count < limit && (needed || chance(random, 0.85))) {
                rack_ball(&scene, row, place);
                scene.bodies[scene.body_count - 1].mass = chance(random, 0.5) ? 1 : 1.2;
            }
        }
    }
    rack_touches(&scene);
    Body *cue = scene_add_body(&scene, random_log(random, 0.5, 2), 1);
    double angle = random_between(random, -0.8, 0.8);
    cue->position[0] = 2 * (1 - angle * angle) / (1 + angle * angle);
    cue->position[1] = 4 * angle / (1 + angle * angle);
    cue->velocity[0] = -1;
    cue->velocity[1] = random_between(random, -0.3, 0.3);
    vector(random, cue->spin);
    scene_add_touch(&scene, scene.body_count - 1, 0);
    scene_assemble(&scene, problem);
}

/* Points of a body of mass 1 on the ground. */
static void body_on_ground(Random *random, int most, MultipleProblem *problem) {
    Scene scene = {0};
    int count = problem->planar ? 2 : some(random, 2, most < 6 ? most : 6);
    Body *body = scene_add_body(&scene, 1, 1);
    for (int i = 0; i < 3; i++) {
        body->inertia[i] = random_log(random, 0.1, 1);
    }
    vector(random, body->velocity);
    vector(random, body->spin);
    body->position[2] = random_log(random, 0.1, 1);
    if (chance(random, 0.4)) {
        /* comes straight down on all, or tips over about the first */
        body->velocity[0] = body->velocity[1] = 0;
        memset(body->spin, 0, sizeof body->spin);
    }
    for (int i = 0; i < count; i++) {
        double y = problem->planar ? 0 : random_between(random, -1, 1);
        scene_add_ground_touch(&scene, 0, problem->planar ? i - 0.7 : random_between(random, -1, 1),
                               y);
    }
    if (chance(random, 0.4)) {
        const double *p = scene.touches[0].point;
        double r[3] = {p[0], p[1], -body->position[2]};
        vector_cross(r, body->spin, body->velocity);
    }
    if (problem->planar) {
        body->velocity[1] = body->spin[0] = body->spin[2] = 0;
    }
    scene_assemble(&scene, problem);
}

/* Blocks of width 2, two contacts under each; the top one falls, tips, or one from the side. */
static void stack(Random *random, int most, MultipleProblem *problem) {
    Scene scene = {0};
    int count = some(random, 2, most / 2 < 4 ? most / 2 : 4);
    for (int i = 0; i < count; i++) {
        Body *body = scene_add_body(&scene, random_log(random, 0.3, 3), 1);
        body->position[2] = i + 0.5;
        for (int side = -1; side <= 1; side += 2) {
            Touch *touch = &scene.touches[scene.touch_count];
            scene_add_ground_touch(&scene, i, side, 0);
            touch->second = i - 1;
            touch->point[2] = i;
        }
    }
    Body *top = &scene.bodies[count - 1];
    top->velocity[2] = -random_between(random, 0.2, 2);
    top->spin[1] = chance(random, 0.5) ? random_between(random, -0.5, 0.5) : 0;
    scene_assemble(&scene, problem);
}

/* Two normals exactly against each other: a body wedged between them need never come out. */
static int is_wedged(const MultipleProblem *problem) {
    int rows = multiple_rows(problem);
    for (int i = 2; i < rows; i += 3) {
        for (int j = 2; j < i; j += 3) {
            double ij = problem->W[i * rows + j];
            if (ij < 0 && ij * ij >= problem->W[i * (rows + 1)] * problem->W[j * (rows + 1)]) {
                return 1;
            }
        }
    }
    return 0;
}

/* W the square of a rank x rows matrix of few digits, so that the rank is exact, and a v in its
 * range: bodies that can move so. */
static void square(Random *random, int rank, MultipleProblem *problem) {
    double A[MULTIPLE_ROWS][MULTIPLE_ROWS], u[MULTIPLE_ROWS];
    int rows = multiple_rows(problem);
    for (int k = 0; k < rank; k++) {
        u[k] = (double)some(random, -16, 16) / 16;
        for (int i = 0; i < rows; i++) {
            A[k][i] = (double)some(random, -16, 16) / 16;
        }
    }
    for (int i = 0; i < rows; i++) {
        problem->v[i] = 0;
        for (int k = 0; k < rank; k++) {
            problem->v[i] += A[k][i] * u[k];
        }
        for (int j = 0; j < rows; j++) {
            problem->W[i * rows + j] = 0;
            for (int k = 0; k < rank; k++) {
                problem->W[i * rows + j] += A[k][i] * A[k][j];
            }
        }
    }
}

static void semidefinite(Random *random, int most, MultipleProblem *problem) {
    problem->count = some(random, 2, most < 5 ? most : 5);
    int rank = some(random, problem->count, multiple_rows(problem) - 1);
    do {
        square(random, rank, problem);
    } while (is_wedged(problem));
}

static void matrix(Random *random, int most, MultipleProblem *problem) {
    problem->count = some(random, 2, most < 5 ? most : 5);
    int rows = multiple_rows(problem);
    square(random, rows, problem);
    for (int i = 0; i < rows; i++) {
        problem->W[i * (rows + 1)] += 0.125;
        problem->v[i] = random_between(random, -1, 1) - (i % 3 == 2 ? 0.5 : 0);
    }
    for (int i = 0; i < problem->count; i++) {
        if (chance(random, 0.25)) {
            memset(problem->v + 3 * i, 0, 3 * sizeof *problem->v);
        }
    }
}

/* A cue that moves along its axis only, a ball that rests on a table. */
static void shot(Random *random, MultipleProblem *problem) {
    Scene scene = {0};
    double mass = random_log(random, 0.1, 1), axis[3], normal[3];
    Body *ball = scene_add_body(&scene, mass, 1);
    ball->position[2] = 1;
    do {
        vector(random, normal);
    } while (normal[2] < 0.1);
    vector_unit(normal);
    do {
        vector(random, axis);
        vector_unit(axis);
    } while (vector_dot(axis, normal) > -0.6);
    /* the cue is the second body; its part of W is added later */
    scene.touches[0] = (Touch){.first = 0, .second = GROUND};
    for (int i = 0; i < 3; i++) {
        scene.touches[0].normal[i] = -normal[i];
        scene.touches[0].point[i] = ball->position[i] + normal[i];
    }
    scene.touch_count = 1;
    scene_add_ground_touch(&scene, 0, 0, 0);
    scene_assemble(&scene, problem);
    double axes[3][3], cue = random_log(random, 0.2, 2), fast = random_between(random, 1, 2);
    scene_frame(scene.touches[0].normal, axes);
    for (int i = 0; i < 3; i++) {
        problem->v[i] = -fast * vector_dot(axes[i], axis);
        for (int j = 0; j < 3; j++) {
            problem->W[i * 6 + j] += vector_dot(axes[i], axis) * vector_dot(axes[j], axis) / cue;
        }
    }
}

/* ---- classes ---- */

typedef enum Source { CHAIN, RACK, BODY, STACK, MATRIX, SHOT } Source;

static const struct {
    const char *name;
    Source source;
    int rough;
} CLASSES[MULTIPLE_CLASS_COUNT] = {
    [MULTIPLE_CHAIN] = {"chain", CHAIN, 0},
    [MULTIPLE_ELASTIC] = {"elastic", CHAIN, 0},
    [MULTIPLE_EQUAL] = {"equal", CHAIN, 0},
    [MULTIPLE_PLASTIC] = {"plastic", CHAIN, 0},
    [MULTIPLE_RATIO] = {"ratio", CHAIN, 0},
    [MULTIPLE_BREAK] = {"break", RACK, 0},
    [MULTIPLE_BODY] = {"body", BODY, 0},
    [MULTIPLE_STACK] = {"stack", STACK, 0},
    [MULTIPLE_MATRIX] = {"matrix", MATRIX, 0},
    [MULTIPLE_SEMIDEFINITE] = {"semidefinite", MATRIX, 0},
    [MULTIPLE_MONO] = {"mono", CHAIN, 0},
    [MULTIPLE_SHOT] = {"shot", SHOT, 1},
    [MULTIPLE_HEEL_AND_TOE] = {"heel and toe", BODY, 1},
    [MULTIPLE_ROUGH_BODY] = {"rough body", BODY, 1},
    [MULTIPLE_ROUGH_BREAK] = {"rough break", RACK, 1},
    [MULTIPLE_ROUGH_MATRIX] = {"rough matrix", MATRIX, 1},
    [MULTIPLE_ROUGH_PLASTIC] = {"rough plastic", MATRIX, 1},
    [MULTIPLE_ROUGH_MONO] = {"rough mono", SHOT, 1},
};

const char *multiple_class_name(MultipleClass which) {
    return which < MULTIPLE_CLASS_COUNT ? CLASSES[which].name : "?";
}

int multiple_class_is_rough(MultipleClass which) {
    return which < MULTIPLE_CLASS_COUNT && CLASSES[which].rough;
}

static void mechanics(Random *random, MultipleClass which, int most, MultipleProblem *problem) {
    Source source = CLASSES[which].source;
    if (problem->law == CAROM_LAW_MONO_STIFFNESS && chance(random, 0.5)) {
        source = MATRIX;
    }
    switch (source) {
    case CHAIN:
        chain(random, most, which == MULTIPLE_EQUAL, problem);
        break;
    case RACK:
        rack(random, CLASSES[which].rough && most > 9 ? 9 : most, problem);
        break;
    case BODY:
        body_on_ground(random, most, problem);
        break;
    case STACK:
        stack(random, most, problem);
        break;
    case MATRIX:
        (which == MULTIPLE_SEMIDEFINITE ? semidefinite : matrix)(random, most, problem);
        break;
    default:
        shot(random, problem);
    }
}

/* The properties of the class. */
static void specialise(Random *random, MultipleClass which, MultipleProblem *problem) {
    CaromContact *contacts = problem->contacts;
    for (int i = 0; i < problem->count; i++) {
        if (which == MULTIPLE_ELASTIC) {
            contacts[i].e = 1;
        } else if (which == MULTIPLE_EQUAL) {
            contacts[i] = contacts[0];
        } else if (which == MULTIPLE_RATIO) {
            contacts[i].stiffness = random_log(random, 1e-4, 1e4);
        } else if (which == MULTIPLE_ROUGH_MATRIX && chance(random, 0.3)) {
            contacts[i].mu = 0;
        }
    }
    if (which == MULTIPLE_PLASTIC || which == MULTIPLE_ROUGH_PLASTIC) {
        plastic(random, problem);
    }
}

/* At least one contact approaches: if none does, all turn round. */
static void approach(MultipleProblem *problem) {
    int per = problem->planar ? 2 : 3, approaching = 0;
    double leaving = 0;
    for (int i = per - 1; i < multiple_rows(problem); i += per) {
        approaching |= problem->v[i] < 0;
        leaving = fmax(leaving, problem->v[i]);
    }
    for (int i = 0; i < multiple_rows(problem) && !approaching; i++) {
        problem->v[i] = leaving > 0 ? -problem->v[i] : i == per - 1 ? -1 : problem->v[i];
    }
}

void multiple_random_small(uint64_t seed, uint64_t index, int most, MultipleProblem *problem) {
    Random random = random_start(seed, index);
    MultipleClass which = (MultipleClass)(index % MULTIPLE_CLASS_COUNT);
    memset(problem, 0, sizeof *problem);
    problem->tag = CLASSES[which].name;
    problem->planar = which == MULTIPLE_HEEL_AND_TOE;
    if (which == MULTIPLE_MONO || which == MULTIPLE_ROUGH_MONO) {
        problem->law = CAROM_LAW_MONO_STIFFNESS;
    }
    mechanics(&random, which, most, problem);
    surfaces(&random, problem, CLASSES[which].rough);
    specialise(&random, which, problem);
    approach(problem);
}

void multiple_random(uint64_t seed, uint64_t index, MultipleProblem *problem) {
    multiple_random_small(seed, index, MULTIPLE_CONTACTS, problem);
}

void multiple_disturb(Random *random, MultipleProblem *problem) {
    int rows = multiple_rows(problem);
    for (int i = 0; i < rows; i++) {
        problem->v[i] *= 1 + random_between(random, -1, 1) * 0x1p-52;
        for (int j = 0; j <= i; j++) {
            problem->W[i * rows + j] *= 1 + random_between(random, -1, 1) * 0x1p-52;
            problem->W[j * rows + i] = problem->W[i * rows + j];
        }
    }
}
