/* The double pendulum over time. See simulation.h. */
#include "simulation.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <carom/planar.h>
#include <carom/system.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

typedef enum Phase { FLIGHT, SLIDE, REST } Phase;

static const char *const phase_names[] = {"flight", "slide", "rest"};

enum { ROOTS = 3 };

typedef struct Simulation {
    const Setting *setting;
    Phase phase;
    double slip; /* +1 or -1: direction of sliding */
    double time;
    Motion motion;
    double sampled;   /* time of the last row */
    double reference; /* unit of the energies in the summary */
    SUNContext context;
    void *cvode;
    N_Vector state;
    SUNNonlinearSolver solver;
    FILE *table, *log;
    Summary summary;
} Simulation;

static double energy(const Simulation *simulation, const Motion *motion) {
    const Pendulum *pendulum = &simulation->setting->pendulum;
    double M[4];
    pendulum_mass_matrix(pendulum, motion->q, M);
    return carom_system_energy(2, M, motion->u) + pendulum_potential(pendulum, motion->q);
}

/* The mechanics of the tip at one time, as the phases need it. */
typedef struct Tip {
    double M[4], J[4], W[4], v[2];
    double free[2];  /* acceleration of the tip without contact */
    double speed[2]; /* u' without contact */
} Tip;

static Tip find_tip(const Pendulum *pendulum, const Motion *motion) {
    Tip tip;
    double bias[2], column[2];
    pendulum_mass_matrix(pendulum, motion->q, tip.M);
    pendulum_jacobian(pendulum, motion->q, tip.J);
    pendulum_bias(pendulum, motion, bias);
    pendulum_tip_bias(pendulum, motion, tip.free);
    pendulum_divide(tip.M, bias, tip.speed);
    for (int i = 0; i < 2; i++) {
        tip.speed[i] = -tip.speed[i];
    }
    for (int i = 0; i < 2; i++) {
        const double *row = &tip.J[2 * i];
        pendulum_divide(tip.M, row, column);
        tip.W[i] = tip.J[0] * column[0] + tip.J[1] * column[1];
        tip.W[2 + i] = tip.J[2] * column[0] + tip.J[3] * column[1];
        tip.v[i] = row[0] * motion->u[0] + row[1] * motion->u[1];
        tip.free[i] += row[0] * tip.speed[0] + row[1] * tip.speed[1];
    }
    return tip;
}

/* Normal acceleration of a sliding tip per unit of normal force. */
static double yield_of(const Tip *tip, double mu, double slip) {
    return tip->W[3] - mu * slip * tip->W[2];
}

/* Normal force that keeps a sliding tip on the floor. */
static double normal_force(const Tip *tip, double mu, double slip) {
    return -tip->free[1] / yield_of(tip, mu, slip);
}

static Motion motion_of(N_Vector state) {
    const double *y = N_VGetArrayPointer(state);
    return (Motion){{y[0], y[1]}, {y[2], y[3]}};
}

static int rates(realtype t, N_Vector state, N_Vector rate, void *data) {
    (void)t;
    const Simulation *simulation = data;
    Motion motion = motion_of(state);
    Tip tip = find_tip(&simulation->setting->pendulum, &motion);
    double *out = N_VGetArrayPointer(rate), extra[2] = {0, 0};
    if (simulation->phase == SLIDE) {
        double mu = simulation->setting->contact.mu, slip = simulation->slip;
        double n = normal_force(&tip, mu, slip), f = -mu * slip * n;
        double push[2] = {tip.J[0] * f + tip.J[2] * n, tip.J[1] * f + tip.J[3] * n};
        pendulum_divide(tip.M, push, extra);
    }
    for (int i = 0; i < 2; i++) {
        out[i] = motion.u[i];
        out[2 + i] = tip.speed[i] + extra[i];
    }
    return 0;
}

/* Roots that end a phase. Flight: the tip on the floor. Slide: no force, no slip, nearly a jam. */
static int roots(realtype t, N_Vector state, realtype *out, void *data) {
    (void)t;
    const Simulation *simulation = data;
    Motion motion = motion_of(state);
    out[1] = out[2] = 1;
    if (simulation->phase == FLIGHT) {
        out[0] = pendulum_tip_height(&simulation->setting->pendulum, motion.q);
        return 0;
    }
    Tip tip = find_tip(&simulation->setting->pendulum, &motion);
    double yield = yield_of(&tip, simulation->setting->contact.mu, simulation->slip);
    out[0] = -tip.free[1]; /* same sign as the force, and finite */
    out[1] = tip.v[0];
    out[2] = yield - 1e-3 * tip.W[3]; /* the force is about to diverge */
    return 0;
}

static void write_row(Simulation *simulation, double time, const Motion *motion) {
    const Pendulum *pendulum = &simulation->setting->pendulum;
    simulation->sampled = time;
    if (!simulation->table) {
        return;
    }
    double potential = pendulum_potential(pendulum, motion->q), total = energy(simulation, motion);
    fprintf(simulation->table, "%.9g,%.12g,%.12g,%.12g,%.12g,%.9g,%.12g,%.12g,%.12g,%s\n", time,
            motion->q[0], motion->q[1], motion->u[0], motion->u[1],
            pendulum_tip_height(pendulum, motion->q), total - potential, potential, total,
            phase_names[simulation->phase]);
}

static void finish(Simulation *simulation, Ending ending) {
    simulation->summary.ending = ending;
    simulation->summary.time = simulation->time;
}

/* The impact of an approaching tip. *plastic: the rebound would be too slow and is suppressed.
 * False: the simulation is over. */
static bool hit(Simulation *simulation, bool *plastic) {
    const Setting *setting = simulation->setting;
    Motion *motion = &simulation->motion;
    Summary *summary = &simulation->summary;
    Tip tip = find_tip(&setting->pendulum, motion);
    double factor[4], R[4], W[4], v[2], impulse[2], after[2], before = energy(simulation, motion);
    CaromContact contact = setting->contact;
    CaromResult result = {.impulse = impulse, .velocity = after};
    bool good = carom_system_responses(2, tip.M, 2, tip.J, factor, R, NULL) >= 0 &&
                carom_system_contact_space(2, 2, tip.J, R, motion->u, W, v, NULL) >= 0 &&
                carom_planar_solve(W, v, &contact, CAROM_LAW_ENERGETIC, &result) >= 0;
    *plastic = good && after[1] < setting->rest_speed;
    if (*plastic) {
        contact.e = 0;
        good = carom_planar_solve(W, v, &contact, CAROM_LAW_ENERGETIC, &result) >= 0;
    }
    if (!good) {
        finish(simulation, ENDING_IMPACT);
        return false;
    }
    carom_system_apply(2, 2, R, impulse, motion->u);
    double change = (energy(simulation, motion) - before) / simulation->reference;
    summary->gain = fmax(summary->gain, change);
    summary->impacts++;
    if (*plastic) {
        summary->first_death = summary->deaths++ ? summary->first_death : simulation->time;
    }
    if (simulation->log) {
        fprintf(simulation->log, "%10.6f  impact %-4d approach %-11.4g energy %+.6f  %s%s\n",
                simulation->time, summary->impacts, -v[1], change, result.sequence,
                *plastic ? "  bounces died out" : "");
    }
    return true;
}

/* Choose the next phase of a tip on the floor without normal speed. turned: its slip has just
 * changed sign, so the sign of the computed slip is only rounding. */
static void settle(Simulation *simulation, bool turned) {
    const Setting *setting = simulation->setting;
    Motion *motion = &simulation->motion;
    Tip tip = find_tip(&setting->pendulum, motion);
    double mu = setting->contact.mu, transposed[4] = {tip.J[0], tip.J[2], tip.J[1], tip.J[3]};
    double mu_static = fmax(mu, setting->contact.mu_static), force[2], bias[2];
    /* far above rounding and the root's tolerance, far below visible speeds */
    double scale = sqrt(simulation->reference / setting->pendulum.mass) / setting->pendulum.length;
    bool still = hypot(motion->u[0], motion->u[1]) < 1e-9 * scale;
    if (still) {
        motion->u[0] = motion->u[1] = 0;
        pendulum_bias(&setting->pendulum, motion, bias);
        pendulum_divide(transposed, bias, force);
        if (force[1] > 0 && fabs(force[0]) <= mu_static * force[1]) {
            simulation->phase = REST;
            return;
        }
        tip = find_tip(&setting->pendulum, motion);
        /* friction cannot hold the tip: it slides the way it accelerates */
        double n = normal_force(&tip, mu, 1);
        simulation->slip = tip.free[0] + n * (tip.W[1] - mu * tip.W[0]) > 0 ? 1 : -1;
    } else {
        /* the slip turns while the bars move: they pass through one line */
        simulation->slip = turned ? -simulation->slip : tip.v[0] > 0 ? 1 : -1;
    }
    simulation->phase = tip.free[1] >= 0 ? FLIGHT : SLIDE;
    if (simulation->phase == SLIDE && yield_of(&tip, mu, simulation->slip) <= 1e-3 * tip.W[3]) {
        finish(simulation, ENDING_JAM);
    }
}

/* A phase has ended at one of its roots. False: the simulation is over. */
static bool cross(Simulation *simulation, const int *found) {
    if (simulation->phase == FLIGHT) {
        Tip tip = find_tip(&simulation->setting->pendulum, &simulation->motion);
        if (tip.v[1] >= 0) {
            return true; /* grazed */
        }
        bool plastic;
        if (!hit(simulation, &plastic)) {
            return false;
        }
        if (!plastic) {
            return true;
        }
    } else if (found[2]) {
        finish(simulation, ENDING_JAM);
        return false;
    }
    Phase before = simulation->phase;
    settle(simulation, before == SLIDE && found[1]);
    simulation->summary.lift_offs += before == SLIDE && simulation->phase == FLIGHT;
    if (simulation->log && simulation->phase != before) {
        fprintf(simulation->log, "%10.6f  %s\n", simulation->time, phase_names[simulation->phase]);
    }
    return simulation->summary.ending == ENDING_TIME;
}

static bool restart(Simulation *simulation) {
    double *y = N_VGetArrayPointer(simulation->state);
    memcpy(y, simulation->motion.q, sizeof simulation->motion.q);
    memcpy(y + 2, simulation->motion.u, sizeof simulation->motion.u);
    return CVodeReInit(simulation->cvode, simulation->time, simulation->state) == CV_SUCCESS;
}

/* Integrate to the end of the phase or of the duration. False: the simulation is over. */
static bool advance(Simulation *simulation) {
    const Setting *setting = simulation->setting;
    Summary *summary = &simulation->summary;
    double before = energy(simulation, &simulation->motion);
    if (!restart(simulation)) {
        finish(simulation, ENDING_SOLVER);
        return false;
    }
    for (;;) {
        double target = fmin(simulation->sampled + setting->sample, setting->duration);
        realtype reached;
        int flag = CVode(simulation->cvode, target, simulation->state, &reached, CV_NORMAL);
        simulation->motion = motion_of(simulation->state);
        simulation->time = reached;
        if (flag < 0) {
            finish(simulation, ENDING_SOLVER);
            return false;
        }
        double height = pendulum_tip_height(&setting->pendulum, simulation->motion.q);
        summary->lowest = fmin(summary->lowest, height);
        write_row(simulation, reached, &simulation->motion);
        if (height < -1e-6 * setting->pendulum.length) {
            finish(simulation, ENDING_FLOOR);
            return false;
        }
        if (flag != CV_ROOT_RETURN && reached < setting->duration) {
            continue;
        }
        if (simulation->phase == FLIGHT) {
            double drift = fabs(energy(simulation, &simulation->motion) - before);
            summary->drift = fmax(summary->drift, drift / simulation->reference);
        }
        int found[ROOTS] = {0};
        if (flag == CV_ROOT_RETURN) {
            CVodeGetRootInfo(simulation->cvode, found);
            return cross(simulation, found);
        }
        finish(simulation, ENDING_TIME);
        return false;
    }
}

static bool prepare(Simulation *simulation) {
    static int directions[ROOTS] = {-1, 0, -1};
    const Setting *setting = simulation->setting;
    if (SUNContext_Create(NULL, &simulation->context) != 0) {
        return false;
    }
    simulation->state = N_VNew_Serial(4, simulation->context);
    simulation->cvode = CVodeCreate(CV_ADAMS, simulation->context);
    if (!simulation->state || !simulation->cvode) {
        return false;
    }
    simulation->solver = SUNNonlinSol_FixedPoint(simulation->state, 0, simulation->context);
    memset(N_VGetArrayPointer(simulation->state), 0, 4 * sizeof(double));
    void *cvode = simulation->cvode;
    return simulation->solver && CVodeInit(cvode, rates, 0, simulation->state) == CV_SUCCESS &&
           CVodeSStolerances(cvode, setting->tolerance, 1e-2 * setting->tolerance) == CV_SUCCESS &&
           CVodeSetNonlinearSolver(cvode, simulation->solver) == CV_SUCCESS &&
           CVodeSetUserData(cvode, simulation) == CV_SUCCESS &&
           CVodeRootInit(cvode, ROOTS, roots) == CV_SUCCESS &&
           CVodeSetRootDirection(cvode, directions) == CV_SUCCESS &&
           CVodeSetNoInactiveRootWarn(cvode) == CV_SUCCESS &&
           CVodeSetMaxNumSteps(cvode, 100000) == CV_SUCCESS;
}

static void release(Simulation *simulation) {
    CVodeFree(&simulation->cvode);
    SUNNonlinSolFree(simulation->solver);
    N_VDestroy(simulation->state);
    SUNContext_Free(&simulation->context);
}

Summary simulate(const Setting *setting, FILE *table, FILE *log) {
    Simulation simulation = {
        .setting = setting, .motion = setting->start, .table = table, .log = log};
    Summary *summary = &simulation.summary;
    *summary = (Summary){.first_death = NAN, .lowest = INFINITY};
    summary->energy_start = energy(&simulation, &setting->start);
    simulation.reference = summary->energy_start;
    if (table) {
        fprintf(table, "t,q1,q2,u1,u2,height,kinetic,potential,total,phase\n");
    }
    write_row(&simulation, 0, &simulation.motion);
    if (!prepare(&simulation)) {
        finish(&simulation, ENDING_SOLVER);
    } else {
        int phases = 0;
        while (simulation.phase != REST && advance(&simulation)) {
            /* one more row after the jump */
            write_row(&simulation, simulation.time, &simulation.motion);
            if (++phases == PHASES_MAX) {
                finish(&simulation, ENDING_PHASES);
                break;
            }
        }
        if (simulation.phase == REST) {
            finish(&simulation, ENDING_REST);
            write_row(&simulation, setting->duration, &simulation.motion);
        }
    }
    summary->energy_end = energy(&simulation, &simulation.motion);
    release(&simulation);
    return *summary;
}

const char *ending_string(Ending ending) {
    static const char *const names[] = {"still moving when the time is over",
                                        "at rest on the floor",
                                        "jammed: sliding friction leaves no finite force",
                                        "too many phases",
                                        "the integrator gave up",
                                        "the impact was refused",
                                        "the tip is below the floor"};
    return names[ending];
}
