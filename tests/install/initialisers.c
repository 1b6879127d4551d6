/*
 * tests/install/initialisers.c: every initialiser of the public headers, compiled as C11 and as
 * C++11. It is not run.
 */
#include <tally/part.h>
#include <tally/stream.h>
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
    tally_device_limits limits = TALLY_DEVICE_LIMITS_INIT;
    tally_config config = TALLY_CONFIG_INIT;
    tally_overrides overrides = TALLY_OVERRIDES_INIT;
    tally_stats stats = TALLY_STATS_INIT;
    tally_numerics numerics = TALLY_NUMERICS_INIT;
    tally_scans scans = TALLY_SCANS_INIT;
    tally_recording recording = TALLY_RECORDING_INIT;
    tally_desc desc = TALLY_DESC_INIT;
    tally_estimate estimate = TALLY_ESTIMATE_INIT;
    tally_error error = TALLY_ERROR_INIT;
    tally_view view = TALLY_VIEW_INIT;
    tally_binding binding = TALLY_BINDING_INIT;
    tally_cut cut = TALLY_CUT_INIT;
    tally_part part = TALLY_PART_INIT;
    tally_part_binding part_binding = TALLY_PART_BINDING_INIT;
    tally_source source = TALLY_SOURCE_INIT;
    tally_sink sink = TALLY_SINK_INIT;
    tally_stream stream = TALLY_STREAM_INIT;
    tally_stream_plan plan = TALLY_STREAM_PLAN_INIT;
    return tensor.rank + reduce.struct_size + cumulative.struct_size + diagonal.struct_size +
           limits.struct_size + config.struct_size + overrides.struct_size + stats.struct_size +
           numerics.struct_size + scans.struct_size + recording.struct_size + desc.struct_size +
           estimate.struct_size + error.reserved + TALLY_VERSION + cut.struct_size +
           part.struct_size + part_binding.struct_size + source.struct_size + sink.struct_size +
           stream.struct_size + plan.struct_size +
           (TALLY_CACHE_LIMIT > view.offset + binding.input.offset ? 1 : 0);
}

#ifdef __cplusplus
}
#endif
