/*
 * attempt.c: the stream, on the fixture's runtime.
 */
#include "attempt.h"

#include <check.h>
#include <string.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"

void attempt_make(attempt *of, uint64_t rows, uint64_t columns) {
    memset(of, 0, sizeof *of);
    of->scan = shape_scan(TALLY_SUM, TALLY_I32, SHAPE(rows, columns), 1);
    of->desc = (tally_desc)TALLY_DESC_INIT;
    of->desc.cumulative = &of->scan;
    streamed_open(&of->desc, &(streamed_how){.values = VALUES_SMALL}, &of->in, &of->out);
    of->source = streamed_source(&of->in);
    of->sink = streamed_sink(&of->out);
    of->stream = (tally_stream)TALLY_STREAM_INIT;
    of->stream.source = &of->source;
    of->stream.sink = &of->sink;
    of->stream.piece = 8 * columns;
}

void attempt_drop(attempt *of) {
    streamed_close(&of->in, &of->out);
}

tally_stream_plan attempt_query(attempt *of) {
    tally_stream_plan plan = TALLY_STREAM_PLAN_INIT;
    fixture_ok(
        tally_stream_query(fixture_get()->runtime, &of->desc, &of->stream, &plan, &of->error),
        &of->error, "tally_stream_query");
    return plan;
}

tally_status attempt_run(attempt *of) {
    return tally_stream_run(fixture_get()->runtime, &of->desc, &of->stream, &of->error);
}

void attempt_refuse(attempt *of, refusal expected) {
    refusal_check(expected, attempt_run(of), &of->error);
    ck_assert_int_eq(tally_stream_run(fixture_get()->runtime, &of->desc, &of->stream, NULL),
                     expected.status);
}
