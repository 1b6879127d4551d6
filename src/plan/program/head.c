/*
 * The head of a program: the macros of a spec, the files of cl/ that all kernels share, and the
 * function with what is computed between the elements.
 */
#include "plan/program/head.h"

#include <string.h>

#include "model/dtype.h"
#include "model/monoid.h"
#include "plan/program/function.h"
#include "plan/program/paste.h"

static void write_types(const tally_spec *spec, tally_text *source) {
    const tally_dtype_row *type = tally_dtype_find(spec->input);
    if (strcmp(type->compute, "double") == 0)
        tally_text_add(source, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
    tally_program_define(source, "STORAGE", type->storage);
    tally_program_define(source, "COMPUTE", type->compute);
    tally_program_define(source, "KEY", type->key);
    tally_program_define(source, "KEY_LOWEST", type->key_lowest);
    tally_program_define(source, "LOWEST", type->lowest);
    tally_program_define(source, "HIGHEST", type->highest);
    tally_program_define_number(source, "BYTES", type->bytes);
    const tally_dtype_row *each;
    for (int i = 1; (each = tally_dtype_find((tally_dtype)i)) != NULL; i++)
        tally_text_format(source, "#define TALLY_IS_%s %d\n", each->name, each == type);
    tally_program_define_number(source, "FLOATING", type->class == TALLY_FLOATING);
    tally_program_define_number(source, "SIGNED", type->class == TALLY_SIGNED);
    tally_program_define(source, "INDEX", spec->index_bits == 32 ? "uint" : "ulong");
    tally_program_define_number(source, "INDEX_BITS", spec->index_bits);
    tally_program_define_number(source, "KEPT_RANK", spec->kept_rank);
    tally_program_define_number(source, "SWEPT_RANK", spec->swept_rank);
    tally_program_define_number(source, "GROUP", spec->group);
    tally_program_define_number(source, "ORDER_LEVELS", spec->levels);
    tally_program_define_number(source, "WORD_BYTES", spec->word);
    tally_program_define_number(source, "PARTIAL", spec->part);
    tally_program_define_number(source, "MAPS", tally_spec_is_map(spec));
}

/*
 * The fields of the policy; and what files that all kernels share ask of any policy, where it has
 * no field of that name.
 */
static void write_policy(const tally_spec *spec, tally_text *source) {
    static const struct {
        const char *macro;
        unsigned value;
    } usual[] = {{"PACK_BYTES", 16}};
    const tally_policy_row *policy = tally_spec_policy(spec);
    for (size_t i = 0; i < policy->count; i++)
        tally_program_define_number(source, policy->fields[i].macro, spec->policy.field[i]);
    for (size_t u = 0; u < sizeof usual / sizeof usual[0]; u++) {
        size_t i = 0;
        while (i < policy->count && strcmp(policy->fields[i].macro, usual[u].macro) != 0)
            i++;
        if (i == policy->count)
            tally_program_define_number(source, usual[u].macro, usual[u].value);
    }
}

static bool has_vectors(const tally_spec *spec) {
    return (tally_schedule_find(spec->schedule)->variants & TALLY_VARIANT_VECTORS) != 0;
}

/* Which state the function carries; a fill, which has none, carries nothing. */
static void write_state(const tally_spec *spec, tally_text *source) {
    const tally_monoid *monoid = tally_monoid_find(spec->function);
    tally_state state = monoid != NULL ? monoid->state : TALLY_STATE_VALUE;
    tally_program_define_number(source, "STATE_IS_KEY", state == TALLY_STATE_KEY);
    tally_program_define_number(source, "STATE_IS_INDEXED", state == TALLY_STATE_INDEXED);
    tally_program_define_number(source, "STATE_IS_SHIFTED", state == TALLY_STATE_SHIFTED);
    tally_program_define_number(source, "VECTORS", has_vectors(spec));
}

/* What is computed with between the elements, and by vectors too if the schedule has them. */
static void write_states(const tally_spec *spec, tally_text *source) {
    bool floating = tally_dtype_find(spec->input)->class == TALLY_FLOATING;
    bool vectors = has_vectors(spec);
    if (floating) {
        tally_program_paste(source, "math.cl");
        tally_program_paste(source, "exp.cl");
    }
    if (vectors) {
        tally_program_paste(source, "number_vector.cl");
        tally_program_paste(source, "cache_line.cl");
        tally_program_paste(source, "transpose_vector.cl");
        tally_program_paste(source, "weave.cl");
    }
    if (vectors && floating) {
        tally_program_paste(source, "math_vector.cl");
        tally_program_paste(source, "exp.cl");
        tally_program_paste(source, "math_wide.cl");
        tally_program_paste(source, "exp.cl");
    }
    tally_program_write_function(spec, source);
    tally_program_paste(source, "state.cl");
    if (vectors) {
        tally_program_write_function_all(spec, source);
        tally_program_paste(source, "state_vector.cl");
        tally_program_paste(source, "take_vector.cl");
        tally_program_paste(source, "merge_vector.cl");
        tally_program_paste(source, "extreme_vector.cl");
        if (tally_schedule_find(spec->schedule)->kind == TALLY_KIND_SCAN)
            tally_program_paste(source, "scan_vector.cl");
    }
}

void tally_program_write_head(const tally_spec *spec, tally_text *source) {
    tally_text_add(source, "#pragma OPENCL FP_CONTRACT OFF\n");
    write_types(spec, source);
    write_policy(spec, source);
    tally_program_paste(source, "order.h");
    tally_program_paste(source, "sizes.h");
    tally_program_paste(source, "args.h");
    tally_program_paste(source, "fold_args.h");
    tally_program_paste(source, "scan_args.h");
    tally_program_paste(source, "fill_args.h");
    tally_program_paste(source, "units.h");
    tally_program_define(source, "ARGS", tally_spec_args_type(spec));
    tally_text_format(source,
                      "typedef char tally_assert_args[sizeof(TALLY_ARGS) == %u ? 1 : -1];\n",
                      (unsigned)tally_spec_args_bytes(spec));
    write_state(spec, source);
    tally_program_paste(source, "number.cl");
    tally_program_paste(source, "pack.cl");
    tally_program_paste(source, "offset.cl");
    if (spec->function != 0)
        write_states(spec, source);
}
