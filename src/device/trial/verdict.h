/*
 * What is known of a device's arithmetic: the verdict of the numerics probe, once somebody has
 * asked for it. Knows not who asks.
 */
#ifndef TALLY_DEVICE_TRIAL_VERDICT_H
#define TALLY_DEVICE_TRIAL_VERDICT_H

#include "device/device.h"

typedef struct tally_verdict {
    tally_lock lock; /* of all that follows; held while the probe runs */
    bool known;
    uint32_t dtypes, checks, failures;
    tally_text reasons;
} tally_verdict;

bool tally_verdict_init(tally_verdict *verdict);
void tally_verdict_free(tally_verdict *verdict);

/*
 * Fill in the answer. The first question has the device compute, which the call waits for; if that
 * fails nothing is known, and the next question tries again.
 */
tally_status tally_verdict_ask(tally_verdict *verdict, tally_device *device,
                               tally_numerics *numerics, tally_error *error);

/*
 * Hold a type's results against what they must be, and add a line to reasons for each that is
 * something else. Returns how many are.
 */
uint32_t tally_verdict_judge(tally_dtype dtype, const uint64_t *results, tally_text *reasons);

#endif
