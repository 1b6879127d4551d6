/*
 * tally/tally.hpp: Tally for C++17 and later, a thin layer over tally/tally.h, all in this header.
 *
 * The manual is tally.h with types.h: they say what a call does, when it blocks and what it
 * refuses, at the function of the same name behind tally_. This header adds owners, exceptions or
 * results, and parameters that take what C++ programs have. It has all calls of tally.h;
 * tally/directml.hpp has those of directml.h, tally/part.hpp those of part.h. The way of use:
 *
 *   const tally::runtime runtime(tally::config(context, device));
 *   const tally::scratch scratch(runtime);
 *   const tally::tensor input = tally::packed(TALLY_F32, {rows, columns});
 *   const tally::op sum(runtime, tally::reduce(TALLY_SUM, input, {1}));
 *   sum.enqueue(queue, {input_buffer, output_buffer, scratch.view(sum)});
 *
 * Failures. Each call that can fail has two forms. A constructor, or NAME, throws tally::error: its
 * what() is the sentence, and it has the status, the fault and OpenCL's code. try_make, or
 * try_NAME, returns a tally::result instead, a value or a tally_error with the same, and throws
 * nothing of its own. Without exceptions (-fno-exceptions) only the second forms are there. RTTI is
 * not needed.
 *
 * Owners. runtime, op, recorded and scratch each have one hold on an object of C and release it.
 * They move and do not copy; share() of a runtime and of an op makes a second owner of the same
 * object.
 *
 * OpenCL's objects. A parameter tally::handle<cl_mem> takes a cl_mem, and any object that gives one
 * when it is called without arguments, as those of CL/opencl.hpp do: cl::Buffer, cl::CommandQueue
 * and so on. Nothing is retained by the call. CL/opencl.hpp is not needed; it may be included
 * before this header or after it.
 *
 * Lists. Sizes, strides, axes, events and descriptions are given in braces, or as any contiguous
 * range: std::array, std::vector, an array, std::span.
 *
 * Memory. Nothing is allocated but std::string and std::vector where they are returned, and lists
 * of more than sixteen events (tally::wait_list). A parameter type (handle, sizes, axes, text,
 * wait_list, descs) is for the length of one call: don't keep one.
 *
 * Threads. As in C: any call from any thread, but none on an object that is being moved, assigned
 * or destroyed.
 *
 * Enumerations are those of types.h under shorter names; their enumerators keep theirs, TALLY_F32.
 */
#ifndef TALLY_TALLY_HPP
#define TALLY_TALLY_HPP

#if !defined(__cplusplus) || (__cplusplus < 201703L && !defined(_MSVC_LANG))
#error "tally/tally.hpp needs C++17 or later"
#endif

#include <tally/tally.h>

#include <cmath>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

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

/* ---- The names of types.h and tally.h -------------------------------------------------------- */

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

/* ---- Failures -------------------------------------------------------------------------------- */

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

/* ---- What parameters are made of ------------------------------------------------------------- */

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

/*
 * A function that C calls with a void *. Exceptions don't pass through C: they wait here. A program
 * may have files compiled with exceptions and without, whose callbacks must not be taken for one.
 */
template <class F, bool Throws = TALLY_HPP_THROWS> class callback {
  public:
    explicit callback(F &call) noexcept : call_(std::addressof(call)) {}

    void *user() noexcept {
        return this;
    }

    /* What the function returned, true if that is nothing; false from its first exception on. */
    template <class... Args> static bool run(void *user, Args... args) noexcept {
        callback &self = *static_cast<callback *>(user);
#if TALLY_HPP_THROWS
        if (self.thrown_)
            return false;
        try {
            return self.call(args...);
        } catch (...) {
            self.thrown_ = std::current_exception();
            return false;
        }
#else
        return self.call(args...);
#endif
    }

    void rethrow() const {
#if TALLY_HPP_THROWS
        if (thrown_)
            std::rethrow_exception(thrown_);
#endif
    }

  private:
    template <class... Args> bool call(Args &...args) {
        if constexpr (std::is_void_v<std::invoke_result_t<F &, Args &...>>) {
            (*call_)(args...);
            return true;
        } else {
            return static_cast<bool>((*call_)(args...));
        }
    }

    F *call_;
#if TALLY_HPP_THROWS
    std::exception_ptr thrown_;
#endif
};

#if TALLY_HPP_THROWS
template <class T> T take(result<T> &&got) {
    if (!got)
        throw tally::error(got.error());
    if constexpr (!std::is_void_v<T>)
        return *std::move(got);
}
#endif

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

/* ---- Elements -------------------------------------------------------------------------------- */

/* A binary16 by its bits: C++ has had a type for it since 2023 only, and not everywhere. */
struct f16 {
    std::uint16_t bits = 0;
};

/*
 * The data type of a C++ type: dtype_of<float> is TALLY_F32. There are float, double, f16 and all
 * integers of one to eight bytes but bool and the types of characters.
 */
template <class T> struct dtype_for {
    static_assert(detail::is_number<T>, "no data type of Tally is this one");
    static constexpr tally_dtype value = std::is_signed_v<T> ? (sizeof(T) == 1   ? TALLY_I8
                                                                : sizeof(T) == 2 ? TALLY_I16
                                                                : sizeof(T) == 4 ? TALLY_I32
                                                                                 : TALLY_I64)
                                                             : (sizeof(T) == 1   ? TALLY_U8
                                                                : sizeof(T) == 2 ? TALLY_U16
                                                                : sizeof(T) == 4 ? TALLY_U32
                                                                                 : TALLY_U64);
};
template <> struct dtype_for<float> { static constexpr tally_dtype value = TALLY_F32; };
template <> struct dtype_for<double> { static constexpr tally_dtype value = TALLY_F64; };
template <> struct dtype_for<f16> { static constexpr tally_dtype value = TALLY_F16; };
template <class T> inline constexpr tally_dtype dtype_of = dtype_for<std::remove_cv_t<T>>::value;

namespace detail {

/* The binary16 nearest to a number, of two the even one; NaN is 0x7E00 with the number's sign. */
inline std::uint16_t half_bits(double number) noexcept {
    static_assert(std::numeric_limits<double>::digits == 53 && sizeof(double) == 8, "binary64");
    std::uint64_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    const auto sign = static_cast<std::uint32_t>(bits >> 48 & 0x8000u);
    const int exponent = static_cast<int>(bits >> 52 & 0x7FFu) - 1023;
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
    if (exponent == 1024 && fraction != 0)
        return static_cast<std::uint16_t>(sign | 0x7E00u);
    if (exponent > 15)
        return static_cast<std::uint16_t>(sign | 0x7C00u);
    if (exponent < -25) /* less than half of the smallest one */
        return static_cast<std::uint16_t>(sign);
    const bool normal = exponent >= -14;
    const int dropped = normal ? 42 : 28 - exponent;
    const std::uint64_t significand = fraction | std::uint64_t{1} << 52;
    const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
    const std::uint64_t rest = significand & ((half << 1) - 1);
    /* The leading bit of a normal one adds 1 to the exponent, and a carry does the same. */
    std::uint64_t magnitude = significand >> dropped;
    magnitude += rest > half || (rest == half && (magnitude & 1u) != 0) ? 1u : 0u;
    magnitude += normal ? static_cast<std::uint64_t>(exponent + 14) << 10 : 0u;
    return static_cast<std::uint16_t>(sign | static_cast<std::uint32_t>(magnitude));
}

/* Any number of C++, as what holds it exactly. */
struct number {
    enum { floating, negative, natural } kind;
    double real;         /* the number, rounded if it is an integer */
    std::int64_t below;  /* the number if it is a negative integer */
    std::uint64_t whole; /* the number if it is another integer */
};

template <class T> number number_of(T value) noexcept {
    static_assert(std::is_floating_point_v<T> || is_number<T>, "a number");
    if constexpr (std::is_floating_point_v<T>) {
        return {number::floating, static_cast<double>(value), 0, 0};
    } else {
        if constexpr (std::is_signed_v<T>)
            if (value < 0)
                return {number::negative, static_cast<double>(value),
                        static_cast<std::int64_t>(value), 0};
        return {number::natural, static_cast<double>(value), 0, static_cast<std::uint64_t>(value)};
    }
}

/* Whether T has the number, which is then in *out. */
template <class T> bool fits(const number &given, T *out) noexcept {
    number exact = given;
    if (given.kind == number::floating) {
        /* Both limits are powers of two, which doubles have; NaN is between no two numbers. */
        const double end = std::ldexp(1.0, std::numeric_limits<T>::digits);
        const double begin = std::is_signed_v<T> ? -end : 0.0;
        const bool inside = given.real >= begin && end > given.real;
        if (!inside || std::fabs(std::fmod(given.real, 1.0)) > 0)
            return false;
        exact = given.real < 0 ? number_of(static_cast<std::int64_t>(given.real))
                               : number_of(static_cast<std::uint64_t>(given.real));
    }
    if (exact.kind == number::negative) {
        *out = static_cast<T>(exact.below);
        return std::is_signed_v<T> &&
               exact.below >= static_cast<std::int64_t>(std::numeric_limits<T>::min());
    }
    *out = static_cast<T>(exact.whole);
    return exact.whole <= static_cast<std::uint64_t>(std::numeric_limits<T>::max());
}

inline float to_float(const number &given) noexcept {
    return given.kind == number::floating   ? static_cast<float>(given.real)
           : given.kind == number::negative ? static_cast<float>(given.below)
                                            : static_cast<float>(given.whole);
}

/* False if the type is none, or an integer's that does not have the number. */
inline bool convert(tally_dtype type, const number &given, tally_scalar *out) noexcept {
    switch (type) {
    case TALLY_F16:
        out->f16_bits = half_bits(given.real);
        return true;
    case TALLY_F32:
        out->f32 = to_float(given);
        return true;
    case TALLY_F64:
        out->f64 = given.real;
        return true;
    case TALLY_I8:
        return fits(given, &out->i8);
    case TALLY_I16:
        return fits(given, &out->i16);
    case TALLY_I32:
        return fits(given, &out->i32);
    case TALLY_I64:
        return fits(given, &out->i64);
    case TALLY_U8:
        return fits(given, &out->u8);
    case TALLY_U16:
        return fits(given, &out->u16);
    case TALLY_U32:
        return fits(given, &out->u32);
    case TALLY_U64:
        return fits(given, &out->u64);
    case TALLY_DTYPE_NONE:
    case TALLY_DTYPE_32_BITS:
        break;
    }
    return false;
}

inline tally_error refuse_number(tally_dtype type, const number &given) noexcept {
    const char *of = tally_dtype_name(type);
    if (given.kind == number::floating)
        return refuse("%.17g is no value of the type %s", given.real, of);
    if (given.kind == number::negative)
        return refuse("%lld is no value of the type %s", static_cast<long long>(given.below), of);
    return refuse("%llu is no value of the type %s", static_cast<unsigned long long>(given.whole),
                  of);
}

} // namespace detail

/* An element of dtype_of<T>, as tally_diagonal.value wants it. */
template <class T> tally_scalar scalar(T value) noexcept {
    tally_scalar made{};
    static_assert(dtype_of<T> != TALLY_DTYPE_NONE, "no data type of Tally is this one");
    static_cast<void>(detail::convert(dtype_of<T>, detail::number_of(value), &made));
    return made;
}
inline tally_scalar scalar(f16 value) noexcept {
    tally_scalar made{};
    made.f16_bits = value.bits;
    return made;
}

/*
 * An element of a type that is known at run time. Floats get the nearest value, of two the even
 * one. TALLY_INVALID for an integer's type that does not have the number itself: 300 of U8, 10.6.
 */
template <class T> result<tally_scalar> try_scalar(tally_dtype type, T value) noexcept {
    tally_scalar made{};
    const detail::number given = detail::number_of(value);
    if (!detail::convert(type, given, &made))
        return detail::refuse_number(type, given);
    return made;
}

/* ---- Tensors --------------------------------------------------------------------------------- */

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

/* ---- Descriptions ---------------------------------------------------------------------------- */

/*
 * The structs of types.h, which begin with all defaults and with their size set. Their members are
 * there to be read and changed. Each is also a tally_desc, which points to it.
 */
struct reduce_desc : tally_reduce {
    reduce_desc() noexcept : tally_reduce(detail::sized<tally_reduce>()) {}
    reduce_desc(const tally_reduce &other) noexcept : tally_reduce(other) {}
    operator tally_desc() const noexcept {
        tally_desc made = detail::sized<tally_desc>();
        made.reduce = this;
        return made;
    }
};

struct cumulative_desc : tally_cumulative {
    cumulative_desc() noexcept : tally_cumulative(detail::sized<tally_cumulative>()) {}
    cumulative_desc(const tally_cumulative &other) noexcept : tally_cumulative(other) {}
    operator tally_desc() const noexcept {
        tally_desc made = detail::sized<tally_desc>();
        made.cumulative = this;
        return made;
    }
};

/* The member input points into the description itself once set_input was called: copies have their
 * own. A pointer that was assigned is copied as it is. */
struct diagonal_desc : tally_diagonal {
    diagonal_desc() noexcept : tally_diagonal(detail::sized<tally_diagonal>()) {}
    diagonal_desc(const tally_diagonal &other) noexcept : tally_diagonal(other) {}
    diagonal_desc(const diagonal_desc &other) noexcept : tally_diagonal(other), kept_(other.kept_) {
        follow(other);
    }
    diagonal_desc &operator=(const diagonal_desc &other) noexcept {
        static_cast<tally_diagonal &>(*this) = other;
        kept_ = other.kept_;
        follow(other);
        return *this;
    }
    ~diagonal_desc() = default;

    void set_input(const tally_tensor &read) noexcept {
        kept_ = read;
        input = &kept_;
    }
    operator tally_desc() const noexcept {
        tally_desc made = detail::sized<tally_desc>();
        made.diagonal = this;
        return made;
    }

  private:
    void follow(const diagonal_desc &other) noexcept {
        if (other.input == &other.kept_)
            input = &kept_;
    }
    tally_tensor kept_{};
};

/* A tally_desc that points to a struct of types.h, which must live as long. */
inline tally_desc desc(const tally_reduce &of) noexcept {
    tally_desc made = detail::sized<tally_desc>();
    made.reduce = &of;
    return made;
}
inline tally_desc desc(const tally_cumulative &of) noexcept {
    tally_desc made = detail::sized<tally_desc>();
    made.cumulative = &of;
    return made;
}
inline tally_desc desc(const tally_diagonal &of) noexcept {
    tally_desc made = detail::sized<tally_desc>();
    made.diagonal = &of;
    return made;
}

/* The tensors of a description, which are its own; NULL if it has none. */
inline const tally_tensor *input_of(const tally_desc &what) noexcept {
    return tally_desc_input(&what);
}
inline const tally_tensor *output_of(const tally_desc &what) noexcept {
    return tally_desc_output(&what);
}

/*
 * A reduction of input over these axes into a packed tensor. Without a type that is the input's, or
 * TALLY_I64 for ARGMAX and ARGMIN. Ties go to the first, NaN propagates: change the members .tie
 * and .nan for others, and .output for a strided one.
 */
inline result<reduce_desc> try_reduce(tally_function what, const tally_tensor &input,
                                      const axes &swept,
                                      tally_dtype type = TALLY_DTYPE_NONE) noexcept {
    const bool index = what == TALLY_ARGMAX || what == TALLY_ARGMIN;
    const tally_dtype usual = index ? TALLY_I64 : input.dtype;
    const auto output = try_reduced(input, swept, type != TALLY_DTYPE_NONE ? type : usual);
    if (!output)
        return output.error();
    reduce_desc made;
    made.function = what;
    made.input = input;
    made.output = *output;
    made.axes = swept.mask();
    return made;
}

/*
 * A running total along an axis, inclusive and from index 0 upward: change .exclusive, .descending
 * and .nan for others. The output has the input's strides, as a scan in place wants them: change
 * .output for others.
 */
inline result<cumulative_desc> try_cumulative(tally_function what, const tally_tensor &input,
                                              std::uint32_t axis) noexcept {
    if (axis >= input.rank)
        return detail::refuse("axis %lu is none of the tensor's %lu",
                              static_cast<unsigned long>(axis),
                              static_cast<unsigned long>(input.rank));
    cumulative_desc made;
    made.function = what;
    made.input = input;
    made.output = input;
    made.axis = axis;
    return made;
}

/*
 * A fill of the band begin <= column - row < end of each matrix with a value. Elsewhere are zeros,
 * or what input has. The value is a tally_scalar of the output's type, or any number, which
 * try_scalar makes one.
 */
template <class T>
result<diagonal_desc> try_diagonal(const tally_tensor &output, T value, std::int64_t begin,
                                   std::int64_t end) noexcept {
    if (output.rank < 2)
        return detail::refuse("a tensor of %lu axes has no matrices",
                              static_cast<unsigned long>(output.rank));
    diagonal_desc made;
    if constexpr (std::is_same_v<T, tally_scalar>) {
        made.value = value;
    } else {
        const result<tally_scalar> typed = try_scalar(output.dtype, value);
        if (!typed)
            return typed.error();
        made.value = *typed;
    }
    made.output = output;
    made.begin = begin;
    made.end = end;
    return made;
}
template <class T>
result<diagonal_desc> try_diagonal(const tally_tensor &output, T value, std::int64_t begin,
                                   std::int64_t end, const tally_tensor &input) noexcept {
    result<diagonal_desc> made = try_diagonal(output, value, begin, end);
    if (made)
        made->set_input(input);
    return made;
}

#if TALLY_HPP_THROWS
template <class T> tally_scalar scalar(tally_dtype type, T value) {
    return detail::take(try_scalar(type, value));
}
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
inline reduce_desc reduce(tally_function what, const tally_tensor &input, const axes &swept,
                          tally_dtype type = TALLY_DTYPE_NONE) {
    return detail::take(try_reduce(what, input, swept, type));
}
inline cumulative_desc cumulative(tally_function what, const tally_tensor &input,
                                  std::uint32_t axis) {
    return detail::take(try_cumulative(what, input, axis));
}
template <class T>
diagonal_desc diagonal(const tally_tensor &output, T value, std::int64_t begin, std::int64_t end) {
    return detail::take(try_diagonal(output, value, begin, end));
}
template <class T>
diagonal_desc diagonal(const tally_tensor &output, T value, std::int64_t begin, std::int64_t end,
                       const tally_tensor &input) {
    return detail::take(try_diagonal(output, value, begin, end, input));
}
#endif

/* ---- Questions without a device -------------------------------------------------------------- */

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

namespace detail {

using writer = void (*)(void *user, const char *said);

/* The text that a call of C hands to a writer. ask(writer, user, error) makes the call. */
template <class Ask> result<std::string> text_of(Ask &&ask) {
    std::string all;
    auto keep = [&all](const char *said) { all = said; };
    callback<decltype(keep)> call(keep);
    tally_error why{};
    const writer write = [](void *user, const char *said) {
        static_cast<void>(callback<decltype(keep)>::run(user, said));
    };
    const tally_status code = ask(write, call.user(), &why);
    call.rethrow();
    return outcome(code, why, std::move(all));
}

} // namespace detail

/* Explain the plan that a description would get, without a device; see tally_explain: unstable. */
inline result<std::string> try_explain(const tally_desc &what, tally_family kernels,
                                       tally_single_pass scans_in = TALLY_SINGLE_PASS_AUTO,
                                       bool source = false) {
    return detail::text_of([&](detail::writer write, void *user, tally_error *why) {
        return tally_explain(&what, kernels, scans_in, source, write, user, why);
    });
}

/* ---- Memory and events of an enqueue --------------------------------------------------------- */

/*
 * Where a tensor's first element is: bytes from the start of a buffer, or from a pointer, to shared
 * virtual memory or to Intel's unified shared memory. Pointers to void and to numbers are taken, so
 * that no handle is taken for one.
 */
struct view : tally_view {
    view() noexcept : tally_view{} {}
    view(const tally_view &other) noexcept : tally_view(other) {}
    template <class Memory, std::enable_if_t<detail::gives<cl_mem, Memory>, int> = 0>
    view(const Memory &memory, std::size_t bytes_in = 0) : tally_view{} {
        buffer = detail::unwrap<cl_mem>(memory);
        offset = bytes_in;
    }
    template <class T, std::enable_if_t<std::is_void_v<T> || std::is_arithmetic_v<T> ||
                                            std::is_same_v<std::remove_cv_t<T>, f16>,
                                        int> = 0>
    view(T *shared, std::size_t bytes_in = 0) noexcept : tally_view{} {
        pointer = const_cast<std::remove_cv_t<T> *>(shared);
        offset = bytes_in;
    }
};

/* The memory of one enqueue. Anything that makes a view may stand for one. */
struct binding : tally_binding {
    binding() noexcept : tally_binding{} {}
    binding(const tally_binding &other) noexcept : tally_binding(other) {}
    binding(const view &from, const view &to, const view &scratch_at = {}) noexcept
        : tally_binding{} {
        input = from;
        output = to;
        scratch = scratch_at;
    }

    /* One view for input and output: scans and fills. */
    static binding in_place(const view &at, const view &scratch_at = {}) noexcept {
        return {at, at, scratch_at};
    }
    /* Fills without an input. */
    static binding output_only(const view &to) noexcept {
        return {view(), to};
    }
};

/*
 * The events that an enqueue waits for: in braces, or any contiguous range, of cl_event or of
 * objects that give one. Ranges of cl_event are used where they are. Others are copied, more than
 * sixteen into a std::vector.
 */
class wait_list {
  public:
    wait_list() noexcept = default;
    wait_list(std::initializer_list<cl_event> list) {
        copy(list.begin(), list.size());
    }
    wait_list(std::initializer_list<handle<cl_event>> list) {
        copy(list.begin(), list.size());
    }
    template <class Range,
              std::enable_if_t<detail::gives<cl_event, detail::element<Range>> ||
                                   std::is_same_v<detail::element<Range>, handle<cl_event>>,
                               int> = 0>
    wait_list(const Range &range) {
        if constexpr (std::is_same_v<detail::element<Range>, cl_event>) {
            first_ = std::data(range);
            count_ = std::size(range);
        } else {
            copy(std::data(range), std::size(range));
        }
    }
    wait_list(const wait_list &) = delete;
    wait_list &operator=(const wait_list &) = delete;
    ~wait_list() = default;

    /* NULL if there are none. */
    const cl_event *data() const noexcept {
        return count_ > 0 ? first_ : nullptr;
    }
    std::size_t size() const noexcept {
        return count_;
    }
    /* The size, as C takes it, once check() has not refused it. */
    std::uint32_t count() const noexcept {
        return static_cast<std::uint32_t>(count_);
    }

    result<void> check() const noexcept {
        if (count_ > std::numeric_limits<std::uint32_t>::max())
            return detail::refuse("%zu events are more than OpenCL counts", count_);
        return {};
    }

  private:
    static constexpr std::size_t few = 16;

    template <class Event> void copy(const Event *from, std::size_t count) {
        cl_event *to = few_;
        if (count > few) {
            many_.resize(count);
            to = many_.data();
        }
        for (std::size_t k = 0; k < count; k++) {
            if constexpr (std::is_same_v<Event, handle<cl_event>>)
                to[k] = from[k].get();
            else
                to[k] = detail::unwrap<cl_event>(from[k]);
        }
        first_ = to;
        count_ = count;
    }

    const cl_event *first_ = nullptr;
    std::size_t count_ = 0;
    cl_event few_[few];
    std::vector<cl_event> many_;
};

/* ---- Owners ---------------------------------------------------------------------------------- */

namespace detail {

inline void drop(tally_runtime *held) noexcept {
    tally_runtime_release(held);
}
inline void drop(tally_op *held) noexcept {
    tally_op_release(held);
}
inline void drop(tally_scratch *held) noexcept {
    tally_scratch_release(held);
}
inline void drop(tally_recorded *held) noexcept {
    tally_recorded_release(held);
}

/* The one hold on an object of Tally's, or none. */
template <class T> class owner {
  public:
    owner(owner &&other) noexcept : held_(other.release()) {}
    owner &operator=(owner &&other) noexcept {
        reset(other.release());
        return *this;
    }
    owner(const owner &) = delete;
    owner &operator=(const owner &) = delete;

    /* The object, which stays this one's; NULL if there is none. */
    T *get() const noexcept {
        return held_;
    }
    /* The object, which is the caller's from now on. */
    [[nodiscard]] T *release() noexcept {
        return std::exchange(held_, nullptr);
    }
    /* Release what is held, and take over another object. */
    void reset(T *taken = nullptr) noexcept {
        drop(std::exchange(held_, taken));
    }
    explicit operator bool() const noexcept {
        return held_ != nullptr;
    }

  protected:
    owner() noexcept = default;
    explicit owner(T *taken) noexcept : held_(taken) {}
    ~owner() {
        drop(held_);
    }

  private:
    T *held_ = nullptr;
};

} // namespace detail

/* Which kernels a runtime is to take, for tests and measurements: unstable. */
struct overrides : tally_overrides {
    overrides() noexcept : tally_overrides(detail::sized<tally_overrides>()) {}
    overrides(const tally_overrides &other) noexcept : tally_overrides(other) {}
};

/* Where the host memory of a runtime comes from. */
struct allocator : tally_allocator {
    allocator() noexcept : tally_allocator(detail::sized<tally_allocator>()) {}
    allocator(const tally_allocator &other) noexcept : tally_allocator(other) {}
};

/*
 * A tally_config with all defaults and its size set; the members are there to be changed. What
 * cache_dir, overrides and allocator point to is read while the runtime is made.
 */
struct config : tally_config {
    config() noexcept : tally_config(detail::sized<tally_config>()) {}
    config(const tally_config &other) noexcept : tally_config(other) {}
    explicit config(const handle<cl_context> &in, const handle<cl_device_id> &on = nullptr) noexcept
        : config() {
        context = in.get();
        device = on.get();
    }

    /*
     * Hand the log's texts to call(tally_log_level, const char *). It is not copied: it must live
     * until the runtime, its operators and scratches are released. It must not throw, which would
     * end the program.
     */
    template <class F> config &log_to(F &call) noexcept {
        static_assert(std::is_object_v<F> &&
                          std::is_invocable_v<F &, tally_log_level, const char *>,
                      "an object that is called with a level and a text");
        log = &log_of<F>;
        user = const_cast<void *>(static_cast<const volatile void *>(std::addressof(call)));
        return *this;
    }

  private:
    template <class F>
    static void log_of(void *called, tally_log_level level, const char *said) noexcept {
        (*static_cast<F *>(called))(level, said);
    }
};

/* A context and device with their compiled kernels. Operators and scratches keep it alive. */
class runtime : public detail::owner<tally_runtime> {
  public:
    /* None: calls on it fail as those with NULL do. */
    runtime() noexcept = default;
    /* Take over a runtime from C. */
    explicit runtime(tally_runtime *taken) noexcept : owner(taken) {}

    static result<runtime> try_make(const tally_config &with) noexcept {
        tally_runtime *made = nullptr;
        tally_error why{};
        const tally_status code = tally_runtime_create(&with, &made, &why);
        return detail::outcome(code, why, runtime(made));
    }

    /* A second owner of the same runtime. */
    runtime share() const noexcept {
        tally_runtime_retain(get());
        return runtime(get());
    }

    /* The context and the device that it was made of; it holds the context. */
    struct handles {
        cl_context context = nullptr;
        cl_device_id device = nullptr;
    };
    result<handles> try_device() const noexcept {
        handles of;
        tally_error why{};
        const tally_status code = tally_runtime_device(get(), &of.context, &of.device, &why);
        return detail::outcome(code, why, of);
    }

    result<tally_stats> try_stats() const noexcept {
        tally_stats all = detail::sized<tally_stats>();
        tally_error why{};
        const tally_status code = tally_runtime_stats(get(), &all, &why);
        return detail::outcome(code, why, all);
    }

    /* The first call runs the probe and blocks meanwhile. reasons lives as long as the runtime. */
    result<tally_numerics> try_numerics() const noexcept {
        tally_numerics verdict = detail::sized<tally_numerics>();
        tally_error why{};
        const tally_status code = tally_runtime_numerics(get(), &verdict, &why);
        return detail::outcome(code, why, verdict);
    }

    /* The first call may run a trial and block meanwhile. reason lives as long as the runtime. */
    result<tally_scans> try_scans() const noexcept {
        tally_scans verdict = detail::sized<tally_scans>();
        tally_error why{};
        const tally_status code = tally_runtime_scans(get(), &verdict, &why);
        return detail::outcome(code, why, verdict);
    }

    /* Whether operators can be recorded, and updated. Reasons live as long as the runtime. */
    result<tally_recording> try_recording() const noexcept {
        tally_recording verdict = detail::sized<tally_recording>();
        tally_error why{};
        const tally_status code = tally_runtime_recording(get(), &verdict, &why);
        return detail::outcome(code, why, verdict);
    }

    /* For try_check. */
    result<device_limits> try_limits() const noexcept {
        device_limits limits;
        tally_error why{};
        const tally_status code = tally_runtime_limits(get(), &limits, &why);
        return detail::outcome(code, why, limits);
    }

    /* What an operator will need at most, before its kernels are there. */
    result<tally_estimate> try_estimate(const tally_desc &coming) const noexcept {
        tally_estimate needs = detail::sized<tally_estimate>();
        tally_error why{};
        const tally_status code = tally_runtime_estimate(get(), &coming, &needs, &why);
        return detail::outcome(code, why, needs);
    }

    /* The plan that an operator would get here, before its kernels are there: unstable. */
    result<std::string> try_explain(const tally_desc &coming, bool source = false) const {
        return detail::text_of([&](detail::writer write, void *user, tally_error *why) {
            return tally_runtime_explain(get(), &coming, source, write, user, why);
        });
    }

    /*
     * Get the programs of these operators ready. proceed(done) is called after each; the call stops
     * where it returns false, and where it throws, and then throws that.
     */
    result<void> try_warm_up(const descs &coming) const noexcept {
        tally_error why{};
        const tally_status code =
            tally_warm_up(get(), coming.data(), coming.size(), nullptr, nullptr, &why);
        return detail::outcome(code, why);
    }
    template <class F> result<void> try_warm_up(const descs &coming, F &&proceed) const {
        detail::callback<std::remove_reference_t<F>> call(proceed);
        tally_error why{};
        const tally_status code = tally_warm_up(
            get(), coming.data(), coming.size(),
            [](void *user, std::size_t done) {
                return detail::callback<std::remove_reference_t<F>>::run(user, done);
            },
            call.user(), &why);
        call.rethrow();
        return detail::outcome(code, why);
    }

#if TALLY_HPP_THROWS
    explicit runtime(const tally_config &with) : runtime(detail::take(try_make(with))) {}

    tally_stats stats() const {
        return detail::take(try_stats());
    }
    tally_numerics numerics() const {
        return detail::take(try_numerics());
    }
    tally_scans scans() const {
        return detail::take(try_scans());
    }
    tally_recording recording() const {
        return detail::take(try_recording());
    }
    device_limits limits() const {
        return detail::take(try_limits());
    }
    tally_estimate estimate(const tally_desc &coming) const {
        return detail::take(try_estimate(coming));
    }
    std::string explain(const tally_desc &coming, bool source = false) const {
        return detail::take(try_explain(coming, source));
    }
    void warm_up(const descs &coming) const {
        detail::take(try_warm_up(coming));
    }
    template <class F> void warm_up(const descs &coming, F &&proceed) const {
        detail::take(try_warm_up(coming, std::forward<F>(proceed)));
    }
#endif
};

/*
 * What op::record_updatable recorded, to be given other memory. Keeps its operator. The command
 * buffer is the caller's, and there is no update after its release.
 */
class recorded : public detail::owner<tally_recorded> {
  public:
    /* None: calls on it fail as those with NULL do. */
    recorded() noexcept = default;
    /* Take over what was recorded from C. */
    explicit recorded(tally_recorded *taken) noexcept : owner(taken) {}

    /* Replays that are enqueued later have this memory; see tally_recorded_update. */
    result<void> try_update(const binding &memory) const noexcept {
        tally_recorded *const own = get();
        return try_update(&own, &memory, 1);
    }
    /* The same of several recordings of one command buffer, by one call: all of them or none. */
    static result<void> try_update(tally_recorded *const *all, const tally_binding *memory,
                                   std::size_t count) noexcept {
        tally_error why{};
        const tally_status code = tally_recorded_update(all, memory, count, &why);
        return detail::outcome(code, why);
    }

#if TALLY_HPP_THROWS
    void update(const binding &memory) const {
        detail::take(try_update(memory));
    }
    static void update(tally_recorded *const *all, const tally_binding *memory, std::size_t count) {
        detail::take(try_update(all, memory, count));
    }
#endif
};

/* An operator on tensors of fixed types and shapes, ready to be enqueued. Keeps its runtime. */
class op : public detail::owner<tally_op> {
  public:
    /* None: calls on it fail as those with NULL do. */
    op() noexcept = default;
    /* Take over an operator from C. */
    explicit op(tally_op *taken) noexcept : owner(taken) {}

    static result<op> try_make(const runtime &in, const tally_reduce &what) noexcept {
        return make(tally_reduce_create, in, what);
    }
    static result<op> try_make(const runtime &in, const tally_cumulative &what) noexcept {
        return make(tally_cumulative_create, in, what);
    }
    static result<op> try_make(const runtime &in, const tally_diagonal &what) noexcept {
        return make(tally_diagonal_create, in, what);
    }
    static result<op> try_make(const runtime &in, const tally_desc &what) noexcept {
        return make(tally_op_create, in, what);
    }

    /* A second owner of the same operator. */
    op share() const noexcept {
        tally_op_retain(get());
        return op(get());
    }

    /* Bytes of scratch an enqueue needs, at a multiple of TALLY_SCRATCH_ALIGNMENT. */
    std::size_t scratch_size() const noexcept {
        return tally_op_scratch_size(get());
    }

    /* The plan in words, a line for each launch; ends in a NUL. Lives as long as the operator. */
    std::string_view describe() const noexcept {
        return tally_op_describe(get());
    }

    /*
     * Enqueue the operator; see tally_op_enqueue. *event, if it is given, becomes an event that the
     * caller releases, or that the object releases if it is one to which a cl_event is assigned,
     * such as a cl::Event. On failure a cl_event is NULL, and such an object is left as it is.
     */
    result<void> try_enqueue(const handle<cl_command_queue> &queue, const binding &memory,
                             const wait_list &after = {},
                             cl_event *event = nullptr) const noexcept {
        if (event != nullptr)
            *event = nullptr;
        const result<void> counted = after.check();
        if (!counted)
            return counted;
        tally_error why{};
        const tally_status code =
            tally_op_enqueue(get(), queue.get(), &memory, after.count(), after.data(), event, &why);
        return detail::outcome(code, why);
    }
    template <class Event, std::enable_if_t<!std::is_same_v<Event, cl_event> &&
                                                std::is_assignable_v<Event &, const cl_event &>,
                                            int> = 0>
    result<void> try_enqueue(const handle<cl_command_queue> &queue, const binding &memory,
                             const wait_list &after, Event *event) const {
        cl_event made = nullptr;
        result<void> done = try_enqueue(queue, memory, after, event != nullptr ? &made : nullptr);
        if (done && event != nullptr)
            *event = std::as_const(made);
        return done;
    }

    /* Launches of one enqueue, at most. */
    std::uint32_t launches() const noexcept {
        return tally_op_launches(get());
    }

    /*
     * Enqueue the operator with an event for each launch; the last one completes with the whole
     * operator. The caller releases each cl_event; an Event to which a cl_event is assigned, such
     * as cl::Event, releases it itself: try_enqueue_launches<cl::Event>(queue, memory).
     */
    template <class Event = cl_event>
    result<std::vector<Event>> try_enqueue_launches(const handle<cl_command_queue> &queue,
                                                    const binding &memory,
                                                    const wait_list &after = {}) const {
        const result<void> counted = after.check();
        if (!counted)
            return counted.error();
        std::vector<cl_event> made(launches());
        std::vector<Event> events(made.size());
        std::uint32_t count = 0;
        tally_error why{};
        const tally_status code = tally_op_enqueue_launches(
            get(), queue.get(), &memory, after.count(), after.data(), made.data(), &count, &why);
        for (std::uint32_t k = 0; k < count; k++)
            events[k] = std::as_const(made[k]);
        events.resize(count);
        return detail::outcome(code, why, std::move(events));
    }

    /*
     * Record the operator into a command buffer, behind some sync points of it; see
     * tally_op_record. Returns the operator's own sync point. The operator, the memory and the
     * scratch stay until the command buffer is released.
     */
    result<cl_sync_point_khr> try_record(const handle<cl_command_buffer_khr> &commands,
                                         const handle<cl_command_queue> &queue,
                                         const binding &memory, const cl_sync_point_khr *after,
                                         std::uint32_t count) const noexcept {
        cl_sync_point_khr done = 0;
        tally_error why{};
        const tally_status code =
            tally_op_record(get(), commands.get(), queue.get(), &memory, count, after, &done, &why);
        return detail::outcome(code, why, done);
    }
    result<cl_sync_point_khr>
    try_record(const handle<cl_command_buffer_khr> &commands, const handle<cl_command_queue> &queue,
               const binding &memory,
               std::initializer_list<cl_sync_point_khr> after = {}) const noexcept {
        return try_record(commands, queue, memory, after.size() > 0 ? after.begin() : nullptr,
                          static_cast<std::uint32_t>(after.size()));
    }

    /*
     * Record the operator so that replays can have other memory; see tally_op_record_updatable. Its
     * own sync point goes to *done, unless that is NULL.
     */
    result<recorded> try_record_updatable(const handle<cl_command_buffer_khr> &commands,
                                          const handle<cl_command_queue> &queue,
                                          const binding &memory, const cl_sync_point_khr *after,
                                          std::uint32_t count,
                                          cl_sync_point_khr *done = nullptr) const noexcept {
        tally_recorded *made = nullptr;
        tally_error why{};
        const tally_status code = tally_op_record_updatable(
            get(), commands.get(), queue.get(), &memory, count, after, done, &made, &why);
        return detail::outcome(code, why, recorded(made));
    }
    result<recorded> try_record_updatable(const handle<cl_command_buffer_khr> &commands,
                                          const handle<cl_command_queue> &queue,
                                          const binding &memory,
                                          std::initializer_list<cl_sync_point_khr> after = {},
                                          cl_sync_point_khr *done = nullptr) const noexcept {
        return try_record_updatable(commands, queue, memory,
                                    after.size() > 0 ? after.begin() : nullptr,
                                    static_cast<std::uint32_t>(after.size()), done);
    }

    /* The plan as tally_op_explain has it, with source also the programs: unstable. */
    result<std::string> try_explain(bool source = false) const {
        return detail::text_of([&](detail::writer write, void *user, tally_error *why) {
            return tally_op_explain(get(), source, write, user, why);
        });
    }

#if TALLY_HPP_THROWS
    op(const runtime &in, const tally_reduce &what) : op(detail::take(try_make(in, what))) {}
    op(const runtime &in, const tally_cumulative &what) : op(detail::take(try_make(in, what))) {}
    op(const runtime &in, const tally_diagonal &what) : op(detail::take(try_make(in, what))) {}
    op(const runtime &in, const tally_desc &what) : op(detail::take(try_make(in, what))) {}

    void enqueue(const handle<cl_command_queue> &queue, const binding &memory,
                 const wait_list &after = {}, cl_event *event = nullptr) const {
        detail::take(try_enqueue(queue, memory, after, event));
    }
    template <class Event, std::enable_if_t<!std::is_same_v<Event, cl_event> &&
                                                std::is_assignable_v<Event &, const cl_event &>,
                                            int> = 0>
    void enqueue(const handle<cl_command_queue> &queue, const binding &memory,
                 const wait_list &after, Event *event) const {
        detail::take(try_enqueue(queue, memory, after, event));
    }
    template <class Event = cl_event>
    std::vector<Event> enqueue_launches(const handle<cl_command_queue> &queue,
                                        const binding &memory, const wait_list &after = {}) const {
        return detail::take(try_enqueue_launches<Event>(queue, memory, after));
    }
    cl_sync_point_khr record(const handle<cl_command_buffer_khr> &commands,
                             const handle<cl_command_queue> &queue, const binding &memory,
                             const cl_sync_point_khr *after, std::uint32_t count) const {
        return detail::take(try_record(commands, queue, memory, after, count));
    }
    cl_sync_point_khr record(const handle<cl_command_buffer_khr> &commands,
                             const handle<cl_command_queue> &queue, const binding &memory,
                             std::initializer_list<cl_sync_point_khr> after = {}) const {
        return detail::take(try_record(commands, queue, memory, after));
    }
    recorded record_updatable(const handle<cl_command_buffer_khr> &commands,
                              const handle<cl_command_queue> &queue, const binding &memory,
                              const cl_sync_point_khr *after, std::uint32_t count,
                              cl_sync_point_khr *done = nullptr) const {
        return detail::take(try_record_updatable(commands, queue, memory, after, count, done));
    }
    recorded record_updatable(const handle<cl_command_buffer_khr> &commands,
                              const handle<cl_command_queue> &queue, const binding &memory,
                              std::initializer_list<cl_sync_point_khr> after = {},
                              cl_sync_point_khr *done = nullptr) const {
        return detail::take(try_record_updatable(commands, queue, memory, after, done));
    }
    std::string explain(bool source = false) const {
        return detail::take(try_explain(source));
    }
#endif

  private:
    template <class Desc>
    static result<op> make(tally_status (*create)(tally_runtime *, const Desc *, tally_op **,
                                                  tally_error *),
                           const runtime &in, const Desc &what) noexcept {
        tally_op *made = nullptr;
        tally_error why{};
        const tally_status code = create(in.get(), &what, &made, &why);
        return detail::outcome(code, why, op(made));
    }
};

/* A scratch buffer that grows: one for each in-order queue. Keeps its runtime. */
class scratch : public detail::owner<tally_scratch> {
  public:
    /* None: calls on it fail as those with NULL do. */
    scratch() noexcept = default;
    /* Take over a scratch from C. */
    explicit scratch(tally_scratch *taken) noexcept : owner(taken) {}

    static result<scratch> try_make(const runtime &in) noexcept {
        tally_scratch *made = nullptr;
        tally_error why{};
        const tally_status code = tally_scratch_create(in.get(), &made, &why);
        return detail::outcome(code, why, scratch(made));
    }

    /* The third view of the operator's next binding, good until the next call. May allocate. */
    result<tally::view> try_view(const op &coming) const noexcept {
        tally::view made;
        tally_error why{};
        const tally_status code = tally_scratch_view(get(), coming.get(), &made, &why);
        return detail::outcome(code, why, made);
    }

    /* Bytes of its buffer by now. */
    std::size_t bytes() const noexcept {
        return tally_scratch_bytes(get());
    }

#if TALLY_HPP_THROWS
    explicit scratch(const runtime &in) : scratch(detail::take(try_make(in))) {}

    tally::view view(const op &coming) const {
        return detail::take(try_view(coming));
    }
#endif
};

/* ---- The cache on disk ----------------------------------------------------------------------- */

/* A file of a cache, as tally_cache_file, with a key of its own. */
struct cache_file {
    std::string key; /* lines of text; "" if the file is damaged */
    bool damaged = false;
    std::uint64_t bytes = 0;
    std::int64_t used = 0; /* last, in seconds since 1970 */
};

/* $XDG_CACHE_HOME/tally, or $HOME/.cache/tally: what tally_default_cache_dir gives. */
inline result<std::string> try_default_cache_dir() {
    char path[4096];
    tally_error why{};
    const tally_status code = tally_default_cache_dir(path, sizeof path, &why);
    return detail::outcome(code, why, std::string(code == TALLY_OK ? path : ""));
}

/*
 * Call visit with each file, a const tally_cache_file & that lives as long as that call. After an
 * exception of visit's there are no more calls, and this one throws it.
 */
template <class F> result<void> try_cache_list(text cache_dir, F &&visit) {
    using call_of = detail::callback<std::remove_reference_t<F>>;
    call_of call(visit);
    tally_error why{};
    const tally_status code = tally_cache_list(
        cache_dir.get(),
        [](void *user, const tally_cache_file *file) {
            static_cast<void>(call_of::template run<const tally_cache_file &>(user, *file));
        },
        call.user(), &why);
    call.rethrow();
    return detail::outcome(code, why);
}

/* All files of a cache, in no particular order; none of a folder that is not there. */
inline result<std::vector<cache_file>> try_cache_files(text cache_dir) {
    std::vector<cache_file> files;
    const result<void> listed = try_cache_list(cache_dir, [&files](const tally_cache_file &file) {
        files.push_back(
            {file.key != nullptr ? file.key : "", file.key == nullptr, file.bytes, file.used});
    });
    if (!listed)
        return listed.error();
    return files;
}

/* Remove a cache's files; gives their number. */
inline result<std::uint64_t> try_cache_clear(text cache_dir) noexcept {
    std::uint64_t removed = 0;
    tally_error why{};
    const tally_status code = tally_cache_clear(cache_dir.get(), &removed, &why);
    return detail::outcome(code, why, removed);
}

#if TALLY_HPP_THROWS
inline std::string explain(const tally_desc &what, tally_family kernels,
                           tally_single_pass scans_in = TALLY_SINGLE_PASS_AUTO,
                           bool source = false) {
    return detail::take(try_explain(what, kernels, scans_in, source));
}
inline std::string default_cache_dir() {
    return detail::take(try_default_cache_dir());
}
template <class F> void cache_list(text cache_dir, F &&visit) {
    detail::take(try_cache_list(cache_dir, std::forward<F>(visit)));
}
inline std::vector<cache_file> cache_files(text cache_dir) {
    return detail::take(try_cache_files(cache_dir));
}
inline std::uint64_t cache_clear(text cache_dir) {
    return detail::take(try_cache_clear(cache_dir));
}
#endif

} // namespace tally

#undef TALLY_HPP_VISIBLE

#endif
