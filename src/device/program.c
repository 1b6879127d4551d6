/*
 * From OpenCL C to a program, and from a compiler's complaint to a sentence.
 */
#include "device/program.h"

#include <string.h>

#include "base/text.h"
#include "device/clerror.h"

/* The compiler's words, NUL-terminated, to be given back; NULL if there are none to be had. */
static char *read_log(const tally_device *device, cl_program program) {
    size_t bytes = 0;
    cl_int code = clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
    char *log =
        code == CL_SUCCESS && bytes > 0 ? tally_host_take(&device->allocator, bytes + 1) : NULL;
    if (log == NULL)
        return NULL;
    log[bytes] = '\0';
    code = clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, bytes, log, NULL);
    if (code != CL_SUCCESS)
        log[0] = '\0';
    return log;
}

/* The first line that speaks of an error, else the first line. */
static const char *find_complaint(const char *log, int *length) {
    const char *complaint = strstr(log, "error");
    if (complaint == NULL)
        complaint = log + strspn(log, " \n");
    while (complaint > log && complaint[-1] != '\n')
        complaint--;
    *length = (int)strcspn(complaint, "\n");
    return complaint;
}

static tally_status fail_build(tally_device *device, const char *name, cl_program program,
                               cl_int code, tally_error *error) {
    char *log = read_log(device, program);
    int length = 0;
    const char *complaint = find_complaint(log != NULL ? log : "", &length);
    bool memory = tally_cl_status(code) == TALLY_OUT_OF_MEMORY;
    tally_status status = tally_fail_cl(
        error, memory ? TALLY_OUT_OF_MEMORY : TALLY_BUILD_FAILED, code,
        "building %s: clBuildProgram failed with %s (%d)%s%.*s", name, tally_cl_code_name(code),
        (int)code, length > 0 ? ": " : "", length, complaint);
    tally_text text = tally_text_from(&device->allocator);
    tally_text_format(&text, "building %s failed with %s (%d), options %s\n%s\n", name,
                      tally_cl_code_name(code), (int)code, device->build_options,
                      log != NULL ? log : "(the compiler left no log)");
    if (!text.failed)
        tally_device_log(device, TALLY_LOG_ERROR, text.data);
    tally_text_free(&text);
    tally_host_give(&device->allocator, log);
    return status;
}

tally_status tally_program_build(tally_device *device, const char *name, const char *source,
                                 cl_program *program, tally_error *error) {
    cl_int code = CL_SUCCESS;
    *program = clCreateProgramWithSource(device->context, 1, &source, NULL, &code);
    if (code != CL_SUCCESS) {
        *program = NULL;
        return tally_cl_check(code, "clCreateProgramWithSource", error);
    }
    code = clBuildProgram(*program, 1, &device->id, device->build_options, NULL, NULL);
    if (code == CL_SUCCESS)
        return TALLY_OK;
    tally_status status = fail_build(device, name, *program, code, error);
    clReleaseProgram(*program);
    *program = NULL;
    return status;
}
