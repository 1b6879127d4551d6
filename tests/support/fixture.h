/*
 * fixture.h: the device that the tests run on. One context, device, queue and runtime are made at
 * the first use and shared by all tests of the program, so that each kernel is compiled once.
 * Where there is no device the test that asks for it fails.
 */
#ifndef TESTS_SUPPORT_FIXTURE_H
#define TESTS_SUPPORT_FIXTURE_H

#include <tally/tally.h>

typedef struct fixture {
    cl_device_id device; /* the first device of the first platform that has one */
    cl_context context;
    cl_command_queue queue; /* in-order, with profiling */
    tally_runtime *runtime;
    bool has_f64; /* float64 arithmetic */
} fixture;

const fixture *fixture_get(void);

/*
 * Release it all before the program's end, at which it is released otherwise. Some drivers do not
 * survive that: by then the libraries they are made of may be gone.
 */
void fixture_close(void);

/* A config of the fixture's context and device, for a test to change. */
tally_config fixture_config(void);

/* A runtime of its own on the fixture's context, with no kernels yet. The caller releases it. */
tally_runtime *fixture_make_runtime(void);
tally_runtime *fixture_make_runtime_of(tally_family family);
tally_runtime *fixture_make_runtime_by(const tally_config *config);

/* What a runtime counts. */
tally_stats fixture_stats(tally_runtime *runtime);

/* Queues of the fixture's context and device; the caller releases them. */
cl_command_queue fixture_make_queue(cl_command_queue_properties properties);

/* A buffer of so many bytes, a copy of data unless that is NULL; the caller releases it. */
cl_mem fixture_make_buffer(const void *data, uint64_t bytes);

/* Host memory of which every byte has the value; one byte more, so that none is NULL. */
void *fixture_make_memory(uint64_t bytes, int value);

/*
 * How often a context is held; fail the running test unless it comes to so often. A driver's own
 * threads may hold on to what they worked on for a moment.
 */
cl_uint fixture_references(cl_context context);
void fixture_check_references(cl_context context, cl_uint wanted);

/* Fail the running test unless an OpenCL call came back with CL_SUCCESS. */
#define fixture_check(code) fixture_check_at((code), #code, __FILE__, __LINE__)
void fixture_check_at(cl_int code, const char *call, const char *file, int line);

/* Fail the running test unless a call of Tally came back with TALLY_OK; prints the message. */
void fixture_ok(tally_status status, const tally_error *error, const char *what);

#endif
