/*
 * tally/cpp/names.hpp: shorter names of types, and the names of values. A part of tally/tally.hpp.
 * Knows no object.
 */
#ifndef TALLY_CPP_NAMES_HPP
#define TALLY_CPP_NAMES_HPP

#include <tally/calls/create.h>
#include <tally/calls/runtimes.h>
#include <tally/calls/vocabulary.h>
#include <tally/cpp/parameters.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tally {

using status = tally_status;
using fault = tally_fault;
using dtype = tally_dtype;
using function = tally_function;
using tie = tally_tie;
using nan = tally_nan;
using family = tally_family;
using single_pass = tally_single_pass;
using log_level = tally_log_level;
using stats = tally_stats;
using numerics = tally_numerics;
using scans = tally_scans;
using recording = tally_recording;
using estimate = tally_estimate;

/* Why a call failed: what a result has, and what tally::error is made of. */
using error_info = tally_error;

/* TALLY_CACHE_LIMIT, whose definition is C's. */
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
inline constexpr std::uint64_t cache_limit = TALLY_CACHE_LIMIT;
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/* ---- Names and numbers ----------------------------------------------------------------------- */

/* The library's version, to compare with TALLY_VERSION. */
inline std::uint32_t version() noexcept {
    return tally_version();
}
inline std::uint32_t order_version() noexcept {
    return tally_order_version();
}

/* Static texts, which end in a NUL; "unknown" for a value out of range. */
inline std::string_view name(tally_status value) noexcept {
    return tally_status_name(value);
}
inline std::string_view name(tally_dtype value) noexcept {
    return tally_dtype_name(value);
}
inline std::string_view name(tally_function value) noexcept {
    return tally_function_name(value);
}

/* TALLY_DTYPE_NONE and TALLY_FUNCTION_NONE if there is none of that name. */
inline tally_dtype dtype_by_name(text called) noexcept {
    return tally_dtype_by_name(called.get());
}
inline tally_function function_by_name(text called) noexcept {
    return tally_function_by_name(called.get());
}

/* Bytes of one element; 0 for a value out of range. */
inline std::size_t size_of(tally_dtype type) noexcept {
    return tally_dtype_size(type);
}

} // namespace tally

#endif
