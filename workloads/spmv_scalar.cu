// Sparse matrix times vector, a thread for each row: loads of a warp fall in as many lines as it has rows, of different lengths (SHOC
// SPMV scalar; Kim's type II).
#include "sparse.cuh"

__global__ void rows_by_thread(int rows, const int *start, const int *column, const float *value, const float *x, float *y) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int k = start[row]; k < start[row + 1]; k++) sum += value[k] * x[column[k]];
    y[row] = sum;
}

int main(int argc, char **argv) {
    return sparse_product("spmv_scalar", argc, argv, [](int rows, int *start, int *column, float *value, float *x, float *y) {
        rows_by_thread<<<blocks_of(rows, 128), 128>>>(rows, start, column, value, x, y);
    });
}
