/* A JSON document: read from a file or from memory.
 *
 * A syntax error is reported by field and by line. Integers become reals. A name that an object has
 * twice is an error. */
#ifndef CAROM_CLI_BASE_DOCUMENT_H
#define CAROM_CLI_BASE_DOCUMENT_H

#include <stddef.h>

#include <jansson.h>

#include "base/error.h"

/* Largest document that is read. */
#define DOCUMENT_BYTES_MAX ((size_t)64 << 20)

/* The name of a file in messages: its path; "standard input" for "-"; two quotes for no name. */
const char *document_name(const char *path);

/* Read a document from a file ("-": standard input). The caller owns it. NULL: see *error. */
json_t *document_read_file(const char *path, Error *error);

/* As document_read_file(), from memory; the bytes may be anything and need no final zero. */
json_t *document_read_memory(const char *bytes, size_t size, Error *error);

/* The bytes of a file ("-": standard input) and a final zero. A file larger than DOCUMENT_BYTES_MAX
 * is cut, but not below that size. The caller frees the bytes. NULL: see *error. */
char *document_read_bytes(const char *path, size_t *size, Error *error);

#endif
