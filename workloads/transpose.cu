// Transposition of a matrix, first word by word and then by tiles in shared memory (SDK transpose, TRA; class HH): stores of a warp to 32
// lines, then none.
#include "common.cuh"

constexpr int TILE = 16;

__global__ void word_by_word(const float *in, float *out, int width, int height) {
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    out[x * height + y] = in[y * width + x];
}

__global__ void by_tiles(const float *in, float *out, int width, int height) {
    __shared__ float tile[TILE][TILE + 1];
    tile[threadIdx.y][threadIdx.x] = in[(blockIdx.y * TILE + threadIdx.y) * width + blockIdx.x * TILE + threadIdx.x];
    __syncthreads();
    out[(blockIdx.x * TILE + threadIdx.y) * height + blockIdx.y * TILE + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

int main(int argc, char **argv) {
    Size size = workload_size(argc, argv);
    int width = pick(size, 128, 1024, 4096), height = pick(size, 96, 768, 2048);
    std::vector<float> in = random_floats(size_t(width) * height, -1, 1, 39), expected(in.size());
    Device<float> di(in), a(in.size()), b(in.size());
    dim3 grid(width / TILE, height / TILE), block(TILE, TILE);
    word_by_word<<<grid, block>>>(di, a, width, height);
    by_tiles<<<grid, block>>>(di, b, width, height);
    LAUNCHED();
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) expected[size_t(x) * height + y] = in[size_t(y) * width + x];
    Verdict verdict("transpose");
    verdict.equal(a.read(), expected);
    verdict.equal(b.read(), expected);
    return verdict.end();
}
