/* Gradients by bodies, mechanisms and through time, against differences of the library's own solve
 * in double precision and against known values. */
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "support/check.h"
#include "support/math/random.h"
#include "support/scale.h"

static const uint64_t SEED = 19100;

/* Differences in double precision of fourth order: their own error. */
static const double BOUND = 1e-7; /* 2e-9 */

/* ---- bodies ---- */

typedef struct Pairing {
    CaromBody bodies[2];
    CaromSite site;
    CaromContact contact;
} Pairing;

static void turn_body(CaromBody *body, const double rotation[3]) {
    double *q = body->orientation, w = q[0], x = q[1], y = q[2], z = q[3];
    double size =
        sqrt(rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2]);
    double c = cos(size / 2), s = size > 0 ? sin(size / 2) / size : 0.5;
    double a = s * rotation[0], b = s * rotation[1], d = s * rotation[2];
    q[0] = c * w - a * x - b * y - d * z;
    q[1] = c * x + a * w + b * z - d * y;
    q[2] = c * y + b * w + d * x - a * z;
    q[3] = c * z + d * w + a * y - b * x;
}

static Pairing random_pairing(uint64_t index) {
    Random random = random_start(SEED, index);
    Pairing pair = {.site = {.first = 0, .second = 1}};
    for (int b = 0; b < 2; b++) {
        CaromBody *body = &pair.bodies[b];
        *body = carom_body_default();
        body->mass = random_between(&random, 0.5, 2);
        double shape[3];
        for (int i = 0; i < 3; i++) {
            shape[i] = random_between(&random, 0.5, 1);
        }
        double J[9] = {shape[1] + shape[2], 0.1, 0.05, 0.1, shape[0] + shape[2], -0.07, 0.05, -0.07,
                       shape[0] + shape[1]};
        memcpy(body->inertia, J, sizeof J);
        double turn[3];
        random_vector(&random, 1, turn);
        turn_body(body, turn);
        random_vector(&random, 0.3, body->velocity);
        random_vector(&random, 0.5, body->angular_velocity);
        random_vector(&random, 0.3, body->position);
        body->position[2] += b == 0 ? 1 : -1;
    }
    pair.bodies[0].velocity[2] -= 2;
    random_vector(&random, 0.2, pair.site.point);
    random_vector(&random, 0.2, pair.site.normal);
    pair.site.normal[2] += 1.3;
    if (index % 2) {
        random_vector(&random, 0.2, pair.site.tangent);
        pair.site.tangent[0] += 1;
    }
    pair.contact = (CaromContact){.mu = random_between(&random, 0.1, 1),
                                  .e = random_between(&random, 0.2, 0.9)};
    if (index % 5 == 0) {
        pair.bodies[1].mass = INFINITY;
    }
    return pair;
}

/* The second body slides along a guide, if it moves at all. */
static void guide_second(Pairing *pair, uint64_t index) {
    Random random = random_start(SEED + 1, index);
    CaromBody *body = &pair->bodies[1];
    for (int i = isinf(body->mass) ? 3 : 0; i < 3; i++) {
        body->guide[i] = random_between(&random, -1, 1);
        body->velocity[i] = 0.2 * body->guide[i];
        body->angular_velocity[i] = 0;
    }
}

enum { NUMBERS = 2 * 19 + 6 };

/* One input of the pairing changed. */
static Pairing shifted(const Pairing *pair, int input, double by) {
    Pairing out = *pair;
    if (input >= 38) {
        (input < 41 ? out.site.point : out.site.normal)[(input - 38) % 3] += by;
        return out;
    }
    CaromBody *body = &out.bodies[input / 19];
    int at = input % 19;
    static const int packed[6][2] = {{0, 0}, {1, 3}, {2, 6}, {4, 4}, {5, 7}, {8, 8}};
    if (at == 0) {
        body->mass += by;
    } else if (at < 7) {
        body->inertia[packed[at - 1][0]] += by;
        if (packed[at - 1][0] != packed[at - 1][1]) {
            body->inertia[packed[at - 1][1]] += by;
        }
    } else if (at < 10) {
        body->position[at - 7] += by;
    } else if (at < 13) {
        double turn[3] = {0, 0, 0};
        turn[at - 10] = by;
        turn_body(body, turn);
    } else if (at < 16) {
        body->velocity[at - 13] += by;
    } else {
        body->angular_velocity[at - 16] += by;
    }
    return out;
}

static double value_of(const Pairing *pair, const CaromBodyWeight weights[2]) {
    Pairing after = *pair;
    double W[9], v[3], I[3], sum = 0;
    CaromResult result = {.impulse = I};
    carom_bodies_contact_space(after.bodies, 2, &after.site, 1, W, v, NULL);
    carom_rigid_solve(W, v, &pair->contact, CAROM_LAW_ENERGETIC, &result);
    carom_bodies_apply(after.bodies, &after.site, 1, I);
    for (int b = 0; b < 2; b++) {
        for (int i = 0; i < 3; i++) {
            sum += weights[b].velocity[i] * after.bodies[b].velocity[i] +
                   weights[b].angular_velocity[i] * after.bodies[b].angular_velocity[i];
        }
    }
    return sum;
}

static int gradient_of(const Pairing *pair, const CaromBodyWeight weights[2],
                       double gradient[NUMBERS]) {
    double W[9], v[3], I[3], weight[3], inner[CAROM_INPUTS_ONE];
    CaromKink kink = {.distance = INFINITY};
    CaromDerivative derivative = {.kinks = &kink, .kink_capacity = 1};
    CaromResult result = {.impulse = I};
    CaromProblem problem = {
        .contact_count = 1, .inverse_inertia = W, .velocity = v, .contacts = &pair->contact};
    CaromBodyGradient bodies[2];
    CaromSiteGradient site;
    carom_bodies_contact_space(pair->bodies, 2, &pair->site, 1, W, v, NULL);
    carom_bodies_weigh(pair->bodies, 2, &pair->site, 1, weights, weight, NULL);
    if (carom_differentiate_reverse(&problem, weight, NULL, NULL, &result, &derivative, inner) <
            0 ||
        kink.distance < 1e-2) {
        return 0;
    }
    assert_int_equal(carom_bodies_gradient(pair->bodies, 2, &pair->site, 1, I, weights, inner,
                                           bodies, &site, NULL),
                     CAROM_OK);
    for (int b = 0; b < 2; b++) {
        double *to = gradient + 19 * b;
        to[0] = bodies[b].mass;
        memcpy(to + 1, bodies[b].inertia, sizeof bodies[b].inertia);
        memcpy(to + 7, bodies[b].position, 3 * sizeof *to);
        memcpy(to + 10, bodies[b].rotation, 3 * sizeof *to);
        memcpy(to + 13, bodies[b].velocity, 3 * sizeof *to);
        memcpy(to + 16, bodies[b].angular_velocity, 3 * sizeof *to);
    }
    memcpy(gradient + 38, site.point, sizeof site.point);
    memcpy(gradient + 41, site.normal, sizeof site.normal);
    return 1;
}

/* Which of the bodies is the first does not matter: the normal turns round, and nothing else. */
static void bodies_can_be_swapped(void **state) {
    (void)state;
    const CaromBodyWeight weights[2] = {{{0.3, -1, 0.8}, {0.2, 0.5, -0.4}},
                                        {{-0.6, 0.1, 1}, {1, -0.3, 0.2}}};
    double worst = 0;
    int count = 0, above = 0;
    for (int i = 0; i < scaled(2000); i++) {
        Pairing pair = random_pairing((uint64_t)i), other = pair;
        double a[NUMBERS], b[NUMBERS], size = 0, off = 0;
        other.site.first = 1;
        other.site.second = 0;
        for (int k = 0; k < 3; k++) {
            other.site.normal[k] = -pair.site.normal[k];
        }
        if (!gradient_of(&pair, weights, a) || !gradient_of(&other, weights, b)) {
            continue;
        }
        count++;
        for (int j = 0; j < NUMBERS; j++) {
            double expected = j < 41 ? a[j] : -a[j];
            size = fmax(size, fabs(expected));
            off = fmax(off, fabs(b[j] - expected));
        }
        worst = fmax(worst, off / size);
        above += off > 1e-11 * size;
    }
    print_message("swap of %d pairs: worst %.1e, %d above 1e-11\n", count, worst, above);
    assert_true(count > scaled(2000) / 2);
    assert_true(worst < 1e-9);              /* 3.5e-10 in 110,643 pairs */
    assert_true(above <= 2 + count / 1000); /* rounding of W counts as well */
}

/* Of fourth order. */
static double pair_difference(const Pairing *pair, const CaromBodyWeight weights[2], int j,
                              double h) {
    static const double at[4] = {-2, -1, 1, 2};
    double value[4];
    for (int k = 0; k < 4; k++) {
        Pairing moved = shifted(pair, j, at[k] * h);
        value[k] = value_of(&moved, weights);
    }
    return (8 * (value[2] - value[1]) - (value[3] - value[0])) / (12 * h);
}

static void bodies_agree_with_differences(void **state) {
    (void)state;
    int count = 0, doubtful = 0;
    double worst = 0;
    for (int i = 0; i < scaled(300); i++) {
        Pairing pair = random_pairing((uint64_t)i);
        CaromBodyWeight weights[2] = {{{0.3, -1, 0.8}, {0.2, 0.5, -0.4}},
                                      {{-0.6, 0.1, 1}, {1, -0.3, 0.2}}};
        double gradient[NUMBERS];
        if (i % 4 == 1) {
            guide_second(&pair, (uint64_t)i);
        }
        if (!gradient_of(&pair, weights, gradient)) {
            continue;
        }
        count++;
        for (int j = 0; j < NUMBERS; j++) {
            if (j % 19 < 7 && j < 38 && isinf(pair.bodies[j / 19].mass)) {
                assert_true(gradient[j] == 0);
                continue;
            }
            if (j >= 19 && j < 38 && pair.bodies[1].guide[0] != 0) {
                int at = j - 19; /* by the mass; not by what turns it, or moves it off its guide */
                int turns = (at > 0 && at < 7) || (at >= 10 && at < 13) || at >= 16;
                assert_true(!turns || gradient[j] == 0);
                if (at > 0) {
                    continue;
                }
            }
            /* two steps that agree: many entries of W change at once, and reach a kink sooner */
            double truth = pair_difference(&pair, weights, j, 1e-4);
            if (fabs(truth - pair_difference(&pair, weights, j, 5e-5)) > 1e-8 * (1 + fabs(truth))) {
                doubtful++;
                continue;
            }
            double error = fabs(gradient[j] - truth) / (1 + fabs(truth));
            if (error > 1e-6) {
                print_error("pair %d, input %d: %.10g, difference %.10g\n", i, j, gradient[j],
                            truth);
            }
            worst = larger(worst, error);
        }
    }
    print_message("%d pairs, %d doubtful differences: worst %.1e\n", count, doubtful, worst);
    assert_true(count > scaled(300) / 4 && doubtful <= count * NUMBERS / 100);
    assert_true(worst < 1e-6); /* of the differences */
}

/* ---- several contacts: a body strikes two others at once ---- */

typedef struct Cluster {
    CaromBody bodies[3];
    CaromSite sites[2];
    CaromContact contacts[2];
    CaromModel model;
} Cluster;

static Cluster random_cluster(uint64_t index) {
    Cluster out = {.model = index % 2 ? CAROM_MODEL_COMPLIANT : CAROM_MODEL_RIGID};
    Pairing a = random_pairing(2 * index + 1), b = random_pairing(2 * index + 2);
    out.bodies[0] = a.bodies[0];
    out.bodies[1] = a.bodies[1];
    out.bodies[2] = b.bodies[1];
    out.bodies[1].mass = out.bodies[2].mass = 1.5;
    out.sites[0] = a.site;
    out.sites[1] = b.site;
    out.sites[1].second = 2;
    out.sites[0].point[0] += 0.8;
    out.sites[1].point[0] -= 0.8;
    out.contacts[0] = a.contact;
    out.contacts[1] = b.contact;
    return out;
}

static CaromProblem cluster_problem(const Cluster *cluster, double W[36], double v[6]) {
    carom_bodies_contact_space(cluster->bodies, 3, cluster->sites, 2, W, v, NULL);
    return (CaromProblem){.model = cluster->model,
                          .law = cluster->model == CAROM_MODEL_RIGID ? CAROM_LAW_NEWTON
                                                                     : CAROM_LAW_ENERGETIC,
                          .contact_count = 2,
                          .inverse_inertia = W,
                          .velocity = v,
                          .contacts = cluster->contacts};
}

static double cluster_value(const Cluster *cluster, const CaromBodyWeight weights[3]) {
    Cluster after = *cluster;
    double W[36], v[6], I[6], sum = 0;
    CaromProblem problem = cluster_problem(&after, W, v);
    CaromResult result = {.impulse = I};
    carom_solve(&problem, NULL, &result);
    carom_bodies_apply(after.bodies, after.sites, 2, I);
    for (int b = 0; b < 3; b++) {
        for (int i = 0; i < 3; i++) {
            sum += weights[b].velocity[i] * after.bodies[b].velocity[i] +
                   weights[b].angular_velocity[i] * after.bodies[b].angular_velocity[i];
        }
    }
    return sum;
}

/* By a number of each kind: mass, position, velocity and spin of a body, point and normal. */
static double *cluster_number(Cluster *cluster, int j) {
    CaromBody *body = &cluster->bodies[j % 3];
    CaromSite *site = &cluster->sites[j % 2];
    double *const numbers[] = {&body->mass,         &body->position[j % 2],
                               &body->velocity[2],  &body->angular_velocity[j % 3],
                               &site->point[j % 3], &site->normal[j % 2]};
    return numbers[j / 3 % 6];
}

static void several_contacts_agree_with_differences(void **state) {
    (void)state;
    const CaromBodyWeight weights[3] = {{{0.3, -1, 0.8}, {0.2, 0.5, -0.4}},
                                        {{-0.6, 0.1, 1}, {1, -0.3, 0.2}},
                                        {{0.5, 0.4, -1}, {0.1, 0.7, -0.2}}};
    double *workspace = malloc(carom_derivative_workspace(2) * sizeof(double)), worst[2] = {0};
    int count[2] = {0};
    for (int i = 0; i < 6 + scaled(54); i++) {
        Cluster cluster = random_cluster((uint64_t)i);
        double W[36], v[6], I[6], weight[6], inner[37];
        CaromKink kink = {.distance = INFINITY};
        CaromDerivative derivative = {.kinks = &kink, .kink_capacity = 1};
        CaromResult result = {.impulse = I};
        CaromProblem problem = cluster_problem(&cluster, W, v);
        CaromBodyGradient bodies[3];
        CaromSiteGradient sites[2];
        carom_bodies_weigh(cluster.bodies, 3, cluster.sites, 2, weights, weight, NULL);
        if (carom_differentiate_reverse(&problem, weight, NULL, workspace, &result, &derivative,
                                        inner) < 0 ||
            kink.distance < 1e-2) {
            continue;
        }
        count[i % 2]++;
        assert_int_equal(carom_bodies_gradient(cluster.bodies, 3, cluster.sites, 2, I, weights,
                                               inner, bodies, sites, NULL),
                         CAROM_OK);
        for (int j = 0; j < 18; j++) {
            const CaromBodyGradient *body = &bodies[j % 3];
            const double own[] = {body->mass,
                                  body->position[j % 2],
                                  body->velocity[2],
                                  body->angular_velocity[j % 3],
                                  sites[j % 2].point[j % 3],
                                  sites[j % 2].normal[j % 2]};
            double value[4], h = 1e-4;
            for (int k = 0; k < 4; k++) {
                static const double at[4] = {-2, -1, 1, 2};
                Cluster moved = cluster;
                *cluster_number(&moved, j) += at[k] * h;
                value[k] = cluster_value(&moved, weights);
            }
            double truth = (8 * (value[2] - value[1]) - (value[3] - value[0])) / (12 * h);
            double error = fabs(own[j / 3] - truth) / (1 + fabs(truth));
            worst[i % 2] = larger(worst[i % 2], error);
        }
    }
    print_message("several: %d rigid, worst %.1e; %d compliant, worst %.1e\n", count[0], worst[0],
                  count[1], worst[1]);
    assert_true(count[0] > 1 + scaled(10) && count[1] > 1 + scaled(10));
    assert_true(worst[0] < 1e-6);
    assert_true(worst[1] < 1e-6);
    free(workspace);
}

/* ---- a mechanism: the double pendulum of the planar paper ---- */

typedef struct Pendulum {
    double M[4], J[4], u[2];
} Pendulum;

static double pendulum_value(const Pendulum *at, const double weights[2]) {
    double R[4], work[4], W[4], v[2], I[2], u[2] = {at->u[0], at->u[1]};
    CaromContact contact = {.mu = 0.3, .e = 0.6};
    CaromResult result = {.impulse = I};
    carom_system_responses(2, at->M, 2, at->J, work, R, NULL);
    carom_system_contact_space(2, 2, at->J, R, u, W, v, NULL);
    carom_planar_solve(W, v, &contact, CAROM_LAW_ENERGETIC, &result);
    carom_system_apply(2, 2, R, I, u);
    return weights[0] * u[0] + weights[1] * u[1];
}

static void mechanisms_agree_with_differences(void **state) {
    (void)state;
    const double weights[2] = {1, -0.4};
    Pendulum at = {.M = {5.0 / 3 + 0.7, 1.0 / 3 + 0.35, 1.0 / 3 + 0.35, 1.0 / 3},
                   .J = {-1.2, -0.5, 0.9, 0.8},
                   .u = {-1, -0.7}};
    double R[4], work[4], W[4], v[2], I[2], weight[2], inner[10], response[2];
    double by_u[2], by_M[4], by_J[4];
    CaromContact contact = {.mu = 0.3, .e = 0.6};
    CaromResult result = {.impulse = I};
    CaromProblem problem = {
        .contact_count = 1, .inverse_inertia = W, .velocity = v, .contacts = &contact, .planar = 1};
    carom_system_responses(2, at.M, 2, at.J, work, R, NULL);
    carom_system_responses(2, at.M, 1, weights, work, response, NULL);
    carom_system_contact_space(2, 2, at.J, R, at.u, W, v, NULL);
    carom_system_weigh(2, 2, R, weights, weight);
    assert_int_equal(
        carom_differentiate_reverse(&problem, weight, NULL, NULL, &result, NULL, inner), CAROM_OK);
    carom_system_gradient(2, 2, at.J, R, at.u, I, weights, response, inner, by_u, by_M, by_J);
    for (int j = 0; j < 10; j++) {
        const double h = 1e-4;
        double value[2];
        for (int k = 0; k < 2; k++) {
            Pendulum moved = at;
            double by = k ? h : -h;
            if (j < 2) {
                moved.u[j] += by;
            } else if (j < 6) {
                /* mirrored entries together; each has half of the gradient */
                moved.M[j - 2] += by / 2;
                moved.M[j == 3 ? 2 : j == 4 ? 1 : j - 2] += by / 2;
            } else {
                moved.J[j - 6] += by;
            }
            value[k] = pendulum_value(&moved, weights);
        }
        double truth = (value[1] - value[0]) / (2 * h);
        double own = j < 2 ? by_u[j] : j < 6 ? by_M[j - 2] : by_J[j - 6];
        check_close(own, truth, BOUND * 10 * (1 + fabs(truth)));
    }
}

/* ---- through time ---- */

/* Two equal elastic balls on a line, the published case that a differentiable engine gets wrong:
 * they exchange their velocities, so the final positions depend on the other ball's start. */
static void two_balls_through_time(void **state) {
    (void)state;
    const double x1 = 0, x2 = 1, speed1 = 1, speed2 = -0.5, diameter = 0.2, T = 2;
    CaromBody a = carom_body_default(), b = carom_body_default();
    a.position[0] = x1;
    b.position[0] = x2;
    a.velocity[0] = speed1;
    b.velocity[0] = speed2;
    CaromBallTouch touch;
    assert_int_equal(carom_balls_touch(&a, &b, diameter, &touch, NULL), CAROM_OK);
    assert_true(touch.found);
    double t = touch.time;
    check_close(t, (x2 - x1 - diameter) / (speed1 - speed2), 1e-15);
    /* the impact: frictionless, e = 1, W = 1/m + 1/m along the line */
    double W[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2};
    double v[3] = {0, 0, touch.normal[0] * (speed1 - speed2)};
    double I[3], after[3], by_I[9], by_v[9];
    CaromContact contact = {.mu = 0, .e = 1};
    CaromResult result = {.impulse = I, .velocity = after};
    assert_int_equal(carom_rigid_velocity_derivative(W, v, &contact, CAROM_LAW_ENERGETIC, &result,
                                                     by_I, by_v, NULL),
                     CAROM_OK);
    double n = touch.normal[0], slope = by_I[8]; /* dI_n/dv_n */
    /* by (x1, x2, v, u): velocities after, then positions x + v t + v+ (T - t) */
    static const double expect[2][4] = {{0, 1, 0, 0}, {1, 0, 0, 0}};
    for (int j = 0; j < 4; j++) {
        double dt = j == 0   ? touch.by_position[0]
                    : j == 1 ? -touch.by_position[0]
                    : j == 2 ? touch.by_velocity[0]
                             : -touch.by_velocity[0];
        double dn = n * ((j == 2) - (j == 3)); /* of v_n */
        double push = n * slope * dn;          /* of the impulse on the first, along x */
        double plus1 = speed1 + n * I[2], plus2 = speed2 - n * I[2];
        double end1 = (j == 0) + (j == 2) * t + (speed1 - plus1) * dt + ((j == 2) + push) * (T - t);
        double end2 = (j == 1) + (j == 3) * t + (speed2 - plus2) * dt + ((j == 3) - push) * (T - t);
        double first = j == 3 ? T : expect[0][j], second = j == 2 ? T : expect[1][j];
        check_close(end1, first, 1e-14);
        check_close(end2, second, 1e-14);
    }
}

/* A ball that bounces on a floor under gravity: its height at a later time. */
static void bounce_through_time(void **state) {
    (void)state;
    const double gravity[3] = {0, 0, -9.81}, radius = 0.1, e = 0.8, T = 0.9;
    CaromPlane floor = {.point = {0, 0, 0}, .normal = {0, 0, 1}};
    double height[3], slope = 0;
    for (int k = 0; k < 3; k++) {
        CaromBody ball = carom_body_default();
        ball.position[2] = 1 + (k - 1) * 1e-5;
        ball.velocity[2] = -0.5;
        CaromBallTouch touch;
        assert_int_equal(carom_ball_touch_plane(&ball, gravity, radius, &floor, &touch, NULL),
                         CAROM_OK);
        double t = touch.time, before = -0.5 - 9.81 * t, after = -e * before, left = T - t;
        height[k] = radius + after * left - 9.81 / 2 * left * left;
        if (k == 1) {
            /* d height = dv+ left - (v+ - g left) dt, v+ = -e (v - g t) */
            double dt = touch.by_position[2];
            slope = e * 9.81 * dt * left - (after - 9.81 * left) * dt;
        }
    }
    check_close(slope, (height[2] - height[0]) / 2e-5, 1e-6);
}

static void bad_bodies_are_refused(void **state) {
    (void)state;
    Pairing pair = random_pairing(1);
    CaromBodyWeight weights[2] = {{{0}, {0}}, {{0}, {0}}};
    double weight[3] = {0}, I[3] = {0}, inner[9] = {0};
    CaromBodyGradient bodies[2];
    CaromSiteGradient site;
    const char *message;
    pair.bodies[0].mass = -1;
    assert_int_equal(carom_bodies_weigh(pair.bodies, 2, &pair.site, 1, weights, weight, &message),
                     CAROM_INVALID_INPUT);
    assert_true(isnan(weight[0]) && message[0]);
    assert_int_equal(carom_bodies_gradient(pair.bodies, 2, &pair.site, 1, I, weights, inner, bodies,
                                           &site, &message),
                     CAROM_INVALID_INPUT);
    assert_true(isnan(bodies[1].mass) && isnan(bodies[0].angular_velocity[2]) &&
                isnan(site.normal[2]));
    CaromBallTouch touch;
    assert_int_equal(carom_balls_touch(&pair.bodies[0], &pair.bodies[1], 1, &touch, &message),
                     CAROM_INVALID_INPUT);
    assert_true(isnan(touch.time));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_agree_with_differences),
        cmocka_unit_test(bodies_can_be_swapped),
        cmocka_unit_test(several_contacts_agree_with_differences),
        cmocka_unit_test(mechanisms_agree_with_differences),
        cmocka_unit_test(two_balls_through_time),
        cmocka_unit_test(bounce_through_time),
        cmocka_unit_test(bad_bodies_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
