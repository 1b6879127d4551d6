/*
 * The programs of a runtime. An entry without a program is a promise that some thread is building
 * it. There are some tens at most, so they are searched one by one.
 */
#include "device/kernels.h"

#include <stdlib.h>

#include "device/clerror.h"
#include "device/program.h"
#include "plan/source.h"

bool tally_kernels_init(tally_kernels *kernels) {
    *kernels = (tally_kernels){0};
    return tally_lock_init(&kernels->lock);
}

void tally_kernels_free(tally_kernels *kernels) {
    for (uint32_t i = 0; i < kernels->count; i++)
        clReleaseProgram(kernels->entry[i].program);
    free(kernels->entry);
    tally_lock_destroy(&kernels->lock);
}

static tally_cached_program *find(tally_kernels *kernels, const tally_spec *key) {
    for (uint32_t i = 0; i < kernels->count; i++)
        if (tally_spec_equal(&kernels->entry[i].key, key))
            return &kernels->entry[i];
    return NULL;
}

static bool promise(tally_kernels *kernels, const tally_spec *key) {
    if (kernels->count == kernels->capacity) {
        uint32_t capacity = kernels->capacity > 0 ? 2 * kernels->capacity : 16;
        tally_cached_program *entry = realloc(kernels->entry, capacity * sizeof *entry);
        if (entry == NULL)
            return false;
        kernels->entry = entry;
        kernels->capacity = capacity;
    }
    kernels->entry[kernels->count++] = (tally_cached_program){.key = *key};
    return true;
}

/* Keep the promise, or take it back if program is NULL. */
static void settle(tally_kernels *kernels, const tally_spec *key, cl_program program) {
    tally_lock_acquire(&kernels->lock);
    tally_cached_program *entry = find(kernels, key);
    if (program != NULL) {
        entry->program = program;
        kernels->built++;
    } else {
        *entry = kernels->entry[--kernels->count];
    }
    tally_lock_announce(&kernels->lock);
    tally_lock_release(&kernels->lock);
}

static tally_status build(tally_device *device, const tally_spec *spec, cl_program *program,
                          tally_error *error) {
    char name[TALLY_NAME_BYTES];
    tally_text source = TALLY_TEXT_INIT;
    *program = NULL;
    tally_spec_name(spec, name);
    tally_source_write(spec, &source);
    tally_status status = source.failed
                              ? tally_fail_memory(error, "a kernel's source")
                              : tally_program_build(device, name, source.data, program, error);
    tally_text_free(&source);
    return status;
}

/* The program stays the cache's: it lives as long as the runtime, which every operator keeps. */
static tally_status get_program(tally_kernels *kernels, tally_device *device,
                                const tally_spec *spec, cl_program *program, tally_error *error) {
    tally_spec key = tally_spec_program(spec);
    tally_lock_acquire(&kernels->lock);
    kernels->requests++;
    tally_cached_program *entry = find(kernels, &key);
    while (entry != NULL && entry->program == NULL) {
        tally_lock_wait(&kernels->lock);
        entry = find(kernels, &key);
    }
    *program = entry != NULL ? entry->program : NULL;
    bool promised = entry == NULL && promise(kernels, &key);
    tally_lock_release(&kernels->lock);
    if (*program != NULL)
        return TALLY_OK;
    if (!promised)
        return tally_fail_memory(error, "the list of programs");
    tally_status status = build(device, &key, program, error);
    settle(kernels, &key, *program);
    return status;
}

tally_status tally_kernels_make(tally_kernels *kernels, tally_device *device,
                                const tally_spec *spec, cl_kernel *kernel, tally_error *error) {
    char name[TALLY_NAME_BYTES];
    cl_program program = NULL;
    cl_int code = CL_SUCCESS;
    *kernel = NULL;
    tally_status status = get_program(kernels, device, spec, &program, error);
    if (status != TALLY_OK)
        return status;
    tally_spec_name(spec, name);
    *kernel = clCreateKernel(program, name, &code);
    if (code != CL_SUCCESS)
        *kernel = NULL;
    return tally_cl_check(code, "clCreateKernel", error);
}
