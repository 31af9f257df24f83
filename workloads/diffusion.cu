// Speckle-reducing diffusion of a picture from global memory: neighbours by arrays of indices, two kernels a step, divisions (Rodinia
// SRAD; class HH, Kim's type III).
#include "common.cuh"

__host__ __device__ inline float coefficient(float centre, float dn, float ds, float dw, float de, float q0) {
    float g2 = (dn * dn + ds * ds + dw * dw + de * de) / (centre * centre);
    float l = (dn + ds + dw + de) / centre;
    float root = 1.0f + 0.25f * l;
    float q = (0.5f * g2 - 0.0625f * l * l) / (root * root);
    float c = 1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0)));
    return c < 0.0f ? 0.0f : c > 1.0f ? 1.0f : c;
}

__global__ void derivatives(const float *image, const int *north, const int *south, const int *west, const int *east, float *dn, float *ds,
                            float *dw, float *de, float *c, int rows, int columns, float q0) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * columns) return;
    int row = i / columns, column = i - row * columns;
    float centre = image[i];
    float n = image[north[row] * columns + column] - centre, s = image[south[row] * columns + column] - centre;
    float w = image[row * columns + west[column]] - centre, e = image[row * columns + east[column]] - centre;
    dn[i] = n, ds[i] = s, dw[i] = w, de[i] = e;
    c[i] = coefficient(centre, n, s, w, e, q0);
}

__global__ void update(float *image, const int *south, const int *east, const float *dn, const float *ds, const float *dw, const float *de,
                       const float *c, int rows, int columns, float lambda) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * columns) return;
    int row = i / columns, column = i - row * columns;
    float below = c[south[row] * columns + column], right = c[row * columns + east[column]];
    image[i] += 0.25f * lambda * (c[i] * dn[i] + below * ds[i] + c[i] * dw[i] + right * de[i]);
}

int main(int argc, char **argv) {
    Size size = workload_size(argc, argv);
    int rows = pick(size, 48, 256, 1024), columns = pick(size, 96, 384, 1024), steps = pick(size, 1, 2, 8), n = rows * columns;
    std::vector<float> image = random_floats(n, 1, 3, 11), c(n), dn(n), ds(n), dw(n), de(n);
    std::vector<int> north(rows), south(rows), west(columns), east(columns);
    for (int i = 0; i < rows; i++) north[i] = i ? i - 1 : 0, south[i] = i < rows - 1 ? i + 1 : i;
    for (int i = 0; i < columns; i++) west[i] = i ? i - 1 : 0, east[i] = i < columns - 1 ? i + 1 : i;
    Device<float> gi(image), gn(n), gs(n), gw(n), ge(n), gc(n);
    Device<int> in(north), is(south), iw(west), ie(east);
    for (int step = 0; step < steps; step++) {
        derivatives<<<blocks_of(n, 256), 256>>>(gi, in, is, iw, ie, gn, gs, gw, ge, gc, rows, columns, 0.5f);
        update<<<blocks_of(n, 256), 256>>>(gi, is, ie, gn, gs, gw, ge, gc, rows, columns, 0.5f);
        LAUNCHED();
        for (int i = 0; i < n; i++) {
            int row = i / columns, column = i % columns;
            dn[i] = image[north[row] * columns + column] - image[i], ds[i] = image[south[row] * columns + column] - image[i];
            dw[i] = image[row * columns + west[column]] - image[i], de[i] = image[row * columns + east[column]] - image[i];
            c[i] = coefficient(image[i], dn[i], ds[i], dw[i], de[i], 0.5f);
        }
        for (int i = 0; i < n; i++) {
            int row = i / columns, column = i % columns;
            image[i] += 0.125f * (c[i] * dn[i] + c[south[row] * columns + column] * ds[i] + c[i] * dw[i] + c[row * columns + east[column]] * de[i]);
        }
    }
    Verdict verdict("diffusion");
    verdict.close(gi.read(), image, 1e-3f);
    return verdict.end();
}
