/*
 * test_other_devices.c: pointers on devices that the layer makes of PoCL's: one older than OpenCL
 * 2.0, one without shared virtual memory, one with Intel's unified shared memory, of which sizes
 * are known. Which call a pointer is handed to a kernel by, and that a binding of buffers alone
 * asks no more than it must.
 */
#include <check.h>

#include "layer/layer.h"
#include "layer/layer_device.h"
#include "support/fixtures/bound.h"

#define ROOM 16384

/* Shared virtual memory; on a device with Intel's, so much of it from the first 4096 on is that. */
static image memory;
#define USM_BEGIN 4096
#define USM_BYTES 4096

/* The operators of bound.h, with a runtime of the device. */
static void open(layer_device device) {
    const memory_kind kind = MEMORY_SVM_FINE;
    layer_set_device(device);
    bound_make();
    memory = image_make(0, ROOM, 0x44);
    image_choose(&kind, 1);
    image_upload(&memory);
    image_choose(NULL, 0);
    layer_add_usm(memory.pointer + USM_BEGIN, USM_BYTES);
}

static void close_device(void) {
    image_free(&memory);
    bound_free();
    layer_set_device((layer_device){0});
}

static tally_view at(size_t offset) {
    const tally_view view = {.pointer = memory.pointer + offset};
    return view;
}

static tally_binding bind_input(size_t offset) {
    tally_binding binding = bound_binding();
    binding.input = at(offset);
    return binding;
}

/* ---- Devices without pointers ---------------------------------------------------------------- */

static void check_refusals(refusal input, refusal output, refusal scratch) {
    tally_binding binding = bind_input(0);
    bound_refuse(bound.scan, binding, input);
    binding = bound_binding();
    binding.output = at(0);
    bound_refuse(bound.fill, binding, output);
    binding = bound_binding();
    binding.scratch = at(0);
    bound_refuse(bound.reduce, binding, scratch);
    bound_unchanged(&memory);
    bound_accept(bound.reduce, bound_binding());
}

START_TEST(devices_older_than_2_0) {
    open((layer_device){.is_old = true});
    const char *reason = "the device is older than OpenCL 2.0";
    check_refusals(UNSUPPORTED("the input is a pointer, but", reason),
                   UNSUPPORTED("the output is a pointer, but", reason),
                   UNSUPPORTED("the scratch is a pointer, but", reason));
}
END_TEST

START_TEST(devices_without_shared_memory) {
    open((layer_device){.has_no_svm = true});
    const char *reason = "the device has no shared virtual memory";
    check_refusals(UNSUPPORTED("the input is a pointer, but", reason),
                   UNSUPPORTED("the output is a pointer, but", reason),
                   UNSUPPORTED("the scratch is a pointer, but", reason));
}
END_TEST

START_TEST(loaders_older_than_2_0) {
    open((layer_device){.has_old_loader = true});
    const char *reason = "OpenCL library has no clSetKernelArgSVMPointer";
    check_refusals(UNSUPPORTED("the input is a pointer, but", reason),
                   UNSUPPORTED("the output is a pointer, but", reason),
                   UNSUPPORTED("the scratch is a pointer, but", reason));
}
END_TEST

/* ---- Intel's --------------------------------------------------------------------------------- */

/* How often kernels got pointers of either kind. */
static uint64_t count_svm(void) {
    return layer_count(LAYER_clSetKernelArgSVMPointer);
}

static uint64_t count_usm(void) {
    return layer_count(LAYER_clSetKernelArgMemPointerINTEL);
}

/* A pointer is what the extension says, and shared virtual memory where it knows of nothing. */
START_TEST(kinds_are_found_out) {
    open((layer_device){.has_usm = true, .has_usm_calls = true});
    const uint64_t svm = count_svm(), usm = count_usm();
    bound_accept(bound.scan, bind_input(USM_BEGIN));
    ck_assert_uint_eq(count_svm() - svm, 0);
    ck_assert_uint_eq(count_usm() - usm, 1);
    bound_accept(bound.scan, bind_input(USM_BEGIN + USM_BYTES));
    ck_assert_uint_eq(count_svm() - svm, 1);
    ck_assert_uint_eq(count_usm() - usm, 1);
    tally_binding binding = bind_input(USM_BEGIN);
    binding.output = at(0);
    bound_accept(bound.scan, binding);
    ck_assert_uint_eq(count_svm() - svm, 2);
    ck_assert_uint_eq(count_usm() - usm, 2);
}
END_TEST

START_TEST(sizes_are_known) {
    open((layer_device){.has_usm = true, .has_usm_calls = true});
    const size_t end = USM_BEGIN + USM_BYTES;
    tally_binding binding = bind_input(end - 396);
    bound_refuse(bound.scan, binding, INVALID("input needs 400", "offset 0", "there are 396"));
    binding = bind_input(USM_BEGIN + 8);
    binding.input.offset = USM_BYTES - 404;
    bound_refuse(bound.scan, binding, INVALID("input needs 400", "offset 3692", "there are 4088"));
    binding.input.offset = SIZE_MAX - 3;
    bound_refuse(bound.scan, binding, INVALID("input needs 400", "there are 4088"));
    binding = bound_binding();
    binding.output = at(end - 792);
    bound_refuse(bound.gap_scan, binding, INVALID("output needs 796", "there are 792"));
    binding = bound_binding();
    binding.scratch = at(end - 256);
    binding.scratch.offset = 256;
    bound_refuse(bound.reduce, binding, INVALID("scratch needs", "offset 256", "there are 256"));
    bound_unchanged(&memory);
    bound_accept(bound.scan, bind_input(end - 400));
    binding = bind_input(USM_BEGIN);
    binding.input.offset = USM_BYTES - 400;
    bound_accept(bound.scan, binding);
}
END_TEST

/* Without shared virtual memory Intel's is all that there is. */
START_TEST(nothing_but_unified_shared_memory) {
    open((layer_device){.has_no_svm = true, .has_usm = true, .has_usm_calls = true});
    bound_refuse(bound.scan, bind_input(0),
                 UNSUPPORTED("input is a pointer that is no unified shared memory",
                             "no shared virtual memory"));
    bound_accept(bound.scan, bind_input(USM_BEGIN));
}
END_TEST

/* The extension without its calls is none. */
START_TEST(extensions_without_calls) {
    open((layer_device){.has_usm = true});
    const uint64_t svm = count_svm();
    bound_accept(bound.scan, bind_input(USM_BEGIN));
    ck_assert_uint_eq(count_svm() - svm, 1);
}
END_TEST

/* ---- Buffers --------------------------------------------------------------------------------- */

/* Five questions to each buffer, none to the device, whatever pointers it takes. */
START_TEST(buffers_are_asked_no_more) {
    open((layer_device){.has_usm = true, .has_usm_calls = true});
    static const struct {
        layer_call call;
        uint64_t count;
    } rows[] = {
        {LAYER_clGetMemObjectInfo, 10},    {LAYER_clGetCommandQueueInfo, 2},
        {LAYER_clGetMemAllocInfoINTEL, 0}, {LAYER_clGetDeviceInfo, 0},
        {LAYER_clSetKernelArg, 3},         {LAYER_clSetKernelArgSVMPointer, 0},
        {LAYER_clEnqueueNDRangeKernel, 1},
    };
    uint64_t before[sizeof rows / sizeof rows[0]];
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
        before[k] = layer_count(rows[k].call);
    bound_accept(bound.scan, bound_binding());
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
        ck_assert_msg(layer_count(rows[k].call) - before[k] == rows[k].count,
                      "%s was called %llu times", layer_name(rows[k].call),
                      (unsigned long long)(layer_count(rows[k].call) - before[k]));
}
END_TEST

Suite *suite_other_devices(void);
Suite *suite_other_devices(void) {
    Suite *suite = suite_create("other_devices");
    TCase *tests = tcase_create("other_devices");
    tcase_set_timeout(tests, 0);
    tcase_add_checked_fixture(tests, NULL, close_device);
    tcase_add_test(tests, devices_older_than_2_0);
    tcase_add_test(tests, devices_without_shared_memory);
    tcase_add_test(tests, loaders_older_than_2_0);
    tcase_add_test(tests, kinds_are_found_out);
    tcase_add_test(tests, sizes_are_known);
    tcase_add_test(tests, nothing_but_unified_shared_memory);
    tcase_add_test(tests, extensions_without_calls);
    tcase_add_test(tests, buffers_are_asked_no_more);
    suite_add_tcase(suite, tests);
    return suite;
}
