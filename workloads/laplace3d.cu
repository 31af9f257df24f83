// Jacobi steps of Laplace's equation in three dimensions: a block sweeps a column of the grid, plane by plane, with the three planes
// and their halos in shared memory (GPGPU-Sim LPS, class LH; Kim's type III: neighbours share the lines of halos).
#include "common.cuh"

constexpr int BX = 32, BY = 4;

__global__ void step(const float *in, float *out, int nx, int ny, int nz) {
    __shared__ float plane[3][BY + 2][BX + 2];
    int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    int size = nx * ny, at = y * nx + x;
    // Brings plane z, with its halo, into place z % 3.
    auto fetch = [&](int z) {
        float (*p)[BX + 2] = plane[z % 3];
        const float *from = in + z * size;
        p[ty][tx] = from[at];
        if (threadIdx.x == 0) p[ty][0] = x > 0 ? from[at - 1] : from[at];
        if (threadIdx.x == BX - 1) p[ty][BX + 1] = x < nx - 1 ? from[at + 1] : from[at];
        if (threadIdx.y == 0) p[0][tx] = y > 0 ? from[at - nx] : from[at];
        if (threadIdx.y == BY - 1) p[BY + 1][tx] = y < ny - 1 ? from[at + nx] : from[at];
    };
    fetch(0);
    fetch(1);
    out[at] = in[at];
    for (int z = 1; z < nz - 1; z++) {
        fetch(z + 1);
        __syncthreads();
        float (*p)[BX + 2] = plane[z % 3];
        bool edge = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
        float sum = p[ty][tx - 1] + p[ty][tx + 1] + p[ty - 1][tx] + p[ty + 1][tx] + plane[(z + 2) % 3][ty][tx] + plane[(z + 1) % 3][ty][tx];
        out[z * size + at] = edge ? p[ty][tx] : sum * (1.0f / 6.0f);
        __syncthreads();
    }
    out[(nz - 1) * size + at] = in[(nz - 1) * size + at];
}

int main(int argc, char **argv) {
    Size size = workload_size(argc, argv);
    int nx = pick(size, 32, 128, 256), ny = pick(size, 32, 96, 256), nz = pick(size, 16, 64, 100), steps = pick(size, 2, 2, 4);
    std::vector<float> grid = random_floats(nx * ny * nz, 0, 1, 8), next(grid.size());
    Device<float> a(grid), b(grid.size());
    float *from = a, *to = b;
    for (int s = 0; s < steps; s++) {
        step<<<dim3(nx / BX, ny / BY), dim3(BX, BY)>>>(from, to, nx, ny, nz);
        LAUNCHED();
        std::swap(from, to);
        for (int z = 0; z < nz; z++)
            for (int y = 0; y < ny; y++)
                for (int x = 0; x < nx; x++) {
                    int at = (z * ny + y) * nx + x;
                    bool edge = !x || !y || !z || x == nx - 1 || y == ny - 1 || z == nz - 1;
                    next[at] = edge ? grid[at]
                                    : (grid[at - 1] + grid[at + 1] + grid[at - nx] + grid[at + nx] + grid[at - nx * ny] + grid[at + nx * ny]) *
                                          (1.0f / 6.0f);
                }
        std::swap(grid, next);
    }
    std::vector<float> found(grid.size());
    CHECK(cudaMemcpy(found.data(), from, found.size() * sizeof(float), cudaMemcpyDeviceToHost));
    Verdict verdict("laplace3d");
    verdict.close(found, grid, 1e-4f);
    return verdict.end();
}
