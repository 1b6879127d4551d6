/*
 * Pieces from a source and to a sink. Several threads share a piece: each does a range of its
 * outermost axis, so they begin and end together.
 */
#include "stream/io.h"

#include <inttypes.h>
#include <string.h>

#include "base/struct.h"
#include "base/team.h"
#include "platform/system.h"

/* Bytes of a share, at least: of fewer a thread would not be worth its start. */
#define LEAST_SHARE (UINT64_C(1) << 18)

/*
 * Threads where nobody says how many: of a device that the pieces are copied to, and of others,
 * whose kernels need the same processors.
 */
#define THREADS_COPYING 8u
#define THREADS_COMPUTING 1u

/* ---- Opening -------------------------------------------------------------------------------- */

static tally_status check_flags(uint32_t flags, bool has_function, const char *role,
                                tally_error *error) {
    if (!has_function)
        return tally_fail(error, TALLY_INVALID, "the function of the stream's %s is NULL", role);
    if ((flags & ~(TALLY_STREAM_ANY_THREAD | TALLY_STREAM_PINNED)) != 0)
        return tally_fail(error, TALLY_INVALID,
                          "the flags of the stream's %s are 0x%" PRIX32
                          ", but only TALLY_STREAM_ANY_THREAD and TALLY_STREAM_PINNED are known",
                          role, flags);
    return TALLY_OK;
}

static tally_status take_source(tally_io *io, const tally_source *given, tally_error *error) {
    tally_status status =
        tally_struct_take(given, &io->source, sizeof io->source, "tally_source", error);
    return status == TALLY_OK
               ? check_flags(io->source.flags, io->source.read != NULL, "source", error)
               : status;
}

static tally_status take_sink(tally_io *io, const tally_sink *given, tally_error *error) {
    tally_status status = tally_struct_take(given, &io->sink, sizeof io->sink, "tally_sink", error);
    return status == TALLY_OK ? check_flags(io->sink.flags, io->sink.write != NULL, "sink", error)
                              : status;
}

/*
 * Memory is lent to a device that computes in it, and for copies if it is pinned: the driver would
 * copy it once more otherwise. Source and sink in the same memory lend none, as OpenCL does not
 * define what comes of two buffers in the same memory of which one is written.
 */
static void take_lenders(tally_io *io, bool copies) {
    if (io->flat->reads && (!copies || (io->source.flags & TALLY_STREAM_PINNED) != 0))
        io->lends[false] = tally_host_source(&io->source);
    if (!copies || (io->sink.flags & TALLY_STREAM_PINNED) != 0)
        io->lends[true] = tally_host_sink(&io->sink);
    if (io->lends[false] != NULL && io->lends[true] != NULL &&
        tally_host_touch(io->lends[false], io->lends[true]))
        io->lends[false] = io->lends[true] = NULL;
}

static uint64_t bytes_of(const tally_tensor *tensor) {
    uint64_t bytes = 0;
    (void)tally_tensor_bytes(tensor, &bytes, NULL);
    return bytes;
}

tally_status tally_io_open(tally_io *io, const tally_flat *flat, const tally_stream *stream,
                           bool has_ends, bool copies, tally_error *error) {
    const uint32_t processors = tally_processors();
    const uint32_t usual = copies ? THREADS_COPYING : THREADS_COMPUTING;
    memset(io, 0, sizeof *io);
    io->flat = flat;
    io->threads = stream->threads != 0 ? stream->threads : processors < usual ? processors : usual;
    if (io->threads > TALLY_TEAM_MOST)
        io->threads = TALLY_TEAM_MOST;
    io->progress = stream->progress;
    io->user = stream->user;
    io->all = (flat->reads ? bytes_of(&flat->input) : 0) + bytes_of(&flat->output);
    tally_status status = TALLY_OK;
    if (flat->reads && (has_ends || stream->source != NULL))
        status = take_source(io, stream->source, error);
    if (status == TALLY_OK && (has_ends || stream->sink != NULL))
        status = take_sink(io, stream->sink, error);
    if (status == TALLY_OK)
        take_lenders(io, copies);
    return status;
}

/* ---- One thread's share --------------------------------------------------------------------- */

typedef struct share {
    const tally_io *io;
    bool output;
    uint64_t bytes; /* of an element */
    char *elements; /* of the share's first one */
} share;

/* What a function of the caller's said, with a sentence where it has none. */
static tally_status judge(tally_status given, const char *role, tally_error *said,
                          tally_error *error) {
    if (given == TALLY_OK)
        return TALLY_OK;
    const tally_status status = given > TALLY_OK && given <= TALLY_STOPPED ? given : TALLY_STOPPED;
    said->message[sizeof said->message - 1] = '\0';
    if (said->message[0] == '\0')
        return tally_fail(error, status, "the %s failed, and did not say why", role);
    return said->cl_code != 0 ? tally_fail_cl(error, status, said->cl_code, "%s", said->message)
                              : tally_fail(error, status, "%s", said->message);
}

static tally_status visit(void *user, const uint64_t *begin, const uint64_t *size, uint64_t first,
                          tally_error *error) {
    const share *of = user;
    char *at = of->elements + first * of->bytes;
    tally_error said = TALLY_ERROR_INIT;
    if (of->output)
        return judge(of->io->sink.write(of->io->sink.user, begin, size, at, &said), "sink", &said,
                     error);
    return judge(of->io->source.read(of->io->source.user, begin, size, at, &said), "source", &said,
                 error);
}

/* ---- A piece -------------------------------------------------------------------------------- */

typedef struct piece {
    tally_io *io;
    const tally_flat_box *box;
    bool output;
    uint64_t bytes;
    char *elements;
    uint32_t shares;
    tally_status status[TALLY_TEAM_MOST];
    tally_error error[TALLY_TEAM_MOST];
} piece;

static void do_share(void *user, uint32_t index) {
    piece *of = user;
    tally_flat_box box = *of->box;
    const uint64_t first = tally_boxes_share(of->io->flat, index, of->shares, &box);
    share own = {of->io, of->output, of->bytes, of->elements + first * of->bytes};
    of->status[index] =
        tally_boxes_visit(of->io->flat, &box, of->output, visit, &own, &of->error[index]);
}

static uint32_t shares_of(const tally_io *io, bool output, uint64_t bytes) {
    const uint32_t flags = output ? io->sink.flags : io->source.flags;
    const uint64_t most = bytes / LEAST_SHARE;
    if ((flags & TALLY_STREAM_ANY_THREAD) == 0 || most <= 1)
        return 1;
    return most < io->threads ? (uint32_t)most : io->threads;
}

static tally_status report(tally_io *io, uint64_t bytes, tally_error *error) {
    io->done += bytes;
    if (io->progress == NULL || io->progress(io->user, io->done, io->all))
        return TALLY_OK;
    return tally_fail(error, TALLY_STOPPED,
                      "the stream was stopped after %" PRIu64 " of %" PRIu64 " bytes", io->done,
                      io->all);
}

/* The first failure of the shares, in the order of the piece. */
static tally_status do_piece(piece *of, uint64_t elements, tally_error *error) {
    of->shares = shares_of(of->io, of->output, elements * of->bytes);
    tally_team_run(of->shares, do_share, of);
    for (uint32_t i = 0; i < of->shares; i++)
        if (of->status[i] != TALLY_OK) {
            if (error != NULL)
                *error = of->error[i];
            return of->status[i];
        }
    return report(of->io, elements * of->bytes, error);
}

tally_status tally_io_read(tally_io *io, const tally_flat_box *box, void *elements,
                           tally_error *error) {
    piece of = {.io = io, .box = box, .bytes = io->flat->input_bytes, .elements = elements};
    return do_piece(&of, tally_flat_input_elements(io->flat, box), error);
}

tally_status tally_io_write(tally_io *io, const tally_flat_box *box, const void *elements,
                            tally_error *error) {
    const tally_flat_box output = tally_boxes_output(io->flat, box);
    piece of = {.io = io, .box = &output, .output = true, .bytes = io->flat->output_bytes};
    memcpy(&of.elements, &elements, sizeof elements); /* the sink only reads them */
    return do_piece(&of, tally_flat_output_elements(io->flat, box), error);
}

/* ---- A piece that is lent ------------------------------------------------------------------- */

typedef struct run {
    const tally_host_tensor *tensor;
    uint64_t bytes; /* of an element */
    char *elements; /* the first one; NULL: none was visited */
} run;

/* TALLY_STOPPED ends the visit: the box does not go on where the one before ended. */
static tally_status visit_run(void *user, const uint64_t *begin, const uint64_t *size,
                              uint64_t first, tally_error *error) {
    run *of = user;
    char *at = tally_host_run(of->tensor, begin, size);
    (void)error;
    if (of->elements == NULL)
        of->elements = at;
    return at != NULL && at == of->elements + first * of->bytes ? TALLY_OK : TALLY_STOPPED;
}

/* Whether the whole of an end is lent: pieces of what is not packed seldom are. */
static bool lends_whole(const tally_io *io, bool output) {
    const uint64_t begin[TALLY_MAX_RANK] = {0};
    const tally_host_tensor *of = io->lends[output];
    return of != NULL && tally_host_run(of, begin, of->tensor.size) != NULL;
}

bool tally_io_shares_cache(const tally_io *io) {
    const bool reduces = io->flat->kind == TALLY_FLAT_REDUCE; /* few results */
    return (io->flat->reads && !lends_whole(io, false)) || (!reduces && !lends_whole(io, true));
}

void *tally_io_lend(const tally_io *io, const tally_flat_box *box, bool output) {
    run of = {io->lends[output], output ? io->flat->output_bytes : io->flat->input_bytes, NULL};
    const tally_flat_box own = output ? tally_boxes_output(io->flat, box) : *box;
    if (of.tensor == NULL)
        return NULL;
    const tally_status status = tally_boxes_visit(io->flat, &own, output, visit_run, &of, NULL);
    const bool is_aligned = (uintptr_t)of.elements % of.bytes == 0; /* as views have to be */
    return status == TALLY_OK && is_aligned ? of.elements : NULL;
}

tally_status tally_io_pass(tally_io *io, const tally_flat_box *box, bool output,
                           tally_error *error) {
    return report(io,
                  output ? tally_flat_output_elements(io->flat, box) * io->flat->output_bytes
                         : tally_flat_input_elements(io->flat, box) * io->flat->input_bytes,
                  error);
}
