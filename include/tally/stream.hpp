/*
 * tally/stream.hpp: the calls of tally/stream.h for C++17 and later, as tally/tally.hpp has those
 * of tally.h. A source, a sink and progress are the structs and functions of C: their functions
 * must not throw, as C stands between them and the caller.
 */
#ifndef TALLY_STREAM_HPP
#define TALLY_STREAM_HPP

#include <tally/stream.h>
#include <tally/tally.hpp>

namespace tally {

/* How a stream runs, with the library's choices until its members are set. */
struct stream_config : tally_stream {
    stream_config() noexcept : tally_stream(detail::sized<tally_stream>()) {}
    stream_config(const tally_source *from, const tally_sink *to) noexcept : stream_config() {
        source = from;
        sink = to;
    }
};

/* A tensor in the host's memory as a source, and as a sink; it stays until the stream has ended. */
inline tally_source source_of(const tally_host_tensor &memory) noexcept {
    return tally_source_memory(&memory);
}
inline tally_sink sink_of(tally_host_tensor &memory) noexcept {
    return tally_sink_memory(&memory);
}

/* Compute from the source to the sink; back when all is written. */
inline result<void> try_stream(const runtime &in, const tally_desc &what,
                               const tally_stream &how) noexcept {
    tally_error why{};
    return detail::outcome(tally_stream_run(in.get(), &what, &how, &why), why);
}

/* What try_stream would do, without a source and a sink. */
inline result<tally_stream_plan> try_stream_plan(const runtime &in, const tally_desc &what,
                                                 const tally_stream &how) noexcept {
    tally_stream_plan plan = detail::sized<tally_stream_plan>();
    tally_error why{};
    const tally_status code = tally_stream_query(in.get(), &what, &how, &plan, &why);
    return detail::outcome(code, why, plan);
}

#if TALLY_HPP_THROWS
inline void stream(const runtime &in, const tally_desc &what, const tally_stream &how) {
    detail::take(try_stream(in, what, how));
}
inline tally_stream_plan stream_plan(const runtime &in, const tally_desc &what,
                                     const tally_stream &how) {
    return detail::take(try_stream_plan(in, what, how));
}
#endif

} // namespace tally

#endif
