// LU decomposition in place, column by column: a kernel scales a column, another updates what remains, which shrinks (SDK/SPLASH-2 LU;
// class LL: too few threads at the end).
#include "common.cuh"

__global__ void scale(float *a, int n, int k) {
    int row = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) a[row * n + k] /= a[k * n + k];
}

__global__ void update(float *a, int n, int k) {
    int column = k + 1 + blockIdx.x * blockDim.x + threadIdx.x, row = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
    if (row < n && column < n) a[row * n + column] -= a[row * n + k] * a[k * n + column];
}

int main(int argc, char **argv) {
    int n = pick(workload_size(argc, argv), 32, 128, 768);
    std::vector<float> a = random_floats(n * n, 0, 1, 37);
    for (int i = 0; i < n; i++) a[i * n + i] += float(n);
    Device<float> da(a);
    for (int k = 0; k < n - 1; k++) {
        scale<<<blocks_of(n - k - 1, 64), 64>>>(da, n, k);
        update<<<dim3(blocks_of(n - k - 1, 16), blocks_of(n - k - 1, 16)), dim3(16, 16)>>>(da, n, k);
    }
    LAUNCHED();
    for (int k = 0; k < n - 1; k++)
        for (int row = k + 1; row < n; row++) {
            a[row * n + k] /= a[k * n + k];
            for (int column = k + 1; column < n; column++) a[row * n + column] -= a[row * n + k] * a[k * n + column];
        }
    Verdict verdict("lu");
    verdict.close(da.read(), a, 1e-3f);
    return verdict.end();
}
