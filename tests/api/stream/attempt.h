/*
 * attempt.h: a stream that runs through, a scan of rows with one to a piece, for a test to change
 * something of. What then must happen is the test's to say.
 */
#ifndef TESTS_API_STREAM_ATTEMPT_H
#define TESTS_API_STREAM_ATTEMPT_H

#include "support/refusal.h"
#include "support/stream/streamed.h"

typedef struct attempt {
    tally_cumulative scan;
    tally_desc desc;
    streamed_end in, out;
    tally_source source;
    tally_sink sink;
    tally_stream stream;
    tally_error error;
} attempt;

void attempt_make(attempt *of, uint64_t rows, uint64_t columns);
void attempt_drop(attempt *of);

/* Its plan; what the stream needs is compiled, and the runtime then holds it. */
tally_stream_plan attempt_query(attempt *of);

tally_status attempt_run(attempt *of);

/* With an error struct and without. */
void attempt_refuse(attempt *of, refusal expected);

#endif
