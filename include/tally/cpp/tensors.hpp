/*
 * tally/cpp/tensors.hpp: tensors. A part of tally/tally.hpp. Knows no operator.
 */
#ifndef TALLY_CPP_TENSORS_HPP
#define TALLY_CPP_TENSORS_HPP

#include <tally/calls/vocabulary.h>
#include <tally/cpp/parameters.hpp>
#include <tally/cpp/result.hpp>

#include <cstdint>
#include <cstring>

namespace tally {

/* A tally_tensor that begins as rank 0 and without a type. */
struct tensor : tally_tensor {
    tensor() noexcept : tally_tensor{} {}
    tensor(const tally_tensor &other) noexcept : tally_tensor(other) {}
};

/* A packed row-major tensor of these sizes, outermost first; none is rank 0, a single element. */
inline result<tensor> try_packed(tally_dtype type, const sizes &size) noexcept {
    const result<void> checked = size.check("sizes");
    if (!checked)
        return checked.error();
    return tensor(tally_tensor_packed(type, static_cast<std::uint32_t>(size.size()), size.data()));
}

/* A strided tensor: strides are in elements, as many as there are sizes. */
inline result<tensor> try_strided(tally_dtype type, const sizes &size,
                                  const sizes &stride) noexcept {
    const result<void> checked = stride.check("strides");
    if (!checked)
        return checked.error();
    if (size.size() != stride.size())
        return detail::refuse("there are %zu strides for %zu sizes", stride.size(), size.size());
    result<tensor> made = try_packed(type, size);
    if (made) {
        made->flags |= TALLY_STRIDED;
        std::memcpy(made->stride, stride.data(), sizeof made->stride);
    }
    return made;
}

/* The packed tensor that a reduction of input over these axes writes. */
inline result<tensor> try_reduced(const tally_tensor &input, const axes &swept,
                                  tally_dtype type) noexcept {
    const result<void> checked = swept.check(input.rank);
    if (!checked)
        return checked.error();
    return tensor(tally_tensor_reduced(&input, swept.mask(), type));
}

/* Bytes from the first element to the end of the last: what a buffer holds from the view's offset
 * on. 0 for an empty tensor. */
inline result<std::uint64_t> try_bytes(const tally_tensor &of) noexcept {
    tally_error why{};
    std::uint64_t needed = 0;
    const tally_status code = tally_tensor_bytes(&of, &needed, &why);
    return detail::outcome(code, why, needed);
}

#if TALLY_HPP_THROWS
inline tensor packed(tally_dtype type, const sizes &size) {
    return detail::take(try_packed(type, size));
}
inline tensor strided(tally_dtype type, const sizes &size, const sizes &stride) {
    return detail::take(try_strided(type, size, stride));
}
inline tensor reduced(const tally_tensor &input, const axes &swept, tally_dtype type) {
    return detail::take(try_reduced(input, swept, type));
}
inline std::uint64_t bytes(const tally_tensor &of) {
    return detail::take(try_bytes(of));
}
#endif

} // namespace tally

#endif
