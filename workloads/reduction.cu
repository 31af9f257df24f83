// Sum of a long array, a partial sum of each block, then their sum by an atomic addition (SDK reduction, RD; class HH, Kim's type I).
#include "common.cuh"

template <int block>
__global__ void sum(const int *in, unsigned *total, int count) {
    __shared__ int part[block];
    int own = 0;
    for (int i = blockIdx.x * block + threadIdx.x; i < count; i += block * gridDim.x) own += in[i];
    part[threadIdx.x] = own;
    __syncthreads();
#pragma unroll
    for (int half = block / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(total, unsigned(part[0]));
}

int main(int argc, char **argv) {
    Size size = workload_size(argc, argv);
    int count = pick(size, 100000, 4000000, 32000000);
    Random random(25);
    std::vector<int> values(count);
    unsigned expected = 0;
    for (int &value : values) {
        value = int(random.word() >> 4);
        expected += unsigned(value);
    }
    Device<int> in(values);
    Device<unsigned> total(1);
    total.clear();
    sum<256><<<pick(size, 56, 224, 448), 256>>>(in, total, count);
    LAUNCHED();
    Verdict verdict("reduction");
    verdict.equal(total.read(), {expected});
    return verdict.end();
}
