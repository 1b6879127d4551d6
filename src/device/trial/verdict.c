/*
 * The verdict on a device's arithmetic: which results of the numerics probe are not what they must
 * be, in words.
 */
#include "device/trial/verdict.h"

#include <inttypes.h>

#include "device/trial/numerics.h"
#include "model/dtype.h"
#include "plan/program/source.h"

/* What has to be said of a device where a check of the property fails. */
static const char *const complaints[TALLY_PROPERTIES] = {
    [TALLY_PROPERTY_CONTRACTION] = "products and sums are fused",
    [TALLY_PROPERTY_REASSOCIATION] = "the order of operations is changed",
    [TALLY_PROPERTY_ROUNDING] = "results are not rounded to nearest, ties to even",
    [TALLY_PROPERTY_OVERFLOW] = "overflow does not give infinity",
    [TALLY_PROPERTY_DENORMAL] = "denormals are not kept",
    [TALLY_PROPERTY_QUOTIENT] = "quotients are not correctly rounded",
    [TALLY_PROPERTY_SQUARE_ROOT] = "square roots are not correctly rounded",
    [TALLY_PROPERTY_SIGNED_ZERO] = "the sign of zero is lost",
    [TALLY_PROPERTY_NAN_KNOWN] = "NaN is not told from numbers",
    [TALLY_PROPERTY_NAN_BITS] = "NaN is stored with other bits",
    [TALLY_PROPERTY_INTEGER] = "integers are not converted to the nearest number",
    [TALLY_PROPERTY_CONVERSION] = "float16 is not converted exactly",
    [TALLY_PROPERTY_EXPONENTIAL] = "exp has other bits",
    [TALLY_PROPERTY_LOGARITHM] = "log has other bits",
};

static const struct {
    const char *formula;
    int operands;
    bool is_predicate;
} operations[TALLY_PROBE_OPERATIONS] = {
    [TALLY_PROBE_LOAD] = {"the load", 1, false},
    [TALLY_PROBE_UNPACK] = {"the load in a pack", 1, false},
    [TALLY_PROBE_STORE] = {"the store", 1, false},
    [TALLY_PROBE_COUNT] = {"the conversion", 1, false},
    [TALLY_PROBE_ADD] = {"a + b", 2, false},
    [TALLY_PROBE_MULTIPLY] = {"a * b", 2, false},
    [TALLY_PROBE_MULTIPLY_ADD] = {"a * b + c", 3, false},
    [TALLY_PROBE_SUBTRACT_PRODUCT] = {"a - b * c", 3, false},
    [TALLY_PROBE_SUM_SQUARES] = {"a * a + b * b + c * c", 3, false},
    [TALLY_PROBE_ADD_ADD] = {"(a + b) + c", 3, false},
    [TALLY_PROBE_ADD_BACK] = {"(a + b) - b", 2, false},
    [TALLY_PROBE_PRODUCT] = {"(a * b) * c", 3, false},
    [TALLY_PROBE_LESS] = {"a < b", 2, true},
    [TALLY_PROBE_NAN_SUM] = {"isnan(a + b)", 2, true},
    [TALLY_PROBE_DIVIDE] = {"a / b", 2, false},
    [TALLY_PROBE_SQRT] = {"sqrt(a)", 1, false},
    [TALLY_PROBE_EXP] = {"exp(a)", 1, false},
    [TALLY_PROBE_LOG] = {"log(a)", 1, false},
};

/* Hexadecimal digits of a check's operands. */
static int operand_digits(const tally_probe_check *check) {
    bool is_element =
        check->operation == TALLY_PROBE_LOAD || check->operation == TALLY_PROBE_UNPACK;
    const tally_dtype_row *type = tally_dtype_find(check->dtype);
    if (check->operation == TALLY_PROBE_COUNT)
        return 16;
    return (int)(2 * (is_element ? type->bytes : type->compute_bytes));
}

static int result_digits(const tally_probe_check *check) {
    int digits = 0;
    for (uint64_t mask = tally_probe_mask(check); mask != 0; mask >>= 4)
        digits++;
    return operations[check->operation].is_predicate ? 1 : digits;
}

/* "f32: denormals are not kept: a * b of 0x00000003 and 0x3F000000 is 0x00000000, not 0x00000002"
 */
static void complain(const tally_probe_check *check, uint64_t result, tally_text *reasons) {
    int operands = operations[check->operation].operands, digits = result_digits(check);
    tally_text_format(reasons, "%s: %s: %s of", tally_dtype_find(check->dtype)->name,
                      complaints[check->property], operations[check->operation].formula);
    for (int i = 0; i < operands; i++)
        tally_text_format(reasons, "%s 0x%0*" PRIX64,
                          i == 0              ? ""
                          : i == operands - 1 ? " and"
                                              : ",",
                          operand_digits(check), check->operand[i]);
    tally_text_format(reasons, " is 0x%0*" PRIX64 ", not 0x%0*" PRIX64 "\n", digits, result, digits,
                      check->expected);
}

uint32_t tally_verdict_judge(tally_dtype dtype, const uint64_t *results, tally_text *reasons) {
    uint32_t count = 0, failures = 0;
    const tally_probe_check *checks = tally_probe_checks(dtype, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (results[i] == checks[i].expected)
            continue;
        failures++;
        complain(&checks[i], results[i], reasons);
    }
    return failures;
}

bool tally_verdict_init(tally_verdict *verdict) {
    *verdict = (tally_verdict){0};
    return tally_lock_init(&verdict->lock);
}

void tally_verdict_free(tally_verdict *verdict) {
    tally_text_free(&verdict->reasons);
    tally_lock_destroy(&verdict->lock);
}

/* Floats have checks, those of float64 where the device has its arithmetic. */
static bool is_probed(tally_dtype dtype, bool has_f64) {
    const tally_dtype_row *type = tally_dtype_find(dtype);
    return type->class == TALLY_FLOATING && (type->compute_bytes < 8 || has_f64);
}

/* Integers, and of the floats those whose checks, and whose arithmetic's, all came out right. */
static uint32_t kept_dtypes(const uint32_t failures[TALLY_DTYPES_MAX], bool has_f64) {
    uint32_t kept = 0;
    const tally_dtype_row *type;
    for (int i = 1; (type = tally_dtype_find((tally_dtype)i)) != NULL; i++) {
        const tally_dtype arithmetic = type->compute_bytes < 8 ? TALLY_F32 : TALLY_F64;
        const bool right =
            is_probed((tally_dtype)i, has_f64) && failures[i] == 0 && failures[arithmetic] == 0;
        if (type->class != TALLY_FLOATING || right)
            kept |= TALLY_BIT(i);
    }
    return kept;
}

/* Run the checks of one type, and judge them. */
static tally_status probe(tally_device *device, tally_dtype dtype, uint32_t *failures,
                          tally_text *reasons, tally_error *error) {
    uint64_t results[TALLY_PROBE_CHECKS_MAX] = {0};
    tally_text source = tally_text_from(&device->allocator);
    tally_source_write_probe(dtype, device->limits.family == TALLY_FAMILY_CPU, &source);
    tally_status status = source.failed
                              ? tally_fail_memory(error, "the numerics probe's source")
                              : tally_numerics_run(device, dtype, source.data, results, error);
    tally_text_free(&source);
    if (status == TALLY_OK)
        *failures = tally_verdict_judge(dtype, results, reasons);
    return status;
}

/* The verdict is known only if all of it came about: what failed is tried again when asked again.
 */
static tally_status find_verdict(tally_device *device, tally_verdict *verdict, tally_error *error) {
    uint32_t failures[TALLY_DTYPES_MAX] = {0}, checks = 0, failed = 0;
    tally_text reasons = tally_text_from(&device->allocator);
    tally_status status = TALLY_OK;
    tally_text_add(&reasons, ""); /* a text, even if there is no reason */
    for (int i = 1; tally_dtype_find((tally_dtype)i) != NULL && status == TALLY_OK; i++) {
        const tally_dtype dtype = (tally_dtype)i;
        uint32_t count = 0;
        if (!is_probed(dtype, device->limits.has_f64))
            continue;
        tally_probe_checks(dtype, &count);
        checks += count;
        status = probe(device, dtype, &failures[i], &reasons, error);
        failed += failures[i];
    }
    if (status == TALLY_OK && reasons.failed)
        status = tally_fail_memory(error, "the numerics probe's reasons");
    if (status != TALLY_OK) {
        tally_text_free(&reasons);
        return status;
    }
    verdict->known = true;
    verdict->dtypes = kept_dtypes(failures, device->limits.has_f64);
    verdict->checks = checks;
    verdict->failures = failed;
    verdict->reasons = reasons;
    return TALLY_OK;
}

tally_status tally_verdict_ask(tally_verdict *verdict, tally_device *device,
                               tally_numerics *numerics, tally_error *error) {
    tally_lock_acquire(&verdict->lock);
    tally_status status = verdict->known ? TALLY_OK : find_verdict(device, verdict, error);
    if (status == TALLY_OK) {
        numerics->guaranteed = verdict->failures == 0;
        numerics->dtypes = verdict->dtypes;
        numerics->checks = verdict->checks;
        numerics->failures = verdict->failures;
        numerics->reasons = verdict->reasons.data;
    }
    tally_lock_release(&verdict->lock);
    return status;
}
