/*
 * hold.h: what the compiler holds of structs, in C and in C++.
 */
#ifndef TESTS_HEADERS_HOLD_H
#define TESTS_HEADERS_HOLD_H

#include <stddef.h>

#ifdef __cplusplus
#define HOLD(what) static_assert(what, #what)
#else
#define HOLD(what) _Static_assert(what, #what)
#endif
#define SIZE(type, bytes) HOLD(sizeof(type) == (bytes))
#define AT(type, member, bytes) HOLD(offsetof(type, member) == (bytes))

#endif
