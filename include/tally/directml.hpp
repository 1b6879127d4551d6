/*
 * tally/directml.hpp: the calls of tally/directml.h for C++17 and later, as tally/tally.hpp has
 * those of tally.h. A header of its own, so that DirectML's names are only where they are wanted;
 * what directml.h says of the order of includes is true of this one.
 */
#ifndef TALLY_DIRECTML_HPP
#define TALLY_DIRECTML_HPP

#include <tally/directml.h>
#include <tally/tally.hpp>

namespace tally {

/* Make an operator of DirectML's description, held to a feature level. */
inline result<op> try_make_dml(const runtime &in, const DML_OPERATOR_DESC &what,
                               DML_FEATURE_LEVEL level) noexcept {
    tally_op *made = nullptr;
    tally_error why{};
    const tally_status code = tally_dml_operator_create(in.get(), &what, level, &made, &why);
    return detail::outcome(code, why, op(made));
}

/* What try_make_dml would say of the description on a device of these limits, without one. */
inline result<void> try_check_dml(const DML_OPERATOR_DESC &what, DML_FEATURE_LEVEL level,
                                  const tally_device_limits &limits = device_limits()) noexcept {
    tally_error why{};
    return detail::outcome(tally_dml_operator_check(&what, level, &limits, &why), why);
}

/* The lowest level that takes tensors of these types and this rank. */
inline result<DML_FEATURE_LEVEL>
try_minimum_dml_level(DML_OPERATOR_TYPE type, DML_REDUCE_FUNCTION what, DML_TENSOR_DATA_TYPE input,
                      DML_TENSOR_DATA_TYPE output, std::uint32_t rank) noexcept {
    DML_FEATURE_LEVEL level{};
    tally_error why{};
    const tally_status code =
        tally_dml_minimum_level(type, what, input, output, rank, &level, &why);
    return detail::outcome(code, why, level);
}

/*
 * The least TotalTensorSizeInBytes of a tensor with these sizes and these strides, outermost first;
 * without strides it is packed. Both are contiguous ranges of std::uint32_t, as DirectML's structs
 * point to.
 */
template <class Sizes>
result<std::uint64_t> try_dml_tensor_size(DML_TENSOR_DATA_TYPE type, const Sizes &size) noexcept {
    std::uint64_t bytes = 0;
    tally_error why{};
    const tally_status code = tally_dml_buffer_tensor_size(
        type, static_cast<std::uint32_t>(std::size(size)), std::data(size), nullptr, &bytes, &why);
    return detail::outcome(code, why, bytes);
}
template <class Sizes, class Strides>
result<std::uint64_t> try_dml_tensor_size(DML_TENSOR_DATA_TYPE type, const Sizes &size,
                                          const Strides &stride) noexcept {
    if (std::size(size) != std::size(stride))
        return detail::refuse("there are %zu strides for %zu sizes",
                              static_cast<std::size_t>(std::size(stride)),
                              static_cast<std::size_t>(std::size(size)));
    std::uint64_t bytes = 0;
    tally_error why{};
    const tally_status code =
        tally_dml_buffer_tensor_size(type, static_cast<std::uint32_t>(std::size(size)),
                                     std::data(size), std::data(stride), &bytes, &why);
    return detail::outcome(code, why, bytes);
}

#if TALLY_HPP_THROWS
inline op make_dml(const runtime &in, const DML_OPERATOR_DESC &what, DML_FEATURE_LEVEL level) {
    return detail::take(try_make_dml(in, what, level));
}
inline void check_dml(const DML_OPERATOR_DESC &what, DML_FEATURE_LEVEL level,
                      const tally_device_limits &limits = device_limits()) {
    detail::take(try_check_dml(what, level, limits));
}
inline DML_FEATURE_LEVEL minimum_dml_level(DML_OPERATOR_TYPE type, DML_REDUCE_FUNCTION what,
                                           DML_TENSOR_DATA_TYPE input, DML_TENSOR_DATA_TYPE output,
                                           std::uint32_t rank) {
    return detail::take(try_minimum_dml_level(type, what, input, output, rank));
}
template <class Sizes> std::uint64_t dml_tensor_size(DML_TENSOR_DATA_TYPE type, const Sizes &size) {
    return detail::take(try_dml_tensor_size(type, size));
}
template <class Sizes, class Strides>
std::uint64_t dml_tensor_size(DML_TENSOR_DATA_TYPE type, const Sizes &size, const Strides &stride) {
    return detail::take(try_dml_tensor_size(type, size, stride));
}
#endif

} // namespace tally

#endif
