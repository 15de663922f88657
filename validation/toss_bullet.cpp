/* Whole tosses by Bullet: a box on a static plane, in steps of its own.
 *
 * Friction acts along the slip of each contact, as it is by default. Two directions with a limit
 * each (SOLVER_USE_2_FRICTION_DIRECTIONS) also hold back the turn of a cube that slides: that is a
 * model of its own, to show what it does. Penetration is corrected by split impulses at any depth,
 * or it would act like restitution. Warm starting is off: of the variants tried it had the least
 * error on the tosses that find the coefficients. */
#include "toss.h"

#ifdef HAS_BULLET
#include <btBulletDynamicsCommon.h>

/* lengths in units of 10 mm: Bullet's margins are made for metres */
static const double unit = 0.01;

static void set_up_solver(btContactSolverInfo &info, bool two_directions) {
    info.m_numIterations = 50;
    info.m_restitutionVelocityThreshold = 0;
    info.m_splitImpulse = 1;
    info.m_splitImpulsePenetrationThreshold = 0;
    info.m_solverMode &= ~SOLVER_USE_WARMSTARTING;
    if (two_directions) {
        info.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    }
}

static bool follow_by(const Toss *toss, const double *c, bool two_directions, Pose *poses) {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    world.setGravity(btVector3(0, 0, -toss->gravity / unit));
    set_up_solver(world.getSolverInfo(), two_directions);
    btStaticPlaneShape floor_shape(btVector3(0, 0, 1), 0);
    btRigidBody floor(0, nullptr, &floor_shape);
    double half = toss->half / unit, inertia = toss->inertia / (unit * unit);
    btBoxShape box(btVector3(half, half, half));
    btRigidBody body(toss->mass, nullptr, &box, btVector3(inertia, inertia, inertia));
    const double *x = toss->start.position, *q = toss->start.orientation, *v = toss->velocity,
                 *w = toss->angular_velocity;
    btTransform place(btQuaternion(q[1], q[2], q[3], q[0]), btVector3(x[0], x[1], x[2]) / unit);
    body.setWorldTransform(place);
    body.setInterpolationWorldTransform(place);
    body.setLinearVelocity(btVector3(v[0], v[1], v[2]) / unit);
    body.setAngularVelocity(btVector3(w[0], w[1], w[2]));
    body.setFriction(1);
    floor.setFriction(c[0]);
    body.setRestitution(1);
    floor.setRestitution(c[1]);
    body.setDamping(0, 0);
    body.setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(&floor);
    world.addRigidBody(&body);
    double time = 0;
    for (int i = 0; i < toss->count; i++) {
        int steps = toss_steps(toss->frames[i].time - time);
        double step = (toss->frames[i].time - time) / steps;
        for (int k = 0; k < steps; k++) {
            world.stepSimulation(step, 0);
        }
        time = toss->frames[i].time;
        const btTransform &now = body.getWorldTransform();
        const btQuaternion turned = now.getRotation();
        poses[i].orientation[0] = turned.w();
        for (int k = 0; k < 3; k++) {
            poses[i].position[k] = now.getOrigin()[k] * unit;
            poses[i].orientation[1 + k] = turned[k];
        }
    }
    world.removeRigidBody(&body);
    world.removeRigidBody(&floor);
    return true;
}

static bool follow(const Toss *toss, const double *c, Pose *poses) {
    return follow_by(toss, c, false, poses);
}

static bool follow_two(const Toss *toss, const double *c, Pose *poses) {
    return follow_by(toss, c, true, poses);
}

extern "C" int toss_bullet(TossModel *models) {
    models[0] = TossModel{"Bullet", follow, 2, {"mu", "e"}, {0.05, 0}, {0.4, 0.6}, {}};
    models[1] = models[0];
    models[1].name = "Bullet, two directions";
    models[1].follow = follow_two;
    return 2;
}
#else
extern "C" int toss_bullet(TossModel *) {
    return 0;
}
#endif
