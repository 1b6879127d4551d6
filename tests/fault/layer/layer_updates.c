/*
 * layer_updates.c: answers to the questions about the extension, recordings that can be changed,
 * and updates that change all or nothing.
 */
#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 200 /* SVM */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS

#include "layer_updates.h"
#include "layer_inside.h"
#include "layer_updates_structs.h"

#include <stdatomic.h>
#include <string.h>

#include <check.h>

#include "device/record/commands.h"

#define COMMANDS_MOST 16384
#define CHANGES_MOST 64
#define ARGUMENTS_MOST 16

/* A recorded kernel, whose address is the command's handle. */
typedef struct command {
    cl_command_buffer_khr commands;
    cl_kernel kernel;
} command;

static layer_updates now;
static command recorded[COMMANDS_MOST];
static size_t recorded_count;
static atomic_uint_fast64_t chains, lists;
static tally_get_info own_info;
static tally_record_kernel own_kernel;

cl_int fault_clUpdateMutableCommandsKHR(cl_command_buffer_khr commands, cl_uint count,
                                        const cl_uint *types, const void **configs);

void layer_offer_updates(layer_updates what) {
    now = what;
    recorded_count = 0;
}

void layer_change_updates(layer_updates what) {
    now = what;
}

uint64_t layer_chains(void) {
    return atomic_load(&chains);
}

uint64_t layer_lists(void) {
    return atomic_load(&lists);
}

/* ---- Questions ------------------------------------------------------------------------------- */

/* The device's own answer with something behind it, in place of its last byte if that is kept. */
static cl_int append(cl_device_id device, cl_device_info what, const void *more, size_t size,
                     size_t over, size_t bytes, void *value, size_t *needed) {
    size_t own = 0;
    cl_int code = clGetDeviceInfo(device, what, 0, NULL, &own);
    if (code == CL_SUCCESS && value != NULL)
        code = bytes < own + size - over ? CL_INVALID_VALUE
                                         : clGetDeviceInfo(device, what, bytes, value, NULL);
    if (code == CL_SUCCESS && value != NULL)
        memcpy((char *)value + own - over, more, size);
    if (needed != NULL)
        *needed = own + size - over;
    return code;
}

cl_int layer_updates_info(cl_device_id device, cl_device_info what, size_t bytes, void *value,
                          size_t *needed) {
    static const char name[] = " " EXTENSION;
    named_version entry;
    memset(&entry, 0, sizeof entry);
    entry.version = now.version;
    memcpy(entry.name, EXTENSION, sizeof EXTENSION);
    if (now.listed && what == EXTENSIONS_WITH_VERSION)
        return append(device, what, &entry, sizeof entry, 0, bytes, value, needed);
    if (now.listed && what == CL_DEVICE_EXTENSIONS)
        return append(device, what, name, sizeof name, 1, bytes, value, needed);
    if (now.listed && what == CAPABILITIES)
        return now.able_code != CL_SUCCESS
                   ? now.able_code
                   : layer_give(&now.able, sizeof now.able, bytes, value, needed);
    return clGetDeviceInfo(device, what, bytes, value, needed);
}

static cl_int CL_API_CALL info(cl_command_buffer_khr commands, cl_uint what, size_t bytes,
                               void *value, size_t *needed) {
    const cl_ulong properties[] = {FLAGS, now.flags, 0};
    const size_t size = now.flags != 0 ? sizeof properties : 0;
    if (what == PROPERTIES)
        return layer_give(properties, size, bytes, value, needed);
    if (what == STATE && now.states_itself)
        return layer_give(&now.state, sizeof now.state, bytes, value, needed);
    return own_info(commands, what, bytes, value, needed);
}

/* ---- Recording ------------------------------------------------------------------------------- */

/* Properties and a handle are this extension's, and go together here. */
static cl_int CL_API_CALL kernel(cl_command_buffer_khr commands, cl_command_queue queue,
                                 const void *properties, cl_kernel of, cl_uint dimensions,
                                 const size_t *offset, const size_t *global, const size_t *local,
                                 cl_uint wait_count, const cl_sync_point_khr *wait_list,
                                 cl_sync_point_khr *done, void *handle) {
    const cl_ulong *list = properties;
    ck_assert((list != NULL) == (handle != NULL));
    const cl_int code = own_kernel(commands, queue, NULL, of, dimensions, offset, global, local,
                                   wait_count, wait_list, done, NULL);
    if (code != CL_SUCCESS || handle == NULL)
        return code;
    ck_assert_uint_ne(now.flags & LAYER_MUTABLE, 0);
    ck_assert_uint_eq(list[0], UPDATABLE_FIELDS);
    ck_assert_uint_eq(list[1], LAYER_ARGUMENTS);
    ck_assert_uint_eq(list[2], 0);
    ck_assert_uint_lt(recorded_count, COMMANDS_MOST);
    recorded[recorded_count] = (command){commands, of};
    *(void **)handle = &recorded[recorded_count++];
    return CL_SUCCESS;
}

/* ---- Updates --------------------------------------------------------------------------------- */

static const command *find_command(const void *handle) {
    for (size_t i = 0; i < recorded_count; i++)
        if (handle == &recorded[i])
            return &recorded[i];
    return NULL;
}

/* Each argument of the kernel is in one of the lists, once, and nothing but arguments is changed.
 */
static cl_int check_config(const void *commands, const config *of) {
    const command *which = find_command(of->command);
    cl_uint wanted = 0, seen = 0;
    if (which == NULL || which->commands != commands)
        return INVALID_COMMAND;
    if ((of->num_args > 0) != (of->arg_list != NULL) ||
        (of->num_svm_args > 0) != (of->arg_svm_list != NULL))
        return CL_INVALID_VALUE;
    if (of->num_exec_infos != 0 || of->work_dim != 0 || of->exec_info_list != NULL ||
        of->global_work_offset != NULL || of->global_work_size != NULL ||
        of->local_work_size != NULL)
        return CL_INVALID_OPERATION;
    ck_assert_int_eq(
        clGetKernelInfo(which->kernel, CL_KERNEL_NUM_ARGS, sizeof wanted, &wanted, NULL),
        CL_SUCCESS);
    ck_assert_uint_le(wanted, ARGUMENTS_MOST);
    ck_assert_uint_eq(of->num_args + of->num_svm_args, wanted);
    for (cl_uint i = 0; i < of->num_args; i++)
        seen |= 1u << of->arg_list[i].arg_index;
    for (cl_uint i = 0; i < of->num_svm_args; i++)
        seen |= 1u << of->arg_svm_list[i].arg_index;
    ck_assert_uint_eq(seen, (1u << wanted) - 1);
    return CL_SUCCESS;
}

static void apply(const config *of) {
    cl_kernel to = find_command(of->command)->kernel;
    for (cl_uint i = 0; i < of->num_args; i++) {
        const argument *one = &of->arg_list[i];
        ck_assert_int_eq(clSetKernelArg(to, one->arg_index, one->arg_size, one->arg_value),
                         CL_SUCCESS);
    }
    for (cl_uint i = 0; i < of->num_svm_args; i++) {
        const argument *one = &of->arg_svm_list[i];
        ck_assert_int_eq(clSetKernelArgSVMPointer(to, one->arg_index, one->arg_value), CL_SUCCESS);
    }
}

cl_int layer_clUpdateMutableCommandsKHR(cl_command_buffer_khr commands, cl_uint count,
                                        const cl_uint *types, const void **configs) {
    cl_uint state = 0;
    if (own_info(commands, STATE, sizeof state, &state, NULL) != CL_SUCCESS)
        return CL_INVALID_COMMAND_BUFFER_KHR;
    if (state == 0 || (now.flags & LAYER_MUTABLE) == 0)
        return CL_INVALID_OPERATION;
    if (count == 0 || types == NULL || configs == NULL)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < count; i++) {
        if (types[i] != 0 || configs[i] == NULL || now.refused == (size_t)i + 1)
            return CL_INVALID_VALUE;
        const cl_int code = check_config(commands, configs[i]);
        if (code != CL_SUCCESS)
            return code;
    }
    for (cl_uint i = 0; i < count; i++)
        apply(configs[i]);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL update_list(cl_command_buffer_khr commands, cl_uint count,
                                      const cl_uint *types, const void **configs) {
    atomic_fetch_add(&lists, 1);
    return fault_clUpdateMutableCommandsKHR(commands, count, types, configs);
}

/* A chain of one list, whose entries have the members of the later form behind two others. */
static cl_int CL_API_CALL update_chain(cl_command_buffer_khr commands, const void *base) {
    const base_config *given = base;
    cl_uint types[CHANGES_MOST] = {0};
    const void *configs[CHANGES_MOST];
    config copies[CHANGES_MOST];
    atomic_fetch_add(&chains, 1);
    if (given == NULL || given->type != 0 || given->next != NULL ||
        given->num_mutable_dispatch > CHANGES_MOST)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < given->num_mutable_dispatch; i++) {
        const chained_config *one = &given->mutable_dispatch_list[i];
        if (one->type != 1 || one->next != NULL)
            return CL_INVALID_VALUE;
        config *copy = &copies[i];
        copy->command = one->command;
        copy->num_args = one->num_args;
        copy->num_svm_args = one->num_svm_args;
        copy->num_exec_infos = one->num_exec_infos;
        copy->work_dim = one->work_dim;
        copy->arg_list = one->arg_list;
        copy->arg_svm_list = one->arg_svm_list;
        copy->exec_info_list = one->exec_info_list;
        copy->global_work_offset = one->global_work_offset;
        copy->global_work_size = one->global_work_size;
        copy->local_work_size = one->local_work_size;
        configs[i] = copy;
    }
    return fault_clUpdateMutableCommandsKHR(commands, given->num_mutable_dispatch, types, configs);
}

/* ---- Finding --------------------------------------------------------------------------------- */

void *layer_find_update(const char *name) {
    static tally_update_chain const by_chain = update_chain;
    static tally_update_list const by_list = update_list;
    void *address = NULL;
    if (!now.listed || now.lacks_call || strcmp(name, "clUpdateMutableCommandsKHR") != 0)
        return NULL;
    if (now.version >= FIRST_WITH_LIST)
        memcpy(&address, &by_list, sizeof address);
    else
        memcpy(&address, &by_chain, sizeof address);
    return address;
}

void *layer_updates_behind(layer_call call, void *function) {
    static tally_get_info const info_of = info;
    static tally_record_kernel const kernel_of = kernel;
    const bool asks = call == LAYER_clGetCommandBufferInfoKHR;
    if (!now.listed || function == NULL || (!asks && call != LAYER_clCommandNDRangeKernelKHR))
        return function;
    memcpy(asks ? (void *)&own_info : (void *)&own_kernel, &function, sizeof function);
    memcpy(&function, asks ? (const void *)&info_of : (const void *)&kernel_of, sizeof function);
    return function;
}
