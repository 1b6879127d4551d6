/*
 * Several devices for one command: those that --device lists, opened. Knows no operators.
 */
#include "cli/several/several.h"

#include <stdio.h>
#include <string.h>

bool several_named(const char *text) {
    return text != NULL && (strcmp(text, "all") == 0 || strchr(text, ',') != NULL);
}

/* All devices that there are. */
static int find_all(const device_list *list, size_t index[TALLY_DEVICES_MAX], uint32_t *count) {
    for (size_t i = 0; i < list->count && i < TALLY_DEVICES_MAX; i++)
        index[(*count)++] = i;
    return CLI_DONE;
}

int several_find(const device_list *list, const char *text, size_t index[TALLY_DEVICES_MAX],
                 uint32_t *count, cli_error *error) {
    char name[256];
    int status = CLI_DONE;
    *count = 0;
    if (strcmp(text, "all") == 0)
        return find_all(list, index, count);
    do {
        const size_t length = strcspn(text, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, text);
        if (*count == TALLY_DEVICES_MAX)
            return cli_misuse(error, "--device: has more than %d devices", TALLY_DEVICES_MAX);
        if (length == 0)
            return cli_misuse(error, "--device: there is nothing before or behind a comma");
        status = device_list_find(list, name, &index[*count], error);
        *count += status == CLI_DONE;
        text += length;
    } while (status == CLI_DONE && *text++ == ',');
    return status;
}

/* Open those of the list; of all of them some may be left out. */
static int open_found(const device_list *list, const device_request *request, const size_t *index,
                      uint32_t count, several *opened, cli_error *error) {
    const bool all = strcmp(request->text, "all") == 0;
    int status = CLI_DONE;
    for (uint32_t i = 0; i < count && (status == CLI_DONE || all); i++) {
        status =
            device_open(&list->entries[index[i]], request, &opened->device[opened->count], error);
        opened->count += status == CLI_DONE;
        if (status != CLI_DONE)
            cli_error_prefix(error, list->entries[index[i]].name, status);
    }
    return all && opened->count > 0 ? CLI_DONE : status;
}

int several_open(const device_request *request, several *opened, cli_error *error) {
    device_list list;
    size_t index[TALLY_DEVICES_MAX];
    uint32_t count = 0;
    memset(opened, 0, sizeof *opened);
    int status = device_list_load(&list, error);
    if (status != CLI_DONE)
        return status;
    status = several_find(&list, request->text, index, &count, error);
    if (status == CLI_DONE)
        status = open_found(&list, request, index, count, opened, error);
    device_list_free(&list);
    if (status != CLI_DONE)
        several_close(opened);
    return status;
}

void several_close(several *opened) {
    for (uint32_t i = 0; i < opened->count; i++)
        device_close(&opened->device[i]);
    opened->count = 0;
}

int several_list(const several *opened, uint32_t count, const double *speeds,
                 tally_devices **devices, cli_error *error) {
    tally_devices_config config = TALLY_DEVICES_CONFIG_INIT;
    tally_runtime *runtimes[TALLY_DEVICES_MAX];
    cl_command_queue queues[TALLY_DEVICES_MAX];
    tally_error refusal;
    for (uint32_t i = 0; i < count; i++) {
        runtimes[i] = opened->device[i].runtime;
        queues[i] = opened->device[i].queue;
    }
    config.count = count;
    config.runtimes = runtimes;
    config.queues = queues;
    config.speeds = speeds;
    if (tally_devices_create(&config, devices, &refusal) != TALLY_OK)
        return cli_fail(error, "%s", refusal.message);
    return CLI_DONE;
}
