/* As jansson_config.h, for Jansson's own files. */
#define HAVE_STDINT_H 1
#define HAVE_STRTOLL 1
#define INITIAL_HASHTABLE_ORDER 3
/* Sources of randomness for its hash tables: none; the engine sets their seed. */
