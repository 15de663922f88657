/* Parts of the program that need a library. */
#include "io/module.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Where modules are, from the folder of the program: beside it, or where they are installed. */
static const char *const places[] = {"", CAROM_MODULES "/"};

enum { PATH_SIZE = 4096 };

/* Load a module; NULL: see dlerror(). */
static void *load(const char *module, int flags) {
    char program[PATH_SIZE], path[PATH_SIZE + 256];
    void *handle = NULL;
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) { /* not Linux: as the system does it */
        return dlopen(module, flags);
    }
    program[length] = '\0';
    int folder = (int)(strrchr(program, '/') - program) + 1;
    for (size_t i = 0; i < sizeof places / sizeof *places && !handle; i++) {
        snprintf(path, sizeof path, "%.*s%s%s", folder, program, places[i], module);
        handle = dlopen(path, flags);
    }
    return handle;
}

void *module_function(const char *module, const char *name, bool shared, Error *error) {
    void *handle = load(module, RTLD_NOW | (shared ? RTLD_GLOBAL : RTLD_LOCAL));
    void *function = handle ? dlsym(handle, name) : NULL;
    if (!function) {
        error_set(error, "needs carom's module %s, which cannot be loaded: %s", module, dlerror());
    }
    return function;
}
