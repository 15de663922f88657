/* Derivatives of several rigid contacts at impulse level against differences of the library's own
 * answer, which satisfies the law to rounding. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "support/check.h"
#include "support/derivative/errors.h"
#include "support/impulse/random.h"
#include "support/scale.h"

static const uint64_t SEED = 19300;

static const double MEDIAN_BOUND = 1e-8; /* 2e-10, of the differences */
static const double WORST_BOUND = 1e-5;
static const double REDUNDANT_BOUND = 1e-7; /* 6e-10, of the differences */

typedef struct Shift {
    double W[MULTIPLE_ROWS * MULTIPLE_ROWS], v[MULTIPLE_ROWS];
    CaromContact contacts[MULTIPLE_ROWS];
} Shift;

/* The problem with input j changed. */
static CaromProblem shifted(const CaromProblem *problem, const CaromInputs *inputs, int j,
                            double by, Shift *room) {
    int m = inputs->rows, n = problem->contact_count;
    memcpy(room->W, problem->inverse_inertia, sizeof(double) * (size_t)(m * m));
    memcpy(room->v, problem->velocity, sizeof(double) * (size_t)m);
    memcpy(room->contacts, problem->contacts, sizeof(CaromContact) * (size_t)n);
    for (int a = 0; a < m; a++) {
        for (int b = a; b < m; b++) {
            if (carom_input_W(inputs, a, b) == j) {
                room->W[a * m + b] += by;
                room->W[b * m + a] += a == b ? 0 : by;
            }
        }
    }
    if (j >= inputs->v && j < inputs->contact) {
        room->v[j - inputs->v] += by;
    }
    for (int i = 0; i < n; i++) {
        if (j == carom_input_coefficient(inputs, i, CAROM_COEFFICIENT_MU)) {
            room->contacts[i].mu += by;
        }
        if (j == carom_input_coefficient(inputs, i, CAROM_COEFFICIENT_E)) {
            room->contacts[i].e += by;
        }
    }
    CaromProblem out = *problem;
    out.inverse_inertia = room->W;
    out.velocity = room->v;
    out.contacts = room->contacts;
    return out;
}

static void check_problem(const CaromProblem *problem, Errors *errors, int *refused) {
    CaromInputs inputs = carom_inputs(problem->contact_count, problem->planar);
    int m = inputs.rows, count = inputs.count;
    double *work = malloc(sizeof(double) * carom_derivative_workspace(problem->contact_count));
    double *by_I = malloc(sizeof(double) * (size_t)(m * count));
    double *by_v = malloc(sizeof(double) * (size_t)(m * count));
    double *gradient = malloc(sizeof(double) * (size_t)count);
    double I[MULTIPLE_ROWS], v[MULTIPLE_ROWS], weight[MULTIPLE_ROWS], size = 0;
    CaromKink kinks[4] = {{.distance = INFINITY}};
    CaromResult result = {.impulse = I, .velocity = v};
    CaromDerivative derivative = {
        .impulse = by_I, .velocity = by_v, .kinks = kinks, .kink_capacity = 4};
    CaromStatus status = carom_differentiate(problem, work, &result, &derivative);
    int none = status < 0 || derivative.smoothness == CAROM_NOT_SMOOTH || derivative.message[0];
    *refused += status < 0;
    if (none || kinks[0].distance < 1e-3 || result.solutions != 1) {
        assert_true(status >= 0 ||
                    isnan(by_I[0])); /* redundant contacts have a test of their own */
        free(work);
        free(by_I);
        free(by_v);
        free(gradient);
        return;
    }
    for (int i = 0; i < m; i++) {
        size += fabs(I[i]);
        weight[i] = i % 3 - 0.7;
    }
    for (int j = 0; j < count; j++) {
        static Shift room;
        double out[4][MULTIPLE_ROWS], h = 1e-5;
        int ok = 1;
        for (int k = 0; k < 4; k++) {
            static const double at[4] = {-2, -1, 1, 2};
            CaromProblem moved = shifted(problem, &inputs, j, at[k] * h, &room);
            CaromResult other = {.impulse = out[k]};
            ok &= carom_solve(&moved, NULL, &other) >= 0 && other.solutions == 1;
        }
        double off = 0, all = size, bend = 0;
        for (int i = 0; i < m && ok; i++) {
            double before = out[1][i] - out[0][i], after = out[3][i] - out[2][i];
            bend += (fabs(after - before) + fabs((out[2][i] - out[1][i]) - (before + after))) / h;
            double truth = (8 * (out[2][i] - out[1][i]) - (out[3][i] - out[0][i])) / (12 * h);
            off += fabs(truth - by_I[i * count + j]);
            all += fabs(truth);
        }
        /* slopes differ where the input lies on a kink, v_n- = 0, entries of W that are 0, or on a
         * jump: a velocity that no body can have, for a moment */
        if (ok && all > size && bend < 1e-4 * all) {
            errors_add(errors, off / all);
            if (off > WORST_BOUND * all) {
                print_error("%d contacts, planar %d, input %d (v from %d, contacts from %d): %.1e, "
                            "kink %d at %.1e\n",
                            problem->contact_count, problem->planar, j, inputs.v, inputs.contact,
                            off / all, (int)kinks[0].kind, kinks[0].distance);
            }
        }
    }
    /* reverse is the weighted sum of the rows; v+ = v- + W I */
    assert_true(carom_differentiate_reverse(problem, weight, weight, work, NULL, NULL, gradient) >=
                0);
    for (int j = 0; j < count; j++) {
        double sum = 0, all = 1e-300;
        for (int i = 0; i < m; i++) {
            double a = weight[i] * by_I[i * count + j], b = weight[i] * by_v[i * count + j];
            sum += a + b;
            all += fabs(a) + fabs(b);
        }
        assert_true(fabs(sum - gradient[j]) <= 1e-9 * all);
    }
    /* homogeneity in v */
    for (int i = 0; i < m; i++) {
        double sum = -I[i], all = size;
        for (int k = 0; k < m; k++) {
            sum += by_I[i * count + inputs.v + k] * problem->velocity[k];
            all += fabs(by_I[i * count + inputs.v + k] * problem->velocity[k]);
        }
        assert_true(fabs(sum) <= 1e-9 * all);
    }
    free(work);
    free(by_I);
    free(by_v);
    free(gradient);
}

static void differences_agree(void **state) {
    (void)state;
    static const ImpulseFamily families[] = {IMPULSE_PLANAR_MATRIX, IMPULSE_MATRIX, IMPULSE_BALLS,
                                             IMPULSE_CORNER};
    Errors errors = {0};
    int refused = 0, count = 8 + scaled(52);
    for (int i = 0; i < count; i++) {
        static MultipleProblem drawn;
        impulse_random(SEED, (uint64_t)i, families[i % 4], &drawn);
        CaromProblem problem = multiple_as_problem(&drawn);
        problem.model = CAROM_MODEL_RIGID;
        check_problem(&problem, &errors, &refused);
    }
    double median = errors_quantile(&errors, 0.5), worst = errors_quantile(&errors, 1);
    print_message("%d derivatives of %d problems: median %.1e, worst %.1e; %d refused\n",
                  errors.count, count, median, worst, refused);
    assert_true(errors.count > 6 * count);
    assert_true(median < MEDIAN_BOUND);
    assert_true(worst < WORST_BOUND);
    errors_free(&errors);
}

/* ---- redundant contacts ---- */

/* A change of motion and inertia, W += h W (X + X^T) W, v += h W x, and of mu, mu *= 1 + h c: for
 * W = J A J^T the contacts J stay where they are. */
typedef struct Direction {
    double X[MULTIPLE_ROWS * MULTIPLE_ROWS], x[MULTIPLE_ROWS], c[MULTIPLE_CONTACTS];
    double W[MULTIPLE_ROWS * MULTIPLE_ROWS], v[MULTIPLE_ROWS]; /* what is added, times h */
} Direction;

static void draw_direction(const CaromProblem *problem, int m, uint64_t index,
                           Direction *direction) {
    static double half[MULTIPLE_ROWS * MULTIPLE_ROWS];
    Random random = random_start(SEED + 1, index);
    const double *W = problem->inverse_inertia;
    for (int i = 0; i < m * m; i++) {
        direction->X[i] = random_between(&random, -1, 1) / m;
    }
    for (int i = 0; i < m; i++) {
        direction->x[i] = random_between(&random, -1, 1);
        direction->v[i] = 0;
    }
    for (int i = 0; i < problem->contact_count; i++) {
        direction->c[i] = random_between(&random, -1, 1);
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) {
            half[i * m + j] = 0;
            direction->v[i] += W[i * m + j] * direction->x[j];
            for (int k = 0; k < m; k++) {
                half[i * m + j] +=
                    W[i * m + k] * (direction->X[k * m + j] + direction->X[j * m + k]);
            }
        }
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k < m; k++) {
                sum += half[i * m + k] * W[k * m + j];
            }
            direction->W[i * m + j] = direction->W[j * m + i] = sum;
        }
    }
}

static CaromProblem moved_along(const CaromProblem *problem, int m, const Direction *direction,
                                double h, Shift *room) {
    for (int i = 0; i < m * m; i++) {
        room->W[i] = problem->inverse_inertia[i] + h * direction->W[i];
    }
    for (int i = 0; i < m; i++) {
        room->v[i] = problem->velocity[i] + h * direction->v[i];
    }
    for (int i = 0; i < problem->contact_count; i++) {
        room->contacts[i] = problem->contacts[i];
        room->contacts[i].mu *= 1 + h * direction->c[i];
    }
    CaromProblem out = *problem;
    out.inverse_inertia = room->W;
    out.velocity = room->v;
    out.contacts = room->contacts;
    return out;
}

/* The derivative of a row of a Jacobian along the direction. */
static double along(const CaromProblem *problem, const CaromInputs *inputs,
                    const Direction *direction, const double *row) {
    int m = inputs->rows;
    double sum = 0;
    for (int i = 0; i < m; i++) {
        for (int j = i; j < m; j++) {
            sum += row[carom_input_W(inputs, i, j)] * direction->W[i * m + j];
        }
        sum += row[inputs->v + i] * direction->v[i];
    }
    for (int i = 0; i < problem->contact_count; i++) {
        sum += row[carom_input_coefficient(inputs, i, CAROM_COEFFICIENT_MU)] *
               problem->contacts[i].mu * direction->c[i];
    }
    return sum;
}

/* What differences of four solves say. */
typedef struct Difference {
    double impulse[MULTIPLE_ROWS], velocity[MULTIPLE_ROWS];
    double bend; /* the largest change of a slope: curvature goes to 0 with h, a kink does not */
} Difference;

/* 0: the solver finds other solutions. */
static int difference_along(const CaromProblem *problem, int m, int solutions,
                            const Direction *direction, double h, Difference *difference) {
    static const double at[4] = {-2, -1, 1, 2};
    static Shift room;
    double I[4][MULTIPLE_ROWS], v[4][MULTIPLE_ROWS], bend = 0;
    for (int k = 0; k < 4; k++) {
        CaromProblem moved = moved_along(problem, m, direction, at[k] * h, &room);
        CaromResult result = {.impulse = I[k], .velocity = v[k]};
        if (carom_solve(&moved, NULL, &result) < 0 || result.solutions != solutions) {
            return 0;
        }
    }
    for (int i = 0; i < m; i++) {
        difference->impulse[i] = (8 * (I[2][i] - I[1][i]) - (I[3][i] - I[0][i])) / (12 * h);
        difference->velocity[i] = (8 * (v[2][i] - v[1][i]) - (v[3][i] - v[0][i])) / (12 * h);
        double before = v[1][i] - v[0][i], after = v[3][i] - v[2][i];
        bend = fmax(bend, fabs(after - before) / h);
        bend = fmax(bend, fabs((v[2][i] - v[1][i]) - (before + after)) / h);
    }
    difference->bend = bend;
    return 1;
}

/* Do the differences see a kink? */
static int sees_kink(const Difference *wide, const Difference *narrow) {
    return narrow->bend > 1e-4 && narrow->bend > 0.3 * wide->bend;
}

/* By how much a derivative is farther from the nearer difference than the two are apart: the longer
 * step has more curvature, the shorter one more of the error of a share that cones limit. */
static double beyond(double derivative, double first, double second) {
    double off = fmin(fabs(derivative - first), fabs(derivative - second));
    return fmax(off - fabs(first - second), 0);
}

typedef struct Redundant {
    Errors impulse, velocity;
    int count, differentiable, without_impulse, kinked;
    int off; /* problems whose impulses are beyond the bound */
} Redundant;

static void check_redundant(uint64_t index, ImpulseFamily family, Redundant *redundant) {
    static MultipleProblem drawn;
    static Direction direction;
    double I[MULTIPLE_ROWS], v[MULTIPLE_ROWS];
    Difference one, two;
    impulse_random(SEED + 2, index, family, &drawn);
    CaromProblem problem = multiple_as_problem(&drawn);
    problem.model = CAROM_MODEL_RIGID;
    CaromInputs inputs = carom_inputs(problem.contact_count, problem.planar);
    int m = inputs.rows, count = inputs.count;
    double *work = malloc(sizeof(double) * carom_derivative_workspace(problem.contact_count));
    double *jacobian = malloc(sizeof(double) * (size_t)(2 * m * count));
    double *velocity = jacobian + m * count, speed = 0, push = 0;
    CaromKink kink = {.distance = INFINITY};
    CaromDerivative derivative = {
        .impulse = jacobian, .velocity = velocity, .kinks = &kink, .kink_capacity = 1};
    CaromResult result = {.impulse = I, .velocity = v};
    CaromStatus status = carom_differentiate(&problem, work, &result, &derivative);
    int shares = status >= 0 && derivative.message[0];
    redundant->count += shares;
    redundant->differentiable += shares && !isnan(velocity[0]);
    redundant->without_impulse += shares && !isnan(velocity[0]) && isnan(jacobian[0]);
    if (shares && isnan(velocity[0])) {
        assert_int_equal(derivative.smoothness, CAROM_NOT_SMOOTH);
    }
    draw_direction(&problem, m, index, &direction);
    for (int i = 1; i < problem.contact_count && strstr(derivative.message, "all mu"); i++) {
        direction.c[i] = direction.c[0];
    }
    if (shares && !isnan(velocity[0]) && kink.distance > 1e-2) {
        if (difference_along(&problem, m, result.solutions, &direction, 1e-5, &one) &&
            difference_along(&problem, m, result.solutions, &direction, 1e-6, &two) &&
            !sees_kink(&one, &two)) {
            for (int i = 0; i < m; i++) {
                speed = fmax(speed, fmax(fabs(one.velocity[i]), fabs(problem.velocity[i])));
                push = fmax(push, fmax(fabs(one.impulse[i]), fabs(I[i])));
            }
            double worst = 0;
            for (int i = 0; i < m; i++) {
                double of_v = along(&problem, &inputs, &direction, velocity + i * count);
                double of_I = along(&problem, &inputs, &direction, jacobian + i * count);
                errors_add(&redundant->velocity,
                           beyond(of_v, one.velocity[i], two.velocity[i]) / speed);
                if (!isnan(of_I)) {
                    double off = beyond(of_I, one.impulse[i], two.impulse[i]) / push;
                    errors_add(&redundant->impulse, off);
                    worst = fmax(worst, off);
                }
            }
            redundant->off += worst > REDUNDANT_BOUND;
        } else {
            redundant->kinked++;
        }
    }
    free(work);
    free(jacobian);
}

/* Boxes, stacks and feet share their load in many ways: velocities have derivatives all the same,
 * along what bodies can do. */
static void redundant_contacts_agree(void **state) {
    (void)state;
    static const ImpulseFamily families[] = {IMPULSE_BOX,  IMPULSE_STACK_2, IMPULSE_STACK_3,
                                             IMPULSE_FEET, IMPULSE_BODY,    IMPULSE_PLANAR_BODY};
    Redundant redundant = {0};
    int count = 24 + scaled(240);
    for (int i = 0; i < count; i++) {
        check_redundant((uint64_t)i, families[i % 6], &redundant);
    }
    double worst_v = errors_quantile(&redundant.velocity, 1);
    double worst_I = errors_quantile(&redundant.impulse, 1);
    print_message(
        "%d of %d problems share the load: %d have derivatives of velocities, %d of them "
        "not of all impulses; %d numbers, worst %.1e; of impulses %d, worst %.1e, %d problems off; "
        "%d next to a kink\n",
        redundant.count, count, redundant.differentiable, redundant.without_impulse,
        redundant.velocity.count, worst_v, redundant.impulse.count, worst_I, redundant.off,
        redundant.kinked);
    assert_true(redundant.count > count / 4);
    assert_true(redundant.velocity.count > count);
    assert_true(redundant.kinked <= 1 + count / 500); /* 0 of 4824 */
    assert_true(worst_v < REDUNDANT_BOUND);
    assert_int_equal(redundant.off, 0);
    errors_free(&redundant.velocity);
    errors_free(&redundant.impulse);
}

/* ---- kinks ---- */

/* Which contacts push, as bits; -1: no answer. normal: I_n, or NULL. */
static int loaded_at(const CaromProblem *problem, int m, const Direction *direction, double h,
                     double normal[MULTIPLE_CONTACTS]) {
    static Shift room;
    double I[MULTIPLE_ROWS];
    int bits = 0, each = m / problem->contact_count;
    CaromProblem moved = moved_along(problem, m, direction, h, &room);
    CaromResult result = {.impulse = I};
    if (carom_solve(&moved, NULL, &result) < 0) {
        return -1;
    }
    for (int i = 0; i < problem->contact_count; i++) {
        normal[i] = I[each * (i + 1) - 1];
        bits |= (normal[i] > 1e-12) << i;
    }
    return bits;
}

/* The distance of the kink at which a contact takes up load, or loses it; NAN: not listed; -1:
 * there are no derivatives of all impulses. */
static double touch_distance(const CaromProblem *problem, int m, const Direction *direction,
                             double h, int contact, int happens) {
    static Shift room;
    double *work = malloc(sizeof(double) * carom_derivative_workspace(problem->contact_count));
    double distance = NAN;
    static double by_I[MULTIPLE_ROWS * (MULTIPLE_ROWS * (MULTIPLE_ROWS + 1) / 2 + MULTIPLE_ROWS +
                                        5 * MULTIPLE_CONTACTS)];
    CaromKink kinks[2 * MULTIPLE_CONTACTS];
    CaromDerivative derivative = {
        .impulse = by_I, .kinks = kinks, .kink_capacity = 2 * MULTIPLE_CONTACTS};
    CaromProblem moved = moved_along(problem, m, direction, h, &room);
    CaromStatus status = carom_differentiate(&moved, work, NULL, &derivative);
    for (int i = 0; i < derivative.kink_count && status >= 0; i++) {
        if (kinks[i].kind == CAROM_KINK_TOUCH && kinks[i].contact == contact &&
            kinks[i].happens == happens) {
            distance = kinks[i].distance;
        }
    }
    free(work);
    return status < 0 || derivative.smoothness == CAROM_NOT_SMOOTH ? -1 : distance;
}

/* Where one contact takes up load, or loses it, on the way along the direction: h and the contact.
 * 0: nowhere, or with a jump. */
static int find_load(const CaromProblem *problem, int m, const Direction *direction, double step,
                     double *h, int *contact, int happens[2]) {
    double low = 0, high = 0.02, one[MULTIPLE_CONTACTS], two[MULTIPLE_CONTACTS];
    int from = loaded_at(problem, m, direction, low, one), to = -1;
    for (int i = 0; i < 45; i++) {
        double middle = (low + high) / 2;
        int now = loaded_at(problem, m, direction, middle, one);
        to = now == from ? to : now;
        *(now == from ? &low : &high) = middle;
    }
    *contact = 0;
    while (*contact < problem->contact_count && (from ^ to) != 1 << *contact) {
        ++*contact;
    }
    if (from < 0 || to < 0 || *contact == problem->contact_count) {
        return 0;
    }
    for (int side = 0; side < 2; side++) {
        happens[side] = (side ? to : from) >> *contact & 1;
        step = happens[side] == side ? fabs(step) : -fabs(step); /* to where it has load */
    }
    if (loaded_at(problem, m, direction, low + step, one) != (happens[1] ? to : from) ||
        loaded_at(problem, m, direction, low + 2 * step, two) != (happens[1] ? to : from)) {
        return 0;
    }
    *h = low;
    return fabs(two[*contact] - 2 * one[*contact]) < 0.05 * one[*contact];
}

/* There a kink is listed on both sides where impulses have derivatives, and its distance falls to 0
 * in proportion. */
static int check_load(uint64_t index, ImpulseFamily family, int found[2]) {
    static MultipleProblem drawn;
    static Direction direction;
    const double step = 1e-5;
    double h;
    int contact, happens[2];
    impulse_random(SEED + 3, index, family, &drawn);
    CaromProblem problem = multiple_as_problem(&drawn);
    problem.model = CAROM_MODEL_RIGID;
    int m = carom_inputs(problem.contact_count, problem.planar).rows;
    draw_direction(&problem, m, index, &direction);
    if (!find_load(&problem, m, &direction, step, &h, &contact, happens)) {
        return 0;
    }
    for (int side = 0; side < 2; side++) {
        double by = side ? step : -step;
        double far = touch_distance(&problem, m, &direction, h + 2 * by, contact, happens[side]);
        double near = touch_distance(&problem, m, &direction, h + by, contact, happens[side]);
        if (fabs(far / near - 2) < 0.1 || far < 0 || near < 0) {
            found[happens[side]]++;
        } else {
            print_message("%d: %d contact %d, %d: %.2e %.2e\n", (int)index, (int)family, contact,
                          happens[side], far, near);
        }
    }
    return 1;
}

static void kinks_of_load_are_where_they_are_said_to_be(void **state) {
    (void)state;
    static const ImpulseFamily families[] = {IMPULSE_BOX, IMPULSE_BODY, IMPULSE_STACK_2,
                                             IMPULSE_PLANAR_BODY};
    int count = 100 + scaled(100), changes = 0, found[2] = {0, 0};
    for (int i = 0; i < count; i++) {
        changes += check_load((uint64_t)i, families[i % 4], found);
    }
    print_message("load of %d contacts changes: %d kinks without load, %d with\n", changes,
                  found[0], found[1]);
    assert_true(changes > count / 40);
    /* others: two contacts exchange their load, or it changes by 100 times its input */
    assert_true(found[0] >= changes - 1 - changes / 10 && found[1] >= changes - 1 - changes / 10);
}

/* Boxes that rest on each other while the lowest strikes: the speeds of the contacts between them
 * are rounding, and e max(-v_n-, 0) has its corner there. */
static void rest_is_a_kink(void **state) {
    (void)state;
    double *work = malloc(sizeof(double) * carom_derivative_workspace(MULTIPLE_CONTACTS));
    int found = 0;
    for (int i = 0; i < 100; i++) {
        static MultipleProblem drawn;
        double I[MULTIPLE_ROWS];
        CaromKink kink = {.distance = INFINITY};
        impulse_random(SEED, (uint64_t)i, IMPULSE_STACK_3, &drawn);
        CaromProblem problem = multiple_as_problem(&drawn);
        problem.model = CAROM_MODEL_RIGID;
        int n = problem.contact_count, rests = 0;
        CaromDerivative derivative = {.kinks = &kink, .kink_capacity = 1};
        CaromResult result = {.impulse = I};
        CaromStatus status = carom_differentiate(&problem, work, &result, &derivative);
        for (int k = 0; k < n && status >= 0; k++) {
            double v = problem.velocity[3 * k + 2];
            rests |= v != 0 && fabs(v) < 1e-15 && I[3 * k + 2] > 1e-6 && problem.contacts[k].e > 0;
        }
        if (rests && derivative.smoothness != CAROM_NOT_SMOOTH) {
            assert_true(kink.kind == CAROM_KINK_TOUCH && kink.distance == 0);
            found++;
        }
    }
    print_message("%d of 100 stacks\n", found);
    assert_true(found > 3); /* 7 */
    free(work);
}

/* A box on four corners whose redundancy is disturbed a little: the derivatives are finite but
 * without digits, or there are none. */
static void nearly_redundant_contacts_are_refused_or_right(void **state) {
    (void)state;
    double *work = malloc(sizeof(double) * carom_derivative_workspace(4)), by_I[12 * 110];
    int refused = 0;
    for (int i = 0; i < 200; i++) {
        static MultipleProblem drawn;
        double I[12], size = 0;
        impulse_random(SEED, (uint64_t)(i / 10), IMPULSE_BOX, &drawn);
        for (int k = 0; k < 12; k++) {
            drawn.W[13 * k] *= 1 + ldexp(1 + k % 5, -20 - 3 * (i % 10));
        }
        CaromProblem problem = multiple_as_problem(&drawn);
        problem.model = CAROM_MODEL_RIGID;
        CaromDerivative derivative = {.impulse = by_I};
        CaromResult result = {.impulse = I};
        CaromStatus status = carom_differentiate(&problem, work, &result, &derivative);
        int none = status < 0 || derivative.smoothness == CAROM_NOT_SMOOTH;
        refused += none;
        for (int k = 0; k < 12 && !none; k++) {
            size = fmax(size, fabs(I[k]));
        }
        for (int k = 0; k < 12 && !none; k++) {
            double sum = -I[k];
            for (int j = 0; j < 12; j++) {
                sum += by_I[k * 110 + 78 + j] * problem.velocity[j];
            }
            assert_true(fabs(sum) <= 2e-8 * size);
        }
    }
    print_message("%d of 200 refused\n", refused);
    assert_true(refused > 20 && refused < 180);
    free(work);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_agree),
        cmocka_unit_test(redundant_contacts_agree),
        cmocka_unit_test(kinks_of_load_are_where_they_are_said_to_be),
        cmocka_unit_test(rest_is_a_kink),
        cmocka_unit_test(nearly_redundant_contacts_are_refused_or_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
