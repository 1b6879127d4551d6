/*
 * Pieces from a source and to a sink. Several threads share a piece: each does a range of its
 * outermost axis, so they begin and end together.
 */
#include "stream/io.h"

#include <inttypes.h>
#include <string.h>

#include "base/struct.h"
#include "base/team.h"

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
    if ((flags & ~TALLY_STREAM_ANY_THREAD) != 0)
        return tally_fail(error, TALLY_INVALID,
                          "the flags of the stream's %s are 0x%" PRIX32
                          ", but only TALLY_STREAM_ANY_THREAD is known",
                          role, flags);
    return TALLY_OK;
}

static tally_status take_ends(tally_io *io, const tally_stream *stream, tally_error *error) {
    tally_status status = TALLY_OK;
    if (io->flat->reads) {
        status = tally_struct_take(stream->source, &io->source, sizeof io->source, "tally_source",
                                   error);
        if (status == TALLY_OK)
            status = check_flags(io->source.flags, io->source.read != NULL, "source", error);
    }
    if (status == TALLY_OK)
        status = tally_struct_take(stream->sink, &io->sink, sizeof io->sink, "tally_sink", error);
    if (status == TALLY_OK)
        status = check_flags(io->sink.flags, io->sink.write != NULL, "sink", error);
    return status;
}

static uint64_t bytes_of(const tally_tensor *tensor) {
    uint64_t bytes = 0;
    (void)tally_tensor_bytes(tensor, &bytes, NULL);
    return bytes;
}

tally_status tally_io_open(tally_io *io, const tally_flat *flat, const tally_stream *stream,
                           bool has_ends, bool copies, tally_error *error) {
    const uint32_t processors = tally_team_processors();
    const uint32_t usual = copies ? THREADS_COPYING : THREADS_COMPUTING;
    memset(io, 0, sizeof *io);
    io->flat = flat;
    io->threads = stream->threads != 0 ? stream->threads : processors < usual ? processors : usual;
    if (io->threads > TALLY_TEAM_MOST)
        io->threads = TALLY_TEAM_MOST;
    io->progress = stream->progress;
    io->user = stream->user;
    io->all = (flat->reads ? bytes_of(&flat->input) : 0) + bytes_of(&flat->output);
    return has_ends ? take_ends(io, stream, error) : TALLY_OK;
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
    of->io->done += elements * of->bytes;
    if (of->io->progress != NULL && !of->io->progress(of->io->user, of->io->done, of->io->all))
        return tally_fail(error, TALLY_STOPPED,
                          "the stream was stopped after %" PRIu64 " of %" PRIu64 " bytes",
                          of->io->done, of->io->all);
    return TALLY_OK;
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
