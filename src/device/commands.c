/*
 * The extension's versions, its functions, and what drivers make of it.
 */
#include "device/commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/host_memory.h"
#include "device/clerror.h"
#include "device/query.h"

#define EXTENSION "cl_khr_command_buffer"

/* Numbers of OpenCL's, which the includer's header may lack. */
#define EXTENSIONS_WITH_VERSION 0x1060
#define COMMAND_BUFFER_QUEUES 0x1294
#define COMMAND_BUFFER_NUM_QUEUES 0x1295
#define COMMAND_BUFFER_STATE 0x1297
#define STATE_RECORDING 0

/* A name with its version, as OpenCL 3.0 lists extensions. */
typedef struct named_version {
    cl_uint version;
    char name[64];
} named_version;

#define VERSION(major, minor, patch) ((uint32_t)(major) << 22 | (minor) << 12 | (patch))

/*
 * The versions whose calls are known. While the extension is provisional the next one may take its
 * arguments in another order, so it is refused rather than called in the old way.
 */
static const struct {
    uint32_t first, last;
    bool has_properties;
} versions[] = {
    {VERSION(0, 9, 0), VERSION(0, 9, 4), false},
    {VERSION(0, 9, 5), VERSION(0, 9, 8), true},
};
#define VERSIONS (sizeof versions / sizeof versions[0])

/*
 * PoCL 3 answers the question for a command buffer's queues by the address of its list. Of other
 * versions an answer must not be read as one: what is there is a queue's own memory.
 */
#define VERSION_BY_ADDRESS " PoCL 3."

bool tally_commands_init(tally_commands *commands) {
    *commands = (tally_commands){.known = false};
    return tally_lock_init(&commands->lock);
}

void tally_commands_free(tally_commands *commands) {
    tally_lock_destroy(&commands->lock);
}

/* ---- The version --------------------------------------------------------------------------- */

/* What a device has of the extension: listed with its version, or by its name alone. */
static tally_status query_version(const tally_device *device, bool *listed, uint32_t *version,
                                  tally_error *error) {
    const tally_allocator *from = &device->allocator;
    size_t bytes = 0;
    cl_int code = clGetDeviceInfo(device->id, EXTENSIONS_WITH_VERSION, 0, NULL, &bytes);
    *version = 0;
    if (code == CL_INVALID_VALUE) /* before OpenCL 3.0 there is no such question */
        return tally_query_extension(device->id, from, EXTENSION, listed, error);
    *listed = false;
    named_version *list =
        code == CL_SUCCESS ? tally_host_take_zeros(from, 1, bytes + sizeof *list) : NULL;
    if (code == CL_SUCCESS && list == NULL)
        return tally_fail_memory(error, "a list of extensions");
    if (code == CL_SUCCESS)
        code = clGetDeviceInfo(device->id, EXTENSIONS_WITH_VERSION, bytes, list, NULL);
    for (size_t i = 0; code == CL_SUCCESS && i < bytes / sizeof *list; i++)
        if (strncmp(list[i].name, EXTENSION, sizeof list[i].name) == 0) {
            *listed = true;
            *version = list[i].version;
        }
    tally_host_give(from, list);
    return tally_cl_check(code, "clGetDeviceInfo(CL_DEVICE_EXTENSIONS_WITH_VERSION)", error);
}

/* The row of a version; VERSIONS if none has it. */
static size_t find_row(uint32_t version) {
    size_t row = 0;
    while (row < VERSIONS && (version < versions[row].first || version > versions[row].last))
        row++;
    return row;
}

/* Say why a device with this version can't be recorded for. */
static void refuse_version(tally_commands *commands, bool listed, uint32_t version) {
    const uint32_t last = versions[VERSIONS - 1].last;
    if (!listed)
        snprintf(commands->reason, sizeof commands->reason,
                 "the device has no command buffers: its extensions do not have " EXTENSION);
    else if (version == 0)
        snprintf(commands->reason, sizeof commands->reason,
                 "the device has " EXTENSION " but does not say of which version");
    else
        snprintf(commands->reason, sizeof commands->reason,
                 "the device has version %" PRIu32 ".%" PRIu32 ".%" PRIu32 " of " EXTENSION
                 ", but this version of Tally knows 0.9.0 to %" PRIu32 ".%" PRIu32 ".%" PRIu32,
                 version >> 22, version >> 12 & 0x3FF, version & 0xFFF, last >> 22,
                 last >> 12 & 0x3FF, last & 0xFFF);
}

/* ---- The functions ------------------------------------------------------------------------- */

/* Find functions of the platform's; the name of the first one that is not there, or NULL. */
static const char *find_functions(tally_commands *commands, cl_platform_id platform,
                                  bool has_properties) {
    const struct {
        const char *name;
        void *function; /* a pointer to one */
    } wanted[] = {
        {"clGetCommandBufferInfoKHR", &commands->info},
        {"clCommandNDRangeKernelKHR", &commands->kernel},
        {"clCommandFillBufferKHR",
         has_properties ? (void *)&commands->fill_5 : (void *)&commands->fill_4},
        {"clCommandBarrierWithWaitListKHR",
         has_properties ? (void *)&commands->barrier_5 : (void *)&commands->barrier_4},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        void *const none = NULL;
        tally_query_function(platform, wanted[i].name, wanted[i].function);
        if (memcmp(wanted[i].function, &none, sizeof none) == 0)
            return wanted[i].name;
    }
    return NULL;
}

static tally_status query_platform(const tally_device *device, cl_platform_id *platform,
                                   bool *by_address, tally_error *error) {
    char version[256] = "";
    tally_status status = tally_query_platform(device->id, platform, CL_PLATFORM_VERSION, version,
                                               sizeof version, error);
    *by_address = strstr(version, VERSION_BY_ADDRESS) != NULL;
    return status;
}

static tally_status find(tally_commands *commands, const tally_device *device, tally_error *error) {
    cl_platform_id platform = NULL;
    bool listed = false;
    tally_status status = query_version(device, &listed, &commands->version, error);
    if (status != TALLY_OK)
        return status;
    const size_t row = find_row(commands->version);
    if (row == VERSIONS) {
        refuse_version(commands, listed, commands->version);
        return TALLY_OK;
    }
    status = query_platform(device, &platform, &commands->by_address, error);
    if (status != TALLY_OK)
        return status;
    const char *missing = find_functions(commands, platform, versions[row].has_properties);
    if (missing != NULL)
        snprintf(commands->reason, sizeof commands->reason,
                 "the device has " EXTENSION ", but its platform has no %s", missing);
    commands->supported = missing == NULL;
    return TALLY_OK;
}

tally_status tally_commands_ask(tally_commands *commands, const tally_device *device,
                                tally_error *error) {
    tally_lock_acquire(&commands->lock);
    tally_status status = commands->known ? TALLY_OK : find(commands, device, error);
    commands->known = status == TALLY_OK;
    tally_lock_release(&commands->lock);
    return status;
}

/* ---- A command buffer ---------------------------------------------------------------------- */

static tally_status query(const tally_recorder *recorder, cl_uint what, void *value, size_t bytes,
                          tally_error *error) {
    return tally_cl_check(recorder->by->info(recorder->commands, what, bytes, value, NULL),
                          "clGetCommandBufferInfoKHR", error);
}

/* Whether the recorder's queue is one of the command buffer's, of which there are so many. */
static tally_status find_queue(const tally_recorder *recorder, cl_uint count, bool *found,
                               tally_error *error) {
    cl_command_queue *list =
        tally_host_take_zeros(recorder->allocator, count > 0 ? count : 1, sizeof(cl_command_queue));
    if (list == NULL)
        return tally_fail_memory(error, "a command buffer's queues");
    tally_status status =
        query(recorder, COMMAND_BUFFER_QUEUES, (void *)list, count * sizeof *list, error);
    *found = false;
    for (cl_uint i = 0; status == TALLY_OK && i < count; i++)
        *found = *found || list[i] == recorder->queue;
    if (status == TALLY_OK && count > 0 && !*found && recorder->by->by_address && list[0] != NULL)
        for (cl_uint i = 0; i < count; i++)
            *found =
                *found || ((const cl_command_queue *)(const void *)list[0])[i] == recorder->queue;
    tally_host_give(recorder->allocator, (void *)list);
    return status;
}

tally_status tally_recorder_open(const tally_commands *by, const tally_allocator *allocator,
                                 cl_command_buffer_khr commands, cl_command_queue queue,
                                 tally_recorder *recorder, tally_error *error) {
    cl_uint state = STATE_RECORDING, count = 0;
    bool found = false;
    *recorder =
        (tally_recorder){.by = by, .allocator = allocator, .commands = commands, .queue = queue};
    if (commands == NULL)
        return tally_fail(error, TALLY_INVALID, "the command buffer is NULL");
    tally_status status = query(recorder, COMMAND_BUFFER_STATE, &state, sizeof state, error);
    if (status == TALLY_OK && state != STATE_RECORDING)
        return tally_fail(error, TALLY_INVALID,
                          "the command buffer is in state %u, but it is recorded into in state %u "
                          "alone, until it is finalized",
                          (unsigned)state, STATE_RECORDING);
    if (status == TALLY_OK)
        status = query(recorder, COMMAND_BUFFER_NUM_QUEUES, &count, sizeof count, error);
    if (status == TALLY_OK)
        status = find_queue(recorder, count, &found, error);
    if (status == TALLY_OK && !found)
        return tally_fail(error, TALLY_INVALID,
                          "the queue is none of the %u that the command buffer was created with",
                          (unsigned)count);
    if (count == 1)
        recorder->queue = NULL;
    return status;
}

/* ---- Commands ------------------------------------------------------------------------------ */

tally_status tally_recorder_kernel(const tally_recorder *recorder, cl_kernel kernel, size_t global,
                                   size_t local, const tally_points *behind,
                                   cl_sync_point_khr *done, tally_error *error) {
    return tally_cl_check(recorder->by->kernel(recorder->commands, recorder->queue, NULL, kernel, 1,
                                               NULL, &global, &local, behind->count, behind->list,
                                               done, NULL),
                          "clCommandNDRangeKernelKHR", error);
}

tally_status tally_recorder_zeros(const tally_recorder *recorder, cl_mem buffer, size_t bytes,
                                  const tally_points *behind, cl_sync_point_khr *done,
                                  tally_error *error) {
    const tally_commands *by = recorder->by;
    const cl_uint zero = 0;
    cl_int code = by->fill_5 != NULL
                      ? by->fill_5(recorder->commands, recorder->queue, NULL, buffer, &zero,
                                   sizeof zero, 0, bytes, behind->count, behind->list, done, NULL)
                      : by->fill_4(recorder->commands, recorder->queue, buffer, &zero, sizeof zero,
                                   0, bytes, behind->count, behind->list, done, NULL);
    return tally_cl_check(code, "clCommandFillBufferKHR", error);
}

tally_status tally_recorder_barrier(const tally_recorder *recorder, const tally_points *behind,
                                    cl_sync_point_khr *done, tally_error *error) {
    const tally_commands *by = recorder->by;
    cl_int code = by->barrier_5 != NULL ? by->barrier_5(recorder->commands, recorder->queue, NULL,
                                                        behind->count, behind->list, done, NULL)
                                        : by->barrier_4(recorder->commands, recorder->queue,
                                                        behind->count, behind->list, done, NULL);
    return tally_cl_check(code, "clCommandBarrierWithWaitListKHR", error);
}
