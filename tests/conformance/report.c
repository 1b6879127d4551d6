/*
 * report.c: what the runner prints.
 */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>

void report_add(report *it, const char *name, const survey *found, const outcome *out) {
    score *of = found->only == NULL ? NULL : &it->of[found->only - operator_rows];
    it->models++;
    if (of != NULL) {
        of->found++;
        of->passed += out->verdict == PASSED;
        of->ulps = out->ulps > of->ulps ? out->ulps : of->ulps;
    } else if (out->verdict == PASSED && found->known > 0) {
        it->mixed++;
        printf("several nodes: %s: %zu of %zu are of these operators, the others %s\n", name,
               found->known, found->nodes, *found->others != 0 ? found->others : "none");
    }
    if (out->verdict == FAILED) {
        *(of != NULL ? &it->failed : &it->unreadable) += 1;
        printf("FAILED: %s: %s\n", name, out->reason);
    } else if (out->verdict == INEXPRESSIBLE) {
        it->inexpressible++;
        printf("not expressible: %s: %s\n", name, out->reason);
    }
}

static void print_absent(const report *it) {
    const char *before = "no case of ";
    for (size_t k = 0; k < OPERATOR_COUNT; k++) {
        if (it->of[k].found == 0) {
            printf("%s%s", before, operator_rows[k].name);
            before = ", ";
        }
    }
    if (*before == ',') {
        printf("\n");
    }
}

bool report_close(const report *it, const char *version, unsigned expected) {
    unsigned found = 0, passed = 0;
    bool fine = true;
    printf("\n%-16s %8s   max ulp\n", "operator", "passed");
    for (size_t k = 0; k < OPERATOR_COUNT; k++) {
        const score *of = &it->of[k];
        found += of->found;
        passed += of->passed;
        if (of->found > 0) {
            printf("%-16s %2u of %2u %9" PRIu64 "\n", operator_rows[k].name, of->passed, of->found,
                   of->ulps);
        }
    }
    print_absent(it);
    printf("%u models: %u are cases, %u have several nodes, %u use none of these operators\n",
           it->models, found, it->mixed, it->models - found - it->mixed - it->unreadable);
    if (found == 0 || it->failed + it->unreadable > 0) {
        printf("%u cases found, %u failed, %u models could not be read\n", found, it->failed,
               it->unreadable);
        fine = false;
    }
    if (expected > 0 && passed != expected) {
        printf("%u cases must pass\n", expected);
        fine = false;
    }
    printf("ONNX %s: %u of %u cases passed, %u not expressible\n", version, passed, found,
           it->inexpressible);
    return fine;
}
