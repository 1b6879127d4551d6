/*
 * What a runtime knows of its device's arithmetic: the verdict of the numerics probe, once somebody
 * has asked for it.
 */
#ifndef TALLY_API_NUMERICS_H
#define TALLY_API_NUMERICS_H

#include <tally/tally.h>

#include "base/lock.h"
#include "base/text.h"

typedef struct tally_verdict {
    tally_lock lock; /* of all that follows; held while the probe runs */
    bool known;
    uint32_t dtypes, items, failures;
    tally_text reasons;
} tally_verdict;

bool tally_verdict_init(tally_verdict *verdict);
void tally_verdict_free(tally_verdict *verdict);

/*
 * Hold a type's results against what they must be, and add a line to reasons for each that is
 * something else. Returns how many are.
 */
uint32_t tally_verdict_judge(tally_dtype dtype, const uint64_t *results, tally_text *reasons);

#endif
