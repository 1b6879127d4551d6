/*
 * What a device is, from its own words: whether Tally can run on it, and within which limits.
 */
#include "device/device.h"

#include <string.h>

#include "device/clerror.h"
#include "device/query.h"

static tally_status check_version(cl_device_id id, tally_error *error) {
    char text[TALLY_QUERY_VERSION_BYTES];
    int version = 0;
    tally_status status = tally_query_version(id, text, &version, error);
    if (status == TALLY_OK && version < 12)
        return tally_fail(error, TALLY_UNSUPPORTED,
                          "the device has version '%s', but Tally needs OpenCL 1.2", text);
    return status;
}

static tally_status check_profile(cl_device_id id, tally_error *error) {
    char profile[64] = "";
    tally_status status = TALLY_QUERY(id, CL_DEVICE_PROFILE, profile, error);
    if (status != TALLY_OK)
        return status;
    profile[sizeof profile - 1] = '\0';
    if (profile[0] != 'F')
        return tally_fail(error, TALLY_UNSUPPORTED,
                          "the device has profile %s, but Tally needs FULL_PROFILE", profile);
    return TALLY_OK;
}

static tally_status check_flags(cl_device_id id, tally_error *error) {
    const struct {
        cl_device_info what;
        const char *call;
        const char *refusal;
    } needs[] = {
        {CL_DEVICE_AVAILABLE, TALLY_QUESTION(CL_DEVICE_AVAILABLE), "the device is not available"},
        {CL_DEVICE_COMPILER_AVAILABLE, TALLY_QUESTION(CL_DEVICE_COMPILER_AVAILABLE),
         "the device has no compiler, and Tally builds its kernels from source"},
        {CL_DEVICE_ENDIAN_LITTLE, TALLY_QUESTION(CL_DEVICE_ENDIAN_LITTLE),
         "the device is big-endian, and Tally supports little-endian devices only"},
    };
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        cl_bool has = CL_FALSE;
        tally_status status =
            tally_query(id, needs[i].what, needs[i].call, &has, sizeof has, error);
        if (status != TALLY_OK)
            return status;
        if (!has)
            return tally_fail(error, TALLY_UNSUPPORTED, "%s", needs[i].refusal);
    }
    return TALLY_OK;
}

/* A group is one-dimensional here: both the total and the first dimension's limit bind. */
static tally_status query_group(cl_device_id id, const tally_allocator *allocator,
                                tally_limits *limits, tally_error *error) {
    size_t total = 0;
    void *sizes = NULL;
    tally_status status = TALLY_QUERY(id, CL_DEVICE_MAX_WORK_GROUP_SIZE, total, error);
    if (status == TALLY_OK)
        status = TALLY_QUERY_LIST(id, allocator, CL_DEVICE_MAX_WORK_ITEM_SIZES, &sizes, error);
    if (status != TALLY_OK)
        return status;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): else the status says why not */
    const size_t first = *(const size_t *)sizes;
    limits->group_max = first < total ? first : total;
    tally_host_give(allocator, sizes);
    return TALLY_OK;
}

/* Optional before OpenCL 3.0: a device that does not know the question has no fp64. */
static tally_status query_f64(cl_device_id id, bool *has, tally_error *error) {
    cl_device_fp_config fp64 = 0;
    cl_int code = clGetDeviceInfo(id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof fp64, &fp64, NULL);
    *has = code == CL_SUCCESS && fp64 != 0;
    return code == CL_INVALID_VALUE
               ? TALLY_OK
               : tally_cl_check(code, TALLY_QUESTION(CL_DEVICE_DOUBLE_FP_CONFIG), error);
}

/*
 * The kernels that suit a kind of device: the first row that it meets, else those of GPUs. A
 * platform stands here by name for what it gets wrong.
 */
static const struct {
    const char *platform; /* NULL: any */
    cl_device_type type;
    tally_family family;
} families[] = {
    /* Mesa 22.3's compiler for CPUs ends the process at prefetches and at vectors of 32 elements,
     * and makes wrong code of fill_cpu_lines and fold_cpu_packed. The kernels of GPUs are right
     * there. */
    {"rusticl", CL_DEVICE_TYPE_CPU, TALLY_FAMILY_GPU},
    {NULL, CL_DEVICE_TYPE_CPU, TALLY_FAMILY_CPU},
};

static tally_family find_family(const char *platform, cl_device_type type) {
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        if ((type & families[i].type) != 0 &&
            (families[i].platform == NULL || strcmp(platform, families[i].platform) == 0))
            return families[i].family;
    return TALLY_FAMILY_GPU;
}

static tally_status query_family(cl_device_id id, tally_family *family, tally_error *error) {
    char name[64] = "";
    cl_platform_id platform = NULL;
    cl_device_type type = 0;
    tally_status status = TALLY_QUERY(id, CL_DEVICE_TYPE, type, error);
    if (status == TALLY_OK)
        status = tally_query_platform(id, &platform, CL_PLATFORM_NAME, name, sizeof name, error);
    if (status == TALLY_OK)
        *family = find_family(name, type);
    return status;
}

static tally_status query_limits(cl_device_id id, const tally_allocator *allocator,
                                 tally_limits *limits,
                                 /* NOLINTNEXTLINE(readability-non-const-parameter): TALLY_QUERY */
                                 cl_device_fp_config *single, tally_error *error) {
    cl_ulong local = 0;
    cl_uint units = 0, bits = 0;
    bool has_long_words = false;
    tally_status status = query_family(id, &limits->family, error);
    if (status == TALLY_OK)
        status = TALLY_QUERY(id, CL_DEVICE_LOCAL_MEM_SIZE, local, error);
    if (status == TALLY_OK)
        status = TALLY_QUERY(id, CL_DEVICE_MAX_COMPUTE_UNITS, units, error);
    if (status == TALLY_OK)
        status = TALLY_QUERY(id, CL_DEVICE_ADDRESS_BITS, bits, error);
    if (status == TALLY_OK)
        status = TALLY_QUERY(id, CL_DEVICE_SINGLE_FP_CONFIG, *single, error);
    if (status == TALLY_OK)
        status = query_group(id, allocator, limits, error);
    if (status == TALLY_OK)
        status = query_f64(id, &limits->has_f64, error);
    if (status == TALLY_OK)
        status = tally_query_extension(id, allocator, "cl_khr_int64_base_atomics", &has_long_words,
                                       error);
    if (status != TALLY_OK)
        return status;
    limits->local_bytes = local;
    limits->units = units > 0 ? units : 1; /* a driver that says none has one */
    limits->address_bits = bits;
    limits->word_bytes = has_long_words ? 8 : 4;
    return TALLY_OK;
}

tally_status tally_device_probe(cl_device_id id, const tally_allocator *allocator,
                                tally_limits *limits, const char **build_options,
                                tally_error *error) {
    cl_device_fp_config single = 0;
    tally_status status = check_version(id, error);
    if (status == TALLY_OK)
        status = check_profile(id, error);
    if (status == TALLY_OK)
        status = check_flags(id, error);
    if (status == TALLY_OK)
        status = query_limits(id, allocator, limits, &single, error);
    *build_options = (single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0
                         ? "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt "
                           "-DTALLY_ROUNDS_CORRECTLY=1"
                         : "-cl-std=CL1.2 -DTALLY_ROUNDS_CORRECTLY=0";
    return status;
}
