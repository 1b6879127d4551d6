/*
 * case.c: the steps of a case: load the model, map its node, run it, compare the answer.
 */
#include "case.h"

#include "compare.h"
#include "file.h"

static bool read_node(node *it, const operator_row *row, const Onnx__GraphProto *graph,
                      const char *data_set, outcome *out) {
    const Onnx__NodeProto *proto = graph->node[0];
    if (proto->n_input > row->inputs || row->inputs > NODE_INPUTS || proto->n_output != 1) {
        return outcome_decline(out, "the node has %zu inputs and %zu outputs", proto->n_input,
                               proto->n_output);
    }
    if (!node_attributes(&it->attributes, proto, row->attributes, out)) {
        return false;
    }
    for (size_t k = 0; k < proto->n_input; k++) {
        if (!model_find_array(graph, proto->input[k], data_set, &it->inputs[k], out)) {
            return false;
        }
    }
    return it->inputs[0].type != NULL || outcome_fail(out, "the node has no input");
}

static bool run_data_set(const device *where, const operator_row *row,
                         const Onnx__GraphProto *graph, const char *data_set, outcome *out) {
    node it = {0};
    task to = {0};
    array expected = {0};
    char path[FILE_PATH_ROOM];
    bool passed = read_node(&it, row, graph, data_set, out) && row->map(row, &it, &to, out) &&
                  device_run(where, &to, out) && file_path(path, out, "%s/output_0.pb", data_set) &&
                  array_load(&expected, path, out) && compare_arrays(&to.result, &expected, out);
    array_free(&expected);
    array_free(&to.result);
    for (size_t k = 0; k < NODE_INPUTS; k++) {
        array_free(&it.inputs[k]);
    }
    return passed;
}

static bool run_data_sets(const device *where, const operator_row *row,
                          const Onnx__GraphProto *graph, const char *folder, outcome *out) {
    char data_set[FILE_PATH_ROOM];
    size_t count = 0;
    for (;; count++) {
        if (!file_path(data_set, out, "%s/test_data_set_%zu", folder, count)) {
            return false;
        }
        if (!file_exists(data_set)) {
            break;
        }
        if (!run_data_set(where, row, graph, data_set, out)) {
            return false;
        }
    }
    return count > 0 || outcome_fail(out, "there is no data set");
}

void case_run(const device *where, const char *folder, const char *name, survey *found,
              outcome *out) {
    char path[FILE_PATH_ROOM];
    Onnx__ModelProto *model = NULL;
    *found = (survey){0};
    *out = (outcome){0};
    if (!file_path(path, out, "%s/%s/model.onnx", folder, name)) {
        return;
    }
    model = model_load(path, out);
    if (model == NULL) {
        return;
    }
    model_survey(model, found);
    if (found->only != NULL && file_path(path, out, "%s/%s", folder, name)) {
        run_data_sets(where, found->only, model->graph, path, out);
    }
    onnx__model_proto__free_unpacked(model, NULL);
}
