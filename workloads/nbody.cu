// Accelerations of bodies that attract each other, tiles of positions in shared memory (SDK nbody; class LL: arithmetic and reciprocal
// square roots, hardly any traffic).
#include "common.cuh"

constexpr int BLOCK = 128;

__host__ __device__ inline float4 attract(float4 sum, float4 body, float4 other) {
    float dx = other.x - body.x, dy = other.y - body.y, dz = other.z - body.z;
    float square = dx * dx + dy * dy + dz * dz + 0.01f;
    float inverse = 1.0f / sqrtf(square), pull = other.w * inverse * inverse * inverse;
    sum.x += dx * pull;
    sum.y += dy * pull;
    sum.z += dz * pull;
    return sum;
}

__global__ void accelerations(const float4 *bodies, float4 *out, int count) {
    __shared__ float4 tile[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    float4 body = bodies[i], sum = make_float4(0, 0, 0, 0);
    for (int start = 0; start < count; start += BLOCK) {
        tile[threadIdx.x] = bodies[start + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < BLOCK; k++) sum = attract(sum, body, tile[k]);
        __syncthreads();
    }
    out[i] = sum;
}

int main(int argc, char **argv) {
    int count = pick(workload_size(argc, argv), 256, 4096, 16384);
    Random random(30);
    std::vector<float4> bodies(count);
    for (float4 &body : bodies) body = make_float4(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1), random.unit() / count);
    Device<float4> in(bodies), out(count);
    accelerations<<<count / BLOCK, BLOCK>>>(in, out, count);
    LAUNCHED();
    std::vector<float> found, expected;
    std::vector<float4> sums = out.read();
    for (int i = 0; i < count; i++) {
        float4 sum = make_float4(0, 0, 0, 0);
        for (int k = 0; k < count; k++) sum = attract(sum, bodies[i], bodies[k]);
        for (float value : {sum.x, sum.y, sum.z}) expected.push_back(value);
        for (float value : {sums[i].x, sums[i].y, sums[i].z}) found.push_back(value);
    }
    Verdict verdict("nbody");
    verdict.close(found, expected, 1e-3f);
    return verdict.end();
}
