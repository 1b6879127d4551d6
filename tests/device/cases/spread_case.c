/*
 * spread_case.c: scans whose units are spread over groups.
 */
#include "spread_case.h"

#include "api/operator.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/reference/scan_memory.h"

tally_cumulative spread_case_describe(const spread_case *it, bool exclusive, bool descending) {
    tally_cumulative desc =
        shape_scan(it->function, it->dtype, SHAPE(it->rows, it->terms, it->columns), 1);
    desc.exclusive = exclusive;
    desc.descending = descending;
    return desc;
}

bool spread_case_is_there(const spread_case *it, uint8_t word_bytes) {
    const bool compiled = tally_dtype_size(it->dtype) < 8 || word_bytes == 8;
    return compiled && (it->dtype != TALLY_F64 || fixture_get()->has_f64);
}

void spread_case_leave(tally_op *op, uint32_t leave) {
    for (uint32_t i = 0; i < op->executable.plan.count && leave != 0; i++) {
        op->executable.plan.step[i].args.scan_chain.spin_limit = 0;
        op->executable.plan.step[i].args.scan_chain.leave = leave;
    }
}

void spread_case_run_rounds(const tally_cumulative *desc, tally_op *op, bool in_place,
                            const uint32_t leave[SPREAD_CASE_ROUNDS]) {
    tally_scan_chain_args *args = &op->executable.plan.step[0].args.scan_chain;
    const uint64_t spin_limit = args->spin_limit;
    for (uint32_t round = 0; round < SPREAD_CASE_ROUNDS; round++) {
        args->tickets = round % 2 != 0;
        args->leave = leave[round];
        args->spin_limit = args->leave != 0 ? 0 : spin_limit;
        scan_memory_run(desc, op, in_place, round, 1);
    }
    tally_op_release(op);
}
