/*
 * Questions to a command buffer, and recording commands in the form of the device's version.
 */
#include "device/record/recorder.h"

#include <string.h>

#include "base/host_memory.h"
#include "device/clerror.h"

/* Numbers of OpenCL's, which the includer's header may lack. */
#define COMMAND_BUFFER_FLAGS 0x1293
#define COMMAND_BUFFER_QUEUES 0x1294
#define COMMAND_BUFFER_NUM_QUEUES 0x1295
#define COMMAND_BUFFER_STATE 0x1297
#define COMMAND_BUFFER_PROPERTIES 0x1298
#define UPDATABLE_FIELDS 0x12B1
#define STATE_RECORDING 0
#define STATE_PENDING 2 /* up to 0.9.7 */
#define IS_SIMULTANEOUS 1u
#define IS_UPDATABLE 2u

/* ---- Questions ----------------------------------------------------------------------------- */

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

/*
 * Whether commands of the command buffer can be changed, and whether it may have several replays at
 * a time. Its properties are pairs of a name and a value, with a 0 behind them; without any there
 * may be none, and no 0.
 */
static tally_status query_flags(tally_recorder *recorder, tally_error *error) {
    size_t bytes = 0;
    cl_ulong flags = 0;
    cl_int code =
        recorder->by->info(recorder->commands, COMMAND_BUFFER_PROPERTIES, 0, NULL, &bytes);
    cl_ulong *list = code == CL_SUCCESS
                         ? tally_host_take_zeros(recorder->allocator, 1, bytes + 2 * sizeof *list)
                         : NULL;
    if (code == CL_SUCCESS && list == NULL)
        return tally_fail_memory(error, "a command buffer's properties");
    if (code == CL_SUCCESS && bytes > 0)
        code = recorder->by->info(recorder->commands, COMMAND_BUFFER_PROPERTIES, bytes, list, NULL);
    if (code == CL_SUCCESS)
        for (const cl_ulong *at = list; *at != 0; at += 2)
            flags |= *at == COMMAND_BUFFER_FLAGS ? at[1] : 0;
    tally_host_give(recorder->allocator, list);
    recorder->updatable = (flags & IS_UPDATABLE) != 0;
    recorder->simultaneous = (flags & IS_SIMULTANEOUS) != 0;
    return tally_cl_check(code, "clGetCommandBufferInfoKHR", error);
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

tally_status tally_recorder_check_updatable(tally_recorder *recorder, tally_error *error) {
    tally_status status = query_flags(recorder, error);
    if (status == TALLY_OK && !recorder->updatable)
        return tally_fail(
            error, TALLY_INVALID,
            "the command buffer was not created with CL_COMMAND_BUFFER_MUTABLE_KHR, so "
            "what it has can't be changed");
    return status;
}

tally_status tally_recorder_check_update(const tally_recorder *recorder, tally_error *error) {
    cl_uint state = STATE_RECORDING;
    tally_status status = query(recorder, COMMAND_BUFFER_STATE, &state, sizeof state, error);
    if (status == TALLY_OK && state == STATE_RECORDING)
        return tally_fail(
            error, TALLY_INVALID,
            "the command buffer is in state %u, but what it has can be changed when it "
            "is finalized and no earlier",
            (unsigned)state);
    if (status == TALLY_OK && state == STATE_PENDING && !recorder->simultaneous)
        return tally_fail(
            error, TALLY_INVALID,
            "the command buffer is in state %u: a replay has not ended, so what it has "
            "can't be changed yet",
            (unsigned)state);
    return status;
}

/* ---- Commands ------------------------------------------------------------------------------ */

tally_status tally_recorder_kernel(const tally_recorder *recorder, cl_kernel kernel, size_t global,
                                   size_t local, const tally_points *behind,
                                   cl_sync_point_khr *done, void **handle, tally_error *error) {
    static const cl_ulong updates[] = {UPDATABLE_FIELDS, TALLY_UPDATES_ARGUMENTS, 0};
    return tally_cl_check(recorder->by->kernel(recorder->commands, recorder->queue,
                                               handle != NULL ? updates : NULL, kernel, 1, NULL,
                                               &global, &local, behind->count, behind->list, done,
                                               (void *)handle),
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
