/*
 * The table of data types, read from dtype.def.
 */
#include "model/dtype.h"

/* Narrow types are computed with in 32 bits. */
#define COMPUTE_BYTES(bytes) ((bytes) < 4 ? 4 : (bytes))

#define TALLY_DTYPE(enumerator, name, bytes, class, storage, compute, key, key_lowest, lowest,     \
                    highest)                                                                       \
    [TALLY_##enumerator] = {#name,    bytes, COMPUTE_BYTES(bytes), TALLY_##class, #storage,        \
                            #compute, #key,  #key_lowest,          #lowest,       #highest},
static const tally_dtype_row rows[] = {
#include "model/dtype.def"
};
#undef TALLY_DTYPE

const tally_dtype_row *tally_dtype_find(tally_dtype dtype) {
    size_t index = (size_t)dtype;
    if (index >= sizeof rows / sizeof rows[0] || rows[index].name == NULL)
        return NULL;
    return &rows[index];
}

tally_dtype tally_dtype_unsigned(uint32_t bytes) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].name != NULL && rows[i].class == TALLY_UNSIGNED && rows[i].bytes == bytes)
            return (tally_dtype)i;
    return TALLY_DTYPE_NONE;
}
