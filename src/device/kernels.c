/*
 * The programs of a runtime. An entry without a program is a promise that some thread is making
 * it. There are some tens at most, so they are searched one by one.
 */
#include "device/kernels.h"

#include <inttypes.h>

#include "device/binary.h"
#include "device/clerror.h"
#include "device/program.h"
#include "plan/program/source.h"

bool tally_kernels_init(tally_kernels *kernels, const tally_allocator *allocator) {
    *kernels = (tally_kernels){.allocator = allocator};
    return tally_lock_init(&kernels->lock);
}

void tally_kernels_free(tally_kernels *kernels) {
    for (uint32_t i = 0; i < kernels->count; i++)
        clReleaseProgram(kernels->entry[i].program);
    tally_host_give(kernels->allocator, kernels->entry);
    tally_lock_destroy(&kernels->lock);
}

tally_program_key tally_kernels_key(const tally_device *device, const tally_spec *spec,
                                    const tally_spec *const *plan, uint32_t count) {
    tally_program_key key = {tally_spec_program(spec), TALLY_ALL_KERNELS};
    if (!tally_recall_works(&device->recall))
        return key;
    key.kernels = tally_source_kernel(spec);
    for (uint32_t i = 0; i < count; i++) {
        const tally_spec other = tally_spec_program(plan[i]);
        if (tally_spec_equal(&other, &key.spec))
            key.kernels |= tally_source_kernel(plan[i]);
    }
    return key;
}

/* ---- Entries ------------------------------------------------------------------------------- */

static tally_cached_program *find(tally_kernels *kernels, const tally_program_key *key) {
    for (uint32_t i = 0; i < kernels->count; i++)
        if (tally_spec_equal(&kernels->entry[i].key.spec, &key->spec) &&
            kernels->entry[i].key.kernels == key->kernels)
            return &kernels->entry[i];
    return NULL;
}

/* The entry once nobody is making its program; NULL if there is none. The lock is held. */
static tally_cached_program *await(tally_kernels *kernels, const tally_program_key *key) {
    tally_cached_program *entry = find(kernels, key);
    while (entry != NULL && entry->program == NULL) {
        tally_lock_wait(&kernels->lock);
        entry = find(kernels, key);
    }
    return entry;
}

static bool promise(tally_kernels *kernels, const tally_program_key *key) {
    if (kernels->count == kernels->capacity) {
        uint32_t capacity = kernels->capacity > 0 ? 2 * kernels->capacity : 16;
        tally_cached_program *entry =
            tally_host_grow(kernels->allocator, kernels->entry, kernels->count * sizeof *entry,
                            capacity * sizeof *entry);
        if (entry == NULL)
            return false;
        kernels->entry = entry;
        kernels->capacity = capacity;
    }
    kernels->entry[kernels->count++] = (tally_cached_program){.key = *key};
    return true;
}

/* Keep the promise, or take it back if there is no program. */
static void settle(tally_kernels *kernels, const tally_cached_program *made) {
    tally_lock_acquire(&kernels->lock);
    tally_cached_program *entry = find(kernels, &made->key);
    if (made->program != NULL) {
        *entry = *made;
        kernels->loaded += made->loaded;
        kernels->built += !made->loaded;
    } else {
        *entry = kernels->entry[--kernels->count];
    }
    tally_lock_announce(&kernels->lock);
    tally_lock_release(&kernels->lock);
}

/* ---- Programs ------------------------------------------------------------------------------ */

/* What a program is remembered by; false if there is no memory for it. */
static bool write_topic(const tally_device *device, const tally_cached_program *of,
                        tally_text *topic) {
    char name[TALLY_NAME_BYTES], source[TALLY_HASH_DIGITS + 1];
    tally_spec_name(&of->key.spec, name);
    tally_hash_print(of->source, source);
    tally_text_format(topic, "program: %s\nkernels: %" PRIx64 "\noptions: %s\nsource: %s\n", name,
                      of->key.kernels, device->build_options, source);
    return !topic->failed;
}

static void load(tally_device *device, tally_cached_program *made) {
    tally_text topic = tally_text_from(&device->allocator);
    tally_blob blob;
    if (write_topic(device, made, &topic) && tally_recall_get(&device->recall, topic.data, &blob)) {
        made->program = tally_binary_load(device, blob.bytes, blob.size);
        made->loaded = made->kept = made->program != NULL;
        tally_blob_free(&blob);
    }
    tally_text_free(&topic);
}

/* Make the program of the entry, from its binary if it may be and can be, else from source. */
static tally_status make_program(tally_device *device, bool may_load, tally_cached_program *made,
                                 tally_error *error) {
    char name[TALLY_NAME_BYTES];
    tally_text source = tally_text_from(&device->allocator);
    tally_status status = TALLY_OK;
    tally_spec_name(&made->key.spec, name);
    tally_source_write_kernels(&made->key.spec, made->key.kernels, &source);
    if (source.failed) {
        tally_text_free(&source);
        return tally_fail_memory(error, "a kernel's source");
    }
    if (tally_recall_works(&device->recall)) {
        made->source = tally_hash_of(source.data, source.length);
        if (may_load)
            load(device, made);
    }
    if (made->program == NULL)
        status = tally_program_build(device, name, source.data, &made->program, error);
    tally_text_free(&source);
    return status;
}

/* A hold of the caller's own: the entry's program may be replaced. */
static tally_status hold(cl_program program, cl_program *held, tally_error *error) {
    cl_int code = clRetainProgram(program);
    *held = code == CL_SUCCESS ? program : NULL;
    return tally_cl_check(code, "clRetainProgram", error);
}

static tally_status get_program(tally_kernels *kernels, tally_device *device,
                                const tally_program_key *key, cl_program *program, bool *loaded,
                                tally_error *error) {
    tally_cached_program made = {.key = *key};
    tally_status status = TALLY_OK;
    tally_lock_acquire(&kernels->lock);
    kernels->requests++;
    const tally_cached_program *entry = await(kernels, key);
    const bool there = entry != NULL, promised = !there && promise(kernels, key);
    *loaded = there && entry->loaded;
    if (there)
        status = hold(entry->program, program, error);
    tally_lock_release(&kernels->lock);
    if (there)
        return status;
    if (!promised)
        return tally_fail_memory(error, "the list of programs");
    status = make_program(device, true, &made, error);
    *loaded = made.loaded;
    if (status == TALLY_OK)
        status = hold(made.program, program, error);
    settle(kernels, &made);
    return status;
}

tally_status tally_kernels_make(tally_kernels *kernels, tally_device *device,
                                const tally_program_key *key, const tally_spec *spec,
                                cl_kernel *kernel, bool *loaded, tally_error *error) {
    char name[TALLY_NAME_BYTES];
    cl_program program = NULL;
    cl_int code = CL_SUCCESS;
    *kernel = NULL;
    tally_status status = get_program(kernels, device, key, &program, loaded, error);
    if (status != TALLY_OK)
        return status;
    tally_spec_name(spec, name);
    *kernel = clCreateKernel(program, name, &code);
    if (code != CL_SUCCESS)
        *kernel = NULL;
    clReleaseProgram(program);
    return tally_cl_check(code, "clCreateKernel", error);
}

/* ---- Remembering --------------------------------------------------------------------------- */

void tally_kernels_keep(tally_kernels *kernels, tally_device *device,
                        const tally_program_key *key) {
    tally_cached_program own = {.program = NULL};
    if (!tally_recall_works(&device->recall))
        return;
    tally_lock_acquire(&kernels->lock);
    tally_cached_program *entry = await(kernels, key);
    if (entry != NULL && !entry->kept && clRetainProgram(entry->program) == CL_SUCCESS) {
        entry->kept = true;
        own = *entry;
    }
    tally_lock_release(&kernels->lock);
    if (own.program == NULL)
        return;
    size_t size = 0;
    unsigned char *binary = tally_binary_get(device, own.program, &size);
    tally_text topic = tally_text_from(&device->allocator);
    if (binary != NULL && write_topic(device, &own, &topic))
        tally_recall_put(&device->recall, topic.data, binary, size);
    tally_text_free(&topic);
    tally_host_give(&device->allocator, binary);
    clReleaseProgram(own.program);
}

void tally_kernels_renew(tally_kernels *kernels, tally_device *device,
                         const tally_program_key *key) {
    tally_cached_program made = {.key = *key}, before = {.program = NULL};
    tally_lock_acquire(&kernels->lock);
    tally_cached_program *entry = await(kernels, key);
    if (entry != NULL && entry->loaded) {
        before = *entry;
        entry->program = NULL; /* a promise */
    }
    tally_lock_release(&kernels->lock);
    if (before.program == NULL)
        return;
    (void)make_program(device, false, &made, NULL);
    settle(kernels, &made);
    clReleaseProgram(before.program);
}
