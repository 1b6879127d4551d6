/*
 * tally/cpp/parameters.hpp: types of parameters, which take what C++ programs have. A part of
 * tally/tally.hpp. Knows no call but what it refuses.
 */
#ifndef TALLY_CPP_PARAMETERS_HPP
#define TALLY_CPP_PARAMETERS_HPP

#include <tally/calls/api.h>
#include <tally/cpp/result.hpp>
#include <tally/types/elements.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>

namespace tally {

namespace detail {

template <class T, class Object>
inline constexpr bool is_raw = std::is_convertible_v<const Object &, T>;

template <class T, class Object>
inline constexpr bool gives = is_raw<T, Object> || std::is_invocable_r_v<T, const Object &>;

template <class T, class Object> T unwrap(const Object &object) {
    if constexpr (is_raw<T, Object>)
        return object;
    else
        return object();
}

template <class Range>
using element =
    std::remove_cv_t<std::remove_reference_t<decltype(*std::data(std::declval<const Range &>()))>>;

template <class T>
inline constexpr bool is_character =
    std::is_same_v<T, char> || std::is_same_v<T, wchar_t> || std::is_same_v<T, char16_t> ||
#if defined(__cpp_char8_t)
    std::is_same_v<T, char8_t> ||
#endif
    std::is_same_v<T, char32_t>;

template <class T>
inline constexpr bool is_number = std::is_integral_v<T> && sizeof(T) <= 8 &&
                                  !std::is_same_v<T, bool> && !is_character<T>;

} // namespace detail

/* An OpenCL object: the handle itself, or any object that gives it when it is called. */
template <class T> class handle {
  public:
    constexpr handle(std::nullptr_t = nullptr) noexcept {}
    template <class Object, std::enable_if_t<detail::gives<T, Object>, int> = 0>
    handle(const Object &object) : raw_(detail::unwrap<T>(object)) {}

    T get() const noexcept {
        return raw_;
    }

  private:
    T raw_ = nullptr;
};

/* A text that ends in a NUL. */
class text {
  public:
    text(const char *characters) noexcept : characters_(characters) {}
    text(const std::string &string) noexcept : characters_(string.c_str()) {}

    const char *get() const noexcept {
        return characters_;
    }

  private:
    const char *characters_;
};

/*
 * The sizes or the strides of a tensor, outermost first: a list in braces, or any contiguous range
 * of integers, such as a std::array, a std::vector, an array or a std::span. They are copied. More
 * than TALLY_MAX_RANK of them, or a negative one, are refused by the function that takes them.
 */
class sizes {
  public:
    sizes() noexcept = default;
    sizes(std::initializer_list<std::uint64_t> list) noexcept {
        copy(list.begin(), list.size());
    }
    template <class T, std::enable_if_t<detail::is_number<T>, int> = 0>
    sizes(std::initializer_list<T> list) noexcept {
        copy(list.begin(), list.size());
    }
    template <class Range, std::enable_if_t<detail::is_number<detail::element<Range>>, int> = 0>
    sizes(const Range &range) {
        copy(std::data(range), std::size(range));
    }

    const std::uint64_t *data() const noexcept {
        return value_;
    }
    std::size_t size() const noexcept {
        return count_;
    }

    /* Whether they are those of a tensor. what names them in the refusal. */
    result<void> check(const char *what) const noexcept {
        if (count_ > TALLY_MAX_RANK)
            return detail::refuse("there are %zu %s, more than %d", count_, what, TALLY_MAX_RANK);
        if (negative_ != 0)
            return detail::refuse("%lld among the %s is negative", negative_, what);
        return {};
    }

  private:
    template <class T> void copy(const T *from, std::size_t count) noexcept {
        count_ = count;
        for (std::size_t k = 0; k < count && k < TALLY_MAX_RANK; k++) {
            if constexpr (std::is_signed_v<T>)
                if (from[k] < 0 && negative_ == 0)
                    negative_ = static_cast<long long>(from[k]);
            value_[k] = static_cast<std::uint64_t>(from[k]);
        }
    }

    std::uint64_t value_[TALLY_MAX_RANK] = {};
    std::size_t count_ = 0;
    long long negative_ = 0; /* the first one, if there is one */
};

/*
 * The axes that a reduction sweeps: their numbers in braces or in any contiguous range of integers,
 * in any order, or a mask. A number that is no axis is refused by the function that takes them.
 */
class axes {
  public:
    axes() noexcept = default;
    template <class T, std::enable_if_t<detail::is_number<T>, int> = 0>
    axes(std::initializer_list<T> list) noexcept {
        add(list.begin(), list.size());
    }
    template <class Range, std::enable_if_t<detail::is_number<detail::element<Range>>, int> = 0>
    axes(const Range &range) {
        add(std::data(range), std::size(range));
    }

    /* Bit k sweeps axis k. */
    static axes from_mask(std::uint32_t mask) noexcept {
        axes made;
        made.mask_ = mask;
        return made;
    }
    static axes all_of(const tally_tensor &tensor) noexcept {
        return from_mask((std::uint32_t{1} << (tensor.rank & 31u)) - 1u);
    }

    std::uint32_t mask() const noexcept {
        return mask_;
    }

    result<void> check(std::uint32_t rank) const noexcept {
        if (wrong_)
            return detail::refuse("axis %lld is none of the tensor's %lu", number_,
                                  static_cast<unsigned long>(rank));
        for (std::uint32_t k = rank; k < 32; k++)
            if ((mask_ >> k & 1u) != 0)
                return detail::refuse("axis %lu is none of the tensor's %lu",
                                      static_cast<unsigned long>(k),
                                      static_cast<unsigned long>(rank));
        return {};
    }

  private:
    template <class T> void add(const T *numbers, std::size_t count) noexcept {
        for (std::size_t k = 0; k < count; k++) {
            const auto number = static_cast<long long>(numbers[k]);
            if (number >= 0 && number < 32) {
                mask_ |= std::uint32_t{1} << number;
            } else if (!wrong_) {
                wrong_ = true;
                number_ = number;
            }
        }
    }

    std::uint32_t mask_ = 0;
    bool wrong_ = false; /* a number that no mask can have */
    long long number_ = 0;
};

} // namespace tally

#endif
