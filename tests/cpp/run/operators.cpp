/* operators.cpp: operators of each kind on the device. */
#include "run.hpp"

#include <tally/directml.hpp>

namespace {

void test_reduce(const host &h) {
    const tally::op sum = row_sums(h);
    NEED(sum.try_enqueue(h.queue, {h.input, h.output}));
    CHECK((h.read(h.output, 3) == std::vector<float>{9, 22, 21}));
    /* From raw handles, from and to the middle of buffers. */
    NEED(sum.try_enqueue(h.queue(), {h.input(), {h.output(), 16}}));
    const std::vector<float> got = h.read(h.output, 7);
    CHECK((std::vector<float>(got.begin() + 4, got.end()) == std::vector<float>{9, 22, 21}));
    CHECK(contains(NEED(sum.try_explain()), std::string(sum.describe()).substr(0, 8).c_str()));
}

/* Scratch is the third view: few outputs of many terms. */
void test_scratch(const host &h) {
    const std::size_t count = 1u << 22;
    const tally::tensor ones = NEED(tally::try_strided(TALLY_F32, {count}, {0}));
    const tally::reduce_desc desc = NEED(tally::try_reduce(TALLY_SUM, ones, {0}));
    const tally::op sum = NEED(tally::op::try_make(h.runtime, desc));
    const std::vector<float> total = {3.0f * static_cast<float>(count)};
    const cl::Buffer own(h.context, CL_MEM_READ_WRITE, sum.scratch_size() + 256);
    NEED(sum.try_enqueue(h.queue, {h.input, h.output, {own, 256}}));
    CHECK(h.read(h.output, 1) == total);

    const tally_estimate needs = NEED(h.runtime.try_estimate(desc));
    CHECK(contains(NEED(h.runtime.try_explain(desc)), "plan: "));
    CHECK(sum.scratch_size() > 0 && needs.scratch >= sum.scratch_size());
    CHECK(sum.launches() > 0 && needs.launches >= sum.launches());
    const tally::scratch grown = NEED(tally::scratch::try_make(h.runtime));
    CHECK(grown.bytes() == 0);
    const tally::view place = NEED(grown.try_view(sum));
    CHECK(place.buffer != nullptr && grown.bytes() >= sum.scratch_size());
    NEED(sum.try_enqueue(h.queue, {h.input, {h.output, 4}, place}));
    CHECK((h.read(h.output, 2) == std::vector<float>{total[0], total[0]}));
    CHECK(NEED(grown.try_view(row_sums(h))).buffer == nullptr);
    CHECK(refused(tally::scratch().try_view(sum), TALLY_INVALID, "NULL"));
    CHECK(refused(tally::scratch::try_make({}), TALLY_INVALID, "NULL"));
}

void test_scan_in_place(const host &h) {
    const cl::Buffer both = h.copy();
    tally::cumulative_desc desc = NEED(tally::try_cumulative(TALLY_SUM, h.matrix, 1));
    desc.descending = true;
    const tally::op scan = NEED(tally::op::try_make(h.runtime, desc));
    NEED(scan.try_enqueue(h.queue, tally::binding::in_place(both)));
    CHECK((h.read(both, 12) == std::vector<float>{9, 6, 5, 1, 22, 17, 8, 6, 21, 16, 13, 8}));
}

/* What has any description makes the operator that the description itself makes. */
void test_any_description(const host &h) {
    const tally::reduce_desc sum = NEED(tally::try_reduce(TALLY_SUM, h.matrix, {1}));
    const tally_desc any = sum;
    const tally::op made = NEED(tally::op::try_make(h.runtime, any));
    CHECK(std::string(made.describe()) == NEED(tally::op::try_make(h.runtime, sum)).describe());
    CHECK(refused(tally::op::try_make(h.runtime, tally_desc{}), TALLY_INVALID, "struct_size"));
}

void test_fills(const host &h) {
    const tally::op identity =
        NEED(tally::op::try_make(h.runtime, NEED(tally::try_diagonal(h.matrix, 1, 0, 1))));
    NEED(identity.try_enqueue(h.queue, tally::binding::output_only(h.output)));
    CHECK((h.read(h.output, 12) == std::vector<float>{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}));
    const tally::op lower = NEED(
        tally::op::try_make(h.runtime, NEED(tally::try_diagonal(h.matrix, 0, 1, 9, h.matrix))));
    NEED(lower.try_enqueue(h.queue, {h.input, h.output}));
    CHECK((h.read(h.output, 12) == std::vector<float>{3, 0, 0, 0, 5, 9, 0, 0, 5, 3, 5, 0}));
}

void test_directml(const host &h) {
    const UINT sizes[] = {1, 1, 3, 4}, reduced[] = {1, 1, 3, 1}, axes[] = {3};
    const UINT64 bytes = NEED(tally::try_dml_tensor_size(DML_TENSOR_DATA_TYPE_FLOAT32, sizes));
    CHECK(bytes == 48);
    DML_BUFFER_TENSOR_DESC from{}, to{};
    from.DataType = to.DataType = DML_TENSOR_DATA_TYPE_FLOAT32;
    from.DimensionCount = to.DimensionCount = 4;
    from.Sizes = sizes;
    to.Sizes = reduced;
    from.TotalTensorSizeInBytes = bytes;
    to.TotalTensorSizeInBytes =
        NEED(tally::try_dml_tensor_size(DML_TENSOR_DATA_TYPE_FLOAT32, reduced, reduced));
    const DML_TENSOR_DESC input = {DML_TENSOR_TYPE_BUFFER, &from};
    const DML_TENSOR_DESC output = {DML_TENSOR_TYPE_BUFFER, &to};
    const DML_REDUCE_OPERATOR_DESC reduce = {DML_REDUCE_FUNCTION_MAX, &input, &output, 1, axes};
    const DML_OPERATOR_DESC desc = {DML_OPERATOR_REDUCE, &reduce};
    const DML_FEATURE_LEVEL level = NEED(tally::try_minimum_dml_level(
        desc.Type, reduce.Function, from.DataType, to.DataType, from.DimensionCount));
    CHECK(level == DML_FEATURE_LEVEL_1_0);
    NEED(tally::try_check_dml(desc, level));
    const tally::op op = NEED(tally::try_make_dml(h.runtime, desc, level));
    NEED(op.try_enqueue(h.queue, {h.input, h.output}));
    CHECK((h.read(h.output, 3) == std::vector<float>{4, 9, 8}));
    const std::array<UINT, 1> one = {{1}};
    CHECK(refused(tally::try_dml_tensor_size(DML_TENSOR_DATA_TYPE_FLOAT32, sizes, one),
                  TALLY_INVALID, "1 strides for 4 sizes"));
}

} // namespace

void run_operators(const host &h) {
    test_reduce(h);
    test_scratch(h);
    test_scan_in_place(h);
    test_any_description(h);
    test_fills(h);
    test_directml(h);
}
