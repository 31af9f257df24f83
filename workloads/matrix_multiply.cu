// Product of square matrices by tiles of 16 x 16 in shared memory (SDK matrixMul, MM; class LL by reuse in shared memory).
#include "common.cuh"

constexpr int TILE = 16;

__global__ void multiply(const float *a, const float *b, float *c, int n) {
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; k += TILE) {
        as[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i++) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

int main(int argc, char **argv) {
    int n = pick(workload_size(argc, argv), 96, 384, 1024);
    std::vector<float> a = random_floats(n * n, -1, 1, 1), b = random_floats(n * n, -1, 1, 2), expected(n * n);
    Device<float> da(a), db(b), dc(n * n);
    multiply<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(da, db, dc, n);
    LAUNCHED();
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) expected[i * n + j] += a[i * n + k] * b[k * n + j];
    Verdict verdict("matrix_multiply");
    verdict.close(dc.read(), expected, 1e-3f);
    return verdict.end();
}
