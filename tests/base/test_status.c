/*
 * Failing with a sentence: what the error struct holds after each way to fail, and where a message
 * is cut.
 */
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

#include <check.h>

#define ROOM sizeof(((tally_error *)NULL)->message)

/* An error that a call before has left behind. */
static tally_error make_stale(void) {
    tally_error error;
    memset(&error, 'x', sizeof error);
    error.message[ROOM - 1] = '\0';
    return error;
}

START_TEST(a_cleared_error_is_empty) {
    tally_error error = make_stale();
    tally_error_clear(&error);
    ck_assert_int_eq(error.status, TALLY_OK);
    ck_assert_int_eq(error.cl_code, 0);
    ck_assert_int_eq(error.fault, TALLY_FAULT_NONE);
    ck_assert_uint_eq(error.reserved, 0);
    ck_assert_str_eq(error.message, "");
    tally_error_clear(NULL);
}
END_TEST

START_TEST(a_failure_says_where_it_comes_from) {
    static const tally_fault faults[] = {TALLY_FAULT_NONE, TALLY_FAULT_CALLER, TALLY_FAULT_LIMIT,
                                         TALLY_FAULT_HOST, TALLY_FAULT_OPENCL, TALLY_FAULT_OPENCL};
    for (int status = TALLY_INVALID; status <= TALLY_DEVICE_ERROR; status++) {
        tally_error error = make_stale();
        tally_fail(&error, (tally_status)status, "so");
        ck_assert_int_eq(error.fault, faults[status]);
        ck_assert_uint_eq(error.reserved, 0);
        tally_fail_cl(&error, (tally_status)status, -5, "so");
        ck_assert_int_eq(error.fault, TALLY_FAULT_OPENCL);
    }
}
END_TEST

START_TEST(a_failure_says_what_the_format_says) {
    tally_error error = make_stale();
    const tally_status status = tally_fail(&error, TALLY_INVALID, "axis %d of %s", 7, "three");
    ck_assert_int_eq(status, TALLY_INVALID);
    ck_assert_int_eq(error.status, TALLY_INVALID);
    ck_assert_int_eq(error.cl_code, 0);
    ck_assert_str_eq(error.message, "axis 7 of three");
}
END_TEST

START_TEST(an_opencl_failure_keeps_its_code) {
    tally_error error = make_stale();
    ck_assert_int_eq(tally_fail_cl(&error, TALLY_DEVICE_ERROR, -54, "%s failed", "clThis"),
                     TALLY_DEVICE_ERROR);
    ck_assert_int_eq(error.status, TALLY_DEVICE_ERROR);
    ck_assert_int_eq(error.cl_code, -54);
    ck_assert_str_eq(error.message, "clThis failed");
    tally_fail(&error, TALLY_UNSUPPORTED, "another");
    ck_assert_int_eq(error.cl_code, 0);
}
END_TEST

START_TEST(running_out_of_memory_says_of_what) {
    tally_error error = make_stale();
    ck_assert_int_eq(tally_fail_memory(&error, "a plan"), TALLY_OUT_OF_MEMORY);
    ck_assert_int_eq(error.status, TALLY_OUT_OF_MEMORY);
    ck_assert_int_eq(error.cl_code, 0);
    ck_assert_ptr_nonnull(strstr(error.message, "a plan"));
}
END_TEST

START_TEST(without_an_error_struct_the_status_is_all) {
    ck_assert_int_eq(tally_fail(NULL, TALLY_UNSUPPORTED, "nobody reads %d", 1), TALLY_UNSUPPORTED);
    ck_assert_int_eq(tally_fail_cl(NULL, TALLY_BUILD_FAILED, -11, "this"), TALLY_BUILD_FAILED);
    ck_assert_int_eq(tally_fail_memory(NULL, "that"), TALLY_OUT_OF_MEMORY);
}
END_TEST

/* Messages of every length around the room there is: whole as long as they fit, else marked. */
START_TEST(a_message_is_cut_only_where_it_must_be) {
    char text[2 * ROOM];
    for (size_t length = 0; length < sizeof text; length++) {
        tally_error error = make_stale();
        for (size_t i = 0; i < length; i++)
            text[i] = (char)('a' + i % 26);
        text[length] = '\0';
        tally_fail(&error, TALLY_INVALID, "%s", text);
        if (length < ROOM) {
            ck_assert_str_eq(error.message, text);
            continue;
        }
        ck_assert_uint_eq(strlen(error.message), ROOM - 1);
        ck_assert_str_eq(error.message + ROOM - 4, "...");
        ck_assert_int_eq(memcmp(error.message, text, ROOM - 4), 0);
    }
}
END_TEST

START_TEST(a_message_much_too_long_is_cut_too) {
    const size_t length = 1000000;
    tally_error error = make_stale();
    char *log = malloc(length + 1);
    ck_assert_ptr_nonnull(log);
    memset(log, 'w', length);
    log[length] = '\0';
    tally_fail_cl(&error, TALLY_BUILD_FAILED, -11, "fold.cl: %s", log);
    ck_assert_uint_eq(strlen(error.message), ROOM - 1);
    ck_assert_int_eq(strncmp(error.message, "fold.cl: www", 12), 0);
    ck_assert_str_eq(error.message + ROOM - 5, "w...");
    free(log);
}
END_TEST

START_TEST(every_status_has_its_name) {
    ck_assert_str_eq(tally_status_text(TALLY_OK), "ok");
    ck_assert_str_eq(tally_status_text(TALLY_INVALID), "invalid");
    ck_assert_str_eq(tally_status_text(TALLY_UNSUPPORTED), "unsupported");
    ck_assert_str_eq(tally_status_text(TALLY_OUT_OF_MEMORY), "out of memory");
    ck_assert_str_eq(tally_status_text(TALLY_BUILD_FAILED), "build failed");
    ck_assert_str_eq(tally_status_text(TALLY_DEVICE_ERROR), "device error");
    ck_assert_str_eq(tally_status_text(TALLY_STOPPED), "stopped");
    const int strange[] = {7, 8, 1000, -1, -1000};
    for (size_t i = 0; i < sizeof strange / sizeof strange[0]; i++)
        ck_assert_str_eq(tally_status_text((tally_status)strange[i]), "unknown");
}
END_TEST

Suite *suite_status(void) {
    Suite *suite = suite_create("status");
    TCase *tests = tcase_create("status");
    tcase_add_test(tests, a_cleared_error_is_empty);
    tcase_add_test(tests, a_failure_says_where_it_comes_from);
    tcase_add_test(tests, a_failure_says_what_the_format_says);
    tcase_add_test(tests, an_opencl_failure_keeps_its_code);
    tcase_add_test(tests, running_out_of_memory_says_of_what);
    tcase_add_test(tests, without_an_error_struct_the_status_is_all);
    tcase_add_test(tests, a_message_is_cut_only_where_it_must_be);
    tcase_add_test(tests, a_message_much_too_long_is_cut_too);
    tcase_add_test(tests, every_status_has_its_name);
    suite_add_tcase(suite, tests);
    return suite;
}
