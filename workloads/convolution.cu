// Separable convolution of a picture with a filter of 17 taps in constant memory: a pass over rows and one over columns, each with its
// halo in shared memory (SDK convolutionSeparable, CON; class LH).
#include "common.cuh"

constexpr int RADIUS = 8, TAPS = 2 * RADIUS + 1;
__constant__ float taps[TAPS];

constexpr int ROW_TILE = 64;

__global__ void rows(const float *in, float *out, int width) {
    __shared__ float line[4][ROW_TILE + 2 * RADIUS];
    int y = blockIdx.y * 4 + threadIdx.y, start = blockIdx.x * ROW_TILE - RADIUS;
    for (int i = threadIdx.x; i < ROW_TILE + 2 * RADIUS; i += ROW_TILE) {
        int x = start + i;
        line[threadIdx.y][i] = x >= 0 && x < width ? in[y * width + x] : 0.0f;
    }
    __syncthreads();
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < TAPS; k++) sum += taps[k] * line[threadIdx.y][threadIdx.x + k];
    out[y * width + blockIdx.x * ROW_TILE + threadIdx.x] = sum;
}

constexpr int COLUMN_TILE = 32;

__global__ void columns(const float *in, float *out, int width, int height) {
    __shared__ float tile[COLUMN_TILE + 2 * RADIUS][16];
    int x = blockIdx.x * 16 + threadIdx.x, start = blockIdx.y * COLUMN_TILE - RADIUS;
    for (int i = threadIdx.y; i < COLUMN_TILE + 2 * RADIUS; i += 8) {
        int y = start + i;
        tile[i][threadIdx.x] = y >= 0 && y < height ? in[y * width + x] : 0.0f;
    }
    __syncthreads();
    for (int i = threadIdx.y; i < COLUMN_TILE; i += 8) {
        float sum = 0.0f;
#pragma unroll
        for (int k = 0; k < TAPS; k++) sum += taps[k] * tile[i + k][threadIdx.x];
        out[(blockIdx.y * COLUMN_TILE + i) * width + x] = sum;
    }
}

int main(int argc, char **argv) {
    Size size = workload_size(argc, argv);
    int width = pick(size, 128, 512, 4096), height = pick(size, 96, 512, 2048);
    std::vector<float> image = random_floats(width * height, 0, 1, 3), filter = random_floats(TAPS, 0, 0.1f, 4);
    Device<float> in(image), middle(width * height), out(width * height);
    CHECK(cudaMemcpyToSymbol(taps, filter.data(), sizeof(taps)));
    rows<<<dim3(width / ROW_TILE, height / 4), dim3(ROW_TILE, 4)>>>(in, middle, width);
    columns<<<dim3(width / 16, height / COLUMN_TILE), dim3(16, 8)>>>(middle, out, width, height);
    LAUNCHED();
    std::vector<float> across(width * height), expected(width * height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int k = 0; k < TAPS; k++)
                if (int from = x + k - RADIUS; from >= 0 && from < width) across[y * width + x] += filter[k] * image[y * width + from];
    for (int y = 0; y < height; y++)
        for (int k = 0; k < TAPS; k++)
            if (int from = y + k - RADIUS; from >= 0 && from < height)
                for (int x = 0; x < width; x++) expected[y * width + x] += filter[k] * across[from * width + x];
    Verdict verdict("convolution");
    verdict.close(out.read(), expected, 1e-4f);
    return verdict.end();
}
