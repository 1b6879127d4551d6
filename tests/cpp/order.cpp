/*
 * order.cpp: tally/tally.h with part.h and CL/opencl.hpp, whose target is OpenCL 3.0, in one
 * program: it compiles, links and computes, whichever is included first (TALLY_FIRST: tally.h).
 */
#if TALLY_FIRST
#include <tally/part.h>
#include <tally/tally.h>
#endif
#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_MINIMUM_OPENCL_VERSION 110 /* 120 does not compile in the header of 2023 */
#include <CL/opencl.hpp>
#if !TALLY_FIRST
#include <tally/part.h>
#include <tally/tally.h>
#endif

#include <cstdio>

static_assert(CL_TARGET_OPENCL_VERSION == 300, "the version is the program's own");

namespace {

/* Make, enqueue and release an operator that sums the rows of a matrix; false if a call fails. */
bool sum_rows(const cl::Context &context, const cl::CommandQueue &queue, const cl::Buffer &input,
              const cl::Buffer &output, const uint64_t *sizes) {
    tally_error error;
    tally_runtime *runtime = nullptr;
    tally_op *op = nullptr;
    tally_config config = TALLY_CONFIG_INIT;
    config.context = context();
    tally_reduce desc = TALLY_REDUCE_INIT;
    desc.function = TALLY_SUM;
    desc.input = tally_tensor_packed(TALLY_F32, 2, sizes);
    desc.axes = 1u << 1;
    desc.output = tally_tensor_reduced(&desc.input, desc.axes, TALLY_F32);
    tally_binding binding = TALLY_BINDING_INIT;
    binding.input.buffer = input();
    binding.output.buffer = output();
    const bool done =
        tally_runtime_create(&config, &runtime, &error) == TALLY_OK &&
        tally_reduce_create(runtime, &desc, &op, &error) == TALLY_OK &&
        tally_op_enqueue(op, queue(), &binding, 0, nullptr, nullptr, &error) == TALLY_OK;
    tally_op_release(op);
    tally_runtime_release(runtime);
    if (!done)
        std::printf("%s\n", error.message);
    return done;
}

} // namespace

int main() {
    const uint64_t sizes[] = {2, 3};
    const float rows[] = {1, 2, 3, 4, 5, 6};
    float sums[] = {0, 0};
    std::vector<cl::Platform> platforms;
    std::vector<cl::Device> devices;
    if (cl::Platform::get(&platforms) != CL_SUCCESS || platforms.empty() ||
        platforms[0].getDevices(CL_DEVICE_TYPE_ALL, &devices) != CL_SUCCESS || devices.empty()) {
        std::printf("no OpenCL device\n");
        return 1;
    }
    const cl::Context context(devices[0]);
    const cl::CommandQueue queue(context, devices[0]);
    const cl::Buffer input(context, CL_MEM_READ_WRITE, sizeof rows);
    const cl::Buffer output(context, CL_MEM_READ_WRITE, sizeof sums);
    if (queue.enqueueWriteBuffer(input, CL_TRUE, 0, sizeof rows, rows) != CL_SUCCESS ||
        !sum_rows(context, queue, input, output, sizes) ||
        queue.enqueueReadBuffer(output, CL_TRUE, 0, sizeof sums, sums) != CL_SUCCESS)
        return 1;
    std::printf("%g %g\n", static_cast<double>(sums[0]), static_cast<double>(sums[1]));
    return sums[0] - 6 == 0 && sums[1] - 15 == 0 ? 0 : 1;
}
