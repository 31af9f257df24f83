// Scalar products of pairs of vectors, a block for each pair in turn (SDK scalarProd, SCP; class HH): two streams, little arithmetic.
#include "common.cuh"

constexpr int BLOCK = 256;

__global__ void products(const float *a, const float *b, float *out, int vectors, int elements) {
    __shared__ float part[BLOCK];
    for (int v = blockIdx.x; v < vectors; v += gridDim.x) {
        float sum = 0.0f;
        for (int i = threadIdx.x; i < elements; i += BLOCK) sum += a[v * elements + i] * b[v * elements + i];
        part[threadIdx.x] = sum;
        for (int half = BLOCK / 2; half > 0; half /= 2) {
            __syncthreads();
            if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        }
        if (threadIdx.x == 0) out[v] = part[0];
        __syncthreads();
    }
}

int main(int argc, char **argv) {
    Size size = workload_size(argc, argv);
    int vectors = pick(size, 56, 256, 2048), elements = pick(size, 1024, 4096, 8192);
    std::vector<float> a = random_floats(size_t(vectors) * elements, 0, 1, 26), b = random_floats(size_t(vectors) * elements, 0, 1, 27),
                       expected(vectors);
    Device<float> da(a), db(b), out(vectors);
    products<<<pick(size, 56, 128, 256), BLOCK>>>(da, db, out, vectors, elements);
    LAUNCHED();
    for (int v = 0; v < vectors; v++) {
        // A sum of its own length would lose digits in single precision.
        double sum = 0;
        for (int i = 0; i < elements; i++) sum += double(a[size_t(v) * elements + i]) * b[size_t(v) * elements + i];
        expected[v] = float(sum);
    }
    Verdict verdict("scalar_product");
    verdict.close(out.read(), expected, 1e-3f);
    return verdict.end();
}
