// Prices of European options by the formula of Black and Scholes, a thread for a stride of options: streaming with much arithmetic a
// word, exponential, logarithm and square root (SDK BlackScholes, BLK; class LH, Kim's type I).
#include "common.cuh"

__host__ __device__ inline float normal(float d) {
    const float a1 = 0.31938153f, a2 = -0.356563782f, a3 = 1.781477937f, a4 = -1.821255978f, a5 = 1.330274429f;
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float tail = 0.39894228f * expf(-0.5f * d * d) * (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))));
    return d > 0 ? 1.0f - tail : tail;
}

__host__ __device__ inline void price(float stock, float strike, float years, float rate, float volatility, float *call, float *put) {
    float root = sqrtf(years);
    float d1 = (logf(stock / strike) + (rate + 0.5f * volatility * volatility) * years) / (volatility * root);
    float d2 = d1 - volatility * root;
    float discounted = strike * expf(-rate * years);
    *call = stock * normal(d1) - discounted * normal(d2);
    *put = discounted * (1.0f - normal(d2)) - stock * (1.0f - normal(d1));
}

__global__ void options(const float *stock, const float *strike, const float *years, float *call, float *put, int count, float rate,
                        float volatility) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        price(stock[i], strike[i], years[i], rate, volatility, &call[i], &put[i]);
}

int main(int argc, char **argv) {
    Size size = workload_size(argc, argv);
    int count = pick(size, 8000, 400000, 4000000), grid = pick(size, 28, 240, 480);
    std::vector<float> stock = random_floats(count, 5, 30, 5), strike = random_floats(count, 1, 100, 6),
                       years = random_floats(count, 0.25f, 10, 7), call(count), put(count);
    Device<float> ds(stock), dk(strike), dy(years), dc(count), dp(count);
    options<<<grid, 128>>>(ds, dk, dy, dc, dp, count, 0.02f, 0.3f);
    LAUNCHED();
    for (int i = 0; i < count; i++) price(stock[i], strike[i], years[i], 0.02f, 0.3f, &call[i], &put[i]);
    Verdict verdict("black_scholes");
    verdict.close(dc.read(), call, 1e-3f);
    verdict.close(dp.read(), put, 1e-3f);
    return verdict.end();
}
