/*
 * What the host's processor is, from the processor: files that tell it are slow to read on some
 * systems.
 */
#include "base/cpu.h"

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#include <cpuid.h>
#include <string.h>

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

/* What the system lets a program use of the registers that the processor has. */
static void describe_state(tally_text *text, unsigned features) {
    unsigned low = 0, high = 0;
    if ((features & bit_OSXSAVE) != 0)
        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    tally_text_format(text, " %08x-%08x", high, low);
}

void tally_cpu_describe(tally_text *text) {
    static const unsigned leaves[][2] = {{1, 0}, {7, 0}, {7, 1}, {0x24, 0}, {0x80000001u, 0}};
    describe_brand(text);
    for (size_t i = 0; i < sizeof leaves / sizeof leaves[0]; i++) {
        unsigned a = 0, b = 0, c = 0, d = 0;
        if (!__get_cpuid_count(leaves[i][0], leaves[i][1], &a, &b, &c, &d))
            continue;
        /* Of leaf 1 the second word has the number of the core that asks. */
        tally_text_format(text, " %08x-%08x-%08x-%08x", a, leaves[i][0] == 1 ? 0 : b, c, d);
        if (leaves[i][0] == 1)
            describe_state(text, c);
    }
}

#else
#include "platform/system.h"

void tally_cpu_describe(tally_text *text) {
    char machine[256];
    tally_machine(machine, sizeof machine);
    tally_text_add(text, machine);
}
#endif
