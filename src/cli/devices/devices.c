/*
 * tally devices: every OpenCL device of every platform, a table of what it tells about itself,
 * whether Tally accepts it, and whether its arithmetic gives the guaranteed bits. Knows no
 * operators.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/device.h"
#include "cli/devices/verdicts.h"
#include "cli/text/json.h"
#include "cli/several/several.h"
#include "platform/system.h"

static const option options[] = {
    {"json", NULL, OPTIONS_JSON_HELP, value_flag, offsetof(common_options, json), false},
};

/* ---- What a device tells about itself ------------------------------------------------------ */

/* A row of the table: what is asked, and how the answer is written. */
typedef struct row row;
struct row {
    const char *label, *key; /* in the table, in JSON */
    void (*print)(cl_device_id id, cl_device_info what);
    void (*write)(json_document *document, const row *of, cl_device_id id);
    cl_device_info what;
};

static void print_text(cl_device_id id, cl_device_info what) {
    char *text = device_text(id, what);
    printf("%s\n", text != NULL ? text : "");
    free(text);
}

static void write_text(json_document *document, const row *of, cl_device_id id) {
    char *text = device_text(id, of->what);
    json_text(document, of->key, text);
    free(text);
}

static void print_count(cl_device_id id, cl_device_info what) {
    printf("%" PRIu64 "\n", (uint64_t)device_number(id, what));
}

static void write_count(json_document *document, const row *of, cl_device_id id) {
    json_integer(document, of->key, device_number(id, of->what));
}

static void print_bytes(cl_device_id id, cl_device_info what) {
    static const struct {
        uint64_t bytes;
        const char *name;
    } units[] = {{UINT64_C(1) << 30, "GiB"}, {UINT64_C(1) << 20, "MiB"}, {1024, "KiB"}};
    uint64_t bytes = device_number(id, what);
    size_t i = 0;
    while (i < 2 && bytes < units[i].bytes)
        i++;
    printf("%.1f %s (%" PRIu64 " bytes)\n", (double)bytes / (double)units[i].bytes, units[i].name,
           bytes);
}

static const char *type_name(cl_device_type type) {
    static const struct {
        cl_device_type type;
        const char *name;
    } types[] = {{CL_DEVICE_TYPE_CPU, "CPU"},
                 {CL_DEVICE_TYPE_GPU, "GPU"},
                 {CL_DEVICE_TYPE_ACCELERATOR, "accelerator"},
                 {CL_DEVICE_TYPE_CUSTOM, "custom"}};
    for (size_t i = sizeof types / sizeof types[0]; i-- > 0;)
        if ((type & types[i].type) != 0)
            return types[i].name;
    return "unknown";
}

static void print_type(cl_device_id id, cl_device_info what) {
    printf("%s\n", type_name(device_number(id, what)));
}

static void write_type(json_document *document, const row *of, cl_device_id id) {
    json_text(document, of->key, type_name(device_number(id, of->what)));
}

/* Of a bit field that is empty where there is no support. */
static void print_support(cl_device_id id, cl_device_info what) {
    printf("%s\n", device_number(id, what) != 0 ? "yes" : "no");
}

static void write_support(json_document *document, const row *of, cl_device_id id) {
    json_truth(document, of->key, device_number(id, of->what) != 0);
}

static void name_platform(cl_device_id id, cl_device_info what, char text[256]) {
    cl_platform_id platform = NULL;
    text[0] = '\0';
    if (clGetDeviceInfo(id, what, sizeof platform, &platform, NULL) == CL_SUCCESS)
        clGetPlatformInfo(platform, CL_PLATFORM_NAME, 256, text, NULL);
}

static void print_platform(cl_device_id id, cl_device_info what) {
    char text[256];
    name_platform(id, what, text);
    printf("%s\n", text);
}

static void write_platform(json_document *document, const row *of, cl_device_id id) {
    char text[256];
    name_platform(id, of->what, text);
    json_text(document, of->key, text);
}

static const row rows[] = {
    {"vendor", "vendor", print_text, write_text, CL_DEVICE_VENDOR},
    {"platform", "platform", print_platform, write_platform, CL_DEVICE_PLATFORM},
    {"driver", "driver", print_text, write_text, CL_DRIVER_VERSION},
    {"version", "version", print_text, write_text, CL_DEVICE_VERSION},
    {"type", "type", print_type, write_type, CL_DEVICE_TYPE},
    {"compute units", "compute_units", print_count, write_count, CL_DEVICE_MAX_COMPUTE_UNITS},
    {"global memory", "global_memory", print_bytes, write_count, CL_DEVICE_GLOBAL_MEM_SIZE},
    {"local memory", "local_memory", print_bytes, write_count, CL_DEVICE_LOCAL_MEM_SIZE},
    {"largest buffer", "largest_buffer", print_bytes, write_count, CL_DEVICE_MAX_MEM_ALLOC_SIZE},
    {"work-group limit", "work_group_limit", print_count, write_count,
     CL_DEVICE_MAX_WORK_GROUP_SIZE},
    {"fp64", "fp64", print_support, write_support, CL_DEVICE_DOUBLE_FP_CONFIG},
};
#define ROWS (sizeof rows / sizeof rows[0])

/* ---- What Tally says of it ----------------------------------------------------------------- */

/* A label, the first line of a text beside it and the others below that. */
static void print_lines(const char *label, const char *text) {
    while (*text != '\0') {
        int length = (int)strcspn(text, "\n");
        printf("    %-18s%.*s\n", label, length, text);
        text += length + (text[length] == '\n');
        label = "";
    }
}

static void print_verdict(const char *label, const verdict *found) {
    char line[VERDICT_LINE_BYTES];
    verdict_write(found, line);
    print_lines(label, line);
    if (found->more != NULL)
        print_lines("", found->more);
}

/* {"holds": null if it is not known, "why": ..., "reasons": ...} */
static void write_verdict(json_document *document, const char *key, const verdict *found) {
    json_begin(document, key, '{');
    if (found->known)
        json_truth(document, "holds", found->holds);
    else
        json_text(document, "holds", NULL);
    json_text(document, "why", found->text[0] != '\0' ? found->text : NULL);
    json_text(document, "reasons",
              found->more != NULL && found->more[0] != '\0' ? found->more : NULL);
    json_end(document, '}');
}

/* ---- A device ------------------------------------------------------------------------------ */

static void print_device(const device_list *list, size_t index, const device_request *request) {
    const device_entry *entry = &list->entries[index];
    device opened;
    cli_error refusal = {""};
    printf("%zu: %s\n", index, entry->name);
    for (size_t i = 0; i < ROWS; i++) {
        printf("    %-18s", rows[i].label);
        rows[i].print(entry->id, rows[i].what);
    }
    int status = device_open(entry, request, &opened, &refusal);
    printf("    %-18s%s%s\n", "accepted", status == CLI_DONE ? "yes" : "no: ", refusal.text);
    for (size_t i = 0; i < DEVICES_VERDICTS && status == CLI_DONE; i++) {
        const verdict found = devices_verdicts[i].judge(opened.runtime);
        print_verdict(devices_verdicts[i].label, &found);
    }
    device_close(&opened);
}

static void write_device(json_document *document, const device_list *list, size_t index,
                         const device_request *request) {
    const device_entry *entry = &list->entries[index];
    device opened;
    cli_error refusal = {""};
    json_begin(document, NULL, '{');
    json_integer(document, "number", index);
    json_text(document, "name", entry->name);
    for (size_t i = 0; i < ROWS; i++)
        rows[i].write(document, &rows[i], entry->id);
    int status = device_open(entry, request, &opened, &refusal);
    json_truth(document, "accepted", status == CLI_DONE);
    json_text(document, "refusal", status == CLI_DONE ? NULL : refusal.text);
    for (size_t i = 0; i < DEVICES_VERDICTS && status == CLI_DONE; i++) {
        const verdict found = devices_verdicts[i].judge(opened.runtime);
        write_verdict(document, devices_verdicts[i].key, &found);
    }
    json_end(document, '}');
    device_close(&opened);
}

/* All that were asked for; index is NULL for all that there are. */
static void tell_devices(const common_options *given, const device_list *list, const size_t *index,
                         size_t count) {
    const device_request request = options_request(given, false);
    json_document document = {.to = stdout};
    if (!given->json) {
        for (size_t i = 0; i < count; i++)
            print_device(list, index != NULL ? index[i] : i, &request);
        return;
    }
    json_begin(&document, NULL, '{');
    json_begin(&document, "devices", '[');
    for (size_t i = 0; i < count; i++)
        write_device(&document, list, index != NULL ? index[i] : i, &request);
    json_end(&document, ']');
    json_end(&document, '}');
}

/* ---- The command --------------------------------------------------------------------------- */

static int run(const command *self, int argc, char **argv, cli_error *error) {
    common_options given = {0};
    device_list list = {0};
    double began = tally_clock();
    size_t index[TALLY_DEVICES_MAX];
    uint32_t count = 0;
    int status = options_parse(self, argc, argv, &given, error);
    if (status == CLI_DONE)
        status = device_list_load(&list, error);
    if (status == CLI_DONE && given.device != NULL)
        status = several_find(&list, given.device, index, &count, error);
    const bool chosen = given.device != NULL;
    if (status == CLI_DONE)
        tell_devices(&given, &list, chosen ? index : NULL, chosen ? count : list.count);
    device_list_free(&list);
    if (status == CLI_DONE && given.time)
        fprintf(stderr, "wall %.3f ms\n", (tally_clock() - began) * 1e3);
    return status;
}

static const help_example examples[] = {
    {"tally devices", "what can run here, and with the guaranteed bits or not"},
    {"tally devices --json", "the same for other programs"},
    {NULL, NULL},
};

const command command_devices = {
    .name = "devices",
    .synopsis = "",
    .summary = "List the OpenCL devices, whether Tally accepts them, and their bits",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .kind = COMMAND_ASKS,
    .run = run,
};
