/*
 * spread_case.h: a scan along an axis of few long rows, or columns, whose units are spread over
 * groups of one launch or of several. Which plan it has is the tests' to know.
 */
#ifndef TESTS_DEVICE_SPREAD_CASE_H
#define TESTS_DEVICE_SPREAD_CASE_H

#include <stdbool.h>

#include <tally/tally.h>

/* A function of a type, along the middle axis of rows, terms and columns. */
typedef struct spread_case {
    tally_function function;
    tally_dtype dtype;
    uint64_t rows, terms, columns;
} spread_case;

tally_cumulative spread_case_describe(const spread_case *it, bool exclusive, bool descending);

/*
 * Whether the device has the type, and compiles its words. PoCL 3.1 dies of compiling words of half
 * of 8-byte types on some processors. Of rows they are simulated; of boxes GPUs alone have them.
 */
bool spread_case_is_there(const spread_case *it, uint8_t word_bytes);

/* Let groups of a launch leave one in so many units, as they look for a word once; 0: none. */
void spread_case_leave(tally_op *op, uint32_t leave);

/*
 * Launches one after the other with the same board, by groups' own numbers and by tickets in turns;
 * leave says of each how many units are left. Each finds the words of the one before.
 */
enum { SPREAD_CASE_ROUNDS = 4 };
void spread_case_run_rounds(const tally_cumulative *desc, tally_op *op, bool in_place,
                            const uint32_t leave[SPREAD_CASE_ROUNDS]);

#endif
