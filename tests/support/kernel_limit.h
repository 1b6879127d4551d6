/*
 * kernel_limit.h: kernels that allow smaller groups than their device, as happens where they need
 * many registers. It stands before the driver's clGetKernelWorkGroupInfo in the executable that
 * uses it.
 */
#ifndef TESTS_SUPPORT_KERNEL_LIMIT_H
#define TESTS_SUPPORT_KERNEL_LIMIT_H

#include <stddef.h>

/*
 * From now on a kernel's groups may have at most `most` work-items, and `less` fewer each time that
 * somebody asked, down to none. most 0: what the driver says.
 */
void kernel_limit_set(size_t most, size_t less);

/* How often somebody asked since. */
unsigned kernel_limit_questions(void);

#endif
