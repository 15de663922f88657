/* The parts of a scene's page about the result: course, velocities and impulses, energy. */
#include "report/page/page_result.h"

#include <math.h>
#include <string.h>

#include "io/html.h"
#include "report/words/course_words.h"
#include "report/words/outcome_words.h"
#include "report/words/scene_words.h"

/* Digits of results, as in the text report. More contacts than CONTACTS_IN_FULL get a row each;
 * more than CONTACTS_APART are only counted in the course. */
enum { DIGITS = 7, CONTACTS_IN_FULL = 3, CONTACTS_APART = 8 };

/* A sentence, with a full stop if it has none. */
static void write_sentence(FILE *file, const char *text) {
    if (text[0]) {
        fputs("<p>", file);
        html_text(file, text);
        fputs(strchr(".!?", text[strlen(text) - 1]) ? "</p>\n" : ".</p>\n", file);
    }
}

static void begin_moment(FILE *file, double clock) {
    html_row_begin(file, words_of("%.6g", clock + 0.0).text);
}

static void write_event(FILE *file, const ReportPage *page, int index) {
    const Scene *scene = page->scene;
    const CaromEvent *event = &page->solution->result.events[index];
    begin_moment(file, report_clock(scene, page->solution, index));
    if (scene->contact_count > 1) {
        html_cell(file, words_of("%d", event->contact).text);
    }
    html_cell(file, report_event_words(scene, event).text);
    html_row_end(file);
}

/* How the impact starts; of many contacts a sentence above the table says it. */
static void write_start(FILE *file, const ReportPage *page) {
    const Scene *scene = page->scene;
    Words start = report_start_words(scene, page->solution);
    if (start.text[0] && scene->contact_count <= CONTACTS_APART) {
        begin_moment(file, 0);
        if (scene->contact_count > 1) {
            html_cell(file, "");
        }
        html_cell(file, start.text);
        html_row_end(file);
    }
}

/* If there are too many events, the first and the last ones. */
static void write_events(FILE *file, const ReportPage *page) {
    static const char *const one[] = {"p", HTML_WORDS "event"};
    static const char *const several[] = {"p", HTML_WORDS "contact", HTML_WORDS "event"};
    const Scene *scene = page->scene;
    int count = page->solution->result.event_count;
    int first = report_first_event(scene, page->solution);
    int skipped = count - first > PAGE_ROWS ? count - first - PAGE_ROWS : 0;
    bool alone = scene->contact_count == 1;
    html_table_begin(file, NULL, alone ? one : several, alone ? 2 : 3);
    write_start(file, page);
    for (int i = first; i < count; i++) {
        if (skipped > 0 && i == first + PAGE_ROWS / 2) {
            html_row_begin(file, "");
            html_cell(file, words_of("... %d more events ...", skipped).text);
            html_row_end(file);
            i += skipped;
        }
        write_event(file, page, i);
    }
    html_table_end(file);
    fprintf(file, "<p class=\"quiet\">p: the normal impulse so far%s.</p>\n",
            alone ? "" : ", of all contacts together");
}

/* Two contacts: the table of Jia, Mason and Erdmann. */
static void write_states_of_two(FILE *file, const ReportPage *page) {
    static const char *const titles[] = {
        "acting",    "normal impulse, contact 0", "contact 1", "normal velocity, contact 0",
        "contact 1", "stored energy, contact 0",  "contact 1"};
    const Scene *scene = page->scene;
    int count = page->solution->states.count;
    html_table_begin(file, NULL, titles, 7);
    for (int i = 0; i < count && i < PAGE_ROWS; i++) {
        double numbers[6];
        report_state_numbers(scene, page->solution, i, numbers);
        html_row_begin(file, report_state_words(scene, page->solution, i));
        for (int k = 0; k < 6; k++) {
            html_cell_number(file, numbers[k], DIGITS);
        }
        html_row_end(file);
    }
    html_table_end(file);
}

/* The contacts that act: their indices, or if there are many their number. */
static void begin_state(FILE *file, const Scene *scene, const unsigned char *active) {
    int count = states_active_count(scene, active);
    Words words = words_of("%s", count > 0 ? "" : "none");
    if (count > 0 && scene->contact_count > CONTACTS_APART) {
        words = words_of("%d contact%s", count, count > 1 ? "s" : "");
    } else if (count > 0) {
        for (int i = 0; i < scene->contact_count; i++) {
            if (active[i]) {
                words_add(&words, "%s%d", words.text[0] ? ", " : "", i);
            }
        }
    }
    html_row_begin(file, words.text);
}

static void write_states_of_many(FILE *file, const ReportPage *page) {
    static const char *const titles[] = {"acting",    "p",         "normal impulse, contact 0",
                                         "contact 1", "contact 2", "contact 3",
                                         "contact 4", "contact 5", "contact 6",
                                         "contact 7"};
    const Scene *scene = page->scene;
    const Solution *solution = page->solution;
    const States *states = &solution->states;
    int shown = scene->contact_count <= CONTACTS_APART ? scene->contact_count : 0;
    int rows = scene_rows(scene);
    html_table_begin(file, NULL, titles, 2 + shown);
    for (int i = 0; i < states->count && i < PAGE_ROWS; i++) {
        size_t row = (size_t)states->events[i] * (size_t)(rows * scene->contact_count);
        const double *I = &solution->snapshots.impulse[row];
        begin_state(file, scene, states_active(scene, states, i));
        html_cell_number(file, report_clock(scene, solution, states->events[i]), DIGITS);
        for (int k = 0; k < shown; k++) {
            html_cell_number(file, I[rows * k + rows - 1], DIGITS);
        }
        html_row_end(file);
    }
    html_table_end(file);
}

static void write_states(FILE *file, const ReportPage *page) {
    if (page->solution->states.count == 0) {
        return;
    }
    fputs("<h3>States, as each begins</h3>\n", file);
    if (page->scene->contact_count == 2) {
        write_states_of_two(file, page);
    } else {
        write_states_of_many(file, page);
    }
    page_more(file, page->solution->states.count, "states");
}

void page_course(FILE *file, const ReportPage *page) {
    const Scene *scene = page->scene;
    const CaromResult *result = &page->solution->result;
    bool many = scene->contact_count > CONTACTS_APART;
    if (!scene_has_process(scene, page->solution->method)) {
        html_element(file, "p", report_solutions_words(result).text);
        return;
    }
    fputs("<h2>What happens</h2>\n", file);
    if (scene->contact_count > 1) {
        ReportSummary summary = report_summary(scene, page->solution);
        if (many) {
            write_sentence(file, report_acting_words(scene, &summary).text);
        }
        write_sentence(file, report_count_words(page->solution, &summary).text);
        write_sentence(file, report_latch_words(scene, &summary).text);
    }
    page_fold_begin(file, many ? result->event_count : 0, "The events");
    write_events(file, page);
    page_fold_end(file, many ? result->event_count : 0);
    if (result->sequence[0]) {
        fprintf(file,
                "<p>Sequence: %s <span class=\"quiet\">(l: slips straight on; s: slip ends; c: "
                "compression ends; r: the bodies separate)</span></p>\n",
                result->sequence);
    }
    const char *order = solution_order(scene, page->solution);
    if (order[0]) {
        fprintf(file,
                "<p>Order of calculation: %s <span class=\"quiet\">(Morgan, figure "
                "2.8)</span></p>\n",
                order);
    }
    Words slip = report_slip_words(scene, page->solution);
    if (slip.text[0]) {
        html_between(file, "<p>The contact ", slip.text, ".</p>\n");
    }
    if (scene->contact_count > 1) {
        write_states(file, page);
    }
}

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
    Words title = words_of("Contact %.240s", page_contact_title(scene, index).text);
    html_table_begin(file, scene->contact_count > 1 ? title.text : NULL,
                     scene->planar ? planar : spatial, rows + 1);
    Words velocity = units_suffix(&scene->units, UNIT_VELOCITY);
    double after[3];
    report_contact_after(scene, result, index, after);
    write_row(file, words_of("Impulse%.200s", units_suffix(&scene->units, UNIT_IMPULSE).text).text,
              &result->impulse[rows * index], rows);
    write_row(file, words_of("Velocity before%.200s", velocity.text).text,
              &scene->velocity[rows * index], rows);
    write_row(file, words_of("Velocity after%.200s", velocity.text).text, after, rows);
    html_table_end(file);
}

static void write_contact_row(FILE *file, const ReportPage *page, int index, bool smooth) {
    const Scene *scene = page->scene;
    const CaromResult *result = &page->solution->result;
    int rows = scene_rows(scene);
    const double *I = &result->impulse[rows * index], *after = &result->velocity[rows * index];
    const double *before = &scene->velocity[rows * index];
    html_row_begin(file, page_contact_title(scene, index).text);
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
    Words acts = words_of("%d%s", times, latched ? ", latched" : "");
    html_cell_number_text(file, scene_has_process(scene, page->solution->method)
                                    ? acts.text
                                    : report_mode_words(scene, result, index));
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
    bool is_smooth = !scene_has_friction(scene);
    const char *titles[8];
    int count = is_smooth ? 5 : 8;
    memcpy(titles, is_smooth ? smooth : rough, (size_t)count * sizeof *titles);
    if (!scene_has_process(scene, page->solution->method)) {
        titles[count - 1] = "contact";
    }
    html_table_begin(file, NULL, titles, count);
    for (int i = 0; i < scene->contact_count && i < PAGE_ROWS; i++) {
        write_contact_row(file, page, i, is_smooth);
    }
    html_table_end(file);
    page_more(file, scene->contact_count, "contacts");
}

static void write_speeds(FILE *file, const ReportPage *page) {
    static const char *const titles[] = {"Generalised speed", "before", "after", "change"};
    const SceneSystem *system = &page->scene->system;
    html_table_begin(file, NULL, titles, 4);
    for (int i = 0; i < system->speed_count && i < PAGE_ROWS; i++) {
        double before = system->speeds[i], after = page->solution->speeds[i];
        write_row(file, words_of("u[%d]", i).text, (const double[3]){before, after, after - before},
                  3);
    }
    html_table_end(file);
    page_more(file, system->speed_count, "speeds");
}

static bool is_at_rest(const double *velocity) {
    return velocity[0] == 0 && velocity[1] == 0 && velocity[2] == 0;
}

/* A row before and one after; of many bodies those at rest have only the second. */
static void write_body(FILE *file, const ReportPage *page, const MotionNoise *noise, int index,
                       bool angular) {
    const Scene *scene = page->scene;
    const double *before = motion_of(&scene->bodies[index], angular);
    Words name = report_name(scene->body_names[index]);
    if (scene->body_count <= PAGE_ROWS_OPEN || !is_at_rest(before)) {
        write_row(file, words_of("%.100s before", name.text).text, before, 3);
    }
    double after[3];
    report_after(page->solution, noise, index, angular, after);
    write_row(file, words_of("%.100s after", name.text).text, after, 3);
}

/* All movable bodies. */
static void write_velocities(FILE *file, const ReportPage *page, bool angular) {
    static const char *const titles[] = {"", "x", "y", "z"};
    const Scene *scene = page->scene;
    MotionNoise noise = motion_noise(scene, page->solution);
    int movable = 0;
    Words title =
        words_of("%s%.200s", angular ? "Angular velocity" : "Velocity",
                 units_suffix(&scene->units, angular ? UNIT_ANGULAR_VELOCITY : UNIT_VELOCITY).text);
    html_table_begin(file, title.text, titles, 4);
    for (int i = 0; i < scene->body_count; i++) {
        if (isinf(scene->bodies[i].mass) || ++movable > PAGE_ROWS) {
            continue; /* immovable, or one too many */
        }
        write_body(file, page, &noise, i, angular);
    }
    html_table_end(file);
    page_more(file, movable, "bodies");
}

void page_motion(FILE *file, const ReportPage *page) {
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
    if (isnan(amount->amount)) {
        return;
    }
    html_row_begin(file, amount->what);
    html_cell_number(file, amount->amount, DIGITS);
    Words part =
        isfinite(amount->part) ? words_of("%.2f %%", 100 * amount->part + 0.0) : (Words){""};
    html_cell_number_text(file, part.text);
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

void page_energy(FILE *file, const ReportPage *page) {
    static const char *const titles[] = {"", "energy", "part"};
    const Scene *scene = page->scene;
    const CaromResult *result = &page->solution->result;
    ReportAccount account = report_account(scene, page->solution);
    fputs("<h2>Energy account</h2>\n", file);
    html_table_begin(file, account.title.text, titles, 3);
    for (int i = 0; i < ACCOUNT_ROWS; i++) {
        write_amount(file, &account.rows[i]);
    }
    html_row_begin(file, "residual: what the account fails to close by");
    html_cell_number_text(file, words_of("%.1e", result->energy.residual).text);
    html_cell_number_text(file, "");
    html_row_end(file);
    html_table_end(file);
    if (scene_has_process(scene, page->solution->method)) {
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
