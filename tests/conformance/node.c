/*
 * node.c: reading a node's attributes by a table of their names.
 */
#include "node.h"

#include <string.h>

#include "onnx-ml.pb-c.h"

typedef struct attribute_row {
    const char *name;
    size_t field; /* offset of an int64_t in attributes */
} attribute_row;

/* The attributes that are one integer; axes, the only list, is beside them. */
static const attribute_row rows[] = {
    {"axis", offsetof(attributes, axis)},
    {"dtype", offsetof(attributes, dtype)},
    {"exclusive", offsetof(attributes, exclusive)},
    {"k", offsetof(attributes, k)},
    {"keepdims", offsetof(attributes, keepdims)},
    {"noop_with_empty_axes", offsetof(attributes, noop_with_empty_axes)},
    {"reverse", offsetof(attributes, reverse)},
    {"select_last_index", offsetof(attributes, select_last_index)},
    {"upper", offsetof(attributes, upper)},
};

static bool is_listed(const char *name, const char *const *allowed) {
    for (; *allowed != NULL; allowed++) {
        if (strcmp(name, *allowed) == 0) {
            return true;
        }
    }
    return false;
}

static bool read_axes(attributes *it, const Onnx__AttributeProto *proto, outcome *out) {
    static const int64_t none = 0;
    if (proto->type != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS) {
        return outcome_decline(out, "the attribute axes is no list of integers");
    }
    it->axes = proto->n_ints == 0 ? &none : proto->ints;
    it->axes_count = proto->n_ints;
    return true;
}

static bool read_integer(attributes *it, const Onnx__AttributeProto *proto, outcome *out) {
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (strcmp(proto->name, rows[k].name) != 0) {
            continue;
        }
        if (proto->type != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT) {
            return outcome_decline(out, "the attribute %s is no integer", proto->name);
        }
        memcpy((char *)it + rows[k].field, &proto->i, sizeof proto->i);
        return true;
    }
    return outcome_fail(out, "the attribute %s has no row in node.c", proto->name);
}

bool node_attributes(attributes *it, const Onnx__NodeProto *proto, const char *const *allowed,
                     outcome *out) {
    *it = (attributes){.keepdims = 1, .upper = 1};
    for (size_t k = 0; k < proto->n_attribute; k++) {
        const Onnx__AttributeProto *attribute = proto->attribute[k];
        if (attribute->name == NULL || !is_listed(attribute->name, allowed)) {
            return outcome_decline(out, "the operator has an attribute %s",
                                   attribute->name == NULL ? "without a name" : attribute->name);
        }
        if (strcmp(attribute->name, "axes") == 0) {
            if (!read_axes(it, attribute, out)) {
                return false;
            }
        } else if (!read_integer(it, attribute, out)) {
            return false;
        }
    }
    return true;
}
