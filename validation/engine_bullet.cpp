/* Bullet: a small sphere fixed to the body at each point of contact, on a static plane; one step.
 */
#include "impact.h"

#ifdef HAS_BULLET
#include <btBulletDynamicsCommon.h>

static bool strike_by(const Impact *impact, const double *coefficients, bool along_slip,
                      double *after) {
    static btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    world.setGravity(btVector3(0, 0, 0));
    world.getSolverInfo().m_numIterations = 1000;
    world.getSolverInfo().m_restitutionVelocityThreshold = 0;
    world.getSolverInfo().m_splitImpulse = 1;
    if (!along_slip) {
        world.getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    }
    /* lengths in units of 10 mm: Bullet's margins are made for metres */
    const double unit = 0.01, radius = 0.1;
    btStaticPlaneShape floor_shape(btVector3(0, 1, 0), 0);
    btRigidBody floor(0, nullptr, &floor_shape);
    btSphereShape sphere(radius);
    btCompoundShape shape;
    btTransform place;
    place.setIdentity();
    for (int i = 0; i < impact->count; i++) {
        const double *r = impact->r[i];
        place.setOrigin(btVector3(r[0] / unit, r[1] / unit + radius, r[2] / unit));
        shape.addChildShape(place, &sphere);
    }
    double inertia = impact->mass * impact->gyration * impact->gyration / (unit * unit);
    btRigidBody body(impact->mass, nullptr, &shape, btVector3(inertia, inertia, inertia));
    btTransform start;
    start.setIdentity();
    start.setOrigin(btVector3(0, -impact->r[0][1] / unit, 0));
    body.setWorldTransform(start);
    body.setInterpolationWorldTransform(start);
    const double *before = impact->before;
    body.setLinearVelocity(btVector3(before[0], before[1], before[2]) / unit);
    body.setAngularVelocity(btVector3(before[3], before[4], before[5]));
    if (impact->planar) {
        body.setLinearFactor(btVector3(1, 1, 0));
        body.setAngularFactor(btVector3(0, 0, 1));
    }
    body.setFriction(1);
    floor.setFriction(coefficients[0]);
    body.setRestitution(1);
    floor.setRestitution(coefficients[1]);
    body.setDamping(0, 0);
    world.addRigidBody(&floor);
    world.addRigidBody(&body);
    world.stepSimulation(1e-4, 1, 1e-4);
    for (int k = 0; k < 3; k++) {
        after[k] = body.getLinearVelocity()[k] * unit;
        after[3 + k] = body.getAngularVelocity()[k];
    }
    world.removeRigidBody(&body);
    world.removeRigidBody(&floor);
    return true;
}

static bool strike(const Impact *impact, const double *coefficients, double *after) {
    return strike_by(impact, coefficients, false, after);
}

static bool strike_along_slip(const Impact *impact, const double *coefficients, double *after) {
    return strike_by(impact, coefficients, true, after);
}

extern "C" int engine_bullet_slip(Model *model) {
    engine_bullet(model);
    model->name = "Bullet, friction along slip";
    model->strike = strike_along_slip;
    return 1;
}

extern "C" int engine_bullet(Model *model) {
    *model = Model{"Bullet", strike, 2, {"mu", "e"}, {0}, {1, 1}, {0.2, 0.5}, {}};
    return 1;
}
#else
extern "C" int engine_bullet(Model *) {
    return 0;
}

extern "C" int engine_bullet_slip(Model *) {
    return 0;
}
#endif
