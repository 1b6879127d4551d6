/*
 * From a spec to OpenCL C. A program is a head (macros, numbers, the function's expressions) and
 * then its kernels' files, pasted once for each variant with the variant's macros around them.
 * #line directives name the files, so that a compiler's message points into cl/.
 */
#include "plan/program/source.h"

#include <string.h>

#include "cl/core/args.h"
#include "model/dtype.h"
#include "model/monoid.h"
#include "plan/program/embedded.h"

/* A file that the build left out stops the compiler, with its name. */
static tally_embedded find(const char *file) {
    const tally_embedded *embedded = tally_embedded_files;
    while (embedded->name != NULL && strcmp(embedded->name, file) != 0)
        embedded++;
    return embedded->name != NULL ? *embedded
                                  : (tally_embedded){file, file, "#error not embedded\n"};
}

static void paste(tally_text *source, const char *file) {
    const tally_embedded found = find(file);
    tally_text_format(source, "#line 1 \"%s\"\n", found.path);
    tally_text_add(source, found.text);
    tally_text_add(source, "\n#line 1 \"spec\"\n");
}

/* Undefine what a file defines: the next variant gives it another meaning. */
static void undefine(tally_text *source, const char *file) {
    static const char directive[] = "\n#define ";
    const char *at = find(file).text;
    while ((at = strstr(at, directive)) != NULL) {
        at += sizeof directive - 1;
        tally_text_format(source, "#undef %.*s\n", (int)strcspn(at, " (\n"), at);
    }
}

static void define(tally_text *source, const char *name, const char *value) {
    tally_text_format(source, "#define TALLY_%s %s\n", name, value);
}

static void define_number(tally_text *source, const char *name, unsigned value) {
    tally_text_format(source, "#define TALLY_%s %u\n", name, value);
}

static void write_types(const tally_spec *spec, tally_text *source) {
    const tally_dtype_row *type = tally_dtype_find(spec->input);
    if (strcmp(type->compute, "double") == 0)
        tally_text_add(source, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
    define(source, "STORAGE", type->storage);
    define(source, "COMPUTE", type->compute);
    define(source, "KEY", type->key);
    define(source, "KEY_LOWEST", type->key_lowest);
    define(source, "LOWEST", type->lowest);
    define(source, "HIGHEST", type->highest);
    define_number(source, "BYTES", type->bytes);
    const tally_dtype_row *each;
    for (int i = 1; (each = tally_dtype_find((tally_dtype)i)) != NULL; i++)
        tally_text_format(source, "#define TALLY_IS_%s %d\n", each->name, each == type);
    define_number(source, "FLOATING", type->class == TALLY_FLOATING);
    define_number(source, "SIGNED", type->class == TALLY_SIGNED);
    define(source, "INDEX", spec->index_bits == 32 ? "uint" : "ulong");
    define_number(source, "INDEX_BITS", spec->index_bits);
    define_number(source, "KEPT_RANK", spec->kept_rank);
    define_number(source, "SWEPT_RANK", spec->swept_rank);
    define_number(source, "GROUP", spec->group);
    define_number(source, "ORDER_LEVELS", spec->levels);
    define_number(source, "WORD_BYTES", spec->word);
    define_number(source, "PARTIAL", spec->part);
    define_number(source, "MAPS", tally_spec_is_map(spec));
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
        define_number(source, policy->fields[i].macro, spec->policy.field[i]);
    for (size_t u = 0; u < sizeof usual / sizeof usual[0]; u++) {
        size_t i = 0;
        while (i < policy->count && strcmp(policy->fields[i].macro, usual[u].macro) != 0)
            i++;
        if (i == policy->count)
            define_number(source, usual[u].macro, usual[u].value);
    }
}

static bool has_vectors(const tally_spec *spec) {
    return (tally_schedule_find(spec->schedule)->variants & TALLY_VARIANT_VECTORS) != 0;
}

/* Which state the function carries; a fill, which has none, carries nothing. */
static void write_state(const tally_spec *spec, tally_text *source) {
    const tally_monoid *monoid = tally_monoid_find(spec->function);
    tally_state state = monoid != NULL ? monoid->state : TALLY_STATE_VALUE;
    define_number(source, "STATE_IS_KEY", state == TALLY_STATE_KEY);
    define_number(source, "STATE_IS_INDEXED", state == TALLY_STATE_INDEXED);
    define_number(source, "STATE_IS_SHIFTED", state == TALLY_STATE_SHIFTED);
    define_number(source, "VECTORS", has_vectors(spec));
}

/* What the expressions of the table of functions use, over one number and over vectors. */
static const struct {
    const char *name, *use, *one, *all;
} words[] = {
    {"key_", "key_(x)",
     "tally_key_of(x, TALLY_NAN_IS_IGNORED ? TALLY_IDENTITY : (tally_key)~TALLY_IDENTITY)",
     "tally_keys_of(x, TALLY_NAN_IS_IGNORED ? TALLY_IDENTITY : (tally_key)~TALLY_IDENTITY)"},
    {"tie_key_", "tie_key_(x)", "tally_key_tied(key_(x))", "tally_keys_tied(key_(x))"},
    {"unkey_", "unkey_(a)", "tally_key_value(a)", "tally_key_values(a)"},
    {"max_", "max_(a, b)", "max(a, b)", "((a) > (b) ? (a) : (b))"},
    {"min_", "min_(a, b)", "min(a, b)", "((a) < (b) ? (a) : (b))"},
    {"abs_", "abs_(x)", "tally_abs(x)", "tally_abs_all(x)"},
    {"sqrt_", "sqrt_(a)", "tally_sqrt(a)", "tally_sqrt_all(a)"},
    {"divide_", "divide_(a, n)", "tally_divide(a, n)", "tally_divide_all(a, n)"},
    {"log_", "log_(a)", "tally_log(a)", "tally_log_all(a)"},
};

/* The function's row: its expressions as functions over terms. */
static void write_function(const tally_spec *spec, tally_text *source) {
    const tally_monoid *monoid = tally_monoid_find(spec->function);
    bool keys = monoid->state == TALLY_STATE_KEY || monoid->state == TALLY_STATE_INDEXED;
    define_number(source, "STATE_BYTES", tally_spec_state_bytes(spec));
    define_number(source, "NAN_IS_IGNORED", spec->nan == TALLY_NAN_IGNORE);
    define_number(source, "TIE_IS_LAST", spec->tie == TALLY_TIE_LAST);
    tally_text_format(source, "#define TALLY_IDENTITY (%s)\n", monoid->identity);
    tally_text_format(source, "#define TALLY_EMPTY (%s)\n", monoid->empty);
    tally_text_format(source, "typedef %s tally_term;\n", keys ? "tally_key" : "tally_compute");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        tally_text_format(source, "#define %s %s\n", words[i].use, words[i].one);
    tally_text_format(source, "static tally_term tally_map(tally_compute x) { return %s; }\n",
                      monoid->map);
    tally_text_format(source,
                      "static tally_term tally_combine_terms(tally_term a, tally_term b) "
                      "{ return %s; }\n",
                      monoid->combine);
    if (monoid->state != TALLY_STATE_INDEXED)
        tally_text_format(source,
                          "static tally_compute tally_finalize(tally_term a, tally_compute n, "
                          "tally_compute t) { return %s; }\n",
                          monoid->finalize);
}

/* The expressions once more, over vectors. */
static void write_function_all(const tally_spec *spec, tally_text *source) {
    const tally_monoid *monoid = tally_monoid_find(spec->function);
    bool keys = monoid->state == TALLY_STATE_KEY || monoid->state == TALLY_STATE_INDEXED;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        tally_text_format(source, "#undef %s\n#define %s %s\n", words[i].name, words[i].use,
                          words[i].all);
    tally_text_format(source, "typedef %s tally_terms;\n", keys ? "tally_keys" : "tally_computes");
    tally_text_format(source,
                      "TALLY_INLINE tally_terms tally_map_all(tally_computes x) { return %s; }\n",
                      monoid->map);
    tally_text_format(
        source,
        "TALLY_INLINE tally_terms tally_combine_all_terms(tally_terms a, tally_terms b) "
        "{ return %s; }\n",
        monoid->combine);
    if (monoid->state != TALLY_STATE_INDEXED)
        tally_text_format(source,
                          "TALLY_INLINE tally_computes tally_finalize_all(tally_terms a, "
                          "tally_compute n, tally_computes t) { return %s; }\n",
                          monoid->finalize);
}

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
        define(source, macros[i].name, macros[i].value);
    define_number(source, "PHASE", variant->phase);
    tally_text_format(source, "#define TALLY_FN(name) name##_of_%s\n", name);
    for (size_t i = 0; i < TALLY_SCHEDULE_FILES; i++)
        if (tally_spec_file(variant, i) != NULL)
            paste(source, tally_spec_file(variant, i));
    for (size_t i = 0; i < sizeof macros / sizeof macros[0]; i++)
        tally_text_format(source, "#undef TALLY_%s\n", macros[i].name);
    tally_text_add(source, "#undef TALLY_FN\n#undef TALLY_PHASE\n");
    for (size_t i = 0; i < TALLY_SCHEDULE_FILES; i++)
        if (tally_spec_file(variant, i) != NULL)
            undefine(source, tally_spec_file(variant, i));
}

/* The launches of a scan in several, a bit each; 0: there is one. */
static uint32_t phases_of(const tally_spec *spec) {
    uint32_t variants = tally_schedule_find(spec->schedule)->variants;
    uint16_t carry = tally_spec_carry(spec);
    bool spread = carry == TALLY_CARRY_TWO_PASSES || carry == TALLY_CARRY_LOOK_BACK;
    uint32_t first = (variants & TALLY_VARIANT_PIECES) != 0 ? 1u << TALLY_PASS : 1u << TALLY_TOTALS;
    if (spec->part == TALLY_PART_STATES)
        return first | 1u << TALLY_STRETCHES;
    if (!spread)
        return 0;
    if ((variants & (TALLY_VARIANT_PIECES | TALLY_VARIANT_NO_SPINE)) != 0)
        return first | 1u << TALLY_APPLY;
    return tally_carry_phases(carry) |
           ((variants & TALLY_VARIANT_FOLLOWS) != 0 ? 1u << TALLY_FOLLOW : 0);
}

/* Of several launches only those that write know exclusive. */
static void each_phase(tally_spec variant, void (*visit)(const tally_spec *variant, void *user),
                       void *user) {
    uint32_t phases = phases_of(&variant);
    if (phases == 0)
        visit(&variant, user);
    for (uint8_t phase = 1; phase < TALLY_PHASES; phase++) {
        variant.phase = phase;
        bool writes = tally_phase_writes(phase);
        if ((phases >> phase & 1) != 0 && (writes || !variant.exclusive))
            visit(&variant, user);
    }
}

/* Groups of fold_any that read neighbours: of states those are side by side anyway. */
static bool is_of_elements(const tally_spec *spec) {
    const tally_fold_any_policy *policy = &spec->policy.fold_any;
    return spec->schedule == TALLY_FOLD_ANY &&
           policy->outputs_at_once + policy->lines_at_once + policy->lines_beside > 0;
}

/*
 * Rows that are folded block by block are of elements; those that are folded whole of states too.
 * Work-items of fold_any that work alone have no closing groups.
 */
static uint32_t variants_of(const tally_spec *spec) {
    uint32_t variants = tally_schedule_find(spec->schedule)->variants;
    if (spec->schedule == TALLY_FOLD_ANY && spec->group == 0)
        variants &= ~TALLY_VARIANT_CLOSING;
    bool blocks = spec->schedule == TALLY_FOLD_ROWS && spec->policy.fold_rows.whole_rows == 0;
    return blocks || is_of_elements(spec)
               ? (variants & ~TALLY_VARIANT_FIRST) | TALLY_VARIANT_ALWAYS_FIRST
               : variants;
}

void tally_source_each_variant(const tally_spec *spec,
                               void (*visit)(const tally_spec *variant, void *user), void *user) {
    const tally_monoid *monoid = tally_monoid_find(spec->function);
    uint32_t variants = variants_of(spec);
    const uint32_t all = TALLY_VARIANT_VECTORS | TALLY_VARIANT_FOLLOWS | TALLY_VARIANT_PIECES |
                         TALLY_VARIANT_NO_SPINE;
    uint32_t legal = variants & ~all;
    bool indexed = monoid != NULL && monoid->state == TALLY_STATE_INDEXED;
    uint32_t always = legal & (TALLY_VARIANT_ALWAYS_FIRST | TALLY_VARIANT_ALWAYS_LAST);
    for (uint32_t chosen = always; chosen <= legal; chosen++) {
        if ((chosen & ~legal) != 0 || (chosen & always) != always)
            continue;
        bool last = (chosen & (TALLY_VARIANT_LAST | TALLY_VARIANT_ALWAYS_LAST)) != 0;
        bool wide = (chosen & TALLY_VARIANT_OUTPUT) != 0;
        bool closing = (chosen & TALLY_VARIANT_CLOSING) != 0;
        if (wide && !(indexed && (last || closing)))
            continue; /* only an index has two sizes to choose from */
        if (last && closing)
            continue; /* there are no states to fold */
        if (tally_spec_is_map(spec) && (chosen & TALLY_VARIANT_HAS_INPUT) == 0)
            continue; /* it is a function of its input */
        tally_spec variant = tally_spec_program(spec);
        variant.first = (chosen & (TALLY_VARIANT_FIRST | TALLY_VARIANT_ALWAYS_FIRST)) != 0;
        variant.last = last;
        variant.closing = closing;
        if (indexed && (last || closing))
            variant.output = wide ? TALLY_U64 : TALLY_U32;
        variant.exclusive = (chosen & TALLY_VARIANT_EXCLUSIVE) != 0;
        variant.has_input = (chosen & TALLY_VARIANT_HAS_INPUT) != 0;
        each_phase(variant, visit, user);
    }
}

/* What is computed with between the elements, and by vectors too if the schedule has them. */
static void write_states(const tally_spec *spec, tally_text *source) {
    bool floating = tally_dtype_find(spec->input)->class == TALLY_FLOATING;
    bool vectors = has_vectors(spec);
    if (floating) {
        paste(source, "math.cl");
        paste(source, "exp.cl");
    }
    if (vectors) {
        paste(source, "number_vector.cl");
        paste(source, "weave.cl");
    }
    if (vectors && floating) {
        paste(source, "math_vector.cl");
        paste(source, "exp.cl");
        paste(source, "math_wide.cl");
        paste(source, "exp.cl");
    }
    write_function(spec, source);
    paste(source, "state.cl");
    if (vectors) {
        write_function_all(spec, source);
        paste(source, "state_vector.cl");
        paste(source, "extreme_vector.cl");
        if (tally_schedule_find(spec->schedule)->kind == TALLY_KIND_SCAN)
            paste(source, "scan_vector.cl");
    }
}

/* What stands before the kernels: types, numbers and, where there is one, the function. */
static void write_head(const tally_spec *spec, tally_text *source) {
    tally_text_add(source, "#pragma OPENCL FP_CONTRACT OFF\n");
    write_types(spec, source);
    write_policy(spec, source);
    paste(source, "order.h");
    paste(source, "sizes.h");
    paste(source, "args.h");
    paste(source, "units.h");
    define(source, "ARGS", tally_spec_args_type(spec));
    tally_text_format(source,
                      "typedef char tally_assert_args[sizeof(TALLY_ARGS) == %u ? 1 : -1];\n",
                      (unsigned)tally_spec_args_bytes(spec));
    write_state(spec, source);
    paste(source, "number.cl");
    if (spec->function != 0)
        write_states(spec, source);
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
    write_head(spec, source);
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
                             .index_bits = 64};
    write_head(&spec, source);
    paste(source, "probe.h");
    if (vectors)
        paste(source, "probe_vector.cl");
    paste(source, "probe.cl");
}
