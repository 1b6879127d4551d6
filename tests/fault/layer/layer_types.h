/*
 * layer_types.h: the calls that the layer knows, by number, and the kinds of things that are held.
 */
#ifndef TESTS_FAULT_LAYER_TYPES_H
#define TESTS_FAULT_LAYER_TYPES_H

typedef enum layer_call {
#define CALL(kind, name, type, handle, parameters, arguments) LAYER_##name,
#include "calls.def"
    LAYER_CALLS
} layer_call;

/* What may be held. NONE is nothing. */
typedef enum layer_type {
    LAYER_NONE,
    LAYER_DEVICE,
    LAYER_CONTEXT,
    LAYER_QUEUE,
    LAYER_BUFFER,
    LAYER_PROGRAM,
    LAYER_KERNEL,
    LAYER_EVENT,
    LAYER_MEMORY,
    LAYER_LOCK,
    LAYER_CONDITION,
    LAYER_FILE,
    LAYER_FOLDER,
    LAYER_TYPES
} layer_type;

/* 0.minor.patch of an extension, as OpenCL packs it. */
#define LAYER_VERSION(minor, patch) ((minor) << 12 | (patch))

#endif
