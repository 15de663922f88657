/* Boxes hit a plane with a corner: the same impacts by a physics engine and by carom.
 *
 * The engine is ODE (Open Dynamics Engine). As in any program that uses it, dSpaceCollide() and a
 * callback find the contact; the methods differ in the callback:
 *
 *   dWorldStep       a contact joint with bounce and friction, solved by ODE's exact solver
 *   dWorldQuickStep  the same joint, solved by ODE's iterative solver
 *   carom            carom_bodies_collide(): two bodies in, two bodies out
 *
 * 1000 boxes of random shape, orientation, spin and velocity hit a plane with one corner, without
 * gravity, e = 1 and mu = 0.8. The ratio of energy after to energy before must not exceed 1;
 * friction makes it less.
 *
 *   ode_boxes [TABLE.csv]
 *
 * The exit status is 0 only if carom gained no energy in any of them. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>
#include <ode/ode.h>

enum { BOXES = 1000, RULES = 3 };

typedef enum Rule { RULE_STEP, RULE_QUICK_STEP, RULE_CAROM } Rule;

static const char *const rule_names[RULES] = {"ODE dWorldStep", "ODE dWorldQuickStep", "carom"};

static const uint64_t seed = 2026;
static const double restitution = 1, friction = 0.8;

/* A step so short that nothing moves: only the contact's impulse acts. */
static const double step = 1e-6;

/* A world with a floor (z = 0) and one box; contacts are in their own group. */
typedef struct Stage {
    dWorldID world;
    dSpaceID space;
    dGeomID floor, geometry;
    dBodyID body;
    dJointGroupID contacts;
    Rule rule;
    int touches;        /* contacts counted by the callback */
    CaromStatus solved; /* carom's, the worst so far */
} Stage;

/* The random parameters of one impact. */
typedef struct Throw {
    double side[3], orientation[4], velocity[3], spin[3];
} Throw;

/* In [0, 1): splitmix64. */
static double draw(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

/* Uniform in the ball of a radius, by rejection. */
static void draw_in_ball(uint64_t *state, int size, double radius, double *x) {
    double square;
    do {
        square = 0;
        for (int i = 0; i < size; i++) {
            x[i] = 2 * draw(state) - 1;
            square += x[i] * x[i];
        }
    } while (square > 1 || square < 1e-6);
    for (int i = 0; i < size; i++) {
        x[i] *= radius;
    }
}

static Throw draw_throw(uint64_t *state) {
    Throw t;
    for (int i = 0; i < 3; i++) {
        t.side[i] = 0.3 + 0.7 * draw(state);
    }
    draw_in_ball(state, 4, 1, t.orientation);
    double length = 0;
    for (int i = 0; i < 4; i++) {
        length += t.orientation[i] * t.orientation[i];
    }
    for (int i = 0; i < 4; i++) {
        t.orientation[i] /= sqrt(length);
    }
    draw_in_ball(state, 3, 3, t.velocity);
    draw_in_ball(state, 3, 10, t.spin);
    return t;
}

/* The box of ODE as a body of carom. */
static CaromBody body_from_ode(dBodyID id) {
    CaromBody body = carom_body_default();
    dMass mass;
    dBodyGetMass(id, &mass);
    body.mass = mass.mass;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            body.inertia[3 * i + j] = mass.I[4 * i + j];
        }
        body.position[i] = dBodyGetPosition(id)[i];
        body.velocity[i] = dBodyGetLinearVel(id)[i];
        body.angular_velocity[i] = dBodyGetAngularVel(id)[i];
    }
    for (int i = 0; i < 4; i++) {
        body.orientation[i] = dBodyGetQuaternion(id)[i];
    }
    return body;
}

static void body_to_ode(const CaromBody *body, dBodyID id) {
    const double *v = body->velocity, *w = body->angular_velocity;
    dBodySetLinearVel(id, (dReal)v[0], (dReal)v[1], (dReal)v[2]);
    dBodySetAngularVel(id, (dReal)w[0], (dReal)w[1], (dReal)w[2]);
}

/* ODE's way: a joint, which the next step solves. */
static void attach_joint(Stage *stage, const dContactGeom *touch) {
    dContact contact = {.geom = *touch};
    contact.surface.mode = dContactBounce | dContactApprox1;
    contact.surface.mu = (dReal)friction;
    contact.surface.bounce = (dReal)restitution;
    dJointID joint = dJointCreateContact(stage->world, stage->contacts, &contact);
    dJointAttach(joint, dGeomGetBody(touch->g1), dGeomGetBody(touch->g2));
}

/* carom's way: new velocities at once. As in carom, ODE's normal points into the first body. */
static void collide_now(Stage *stage, const dContactGeom *touch) {
    dBodyID first = dGeomGetBody(touch->g1), second = dGeomGetBody(touch->g2);
    CaromBody bodies[2] = {first ? body_from_ode(first) : carom_body_fixed(),
                           second ? body_from_ode(second) : carom_body_fixed()};
    double point[3], normal[3];
    for (int i = 0; i < 3; i++) {
        point[i] = touch->pos[i];
        normal[i] = touch->normal[i];
    }
    CaromContact contact = carom_contact_default();
    contact.mu = friction;
    contact.e = restitution;
    CaromStatus status =
        carom_bodies_collide(&bodies[0], &bodies[1], point, normal, &contact, NULL);
    stage->solved = status < stage->solved ? status : stage->solved;
    if (status >= 0 && first) {
        body_to_ode(&bodies[0], first);
    }
    if (status >= 0 && second) {
        body_to_ode(&bodies[1], second);
    }
}

/* The engine's callback for two geometries that may touch. */
static void near(void *data, dGeomID first, dGeomID second) {
    Stage *stage = data;
    dContactGeom touches[4];
    int count = dCollide(first, second, 4, touches, sizeof *touches);
    for (int i = 0; i < count; i++) {
        stage->touches++;
        if (stage->rule == RULE_CAROM) {
            collide_now(stage, &touches[i]);
        } else {
            attach_joint(stage, &touches[i]);
        }
    }
}

/* Put the lowest corner of the box slightly below the floor, so that ODE detects it. Returns the
 * normal velocity of that corner. */
static double place(Stage *stage, const Throw *t) {
    const double *side = t->side, *v = t->velocity, *w = t->spin;
    dMass mass;
    dMassSetBox(&mass, 1, (dReal)side[0], (dReal)side[1], (dReal)side[2]);
    dBodySetMass(stage->body, &mass);
    dGeomBoxSetLengths(stage->geometry, (dReal)side[0], (dReal)side[1], (dReal)side[2]);
    dQuaternion q;
    for (int i = 0; i < 4; i++) {
        q[i] = (dReal)t->orientation[i];
    }
    dBodySetQuaternion(stage->body, q);
    const dReal *R = dBodyGetRotation(stage->body); /* 3 rows of 4 */
    double corner[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        double half = R[8 + k] > 0 ? -side[k] / 2 : side[k] / 2;
        for (int i = 0; i < 3; i++) {
            corner[i] += R[4 * i + k] * half;
        }
    }
    dBodySetPosition(stage->body, 0, 0, (dReal)(-corner[2] - 1e-6));
    dBodySetLinearVel(stage->body, (dReal)v[0], (dReal)v[1], (dReal)v[2]);
    dBodySetAngularVel(stage->body, (dReal)w[0], (dReal)w[1], (dReal)w[2]);
    return v[2] + w[0] * corner[1] - w[1] * corner[0];
}

static double box_energy(const Stage *stage) {
    CaromBody body = body_from_ode(stage->body);
    return carom_body_energy(&body);
}

/* One impact by one rule: energy after over energy before. NaN unless there was one contact. */
static double run(Stage *stage, const Throw *t, Rule rule) {
    place(stage, t);
    double before = box_energy(stage);
    stage->rule = rule;
    stage->touches = 0;
    dSpaceCollide(stage->space, stage, near);
    if (rule == RULE_STEP) {
        dWorldStep(stage->world, (dReal)step);
    } else if (rule == RULE_QUICK_STEP) {
        dWorldQuickStep(stage->world, (dReal)step);
    }
    dJointGroupEmpty(stage->contacts);
    return stage->touches == 1 ? box_energy(stage) / before : NAN;
}

static Stage open_stage(void) {
    Stage stage = {.world = dWorldCreate(),
                   .space = dSimpleSpaceCreate(NULL),
                   .contacts = dJointGroupCreate(0)};
    dWorldSetERP(stage.world, 0); /* no correction of depth, which would add energy */
    dWorldSetCFM(stage.world, 0); /* hard contacts */
    dWorldSetQuickStepNumIterations(stage.world, 200); /* more than one contact needs */
    stage.floor = dCreatePlane(stage.space, 0, 0, 1, 0);
    stage.geometry = dCreateBox(stage.space, 1, 1, 1);
    stage.body = dBodyCreate(stage.world);
    dBodySetGyroscopicMode(stage.body, 0);
    dGeomSetBody(stage.geometry, stage.body);
    return stage;
}

static void close_stage(Stage *stage) {
    dJointGroupDestroy(stage->contacts);
    dSpaceDestroy(stage->space);
    dWorldDestroy(stage->world);
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Print the results of all rules; true if carom never gained energy. The ratios are sorted. */
static bool print_table(double ratios[RULES][BOXES]) {
    bool sound = true;
    printf("%-20s %8s %12s %12s %12s\n", "", "gains", "largest", "mean gain", "median ratio");
    for (int rule = 0; rule < RULES; rule++) {
        const double *ratio = ratios[rule];
        int gains = 0;
        double sum = 0;
        for (int i = 0; i < BOXES; i++) {
            bool gain = !(ratio[i] <= 1 + 1e-9); /* above the rounding of the engine */
            gains += gain;
            sum += gain ? ratio[i] - 1 : 0;
        }
        printf("%-20s %8d %10.1f %% %10.1f %% %12.3f\n", rule_names[rule], gains,
               100 * fmax(0, ratio[BOXES - 1] - 1), gains ? 100 * sum / gains : 0.0,
               ratio[BOXES / 2]);
        sound = sound && (rule != RULE_CAROM || gains == 0);
    }
    printf("carom's largest ratio minus 1: %.1e\n", ratios[RULE_CAROM][BOXES - 1] - 1);
    return sound;
}

static bool write_table(const char *path, double ratios[RULES][BOXES]) {
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        return false;
    }
    fprintf(file, "rank,step,quick_step,carom\n");
    for (int i = 0; i < BOXES; i++) {
        fprintf(file, "%d,%.9g,%.9g,%.9g\n", i + 1, ratios[0][i], ratios[1][i], ratios[2][i]);
    }
    bool good = !ferror(file);
    good = fclose(file) == 0 && good;
    if (!good) {
        perror(path);
    }
    return good;
}

/* Throw boxes until BOXES of them have hit with one approaching corner. */
static void run_all(Stage *stage, double ratios[RULES][BOXES]) {
    uint64_t state = seed;
    int count = 0;
    while (count < BOXES) {
        Throw t = draw_throw(&state);
        bool hits = place(stage, &t) < -0.1;
        for (int rule = 0; rule < RULES && hits; rule++) {
            double ratio = run(stage, &t, (Rule)rule);
            hits = !isnan(ratio);
            ratios[rule][count] = ratio;
        }
        count += hits;
    }
    for (int rule = 0; rule < RULES; rule++) {
        qsort(ratios[rule], BOXES, sizeof(double), compare);
    }
}

int main(int argc, char **argv) {
    static double ratios[RULES][BOXES];
    if (argc > 2 || (argc == 2 && argv[1][0] == '-')) {
        fprintf(stderr, "usage: ode_boxes [TABLE.csv]\n");
        return 2;
    }
    dInitODE2(0);
    Stage stage = open_stage();
    run_all(&stage, ratios);
    close_stage(&stage);
    dCloseODE();
    printf("%d box corners on a plane, e = %g, mu = %g, seed %llu\n", BOXES, restitution, friction,
           (unsigned long long)seed);
    printf("Energy after the impact over energy before:\n\n");
    bool sound = print_table(ratios);
    if (stage.solved < 0) {
        printf("carom could not solve an impact: %s\n", carom_status_string(stage.solved));
    }
    if (argc == 2 && !write_table(argv[1], ratios)) {
        return 2;
    }
    return sound && stage.solved >= 0 ? 0 : 1;
}
