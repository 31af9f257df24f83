// Nearest of k centres for points of 34 features (Rodinia kmeans). How the features lie decides everything, so there are two programs.
#pragma once
#include "common.cuh"

constexpr int FEATURES = 34, CLUSTERS = 5;

// `by_rows`: each thread walks a row of its own, 32 lines of a load in a warp, each used again for the next features. Otherwise the
// features are transposed, and the threads of a warp read neighbours.
template <bool by_rows>
__global__ void assign(const float *features, const float *centres, int *member, int points) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= points) return;
    int best = 0;
    float least = 3.4e38f;
    for (int c = 0; c < CLUSTERS; c++) {
        float distance = 0.0f;
        for (int f = 0; f < FEATURES; f++) {
            float d = (by_rows ? features[i * FEATURES + f] : features[f * points + i]) - centres[c * FEATURES + f];
            distance += d * d;
        }
        if (distance < least) least = distance, best = c;
    }
    member[i] = best;
}

template <bool by_rows>
int kmeans(const char *name, int argc, char **argv) {
    Size size = workload_size(argc, argv);
    int points = pick(size, 1792, 30000, 400000), rounds = pick(size, 1, 2, 5);
    std::vector<float> rows = random_floats(size_t(points) * FEATURES, 0, 1, 12), laid = rows;
    if (!by_rows)
        for (int i = 0; i < points; i++)
            for (int f = 0; f < FEATURES; f++) laid[size_t(f) * points + i] = rows[size_t(i) * FEATURES + f];
    std::vector<float> centres(rows.begin(), rows.begin() + CLUSTERS * FEATURES);
    Device<float> df(laid), dc(centres);
    Device<int> dm(points);
    Verdict verdict(name);
    for (int round = 0; round < rounds; round++) {
        assign<by_rows><<<blocks_of(points, 256), 256>>>(df, dc, dm, points);
        LAUNCHED();
        std::vector<int> found = dm.read(), members(CLUSTERS);
        std::vector<float> sums(CLUSTERS * FEATURES);
        // Two centres may be equally near but for the order of rounding: the one found must be as near as the best.
        std::vector<float> distance(points), least(points);
        for (int i = 0; i < points; i++) {
            least[i] = 3.4e38f;
            for (int c = 0; c < CLUSTERS; c++) {
                float sum = 0.0f;
                for (int f = 0; f < FEATURES; f++) {
                    float d = rows[size_t(i) * FEATURES + f] - centres[c * FEATURES + f];
                    sum += d * d;
                }
                least[i] = std::fmin(least[i], sum);
                if (c == found[i]) distance[i] = sum;
            }
            members[found[i]]++;
            for (int f = 0; f < FEATURES; f++) sums[found[i] * FEATURES + f] += rows[size_t(i) * FEATURES + f];
        }
        verdict.close(distance, least, 1e-5f);
        for (int c = 0; c < CLUSTERS; c++)
            for (int f = 0; f < FEATURES; f++)
                if (members[c]) centres[c * FEATURES + f] = sums[c * FEATURES + f] / float(members[c]);
        dc.write(centres);
    }
    return verdict.end();
}
