/*
 * What is remembered of a device between processes: blobs in the store, under keys that say all
 * that matters: the library, the host, the driver, the device, and then the topic. Knows not what
 * topics are about.
 */
#ifndef TALLY_DEVICE_RECALL_H
#define TALLY_DEVICE_RECALL_H

#include "device/device.h"

/*
 * Open the store that config names for a device that has its id. It never fails: without a store
 * nothing is remembered, and the caller's log gets the reason.
 */
void tally_recall_open(tally_device *device, const tally_config *config);
void tally_recall_close(tally_device *device);

/* Whether anything can be remembered. */
bool tally_recall_works(const tally_device *device);

/*
 * What was remembered of the topic, to be freed by tally_blob_free. A topic is lines of text, and
 * must name all that the blob depends on beyond library, host and device.
 */
bool tally_recall_get(tally_device *device, const char *topic, tally_blob *blob);
void tally_recall_put(tally_device *device, const char *topic, const void *bytes, size_t size);

#endif
