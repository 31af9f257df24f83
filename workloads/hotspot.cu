// Temperature of a chip from its power: several steps of a stencil within a tile of shared memory that shrinks by its border in each
// step (Rodinia hotspot, HSP; class LL, Kim's type I).
#include "common.cuh"

constexpr int TILE = 16, STEPS = 2, INNER = TILE - 2 * STEPS;

__host__ __device__ inline float heat(float centre, float north, float south, float west, float east, float power) {
    return centre + 0.05f * (power + (north + south - 2.0f * centre) * 0.4f + (west + east - 2.0f * centre) * 0.4f + (80.0f - centre) * 0.01f);
}

__global__ void simulate(const float *in, const float *power, float *out, int n) {
    __shared__ float temperature[TILE][TILE], next[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * INNER + tx - STEPS, y = blockIdx.y * INNER + ty - STEPS;
    bool inside = x >= 0 && y >= 0 && x < n && y < n;
    float watts = 0.0f;
    if (inside) {
        temperature[ty][tx] = in[y * n + x];
        watts = power[y * n + x];
    }
    __syncthreads();
    int north = y > 0 ? ty - 1 : ty, south = y < n - 1 ? ty + 1 : ty, west = x > 0 ? tx - 1 : tx, east = x < n - 1 ? tx + 1 : tx;
    for (int step = 1; step <= STEPS; step++) {
        bool computes = inside && tx >= step && tx < TILE - step && ty >= step && ty < TILE - step;
        if (computes)
            next[ty][tx] = heat(temperature[ty][tx], temperature[north][tx], temperature[south][tx], temperature[ty][west],
                                temperature[ty][east], watts);
        __syncthreads();
        if (computes) temperature[ty][tx] = next[ty][tx];
        __syncthreads();
    }
    if (inside && tx >= STEPS && tx < TILE - STEPS && ty >= STEPS && ty < TILE - STEPS) out[y * n + x] = temperature[ty][tx];
}

int main(int argc, char **argv) {
    Size size = workload_size(argc, argv);
    int n = pick(size, 72, 384, 1024), rounds = pick(size, 2, 3, 10);
    std::vector<float> temperature = random_floats(n * n, 60, 100, 9), power = random_floats(n * n, 0, 5, 10), next(n * n);
    Device<float> a(temperature), b(n * n), dp(power);
    float *from = a, *to = b;
    int blocks = blocks_of(n, INNER);
    for (int round = 0; round < rounds; round++) {
        simulate<<<dim3(blocks, blocks), dim3(TILE, TILE)>>>(from, dp, to, n);
        LAUNCHED();
        std::swap(from, to);
    }
    for (int step = 0; step < rounds * STEPS; step++) {
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                auto at = [&](int dx, int dy) {
                    int ax = x + dx, ay = y + dy;
                    return ax < 0 || ay < 0 || ax >= n || ay >= n ? temperature[y * n + x] : temperature[ay * n + ax];
                };
                next[y * n + x] = heat(at(0, 0), at(0, -1), at(0, 1), at(-1, 0), at(1, 0), power[y * n + x]);
            }
        std::swap(temperature, next);
    }
    std::vector<float> found(n * n);
    CHECK(cudaMemcpy(found.data(), from, found.size() * sizeof(float), cudaMemcpyDeviceToHost));
    Verdict verdict("hotspot");
    verdict.close(found, temperature, 1e-4f);
    return verdict.end();
}
