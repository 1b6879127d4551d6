/*
 * examples/tensors.cpp: what examples/tensors.c does, in C++ with CL/opencl.hpp: the same 3 x 4
 * tensor reduced, scanned and filled. Every call is checked: a failure is an exception with one
 * sentence. Owners release everything.
 */
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 110
#include <CL/opencl.hpp>
#include <tally/tally.hpp>

#include <array>
#include <cstdio>
#include <vector>

namespace {

constexpr std::size_t rows = 3, columns = 4;
constexpr std::array<float, rows *columns> values = {{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}};

/* What belongs to the caller, which Tally borrows, and Tally's runtime and scratch. */
struct host {
    cl::Device device = cl::Device::getDefault();
    cl::Context context{device};
    cl::CommandQueue queue{context, device};
    cl::Buffer input{context, CL_MEM_READ_ONLY, sizeof values};
    cl::Buffer output{context, CL_MEM_READ_WRITE, sizeof values};
    tally::runtime runtime{tally::config(context, device)};
    tally::scratch scratch{runtime};

    host() {
        queue.enqueueWriteBuffer(input, CL_TRUE, 0, sizeof values, values.data());
    }
};

/* Enqueue the operator on the two buffers and wait for it. */
void run(const host &h, const tally::op &op) {
    cl::Event done;
    op.enqueue(h.queue, {h.input, h.output, h.scratch.view(op)}, {}, &done);
    done.wait();
}

/* Print the beginning of the output: as many lines, of as many elements each. */
template <class T>
void print(const host &h, const char *title, std::size_t lines, std::size_t line) {
    std::vector<T> result(lines * line);
    h.queue.enqueueReadBuffer(h.output, CL_TRUE, 0, result.size() * sizeof(T), result.data());
    std::printf("%s\n", title);
    for (std::size_t i = 0; i < result.size(); i++)
        std::printf("%5g%s", static_cast<double>(result[i]), (i + 1) % line == 0 ? "\n" : "");
}

void compute(const host &h) {
    const tally::tensor matrix = tally::packed(TALLY_F32, {rows, columns});

    run(h, tally::op(h.runtime, tally::reduce(TALLY_SUM, matrix, {1})));
    print<float>(h, "sum of each row", rows, 1);
    run(h, tally::op(h.runtime, tally::reduce(TALLY_MAX, matrix, {0})));
    print<float>(h, "maximum of each column", 1, columns);
    run(h, tally::op(h.runtime, tally::reduce(TALLY_ARGMAX, matrix, {1}, TALLY_I32)));
    print<cl_int>(h, "place of each row's maximum", rows, 1);
    run(h, tally::op(h.runtime, tally::cumulative(TALLY_SUM, matrix, 1)));
    print<float>(h, "running total along each row", rows, columns);

    /* Zero what lies above the diagonal, where column - row is 1 or more, and keep the rest. */
    run(h, tally::op(h.runtime, tally::diagonal(matrix, 0, 1, columns, matrix)));
    print<float>(h, "lower triangle", rows, columns);
}

} // namespace

int main() {
    try {
        compute(host());
    } catch (const cl::Error &failed) {
        std::fprintf(stderr, "OpenCL's error %d: %s\n", failed.err(), failed.what());
        return 1;
    } catch (const tally::error &failed) {
        std::fprintf(stderr, "%s\n", failed.what());
        return 1;
    }
}
