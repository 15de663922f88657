/* The report of carom solve as text: the order of its parts, and the energy account. */
#include "report/text/text_report.h"

#include <math.h>

#include "report/text/course_text.h"
#include "report/text/motion_text.h"
#include "report/text/scene_text.h"
#include "report/words/course_words.h"
#include "report/words/energy_words.h"

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

static void print_energy(FILE *file, const Scene *scene, const Solution *solution) {
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

void report_text(FILE *file, const Scene *scene, const Solution *solution) {
    const CaromResult *result = &solution->result;
    report_scene(file, scene, solution->method, solution->as_printed);
    Words slip = report_slip_words(scene, solution);
    if (slip.text[0]) {
        fprintf(file, "               %s\n", slip.text);
    }
    report_course(file, scene, solution);
    report_contacts(file, scene, solution);
    report_motion(file, scene, solution);
    print_energy(file, scene, solution);
    fprintf(file, "\n%s\n", report_accuracy_words(result).text);
    Words warning = report_warning_words(scene, result);
    if (warning.text[0]) {
        fprintf(file, "%s\n", warning.text);
    }
}
