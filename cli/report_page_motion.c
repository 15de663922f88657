/* How everything moves before and after: impulses, velocities, energies of a scene's page. */
#include <math.h>

#include <string.h>

#include "html.h"
#include "report_page.h"
#include "report_words.h"

/* Digits of results, as in the text report. With more contacts than CONTACTS_IN_FULL there is a row
 * for each. */
enum { DIGITS = 7, CONTACTS_IN_FULL = 3 };

static void write_row(FILE *file, const char *title, const double *x, int size) {
    html_row_begin(file, title);
    for (int i = 0; i < size; i++) {
        html_cell_number(file, x[i], DIGITS);
    }
    html_row_end(file);
}

static void write_contact(FILE *file, const ReportPage *page, int index) {
    static const char *const spatial[] = {"", "t1", "t2", "n"}, *const planar[] = {"", "t", "n"};
    const Scene *scene = page->scene;
    const CaromResult *result = &page->solution->result;
    int rows = scene_rows(scene);
    char title[300];
    Words pair = report_pair(scene, index);
    snprintf(title, sizeof title, "Contact %d%s%s", index, pair.text[0] ? ": " : "", pair.text);
    html_table_begin(file, scene->contact_count > 1 ? title : NULL,
                     scene->planar ? planar : spatial, rows + 1);
    write_row(file, "Impulse", &result->impulse[rows * index], rows);
    write_row(file, "Velocity before", &scene->velocity[rows * index], rows);
    write_row(file, "Velocity after", &result->velocity[rows * index], rows);
    html_table_end(file);
}

static void write_contact_row(FILE *file, const ReportPage *page, int index, bool smooth) {
    const Scene *scene = page->scene;
    const CaromResult *result = &page->solution->result;
    int rows = scene_rows(scene);
    const double *I = &result->impulse[rows * index], *after = &result->velocity[rows * index];
    const double *before = &scene->velocity[rows * index];
    char title[300], acts[32];
    Words pair = report_pair(scene, index);
    snprintf(title, sizeof title, "%d%s%s", index, pair.text[0] ? ": " : "", pair.text);
    html_row_begin(file, title);
    html_cell_number(file, I[rows - 1], DIGITS);
    html_cell_number(file, before[rows - 1], DIGITS);
    html_cell_number(file, after[rows - 1], DIGITS);
    if (!smooth) {
        html_cell_number(file, report_tangential(I, rows), DIGITS);
        html_cell_number(file, report_tangential(before, rows), DIGITS);
        html_cell_number(file, report_tangential(after, rows), DIGITS);
    }
    bool latched;
    int times = report_times(result, index, &latched);
    snprintf(acts, sizeof acts, "%d%s", times, latched ? ", latched" : "");
    html_cell_number_text(file, scene_has_process(page->scene)
                                    ? acts
                                    : report_acts_words(page->scene, result, index).text);
    html_row_end(file);
}

/* A row per contact. */
static void write_contact_table(FILE *file, const ReportPage *page) {
    static const char *const smooth[] = {"Contact", "normal impulse", "normal velocity before",
                                         "after", "acts, times"};
    static const char *const rough[] = {"Contact", "normal impulse",     "normal velocity before",
                                        "after",   "tangential impulse", "sliding speed before",
                                        "after",   "acts, times"};
    const Scene *scene = page->scene;
    bool is_smooth = report_is_smooth(scene);
    const char *titles[8];
    int count = is_smooth ? 5 : 8;
    memcpy(titles, is_smooth ? smooth : rough, (size_t)count * sizeof *titles);
    titles[count - 1] = scene_has_process(scene) ? "acts, times" : "contact";
    html_table_begin(file, NULL, titles, count);
    for (int i = 0; i < scene->contact_count && i < PAGE_ROWS; i++) {
        write_contact_row(file, page, i, is_smooth);
    }
    html_table_end(file);
    report_page_more(file, scene->contact_count, "contacts");
}

static void write_speeds(FILE *file, const ReportPage *page) {
    static const char *const titles[] = {"Generalised speed", "before", "after", "change"};
    const SceneSystem *system = &page->scene->system;
    html_table_begin(file, NULL, titles, 4);
    for (int i = 0; i < system->speed_count && i < PAGE_ROWS; i++) {
        char name[32];
        snprintf(name, sizeof name, "u[%d]", i);
        double before = system->speeds[i], after = page->solution->speeds[i];
        write_row(file, name, (const double[3]){before, after, after - before}, 3);
    }
    html_table_end(file);
    report_page_more(file, system->speed_count, "speeds");
}

static bool is_at_rest(const double *velocity) {
    return velocity[0] == 0 && velocity[1] == 0 && velocity[2] == 0;
}

/* A row for a body before, one for after. Of many bodies those at rest have only the latter. */
static void write_body(FILE *file, const ReportPage *page, const MotionNoise *noise, int index,
                       bool angular) {
    const Scene *scene = page->scene;
    const double *before = motion_of(&scene->bodies[index], angular);
    PlainName name = report_name(scene->body_names[index]);
    char title[128];
    if (scene->body_count <= PAGE_ROWS_OPEN || !is_at_rest(before)) {
        snprintf(title, sizeof title, "%s before", name.text);
        write_row(file, title, before, 3);
    }
    double after[3];
    report_after(scene, page->solution, noise, index, angular, after);
    snprintf(title, sizeof title, "%s after", name.text);
    write_row(file, title, after, 3);
}

/* All movable bodies. */
static void write_velocities(FILE *file, const ReportPage *page, bool angular) {
    static const char *const titles[] = {"", "x", "y", "z"};
    const Scene *scene = page->scene;
    MotionNoise noise = motion_noise(scene, page->solution);
    int movable = 0;
    html_table_begin(file, angular ? "Angular velocity" : "Velocity", titles, 4);
    for (int i = 0; i < scene->body_count; i++) {
        if (isinf(scene->bodies[i].mass) || ++movable > PAGE_ROWS) {
            continue; /* nothing can move it, or it is one too many */
        }
        write_body(file, page, &noise, i, angular);
    }
    html_table_end(file);
    report_page_more(file, movable, "bodies");
}

void report_page_motion(FILE *file, const ReportPage *page) {
    const Scene *scene = page->scene;
    fputs("<h2>Before and after</h2>\n", file);
    if (scene->source == SCENE_BODIES) {
        const char *words = report_turn_words(scene, page->solution);
        write_velocities(file, page, false);
        if (words) {
            html_element(file, "p", words);
        } else {
            write_velocities(file, page, true);
        }
    } else if (scene->source == SCENE_SYSTEM) {
        write_speeds(file, page);
    }
    fprintf(file, "<h3>At the contact%s</h3>\n", scene->contact_count > 1 ? "s" : "");
    if (scene->contact_count > CONTACTS_IN_FULL) {
        write_contact_table(file, page);
    } else {
        for (int i = 0; i < scene->contact_count; i++) {
            write_contact(file, page, i);
        }
    }
    fprintf(file,
            "<p class=\"quiet\">The impulse acts on the first body, its opposite on the second. n "
            "points into the first body; %s.</p>\n",
            scene->planar ? "t is along the surface" : "t1 and t2 are along the surface");
}

static void write_amount(FILE *file, const ReportAmount *amount) {
    char part[32] = "";
    if (isnan(amount->amount)) {
        return;
    }
    html_row_begin(file, amount->what);
    html_cell_number(file, amount->amount, DIGITS);
    if (isfinite(amount->part)) {
        snprintf(part, sizeof part, "%.2f %%", 100 * amount->part + 0.0);
    }
    html_cell_number_text(file, part);
    html_row_end(file);
}

static void write_surface(FILE *file, const ReportPage *page) {
    static const char *const titles[] = {"", "energy", "part"};
    ReportSurface surface = report_surface(page->scene, page->solution);
    html_table_begin(file, "Along the surface", titles, 3);
    write_amount(file, &surface.held);
    html_table_end(file);
    if (surface.direction) {
        fprintf(file, "<p>Along the surface the contact %s %.7g of the speed before.</p>\n",
                surface.direction, surface.part);
    }
}

void report_page_energy(FILE *file, const ReportPage *page) {
    static const char *const titles[] = {"", "energy", "part"};
    const Scene *scene = page->scene;
    const CaromResult *result = &page->solution->result;
    ReportAccount account = report_account(scene, page->solution);
    char residual[32];
    fputs("<h2>Energy account</h2>\n", file);
    html_table_begin(file, account.title.text, titles, 3);
    for (int i = 0; i < ACCOUNT_ROWS; i++) {
        write_amount(file, &account.rows[i]);
    }
    html_row_begin(file, "residual: what the account fails to close by");
    snprintf(residual, sizeof residual, "%.1e", result->energy.residual);
    html_cell_number_text(file, residual);
    html_cell_number_text(file, "");
    html_row_end(file);
    html_table_end(file);
    if (scene_has_process(scene)) {
        fprintf(file,
                "<p>In the normal direction %.7g was stored in compression and %.7g given "
                "back.</p>\n",
                result->energy.stored, result->energy.released);
    }
    if (scene->model == CAROM_MODEL_COMPLIANT && scene->contact_count == 1) {
        write_surface(file, page);
    }
    html_element(file, "p", report_accuracy_words(result).text);
}
