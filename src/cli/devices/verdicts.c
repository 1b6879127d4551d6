/*
 * What Tally says of a device: whether its arithmetic gives the guaranteed bits, whether scans may
 * be in one pass, whether commands can be recorded.
 */
#include "cli/devices/verdicts.h"

#include <inttypes.h>
#include <stdio.h>

static verdict judge_numerics(tally_runtime *runtime) {
    tally_numerics numerics = TALLY_NUMERICS_INIT;
    tally_error error;
    verdict found = {.known = tally_runtime_numerics(runtime, &numerics, &error) == TALLY_OK};
    found.holds = found.known && numerics.guaranteed;
    found.more = numerics.reasons;
    if (!found.known)
        snprintf(found.text, sizeof found.text, "%s", error.message);
    else if (!found.holds)
        snprintf(found.text, sizeof found.text, "%" PRIu32 " of %" PRIu32 " items are wrong",
                 numerics.failures, numerics.checks);
    return found;
}

static verdict judge_scans(tally_runtime *runtime) {
    tally_scans scans = TALLY_SCANS_INIT;
    tally_error error;
    verdict found = {.known = tally_runtime_scans(runtime, &scans, &error) == TALLY_OK};
    found.holds = found.known && scans.single_pass;
    if (!found.known)
        snprintf(found.text, sizeof found.text, "%s", error.message);
    else if (found.holds)
        snprintf(found.text, sizeof found.text, "%" PRIu32 " of %" PRIu32 " groups waited in vain",
                 scans.left, scans.units);
    else
        snprintf(found.text, sizeof found.text, "%s", scans.reason);
    return found;
}

static verdict judge_recording(tally_runtime *runtime) {
    tally_recording recording = TALLY_RECORDING_INIT;
    tally_error error;
    verdict found = {.known = tally_runtime_recording(runtime, &recording, &error) == TALLY_OK};
    found.holds = found.known && recording.supported;
    if (!found.known)
        snprintf(found.text, sizeof found.text, "%s", error.message);
    else if (found.holds)
        snprintf(found.text, sizeof found.text, "version %" PRIu32 ".%" PRIu32 ".%" PRIu32,
                 recording.version >> 22, recording.version >> 12 & 0x3FF,
                 recording.version & 0xFFF);
    else
        snprintf(found.text, sizeof found.text, "%s", recording.reason);
    return found;
}

void verdict_write(const verdict *found, char line[VERDICT_LINE_BYTES]) {
    snprintf(line, VERDICT_LINE_BYTES, "%s%s%s",
             !found->known  ? "unknown"
             : found->holds ? "yes"
                            : "no",
             found->text[0] != '\0' ? ": " : "", found->text);
}

const struct devices_verdict devices_verdicts[DEVICES_VERDICTS] = {
    [DEVICES_GUARANTEED_BITS] = {"guaranteed bits", "guaranteed_bits", judge_numerics},
    [DEVICES_SINGLE_PASS] = {"single-pass scans", "single_pass_scans", judge_scans},
    [DEVICES_RECORDING] = {"command buffers", "command_buffers", judge_recording},
};
