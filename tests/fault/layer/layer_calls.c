/*
 * layer_calls.c: the calls themselves, one for each row of calls.def, under the names that the
 * library's copy was given. Each asks the layer whether to fail, hands on, and tells what it made.
 */
#define _GNU_SOURCE /* flock, and files under the names that they have with large offsets */
#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 200 /* SVM */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "layer.h"
#include "layer_device.h"
#include "layer_inside.h"
#include "layer_commands.h"
#include "layer_updates.h"

/* What a call that failed leaves where an event should be: the library must not use it. */
#define NO_EVENT ((cl_event)(void *)&no_event)
static const int no_event = 0;

/* ASK and MAKE hand on to `next`. */
#define ASK_BY(next, name, parameters, arguments)                                                  \
    cl_int fault_##name parameters;                                                                \
    cl_int fault_##name parameters {                                                               \
        cl_int failure = CL_SUCCESS;                                                               \
        return layer_enter(LAYER_##name, &failure) ? next arguments : failure;                     \
    }
#define DEFINE_ASK(name, type, handle, parameters, arguments)                                      \
    ASK_BY(name, name, parameters, arguments)
#define DEFINE_SAY(name, type, handle, parameters, arguments)                                      \
    ASK_BY(layer_##name, name, parameters, arguments)
#define DEFINE_FAR(name, type, handle, parameters, arguments)                                      \
    typedef cl_int(CL_API_CALL *name##_function) parameters;                                       \
    cl_int CL_API_CALL fault_##name parameters {                                                   \
        cl_int failure = CL_SUCCESS;                                                               \
        name##_function next;                                                                      \
        layer_far(LAYER_##name, &next);                                                            \
        return layer_enter(LAYER_##name, &failure) ? next arguments : failure;                     \
    }
#define DEFINE_BUILD(name, type, handle, parameters, arguments)                                    \
    ASK_BY(layer_program_build, name, parameters, arguments)

#define DEFINE_FIND(name, type, handle, parameters, arguments)                                     \
    handle fault_##name parameters;                                                                \
    handle fault_##name parameters {                                                               \
        cl_int unused;                                                                             \
        return layer_enter(LAYER_##name, &unused) ? layer_##name arguments : NULL;                 \
    }

#define MAKE_BY(next, name, type, handle, parameters, arguments)                                   \
    handle fault_##name parameters;                                                                \
    handle fault_##name parameters {                                                               \
        handle made = NULL;                                                                        \
        if (layer_enter(LAYER_##name, code))                                                       \
            made = next arguments;                                                                 \
        if (made != NULL)                                                                          \
            layer_hold(LAYER_##name, LAYER_##type, made);                                          \
        return made;                                                                               \
    }
#define DEFINE_MAKE(name, type, handle, parameters, arguments)                                     \
    MAKE_BY(name, name, type, handle, parameters, arguments)
#define DEFINE_SOURCE(name, type, handle, parameters, arguments)                                   \
    MAKE_BY(layer_program_make, name, type, handle, parameters, arguments)

#define DEFINE_SEND(name, type, handle, parameters, arguments)                                     \
    cl_int fault_##name parameters;                                                                \
    cl_int fault_##name parameters {                                                               \
        cl_int failure = CL_SUCCESS;                                                               \
        const bool passes = layer_enter(LAYER_##name, &failure);                                   \
        if (passes)                                                                                \
            failure = name arguments;                                                              \
        if (failure == CL_SUCCESS && event != NULL)                                                \
            layer_hold(LAYER_##name, LAYER_##type, *event);                                        \
        if (!passes && event != NULL)                                                              \
            *event = NO_EVENT;                                                                     \
        return failure;                                                                            \
    }

#define DEFINE_END(name, type, handle, parameters, arguments)                                      \
    cl_int fault_##name parameters;                                                                \
    cl_int fault_##name parameters {                                                               \
        cl_int failure = CL_SUCCESS;                                                               \
        const bool passes = layer_enter(LAYER_##name, &failure);                                   \
        const cl_int code = name arguments;                                                        \
        return passes ? code : failure;                                                            \
    }

#define DEFINE_MAP(name, type, handle, parameters, arguments)                                      \
    handle fault_##name parameters;                                                                \
    handle fault_##name parameters {                                                               \
        const bool passes = layer_enter(LAYER_##name, code);                                       \
        handle made = passes ? name arguments : NULL;                                              \
        if (passes && *code == CL_SUCCESS && event != NULL)                                        \
            layer_hold(LAYER_##name, LAYER_##type, *event);                                        \
        if (!passes && event != NULL)                                                              \
            *event = NO_EVENT;                                                                     \
        return made;                                                                               \
    }

#define DEFINE_UNMAP(name, type, handle, parameters, arguments)                                    \
    cl_int fault_##name parameters;                                                                \
    cl_int fault_##name parameters {                                                               \
        cl_int failure = CL_SUCCESS;                                                               \
        cl_event *asked = event;                                                                   \
        const bool passes = layer_enter(LAYER_##name, &failure);                                   \
        event = passes ? event : NULL; /* one of the arguments */                                  \
        const cl_int code = name arguments;                                                        \
        if (passes && code == CL_SUCCESS && event != NULL)                                         \
            layer_hold(LAYER_##name, LAYER_##type, *event);                                        \
        if (!passes && asked != NULL)                                                              \
            *asked = NO_EVENT;                                                                     \
        return passes ? code : failure;                                                            \
    }

#define DEFINE_START(name, type, handle, parameters, arguments)                                    \
    int fault_##name parameters;                                                                   \
    int fault_##name parameters {                                                                  \
        cl_int unused;                                                                             \
        return layer_enter(LAYER_##name, &unused) ? name arguments : EAGAIN;                       \
    }

#define DEFINE_HOLD(name, type, handle, parameters, arguments)                                     \
    cl_int fault_##name parameters;                                                                \
    cl_int fault_##name parameters {                                                               \
        cl_int failure = CL_SUCCESS;                                                               \
        if (layer_enter(LAYER_##name, &failure))                                                   \
            failure = name arguments;                                                              \
        if (failure == CL_SUCCESS)                                                                 \
            layer_hold(LAYER_##name, LAYER_##type, object);                                        \
        return failure;                                                                            \
    }

#define DEFINE_DROP(name, type, handle, parameters, arguments)                                     \
    static void release_by_##name(void *object) {                                                  \
        name arguments;                                                                            \
    }                                                                                              \
    cl_int fault_##name parameters;                                                                \
    cl_int fault_##name parameters {                                                               \
        cl_int failure = CL_SUCCESS;                                                               \
        layer_drop(LAYER_##name, LAYER_##type, object);                                            \
        if (layer_enter(LAYER_##name, &failure))                                                   \
            return name arguments;                                                                 \
        layer_owe(LAYER_##name, object, release_by_##name);                                        \
        return failure;                                                                            \
    }

#define DEFINE_NEW(name, type, handle, parameters, arguments)                                      \
    handle fault_##name parameters;                                                                \
    handle fault_##name parameters {                                                               \
        cl_int unused;                                                                             \
        handle made = layer_enter(LAYER_##name, &unused) ? name arguments : NULL;                  \
        if (made != NULL)                                                                          \
            layer_hold(LAYER_##name, LAYER_##type, made);                                          \
        return made;                                                                               \
    }

#define DEFINE_GROW(name, type, handle, parameters, arguments)                                     \
    handle fault_##name parameters;                                                                \
    handle fault_##name parameters {                                                               \
        cl_int unused;                                                                             \
        if (!layer_enter(LAYER_##name, &unused))                                                   \
            return NULL;                                                                           \
        if (object != NULL)                                                                        \
            layer_drop(LAYER_##name, LAYER_##type, object);                                        \
        handle made = name arguments;                                                              \
        layer_hold(LAYER_##name, LAYER_##type, made);                                              \
        return made;                                                                               \
    }

#define DEFINE_FREE(name, type, handle, parameters, arguments)                                     \
    void fault_##name parameters;                                                                  \
    void fault_##name parameters {                                                                 \
        cl_int unused;                                                                             \
        layer_enter(LAYER_##name, &unused);                                                        \
        if (object != NULL)                                                                        \
            layer_drop(LAYER_##name, LAYER_##type, object);                                        \
        name arguments;                                                                            \
    }

#define DEFINE_INIT(name, type, handle, parameters, arguments)                                     \
    int fault_##name parameters;                                                                   \
    int fault_##name parameters {                                                                  \
        cl_int unused;                                                                             \
        const int failure = layer_enter(LAYER_##name, &unused) ? name arguments : ENOMEM;          \
        if (failure == 0)                                                                          \
            layer_hold(LAYER_##name, LAYER_##type, object);                                        \
        return failure;                                                                            \
    }

#define DEFINE_QUIT(name, type, handle, parameters, arguments)                                     \
    int fault_##name parameters;                                                                   \
    int fault_##name parameters {                                                                  \
        cl_int unused;                                                                             \
        layer_enter(LAYER_##name, &unused);                                                        \
        layer_drop(LAYER_##name, LAYER_##type, object);                                            \
        return name arguments;                                                                     \
    }

/* A descriptor as what is held: never NULL. */
static const void *held_file(int file) {
    static const char base[1 << 16];
    return &base[file & 0xFFFF];
}

#define DEFINE_OPEN(name, type, handle, parameters, arguments)                                     \
    int fault_##name parameters;                                                                   \
    int fault_##name parameters {                                                                  \
        cl_int unused;                                                                             \
        mode_t mode = 0;                                                                           \
        if ((flags & O_CREAT) != 0) {                                                              \
            va_list list;                                                                          \
            va_start(list, flags);                                                                 \
            mode = va_arg(list, mode_t);                                                           \
            va_end(list);                                                                          \
        }                                                                                          \
        errno = ENOSPC;                                                                            \
        const int file = layer_enter(LAYER_##name, &unused) ? name arguments : -1;                 \
        if (file >= 0)                                                                             \
            layer_hold(LAYER_##name, LAYER_FILE, held_file(file));                                 \
        return file;                                                                               \
    }

#define DEFINE_SHUT(name, type, handle, parameters, arguments)                                     \
    int fault_##name parameters;                                                                   \
    int fault_##name parameters {                                                                  \
        cl_int unused;                                                                             \
        layer_enter(LAYER_##name, &unused);                                                        \
        layer_drop(LAYER_##name, LAYER_FILE, held_file(file));                                     \
        return name arguments;                                                                     \
    }

#define DEFINE_ENTER(name, type, handle, parameters, arguments)                                    \
    handle fault_##name parameters;                                                                \
    handle fault_##name parameters {                                                               \
        cl_int unused;                                                                             \
        errno = ENOMEM;                                                                            \
        handle made = layer_enter(LAYER_##name, &unused) ? name arguments : NULL;                  \
        if (made != NULL) {                                                                        \
            layer_drop(LAYER_##name, LAYER_FILE, held_file(file));                                 \
            layer_hold(LAYER_##name, LAYER_##type, made);                                          \
        }                                                                                          \
        return made;                                                                               \
    }

#define DEFINE_TOUCH(name, type, handle, parameters, arguments)                                    \
    handle fault_##name parameters;                                                                \
    handle fault_##name parameters {                                                               \
        cl_int unused;                                                                             \
        errno = ENOSPC;                                                                            \
        return layer_enter(LAYER_##name, &unused) ? name arguments : -1;                           \
    }

#define CALL(kind, name, type, handle, parameters, arguments)                                      \
    DEFINE_##kind(name, type, handle, parameters, arguments)
#include "calls.def"
