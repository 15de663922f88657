/* Formats that need a library. */
#include "table/table_module.h"

#include <string.h>

#include "io/module.h"

/* A function of a module; NULL: see error. */
static void *find(const char *module, const char *name, Error *error) {
    Error why;
    void *function = module_function(module, name, false, &why);
    if (!function) {
        error_set(error, "this format %s", why.text);
    }
    return function;
}

TableReader *table_module_open(const char *module, const char *path, Error *error) {
    void *function = find(module, "carom_table_open", error);
    TableModuleOpen *call = NULL;
    memcpy(&call, &function, sizeof call); /* C has no cast for it */
    return call ? call(path, error) : NULL;
}

TableWriter *table_module_create(const char *module, const char *path, const TableColumns *columns,
                                 Error *error) {
    void *function = find(module, "carom_table_create", error);
    TableModuleCreate *call = NULL;
    memcpy(&call, &function, sizeof call);
    return call ? call(path, columns, error) : NULL;
}
