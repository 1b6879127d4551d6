/*
 * cub_bench.cuh: one call of CUB's on the elements of a workload, timed by CUDA events: memory that
 * grows, elements that are made on the GPU, samples. Each sample is a large copy that keeps the GPU
 * busy while the rest is enqueued, then the operation and then a copy of its input, each between two
 * events. It knows no operations.
 */
#ifndef TESTS_BENCH_PEERS_CUB_BENCH_CUH
#define TESTS_BENCH_PEERS_CUB_BENCH_CUH

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#define WARM_UPS 5
#define COVER_BYTES (size_t(1) << 28) /* some 100 us on a fast GPU */

static void check(cudaError_t code, const char *what) {
    if (code != cudaSuccess)
        throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(code));
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Device memory that grows to what is asked for. */
struct Memory {
    void *data = nullptr;
    size_t bytes = 0;

    void *get(size_t wanted) {
        if (wanted > bytes) {
            check(cudaFree(data), "cudaFree");
            data = nullptr;
            bytes = 0;
            check(cudaMalloc(&data, wanted), "cudaMalloc");
            bytes = wanted;
        }
        return data;
    }
};

struct Workload {
    std::string name, function, dtype;
    long long offset = 0, segments = 0, terms = 0;

    long long elements() const { return segments * terms; }
};

struct Bench {
    int samples = 0;
    Memory input, copy, output, temporary, cover, covered;
    std::string filled; /* the type of the elements in input */
    cudaEvent_t event[4] = {};
};

/* ---- Elements -------------------------------------------------------------------------------- */

__device__ static uint32_t scramble(uint64_t i) {
    uint32_t h = uint32_t(i) * 0x9E3779B1u ^ uint32_t(i >> 32);
    h = (h ^ h >> 16) * 0x85EBCA6Bu;
    h = (h ^ h >> 13) * 0xC2B2AE35u;
    return h ^ h >> 16;
}

/* Floats within 2 of 0, integers of any bits. */
template <typename T> __device__ static T element_of(uint32_t random) {
    return T(float(random) * 0x1p-30f - 2.0f);
}
template <> __device__ int8_t element_of<int8_t>(uint32_t random) {
    return int8_t(random);
}
template <> __device__ int32_t element_of<int32_t>(uint32_t random) {
    return int32_t(random);
}
template <> __device__ long long element_of<long long>(uint32_t random) {
    return (long long)(random) * 0x100000001ll;
}
template <> __device__ __half element_of<__half>(uint32_t random) {
    return __float2half(float(random) * 0x1p-30f - 2.0f);
}

template <typename T> __global__ static void fill(T *out, size_t count) {
    const size_t step = size_t(gridDim.x) * blockDim.x;
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
        out[i] = element_of<T>(scramble(i));
}

template <typename T> static const T *make_input(Bench &bench, const Workload &work) {
    const size_t count = size_t(work.offset + work.elements());
    const bool larger = count * sizeof(T) > bench.input.bytes;
    T *input = static_cast<T *>(bench.input.get(count * sizeof(T)));
    if (larger || bench.filled != work.dtype) {
        fill<T><<<2048, 256>>>(input, bench.input.bytes / sizeof(T));
        check(cudaGetLastError(), "fill");
        bench.filled = work.dtype;
    }
    return input + work.offset;
}

/* ---- Times ----------------------------------------------------------------------------------- */

static double seconds_between(cudaEvent_t begin, cudaEvent_t end) {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
    return double(milliseconds) * 1e-3;
}

static void print_times(const char *what, const std::vector<double> &seconds) {
    std::printf("\t%s", what);
    for (double s : seconds)
        std::printf("\t%.9g", s);
}

/* call(temporary, bytes) is CUB's way: without temporary it says how many bytes it needs. */
template <typename T, typename Call>
static void measure(Bench &bench, const Workload &work, const T *input, const Call &call) {
    const size_t bytes = size_t(work.elements()) * sizeof(T);
    void *copy = bench.copy.get(bytes);
    void *cover = bench.cover.get(COVER_BYTES), *covered = bench.covered.get(COVER_BYTES);
    std::vector<double> times, copies;
    size_t needed = 0;
    check(call(nullptr, needed), "CUB's question for memory");
    void *temporary = bench.temporary.get(needed > 0 ? needed : 1);
    for (int i = 0; i < WARM_UPS + bench.samples; i++) {
        check(cudaMemcpyAsync(covered, cover, COVER_BYTES, cudaMemcpyDeviceToDevice), "cover");
        check(cudaEventRecord(bench.event[0]), "cudaEventRecord");
        check(call(temporary, needed), "CUB");
        check(cudaEventRecord(bench.event[1]), "cudaEventRecord");
        check(cudaEventRecord(bench.event[2]), "cudaEventRecord");
        check(cudaMemcpyAsync(copy, input, bytes, cudaMemcpyDeviceToDevice), "copy");
        check(cudaEventRecord(bench.event[3]), "cudaEventRecord");
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        if (i < WARM_UPS)
            continue;
        times.push_back(seconds_between(bench.event[0], bench.event[1]));
        copies.push_back(seconds_between(bench.event[2], bench.event[3]));
    }
    std::printf("%s", work.name.c_str());
    print_times("us", times);
    print_times("copy", copies);
    std::printf("\n");
}

#endif
