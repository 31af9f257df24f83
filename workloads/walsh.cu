// Fast Walsh transform: butterflies of large strides from global memory, the small ones in dynamic shared memory (SDK FWT; class HH,
// powers of two that meet in the same sets).
#include "common.cuh"

constexpr int INNER = 512;

__global__ void wide_butterflies(float *data, int half) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int low = (i / half) * 2 * half + i % half;
    float a = data[low], b = data[low + half];
    data[low] = a + b;
    data[low + half] = a - b;
}

__global__ void near_butterflies(float *data) {
    extern __shared__ float part[];
    float *from = data + blockIdx.x * INNER;
    part[threadIdx.x] = from[threadIdx.x];
    part[threadIdx.x + INNER / 2] = from[threadIdx.x + INNER / 2];
    for (int half = INNER / 2; half > 0; half /= 2) {
        __syncthreads();
        int low = (threadIdx.x / half) * 2 * half + threadIdx.x % half;
        float a = part[low], b = part[low + half];
        part[low] = a + b;
        part[low + half] = a - b;
    }
    __syncthreads();
    from[threadIdx.x] = part[threadIdx.x];
    from[threadIdx.x + INNER / 2] = part[threadIdx.x + INNER / 2];
}

int main(int argc, char **argv) {
    int n = 1 << pick(workload_size(argc, argv), 13, 18, 22);
    std::vector<float> data = random_floats(n, -1, 1, 23);
    Device<float> dd(data);
    for (int half = n / 2; half >= INNER; half /= 2) wide_butterflies<<<n / 2 / 256, 256>>>(dd, half);
    near_butterflies<<<n / INNER, INNER / 2, INNER * sizeof(float)>>>(dd);
    LAUNCHED();
    for (int half = n / 2; half > 0; half /= 2)
        for (int base = 0; base < n; base += 2 * half)
            for (int i = base; i < base + half; i++) {
                float a = data[i], b = data[i + half];
                data[i] = a + b;
                data[i + half] = a - b;
            }
    Verdict verdict("walsh");
    verdict.close(dd.read(), data, 1e-4f);
    return verdict.end();
}
