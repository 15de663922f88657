/* Phrases and numbers of reports about the outcome: motion, energy, accuracy. */
#include "report/words/outcome_words.h"

#include <ctype.h>
#include <math.h>

#include "report/words/scene_words.h"

/* A velocity below this part of the largest one is rounding. */
#define ROUNDING 1e-13

double report_tangential(const double *x, int rows) {
    return rows == 2 ? fabs(x[0]) : hypot(x[0], x[1]);
}

int report_times(const CaromResult *result, int contact, bool *latched) {
    int times = 0;
    *latched = false;
    for (int i = 0; i < result->event_count; i++) {
        if (result->events[i].contact == contact) {
            times += result->events[i].kind == CAROM_EVENT_ACTIVATION;
            *latched = *latched || result->events[i].kind == CAROM_EVENT_LATCH;
        }
    }
    return times;
}

const char *report_mode_words(const Scene *scene, const CaromResult *result, int contact) {
    int rows = scene_rows(scene);
    const double *before = &scene->velocity[rows * contact];
    double scale = fmax(report_tangential(before, rows), fabs(before[rows - 1]));
    bool slips = report_tangential(&result->velocity[rows * contact], rows) > 1e-9 * scale;
    return result->impulse[rows * contact + rows - 1] == 0 ? "open" : slips ? "slips" : "sticks";
}

void report_contact_after(const Scene *scene, const CaromResult *result, int contact,
                          double shown[3]) {
    int rows = scene_rows(scene);
    double largest = 0;
    for (int i = 0; i < rows * scene->contact_count; i++) {
        largest = fmax(largest, fmax(fabs(scene->velocity[i]), fabs(result->velocity[i])));
    }
    for (int k = 0; k < rows; k++) {
        double after = result->velocity[rows * contact + k];
        shown[k] = fabs(after) <= ROUNDING * largest ? 0 : after;
    }
}

void report_after(const Solution *solution, const MotionNoise *noise, int body, bool angular,
                  double shown[3]) {
    const double *after = motion_of(&solution->bodies[body], angular);
    double least = angular ? noise->angular : noise->linear;
    for (int k = 0; k < 3; k++) {
        shown[k] = fabs(after[k]) <= least ? 0 : after[k];
    }
}

const char *report_turn_words(const Scene *scene, const Solution *solution) {
    MotionNoise noise = motion_noise(scene, solution);
    for (int i = 0; i < scene->body_count; i++) {
        if (scene->contact_count == 1 || motion_changes_any(scene, solution, &noise, i, true)) {
            return NULL;
        }
    }
    return "Angular velocities do not change.";
}

static ReportAmount make_amount(const char *what, double amount, double whole) {
    bool known = isfinite(whole) && whole > 0;
    amount = known && fabs(amount) < 1e-14 * whole ? 0 : amount; /* rounding */
    return (ReportAmount){what, amount, known ? amount / whole : (double)NAN};
}

ReportAccount report_account(const Scene *scene, const Solution *solution) {
    const CaromEnergy *energy = &solution->result.energy;
    ReportAccount account = {.owner =
                                 scene->source == SCENE_BODIES ? "the bodies" : "the mechanism"};
    double before, after;
    bool known = solution_energies(scene, solution, &before, &after);
    if (!known) {
        account.owner =
            scene->contact_count > 1 ? "the motion at the contacts" : "the motion at the contact";
        before = scene_motion_energy(scene);
        after = before + energy->change;
    }
    account.title =
        words_of("Kinetic energy of %s%s%s", account.owner, known ? "" : " (v.W^-1 v/2)",
                 units_suffix(&scene->units, UNIT_ENERGY).text);
    ReportAmount *rows = account.rows;
    rows[ACCOUNT_BEFORE] = make_amount("before", before, before);
    rows[ACCOUNT_FRICTION] = make_amount("lost to friction", energy->friction_loss, before);
    rows[ACCOUNT_NORMAL] = make_amount("lost in the normal direction", energy->normal_loss, before);
    rows[ACCOUNT_AFTER] = make_amount("after", after, before);
    rows[ACCOUNT_CHANGE] = make_amount("change", energy->change, before);
    return account;
}

/* "3.4 m/s", or without a unit. */
static Words speed_words(const Scene *scene, double speed) {
    Words unit = units_name(&scene->units, UNIT_VELOCITY);
    return words_of("%.3g%s%.100s", speed + 0.0, unit.text[0] ? " " : "", unit.text);
}

/* "Ball and floor meet". */
static Words meeting_words(const Scene *scene) {
    Words words = words_of("The bodies");
    if (scene->source == SCENE_BODIES) {
        const CaromSite *site = &scene->sites[0];
        words = words_of("%.60s and %.60s", report_name(scene->body_names[site->first]).text,
                         report_name(scene->body_names[site->second]).text);
        words.text[0] = (char)toupper((unsigned char)words.text[0]);
    }
    words_add(&words, " meet");
    return words;
}

static Words one_outcome(const Scene *scene, const CaromResult *result) {
    int rows = scene_rows(scene);
    double after[3];
    report_contact_after(scene, result, 0, after);
    Words words = meeting_words(scene);
    words_add(&words, " at %s (normal speed) and part at %s,",
              speed_words(scene, -scene->velocity[rows - 1]).text,
              speed_words(scene, after[rows - 1]).text);
    double slip = report_tangential(after, rows);
    if (slip > 0) {
        words_add(&words, " slipping at %s.", speed_words(scene, slip).text);
    } else {
        words_add(&words, " without slip.");
    }
    return words;
}

Words report_plain_words(const Scene *scene, const Solution *solution) {
    const CaromResult *result = &solution->result;
    Words words = scene->contact_count == 1
                      ? one_outcome(scene, result)
                      : words_of("%d contacts act together.", scene->contact_count);
    double change = report_account(scene, solution).rows[ACCOUNT_CHANGE].part;
    if (change < 0) {
        words_add(&words, " %.1f %% of the energy is left.", 100 * (1 + change));
    } else if (change == 0) {
        words_add(&words, " No energy is lost.");
    } else if (change > 0) {
        words_add(&words, " The law creates energy: %.1f %% more than before.", 100 * change);
    }
    return words;
}

Words report_loss_words(const Scene *scene, const Solution *solution) {
    ReportAccount account = report_account(scene, solution);
    double change = account.rows[ACCOUNT_CHANGE].part;
    if (change < 0) {
        return words_of("Of the kinetic energy of %s %.2f %% is lost: %.2f %% to friction, %.2f %% "
                        "in the normal direction.",
                        account.owner, -100 * change,
                        100 * account.rows[ACCOUNT_FRICTION].part + 0.0,
                        100 * account.rows[ACCOUNT_NORMAL].part + 0.0);
    }
    if (change > 0) {
        return words_of("The kinetic energy of %s grows by %.2f %%.", account.owner, 100 * change);
    }
    return isnan(change) ? (Words){""}
                         : words_of("Of the kinetic energy of %s nothing is lost.", account.owner);
}

ReportSurface report_surface(const Scene *scene, const Solution *solution) {
    const CaromResult *result = &solution->result;
    double square = 0, back = 0, before, after;
    for (int k = 0; k < scene_rows(scene) - 1; k++) {
        square += scene->velocity[k] * scene->velocity[k];
        back -= scene->velocity[k] * result->velocity[k];
    }
    solution_energies(scene, solution, &before, &after);
    ReportSurface surface = {
        .held = make_amount("held as compression ended", result->energy.tangential, before)};
    if (square > 0) {
        surface.direction = back < 0 ? "goes on with" : "comes back with";
        surface.part = fabs(back) / square;
    }
    return surface;
}

Words report_accuracy_words(const CaromResult *result) {
    Words words = isfinite(result->error) ? words_of("Estimated relative error %.1e", result->error)
                                          : words_of("This method does not estimate its error");
    words_add(&words, "; the energy account closes to %.1e.", fabs(result->energy.residual));
    return words;
}

Words report_warning_words(const Scene *scene, const CaromResult *result) {
    if (result->status == CAROM_ENERGY_GAIN) {
        return words_of(
            "Warning: energy_gain: the %s law created energy here; no real impact does.",
            scene_law_names[scene_law(scene, CAROM_METHOD_EXACT)]);
    }
    if (result->status < 0) {
        return words_of("Warning: %s: %s", carom_status_string(result->status), result->message);
    }
    return result->message[0] ? words_of("Note: %s.", result->message) : (Words){""};
}

Words report_solutions_words(const CaromResult *result) {
    if (result->solutions == CAROM_SOLUTIONS_CONTINUUM) {
        return words_of("%s", "Not the only solution: others have more kinetic energy after.");
    }
    return result->solutions > 1
               ? words_of("One of %d solutions found: this one has the least kinetic energy after.",
                          result->solutions)
               : words_of("%s", "");
}

Words report_ambiguous_words(const CaromResult *result) {
    return result->ambiguous[0] ? words_of("Not the only outcome: %s.", result->ambiguous)
                                : (Words){""};
}

Words report_jump_words(const CaromResult *result) {
    const CaromJump *jump = &result->jump;
    if (!solution_jumps(result)) {
        return (Words){""};
    }
    Words where =
        jump->distance > 0
            ? words_of("The outcome jumps if the input changes by about %.1g:", jump->distance)
            : words_of("%s", "The outcome jumps next to this input:");
    if (jump->contact >= 0) {
        words_add(&where, " contact %d:", jump->contact);
    }
    words_add(&where, " %s.", jump->reason);
    return where;
}
