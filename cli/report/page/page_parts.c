/* Common to the parts of a scene's page. */
#include "report/page/page_parts.h"

#include "io/html.h"
#include "report/words/scene_words.h"

const char *page_title(const ReportPage *page) {
    const char *name = page->scene->name;
    return name && name[0] ? name : page->file_name;
}

void page_more(FILE *file, int count, const char *what) {
    if (count > PAGE_ROWS) {
        fprintf(file, "<p class=\"quiet\">... and %d more %s.</p>\n", count - PAGE_ROWS, what);
    }
}

void page_fold_begin(FILE *file, int count, const char *summary) {
    if (count > PAGE_ROWS_OPEN) {
        html_between(file, "<details><summary>", summary, "</summary>\n");
    }
}

void page_fold_end(FILE *file, int count) {
    if (count > PAGE_ROWS_OPEN) {
        fputs("</details>\n", file);
    }
}

Words page_contact_title(const Scene *scene, int contact) {
    Words pair = report_pair(scene, contact);
    return words_of("%d%s%.240s", contact, pair.text[0] ? ": " : "", pair.text);
}
