/*
 * test_errors_pointers.c: views by pointers that an enqueue must refuse: the status, the value and
 * the limit in the sentence, and not a byte changed; and those next to them that it must take.
 * tests/fault has what needs another device: one without pointers, one with Intel's.
 */
#include <check.h>
#include <stdio.h>

#include "support/fixtures/bound.h"

Suite *suite_errors_pointers(void);

/* Bytes behind the first of the memory that views are laid into. */
#define ROOM 65536

/* Memory of the first kind of pointers that the device has, full of 0x44. */
static image memory;

static memory_kind find_kind(void) {
    int kind = MEMORY_SVM_COARSE;
    while (kind < MEMORY_KINDS && !memory_has((memory_kind)kind)) {
        ck_assert_msg(!memory_must_have((memory_kind)kind), "the device has no %s, as PoCL has",
                      memory_name((memory_kind)kind));
        kind++;
    }
    return (memory_kind)kind;
}

static void make(void) {
    const memory_kind kind = find_kind();
    bound_make();
    memory = (image){0};
    if (kind == MEMORY_KINDS) {
        puts("errors_pointers: the device takes no pointers");
        return;
    }
    memory = image_make(0, ROOM, 0x44);
    image_choose(&kind, 1);
    image_upload(&memory);
    image_choose(NULL, 0);
}

static void release(void) {
    image_free(&memory);
    bound_free();
}

static tally_view at(size_t offset) {
    const tally_view view = {.pointer = memory.pointer + offset};
    return view;
}

/* A test on a device that takes no pointers ends here. */
#define NEED_POINTERS()                                                                            \
    if (memory.pointer == NULL)                                                                    \
    return

/* ---- One view -------------------------------------------------------------------------------- */

START_TEST(buffer_and_pointer) {
    tally_binding binding = bound_binding();
    binding.input.pointer = &binding;
    bound_refuse(bound.reduce, binding, INVALID("input", "a buffer and a pointer", "one of them"));
    binding = bound_binding();
    binding.output.pointer = &binding;
    bound_refuse(bound.scan, binding, INVALID("output", "a buffer and a pointer", "one of them"));
    binding = bound_binding();
    binding.scratch.pointer = &binding;
    bound_refuse(bound.reduce, binding, INVALID("scratch", "a buffer and a pointer"));
}
END_TEST

START_TEST(neither_buffer_nor_pointer) {
    tally_binding binding = bound_binding();
    binding.input = (tally_view)TALLY_VIEW_INIT;
    bound_refuse(bound.fill, binding, INVALID("input", "buffer and pointer are NULL", "400"));
}
END_TEST

START_TEST(reserved_members) {
    tally_binding binding = bound_binding();
    NEED_POINTERS();
    binding.input = at(0);
    binding.input.reserved[1] = 7;
    bound_refuse(bound.scan, binding, UNSUPPORTED("input", "0 and 7"));
    bound_unchanged(&memory);
}
END_TEST

/* Pointer and offset together count. */
START_TEST(addresses_off_their_elements) {
    tally_binding binding = bound_binding();
    NEED_POINTERS();
    binding.input = at(2);
    bound_refuse(bound.scan, binding, INVALID("input's address 0x", "not a multiple of 4"));
    binding.input = at(4);
    binding.input.offset = 3;
    bound_refuse(bound.reduce, binding, INVALID("input's address 0x", "not a multiple of 4"));
    binding = bound_binding();
    binding.output = at(1);
    bound_refuse(bound.fill, binding, INVALID("output's address 0x", "not a multiple of 4"));
    binding = bound_binding();
    binding.scratch = at(128);
    bound_refuse(bound.reduce, binding, INVALID("scratch's address 0x", "not a multiple of 256"));
    bound_unchanged(&memory);
    binding = bound_binding();
    binding.input = at(3);
    binding.input.offset = 5; /* an address of whole elements by two that are none */
    bound_accept(bound.scan, binding);
    binding.scratch = at(255);
    binding.scratch.offset = 257;
    binding.input = at(1024 + 3);
    binding.input.offset = 1;
    bound_accept(bound.reduce, binding);
}
END_TEST

/* Of shared virtual memory no size is known, but no view goes beyond the last address. */
START_TEST(ranges_beyond_the_last_address) {
    tally_binding binding = bound_binding();
    NEED_POINTERS();
    binding.input = at(4);
    binding.input.offset = SIZE_MAX - 3;
    bound_refuse(bound.scan, binding,
                 INVALID("input needs 400 bytes", "offset 18446744073709551612", "there are"));
    binding = bound_binding();
    binding.output = at(0);
    binding.output.offset = SIZE_MAX - (uintptr_t)memory.pointer - 399;
    bound_refuse(bound.scan, binding, INVALID("output needs 400 bytes", "there are"));
    bound_unchanged(&memory);
}
END_TEST

/* ---- Two views by pointers ------------------------------------------------------------------- */

START_TEST(overlaps) {
    tally_binding binding = bound_binding();
    NEED_POINTERS();
    binding.input = at(0); /* 20000 bytes */
    binding.output = at(19996);
    bound_refuse(bound.reduce, binding, INVALID("input's range, addresses 0x", "overlaps"));
    binding.output = at(0);
    bound_refuse(bound.reduce, binding, INVALID("input's range", "overlaps the output's"));
    binding = bound_binding();
    binding.input = at(4);
    binding.scratch = at(19968);
    bound_refuse(bound.reduce, binding, INVALID("input's range", "overlaps the scratch's"));
    binding = bound_binding();
    binding.output = at(508);
    binding.scratch = at(256);
    bound_refuse(bound.reduce, binding, INVALID("output's range", "overlaps the scratch's"));
    bound_unchanged(&memory);
    binding.input = at(0); /* one behind the other, without a gap */
    binding.output = at(20000);
    binding.scratch = at(20224);
    bound_accept(bound.reduce, binding);
}
END_TEST

/* The same address, however it is said. */
START_TEST(in_place) {
    tally_binding binding = bound_binding();
    NEED_POINTERS();
    binding.input = at(8);
    binding.output = at(12);
    bound_refuse(bound.scan, binding, INVALID("overlaps", "in place they must be identical"));
    bound_refuse(bound.fill, binding, INVALID("overlaps", "in place they must be identical"));
    binding.output = at(8);
    bound_refuse(bound.gap_scan, binding, INVALID("input's range", "overlaps the output's"));
    bound_unchanged(&memory);
    bound_accept(bound.scan, binding);
    binding.output = at(0);
    binding.output.offset = 8;
    bound_accept(bound.fill, binding);
    binding.output = at(408);
    bound_accept(bound.gap_scan, binding);
}
END_TEST

/* ---- A pointer and a buffer ------------------------------------------------------------------ */

/* A buffer of the memory's first 4096 bytes, and its later half. */
typedef struct pair {
    cl_mem whole, half;
} pair;

static pair make_pair(cl_mem_flags flags) {
    cl_int code = CL_SUCCESS;
    pair made = {NULL, NULL};
    made.whole = clCreateBuffer(fixture_get()->context, CL_MEM_READ_WRITE | flags, 4096,
                                memory.pointer, &code);
    fixture_check(code);
    made.half = bound_part(made.whole, 2048, 2048);
    return made;
}

static void release_pair(pair made) {
    clReleaseMemObject(made.half);
    clReleaseMemObject(made.whole);
}

/* A buffer that uses the memory is the memory. */
START_TEST(pointers_to_a_buffers_memory) {
    tally_binding binding = bound_binding();
    NEED_POINTERS();
    const pair of = make_pair(CL_MEM_USE_HOST_PTR);
    binding.input = (tally_view){.buffer = of.whole, .offset = 8};
    binding.output = at(404);
    bound_refuse(bound.scan, binding, INVALID("input's range, addresses 0x", "overlaps", "output"));
    binding.output = at(8);
    bound_refuse(bound.scan, binding, INVALID("the same bytes", "by a buffer and a pointer"));
    binding = bound_binding();
    binding.output = (tally_view){.buffer = of.whole, .offset = 2048};
    binding.scratch = at(2048);
    bound_refuse(bound.reduce, binding, INVALID("output's range", "overlaps the scratch's"));
    /* OpenCL does not define two buffers of one memory: with a pointer, they are looked at so. */
    const pair other = make_pair(CL_MEM_USE_HOST_PTR);
    binding.output = (tally_view){.buffer = of.whole, .offset = 4};
    binding.scratch = (tally_view){.buffer = other.whole};
    binding.input = at(8192);
    bound_refuse(bound.reduce, binding, INVALID("output's range", "overlaps the scratch's"));
    release_pair(other);
    release_pair(of);
    bound_unchanged(&memory);
}
END_TEST

/* Whether the driver says of which memory a sub-buffer is, as OpenCL has it. */
static bool says_memory(cl_mem part) {
    void *host = NULL;
    fixture_check(clGetMemObjectInfo(part, CL_MEM_HOST_PTR, sizeof host, &host, NULL));
    ck_assert(host != NULL || !memory_must_have(memory.kind)); /* PoCL does */
    if (host == NULL)
        puts("errors_pointers: the driver does not say of which memory a sub-buffer is");
    return host != NULL;
}

START_TEST(pointers_to_a_sub_buffers_memory) {
    tally_binding binding = bound_binding();
    NEED_POINTERS();
    const pair of = make_pair(CL_MEM_USE_HOST_PTR);
    if (says_memory(of.half)) {
        binding.input = at(2048 + 396);
        binding.output = (tally_view){.buffer = of.half};
        bound_refuse(bound.fill, binding, INVALID("input's range", "overlaps the output's"));
        binding = bound_binding();
        binding.output = at(2048 + 252);
        binding.scratch = (tally_view){.buffer = of.half};
        bound_refuse(bound.reduce, binding, INVALID("output's range", "overlaps the scratch's"));
        bound_unchanged(&memory);
    }
    release_pair(of);
}
END_TEST

/* Beside each other; and a buffer that is a copy of the memory, which is none of it. */
START_TEST(pointers_beside_a_buffer) {
    tally_binding binding = bound_binding();
    NEED_POINTERS();
    if (memory.kind == MEMORY_USM_DEVICE)
        return; /* no memory to copy from */
    pair of = make_pair(CL_MEM_USE_HOST_PTR);
    binding.input = (tally_view){.buffer = of.whole, .offset = 8};
    binding.output = at(4096);
    bound_accept(bound.scan, binding);
    release_pair(of);
    of = make_pair(CL_MEM_COPY_HOST_PTR);
    binding.input = (tally_view){.buffer = of.whole, .offset = 8};
    binding.output = at(8);
    bound_accept(bound.scan, binding);
    release_pair(of);
}
END_TEST

Suite *suite_errors_pointers(void) {
    Suite *suite = suite_create("errors_pointers");
    TCase *tests = tcase_create("errors_pointers");
    tcase_set_timeout(tests, 600);
    tcase_add_checked_fixture(tests, make, release);
    tcase_add_test(tests, buffer_and_pointer);
    tcase_add_test(tests, neither_buffer_nor_pointer);
    tcase_add_test(tests, reserved_members);
    tcase_add_test(tests, addresses_off_their_elements);
    tcase_add_test(tests, ranges_beyond_the_last_address);
    tcase_add_test(tests, overlaps);
    tcase_add_test(tests, in_place);
    tcase_add_test(tests, pointers_to_a_buffers_memory);
    tcase_add_test(tests, pointers_to_a_sub_buffers_memory);
    tcase_add_test(tests, pointers_beside_a_buffer);
    suite_add_tcase(suite, tests);
    return suite;
}
