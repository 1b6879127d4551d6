/*
 * What is remembered of a device between processes. A stale answer must not be possible: whatever
 * may change what a driver makes of a kernel stands in the key, and what can't be asked for ends
 * it. What a driver's own environment variables change is beyond us; the API says so.
 */
#include "device/recall.h"

#include <ctype.h>
#include <string.h>

#include "base/cpu.h"
#include "cl/core/order.h"

/* ---- The identity -------------------------------------------------------------------------- */

/* A line; control characters, which could begin another, are made spaces. */
static void add_line(tally_text *text, const char *name, char *value) {
    for (char *c = value; *c != '\0'; c++)
        if (iscntrl((unsigned char)*c))
            *c = ' ';
    tally_text_format(text, "%s: %s\n", name, value);
}

/* The two questions that OpenCL has for texts, under one type. */
typedef cl_int query(const void *object, cl_uint what, size_t bytes, void *value, size_t *needed);

static cl_int query_platform(const void *object, cl_uint what, size_t bytes, void *value,
                             size_t *needed) {
    return clGetPlatformInfo((cl_platform_id)object, what, bytes, value, needed);
}

static cl_int query_device(const void *object, cl_uint what, size_t bytes, void *value,
                           size_t *needed) {
    return clGetDeviceInfo((cl_device_id)object, what, bytes, value, needed);
}

/* False if it can't be asked for. */
static bool add_answer(tally_text *text, const char *name, query *ask, const void *object,
                       cl_uint what) {
    size_t bytes = 0;
    if (ask(object, what, 0, NULL, &bytes) != CL_SUCCESS)
        return false;
    char *value = tally_host_take_zeros(text->allocator, bytes + 1, 1);
    bool told =
        value != NULL && (bytes == 0 || ask(object, what, bytes, value, NULL) == CL_SUCCESS);
    if (told)
        add_line(text, name, value);
    tally_host_give(text->allocator, value);
    return told;
}

static bool describe_device(cl_device_id id, tally_text *text) {
    static const struct {
        const char *name;
        query *ask;
        cl_uint what;
    } answers[] = {
        {"platform", query_platform, CL_PLATFORM_NAME},
        {"platform version", query_platform, CL_PLATFORM_VERSION},
        {"vendor", query_device, CL_DEVICE_VENDOR},
        {"device", query_device, CL_DEVICE_NAME},
        {"device version", query_device, CL_DEVICE_VERSION},
        {"driver", query_device, CL_DRIVER_VERSION},
    };
    cl_platform_id platform = NULL;
    if (clGetDeviceInfo(id, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) != CL_SUCCESS)
        return false;
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        const void *object =
            answers[i].ask == query_device ? (const void *)id : (const void *)platform;
        if (!add_answer(text, answers[i].name, answers[i].ask, object, answers[i].what))
            return false;
    }
    return true;
}

/* The host's processor matters where it may be the device: an accelerator may be an emulator. */
static bool describe_host(cl_device_id id, tally_text *text) {
    cl_device_type type = 0;
    if (clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof type, &type, NULL) != CL_SUCCESS)
        return false;
    tally_text_format(text, "pointer: %u\n", (unsigned)(8 * sizeof(void *)));
    if ((type & CL_DEVICE_TYPE_GPU) == 0) {
        tally_text_add(text, "processor: ");
        tally_cpu_describe(text);
        tally_text_add(text, "\n");
    }
    return true;
}

static bool describe(tally_recall *recall, cl_device_id id) {
    tally_text *text = &recall->identity;
    tally_text_format(text, "tally: %u\norder: %u\n", (unsigned)TALLY_VERSION,
                      (unsigned)TALLY_ORDER_VERSION);
    return describe_device(id, text) && describe_host(id, text) && !text->failed;
}

/* ---- Opening and closing ------------------------------------------------------------------- */

bool tally_recall_open(tally_recall *recall, cl_device_id id, const tally_allocator *allocator,
                       const tally_config *config, tally_error *error) {
    const uint64_t limit = config->cache_limit != 0 ? config->cache_limit : TALLY_CACHE_LIMIT;
    if (config->cache_dir == NULL)
        return true;
    recall->identity = tally_text_from(allocator);
    if (!describe(recall, id)) {
        tally_fail(error, TALLY_DEVICE_ERROR, "the device does not say what it is");
        return false;
    }
    return tally_store_open(&recall->store, allocator, config->cache_dir, limit, error);
}

void tally_recall_close(tally_recall *recall) {
    tally_store_close(&recall->store);
    tally_text_free(&recall->identity);
}

bool tally_recall_works(const tally_recall *recall) {
    return recall->store.is_open;
}

/* ---- Remembering --------------------------------------------------------------------------- */

/* The key of a topic, to be freed; its data is NULL or failed is set if there is no memory. */
static tally_text key_of(const tally_recall *recall, const char *topic) {
    tally_text key = tally_text_from(recall->identity.allocator);
    tally_text_add(&key, recall->identity.data);
    tally_text_add(&key, topic);
    return key;
}

bool tally_recall_get(tally_recall *recall, const char *topic, tally_blob *blob) {
    *blob = (tally_blob){.file = NULL};
    if (!tally_recall_works(recall))
        return false;
    tally_text key = key_of(recall, topic);
    bool found = !key.failed && tally_store_get(&recall->store, key.data, blob);
    tally_text_free(&key);
    return found;
}

void tally_recall_put(tally_recall *recall, const char *topic, const void *bytes, size_t size) {
    if (!tally_recall_works(recall))
        return;
    tally_text key = key_of(recall, topic);
    if (!key.failed)
        tally_store_put(&recall->store, key.data, bytes, size);
    tally_text_free(&key);
}
