/*
 * tests/mpi/main.c: the main of the tests that mpirun starts. Every rank runs all tests; rank 0
 * reports. A test fails on all ranks or on none (world.h), so that all go on to the next one
 * together.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/world.h"

#define SUITE(name) Suite *suite_##name(void);
#include "suites.inc"
#undef SUITE

static void add_suites(SRunner *runner, const char *wanted) {
#define SUITE(name)                                                                                \
    if (wanted == NULL || strcmp(wanted, #name) == 0)                                              \
        srunner_add_suite(runner, suite_##name());
#include "suites.inc"
#undef SUITE
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    SRunner *runner = srunner_create(NULL);
    add_suites(runner, argc > 1 ? argv[1] : NULL);
    srunner_set_fork_status(runner, CK_NOFORK);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    srunner_run_all(runner, rank == 0 ? CK_ENV : CK_SILENT);
    int bad = srunner_ntests_failed(runner) + (srunner_ntests_run(runner) == 0);
    srunner_free(runner);
    world_close();
    MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return bad == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
