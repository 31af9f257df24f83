// Training of a layer of 16 hidden units: partial sums of inputs by weights in shared memory, then new weights (Rodinia backprop, BP;
// class LL): blocks of 16 x 16, two kernels without loops over loads.
#include "common.cuh"

constexpr int HIDDEN = 16;

__global__ void forward(const float *input, const float *weights, float *partial) {
    __shared__ float node[HIDDEN], product[HIDDEN][HIDDEN];
    int tx = threadIdx.x, ty = threadIdx.y, in = blockIdx.x * HIDDEN + ty;
    if (tx == 0) node[ty] = input[in];
    __syncthreads();
    product[ty][tx] = weights[in * HIDDEN + tx] * node[ty];
    for (int half = HIDDEN / 2; half > 0; half /= 2) {
        __syncthreads();
        if (ty < half) product[ty][tx] += product[ty + half][tx];
    }
    __syncthreads();
    if (ty == 0) partial[blockIdx.x * HIDDEN + tx] = product[0][tx];
}

__global__ void adjust(const float *input, const float *delta, float *weights, float *momentum) {
    int in = blockIdx.x * HIDDEN + threadIdx.y, at = in * HIDDEN + threadIdx.x;
    float change = 0.3f * delta[threadIdx.x] * input[in] + 0.3f * momentum[at];
    weights[at] += change;
    momentum[at] = change;
}

int main(int argc, char **argv) {
    int inputs = pick(workload_size(argc, argv), 2048, 65536, 524288), blocks = inputs / HIDDEN;
    std::vector<float> input = random_floats(inputs, 0, 1, 40), weights = random_floats(size_t(inputs) * HIDDEN, -1, 1, 41),
                       momentum = random_floats(size_t(inputs) * HIDDEN, -0.1f, 0.1f, 42), delta = random_floats(HIDDEN, -1, 1, 43);
    Device<float> di(input), dw(weights), dm(momentum), dd(delta), partial(size_t(blocks) * HIDDEN);
    forward<<<blocks, dim3(HIDDEN, HIDDEN)>>>(di, dw, partial);
    adjust<<<blocks, dim3(HIDDEN, HIDDEN)>>>(di, dd, dw, dm);
    LAUNCHED();
    std::vector<float> sums(size_t(blocks) * HIDDEN);
    for (int in = 0; in < inputs; in++)
        for (int h = 0; h < HIDDEN; h++) {
            size_t at = size_t(in) * HIDDEN + h;
            sums[size_t(in / HIDDEN) * HIDDEN + h] += weights[at] * input[in];
            momentum[at] = 0.3f * delta[h] * input[in] + 0.3f * momentum[at];
            weights[at] += momentum[at];
        }
    Verdict verdict("back_propagation");
    verdict.close(partial.read(), sums, 1e-4f);
    verdict.close(dw.read(), weights, 1e-4f);
    verdict.close(dm.read(), momentum, 1e-4f);
    return verdict.end();
}
