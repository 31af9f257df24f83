// What the workloads share: the size that the command line asks for, random inputs that are the same on every machine, the comparison
// with the host's reference, and the check of every call.
//
// A workload is run as `workload [small|medium|large]`; it prints one line and ends with 0 when all results are right.
#pragma once
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                                   \
    do {                                                                                              \
        cudaError_t error_ = (call);                                                                  \
        if (error_ != cudaSuccess) {                                                                  \
            std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_)); \
            std::exit(2);                                                                             \
        }                                                                                             \
    } while (0)

// Asks for the error of a launch and waits for its end.
#define LAUNCHED()               \
    do {                         \
        CHECK(cudaGetLastError()); \
        CHECK(cudaDeviceSynchronize()); \
    } while (0)

enum class Size { small, medium, large };

inline Size workload_size(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "small";
    if (!std::strcmp(name, "small")) return Size::small;
    if (!std::strcmp(name, "medium")) return Size::medium;
    if (!std::strcmp(name, "large")) return Size::large;
    std::fprintf(stderr, "usage: %s [small|medium|large]; `%s` is none of them\n", argv[0], name);
    std::exit(2);
}

template <class T>
T pick(Size size, T small, T medium, T large) {
    return size == Size::small ? small : size == Size::medium ? medium : large;
}

// A generator by Marsaglia (xorshift, 32 bits).
struct Random {
    uint32_t state = 2463534242u;
    explicit Random(uint32_t seed = 0) : state(2463534242u ^ (seed * 2654435761u)) {
        if (!state) state = 1;
    }
    uint32_t word() {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        return state;
    }
    uint32_t below(uint32_t limit) { return word() % limit; }
    float unit() { return float(word() >> 8) * (1.0f / 16777216.0f); }
    float between(float low, float high) { return low + (high - low) * unit(); }
};

inline std::vector<float> random_floats(size_t count, float low, float high, uint32_t seed) {
    Random random(seed);
    std::vector<float> values(count);
    for (float &value : values) value = random.between(low, high);
    return values;
}

// Memory of the device that holds `count` values, and gives itself back.
template <class T>
struct Device {
    T *data = nullptr;
    size_t count;
    explicit Device(size_t count) : count(count) { CHECK(cudaMalloc((void **)&data, (count ? count : 1) * sizeof(T))); }
    explicit Device(const std::vector<T> &values) : Device(values.size()) { write(values); }
    Device(const Device &) = delete;
    ~Device() { cudaFree(data); }
    operator T *() const { return data; }
    void write(const std::vector<T> &values) {
        CHECK(cudaMemcpy(data, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    }
    std::vector<T> read() const {
        std::vector<T> values(count);
        CHECK(cudaMemcpy(values.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
        return values;
    }
    void clear() { CHECK(cudaMemset(data, 0, count * sizeof(T))); }
};

// Compares results with the reference, and tells the outcome: the value that `main` returns.
struct Verdict {
    const char *name;
    size_t compared = 0, wrong = 0;
    explicit Verdict(const char *name) : name(name) {}
    template <class T>
    void equal(const std::vector<T> &found, const std::vector<T> &expected) {
        for (size_t i = 0; i < expected.size(); i++, compared++)
            if (found[i] != expected[i]) report(i, double(found[i]), double(expected[i]));
    }
    // Within `tolerance` of the expected value, or of 1 where that is less.
    void close(const std::vector<float> &found, const std::vector<float> &expected, float tolerance) {
        for (size_t i = 0; i < expected.size(); i++, compared++) {
            float allowed = tolerance * std::fmax(1.0f, std::fabs(expected[i]));
            if (!(std::fabs(found[i] - expected[i]) <= allowed)) report(i, found[i], expected[i]);
        }
    }
    void report(size_t i, double found, double expected) {
        if (wrong++ < 5) std::fprintf(stderr, "%s: value %zu is %g and not %g\n", name, i, found, expected);
    }
    int end() const {
        std::printf("%s: %zu values compared, %zu wrong\n", name, compared, wrong);
        return wrong || !compared ? 1 : 0;
    }
};

inline int blocks_of(int threads, int block) { return (threads + block - 1) / block; }
