/* carom figures: the figures and tables of the papers, computed again, as a gallery. */
#include "commands/figures_command.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/words.h"
#include "figures/gallery.h"
#include "figures/jia_2013/jia_2013.h"
#include "figures/jia_mason_erdmann_2013/jia_mason_erdmann_2013.h"
#include "figures/jia_wang_2017/jia_wang_2017.h"
#include "figures/morgan_2011/morgan_2011.h"
#include "figures/values.h"
#include "io/command_line.h"
#include "io/output_file.h"
#include "io/progress.h"
#include "picture/gnuplot.h"

static const char help[] =
    "Usage: carom figures [--out DIR] [options]\n"
    "Compute the figures and tables of the papers again, and write them as a gallery:\n"
    "DIR/index.html, the pictures, and DIR/values.json. Needs gnuplot.\n"
    "\n"
    "  --out DIR   where to write (default: figures); made if it is not there\n"
    "  --only ID   only this figure; may be given several times\n"
    "  --png       write each picture as PNG, too\n"
    "  --list      list the figures, an ID in each line, and do nothing else\n"
    "  --help      print this\n"
    "\n"
    "Exit status: 0 every figure made, and every value as expected; 1 a figure could\n"
    "not be made, or a value differs from the printed one without a known reason;\n"
    "2 bad usage, no gnuplot, or the gallery cannot be written.\n";

enum { PAPERS = 4, FIGURES_MAX = 64 };

static const FigurePaper *const papers[PAPERS] = {
    &paper_jia_wang_2017, &paper_jia_mason_erdmann_2013, &paper_jia_2013, &paper_morgan_2011};

/* The IDs of --only; room for all arguments. */
typedef struct Only {
    const char **ids;
    int count;
} Only;

/* The figures to make, in the order of the papers. */
typedef struct Choice {
    const FigurePaper *papers[FIGURES_MAX];
    const Figure *figures[FIGURES_MAX];
    int count;
} Choice;

static bool is_wanted(const Only *only, const Figure *figure) {
    bool wanted = only->count == 0;
    for (int i = 0; i < only->count; i++) {
        wanted = wanted || strcmp(only->ids[i], figure->id) == 0;
    }
    return wanted;
}

static Choice choose(const Only *only) {
    Choice choice = {.count = 0};
    for (int i = 0; i < PAPERS; i++) {
        for (const Figure *figure = papers[i]->figures; figure->id; figure++) {
            if (is_wanted(only, figure) && choice.count < FIGURES_MAX) {
                choice.papers[choice.count] = papers[i];
                choice.figures[choice.count++] = figure;
            }
        }
    }
    return choice;
}

static int read_only(const char *command, const char *text, void *target) {
    Only *only = target, one = {&text, 1};
    only->ids[only->count++] = text;
    return choose(&one).count > 0
               ? 0
               : usage_fail(command, "--only: no figure \"%s\"; --list names them", text);
}

static int list(const Choice *choice) {
    for (int i = 0; i < choice->count; i++) {
        const Figure *figure = choice->figures[i];
        printf("%-12s [%s] %s: %s\n", figure->id, choice->papers[i]->name, figure->label,
               figure->title);
    }
    return output_finish() ? 0 : 2;
}

/* Report unexpected values on standard error. False: there are some, or the figure failed. */
static bool check_sheet(const FigureSheet *sheet) {
    const char *id = sheet->figure->id;
    bool good = !sheet->failed;
    if (sheet->failed) {
        message_error("figures: %s: cannot be made: %s", id, sheet->failure);
    }
    for (int i = 0; i < sheet->value_count; i++) {
        const FigureValue *value = &sheet->values[i];
        if (value->verdict == FIGURE_DIFFERS || value->verdict == FIGURE_NO_ERRATUM) {
            message_error("figures: %s: %s%s%s: printed %s, computed %s: %s", id,
                          value->group ? value->group : "", value->group ? ": " : "", value->name,
                          value->printed,
                          value->words ? value->words : words_of("%.9g", value->computed).text,
                          figure_verdict_name(value->verdict));
            good = false;
        }
    }
    return good;
}

static bool write_file(const char *directory, const char *name, OutputWriter *write,
                       const Gallery *gallery) {
    char path[4096];
    Error error;
    int length = snprintf(path, sizeof path, "%s/%s", directory, name);
    if (length < 0 || (size_t)length >= sizeof path) {
        message_error("figures: %s: the name is too long", directory);
        return false;
    }
    if (!output_file_write(path, write, gallery, &error)) {
        message_error("figures: %s: cannot be written: %s", path, error.text);
        return false;
    }
    return true;
}

static void print_summary(const Gallery *gallery, const char *directory) {
    GalleryCounts counts = gallery_count(gallery);
    int pictures = 0;
    for (int i = 0; i < gallery->count; i++) {
        pictures += gallery->sheets[i].picture_count;
    }
    message_note("%d figure%s, %d picture%s. Printed values: %d agree, %d have the error of the "
                 "paper's steps, %d depend on what is not printed, %d are errata, %d not as "
                 "expected.",
                 gallery->count, gallery->count == 1 ? "" : "s", pictures, pictures == 1 ? "" : "s",
                 counts.agree, counts.reasons[FIGURE_REASON_STEPS],
                 counts.reasons[FIGURE_REASON_SETTING], counts.reasons[FIGURE_REASON_ERRATUM],
                 counts.unexpected);
    message_note("The gallery is %s/index.html", directory);
}

/* Does gnuplot run? Otherwise every figure would fail for the same reason. */
static bool check_gnuplot(void) {
    Error error;
    FILE *script = tmpfile(), *output = tmpfile();
    bool good = script && output ? gnuplot_run(script, fileno(output), &error)
                                 : error_set(&error, "temporary file: %s", strerror(errno));
    if (!good) {
        message_error("figures: %s", error.text);
    }
    if (script) {
        fclose(script);
    }
    if (output) {
        fclose(output);
    }
    return good;
}

/* Make the figures, then the page. Returns the exit status. */
static int make_gallery(const Choice *choice, const char *directory, bool png,
                        FigureSheet *sheets) {
    Gallery gallery = {sheets, choice->count};
    Error error;
    if (!check_gnuplot()) {
        return 2;
    }
    if (!output_directory_make(directory, &error)) {
        message_error("figures: %s: cannot be made: %s", directory, error.text);
        return 2;
    }
    for (int i = 0; i < choice->count; i++) {
        const Figure *figure = choice->figures[i];
        progress_show("%3d of %d  [%s] %s", i + 1, choice->count, choice->papers[i]->name,
                      figure->label);
        figure_sheet_make(&sheets[i], choice->papers[i], figure, directory, png);
    }
    progress_end();
    bool good = true;
    for (int i = 0; i < choice->count; i++) {
        good = check_sheet(&sheets[i]) && good;
    }
    if (!write_file(directory, "index.html", gallery_page, &gallery) ||
        !write_file(directory, "values.json", gallery_values, &gallery)) {
        return 2;
    }
    print_summary(&gallery, directory);
    return !output_finish() ? 2 : good ? 0 : 1;
}

static int make(const Choice *choice, const char *directory, bool png) {
    FigureSheet *sheets = calloc((size_t)choice->count + 1, sizeof *sheets);
    if (!sheets) {
        message_error("figures: out of memory");
        return 2;
    }
    int status = make_gallery(choice, directory, png, sheets);
    for (int i = 0; i < choice->count; i++) {
        figure_sheet_free(&sheets[i]);
    }
    free(sheets);
    return status;
}

static int run(int argc, char **argv, Only *only) {
    const char *directory = "figures";
    int wants_list = 0, png = 0;
    const Option options[] = {{"out", OPTION_DIRECTORY, .target = &directory, .letter = 'o'},
                              {"only", OPTION_READ, .target = only, .read = read_only},
                              {"png", OPTION_FLAG, .target = &png},
                              {"list", OPTION_FLAG, .target = &wants_list},
                              {0}};
    int status = command_line_read("figures", help, options, argc, argv);
    if (status >= 0) {
        return status;
    }
    if (optind < argc) {
        return usage_fail("figures", "takes no file, got \"%s\"", argv[optind]);
    }
    Choice choice = choose(only);
    return wants_list ? list(&choice) : make(&choice, directory, png);
}

int figures_main(int argc, char **argv) {
    Only only = {.ids = calloc((size_t)argc + 1, sizeof *only.ids)};
    if (!only.ids) {
        message_error("figures: out of memory");
        return 2;
    }
    int status = run(argc, argv, &only);
    free(only.ids);
    return status;
}
