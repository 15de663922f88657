/* Impacts of a MuJoCo model by carom, beside MuJoCo's own soft contacts: the energy of both.
 *
 *   mujoco MODEL.xml [TABLE.csv]
 *
 * Each step, contacts that would touch within it are one strike: M from mj_fullM(), a Jacobian of
 * three rows per contact from mj_jac(), and the speeds after go back to qvel. The model has margin
 * = gap, so MuJoCo lists contacts before they touch and does not push at them; for carom the gap is
 * wider still, so that it does not push at rounding and the error of a step either. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <carom/carom.h>
#include <mujoco/mujoco.h>

enum { SPEEDS_MAX = 32, CONTACTS_MAX = 16, STEPS = 4000, ROWS = 400 };

static const double MU = 0.4, E = 0.8;

/* Slower contacts do not bounce: the bounces of a body that comes to rest have no end. */
static const double REST_SPEED = 0.05;

typedef struct Impacts {
    int count;       /* strikes so far */
    int failed;      /* without a solution, even with e = 0 */
    double gain;     /* largest rise of the kinetic energy in a strike, relative; else 0 */
    double friction; /* largest tangential over normal impulse */
} Impacts;

/* Rows t1, t2, n of a contact: the second geom's velocity relative to the first's, along the
 * contact's axes. MuJoCo's normal, the first axis, points from the first geom to the second. */
static void contact_jacobian(const mjModel *model, mjData *data, const mjContact *contact,
                             double *J) {
    int n = model->nv;
    mjtNum first[3 * SPEEDS_MAX], second[3 * SPEEDS_MAX];
    mj_jac(model, data, first, NULL, contact->pos, model->geom_bodyid[contact->geom1]);
    mj_jac(model, data, second, NULL, contact->pos, model->geom_bodyid[contact->geom2]);
    for (int row = 0; row < 3; row++) {
        const mjtNum *axis = &contact->frame[3 * ((row + 1) % 3)];
        for (int j = 0; j < n; j++) {
            J[row * n + j] = 0;
            for (int k = 0; k < 3; k++) {
                J[row * n + j] += axis[k] * (second[k * n + j] - first[k * n + j]);
            }
        }
    }
}

static double normal_velocity(const double *J, const double *u, int n) {
    double sum = 0;
    for (int j = 0; j < n; j++) {
        sum += J[2 * n + j] * u[j];
    }
    return sum;
}

/* The contacts that touch within the step, with their coefficients. */
static int find_contacts(const mjModel *model, mjData *data, double *J, CaromContact *contacts) {
    int count = 0, n = model->nv;
    for (int i = 0; i < data->ncon && count < CONTACTS_MAX; i++) {
        double *rows = &J[3 * n * count];
        contact_jacobian(model, data, &data->contact[i], rows);
        double v = normal_velocity(rows, data->qvel, n);
        if (v < 0 && data->contact[i].dist + v * model->opt.timestep < 0) {
            contacts[count++] = (CaromContact){.mu = MU, .e = v < -REST_SPEED ? E : 0};
        }
    }
    return count;
}

/* Largest tangential over normal impulse. */
static double largest_friction(const double *impulse, int count) {
    double largest = 0;
    for (int i = 0; i < count; i++) {
        const double *I = &impulse[3 * i];
        largest = I[2] > 0 ? fmax(largest, hypot(I[0], I[1]) / I[2]) : largest;
    }
    return largest;
}

static void strike(const mjModel *model, mjData *data, Impacts *impacts) {
    static double M[SPEEDS_MAX * SPEEDS_MAX], J[3 * CONTACTS_MAX * SPEEDS_MAX];
    CaromContact contacts[CONTACTS_MAX];
    double impulse[3 * CONTACTS_MAX];
    int n = model->nv, count = find_contacts(model, data, J, contacts);
    if (count == 0) {
        return;
    }
    mj_fullM(model, M, data->qM);
    double before = carom_system_energy(n, M, data->qvel);
    CaromStrike what = {
        .speed_count = n, .contact_count = count, .M = M, .J = J, .contacts = contacts};
    CaromResult result = {.impulse = impulse};
    CaromStatus status = carom_strike_solve(&what, data->qvel, NULL, &result);
    if (status == CAROM_NO_SOLUTION) { /* several contacts with e > 0 need not have one */
        for (int i = 0; i < count; i++) {
            contacts[i].e = 0;
        }
        status = carom_strike_solve(&what, data->qvel, NULL, &result);
    }
    impacts->count++;
    impacts->failed += status < 0;
    if (status >= 0) {
        double after = carom_system_energy(n, M, data->qvel);
        impacts->gain = fmax(impacts->gain, (after - before) / before);
        impacts->friction = fmax(impacts->friction, largest_friction(impulse, count));
    }
}

static double energy(const mjData *data) {
    return data->energy[0] + data->energy[1];
}

/* Contacts are listed, but do not push. */
static mjModel *without_push(const mjModel *model) {
    mjModel *copy = mj_copyModel(NULL, model);
    for (int i = 0; i < copy->ngeom; i++) {
        copy->geom_gap[i] = copy->geom_margin[i] + 0.01; /* far deeper than a step can go */
    }
    return copy;
}

/* Fall and bounce, once with each; a table of both energies. */
static Impacts simulate(const mjModel *model, FILE *table) {
    mjModel *hard = without_push(model);
    mjData *ours = mj_makeData(hard), *soft = mj_makeData(model);
    Impacts impacts = {0};
    double lowest = 0;
    fprintf(table, "time,carom,mujoco\n");
    for (int step = 0; step < STEPS; step++) {
        mj_step1(hard, ours);
        strike(hard, ours, &impacts);
        mj_forward(hard, ours);
        for (int i = 0; i < ours->ncon; i++) {
            lowest = fmin(lowest, ours->contact[i].dist);
        }
        mj_step2(hard, ours);
        mj_step(model, soft);
        if (step % (STEPS / ROWS) == 0) {
            fprintf(table, "%g,%.9g,%.9g\n", ours->time, energy(ours), energy(soft));
        }
    }
    printf("%d strikes; energy after %g s: carom %.3f J, MuJoCo's soft contact %.3f J\n",
           impacts.count, ours->time, energy(ours), energy(soft));
    printf("carom: largest gain of a strike %.1e, friction at most %.6f of the normal impulse, "
           "deepest penetration %.1e m\n",
           impacts.gain, impacts.friction, -lowest);
    mj_deleteData(ours);
    mj_deleteData(soft);
    mj_deleteModel(hard);
    return impacts;
}

int main(int argc, char **argv) {
    char error[500] = "";
    if (argc < 2) {
        fprintf(stderr, "usage: mujoco MODEL.xml [TABLE.csv]\n");
        return 2;
    }
    mjModel *model = mj_loadXML(argv[1], NULL, error, sizeof error);
    FILE *table = fopen(argc > 2 ? argv[2] : "/dev/null", "w");
    if (!model || !table || model->nv > SPEEDS_MAX) {
        fprintf(stderr, "mujoco: cannot use the model or write the table: %s\n", error);
        return 2;
    }
    Impacts impacts = simulate(model, table);
    mj_deleteModel(model);
    /* every strike is solved, none creates energy, and friction stays in the cone */
    int good = fclose(table) == 0 && impacts.count > 0 && impacts.failed == 0 &&
               impacts.gain < 1e-12 && impacts.friction < MU * (1 + 1e-9);
    return good ? 0 : 1;
}
