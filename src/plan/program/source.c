/*
 * From a spec to OpenCL C. A program is a head (macros, numbers, the function's expressions) and
 * then its kernels' files, pasted once for each variant with the variant's macros around them.
 */
#include "plan/program/source.h"

#include "model/dtype.h"
#include "plan/program/head.h"
#include "plan/program/paste.h"
#include "plan/program/variants.h"

static void write_variant(const tally_spec *variant, void *user) {
    tally_text *source = user;
    const tally_dtype_row *output = tally_dtype_find(variant->output);
    char name[TALLY_NAME_BYTES];
    tally_spec_name(variant, name);
    const struct {
        const char *name;
        const char *value;
    } macros[] = {
        {"KERNEL", name},
        {"FIRST", variant->first ? "1" : "0"},
        {"LAST", variant->last ? "1" : "0"},
        {"CLOSING", variant->closing ? "1" : "0"},
        {"OUT_STORAGE", output != NULL ? output->storage : "none"},
        {"EXCLUSIVE", variant->exclusive ? "1" : "0"},
        {"HAS_INPUT", variant->has_input ? "1" : "0"},
    };
    for (size_t i = 0; i < sizeof macros / sizeof macros[0]; i++)
        tally_program_define(source, macros[i].name, macros[i].value);
    tally_program_define_number(source, "PHASE", variant->phase);
    tally_text_format(source, "#define TALLY_FN(name) name##_of_%s\n", name);
    for (size_t i = 0; i < TALLY_SCHEDULE_FILES; i++)
        if (tally_spec_file(variant, i) != NULL)
            tally_program_paste(source, tally_spec_file(variant, i));
    for (size_t i = 0; i < sizeof macros / sizeof macros[0]; i++)
        tally_text_format(source, "#undef TALLY_%s\n", macros[i].name);
    tally_text_add(source, "#undef TALLY_FN\n#undef TALLY_PHASE\n");
    for (size_t i = 0; i < TALLY_SCHEDULE_FILES; i++)
        if (tally_spec_file(variant, i) != NULL)
            tally_program_undefine(source, tally_spec_file(variant, i));
}

/* A walk over a program's kernels. */
typedef struct walk {
    const tally_spec *wanted; /* by find_kernel */
    uint64_t kernels;         /* wanted, or found */
    uint64_t bit;             /* of the next one */
    tally_text *source;
} walk;

static void find_kernel(const tally_spec *variant, void *user) {
    walk *at = user;
    if (tally_spec_equal(variant, at->wanted))
        at->kernels = at->bit;
    at->bit <<= 1;
}

static void write_wanted(const tally_spec *variant, void *user) {
    walk *at = user;
    if ((at->kernels & at->bit) != 0)
        write_variant(variant, at->source);
    at->bit <<= 1;
}

uint64_t tally_source_kernel(const tally_spec *spec) {
    walk at = {.wanted = spec, .bit = 1};
    tally_source_each_variant(spec, find_kernel, &at);
    return at.kernels;
}

void tally_source_write_kernels(const tally_spec *spec, uint64_t kernels, tally_text *source) {
    walk at = {.kernels = kernels, .bit = 1, .source = source};
    tally_program_write_head(spec, source);
    tally_source_each_variant(spec, write_wanted, &at);
}

void tally_source_write(const tally_spec *spec, tally_text *source) {
    tally_source_write_kernels(spec, TALLY_ALL_KERNELS, source);
}

void tally_source_write_probe(tally_dtype dtype, bool vectors, tally_text *source) {
    const tally_spec spec = {.schedule = vectors ? TALLY_FOLD_CPU_ROWS : TALLY_FOLD_ANY,
                             .function = TALLY_SUM_SQUARE,
                             .input = (uint8_t)dtype,
                             .kept_rank = 1,
                             .swept_rank = 1,
                             .index_bits = 64,
                             .policy.fold_any.pack = 16}; /* which the probe takes apart */
    tally_program_write_head(&spec, source);
    tally_program_paste(source, "probe.h");
    if (vectors)
        tally_program_paste(source, "probe_vector.cl");
    tally_program_paste(source, "probe.cl");
}
