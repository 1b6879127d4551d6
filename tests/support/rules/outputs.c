/*
 * outputs.c: what fold_outputs takes for granted, worked out from what is said at the head of its
 * file of cl/: packs of outputs, the groups of axes that a launch folds, their tables and lanes.
 */
#include "parts.h"

#include "cl/core/sizes.h"

static uint64_t power_of_two(uint64_t n, uint64_t most) {
    uint64_t power = 1;
    while (power < n && power < most)
        power *= 2;
    return power;
}

/* What is under way together: terms of each lane, or one where a lane has no more. */
static const char *broken_depth(const tally_step *step) {
    const tally_fold_team_args *args = &step->args.fold_team;
    const tally_spec *spec = &step->spec;
    const uint64_t lanes = tally_spec_is_exact(spec) ? args->slices * args->parts *
                                                           spec->policy.fold_outputs.lanes_at_once
                                                     : LANES;
    const uint64_t terms = spec->policy.fold_outputs.table > 0 && !tally_spec_is_exact(spec)
                               ? args->nest[0]
                               : args->terms;
    const uint64_t block = terms < BLOCK ? terms : BLOCK, run = (block + lanes - 1) / lanes;
    if (spec->policy.fold_outputs.depth == 0)
        return run > 1 ? "a lane without a depth has one term at most" : NULL;
    if (!plan_rules_is_power_of_two(spec->policy.fold_outputs.depth) ||
        spec->policy.fold_outputs.depth > LANE_RUN)
        return "a power of two of a lane's terms are under way together";
    return spec->function == TALLY_LOG_SUM_EXP && spec->first &&
                   spec->policy.fold_outputs.depth < (run < LANE_RUN ? run : LANE_RUN)
               ? "LOG_SUM_EXP sees runs of terms as a whole"
               : NULL;
}

/* The groups of a launch, which terms of theirs are a table's entries, and its lanes. */
static const char *broken_nest(const tally_step *step, bool tabled, uint64_t *lanes) {
    const tally_fold_team_args *args = &step->args.fold_team;
    const bool exact = tally_spec_is_exact(&step->spec);
    uint64_t terms = 1, entries = 1;
    *lanes = 1;
    for (uint32_t g = 0; g < TALLY_NEST; g++) {
        const uint64_t of_group = args->nest[g], least = g == 0 && of_group == 0;
        if (of_group == 0 && !least)
            return "a group that is not there counts as one term";
        if (g > 0 && of_group > LANES && !exact)
            return "groups around the innermost have a lane for each term";
        terms *= of_group;
        entries *= power_of_two(of_group, LANES) * (of_group > 0 ? (of_group - 1) / LANES + 1 : 1);
        *lanes *= power_of_two(of_group, LANES);
    }
    if (terms != args->terms)
        return "the terms of a launch are those of its groups";
    if (!tabled)
        return step->spec.policy.fold_outputs.table != 0 ? "one axis of terms needs no table"
                                                         : NULL;
    if (args->blocks != args->parts ||
        step->spec.policy.fold_outputs.table < (exact ? terms : entries))
        return "a table has an entry for each term or lane, of one block";
    return NULL;
}

/* A position in a box for each output, and room for results that change hands. */
static const char *broken_crossing(const tally_step *step) {
    const tally_fold_team_args *args = &step->args.fold_team;
    const uint64_t inner = args->crossed_outputs, group = step->spec.group;
    uint64_t outputs = 1;
    if (!step->spec.first || !step->spec.last || args->blocks != 1 || args->slices != 1 ||
        args->team_width == 0 || args->team_width > group || inner == 0)
        return "work-items that hand on results have all terms of an output";
    for (uint32_t k = step->spec.kept_rank; k-- > 0 && outputs < inner;)
        outputs *= args->kept_size[k];
    if (outputs != inner || args->outputs % inner != 0)
        return "results lie along whole axes";
    const uint64_t along = group / args->team_width, others = args->outputs / inner;
    const uint64_t boxes = ((inner - 1) / along + 1) * ((others - 1) / args->team_width + 1);
    return args->head.units != boxes * group || !plan_rules_is_power_of_two(args->team_width) ||
                   step->spec.policy.fold_outputs.crossed != args->team_width ||
                   along + args->team_width > group
               ? "each output has a position in a box"
               : NULL;
}

/* A work-item for those outputs of a strip that are its own; a row is no shorter than a strip. */
static const char *broken_spread(const tally_step *step) {
    const tally_fold_team_args *args = &step->args.fold_team;
    const tally_spec *spec = &step->spec;
    const uint64_t columns = args->kept_size[spec->kept_rank - 1u];
    const uint64_t strip = (uint64_t)spec->policy.fold_outputs.spread * TALLY_SPREAD_STRIDE;
    if (!spec->first || args->blocks != 1 || args->terms > BLOCK ||
        !spec->policy.fold_outputs.whole_outputs || spec->policy.fold_outputs.crossed != 0)
        return "outputs that are spread have all their terms in one work-item";
    if (args->terms == 0 || args->kept_in[spec->kept_rank - 1u] != 1 || columns < strip)
        return "a strip of outputs lies in a row";
    return args->head.units !=
                   args->outputs / columns * ((columns - 1) / strip + 1) * TALLY_SPREAD_STRIDE
               ? "strips cover each row"
               : NULL;
}

const char *plan_rules_of_fold_outputs(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_fold_team_args *args = &step->args.fold_team;
    const tally_spec *spec = &step->spec;
    const uint64_t width = plan_rules_elements(spec, spec->policy.fold_outputs.pack),
                   last = spec->kept_rank - 1u;
    const bool spread = spec->policy.fold_outputs.spread != 0;
    const bool several = it->problem->groups > 0 && it->problem->swept[0].count > 1;
    uint64_t lanes = 1;
    const bool exact = tally_spec_is_exact(spec);
    const bool tabled = spec->first ? args->nest[1] > 1 || several : args->nest[1] > 1 && !exact;
    const char *broken = broken_nest(step, tabled, &lanes);
    if (broken == NULL)
        broken = broken_depth(step);
    if (broken != NULL)
        return broken;
    if (!plan_rules_is_power_of_two(args->parts) || args->parts > LANES ||
        (args->parts > 1 &&
         (!spec->first || spec->last || spec->policy.fold_outputs.whole_outputs)))
        return "groups that share a block leave states";
    if (spec->policy.fold_outputs.indices != 0 && !(spec->first && tabled))
        return "indices are looked up where positions are";
    const bool crossed = spec->policy.fold_outputs.crossed != 0;
    broken = crossed ? broken_crossing(step) : spread ? broken_spread(step) : NULL;
    if (broken != NULL)
        return broken;
    if (!plan_rules_is_power_of_two(width) || spec->policy.fold_outputs.pack > 16 ||
        ((crossed || spread) && width > 1) ||
        (!crossed && !spread && args->head.units * width != args->outputs * args->blocks))
        return "a block of each pack of outputs is a unit";
    if (width > 1 && (!spec->first || args->terms == 0 || args->kept_in[last] != 1 ||
                      args->kept_size[last] % width != 0))
        return "a pack's outputs lie side by side";
    if (args->team_width == 0 || !plan_rules_is_power_of_two(args->slices) ||
        args->team_width * args->slices > spec->group ||
        spec->policy.fold_outputs.whole_outputs != (args->slices == 1) ||
        (spec->policy.fold_outputs.whole_outputs && !crossed && args->team_width != spec->group))
        return "those that share a pack's terms are of one group";
    if (!plan_rules_is_power_of_two(spec->policy.fold_outputs.lanes_at_once))
        return "a power of two of lanes are under way together";
    if (exact)
        return spec->policy.fold_outputs.visits != 0 ? "exact combining keeps no lanes apart"
                                                     : NULL;
    return args->slices * args->parts * spec->policy.fold_outputs.visits *
                       spec->policy.fold_outputs.lanes_at_once !=
                   lanes
               ? "the lanes of a block are dealt to its work-items"
               : NULL;
}
