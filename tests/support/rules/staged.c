/*
 * staged.c: scans of boxes: each box of lines is a unit or, of few long lines, each piece of one;
 * which launches there are then and where their words lie.
 */
#include "parts.h"

bool plan_rules_is_staged(const tally_spec *spec) {
    return spec->schedule == TALLY_SCAN_STAGED;
}

static uint64_t boxes_of(const tally_step *step) {
    uint64_t boxes = 1;
    for (uint32_t k = 0; k < step->spec.kept_rank; k++)
        boxes *= step->args.scan_staged.kept_size[k];
    return boxes;
}

/*
 * Terms of a piece: a tile or, where groups have parts of one, a box that is a span at least. A
 * first pass may go over tiles all the same.
 */
static uint64_t piece_of(const tally_step *step) {
    const tally_scan_staged_policy *policy = &step->spec.policy.scan_staged;
    const uint64_t some = step->args.scan_staged.box_size[0];
    const bool tiles =
        !policy->tile_parts || (policy->tile_totals && step->spec.phase == TALLY_TOTALS);
    return tiles ? TILE : some > SPAN ? some : SPAN;
}

/* Lines of a unit of the spine, one where a box has few. */
static uint64_t spine_lines(const tally_step *step) {
    return step->spec.policy.scan_staged.skewed ? 1 : 16;
}

/* Spans are folded into tiles once: by the first pass, box by box, or by the spine. */
static const char *broken_tile_totals(const tally_plan *plan, const tally_step *step) {
    const uint16_t tiles = step->spec.policy.scan_staged.tile_totals;
    const bool told = step->spec.phase == TALLY_TOTALS || step->spec.phase == TALLY_SPINE;
    if (tiles != (told && plan->step[0].spec.policy.scan_staged.tile_totals))
        return "the first pass and the spine agree on who folds spans";
    if (tiles && (!step->spec.policy.scan_staged.tile_parts || plan->count != 3 ||
                  (step->spec.phase == TALLY_TOTALS && step->args.scan_staged.box_size[0] > SPAN)))
        return "a first pass that folds spans has one at a time, and a spine behind it";
    const bool alone = told && step->spec.policy.scan_staged.tile_parts;
    if (step->spec.policy.scan_staged.only_phase != (alone ? step->spec.phase : 0))
        return "of parts a launch that writes nothing has a program of its own";
    return NULL;
}

static const char *broken_words(const tally_plan *plan, const tally_step *step, bool follows) {
    const tally_scan_staged_args *args = &step->args.scan_staged;
    const uint64_t lines = boxes_of(step) * plan_rules_box_lines(step);
    const uint64_t stretches = plan_rules_parts(args->terms, STRETCH);
    const uint64_t words =
        plan_rules_parts(args->terms, TILE) * (step->spec.policy.scan_staged.tile_parts ? RUN : 1);
    if (args->stretches < lines * words ||
        plan->scratch < (args->stretches + (follows ? 0 : lines * stretches)) * step->spec.word)
        return "words lie behind one another in the scratch";
    return step->spec.word != tally_spec_state_bytes(&step->spec) ? "a word is a term" : NULL;
}

static const char *broken_pieces(const tally_plan *plan, const tally_step *step, uint8_t phase) {
    const tally_scan_staged_args *args = &step->args.scan_staged;
    const uint64_t lines = boxes_of(step) * plan_rules_box_lines(step);
    const uint64_t pieces = plan_rules_parts(args->terms, piece_of(step));
    const bool follows = plan->count == 2;
    if (!plan_rules_is_staged(&step->spec) || step->spec.phase != phase ||
        step->spec.policy.scan_staged.carry != TALLY_CARRY_TWO_PASSES)
        return "the launches of long lines are in order";
    if (args->all_boxes != boxes_of(step) || args->box_lines != plan_rules_box_lines(step) ||
        pieces < 2)
        return "a launch knows boxes and lines";
    const uint64_t told = follows ? pieces - 1 : pieces;
    if (args->head.units != (phase == TALLY_SPINE    ? plan_rules_parts(lines, spine_lines(step))
                             : phase == TALLY_TOTALS ? boxes_of(step) * told
                                                     : boxes_of(step) * pieces))
        return "each piece of a box of lines is a unit, and some lines of the spine";
    const char *broken = broken_tile_totals(plan, step);
    return broken != NULL ? broken : broken_words(plan, step, follows);
}

/* Boxes that are units of chains, in one launch. */
static const char *broken_chain(const tally_plan *plan, const tally_step *step) {
    const tally_scan_staged_args *args = &step->args.scan_staged;
    const tally_scan_staged_policy *policy = &step->spec.policy.scan_staged;
    const uint64_t unit = args->box_size[0];
    if (plan->count != 1 || step->spec.phase != TALLY_PASS || step->slots != 1)
        return "boxes that look back take one launch, a unit at a time";
    if (policy->chain_spans * (uint64_t)SPAN != unit || unit == 0 || TILE % unit != 0 ||
        policy->chain_lines != plan_rules_box_lines(step) || step->spec.group < policy->chain_lines)
        return "a tile is whole units, a unit whole spans, and each line has a work-item";
    if (args->all_boxes != boxes_of(step) || args->box_lines != plan_rules_box_lines(step) ||
        args->head.units != boxes_of(step) * plan_rules_parts(args->terms, unit) ||
        args->head.units >= UINT32_MAX / 2 || args->terms <= unit)
        return "each piece of a box of lines is a unit, of several";
    return plan_rules_chain_words(plan, args->all_boxes, args->box_lines, unit);
}

const char *plan_rules_of_scan_staged(const plan_rules_case *it) {
    const tally_plan *plan = it->plan;
    if (plan->step[0].spec.policy.scan_staged.carry == TALLY_CARRY_LOOK_BACK) {
        const char *broken = plan_rules_box(it->problem, &plan->step[0]);
        return broken != NULL ? broken : broken_chain(plan, &plan->step[0]);
    }
    static const uint8_t spine[] = {TALLY_TOTALS, TALLY_SPINE, TALLY_APPLY};
    static const uint8_t follows[] = {TALLY_TOTALS, TALLY_FOLLOW};
    const bool pieces = plan->step[0].spec.policy.scan_staged.carry != TALLY_CARRY_WALK;
    if (pieces ? plan->count != sizeof spine && plan->count != sizeof follows : plan->count != 1)
        return "boxes take one launch, or two or three";
    const uint8_t *phases = plan->count == sizeof spine ? spine : follows;
    const char *broken = NULL;
    for (uint32_t i = 0; i < plan->count && broken == NULL; i++) {
        const tally_step *step = &plan->step[i];
        broken = step->spec.phase == TALLY_SPINE ? NULL : plan_rules_box(it->problem, step);
        if (broken == NULL && pieces)
            broken = broken_pieces(plan, step, phases[i]);
        if (broken == NULL && !pieces &&
            (step->args.head.units != boxes_of(step) || step->spec.word != 0))
            broken = "each box of lines is a unit";
    }
    return broken;
}
