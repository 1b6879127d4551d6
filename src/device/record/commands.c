/*
 * The extensions' versions, their functions, and what drivers make of them.
 */
#include "device/record/commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/host_memory.h"
#include "device/clerror.h"
#include "device/query.h"

#define RECORDING "cl_khr_command_buffer"
#define UPDATING "cl_khr_command_buffer_mutable_dispatch"

/* Numbers of OpenCL's, which the includer's header may lack. */
#define EXTENSIONS_WITH_VERSION 0x1060
#define UPDATE_CAPABILITIES 0x12B0

/* A name with its version, as OpenCL 3.0 lists extensions. */
typedef struct named_version {
    cl_uint version;
    char name[64];
} named_version;

#define VERSION(major, minor, patch) ((uint32_t)(major) << 22 | (minor) << 12 | (patch))

/*
 * The versions whose calls are known. While an extension is provisional the next one may take its
 * arguments in another order, so it is refused rather than called in the old way. Version 1.0.0 of
 * cl_khr_command_buffer is 0.9.8 that is no longer provisional.
 */
typedef struct form {
    uint32_t first, last;
    bool is_newer; /* the second of the two forms of the calls */
} form;

#define FORMS 3
static const form recording_forms[FORMS] = {
    {VERSION(0, 9, 0), VERSION(0, 9, 4), false},
    {VERSION(0, 9, 5), VERSION(0, 9, 8), true},
    {VERSION(1, 0, 0), VERSION(1, 0, 0), true},
};
static const form updating_forms[FORMS] = {
    {VERSION(0, 9, 0), VERSION(0, 9, 1), false},
    {VERSION(0, 9, 2), VERSION(0, 9, 5), true},
};
#define RECORDING_VERSIONS "0.9.0 to 0.9.8, and 1.0.0"
#define UPDATING_VERSIONS "0.9.0 to 0.9.5"

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

/* ---- Versions ------------------------------------------------------------------------------ */

/* What a device has of an extension: listed with its version, or by its name alone. */
typedef struct extension {
    const char *name;
    const form *forms;
    const char *known; /* their versions in words */
    const char *lacks; /* the sentence's begin where it is not there */
    bool listed;
    uint32_t version;
} extension;

static const extension recording = {
    RECORDING, recording_forms, RECORDING_VERSIONS, "the device has no command buffers", false, 0};
static const extension updating = {UPDATING,
                                   updating_forms,
                                   UPDATING_VERSIONS,
                                   "the device cannot give recordings other memory",
                                   false,
                                   0};

static void find_version(const named_version *list, size_t count, extension *it) {
    for (size_t i = 0; i < count; i++)
        if (strncmp(list[i].name, it->name, sizeof list[i].name) == 0) {
            it->listed = true;
            it->version = list[i].version;
        }
}

static tally_status query_versions(const tally_device *device, extension *first, extension *second,
                                   tally_error *error) {
    const tally_allocator *from = &device->allocator;
    size_t bytes = 0;
    cl_int code = clGetDeviceInfo(device->id, EXTENSIONS_WITH_VERSION, 0, NULL, &bytes);
    if (code == CL_INVALID_VALUE) { /* before OpenCL 3.0 there is no such question */
        tally_status status =
            tally_query_extension(device->id, from, first->name, &first->listed, error);
        return status != TALLY_OK
                   ? status
                   : tally_query_extension(device->id, from, second->name, &second->listed, error);
    }
    named_version *list =
        code == CL_SUCCESS ? tally_host_take_zeros(from, 1, bytes + sizeof *list) : NULL;
    if (code == CL_SUCCESS && list == NULL)
        return tally_fail_memory(error, "a list of extensions");
    if (code == CL_SUCCESS)
        code = clGetDeviceInfo(device->id, EXTENSIONS_WITH_VERSION, bytes, list, NULL);
    if (code == CL_SUCCESS) {
        find_version(list, bytes / sizeof *list, first);
        find_version(list, bytes / sizeof *list, second);
    }
    tally_host_give(from, list);
    return tally_cl_check(code, "clGetDeviceInfo(CL_DEVICE_EXTENSIONS_WITH_VERSION)", error);
}

#define REASON_BYTES sizeof(((tally_commands *)NULL)->reason)

/* The form of the version's calls; NULL, with the reason, if there is none that is known. */
static const form *find_form(const extension *it, char reason[REASON_BYTES]) {
    const uint32_t version = it->version;
    for (size_t i = 0; i < FORMS; i++)
        if (version > 0 && version >= it->forms[i].first && version <= it->forms[i].last)
            return &it->forms[i];
    if (!it->listed)
        snprintf(reason, REASON_BYTES, "%s: its extensions do not have %s", it->lacks, it->name);
    else if (version == 0)
        snprintf(reason, REASON_BYTES, "the device has %s but does not say of which version",
                 it->name);
    else
        snprintf(reason, REASON_BYTES,
                 "the device has version %" PRIu32 ".%" PRIu32 ".%" PRIu32
                 " of %s, but this version of Tally knows %s",
                 version >> 22, version >> 12 & 0x3FF, version & 0xFFF, it->name, it->known);
    return NULL;
}

/* ---- Functions ----------------------------------------------------------------------------- */

/* A function's name, and the pointer to it that is to be set. */
typedef struct wanted {
    const char *name;
    void *function;
} wanted;

/* Find functions of the platform's; if one is not there, the reason is that. */
static bool find_functions(cl_platform_id platform, const char *name, const wanted *list,
                           size_t count, char reason[REASON_BYTES]) {
    for (size_t i = 0; i < count; i++) {
        void *const none = NULL;
        tally_query_function(platform, list[i].name, list[i].function);
        if (memcmp(list[i].function, &none, sizeof none) == 0) {
            snprintf(reason, REASON_BYTES, "the device has %s, but its platform has no %s", name,
                     list[i].name);
            return false;
        }
    }
    return true;
}

static bool find_recording(tally_commands *commands, cl_platform_id platform, bool has_properties) {
    const wanted list[] = {
        {"clGetCommandBufferInfoKHR", &commands->info},
        {"clCommandNDRangeKernelKHR", &commands->kernel},
        {"clCommandFillBufferKHR",
         has_properties ? (void *)&commands->fill_5 : (void *)&commands->fill_4},
        {"clCommandBarrierWithWaitListKHR",
         has_properties ? (void *)&commands->barrier_5 : (void *)&commands->barrier_4},
    };
    return find_functions(platform, RECORDING, list, sizeof list / sizeof list[0],
                          commands->reason);
}

static bool find_updating(tally_commands *commands, cl_platform_id platform, bool by_list) {
    const wanted list[] = {
        {"clUpdateMutableCommandsKHR",
         by_list ? (void *)&commands->update_list : (void *)&commands->update_chain},
    };
    return find_functions(platform, UPDATING, list, 1, commands->update_reason);
}

static tally_status query_platform(const tally_device *device, cl_platform_id *platform,
                                   bool *by_address, tally_error *error) {
    char version[256] = "";
    tally_status status = tally_query_platform(device->id, platform, CL_PLATFORM_VERSION, version,
                                               sizeof version, error);
    *by_address = strstr(version, VERSION_BY_ADDRESS) != NULL;
    return status;
}

/*
 * Whether arguments can be changed, of all that the extension lets a device allow. A code with
 * which the driver refuses the question is a reason why not: recordings that stay as they are need
 * no answer to it. A code that says that memory is short answers nothing.
 */
static tally_status query_updates(const tally_device *device, tally_commands *commands,
                                  bool *updates, tally_error *error) {
    static const char question[] = "clGetDeviceInfo(CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR)";
    cl_bitfield able = 0;
    cl_int code = clGetDeviceInfo(device->id, UPDATE_CAPABILITIES, sizeof able, &able, NULL);
    *updates = code == CL_SUCCESS && (able & TALLY_UPDATES_ARGUMENTS) != 0;
    if (code != CL_SUCCESS && tally_cl_status(code) == TALLY_OUT_OF_MEMORY)
        return tally_cl_check(code, question, error);
    if (code != CL_SUCCESS)
        snprintf(commands->update_reason, sizeof commands->update_reason,
                 "the device has " UPDATING ", but %s failed with %s (%d)", question,
                 tally_cl_code_name(code), (int)code);
    else if (!*updates)
        snprintf(commands->update_reason, sizeof commands->update_reason,
                 "the device has " UPDATING ", but can't change the arguments of kernels with it: "
                 "its capabilities are 0x%" PRIX64,
                 (uint64_t)able);
    return TALLY_OK;
}

/* ---- Both ---------------------------------------------------------------------------------- */

static tally_status find_updates(tally_commands *commands, const tally_device *device,
                                 cl_platform_id platform, const extension *it, tally_error *error) {
    const form *known = find_form(it, commands->update_reason);
    bool updates = false;
    if (known == NULL)
        return TALLY_OK;
    tally_status status = query_updates(device, commands, &updates, error);
    commands->updatable =
        status == TALLY_OK && updates && find_updating(commands, platform, known->is_newer);
    return status;
}

static tally_status find(tally_commands *commands, const tally_device *device, tally_error *error) {
    cl_platform_id platform = NULL;
    extension first = recording, second = updating;
    tally_status status = query_versions(device, &first, &second, error);
    if (status != TALLY_OK)
        return status;
    commands->version = first.version;
    commands->update_version = second.version;
    const form *known = find_form(&first, commands->reason);
    if (known != NULL)
        status = query_platform(device, &platform, &commands->by_address, error);
    commands->supported =
        known != NULL && status == TALLY_OK && find_recording(commands, platform, known->is_newer);
    if (status == TALLY_OK && !commands->supported)
        memcpy(commands->update_reason, commands->reason, sizeof commands->reason);
    return commands->supported ? find_updates(commands, device, platform, &second, error) : status;
}

tally_status tally_commands_ask(tally_commands *commands, const tally_device *device,
                                tally_error *error) {
    tally_lock_acquire(&commands->lock);
    tally_status status = commands->known ? TALLY_OK : find(commands, device, error);
    commands->known = status == TALLY_OK;
    tally_lock_release(&commands->lock);
    return status;
}
