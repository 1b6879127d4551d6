/*
 * main.c: the property ring. Random problems of every operator, function and type on the device
 * against the oracle, a Check test for each pair of function and type, in every kind of memory that
 * the device has. A seed makes the problems; each run has a new one unless it is given one. What
 * fails is printed as C text with its seed and number, and one failure is made smaller.
 *
 *   test_property [--seed N] [--problems N] [--only N]
 *
 * --only runs a single problem of a seed. TALLY_PROPERTY_SEED in the environment is a seed too, for
 * those who start the ring through ctest.
 */
#include <check.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "coverage.h"
#include "crash.h"
#include "sample.h"
#include "shrink.h"
#include "support/fixtures/image.h"
#include "support/share.h"

/* A run that was not asked for fewer must have run so many, and a share half of them. */
#define LEAST_PROBLEMS 10000
#define USUAL_PROBLEMS (UINT64_C(160) * PROBLEM_PAIRS)

static struct {
    uint64_t seed, problems, only; /* only: a problem's number, or ALL */
} settings = {0, USUAL_PROBLEMS, UINT64_MAX};
#define ALL UINT64_MAX

/* ---- Running --------------------------------------------------------------------------------- */

/* The problem that each pair is at; one that failed stays. */
static struct {
    bool running;
    bool drawn; /* what follows is the problem */
    problem it;
    uint64_t number;
} at[PROBLEM_PAIRS];

/* A problem's memory follows from its number: buffers, or another kind that the device has. */
static memory_kind memory_of(uint64_t number) {
    const memory_kind kind = (memory_kind)(number / PROBLEM_PAIRS % MEMORY_KINDS);
    return memory_has(kind) ? kind : MEMORY_BUFFER;
}

static void run_numbered(uint32_t pair, uint64_t number) {
    const memory_kind kind = memory_of(number);
    at[pair].running = true;
    at[pair].drawn = false;
    at[pair].number = number;
    crash_say("\nkilled in problem %" PRIu64 " of seed %" PRIu64
              "; alone: test_property --seed %" PRIu64 " --only %" PRIu64 "\n",
              number, settings.seed, settings.seed, number);
    sample_problem(settings.seed, number, &at[pair].it);
    at[pair].drawn = true;
    image_choose(&kind, 1);
    problem_run(&at[pair].it);
    coverage_note(pair, &at[pair].it);
    at[pair].running = false;
}

START_TEST(problems_of_a_pair) {
    const uint32_t pair = (uint32_t)_i;
    if (settings.only != ALL)
        run_numbered(pair, settings.only);
    else
        for (uint64_t n = pair; n < settings.problems; n += PROBLEM_PAIRS)
            if (sample_has(settings.seed, n))
                run_numbered(pair, n);
}
END_TEST

/* A driver has threads, and those do not survive a fork. */
static SRunner *make_runner(TCase *tests) {
    Suite *suite = suite_create("property");
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    return runner;
}

static int run_all(void) {
    TCase *tests = tcase_create("problems");
    for (int pair = 0; pair < PROBLEM_PAIRS; pair++)
        if (settings.only == ALL ? sample_has_pair(settings.seed, (uint32_t)pair)
                                 : sample_pair(settings.only) == (uint32_t)pair)
            tcase_add_loop_test(tests, problems_of_a_pair, pair, pair + 1);
    SRunner *runner = make_runner(tests);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed;
}

/* ---- Failures -------------------------------------------------------------------------------- */

static problem candidate;

START_TEST(one_problem) {
    problem_run(&candidate);
}
END_TEST

/* Run a problem by itself and in silence, and say what is wrong if something is. */
static bool fails_saying(const problem *it, bool aloud) {
    candidate = *it;
    crash_say("\nkilled while a failed problem of seed %" PRIu64 " was made smaller\n",
              settings.seed);
    TCase *tests = tcase_create("problem");
    tcase_add_test(tests, one_problem);
    SRunner *runner = make_runner(tests);
    srunner_run_all(runner, CK_SILENT);
    const int failed = srunner_ntests_failed(runner);
    TestResult **results = failed > 0 ? srunner_failures(runner) : NULL;
    if (aloud && results != NULL)
        printf("%s\n", tr_msg(results[0]));
    free(results);
    srunner_free(runner);
    return failed > 0;
}

static bool fails(const problem *it) {
    return fails_saying(it, false);
}

static void report_smaller(problem it, uint64_t number) {
    if (!fails(&it)) {
        printf("\nproblem %" PRIu64 " did not fail when it was run again\n", number);
        return;
    }
    const uint32_t changes = shrink(&it, fails);
    printf("\nproblem %" PRIu64 " after %u changes that made it smaller:\n", number, changes);
    fails_saying(&it, true);
}

static void report_failures(void) {
    bool is_first = true;
    for (uint32_t pair = 0; pair < PROBLEM_PAIRS; pair++) {
        if (!at[pair].running)
            continue;
        const memory_kind kind = memory_of(at[pair].number);
        printf("failed: problem %" PRIu64 ", %s, %s; alone: test_property --seed %" PRIu64
               " --only %" PRIu64 "\n",
               at[pair].number, problem_pair_name(problem_pair_at(pair)), memory_name(kind),
               settings.seed, at[pair].number);
        fflush(stdout);
        if (is_first && at[pair].drawn) {
            image_choose(&kind, 1);
            report_smaller(at[pair].it, at[pair].number);
            is_first = false;
        }
    }
}

/* ---- Arguments ------------------------------------------------------------------------------- */

static bool read_number(const char *name, const char *text, uint64_t *value) {
    char *end = NULL;
    errno = 0;
    *value = text != NULL && text[0] >= '0' && text[0] <= '9' ? strtoull(text, &end, 10) : 0;
    if (end != NULL && *end == '\0' && errno == 0)
        return true;
    fprintf(stderr, "test_property: %s takes a number from 0 to %" PRIu64 ", not \"%s\"\n", name,
            UINT64_MAX, text != NULL ? text : "");
    return false;
}

static bool read_arguments(int argc, char **argv) {
    const struct {
        const char *name;
        uint64_t *value;
    } options[] = {
        {"--seed", &settings.seed}, {"--problems", &settings.problems}, {"--only", &settings.only}};
    const char *seed = getenv("TALLY_PROPERTY_SEED");
    settings.seed = (uint64_t)time(NULL);
    if (seed != NULL && !read_number("TALLY_PROPERTY_SEED", seed, &settings.seed))
        return false;
    for (int i = 1; i < argc; i += 2) {
        size_t k = 0;
        while (k < 3 && strcmp(argv[i], options[k].name) != 0)
            k++;
        if (k == 3) {
            fprintf(stderr, "test_property: %s is none of --seed, --problems, --only\n", argv[i]);
            return false;
        }
        if (!read_number(argv[i], argv[i + 1], options[k].value))
            return false;
    }
    return true;
}

int main(int argc, char **argv) {
    if (!read_arguments(argc, argv))
        return EXIT_FAILURE;
    const bool usual = settings.only == ALL && settings.problems >= LEAST_PROBLEMS;
    printf("seed %" PRIu64 "\n", settings.seed);
    fflush(stdout);
    crash_watch();
    int failed = run_all();
    report_failures();
    if (coverage_problems() > 0)
        coverage_print(settings.seed);
    const int least = share_is_asked_for() ? LEAST_PROBLEMS / 2 : LEAST_PROBLEMS;
    if (usual && coverage_problems() < (uint64_t)least) {
        printf("too few problems ran: %" PRIu64 " of at least %d\n", coverage_problems(), least);
        failed++;
    }
    if (usual && failed == 0 && !coverage_is_complete(settings.seed)) {
        printf("some pair, rank or class of values did not come up\n");
        failed++;
    }
    return failed == 0 && coverage_problems() > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
