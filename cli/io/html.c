/* HTML: the frame of a page, text, tables, pictures. */
#include "io/html.h"

#include <string.h>

#include <carom/carom.h>

#include "base/text.h"
#include "base/words.h"

/* Colours for light and dark. Pictures have a white background, which is inverted in the dark. */
static const char style[] =
    ":root{color-scheme:light dark;--ground:#fff;--text:#1b1f24;--quiet:#57606a;--line:#d0d7de;"
    "--soft:#f4f6f8;--mark:#0072b2;--warn:#a63c00}\n"
    "@media(prefers-color-scheme:dark){:root{--ground:#14181d;--text:#e3e7eb;--quiet:#9aa4af;"
    "--line:#38414b;--soft:#1d232a;--mark:#56b4e9;--warn:#e69f00}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;max-width:64rem;padding:1.5rem 1.25rem 3rem;background:var(--ground);"
    "color:var(--text);font:16px/1.5 system-ui,-apple-system,\"Segoe UI\",Roboto,\"Noto Sans\","
    "\"Liberation Sans\",sans-serif;overflow-wrap:anywhere}\n"
    "h1{font-size:1.75rem;line-height:1.2;margin:.5rem 0}\n"
    "h2{font-size:1.25rem;line-height:1.3;margin:2.25rem 0 .75rem;padding-top:.75rem;"
    "border-top:1px solid var(--line)}\n"
    "h3{font-size:1rem;margin:1.5rem 0 .5rem}\n"
    "p{max-width:46rem;margin:.5rem 0}\n"
    "a{color:var(--mark)}\n"
    ".quiet,figcaption,footer{color:var(--quiet)}\n"
    ".warn{color:var(--warn);font-weight:600}\n"
    ".wide{overflow-x:auto;margin:.75rem 0}\n"
    "table{border-collapse:collapse;min-width:14rem;font-variant-numeric:tabular-nums}\n"
    "caption{text-align:left;font-weight:600;padding:.25rem 0}\n"
    "th,td{padding:.25rem .75rem;border-bottom:1px solid var(--line);text-align:left;"
    "vertical-align:top;overflow-wrap:normal}\n"
    "thead th{color:var(--quiet);font-weight:600;vertical-align:bottom}\n"
    "tbody th{font-weight:400}\n"
    "th:first-child{padding-left:0}\n"
    ".number{text-align:right;white-space:nowrap}td.long{min-width:10rem}\n"
    "@media(min-width:40rem){.short{white-space:nowrap}}\n"
    "@media(max-width:40rem){table{font-size:.9375rem}th,td{padding:.25rem .5rem}}\n"
    "thead .number{white-space:normal}.vector{text-align:right}\n"
    ".pictures{display:grid;gap:1.5rem;"
    "grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr))}\n"
    "figure{margin:0}\n"
    "figure img{display:block;width:100%;height:auto;background:#fff;"
    "border:1px solid var(--line);border-radius:6px}\n"
    "figure svg{display:block;width:100%;max-width:46rem;height:auto}\n"
    "@media screen and (prefers-color-scheme:dark){figure img{background:none;border-color:#4a4f55;"
    "filter:invert(.93) hue-rotate(180deg)}}\n"
    "figcaption{font-size:.875rem;margin-top:.375rem}\n"
    "pre{overflow:auto;max-height:30rem;padding:.75rem;background:var(--soft);border:1px solid "
    "var(--line);"
    "border-radius:6px;font:.875rem/1.45 ui-monospace,\"Liberation Mono\",Menlo,monospace;"
    "overflow-wrap:normal}\n"
    "details{margin:.75rem 0}summary{cursor:pointer}\n"
    "footer{margin-top:3rem;font-size:.875rem}\n"
    "@media print{:root{color-scheme:light;--ground:#fff;--text:#000;--quiet:#444;--line:#bbb;"
    "--soft:#fff;--mark:#000;--warn:#000}body{max-width:none;padding:0;font-size:10.5pt}"
    "figure,tr{break-inside:avoid}h2,h3,caption,thead{break-after:avoid}"
    ".pictures{grid-template-columns:1fr 1fr}"
    ".wide,pre{overflow:visible;max-height:none}pre{white-space:pre-wrap;overflow-wrap:anywhere}}"
    "\n";

void html_text(FILE *file, const char *text) {
    bool shown;
    for (size_t length; (length = text_character(text, &shown)) > 0; text += length) {
        char c = *text;
        const char *escaped = c == '&'    ? "&amp;"
                              : c == '<'  ? "&lt;"
                              : c == '>'  ? "&gt;"
                              : c == '"'  ? "&quot;"
                              : c == '\n' ? "\n"
                              : c == '\t' ? "\t"
                              : shown     ? NULL
                                          : "\xEF\xBF\xBD"; /* U+FFFD */
        fwrite(escaped ? escaped : text, 1, escaped ? strlen(escaped) : length, file);
    }
}

void html_between(FILE *file, const char *open, const char *text, const char *close) {
    fputs(open, file);
    html_text(file, text);
    fputs(close, file);
}

void html_element(FILE *file, const char *tag, const char *text) {
    fprintf(file, "<%s>", tag);
    html_text(file, text);
    fprintf(file, "</%s>\n", tag);
}

void html_page_begin(FILE *file, const char *title) {
    fputs("<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
          "<meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n",
          file);
    fprintf(file, "<meta name=\"generator\" content=\"carom %s\"/>\n", carom_version());
    html_element(file, "title", title);
    fprintf(file, "<style>\n%s</style>\n</head>\n<body>\n<main>\n", style);
}

void html_page_end(FILE *file) {
    fprintf(file, "</main>\n<footer>Made by carom %s.</footer>\n</body>\n</html>\n",
            carom_version());
}

void html_table_begin(FILE *file, const char *caption, const char *const *columns, int count) {
    /* the keyboard must reach a region that scrolls */
    fputs("<div class=\"wide\" tabindex=\"0\"><table>\n", file);
    if (caption) {
        html_element(file, "caption", caption);
    }
    fputs("<thead><tr>", file);
    for (int i = 0; i < count; i++) {
        bool words = columns[i][0] == HTML_WORDS[0];
        fprintf(file, "<th scope=\"col\"%s>", i == 0 || words ? "" : " class=\"number\"");
        html_text(file, columns[i] + words);
        fputs("</th>", file);
    }
    fputs("</tr></thead>\n<tbody>\n", file);
}

void html_table_end(FILE *file) {
    fputs("</tbody>\n</table></div>\n", file);
}

void html_row_begin(FILE *file, const char *title) {
    /* a short title is not broken */
    fprintf(file, "<tr><th scope=\"row\"%s>", strlen(title) <= 16 ? " class=\"short\"" : "");
    html_text(file, title);
    fputs("</th>", file);
}

void html_row_end(FILE *file) {
    fputs("</tr>\n", file);
}

void html_cell(FILE *file, const char *text) {
    fputs(strlen(text) > 40 ? "<td class=\"long\">" : "<td>", file);
    html_text(file, text);
    fputs("</td>", file);
}

void html_cell_number_text(FILE *file, const char *text) {
    fputs("<td class=\"number\">", file);
    html_text(file, text);
    fputs("</td>", file);
}

void html_cell_number(FILE *file, double number, int digits) {
    html_cell_number_text(file, words_of("%.*g", digits, number + 0.0).text); /* never "-0" */
}

void html_cell_vector(FILE *file, const double *numbers, int count, int digits) {
    fputs("<td class=\"vector\">", file);
    for (int i = 0; i < count; i++) {
        fprintf(file, "%s%.*g", i == 0 ? "(" : ", ", digits, numbers[i] + 0.0);
    }
    fputs(")</td>", file);
}

/* Three bytes as four letters; missing bytes become '='. */
static void write_base64(FILE *file, const unsigned char *bytes, size_t count) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned word = (unsigned)bytes[0] << 16;
    word |= count > 1 ? (unsigned)bytes[1] << 8 : 0;
    word |= count > 2 ? (unsigned)bytes[2] : 0;
    fputc(letters[word >> 18], file);
    fputc(letters[word >> 12 & 63], file);
    fputc(count > 1 ? letters[word >> 6 & 63] : '=', file);
    fputc(count > 2 ? letters[word & 63] : '=', file);
}

void html_data_address(FILE *file, const char *type, const char *bytes, size_t size) {
    fprintf(file, "data:%s;base64,", type);
    for (size_t i = 0; i < size; i += 3) {
        write_base64(file, (const unsigned char *)bytes + i, size - i);
    }
}

void html_file_address(FILE *file, const char *name) {
    fputs("./", file); /* a colon in the name would end a protocol */
    for (const unsigned char *c = (const unsigned char *)name; *c; c++) {
        bool plain = (*c >= '0' && *c <= '9') || (*c >= 'A' && *c <= 'Z') ||
                     (*c >= 'a' && *c <= 'z') || strchr("-._~", *c);
        fprintf(file, plain ? "%c" : "%%%02X", *c);
    }
}

static void finish_picture(FILE *file, const char *alt, const char *caption) {
    fputs("\" alt=\"", file);
    html_text(file, alt);
    fputs("\"/>", file);
    if (caption) {
        html_element(file, "figcaption", caption);
    }
    fputs("</figure>\n", file);
}

void html_picture(FILE *file, const char *source, const char *alt, const char *caption) {
    fputs("<figure><img src=\"", file);
    html_text(file, source);
    finish_picture(file, alt, caption);
}

void html_picture_embed(FILE *file, const char *svg, size_t size, const char *alt,
                        const char *caption) {
    /* as a data address, so that the ids and styles of pictures cannot collide */
    fputs("<figure><img src=\"", file);
    html_data_address(file, "image/svg+xml", svg, size);
    finish_picture(file, alt, caption);
}
