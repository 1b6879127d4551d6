/*
 * order_check.h: one reduction or scan from description to judgement by the reference of the
 * orders: seeded elements that show the order, the operator on a runtime of the caller's, and every
 * bit compared.
 */
#ifndef TESTS_SUPPORT_REFERENCE_ORDER_CHECK_H
#define TESTS_SUPPORT_REFERENCE_ORDER_CHECK_H

#include <CL/cl.h>
#include <tally/tally.h>

#define ORDER_CHECK_PLAN 2048

/* The bits of all outputs, row-major. input has the elements where the input tensor says. */
void order_check_results(const tally_reduce *desc, const unsigned char *input, uint64_t *results);

/* Fails the running test if a bit is another. plan gets the plan's words, as far as they fit. */
void order_check(tally_runtime *runtime, const tally_reduce *desc, char plan[ORDER_CHECK_PLAN]);
/* Of a view, which begins so many elements behind its buffer's start. */
void order_check_view(tally_runtime *runtime, const tally_reduce *desc, size_t before,
                      char plan[ORDER_CHECK_PLAN]);
void order_check_scan(tally_runtime *runtime, const tally_cumulative *desc,
                      char plan[ORDER_CHECK_PLAN]);

#endif
