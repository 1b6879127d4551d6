/*
 * Recording an operator into a command buffer, and whether that can be done.
 */
#include "api/operator.h"
#include "base/struct.h"
#include "device/record.h"

tally_status tally_runtime_recording(tally_runtime *runtime, tally_recording *recording,
                                     tally_error *error) {
    tally_recording known = TALLY_RECORDING_INIT;
    tally_status status = tally_check_question(runtime, recording, "tally_recording", error);
    if (status == TALLY_OK)
        status = tally_commands_ask(&runtime->commands, &runtime->device, error);
    if (status != TALLY_OK)
        return status;
    known.supported = runtime->commands.supported;
    known.version = runtime->commands.version;
    known.reason = runtime->commands.reason;
    tally_struct_give(&known, sizeof known, recording);
    return TALLY_OK;
}

/* Refuse to record where the device has nothing to record into. */
static tally_status check_supported(tally_runtime *runtime, tally_error *error) {
    tally_status status = tally_commands_ask(&runtime->commands, &runtime->device, error);
    if (status == TALLY_OK && !runtime->commands.supported)
        return tally_fail(error, TALLY_UNSUPPORTED, "%s", runtime->commands.reason);
    return status;
}

tally_status tally_op_record(tally_op *op, cl_command_buffer_khr commands, cl_command_queue queue,
                             const tally_binding *binding, uint32_t wait_count,
                             const cl_sync_point_khr *wait_list, cl_sync_point_khr *sync_point,
                             tally_error *error) {
    const tally_points behind = {wait_count, wait_list};
    tally_recorder recorder;
    tally_launch launch = {.queue = queue};
    tally_error_clear(error);
    if (op == NULL)
        return tally_fail(error, TALLY_INVALID, "the operator is NULL");
    tally_status status = check_supported(op->runtime, error);
    if (status == TALLY_OK)
        status = tally_check_queue(op, queue, error);
    if (status == TALLY_OK)
        status = tally_recorder_open(&op->runtime->commands, &op->runtime->device.allocator,
                                     commands, queue, &recorder, error);
    if (status == TALLY_OK)
        status = tally_check_waits(wait_count, wait_list, error);
    if (status == TALLY_OK)
        status = tally_binding_check(op, binding, &launch, error);
    if (status != TALLY_OK)
        return status;
    tally_lock_acquire(&op->lock);
    status = tally_record_plan(&op->executable, &launch, &recorder, &behind, sync_point, error);
    tally_lock_release(&op->lock);
    return status;
}
