/*
 * layer_updates_structs.h: numbers and structs of cl_khr_command_buffer_mutable_dispatch as its
 * specification has them, written out once more so that what the library hands over is read by
 * another's eyes. It knows no header of the library's.
 */
#ifndef TESTS_FAULT_LAYER_UPDATES_STRUCTS_H
#define TESTS_FAULT_LAYER_UPDATES_STRUCTS_H

#include <stddef.h>

#include <CL/cl_ext.h>

#define EXTENSION "cl_khr_command_buffer_mutable_dispatch"
#define FIRST_WITH_LIST (9u << 12 | 2u)
#define EXTENSIONS_WITH_VERSION 0x1060
#define CAPABILITIES 0x12B0
#define UPDATABLE_FIELDS 0x12B1
#define FLAGS 0x1293
#define STATE 0x1297
#define PROPERTIES 0x1298

/* CL_INVALID_MUTABLE_COMMAND_KHR */
#define INVALID_COMMAND (-1141)

typedef struct named_version {
    cl_uint version;
    char name[64];
} named_version;

typedef struct argument {
    cl_uint arg_index;
    size_t arg_size;
    const void *arg_value;
} argument;

typedef struct config { /* from 0.9.2 on */
    void *command;
    cl_uint num_args, num_svm_args, num_exec_infos, work_dim;
    const argument *arg_list, *arg_svm_list;
    const void *exec_info_list;
    const size_t *global_work_offset, *global_work_size, *local_work_size;
} config;

typedef struct chained_config { /* before */
    cl_uint type;
    const void *next;
    void *command;
    cl_uint num_args, num_svm_args, num_exec_infos, work_dim;
    const argument *arg_list, *arg_svm_list;
    const void *exec_info_list;
    const size_t *global_work_offset, *global_work_size, *local_work_size;
} chained_config;

typedef struct base_config {
    cl_uint type;
    const void *next;
    cl_uint num_mutable_dispatch;
    const chained_config *mutable_dispatch_list;
} base_config;

#ifdef CL_STRUCTURE_TYPE_MUTABLE_BASE_CONFIG_KHR /* a header of these versions */
#define SAME(own, theirs, member) offsetof(own, member) == offsetof(theirs, member)
_Static_assert(sizeof(chained_config) == sizeof(cl_mutable_dispatch_config_khr) &&
                   SAME(chained_config, cl_mutable_dispatch_config_khr, command) &&
                   SAME(chained_config, cl_mutable_dispatch_config_khr, arg_svm_list) &&
                   SAME(chained_config, cl_mutable_dispatch_config_khr, local_work_size) &&
                   sizeof(argument) == sizeof(cl_mutable_dispatch_arg_khr) &&
                   SAME(argument, cl_mutable_dispatch_arg_khr, arg_value) &&
                   sizeof(base_config) == sizeof(cl_mutable_base_config_khr) &&
                   SAME(base_config, cl_mutable_base_config_khr, mutable_dispatch_list),
               "the structs are the header's");
#endif

#endif
