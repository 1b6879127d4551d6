/*
 * The variants of a spec: what its schedule's row says, and the launches that a scan's carry adds.
 * All of them are kernels of one program.
 */
#include "plan/program/variants.h"

#include "cl/core/sizes.h"
#include "model/monoid.h"

/*
 * Of boxes whose units are parts of tiles each launch that writes nothing has a program of its own,
 * as its groups are others.
 */
static uint32_t phases_of_parts(const tally_spec *spec, uint32_t phases) {
    const tally_scan_staged_policy *policy = &spec->policy.scan_staged;
    if (spec->schedule == TALLY_SCAN_STAGED && policy->carry == TALLY_CARRY_LOOK_BACK)
        return tally_carry_phases(policy->carry); /* boxes look back by levels alone */
    if (spec->schedule != TALLY_SCAN_STAGED || !policy->tile_parts)
        return phases;
    return policy->only_phase != 0 ? 1u << policy->only_phase
                                   : phases & ~(1u << TALLY_TOTALS | 1u << TALLY_SPINE);
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
    const uint32_t follow = (variants & TALLY_VARIANT_FOLLOWS) != 0 ? 1u << TALLY_FOLLOW : 0;
    return phases_of_parts(spec, tally_carry_phases(carry) | follow);
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
