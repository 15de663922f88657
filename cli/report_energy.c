/* Where the energy went, for people to read. */
#include <math.h>

#include "report_parts.h"

static void print_amount(FILE *file, const char *what, double amount, double whole) {
    bool known = isfinite(whole) && whole > 0;
    amount = known && fabs(amount) < 1e-14 * whole ? 0 : amount; /* rounding */
    fprintf(file, "  %-28s %13.7g", what, amount + 0.0);
    if (known) {
        fprintf(file, " %8.2f %%", 100 * amount / whole + 0.0);
    }
    fputc('\n', file);
}

static void print_account(FILE *file, const Scene *scene, const Solution *solution) {
    const CaromEnergy *account = &solution->result.energy;
    double before, after;
    if (solution_energies(scene, solution, &before, &after)) {
        fprintf(file, "\nKinetic energy of the %s\n",
                scene->source == SCENE_BODIES ? "bodies" : "mechanism");
    } else {
        before = scene_motion_energy(scene);
        after = before + account->change;
        fprintf(file, "\nKinetic energy of the motion at the contact%s (v.W^-1 v/2)\n",
                scene->contact_count > 1 ? "s" : "");
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

void report_energy(FILE *file, const Scene *scene, const Solution *solution) {
    print_account(file, scene, solution);
    if (scene->model == CAROM_COMPLIANT && scene->contact_count == 1) {
        print_surface(file, scene, solution);
    }
}
