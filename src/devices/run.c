/*
 * A run on all devices. One thread drives them: an enqueue returns at once, the queues are flushed,
 * and what the thread then waits for, the states of one device, is what the others need before they
 * can go on. A thread of its own for each device would begin some microseconds earlier, of runs
 * that take milliseconds; and OpenCL's callbacks may not enqueue.
 */
#include <string.h>

#include "devices/op.h"

typedef struct run {
    tally_devices_op *op;
    const tally_binding *bindings;
    cl_event sent[TALLY_DEVICES_MAX]; /* a device's states are in the memory of the host */
    cl_event done[TALLY_DEVICES_MAX]; /* the last that a device does */
    tally_status status;              /* the first failure's; nothing is enqueued after it */
    tally_error *error;
} run;

/* Keep the first failure, with the number of its device. */
static void note(run *of, uint32_t device, tally_status status, const tally_error *why) {
    if (status == TALLY_OK || of->status != TALLY_OK)
        return;
    of->status = status;
    if (of->error != NULL)
        *of->error = *why;
    tally_devices_prefix(of->op->devices, device, status, of->error);
}

static void note_cl(run *of, uint32_t device, cl_int code, const char *call) {
    tally_error why;
    if (code != CL_SUCCESS)
        note(of, device, tally_cl_check(code, call, &why), &why);
}

static tally_view view_of(cl_mem buffer) {
    tally_view view = TALLY_VIEW_INIT;
    view.buffer = buffer;
    return view;
}

/* ---- Enqueueing ----------------------------------------------------------------------------- */

static void set_done(run *of, uint32_t device, cl_event event) {
    if (of->done[device] != NULL)
        clReleaseEvent(of->done[device]);
    of->done[device] = event;
}

/* Enqueue an operator on its device, with a carry unless that is NULL. */
static void enqueue(run *of, uint32_t device, tally_op *op, tally_view input, tally_view output,
                    cl_mem carry) {
    const tally_devices_entry *entry = &of->op->devices->entry[device];
    tally_part_binding binding = TALLY_PART_BINDING_INIT;
    cl_event event = NULL;
    tally_error why;
    if (of->status != TALLY_OK)
        return;
    binding.binding.input = input;
    binding.binding.output = output;
    binding.carry.buffer = carry;
    tally_status status =
        tally_scratch_view(of->op->work[device].scratch, op, &binding.binding.scratch, &why);
    if (status == TALLY_OK && carry != NULL)
        status = tally_part_enqueue(op, entry->queue, &binding, 0, NULL, &event, &why);
    else if (status == TALLY_OK)
        status = tally_op_enqueue(op, entry->queue, &binding.binding, 0, NULL, &event, &why);
    note(of, device, status, &why);
    set_done(of, device, event);
}

/* Begin to hand a device what is for it in the memory of the host. */
static void receive(run *of, uint32_t device) {
    const tally_devices_work *work = &of->op->work[device];
    if (of->status != TALLY_OK || work->received_bytes == 0)
        return;
    note_cl(of, device,
            clEnqueueWriteBuffer(of->op->devices->entry[device].queue, work->received, CL_FALSE,
                                 (size_t)work->own_bytes, (size_t)work->received_bytes,
                                 work->in.bytes, 0, NULL, NULL),
            "clEnqueueWriteBuffer");
}

static void flush(run *of, uint32_t device) {
    if (of->status == TALLY_OK)
        note_cl(of, device, clFlush(of->op->devices->entry[device].queue), "clFlush");
}

/* ---- Waiting -------------------------------------------------------------------------------- */

/* Whether the command of an event that has ended ran. */
static void check_event(run *of, uint32_t device, cl_event event) {
    cl_int result = CL_COMPLETE;
    cl_int code =
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof result, &result, NULL);
    note_cl(of, device, code, "clGetEventInfo");
    if (result < 0)
        note_cl(of, device, result, "the run");
}

/* Wait until a device's states are in the memory of the host. */
static void wait_sent(run *of, uint32_t device) {
    if (of->status != TALLY_OK || of->sent[device] == NULL)
        return;
    const cl_int code = clWaitForEvents(1, &of->sent[device]);
    if (code == CL_SUCCESS || code == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
        check_event(of, device, of->sent[device]); /* which knows what went wrong */
    note_cl(of, device, code, "clWaitForEvents");
}

/* Wait for all devices, also if one failed: then nobody writes to the caller's memory any more. */
static void finish(run *of) {
    for (uint32_t i = 0; i < of->op->devices->entries; i++) {
        if (of->sent[i] == NULL && of->done[i] == NULL && of->status == TALLY_OK)
            continue;
        note_cl(of, i, clFinish(of->op->devices->entry[i].queue), "clFinish");
        if (of->done[i] != NULL)
            check_event(of, i, of->done[i]);
        set_done(of, i, NULL);
        if (of->sent[i] != NULL)
            clReleaseEvent(of->sent[i]);
    }
}

/* ---- The three kinds of cuts ---------------------------------------------------------------- */

static void run_results(run *of) {
    for (uint32_t n = 0; n < of->op->parts; n++) {
        const uint32_t device = of->op->order[n];
        const tally_binding *binding = &of->bindings[device];
        enqueue(of, device, of->op->work[device].part, binding->input, binding->output, NULL);
        flush(of, device);
    }
}

/*
 * Begin with the n-th part's states. It is flushed later: drivers that begin at once then begin on
 * all devices before one of them gets its next command.
 */
static void start(run *of, uint32_t n) {
    const uint32_t device = of->op->order[n];
    const tally_devices_work *work = &of->op->work[device];
    if (work->part != NULL)
        enqueue(of, device, work->part, of->bindings[device].input,
                view_of(work->states != NULL ? work->states : work->received), NULL);
}

/* Begin to send the n-th part's states to the host. Of a failed call no event is believed. */
static void send(run *of, uint32_t n) {
    const uint32_t device = of->op->order[n];
    const tally_devices_work *work = &of->op->work[device];
    cl_event event = NULL;
    if (of->status == TALLY_OK && work->sent_bytes > 0) {
        const cl_int code =
            clEnqueueReadBuffer(of->op->devices->entry[device].queue, work->states, CL_FALSE, 0,
                                (size_t)work->sent_bytes, work->out.bytes, 0, NULL, &event);
        of->sent[device] = code == CL_SUCCESS ? event : NULL;
        note_cl(of, device, code, "clEnqueueReadBuffer");
    }
    flush(of, device);
}

/* The first device comes last: its states stay there, those of the others have a way to go. */
static void run_states(run *of) {
    tally_devices_work *first = &of->op->work[0];
    uint64_t at = 0;
    for (uint32_t n = of->op->parts; n-- > 0;)
        start(of, n);
    for (uint32_t n = of->op->parts; n-- > 0;)
        send(of, n);
    for (uint32_t n = 0; n < of->op->parts; n++) {
        const tally_devices_work *work = &of->op->work[of->op->order[n]];
        wait_sent(of, of->op->order[n]);
        if (of->status == TALLY_OK && work->sent_bytes > 0)
            memcpy(first->in.bytes + at, work->out.bytes, (size_t)work->sent_bytes);
        at += work->sent_bytes;
    }
    receive(of, 0);
    enqueue(of, 0, first->combine, view_of(first->received), of->bindings[0].output, NULL);
}

/* A part's scan, behind the combining of its carry from all states before it. */
static void scan(run *of, uint32_t n) {
    const uint32_t device = of->op->order[n];
    const tally_devices_work *work = &of->op->work[device];
    uint64_t at = 0;
    for (uint32_t k = 0; k < n && work->combine != NULL && of->status == TALLY_OK; k++) {
        const tally_devices_work *before = &of->op->work[of->op->order[k]];
        memcpy(work->in.bytes + at, before->out.bytes, (size_t)before->sent_bytes);
        at += before->sent_bytes;
    }
    if (work->combine != NULL) {
        receive(of, device);
        enqueue(of, device, work->combine, view_of(work->received), view_of(work->carry), NULL);
    }
    enqueue(of, device, work->scan, of->bindings[device].input, of->bindings[device].output,
            work->carry);
    flush(of, device);
}

/*
 * The totals of all parts at the same time, but those of the last one. The first part's scan is
 * enqueued behind its totals. The other scans wait for the totals, which come at about the same
 * time, as parts are as large as devices are fast; the one with the most states to combine is
 * first.
 */
static void run_totals(run *of) {
    for (uint32_t n = 0; n < of->op->parts; n++)
        start(of, n);
    for (uint32_t n = 0; n < of->op->parts; n++)
        send(of, n);
    if (of->op->parts > 0)
        scan(of, 0);
    for (uint32_t n = 0; n + 1 < of->op->parts; n++)
        wait_sent(of, of->op->order[n]);
    for (uint32_t n = of->op->parts; n-- > 1;)
        scan(of, n);
}

tally_status tally_devices_op_run(tally_devices_op *op, const tally_binding *bindings,
                                  tally_error *error) {
    tally_error_clear(error);
    if (op == NULL || bindings == NULL)
        return tally_fail(error, TALLY_INVALID, "the %s NULL",
                          op == NULL ? "operator is" : "bindings are");
    run of = {.op = op, .bindings = bindings, .status = TALLY_OK, .error = error};
    tally_lock_acquire(&op->lock);
    if (op->cut.kind == TALLY_CUT_RESULTS)
        run_results(&of);
    else if (op->cut.kind == TALLY_CUT_STATES)
        run_states(&of);
    else
        run_totals(&of);
    finish(&of);
    tally_lock_release(&op->lock);
    return of.status;
}
