/*
 * Ranks of a host take its devices in turn: of the GPUs if there are any, else of the accelerators,
 * else of the CPUs.
 */
#include "cli_mpi/devices.h"

#include "cli_mpi/together.h"

/* The devices of the best type that there is are all that is chosen from. */
static cl_device_type best_type(const device_list *list, uint32_t *count) {
    static const cl_device_type order[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ACCELERATOR,
                                           CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_ALL};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        *count = 0;
        for (size_t k = 0; k < list->count; k++)
            *count += (list->entries[k].type & order[i]) != 0;
        if (*count > 0)
            return order[i];
    }
    return CL_DEVICE_TYPE_ALL;
}

static const device_entry *find_entry(const device_list *list, cl_device_type type,
                                      uint32_t index) {
    const device_entry *found = &list->entries[0];
    for (size_t k = 0; k < list->count; k++)
        if ((list->entries[k].type & type) != 0 && index-- == 0)
            found = &list->entries[k];
    return found;
}

/* One that no request names. */
static int open_in_turn(const device_request *request, device *opened, cli_error *error) {
    device_list list;
    tally_error refusal;
    uint32_t count = 0, index = 0;
    int status = together_agree(device_list_load(&list, error), error);
    if (status != CLI_DONE) {
        device_list_free(&list); /* a rank that has a list gives it up as well */
        return status;
    }
    const cl_device_type type = best_type(&list, &count);
    status = together_check(tally_mpi_pick_device(MPI_COMM_WORLD, count, &index, &refusal),
                            &refusal, error);
    if (status == CLI_DONE)
        status = together_agree(device_open(find_entry(&list, type, index), request, opened, error),
                                error);
    device_list_free(&list);
    return status;
}

int devices_open(const device_request *request, device *opened, cli_error *error) {
    return request->text != NULL ? together_agree(device_choose(request, opened, error), error)
                                 : open_in_turn(request, opened, error);
}
