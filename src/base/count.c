/*
 * A reference count over C11 atomics.
 */
#include "base/count.h"

void tally_count_init(tally_count *count) {
    atomic_init(&count->holders, 1u);
}

void tally_count_retain(tally_count *count) {
    atomic_fetch_add_explicit(&count->holders, 1u, memory_order_relaxed);
}

bool tally_count_release(tally_count *count) {
    return atomic_fetch_sub_explicit(&count->holders, 1u, memory_order_acq_rel) == 1u;
}
