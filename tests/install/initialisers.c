/*
 * tests/install/initialisers.c: every initialiser of the public headers, compiled as C11 and as
 * C++11. It is not run.
 */
#include <tally/tally.h>
#include <tally/types.h>

#ifdef __cplusplus
extern "C" {
#endif

uint32_t tally_check_initialisers(void);

uint32_t tally_check_initialisers(void) {
    tally_tensor tensor = TALLY_TENSOR_INIT;
    tally_reduce reduce = TALLY_REDUCE_INIT;
    tally_cumulative cumulative = TALLY_CUMULATIVE_INIT;
    tally_diagonal diagonal = TALLY_DIAGONAL_INIT;
    tally_config config = TALLY_CONFIG_INIT;
    tally_binding binding = TALLY_BINDING_INIT;
    return tensor.rank + reduce.struct_size + cumulative.struct_size + diagonal.struct_size +
           config.struct_size + (uint32_t)binding.input.offset + (uint32_t)TALLY_VERSION;
}

#ifdef __cplusplus
}
#endif
