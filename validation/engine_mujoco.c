/* MuJoCo: a small sphere fixed to the body at the place of contact, on a plane; a soft contact that
 * is followed until the bodies part. solref is a spring and damper with the ratio of damping that
 * gives e, half a period of 5 ms; the third coefficient is solimp. */
#include "impact.h"

#ifdef HAS_MUJOCO
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mujoco/mujoco.h>

enum { STEPS = 400 };
#define STEP 1e-4
#define HALF_PERIOD 5e-3
#define RADIUS 0.001

static const char xml[] =
    "<mujoco><option timestep='0.0001' gravity='0 0 0' cone='elliptic'/><worldbody>"
    "<geom name='floor' type='plane' size='9 9 1' zaxis='0 1 0'/>"
    "<body name='b'><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
    "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
    "<joint type='hinge' axis='0 0 1'/><geom name='s' type='sphere' size='0.001' pos='0.01 0.01 "
    "0'/></body>"
    "</worldbody></mujoco>";

static mjModel *load(void) {
    char name[] = "/tmp/carom_validation_XXXXXX", why[512] = "";
    int file = mkstemp(name);
    if (file < 0) {
        return NULL;
    }
    ssize_t written = write(file, xml, sizeof xml - 1);
    close(file);
    mjModel *model = written > 0 ? mj_loadXML(name, NULL, why, sizeof why) : NULL;
    remove(name);
    return model;
}

static bool strike(const Impact *impact, const double *coefficients, double after[3]) {
    static mjModel *m;
    static mjData *d;
    if (!m) {
        m = load();
        d = m ? mj_makeData(m) : NULL;
    }
    if (!m || !d) {
        return false;
    }
    double log_e = log(fmax(coefficients[1], 1e-3)), pi = acos(-1);
    double ratio = -log_e / hypot(pi, log_e), omega = pi / HALF_PERIOD / sqrt(1 - ratio * ratio);
    double inertia = impact->mass * impact->gyration * impact->gyration;
    m->body_mass[1] = impact->mass;
    for (int k = 0; k < 3; k++) {
        m->body_inertia[3 + k] = inertia;
    }
    for (int g = 0; g < 2; g++) {
        m->geom_friction[3 * g] = coefficients[0];
        m->geom_solref[2 * g] = -omega * omega;
        m->geom_solref[2 * g + 1] = -2 * ratio * omega;
        m->geom_solimp[5 * g] = m->geom_solimp[5 * g + 1] = coefficients[2];
    }
    m->geom_pos[3] = impact->r[0];
    m->geom_pos[4] = impact->r[1] + RADIUS;
    mj_setConst(m, d);
    mj_resetData(m, d);
    d->qpos[1] = -impact->r[1];
    memcpy(d->qvel, impact->before, 3 * sizeof *d->qvel);
    bool touched = false;
    for (int i = 0; i < STEPS; i++) {
        mj_step(m, d);
        touched = touched || d->ncon > 0;
        if (touched && d->ncon == 0) {
            break;
        }
    }
    memcpy(after, d->qvel, 3 * sizeof *after);
    return true;
}

int engine_mujoco(Model *model) {
    *model = (Model){"MuJoCo",      strike,          3, {"mu", "e", "solimp"}, {0, 0, 0.02},
                     {1, 1, 0.999}, {0.2, 0.5, 0.95}};
    return 1;
}
#else
int engine_mujoco(Model *model) {
    (void)model;
    return 0;
}
#endif
