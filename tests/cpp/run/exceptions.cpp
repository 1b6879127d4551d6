/* exceptions.cpp: the forms that throw, where there are exceptions; and the README's example. */
#include "run.hpp"

#if TALLY_HPP_THROWS
namespace {

/* Whether what was tried throws an error with this status and these words. */
template <class F> bool throws(tally::status why, const char *words, F tried) {
    try {
        tried();
    } catch (const tally::error &caught) {
        return caught.status() == why && caught.fault() == TALLY_FAULT_CALLER &&
               contains(caught.what(), words);
    }
    return false;
}

void test_exceptions(const host &h) {
    CHECK(throws(TALLY_INVALID, "context", [] { tally::runtime{tally::config()}; }));
    CHECK(throws(TALLY_INVALID, "axis 7", [&] { tally::reduce(TALLY_SUM, h.matrix, {7}); }));
    CHECK(throws(TALLY_INVALID, "-3 among", [] { tally::packed(TALLY_F32, {-3}); }));
    CHECK(throws(TALLY_INVALID, "300", [] { tally::scalar(TALLY_U8, 300); }));
    CHECK(throws(TALLY_INVALID, "NULL", [] { tally::scratch{tally::runtime()}; }));
    const tally::op sum(h.runtime, tally::reduce(TALLY_SUM, h.matrix, {1}));
    CHECK(throws(TALLY_INVALID, "", [&] { sum.enqueue(h.queue, {h.input, h.input}); }));
    CHECK(throws(TALLY_INVALID, "NULL", [] { tally::runtime().stats(); }));
    CHECK(throws(TALLY_INVALID, "operator 1 of 1", [&] {
        tally::reduce_desc wrong = tally::reduce(TALLY_SUM, h.matrix, {1});
        wrong.axes = 16;
        h.runtime.warm_up({wrong});
    }));
    const auto failed = tally::try_packed(TALLY_F32, {-3});
    CHECK(throws(TALLY_INVALID, "-3 among", [&] { static_cast<void>(failed.value()); }));
    CHECK(throws(TALLY_INVALID, "-3 among", [&] { tally::result<void>(failed.error()).value(); }));
    CHECK(tally::try_packed(TALLY_F32, {3}).value().rank == 1);
}

/* What a function of the caller's throws comes out of the call, which has made no more calls. */
void test_exceptions_of_callbacks(const host &h, const std::string &folder) {
    const tally::reduce_desc sum = tally::reduce(TALLY_SUM, h.matrix, {1});
    std::size_t calls = 0;
    const auto interrupt = [&calls](auto &&) -> bool {
        calls++;
        throw std::string("enough");
    };
    for (int way = 0; way < 2; way++) {
        bool caught = false;
        tally::config with(h.context, h.device);
        with.cache_dir = folder.c_str();
        const tally::runtime runtime(with);
        runtime.warm_up({sum, tally::cumulative(TALLY_SUM, h.matrix, 0)});
        CHECK(tally::cache_files(folder).size() >= 2);
        try {
            calls = 0;
            if (way == 0)
                runtime.warm_up({sum, sum, sum}, interrupt);
            else
                tally::cache_list(folder, interrupt);
        } catch (const std::string &said) {
            caught = said == "enough";
        }
        CHECK(caught && calls == 1);
    }
    CHECK(tally::cache_clear(folder) >= 2);
}

/* The README's example, in a program that has what it takes for granted. */
void test_readme(const host &h) {
    const cl::Context &context = h.context;
    const cl::Device &device = h.device;
    const cl::CommandQueue &queue = h.queue;
    const cl::Buffer &input = h.input, &output = h.output;
    const std::size_t rows = 3, columns = 4;
#include "readme_cpp.inc"
    CHECK((h.read(output, rows) == std::vector<float>{9, 22, 21}));
}

} // namespace

void run_exceptions(const host &h, const std::string &folder) {
    test_exceptions(h);
    test_exceptions_of_callbacks(h, folder);
    test_readme(h);
}
#else
void run_exceptions(const host &, const std::string &) {}
#endif
