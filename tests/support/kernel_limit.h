/*
 * kernel_limit.h: kernels that allow smaller groups than their device, as happens where they need
 * many registers. It stands before the driver's clGetKernelWorkGroupInfo in the executable that
 * uses it. The size of groups that a kernel was compiled for is what the driver says, whether it is
 * allowed or not, as drivers have it: launches alone are refused.
 */
#ifndef TESTS_SUPPORT_KERNEL_LIMIT_H
#define TESTS_SUPPORT_KERNEL_LIMIT_H

#include <stddef.h>

/*
 * From now on a kernel's groups may have at most `most` work-items, and `less` fewer each time that
 * somebody asked, down to none; launches of larger ones are refused. most 0: what the driver says.
 */
void kernel_limit_set(size_t most, size_t less);

/* The same answer, but launches of larger groups are taken: a driver that can do more than it says.
 */
void kernel_limit_understate(size_t most);

/* How often somebody asked since. */
unsigned kernel_limit_questions(void);

#endif
