/* The pages of carom solve --report: heading, order of the parts and how to reproduce a page; the
 * directory and its index. */
#include "report/page/report_pages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/message.h"
#include "base/text.h"
#include "io/html.h"
#include "io/output_file.h"
#include "report/json/json_report.h"
#include "report/page/page_bodies.h"
#include "report/page/page_given.h"
#include "report/page/page_pictures.h"
#include "report/page/page_result.h"
#include "report/words/outcome_words.h"
#include "report/words/scene_words.h"
#include "sensitivity/sensitivity_report.h"
#include "sensitivity/uncertainty_report.h"

/* Largest scene and largest result that a page carries. */
#define CARRIED_BYTES_MAX ((size_t)1 << 20)

/* "(1, 0, -2.5)". */
static Words vector_words(const double *x, int size) {
    Words words = {"("};
    for (int i = 0; i < size; i++) {
        words_add(&words, "%.6g%s", x[i] + 0.0, i + 1 < size ? ", " : ")");
    }
    return words;
}

/* The motion after the impact, if there are few bodies, a sentence each. */
static void write_bodies_after(FILE *file, const ReportPage *page) {
    enum { BODIES_SHOWN = 4 };
    const Scene *scene = page->scene;
    int movable = 0;
    for (int i = 0; i < scene->body_count; i++) {
        movable += isfinite(scene->bodies[i].mass);
    }
    MotionNoise noise = motion_noise(scene, page->solution);
    for (int i = 0; i < scene->body_count && movable <= BODIES_SHOWN; i++) {
        double velocity[3], angular[3];
        if (isfinite(scene->bodies[i].mass)) {
            report_after(page->solution, &noise, i, false, velocity);
            report_after(page->solution, &noise, i, true, angular);
            fputs("<p>Afterwards <strong>", file);
            html_text(file, report_name(scene->body_names[i]).text);
            fprintf(file, "</strong> has the velocity %s and the angular velocity %s.</p>\n",
                    vector_words(velocity, 3).text, vector_words(angular, 3).text);
        }
    }
}

/* The outcome in a few sentences. */
static void write_outcome(FILE *file, const ReportPage *page) {
    const Scene *scene = page->scene;
    const Solution *solution = page->solution;
    int rows = scene_rows(scene);
    if (scene->contact_count == 1) {
        fprintf(file, "<p>The impulse is %s along %s.</p>\n",
                vector_words(solution->result.impulse, rows).text,
                scene->planar ? "(t, n)" : "(t1, t2, n)");
    }
    if (scene->source == SCENE_BODIES) {
        write_bodies_after(file, page);
    } else if (scene->source == SCENE_SYSTEM && scene->system.speed_count <= 8) {
        fprintf(file, "<p>Afterwards the generalised speeds are %s.</p>\n",
                vector_words(solution->speeds, scene->system.speed_count).text);
    }
    Words loss = report_loss_words(scene, solution);
    if (loss.text[0]) {
        html_element(file, "p", loss.text);
    }
}

static void write_heading(FILE *file, const ReportPage *page) {
    const Scene *scene = page->scene;
    html_element(file, "h1", page_title(page));
    html_between(file, "<p><strong>", report_plain_words(scene, page->solution).text,
                 "</strong></p>\n");
    if (scene->description && scene->description[0]) {
        html_element(file, "p", scene->description);
    }
    write_outcome(file, page);
    Words warning = report_warning_words(scene, &page->solution->result);
    if (warning.text[0]) {
        html_between(file, "<p class=\"warn\">", warning.text, "</p>\n");
    }
    Words others[] = {report_ambiguous_words(&page->solution->result),
                      report_jump_words(&page->solution->result)};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (others[i].text[0]) {
            html_element(file, "p", others[i].text);
        }
    }
}

/* A word of a command line, quoted for the shell. */
static void write_quoted(FILE *file, const char *word) {
    bool plain = word[0] != '-' && word[0] != '\0' &&
                 strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                              "._-+") == strlen(word);
    if (plain) {
        fputs(word, file);
        return;
    }
    fputs(word[0] == '-' ? "'./" : "'", file);
    for (const char *quote; (quote = strchr(word, '\'')); word = quote + 1) {
        char *part = strndup(word, (size_t)(quote - word));
        html_text(file, part ? part : "");
        free(part);
        fputs("'\\''", file);
    }
    html_text(file, word);
    fputc('\'', file);
}

static void write_command(FILE *file, const ReportPage *page) {
    const CaromOptions *options = page->options;
    fputs("<pre>carom solve --report .", file);
    if (options->method != CAROM_METHOD_EXACT) {
        fprintf(file, " --method %s", method_name(options->method));
    }
    const CaromSchemeOptions *scheme = &options->scheme;
    int steps = options->method == CAROM_METHOD_VS;
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"step", steps ? 0 : scheme->step},
                   {"h1", scheme->h1},
                   {"h2", scheme->h2},
                   {"epsilon", scheme->epsilon},
                   {"straight", scheme->straight},
                   {"zero", scheme->zero},
                   {"stop-energy", scheme->stop_energy}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (numbers[i].value > 0) {
            fprintf(file, " --%s %s", numbers[i].name, text_number(numbers[i].value).text);
        }
    }
    if (options->method != CAROM_METHOD_EXACT && !scheme->absolute) {
        fputs(" --relative", file);
    }
    if (scheme->as_printed) {
        fputs(" --as-printed", file);
    }
    if (options->tolerance > 0) {
        fprintf(file, " --tolerance %s", text_number(options->tolerance).text);
    }
    fputc(' ', file);
    write_quoted(file, page->file_name);
    fputs("</pre>\n", file);
}

/* A file as text that can be unfolded, with a link to save it. */
static void write_carried(FILE *file, const char *title, const char *name, const char *bytes,
                          size_t size) {
    html_between(file, "<details><summary>", title, "</summary>\n<p><a download=\"");
    html_text(file, name);
    fputs("\" href=\"", file);
    html_data_address(file, "application/json", bytes, size);
    html_between(file, "\">Save as ", name, "</a></p>\n");
    html_element(file, "pre", bytes);
    fputs("</details>\n", file);
}

/* A text that is dropped as soon as it is too large. */
typedef struct Carried {
    FILE *file;
    size_t size;
} Carried;

static int add_carried(const char *bytes, size_t size, void *data) {
    Carried *carried = data;
    carried->size += size;
    return carried->size <= CARRIED_BYTES_MAX && fwrite(bytes, 1, size, carried->file) == size ? 0
                                                                                               : -1;
}

/* The result as JSON; free() it. NULL: it is too large, or out of memory. */
static char *make_result(const ReportPage *page) {
    char *text = NULL;
    size_t size;
    Carried carried = {.file = open_memstream(&text, &size)};
    json_t *result = carried.file ? report_json(page->scene, page->solution) : NULL;
    bool good = result && json_dump_callback(result, add_carried, &carried,
                                             JSON_INDENT(1) | JSON_REAL_PRECISION(17)) == 0;
    json_decref(result);
    good = carried.file && fclose(carried.file) == 0 && good;
    if (!good) {
        free(text);
    }
    return good ? text : NULL;
}

static void write_result(FILE *file, const ReportPage *page) {
    char *text = make_result(page);
    if (text) {
        write_carried(file, "The result with all digits, as --json prints it", "result.json", text,
                      strlen(text));
    } else {
        fputs("<p>The result with all digits is too large to be carried by this page: carom solve "
              "--json prints it.</p>\n",
              file);
    }
    free(text);
}

/* The address of the laboratory beside the page with the scene, as its own links have it: the
 * scene's text in the format DEFLATE (RFC 1951), here in stored blocks, and that in base64 with the
 * alphabet for addresses. */
static void write_laboratory_address(FILE *file, const char *bytes, size_t size) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    unsigned buffer = 0;
    int bits = 0;
    fputs("lab.html#json=", file);
    for (size_t done = 0; done < size || size == 0;) {
        size_t block = size - done < 0xFFFF ? size - done : 0xFFFF;
        unsigned length = (unsigned)block, inverse = ~length;
        const unsigned char head[5] = {done + block == size, length & 0xFF, length >> 8 & 0xFF,
                                       inverse & 0xFF, inverse >> 8 & 0xFF};
        for (size_t i = 0; i < 5 + block; i++) {
            buffer = buffer << 8 | (i < 5 ? head[i] : (unsigned char)bytes[done + i - 5]);
            for (bits += 8; bits >= 6; bits -= 6) {
                fputc(letters[buffer >> (bits - 6) & 63], file);
            }
            buffer &= (1U << bits) - 1;
        }
        done += block;
        if (size == 0) {
            break;
        }
    }
    if (bits > 0) {
        fputc(letters[buffer << (6 - bits) & 63], file);
    }
}

/* Most bytes of a scene in an address; browsers take more, programs that pass links may not. */
#define ADDRESS_BYTES_MAX ((size_t)64 << 10)

static void write_laboratory(FILE *file, const ReportPage *page) {
    if (page->size > ADDRESS_BYTES_MAX) {
        return;
    }
    fputs("<p><a href=\"", file);
    write_laboratory_address(file, page->bytes, page->size);
    fputs("\">Open this scene in the laboratory</a>, to play it and to change it; for that, put "
          "lab.html beside this page: <code>carom lab -o lab.html</code>.</p>\n",
          file);
}

static void write_source(FILE *file, const ReportPage *page) {
    bool carried = page->size <= CARRIED_BYTES_MAX;
    fputs("<h2>Do it again</h2>\n", file);
    fprintf(file, "<p>With carom %s and the scene%s:</p>\n", carom_version(),
            carried ? " below" : "");
    write_command(file, page);
    write_laboratory(file, page);
    if (carried) {
        write_carried(file, "The scene, as it was given", page->file_name, page->bytes, page->size);
    } else {
        fprintf(file,
                "<p>The scene, a file of %.1f MB, is too large to be carried by this "
                "page.</p>\n",
                (double)page->size / (1 << 20));
    }
    write_result(file, page);
}

/* A page and its pictures, for output_file_write(). */
typedef struct Whole {
    const ReportPage *page;
    const PagePictures *pictures;
} Whole;

static void write_page(FILE *file, const void *data) {
    const Whole *whole = data;
    html_page_begin(file, page_title(whole->page));
    write_heading(file, whole->page);
    page_bodies(file, whole->page);
    page_given(file, whole->page);
    page_course(file, whole->page);
    page_pictures(file, whole->page, whole->pictures);
    page_motion(file, whole->page);
    page_energy(file, whole->page);
    if (whole->page->sensitivity) {
        sensitivity_page(file, whole->page->sensitivity);
    }
    if (whole->page->error_bars) {
        error_bars_page(file, whole->page->error_bars);
    }
    write_source(file, whole->page);
    html_page_end(file);
}

static bool write_whole(const ReportPage *page, const PagePictures *pictures, const char *path,
                        Error *error) {
    Whole whole = {page, pictures};
    return output_file_write(path, write_page, &whole, error);
}

/* ---- the directory ---- */

static const char index_name[] = "index.html";

const char *report_pages_file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return strcmp(path, "-") == 0 ? "scene.json" : slash ? slash + 1 : path;
}

static bool is_taken(const ReportPages *pages, int count, const char *name) {
    bool taken = pages->count > 1 && strcasecmp(name, index_name) == 0;
    for (int i = 0; i < count && !taken; i++) {
        /* some file systems ignore the case */
        taken = strcasecmp(name, pages->entries[i].page) == 0;
    }
    return taken;
}

/* "pencil.html" for "scenes/pencil.json"; "pencil-2.html" if that is taken. NULL: no memory. */
static char *make_name(const ReportPages *pages, int index) {
    const char *base = report_pages_file_name(pages->paths[index]);
    size_t length = strlen(base), room = length + 32;
    if (length > 5 && strcasecmp(base + length - 5, ".json") == 0) {
        length -= 5;
    }
    char *name = malloc(room);
    if (!name) {
        return NULL;
    }
    snprintf(name, room, "%.*s.html", (int)length, base);
    for (int i = 2; is_taken(pages, index, name); i++) {
        snprintf(name, room, "%.*s-%d.html", (int)length, base, i);
    }
    return name;
}

bool report_pages_create(const char *directory, char **paths, int count, ReportPages *pages) {
    *pages = (ReportPages){.directory = directory, .paths = paths, .count = count};
    pages->entries = calloc((size_t)count, sizeof *pages->entries);
    for (int i = 0; pages->entries && i < count; i++) {
        pages->entries[i].page = make_name(pages, i);
        if (!pages->entries[i].page) {
            report_pages_free(pages);
        }
    }
    return pages->entries;
}

void report_pages_free(ReportPages *pages) {
    for (int i = 0; pages->entries && i < pages->count; i++) {
        free(pages->entries[i].page);
        free(pages->entries[i].title);
        free(pages->entries[i].note);
    }
    free(pages->entries);
    *pages = (ReportPages){0};
}

void report_pages_skip(ReportPages *pages, int index, const char *message) {
    free(pages->entries[index].note);
    pages->entries[index].note = strdup(message);
}

/* Path of a file in the directory; NULL: no memory. */
static char *make_path(const ReportPages *pages, const char *name) {
    size_t length = strlen(pages->directory), room = length + strlen(name) + 2;
    char *path = malloc(room);
    if (path) {
        bool slash = length > 0 && pages->directory[length - 1] == '/';
        snprintf(path, room, "%s%s%s", pages->directory, slash ? "" : "/", name);
    }
    return path;
}

static int fail_write(const char *path, const char *why) {
    message_error("--report: %s: cannot be written: %s", path, why);
    return 2;
}

/* Draw, and write to the path. */
static int write_at(const ReportPage *page, const char *path) {
    PagePictures pictures;
    Error error;
    page_pictures_draw(page, &pictures);
    int status = write_whole(page, &pictures, path, &error) ? 0 : fail_write(path, error.text);
    if (status == 0 && pictures.error.text[0]) {
        message_error("--report: %s: pictures are missing: %s", path, pictures.error.text);
    }
    page_pictures_free(&pictures);
    return status;
}

/* The line of a scene whose page was written. */
static void fill_entry(ReportPages *pages, int index, const ReportPage *page) {
    ReportEntry *entry = &pages->entries[index];
    ReportAccount account = report_account(page->scene, page->solution);
    entry->title = strdup(page_title(page));
    entry->contacts = page->scene->contact_count;
    entry->lost[0] = -account.rows[ACCOUNT_CHANGE].part;
    entry->lost[1] = account.rows[ACCOUNT_FRICTION].part;
    entry->lost[2] = account.rows[ACCOUNT_NORMAL].part;
    Words warning = report_warning_words(page->scene, &page->solution->result);
    if (warning.text[0]) {
        report_pages_skip(pages, index, warning.text);
    }
}

int report_pages_write(ReportPages *pages, int index, const ReportPage *page, bool tell) {
    ReportEntry *entry = &pages->entries[index];
    char *path = make_path(pages, entry->page);
    Error error;
    if (!path) {
        return fail_write(entry->page, "out of memory");
    }
    int status = 2;
    if (!output_directory_make(pages->directory, &error)) {
        message_error("--report: %s: cannot be made: %s", pages->directory, error.text);
    } else {
        status = write_at(page, path);
    }
    if (status == 0) {
        fill_entry(pages, index, page);
    }
    if (status == 0 && tell) {
        fputc('\n', stdout);
        message_note("The report is in %s", path);
    }
    free(path);
    return status;
}

/* The scene's name as a link to its page; its file's name if there is no page. */
static void write_link(FILE *file, const ReportEntry *entry, const char *path) {
    fputs("<tr><th scope=\"row\">", file);
    if (entry->title) {
        fprintf(file, "<a%s href=\"", strlen(entry->title) <= 48 ? " class=\"short\"" : "");
        html_file_address(file, entry->page);
        html_between(file, "\">", entry->title, "</a></th>");
    } else {
        html_text(file, report_pages_file_name(path));
        fputs("</th>", file);
    }
}

static void write_entry(FILE *file, const ReportEntry *entry, const char *path) {
    write_link(file, entry, path);
    html_cell_number_text(file, entry->title ? words_of("%d", entry->contacts).text : "");
    for (int i = 0; i < 3; i++) {
        bool known = entry->title && isfinite(entry->lost[i]);
        Words part = words_of("%.2f %%", 100 * entry->lost[i] + 0.0);
        html_cell_number_text(file, known ? part.text : "");
    }
    html_cell(file, entry->note ? entry->note : "");
    html_row_end(file);
}

static void write_index(FILE *file, const void *data) {
    static const char *const titles[] = {
        "Scene",      "contacts", "energy lost", "to friction", "in the normal direction",
        HTML_WORDS ""};
    const ReportPages *pages = data;
    html_page_begin(file, "Impacts");
    html_element(file, "h1", "Impacts");
    html_table_begin(file, NULL, titles, 6);
    for (int i = 0; i < pages->count; i++) {
        write_entry(file, &pages->entries[i], pages->paths[i]);
    }
    html_table_end(file);
    html_page_end(file);
}

int report_pages_finish(const ReportPages *pages, bool tell) {
    bool any = false;
    for (int i = 0; i < pages->count; i++) {
        any = any || pages->entries[i].title;
    }
    if (pages->count < 2 || !any) {
        return 0;
    }
    char *path = make_path(pages, index_name);
    Error error;
    if (!path) {
        return fail_write(index_name, "out of memory");
    }
    int status =
        output_file_write(path, write_index, pages, &error) ? 0 : fail_write(path, error.text);
    if (status == 0 && tell) {
        fputc('\n', stdout);
        message_note("The reports are listed in %s", path);
    }
    free(path);
    return status;
}
