// Sorts by four bits at a time: counts of each digit in each block, their sums, and the scatter to the places (SHOC Sort; Kim's type I:
// streaming and scatter).
#include "common.cuh"

constexpr int BLOCK = 128, DIGITS = 16;

__global__ void count_digits(const unsigned *keys, int *counts, int shift, int n) {
    __shared__ int local[DIGITS];
    if (threadIdx.x < DIGITS) local[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) atomicAdd(&local[keys[i] >> shift & (DIGITS - 1)], 1);
    __syncthreads();
    if (threadIdx.x < DIGITS) counts[threadIdx.x * gridDim.x + blockIdx.x] = local[threadIdx.x];
}

// One block: each thread sums a run of the counts.
__global__ void sum_counts(int *counts, int length) {
    __shared__ int before[BLOCK];
    int run = (length + BLOCK - 1) / BLOCK, start = threadIdx.x * run, end = min(start + run, length), sum = 0;
    for (int i = start; i < end; i++) sum += counts[i];
    before[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        int total = 0;
        for (int t = 0; t < BLOCK; t++) {
            int own = before[t];
            before[t] = total;
            total += own;
        }
    }
    __syncthreads();
    sum = before[threadIdx.x];
    for (int i = start; i < end; i++) {
        int own = counts[i];
        counts[i] = sum;
        sum += own;
    }
}

__global__ void scatter(const unsigned *in, unsigned *out, const int *places, int shift, int n) {
    __shared__ unsigned char digit[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    unsigned key = i < n ? in[i] : 0;
    digit[threadIdx.x] = i < n ? key >> shift & (DIGITS - 1) : DIGITS;
    __syncthreads();
    if (i >= n) return;
    int rank = 0;
    for (int t = 0; t < int(threadIdx.x); t++) rank += digit[t] == digit[threadIdx.x];
    out[places[digit[threadIdx.x] * gridDim.x + blockIdx.x] + rank] = key;
}

int main(int argc, char **argv) {
    Size size = workload_size(argc, argv);
    int n = pick(size, 6000, 100000, 2000000), bits = pick(size, 8, 16, 32), blocks = blocks_of(n, BLOCK);
    Random random(28);
    std::vector<unsigned> keys(n);
    for (unsigned &key : keys) key = random.word() >> (32 - bits);
    Device<unsigned> a(keys), b(n);
    Device<int> counts(DIGITS * blocks);
    unsigned *from = a, *to = b;
    for (int shift = 0; shift < bits; shift += 4) {
        count_digits<<<blocks, BLOCK>>>(from, counts, shift, n);
        sum_counts<<<1, BLOCK>>>(counts, DIGITS * blocks);
        scatter<<<blocks, BLOCK>>>(from, to, counts, shift, n);
        std::swap(from, to);
    }
    LAUNCHED();
    std::vector<unsigned> found(n);
    CHECK(cudaMemcpy(found.data(), from, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
    qsort(keys.data(), keys.size(), sizeof(unsigned), [](const void *x, const void *y) {
        unsigned a = *(const unsigned *)x, b = *(const unsigned *)y;
        return a < b ? -1 : a > b;
    });
    Verdict verdict("radix_step");
    verdict.equal(found, keys);
    return verdict.end();
}
