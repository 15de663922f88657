/* Whole tosses by MuJoCo: a box on a plane. solref is a spring and damper with the ratio of damping
 * that gives e and half a period; solimp (dmin = dmax) is a coefficient, too. */
#include "toss.h"

#ifdef HAS_MUJOCO
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mujoco/mujoco.h>

static const char scene[] =
    "<mujoco><option cone='elliptic' solver='Newton' iterations='50' tolerance='1e-10'/>"
    "<worldbody><geom type='plane' size='9 9 1'/><body><inertial pos='0 0 0' mass='1' "
    "diaginertia='1 1 1'/><freejoint/><geom type='box' size='%.17g %.17g %.17g'/></body>"
    "</worldbody></mujoco>";

static mjModel *load(double half) {
    char name[] = "/tmp/carom_validation_XXXXXX", why[512] = "";
    int handle = mkstemp(name);
    FILE *file = handle < 0 ? NULL : fdopen(handle, "w");
    if (!file) {
        return NULL;
    }
    fprintf(file, scene, half, half, half);
    fclose(file);
    mjModel *model = mj_loadXML(name, NULL, why, sizeof why);
    remove(name);
    return model;
}

/* mu, e, half a period in ms, solimp. */
static void set_up(const Toss *toss, const double *c, mjModel *m, mjData *d) {
    double log_e = log(fmax(c[1], 1e-3)), pi = acos(-1), half = 1e-3 * c[2];
    double ratio = -log_e / hypot(pi, log_e), omega = pi / half / sqrt(1 - ratio * ratio);
    m->opt.gravity[2] = -toss->gravity;
    m->body_mass[1] = toss->mass;
    for (int k = 0; k < 3; k++) {
        m->body_inertia[3 + k] = toss->inertia;
    }
    for (int g = 0; g < m->ngeom; g++) {
        m->geom_friction[3 * g] = c[0];
        m->geom_solref[2 * g] = -omega * omega;
        m->geom_solref[2 * g + 1] = -2 * ratio * omega;
        m->geom_solimp[5 * g] = m->geom_solimp[5 * g + 1] = c[3];
    }
    mj_setConst(m, d);
    mj_resetData(m, d);
    memcpy(d->qpos, toss->start.position, 3 * sizeof *d->qpos);
    memcpy(d->qpos + 3, toss->start.orientation, 4 * sizeof *d->qpos);
    memcpy(d->qvel, toss->velocity, 3 * sizeof *d->qvel);
    /* angular velocity of a free joint is in body axes */
    double back[4];
    mju_negQuat(back, toss->start.orientation);
    mju_rotVecQuat(d->qvel + 3, toss->angular_velocity, back);
}

static bool follow(const Toss *toss, const double *c, Pose *poses) {
    static mjModel *m;
    static mjData *d;
    double time = 0;
    if (!m) {
        m = load(toss->half);
        d = m ? mj_makeData(m) : NULL;
    }
    if (!d) {
        memset(poses, 0, (size_t)toss->count * sizeof *poses);
        return false;
    }
    set_up(toss, c, m, d);
    for (int i = 0; i < toss->count; i++) {
        int steps = toss_steps(toss->frames[i].time - time);
        m->opt.timestep = (toss->frames[i].time - time) / steps;
        for (int k = 0; k < steps; k++) {
            mj_step(m, d);
        }
        time = toss->frames[i].time;
        memcpy(poses[i].position, d->qpos, sizeof poses[i].position);
        memcpy(poses[i].orientation, d->qpos + 3, sizeof poses[i].orientation);
    }
    return true;
}

int toss_mujoco(TossModel *models) {
    *models = (TossModel){"MuJoCo",
                          follow,
                          4,
                          {"mu", "e", "half period ms", "solimp"},
                          {0.05, 0, 2, 0.1},
                          {0.4, 0.6, 30, 0.99},
                          {0, 0, 1, 0}};
    return 1;
}
#else
int toss_mujoco(TossModel *models) {
    (void)models;
    return 0;
}
#endif
