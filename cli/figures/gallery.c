/* The gallery: the figures of all papers, each with its pictures and a table of printed and
 * computed values. */
#include "figures/gallery.h"

#include <stdlib.h>
#include <string.h>

#include "io/html.h"

/* More values than this are folded away. */
enum { VALUES_SHOWN = 16 };

/* The number of sheets from first on that belong to the same paper. */
static int count_paper(const Gallery *gallery, int first) {
    int end = first;
    while (end < gallery->count && gallery->sheets[end].paper == gallery->sheets[first].paper) {
        end++;
    }
    return end - first;
}

GalleryCounts gallery_count(const Gallery *gallery) {
    GalleryCounts counts = {0};
    for (int i = 0; i < gallery->count; i++) {
        const FigureSheet *sheet = &gallery->sheets[i];
        counts.failed += sheet->failed;
        for (int k = 0; k < sheet->value_count; k++) {
            const FigureValue *value = &sheet->values[k];
            FigureVerdict verdict = value->verdict;
            counts.agree += verdict == FIGURE_AGREES;
            counts.unexpected += verdict == FIGURE_DIFFERS || verdict == FIGURE_NO_ERRATUM;
            if (verdict == FIGURE_ERRATUM) {
                counts.reasons[figure_reason(value->erratum)]++;
            }
        }
    }
    return counts;
}

/* Errata are numbered by their sentences, in order of appearance. */
typedef struct Errata {
    const char **sentences; /* not owned; the array is */
    int count;
} Errata;

static int erratum_number(const Errata *errata, const char *sentence) {
    for (int i = 0; i < errata->count; i++) {
        if (strcmp(errata->sentences[i], sentence) == 0) {
            return i + 1;
        }
    }
    return 0;
}

/* Without memory there are none; writing the page then fails, too. */
static Errata collect_errata(const Gallery *gallery) {
    size_t room = 1;
    for (int i = 0; i < gallery->count; i++) {
        room += (size_t)gallery->sheets[i].value_count;
    }
    Errata errata = {.sentences = calloc(room, sizeof *errata.sentences)};
    for (int i = 0; i < gallery->count && errata.sentences; i++) {
        for (int k = 0; k < gallery->sheets[i].value_count; k++) {
            const char *sentence = gallery->sheets[i].values[k].erratum;
            if (sentence && erratum_number(&errata, sentence) == 0) {
                errata.sentences[errata.count++] = sentence;
            }
        }
    }
    return errata;
}

static void write_link(FILE *file, const Figure *figure) {
    fprintf(file, "<a href=\"#%s\">", figure->id);
    html_text(file, figure->label);
    fputs("</a>", file);
}

/* A small picture as a link to the figure; a table has none. */
static void write_card(const FigureSheet *sheet, FILE *file) {
    const Figure *figure = sheet->figure;
    fprintf(file, "<li><a href=\"#%s\">", figure->id);
    if (sheet->picture_count > 0) {
        /* the description comes below; here the label is enough */
        fprintf(file, "<figure><img src=\"%s\" alt=\"\" loading=\"lazy\"/></figure>",
                sheet->pictures[0].file);
    } else {
        fprintf(
            file,
            "<span class=\"quiet\" style=\"display:grid;min-height:6rem;place-items:center;border:"
            "1px solid var(--line);border-radius:6px\">%d values</span>",
            sheet->value_count);
    }
    html_text(file, figure->label);
    html_between(file, "</a> <span class=\"quiet\">", figure->title, "</span></li>\n");
}

static void write_contents(const Gallery *gallery, const Errata *errata, FILE *file) {
    fputs("<nav aria-label=\"Contents\">\n", file);
    for (int i = 0, count; i < gallery->count; i += count) {
        const FigurePaper *paper = gallery->sheets[i].paper;
        count = count_paper(gallery, i);
        fprintf(file, "<h3><a href=\"#%s\">[%s]</a> ", paper->name, paper->name);
        html_text(file, paper->authors);
        fputs(
            "</h3>\n<ul style=\"display:grid;gap:1rem;padding:0;list-style:none;font-size:.875rem;"
            "grid-template-columns:repeat(auto-fill,minmax(min(100%,26rem),1fr))\">\n",
            file);
        for (int k = i; k < i + count; k++) {
            write_card(&gallery->sheets[k], file);
        }
        fputs("</ul>\n", file);
    }
    if (errata->count > 0) {
        fprintf(file, "<p><a href=\"#errata\">Errata</a>: %d</p>\n", errata->count);
    }
    fputs("</nav>\n", file);
}

static void write_opening(const Gallery *gallery, FILE *file) {
    html_element(file, "h1", "The figures of the papers, computed again");
    fputs(
        "<p>Every figure and table here is computed by carom as this page is made, with its exact "
        "methods unless it says otherwise. What a paper prints stands beside what came out. A "
        "value agrees if it differs by at most one unit of the last printed digit; where one "
        "does not, the <a href=\"#errata\">errata</a> say why. "
        "<a href=\"values.json\">values.json</a> has all values, but for times, with all "
        "digits.</p>\n",
        file);
    GalleryCounts counts = gallery_count(gallery);
    bool bad = counts.unexpected || counts.failed;
    fprintf(
        file,
        "<p>%d figures and tables. Of the printed values %d agree. %d have the error of the "
        "paper's own steps, %d depend on a tolerance or a step that is not printed, and %d differ "
        "by an error of the paper, an erratum%s",
        gallery->count, counts.agree, counts.reasons[FIGURE_REASON_STEPS],
        counts.reasons[FIGURE_REASON_SETTING], counts.reasons[FIGURE_REASON_ERRATUM],
        bad ? "; <strong class=\"warn\">" : ".</p>\n");
    if (bad) {
        fprintf(file, "%d not as expected, %d figures could not be made</strong>.</p>\n",
                counts.unexpected, counts.failed);
    }
}

static void write_verdict(const FigureValue *value, const Errata *errata, FILE *file) {
    bool wrong = value->verdict == FIGURE_DIFFERS || value->verdict == FIGURE_NO_ERRATUM;
    fputs(wrong ? "<td class=\"warn\">" : "<td style=\"white-space:nowrap\">", file);
    if (value->verdict == FIGURE_ERRATUM) {
        int number = erratum_number(errata, value->erratum);
        static const char *const names[FIGURE_REASONS] = {"erratum", "steps, note",
                                                          "setting, note"};
        fprintf(file, "≠ <a href=\"#erratum-%d\">%s %d</a>", number,
                names[figure_reason(value->erratum)], number);
    } else if (value->verdict != FIGURE_NOT_PRINTED) {
        fputs(value->verdict == FIGURE_AGREES ? "✓ " : "", file);
        html_text(file, figure_verdict_name(value->verdict));
    }
    fputs("</td>", file);
}

/* Significant digits of a computed number: two more than are printed, from 4 to 12. */
static int digits_shown(const char *printed) {
    int digits = 0;
    for (const char *c = printed ? printed : ""; *c && *c != 'e' && *c != 'E'; c++) {
        digits += (*c >= '1' && *c <= '9') || (*c == '0' && digits > 0);
    }
    return !printed ? 7 : digits + 2 > 12 ? 12 : digits + 2 < 4 ? 4 : digits + 2;
}

static void write_value(const FigureValue *value, const Errata *errata, FILE *file) {
    fputs("<tr><th scope=\"row\">", file);
    html_text(file, value->name);
    if (value->note) {
        html_between(file, "<br/><small class=\"quiet\">", value->note, "</small>");
    }
    fputs("</th>", file);
    html_cell_number_text(file, value->printed ? value->printed : "");
    if (value->words) {
        html_cell_number_text(file, value->words);
    } else {
        html_cell_number(file, value->computed, digits_shown(value->printed));
    }
    write_verdict(value, errata, file);
    html_row_end(file);
}

static bool same_group(const FigureValue *a, const FigureValue *b) {
    return a->group == b->group || (a->group && b->group && strcmp(a->group, b->group) == 0);
}

/* One table for each group of values. */
static void write_values(const FigureSheet *sheet, const Errata *errata, FILE *file) {
    static const char *const columns[] = {"", "printed", "computed", "verdict"};
    for (int i = 0; i < sheet->value_count; i++) {
        const FigureValue *value = &sheet->values[i];
        bool first = i == 0 || !same_group(value, value - 1);
        bool last = i + 1 == sheet->value_count || !same_group(value, value + 1);
        if (first) {
            html_table_begin(file, value->group, columns, sizeof columns / sizeof *columns);
        }
        write_value(value, errata, file);
        if (last) {
            html_table_end(file);
        }
    }
}

static void write_pictures(const FigureSheet *sheet, FILE *file) {
    for (int i = 0; i < sheet->picture_count; i++) {
        const FigurePicture *picture = &sheet->pictures[i];
        if (picture->description) {
            html_picture(file, picture->file, picture->description, NULL);
        }
    }
}

static void write_tables(const FigureSheet *sheet, const Errata *errata, FILE *file) {
    /* without a picture the values stay visible */
    bool folded = sheet->value_count > VALUES_SHOWN && sheet->picture_count > 0;
    if (folded) {
        fprintf(file,
                "<details><summary>%d values: %d agree, %d differ for a known reason</summary>\n",
                sheet->value_count, figure_sheet_count(sheet, FIGURE_AGREES),
                figure_sheet_count(sheet, FIGURE_ERRATUM));
    }
    fputs("<div class=\"pictures\" style=\"font-size:.875rem;gap:0 1.5rem;align-items:start\">\n",
          file);
    write_values(sheet, errata, file);
    fputs(folded ? "</div>\n</details>\n" : "</div>\n", file);
}

/* Pictures and tables, side by side if there is one picture that is not too wide. */
static void write_content(const FigureSheet *sheet, const Errata *errata, FILE *file) {
    bool one = sheet->picture_count == 1, narrow = one && sheet->pictures[0].width <= 760;
    if (one && !narrow) {
        /* not enlarged */
        fprintf(file, "<div style=\"max-width:%dpx\">\n", sheet->pictures[0].width);
    } else {
        fputs("<div class=\"pictures\">\n", file);
    }
    write_pictures(sheet, file);
    fputs(narrow ? "" : "</div>\n", file);
    write_tables(sheet, errata, file);
    fputs(narrow ? "</div>\n" : "", file);
}

static void write_figure(const FigureSheet *sheet, const Errata *errata, FILE *file) {
    const Figure *figure = sheet->figure;
    fprintf(file, "<section id=\"%s\" style=\"margin-top:3rem\">\n<h3>[%s] ", figure->id,
            sheet->paper->name);
    html_text(file, figure->label);
    html_between(file, ": ", figure->title, "</h3>\n");
    html_element(file, "p", figure->caption);
    if (sheet->failed) {
        html_between(file, "<p class=\"warn\">It could not be made: ", sheet->failure, "</p>\n");
    }
    write_content(sheet, errata, file);
    fputs("</section>\n", file);
}

static void write_paper(const FigurePaper *paper, FILE *file) {
    fprintf(file, "<h2 id=\"%s\">[%s] ", paper->name, paper->name);
    html_text(file, paper->title);
    html_between(file, "</h2>\n<p class=\"quiet\">", paper->authors, ", ");
    html_text(file, paper->place);
    fputs(".</p>\n", file);
}

/* Does a figure have a value with this erratum? */
static bool bears(const FigureSheet *sheet, const char *sentence) {
    for (int i = 0; i < sheet->value_count; i++) {
        const char *erratum = sheet->values[i].erratum;
        if (erratum && strcmp(erratum, sentence) == 0) {
            return true;
        }
    }
    return false;
}

static void write_errata(const Gallery *gallery, const Errata *errata, FILE *file) {
    static const char *const reasons[FIGURE_REASONS] = {
        [FIGURE_REASON_ERRATUM] = "",
        [FIGURE_REASON_STEPS] = "<strong>Error of the steps.</strong> ",
        [FIGURE_REASON_SETTING] = "<strong>Not printed.</strong> "};
    fputs("<h2 id=\"errata\">Errata</h2>\n", file);
    html_element(
        file, "p",
        errata->count > 0
            ? "Why printed values differ: an error of the paper, or something that they depend "
              "on and that is not printed. The evidence, with commands to see it for "
              "oneself, is in docs/errata.md of the sources."
            : "None in these figures.");
    fputs(errata->count > 0 ? "<ol>\n" : "", file);
    for (int k = 0; k < errata->count; k++) {
        fprintf(file, "<li id=\"erratum-%d\">", k + 1);
        fputs(reasons[figure_reason(errata->sentences[k])], file);
        html_text(file, figure_sentence(errata->sentences[k]));
        fputs(" <span class=\"quiet\">(", file);
        const char *between = "";
        for (int i = 0; i < gallery->count; i++) {
            if (bears(&gallery->sheets[i], errata->sentences[k])) {
                fprintf(file, "%s[%s] ", between, gallery->sheets[i].paper->name);
                write_link(file, gallery->sheets[i].figure);
                between = ", ";
            }
        }
        fputs(")</span></li>\n", file);
    }
    fputs(errata->count > 0 ? "</ol>\n" : "", file);
}

void gallery_page(FILE *file, const void *data) {
    const Gallery *gallery = data;
    Errata errata = collect_errata(gallery);
    html_page_begin(file, "The figures of the papers, computed again");
    write_opening(gallery, file);
    write_contents(gallery, &errata, file);
    for (int i = 0; i < gallery->count; i++) {
        if (i == 0 || gallery->sheets[i].paper != gallery->sheets[i - 1].paper) {
            write_paper(gallery->sheets[i].paper, file);
        }
        write_figure(&gallery->sheets[i], &errata, file);
    }
    write_errata(gallery, &errata, file);
    html_page_end(file);
    free(errata.sentences);
}
