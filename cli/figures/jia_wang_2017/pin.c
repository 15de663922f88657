/* Fig. 11 of [JW]: the bowling pin and the ball as bodies. The pin, a body of revolution about z
 * with its centre of mass at the origin, is rotated about y by tan^-1(3.15435) and moved; it
 * touches the ball at the origin. The same numbers as in scenes/pin_ball_bodies.json. */
#include "figures/jia_wang_2017/pin.h"

#include <math.h>
#include <string.h>

#include <carom/carom.h>

#include "base/words.h"
#include "figures/sheet_picture.h"

/* The moment about the axis, and the two printed ones across it. */
static const double axial = 0.0021186, across[2] = {0.012092, 0.014029};

static const char turned[] =
    "The printed matrix is not that of the printed bodies: W22 needs a contact 0.090 away from the "
    "pin's axis, and the pin's largest radius is 0.0605. It is nearly that of a pin rotated by the "
    "same angle the other way.";

static const CaromSite site = {.first = 0, .second = 1, .normal = {0, 0, 1}, .tangent = {1, 0, 0}};

/* The bodies, with the pin rotated by +1 or -1 times the angle. */
static void make_bodies(double transverse, double sign, CaromBody bodies[2]) {
    double half = atan(3.15435) / 2;
    bodies[0] = (CaromBody){.mass = 1.63293,
                            .inertia = {transverse, 0, 0, 0, transverse, 0, 0, 0, axial},
                            .position = {0.068436, 0, 0.0737351},
                            .orientation = {cos(half), 0, sign * sin(half), 0},
                            .velocity = {-0.1, 0.2, -0.5},
                            .angular_velocity = {0.1, 0.1, 0.1}};
    bodies[1] = (CaromBody){.mass = 6.35029,
                            .inertia = {0.029669, 0, 0, 0, 0.030068, 0, 0, 0, 0.0295723},
                            .position = {-0.000061, -0.000890, -0.108458},
                            .orientation = {1, 0, 0, 0},
                            .velocity = {0.1, 0.1, 1},
                            .angular_velocity = {0.1, -0.1, 0.1}};
}

/* Distance of the contact from the pin's axis. */
static double axis_distance(const CaromBody *pin) {
    const double *q = pin->orientation, *p = pin->position;
    double a[3] = {2 * q[0] * q[2], 0, 1 - 2 * q[2] * q[2]}; /* z, turned about y */
    double along = a[0] * p[0] + a[2] * p[2];
    return sqrt(p[0] * p[0] + p[2] * p[2] - along * along);
}

static bool solve(FigureSheet *sheet, const CaromBody bodies[2], double W[9], double v[3],
                  CaromContact *contact, double impulse[3], char *sequence) {
    const char *message;
    CaromResult result = {.impulse = impulse};
    *contact = carom_contact_default();
    contact->mu = contact->mu_static = contact->e = 0.7;
    if (carom_bodies_contact_space(bodies, 2, &site, 1, W, v, &message) < 0) {
        return figure_fail(sheet, "%s", message);
    }
    if (carom_rigid_solve(W, v, contact, CAROM_LAW_ENERGETIC, &result) < 0) {
        return figure_fail(sheet, "%s", result.message);
    }
    memcpy(sequence, result.sequence, CAROM_SEQUENCE_SIZE);
    return true;
}

/* The elements of W, in the order of the list. */
static const struct {
    const char *name, *printed;
    int index;
} elements[] = {{"W11", "1.55465", 0},    {"W22", "5.15191", 4},   {"W33", "1.105", 8},
                {"W12", "0.00238675", 1}, {"W13", "-0.360808", 2}, {"W23", "-0.00313296", 5}};

/* The pin with this moment across its axis. */
static bool add_pin(FigureSheet *sheet, double transverse, double sign, bool compared) {
    static const char *const names[3] = {"Ix", "Iy", "Iz"};
    static const char *const printed[3] = {"0.7330654", "-0.0216048", "2.585018"};
    CaromBody bodies[2];
    CaromContact contact;
    double W[9], v[3], impulse[3];
    char sequence[CAROM_SEQUENCE_SIZE];
    make_bodies(transverse, sign, bodies);
    figure_group(sheet, words_of("Moment %g across the axis%s", transverse,
                                 sign < 0 ? ", rotated the other way" : "")
                            .text);
    if (!solve(sheet, bodies, W, v, &contact, impulse, sequence)) {
        return false;
    }
    figure_computed(sheet, "distance of the contact from the axis", axis_distance(&bodies[0]),
                    NULL);
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        figure_value(sheet, elements[i].name, compared ? elements[i].printed : NULL,
                     W[elements[i].index], compared ? turned : NULL, NULL);
    }
    for (int i = 0; i < 3; i++) {
        figure_value(sheet, names[i], compared ? printed[i] : NULL, impulse[i],
                     compared ? turned : NULL, NULL);
    }
    figure_words(sheet, "sequence", NULL, sequence, NULL, NULL);
    return true;
}

static bool draw(FigureSheet *sheet) {
    CaromBody bodies[2];
    CaromContact contact;
    double W[9], v[3], impulse[3];
    char sequence[CAROM_SEQUENCE_SIZE], name[] = "Jia and Wang, figure 11: pin and ball";
    make_bodies(across[1], 1, bodies);
    const Scene scene = {.name = name,
                         .model = CAROM_MODEL_RIGID,
                         .law = CAROM_LAW_ENERGETIC,
                         .source = SCENE_CONTACT_SPACE,
                         .contact_count = 1,
                         .contacts = &contact,
                         .inverse_inertia = W,
                         .velocity = v};
    return solve(sheet, bodies, W, v, &contact, impulse, sequence) &&
           figure_picture_scene(
               sheet, "", &scene, "hodograph",
               "Hodograph: the sliding velocity bends into an invariant "
               "direction and follows it to the origin, where the contact sticks.");
}

bool jw_pin(FigureSheet *sheet) {
    return draw(sheet) && add_pin(sheet, across[1], 1, true) &&
           add_pin(sheet, across[0], 1, false) && add_pin(sheet, across[1], -1, false);
}
