/* Balls in a row: Newton's cradle with 3 to 10 balls, a column of beads against a wall, and
 * Bernoulli's problem of one ball into two that touch.
 *
 * Equal balls of mass 1 without friction; the speed before is 1. The exit status is 0 only if
 * everything was solved, momentum is conserved, no energy is gained (and none lost if e = 1), the
 * balls separate, and the results agree with closed forms or values known to nine digits. */
#include <math.h>
#include <stdio.h>

#include "balls.h"

/* Velocities along x after a collision of balls in a row. */
typedef struct Row {
    int count;
    double v[MOST_BALLS];
    double energy; /* after, over before */
} Row;

static double momentum_of(const Balls *balls) {
    double sum = 0;
    for (int i = 0; i < balls->count; i++) {
        sum += isinf(balls->body[i].mass) ? 0 : balls->body[i].mass * balls->body[i].velocity[0];
    }
    return sum;
}

/* Collide and check the conservation laws to rounding. */
static bool run(Balls *balls, int count, bool free, bool elastic, Row *row) {
    double before = balls_energy(balls), momentum = momentum_of(balls);
    bool good = balls_collide(balls, NULL);
    row->count = count;
    row->energy = balls_energy(balls) / before;
    for (int i = 0; i < count; i++) {
        row->v[i] = balls->body[i].velocity[0];
        /* no ball is faster than the one in front of it */
        good &= i == 0 || row->v[i] - row->v[i - 1] > -1e-12;
    }
    good &= !free || fabs(momentum_of(balls) - momentum) < 1e-12;
    good &= elastic ? fabs(row->energy - 1) < 1e-12 : row->energy < 1 + 1e-14;
    return good;
}

/* A row of touching balls along x; stiffness of contact i is growth^i. */
static void line_up(Balls *balls, int count, double e, double growth) {
    *balls = (Balls){0};
    for (int i = 0; i < count; i++) {
        balls_add(balls, 1, 0.5, i, 0, 0);
    }
    for (int i = 0; i + 1 < count; i++) {
        balls_touch(balls, i, i + 1, e, pow(growth, i));
    }
}

static void print_row(const Row *row) {
    for (int i = 0; i < row->count; i++) {
        printf(" %7.4f", row->v[i]);
    }
}

/* ---- Newton's cradle ---- */

static bool cradle(int count, double e, double growth, Row *row) {
    Balls balls;
    line_up(&balls, count, e, growth);
    balls.body[0].velocity[0] = 1;
    return run(&balls, count, true, e == 1, row);
}

static bool show_cradles(void) {
    static const double three[3] = {-0.130261695, 0.150229569, 0.980032126};
    bool good = true;
    Row row;
    printf("Newton's cradle, elastic, equal stiffness: velocities after\n");
    for (int n = 3; n <= 10; n++) {
        good &= cradle(n, 1, 1, &row);
        printf("%3d ", n);
        print_row(&row);
        printf("\n");
        for (int i = 0; n == 3 && i < n; i++) {
            good &= fabs(row.v[i] - three[i]) < 1e-9;
        }
    }
    printf("With loss, e = 0.9; the last column is the energy kept\n");
    for (int n = 3; n <= 10; n++) {
        good &= cradle(n, 0.9, 1, &row);
        printf("%3d ", n);
        print_row(&row);
        printf("   %.4f\n", row.energy);
    }
    return good;
}

/* Ratio 0: successive collisions; INFINITY: the second and third ball act as one body. */
static bool show_stiffness(void) {
    static const double ratios[] = {0, 0.01, 0.1, 0.3, 0.5, 0.8, 1, 1.25, 2, 3, 10, 100, INFINITY};
    static const double limits[2][3] = {{0, 0, 1}, {-1.0 / 3, 2.0 / 3, 2.0 / 3}};
    bool good = true;
    Row row;
    printf("\nThree balls, elastic, second contact stiffer than the first by a factor\n");
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
        Balls balls;
        line_up(&balls, 3, 1, 1);
        balls.body[0].velocity[0] = 1;
        balls.contact[1].stiffness = ratios[i] > 0 ? ratios[i] : CAROM_STIFFNESS_ZERO;
        good &= run(&balls, 3, true, true, &row);
        printf("%6g ", ratios[i]);
        print_row(&row);
        printf("\n");
        for (int k = 0; k < 3 && (ratios[i] == 0 || isinf(ratios[i])); k++) {
            good &= fabs(row.v[k] - limits[isinf(ratios[i])][k]) < 1e-12;
        }
    }
    printf("Five balls, elastic, each contact stiffer than the one before by a factor\n");
    static const double growths[] = {0.01, 0.1, 0.5, 0.9, 1, 1.1, 2, 10};
    for (size_t i = 0; i < sizeof growths / sizeof *growths; i++) {
        good &= cradle(5, 1, growths[i], &row);
        printf("%6g ", growths[i]);
        print_row(&row);
        printf("\n");
    }
    return good;
}

/* ---- beads and a wall ---- */

/* Touching beads at speed 1 against a wall, or only the first of them moving. */
static bool column(int count, double e, double wall, bool together, Row *row) {
    Balls balls;
    line_up(&balls, count, e, 1);
    balls_touch_wall(&balls, count - 1, 1, 0, 0, e, wall);
    for (int i = 0; i < (together ? count : 1); i++) {
        balls.body[i].velocity[0] = 1;
    }
    return run(&balls, count, false, e == 1, row);
}

static bool show_columns(double e, double wall, bool together) {
    bool good = true;
    Row row;
    printf("\n%s, e = %g, the wall's contact %g times as stiff\n"
           "beads: velocities after, from the far end to the wall; energy kept\n",
           together ? "A column of beads against a wall"
                    : "A bead strikes a row that stands at a wall",
           e, wall);
    for (int n = 1; n <= 10; n++) {
        good &= column(n, e, wall, together, &row);
        printf("%3d ", n);
        print_row(&row);
        printf("   %.4f\n", row.energy);
        good &= n > 1 || fabs(row.v[0] + e) < 1e-12;
    }
    return good;
}

/* ---- Bernoulli's problem ---- */

/* By symmetry both contacts push alike, and with s = cos 30 degrees
 * I = (1 + e) s/(1 + 2 s^2): elastic, the first ball leaves with -1/5 of its speed. */
static bool show_bernoulli(void) {
    static const double loss[] = {1, 0.9, 0.5, 0};
    double s = sqrt(0.75);
    bool good = true;
    printf("\nBernoulli: one ball into two that touch\n"
           "   e    first ball     the others x        y   difference of the two\n");
    for (size_t i = 0; i < sizeof loss / sizeof *loss; i++) {
        double e = loss[i], I = (1 + e) * s / (1 + 2 * s * s);
        Balls balls = {0};
        balls_add(&balls, 1, 0.5, 0, 0, 0);
        balls_add(&balls, 1, 0.5, s, 0.5, 0);
        balls_add(&balls, 1, 0.5, s, -0.5, 0);
        balls.body[0].velocity[0] = 1;
        balls_touch(&balls, 0, 1, e, 1);
        balls_touch(&balls, 0, 2, e, 1);
        balls_touch(&balls, 1, 2, e, 1);
        good &= balls_collide(&balls, NULL);
        const double *first = balls.body[0].velocity, *left = balls.body[1].velocity;
        const double *right = balls.body[2].velocity;
        printf("%5g  %12.9f  %12.9f %12.9f   %.0e\n", e, first[0], left[0], left[1],
               fmax(fabs(left[0] - right[0]), fabs(left[1] + right[1])));
        good &= fabs(first[0] - (1 - 2 * s * I)) < 1e-12 && fabs(left[0] - s * I) < 1e-12;
        good &= fabs(left[1] - I / 2) < 1e-12 && fabs(right[1] + I / 2) < 1e-12;
        good &= fabs(first[1]) < 1e-14;
    }
    return good;
}

int main(void) {
    bool good = show_cradles();
    good &= show_stiffness();
    good &= show_columns(1, 1, true);
    good &= show_columns(0.95, 1, true);
    good &= show_columns(0.95, 10, true);
    good &= show_columns(1, 1, false);
    good &= show_bernoulli();
    if (!good) {
        printf("A collision was not solved, or breaks a law.\n");
    }
    return good ? 0 : 1;
}
