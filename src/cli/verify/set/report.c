/*
 * The text of tally verify. A problem's hash is XXH3 (64 bits) of all bytes of its output; a
 * group's is that of its problems' hashes, a type's that of its groups', the total that of the
 * types'. Knows no device.
 */
#include "cli/verify/set/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* ---- Hashes of hashes ---------------------------------------------------------------------- */

/* What stands behind a line: how many problems, and the hash of what the line sums up. */
typedef struct sum {
    uint64_t problems, hash;
    bool left_out; /* some of it was not run, so that the hash says nothing */
} sum;

/* One after the other: the hash so far and the next one, in little-endian bytes, are hashed. */
static void add(sum *to, const sum *part) {
    unsigned char bytes[16];
    for (size_t i = 0; i < 8; i++) {
        bytes[i] = (unsigned char)(to->hash >> 8 * i);
        bytes[8 + i] = (unsigned char)(part->hash >> 8 * i);
    }
    to->problems += part->problems;
    to->hash = XXH3_64bits(bytes, sizeof bytes);
    to->left_out = to->left_out || part->left_out;
}

/* ---- What is run --------------------------------------------------------------------------- */

static void name_group(const verify_group *group, char name[64]) {
    snprintf(name, 64, "%s %s", group->dtype_name, group->function_name);
}

static bool is_wanted(const verify_group *group, const char *only) {
    char name[64];
    name_group(group, name);
    return only == NULL || strstr(name, only) != NULL;
}

bool verify_group_any(const char *only) {
    verify_group group;
    for (size_t i = 0; verify_group_at(i, &group); i++)
        if (is_wanted(&group, only))
            return true;
    return false;
}

static bool is_chosen(const verify_request *request, size_t index) {
    return request->every == 0 || index % request->every == 0;
}

/* All problems of the set and those that this run is to compute. */
static void count_problems(const verify_request *request, uint64_t *all, uint64_t *chosen) {
    verify_group group;
    verify_problem problem;
    *all = *chosen = 0;
    for (size_t g = 0; verify_group_at(g, &group); g++) {
        for (size_t i = 0; verify_problem_at(&group, i, &problem); i++) {
            *all += 1;
            *chosen += is_wanted(&group, request->only) && is_chosen(request, i);
        }
    }
}

/* ---- Running ------------------------------------------------------------------------------- */

/* The hash of one problem's output, or 0 where problems are listed only. */
static int run_problem(verify_request *request, const verify_problem *problem, uint64_t *hash) {
    const size_t bytes = (size_t)problem->output_bytes + VERIFY_GUARD_BYTES;
    *hash = 0;
    if (request->solve == NULL)
        return 0;
    unsigned char *output = malloc(bytes);
    if (output == NULL)
        return -1;
    memset(output, (int)VERIFY_POISON, bytes);
    if (problem->in_place)
        verify_fill(problem->input.dtype, problem->values, problem->input_elements, output);
    const int status = request->solve(request->user, problem, output, bytes);
    *hash = XXH3_64bits(output, bytes);
    free(output);
    return status;
}

static void print_problem(const verify_request *request, uint64_t hash) {
    printf("  %s", request->at);
    if (request->solve != NULL)
        printf("  %016" PRIx64, hash);
    printf("\n");
}

static int run_group(verify_request *request, const verify_group *group, sum *line) {
    verify_problem problem;
    const bool left_out = request->without_f64 && group->needs_f64;
    int status = 0;
    for (size_t i = 0; status == 0 && verify_problem_at(group, i, &problem); i++) {
        sum one = {1, 0, left_out};
        if (!is_chosen(request, i))
            continue;
        snprintf(request->at, sizeof request->at, "%s %s %s", group->dtype_name,
                 group->function_name, problem.name);
        if (!left_out)
            status = run_problem(request, &problem, &one.hash);
        if (status == 0 && request->each && !left_out)
            print_problem(request, one.hash);
        add(line, &one);
    }
    return status;
}

static void print_sum(const verify_request *request, const char *dtype, const char *name,
                      const sum *line) {
    const int beyond = (int)strlen(name) - 12; /* a long name takes from the number's width */
    printf("%-4s %-12s %*" PRIu64 "  ", dtype, name, 6 - (beyond > 0 ? beyond : 0), line->problems);
    if (line->left_out)
        printf("not run: no fp64\n");
    else if (request->solve == NULL)
        printf("not run\n");
    else
        printf("%016" PRIx64 "\n", line->hash);
    fflush(stdout);
}

/* All groups of the kind and type of the index-th, which is their first; *index is behind the last
 * then. */
static int run_type(verify_request *request, size_t *index, sum *total) {
    verify_group first, group;
    sum type = {0, 0, false};
    int status = 0;
    if (!verify_group_at(*index, &first))
        return 0;
    for (; status == 0 && verify_group_at(*index, &group); ++*index) {
        sum line = {0, 0, false};
        if (group.kind != first.kind || group.dtype != first.dtype)
            break;
        if (!is_wanted(&group, request->only))
            continue;
        status = run_group(request, &group, &line);
        if (status == 0)
            print_sum(request, group.dtype_name, group.function_name, &line);
        add(&type, &line);
    }
    if (status != 0 || type.problems == 0)
        return status;
    print_sum(request, first.dtype_name, first.total_name, &type);
    add(total, &type);
    return 0;
}

int verify_report(verify_request *request) {
    verify_group group;
    sum total = {0, 0, false};
    uint64_t all, chosen;
    size_t index = 0;
    int status = 0;
    count_problems(request, &all, &chosen);
    printf("set %d, order version %" PRIu32 ", %" PRIu64 " of %" PRIu64 " problems\n",
           VERIFY_SET_VERSION, request->order, chosen, all);
    while (status == 0 && verify_group_at(index, &group))
        status = run_type(request, &index, &total);
    if (status == 0)
        print_sum(request, "all", "total", &total);
    return status;
}
