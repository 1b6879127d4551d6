/*
 * cub_peer.cu: CUB's reductions and scans, timed by CUDA events. Knows no JSON: cub_peer.py, which
 * builds and calls it, hands it a line for each workload on stdin and reads a line for each from
 * stdout.
 *
 *   cub_peer SAMPLES
 *   out:  the GPU's name, once
 *   in:   NAME <tab> FUNCTION <tab> DTYPE <tab> OFFSET <tab> SEGMENTS <tab> TERMS
 *   out:  NAME <tab> us <tab> SECONDS... <tab> copy <tab> SECONDS...      or
 *         NAME <tab> error <tab> MESSAGE
 *
 * The input is SEGMENTS * TERMS contiguous elements from OFFSET on. One segment is DeviceReduce's,
 * several are DeviceSegmentedReduce's; a scan has one, which is DeviceScan's. How a call is timed:
 * cub_bench.cuh.
 */
#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "cub_bench.cuh"

/* ---- Reductions ------------------------------------------------------------------------------ */

struct Plus {
    template <typename T> __host__ __device__ T operator()(const T &a, const T &b) const {
        return a + b;
    }
};

struct Square {
    template <typename T> __host__ __device__ T operator()(const T &x) const { return x * x; }
};

/* Where the i-th segment begins. Elements are counted by int: CUB's older versions know no more. */
struct Begin {
    int terms;
    __host__ __device__ int operator()(int i) const { return i * terms; }
};

typedef thrust::transform_iterator<Begin, thrust::counting_iterator<int>> Begins;

static Begins begins(const Workload &work, int first) {
    return thrust::make_transform_iterator(thrust::counting_iterator<int>(first),
                                           Begin{int(work.terms)});
}

template <typename T> static void run_sum(Bench &bench, const Workload &work) {
    const T *in = make_input<T>(bench, work);
    T *out = static_cast<T *>(bench.output.get(size_t(work.segments) * sizeof(T)));
    const int terms = int(work.terms), segments = int(work.segments);
    if (segments == 1)
        measure(bench, work, in, [=](void *temporary, size_t &bytes) {
            return cub::DeviceReduce::Sum(temporary, bytes, in, out, terms);
        });
    else
        measure(bench, work, in, [&](void *temporary, size_t &bytes) {
            return cub::DeviceSegmentedReduce::Sum(temporary, bytes, in, out, segments,
                                                   begins(work, 0), begins(work, 1));
        });
}

template <typename T> static void run_max(Bench &bench, const Workload &work) {
    const T *in = make_input<T>(bench, work);
    T *out = static_cast<T *>(bench.output.get(size_t(work.segments) * sizeof(T)));
    const int terms = int(work.terms), segments = int(work.segments);
    if (segments == 1)
        measure(bench, work, in, [=](void *temporary, size_t &bytes) {
            return cub::DeviceReduce::Max(temporary, bytes, in, out, terms);
        });
    else
        measure(bench, work, in, [&](void *temporary, size_t &bytes) {
            return cub::DeviceSegmentedReduce::Max(temporary, bytes, in, out, segments,
                                                   begins(work, 0), begins(work, 1));
        });
}

static void run_argmax(Bench &bench, const Workload &work) {
    typedef cub::KeyValuePair<int, float> Pair;
    const float *in = make_input<float>(bench, work);
    Pair *out = static_cast<Pair *>(bench.output.get(size_t(work.segments) * sizeof(Pair) + 64));
    const int terms = int(work.terms), segments = int(work.segments);
    if (segments == 1)
        measure(bench, work, in, [=](void *temporary, size_t &bytes) {
#if CUB_VERSION >= 200800
            float *value = reinterpret_cast<float *>(out);
            long long *index = reinterpret_cast<long long *>(out + 1);
            return cub::DeviceReduce::ArgMax(temporary, bytes, in, value, index,
                                             (long long)(terms));
#else
            return cub::DeviceReduce::ArgMax(temporary, bytes, in, out, terms);
#endif
        });
    else
        measure(bench, work, in, [&](void *temporary, size_t &bytes) {
            return cub::DeviceSegmentedReduce::ArgMax(temporary, bytes, in, out, segments,
                                                      begins(work, 0), begins(work, 1));
        });
}

/* Without the last root. */
static void run_l2(Bench &bench, const Workload &work) {
    const float *in = make_input<float>(bench, work);
    float *out = static_cast<float *>(bench.output.get(size_t(work.segments) * sizeof(float)));
    const int terms = int(work.terms), segments = int(work.segments);
    if (segments == 1)
        measure(bench, work, in, [=](void *temporary, size_t &bytes) {
            return cub::DeviceReduce::TransformReduce(temporary, bytes, in, out, terms, Plus(),
                                                      Square(), 0.0f);
        });
    else
        measure(bench, work, in, [&](void *temporary, size_t &bytes) {
            return cub::DeviceSegmentedReduce::Reduce(
                temporary, bytes, thrust::make_transform_iterator(in, Square()), out, segments,
                begins(work, 0), begins(work, 1), Plus(), 0.0f);
        });
}

/* ---- Scans ----------------------------------------------------------------------------------- */

struct Times {
    template <typename T> __host__ __device__ T operator()(const T &a, const T &b) const {
        return a * b;
    }
};

template <typename T> static T *scan_output(Bench &bench, const Workload &work) {
    if (work.segments != 1)
        throw std::runtime_error("a scan of several rows");
    return static_cast<T *>(bench.output.get(size_t(work.terms) * sizeof(T)));
}

template <typename T> static void run_scan_sum(Bench &bench, const Workload &work) {
    const T *in = make_input<T>(bench, work);
    T *out = scan_output<T>(bench, work);
    const int terms = int(work.terms);
    measure(bench, work, in, [=](void *temporary, size_t &bytes) {
        return cub::DeviceScan::InclusiveSum(temporary, bytes, in, out, terms);
    });
}

static void run_scan_exclusive(Bench &bench, const Workload &work) {
    const float *in = make_input<float>(bench, work);
    float *out = scan_output<float>(bench, work);
    const int terms = int(work.terms);
    measure(bench, work, in, [=](void *temporary, size_t &bytes) {
        return cub::DeviceScan::ExclusiveSum(temporary, bytes, in, out, terms);
    });
}

static void run_scan_multiply(Bench &bench, const Workload &work) {
    const float *in = make_input<float>(bench, work);
    float *out = scan_output<float>(bench, work);
    const int terms = int(work.terms);
    measure(bench, work, in, [=](void *temporary, size_t &bytes) {
        return cub::DeviceScan::InclusiveScan(temporary, bytes, in, out, Times(), terms);
    });
}

/* The elements are sums of sums afterwards, so that the next workload needs others. */
static void run_scan_in_place(Bench &bench, const Workload &work) {
    float *data = const_cast<float *>(make_input<float>(bench, work));
    const int terms = int(work.terms);
    bench.filled.clear();
    measure(bench, work, static_cast<const float *>(data), [=](void *temporary, size_t &bytes) {
        return cub::DeviceScan::InclusiveSum(temporary, bytes, data, data, terms);
    });
}

/* ---- The workloads --------------------------------------------------------------------------- */

static const struct {
    const char *function, *dtype;
    void (*run)(Bench &, const Workload &);
} operations[] = {
    {"sum", "f32", run_sum<float>},     {"average", "f32", run_sum<float>},
    {"max", "f32", run_max<float>},     {"argmax", "f32", run_argmax},
    {"l2", "f32", run_l2},              {"sum", "f16", run_sum<__half>},
    {"sum", "f64", run_sum<double>},    {"sum", "i64", run_sum<long long>},
    {"max", "i8", run_max<int8_t>},
    {"scan_sum", "f32", run_scan_sum<float>},
    {"scan_sum", "f16", run_scan_sum<__half>},
    {"scan_sum", "f64", run_scan_sum<double>},
    {"scan_sum", "i32", run_scan_sum<int32_t>},
    {"scan_sum", "i64", run_scan_sum<long long>},
    {"scan_multiply", "f32", run_scan_multiply},
    {"scan_sum_exclusive", "f32", run_scan_exclusive},
    {"scan_sum_in_place", "f32", run_scan_in_place},
};

static Workload parse(const std::string &line) {
    std::istringstream fields(line);
    std::string number;
    Workload work;
    std::getline(fields, work.name, '\t');
    std::getline(fields, work.function, '\t');
    std::getline(fields, work.dtype, '\t');
    if (!(fields >> work.offset >> work.segments >> work.terms))
        throw std::runtime_error("a line that is no workload: " + line);
    return work;
}

static void run(Bench &bench, const Workload &work) {
    if (work.elements() > INT_MAX)
        throw std::runtime_error("more elements than an int counts");
    for (const auto &operation : operations)
        if (work.function == operation.function && work.dtype == operation.dtype)
            return operation.run(bench, work);
    throw std::runtime_error("no such operation here");
}

int main(int argc, char **argv) {
    Bench bench;
    cudaDeviceProp gpu;
    bench.samples = argc == 2 ? std::atoi(argv[1]) : 0;
    if (bench.samples <= 0) {
        std::fprintf(stderr, "usage: cub_peer SAMPLES <workloads >results\n");
        return 2;
    }
    try {
        for (cudaEvent_t &event : bench.event)
            check(cudaEventCreate(&event), "cudaEventCreate");
        check(cudaGetDeviceProperties(&gpu, 0), "cudaGetDeviceProperties");
    } catch (const std::exception &error) {
        std::fprintf(stderr, "cub_peer: %s\n", error.what());
        return 1;
    }
    std::printf("%s\n", gpu.name);
    std::fflush(stdout);
    std::string line;
    while (std::getline(std::cin, line)) {
        Workload work;
        try {
            work = parse(line);
            run(bench, work);
        } catch (const std::exception &error) {
            std::printf("%s\terror\t%s\n", work.name.c_str(), error.what());
            (void)cudaGetLastError();
        }
        std::fflush(stdout);
    }
    return 0;
}
