/* carom lab: write the laboratory, a page for the browser. */
#include "commands/lab_command.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "io/command_line.h"
#include "io/output_file.h"

static const char help[] =
    "Usage: carom lab -o FILE.html\n"
    "Write the laboratory: impacts to play with, as one page that a browser opens from disk,\n"
    "without a network. The library itself runs in it.\n"
    "\n"
    "  -o, --output FILE  where to write it (\"-\": standard output)\n"
    "  --help             print this\n"
    "\n"
    "Exit status: 0 written; 2 not written.\n";

#ifdef CAROM_HAS_LAB
#include "base/message.h"
#include "embed.h"

static void print_page(FILE *file, const void *data) {
    (void)data;
    fwrite(lab_page, 1, (size_t)(lab_page_end - lab_page), file);
}

static int write_page(const char *path) {
    Error error;
    if (strcmp(path, "-") == 0) {
        print_page(stdout, NULL);
    } else if (output_file_write(path, print_page, NULL, &error)) {
        message_note("The laboratory is in %s", path);
    } else {
        message_error("lab: %s: cannot be written: %s", path, error.text);
        return 2;
    }
    return output_finish() ? 0 : 2;
}
#else
static int write_page(const char *path) {
    message_error("lab: %s: not written: this program was built without the laboratory; \"make "
                  "lab\" in carom's sources builds it, and a program that has it",
                  path);
    return 2;
}
#endif

int lab_main(int argc, char **argv) {
    const char *output = NULL;
    const Option options[] = {{"output", OPTION_TEXT, .target = &output, .letter = 'o'}, {0}};
    int status = command_line_read("lab", help, options, argc, argv);
    if (status >= 0) {
        return status;
    }
    if (optind < argc) {
        return usage_fail("lab", "takes no scene, got \"%s\": open it in the page", argv[optind]);
    }
    return output ? write_page(output)
                  : usage_fail("lab", "-o: where to write the page is missing");
}
