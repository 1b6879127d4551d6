/*
 * What the host's processor is: two that may not run the same machine code have different texts.
 */
#ifndef TALLY_BASE_CPU_H
#define TALLY_BASE_CPU_H

#include "base/text.h"

/* Add the processor's name and, in hexadecimal, its features: a line without its end. */
void tally_cpu_describe(tally_text *text);

#endif
