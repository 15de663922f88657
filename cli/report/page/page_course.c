/* The part of a scene's page about the course of the impact. */
#include "report/page/page_course.h"

#include <string.h>

#include "io/html.h"
#include "report/words/course_words.h"

/* Digits of results, as in the text report. More contacts than CONTACTS_APART are only counted. */
enum { DIGITS = 7, CONTACTS_APART = 8 };

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
    Words slip = report_slip_words(scene, page->solution);
    if (slip.text[0]) {
        html_between(file, "<p>The contact ", slip.text, ".</p>\n");
    }
    if (scene->contact_count > 1) {
        write_states(file, page);
    }
}
