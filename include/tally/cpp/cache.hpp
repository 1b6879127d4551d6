/*
 * tally/cpp/cache.hpp: the cache on disk. A part of tally/tally.hpp. Needs no runtime.
 */
#ifndef TALLY_CPP_CACHE_HPP
#define TALLY_CPP_CACHE_HPP

#include <tally/calls/cache.h>
#include <tally/cpp/callback.hpp>
#include <tally/cpp/parameters.hpp>
#include <tally/cpp/result.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tally {

/* A file of a cache, as tally_cache_file, with a key of its own. */
struct cache_file {
    std::string key; /* lines of text; "" if the file is damaged */
    bool damaged = false;
    std::uint64_t bytes = 0;
    std::int64_t used = 0; /* last, in seconds since 1970 */
};

/* $XDG_CACHE_HOME/tally, or $HOME/.cache/tally: what tally_default_cache_dir gives. */
inline result<std::string> try_default_cache_dir() {
    char path[4096];
    tally_error why{};
    const tally_status code = tally_default_cache_dir(path, sizeof path, &why);
    return detail::outcome(code, why, std::string(code == TALLY_OK ? path : ""));
}

/*
 * Call visit with each file, a const tally_cache_file & that lives as long as that call. After an
 * exception of visit's there are no more calls, and this one throws it.
 */
template <class F> result<void> try_cache_list(text cache_dir, F &&visit) {
    using call_of = detail::callback<std::remove_reference_t<F>>;
    call_of call(visit);
    tally_error why{};
    const tally_status code = tally_cache_list(
        cache_dir.get(),
        [](void *user, const tally_cache_file *file) {
            static_cast<void>(call_of::template run<const tally_cache_file &>(user, *file));
        },
        call.user(), &why);
    call.rethrow();
    return detail::outcome(code, why);
}

/* All files of a cache, in no particular order; none of a folder that is not there. */
inline result<std::vector<cache_file>> try_cache_files(text cache_dir) {
    std::vector<cache_file> files;
    const result<void> listed = try_cache_list(cache_dir, [&files](const tally_cache_file &file) {
        files.push_back(
            {file.key != nullptr ? file.key : "", file.key == nullptr, file.bytes, file.used});
    });
    if (!listed)
        return listed.error();
    return files;
}

/* Remove a cache's files; gives their number. */
inline result<std::uint64_t> try_cache_clear(text cache_dir) noexcept {
    std::uint64_t removed = 0;
    tally_error why{};
    const tally_status code = tally_cache_clear(cache_dir.get(), &removed, &why);
    return detail::outcome(code, why, removed);
}

#if TALLY_HPP_THROWS
inline std::string default_cache_dir() {
    return detail::take(try_default_cache_dir());
}
template <class F> void cache_list(text cache_dir, F &&visit) {
    detail::take(try_cache_list(cache_dir, std::forward<F>(visit)));
}
inline std::vector<cache_file> cache_files(text cache_dir) {
    return detail::take(try_cache_files(cache_dir));
}
inline std::uint64_t cache_clear(text cache_dir) {
    return detail::take(try_cache_clear(cache_dir));
}
#endif

} // namespace tally

#endif
