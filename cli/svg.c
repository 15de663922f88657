/* Text in an SVG file for those who do not see the picture. */
#include "svg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_all(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        return NULL;
    }
    char *text = NULL;
    size_t used = 0, room = 1 << 16, got = 1;
    while (got > 0) {
        char *more = realloc(text, 2 * room + 1);
        if (!more) {
            break;
        }
        text = more;
        room *= 2;
        got = fread(text + used, 1, room - used, file);
        used += got;
    }
    bool good = text && !ferror(file) && feof(file);
    fclose(file);
    if (!good) {
        free(text);
        return NULL;
    }
    text[used] = '\0';
    return text;
}

static void write_escaped(FILE *file, const char *text) {
    for (; *text; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", file);
            break;
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        default:
            fputc(*text, file);
        }
    }
}

/* The file again, with the text between title and /desc replaced. */
static bool write_all(const char *path, const char *text, const char *svg, const char *title_at,
                      const char *rest, const char *title, const char *description) {
    FILE *file = fopen(path, "wb");
    if (!file) {
        return false;
    }
    size_t head = (size_t)(svg - text) + strlen("<svg");
    fwrite(text, 1, head, file);
    fputs(" role=\"img\" aria-labelledby=\"carom_title carom_desc\"", file);
    fwrite(text + head, 1, (size_t)(title_at - text) - head, file);
    fputs("<title id=\"carom_title\">", file);
    write_escaped(file, title);
    fputs("</title>\n<desc id=\"carom_desc\">", file);
    write_escaped(file, description);
    fputs("</desc>", file);
    fputs(rest, file);
    bool good = !ferror(file);
    return fclose(file) == 0 && good;
}

bool svg_describe(const char *path, const char *title, const char *description) {
    char *text = read_all(path);
    bool good = false;
    if (text) {
        const char *svg = strstr(text, "<svg"), *title_at = strstr(text, "<title>");
        const char *end = title_at ? strstr(title_at, "</desc>") : NULL;
        if (svg && end && svg < title_at) {
            good =
                write_all(path, text, svg, title_at, end + strlen("</desc>"), title, description);
        }
    }
    free(text);
    return good;
}
