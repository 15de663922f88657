/* carom figures: the figures and tables of the papers, computed again, as a gallery. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figures/gallery.h"
#include "io/commands.h"
#include "io/html.h"
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

enum { PAPERS = 4 };

static const Figure *const papers[PAPERS] = {figures_jw, figures_jme, figures_j, figures_m};

typedef struct Settings {
    bool help, list, png;
    const char *directory;
    const Figure **figures; /* to be made, in the papers' order; room for all; owned */
    int count;
    const char **only; /* the IDs of the command line; room for all; owned */
    int only_count;
} Settings;

/* All figures of all papers in turn: the one with this number, NULL behind the last. */
static const Figure *figure_number(int number) {
    for (int i = 0; i < PAPERS; i++) {
        for (const Figure *figure = papers[i]; figure->id; figure++) {
            if (number-- == 0) {
                return figure;
            }
        }
    }
    return NULL;
}

static bool has_figure(const char *id) {
    const Figure *figure;
    for (int i = 0; (figure = figure_number(i)); i++) {
        if (strcmp(figure->id, id) == 0) {
            return true;
        }
    }
    return false;
}

static int read_option(int option, char **argv, void *into) {
    Settings *settings = into;
    switch (option) {
    case 'h':
        settings->help = true;
        return 0;
    case 'l':
        settings->list = true;
        return 0;
    case 'p':
        settings->png = true;
        return 0;
    case 'o':
        settings->directory = optarg;
        return optarg[0] ? 0 : usage_fail("figures", "--out: the directory's name is empty");
    case 'i':
        settings->only[settings->only_count++] = optarg;
        return has_figure(optarg)
                   ? 0
                   : usage_fail("figures", "--only: no figure \"%s\"; --list names them", optarg);
    default:
        return usage_fail_option("figures", option, argv);
    }
}

static bool is_wanted(const Settings *settings, const Figure *figure) {
    bool wanted = settings->only_count == 0;
    for (int i = 0; i < settings->only_count; i++) {
        wanted = wanted || strcmp(settings->only[i], figure->id) == 0;
    }
    return wanted;
}

static int read_settings(int argc, char **argv, Settings *settings) {
    static const struct option options[] = {
        {"out", required_argument, NULL, 'o'}, {"only", required_argument, NULL, 'i'},
        {"png", no_argument, NULL, 'p'},       {"list", no_argument, NULL, 'l'},
        {"help", no_argument, NULL, 'h'},      {NULL, 0, NULL, 0}};
    int wrong = usage_read_options(argc, argv, ":ho:", options, read_option, settings);
    if (wrong || settings->help) {
        return wrong;
    }
    if (optind < argc) {
        return usage_fail("figures", "takes no file, got \"%s\"", argv[optind]);
    }
    const Figure *figure;
    for (int i = 0; (figure = figure_number(i)); i++) {
        if (is_wanted(settings, figure)) {
            settings->figures[settings->count++] = figure;
        }
    }
    return 0;
}

static int list(const Settings *settings) {
    for (int i = 0; i < settings->count; i++) {
        const Figure *figure = settings->figures[i];
        printf("%-12s [%s] %s: %s\n", figure->id, figure->paper, figure->label, figure->title);
    }
    return output_finish() ? 0 : 2;
}

/* Say on standard error what is not as it should be. False: something is. */
static bool check_sheet(const FigureSheet *sheet) {
    const Figure *figure = sheet->figure;
    if (sheet->failed) {
        fprintf(stderr, "carom: figures: %s: cannot be made: %s\n", figure->id, sheet->failure);
    }
    for (int i = 0; i < sheet->value_count; i++) {
        const FigureValue *value = &sheet->values[i];
        if (value->verdict == FIGURE_DIFFERS || value->verdict == FIGURE_NO_ERRATUM) {
            char number[32];
            snprintf(number, sizeof number, "%.9g", value->computed);
            fprintf(stderr, "carom: figures: %s: %s%s%s: printed %s, computed %s: %s\n", figure->id,
                    value->group ? value->group : "", value->group ? ": " : "", value->name,
                    value->printed, value->words ? value->words : number,
                    figure_verdict_name(value->verdict));
        }
    }
    return !sheet->failed && figure_sheet_count(sheet, FIGURE_DIFFERS) == 0 &&
           figure_sheet_count(sheet, FIGURE_NO_ERRATUM) == 0;
}

static bool write_file(const char *directory, const char *name, HtmlPage *page,
                       const Gallery *gallery) {
    char path[4096], why[256];
    int length = snprintf(path, sizeof path, "%s/%s", directory, name);
    if (length < 0 || (size_t)length >= sizeof path) {
        fprintf(stderr, "carom: figures: %s: the name is too long\n", directory);
        return false;
    }
    if (!html_write(path, page, gallery, why, sizeof why)) {
        fprintf(stderr, "carom: figures: %s: cannot be written: %s\n", path, why);
        return false;
    }
    return true;
}

static void print_summary(const Gallery *gallery, const char *directory) {
    int agree = 0, errata = 0, other = 0, pictures = 0;
    for (int i = 0; i < gallery->count; i++) {
        const FigureSheet *sheet = &gallery->sheets[i];
        pictures += sheet->picture_count;
        agree += figure_sheet_count(sheet, FIGURE_AGREES);
        errata += figure_sheet_count(sheet, FIGURE_ERRATUM);
        other += figure_sheet_count(sheet, FIGURE_DIFFERS);
        other += figure_sheet_count(sheet, FIGURE_NO_ERRATUM);
    }
    printf(
        "%d figure%s, %d picture%s. Printed values: %d agree, %d differ by an erratum, %d not as "
        "expected.\nThe gallery is %s/index.html\n",
        gallery->count, gallery->count == 1 ? "" : "s", pictures, pictures == 1 ? "" : "s", agree,
        errata, other, directory);
}

/* Is there a gnuplot that runs? Otherwise every figure would fail for the same reason. */
static bool check_gnuplot(void) {
    char why[512];
    FILE *script = tmpfile(), *output = tmpfile();
    bool good = script && output;
    if (good) {
        good = gnuplot_run(script, fileno(output), why, sizeof why);
    } else {
        snprintf(why, sizeof why, "temporary file: %s", strerror(errno));
    }
    if (!good) {
        fprintf(stderr, "carom: figures: %s\n", why);
    }
    if (script) {
        fclose(script);
    }
    if (output) {
        fclose(output);
    }
    return good;
}

/* Make all, then the page. Answers with the exit status. */
static int make_gallery(const Settings *settings, FigureSheet *sheets) {
    Gallery gallery = {sheets, settings->count};
    char why[256];
    if (!check_gnuplot()) {
        return 2;
    }
    if (!html_make_directory(settings->directory, why, sizeof why)) {
        fprintf(stderr, "carom: figures: %s: cannot be made: %s\n", settings->directory, why);
        return 2;
    }
    bool good = true;
    for (int i = 0; i < settings->count; i++) {
        const Figure *figure = settings->figures[i];
        progress_show("%3d of %d  [%s] %s", i + 1, settings->count, figure->paper, figure->label);
        figure_sheet_make(&sheets[i], figure, settings->directory, settings->png);
    }
    progress_end();
    for (int i = 0; i < settings->count; i++) {
        good = check_sheet(&sheets[i]) && good;
    }
    if (!write_file(settings->directory, "index.html", gallery_page, &gallery) ||
        !write_file(settings->directory, "values.json", gallery_values, &gallery)) {
        return 2;
    }
    print_summary(&gallery, settings->directory);
    return !output_finish() ? 2 : good ? 0 : 1;
}

static int run(const Settings *settings) {
    if (settings->help) {
        return usage_help(help);
    }
    if (settings->list) {
        return list(settings);
    }
    FigureSheet *sheets = calloc((size_t)settings->count + 1, sizeof *sheets);
    if (!sheets) {
        fputs("carom: figures: out of memory\n", stderr);
        return 2;
    }
    int status = make_gallery(settings, sheets);
    for (int i = 0; i < settings->count; i++) {
        figure_sheet_free(&sheets[i]);
    }
    free(sheets);
    return status;
}

int figures_main(int argc, char **argv) {
    int all = 0;
    while (figure_number(all)) {
        all++;
    }
    Settings settings = {.directory = "figures",
                         .figures = calloc((size_t)all + 1, sizeof *settings.figures),
                         .only = calloc((size_t)argc + 1, sizeof *settings.only)};
    int status = 2;
    if (!settings.figures || !settings.only) {
        fputs("carom: figures: out of memory\n", stderr);
    } else {
        int wrong = read_settings(argc, argv, &settings);
        status = wrong ? wrong : run(&settings);
    }
    free(settings.figures);
    free(settings.only);
    return status;
}
