// Sparse matrix times vector, a warp for each row with a sum in shared memory: values and columns coalesced (SHOC SPMV vector).
#include "sparse.cuh"

constexpr int BLOCK = 128, WARP = 32;

__global__ void rows_by_warp(int rows, const int *start, const int *column, const float *value, const float *x, float *y) {
    __shared__ volatile float part[BLOCK];
    int lane = threadIdx.x % WARP, row = (blockIdx.x * BLOCK + threadIdx.x) / WARP;
    float sum = 0.0f;
    if (row < rows)
        for (int k = start[row] + lane; k < start[row + 1]; k += WARP) sum += value[k] * x[column[k]];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int half = WARP / 2; half > 0; half /= 2) {
        if (lane < half) part[threadIdx.x] = part[threadIdx.x] + part[threadIdx.x + half];
        __syncthreads();
    }
    if (row < rows && lane == 0) y[row] = part[threadIdx.x];
}

int main(int argc, char **argv) {
    return sparse_product("spmv_vector", argc, argv, [](int rows, int *start, int *column, float *value, float *x, float *y) {
        rows_by_warp<<<blocks_of(rows * WARP, BLOCK), BLOCK>>>(rows, start, column, value, x, y);
    });
}
