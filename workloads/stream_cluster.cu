// What it would gain to open a centre: distance of every point to one candidate, whose coordinates all warps read (Rodinia
// streamcluster, STC; class HH, Kim's type III).
#include "common.cuh"

constexpr int DIMENSIONS = 16;

__global__ void gains(const float *coordinates, const float *weights, const float *costs, float *gain, int points, int candidate) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= points) return;
    float distance = 0.0f;
    for (int d = 0; d < DIMENSIONS; d++) {
        float delta = coordinates[d * points + i] - coordinates[d * points + candidate];
        distance += delta * delta;
    }
    float saved = costs[i] - distance * weights[i];
    gain[i] = saved > 0.0f ? saved : 0.0f;
}

int main(int argc, char **argv) {
    Size size = workload_size(argc, argv);
    int points = pick(size, 7168, 65536, 1000000), candidates = pick(size, 1, 4, 10);
    std::vector<float> coordinates = random_floats(size_t(points) * DIMENSIONS, 0, 1, 31), weights = random_floats(points, 1, 2, 32),
                       costs = random_floats(points, 1, 5, 33), expected(points);
    Device<float> dx(coordinates), dw(weights), dc(costs), gain(points);
    Verdict verdict("stream_cluster");
    for (int c = 0; c < candidates; c++) {
        int candidate = c * 7919 % points;
        gains<<<blocks_of(points, 512), 512>>>(dx, dw, dc, gain, points, candidate);
        LAUNCHED();
        for (int i = 0; i < points; i++) {
            float distance = 0.0f;
            for (int d = 0; d < DIMENSIONS; d++) {
                float delta = coordinates[size_t(d) * points + i] - coordinates[size_t(d) * points + candidate];
                distance += delta * delta;
            }
            expected[i] = std::fmax(0.0f, costs[i] - distance * weights[i]);
        }
        verdict.close(gain.read(), expected, 1e-4f);
    }
    return verdict.end();
}
