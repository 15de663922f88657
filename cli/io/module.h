/* Parts of the program that need a library are modules, shared objects that are loaded when they
 * are needed: the libraries take ten times as long to load as the program. */
#ifndef CAROM_CLI_IO_MODULE_H
#define CAROM_CLI_IO_MODULE_H

#include "base/error.h"

/* A function of a module. shared: the module's library has parts that look for its names. NULL:
 * see error. */
void *module_function(const char *module, const char *name, bool shared, Error *error);

#endif
