/*
 * run.hpp: tally/tally.hpp on the first OpenCL device, with queues, buffers and events of
 * CL/opencl.hpp. Built with exceptions, and once more without, when only the results are there.
 *
 *   run FOLDER   a folder of the test's own, for a cache
 */
#ifndef TESTS_CPP_RUN_HPP
#define TESTS_CPP_RUN_HPP

#include <CL/opencl.hpp>
#include <tally/tally.hpp>

#include <array>
#include <cstdlib>

/* Counts what does not hold, and says where. */
void check(bool holds, const char *what, const char *file, int line);
[[noreturn]] void stop(const char *why, const char *file, int line);
#define CHECK(what) check((what), #what, __FILE__, __LINE__)

template <class T> T need(tally::result<T> got, const char *file, int line) {
    if (!got)
        stop(got.error().message, file, line);
    if constexpr (!std::is_void_v<T>)
        return *std::move(got);
}
#define NEED(got) need((got), __FILE__, __LINE__)

inline bool contains(const std::string &all, const char *part) {
    return all.find(part) != std::string::npos;
}

/* Whether a call was refused with this status and a sentence that has these words. */
template <class T> bool refused(const tally::result<T> &got, tally::status why, const char *words) {
    const tally::fault from = why == TALLY_INVALID ? TALLY_FAULT_CALLER : TALLY_FAULT_LIMIT;
    if (got || got.status() != why || got.error().status != why || got.error().fault != from ||
        !contains(got.error().message, words)) {
        std::printf("it gave %s: %s\n", std::string(tally::name(got.status())).c_str(),
                    got ? "" : got.error().message);
        return false;
    }
    return true;
}

/* What belongs to the caller: a device, a queue, and 3 x 4 numbers. */
constexpr std::array<float, 12> values = {{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}};

struct host {
    cl::Device device;
    cl::Context context;
    cl::CommandQueue queue;
    cl::Buffer input;
    cl::Buffer output;
    tally::runtime runtime;
    tally::tensor matrix;

    std::vector<float> read(const cl::Buffer &from, std::size_t count) const;
    /* A buffer of its own with the numbers. */
    cl::Buffer copy() const;
};

/* The sums of the matrix' rows: 9, 22, 21. */
tally::op row_sums(const host &h);

/* The files of this folder. */
void run_plain();
void run_owners(const host &h);
void run_operators(const host &h);
void run_parts(const host &h);
void run_streams(const host &h);
void run_events(const host &h);
void run_queries(const host &h, const std::string &folder);
void run_exceptions(const host &h, const std::string &folder);

#endif
