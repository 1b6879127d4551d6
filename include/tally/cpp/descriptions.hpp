/*
 * tally/cpp/descriptions.hpp: descriptions of operators. A part of tally/tally.hpp. Knows no
 * runtime.
 */
#ifndef TALLY_CPP_DESCRIPTIONS_HPP
#define TALLY_CPP_DESCRIPTIONS_HPP

#include <tally/calls/create.h>
#include <tally/cpp/elements.hpp>
#include <tally/cpp/tensors.hpp>

#include <cstdint>
#include <type_traits>

namespace tally {

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

} // namespace tally

#endif
