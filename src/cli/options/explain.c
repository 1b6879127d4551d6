/*
 * The command line of tally explain: a table of options with the operators that each is of.
 */
#include "cli/options/explain.h"

#include <inttypes.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/tables/functions.h"

#define REDUCE (1u << EXPLAIN_REDUCE)
#define SCAN (1u << EXPLAIN_SCAN)
#define DIAGONAL (1u << EXPLAIN_DIAGONAL)
#define ALL (REDUCE | SCAN | DIAGONAL)

static const char *const operators[] = {
    [EXPLAIN_REDUCE] = "reduce", [EXPLAIN_SCAN] = "scan", [EXPLAIN_DIAGONAL] = "diagonal"};

static int parse_operator(const char *text, void *into, cli_error *error) {
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++)
        if (strcmp(text, operators[i]) == 0) {
            *(explain_operator *)into = (explain_operator)i;
            return CLI_DONE;
        }
    return cli_misuse(error, "is no operator; choose from reduce scan diagonal");
}

static const option operands[] = {
    {"OPERATOR", NULL, "reduce scan diagonal", parse_operator, offsetof(explain_options, kind),
     true},
    {"FUNCTION", NULL, "of reduce and scan, such as sum", value_function,
     offsetof(explain_options, function), false},
};
#define OPERANDS (sizeof operands / sizeof operands[0])

static const char type_help[] = "of the elements:"
#define CLI_TYPE(enumerator, name, ...) " " #name
#include "cli/tables/types.def"
    ;

static const option options[] = {
    {"type", "TYPE", type_help, value_type, offsetof(explain_options, type), true},
    {"shape", "LIST", "the sizes of the input, or of what is filled, such as 1000,5000",
     value_shape, offsetof(explain_options, shape), true},
    {"strides", "LIST", "of the input, in elements, such as 5008,1; default: packed", value_shape,
     offsetof(explain_options, input.strides), false},
    {"order", "LIST",
     "the input's axes as they lie in packed memory, outermost first,\n"
     "such as 1,0 for a transposed matrix",
     value_axes, offsetof(explain_options, input.order), false},
    {"output-strides", "LIST", "the same of the output", value_shape,
     offsetof(explain_options, output.strides), false},
    {"output-order", "LIST", "the same of the output", value_axes,
     offsetof(explain_options, output.order), false},
    {"axes", "LIST",
     "reduce: the axes to reduce, such as 0,2; none: each element on its\n"
     "own; default: all axes",
     value_axes, offsetof(explain_options, axes), false},
    {"output-type", "TYPE", "reduce: of argmax and argmin; default i64", value_type,
     offsetof(explain_options, output_type), false},
    {"tie", "WHICH", "reduce: first (default) or last of equal extremes", value_tie,
     offsetof(explain_options, tie), false},
    {"nan", "RULE", "reduce, scan: propagate (default) or ignore NaN", value_nan,
     offsetof(explain_options, nan), false},
    {"axis", "K", "scan: the axis to go along", value_int, offsetof(explain_options, axis), false},
    {"reverse", NULL, "scan: go from the axis's last index down", value_flag,
     offsetof(explain_options, reverse), false},
    {"exclusive", NULL, "scan: write each value before its own element enters", value_flag,
     offsetof(explain_options, exclusive), false},
    {"begin", "B", "diagonal: the first diagonal", value_int, offsetof(explain_options, begin),
     false},
    {"end", "E", "diagonal: the diagonal behind the last", value_int,
     offsetof(explain_options, end), false},
    {"with-input", NULL, "diagonal: fill in a given tensor, not in zeros", value_flag,
     offsetof(explain_options, with_input), false},
    {"source", NULL,
     "print the programs too, as the compiler gets them; the explanation\n"
     "is then comments before them",
     value_flag, offsetof(explain_options, source), false},
    {"json", NULL, OPTIONS_JSON_HELP, value_flag, offsetof(explain_options, common.json), false},
};
#define OPTIONS (sizeof options / sizeof options[0])

/* The operators that each option is of, in the same order. */
static const unsigned takers[] = {ALL,    ALL,      ALL,      ALL,           ALL,  ALL,
                                  REDUCE, REDUCE,   REDUCE,   REDUCE | SCAN, SCAN, SCAN,
                                  SCAN,   DIAGONAL, DIAGONAL, DIAGONAL,      ALL,  ALL};
_Static_assert(sizeof takers / sizeof takers[0] == OPTIONS, "each option has its operators");

/* ---- What belongs together ----------------------------------------------------------------- */

static int check_layout(const explain_layout *layout, const char *strides, const char *order,
                        cli_error *error) {
    if (layout->strides.given && layout->order.given)
        return cli_misuse(error, "--%s and --%s both say how one tensor lies: leave one out",
                          strides, order);
    return CLI_DONE;
}

static int check_needs(const explain_options *given, cli_error *error) {
    const struct {
        explain_operator kind;
        bool given;
        const char *what;
    } needs[] = {
        {EXPLAIN_REDUCE, given->function != TALLY_FUNCTION_NONE, "FUNCTION"},
        {EXPLAIN_SCAN, given->function != TALLY_FUNCTION_NONE, "FUNCTION"},
        {EXPLAIN_SCAN, given->axis.given, "--axis K"},
        {EXPLAIN_DIAGONAL, given->begin.given, "--begin B"},
        {EXPLAIN_DIAGONAL, given->end.given, "--end E"},
    };
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++)
        if (needs[i].kind == given->kind && !needs[i].given)
            return cli_misuse(error, "%s is missing", needs[i].what);
    return CLI_DONE;
}

int explain_check(const explain_options *given, cli_error *error) {
    const char *name = operators[given->kind];
    if (given->kind == EXPLAIN_DIAGONAL && given->function != TALLY_FUNCTION_NONE)
        return cli_misuse(error, "diagonal has no FUNCTION, but %s is given",
                          tally_function_name(given->function));
    for (size_t i = 0; i < OPTIONS; i++)
        if ((given->common.seen >> i & 1) != 0 && (takers[i] >> given->kind & 1) == 0)
            return cli_misuse(error, "%s has no option --%s", name, options[i].name);
    bool placed = given->input.strides.given || given->input.order.given;
    if (given->kind == EXPLAIN_DIAGONAL && placed && !given->with_input)
        return cli_misuse(error, "--%s is of the input, which --with-input asks for",
                          given->input.strides.given ? "strides" : "order");
    int status = check_layout(&given->input, "strides", "order", error);
    if (status == CLI_DONE)
        status = check_layout(&given->output, "output-strides", "output-order", error);
    return status == CLI_DONE ? check_needs(given, error) : status;
}

/* ---- Tensors ------------------------------------------------------------------------------- */

static int check_count(uint32_t count, uint32_t rank, cli_error *error) {
    if (count != rank)
        return cli_fail(error, "there are %" PRIu32 " items, but the tensor has rank %" PRIu32,
                        count, rank);
    return CLI_DONE;
}

static int order_axes(const axis_list *order, tally_tensor *tensor, cli_error *error) {
    uint32_t seen = 0;
    uint64_t stride = 1;
    int status = check_count(order->count, tensor->rank, error);
    for (uint32_t i = order->count; i-- > 0 && status == CLI_DONE;) {
        uint32_t axis = 0;
        status = value_resolve_axis(order->axis[i], tensor->rank, &axis, error);
        if (status == CLI_DONE && (seen >> axis & 1) != 0)
            status = cli_fail(error, "axis %" PRId64 " is listed twice", order->axis[i]);
        if (status != CLI_DONE)
            break;
        seen |= UINT32_C(1) << axis;
        tensor->stride[axis] = stride;
        stride *= tensor->size[axis];
    }
    return status;
}

/* Lay a packed tensor as the options say; prefix is "output-" for the output's. */
static int lay(const explain_layout *layout, const char *const names[2], tally_tensor *tensor,
               cli_error *error) {
    int status = CLI_DONE;
    if (!layout->strides.given && !layout->order.given)
        return CLI_DONE;
    tensor->flags |= TALLY_STRIDED;
    if (layout->order.given) {
        status = order_axes(&layout->order, tensor, error);
        return status == CLI_DONE ? CLI_DONE : cli_error_prefix(error, names[1], status);
    }
    memcpy(tensor->stride, layout->strides.size, sizeof tensor->stride);
    status = check_count(layout->strides.rank, tensor->rank, error);
    return status == CLI_DONE ? CLI_DONE : cli_error_prefix(error, names[0], status);
}

static int lay_output(const explain_options *given, tally_tensor *tensor, cli_error *error) {
    static const char *const names[] = {"--output-strides", "--output-order"};
    return lay(&given->output, names, tensor, error);
}

/* ---- Operators ----------------------------------------------------------------------------- */

static int describe_reduce(const explain_options *given, explain_subject *subject,
                           cli_error *error) {
    tally_reduce *desc = &subject->reduce;
    int status = value_resolve_axes(&given->axes, given->shape.rank, &desc->axes, error);
    if (status != CLI_DONE)
        return cli_error_prefix(error, "--axes", status);
    desc->function = given->function;
    desc->input = subject->input;
    desc->output = tally_tensor_reduced(&desc->input, desc->axes,
                                        given->output_type != TALLY_DTYPE_NONE ? given->output_type
                                        : cli_function_is_index(given->function) ? TALLY_I64
                                                                                 : given->type);
    desc->tie = given->tie;
    desc->nan = given->nan;
    subject->desc.reduce = desc;
    return lay_output(given, &desc->output, error);
}

static int describe_scan(const explain_options *given, explain_subject *subject, cli_error *error) {
    tally_cumulative *desc = &subject->scan;
    int status = value_resolve_axis(given->axis.value, given->shape.rank, &desc->axis, error);
    if (status != CLI_DONE)
        return cli_error_prefix(error, "--axis", status);
    desc->function = given->function;
    desc->input = subject->input;
    desc->output = tally_tensor_packed(given->type, given->shape.rank, given->shape.size);
    desc->descending = given->reverse;
    desc->exclusive = given->exclusive;
    desc->nan = given->nan;
    subject->desc.cumulative = desc;
    return lay_output(given, &desc->output, error);
}

static int describe_diagonal(const explain_options *given, explain_subject *subject,
                             cli_error *error) {
    tally_diagonal *desc = &subject->diagonal;
    desc->input = given->with_input ? &subject->input : NULL;
    desc->output = tally_tensor_packed(given->type, given->shape.rank, given->shape.size);
    desc->begin = given->begin.value;
    desc->end = given->end.value;
    subject->desc.diagonal = desc;
    return lay_output(given, &desc->output, error);
}

int explain_describe(const explain_options *given, explain_subject *subject, cli_error *error) {
    static const char *const names[] = {"--strides", "--order"};
    static int (*const describers[])(const explain_options *, explain_subject *, cli_error *) = {
        [EXPLAIN_REDUCE] = describe_reduce,
        [EXPLAIN_SCAN] = describe_scan,
        [EXPLAIN_DIAGONAL] = describe_diagonal,
    };
    *subject = (explain_subject){TALLY_DESC_INIT, TALLY_REDUCE_INIT, TALLY_CUMULATIVE_INIT,
                                 TALLY_DIAGONAL_INIT, TALLY_TENSOR_INIT};
    subject->input = tally_tensor_packed(given->type, given->shape.rank, given->shape.size);
    int status = lay(&given->input, names, &subject->input, error);
    return status == CLI_DONE ? describers[given->kind](given, subject, error) : status;
}

/* ---- The command --------------------------------------------------------------------------- */

static const char notes[] =
    "Prints the limits that the plan keeps, the problem with its axes as they were\n"
    "collapsed, and of each launch why it has its schedule, its ND-range, its memory,\n"
    "and all that is compiled into its kernel. With --family and without --device no\n"
    "device is needed: the limits are the usual ones of that family, and printed.\n";

static const help_example examples[] = {
    {"tally explain reduce sum --type f32 --shape 1000,5000 --axes 1 --family gpu",
     "the plan for a GPU and why it is that, without a device"},
    {"tally explain scan sum --type f32 --shape 1000,5000 --axis 0 --source",
     "the kernels as well"},
    {NULL, NULL},
};

const command command_explain = {
    .name = "explain",
    .synopsis = "OPERATOR [FUNCTION] --type TYPE --shape LIST",
    .summary = "Show the plan and the kernels of an operator, and why it has them",
    .notes = notes,
    .operands = operands,
    .operand_count = OPERANDS,
    .options = options,
    .option_count = OPTIONS,
    .examples = examples,
    .kind = COMMAND_COMPUTES,
    .run = explain_run,
};
