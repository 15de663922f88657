/* What happened, for people to read. */
#include <math.h>
#include <string.h>

#include "report.h"
#include "report_heading.h"
#include "text.h"

/* EVENTS_SHOWN: a contact that chatters has its first and last events told. */
enum { NAME_WIDTH_MIN = 12, EVENTS_SHOWN = 30 };

/* A name that cannot disturb the terminal, cut to size. */
typedef struct PlainName {
    char text[48];
} PlainName;

static PlainName plain_name(const char *name) {
    PlainName plain;
    size_t length = strlen(name);
    if (length >= sizeof plain.text) {
        length = sizeof plain.text - 1;
        while (length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80) {
            length--; /* not in the middle of a character */
        }
    }
    memcpy(plain.text, name, length);
    plain.text[length] = '\0';
    text_make_plain(plain.text);
    return plain;
}

static void print_heading(FILE *file, const Scene *scene, const Solution *solution) {
    report_heading(file, scene, solution->method, solution->as_printed);
    for (int i = 0; i < scene->contact_count; i++) {
        char title[32] = "Contact";
        if (scene->contact_count > 1) {
            snprintf(title, sizeof title, "Contact %d", i);
        }
        report_contact(file, title, scene, i);
        if (scene->source == SCENE_BODIES) {
            const CaromSite *site = &scene->sites[i];
            fprintf(file, "; %s hits %s", plain_name(scene->body_names[site->first]).text,
                    plain_name(scene->body_names[site->second]).text);
        }
        fputc('\n', file);
    }
    if (solution->slip.known && isfinite(solution->slip.stick_ratio)) {
        const CaromContact *contact = &scene->contacts[0];
        bool sticks = solution->slip.stick_ratio <= contact->mu_static;
        fprintf(file, "               %s: %s = %.6g %s %g\n",
                sticks ? "sticks once slip has stopped" : "slips again once slip has stopped",
                scene->planar ? "|W_tn/W_tt|" : "|B^-1 d|", solution->slip.stick_ratio,
                sticks ? "<=" : ">", contact->mu_static);
    }
}

static const char *event_words(const Scene *scene, const CaromEvent *event) {
    bool at_start = event->normal_impulse == 0;
    bool compliant = scene->model == CAROM_COMPLIANT;
    switch (event->kind) {
    case CAROM_COMPRESSION_END:
        return "compression ends";
    case CAROM_COMPRESSION_RESTART:
        return "compression starts again";
    case CAROM_RESTITUTION_END:
        return "the bodies separate";
    case CAROM_ACTIVATION:
        return "touches again";
    case CAROM_LATCH:
        return "stays in touch";
    case CAROM_RELEASE:
        return "lets go";
    case CAROM_STICK:
        return at_start ? "sticks from the start" : "slip stops: the contact sticks";
    case CAROM_SLIP:
        return at_start    ? "starts to slip"
               : compliant ? "stick ends: the contact slips"
                           : "slip stops and resumes in a new direction";
    }
    return carom_event_string(event->kind);
}

static void print_step(FILE *file, const Scene *scene, const CaromEvent *event) {
    fprintf(file, "  p = %-12.6g", event->normal_impulse);
    if (scene->contact_count > 1) {
        fprintf(file, " contact %-3d", event->contact);
    }
    fprintf(file, " %s", event_words(scene, event));
    if (event->kind == CAROM_COMPRESSION_END) {
        fprintf(file, ", energy %.6g stored", event->stored);
        if (scene->model == CAROM_COMPLIANT) {
            fprintf(file, " and %.6g along the surface", event->tangential);
        }
    }
    fputc('\n', file);
}

/* How one compliant contact starts is no event: the first change of mode tells it, or else the
 * condition for slip at the start. */
static bool starts_in_slip(const Scene *scene, const CaromResult *result, double speed) {
    for (int i = 0; i < result->event_count; i++) {
        if (result->events[i].kind == CAROM_STICK || result->events[i].kind == CAROM_SLIP) {
            return result->events[i].kind == CAROM_STICK;
        }
    }
    const CaromContact *contact = &scene->contacts[0];
    double approach = -scene->velocity[scene_rows(scene) - 1];
    return speed > contact->mu * contact->stiffness_ratio * approach;
}

static const char *start_words(const Scene *scene, const CaromResult *result, double speed) {
    bool straight = result->sequence[0] == 'l' && !scene->planar;
    if (scene->contacts[0].mu == 0) {
        return "slips from the start, without friction";
    }
    if (scene->model == CAROM_COMPLIANT && !starts_in_slip(scene, result, speed)) {
        return "sticks from the start, and gives along the surface";
    }
    return straight ? "slips from the start, straight on" : "slips from the start";
}

static void print_sequence(FILE *file, const Scene *scene, const CaromResult *result) {
    fprintf(file, "\nWhat happens (p: normal impulse so far)\n");
    const CaromEvent *first = result->events;
    bool told = result->event_count > 0 && first->normal_impulse == 0 &&
                (first->kind == CAROM_STICK || first->kind == CAROM_SLIP);
    const double *gamma = scene->velocity;
    double speed = scene->planar ? fabs(gamma[0]) : hypot(gamma[0], gamma[1]);
    if (!told && scene->contact_count == 1 && speed > 0) {
        fprintf(file, "  p = %-12g %s\n", 0.0, start_words(scene, result, speed));
    }
    int count = result->event_count, skipped = count > EVENTS_SHOWN ? count - EVENTS_SHOWN : 0;
    for (int i = 0; i < count; i++) {
        if (skipped > 0 && i == EVENTS_SHOWN / 2) {
            fprintf(file, "  ... %d more events (all of them with --json) ...\n", skipped);
            i += skipped;
        }
        print_step(file, scene, &result->events[i]);
    }
    if (scene->contact_count == 1) {
        fprintf(file, "  sequence: %s\n", result->sequence);
    }
}

static void print_row(FILE *file, const char *name, int width, const double *x, int size) {
    fprintf(file, "%s%*s", name, width - text_width(name), "");
    for (int i = 0; i < size; i++) {
        fprintf(file, " %13.7g", x[i] + 0.0); /* never "-0" */
    }
    fputc('\n', file);
}

static void print_contacts(FILE *file, const Scene *scene, const CaromResult *result) {
    for (int i = 0; i < scene->contact_count; i++) {
        char title[32] = "";
        if (scene->contact_count > 1) {
            snprintf(title, sizeof title, "Contact %d", i);
        }
        if (scene->planar) {
            fprintf(file, "\n%-16s %13s %13s\n", title, "t", "n");
        } else {
            fprintf(file, "\n%-16s %13s %13s %13s\n", title, "t1", "t2", "n");
        }
        int rows = scene_rows(scene);
        print_row(file, "Impulse", 16, &result->impulse[rows * i], rows);
        print_row(file, "Velocity before", 16, &scene->velocity[rows * i], rows);
        print_row(file, "Velocity after", 16, &result->velocity[rows * i], rows);
    }
}

static void print_speeds(FILE *file, const Scene *scene, const Solution *solution) {
    fprintf(file, "\n%-20s %13s %13s %13s\n", "Generalised speeds", "before", "after", "change");
    for (int i = 0; i < scene->system.speed_count; i++) {
        char name[32];
        snprintf(name, sizeof name, "  u[%d]", i);
        double before = scene->system.speeds[i], after = solution->speeds[i];
        print_row(file, name, 20, (const double[3]){before, after, after - before}, 3);
    }
}

static void print_bodies(FILE *file, const Scene *scene, const Solution *solution) {
    int width = NAME_WIDTH_MIN;
    for (int i = 0; i < scene->body_count; i++) {
        int needed = text_width(plain_name(scene->body_names[i]).text);
        width = needed > width ? needed : width;
    }
    for (int turn = 0; turn < 2; turn++) {
        fprintf(file, "\n%-*s %13s %13s %13s\n", width + 7, turn ? "Angular velocity" : "Velocity",
                "x", "y", "z");
        for (int i = 0; i < scene->body_count; i++) {
            const CaromBody *before = &scene->bodies[i], *after = &solution->bodies[i];
            if (isinf(before->mass)) {
                continue; /* nothing can move it */
            }
            char name[64];
            snprintf(name, sizeof name, "%s", plain_name(scene->body_names[i]).text);
            fprintf(file, "%s%*s", name, width - text_width(name), "");
            print_row(file, " before", 7, turn ? before->angular_velocity : before->velocity, 3);
            fprintf(file, "%*s", width, "");
            print_row(file, " after", 7, turn ? after->angular_velocity : after->velocity, 3);
        }
    }
}

/* v.W^-1 v/2 for one contact: the kinetic energy that an impact could take away at most.
 * NaN if W is not positive definite. */
static double relative_energy(const double W[9], const double v[3]) {
    double sum = 0, L[9] = {0}, y[3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            double x = W[3 * j + i];
            for (int k = 0; k < j; k++) {
                x -= L[3 * i + k] * L[3 * j + k];
            }
            L[3 * i + j] = i == j ? sqrt(x) : x / L[4 * j];
        }
        y[i] = v[i];
        for (int k = 0; k < i; k++) {
            y[i] -= L[3 * i + k] * y[k];
        }
        y[i] /= L[4 * i];
        sum += y[i] * y[i] / 2;
    }
    return sum;
}

static void print_amount(FILE *file, const char *what, double amount, double whole) {
    fprintf(file, "  %-28s %13.7g", what, amount + 0.0);
    if (isfinite(whole) && whole > 0) {
        fprintf(file, " %8.2f %%", 100 * amount / whole + 0.0);
    }
    fputc('\n', file);
}

static void print_energy(FILE *file, const Scene *scene, const Solution *solution) {
    const CaromEnergy *account = &solution->result.energy;
    double before, after;
    if (solution_energies(scene, solution, &before, &after)) {
        fprintf(file, "\nKinetic energy of the %s\n",
                scene->source == SCENE_BODIES ? "bodies" : "mechanism");
    } else if (scene->contact_count == 1) {
        before = relative_energy(scene->inverse_inertia, scene->velocity);
        after = before + account->change;
        fprintf(file, "\nKinetic energy of the motion at the contact (v.W^-1 v/2)\n");
    } else {
        fprintf(file, "\nKinetic energy\n");
    }
    if (isfinite(before)) {
        print_amount(file, "before", before, before);
    }
    print_amount(file, "lost to friction", account->friction_loss, before);
    print_amount(file, "lost in the normal direction", account->normal_loss, before);
    if (isfinite(before)) {
        print_amount(file, "after", after, before);
    }
    print_amount(file, "change", account->change, before);
}

/* What the tangential spring of one contact held, and how much of the speed along the surface it
 * turned round. */
static void print_surface(FILE *file, const Scene *scene, const Solution *solution) {
    const CaromResult *result = &solution->result;
    int rows = scene_rows(scene);
    double square = 0, back = 0, before, after;
    for (int k = 0; k < rows - 1; k++) {
        square += scene->velocity[k] * scene->velocity[k];
        back -= scene->velocity[k] * result->velocity[k];
    }
    solution_energies(scene, solution, &before, &after);
    fprintf(file, "\nAlong the surface\n");
    print_amount(file, "held as compression ended", result->energy.tangential, before);
    if (square > 0) {
        fprintf(file, "  %-28s %13.7g of the speed before\n",
                back < 0 ? "goes on with" : "comes back with", fabs(back) / square);
    }
}

void report_text(FILE *file, const Scene *scene, const Solution *solution) {
    const CaromResult *result = &solution->result;
    print_heading(file, scene, solution);
    print_sequence(file, scene, result);
    print_contacts(file, scene, result);
    if (scene->source == SCENE_BODIES) {
        print_bodies(file, scene, solution);
    } else if (scene->source == SCENE_SYSTEM) {
        print_speeds(file, scene, solution);
    }
    print_energy(file, scene, solution);
    if (scene->model == CAROM_COMPLIANT && scene->contact_count == 1) {
        print_surface(file, scene, solution);
    }
    if (isfinite(result->error)) {
        fprintf(file, "\nEstimated relative error %.1e;", result->error);
    } else {
        fprintf(file, "\nThis method does not estimate its error;");
    }
    fprintf(file, " the energy account closes to %.1e.\n", fabs(result->energy.residual));
    if (result->status == CAROM_ENERGY_GAIN) {
        fprintf(file,
                "Warning: energy_gain: the %s law created energy here; no real impact does.\n",
                scene_law_name(scene->law));
    } else if (result->status < 0) {
        fprintf(file, "Warning: %s: %s\n", carom_status_string(result->status), result->message);
    }
}
