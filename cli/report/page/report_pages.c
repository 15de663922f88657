/* The directory of carom solve --report. */
#include "report/page/report_pages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/html.h"
#include "io/output_file.h"
#include "report/words/outcome_words.h"

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

static int fail(const char *path, const char *why) {
    fprintf(stderr, "carom: --report: %s: cannot be written: %s\n", path, why);
    return 2;
}

/* Draw, and write to the path. */
static int write_at(const ReportPage *page, const char *path) {
    PagePictures pictures;
    Error error;
    page_pictures_draw(page, &pictures);
    int status = report_page_write(page, &pictures, path, &error) ? 0 : fail(path, error.text);
    if (status == 0 && pictures.error.text[0]) {
        fprintf(stderr, "carom: --report: %s: pictures are missing: %s\n", path,
                pictures.error.text);
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
        return fail(entry->page, "out of memory");
    }
    int status = 2;
    if (!output_directory_make(pages->directory, &error)) {
        fprintf(stderr, "carom: --report: %s: cannot be made: %s\n", pages->directory, error.text);
    } else {
        status = write_at(page, path);
    }
    if (status == 0) {
        fill_entry(pages, index, page);
    }
    if (status == 0 && tell) {
        printf("\nThe report is in %s\n", path);
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
        return fail(index_name, "out of memory");
    }
    int status = output_file_write(path, write_index, pages, &error) ? 0 : fail(path, error.text);
    if (status == 0 && tell) {
        printf("\nThe reports are listed in %s\n", path);
    }
    free(path);
    return status;
}
