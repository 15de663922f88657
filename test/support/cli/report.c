#include "support/cli/report.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "support/check.h"
#include "support/cli/markup.h"
#include "support/cli/program.h"

const char *report_path(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "report/%s", name);
    return work_path(path);
}

bool report_exists(void) {
    struct stat about;
    return lstat(work_path("report"), &about) == 0;
}

int report_file_count(void) {
    int count = 0;
    DIR *directory = opendir(work_path("report"));
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        count += entry->d_name[0] != '.';
    }
    if (directory) {
        closedir(directory);
    }
    return count;
}

int report_remove(void **state) {
    (void)state;
    directory_remove(work_path("report"));
    return 0;
}

char *report_page(const char *name) {
    size_t size;
    char *page = file_read(report_path(name), &size);
    assert_int_equal(strlen(page), size);
    check_markup(page);
    return page;
}
