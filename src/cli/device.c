/*
 * The OpenCL devices of all platforms: listing, finding one by number or name, opening it for
 * Tally. Knows no operators.
 */
#include "cli/device.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/system.h"

#define PLATFORMS_MAX 64
#define PATH_BYTES 4096

/* ---- What a device tells ------------------------------------------------------------------- */

char *device_text(cl_device_id id, cl_device_info what) {
    size_t bytes = 0;
    if (clGetDeviceInfo(id, what, 0, NULL, &bytes) != CL_SUCCESS)
        bytes = 0;
    char *text = calloc(bytes + 1, 1);
    if (text != NULL && bytes > 0 && clGetDeviceInfo(id, what, bytes, text, NULL) != CL_SUCCESS)
        text[0] = '\0';
    return text;
}

cl_ulong device_number(cl_device_id id, cl_device_info what) {
    /* Its numbers are 32 or 64 bits wide; on a little-endian host the narrow ones fit as well. */
    cl_ulong number = 0;
    return clGetDeviceInfo(id, what, sizeof number, &number, NULL) == CL_SUCCESS ? number : 0;
}

bool device_is_cpu(cl_device_id id) {
    return (device_number(id, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
}

/* ---- The list ------------------------------------------------------------------------------ */

static int add_platform(device_list *list, cl_platform_id platform, cli_error *error) {
    cl_uint count = 0;
    /* A platform without devices, or a broken one, does not hide the others. */
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count) != CL_SUCCESS || count == 0)
        return CLI_DONE;
    cl_device_id *ids = calloc(count, sizeof *ids);
    device_entry *entries = realloc(list->entries, (list->count + count) * sizeof *entries);
    if (entries != NULL)
        list->entries = entries;
    if (ids == NULL || entries == NULL) {
        free(ids);
        return cli_fail_memory(error, "the list of devices");
    }
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids, NULL) != CL_SUCCESS)
        count = 0;
    int status = CLI_DONE;
    for (cl_uint i = 0; i < count && status == CLI_DONE; i++) {
        char *name = device_text(ids[i], CL_DEVICE_NAME);
        cl_device_type type = device_number(ids[i], CL_DEVICE_TYPE);
        if (name == NULL)
            status = cli_fail_memory(error, "the list of devices");
        else
            list->entries[list->count++] = (device_entry){platform, ids[i], type, name};
    }
    free(ids);
    return status;
}

int device_list_load(device_list *list, cli_error *error) {
    cl_platform_id platforms[PLATFORMS_MAX];
    cl_uint count = 0;
    int status = CLI_DONE;
    memset(list, 0, sizeof *list);
    if (clGetPlatformIDs(PLATFORMS_MAX, platforms, &count) != CL_SUCCESS)
        count = 0; /* the loader's way of saying that nothing is installed */
    for (cl_uint i = 0; i < count && i < PLATFORMS_MAX && status == CLI_DONE; i++)
        status = add_platform(list, platforms[i], error);
    if (status == CLI_DONE && list->count == 0)
        status = cli_fail(error, "there is no OpenCL device; install a driver: the package of the "
                                 "GPU's vendor, or PoCL (pocl-opencl-icd) to compute on the CPU");
    if (status != CLI_DONE)
        device_list_free(list);
    return status;
}

void device_list_free(device_list *list) {
    for (size_t i = 0; i < list->count; i++)
        free(list->entries[i].name);
    free(list->entries);
    memset(list, 0, sizeof *list);
}

/* ---- Finding ------------------------------------------------------------------------------- */

static bool contains_name(const char *name, const char *part) {
    size_t length = strlen(part);
    for (; strlen(name) >= length; name++) {
        size_t i = 0;
        while (i < length && tolower((unsigned char)name[i]) == tolower((unsigned char)part[i]))
            i++;
        if (i == length)
            return true;
    }
    return false;
}

/* The sentence, and then "0 NAME, 1 NAME" of the entries that have part in their names. */
static int fail_list(const device_list *list, const char *why, const char *part, cli_error *error) {
    char names[800] = "";
    size_t used = 0;
    for (size_t i = 0; i < list->count && used < sizeof names; i++)
        if (contains_name(list->entries[i].name, part))
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%zu %s",
                                     used > 0 ? ", " : "", i, list->entries[i].name);
    return cli_fail(error, "%s: %s", why, names);
}

static bool is_number(const char *text) {
    return text[strspn(text, "0123456789")] == '\0';
}

int device_list_find(const device_list *list, const char *text, size_t *index, cli_error *error) {
    int status = CLI_DONE;
    if (is_number(text)) {
        unsigned long long number = strtoull(text, NULL, 10);
        *index = (size_t)number;
        if (number >= list->count)
            status = fail_list(list, "there is no device of this number; there are", "", error);
    } else {
        size_t matches = 0;
        for (size_t i = list->count; i-- > 0;)
            if (contains_name(list->entries[i].name, text)) {
                *index = i;
                matches++;
            }
        if (matches == 0)
            status = fail_list(list, "no device has this in its name; there are", "", error);
        if (matches > 1)
            status = fail_list(list, "several devices have this in their names", text, error);
    }
    if (status == CLI_DONE)
        return CLI_DONE;
    cli_error_prefix(error, text, status);
    return cli_error_prefix(error, "--device", status);
}

/* ---- Opening ------------------------------------------------------------------------------- */

/* Only where the user named the folder: what keeps the default one from being used is no news. */
static void print_log(void *user, tally_log_level level, const char *text) {
    (void)user;
    (void)level;
    fprintf(stderr, "tally: %s", text);
}

/* The config's cache; path has room for the user's. */
static void choose_cache(const device_request *request, char path[PATH_BYTES],
                         tally_config *config) {
    if (request->cache_dir != NULL)
        config->log = print_log;
    if (!request->no_cache)
        config->cache_dir = request->cache_dir != NULL ? request->cache_dir
                            : tally_default_cache_dir(path, PATH_BYTES, NULL) == TALLY_OK ? path
                                                                                          : NULL;
}

int device_runtime(const device *opened, const device_request *request, tally_runtime **runtime,
                   cli_error *error) {
    tally_config config = TALLY_CONFIG_INIT;
    tally_overrides overrides = TALLY_OVERRIDES_INIT;
    tally_error refusal;
    char cache_dir[PATH_BYTES];
    config.context = opened->context;
    config.device = opened->id;
    overrides.family = request->family;
    overrides.single_pass = request->single_pass;
    config.overrides = &overrides;
    choose_cache(request, cache_dir, &config);
    if (tally_runtime_create(&config, runtime, &refusal) != TALLY_OK)
        return cli_fail(error, "%s", refusal.message);
    return CLI_DONE;
}

/*
 * Fill in what hangs on the device's id; the caller closes what was made, if it fails. The analyser
 * can't see that a list is not empty once it was loaded: cli_fail never returns CLI_DONE.
 */
/* NOLINTBEGIN(clang-analyzer-core.NullDereference,clang-analyzer-core.uninitialized.Assign) */
static int open_parts(const device_entry *entry, const device_request *request, device *opened,
                      cli_error *error) {
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                                (cl_context_properties)entry->platform, 0};
    cl_int code;
    opened->id = entry->id;
    opened->context = clCreateContext(properties, 1, &entry->id, NULL, NULL, &code);
    if (opened->context == NULL)
        return cli_fail_cl(error, "clCreateContext", code);
    opened->queue = clCreateCommandQueue(opened->context, opened->id,
                                         request->timed ? CL_QUEUE_PROFILING_ENABLE : 0, &code);
    if (opened->queue == NULL)
        return cli_fail_cl(error, "clCreateCommandQueue", code);
    opened->opened = tally_clock();
    return device_runtime(opened, request, &opened->runtime, error);
}
/* NOLINTEND(clang-analyzer-core.NullDereference,clang-analyzer-core.uninitialized.Assign) */

int device_open(const device_entry *entry, const device_request *request, device *opened,
                cli_error *error) {
    memset(opened, 0, sizeof *opened);
    int status = open_parts(entry, request, opened, error);
    if (status != CLI_DONE)
        device_close(opened);
    return status;
}

void device_close(device *opened) {
    if (opened->queue != NULL)
        clReleaseCommandQueue(opened->queue);
    tally_runtime_release(opened->runtime);
    if (opened->context != NULL)
        clReleaseContext(opened->context);
    memset(opened, 0, sizeof *opened);
}

/* The entries of one type, until one opens. CLI_FAILED: none did, and error says why the last not.
 */
static int open_first(const device_list *list, cl_device_type type, const device_request *request,
                      device *opened, cli_error *error) {
    int status = CLI_FAILED;
    for (size_t i = 0; i < list->count && status != CLI_DONE; i++) {
        if ((list->entries[i].type & type) == 0)
            continue;
        status = device_open(&list->entries[i], request, opened, error);
        if (status != CLI_DONE)
            cli_error_prefix(error, list->entries[i].name, status);
    }
    return status;
}

int device_choose(const device_request *request, device *opened, cli_error *error) {
    static const cl_device_type order[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ACCELERATOR,
                                           CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_ALL};
    device_list list;
    size_t index = 0;
    int status = device_list_load(&list, error);
    if (status != CLI_DONE)
        return status;
    if (request->text != NULL) {
        status = device_list_find(&list, request->text, &index, error);
        if (status == CLI_DONE)
            status = device_open(&list.entries[index], request, opened, error);
    } else {
        status = CLI_FAILED;
        for (size_t i = 0; i < sizeof order / sizeof order[0] && status != CLI_DONE; i++)
            status = open_first(&list, order[i], request, opened, error);
    }
    device_list_free(&list);
    return status;
}
