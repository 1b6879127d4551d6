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
#include "cli/progress.h"
#include "cli/several/several.h"

typedef struct devices_options {
    common_options common;
} devices_options;

/* ---- The rows of a device's table ---------------------------------------------------------- */

static void print_text(cl_device_id id, cl_device_info what) {
    char *text = device_text(id, what);
    printf("%s\n", text != NULL ? text : "");
    free(text);
}

static void print_count(cl_device_id id, cl_device_info what) {
    printf("%" PRIu64 "\n", (uint64_t)device_number(id, what));
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

static void print_type(cl_device_id id, cl_device_info what) {
    static const struct {
        cl_device_type type;
        const char *name;
    } types[] = {{CL_DEVICE_TYPE_CPU, "CPU"},
                 {CL_DEVICE_TYPE_GPU, "GPU"},
                 {CL_DEVICE_TYPE_ACCELERATOR, "accelerator"},
                 {CL_DEVICE_TYPE_CUSTOM, "custom"}};
    cl_device_type type = device_number(id, what);
    const char *name = "unknown";
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if ((type & types[i].type) != 0)
            name = types[i].name;
    printf("%s\n", name);
}

/* Of a bit field that is empty where there is no support. */
static void print_support(cl_device_id id, cl_device_info what) {
    printf("%s\n", device_number(id, what) != 0 ? "yes" : "no");
}

static void print_platform(cl_device_id id, cl_device_info what) {
    cl_platform_id platform = NULL;
    char text[256] = "";
    if (clGetDeviceInfo(id, what, sizeof platform, &platform, NULL) == CL_SUCCESS)
        clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof text, text, NULL);
    printf("%s\n", text);
}

static const struct {
    const char *label;
    void (*print)(cl_device_id id, cl_device_info what);
    cl_device_info what;
} rows[] = {
    {"vendor", print_text, CL_DEVICE_VENDOR},
    {"platform", print_platform, CL_DEVICE_PLATFORM},
    {"driver", print_text, CL_DRIVER_VERSION},
    {"version", print_text, CL_DEVICE_VERSION},
    {"type", print_type, CL_DEVICE_TYPE},
    {"compute units", print_count, CL_DEVICE_MAX_COMPUTE_UNITS},
    {"global memory", print_bytes, CL_DEVICE_GLOBAL_MEM_SIZE},
    {"local memory", print_bytes, CL_DEVICE_LOCAL_MEM_SIZE},
    {"largest buffer", print_bytes, CL_DEVICE_MAX_MEM_ALLOC_SIZE},
    {"work-group limit", print_count, CL_DEVICE_MAX_WORK_GROUP_SIZE},
    {"fp64", print_support, CL_DEVICE_DOUBLE_FP_CONFIG},
};

/* A label, the first line of a text beside it and the others below that. */
static void print_lines(const char *label, const char *text) {
    while (*text != '\0') {
        int length = (int)strcspn(text, "\n");
        printf("    %-18s%.*s\n", label, length, text);
        text += length + (text[length] == '\n');
        label = "";
    }
}

static void print_numerics(tally_runtime *runtime) {
    tally_numerics numerics = TALLY_NUMERICS_INIT;
    tally_error error;
    char verdict[640];
    if (tally_runtime_numerics(runtime, &numerics, &error) != TALLY_OK)
        snprintf(verdict, sizeof verdict, "unknown: %s", error.message);
    else if (numerics.guaranteed)
        snprintf(verdict, sizeof verdict, "yes");
    else
        snprintf(verdict, sizeof verdict, "no: %" PRIu32 " of %" PRIu32 " items are wrong",
                 numerics.failures, numerics.checks);
    print_lines("guaranteed bits", verdict);
    if (numerics.reasons != NULL)
        print_lines("", numerics.reasons);
}

static void print_scans(tally_runtime *runtime) {
    tally_scans scans = TALLY_SCANS_INIT;
    tally_error error;
    char verdict[640];
    if (tally_runtime_scans(runtime, &scans, &error) != TALLY_OK)
        snprintf(verdict, sizeof verdict, "unknown: %s", error.message);
    else if (scans.single_pass)
        snprintf(verdict, sizeof verdict, "yes: %" PRIu32 " of %" PRIu32 " groups waited in vain",
                 scans.left, scans.units);
    else
        snprintf(verdict, sizeof verdict, "no: %s", scans.reason);
    print_lines("single-pass scans", verdict);
}

static void print_recording(tally_runtime *runtime) {
    tally_recording recording = TALLY_RECORDING_INIT;
    tally_error error;
    char verdict[640];
    if (tally_runtime_recording(runtime, &recording, &error) != TALLY_OK)
        snprintf(verdict, sizeof verdict, "unknown: %s", error.message);
    else if (recording.supported)
        snprintf(verdict, sizeof verdict, "yes: version %" PRIu32 ".%" PRIu32 ".%" PRIu32,
                 recording.version >> 22, recording.version >> 12 & 0x3FF,
                 recording.version & 0xFFF);
    else
        snprintf(verdict, sizeof verdict, "no: %s", recording.reason);
    print_lines("command buffers", verdict);
}

static void print_device(const device_list *list, size_t index, const device_request *request) {
    const device_entry *entry = &list->entries[index];
    device opened;
    cli_error refusal = {""};
    printf("%zu: %s\n", index, entry->name);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        printf("    %-18s", rows[i].label);
        rows[i].print(entry->id, rows[i].what);
    }
    int status = device_open(entry, request, &opened, &refusal);
    printf("    %-18s%s%s\n", "accepted", status == CLI_DONE ? "yes" : "no: ", refusal.text);
    if (status == CLI_DONE) {
        print_numerics(opened.runtime);
        print_scans(opened.runtime);
        print_recording(opened.runtime);
    }
    device_close(&opened);
}

/* ---- The command --------------------------------------------------------------------------- */

static int run(const command *self, int argc, char **argv, cli_error *error) {
    devices_options given = {0};
    device_list list = {0};
    double began = progress_clock();
    size_t index[TALLY_DEVICES_MAX];
    uint32_t count = 0;
    int status = options_parse(self, argc, argv, &given, error);
    if (status == CLI_DONE)
        status = device_list_load(&list, error);
    if (status == CLI_DONE && given.common.device != NULL)
        status = several_find(&list, given.common.device, index, &count, error);
    const device_request request = options_request(&given.common, false);
    const size_t shown = given.common.device != NULL ? count : list.count;
    for (size_t i = 0; i < shown && status == CLI_DONE; i++)
        print_device(&list, given.common.device != NULL ? index[i] : i, &request);
    device_list_free(&list);
    if (status == CLI_DONE && given.common.time)
        fprintf(stderr, "wall %.3f ms\n", (progress_clock() - began) * 1e3);
    return status;
}

static const help_example examples[] = {
    {"tally devices", "what can run here, and with the guaranteed bits or not"},
    {NULL, NULL},
};

const command command_devices = {
    .name = "devices",
    .synopsis = "",
    .summary = "List the OpenCL devices, whether Tally accepts them, and their bits",
    .examples = examples,
    .kind = COMMAND_ASKS,
    .run = run,
};
