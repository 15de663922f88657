/* Marks what the library exports. */
#ifndef CAROM_API_H
#define CAROM_API_H

/* CAROM_SHARED is defined where the library is, or is used as, a shared one; CAROM_BUILDING while
 * it is compiled. CMake's target and the pkg-config file set them. */
#if defined(_WIN32) && defined(CAROM_SHARED)
#ifdef CAROM_BUILDING
#define CAROM_API __declspec(dllexport)
#else
#define CAROM_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define CAROM_API __attribute__((visibility("default")))
#else
#define CAROM_API
#endif

#endif
