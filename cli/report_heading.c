/* What reports begin with. */
#include "report_heading.h"

#include <math.h>
#include <string.h>

#include "report_words.h"
#include "text.h"

enum { LINE_WIDTH = 78 };

/* Columns that a word takes, with '?' for what must not be shown; file NULL: it is only measured.
 */
static int print_word(FILE *file, const char *word, size_t length) {
    int columns = 0;
    for (size_t i = 0; i < length;) {
        size_t refused = text_refused(word + i);
        columns += refused > 0 || ((unsigned char)word[i] & 0xC0) != 0x80; /* not a continuation */
        if (file) {
            fputc(refused > 0 ? '?' : word[i], file);
        }
        i += refused > 0 ? refused : 1;
    }
    return columns;
}

/* Text in lines of LINE_WIDTH, broken at blanks; a longer word has a line of its own. */
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

Words report_model_words(const Scene *scene, CaromMethod method, bool as_printed) {
    Words words;
    snprintf(words.text, sizeof words.text, "%s, %s restitution, method %s%s",
             scene_model_name(scene->model), scene_law_name(scene->law), method_name(method),
             as_printed ? " as printed" : "");
    return words;
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
}

Words report_coefficient_words(const Scene *scene, int contact) {
    const CaromContact *surface = &scene->contacts[contact];
    bool several = scene->contact_count > 1 && scene_has_process(scene);
    char at_rest[40] = "", stiffness[40] = "", ratio[48] = "";
    if (surface->mu_static > surface->mu) {
        snprintf(at_rest, sizeof at_rest, " (at rest %g)", surface->mu_static);
    }
    if (several && isinf(surface->stiffness)) {
        snprintf(stiffness, sizeof stiffness, ", stiffness infinite");
    } else if (several) {
        snprintf(stiffness, sizeof stiffness, ", stiffness %.6g", fmax(surface->stiffness, 0));
    }
    if (scene->model == CAROM_MODEL_COMPLIANT && (!several || surface->mu > 0)) {
        snprintf(ratio, sizeof ratio, ", stiffness ratio %.6g", surface->stiffness_ratio);
    }
    Words words;
    snprintf(words.text, sizeof words.text, "mu = %g%s, e = %g%s%s", surface->mu, at_rest,
             surface->e, stiffness, ratio);
    return words;
}

void report_contact(FILE *file, const char *title, const Scene *scene, int contact) {
    fprintf(file, "%-14s %s", title, report_coefficient_words(scene, contact).text);
}
