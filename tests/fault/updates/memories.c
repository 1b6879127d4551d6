/*
 * memories.c: making, binding, comparing.
 */
#include "memories.h"

#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "fault/layer/layer_device.h"
#include "support/fixtures/fixture.h"
#include "support/fixtures/work.h"
#include "support/numbers/values.h"

static const image *output_of(const memories *it) {
    return it->in_place ? &it->input : &it->output;
}

memories memories_make(const subject *what, const tally_op *op, uint64_t seed, memories_way way) {
    memories it = {.what = what, .in_place = way.in_place};
    const uint64_t in = subject_inputs(what), out = subject_outputs(what);
    uint32_t *elements = fixture_make_memory(in * sizeof *elements, 0);
    for (uint64_t i = 0; i < in; i++)
        elements[i] = (uint32_t)(values_random(&seed) >> 20);
    it.expected = fixture_make_memory(out * sizeof *it.expected, 0);
    subject_solve(what, elements, it.expected);
    it.input = image_make(way.first, in * sizeof *elements, 0x5A);
    it.output = image_make(way.first, out * sizeof *elements, 0xA5);
    memcpy(it.input.bytes + it.input.first, elements, (size_t)in * sizeof *elements);
    free(elements);
    image_choose(&way.kind, 1);
    image_upload(&it.input);
    image_upload(&it.output);
    it.scratch = work_scratch(op);
    image_choose(NULL, 0);
    const image *all[] = {&it.input, &it.output, &it.scratch};
    for (int i = 0; i < 3; i++) {
        image_restore(all[i]); /* PoCL makes a buffer's memory when a command has the buffer */
        if (way.is_usm)
            layer_add_usm(all[i]->pointer, all[i]->size);
    }
    return it;
}

void memories_free(memories *it) {
    image_free(&it->input);
    image_free(&it->output);
    image_free(&it->scratch);
    free(it->expected);
}

tally_binding memories_binding(const memories *it) {
    const tally_binding binding = {image_view(&it->input), image_view(output_of(it)),
                                   image_view(&it->scratch)};
    return binding;
}

void memories_spoil(const memories *it) {
    image_restore(output_of(it));
}

/* The first byte of the output that is not as wanted. */
static void compare(const memories *it, const unsigned char *wanted, const char *words) {
    const image *out = output_of(it);
    unsigned char *now = image_download(out);
    size_t i = 0;
    while (i < out->size && now[i] == wanted[i])
        i++;
    if (i < out->size)
        ck_abort_msg("%s of family %d: byte %zu of the output is %d, not %d: %s", it->what->name,
                     (int)it->what->family, i, now[i], wanted[i], words);
    free(now);
}

void memories_check(const memories *it) {
    const image *out = output_of(it);
    const size_t bytes = (size_t)subject_outputs(it->what) * sizeof *it->expected;
    unsigned char *wanted = fixture_make_memory(out->size, 0);
    memcpy(wanted, out->bytes, out->size);
    memcpy(wanted + out->first, it->expected, bytes);
    compare(it, wanted, "a replay is to have this memory");
    free(wanted);
}

void memories_check_unused(const memories *it) {
    compare(it, output_of(it)->bytes, "no replay is to have this memory");
}
