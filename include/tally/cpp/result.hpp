/*
 * tally/cpp/result.hpp: how a call of C becomes a value, an exception or a failure. A part of
 * tally/tally.hpp. Knows no call.
 */
#ifndef TALLY_CPP_RESULT_HPP
#define TALLY_CPP_RESULT_HPP

#include <tally/types/errors.h>

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>

#if defined(__cpp_exceptions) || defined(__EXCEPTIONS) || defined(_CPPUNWIND)
#define TALLY_HPP_THROWS 1
#include <exception>
#else
#define TALLY_HPP_THROWS 0
#endif

/* The exception's type is one for the whole program, also where all names are hidden. */
#if defined(__GNUC__) && !defined(_WIN32)
#define TALLY_HPP_VISIBLE __attribute__((visibility("default")))
#else
#define TALLY_HPP_VISIBLE
#endif

namespace tally {

/* What a call throws. what() is the message: one sentence with the value and the limit it broke. */
class TALLY_HPP_VISIBLE error : public std::runtime_error {
  public:
    explicit error(const tally_error &why)
        : std::runtime_error(why.message), status_(why.status), fault_(why.fault),
          cl_code_(why.cl_code) {}

    tally_status status() const noexcept {
        return status_;
    }

    /* Where the failure comes from: the caller, a limit, the host, OpenCL. */
    tally_fault fault() const noexcept {
        return fault_;
    }

    /* The OpenCL error code, 0 if no OpenCL call failed. */
    std::int32_t cl_code() const noexcept {
        return cl_code_;
    }

  private:
    tally_status status_;
    tally_fault fault_;
    std::int32_t cl_code_;
};

/*
 * A value, or why there is none: what std::expected<T, tally_error> is in C++23. *r, r->, and
 * error() may only be asked of a result that has what they give; value() throws tally::error if
 * there is no value. It holds the value itself and allocates nothing.
 */
template <class T> class [[nodiscard]] result {
  public:
    using value_type = T;
    using error_type = tally_error;

    result(T value) noexcept(std::is_nothrow_move_constructible_v<T>)
        : state_(std::in_place_index<0>, std::move(value)) {}
    result(const tally_error &why) noexcept : state_(std::in_place_index<1>, why) {}

    bool has_value() const noexcept {
        return state_.index() == 0;
    }
    explicit operator bool() const noexcept {
        return has_value();
    }

    T &operator*() &noexcept {
        return *std::get_if<0>(&state_);
    }
    const T &operator*() const &noexcept {
        return *std::get_if<0>(&state_);
    }
    T &&operator*() &&noexcept {
        return std::move(**this);
    }
    T *operator->() noexcept {
        return std::get_if<0>(&state_);
    }
    const T *operator->() const noexcept {
        return std::get_if<0>(&state_);
    }

    const tally_error &error() const noexcept {
        return *std::get_if<1>(&state_);
    }
    /* TALLY_OK if there is a value. */
    tally_status status() const noexcept {
        return has_value() ? TALLY_OK : error().status;
    }

    template <class U> T value_or(U &&other) const & {
        return has_value() ? **this : static_cast<T>(std::forward<U>(other));
    }
    template <class U> T value_or(U &&other) && {
        return has_value() ? *std::move(*this) : static_cast<T>(std::forward<U>(other));
    }

#if TALLY_HPP_THROWS
    T &value() & {
        check();
        return **this;
    }
    const T &value() const & {
        check();
        return **this;
    }
    T &&value() && {
        check();
        return *std::move(*this);
    }
#endif

  private:
#if TALLY_HPP_THROWS
    void check() const {
        if (!has_value())
            throw tally::error(error());
    }
#endif
    std::variant<T, tally_error> state_;
};

/* Success, or why there was none. error() may only be asked of a failure. */
template <> class [[nodiscard]] result<void> {
  public:
    using value_type = void;
    using error_type = tally_error;

    result() noexcept = default;
    result(const tally_error &why) noexcept : error_(why) {}

    bool has_value() const noexcept {
        return !error_.has_value();
    }
    explicit operator bool() const noexcept {
        return has_value();
    }
    void operator*() const noexcept {}
    const tally_error &error() const noexcept {
        return *error_;
    }
    tally_status status() const noexcept {
        return has_value() ? TALLY_OK : error_->status;
    }
#if TALLY_HPP_THROWS
    void value() const {
        if (!has_value())
            throw tally::error(*error_);
    }
#endif

  private:
    std::optional<tally_error> error_;
};

namespace detail {

/* The refusals that this header has of its own: a rule is broken. */
#if defined(__GNUC__) && !defined(_WIN32)
__attribute__((format(printf, 1, 2)))
#endif
inline tally_error
refuse(const char *format, ...) noexcept {
    tally_error why{};
    why.status = TALLY_INVALID;
    why.fault = TALLY_FAULT_CALLER;
    std::va_list values;
    va_start(values, format);
    static_cast<void>(std::vsnprintf(why.message, sizeof why.message, format, values));
    va_end(values);
    return why;
}

inline result<void> outcome(tally_status status, const tally_error &why) noexcept {
    return status == TALLY_OK ? result<void>() : result<void>(why);
}

template <class T> result<T> outcome(tally_status status, const tally_error &why, T value) {
    if (status != TALLY_OK)
        return why;
    return result<T>(std::move(value));
}

/* One of the structs whose first member is their size. */
template <class T> T sized() noexcept {
    T made{};
    made.struct_size = static_cast<std::uint32_t>(sizeof(T));
    return made;
}

#if TALLY_HPP_THROWS
template <class T> T take(result<T> &&got) {
    if (!got)
        throw tally::error(got.error());
    if constexpr (!std::is_void_v<T>)
        return *std::move(got);
}
#endif

} // namespace detail

} // namespace tally

#undef TALLY_HPP_VISIBLE

#endif
