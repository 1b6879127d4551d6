/*
 * layer_commands.c: the device's answers about its extensions, and the extension's functions in the
 * forms of two versions. The platform's own are those up to 0.9.4, as PoCL 3.1 has them.
 */
#include "layer_commands.h"

#include <stdatomic.h>
#include <string.h>

#include <check.h>

#include "device/record/commands.h"
#include "layer.h"
#include "layer_inside.h"
#include "layer_updates.h"

#define EXTENSION "cl_khr_command_buffer"
#define EXTENSIONS_WITH_VERSION 0x1060
#define FIRST_WITH_PROPERTIES (9u << 12 | 5u)

typedef struct named_version {
    cl_uint version;
    char name[64];
} named_version;

#define COMMAND_BUFFER_QUEUES 0x1294
#define COMMAND_BUFFER_NUM_QUEUES 0x1295

static layer_offer offered;
static cl_command_queue queues[2];
static uint32_t offered_version;
static atomic_uint_fast64_t with_properties;
static void *own[LAYER_CALLS]; /* addresses of the platform's functions */

void layer_offer_commands(layer_offer offer, uint32_t version) {
    offered = offer;
    offered_version = version;
}

void layer_offer_queues(cl_command_queue first, cl_command_queue second) {
    queues[0] = first;
    queues[1] = second;
}

uint64_t layer_calls_with_properties(void) {
    return atomic_load(&with_properties);
}

/* ---- Answers --------------------------------------------------------------------------------- */

/* Another word in place of the extension's name, as long as it. */
static void hide_name(char *names) {
    char *at = strstr(names, EXTENSION);
    ck_assert_msg(at != NULL, "the device has no " EXTENSION ", which these tests need");
    memset(at, 'x', strlen(EXTENSION));
}

static void change_list(named_version *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].name, EXTENSION) == 0) {
            if (offered == OFFER_NONE)
                hide_name(list[i].name);
            else
                list[i].version = offered_version;
        }
}

cl_int layer_device_info(cl_device_id device, cl_device_info what, size_t bytes, void *value,
                         size_t *needed) {
    const bool lists = offered == OFFER_NONE || offered == OFFER_VERSION;
    if (what == EXTENSIONS_WITH_VERSION && offered != OFFER_AS_IT_IS && !lists)
        return CL_INVALID_VALUE;
    const cl_int code = layer_updates_info(device, what, bytes, value, needed);
    if (code == CL_SUCCESS && value != NULL && what == EXTENSIONS_WITH_VERSION && lists)
        change_list(value, bytes / sizeof(named_version));
    if (code == CL_SUCCESS && value != NULL && what == CL_DEVICE_EXTENSIONS &&
        offered == OFFER_NO_NAMES)
        hide_name(value);
    return code;
}

/* ---- Functions with properties --------------------------------------------------------------- */

static void count_properties(const void *properties) {
    ck_assert_ptr_null(properties);
    atomic_fetch_add(&with_properties, 1);
}

static cl_int CL_API_CALL fill_with_properties(
    cl_command_buffer_khr commands, cl_command_queue queue, const void *properties, cl_mem buffer,
    const void *pattern, size_t pattern_bytes, size_t offset, size_t bytes, cl_uint wait_count,
    const cl_sync_point_khr *wait_list, cl_sync_point_khr *done, void *handle) {
    count_properties(properties);
    return fault_clCommandFillBufferKHR(commands, queue, buffer, pattern, pattern_bytes, offset,
                                        bytes, wait_count, wait_list, done, handle);
}

static cl_int CL_API_CALL barrier_with_properties(cl_command_buffer_khr commands,
                                                  cl_command_queue queue, const void *properties,
                                                  cl_uint wait_count,
                                                  const cl_sync_point_khr *wait_list,
                                                  cl_sync_point_khr *done, void *handle) {
    count_properties(properties);
    return fault_clCommandBarrierWithWaitListKHR(commands, queue, wait_count, wait_list, done,
                                                 handle);
}

/* ---- Functions of several queues ------------------------------------------------------------- */

static cl_int CL_API_CALL info_of_queues(cl_command_buffer_khr commands, cl_uint what, size_t bytes,
                                         void *value, size_t *needed) {
    const cl_uint count = 2;
    if (what != COMMAND_BUFFER_NUM_QUEUES && what != COMMAND_BUFFER_QUEUES)
        return fault_clGetCommandBufferInfoKHR(commands, what, bytes, value, needed);
    const bool asks_count = what == COMMAND_BUFFER_NUM_QUEUES;
    ck_assert_uint_eq(bytes, asks_count ? sizeof count : sizeof queues);
    memcpy(value, asks_count ? (const void *)&count : (const void *)queues, bytes);
    return CL_SUCCESS;
}

/* Where there are several, a call says which; the platform's own want none. */
static cl_int CL_API_CALL kernel_of_queues(cl_command_buffer_khr commands, cl_command_queue queue,
                                           const void *properties, cl_kernel kernel,
                                           cl_uint dimensions, const size_t *offset,
                                           const size_t *global, const size_t *local,
                                           cl_uint wait_count, const cl_sync_point_khr *wait_list,
                                           cl_sync_point_khr *done, void *handle) {
    ck_assert_ptr_eq(queue, queues[1]);
    return fault_clCommandNDRangeKernelKHR(commands, NULL, properties, kernel, dimensions, offset,
                                           global, local, wait_count, wait_list, done, handle);
}

/* ---- Finding --------------------------------------------------------------------------------- */

void layer_far(layer_call call, void *next) {
    memcpy(next, &own[call], sizeof own[call]);
}

void *layer_find(cl_platform_id platform, const char *name) {
    const tally_get_info info =
        queues[0] != NULL ? info_of_queues : fault_clGetCommandBufferInfoKHR;
    const tally_record_kernel kernel =
        queues[0] != NULL ? kernel_of_queues : fault_clCommandNDRangeKernelKHR;
    static tally_record_fill_4 const fill_4 = fault_clCommandFillBufferKHR;
    static tally_record_fill_5 const fill_5 = fill_with_properties;
    static tally_record_barrier_4 const barrier_4 = fault_clCommandBarrierWithWaitListKHR;
    static tally_record_barrier_5 const barrier_5 = barrier_with_properties;
    const bool properties = offered == OFFER_VERSION && offered_version >= FIRST_WITH_PROPERTIES;
    const struct {
        layer_call call;
        const void *given; /* a pointer to the function */
    } calls[] = {
        {LAYER_clGetCommandBufferInfoKHR, &info},
        {LAYER_clCommandNDRangeKernelKHR, &kernel},
        {LAYER_clCommandFillBufferKHR, properties ? (const void *)&fill_5 : (const void *)&fill_4},
        {LAYER_clCommandBarrierWithWaitListKHR,
         properties ? (const void *)&barrier_5 : (const void *)&barrier_4},
    };
    void *address = layer_find_update(name);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (strcmp(layer_name(calls[i].call), name) == 0) {
            own[calls[i].call] = layer_updates_behind(
                calls[i].call, clGetExtensionFunctionAddressForPlatform(platform, name));
            if (own[calls[i].call] != NULL)
                memcpy(&address, calls[i].given, sizeof address);
        }
    return address;
}
