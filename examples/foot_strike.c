/* A biped comes down on both flat feet: M, u and J in, u after out.
 *
 * A planar biped of seven speeds: the hip (x, z), the angle of the trunk, and for each leg the
 * angles of thigh and shank relative to the body above. Heel and toe of both feet touch the ground
 * together: four planar contacts at once. Ground and feet are rigid and nothing bounces (e = 0).
 * Any library of rigid-body dynamics supplies M and J; here they are those of one stride. */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 7, CONTACTS = 4, ROWS = 2 * CONTACTS };

/* Add mass * g g^T to M: a point mass whose velocity along one axis is g.u. */
static void add_mass(double M[N * N], double mass, const double g[N]) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            M[i * N + j] += mass * g[i] * g[j];
        }
    }
}

/* Velocity of a point of a leg (rows x and z): a hip offset, then thigh and shank of length 0.4 at
 * angles a and b from the vertical; reach: 0 hip, 1 knee, 2 ankle; foot: offset of the point along
 * x from the ankle, which is 0.1 above the ground. */
static void point_rows(int leg, double a, double b, int reach, double foot, double rows[2][N]) {
    int thigh = 3 + 2 * leg, shank = thigh + 1;
    double knee[2] = {0.4 * sin(a), -0.4 * cos(a)}, ankle[2] = {0.4 * sin(b), -0.4 * cos(b)};
    double below[2] = {reach > 1 ? ankle[0] + foot : 0,
                       reach > 1 ? ankle[1] - (foot != 0) * 0.1 : 0};
    double whole[2] = {(reach > 0 ? knee[0] : 0) + below[0], (reach > 0 ? knee[1] : 0) + below[1]};
    memset(rows, 0, sizeof(double[2][N]));
    rows[0][0] = rows[1][1] = 1;
    /* turning by one unit moves a point at (x, z) by (-z, x) */
    rows[0][2] = rows[0][thigh] = -whole[1];
    rows[1][2] = rows[1][thigh] = whole[0];
    rows[0][shank] = -below[1];
    rows[1][shank] = below[0];
}

static void fill(double M[N * N], double J[ROWS * N]) {
    const double angle[2][2] = {{-0.25, -0.3}, {0.3, 0.1}}; /* stance behind, swing in front */
    double rows[2][N], turn[N] = {0, 0, 1};
    memset(M, 0, N * N * sizeof *M);
    add_mass(M, 1.5, turn); /* the trunk turns */
    for (int leg = 0; leg < 2; leg++) {
        double knee_turn[N] = {0, 0, 1}, ankle_turn[N] = {0, 0, 1};
        knee_turn[3 + 2 * leg] = ankle_turn[3 + 2 * leg] = ankle_turn[4 + 2 * leg] = 1;
        add_mass(M, 0.05, knee_turn);
        add_mass(M, 0.04, ankle_turn);
        const double masses[3] = {15, 4, 2}; /* half the trunk, knee, foot */
        for (int reach = 0; reach < 3; reach++) {
            point_rows(leg, angle[leg][0], angle[leg][1], reach, 0, rows);
            add_mass(M, masses[reach], rows[0]);
            add_mass(M, masses[reach], rows[1]);
        }
        for (int end = 0; end < 2; end++) { /* heel, toe: rows t (along x) and n (along z) */
            point_rows(leg, angle[leg][0], angle[leg][1], 2, end == 0 ? -0.06 : 0.14, rows);
            memcpy(J + (size_t)(2 * (2 * leg + end)) * N, rows, sizeof rows);
        }
    }
}

int main(void) {
    static double M[N * N], J[ROWS * N];
    double u[N] = {0.3, -0.8}, impulse[ROWS], velocity[ROWS];
    CaromContact contacts[CONTACTS] = {{.mu = 0.7}, {.mu = 0.7}, {.mu = 0.7}, {.mu = 0.7}};
    CaromStrike strike = {.speed_count = N,
                          .contact_count = CONTACTS,
                          .planar = 1,
                          .M = M,
                          .J = J,
                          .contacts = contacts};
    CaromResult result = {.impulse = impulse, .velocity = velocity};
    fill(M, J);
    double before = carom_system_energy(N, M, u);
    if (carom_strike_solve(&strike, u, NULL, &result) < 0) {
        fprintf(stderr, "%s: %s\n", carom_status_string(result.status), result.message);
        return 1;
    }
    double after = carom_system_energy(N, M, u);
    const char *const names[CONTACTS] = {"back heel", "back toe", "front heel", "front toe"};
    for (int i = 0; i < CONTACTS; i++) {
        printf("%-10s impulse %8.4f %8.4f   velocity after %8.4f %8.4f\n", names[i],
               impulse[2 * i] + 0.0, impulse[2 * i + 1], velocity[2 * i] + 0.0,
               velocity[2 * i + 1] + 0.0);
        if (velocity[2 * i + 1] < -1e-13 || impulse[2 * i + 1] < 0) {
            return 1; /* no contact penetrates or pulls */
        }
    }
    printf("kinetic energy %.4f J -> %.4f J, estimated error %.0e\n", before, after, result.error);
    return fabs(after - before - result.energy.change) < 1e-12 * before ? 0 : 1;
}
