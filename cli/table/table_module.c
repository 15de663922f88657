/* Formats that need a library. */
#include "table/table_module.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Where modules are, from the folder of the program: beside it, or where they are installed. */
static const char *const places[] = {"", CAROM_MODULES "/"};

enum { PATH_SIZE = 4096 };

/* Load a module; NULL: see dlerror(). */
static void *load(const char *module) {
    char program[PATH_SIZE], path[PATH_SIZE + 256];
    void *handle = NULL;
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) { /* not Linux: as the system does it */
        return dlopen(module, RTLD_NOW | RTLD_LOCAL);
    }
    program[length] = '\0';
    int folder = (int)(strrchr(program, '/') - program) + 1;
    for (size_t i = 0; i < sizeof places / sizeof *places && !handle; i++) {
        snprintf(path, sizeof path, "%.*s%s%s", folder, program, places[i], module);
        handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    return handle;
}

/* A function of a module; NULL: see error. */
static void *module_function(const char *module, const char *name, Error *error) {
    void *handle = load(module);
    void *function = handle ? dlsym(handle, name) : NULL;
    if (!function) {
        error_set(error, "this format needs carom's module %s, which cannot be loaded: %s", module,
                  dlerror());
    }
    return function;
}

TableReader *table_module_open(const char *module, const char *path, Error *error) {
    void *function = module_function(module, "carom_table_open", error);
    TableModuleOpen *call = NULL;
    memcpy(&call, &function, sizeof call); /* C has no cast for it */
    return call ? call(path, error) : NULL;
}

TableWriter *table_module_create(const char *module, const char *path, const TableColumns *columns,
                                 Error *error) {
    void *function = module_function(module, "carom_table_create", error);
    TableModuleCreate *call = NULL;
    memcpy(&call, &function, sizeof call);
    return call ? call(path, columns, error) : NULL;
}
