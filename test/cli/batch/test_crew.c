/* Threads that share a job: every part once, and no work while they wait. */
#include "batch/crew.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "support/check.h"

enum { PARTS = 1000 };

static void count_part(int part, void *context) {
    atomic_int *counts = context;
    atomic_fetch_add(&counts[part], 1);
}

static void test_every_part_once(void **state) {
    (void)state;
    static const int sizes[] = {1, 2, 3, 64};
    static atomic_int counts[PARTS];
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Crew *crew = crew_create(sizes[i]);
        assert_non_null(crew);
        memset(counts, 0, sizeof counts);
        for (int job = 1; job <= 50; job++) {
            int count = job % 5 == 0 ? PARTS : job % 5;
            crew_run(crew, 0, count_part, counts);
            crew_run(crew, count, count_part, counts);
        }
        crew_free(crew);
        /* 10 jobs of all parts, and 40 of 1 to 4 parts */
        for (int part = 0; part < PARTS; part++) {
            assert_int_equal(counts[part], 10 + (part < 4 ? 40 - 10 * part : 0));
        }
    }
    crew_free(NULL);
    assert_true(crew_processors() >= 1);
}

static void sleep_in_first(int part, void *context) {
    if (part == 0) {
        nanosleep(context, NULL);
    }
}

static double processor_seconds(void) {
    struct timespec now;
    assert_int_equal(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now), 0);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* One part sleeps a millisecond, 300 times, while the other thread has nothing to do; between the
 * jobs it waits, too. Measured: 0.02 s of processor time, whatever else the machine does; 1.07 s
 * with OpenMP, whose threads wait actively. */
static void test_waiting_costs_nothing(void **state) {
    (void)state;
    struct timespec nap = {.tv_nsec = 1000000};
    Crew *crew = crew_create(2);
    double before = processor_seconds();
    for (int i = 0; i < 300; i++) {
        crew_run(crew, 2, sleep_in_first, &nap);
        nanosleep(&nap, NULL);
    }
    double used = processor_seconds() - before;
    crew_free(crew);
    print_message("processor time while waiting: %.3f s of 0.6 s\n", used);
    assert_true(used < 0.2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_part_once),
        cmocka_unit_test(test_waiting_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
