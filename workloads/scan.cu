// Sums of all that went before, of integers: blocks in shared memory, then their totals, then what each block adds (SDK scan, SLA;
// class HH).
#include "common.cuh"

constexpr int BLOCK = 256;

__global__ void scan_blocks(const int *in, int *out, int *totals, int count) {
    __shared__ int part[2][BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x, t = threadIdx.x, now = 0;
    int own = i < count ? in[i] : 0;
    part[0][t] = own;
    __syncthreads();
    for (int distance = 1; distance < BLOCK; distance *= 2) {
        part[1 - now][t] = part[now][t] + (t >= distance ? part[now][t - distance] : 0);
        now = 1 - now;
        __syncthreads();
    }
    if (i < count) out[i] = part[now][t] - own;
    if (t == BLOCK - 1 && totals) totals[blockIdx.x] = part[now][t];
}

__global__ void add_totals(int *out, const int *totals, int count) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < count) out[i] += totals[blockIdx.x];
}

static void scan(const int *in, int *out, int count) {
    int blocks = blocks_of(count, BLOCK);
    if (blocks == 1) {
        scan_blocks<<<1, BLOCK>>>(in, out, nullptr, count);
        LAUNCHED();
        return;
    }
    Device<int> totals(blocks), before(blocks);
    scan_blocks<<<blocks, BLOCK>>>(in, out, totals, count);
    scan(totals, before, blocks);
    add_totals<<<blocks, BLOCK>>>(out, before, count);
    LAUNCHED();
}

int main(int argc, char **argv) {
    int count = pick(workload_size(argc, argv), 10000, 500000, 8000000);
    Random random(24);
    std::vector<int> values(count), expected(count);
    for (int &value : values) value = int(random.below(1000)) - 300;
    for (int i = 1; i < count; i++) expected[i] = expected[i - 1] + values[i - 1];
    Device<int> in(values), out(count);
    scan(in, out, count);
    Verdict verdict("scan");
    verdict.equal(out.read(), expected);
    return verdict.end();
}
