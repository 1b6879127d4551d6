/*
 * tally/cpp/questions.hpp: what needs no device: checks, and plans in words. A part of
 * tally/tally.hpp.
 */
#ifndef TALLY_CPP_QUESTIONS_HPP
#define TALLY_CPP_QUESTIONS_HPP

#include <tally/calls/create.h>
#include <tally/calls/plans.h>
#include <tally/cpp/callback.hpp>
#include <tally/cpp/parameters.hpp>
#include <tally/cpp/result.hpp>

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <string>
#include <type_traits>

namespace tally {

/* Limits of a device that begin with none: fp64 and 64 address bits. */
struct device_limits : tally_device_limits {
    device_limits() noexcept : tally_device_limits(detail::sized<tally_device_limits>()) {}
    device_limits(const tally_device_limits &other) noexcept : tally_device_limits(other) {}
};

/* What making the operator would say of its description, without a device; some microseconds. */
inline result<void> try_check(const tally_reduce &what,
                              const tally_device_limits &limits = device_limits()) noexcept {
    tally_error why{};
    return detail::outcome(tally_reduce_check(&what, &limits, &why), why);
}
inline result<void> try_check(const tally_cumulative &what,
                              const tally_device_limits &limits = device_limits()) noexcept {
    tally_error why{};
    return detail::outcome(tally_cumulative_check(&what, &limits, &why), why);
}
inline result<void> try_check(const tally_diagonal &what,
                              const tally_device_limits &limits = device_limits()) noexcept {
    tally_error why{};
    return detail::outcome(tally_diagonal_check(&what, &limits, &why), why);
}

#if TALLY_HPP_THROWS
template <class Desc>
void check(const Desc &what, const tally_device_limits &limits = device_limits()) {
    detail::take(try_check(what, limits));
}
#endif

/* Descriptions for one call: in braces, or any contiguous range of tally_desc. */
class descs {
  public:
    descs(const tally_desc *first, std::size_t count) noexcept : first_(first), count_(count) {}
    descs(std::initializer_list<tally_desc> list) noexcept : descs(list.begin(), list.size()) {}
    template <class Range,
              std::enable_if_t<std::is_same_v<detail::element<Range>, tally_desc>, int> = 0>
    descs(const Range &range) : descs(std::data(range), std::size(range)) {}

    const tally_desc *data() const noexcept {
        return first_;
    }
    std::size_t size() const noexcept {
        return count_;
    }

  private:
    const tally_desc *first_;
    std::size_t count_;
};

/* Explain the plan that a description would get, without a device; see tally_explain: unstable. */
inline result<std::string> try_explain(const tally_desc &what, tally_family kernels,
                                       tally_single_pass scans_in = TALLY_SINGLE_PASS_AUTO,
                                       bool source = false) {
    return detail::text_of([&](detail::writer write, void *user, tally_error *why) {
        return tally_explain(&what, kernels, scans_in, source, write, user, why);
    });
}

#if TALLY_HPP_THROWS
inline std::string explain(const tally_desc &what, tally_family kernels,
                           tally_single_pass scans_in = TALLY_SINGLE_PASS_AUTO,
                           bool source = false) {
    return detail::take(try_explain(what, kernels, scans_in, source));
}
#endif

} // namespace tally

#endif
