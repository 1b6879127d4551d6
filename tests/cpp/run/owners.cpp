/* owners.cpp: owners that move and share, and what a config has. */
#include "run.hpp"

#include <cstdlib>
#include <chrono>
#include <thread>

namespace {

void test_moves(const host &h) {
    tally::op a = row_sums(h);
    tally_op *const raw = a.get();
    tally::op b = std::move(a);
    CHECK(!a && b && a.get() == nullptr && b.get() == raw);
    a = std::move(b);
    CHECK(a.get() == raw && !b);
    tally::op &same = a;
    a = std::move(same);
    CHECK(a.get() == raw);
    std::swap(a, b);
    CHECK(!a && b.get() == raw);
    tally_op *const released = b.release();
    CHECK(released == raw && !b);
    tally::op taken(released);
    CHECK(taken.get() == raw && !taken.describe().empty());
    taken.reset();
    CHECK(!taken && taken.describe().empty() && taken.scratch_size() == 0);
    CHECK(refused(taken.try_enqueue(h.queue, {h.input, h.output}), TALLY_INVALID, "NULL"));
    CHECK(refused(tally::runtime().try_stats(), TALLY_INVALID, "NULL"));
    CHECK(refused(tally::op::try_make({}, NEED(tally::try_reduce(TALLY_SUM, h.matrix, {1}))),
                  TALLY_INVALID, "NULL"));
}

cl_uint count_holds(const host &h) {
    return h.context.getInfo<CL_CONTEXT_REFERENCE_COUNT>();
}

/*
 * An operator and a scratch keep their runtime, and the runtime its context: until all are
 * destroyed, and every second owner.
 */
void test_lifetimes(const host &h) {
    const cl_uint holds = count_holds(h);
    tally::op sum;
    tally::scratch scratch;
    {
        const tally::runtime runtime =
            NEED(tally::runtime::try_make(tally::config(h.context(), h.device())));
        const tally::runtime second = runtime.share();
        sum = NEED(tally::op::try_make(second, NEED(tally::try_reduce(TALLY_SUM, h.matrix, {1}))));
        scratch = NEED(tally::scratch::try_make(runtime));
    }
    NEED(sum.try_enqueue(h.queue, {h.input, h.output, NEED(scratch.try_view(sum))}));
    CHECK((h.read(h.output, 3) == std::vector<float>{9, 22, 21}));
    CHECK(count_holds(h) > holds);
    sum = tally::op();
    CHECK(count_holds(h) > holds);
    scratch = tally::scratch();
    /* Threads of the driver may let go of events, and those of the context, a little later. */
    for (int tries = 0; tries < 5000 && count_holds(h) != holds; tries++)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(count_holds(h) == holds);
}

void test_config(const host &h) {
    const tally::config with(h.context, h.device);
    CHECK(with.struct_size == sizeof(tally_config) && with.context == h.context());
    CHECK(with.device == h.device() && with.cache_dir == nullptr && with.log == nullptr);
    CHECK(tally::config(h.context()).device == nullptr);
}

/* A second owner keeps the object when the first lets go. */
void test_shares(const host &h) {
    tally::runtime runtime = NEED(tally::runtime::try_make(tally::config(h.context(), h.device())));
    const tally::runtime second = runtime.share();
    CHECK(second.get() == runtime.get());
    runtime.reset();
    tally::op sum =
        NEED(tally::op::try_make(second, NEED(tally::try_reduce(TALLY_SUM, h.matrix, {1}))));
    const tally::op same = sum.share();
    CHECK(same.get() == sum.get());
    sum.reset();
    NEED(same.try_enqueue(h.queue, {h.input, h.output}));
    CHECK((h.read(h.output, 3) == std::vector<float>{9, 22, 21}));
    CHECK(!sum.share() && !tally::runtime().share());
}

/* What is overridden is taken: the generic family plans without local memory. */
void test_overrides(const host &h) {
    tally::overrides choice;
    CHECK(choice.struct_size == sizeof(tally_overrides) && choice.family == TALLY_FAMILY_AUTO);
    choice.family = TALLY_FAMILY_GENERIC;
    tally::config with(h.context, h.device);
    with.overrides = &choice;
    const tally::runtime runtime = NEED(tally::runtime::try_make(with));
    const tally::op sum =
        NEED(tally::op::try_make(runtime, NEED(tally::try_reduce(TALLY_SUM, h.matrix, {1}))));
    CHECK(contains(NEED(sum.try_explain()), "generic"));
    choice.family = TALLY_FAMILY_32_BITS;
    CHECK(refused(tally::runtime::try_make(with), TALLY_INVALID, "family"));
}

/* A runtime's memory is the allocator's, all of it given back. */
void test_allocator(const host &h) {
    int held = 0;
    tally::allocator counted;
    counted.user = &held;
    counted.allocate = [](void *user, std::size_t bytes) {
        ++*static_cast<int *>(user);
        return std::malloc(bytes);
    };
    counted.release = [](void *user, void *block) {
        --*static_cast<int *>(user);
        std::free(block);
    };
    tally::config with(h.context, h.device);
    with.allocator = &counted;
    {
        const tally::runtime runtime = NEED(tally::runtime::try_make(with));
        CHECK(held > 0);
    }
    CHECK(held == 0);
    counted.release = nullptr;
    CHECK(refused(tally::runtime::try_make(with), TALLY_INVALID, "release is NULL"));
}

} // namespace

void run_owners(const host &h) {
    test_moves(h);
    test_lifetimes(h);
    test_config(h);
    test_shares(h);
    test_overrides(h);
    test_allocator(h);
}
