/* Text in an SVG file for those who do not see the picture. */
#include "picture/svg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/html.h"

char *svg_describe(const char *svg, const char *title, const char *description, size_t *size) {
    const char *tag = strstr(svg, "<svg"), *old = tag ? strstr(tag, "<title>") : NULL;
    const char *rest = old ? strstr(old, "</desc>") : NULL;
    char *text = NULL;
    FILE *file = rest ? open_memstream(&text, size) : NULL;
    if (!file) {
        return NULL;
    }
    const char *attributes = tag + strlen("<svg");
    fwrite(svg, 1, (size_t)(attributes - svg), file);
    fputs(" role=\"img\" aria-labelledby=\"carom_title carom_desc\"", file);
    fwrite(attributes, 1, (size_t)(old - attributes), file);
    fputs("<title id=\"carom_title\">", file);
    html_text(file, title);
    fputs("</title>\n<desc id=\"carom_desc\">", file);
    html_text(file, description);
    fputs("</desc>", file);
    fputs(rest + strlen("</desc>"), file);
    if (fclose(file) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
