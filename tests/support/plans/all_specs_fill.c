/*
 * all_specs_fill.c: how groups share the work of fills: the fields of their policies, each with the
 * values that the fields before allow.
 */
#include "all_specs_inside.h"
#include "support/numbers/number.h"

void all_specs_each_of_fill_packs(const all_specs_visitor *it, tally_spec program) {
    tally_fill_packs_policy *policy = &program.policy.fill_packs;
    for (policy->packs_per_item = 1; policy->packs_per_item <= 4; policy->packs_per_item++)
        for (policy->picks = 0; policy->picks <= 1; policy->picks++)
            all_specs_each_size(it, program);
    policy->picks = 0;
    policy->packs_per_item = 4;
    policy->rewrites = 1;
    all_specs_each_size(it, program);
    policy->repeats = 1;
    for (policy->packs_per_item = 2; policy->packs_per_item <= 4; policy->packs_per_item++)
        for (policy->rewrites = 0; policy->rewrites <= 1; policy->rewrites++)
            all_specs_each_size(it, program);
}

void all_specs_each_of_fill_box(const all_specs_visitor *it, tally_spec program) {
    tally_fill_box_policy *policy = &program.policy.fill_box;
    for (policy->positions_per_item = 1; policy->positions_per_item <= 4;
         policy->positions_per_item += 3)
        all_specs_each_size(it, program);
}

void all_specs_each_of_fill_transpose(const all_specs_visitor *it, tally_spec program) {
    static const uint16_t sizes[] = {5120, 40960}, lines[] = {8, 16};
    tally_fill_transpose_policy *policy = &program.policy.fill_transpose;
    const size_t bytes = number_bytes((tally_dtype)program.input);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        policy->box_bytes = sizes[i];
        policy->rows_at_once = lines[i];
        policy->square = 1;
        all_specs_each_size(it, program);
        policy->rows_at_once = lines[0];
        policy->square = 4;
        if (bytes == 1)
            all_specs_each_size(it, program);
    }
}
