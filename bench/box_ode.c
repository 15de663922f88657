/* Elastic balls in a box by ODE: contact joints with bounce, dWorldQuickStep(). */
#include <ode/ode.h>
#include <stdlib.h>

#include "box_engines.h"

/* Most contacts of a pair: a ball has one. */
enum { PAIR_CONTACTS = 1 };

typedef struct OdeBox {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
} OdeBox;

static void meet(void *user, dGeomID first, dGeomID second) {
    OdeBox *box = user;
    dContact contact = {.surface = {.mode = dContactBounce, .bounce = 1, .mu = 0}};
    dBodyID a = dGeomGetBody(first), b = dGeomGetBody(second);
    if ((a || b) && dCollide(first, second, PAIR_CONTACTS, &contact.geom, sizeof contact) == 1) {
        dJointAttach(dJointCreateContact(box->world, box->contacts, &contact), a, b);
    }
}

static void fill(const OdeBox *ode, const BallBox *box, dBodyID *bodies) {
    for (int i = 0; i < 6; i++) {
        double sign = i % 2 == 0 ? 1 : -1;
        dCreatePlane(ode->space, i / 2 == 0 ? sign : 0, i / 2 == 1 ? sign : 0,
                     i / 2 == 2 ? sign : 0, i % 2 == 0 ? 0 : -box->side);
    }
    for (int i = 0; i < box->count; i++) {
        const double *x = &box->positions[3 * i], *v = &box->velocities[3 * i];
        dMass mass;
        dGeomID ball = dCreateSphere(ode->space, box->radius);
        bodies[i] = dBodyCreate(ode->world);
        dMassSetSphereTotal(&mass, 1, box->radius);
        dBodySetMass(bodies[i], &mass);
        dGeomSetBody(ball, bodies[i]);
        dBodySetPosition(bodies[i], x[0], x[1], x[2]);
        dBodySetLinearVel(bodies[i], v[0], v[1], v[2]);
    }
}

double box_by_ode(const BallBox *box, double time, double step) {
    dBodyID *bodies = calloc((size_t)box->count, sizeof(dBodyID));
    double energy = 0;
    if (!bodies) {
        return -1;
    }
    dInitODE2(0);
    OdeBox ode = {dWorldCreate(), dHashSpaceCreate(0), dJointGroupCreate(0)};
    fill(&ode, box, bodies);
    long steps = (long)(time / step + 0.5);
    for (long i = 0; i < steps; i++) {
        dSpaceCollide(ode.space, &ode, meet);
        dWorldQuickStep(ode.world, step);
        dJointGroupEmpty(ode.contacts);
    }
    for (int i = 0; i < box->count; i++) {
        const dReal *v = dBodyGetLinearVel(bodies[i]);
        energy += (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2;
    }
    dJointGroupDestroy(ode.contacts);
    dSpaceDestroy(ode.space);
    dWorldDestroy(ode.world);
    dCloseODE();
    free(bodies);
    return energy;
}
