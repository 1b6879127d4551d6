/*
 * Choosing the size of pieces. Scratch is known only when the operators are made, so pieces are
 * tried from large ones to small ones until all of it fits.
 */
#include "stream/budget.h"

#include <inttypes.h>

#include "device/clerror.h"

/*
 * Bytes of a piece, by what happens to it. Kernels are fast with large pieces, whose start does not
 * count. Transfers are as fast with smaller ones, and the host's threads that fill pinned memory
 * are faster (docs/scaling-stream.md has figures). Where the host writes a piece and kernels read
 * it from the same memory, caches shall still have it.
 */
static const uint64_t usual_pieces[] = {
    [TALLY_BUDGET_LENT] = UINT64_C(64) << 20,
    [TALLY_BUDGET_COPIED] = UINT64_C(32) << 20,
    [TALLY_BUDGET_CACHED] = UINT64_C(8) << 20,
};

/* Budgets of streams that say nothing: a share of the device's memory. */
#define SHARE 4u

/* ---- The budget ----------------------------------------------------------------------------- */

static tally_status ask(cl_device_id device, cl_device_info what, uint64_t *number,
                        tally_error *error) {
    cl_ulong answer = 0;
    const cl_int code = clGetDeviceInfo(device, what, sizeof answer, &answer, NULL);
    *number = answer;
    return tally_cl_check(code, "clGetDeviceInfo", error);
}

tally_status tally_budget_read(const tally_stream *stream, cl_device_id device,
                               tally_budget_way way, tally_budget *budget, tally_error *error) {
    uint64_t all = 0;
    tally_status status = ask(device, CL_DEVICE_GLOBAL_MEM_SIZE, &all, error);
    if (status == TALLY_OK)
        status = ask(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, &budget->largest, error);
    budget->memory = stream->memory != 0 ? stream->memory : all / SHARE;
    budget->piece = stream->piece != 0 ? stream->piece : usual_pieces[way];
    return status;
}

/* ---- Trying --------------------------------------------------------------------------------- */

static bool fits(const tally_budget *budget, const tally_pieces *pieces, uint32_t slots,
                 uint64_t scratch) {
    return pieces->input_bytes <= budget->largest && pieces->output_bytes <= budget->largest &&
           pieces->state_bytes <= budget->largest && scratch <= budget->largest &&
           tally_flow_memory(pieces, slots, scratch) <= budget->memory;
}

static void release(tally_flow *flow) {
    tally_ops_release(&flow->ops);
    tally_pieces_release(&flow->pieces);
}

/* Choose pieces of so many bytes, and make their operators if all that is known before fits. */
static tally_status try_pieces(const tally_budget *budget, tally_pieces_way way, uint64_t piece,
                               tally_runtime *runtime, tally_flow *flow, bool *fit,
                               tally_error *error) {
    *fit = false;
    tally_status status = tally_pieces_choose(flow->flat, way, piece, &flow->pieces, error);
    tally_ops_init(&flow->ops, runtime, &flow->pieces);
    if (status == TALLY_OK && fits(budget, &flow->pieces, flow->slots.count, 0)) {
        status = tally_ops_prepare(&flow->ops, error);
        *fit =
            status == TALLY_OK && fits(budget, &flow->pieces, flow->slots.count, flow->ops.scratch);
    }
    if (!*fit)
        release(flow);
    return status;
}

/* Both ways of cutting; the first one that fits is taken. */
static tally_status try_ways(const tally_budget *budget, uint64_t piece, tally_runtime *runtime,
                             tally_flow *flow, bool *fit, tally_error *error) {
    tally_status status =
        try_pieces(budget, TALLY_PIECES_OUTER_FIRST, piece, runtime, flow, fit, error);
    if (status == TALLY_OK && !*fit)
        status = try_pieces(budget, TALLY_PIECES_KEPT_FIRST, piece, runtime, flow, fit, error);
    return status;
}

/* ---- Settling ------------------------------------------------------------------------------- */

/* From large pieces to small ones; the last is 0, for which pieces are as small as can be. */
static uint64_t next_size(uint64_t piece) {
    return piece - piece / 4 - (piece % 4 != 0);
}

/* What has the least memory of all that would be tried; scratch does not count yet. */
typedef struct least_pieces {
    tally_pieces_way way;
    uint64_t piece, memory; /* UINT64_MAX: nothing fits the largest buffer */
} least_pieces;

static tally_status find_least(const tally_budget *budget, tally_pieces_way way,
                               const tally_flat *flat, least_pieces *least, tally_error *error) {
    const tally_budget any = {UINT64_MAX, budget->largest, 0};
    tally_status status = TALLY_OK;
    for (uint64_t piece = budget->piece; status == TALLY_OK; piece = next_size(piece)) {
        tally_pieces pieces;
        status = tally_pieces_choose(flat, way, piece, &pieces, error);
        const uint64_t memory = tally_flow_memory(&pieces, 1, 0);
        if (status == TALLY_OK && fits(&any, &pieces, 1, 0) && memory < least->memory)
            *least = (least_pieces){way, piece, memory};
        tally_pieces_release(&pieces);
        if (piece == 0)
            break;
    }
    return status;
}

tally_status tally_budget_least(const tally_budget *budget, tally_runtime *runtime,
                                tally_flow *flow, uint64_t *memory, tally_error *error) {
    const tally_budget any = {UINT64_MAX, budget->largest, 0};
    least_pieces least = {TALLY_PIECES_OUTER_FIRST, 0, UINT64_MAX};
    bool fit = false;
    *memory = UINT64_MAX;
    tally_status status = find_least(budget, TALLY_PIECES_OUTER_FIRST, flow->flat, &least, error);
    if (status == TALLY_OK)
        status = find_least(budget, TALLY_PIECES_KEPT_FIRST, flow->flat, &least, error);
    if (status != TALLY_OK || least.memory == UINT64_MAX)
        return status;
    flow->slots.count = 1;
    status = try_pieces(&any, least.way, least.piece, runtime, flow, &fit, error);
    if (fit) {
        *memory = tally_flow_memory(&flow->pieces, 1, flow->ops.scratch);
        release(flow);
    }
    return status;
}

static tally_status refuse(const tally_budget *budget, tally_runtime *runtime, tally_flow *flow,
                           tally_error *error) {
    uint64_t least = 0;
    tally_status status = tally_budget_least(budget, runtime, flow, &least, error);
    if (status != TALLY_OK)
        return status;
    if (least == UINT64_MAX)
        return tally_fail(error, TALLY_UNSUPPORTED,
                          "the smallest pieces of the tensor do not fit the device's largest "
                          "buffer, which has %" PRIu64 " bytes",
                          budget->largest);
    return tally_fail(error, TALLY_INVALID,
                      "the stream may use %" PRIu64 " bytes of the device's memory, but it needs "
                      "at least %" PRIu64,
                      budget->memory, least);
}

/* The largest pieces that fit, of so many slots, and none smaller than the least. */
static tally_status try_sizes(const tally_budget *budget, uint64_t least, tally_runtime *runtime,
                              tally_flow *flow, bool *fit, tally_error *error) {
    tally_status status = TALLY_OK;
    for (uint64_t piece = budget->piece; status == TALLY_OK && piece >= least;
         piece = next_size(piece)) {
        status = try_ways(budget, piece, runtime, flow, fit, error);
        if (*fit || piece == 0)
            break;
    }
    return status;
}

tally_status tally_budget_settle(const tally_budget *budget, tally_runtime *runtime,
                                 tally_flow *flow, tally_error *error) {
    bool fit = false;
    for (uint32_t slots = TALLY_SLOTS_MOST; slots > 0; slots--) {
        const uint64_t share = budget->memory / slots;
        const uint64_t usual = share < budget->piece ? share : budget->piece;
        flow->slots.count = slots;
        /* Rather fewer slots than pieces of a third of their room. */
        tally_status status =
            try_sizes(budget, slots > 1 ? usual / 3 : 0, runtime, flow, &fit, error);
        if (status != TALLY_OK)
            return status;
        if (!fit)
            continue;
        const uint64_t pieces = flow->pieces.boxes * flow->pieces.parts;
        flow->slots.count = slots < pieces ? slots : (uint32_t)pieces;
        return TALLY_OK;
    }
    return refuse(budget, runtime, flow, error);
}
