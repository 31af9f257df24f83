// Cosine of every pair of documents, each thread walking two rows of features of its own (Mars similarity score, SS; class HH, Kim's
// type II): uncoalesced, rows of a block are read again by its other threads.
#include "common.cuh"

constexpr int TERMS = 32;

__host__ __device__ inline float cosine(const float *a, const float *b) {
    float both = 0.0f, aa = 0.0f, bb = 0.0f;
    for (int i = 0; i < TERMS; i++) both += a[i] * b[i], aa += a[i] * a[i], bb += b[i] * b[i];
    return both / sqrtf(aa * bb);
}

__global__ void pairs(const float *documents, float *out, int count) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (column < count) out[row * count + column] = cosine(documents + row * TERMS, documents + column * TERMS);
}

int main(int argc, char **argv) {
    int count = pick(workload_size(argc, argv), 96, 512, 3072);
    std::vector<float> documents = random_floats(count * TERMS, 0.1f, 1, 46), expected(size_t(count) * count);
    Device<float> in(documents), out(expected.size());
    pairs<<<dim3(blocks_of(count, 96), count), 96>>>(in, out, count);
    LAUNCHED();
    for (int row = 0; row < count; row++)
        for (int column = 0; column < count; column++)
            expected[size_t(row) * count + column] = cosine(&documents[row * TERMS], &documents[column * TERMS]);
    Verdict verdict("similarity");
    verdict.close(out.read(), expected, 1e-4f);
    return verdict.end();
}
