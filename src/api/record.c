/*
 * Recording an operator into a command buffer, giving what was recorded other memory, and whether
 * that can be done.
 */
#include "api/operator.h"
#include "base/struct.h"
#include "device/record/record.h"

struct tally_recorded {
    tally_op *op;
    tally_recorder recorder;
    tally_recorded_plan plan;
};

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
    known.updatable = runtime->commands.updatable;
    known.update_version = runtime->commands.update_version;
    known.update_reason = runtime->commands.update_reason;
    tally_struct_give(&known, sizeof known, recording);
    return TALLY_OK;
}

/* ---- Recording ----------------------------------------------------------------------------- */

/* Refuse to record where the device has nothing to record into, or nothing that can be changed. */
static tally_status check_supported(tally_runtime *runtime, bool updatable, tally_error *error) {
    const tally_commands *known = &runtime->commands;
    tally_status status = tally_commands_ask(&runtime->commands, &runtime->device, error);
    if (status != TALLY_OK)
        return status;
    if (!known->supported || (updatable && !known->updatable))
        return tally_fail(error, TALLY_UNSUPPORTED, "%s",
                          !known->supported ? known->reason : known->update_reason);
    return TALLY_OK;
}

/* What both ways to record are given. */
typedef struct request {
    cl_command_buffer_khr commands;
    const tally_binding *binding;
    tally_points behind;
} request;

/* Check, and record for the launch's queue; with a place for what is made, to be updated later. */
static tally_status record(tally_op *op, const request *what, tally_launch *launch,
                           cl_sync_point_khr *sync_point, tally_recorded *made,
                           tally_error *error) {
    tally_recorder recorder;
    if (op == NULL)
        return tally_fail(error, TALLY_INVALID, "the operator is NULL");
    tally_status status = check_supported(op->runtime, made != NULL, error);
    if (status == TALLY_OK)
        status = tally_check_queue(op, launch->queue, error);
    if (status == TALLY_OK)
        status = tally_recorder_open(&op->runtime->commands, &op->runtime->device.allocator,
                                     what->commands, launch->queue, &recorder, error);
    if (status == TALLY_OK && made != NULL)
        status = tally_recorder_check_updatable(&recorder, error);
    if (status == TALLY_OK)
        status = tally_check_waits(what->behind.count, what->behind.list, error);
    if (status == TALLY_OK)
        status = tally_binding_check(op, what->binding, NULL, launch, error);
    if (status != TALLY_OK)
        return status;
    tally_lock_acquire(&op->lock);
    status = tally_record_plan(&op->executable, launch, &recorder, &what->behind, sync_point,
                               made != NULL ? &made->plan : NULL, error);
    tally_lock_release(&op->lock);
    if (made != NULL)
        made->recorder = recorder;
    return status;
}

tally_status tally_op_record(tally_op *op, cl_command_buffer_khr commands, cl_command_queue queue,
                             const tally_binding *binding, uint32_t wait_count,
                             const cl_sync_point_khr *wait_list, cl_sync_point_khr *sync_point,
                             tally_error *error) {
    const request what = {commands, binding, {wait_count, wait_list}};
    tally_launch launch = {.queue = queue};
    tally_error_clear(error);
    return record(op, &what, &launch, sync_point, NULL, error);
}

tally_status tally_op_record_updatable(tally_op *op, cl_command_buffer_khr commands,
                                       cl_command_queue queue, const tally_binding *binding,
                                       uint32_t wait_count, const cl_sync_point_khr *wait_list,
                                       cl_sync_point_khr *sync_point, tally_recorded **recorded,
                                       tally_error *error) {
    const request what = {commands, binding, {wait_count, wait_list}};
    tally_launch launch = {.queue = queue};
    tally_error_clear(error);
    if (recorded == NULL)
        return tally_fail(error, TALLY_INVALID, "the place for what is recorded is NULL");
    *recorded = NULL;
    if (op == NULL)
        return tally_fail(error, TALLY_INVALID, "the operator is NULL");
    const tally_allocator *allocator = &op->runtime->device.allocator;
    tally_recorded *made = tally_host_take_zeros(allocator, 1, sizeof *made);
    if (made == NULL)
        return tally_fail_memory(error, "a recording");
    tally_status status = record(op, &what, &launch, sync_point, made, error);
    if (status != TALLY_OK) {
        tally_host_give(allocator, made);
        return status;
    }
    tally_op_retain(op);
    made->op = op;
    *recorded = made;
    return TALLY_OK;
}

void tally_recorded_release(tally_recorded *recorded) {
    if (recorded == NULL)
        return;
    tally_op *op = recorded->op;
    tally_host_give(&op->runtime->device.allocator, recorded);
    tally_op_release(op);
}

/* ---- Updates ------------------------------------------------------------------------------- */

/* Refuse an entry that is NULL, of another command buffer than the first, or there before. */
static tally_status check_entry(tally_recorded *const *recorded, size_t i, tally_error *error) {
    if (recorded[i] == NULL)
        return tally_fail(error, TALLY_INVALID, "what was recorded is NULL");
    if (recorded[i]->recorder.commands != recorded[0]->recorder.commands)
        return tally_fail(error, TALLY_INVALID,
                          "it was recorded into another command buffer than the first one");
    for (size_t k = 0; k < i; k++)
        if (recorded[k] == recorded[i])
            return tally_fail(error, TALLY_INVALID, "it is recording %zu once more", k + 1);
    return TALLY_OK;
}

/* Check a binding, and add the changes that it means. */
static tally_status add_binding(const tally_recorded *recorded, const tally_binding *binding,
                                tally_update *update, tally_error *error) {
    tally_launch launch = {.queue = NULL};
    tally_status status = tally_binding_check(recorded->op, binding, NULL, &launch, error);
    if (status == TALLY_OK)
        status =
            tally_record_change(&recorded->op->executable, &launch, &recorded->plan, update, error);
    return status;
}

/* Say which one of several a refusal is about. */
static tally_status refuse_one(const tally_error *refusal, size_t i, size_t count,
                               tally_error *error) {
    if (count == 1)
        return tally_fail_cl(error, refusal->status, refusal->cl_code, "%s", refusal->message);
    return tally_fail_cl(error, refusal->status, refusal->cl_code, "recording %zu of %zu: %s",
                         i + 1, count, refusal->message);
}

/* Check all and send them; whatever is refused, nothing is changed. */
static tally_status update_all(tally_recorded *const *recorded, const tally_binding *bindings,
                               size_t count, tally_update *update, tally_error *error) {
    const tally_recorder *first = &recorded[0]->recorder;
    tally_error refusal;
    tally_status status = TALLY_OK;
    for (size_t i = 0; i < count && status == TALLY_OK; i++) {
        status = add_binding(recorded[i], bindings != NULL ? &bindings[i] : NULL, update, &refusal);
        if (status != TALLY_OK)
            refuse_one(&refusal, i, count, error);
    }
    return status == TALLY_OK ? tally_update_send(update, first->by, first->commands, error)
                              : status;
}

tally_status tally_recorded_update(tally_recorded *const *recorded, const tally_binding *bindings,
                                   size_t count, tally_error *error) {
    size_t commands = 0;
    tally_update update;
    tally_error refusal;
    tally_error_clear(error);
    if (count == 0)
        return TALLY_OK;
    if (recorded == NULL)
        return tally_fail(error, TALLY_INVALID, "the list of recordings is NULL, but has %zu",
                          count);
    for (size_t i = 0; i < count; i++) {
        if (check_entry(recorded, i, &refusal) != TALLY_OK)
            return refuse_one(&refusal, i, count, error);
        commands += recorded[i]->plan.count;
    }
    const tally_recorder *first = &recorded[0]->recorder;
    tally_status status = tally_recorder_check_update(first, error);
    if (status != TALLY_OK)
        return status;
    status = tally_update_open(&update, first->allocator, commands, error);
    if (status == TALLY_OK)
        status = update_all(recorded, bindings, count, &update, error);
    tally_update_close(&update);
    return status;
}
