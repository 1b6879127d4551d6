/*
 * tally/cpp/elements.hpp: single elements, and the data types of the types of C++. A part of
 * tally/tally.hpp. Knows no tensor.
 */
#ifndef TALLY_CPP_ELEMENTS_HPP
#define TALLY_CPP_ELEMENTS_HPP

#include <tally/calls/vocabulary.h>
#include <tally/cpp/parameters.hpp>
#include <tally/cpp/result.hpp>
#include <tally/types/elements.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace tally {

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

#if TALLY_HPP_THROWS
template <class T> tally_scalar scalar(tally_dtype type, T value) {
    return detail::take(try_scalar(type, value));
}
#endif

} // namespace tally

#endif
