/* Read, work, write over several threads: everything once, in order, and no work while waiting. */
#include "batch/pipeline.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "support/check.h"

enum { COUNT = 2000, SLOTS = 64 };

typedef struct Line {
    int slots[SLOTS];        /* what each one has */
    int read, written;       /* so far */
    atomic_int worked, busy; /* threads in read() and write(), by 1 and 1000 */
    int fail_read, fail_write;
    bool reads_doubled, writes_doubled, disordered;
} Line;

static int read_one(void *context, int slot) {
    Line *line = context;
    line->reads_doubled = line->reads_doubled || atomic_fetch_add(&line->busy, 1) % 1000 != 0;
    int result = line->read == line->fail_read ? -1 : line->read < COUNT;
    line->slots[slot] = line->read;
    line->read += result > 0;
    atomic_fetch_sub(&line->busy, 1);
    return result;
}

static void work_one(void *context, int slot) {
    Line *line = context;
    struct timespec nap = {.tv_nsec = line->slots[slot] % 7 * 1000}; /* out of order */
    nanosleep(&nap, NULL);
    atomic_fetch_add(&line->worked, 1);
}

static bool write_one(void *context, int slot) {
    Line *line = context;
    line->writes_doubled = line->writes_doubled || atomic_fetch_add(&line->busy, 1000) / 1000 != 0;
    line->disordered = line->disordered || line->slots[slot] != line->written;
    line->written++;
    atomic_fetch_sub(&line->busy, 1000);
    return line->written != line->fail_write;
}

static const PipelineSteps steps = {read_one, work_one, write_one};

static Line run_line(int threads, int fail_read, int fail_write, bool wanted) {
    Line line = {.fail_read = fail_read, .fail_write = fail_write};
    Crew *crew = crew_create(threads);
    assert_non_null(crew);
    assert_true(pipeline_slots(threads) <= SLOTS);
    assert_int_equal(pipeline_run(crew, threads, &steps, &line), wanted);
    crew_free(crew);
    assert_false(line.reads_doubled || line.writes_doubled);
    assert_false(line.disordered);
    return line;
}

static void test_order(void **state) {
    (void)state;
    static const int threads[] = {1, 2, 3, 16};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        Line line = run_line(threads[i], -1, -1, true);
        assert_int_equal(line.read, COUNT);
        assert_int_equal(line.worked, COUNT);
        assert_int_equal(line.written, COUNT);
    }
}

/* A step that fails ends the run, soon. */
static void test_failures(void **state) {
    (void)state;
    for (int threads = 1; threads <= 4; threads++) {
        Line line = run_line(threads, 100, -1, false);
        assert_int_equal(line.read, 100);
        line = run_line(threads, -1, 100, false);
        assert_int_equal(line.written, 100);
        assert_true(line.read <= 100 + pipeline_slots(threads));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
