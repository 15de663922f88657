/* What reports say about energy and accuracy. */
#include "report/words/energy_words.h"

#include <math.h>

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
    account.title = words_of("Kinetic energy of %s%s", account.owner, known ? "" : " (v.W^-1 v/2)");
    ReportAmount *rows = account.rows;
    rows[ACCOUNT_BEFORE] = make_amount("before", before, before);
    rows[ACCOUNT_FRICTION] = make_amount("lost to friction", energy->friction_loss, before);
    rows[ACCOUNT_NORMAL] = make_amount("lost in the normal direction", energy->normal_loss, before);
    rows[ACCOUNT_AFTER] = make_amount("after", after, before);
    rows[ACCOUNT_CHANGE] = make_amount("change", energy->change, before);
    return account;
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
            scene_law_names[scene->law]);
    }
    return result->status < 0
               ? words_of("Warning: %s: %s", carom_status_string(result->status), result->message)
               : (Words){""};
}
