/* parts.cpp: problems in parts: states that are combined, a scan that goes on from a carry. */
#include "run.hpp"

#include <tally/part.hpp>

namespace {

/* The largest number of each column, by states of parts that lie one behind the other. */
void test_states(const host &h) {
    const tally::reduce_desc most = NEED(tally::try_reduce(TALLY_MAX, h.matrix, {0}));
    const tally::cut cut = NEED(tally::try_cut_even(most, 0, 2));
    CHECK(cut.kind == TALLY_CUT_STATES && cut.parts() == 2 && cut.lines == 4);
    CHECK((cut.bounds == std::vector<std::uint64_t>{0, 2, 3}) && cut.states() == 2);
    const cl::Buffer states(h.context, CL_MEM_READ_WRITE, cut.states() * 4 * cut.state_bytes);
    std::size_t behind = 0;
    for (std::size_t p = 0; p < cut.parts(); p++) {
        const tally::op part = NEED(tally::try_make_part(h.runtime, most, cut, cut[p]));
        const std::size_t first = static_cast<std::size_t>(cut.bounds[p]) * 16;
        NEED(part.try_enqueue(h.queue, {{h.input, first}, {states, behind}}));
        behind += static_cast<std::size_t>(cut.state_bytes_of(p));
    }
    const tally::op all = NEED(tally::try_make_combine(h.runtime, most, cut, cut.states()));
    NEED(all.try_enqueue(h.queue, {states, h.output}));
    CHECK((h.read(h.output, 4) == std::vector<float>{5, 9, 5, 8}));
}

/* The columns that a part keeps, read in place and written to a packed tensor. */
void test_results(const host &h) {
    const tally::reduce_desc sum = NEED(tally::try_reduce(TALLY_SUM, h.matrix, {0}));
    const tally::cut cut = NEED(tally::try_cut_at(sum, 1, {0, 1, 4}));
    CHECK(cut.kind == TALLY_CUT_RESULTS && cut.states() == 0);
    tally::part right = cut[1];
    right.set_output(tally::tensor_range(sum.output, 1, 1, 4));
    const tally::part copy = right;
    CHECK(copy.output != right.output && copy.output->size[1] == 3 && copy.input == nullptr);
    const tally::op part = NEED(tally::try_make_part(h.runtime, sum, cut, copy));
    NEED(part.try_enqueue(h.queue, {{h.input, 4}, h.output}));
    CHECK((h.read(h.output, 3) == std::vector<float>{13, 11, 15}));
}

/* The running maximum of 12 numbers from its middle on, with an event of its own. */
void test_carry(const host &h) {
    const tally::tensor row = NEED(tally::try_packed(TALLY_F32, {12}));
    const tally::cumulative_desc scan = NEED(tally::try_cumulative(TALLY_MAX, row, 0));
    const tally::cut cut = NEED(tally::try_cut_at(scan, 0, {0, 5, 12}));
    CHECK(cut.kind == TALLY_CUT_TOTALS && cut.states_of(0) == 1 && cut.states_between(5, 5) == 0);
    const cl::Buffer carry(h.context, CL_MEM_READ_WRITE, 4);
    const tally::op total = NEED(tally::try_make_part(h.runtime, scan, cut, cut[0]));
    NEED(total.try_enqueue(h.queue, {h.input, carry}));
    const tally::op first = NEED(tally::try_make_part_scan(h.runtime, scan, cut, cut[0]));
    const tally::op then = NEED(tally::try_make_part_scan(h.runtime, scan, cut, cut[1]));
    cl::Event done;
    NEED(first.try_enqueue(h.queue, {h.input, h.output}));
    NEED(tally::try_enqueue_part(then, h.queue, {{{h.input, 20}, {h.output, 20}}, carry}, {},
                                 &done));
    CHECK(done.wait() == CL_SUCCESS);
    CHECK((h.read(h.output, 12) == std::vector<float>{3, 3, 4, 4, 5, 9, 9, 9, 9, 9, 9, 9}));
    CHECK(refused(then.try_enqueue(h.queue, {h.input, h.output}), TALLY_INVALID,
                  "tally_part_enqueue() takes"));
    CHECK(refused(tally::try_enqueue_part(then, h.queue, {{h.input, h.output}, {}}), TALLY_INVALID,
                  "the carry's buffer and pointer are NULL"));
}

void test_refusals(const host &h) {
    const tally::reduce_desc sum = NEED(tally::try_reduce(TALLY_SUM, h.matrix, {0}));
    const tally::reduce_desc most = NEED(tally::try_reduce(TALLY_MAX, h.matrix, {0}));
    CHECK(refused(tally::try_cut_even(sum, 0, 0), TALLY_INVALID, "the number of parts is 0"));
    CHECK(refused(tally::try_cut_even(sum, 0, UINT32_MAX), TALLY_INVALID, "is 4294967295, but"));
    CHECK(refused(tally::try_cut_even(sum, 2, 2), TALLY_INVALID, "axis 2 is not below the rank 2"));
    CHECK(refused(tally::try_cut_at(sum, 0, {}), TALLY_INVALID, "there are 0 bounds"));
    CHECK(refused(tally::try_cut_at(sum, 0, {3}), TALLY_INVALID, "there are 1 bounds"));
    CHECK(refused(tally::try_cut_at(sum, 0, {0, 1, 3}), TALLY_INVALID, "the nearest is 0"));
    const tally::cut cut = NEED(tally::try_cut_even(most, 0, 2));
    CHECK(refused(tally::try_make_part(h.runtime, sum, cut, cut[0]), TALLY_INVALID, "has key 0x"));
    CHECK(refused(tally::try_make_combine(h.runtime, most, cut, 4), TALLY_INVALID,
                  "4 states are to be combined"));
    CHECK(refused(tally::try_make_part_scan(h.runtime, most, cut, {0, 1}), TALLY_INVALID,
                  "has no carry"));
#if TALLY_HPP_THROWS
    bool thrown = false;
    try {
        static_cast<void>(tally::make_combine(h.runtime, most, tally::cut_even(most, 0, 2), 0));
    } catch (const tally::error &why) {
        thrown = why.status() == TALLY_INVALID && contains(why.what(), "0 states");
    }
    CHECK(thrown);
#endif
}

} // namespace

void run_parts(const host &h) {
    test_states(h);
    test_results(h);
    test_carry(h);
    test_refusals(h);
}
