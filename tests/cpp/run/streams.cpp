/* streams.cpp: a problem in pieces, from the host's memory and back. */
#include "run.hpp"

#include <tally/stream.hpp>

void run_streams(const host &h) {
    std::vector<float> elements(3000), sums(1000), wanted(1000);
    for (std::size_t i = 0; i < elements.size(); i++) {
        elements[i] = static_cast<float>(i % 7);
        wanted[i / 3] += elements[i];
    }
    const tally::tensor sizes = NEED(tally::try_packed(TALLY_F32, {1000, 3}));
    const tally::reduce_desc sum = NEED(tally::try_reduce(TALLY_SUM, sizes, {1}));
    const tally_host_tensor in = {sizes, elements.data()};
    tally_host_tensor out = {sum.output, sums.data()};
    const tally_source source = tally::source_of(in);
    const tally_sink sink = tally::sink_of(out);
    tally::stream_config how(&source, &sink);
    how.memory = 5000;
    const tally_stream_plan plan = NEED(tally::try_stream_plan(h.runtime, tally::desc(sum), how));
    CHECK(plan.pieces > 3 && plan.memory <= 5000 && plan.least_memory == 16);
    NEED(tally::try_stream(h.runtime, tally::desc(sum), how));
    CHECK(sums == wanted);
    how.memory = 15;
    CHECK(
        refused(tally::try_stream(h.runtime, tally::desc(sum), how), TALLY_INVALID, "at least 16"));
    const tally::runtime::handles device = NEED(h.runtime.try_device());
    CHECK(device.context != nullptr && device.device != nullptr);
}
