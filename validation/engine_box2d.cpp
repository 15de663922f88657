/* Box2D: a small circle fixed to the body at the place of contact, on a static edge; one step. */
#include "impact.h"

#ifdef HAS_BOX2D
#include <box2d/box2d.h>

static bool strike(const Impact *impact, const double *coefficients, double *after) {
    /* lengths in units of 1 mm: Box2D's slop of 0.005 is small then */
    const double unit = 0.001;
    const float radius = 1;
    b2World world(b2Vec2(0, 0));
    b2BodyDef floor_def;
    b2Body *floor = world.CreateBody(&floor_def);
    b2EdgeShape edge;
    edge.SetTwoSided(b2Vec2(-10000, 0), b2Vec2(10000, 0));
    b2FixtureDef floor_fixture;
    floor_fixture.shape = &edge;
    floor_fixture.friction = static_cast<float>(coefficients[0] * coefficients[0]);
    floor_fixture.restitution = static_cast<float>(coefficients[1]);
    floor_fixture.restitutionThreshold = 0;
    floor->CreateFixture(&floor_fixture);
    b2BodyDef def;
    def.type = b2_dynamicBody;
    def.position.Set(0, static_cast<float>(-impact->r[0][1] / unit));
    def.linearVelocity.Set(static_cast<float>(impact->before[0] / unit),
                           static_cast<float>(impact->before[1] / unit));
    def.angularVelocity = static_cast<float>(impact->before[5]);
    b2Body *body = world.CreateBody(&def);
    b2CircleShape circle;
    circle.m_radius = radius;
    circle.m_p.Set(static_cast<float>(impact->r[0][0] / unit),
                   static_cast<float>(impact->r[0][1] / unit) + radius);
    b2FixtureDef fixture;
    fixture.shape = &circle;
    fixture.density = 1;
    fixture.friction = 1; /* Box2D takes the geometric mean */
    fixture.restitutionThreshold = 0;
    body->CreateFixture(&fixture);
    b2MassData mass;
    mass.mass = static_cast<float>(impact->mass * 1000);
    mass.center.SetZero();
    mass.I = static_cast<float>(impact->mass * 1000 * impact->gyration * impact->gyration /
                                (unit * unit));
    body->SetMassData(&mass);
    world.Step(1e-5f, 200, 1);
    after[0] = body->GetLinearVelocity().x * unit;
    after[1] = body->GetLinearVelocity().y * unit;
    after[2] = after[3] = after[4] = 0;
    after[5] = body->GetAngularVelocity();
    return true;
}

extern "C" int engine_box2d(Model *model) {
    *model = Model{"Box2D", strike, 2, {"mu", "e"}, {0}, {1, 1}, {0.2, 0.5}, {}};
    return 1;
}
#else
extern "C" int engine_box2d(Model *) {
    return 0;
}
#endif
