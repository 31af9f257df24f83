// Recognition of digits by a network of two layers: the first with blocks of 13 x 13 threads that share nothing, the last with blocks
// of a single thread (GPGPU-Sim NN, NE; class LL by its few threads).
#include "common.cuh"

constexpr int SIDE = 29, MAP = 13, MAPS = 6, OUTPUTS = 10, TAPS = 26;

__host__ __device__ inline float squash(float x) { return 1.7159f * (1.0f - 2.0f / (1.0f + expf(1.3333333f * x))); }

__host__ __device__ inline float convolve(const float *image, const float *weights, int x, int y) {
    float sum = weights[0];
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) sum += weights[1 + i * 5 + j] * image[(2 * y + i) * SIDE + 2 * x + j];
    return squash(sum);
}

__host__ __device__ inline float join(const float *maps, const float *weights) {
    float sum = weights[0];
    for (int i = 0; i < MAPS * MAP * MAP; i++) sum += weights[1 + i] * maps[i];
    return squash(sum);
}

__global__ void first_layer(const float *images, const float *weights, float *maps) {
    int map = blockIdx.x, digit = blockIdx.y;
    maps[((digit * MAPS + map) * MAP + threadIdx.y) * MAP + threadIdx.x] =
        convolve(images + digit * SIDE * SIDE, weights + map * TAPS, threadIdx.x, threadIdx.y);
}

__global__ void last_layer(const float *maps, const float *weights, float *outputs) {
    int output = blockIdx.x, digit = blockIdx.y;
    outputs[digit * OUTPUTS + output] = join(maps + digit * MAPS * MAP * MAP, weights + output * (MAPS * MAP * MAP + 1));
}

int main(int argc, char **argv) {
    int digits = pick(workload_size(argc, argv), 2, 28, 400);
    std::vector<float> images = random_floats(digits * SIDE * SIDE, -1, 1, 18), first = random_floats(MAPS * TAPS, -0.3f, 0.3f, 19),
                       last = random_floats(OUTPUTS * (MAPS * MAP * MAP + 1), -0.05f, 0.05f, 20);
    Device<float> di(images), df(first), dl(last), dm(digits * MAPS * MAP * MAP), out(digits * OUTPUTS);
    first_layer<<<dim3(MAPS, digits), dim3(MAP, MAP)>>>(di, df, dm);
    last_layer<<<dim3(OUTPUTS, digits), 1>>>(dm, dl, out);
    LAUNCHED();
    std::vector<float> maps(digits * MAPS * MAP * MAP), expected(digits * OUTPUTS);
    for (int d = 0; d < digits; d++) {
        for (int m = 0; m < MAPS; m++)
            for (int y = 0; y < MAP; y++)
                for (int x = 0; x < MAP; x++)
                    maps[((d * MAPS + m) * MAP + y) * MAP + x] = convolve(&images[d * SIDE * SIDE], &first[m * TAPS], x, y);
        for (int o = 0; o < OUTPUTS; o++) expected[d * OUTPUTS + o] = join(&maps[d * MAPS * MAP * MAP], &last[o * (MAPS * MAP * MAP + 1)]);
    }
    Verdict verdict("neural_layer");
    verdict.close(out.read(), expected, 1e-3f);
    return verdict.end();
}
