/* plain.cpp: what needs no device: names, elements, tensors, descriptions, results. */
#include "run.hpp"

namespace {

void test_names() {
    CHECK(tally::version() == TALLY_VERSION);
    CHECK(tally::order_version() == tally_order_version());
    CHECK(tally::name(TALLY_UNSUPPORTED) == "unsupported");
    CHECK(tally::name(TALLY_F16) == "f16" && tally::name(TALLY_LOG_SUM_EXP) == "log_sum_exp");
    CHECK(tally::dtype_by_name(std::string("u64")) == TALLY_U64);
    CHECK(tally::dtype_by_name("none") == TALLY_DTYPE_NONE);
    CHECK(tally::function_by_name("argmin") == TALLY_ARGMIN);
    CHECK(tally::size_of(TALLY_I16) == 2);
}

template <class T> unsigned half_of(T value) {
    return NEED(tally::try_scalar(TALLY_F16, value)).f16_bits;
}

void test_half() {
    CHECK(half_of(0.0) == 0 && half_of(-0.0) == 0x8000 && half_of(1) == 0x3C00);
    CHECK(half_of(-2) == 0xC000 && half_of(1.0 / 3) == 0x3555);
    CHECK(half_of(65504) == 0x7BFF && half_of(65519.999) == 0x7BFF && half_of(65520) == 0x7C00);
    CHECK(half_of(1e300) == 0x7C00 && half_of(-1e300) == 0xFC00);
    CHECK(half_of(std::ldexp(1.0, -14)) == 0x0400 && half_of(std::ldexp(1.0, -24)) == 1);
    CHECK(half_of(std::ldexp(1.0, -25)) == 0 && half_of(std::ldexp(1.5, -25)) == 1);
    CHECK(half_of(std::ldexp(2047.0, -25)) == 0x0400); /* the carry of a subnormal: a tie */
    CHECK(half_of(2049) == 0x6800 && half_of(2051) == 0x6802 && half_of(2049.01) == 0x6801);
    CHECK((half_of(std::nan("")) & 0x7FFFu) == 0x7E00u);
    CHECK(half_of(std::numeric_limits<float>::infinity()) == 0x7C00);
}

void test_scalars() {
    CHECK(tally::scalar(-7).i32 == -7 && tally::scalar(7ull).u64 == 7);
    CHECK(tally::scalar(tally::f16{0x3C00}).f16_bits == 0x3C00);
    CHECK(NEED(tally::try_scalar(TALLY_I8, -128)).i8 == -128);
    CHECK(NEED(tally::try_scalar(TALLY_U8, 255.0)).u8 == 255);
    CHECK(NEED(tally::try_scalar(TALLY_I64, -9223372036854775808.0)).i64 ==
          std::numeric_limits<std::int64_t>::min());
    CHECK(NEED(tally::try_scalar(TALLY_U64, ~0ull)).u64 == ~0ull);
    CHECK(NEED(tally::try_scalar(TALLY_F32, 16777217)).f32 <= 16777216.0f);
    CHECK(NEED(tally::try_scalar(TALLY_F64, 0.1)).f64 >= 0.1);
    CHECK(
        refused(tally::try_scalar(TALLY_U8, 256), TALLY_INVALID, "256 is no value of the type u8"));
    CHECK(refused(tally::try_scalar(TALLY_U8, -1), TALLY_INVALID, "-1 is no value of the type u8"));
    CHECK(refused(tally::try_scalar(TALLY_I8, -129), TALLY_INVALID, "-129"));
    CHECK(refused(tally::try_scalar(TALLY_I64, ~0ull), TALLY_INVALID, "18446744073709551615"));
    CHECK(refused(tally::try_scalar(TALLY_I64, 9223372036854775808.0), TALLY_INVALID, "i64"));
    CHECK(refused(tally::try_scalar(TALLY_I32, 10.6), TALLY_INVALID, "10.6"));
    CHECK(refused(tally::try_scalar(TALLY_I32, std::nan("")), TALLY_INVALID, "nan"));
    CHECK(refused(tally::try_scalar(TALLY_DTYPE_NONE, 1), TALLY_INVALID, "unknown"));
}

void test_tensors() {
    const std::vector<int> of_ints = {2, 3, 4};
    const tally::tensor a = NEED(tally::try_packed(TALLY_I16, of_ints));
    CHECK(a.rank == 3 && a.flags == 0 && a.size[0] == 2 && a.size[2] == 4 && a.size[3] == 0);
    CHECK(NEED(tally::try_bytes(a)) == 48);
    const tally::tensor b = NEED(tally::try_strided(TALLY_F32, {2, 3}, {8, 2}));
    CHECK(b.flags == TALLY_STRIDED && b.stride[0] == 8 && b.stride[1] == 2);
    CHECK(NEED(tally::try_bytes(b)) == 4 * (8 + 4 + 1));
    const tally::tensor c = NEED(tally::try_reduced(a, {2, 0}, TALLY_U32));
    CHECK(c.dtype == TALLY_U32 && c.size[0] == 1 && c.size[1] == 3 && c.size[2] == 1);
    CHECK(NEED(tally::try_packed(TALLY_F32, {})).rank == 0);
    CHECK(tally::axes::all_of(a).mask() == 7);

    const std::array<std::uint64_t, 9> nine = {{1, 1, 1, 1, 1, 1, 1, 1, 1}};
    CHECK(refused(tally::try_packed(TALLY_F32, nine), TALLY_INVALID, "there are 9 sizes"));
    CHECK(refused(tally::try_packed(TALLY_F32, {2, -3}), TALLY_INVALID, "-3 among the sizes"));
    CHECK(refused(tally::try_strided(TALLY_F32, {2}, {-1}), TALLY_INVALID, "among the strides"));
    CHECK(refused(tally::try_strided(TALLY_F32, {2, 3}, {1}), TALLY_INVALID, "1 strides for 2"));
    CHECK(refused(tally::try_reduced(a, {3}, TALLY_F32), TALLY_INVALID, "axis 3 is none of"));
    CHECK(refused(tally::try_reduced(a, {-1}, TALLY_F32), TALLY_INVALID, "axis -1 is none of"));
    CHECK(refused(tally::try_reduced(a, {1, 64}, TALLY_F32), TALLY_INVALID, "axis 64 is none"));
    CHECK(refused(tally::try_bytes(tally::tensor()), TALLY_INVALID, "tensor"));
}

void test_descriptions() {
    const tally::tensor a = NEED(tally::try_packed(TALLY_F32, {3, 4}));
    const tally::reduce_desc sum = NEED(tally::try_reduce(TALLY_SUM, a, {0}));
    CHECK(sum.struct_size == sizeof(tally_reduce) && sum.axes == 1);
    CHECK(sum.output.dtype == TALLY_F32 && sum.output.size[0] == 1 && sum.output.size[1] == 4);
    CHECK(NEED(tally::try_reduce(TALLY_ARGMIN, a, {0})).output.dtype == TALLY_I64);
    CHECK(NEED(tally::try_reduce(TALLY_ARGMIN, a, {0}, TALLY_U32)).output.dtype == TALLY_U32);
    const tally::cumulative_desc total = NEED(tally::try_cumulative(TALLY_SUM, a, 1));
    CHECK(total.struct_size == sizeof(tally_cumulative) && total.axis == 1);
    CHECK(total.output.size[1] == 4 && !total.descending && !total.exclusive);

    tally::diagonal_desc fill = NEED(tally::try_diagonal(a, 2, -1, 1, a));
    CHECK(fill.struct_size == sizeof(tally_diagonal) && fill.value.f32 >= 2 && fill.begin == -1);
    tally::diagonal_desc other = fill;
    CHECK(other.input != nullptr && other.input != fill.input && other.input->rank == 2);
    fill.input = &a;
    other = fill;
    CHECK(other.input == &a);
    CHECK(static_cast<tally_desc>(fill).diagonal == &fill && tally::desc(sum).reduce == &sum);
    CHECK(tally::input_of(fill) == &a && tally::output_of(fill) == &fill.output);
    CHECK(tally::input_of(total) == &total.input && tally::output_of(tally_desc{}) == nullptr);

    CHECK(refused(tally::try_reduce(TALLY_SUM, a, {2}), TALLY_INVALID, "axis 2 is none of"));
    CHECK(refused(tally::try_cumulative(TALLY_SUM, a, 2), TALLY_INVALID, "axis 2 is none of"));
    const tally::tensor row = NEED(tally::try_packed(TALLY_F32, {3}));
    CHECK(refused(tally::try_diagonal(row, 1, 0, 1), TALLY_INVALID, "of 1 axes has no matrices"));
    const tally::tensor bytes = NEED(tally::try_packed(TALLY_U8, {3, 3}));
    CHECK(refused(tally::try_diagonal(bytes, 300, 0, 1), TALLY_INVALID, "300"));
}

void test_explain_without_device() {
    const tally::tensor a = NEED(tally::try_packed(TALLY_F32, {1000, 5000}));
    const tally::reduce_desc sum = NEED(tally::try_reduce(TALLY_SUM, a, {1}));
    const std::string plan = NEED(tally::try_explain(sum, TALLY_FAMILY_GPU));
    CHECK(contains(plan, "f32") && !contains(plan, "__kernel"));
    const std::string all =
        NEED(tally::try_explain(sum, TALLY_FAMILY_CPU, TALLY_SINGLE_PASS_AUTO, true));
    CHECK(contains(all, "kernel") && all.size() > plan.size());
    CHECK(refused(tally::try_explain(sum, TALLY_FAMILY_AUTO), TALLY_INVALID, "family"));
}

void test_views() {
    float numbers[4] = {};
    const tally::view from(&numbers[0], 8);
    CHECK(from.buffer == nullptr && from.pointer == &numbers[0] && from.offset == 8);
    const tally::view whole(static_cast<const void *>(numbers));
    CHECK(whole.pointer == &numbers[0] && whole.offset == 0);
}

/* The questions that need no device say what making the operator would. */
void test_checks() {
    const tally::tensor doubles = NEED(tally::try_packed(TALLY_F64, {3, 4}));
    tally::device_limits limits;
    limits.no_fp64 = true;
    const tally::cumulative_desc scan = NEED(tally::try_cumulative(TALLY_SUM, doubles, 1));
    NEED(tally::try_check(scan));
    CHECK(refused(tally::try_check(scan, limits), TALLY_UNSUPPORTED, "fp64"));
    NEED(tally::try_check(NEED(tally::try_diagonal(doubles, 1, 0, 1)), limits));
    tally::reduce_desc sum = NEED(tally::try_reduce(TALLY_SUM, doubles, {1}));
    sum.axes = 4;
    CHECK(refused(tally::try_check(sum), TALLY_INVALID, "axes"));
}

void test_results() {
    tally_error why{};
    why.status = TALLY_DEVICE_ERROR;
    why.fault = TALLY_FAULT_OPENCL;
    why.cl_code = CL_OUT_OF_RESOURCES;
    std::strcpy(why.message, "a call failed");
    const tally::result<int> failed = why, made = 7;
    CHECK(!failed && !failed.has_value() && failed.error().cl_code == CL_OUT_OF_RESOURCES);
    CHECK(made && *made == 7 && made.status() == TALLY_OK);
    CHECK(failed.value_or(3) == 3 && made.value_or(3) == 7);
    const tally::result<void> nothing, wrong = why;
    CHECK(nothing && nothing.status() == TALLY_OK && !wrong);
    CHECK(wrong.status() == TALLY_DEVICE_ERROR);
    const tally::error thrown(why);
    CHECK(thrown.status() == TALLY_DEVICE_ERROR && thrown.cl_code() == CL_OUT_OF_RESOURCES);
    CHECK(thrown.fault() == TALLY_FAULT_OPENCL);
    CHECK(thrown.what() == std::string("a call failed"));
    CHECK(refused(tally::runtime::try_make(tally::config()), TALLY_INVALID, "context"));
}

} // namespace

void run_plain() {
    test_names();
    test_half();
    test_scalars();
    test_tensors();
    test_descriptions();
    test_explain_without_device();
    test_views();
    test_checks();
    test_results();
}
