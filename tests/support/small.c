/*
 * small.c: rows of a table made memory, and a comparison of bits.
 */
#include "small.h"

#include <inttypes.h>
#include <stdlib.h>

#include <check.h>

#include "call.h"
#include "describe.h"
#include "fixture.h"
#include "number.h"
#include "shape.h"

const small_float small_floats[SMALL_FLOATS] = {
    {TALLY_F16,
     0x8000,
     0x3C00,
     0x4000,
     0x4400,
     0x4C00,
     0x7C00,
     0x7E00,
     {0x7FFF, 0xFE00, 0x7C01, 0xFD55}},
    {TALLY_F32,
     0x80000000,
     0x3F800000,
     0x40000000,
     0x40800000,
     0x41800000,
     0x7F800000,
     0x7FC00000,
     {0x7FFFFFFF, 0xFFC00000, 0x7F800001, 0xFFABCDEF}},
    {TALLY_F64,
     0x8000000000000000,
     0x3FF0000000000000,
     0x4000000000000000,
     0x4010000000000000,
     0x4030000000000000,
     0x7FF0000000000000,
     0x7FF8000000000000,
     {0x7FFFFFFFFFFFFFFF, 0xFFF8000000000000, 0x7FF0000000000001, 0xFFF56789ABCDEF01}},
};

/* ---- Float64 ------------------------------------------------------------------------------- */

/* True if the device computes with the type. If not, the refusal of the call has been checked. */
static bool computes(tally_dtype dtype, tally_status (*create)(const void *desc, tally_op **op),
                     const void *desc) {
    tally_op *op = NULL;
    if (dtype != TALLY_F64 || fixture_get()->has_f64) {
        return true;
    }
    ck_assert_int_eq(create(desc, &op), TALLY_UNSUPPORTED);
    return false;
}

static tally_status create_reduce(const void *desc, tally_op **op) {
    return tally_reduce_create(fixture_get()->runtime, desc, op, NULL);
}

static tally_status create_cumulative(const void *desc, tally_op **op) {
    return tally_cumulative_create(fixture_get()->runtime, desc, op, NULL);
}

bool small_reduce(const tally_reduce *desc, const void *input, void *output) {
    const bool runs = computes(desc->input.dtype, create_reduce, desc);
    if (runs) {
        call_reduce(desc, input, output);
    }
    return runs;
}

bool small_cumulative(const tally_cumulative *desc, const void *input, void *output) {
    const bool runs = computes(desc->input.dtype, create_cumulative, desc);
    if (runs) {
        call_cumulative(desc, input, output);
    }
    return runs;
}

/* ---- Tables -------------------------------------------------------------------------------- */

static uint64_t row_length(const small_fold *row) {
    return row->length > 0 ? row->length : row->count;
}

static unsigned char *make_row(const small_fold *row) {
    const size_t bytes = number_bytes(row->dtype), length = (size_t)row_length(row);
    unsigned char *elements = malloc(length * bytes + 1); /* a row of nothing is legal too */
    ck_assert_msg(elements != NULL, "no memory for a row of %zu elements", length);
    for (size_t k = 0; k < length; k++) {
        number_store(row->dtype, elements + k * bytes, row->fill);
    }
    for (uint32_t k = 0; k < row->count; k++) {
        const uint64_t place = row->length > 0 ? row->place[k] : k;
        number_store(row->dtype, elements + place * bytes, row->x[k]);
    }
    return elements;
}

void small_check_folds(const small_fold *rows, size_t count) {
    ck_assert_uint_gt(count, 0);
    for (size_t k = 0; k < count; k++) {
        const small_fold *row = &rows[k];
        unsigned char *elements = make_row(row);
        uint64_t memory = 0;
        tally_reduce desc = shape_reduce(row->function, row->dtype, SHAPE(row_length(row)), 1);
        desc.nan = row->nan;
        desc.tie = row->tie;
        if (small_reduce(&desc, elements, &memory)) {
            const uint64_t bits = number_load(desc.output.dtype, &memory);
            ck_assert_msg(bits == row->result,
                          "row %zu, %s of %s: 0x%" PRIx64 ", and should be 0x%" PRIx64, k,
                          describe_function(row->function), number_type_of(row->dtype)->name, bits,
                          row->result);
        }
        free(elements);
    }
}

void small_check_scans(const small_scan *rows, size_t count) {
    ck_assert_uint_gt(count, 0);
    for (size_t k = 0; k < count; k++) {
        const small_scan *row = &rows[k];
        const size_t bytes = number_bytes(row->dtype);
        unsigned char x[SMALL_MOST * 8], results[SMALL_MOST * 8];
        tally_cumulative desc = shape_scan(row->function, row->dtype, SHAPE(row->count), 0);
        desc.descending = row->descending;
        desc.exclusive = row->exclusive;
        desc.nan = row->nan;
        for (uint32_t i = 0; i < row->count; i++) {
            number_store(row->dtype, x + i * bytes, row->x[i]);
        }
        const bool ran = small_cumulative(&desc, x, results);
        for (uint32_t i = 0; ran && i < row->count; i++) {
            const uint64_t bits = number_load(row->dtype, results + i * bytes);
            ck_assert_msg(bits == row->result[i],
                          "row %zu, scan by %s of %s, place %" PRIu32 ": 0x%" PRIx64
                          ", and should be 0x%" PRIx64,
                          k, describe_function(row->function), number_type_of(row->dtype)->name, i,
                          bits, row->result[i]);
        }
    }
}
