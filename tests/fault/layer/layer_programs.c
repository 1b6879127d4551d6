/*
 * layer_programs.c: compiled programs, kept for the next one who brings the same source. A driver
 * takes tens of milliseconds to load what it once compiled, and the tests make thousands. For one
 * thread at a time.
 */
#include <stdlib.h>
#include <string.h>

#include "layer.h"
#include "layer_inside.h"

#define KEPT_MOST 64

typedef struct kept_program {
    cl_context context;
    char *source, *options;
    cl_program program;
} kept_program;

static kept_program list[KEPT_MOST];
static uint32_t list_count;
static kept_program last; /* the program made last, not built yet and not retained */
static bool is_off;

void layer_keep_programs(bool keeps) {
    is_off = !keeps;
}

static void forget(kept_program *program) {
    free(program->source);
    free(program->options);
    *program = (kept_program){NULL, NULL, NULL, NULL};
}

void layer_release_programs(void) {
    while (list_count > 0) {
        kept_program *program = &list[--list_count];
        clReleaseProgram(program->program);
        forget(program);
    }
    forget(&last);
}

static char *copy(const char *text) {
    const size_t bytes = strlen(text) + 1;
    char *made = malloc(bytes);
    if (made != NULL)
        memcpy(made, text, bytes);
    return made;
}

cl_program layer_program_make(cl_context context, cl_uint count, const char **texts,
                              const size_t *lengths, cl_int *code) {
    for (uint32_t i = 0; !is_off && i < list_count; i++)
        if (list[i].context == context && strcmp(list[i].source, texts[0]) == 0) {
            *code = clRetainProgram(list[i].program);
            return list[i].program;
        }
    cl_program made = clCreateProgramWithSource(context, count, texts, lengths, code);
    forget(&last);
    if (!is_off && made != NULL)
        last = (kept_program){context, copy(texts[0]), NULL, made};
    return made;
}

/* Built is what was built with these options; the others are the driver's to judge. */
cl_int layer_program_build(cl_program program, cl_uint count, const cl_device_id *devices,
                           const char *options, void(CL_CALLBACK *done)(cl_program, void *),
                           void *user) {
    for (uint32_t i = 0; i < list_count; i++)
        if (list[i].program == program && strcmp(list[i].options, options) == 0)
            return CL_SUCCESS;
    const cl_int code = clBuildProgram(program, count, devices, options, done, user);
    if (code != CL_SUCCESS || last.program != program || list_count == KEPT_MOST)
        return code;
    last.options = copy(options);
    clRetainProgram(program);
    list[list_count++] = last;
    last = (kept_program){NULL, NULL, NULL, NULL};
    return code;
}
