/*
 * test_steady.c: a hundred thousand enqueues, of every way of launching kernels, on a queue that
 * keeps the order and on one that does not, leave as much memory and as many objects as there were.
 */
#define _DEFAULT_SOURCE /* mallinfo2 */

#include <check.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "layer/layer.h"
#include "stage.h"

enum { ENQUEUES = 100000, EACH = 50, QUEUES = 2, STAGES = 5 };

/* Enqueues after which a driver has made what it keeps for the next ones. */
enum { WARM = 10000 };

/* What may come and go, in bytes: pages that the allocator has not given back. */
#define SLACK (1 << 20)

static const char *const names[STAGES] = {"rows", "several steps", "groups of axes", "empty output",
                                          "small chain"};

/* What there is of the process's memory, in bytes. */
typedef struct memory {
    long resident;
    long heap; /* what malloc gave and did not get back, the driver's included */
} memory;

static memory take_memory(void) {
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fscanf(file, "%ld %ld", &pages, &resident), 2);
    fclose(file);
    const struct mallinfo2 heap = mallinfo2();
    return (memory){resident * sysconf(_SC_PAGESIZE), (long)(heap.uordblks + heap.hblkhd)};
}

static const subject *find_subject(const char *name) {
    for (int i = 0; i < subjects_count; i++)
        if (strcmp(subjects[i].name, name) == 0)
            return &subjects[i];
    ck_abort_msg("there is no subject '%s'", name);
    return NULL;
}

static cl_uint references(cl_mem buffer) {
    cl_uint count = 0;
    fixture_check(clGetMemObjectInfo(buffer, CL_MEM_REFERENCE_COUNT, sizeof count, &count, NULL));
    return count;
}

/* Some enqueues, one behind the other, of which the last one's event is waited for. */
static void enqueue(stage *at, int count) {
    tally_error error;
    cl_event before = NULL;
    for (int i = 0; i < count; i++) {
        at->gate = before;
        fixture_ok(stage_enqueue(at, &error), &error, at->what->name);
        if (before != NULL)
            layer_release_event(before);
        before = at->done;
    }
    at->gate = NULL;
    stage_check(at);
}

/* Times that the library asked for memory. */
static uint64_t count_allocations(void) {
    return layer_count(LAYER_malloc) + layer_count(LAYER_calloc) + layer_count(LAYER_realloc) +
           layer_count(LAYER_strdup);
}

START_TEST(enqueues_leave_nothing_behind) {
    static const cl_command_queue_properties orders[] = {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};
    stage stages[STAGES * QUEUES];
    for (int i = 0; i < STAGES * QUEUES; i++) {
        stages[i] = stage_open(find_subject(names[i / QUEUES]), orders[i % QUEUES]);
        stage_make_op(&stages[i]);
    }
    memory first = {0, 0};
    layer_balance before = {{0}};
    uint64_t allocations = 0;
    for (int done = 0; done < WARM + ENQUEUES; done += EACH) {
        if (done == WARM) {
            first = take_memory();
            before = layer_take_balance();
            allocations = count_allocations();
        }
        enqueue(&stages[done / EACH % (STAGES * QUEUES)], EACH);
    }
    const memory last = take_memory();
    const layer_balance after = layer_take_balance();
    const uint64_t more = count_allocations() - allocations;
    printf("steady: %d enqueues: %ld bytes more resident, %ld more on the heap, %llu allocations, "
           "%u objects held before, %u now\n",
           ENQUEUES, last.resident - first.resident, last.heap - first.heap,
           (unsigned long long)more, layer_sum(&before), layer_sum(&after));
    ck_assert_ptr_null(layer_compare(&before, &after));
    ck_assert_uint_eq(more, 0);
#ifndef TESTS_SANITIZED /* sanitizers keep what was freed */
    ck_assert_int_lt(last.resident - first.resident, SLACK);
    ck_assert_int_lt(last.heap - first.heap, SLACK);
#endif
    for (int i = 0; i < STAGES * QUEUES; i++) {
        /* A driver may keep the last command, and what it works on, for itself. */
        ck_assert_uint_le(references(stages[i].output.buffer), 2);
        tally_op_release(stages[i].op);
        tally_runtime_release(stages[i].runtime);
        stage_close(&stages[i]);
    }
    layer_release_programs();
}
END_TEST

Suite *suite_steady(void);
Suite *suite_steady(void) {
    Suite *suite = suite_create("steady");
    TCase *tests = tcase_create("steady");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, enqueues_leave_nothing_behind);
    suite_add_tcase(suite, tests);
    return suite;
}
