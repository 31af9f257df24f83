// Paths of forward rates (LIBOR market model): each thread keeps the rates of its path in a local array and walks it again and again
// (GPGPU-Sim LIB; class HH by local arrays that no cache holds).
#include "common.cuh"

constexpr int RATES = 40;
__constant__ float volatility[RATES];

__host__ __device__ inline uint32_t following(uint32_t state) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

// The value of a path: its rates drift and jump step by step, and what remains is discounted.
__host__ __device__ inline float path(uint32_t seed, int steps, const float *sigma) {
    float rate[RATES];
    for (int i = 0; i < RATES; i++) rate[i] = 0.05f;
    uint32_t state = seed;
    for (int n = 0; n < steps; n++) {
        state = following(state);
        float shock = 0.5f * (float(state >> 8) * (2.0f / 16777216.0f) - 1.0f), drift = 0.0f;
        for (int i = n + 1; i < RATES; i++) {
            float weight = sigma[i - n - 1], share = 0.25f * weight * rate[i] / (1.0f + 0.25f * rate[i]);
            drift += share;
            rate[i] *= expf(weight * (drift * 0.5f + shock) - 0.125f * weight * weight);
        }
    }
    float discount = 1.0f, value = 0.0f;
    for (int i = steps; i < RATES; i++) {
        discount /= 1.0f + 0.25f * rate[i];
        float gain = discount * 0.25f * (rate[i] - 0.05f);
        value += gain > 0.0f ? gain : 0.0f;
    }
    return 100.0f * value;
}

__global__ void paths(const uint32_t *seeds, float *values, int count, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) values[i] = path(seeds[i], steps, volatility);
}

int main(int argc, char **argv) {
    Size size = workload_size(argc, argv);
    int count = pick(size, 896, 4096, 50000), steps = pick(size, 2, 15, 20);
    std::vector<float> sigma = random_floats(RATES, 0.1f, 0.4f, 21), expected(count);
    std::vector<uint32_t> seeds(count);
    Random random(22);
    for (auto &seed : seeds) seed = random.word();
    CHECK(cudaMemcpyToSymbol(volatility, sigma.data(), sizeof(volatility)));
    Device<uint32_t> ds(seeds);
    Device<float> dv(count);
    paths<<<blocks_of(count, 64), 64>>>(ds, dv, count, steps);
    LAUNCHED();
    for (int i = 0; i < count; i++) expected[i] = path(seeds[i], steps, sigma.data());
    Verdict verdict("monte_carlo");
    verdict.close(dv.read(), expected, 1e-3f);
    return verdict.end();
}
