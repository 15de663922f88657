/* carom lab: the laboratory, a page for the browser, as one file. */
#include <stdio.h>
#include <string.h>

#include "io/commands.h"
#include "io/html.h"

static const char help[] =
    "Usage: carom lab -o FILE.html\n"
    "Write the laboratory: impacts to play with, as one page that a browser opens from disk,\n"
    "without a network. The library itself runs in it.\n"
    "\n"
    "  -o, --output FILE  where to write it (\"-\": standard output)\n"
    "  --help             print this\n"
    "\n"
    "Exit status: 0 written; 2 not written.\n";

typedef struct Settings {
    const char *output;
    bool help;
} Settings;

static int read_option(int option, char **argv, void *into) {
    Settings *settings = into;
    switch (option) {
    case 'o':
        settings->output = optarg;
        return 0;
    case 'h':
        settings->help = true;
        return 0;
    default:
        return usage_fail_option("lab", option, argv);
    }
}

static int read_settings(int argc, char **argv, Settings *settings) {
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    *settings = (Settings){0};
    int wrong = usage_read_options(argc, argv, ":ho:", options, read_option, settings);
    if (wrong || settings->help) {
        return wrong;
    }
    if (optind < argc) {
        return usage_fail("lab", "takes no scene, got \"%s\": open it in the page", argv[optind]);
    }
    return settings->output ? 0 : usage_fail("lab", "-o: where to write the page is missing");
}

#ifdef CAROM_HAS_LAB
#include "embed.h"

static void print_page(FILE *file, const void *data) {
    (void)data;
    fwrite(lab_page, 1, (size_t)(lab_page_end - lab_page), file);
}

static int write_page(const char *path) {
    char why[256];
    if (strcmp(path, "-") == 0) {
        print_page(stdout, NULL);
    } else if (html_write(path, print_page, NULL, why, sizeof why)) {
        printf("The laboratory is in %s\n", path);
    } else {
        fprintf(stderr, "carom: lab: %s: cannot be written: %s\n", path, why);
        return 2;
    }
    return output_finish() ? 0 : 2;
}
#else
static int write_page(const char *path) {
    fprintf(stderr,
            "carom: lab: %s: not written: this program was built without the laboratory; \"make "
            "lab\" in carom's sources builds it, and a program that has it\n",
            path);
    return 2;
}
#endif

int lab_main(int argc, char **argv) {
    Settings settings;
    int wrong = read_settings(argc, argv, &settings);
    if (wrong) {
        return wrong;
    }
    return settings.help ? usage_help(help) : write_page(settings.output);
}
