/*
 * The table of functions, read from monoid.def, and the legal type pairs that follow from it.
 */
#include "model/monoid.h"

#include "model/dtype.h"

/* Sets of types, from the table of types: those for which HAS holds. */
#define TALLY_DTYPE(enumerator, name, bytes, class, storage, compute, key, key_lowest, lowest,     \
                    highest)                                                                       \
    | (HAS(bytes, TALLY_##class) ? TALLY_BIT(TALLY_##enumerator) : 0)
#define HAS(bytes, class) ((class) == TALLY_FLOATING)
enum {
    TYPES_REAL = 0
#include "model/dtype.def"
};
#undef HAS
#define HAS(bytes, class) ((class) != TALLY_FLOATING && (bytes) >= 4)
enum {
    TYPES_INDEX = 0
#include "model/dtype.def"
};
#undef HAS
#define HAS(bytes, class) true
enum {
    TYPES_ORDERED = 0
#include "model/dtype.def"
};
#undef HAS
#undef TALLY_DTYPE
#define TYPES_WIDE (TYPES_REAL | TYPES_INDEX)

#define SCANS_SCAN true
#define SCANS_FOLD false

#define TALLY_MONOID(enumerator, name, types, state, scan, identity, empty, map, combine,          \
                     finalize)                                                                     \
    [TALLY_##enumerator] = {#name,        TYPES_##types, TALLY_STATE_##state,                      \
                            SCANS_##scan, #identity,     #empty,                                   \
                            #map,         #combine,      #finalize},
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

uint32_t tally_monoid_state_bytes(tally_function function, tally_dtype input,
                                  uint32_t index_bytes) {
    uint32_t compute = tally_dtype_find(input)->compute_bytes;
    switch (tally_monoid_find(function)->state) {
    case TALLY_STATE_INDEXED:
        return 2 * (compute > index_bytes ? compute : index_bytes);
    case TALLY_STATE_SHIFTED:
        return 2 * compute;
    default:
        return compute;
    }
}

bool tally_monoid_is_exact(tally_function function, tally_dtype input) {
    tally_state state = tally_monoid_find(function)->state;
    return state == TALLY_STATE_KEY || state == TALLY_STATE_INDEXED ||
           tally_dtype_find(input)->class != TALLY_FLOATING;
}
