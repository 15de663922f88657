/* A short text as a value: a sentence, a title, a name. */
#ifndef CAROM_CLI_BASE_WORDS_H
#define CAROM_CLI_BASE_WORDS_H

typedef struct Words {
    char text[256];
} Words;

/* Formatted text, cut if it is too long. */
__attribute__((format(printf, 1, 2))) Words words_of(const char *format, ...);

/* Append formatted text. */
__attribute__((format(printf, 2, 3))) void words_add(Words *words, const char *format, ...);

#endif
