/* Mechanisms in generalised coordinates: the reference scenes, dense algebra in long double, a free
 * body written as a mechanism, the energy identity, and refusals. */
#include <carom/carom.h>

#include <float.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/math/random.h"

enum { SEED = 991, SIZE = 300, ROWS = 9 };

/* ---- the reference scenes ---- */

static void read_numbers(const json_t *array, double *out) {
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *item = json_array_get(array, i);
        if (json_is_array(item)) {
            read_numbers(item, out + i * json_array_size(item));
        } else {
            out[i] = json_number_value(item);
        }
    }
}

static double number_or(const json_t *object, const char *key, double otherwise) {
    const json_t *value = json_object_get(object, key);
    return value ? json_number_value(value) : otherwise;
}

/* One scene of the file from M and J to the speeds after; the larger relative error of impulse and
 * speeds. */
static double scene_error(const json_t *item) {
    const json_t *scene = json_object_get(item, "scene"),
                 *system = json_object_get(scene, "system");
    const json_t *contact = json_array_get(json_object_get(scene, "contacts"), 0);
    double M[64], u[8], J[24], L[64], R[24], W[9], v[3], impulse[3], expected[3], after[8];
    int n = (int)json_array_size(json_object_get(system, "velocity"));
    int m = (int)json_array_size(json_object_get(contact, "jacobian"));
    assert_true(n <= 8 && m <= 3);
    assert_string_equal(json_string_value(json_object_get(scene, "restitution")), "energetic");
    read_numbers(json_object_get(system, "mass_matrix"), M);
    read_numbers(json_object_get(system, "velocity"), u);
    read_numbers(json_object_get(contact, "jacobian"), J);
    read_numbers(json_object_get(item, "impulse"), expected);
    read_numbers(json_object_get(item, "velocity"), after);
    CaromContact coefficients = carom_contact_default();
    coefficients.mu = number_or(contact, "mu", 0);
    coefficients.mu_static = number_or(contact, "mu_static", 0);
    coefficients.e = number_or(contact, "e", 1);
    CaromProblem problem = {.contact_count = 1,
                            .inverse_inertia = W,
                            .velocity = v,
                            .contacts = &coefficients,
                            .planar = m == 2};
    CaromResult result = {.impulse = impulse};
    assert_int_equal(carom_system_responses(n, M, m, J, L, R, NULL), CAROM_OK);
    assert_int_equal(carom_system_contact_space(n, m, J, R, u, W, v, NULL), CAROM_OK);
    assert_int_equal(carom_solve(&problem, NULL, &result), CAROM_OK);
    assert_string_equal(result.sequence, json_string_value(json_object_get(item, "sequence")));
    double before = carom_system_energy(n, M, u);
    carom_system_apply(n, m, R, impulse, u);
    check_close(carom_system_energy(n, M, u) - before, result.energy.change, 1e-13 * before);
    double error = 0, size = 0, speed_error = 0, speed = 0;
    for (int i = 0; i < m; i++) {
        error = larger(error, fabs(impulse[i] - expected[i]));
        size = larger(size, fabs(expected[i]));
    }
    for (int i = 0; i < n; i++) {
        speed_error = larger(speed_error, fabs(u[i] - after[i]));
        speed = larger(speed, fabs(after[i]));
    }
    return fmax(error / size, speed_error / speed);
}

/* Measured: 9.8e-14. */
static void reference_scenes(void **state) {
    (void)state;
    json_t *scenes = json_load_file(CAROM_SOURCE_DIR "/test/reference/system.json", 0, NULL);
    assert_true(json_array_size(scenes) == 14);
    double worst = 0;
    for (size_t i = 0; i < json_array_size(scenes); i++) {
        worst = larger(worst, scene_error(json_array_get(scenes, i)));
    }
    print_message("largest error %.2e\n", worst);
    json_decref(scenes);
    assert_true(worst <= 1e-12);
}

/* ---- dense algebra ---- */

typedef struct Mechanism {
    int n, m;
    double M[SIZE * SIZE], L[SIZE * SIZE], J[ROWS * SIZE], R[ROWS * SIZE], u[SIZE];
    double W[ROWS * ROWS], v[ROWS];
} Mechanism;

/* M = A A^T + shift, entries of A in [-1, 1]. */
static void random_mechanism(uint64_t index, int n, int m, double shift, Mechanism *mechanism) {
    static double A[SIZE * SIZE];
    Random random = random_start(SEED, index);
    mechanism->n = n;
    mechanism->m = m;
    for (int i = 0; i < n * n; i++) {
        A[i] = 2 * random_uniform(&random) - 1;
    }
    for (int i = 0; i < n; i++) {
        mechanism->u[i] = 2 * random_uniform(&random) - 1;
        for (int j = 0; j <= i; j++) {
            double sum = i == j ? shift : 0;
            for (int k = 0; k < n; k++) {
                sum += A[i * n + k] * A[j * n + k];
            }
            mechanism->M[i * n + j] = mechanism->M[j * n + i] = sum;
        }
    }
    for (int i = 0; i < m * n; i++) {
        mechanism->J[i] = 2 * random_uniform(&random) - 1;
    }
}

static void find_space(Mechanism *a) {
    const char *message = NULL;
    assert_int_equal(carom_system_responses(a->n, a->M, a->m, a->J, a->L, a->R, &message),
                     CAROM_OK);
    assert_string_equal(message, "");
    assert_int_equal(carom_system_contact_space(a->n, a->m, a->J, a->R, a->u, a->W, a->v, &message),
                     CAROM_OK);
    assert_string_equal(message, "");
}

/* x = M^-1 b by elimination with row exchanges, in long double. */
static void solve_dense(const Mechanism *a, const double *b, long double *x) {
    static long double T[SIZE * (SIZE + 1)];
    int n = a->n, width = n + 1;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            T[i * width + j] = a->M[i * n + j];
        }
        T[i * width + n] = b[i];
    }
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++) {
            pivot = fabsl(T[i * width + k]) > fabsl(T[pivot * width + k]) ? i : pivot;
        }
        for (int j = k; j <= n; j++) {
            long double swap = T[k * width + j];
            T[k * width + j] = T[pivot * width + j];
            T[pivot * width + j] = swap;
        }
        for (int i = k + 1; i < n; i++) {
            long double factor = T[i * width + k] / T[k * width + k];
            for (int j = k; j <= n; j++) {
                T[i * width + j] -= factor * T[k * width + j];
            }
        }
    }
    for (int i = n; i-- > 0;) {
        x[i] = T[i * width + n];
        for (int j = i + 1; j < n; j++) {
            x[i] -= T[i * width + j] * x[j];
        }
        x[i] /= T[i * width + i];
    }
}

/* W and v against elimination in long double, relative to sqrt(W_ii W_jj). Measured: 7.5e-15 with n
 * to 60, 1.3e-15 with n = 300. */
static double dense_error(const Mechanism *a) {
    static long double x[SIZE];
    double worst = 0;
    for (int j = 0; j < a->m; j++) {
        solve_dense(a, a->J + j * a->n, x);
        for (int i = 0; i < a->m; i++) {
            long double sum = 0;
            for (int k = 0; k < a->n; k++) {
                sum += a->J[i * a->n + k] * x[k];
            }
            double scale = sqrt(a->W[i * a->m + i] * a->W[j * a->m + j]);
            worst = larger(worst, (double)fabsl(a->W[i * a->m + j] - sum) / scale);
        }
        long double speed = 0, size = 0;
        for (int k = 0; k < a->n; k++) {
            speed += (long double)a->J[j * a->n + k] * a->u[k];
            size += fabsl((long double)a->J[j * a->n + k] * a->u[k]);
        }
        worst = larger(worst, (double)(fabsl(a->v[j] - speed) / size));
    }
    return worst;
}

static void dense_algebra(void **state) {
    (void)state;
    Mechanism *a = malloc(sizeof *a);
    assert_non_null(a);
    double worst = 0;
    for (int i = 0; i < 60; i++) {
        random_mechanism((uint64_t)i, 1 + i, 1 + i % ROWS, 0.1, a);
        find_space(a);
        worst = larger(worst, dense_error(a));
        for (int k = 0; k < a->m * a->m; k++) {
            assert_true(a->W[k] == a->W[k % a->m * a->m + k / a->m]);
        }
    }
    random_mechanism(1000, SIZE, ROWS, 1, a);
    find_space(a);
    double large = dense_error(a);
    print_message("n <= 60: %.2e, n = %d: %.2e\n", worst, SIZE, large);
    free(a);
    assert_true(worst <= 1e-13 && large <= 1e-13);
}

/* dT = I.(v- + v+)/2, and v+ = J u+ = v- + W I, for any impulse. Measured: 2e-15, 9e-16. */
static void energy_identity(void **state) {
    (void)state;
    Mechanism *a = malloc(sizeof *a);
    assert_non_null(a);
    double worst_energy = 0, worst_speed = 0;
    for (int i = 0; i < 100; i++) {
        random_mechanism((uint64_t)i + 100, 2 + i % 40, 6, 1, a);
        find_space(a);
        Random random = random_start(SEED + 1, (uint64_t)i);
        double impulse[6], before = carom_system_energy(a->n, a->M, a->u), work = 0, size = before;
        for (int k = 0; k < 6; k++) {
            impulse[k] = 20 * random_uniform(&random) - 10;
        }
        carom_system_apply(a->n, 6, a->R, impulse, a->u);
        for (int k = 0; k < 6; k++) {
            double after = 0, expected = a->v[k], scale = fabs(a->v[k]);
            for (int l = 0; l < a->n; l++) {
                after += a->J[k * a->n + l] * a->u[l];
            }
            for (int l = 0; l < 6; l++) {
                expected += a->W[6 * k + l] * impulse[l];
                scale += fabs(a->W[6 * k + l] * impulse[l]);
            }
            worst_speed = larger(worst_speed, fabs(after - expected) / scale);
            work += impulse[k] * (a->v[k] + after) / 2;
            size += fabs(impulse[k] * (a->v[k] + after) / 2);
        }
        double change = carom_system_energy(a->n, a->M, a->u) - before;
        worst_energy = larger(worst_energy, fabs(change - work) / size);
    }
    print_message("energy %.2e, speed %.2e\n", worst_energy, worst_speed);
    free(a);
    assert_true(worst_energy <= 2e-14 && worst_speed <= 2e-14);
}

/* ---- a free body as a mechanism of six speeds ---- */

/* Measured: W 9e-16, v 0, speeds after 4e-16. */
static void free_body(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 200; i++) {
        Random random = random_start(SEED + 2, i);
        CaromBody bodies[2] = {carom_body_default(), carom_body_fixed()};
        CaromBody *body = &bodies[0];
        CaromSite site = {.first = 0, .second = 1};
        body->mass = random_log(&random, 0.1, 10);
        for (int k = 0; k < 3; k++) {
            body->inertia[4 * k] = 1 + random_uniform(&random);
            body->position[k] = random_uniform(&random);
            body->velocity[k] = 2 * random_uniform(&random) - 1;
            body->angular_velocity[k] = 2 * random_uniform(&random) - 1;
            site.point[k] = 2 * random_uniform(&random) - 1;
            site.normal[k] = 2 * random_uniform(&random) - 1;
        }
        body->inertia[1] = body->inertia[3] = 0.2;
        double frame[9], W[9], v[3], M[36] = {0}, J[18], L[36], R[18], W2[9], v2[3], u[6];
        carom_site_frame(&site, frame, NULL);
        assert_int_equal(carom_bodies_contact_space(bodies, 2, &site, 1, W, v, NULL), CAROM_OK);
        /* speeds: of the centre, and angular; rows f_k and r x f_k */
        for (int k = 0; k < 3; k++) {
            M[7 * k] = body->mass;
            u[k] = body->velocity[k];
            u[3 + k] = body->angular_velocity[k];
            for (int l = 0; l < 3; l++) {
                M[6 * (3 + k) + 3 + l] = body->inertia[3 * k + l];
            }
            double r[3], *row = J + 6 * k;
            const double *f = frame + 3 * k;
            for (int l = 0; l < 3; l++) {
                r[l] = site.point[l] - body->position[l];
                row[l] = f[l];
            }
            row[3] = r[1] * f[2] - r[2] * f[1];
            row[4] = r[2] * f[0] - r[0] * f[2];
            row[5] = r[0] * f[1] - r[1] * f[0];
        }
        assert_int_equal(carom_system_responses(6, M, 3, J, L, R, NULL), CAROM_OK);
        assert_int_equal(carom_system_contact_space(6, 3, J, R, u, W2, v2, NULL), CAROM_OK);
        const double impulse[3] = {0.3, -0.7, 1.1};
        carom_bodies_apply(bodies, &site, 1, impulse);
        carom_system_apply(6, 3, R, impulse, u);
        for (int k = 0; k < 9; k++) {
            check_close(W2[k], W[k], 4e-15 * (W[0] + W[4] + W[8]));
        }
        for (int k = 0; k < 3; k++) {
            check_close(v2[k], v[k], 4e-15);
            check_close(u[k], body->velocity[k], 4e-15 * (1 + 2 / body->mass));
            check_close(u[3 + k], body->angular_velocity[k], 1e-14);
        }
        check_close(carom_system_energy(6, M, u), carom_body_energy(body),
                    1e-14 * carom_body_energy(body));
    }
}

/* Responses from elsewhere (here: a diagonal M) are as good as those of the library. */
static void own_responses(void **state) {
    (void)state;
    const double J[6] = {1, 2, 3, -1, 0, 1}, M[9] = {2, 0, 0, 0, 4, 0, 0, 0, 8};
    const double u[3] = {1, 1, -1};
    double L[9], R[6], own[6], W[4], W2[4], v[2];
    for (int i = 0; i < 6; i++) {
        own[i] = J[i] / M[4 * (i % 3)];
    }
    carom_system_responses(3, M, 2, J, L, R, NULL);
    carom_system_contact_space(3, 2, J, R, NULL, W, NULL, NULL);
    assert_int_equal(carom_system_contact_space(3, 2, J, own, NULL, W2, NULL, NULL), CAROM_OK);
    assert_int_equal(carom_system_contact_space(3, 2, J, NULL, u, NULL, v, NULL), CAROM_OK);
    for (int i = 0; i < 4; i++) {
        check_close(W[i], W2[i], 1e-15);
    }
    assert_true(v[0] == 0 && v[1] == -2);
}

/* ---- refused ---- */

static void check_responses_refused(int n, const double *M, int m, const double *J,
                                    const char *word) {
    double L[16], R[8];
    const char *message = "";
    for (int i = 0; i < 8; i++) {
        R[i] = 7;
    }
    assert_int_equal(carom_system_responses(n, M, m, J, L, R, &message), CAROM_INVALID_INPUT);
    if (strstr(message, word) == NULL) {
        fail_msg("\"%s\" does not name \"%s\"", message, word);
    }
    for (int i = 0; i < n * m; i++) {
        assert_true(isnan(R[i]));
    }
    assert_int_equal(carom_system_responses(n, M, m, J, L, R, NULL), CAROM_INVALID_INPUT);
}

static void responses_refused(void **state) {
    (void)state;
    static const double J[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const double good[4] = {2, 1, 1, 2};
    static const struct {
        double M[4];
        const char *word;
    } bad[] = {
        {{NAN, 1, 1, 2}, "mass_matrix"},
        {{2, INFINITY, 1, 2}, "mass_matrix"},
        {{2, 1, 1.001, 2}, "not symmetric"},
        {{2, 2, 2, 2}, "not positive definite"},
        {{2, 3, 3, 2}, "not positive definite"},
        {{0, 0, 0, 1}, "not positive definite"},
        {{1, 0, 0, -1}, "not positive definite"},
        {{1, 1, 1, 1 + DBL_EPSILON}, "not positive definite"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        check_responses_refused(2, bad[i].M, 2, J, bad[i].word);
    }
    double J2[4] = {1, 2, 3, NAN};
    check_responses_refused(2, good, 2, J2, "jacobian");
    check_responses_refused(0, good, 2, J, "mass_matrix");
    check_responses_refused(2, good, 0, J, "jacobian");
    static const double tiny[4] = {1e-300, 0, 0, 1e-300}, huge[4] = {1e20, 0, 0, 1e20};
    check_responses_refused(2, tiny, 2, huge, "range");
    /* nine digits are enough symmetry, and units of the coordinates do not matter */
    double L[4], R[4];
    static const double copied[4] = {2, 1.0000000001, 1, 2}, units[4] = {1e-20, 0.5, 0.5, 1e20};
    assert_int_equal(carom_system_responses(2, copied, 2, J, L, R, NULL), CAROM_OK);
    assert_int_equal(carom_system_responses(2, units, 2, J, L, R, NULL), CAROM_OK);
}

static void contact_space_refused(void **state) {
    (void)state;
    static const double bad[] = {NAN, INFINITY, 1e300};
    static const char *const words[] = {"jacobian", "responses", "velocity"};
    for (int which = 0; which < 3; which++) {
        for (int k = 0; k < 3; k++) {
            double J[4] = {1, 2, 3, 4}, R[4] = {1, 2, 3, 4}, u[2] = {1, 2}, W[4], v[2];
            double *target[3] = {J, R, u};
            const char *message = "";
            target[which][1] = bad[k];
            if (k == 2) { /* finite, but the products are not */
                J[1] = R[1] = u[1] = 1e200;
            }
            assert_int_equal(carom_system_contact_space(2, 2, J, R, u, W, v, &message),
                             CAROM_INVALID_INPUT);
            assert_non_null(strstr(message, k == 2 ? "range" : words[which]));
            for (int i = 0; i < 4; i++) {
                assert_true(isnan(W[i]) && isnan(v[i % 2]));
            }
        }
    }
    double W[1] = {7};
    assert_int_equal(carom_system_contact_space(0, 1, NULL, NULL, NULL, W, NULL, NULL),
                     CAROM_INVALID_INPUT);
    assert_true(isnan(W[0]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_scenes),      cmocka_unit_test(dense_algebra),
        cmocka_unit_test(energy_identity),       cmocka_unit_test(free_body),
        cmocka_unit_test(own_responses),         cmocka_unit_test(responses_refused),
        cmocka_unit_test(contact_space_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
