/* Elastic balls in a box by Bullet: sequential impulses, restitution without a threshold of speed,
 * overlaps pushed apart without changing velocities (split impulse). */
#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

#include "box_engines.h"

namespace {

struct Thing {
    std::unique_ptr<btCollisionShape> shape;
    std::unique_ptr<btRigidBody> body;
};

void add(btDiscreteDynamicsWorld &world, std::vector<Thing> &things, btCollisionShape *shape,
         double mass) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) {
        shape->calculateLocalInertia(mass, inertia);
    }
    Thing thing{std::unique_ptr<btCollisionShape>(shape),
                std::make_unique<btRigidBody>(mass, nullptr, shape, inertia)};
    thing.body->setRestitution(1);
    thing.body->setFriction(0);
    thing.body->setDamping(0, 0);
    thing.body->setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(thing.body.get());
    things.push_back(std::move(thing));
}

} // namespace

double box_by_bullet(const BallBox *box, double time, double step) {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    std::vector<Thing> things;
    world.setGravity(btVector3(0, 0, 0));
    world.getSolverInfo().m_restitutionVelocityThreshold = 0;
    world.getSolverInfo().m_splitImpulse = 1;
    for (int i = 0; i < 6; i++) {
        btVector3 normal(0, 0, 0);
        normal[i / 2] = i % 2 == 0 ? 1 : -1;
        add(world, things, new btStaticPlaneShape(normal, i % 2 == 0 ? 0 : -box->side), 0);
    }
    for (int i = 0; i < box->count; i++) {
        const double *x = &box->positions[3 * i], *v = &box->velocities[3 * i];
        add(world, things, new btSphereShape(box->radius), 1);
        btTransform place(btQuaternion::getIdentity(), btVector3(x[0], x[1], x[2]));
        things.back().body->setWorldTransform(place);
        things.back().body->setInterpolationWorldTransform(place);
        things.back().body->setLinearVelocity(btVector3(v[0], v[1], v[2]));
    }
    long steps = static_cast<long>(time / step + 0.5);
    for (long i = 0; i < steps; i++) {
        world.stepSimulation(step, 0);
    }
    double energy = 0;
    for (Thing &thing : things) {
        energy += thing.body->isStaticObject() ? 0 : thing.body->getLinearVelocity().length2() / 2;
        world.removeRigidBody(thing.body.get());
    }
    return energy;
}
