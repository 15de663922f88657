/* Running gnuplot. */
#include "picture/gnuplot.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "io/output_file.h"

extern char **environ;

void gnuplot_text(FILE *script, const char *text) {
    bool shown;
    fputc('\'', script);
    for (size_t length; (length = text_character(text, &shown)) > 0; text += length) {
        if (*text == '\'') {
            fputc('\'', script); /* twice */
        }
        fwrite(shown ? text : "?", 1, shown ? length : 1, script);
    }
    fputc('\'', script);
}

/* Start gnuplot with these files as its standard input, output and error. Returns 0 or an errno. */
static int start(int input, int output, int errors, pid_t *child) {
    /* -d: ignore the settings of the user and of the site */
    static char name[] = "gnuplot", defaults[] = "-d", standard_input[] = "-";
    char *arguments[] = {name, defaults, standard_input, NULL};
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) {
        return error;
    }
    error = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    error = error ? error : posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    error = error ? error : posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    error = error ? error : posix_spawnp(child, name, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* The last line of gnuplot's error output that is not empty. */
static void last_line(FILE *errors, char *line, size_t size) {
    char text[1024];
    snprintf(line, size, "it gave no reason");
    rewind(errors);
    while (fgets(text, sizeof text, errors)) {
        text[strcspn(text, "\n")] = '\0';
        if (text[strspn(text, " \t^")] != '\0') {
            text_make_plain(text);
            snprintf(line, size, "%s", text + strspn(text, " \t"));
        }
    }
}

static bool finish(pid_t child, FILE *errors, Error *error) {
    int state;
    while (waitpid(child, &state, 0) < 0) {
        if (errno != EINTR) {
            return error_set(error, "gnuplot: %s", strerror(errno));
        }
    }
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0) {
        return true;
    }
    char line[512];
    last_line(errors, line, sizeof line);
    return error_set(error, "gnuplot failed: %s", line);
}

bool gnuplot_run(FILE *script, int output, Error *error) {
    FILE *errors = tmpfile();
    if (!errors) {
        return error_set(error, "temporary file: %s", strerror(errno));
    }
    bool good = false;
    pid_t child;
    bool whole = output_stream_flush(script) && lseek(fileno(script), 0, SEEK_SET) == 0;
    int code = whole ? start(fileno(script), output, fileno(errors), &child) : errno;
    if (!whole) {
        error_set(error, "temporary file: %s", strerror(code));
    } else if (code == ENOENT) {
        error_set(error, "gnuplot is not installed: pictures need it (Debian: apt-get install "
                         "gnuplot-nox)");
    } else if (code) {
        error_set(error, "gnuplot cannot be started: %s", strerror(code));
    } else {
        good = finish(child, errors, error);
    }
    fclose(errors);
    return good;
}
