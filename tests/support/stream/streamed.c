#include "streamed.h"

#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/descriptions/describe.h"
#include "support/fail.h"
#include "support/fixtures/call.h"
#include "support/fixtures/fixture.h"

/* ---- Ends ----------------------------------------------------------------------------------- */

/* Count a call and check its box; whether it is to fail. */
static bool begin_call(streamed_end *end, const uint64_t *begin, const uint64_t *size) {
    uint64_t elements = 1;
    ck_assert(!end->busy);
    end->busy = true;
    end->calls++;
    for (uint32_t k = 0; k < end->shape->rank; k++) {
        ck_assert_uint_ge(size[k], 1);
        ck_assert_uint_le(begin[k] + size[k], end->shape->size[k]);
        elements *= size[k];
    }
    end->elements += elements;
    return end->calls == end->fail_at;
}

static tally_status end_call(streamed_end *end, bool fails, const char *what, tally_error *error) {
    end->busy = false;
    if (!fails)
        return TALLY_OK;
    strcpy(error->message, what);
    return end->fail_with;
}

static tally_status read_box(void *user, const uint64_t *begin, const uint64_t *size,
                             void *elements, tally_error *error) {
    streamed_end *end = user;
    const bool fails = begin_call(end, begin, size);
    const tally_source memory = tally_source_memory(&end->memory);
    if (!fails)
        memory.read(memory.user, begin, size, elements, error);
    return end_call(end, fails, "the disk is gone", error);
}

static tally_status write_box(void *user, const uint64_t *begin, const uint64_t *size,
                              const void *elements, tally_error *error) {
    streamed_end *end = user;
    const bool fails = begin_call(end, begin, size);
    const tally_sink memory = tally_sink_memory(&end->memory);
    if (!fails)
        memory.write(memory.user, begin, size, elements, error);
    return end_call(end, fails, "the disk is full", error);
}

tally_source streamed_source(streamed_end *end) {
    tally_source source = TALLY_SOURCE_INIT;
    source.read = read_box;
    source.user = end;
    return source;
}

tally_sink streamed_sink(streamed_end *end) {
    tally_sink sink = TALLY_SINK_INIT;
    sink.write = write_box;
    sink.user = end;
    return sink;
}

void streamed_lend(streamed_memory *of, tally_host_tensor *in, tally_host_tensor *out) {
    of->source = tally_source_memory(in);
    of->sink = tally_sink_memory(out);
    of->source.flags |= TALLY_STREAM_PINNED;
    of->sink.flags |= TALLY_STREAM_PINNED;
    of->stream = (tally_stream)TALLY_STREAM_INIT;
    of->stream.source = &of->source;
    of->stream.sink = &of->sink;
}

/* Memory whose end is that of a block, so that a sanitizer sees what goes beyond. */
static void open_end(streamed_end *end, const tally_tensor *tensor, uint32_t shift, int value) {
    const size_t bytes = (size_t)oracle_extent(tensor);
    *end = (streamed_end){.shape = tensor, .fail_with = TALLY_STOPPED};
    end->memory.tensor = *tensor;
    end->block = fixture_make_pages(shift + bytes, value);
    end->memory.elements = (char *)end->block + shift;
}

void streamed_open(const tally_desc *whole, const streamed_how *how, streamed_end *in,
                   streamed_end *out) {
    const tally_tensor *input = tally_desc_input(whole);
    *in = (streamed_end){.shape = NULL};
    if (input != NULL) {
        open_end(in, input, how->shift, 0x5A);
        values_fill(how->values, input->dtype, how->seed, /* repeated elements only once */
                    oracle_extent(input) / tally_dtype_size(input->dtype), in->memory.elements);
    }
    open_end(out, tally_desc_output(whole), how->shift, 0xC3);
}

void streamed_close(streamed_end *in, streamed_end *out) {
    free(in->block);
    free(out->block);
}

/* ---- Both ways ------------------------------------------------------------------------------ */

static void describe(text *out, const tally_desc *whole, const streamed_how *how) {
    describe_any(out, whole);
    text_add(out,
             "\nas a stream of %" PRIu64 " bytes, pieces of %" PRIu64 ", copies %d, seed %" PRIu64
             ", %s",
             how->memory, how->piece, (int)how->copies, how->seed, values_name(how->values));
}

static void run_stream(const tally_desc *whole, const streamed_how *how, streamed_end *in,
                       streamed_end *out) {
    tally_stream stream = TALLY_STREAM_INIT;
    tally_stream_plan plan = TALLY_STREAM_PLAN_INIT;
    tally_error error;
    tally_runtime *runtime = how->runtime != NULL ? how->runtime : fixture_get()->runtime;
    const bool own = how->threads == 0;
    tally_source source = own ? streamed_source(in) : tally_source_memory(&in->memory);
    tally_sink sink = own ? streamed_sink(out) : tally_sink_memory(&out->memory);
    source.flags |= how->pinned ? TALLY_STREAM_PINNED : 0;
    sink.flags |= how->pinned ? TALLY_STREAM_PINNED : 0;
    stream.memory = how->memory;
    stream.piece = how->piece;
    stream.copies = how->copies;
    stream.threads = how->threads;
    stream.source = in->shape != NULL ? &source : NULL;
    stream.sink = &sink;
    text *words = calloc(1, sizeof *words);
    describe(words, whole, how);
    fixture_ok(tally_stream_query(runtime, whole, &stream, &plan, &error), &error, words->chars);
    ck_assert_msg(plan.pieces >= how->pieces, "%s\n%" PRIu64 " pieces, not %" PRIu64, words->chars,
                  plan.pieces, how->pieces);
    ck_assert(how->memory == 0 || plan.memory <= how->memory);
    ck_assert_uint_le(plan.least_memory, plan.memory);
    fixture_ok(tally_stream_run(runtime, whole, &stream, &error), &error, words->chars);
    free(words);
    if (own && in->shape != NULL)
        ck_assert_uint_eq(in->elements, oracle_count(in->shape));
    if (own)
        ck_assert_uint_eq(out->elements, oracle_count(out->shape));
}

void streamed_check(const tally_desc *whole, streamed_how how) {
    streamed_end in, out;
    streamed_open(whole, &how, &in, &out);
    const uint64_t bytes = oracle_extent(out.shape);
    unsigned char *wanted = fixture_make_memory(bytes, 0xC3);
    const unsigned char *got = out.memory.elements;
    call_any(whole, in.memory.elements, wanted);
    run_stream(whole, &how, &in, &out);
    for (uint64_t i = 0; i < bytes; i++)
        if (wanted[i] != got[i]) {
            static text words;
            words.length = 0;
            describe(&words, whole, &how);
            ck_assert_msg(false, "%s\nbyte %" PRIu64 " of the output is 0x%02X at once, but 0x%02X",
                          words.chars, i, wanted[i], got[i]);
        }
    free(wanted);
    streamed_close(&in, &out);
}
