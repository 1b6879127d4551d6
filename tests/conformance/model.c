/*
 * model.c: reading models with what protobuf-c made of ONNX's schema.
 */
#include "model.h"

#include <stdio.h>
#include <string.h>

#include "file.h"

Onnx__ModelProto *model_load(const char *path, outcome *out) {
    Onnx__ModelProto *model = NULL;
    file bytes = {NULL, 0};
    if (!file_read(&bytes, path, out)) {
        return NULL;
    }
    model = onnx__model_proto__unpack(NULL, bytes.size, bytes.data);
    if (model == NULL) {
        outcome_fail(out, "%s is no model of ONNX", path);
    } else if (model->graph == NULL) {
        outcome_fail(out, "%s has no graph", path);
        onnx__model_proto__free_unpacked(model, NULL);
        model = NULL;
    }
    file_free(&bytes);
    return model;
}

/* ---- Survey -------------------------------------------------------------------------------- */

static bool is_named(const char *list, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = strstr(list, name); at != NULL; at = strstr(at + 1, name)) {
        if ((at == list || at[-1] == ' ') && (at[length] == ',' || at[length] == 0)) {
            return true;
        }
    }
    return false;
}

static void add_other(survey *found, const char *name) {
    const size_t length = strlen(found->others);
    if (!is_named(found->others, name)) {
        snprintf(found->others + length, sizeof found->others - length, "%s%s",
                 length > 0 ? ", " : "", name);
    }
}

static void survey_nodes(survey *found, size_t count, Onnx__NodeProto *const *nodes) {
    for (size_t k = 0; k < count; k++) {
        const Onnx__NodeProto *proto = nodes[k];
        found->nodes++;
        if (operator_find(proto->domain, proto->op_type) != NULL) {
            found->known++;
        } else {
            add_other(found, proto->op_type == NULL ? "(no name)" : proto->op_type);
        }
        for (size_t a = 0; a < proto->n_attribute; a++) {
            const Onnx__AttributeProto *attribute = proto->attribute[a];
            if (attribute->g != NULL) {
                survey_nodes(found, attribute->g->n_node, attribute->g->node);
            }
            for (size_t g = 0; g < attribute->n_graphs; g++) {
                survey_nodes(found, attribute->graphs[g]->n_node, attribute->graphs[g]->node);
            }
        }
    }
}

void model_survey(const Onnx__ModelProto *model, survey *found) {
    const Onnx__GraphProto *graph = model->graph;
    *found = (survey){0};
    survey_nodes(found, graph->n_node, graph->node);
    for (size_t k = 0; k < model->n_functions; k++) {
        survey_nodes(found, model->functions[k]->n_node, model->functions[k]->node);
    }
    if (found->nodes == 1 && graph->n_node == 1) {
        found->only = operator_find(graph->node[0]->domain, graph->node[0]->op_type);
    }
}

/* ---- Tensors ------------------------------------------------------------------------------- */

static const Onnx__TensorProto *find_initializer(const Onnx__GraphProto *graph, const char *name) {
    for (size_t k = 0; k < graph->n_initializer; k++) {
        const char *own = graph->initializer[k]->name;
        if (own != NULL && strcmp(own, name) == 0) {
            return graph->initializer[k];
        }
    }
    return NULL;
}

bool model_find_array(const Onnx__GraphProto *graph, const char *name, const char *data_set,
                      array *it, outcome *out) {
    const Onnx__TensorProto *initializer = NULL;
    char path[FILE_PATH_ROOM];
    *it = (array){0};
    if (name == NULL || *name == 0) {
        return true;
    }
    for (size_t k = 0; k < graph->n_input; k++) {
        if (graph->input[k]->name == NULL || strcmp(graph->input[k]->name, name) != 0) {
            continue;
        }
        if (!file_path(path, out, "%s/input_%zu.pb", data_set, k)) {
            return false;
        }
        if (file_exists(path)) {
            return array_load(it, path, out);
        }
    }
    initializer = find_initializer(graph, name);
    return initializer != NULL ? array_unpack(it, initializer, out)
                               : outcome_fail(out, "nothing gives the input %s", name);
}
