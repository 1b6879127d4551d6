/*
 * The expressions of src/model/monoid.def, with the words that they use, as functions: the same
 * text for numbers and for vectors.
 */
#include "plan/program/function.h"

#include "model/monoid.h"
#include "plan/program/paste.h"

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

void tally_program_write_function(const tally_spec *spec, tally_text *source) {
    const tally_monoid *monoid = tally_monoid_find(spec->function);
    bool keys = monoid->state == TALLY_STATE_KEY || monoid->state == TALLY_STATE_INDEXED;
    tally_program_define_number(source, "STATE_BYTES", tally_spec_state_bytes(spec));
    tally_program_define_number(source, "NAN_IS_IGNORED", spec->nan == TALLY_NAN_IGNORE);
    tally_program_define_number(source, "TIE_IS_LAST", spec->tie == TALLY_TIE_LAST);
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

void tally_program_write_function_all(const tally_spec *spec, tally_text *source) {
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
