#include "support/impulse/random.h"

#include <math.h>
#include <string.h>

static double between(Random *random, double low, double high) {
    return low + (high - low) * random_uniform(random);
}

static int some(Random *random, int low, int high) {
    return low + (int)(random_bits(random) % (uint64_t)(high - low + 1));
}

static int chance(Random *random, double probability) {
    return random_uniform(random) < probability;
}

static void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void unit(double a[3]) {
    double size = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    for (int i = 0; i < 3; i++) {
        a[i] /= size;
    }
}

/* ---- mechanisms ---- */

void impulse_assemble(const ImpulseMechanism *mechanism, MultipleProblem *problem) {
    int rows = multiple_rows(problem), n = mechanism->twists;
    for (int i = 0; i < rows; i++) {
        double R[24] = {0};
        problem->v[i] = 0;
        for (int a = 0; a < n; a++) {
            problem->v[i] += mechanism->J[i][a] * mechanism->u[a];
            for (int b = 0; b < n; b++) {
                R[a] += mechanism->A[a][b] * mechanism->J[i][b];
            }
        }
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int a = 0; a < n; a++) {
                sum += R[a] * mechanism->J[j][a];
            }
            problem->W[i * rows + j] = problem->W[j * rows + i] = sum;
        }
    }
}

static void frame(const double n[3], double axes[3][3]) {
    double along[3] = {fabs(n[0]) < 0.6, fabs(n[0]) >= 0.6, 0};
    cross(n, along, axes[0]);
    unit(axes[0]);
    cross(n, axes[0], axes[1]);
    memcpy(axes[2], n, sizeof axes[2]);
}

static void add_side(double row[24], int body, double sign, const double r[3],
                     const double axis[3]) {
    double angular[3];
    cross(r, axis, angular);
    for (int c = 0; c < 3; c++) {
        row[6 * body + c] += sign * axis[c];
        row[6 * body + 3 + c] += sign * angular[c];
    }
}

void impulse_contact(ImpulseMechanism *mechanism, MultipleProblem *problem, int first,
                     const double r1[3], int second, const double r2[3], const double n[3]) {
    double axes[3][3];
    frame(n, axes);
    for (int k = 0; k < 3; k++) {
        double *row = mechanism->J[3 * problem->count + k];
        memset(row, 0, sizeof mechanism->J[0]);
        add_side(row, first, 1, r1, axes[k]);
        if (second >= 0) {
            add_side(row, second, -1, r2, axes[k]);
        }
    }
    problem->count++;
}

static void add_body(ImpulseMechanism *mechanism, double mass, const double inertia[3]) {
    for (int c = 0; c < 3; c++) {
        mechanism->A[mechanism->twists + c][mechanism->twists + c] = 1 / mass;
        mechanism->A[mechanism->twists + 3 + c][mechanism->twists + 3 + c] = 1 / inertia[c];
    }
    mechanism->twists += 6;
}

static void add_box(ImpulseMechanism *mechanism, double mass, const double half[3]) {
    double inertia[3];
    for (int c = 0; c < 3; c++) {
        double a = half[(c + 1) % 3], b = half[(c + 2) % 3];
        inertia[c] = mass * (a * a + b * b) / 3;
    }
    add_body(mechanism, mass, inertia);
}

/* ---- families ---- */

static const double UP[3] = {0, 0, 1};

static void matrix(Random *random, int rank, MultipleProblem *problem) {
    int rows = multiple_rows(problem), full = rank >= rows;
    ImpulseMechanism mechanism = {.twists = full ? rows : rank};
    for (int a = 0; a < mechanism.twists; a++) {
        mechanism.A[a][a] = 1;
        mechanism.u[a] = between(random, -1, 1);
        for (int i = 0; i < rows; i++) {
            mechanism.J[i][a] = between(random, -1, 1);
        }
    }
    impulse_assemble(&mechanism, problem);
    for (int i = 0; i < rows && full; i++) {
        problem->W[i * (rows + 1)] += 0.05;
    }
}

static void planar_body(Random *random, MultipleProblem *problem) {
    ImpulseMechanism mechanism = {.twists = 3};
    double height = between(random, 0.2, 2), aligned = chance(random, 0.5);
    problem->count = some(random, 2, 4);
    mechanism.A[0][0] = mechanism.A[1][1] = 1;
    mechanism.A[2][2] = random_log(random, 0.5, 30);
    for (int a = 0; a < 3; a++) {
        mechanism.u[a] = between(random, -1, 1);
    }
    for (int i = 0; i < problem->count; i++) {
        double x = between(random, -1, 1), y = aligned ? -height : between(random, -1, 1);
        double n[3] = {aligned ? 0 : between(random, -1, 1), aligned ? 1 : between(random, 0, 1),
                       0};
        unit(n);
        double *t = mechanism.J[2 * i], *normal = mechanism.J[2 * i + 1];
        t[0] = n[1];
        t[1] = -n[0];
        t[2] = x * t[1] - y * t[0];
        normal[0] = n[0];
        normal[1] = n[1];
        normal[2] = x * n[1] - y * n[0];
    }
    impulse_assemble(&mechanism, problem);
}

static void random_speeds(Random *random, ImpulseMechanism *mechanism, double spin) {
    for (int a = 0; a < mechanism->twists; a++) {
        mechanism->u[a] = between(random, -1, 1) * (a % 6 < 3 ? 1 : spin);
    }
}

static void body(Random *random, MultipleProblem *problem) {
    ImpulseMechanism mechanism = {0};
    double inertia[3], height = between(random, 0.1, 1.5);
    for (int c = 0; c < 3; c++) {
        inertia[c] = random_log(random, 0.05, 1);
    }
    add_body(&mechanism, 1, inertia);
    random_speeds(random, &mechanism, chance(random, 0.3) ? 0 : 1);
    int count = some(random, 2, 6);
    for (int i = 0; i < count; i++) {
        double r[3] = {between(random, -1, 1), between(random, -1, 1), -height};
        impulse_contact(&mechanism, problem, 0, r, -1, NULL, UP);
    }
    impulse_assemble(&mechanism, problem);
}

static void boxes(Random *random, int count, MultipleProblem *problem) {
    ImpulseMechanism mechanism = {0};
    double below = 0, half[3] = {between(random, 0.1, 1), between(random, 0.1, 1), 0};
    int spinning = chance(random, 0.6), together = chance(random, 0.5);
    for (int i = 0; i < count; i++) {
        half[2] = between(random, 0.05, 0.6);
        add_box(&mechanism, chance(random, 0.3) ? 1 : random_log(random, 0.2, 5), half);
        for (int corner = 0; corner < 4; corner++) {
            double x = corner & 1 ? half[0] : -half[0], y = corner & 2 ? half[1] : -half[1];
            double r1[3] = {x, y, -half[2]}, r2[3] = {x, y, below};
            impulse_contact(&mechanism, problem, i, r1, i - 1, r2, UP);
        }
        below = half[2];
    }
    random_speeds(random, &mechanism, spinning);
    for (int a = 6; a < mechanism.twists; a++) {
        mechanism.u[a] = together ? mechanism.u[a % 6] : mechanism.u[a];
    }
    mechanism.u[6 * (count - 1) + 2] -= 1;
    impulse_assemble(&mechanism, problem);
}

/* Twists of the two feet; the mechanism above them couples all twelve. */
static void feet(Random *random, MultipleProblem *problem) {
    ImpulseMechanism mechanism = {.twists = 12};
    double B[12][12], length = between(random, 0.15, 0.3), width = between(random, 0.05, 0.12);
    for (int a = 0; a < 12; a++) {
        for (int b = 0; b < 12; b++) {
            B[a][b] = 0.3 * between(random, -1, 1) + (a == b);
            B[a][b] *= a % 6 < 3 ? 0.3 : 3;
        }
    }
    for (int a = 0; a < 12; a++) {
        for (int b = 0; b < 12; b++) {
            for (int c = 0; c < 12; c++) {
                mechanism.A[a][b] += B[a][c] * B[b][c];
            }
        }
    }
    random_speeds(random, &mechanism, chance(random, 0.5) ? 2 : 0);
    int standing = chance(random, 0.6); /* the first foot is at rest on the ground */
    memset(mechanism.u, 0, standing ? 6 * sizeof(double) : 0);
    mechanism.u[8] -= 0.5;
    for (int foot = 0; foot < 2; foot++) {
        for (int corner = 0; corner < 4; corner++) {
            double r[3] = {corner & 1 ? 0.7 * length : -0.3 * length,
                           corner & 2 ? width / 2 : -width / 2, -0.08};
            impulse_contact(&mechanism, problem, foot, r, -1, NULL, UP);
        }
    }
    impulse_assemble(&mechanism, problem);
}

/* Balls of radius 1: each on the table, neighbours touch. */
static void balls(Random *random, MultipleProblem *problem) {
    ImpulseMechanism mechanism = {0};
    double angle = between(random, -1, 1), inertia[3] = {0.4, 0.4, 0.4}, down[3] = {0, 0, -1};
    int count = some(random, 2, 3);
    double place[3][3] = {{0, 0, 0}, {2, 0, 0}, {1, sqrt(3), 0}};
    for (int i = 0; i < count; i++) {
        add_body(&mechanism, 1, inertia);
        impulse_contact(&mechanism, problem, i, down, -1, NULL, UP);
        for (int j = 0; j < i; j++) {
            double n[3], other[3];
            for (int c = 0; c < 3; c++) {
                n[c] = (place[i][c] - place[j][c]) / 2;
                other[c] = -n[c];
            }
            impulse_contact(&mechanism, problem, i, other, j, n, n);
        }
    }
    mechanism.u[0] = 1;
    mechanism.u[1] = 0.5 * angle;
    mechanism.u[2] = chance(random, 0.5) ? -between(random, 0, 1) : 0;
    for (int c = 3; c < 6; c++) {
        mechanism.u[c] = between(random, -2, 2);
    }
    impulse_assemble(&mechanism, problem);
}

static void corner(Random *random, MultipleProblem *problem) {
    ImpulseMechanism mechanism = {0};
    double inertia[3] = {0.4, 0.4, 0.4};
    int count = some(random, 2, 3);
    add_body(&mechanism, 1, inertia);
    random_speeds(random, &mechanism, 2);
    for (int i = 0; i < count; i++) {
        double n[3], r[3];
        do {
            for (int c = 0; c < 3; c++) {
                n[c] = chance(random, 0.3) ? c == i : between(random, -1, 1) + (c == i);
            }
        } while (n[i] < 0.3);
        unit(n);
        for (int c = 0; c < 3; c++) {
            r[c] = -n[c];
        }
        impulse_contact(&mechanism, problem, 0, r, -1, NULL, n);
    }
    impulse_assemble(&mechanism, problem);
}

/* ---- all ---- */

static const char *const NAMES[IMPULSE_FAMILIES] = {
    "planar matrix", "planar body", "planar rough", "matrix", "semidefinite", "body",  "rough body",
    "box",           "stack of 2",  "stack of 3",   "feet",   "balls",        "corner"};

const char *impulse_family_name(ImpulseFamily family) {
    return NAMES[family];
}

static void mechanics(Random *random, ImpulseFamily family, MultipleProblem *problem) {
    switch (family) {
    case IMPULSE_PLANAR_BODY:
    case IMPULSE_PLANAR_ROUGH:
        planar_body(random, problem);
        break;
    case IMPULSE_BODY:
    case IMPULSE_ROUGH_BODY:
        body(random, problem);
        break;
    case IMPULSE_BOX:
    case IMPULSE_STACK_2:
    case IMPULSE_STACK_3:
        boxes(random, 1 + (int)family - (int)IMPULSE_BOX, problem);
        break;
    case IMPULSE_FEET:
        feet(random, problem);
        break;
    case IMPULSE_BALLS:
        balls(random, problem);
        break;
    case IMPULSE_CORNER:
        corner(random, problem);
        break;
    default:
        problem->count = some(random, 2, problem->planar ? 4 : 5);
        matrix(random, family == IMPULSE_SEMIDEFINITE ? problem->count + some(random, 0, 4) : 99,
               problem);
    }
}

static void surfaces(Random *random, int rough, MultipleProblem *problem) {
    double e = chance(random, 0.4) ? 0 : between(random, 0, 1);
    double mu = rough ? between(random, 0, 5) : between(random, 0, 1.2);
    int alike = chance(random, 0.6);
    for (int i = 0; i < problem->count; i++) {
        problem->contacts[i] = (CaromContact){.mu = mu, .e = e};
        if (!alike) {
            problem->contacts[i].mu = chance(random, 0.1) ? 0 : mu * between(random, 0.5, 1);
            problem->contacts[i].e = e * between(random, 0, 1);
        }
    }
}

void impulse_random(uint64_t seed, uint64_t index, ImpulseFamily family, MultipleProblem *problem) {
    Random random = random_start(seed, index * IMPULSE_FAMILIES + (uint64_t)family);
    int per, approaching = 0;
    memset(problem, 0, sizeof *problem);
    problem->planar = family <= IMPULSE_PLANAR_ROUGH;
    problem->law = CAROM_LAW_NEWTON;
    problem->tag = NAMES[family];
    per = problem->planar ? 2 : 3;
    mechanics(&random, family, problem);
    surfaces(&random, family == IMPULSE_PLANAR_ROUGH || family == IMPULSE_ROUGH_BODY, problem);
    for (int i = per - 1; i < multiple_rows(problem); i += per) {
        approaching |= problem->v[i] < 0;
    }
    for (int i = 0; i < multiple_rows(problem) && !approaching; i++) {
        problem->v[i] = -problem->v[i];
    }
}

/* Contact i of a rounded body, with its centre at 0: on a line below it, or on a wall in a
 * direction that is a multiple of 45 degrees, the first two opposite. */
static void rounded_contact(Random *random, int i, int flat, double height,
                            ImpulseMechanism *mechanism) {
    static const double AXES[5][2] = {{1, 0}, {-1, 0}, {0, 1}, {0.6, 0.8}, {-0.6, 0.8}};
    const double *axis = AXES[i < 2 ? i : some(random, 0, 4)];
    double n[2] = {flat ? 0 : axis[0], flat ? 1 : axis[1]}, t[2] = {n[1], -n[0]};
    double aside = flat ? i - 1 : some(random, -1, 1) * 0.5;
    double r[2] = {aside * t[0] - height * n[0], aside * t[1] - height * n[1]};
    double *rows[2] = {mechanism->J[2 * i], mechanism->J[2 * i + 1]};
    for (int k = 0; k < 2; k++) {
        const double *row = k == 0 ? t : n;
        rows[k][0] = row[0];
        rows[k][1] = row[1];
        rows[k][2] = r[0] * row[1] - r[1] * row[0];
    }
}

void impulse_random_rounded(uint64_t seed, uint64_t index, MultipleProblem *problem) {
    static const double mus[] = {0.25, 0.5, 1, 2, 0}, es[] = {0, 0, 0.5};
    Random random = random_start(seed, index);
    int approaching = 0;
    memset(problem, 0, sizeof *problem);
    problem->planar = 1;
    problem->law = CAROM_LAW_NEWTON;
    problem->tag = "rounded";
    while (!approaching) {
        ImpulseMechanism mechanism = {.twists = 3};
        int flat = chance(&random, 0.4);
        double height = 0.5 * some(&random, 1, 4), e = es[some(&random, 0, 2)];
        double mu = mus[some(&random, 0, 4)];
        problem->count = some(&random, 2, 4);
        for (int a = 0; a < 3; a++) {
            mechanism.A[a][a] = a < 2 ? 1 : some(&random, 1, 4);
            mechanism.u[a] = some(&random, -4, 4) / 4.0;
        }
        for (int i = 0; i < problem->count; i++) {
            double own = chance(&random, 0.3) ? mus[some(&random, 0, 4)] : mu;
            rounded_contact(&random, i, flat, flat ? height : 1, &mechanism);
            problem->contacts[i] = (CaromContact){.mu = own, .e = e};
        }
        impulse_assemble(&mechanism, problem);
        for (int i = 0; i < problem->count; i++) {
            approaching |= problem->v[2 * i + 1] < 0;
        }
    }
}
