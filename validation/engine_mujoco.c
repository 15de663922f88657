/* MuJoCo: a small sphere fixed to the body at each point of contact, on a plane; a soft contact
 * that is followed until the bodies part. solref is a spring and damper with the ratio of damping
 * that gives e and half a period; solimp (dmin = dmax) and impratio are coefficients, too. */
#include "impact.h"

#ifdef HAS_MUJOCO
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mujoco/mujoco.h>

/* Steps of half a period, and the most that are made: soft contacts last longer. */
enum { STEPS = 30, STEPS_MAX = 300 };
#define RADIUS 0.001

/* not at the centre: MuJoCo marks geoms that are, and does not look at their positions again */
#define SPHERE "<geom type='sphere' size='0.001' pos='0.01 0.01 0.01'/>"
#define FLOOR "<geom type='plane' size='9 9 1' zaxis='0 1 0'/>"
#define MASS "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"

static const char head[] =
    "<mujoco><option gravity='0 0 0' cone='elliptic' solver='Newton' iterations='200' "
    "tolerance='1e-12'/><worldbody>" FLOOR "<body>" MASS;
static const char planar_joints[] = "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 "
                                    "1 0'/><joint type='hinge' axis='0 "
                                    "0 1'/>";

static mjModel *load(bool planar, int points) {
    char name[] = "/tmp/carom_validation_XXXXXX", why[512] = "";
    int handle = mkstemp(name);
    FILE *file = handle < 0 ? NULL : fdopen(handle, "w");
    if (!file) {
        return NULL;
    }
    fprintf(file, "%s%s", head, planar ? planar_joints : "<freejoint/>");
    for (int i = 0; i < points; i++) {
        fputs(SPHERE, file);
    }
    fputs("</body></worldbody></mujoco>", file);
    fclose(file);
    mjModel *model = mj_loadXML(name, NULL, why, sizeof why);
    remove(name);
    return model;
}

typedef struct Scene {
    mjModel *m;
    mjData *d;
} Scene;

static Scene *scene_of(const Impact *impact) {
    static Scene scenes[2][POINTS_MAX];
    Scene *scene = &scenes[impact->planar != 0][impact->count - 1];
    if (!scene->m) {
        scene->m = load(impact->planar != 0, impact->count);
        scene->d = scene->m ? mj_makeData(scene->m) : NULL;
    }
    return scene->d ? scene : NULL;
}

/* mu, e, solimp, half a period in ms, impratio. */
static void set_up(const Impact *impact, const double *coefficients, mjModel *m, mjData *d) {
    double log_e = log(fmax(coefficients[1], 1e-3)), pi = acos(-1), half = 1e-3 * coefficients[3];
    double ratio = -log_e / hypot(pi, log_e), omega = pi / half / sqrt(1 - ratio * ratio);
    m->opt.timestep = half / STEPS;
    m->opt.impratio = coefficients[4];
    m->body_mass[1] = impact->mass;
    for (int k = 0; k < 3; k++) {
        m->body_inertia[3 + k] = impact->mass * impact->gyration * impact->gyration;
    }
    for (int g = 0; g < m->ngeom; g++) {
        m->geom_friction[3 * g] = coefficients[0];
        m->geom_solref[2 * g] = -omega * omega;
        m->geom_solref[2 * g + 1] = -2 * ratio * omega;
        m->geom_solimp[5 * g] = m->geom_solimp[5 * g + 1] = coefficients[2];
    }
    for (int i = 0; i < impact->count; i++) {
        memcpy(&m->geom_pos[3 * (1 + i)], impact->r[i], sizeof impact->r[i]);
        m->geom_pos[3 * (1 + i) + 1] += RADIUS;
    }
    mj_setConst(m, d);
    mj_resetData(m, d);
    d->qpos[1] = -impact->r[0][1];
}

static bool strike(const Impact *impact, const double *coefficients, double *after) {
    Scene *scene = scene_of(impact);
    if (!scene) {
        return false;
    }
    mjModel *m = scene->m;
    mjData *d = scene->d;
    set_up(impact, coefficients, m, d);
    const double *u = impact->before;
    const double planar[3] = {u[0], u[1], u[5]};
    memcpy(d->qvel, impact->planar ? planar : u, (size_t)m->nv * sizeof *d->qvel);
    bool touched = false;
    for (int i = 0; i < STEPS_MAX; i++) {
        mj_step(m, d);
        touched = touched || d->ncon > 0;
        if (touched && d->ncon == 0) {
            break;
        }
    }
    memset(after, 0, VELOCITIES * sizeof *after);
    if (impact->planar) {
        after[0] = d->qvel[0];
        after[1] = d->qvel[1];
        after[5] = d->qvel[2];
    } else {
        memcpy(after, d->qvel, 3 * sizeof *after);
        /* angular velocity of a free joint is in body axes; inertia is the same about all */
        mju_rotVecQuat(after + 3, d->qvel + 3, d->qpos + 3);
    }
    return true;
}

int engine_mujoco(Model *model) {
    *model = (Model){"MuJoCo",
                     strike,
                     5,
                     {"mu", "e", "solimp", "half period ms", "impratio"},
                     {0, 0, 0.001, 0.1, 0.01},
                     {1, 1, 0.999, 20, 100},
                     {0.2, 0.5, 0.95, 5, 1},
                     {0, 0, 1, 1, 1}};
    return 1;
}
#else
int engine_mujoco(Model *model) {
    (void)model;
    return 0;
}
#endif
