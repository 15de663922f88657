/* A kink: the velocity after an impact and its exact derivative, over the coefficient of
 * restitution.
 *
 *   kink [TABLE.csv]
 *
 * Below a critical e slip lasts until the bodies separate; above it slip stops before the end, and
 * the contact sticks. The velocity is continuous there, its derivative jumps from one value to
 * another. The library says how far away the kink is. The program checks its derivatives against
 * differences and returns 0 if they agree. */
#include <math.h>
#include <stdio.h>

#include <carom/carom.h>

static const double W[9] = {3.0, 0.4, 0.5, 0.4, 2.0, -0.3, 0.5, -0.3, 1.0};
static const double v[3] = {0.8, -0.5, -1.0};

typedef struct Point {
    double after, slope, distance; /* v_t1+, its derivative by e, distance of the kink */
    int stops;
} Point;

static Point point_at(double e) {
    CaromContact contact = {.mu = 0.48, .e = e};
    CaromProblem problem = {
        .contact_count = 1, .inverse_inertia = W, .velocity = v, .contacts = &contact};
    double velocity[3], by_velocity[3 * CAROM_INPUTS_ONE];
    CaromKink kinks[CAROM_KINKS_ONE];
    CaromResult result = {.velocity = velocity};
    CaromDerivative derivative = {
        .velocity = by_velocity, .kinks = kinks, .kink_capacity = CAROM_KINKS_ONE};
    CaromInputs inputs = carom_inputs(1, 0);
    Point out = {NAN, NAN, INFINITY, 0};
    if (carom_differentiate(&problem, NULL, &result, &derivative) < 0) {
        return out;
    }
    out.after = velocity[0];
    out.slope = by_velocity[carom_input_coefficient(&inputs, 0, CAROM_COEFFICIENT_E)];
    for (int i = 0; i < derivative.kink_count; i++) {
        if (kinks[i].kind == CAROM_KINK_SLIP_STOPS) {
            out.distance = kinks[i].distance;
            out.stops = kinks[i].happens;
        }
    }
    return out;
}

int main(int argc, char **argv) {
    FILE *table = argc > 1 ? fopen(argv[1], "w") : NULL;
    double worst = 0, last = NAN;
    if (table) {
        fprintf(table, "e,after,slope,distance\n");
    }
    for (int i = 1; i <= 200; i++) {
        double e = i / 200.0 - 0.0025, h = 1e-6;
        Point at = point_at(e), left = point_at(e - h), right = point_at(e + h);
        if (left.stops == right.stops) {
            worst = fmax(worst, fabs((right.after - left.after) / (2 * h) - at.slope));
        }
        if (at.stops && isnan(last)) {
            printf("slip stops before the end from e = %.3f on\n", e);
            last = e;
        }
        if (table) {
            fprintf(table, "%.4f,%.9f,%.9f,%.6g\n", e, at.after, at.slope, at.distance);
        }
    }
    printf("derivatives and differences agree to %.0e\n", worst);
    if (table) {
        fclose(table);
    }
    return worst < 1e-8 && !isnan(last) ? 0 : 1;
}
