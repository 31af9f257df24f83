// Histogram of bytes in 64 bins, counted in shared memory by atomic additions, joined in global memory (SDK histogram64, HIS; class LL).
#include "common.cuh"

constexpr int BINS = 64;

__global__ void histogram(const unsigned *data, unsigned *bins, int words) {
    __shared__ unsigned local[BINS];
    for (int i = threadIdx.x; i < BINS; i += blockDim.x) local[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x) {
        unsigned four = data[i];
        for (int k = 0; k < 4; k++, four >>= 8) atomicAdd(&local[(four & 255) >> 2], 1u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += blockDim.x) atomicAdd(&bins[i], local[i]);
}

int main(int argc, char **argv) {
    Size size = workload_size(argc, argv);
    int words = pick(size, 12000, 500000, 8000000);
    Random random(29);
    std::vector<unsigned> data(words), expected(BINS);
    for (unsigned &word : data) {
        word = random.word();
        for (int k = 0; k < 4; k++) expected[(word >> 8 * k & 255) >> 2]++;
    }
    Device<unsigned> dd(data), bins(BINS);
    bins.clear();
    histogram<<<pick(size, 28, 112, 224), 192>>>(dd, bins, words);
    LAUNCHED();
    Verdict verdict("histogram");
    verdict.equal(bins.read(), expected);
    return verdict.end();
}
