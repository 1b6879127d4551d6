/*
 * What is remembered of a device between processes: blobs in the store, under keys that say all
 * that matters: the library, the host, the driver, the device, and then the topic. Knows not what
 * topics are about, nor what else is known of the device.
 */
#ifndef TALLY_DEVICE_RECALL_H
#define TALLY_DEVICE_RECALL_H

#include <CL/cl.h>
#include <tally/tally.h>

#include "base/store.h"
#include "base/text.h"

/* All zeros is one that remembers nothing. */
typedef struct tally_recall {
    tally_store store;
    tally_text identity; /* of library, host and device: how the store's keys begin */
} tally_recall;

/*
 * Open the store that config names, for the device. If that fails, which is a sentence in error,
 * nothing is remembered. A config that names none is no failure. The allocator stays where it is.
 */
bool tally_recall_open(tally_recall *recall, cl_device_id id, const tally_allocator *allocator,
                       const tally_config *config, tally_error *error);
void tally_recall_close(tally_recall *recall);

/* Whether anything can be remembered. */
bool tally_recall_works(const tally_recall *recall);

/*
 * What was remembered of the topic, to be freed by tally_blob_free. A topic is lines of text, and
 * must name all that the blob depends on beyond library, host and device.
 */
bool tally_recall_get(tally_recall *recall, const char *topic, tally_blob *blob);
void tally_recall_put(tally_recall *recall, const char *topic, const void *bytes, size_t size);

#endif
