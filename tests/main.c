/*
 * tests/main.c: the main of every test executable. Runs the suites named as arguments, or all of
 * them, and prints Check's summary. It knows the suites only through suites.inc, which the build
 * makes from the names of the test files.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUITE(name) Suite *suite_##name(void);
#include "suites.inc"
#undef SUITE

typedef struct entry {
    const char *name;
    Suite *(*make)(void);
} entry;

#define SUITE(name) {#name, suite_##name},
static const entry entries[] = {
#include "suites.inc"
    {NULL, NULL},
};
#undef SUITE

static const entry *find_entry(const char *name) {
    for (const entry *e = entries; e->name; e++) {
        if (strcmp(e->name, name) == 0) {
            return e;
        }
    }
    return NULL;
}

static void list_entries(FILE *file) {
    for (const entry *e = entries; e->name; e++) {
        fprintf(file, "  %s\n", e->name);
    }
}

int main(int argc, char **argv) {
    SRunner *runner = srunner_create(NULL);
#ifdef TEST_FORK_STATUS
    /* An OpenCL driver has threads, and those do not survive a fork. */
    srunner_set_fork_status(runner, TEST_FORK_STATUS);
#endif
    for (int i = 1; i < argc; i++) {
        const entry *found = find_entry(argv[i]);
        if (!found) {
            fprintf(stderr, "%s: no suite is named %s; there are\n", argv[0], argv[i]);
            list_entries(stderr);
            srunner_free(runner);
            return EXIT_FAILURE;
        }
        srunner_add_suite(runner, found->make());
    }
    for (const entry *e = entries; argc == 1 && e->name; e++) {
        srunner_add_suite(runner, e->make());
    }
    srunner_run_all(runner, CK_ENV);
    int run = srunner_ntests_run(runner);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    if (run == 0) {
        fprintf(stderr, "%s: no check ran\n", argv[0]);
        return EXIT_FAILURE;
    }
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
