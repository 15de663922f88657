/* How what is wanted changes with the motion after the impact.
 *
 * Landing: x = p + v t with t = (v_z + sqrt(D))/g, D = v_z^2 + 2 g h. A ball on a table (see
 * carom/rolling.h) slides until t1 = 2 |u|/(7 a), u its slip, a its deceleration, and then rolls:
 *
 *   sliding   p = p0 + v t - a s t^2/2                       s = u/|u|
 *   rolling   p = p0 + (v - u/7) t1 + w q - b w q^2/(2 |w|)  w = v - 2 u/7,  q = t - t1
 *
 * with a = mu_slide g, b = 5/7 mu_roll g. Their differentials are taken term by term; d denotes
 * them below. */
#include "aim/aim_chain.h"

#include <math.h>

int aim_chain_body(const AimWish *wish, const Scene *scene) {
    return wish->kind == AIM_REST || wish->kind == AIM_PASSES ? scene->roll.body : wish->body;
}

static double dot2(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1];
}

/* The differential of x/|x|. */
static void turn2(const double *x, const double *dx, double *unit) {
    double size = hypot(x[0], x[1]), along = dot2(x, dx) / (size * size);
    for (int k = 0; k < 2; k++) {
        unit[k] = size > 0 ? (dx[k] - along * x[k]) / size : 0;
    }
}

static void chain_direction(const double v[3], const AimMotion *change, double *slopes) {
    double speed = hypot(hypot(v[0], v[1]), v[2]), along = 0;
    for (int k = 0; k < 3; k++) {
        along += v[k] * change->velocity[k] / (speed * speed);
    }
    for (int k = 0; k < 3; k++) {
        slopes[k] = (change->velocity[k] - along * v[k]) / speed;
    }
}

static void chain_landing(const AimWish *wish, const CaromBody *body, const AimMotion *change,
                          double *slopes) {
    double g = wish->gravity, up = body->velocity[2], rise = body->position[2] - wish->height;
    double root = up * up + 2 * g * rise, time = (up + sqrt(fmax(root, 0))) / g;
    double d_root = 2 * up * change->velocity[2] + 2 * g * change->position[2];
    double d_time = (change->velocity[2] + (root > 0   ? d_root / (2 * sqrt(root))
                                            : root < 0 ? 0
                                                       : NAN)) /
                    g;
    for (int k = 0; k < 2; k++) {
        slopes[k] = change->position[k];
        if (time > 0) {
            slopes[k] += change->velocity[k] * time + body->velocity[k] * d_time;
        }
    }
    slopes[2] = root < 0 ? d_root / (2 * g) : 0;
}

/* A ball on a table as the differentials need it. */
typedef struct Rolling {
    double v[2], u[2], w[2], a, b, t1; /* as above; b: deceleration in rolling */
    double dp[2], dv[2], du[2], dw[2], da, db, dt1;
} Rolling;

static Rolling begin_rolling(const RollRun *run, const AimMotion *change) {
    const CaromRollingState *start = &run->path.state[0];
    const CaromTable *table = &run->scene->roll.table, *d_table = &change->table;
    double r = run->path.radius;
    const double *spin = start->angular_velocity, *d_spin = change->angular_velocity;
    Rolling roll = {.a = run->path.deceleration[0],
                    .b = run->path.deceleration[1],
                    .t1 = run->path.begin[CAROM_ROLLING_PHASE_ROLLING],
                    .da = d_table->mu_slide * table->gravity + table->mu_slide * d_table->gravity,
                    .db = (d_table->mu_roll * table->gravity + table->mu_roll * d_table->gravity) *
                          5 / 7};
    /* u = v - r omega x z */
    const double across[2] = {spin[1], -spin[0]}, d_across[2] = {d_spin[1], -d_spin[0]};
    bool slips = roll.t1 > 0;
    for (int k = 0; k < 2; k++) {
        roll.v[k] = start->velocity[k];
        roll.u[k] = slips ? start->velocity[k] - r * across[k] : 0;
        roll.w[k] = roll.v[k] - 2 * roll.u[k] / 7;
        roll.dp[k] = change->position[k];
        roll.dv[k] = change->velocity[k];
        roll.du[k] = change->velocity[k] - r * d_across[k];
        roll.dw[k] = roll.dv[k] - 2 * roll.du[k] / 7;
    }
    double slip = hypot(roll.u[0], roll.u[1]);
    if (slips) {
        roll.dt1 = (2 * dot2(roll.u, roll.du) / (7 * slip) - roll.t1 * roll.da) / roll.a;
    } else if (roll.du[0] != 0 || roll.du[1] != 0) {
        roll.dt1 = NAN; /* the next slip may have any direction: a kink */
    }
    return roll;
}

/* Position, velocity and acceleration at a time, and the differentials of the first two. */
typedef struct Place {
    double p[2], v[2], acceleration[2], dp[2], dv[2];
} Place;

static Place place_at(const RollRun *run, const Rolling *roll, double time) {
    CaromRollingState state;
    Place place;
    double turned[2];
    carom_rolling_at(&run->path, time, &state, NULL, NULL);
    bool sliding = time < roll->t1;
    double q = time - roll->t1, a = sliding ? roll->a : roll->b;
    double da = sliding ? roll->da : roll->db;
    const double *axis = sliding ? roll->u : roll->w;
    double size = hypot(axis[0], axis[1]);
    turn2(axis, sliding ? roll->du : roll->dw, turned);
    for (int k = 0; k < 2; k++) {
        double unit = size > 0 ? axis[k] / size : 0;
        place.p[k] = state.position[k];
        place.v[k] = state.velocity[k];
        place.acceleration[k] = -a * unit;
        if (sliding) {
            double bend = a * turned[k] + da * unit;
            place.dp[k] = roll->dp[k] + roll->dv[k] * time - bend * time * time / 2;
            place.dv[k] = roll->dv[k] - bend * time;
        } else {
            double bend = a * turned[k] + da * unit;
            place.dp[k] = roll->dp[k] + (roll->dv[k] - roll->du[k] / 7) * roll->t1 +
                          (roll->v[k] - roll->u[k] / 7) * roll->dt1 + roll->dw[k] * q -
                          roll->w[k] * roll->dt1 - bend * q * q / 2 + a * unit * q * roll->dt1;
            place.dv[k] = roll->dw[k] - bend * q + a * unit * roll->dt1;
        }
    }
    return place;
}

/* Where it rests: at the time |w|/b of rolling, which changes with w, but the ball stands there. */
static void chain_rest(const RollRun *run, const Rolling *roll, double *slopes) {
    Place place = place_at(run, roll, run->path.begin[CAROM_ROLLING_PHASE_REST]);
    for (int k = 0; k < 2; k++) {
        slopes[k] = place.dp[k];
    }
}

/* The nearest point: there (p - wanted).v = 0, by which the time changes, unless it is an end. */
static void chain_nearest(const AimWish *wish, const RollRun *run, const Rolling *roll,
                          const double *nearest, double time, double *slopes) {
    Place place = place_at(run, roll, time);
    double miss[2] = {nearest[0] - wish->value[0], nearest[1] - wish->value[1]};
    double rate = dot2(place.v, place.v) + dot2(miss, place.acceleration);
    double moved = -(dot2(place.dp, place.v) + dot2(miss, place.dv)) / rate;
    bool inside = time > 0 && time < run->end;
    for (int k = 0; k < 2; k++) {
        slopes[k] = place.dp[k] + (inside ? place.v[k] * moved : 0);
    }
}

void aim_chain(const AimWish *wish, const Scene *scene, const Solution *solution,
               const AimMotion *change, double *slopes) {
    const CaromBody *body = &solution->bodies[aim_chain_body(wish, scene)];
    RollRun run;
    double nearest[2], time;
    const char *message;
    switch (wish->kind) {
    case AIM_DIRECTION:
        chain_direction(body->velocity, change, slopes);
        return;
    case AIM_LANDING:
        chain_landing(wish, body, change, slopes);
        return;
    case AIM_REST:
    case AIM_PASSES:
        if (roll_run(scene, solution, 0, &run, &message) >= 0) {
            Rolling roll = begin_rolling(&run, change);
            if (wish->kind == AIM_REST) {
                chain_rest(&run, &roll, slopes);
            } else {
                time = aim_wish_nearest(wish, &run, nearest);
                chain_nearest(wish, &run, &roll, nearest, time, slopes);
            }
            return;
        }
        break;
    default:
        break;
    }
    slopes[0] = slopes[1] = slopes[2] = NAN;
}
