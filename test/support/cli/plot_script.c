/* The commands that the program gives to gnuplot. */
#include "support/cli/plot_script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/check.h"
#include "support/cli/markup.h"
#include "support/cli/program.h"

static char *old_path;

/* The first gnuplot on PATH; fails the test if there is none. */
static void find_gnuplot(char *place, size_t size) {
    char *path = strdup(getenv("PATH")), *rest = path;
    for (char *part = strtok_r(path, ":", &rest); part; part = strtok_r(NULL, ":", &rest)) {
        snprintf(place, size, "%s/gnuplot", part);
        if (access(place, X_OK) == 0) {
            free(path);
            return;
        }
    }
    fail_msg("gnuplot is not on PATH");
}

int plot_script_setup(void **state) {
    char real[1024], text[4096], path[8192];
    int status = work_setup(state);
    find_gnuplot(real, sizeof real);
    snprintf(text, sizeof text, "#!/bin/sh\ncat > '%s'\n'%s' \"$@\" < '%s' 2> '%s'\n",
             work_path("script"), real, work_path("script"), work_path("warnings"));
    if (chmod(work_text("gnuplot", text), 0755) != 0) {
        return -1;
    }
    old_path = strdup(getenv("PATH"));
    snprintf(path, sizeof path, "%s:%s", work_path("."), old_path);
    return setenv("PATH", path, 1) == 0 ? status : -1;
}

int plot_script_teardown(void **state) {
    setenv("PATH", old_path, 1);
    free(old_path);
    return work_teardown(state);
}

char *plot_script(const char *scene, const char *kind, char **svg) {
    const char *output = work_path("picture.svg");
    Run run = kind ? program_run(NULL, "plot", scene, "-o", output, "--kind", kind, (char *)NULL)
                   : program_run(NULL, "plot", scene, "-o", output, (char *)NULL);
    assert_string_equal(run.err, "");
    assert_string_equal(run.out, "");
    assert_int_equal(run.status, 0);
    run_free(&run);
    size_t size;
    char *warnings = file_read(work_path("warnings"), &size);
    assert_string_equal(warnings, "");
    free(warnings);
    char *picture = file_read(output, &size);
    check_svg(picture);
    if (svg) {
        *svg = picture;
    } else {
        free(picture);
    }
    return file_read(work_path("script"), &size);
}

static const char *find_block(const char *script, const char *name) {
    char start[64];
    snprintf(start, sizeof start, "$%s << END\n", name);
    const char *at = strstr(script, start);
    return at ? at + strlen(start) : NULL;
}

int plot_has_block(const char *script, const char *name) {
    return find_block(script, name) != NULL;
}

size_t plot_block(const char *script, const char *name, size_t columns, double **numbers) {
    const char *at = find_block(script, name);
    if (!at) {
        fail_msg("no block $%s", name);
    }
    size_t rows = 0, room = 0;
    *numbers = NULL;
    for (; strncmp(at, "END\n", 4) != 0; at = strchr(at, '\n') + 1) {
        if (*at == '\n') {
            continue;
        }
        if (rows == room) {
            room = 2 * room + 64;
            *numbers = realloc(*numbers, room * columns * sizeof **numbers);
            assert_non_null(*numbers);
        }
        char *next = (char *)(size_t)at;
        for (size_t k = 0; k < columns; k++) {
            const char *from = next;
            (*numbers)[rows * columns + k] = strtod(from, &next);
            assert_ptr_not_equal(next, from);
        }
        rows++;
    }
    return rows;
}

void check_svg(const char *svg) {
    assert_int_equal(strncmp(svg, "<?xml", 5), 0);
    check_contains(svg, "</svg>");
    static const char *const tags[] = {"svg", "g", "text", "title", "desc", "defs"};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        char open[16], open_bare[16], close[16];
        snprintf(open, sizeof open, "<%s ", tags[i]);
        snprintf(open_bare, sizeof open_bare, "<%s>", tags[i]);
        snprintf(close, sizeof close, "</%s>", tags[i]);
        assert_int_equal(count_of(svg, open) + count_of(svg, open_bare), count_of(svg, close));
    }
    for (const char *c = strchr(svg, '&'); c; c = strchr(c + 1, '&')) {
        assert_true(strncmp(c, "&amp;", 5) == 0 || strncmp(c, "&lt;", 4) == 0 ||
                    strncmp(c, "&gt;", 4) == 0 || strncmp(c, "&#", 2) == 0);
    }
    assert_null(strstr(svg, "nan"));
    assert_null(strstr(svg, "inf"));
}
