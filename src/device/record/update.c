/*
 * The extension's structs in both of its forms, and the call.
 */
#include "device/record/update.h"

#include "base/host_memory.h"
#include "device/clerror.h"

/* Structs of cl_khr_command_buffer_mutable_dispatch; its names are in the comments. */
typedef struct argument { /* cl_mutable_dispatch_arg_khr */
    cl_uint index;
    size_t bytes;
    const void *value;
} argument;

/* cl_mutable_dispatch_config_khr from 0.9.2 on. NULL: it stays as it is. */
typedef struct change {
    void *command;
    cl_uint arguments, pointers, infos, dimensions;
    const argument *argument_list, *pointer_list;
    const void *info_list;
    const size_t *offset, *global, *local;
} change;

/* The same up to 0.9.1, and what begins their chain: cl_mutable_base_config_khr. */
struct tally_update_config {
    cl_uint type;
    const void *next;
    change change;
};

typedef struct chain {
    cl_uint type;
    const void *next;
    cl_uint count;
    const struct tally_update_config *list;
} chain;

/* The types of these two; and of the first from 0.9.2 on. */
#define TYPE_BASE 0
#define TYPE_CHANGE 1
#define TYPE_CHANGE_OF_LIST 0

/* All arguments of a command, and the two lists of them that the driver gets. */
struct tally_update_one {
    tally_arguments arguments;
    argument list[TALLY_ARGUMENTS], pointers[TALLY_ARGUMENTS];
};

tally_status tally_update_open(tally_update *update, const tally_allocator *allocator, size_t room,
                               tally_error *error) {
    const size_t count = room > 0 ? room : 1;
    *update = (tally_update){.allocator = allocator};
    update->list = tally_host_take_zeros(allocator, count, sizeof *update->list);
    update->config = tally_host_take_zeros(allocator, count, sizeof *update->config);
    update->types = tally_host_take_zeros(allocator, count, sizeof *update->types);
    update->configs = tally_host_take_zeros(allocator, count, sizeof *update->configs);
    return update->list != NULL && update->config != NULL && update->types != NULL &&
                   update->configs != NULL
               ? TALLY_OK
               : tally_fail_memory(error, "a list of changes");
}

void tally_update_close(tally_update *update) {
    tally_host_give(update->allocator, update->list);
    tally_host_give(update->allocator, update->config);
    tally_host_give(update->allocator, update->types);
    tally_host_give(update->allocator, (void *)update->configs);
    *update = (tally_update){0};
}

tally_arguments *tally_update_add(tally_update *update, void *handle) {
    update->config[update->count].change.command = handle;
    return &update->list[update->count++].arguments;
}

/*
 * A pointer is itself the value of its argument. The extension has a list for shared virtual memory
 * and no other, so that Intel's goes there too.
 */
static void write_change(struct tally_update_one *one, change *to) {
    to->arguments = to->pointers = 0;
    for (cl_uint i = 0; i < one->arguments.count; i++) {
        const tally_argument *from = &one->arguments.list[i];
        argument *written =
            from->kind != NULL ? &one->pointers[to->pointers++] : &one->list[to->arguments++];
        written->index = i;
        written->bytes = from->bytes;
        written->value = from->value;
    }
    to->argument_list = to->arguments > 0 ? one->list : NULL;
    to->pointer_list = to->pointers > 0 ? one->pointers : NULL;
    to->info_list = NULL;
    to->offset = to->global = to->local = NULL;
}

static void write_changes(tally_update *update) {
    for (size_t i = 0; i < update->count; i++) {
        struct tally_update_config *config = &update->config[i];
        write_change(&update->list[i], &config->change);
        config->type = TYPE_CHANGE;
        config->next = NULL;
        update->types[i] = TYPE_CHANGE_OF_LIST;
        update->configs[i] = &config->change;
    }
}

tally_status tally_update_send(tally_update *update, const tally_commands *by,
                               cl_command_buffer_khr commands, tally_error *error) {
    const cl_uint count = (cl_uint)update->count;
    chain base;
    if (count == 0)
        return TALLY_OK;
    write_changes(update);
    base.type = TYPE_BASE;
    base.next = NULL;
    base.count = count;
    base.list = update->config;
    const cl_int code = by->update_list != NULL
                            ? by->update_list(commands, count, update->types, update->configs)
                            : by->update_chain(commands, &base);
    return tally_cl_check(code, "clUpdateMutableCommandsKHR", error);
}
