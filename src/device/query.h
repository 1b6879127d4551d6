/*
 * Questions to a device. A failure names the question.
 */
#ifndef TALLY_DEVICE_QUERY_H
#define TALLY_DEVICE_QUERY_H

#include <CL/cl.h>
#include <tally/tally.h>

/* The question as a failure names it. */
#define TALLY_QUESTION(what) "clGetDeviceInfo(" #what ")"

tally_status tally_query(cl_device_id id, cl_device_info what, const char *call, void *value,
                         size_t bytes, tally_error *error);
#define TALLY_QUERY(id, what, value, error)                                                        \
    tally_query(id, what, TALLY_QUESTION(what), &(value), sizeof(value), error)

/* An answer of any length, with zeros behind it, to be given back to the allocator. */
tally_status tally_query_list(cl_device_id id, const tally_allocator *allocator,
                              cl_device_info what, const char *call, void **list,
                              tally_error *error);
#define TALLY_QUERY_LIST(id, allocator, what, list, error)                                         \
    tally_query_list(id, allocator, what, TALLY_QUESTION(what), list, error)

/*
 * The device's platform, and a text that it says of itself: "" where the text has no room, so that
 * one that is looked for is not it.
 */
tally_status tally_query_platform(cl_device_id id, cl_platform_id *platform, cl_platform_info what,
                                  char *text, size_t bytes, tally_error *error);

/* Set a pointer to a function of an extension; it is NULL where the platform has none. */
void tally_query_function(cl_platform_id platform, const char *name, void *pointer);

/* The device's version: 30 for "OpenCL 3.0 vendor's words", 0 where text is no version. */
#define TALLY_QUERY_VERSION_BYTES 256
tally_status tally_query_version(cl_device_id id, char text[TALLY_QUERY_VERSION_BYTES],
                                 int *version, tally_error *error);

/* Whether a name is among the device's extensions. */
tally_status tally_query_extension(cl_device_id id, const tally_allocator *allocator,
                                   const char *name, bool *found, tally_error *error);

#endif
