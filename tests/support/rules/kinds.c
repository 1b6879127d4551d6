/*
 * kinds.c: argument structs: each output once, each term once, in the order's blocks.
 */
#include "parts.h"
#include "support/descriptions/legal.h"

/* ---- Lists of axes ------------------------------------------------------------------------- */

static uint64_t product(const tally_u64 *size, uint32_t rank) {
    uint64_t elements = 1;
    for (uint32_t k = 0; k < rank; k++)
        elements *= size[k];
    return elements;
}

/* A list that ends at the rank: leading axes of one coordinate, then real ones. */
static const char *broken_list(const tally_u64 *size, const tally_u64 *stride, uint32_t rank,
                               uint32_t real) {
    for (uint32_t k = 0; k < TALLY_AXES; k++) {
        const bool filler = k + real < rank || k >= rank;
        if (filler && (size[k] != 1 || stride[k] != 0))
            return "axes that are not there have size 1 and stride 0";
    }
    return real > rank ? "the rank is enough for the axes" : NULL;
}

static uint32_t real_axes(const tally_u64 *size, uint32_t rank) {
    uint32_t lead = 0;
    while (lead < rank && size[lead] == 1)
        lead++;
    return rank - lead;
}

static const char *broken_kept(const tally_spec *spec, uint32_t fixed, const tally_u64 *size,
                               const tally_u64 *in, const tally_u64 *out, uint64_t outputs) {
    const uint32_t rank = spec->kept_rank;
    const uint32_t real = real_axes(size, rank) > fixed ? real_axes(size, rank) : fixed;
    const char *broken = broken_list(size, in, rank, real);
    if (broken == NULL)
        broken = broken_list(size, out, rank, real);
    if (broken == NULL && product(size, rank) != outputs)
        broken = "the kept axes have a coordinate for each output";
    return broken;
}

/* ---- The three kinds ----------------------------------------------------------------------- */

/* What the order asks of one launch: terms of each of outputs, in blocks. */
static const char *broken_launch(const tally_problem *problem, const tally_step *step,
                                 uint64_t outputs, uint64_t terms, uint64_t scale) {
    const tally_fold_args *args = &step->args.fold;
    const uint8_t schedule = step->spec.schedule; /* two of which combine a row's blocks as well */
    const bool whole =
        plan_rules_is_whole(&step->spec) || (schedule == TALLY_FOLD_CPU_ROWS && args->blocks == 1);
    const uint64_t block = plan_rules_block(&step->spec);
    const uint64_t blocks = terms == 0 || whole ? 1 : (terms - 1) / block + 1;
    if (args->outputs != outputs || args->terms != terms || args->blocks != blocks * args->parts)
        return "each launch folds the blocks that the order prescribes";
    if (args->count != problem->terms)
        return "each launch knows how many terms an output has in all";
    const bool indices = plan_rules_has_indices(&step->spec);
    if (indices !=
        (step->spec.first && legal_is_index(problem->function) && terms > 1 && scale == 0))
        return "indices that come in another order are looked up";
    if (args->index_scale != (indices ? 1 : scale))
        return "indices are scaled once for each group";
    if (step->spec.first &&
        product(args->swept_size, step->spec.swept_rank) != (terms > 0 ? terms : 1))
        return "the swept axes have a coordinate for each term";
    return broken_list(args->swept_size, args->swept_in, step->spec.swept_rank,
                       real_axes(args->swept_size, step->spec.swept_rank));
}

/* What a launch with parts leaves: a state of each part of each block, the parts innermost. */
static const char *broken_parts(const tally_step *before, const tally_step *step) {
    const tally_fold_args *args = &before->args.fold;
    if (args->parts > 1 && (step->args.fold.nest[0] != args->parts ||
                            step->args.fold.nest[1] != args->blocks / args->parts))
        return "the launch after one with parts combines those of each block first";
    return args->parts == 1 && step->args.fold.nest[1] != 1 ? "states are of one group" : NULL;
}

/* Groups that the first launch folds, by its own word. */
static uint32_t nested_groups(const tally_plan *plan) {
    uint32_t groups = 1;
    while (groups < TALLY_NEST && plan->step[0].args.fold.nest[groups] > 1)
        groups++;
    return groups;
}

/* Terms of an output in the launches of the g-th group, or of all that the first one folds. */
static uint64_t launch_terms(const tally_problem *problem, const tally_plan *plan, uint32_t g) {
    uint64_t terms = 1;
    if (problem->groups == 0)
        return problem->terms;
    for (uint32_t k = g; k < (g == 0 ? nested_groups(plan) : g + 1); k++)
        terms *= tally_dims_elements(&problem->swept[k]);
    return terms;
}

/*
 * What a term of a launch of so many groups adds to an index, if that is the same for all terms;
 * else 0, and the table of such a launch has indices.
 */
static uint64_t index_scale(const tally_problem *problem, uint32_t g, uint32_t groups) {
    const uint64_t scale =
        problem->groups > g ? problem->swept[g].out[problem->swept[g].count - 1] : 0;
    uint64_t step = scale;
    for (; g < groups && g < problem->groups; g++)
        for (uint32_t k = problem->swept[g].count; k-- > 0; step *= problem->swept[g].size[k])
            if (problem->swept[g].out[k] != step)
                return 0;
    return scale;
}

/* Work-items that lanes of so many terms have, one for each up to a block's. */
static uint64_t lanes_of(uint64_t terms) {
    uint64_t lanes = 1;
    while (lanes < terms && lanes < LANES)
        lanes *= 2;
    return lanes;
}

/*
 * Work-items for all lanes of an output, where the order matters: a lane of the inner group's each,
 * or, if lanes have one term at most, as many of them as states are under way.
 */
static uint64_t closing_items(const tally_spec *spec, const uint64_t nest[TALLY_NEST]) {
    const uint64_t together = TALLY_CLOSING_BYTES / tally_spec_state_bytes(spec);
    const uint64_t inner = nest[0] > LANES ? nest[0] : (nest[0] + together - 1) / together;
    return lanes_of(inner) * lanes_of(nest[1]);
}

/*
 * Closing groups fold all that their launch left, two groups of terms at most, at lanes of their
 * own, whose numbers are bits of a work-item's. A word has room to count the launch's groups.
 */
static const char *broken_closing(const tally_plan *plan) {
    for (uint32_t i = 0; i < plan->count; i++)
        if ((plan->step[i].spec.closing != 0) != (plan->closing && i + 2 == plan->count))
            return "the launch before a step that has none has closing groups, and no other";
    if (!plan->closing)
        return NULL;
    const tally_step *step = &plan->step[plan->count - 2], *last = step + 1;
    const uint64_t *nest = last->args.fold.nest;
    const bool exact = tally_spec_is_exact(&step->spec);
    if (last->source != step->target || last->source_offset != step->target_offset)
        return "closing groups fold what their launch left";
    for (uint32_t g = 2; g < TALLY_NEST; g++)
        if (nest[g] != 1)
            return "closing groups fold two groups of terms at most";
    if (!exact && (nest[1] > LANES || closing_items(&step->spec, nest) > step->group))
        return "a closing group has work-items for all lanes of an output";
    if ((step->group & (step->group - 1)) != 0)
        return "a closing group has a power of two of work-items";
    if (step->groups >> TALLY_ENDED_BITS != 0)
        return "a launch with closing groups has no more groups than its word counts";
    return step->spec.last || step->spec.output != last->spec.output
               ? "a launch with closing groups writes states, and its results are the last step's"
               : NULL;
}

/* Whether a launch is left that makes results of states of the last group, each of one block. */
static bool has_end(const tally_problem *problem, const tally_plan *plan, uint32_t i,
                    uint64_t length) {
    return i < plan->count && plan->step[i].args.fold.terms == 1 && length <= BLOCK &&
           plan->step[i - 1].args.fold.terms == length && plan_rules_needs_end(problem);
}

const char *plan_rules_fold(const tally_problem *problem, const tally_plan *plan) {
    uint64_t outputs = tally_dims_elements(&problem->kept);
    uint32_t i = 0;
    const uint32_t groups = problem->groups > 0 ? problem->groups : 1;
    const uint32_t nested = nested_groups(plan);
    if (nested > groups)
        return "the first launch folds no more groups than there are";
    for (uint32_t g = nested; g < problem->groups; g++)
        outputs *= tally_dims_elements(&problem->swept[g]);
    for (uint32_t g = 0; g < groups; g += g == 0 ? nested : 1) {
        const uint64_t length = launch_terms(problem, plan, g);
        uint64_t left = length, unit = index_scale(problem, g, g == 0 ? nested : g + 1);
        outputs /= g > 0 ? length : 1;
        do {
            const tally_step *step = &plan->step[i];
            const char *broken = i >= plan->count
                                     ? "all terms are folded"
                                     : broken_launch(problem, step, outputs, left, unit);
            if (broken == NULL)
                broken = broken_kept(&step->spec,
                                     plan_rules_reads_states(problem, step) && !step->spec.last,
                                     step->args.fold.kept_size, step->args.fold.kept_in,
                                     step->args.fold.kept_out, outputs);
            if (broken == NULL && i > 0)
                broken = broken_parts(step - 1, step);
            if (broken == NULL)
                broken = plan_rules_fold_reach(problem, step);
            if (broken == NULL)
                broken = plan_rules_schedule(&(plan_rules_case){problem, plan, step});
            if (broken != NULL)
                return broken;
            if ((i == 0 && !step->spec.first) || step->spec.last != (i + 1 == plan->count))
                return "the first launch is first, the last is last";
            left = step->args.fold.blocks;
            unit = 0;
            i++;
        } while (left > 1 || (g > 0 && g + 1 == groups && has_end(problem, plan, i, length)));
    }
    return i == plan->count ? broken_closing(plan) : "no launch is there for nothing";
}

static const char *broken_scan(const tally_problem *problem, const tally_step *step) {
    const tally_scan_args *args = &step->args.scan;
    const tally_spec *spec = &step->spec;
    const uint64_t rows = tally_dims_elements(&problem->kept);
    const tally_dims *axis = &problem->swept[0];
    const uint64_t last = problem->descending ? problem->terms - 1 : 0;
    const uint64_t sign = problem->descending ? UINT64_MAX : 1;
    const bool writes = spec->phase == 0 || spec->phase == TALLY_PASS ||
                        spec->phase == TALLY_APPLY || spec->phase == TALLY_FOLLOW;
    if (args->rows != rows / plan_rules_scan_columns(spec) || args->terms != problem->terms)
        return "a launch of a scan is over all rows";
    if (args->start_in != last * axis->in[0] || args->start_out != last * axis->out[0] ||
        args->axis_in != sign * axis->in[0] || args->axis_out != sign * axis->out[0])
        return "a row is walked from its first position to visit";
    if (spec->exclusive != (problem->exclusive && writes))
        return "exclusive is the problem's, where results are written";
    if (!plan_rules_has_levels(step))
        return "each level of the order that a line fills is computed";
    if (plan_rules_is_staged(spec))
        return NULL;
    return plan_rules_reach(spec->kept_rank, args->kept_size, args->kept_in, args->kept_out) !=
                   plan_rules_reach_outputs(problem, true, true)
               ? "each row is scanned, once"
               : broken_kept(spec, 0, args->kept_size, args->kept_in, args->kept_out, rows);
}

const char *plan_rules_scan(const tally_problem *problem, const tally_plan *plan) {
    const tally_step *first = &plan->step[0];
    const char *broken = NULL;
    for (uint32_t i = 0; i < plan->count && broken == NULL; i++)
        broken = broken_scan(problem, &plan->step[i]);
    if (broken != NULL)
        return broken;
    if (plan->count != 1 && !plan_rules_is_spread(&first->spec))
        return "a scan is one launch, or its rows are spread over groups";
    const uint16_t carry = tally_spec_carry(&first->spec);
    if (plan_rules_has_carry(&first->spec) && carry == TALLY_CARRY_NONE)
        return "what comes before a group's terms comes from somewhere";
    return plan_rules_agent(&(plan_rules_case){problem, plan, first});
}

/* All elements, however the axes are ordered. */
static bool has_elements(const tally_problem *problem, const tally_step *step) {
    const tally_fill_args *args = &step->args.fill;
    const bool reads = step->spec.has_input;
    const uint64_t reach = plan_rules_reach(step->spec.kept_rank, args->kept_size,
                                            reads ? args->kept_in : NULL, args->kept_out);
    return reach == plan_rules_reach_outputs(problem, reads, true) && args->out_start == 0;
}

/* All elements get the value. */
static bool fills_all(const tally_problem *problem) {
    const uint32_t y = problem->kept.count - 2;
    const int64_t rows = (int64_t)problem->kept.size[y];
    const int64_t columns = (int64_t)problem->kept.size[y + 1];
    if (problem->inverted)
        return problem->low >= problem->high || problem->high <= 1 - rows ||
               problem->low >= columns;
    return problem->low <= 1 - rows && problem->high >= columns;
}

const char *plan_rules_fill(const tally_problem *problem, const tally_plan *plan) {
    const tally_fill_args *args = &plan->step[0].args.fill;
    const tally_spec *spec = &plan->step[0].spec;
    const bool in_place = args->in_place != 0;
    if (plan->count != 1)
        return "a fill is one launch";
    if ((args->inverted != 0) != problem->inverted || args->value != problem->value)
        return "what gets the value is the problem's";
    const bool reads = problem->has_input && !in_place && !fills_all(problem);
    if (spec->has_input != reads || spec->kept_rank < 2)
        return "a fill knows whether it reads an input, and has two axes at least";
    if (!in_place && !has_elements(problem, &plan->step[0]))
        return "a fill that is not in place has all elements";
    const char *broken = in_place ? NULL : plan_rules_diagonals(problem, &plan->step[0]);
    if (broken != NULL)
        return broken;
    return plan_rules_agent(&(plan_rules_case){problem, plan, &plan->step[0]});
}
