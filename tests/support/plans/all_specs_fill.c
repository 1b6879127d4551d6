/*
 * all_specs_fill.c: how groups share the work of fills: the fields of their policies, each with the
 * values that the fields before allow.
 */
#include "all_specs_inside.h"
#include "support/numbers/number.h"

/* Four packs of a row, or eight of a narrow one. */
void all_specs_each_of_fill_rows(const all_specs_visitor *it, tally_spec program) {
    tally_fill_rows_policy *policy = &program.policy.fill_rows;
    policy->rows_at_once = 1;
    for (policy->packs_per_item = 4; policy->packs_per_item <= 8; policy->packs_per_item++)
        all_specs_each_size(it, program);
}

void all_specs_each_of_fill_packs(const all_specs_visitor *it, tally_spec program) {
    tally_fill_packs_policy *policy = &program.policy.fill_packs;
    for (policy->packs_per_item = 1; policy->packs_per_item <= 4; policy->packs_per_item++)
        for (policy->picks = 0; policy->picks <= 1; policy->picks++)
            all_specs_each_size(it, program);
    policy->picks = 0;
    policy->packs_per_item = 4;
    policy->rewrites = 1;
    all_specs_each_size(it, program);
}

void all_specs_each_of_fill_box(const all_specs_visitor *it, tally_spec program) {
    tally_fill_box_policy *policy = &program.policy.fill_box;
    for (policy->positions_per_item = 1; policy->positions_per_item <= 4;
         policy->positions_per_item += 3)
        all_specs_each_size(it, program);
    policy->positions_per_item = 0;
    policy->loads_at_once = 8;
    for (policy->box_bytes = 23552; policy->box_bytes <= 43008; policy->box_bytes += 19456)
        all_specs_each_size(it, program);
}

void all_specs_each_of_fill_transpose(const all_specs_visitor *it, tally_spec program) {
    tally_fill_transpose_policy *policy = &program.policy.fill_transpose;
    if (number_bytes((tally_dtype)program.input) >= 4)
        return;
    policy->rows_at_once = 8;
    for (policy->box_bytes = 10240; policy->box_bytes <= 20480; policy->box_bytes += 10240)
        all_specs_each_size(it, program);
}
