/* Temporary files that are removed when a signal ends the program. */
#include "io/cleanup.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

enum { FILES_MAX = 4 };

static const char *volatile names[FILES_MAX]; /* NULL: free */

static const int endings[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { ENDINGS = sizeof endings / sizeof *endings };

/* The signal is raised again as this returns, and ends the program as if it had not been caught. */
static void remove_all(int number) {
    for (int i = 0; i < FILES_MAX; i++) {
        if (names[i]) {
            unlink(names[i]);
        }
    }
    signal(number, SIG_DFL);
    raise(number);
}

static void catch_signals(void) {
    struct sigaction action = {.sa_handler = remove_all}, old;
    sigfillset(&action.sa_mask);
    for (int i = 0; i < ENDINGS; i++) {
        /* one that is ignored, as under nohup, stays so */
        if (sigaction(endings[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL) {
            sigaction(endings[i], &action, NULL);
        }
    }
}

int cleanup_make_file(char *name) {
    int slot = 0;
    while (slot < FILES_MAX && names[slot]) {
        slot++;
    }
    if (slot == FILES_MAX) {
        errno = EMFILE;
        return -1;
    }
    sigset_t caught, before;
    sigemptyset(&caught);
    for (int i = 0; i < ENDINGS; i++) {
        sigaddset(&caught, endings[i]);
    }
    catch_signals();
    /* no signal between the file and the note of its name */
    sigprocmask(SIG_BLOCK, &caught, &before);
    int descriptor = mkstemp(name);
    names[slot] = descriptor >= 0 ? name : NULL;
    if (descriptor >= 0) {
        fcntl(descriptor, F_SETFD, FD_CLOEXEC); /* gnuplot need not have it */
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return descriptor;
}

void cleanup_forget_file(const char *name) {
    for (int i = 0; i < FILES_MAX; i++) {
        if (names[i] == name) {
            names[i] = NULL;
        }
    }
}

void cleanup_remove_file(const char *name) {
    unlink(name);
    cleanup_forget_file(name);
}
