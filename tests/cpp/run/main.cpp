/* main.cpp: opens the device, runs the files of this folder, and counts what does not hold. */
#include "run.hpp"

static int failures = 0;

void check(bool holds, const char *what, const char *file, int line) {
    if (!holds) {
        failures++;
        std::printf("%s:%d: %s does not hold\n", file, line, what);
    }
}

void stop(const char *why, const char *file, int line) {
    std::printf("%s:%d: %s\n", file, line, why);
    std::exit(EXIT_FAILURE);
}

std::vector<float> host::read(const cl::Buffer &from, std::size_t count) const {
    std::vector<float> got(count);
    CHECK(queue.enqueueReadBuffer(from, CL_TRUE, 0, count * sizeof(float), got.data()) ==
          CL_SUCCESS);
    return got;
}

cl::Buffer host::copy() const {
    cl::Buffer made(context, CL_MEM_READ_WRITE, sizeof values);
    CHECK(queue.enqueueWriteBuffer(made, CL_TRUE, 0, sizeof values, values.data()) == CL_SUCCESS);
    return made;
}

static host open_host() {
    host h;
    std::vector<cl::Platform> platforms;
    std::vector<cl::Device> devices;
    if (cl::Platform::get(&platforms) != CL_SUCCESS || platforms.empty() ||
        platforms[0].getDevices(CL_DEVICE_TYPE_ALL, &devices) != CL_SUCCESS || devices.empty())
        stop("no OpenCL device", __FILE__, __LINE__);
    h.device = devices[0];
    h.context = cl::Context(h.device);
    h.queue = cl::CommandQueue(h.context, h.device);
    h.output = cl::Buffer(h.context, CL_MEM_READ_WRITE, sizeof values);
    h.input = h.copy();
    h.runtime = NEED(tally::runtime::try_make(tally::config(h.context, h.device)));
    h.matrix = NEED(tally::try_packed(TALLY_F32, {3, 4}));
    return h;
}

tally::op row_sums(const host &h) {
    return NEED(tally::op::try_make(h.runtime, NEED(tally::try_reduce(TALLY_SUM, h.matrix, {1}))));
}

int main(int argc, char **argv) {
    if (argc != 2)
        stop("call it with a folder for a cache", __FILE__, __LINE__);
    const std::string folder = argv[1];
    run_plain();
    const host h = open_host();
    run_owners(h);
    run_operators(h);
    run_parts(h);
    run_streams(h);
    run_events(h);
    run_queries(h, folder);
    run_exceptions(h, folder);
    std::printf("%d checks failed\n", failures);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
