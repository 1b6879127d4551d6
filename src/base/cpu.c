/*
 * What the host's processor is, from the processor: files that tell it are slow to read on some
 * systems.
 */
#define _DEFAULT_SOURCE
#include "base/cpu.h"

#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

/* The brand string is twelve words in three leaves. */
static void describe_brand(tally_text *text) {
    unsigned word[12] = {0};
    char brand[sizeof word + 1] = "";
    for (unsigned i = 0; i < 3; i++)
        if (!__get_cpuid(0x80000002u + i, &word[4 * i], &word[4 * i + 1], &word[4 * i + 2],
                         &word[4 * i + 3]))
            return;
    memcpy(brand, word, sizeof word);
    tally_text_add(text, brand);
}

void tally_cpu_describe(tally_text *text) {
    static const unsigned leaves[] = {1, 7, 0x80000001u};
    describe_brand(text);
    for (size_t i = 0; i < sizeof leaves / sizeof leaves[0]; i++) {
        unsigned a = 0, b = 0, c = 0, d = 0;
        if (!__get_cpuid_count(leaves[i], 0, &a, &b, &c, &d))
            continue;
        /* Of leaf 1 the second word has the number of the core that asks. */
        tally_text_format(text, " %08x-%08x-%08x-%08x", a, leaves[i] == 1 ? 0 : b, c, d);
    }
}

#else
#include <sys/utsname.h>
#if defined(__linux__)
#include <sys/auxv.h>
#endif

void tally_cpu_describe(tally_text *text) {
    struct utsname system;
    if (uname(&system) >= 0)
        tally_text_add(text, system.machine);
#if defined(__linux__)
    tally_text_format(text, " %lx %lx", getauxval(AT_HWCAP), getauxval(AT_HWCAP2));
#endif
}
#endif
