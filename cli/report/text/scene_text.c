/* The first lines of a report. */
#include "report/text/scene_text.h"

#include <string.h>

#include "base/text.h"
#include "report/words/scene_words.h"

/* More contacts than CONTACTS_LISTED share one line if they are alike. */
enum { LINE_WIDTH = 78, CONTACTS_LISTED = 8 };

/* Print a word, with '?' for characters that are not shown; returns its columns. file NULL: only
 * measure. */
static int print_word(FILE *file, const char *word, size_t size) {
    int columns = 0;
    for (const char *end = word + size; word < end; columns++) {
        bool shown;
        size_t length = text_character(word, &shown);
        if (file) {
            fwrite(shown ? word : "?", 1, shown ? length : 1, file);
        }
        word += length;
    }
    return columns;
}

/* Text in lines of LINE_WIDTH, broken at blanks; a longer word gets its own line. */
static void print_paragraph(FILE *file, const char *text) {
    int column = 0;
    while (*(text += strspn(text, " \n\t"))) {
        size_t length = strcspn(text, " \n\t");
        if (column > 0) {
            bool fits = column + 1 + print_word(NULL, text, length) <= LINE_WIDTH;
            fputc(fits ? ' ' : '\n', file);
            column = fits ? column + 1 : 0;
        }
        column += print_word(file, text, length);
        text += length;
    }
    fputc('\n', file);
}

void report_heading(FILE *file, const Scene *scene, CaromMethod method, bool as_printed) {
    if (scene->name) {
        print_paragraph(file, scene->name);
    }
    if (scene->description) {
        print_paragraph(file, scene->description);
    }
    if (scene->name || scene->description) {
        fputc('\n', file);
    }
    fprintf(file, "Model          %s\n", report_model_words(scene, method, as_printed).text);
    if (scene->units.length[0]) {
        fprintf(file, "Units          %s\n", report_units_words(&scene->units).text);
    }
}

void report_contact(FILE *file, const char *title, const Scene *scene, int contact) {
    fprintf(file, "%-14s %s", title, report_coefficient_words(scene, contact).text);
}

void report_scene(FILE *file, const Scene *scene, CaromMethod method, bool as_printed) {
    report_heading(file, scene, method, as_printed);
    if (scene->contact_count > CONTACTS_LISTED && report_is_alike(scene)) {
        report_contact(file, words_of("%d contacts", scene->contact_count).text, scene, 0);
        fputs(" each\n", file);
        return;
    }
    for (int i = 0; i < scene->contact_count; i++) {
        bool several = scene->contact_count > 1;
        report_contact(file, several ? words_of("Contact %d", i).text : "Contact", scene, i);
        Words pair = report_pair(scene, i);
        fprintf(file, "%s%s\n", pair.text[0] ? "; " : "", pair.text);
    }
}
