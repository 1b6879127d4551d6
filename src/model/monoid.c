/*
 * The table of functions, read from monoid.def, and the legal type pairs that follow from it.
 */
#include "model/monoid.h"

#include "model/dtype.h"

#define TYPES_REAL (TALLY_BIT(TALLY_F16) | TALLY_BIT(TALLY_F32) | TALLY_BIT(TALLY_F64))
#define TYPES_INDEX                                                                                \
    (TALLY_BIT(TALLY_I32) | TALLY_BIT(TALLY_I64) | TALLY_BIT(TALLY_U32) | TALLY_BIT(TALLY_U64))
#define TYPES_WIDE (TYPES_REAL | TYPES_INDEX)
#define TYPES_ORDERED                                                                              \
    (TYPES_WIDE | TALLY_BIT(TALLY_I8) | TALLY_BIT(TALLY_I16) | TALLY_BIT(TALLY_U8) |               \
     TALLY_BIT(TALLY_U16))
#define SCANS_SCAN true
#define SCANS_FOLD false

#define TALLY_MONOID(enumerator, name, types, state, scan, neutral, empty, map, join, finish)      \
    [TALLY_##enumerator] = {#name,        TYPES_##types, TALLY_STATE_##state,                      \
                            SCANS_##scan, #neutral,      #empty,                                   \
                            #map,         #join,         #finish},
static const tally_monoid rows[] = {
#include "model/monoid.def"
};
#undef TALLY_MONOID

const tally_monoid *tally_monoid_find(tally_function function) {
    size_t index = (size_t)function;
    if (index >= sizeof rows / sizeof rows[0] || rows[index].name == NULL)
        return NULL;
    return &rows[index];
}

tally_status tally_monoid_check_types(tally_function function, tally_dtype input,
                                      tally_dtype output, tally_error *error) {
    const tally_monoid *monoid = tally_monoid_find(function);
    const tally_dtype_row *in = tally_dtype_find(input);
    const tally_dtype_row *out = tally_dtype_find(output);
    if (monoid == NULL)
        return tally_fail(error, TALLY_INVALID, "function %d is none of Tally's functions",
                          (int)function);
    if ((monoid->types & TALLY_BIT(input)) == 0)
        return tally_fail(error, TALLY_INVALID, "%s does not take input of type %s", monoid->name,
                          in->name);
    if (monoid->state != TALLY_STATE_INDEXED && input != output)
        return tally_fail(error, TALLY_INVALID,
                          "%s of %s gives %s, but the output tensor has type %s", monoid->name,
                          in->name, in->name, out->name);
    if (monoid->state == TALLY_STATE_INDEXED && (TYPES_INDEX & TALLY_BIT(output)) == 0)
        return tally_fail(error, TALLY_INVALID,
                          "%s gives an index of type i32, i64, u32 or u64, but the output tensor "
                          "has type %s",
                          monoid->name, out->name);
    return TALLY_OK;
}
