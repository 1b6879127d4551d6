/*
 * frozen.c: what of tally.h, part.h and stream.h never changes, on a 64-bit machine: structs
 * without a struct_size, and the width of enumerations, also where a compiler would make them as
 * small as their values. Held by the compiler; it is not run.
 */
#include <tally/part.h>
#include <tally/stream.h>

#include "hold.h"

SIZE(tally_status, 4);
SIZE(tally_dtype, 4);
SIZE(tally_function, 4);
SIZE(tally_tie, 4);
SIZE(tally_nan, 4);
SIZE(tally_family, 4);
SIZE(tally_fault, 4);
SIZE(tally_log_level, 4);
SIZE(tally_single_pass, 4);
SIZE(tally_cut_kind, 4);
SIZE(bool, 1);

#if UINTPTR_MAX > 0xFFFFFFFFu
SIZE(tally_tensor, 144);
AT(tally_tensor, rank, 4);
AT(tally_tensor, flags, 8);
AT(tally_tensor, size, 16);
AT(tally_tensor, stride, 80);
SIZE(tally_scalar, 8);

SIZE(tally_error, 512);
AT(tally_error, cl_code, 4);
AT(tally_error, message, 8);
AT(tally_error, fault, 504);
AT(tally_error, reserved, 508);

SIZE(tally_view, 40);
AT(tally_view, pointer, 8);
AT(tally_view, offset, 16);
AT(tally_view, reserved, 24);
SIZE(tally_binding, 120);
AT(tally_binding, output, 40);
AT(tally_binding, scratch, 80);

#endif

/*
 * Where a struct may grow its size comes first, and nothing is behind its last member: a new one in
 * padding would be what old callers left there.
 */
#define TIGHT(type, last) HOLD(offsetof(type, last) + sizeof(((type *)0)->last) == sizeof(type))
TIGHT(tally_config, allocator);
TIGHT(tally_allocator, user);
TIGHT(tally_overrides, single_pass);
TIGHT(tally_stats, cache_writes);
TIGHT(tally_numerics, reasons);
TIGHT(tally_scans, reason);
TIGHT(tally_recording, update_reason);
TIGHT(tally_device_limits, reserved);
TIGHT(tally_estimate, scratch);
TIGHT(tally_desc, diagonal);
TIGHT(tally_reduce, reserved);
TIGHT(tally_cumulative, reserved);
TIGHT(tally_diagonal, end);
TIGHT(tally_cut, key);
TIGHT(tally_part, output);
TIGHT(tally_part_binding, carry);
TIGHT(tally_source, user);
TIGHT(tally_sink, user);
TIGHT(tally_stream, reserved);
TIGHT(tally_stream_plan, least_memory);
AT(tally_config, struct_size, 0);
AT(tally_allocator, struct_size, 0);
AT(tally_overrides, struct_size, 0);
AT(tally_stats, struct_size, 0);
AT(tally_numerics, struct_size, 0);
AT(tally_scans, struct_size, 0);
AT(tally_recording, struct_size, 0);
AT(tally_device_limits, struct_size, 0);
AT(tally_estimate, struct_size, 0);
AT(tally_desc, struct_size, 0);
AT(tally_reduce, struct_size, 0);
AT(tally_cumulative, struct_size, 0);
AT(tally_diagonal, struct_size, 0);
AT(tally_cut, struct_size, 0);
AT(tally_part, struct_size, 0);
AT(tally_part_binding, struct_size, 0);
AT(tally_source, struct_size, 0);
AT(tally_sink, struct_size, 0);
AT(tally_stream, struct_size, 0);
AT(tally_stream_plan, struct_size, 0);
