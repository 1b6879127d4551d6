/*
 * ways.c: operators of parts, and what they read and write.
 */
#include "bench/ways.h"

static tally_view view_at(cl_mem buffer, uint64_t offset) {
    tally_view view = TALLY_VIEW_INIT;
    view.buffer = buffer;
    view.offset = (size_t)offset;
    return view;
}

static tally_part_binding *add(ways_way *of, uint32_t queue, uint32_t phase, tally_op *op,
                               tally_view input, tally_view output) {
    ways_step *made = &of->steps[of->count++];
    *made =
        (ways_step){.op = op, .binding = TALLY_PART_BINDING_INIT, .queue = queue, .phase = phase};
    made->binding.binding.input = input;
    made->binding.binding.output = output;
    return &made->binding;
}

/* The states of all parts, then what they come to; returns how many there are. */
static uint64_t add_states(const ways_bench *it, const tally_desc *desc, const tally_cut *cut,
                           ways_way *of) {
    uint64_t done = 0;
    for (uint32_t p = 0; p < it->parts; p++) {
        tally_error error;
        tally_op *op;
        tally_part part = TALLY_PART_INIT;
        part.begin = it->bounds[p];
        part.end = it->bounds[p + 1];
        const uint64_t states = tally_cut_states(cut, part.begin, part.end);
        if (desc->cumulative == NULL || p + 1 < it->parts) { /* nothing comes after the last part */
            bench_check(tally_part_create(it->on.runtime, desc, cut, &part, &op, &error), &error);
            add(of, p % it->queue_count, 0, op, view_at(it->input, part.begin * sizeof(float)),
                view_at(it->states, done * cut->state_bytes));
        }
        done += states;
    }
    return done;
}

static void add_scans(const ways_bench *it, const tally_desc *desc, const tally_cut *cut,
                      ways_way *of) {
    uint64_t before = 0;
    for (uint32_t p = 0; p < it->parts; p++) {
        tally_error error;
        tally_op *op;
        tally_part part = TALLY_PART_INIT;
        const uint32_t queue = p % it->queue_count;
        part.begin = it->bounds[p];
        part.end = it->bounds[p + 1];
        if (before > 0) {
            bench_check(tally_combine_create(it->on.runtime, desc, cut, before, &op, &error),
                        &error);
            add(of, queue, 1, op, view_at(it->states, 0), view_at(it->carry[queue], 0));
        }
        bench_check(tally_part_scan_create(it->on.runtime, desc, cut, &part, &op, &error), &error);
        add(of, queue, 1, op, view_at(it->input, part.begin * sizeof(float)),
            view_at(it->output, part.begin * sizeof(float)))
            ->carry = view_at(it->carry[queue], 0);
        before += tally_cut_states(cut, part.begin, part.end);
    }
}

/* Each part goes on from the last result of the one before. */
static void add_chain(const ways_bench *it, const tally_desc *desc, const tally_cut *cut,
                      ways_way *of) {
    for (uint32_t p = 0; p < it->parts; p++) {
        tally_error error;
        tally_op *op;
        tally_part part = TALLY_PART_INIT;
        part.begin = it->bounds[p];
        part.end = it->bounds[p + 1];
        const uint64_t at = part.begin * sizeof(float);
        bench_check(tally_part_scan_create(it->on.runtime, desc, cut, &part, &op, &error), &error);
        add(of, 0, p, op, view_at(it->input, at), view_at(it->output, at))->carry =
            p > 0 ? view_at(it->output, at - sizeof(float)) : view_at(NULL, 0);
    }
}

void ways_make_parts(ways_bench *it, const tally_desc *desc, bool chain, ways_way *of) {
    tally_error error;
    tally_op *op;
    tally_cut cut = TALLY_CUT_INIT;
    bench_check(tally_cut_even(desc, 0, it->parts, it->bounds, &cut, &error), &error);
    if (chain) {
        add_chain(it, desc, &cut, of);
        return;
    }
    const uint64_t states = add_states(it, desc, &cut, of);
    if (desc->cumulative != NULL) {
        add_scans(it, desc, &cut, of);
        return;
    }
    bench_check(tally_combine_create(it->on.runtime, desc, &cut, states, &op, &error), &error);
    add(of, 0, 1, op, view_at(it->states, 0), view_at(it->output, 0));
}

void ways_make_whole(const ways_bench *it, const tally_desc *desc, ways_way *of) {
    tally_error error;
    tally_op *op;
    bench_check(tally_op_create(it->on.runtime, desc, &op, &error), &error);
    add(of, 0, 0, op, view_at(it->input, 0), view_at(it->output, 0));
}

void ways_release(ways_way *of) {
    for (uint32_t i = 0; i < of->count; i++)
        tally_op_release(of->steps[i].op);
    of->count = 0;
}
