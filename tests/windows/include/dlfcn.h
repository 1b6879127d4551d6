/*
 * dlfcn.h: for Windows, as much of it as finds OpenCL's own function behind one that a test has put
 * before it.
 */
#ifndef TESTS_WINDOWS_DLFCN_H
#define TESTS_WINDOWS_DLFCN_H

#include <stddef.h>
#include <string.h>

#include "platform/system.h"

#define RTLD_NEXT NULL

static inline void *dlsym(void *library, const char *name) {
    (void)library;
    const tally_any_function function = tally_find_function("OpenCL.dll", name);
    void *found = NULL;
    memcpy(&found, &function, sizeof found); /* C has no cast from the one to the other */
    return found;
}

#endif
