/*
 * arithmetic.c: the table of functions, and the states that they carry from term to term; numbers.c
 * has the arithmetic of single numbers.
 */
#include "arithmetic.h"

#include <math.h>

#include "memory.h"

typedef enum sim_map { MAP_ITSELF, MAP_MAGNITUDE, MAP_SQUARE, MAP_KEY, MAP_TIED_KEY } sim_map;
typedef enum sim_combines {
    COMBINE_ADD,
    COMBINE_MULTIPLY,
    COMBINE_HIGHEST,
    COMBINE_LOWEST
} sim_combines;
typedef enum sim_finalize {
    END_ITSELF,
    END_DIVIDED,
    END_ROOT,
    END_LOGARITHM,
    END_SHIFTED,
    END_NUMBER_OF_KEY,
    END_INDEX
} sim_finalize;

struct sim_function {
    sim_map map;
    sim_combines combine;
    sim_finalize finalize;
    double identity, empty; /* of keys: not looked at */
};

static const sim_function functions[] = {
    [TALLY_ARGMAX] = {MAP_TIED_KEY, COMBINE_HIGHEST, END_INDEX, 0, 0},
    [TALLY_ARGMIN] = {MAP_TIED_KEY, COMBINE_LOWEST, END_INDEX, 0, 0},
    [TALLY_AVERAGE] = {MAP_ITSELF, COMBINE_ADD, END_DIVIDED, -0.0, (double)NAN},
    [TALLY_L1] = {MAP_MAGNITUDE, COMBINE_ADD, END_ITSELF, -0.0, 0},
    [TALLY_L2] = {MAP_SQUARE, COMBINE_ADD, END_ROOT, -0.0, 0},
    [TALLY_LOG_SUM] = {MAP_ITSELF, COMBINE_ADD, END_LOGARITHM, -0.0, -(double)INFINITY},
    [TALLY_LOG_SUM_EXP] = {MAP_ITSELF, COMBINE_ADD, END_SHIFTED, -0.0, -(double)INFINITY},
    [TALLY_MAX] = {MAP_KEY, COMBINE_HIGHEST, END_NUMBER_OF_KEY, 0, 0},
    [TALLY_MIN] = {MAP_KEY, COMBINE_LOWEST, END_NUMBER_OF_KEY, 0, 0},
    [TALLY_MULTIPLY] = {MAP_ITSELF, COMBINE_MULTIPLY, END_ITSELF, 1, 1},
    [TALLY_SUM] = {MAP_ITSELF, COMBINE_ADD, END_ITSELF, -0.0, 0},
    [TALLY_SUM_SQUARE] = {MAP_SQUARE, COMBINE_ADD, END_ITSELF, -0.0, 0},
};

/* Nothing is computed in less than 32 bits. */
static tally_dtype compute_of(tally_dtype input) {
    return input == TALLY_F16                        ? TALLY_F32
           : input == TALLY_I8 || input == TALLY_I16 ? TALLY_I32
           : input == TALLY_U8 || input == TALLY_U16 ? TALLY_U32
                                                     : input;
}

sim_math sim_math_of(const tally_spec *spec) {
    const tally_dtype input = (tally_dtype)spec->input;
    const tally_dtype compute = compute_of(input);
    const sim_math math = {
        .function = &functions[spec->function],
        .input = input,
        .compute = compute,
        .kind = number_type_of(input)->kind,
        .floating = number_is_float(input),
        .bytes = (uint32_t)number_bytes(compute),
        .ignores_nan = spec->nan == TALLY_NAN_IGNORE,
        .last_wins = spec->tie == TALLY_TIE_LAST,
        .mask = number_mask(number_type_of(compute)),
        .index_mask = spec->index_bits == 32 ? UINT32_MAX : UINT64_MAX,
        .state_bytes = tally_spec_state_bytes(spec),
    };
    return math;
}

/* ---- Keys ---------------------------------------------------------------------------------- */

/* The key of a term that loses against all, and may be no number's: 0 or all ones. */
static uint64_t losing_key(const sim_math *math) {
    return math->function->combine == COMBINE_HIGHEST ? 0 : math->mask;
}

/* Ascending as the numbers do: negative floats turned round, then the sign above all else. */
static uint64_t key_of(const sim_math *math, uint64_t x) {
    const uint64_t sign = math->mask ^ math->mask >> 1;
    if (sim_is_unsigned(math))
        return x;
    if (!math->floating)
        return x ^ sign;
    if (isnan(sim_real(math, x)))
        return math->ignores_nan ? losing_key(math) : losing_key(math) ^ math->mask;
    return sim_is_negative(math, x) ? x ^ math->mask : x ^ sign;
}

static uint64_t number_of_key(const sim_math *math, uint64_t key) {
    const uint64_t sign = math->mask ^ math->mask >> 1;
    if (sim_is_unsigned(math))
        return key;
    if (!math->floating)
        return key ^ sign;
    if (key == 0 || key == math->mask)
        return sim_bits_of(math, (double)NAN);
    return (key & sign) == 0 ? key ^ math->mask : key ^ sign;
}

/* ---- States -------------------------------------------------------------------------------- */

static uint64_t map(const sim_math *math, uint64_t x) {
    const bool zero = math->floating && sim_real(math, x) == 0;
    switch (math->function->map) {
    case MAP_MAGNITUDE:
        return sim_magnitude(math, x);
    case MAP_SQUARE:
        return sim_multiply(math, x, x);
    case MAP_KEY:
        return key_of(math, x);
    case MAP_TIED_KEY:
        return key_of(math, zero ? 0 : x);
    default:
        return x;
    }
}

static uint64_t combine_values(const sim_math *math, uint64_t a, uint64_t b) {
    switch (math->function->combine) {
    case COMBINE_MULTIPLY:
        return sim_multiply(math, a, b);
    case COMBINE_HIGHEST:
        return a > b ? a : b;
    case COMBINE_LOWEST:
        return a < b ? a : b;
    default:
        return sim_add(math, a, b);
    }
}

static bool is_indexed(const sim_math *math) {
    return math->function->finalize == END_INDEX;
}

static bool is_shifted(const sim_math *math) {
    return math->function->finalize == END_SHIFTED;
}

static bool has_keys(const sim_math *math) {
    return is_indexed(math) || math->function->finalize == END_NUMBER_OF_KEY;
}

static uint64_t constant(const sim_math *math, double x) {
    return math->floating ? sim_bits_of(math, x) : (uint64_t)x & math->mask;
}

sim_state sim_identity(const sim_math *math) {
    sim_state identity = {0, math->last_wins ? 0 : math->index_mask, 0};
    identity.value = has_keys(math) ? losing_key(math) : constant(math, math->function->identity);
    identity.top = is_shifted(math) ? sim_bits_of(math, -(double)INFINITY) : 0;
    return identity;
}

/* exp(x - top), of no less than a clamp, which NaN is taken for too: infinities of one sign. */
static uint64_t weight(const sim_math *math, uint64_t x, uint64_t top) {
    const double least = math->compute == TALLY_F32 ? -87 : -708;
    const double difference =
        sim_real(math, sim_bits_of(math, sim_real(math, x) - sim_real(math, top)));
    return sim_bits_of(math, exp(difference > least ? difference : least));
}

/* NaN is above all. */
static bool is_higher(const sim_math *math, uint64_t a, uint64_t b) {
    return isnan(sim_real(math, a)) || sim_real(math, a) > sim_real(math, b);
}

/* Relative to the higher of two tops. */
static sim_state combine_shifted(const sim_math *math, sim_state a, sim_state b) {
    const bool first = is_higher(math, a.top, b.top);
    const sim_state high = first ? a : b, low = first ? b : a;
    const uint64_t weighed = sim_multiply(math, low.value, weight(math, low.top, high.top));
    const sim_state combined = {sim_add(math, high.value, weighed), 0, high.top};
    return combined;
}

/* The sum of exp(x - top), with the highest of them for the top. */
static sim_state shift(const sim_math *math, const uint64_t *x, uint32_t count) {
    sim_state run = {constant(math, math->function->identity), 0, x[0]};
    for (uint32_t k = 1; k < count; k++)
        run.top = is_higher(math, run.top, x[k]) ? run.top : x[k];
    for (uint32_t k = 0; k < count; k++)
        run.value = sim_add(math, run.value, weight(math, x[k], run.top));
    return run;
}

sim_state sim_take(const sim_math *math, sim_state sum, const uint64_t *x, uint32_t count,
                   uint64_t index, uint64_t step) {
    if (is_shifted(math))
        return combine_shifted(math, sum, shift(math, x, count));
    for (uint32_t k = 0; k < count; k++)
        sum = sim_combine(math, sum, sim_begin(math, x[k], index + k * step));
    return sum;
}

sim_state sim_combine(const sim_math *math, sim_state a, sim_state b) {
    if (is_shifted(math))
        return combine_shifted(math, a, b);
    sim_state combined = {combine_values(math, a.value, b.value), 0, 0};
    const bool a_first = a.index < b.index;
    combined.index = a.value == b.value          ? (a_first != math->last_wins ? a.index : b.index)
                     : combined.value == a.value ? a.index
                                                 : b.index;
    return combined;
}

sim_state sim_begin(const sim_math *math, uint64_t x, uint64_t index) {
    const sim_state state = {map(math, x), index & math->index_mask, 0};
    return state;
}

sim_state sim_resume(const sim_math *math, sim_state state, uint64_t term, uint64_t scale) {
    state.index = (state.index + term * scale) & math->index_mask;
    return state;
}

uint64_t sim_end(const sim_math *math, sim_state state, uint64_t count) {
    const double x = math->floating && !has_keys(math) ? sim_real(math, state.value) : 0;
    switch (math->function->finalize) {
    case END_DIVIDED:
        return sim_store(math,
                         sim_bits_of(math, x / sim_real(math, sim_bits_of(math, (double)count))));
    case END_ROOT:
        return sim_store(math, sim_bits_of(math, sqrt(x)));
    case END_LOGARITHM:
        return sim_store(math, sim_bits_of(math, log(x)));
    case END_SHIFTED:
        return sim_store(math, sim_add(math, state.top, sim_bits_of(math, log(x))));
    case END_NUMBER_OF_KEY:
        return sim_store(math, number_of_key(math, state.value));
    case END_INDEX: /* of nothing but NaN that is ignored it is 0 */
        return math->floating && math->ignores_nan && state.value == losing_key(math) ? 0
                                                                                      : state.index;
    default:
        return sim_store(math, state.value);
    }
}

uint64_t sim_empty(const sim_math *math) {
    if (has_keys(math)) /* the highest number of all is the least of nothing */
        return math->function->combine == COMBINE_HIGHEST ? number_lowest(math->input)
                                                          : number_highest(math->input);
    return sim_store(math, constant(math, math->function->empty));
}

/* ---- Memory -------------------------------------------------------------------------------- */

void sim_put_state(const sim_math *math, sim_state state, unsigned char *at) {
    const uint32_t half = math->state_bytes / 2;
    sim_put(at, math->bytes, is_shifted(math) ? state.top : state.value);
    if (is_shifted(math))
        sim_put(at + half, math->bytes, state.value);
    if (is_indexed(math))
        sim_put(at + half, math->index_mask == UINT32_MAX ? 4 : 8, state.index);
}

sim_state sim_get_state(const sim_math *math, const unsigned char *at) {
    const uint32_t half = math->state_bytes / 2;
    sim_state state = {sim_get(at, math->bytes), 0, 0};
    if (is_shifted(math)) {
        state.top = state.value;
        state.value = sim_get(at + half, math->bytes);
    }
    if (is_indexed(math))
        state.index = sim_get(at + half, math->index_mask == UINT32_MAX ? 4 : 8);
    return state;
}
