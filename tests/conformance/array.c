/*
 * array.c: making arrays, and reading them from the schema's tensors.
 */
#include "array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>
#include <tally/tally.h>

#include "file.h"
#include "onnx-ml.pb-c.h"

bool array_make(array *it, int32_t type, size_t rank, const int64_t *size, outcome *out) {
    const element_type *known = element_type_of(type);
    *it = (array){0};
    if (known == NULL || known->dtype == TALLY_DTYPE_NONE) {
        return outcome_decline(out, "the element type %s (%" PRId32 ") is none of Tally's",
                               element_name(type), type);
    }
    if (rank > TALLY_MAX_RANK) {
        return outcome_decline(out, "a tensor has rank %zu, and Tally's limit is %d", rank,
                               TALLY_MAX_RANK);
    }
    it->rank = (uint32_t)rank;
    it->count = 1;
    it->width = tally_dtype_size(known->dtype);
    for (size_t axis = 0; axis < rank; axis++) {
        if (size[axis] < 0 || size[axis] > INT32_MAX) {
            return outcome_fail(out, "a tensor has size %" PRId64 " on axis %zu", size[axis], axis);
        }
        it->size[axis] = (uint64_t)size[axis];
        it->count *= it->size[axis];
        if (it->count > INT32_MAX) {
            return outcome_fail(out, "a tensor has more than %" PRId32 " elements", INT32_MAX);
        }
    }
    it->data = calloc((size_t)it->count + 1, it->width);
    if (it->data == NULL) {
        return outcome_fail(out, "no memory for %" PRIu64 " elements", it->count);
    }
    it->type = known;
    return true;
}

/* Elements from the list field of their type; each is in the low bytes of its item. */
static bool copy_list(array *it, const Onnx__TensorProto *tensor, outcome *out) {
    const element_list *list = &it->type->list;
    const char *base = (const char *)tensor;
    const char *items = NULL;
    size_t count = 0;
    memcpy(&count, base + list->count, sizeof count);
    memcpy(&items, base + list->items, sizeof items);
    if (count != it->count) {
        return outcome_fail(out, "a tensor of %" PRIu64 " elements lists %zu", it->count, count);
    }
    for (size_t k = 0; k < count; k++) {
        memcpy(it->data + k * it->width, items + k * list->width, it->width);
    }
    return true;
}

static bool copy_raw(array *it, const Onnx__TensorProto *tensor, outcome *out) {
    const size_t bytes = (size_t)it->count * it->width;
    if (tensor->raw_data.len != bytes) {
        return outcome_fail(out, "a tensor of %zu bytes has %zu", bytes, tensor->raw_data.len);
    }
    if (bytes > 0) {
        memcpy(it->data, tensor->raw_data.data, bytes);
    }
    return true;
}

bool array_unpack(array *it, const Onnx__TensorProto *tensor, outcome *out) {
    const bool external = tensor->has_data_location &&
                          tensor->data_location == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL;
    if (external || tensor->segment != NULL) {
        return outcome_decline(out, "a tensor is split or in a file of its own");
    }
    if (!array_make(it, tensor->data_type, tensor->n_dims, tensor->dims, out)) {
        return false;
    }
    return tensor->has_raw_data ? copy_raw(it, tensor, out) : copy_list(it, tensor, out);
}

bool array_load(array *it, const char *path, outcome *out) {
    file bytes = {NULL, 0};
    Onnx__TensorProto *tensor = NULL;
    bool done = false;
    if (!file_read(&bytes, path, out)) {
        return false;
    }
    tensor = onnx__tensor_proto__unpack(NULL, bytes.size, bytes.data);
    if (tensor == NULL) {
        outcome_fail(out, "%s is no tensor of ONNX", path);
    } else {
        done = array_unpack(it, tensor, out);
        onnx__tensor_proto__free_unpacked(tensor, NULL);
    }
    file_free(&bytes);
    return done;
}

bool array_integers(const array *it, const char *name, size_t room, int64_t *values, outcome *out) {
    const bool narrow = it->type->dtype == TALLY_I32;
    if (!narrow && it->type->dtype != TALLY_I64) {
        return outcome_fail(out, "%s are of type %s, not int32 or int64", name, it->type->name);
    }
    if (it->count > room) {
        return outcome_fail(out, "%s are %" PRIu64 ", and at most %zu make sense", name, it->count,
                            room);
    }
    for (size_t k = 0; k < it->count; k++) {
        const uint64_t bits = element_bits(it->data + k * it->width, it->width);
        values[k] = narrow ? (int32_t)(uint32_t)bits : (int64_t)bits;
    }
    return true;
}

void array_free(array *it) {
    free(it->data);
    *it = (array){0};
}

tally_tensor array_tensor(const array *it) {
    return tally_tensor_packed(it->type->dtype, it->rank, it->size);
}

const char *array_describe(const array *it, char text[256]) {
    int length = snprintf(text, 256, "%s [", it->type->name);
    for (uint32_t axis = 0; axis < it->rank && length < 200; axis++) {
        length += snprintf(text + length, 256 - (size_t)length, "%s%" PRIu64, axis > 0 ? ", " : "",
                           it->size[axis]);
    }
    snprintf(text + length, 256 - (size_t)length, "]");
    return text;
}
