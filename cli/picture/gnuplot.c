/* Running gnuplot. */
#include "picture/gnuplot.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"

extern char **environ;

void gnuplot_text(FILE *script, const char *text) {
    fputc('\'', script);
    for (const char *c = text; *c; c++) {
        size_t refused = text_refused(c);
        if (refused > 0) {
            fputc('?', script);
            c += refused - 1;
        } else {
            fputs(*c == '\'' ? "''" : (char[2]){*c}, script);
        }
    }
    fputc('\'', script);
}

static bool fail(char *message, size_t size, const char *what, const char *why) {
    snprintf(message, size, "%s: %s", what, why);
    return false;
}

/* Start gnuplot with the three files as its standard input, output and error. 0 or an errno. */
static int start(int input, int output, int errors, pid_t *child) {
    /* -d: neither the user's nor the site's settings change the picture */
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

/* The line of gnuplot's complaint that says most: the last one that is not empty. */
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

static bool finish(pid_t child, FILE *errors, char *message, size_t size) {
    int state;
    while (waitpid(child, &state, 0) < 0) {
        if (errno != EINTR) {
            return fail(message, size, "gnuplot", strerror(errno));
        }
    }
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0) {
        return true;
    }
    char line[512];
    last_line(errors, line, sizeof line);
    return fail(message, size, "gnuplot failed", line);
}

bool gnuplot_run(FILE *script, int output, char *message, size_t size) {
    FILE *errors = tmpfile();
    if (!errors) {
        return fail(message, size, "temporary file", strerror(errno));
    }
    bool good = false;
    pid_t child;
    errno = EIO; /* should the stream not say why it failed */
    bool whole = !ferror(script) && fflush(script) == 0 && lseek(fileno(script), 0, SEEK_SET) == 0;
    int error = whole ? 0 : errno;
    if (error) {
        fail(message, size, "temporary file", strerror(error));
    } else if ((error = start(fileno(script), output, fileno(errors), &child)) == ENOENT) {
        fail(message, size, "gnuplot is not installed",
             "pictures need it (Debian: apt-get install gnuplot-nox)");
    } else if (error) {
        fail(message, size, "gnuplot cannot be started", strerror(error));
    } else {
        good = finish(child, errors, message, size);
    }
    fclose(errors);
    return good;
}
