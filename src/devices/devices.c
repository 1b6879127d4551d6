/*
 * The list of devices: what is taken of the caller's, checked and held.
 */
#include "devices/devices.h"

#include <inttypes.h>
#include <math.h>

#include "base/host_memory.h"
#include "base/struct.h"

tally_status tally_devices_prefix(const tally_devices *devices, uint32_t device,
                                  tally_status status, tally_error *error) {
    if (status == TALLY_OK || error == NULL)
        return status;
    const tally_error why = *error;
    tally_fail_cl(error, status, why.cl_code, "device %" PRIu32 " of %" PRIu32 ": %s", device + 1,
                  devices->entries, why.message);
    error->fault = why.fault;
    return status;
}

/* ---- Checking ------------------------------------------------------------------------------- */

static tally_status check_lists(const tally_devices_config *config, tally_error *error) {
    if (config->count == 0 || config->count > TALLY_DEVICES_MAX)
        return tally_fail(error, TALLY_INVALID,
                          "the number of devices is %" PRIu32 ", but 1 to %d are possible",
                          config->count, TALLY_DEVICES_MAX);
    if (config->runtimes == NULL || config->queues == NULL)
        return tally_fail(error, TALLY_INVALID, "the list of %s is NULL",
                          config->runtimes == NULL ? "runtimes" : "queues");
    return TALLY_OK;
}

static tally_status check_speeds(const tally_devices_config *config, tally_error *error) {
    double all = 0;
    for (uint32_t i = 0; config->speeds != NULL && i < config->count; i++) {
        if (!(config->speeds[i] >= 0) || !isfinite(config->speeds[i]))
            return tally_fail(error, TALLY_INVALID,
                              "the speed of device %" PRIu32 " of %" PRIu32
                              " is %g, but a number from 0 on is due",
                              i + 1, config->count, config->speeds[i]);
        all += config->speeds[i];
    }
    if (config->speeds != NULL && !(all > 0))
        return tally_fail(error, TALLY_INVALID, "the speeds of all devices are 0");
    return TALLY_OK;
}

/* ---- Taking --------------------------------------------------------------------------------- */

/* What the queue is of. Parts of a run follow each other by the queue's order. */
static tally_status ask_queue(tally_devices_entry *entry, tally_error *error) {
    cl_command_queue_properties properties = 0;
    cl_int code = clGetCommandQueueInfo(entry->queue, CL_QUEUE_CONTEXT, sizeof entry->context,
                                        (void *)&entry->context, NULL);
    if (code == CL_SUCCESS)
        code = clGetCommandQueueInfo(entry->queue, CL_QUEUE_DEVICE, sizeof entry->id,
                                     (void *)&entry->id, NULL);
    if (code == CL_SUCCESS)
        code = clGetCommandQueueInfo(entry->queue, CL_QUEUE_PROPERTIES, sizeof properties,
                                     &properties, NULL);
    if (code == CL_SUCCESS && (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0)
        return tally_fail(error, TALLY_INVALID,
                          "its queue is out-of-order, but an in-order queue is due");
    return tally_cl_check(code, "clGetCommandQueueInfo", error);
}

static tally_status take_entry(const tally_devices_config *config, uint32_t i,
                               tally_devices_entry *entry, tally_error *error) {
    if (config->runtimes[i] == NULL || config->queues[i] == NULL)
        return tally_fail(error, TALLY_INVALID, "its %s is NULL",
                          config->runtimes[i] == NULL ? "runtime" : "queue");
    tally_status status =
        tally_cl_check(clRetainCommandQueue(config->queues[i]), "clRetainCommandQueue", error);
    if (status != TALLY_OK)
        return status;
    entry->queue = config->queues[i];
    tally_runtime_retain(config->runtimes[i]);
    entry->runtime = config->runtimes[i];
    status = ask_queue(entry, error);
    if (status == TALLY_OK && config->speeds != NULL)
        entry->speed = config->speeds[i];
    else if (status == TALLY_OK)
        status = tally_devices_measure(entry, &entry->speed, error);
    return status;
}

tally_status tally_devices_create(const tally_devices_config *config, tally_devices **devices,
                                  tally_error *error) {
    tally_devices_config known;
    tally_error_clear(error);
    if (devices == NULL)
        return tally_fail(error, TALLY_INVALID, "the place for the devices is NULL");
    *devices = NULL;
    tally_status status =
        tally_struct_take(config, &known, sizeof known, "tally_devices_config", error);
    if (status == TALLY_OK)
        status = check_lists(&known, error);
    if (status == TALLY_OK)
        status = check_speeds(&known, error);
    if (status != TALLY_OK)
        return status;
    tally_devices *made = tally_host_take_zeros(NULL, 1, sizeof *made);
    if (made == NULL)
        return tally_fail_memory(error, "a list of devices");
    tally_count_init(&made->count);
    made->entries = known.count;
    for (uint32_t i = 0; i < known.count && status == TALLY_OK; i++)
        status =
            tally_devices_prefix(made, i, take_entry(&known, i, &made->entry[i], error), error);
    if (status == TALLY_OK)
        *devices = made;
    else
        tally_devices_release(made);
    return status;
}

void tally_devices_release(tally_devices *devices) {
    if (devices == NULL || !tally_count_release(&devices->count))
        return;
    for (uint32_t i = 0; i < devices->entries; i++) {
        if (devices->entry[i].queue != NULL)
            clReleaseCommandQueue(devices->entry[i].queue);
        tally_runtime_release(devices->entry[i].runtime);
    }
    tally_host_give(NULL, devices);
}

uint32_t tally_devices_count(const tally_devices *devices) {
    return devices != NULL ? devices->entries : 0;
}

double tally_devices_speed(const tally_devices *devices, uint32_t device) {
    return devices != NULL && device < devices->entries ? devices->entry[device].speed : 0;
}
