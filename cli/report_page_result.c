/* What came out: the parts of a scene's page that tell the impact and its end. */
#include <math.h>
#include <string.h>

#include "html.h"
#include "report_page.h"
#include "report_words.h"

/* Digits of results, as in the text report. More contacts than CONTACTS_APART are counted rather
 * than told apart. */
enum { DIGITS = 7, CONTACTS_APART = 8 };

/* A sentence that was made to be a line of its own: with its full stop. */
static void write_sentence(FILE *file, const char *text) {
    if (text[0]) {
        fputs("<p>", file);
        html_text(file, text);
        fputs(strchr(".!?", text[strlen(text) - 1]) ? "</p>\n" : ".</p>\n", file);
    }
}

static void begin_moment(FILE *file, double clock) {
    char moment[64];
    snprintf(moment, sizeof moment, "%.6g", clock + 0.0);
    html_row_begin(file, moment);
}

static void write_event(FILE *file, const ReportPage *page, int index) {
    const Scene *scene = page->scene;
    const CaromEvent *event = &page->solution->result.events[index];
    char contact[32];
    begin_moment(file, report_clock(scene, page->solution, index));
    if (scene->contact_count > 1) {
        snprintf(contact, sizeof contact, "%d", event->contact);
        html_cell(file, contact);
    }
    html_cell(file, report_event_words(scene, event).text);
    html_row_end(file);
}

/* Of many contacts a sentence above the table says how they start. */
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

/* Of more events than a table may have, the first half of them and the last. */
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
            char words[64];
            snprintf(words, sizeof words, "... %d more events ...", skipped);
            html_row_begin(file, "");
            html_cell(file, words);
            html_row_end(file);
            i += skipped;
        }
        write_event(file, page, i);
    }
    html_table_end(file);
    fprintf(file, "<p class=\"quiet\">p: the normal impulse so far%s.</p>\n",
            alone ? "" : ", of all contacts together");
}

/* What Jia, Mason and Erdmann tabulate of two contacts. */
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

/* Which contacts act, as their indices or, of many, their number. */
static void begin_state(FILE *file, const Scene *scene, const unsigned char *active) {
    char text[64] = "none";
    int count = states_active_count(scene, active), told = 0;
    if (count > 0 && scene->contact_count > CONTACTS_APART) {
        snprintf(text, sizeof text, "%d contact%s", count, count > 1 ? "s" : "");
    } else if (count > 0) {
        size_t used = 0;
        for (int i = 0; i < scene->contact_count; i++) {
            if (active[i]) {
                used += (size_t)snprintf(text + used, sizeof text - used, "%s%d",
                                         told++ > 0 ? ", " : "", i);
            }
        }
    }
    html_row_begin(file, text);
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
    report_page_more(file, page->solution->states.count, "states");
}

void report_page_course(FILE *file, const ReportPage *page) {
    const Scene *scene = page->scene;
    const CaromResult *result = &page->solution->result;
    bool many = scene->contact_count > CONTACTS_APART;
    if (!scene_has_process(scene)) {
        write_sentence(file, report_solutions_words(result).text);
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
    report_page_fold_begin(file, many ? result->event_count : 0, "The events");
    write_events(file, page);
    report_page_fold_end(file, many ? result->event_count : 0);
    if (result->sequence[0]) {
        fprintf(file,
                "<p>Sequence: %s <span class=\"quiet\">(l: slips straight on; s: slip ends; c: "
                "compression ends; r: the bodies separate)</span></p>\n",
                result->sequence);
    }
    Words slip = report_slip_words(scene, page->solution);
    if (slip.text[0]) {
        fputs("<p>The contact ", file);
        html_text(file, slip.text);
        fputs(".</p>\n", file);
    }
    if (scene->contact_count > 1) {
        write_states(file, page);
    }
}
