/* Where the energy went, for people to read. */
#include <math.h>

#include "report/text/report_parts.h"

static ReportAmount make_amount(const char *what, double amount, double whole) {
    bool known = isfinite(whole) && whole > 0;
    amount = known && fabs(amount) < 1e-14 * whole ? 0 : amount; /* rounding */
    return (ReportAmount){what, amount, known ? amount / whole : (double)NAN};
}

ReportAccount report_account(const Scene *scene, const Solution *solution) {
    const CaromEnergy *energy = &solution->result.energy;
    ReportAccount account = {.owner =
                                 scene->source == SCENE_BODIES ? "the bodies" : "the mechanism"};
    const char *formula = "";
    double before, after;
    if (!solution_energies(scene, solution, &before, &after)) {
        account.owner =
            scene->contact_count > 1 ? "the motion at the contacts" : "the motion at the contact";
        formula = " (v.W^-1 v/2)";
        before = scene_motion_energy(scene);
        after = before + energy->change;
    }
    snprintf(account.title.text, sizeof account.title.text, "Kinetic energy of %s%s", account.owner,
             formula);
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
    Words words = {""};
    if (change < 0) {
        snprintf(words.text, sizeof words.text,
                 "Of the kinetic energy of %s %.2f %% is lost: %.2f %% to friction, %.2f %% in the "
                 "normal direction.",
                 account.owner, -100 * change, 100 * account.rows[ACCOUNT_FRICTION].part + 0.0,
                 100 * account.rows[ACCOUNT_NORMAL].part + 0.0);
    } else if (change > 0) {
        snprintf(words.text, sizeof words.text, "The kinetic energy of %s grows by %.2f %%.",
                 account.owner, 100 * change);
    } else if (change == 0) {
        snprintf(words.text, sizeof words.text, "Of the kinetic energy of %s nothing is lost.",
                 account.owner);
    }
    return words;
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

static void print_amount(FILE *file, const ReportAmount *row) {
    if (isnan(row->amount)) {
        return;
    }
    fprintf(file, "  %-28s %13.7g", row->what, row->amount + 0.0);
    if (isfinite(row->part)) {
        fprintf(file, " %8.2f %%", 100 * row->part + 0.0);
    }
    fputc('\n', file);
}

void report_energy(FILE *file, const Scene *scene, const Solution *solution) {
    ReportAccount account = report_account(scene, solution);
    fprintf(file, "\n%s\n", account.title.text);
    for (int i = 0; i < ACCOUNT_ROWS; i++) {
        print_amount(file, &account.rows[i]);
    }
    if (scene->model == CAROM_COMPLIANT && scene->contact_count == 1) {
        ReportSurface surface = report_surface(scene, solution);
        fprintf(file, "\nAlong the surface\n");
        print_amount(file, &surface.held);
        if (surface.direction) {
            fprintf(file, "  %-28s %13.7g of the speed before\n", surface.direction, surface.part);
        }
    }
}
