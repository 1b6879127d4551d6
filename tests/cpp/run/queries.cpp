/* queries.cpp: what a runtime says of itself, its log and its cache on disk. */
#include "run.hpp"

namespace {

void test_queries(const host &h) {
    const tally_stats stats = NEED(h.runtime.try_stats());
    CHECK(stats.programs > 0 && stats.program_requests >= stats.programs);
    const tally_numerics numerics = NEED(h.runtime.try_numerics());
    CHECK(numerics.checks > 0 && numerics.guaranteed == (numerics.failures == 0));
    CHECK(numerics.reasons != nullptr && numerics.guaranteed == (*numerics.reasons == 0));
    const tally_scans scans = NEED(h.runtime.try_scans());
    CHECK(scans.reason != nullptr);
    const tally_recording recording = NEED(h.runtime.try_recording());
    CHECK(recording.supported == (*recording.reason == 0));
    CHECK(recording.updatable == (*recording.update_reason == 0));
    const tally::device_limits limits = NEED(h.runtime.try_limits());
    CHECK(limits.address_bits == 32 || limits.address_bits == 64);
    NEED(tally::try_check(NEED(tally::try_reduce(TALLY_SUM, h.matrix, {1})), limits));
}

void test_warm_up(const host &h) {
    const tally::reduce_desc sum = NEED(tally::try_reduce(TALLY_SUM, h.matrix, {1}));
    const tally::cumulative_desc scan = NEED(tally::try_cumulative(TALLY_SUM, h.matrix, 1));
    tally::reduce_desc wrong = sum;
    wrong.axes = 4;
    NEED(h.runtime.try_warm_up({sum, scan}));
    CHECK(refused(h.runtime.try_warm_up({sum, wrong, scan}), TALLY_INVALID, "operator 2 of 3"));
    std::size_t last = 0;
    const std::vector<tally_desc> list = {sum, scan, wrong};
    NEED(h.runtime.try_warm_up(list, [&last](std::size_t done) {
        last = done;
        return done < 2;
    }));
    CHECK(last == 2);
}

void test_cache(const host &h, const std::string &folder) {
    NEED(tally::try_cache_clear(folder));
    tally::config with(h.context, h.device);
    with.cache_dir = folder.c_str();
    const tally::runtime runtime = NEED(tally::runtime::try_make(with));
    NEED(runtime.try_warm_up({NEED(tally::try_reduce(TALLY_SUM, h.matrix, {1}))}));
    const std::vector<tally::cache_file> files = NEED(tally::try_cache_files(folder));
    CHECK(!files.empty() && NEED(runtime.try_stats()).cache_writes == files.size());
    std::uint64_t bytes = 0;
    std::size_t seen = 0;
    NEED(tally::try_cache_list(folder, [&](const tally_cache_file &file) {
        bytes += file.bytes;
        seen++;
    }));
    for (const tally::cache_file &file : files) {
        CHECK(!file.damaged && !file.key.empty() && file.used > 0);
        bytes -= file.bytes;
    }
    CHECK(seen == files.size() && bytes == 0);
    CHECK(NEED(tally::try_cache_clear(folder)) == files.size());
    CHECK(NEED(tally::try_cache_files(folder)).empty());
    CHECK(contains(NEED(tally::try_default_cache_dir()), "tally"));
}

/* A folder that cannot be one: the log says so. */
void test_log(const host &h, const std::string &folder) {
    std::string log;
    auto keep = [&log](tally::log_level level, const char *said) {
        CHECK(level == TALLY_LOG_WARNING);
        log += said;
    };
    const std::string file = folder + "/file";
    std::FILE *made = std::fopen(file.c_str(), "w");
    CHECK(made != nullptr && std::fclose(made) == 0);
    tally::config with(h.context);
    with.log_to(keep).cache_dir = file.c_str();
    const tally::runtime runtime = NEED(tally::runtime::try_make(with));
    CHECK(contains(log, file.c_str()));
    CHECK(refused(tally::try_cache_files(file), TALLY_INVALID, file.c_str()));
    CHECK(refused(tally::try_cache_clear(file), TALLY_INVALID, file.c_str()));
    CHECK(std::remove(file.c_str()) == 0);
}

} // namespace

void run_queries(const host &h, const std::string &folder) {
    test_queries(h);
    test_warm_up(h);
    test_cache(h, folder);
    test_log(h, folder);
}
