// Casts a ray for each pixel on spheres in constant memory, with one mirrored bounce (GPGPU-Sim RAY; class LH): divergent, square
// roots and divisions.
#include "common.cuh"

constexpr int SPHERES = 8;
struct Sphere {
    float x, y, z, radius, shade;
};
__constant__ Sphere scene[SPHERES];

struct Ray {
    float x, y, z, dx, dy, dz;
};

// Nearest sphere on the ray, and its distance; -1 where there is none.
__host__ __device__ inline int nearest(const Sphere *spheres, const Ray &ray, float *distance) {
    int hit = -1;
    *distance = 1e30f;
    for (int i = 0; i < SPHERES; i++) {
        float cx = spheres[i].x - ray.x, cy = spheres[i].y - ray.y, cz = spheres[i].z - ray.z;
        float along = cx * ray.dx + cy * ray.dy + cz * ray.dz;
        float under = along * along - (cx * cx + cy * cy + cz * cz) + spheres[i].radius * spheres[i].radius;
        if (under <= 0.0f) continue;
        float at = along - sqrtf(under);
        if (at > 1e-3f && at < *distance) *distance = at, hit = i;
    }
    return hit;
}

__host__ __device__ inline float trace(const Sphere *spheres, Ray ray) {
    float shade = 0.0f, weight = 1.0f;
    for (int bounce = 0; bounce < 2; bounce++) {
        float distance;
        int hit = nearest(spheres, ray, &distance);
        if (hit < 0) return shade + weight * 0.1f * (1.0f + ray.dy);
        float px = ray.x + distance * ray.dx, py = ray.y + distance * ray.dy, pz = ray.z + distance * ray.dz;
        float scale = 1.0f / spheres[hit].radius;
        float nx = (px - spheres[hit].x) * scale, ny = (py - spheres[hit].y) * scale, nz = (pz - spheres[hit].z) * scale;
        float light = nx * 0.57735f + ny * 0.57735f - nz * 0.57735f;
        shade += weight * spheres[hit].shade * (light > 0.0f ? light : 0.0f);
        float turn = 2.0f * (ray.dx * nx + ray.dy * ny + ray.dz * nz);
        ray = {px, py, pz, ray.dx - turn * nx, ray.dy - turn * ny, ray.dz - turn * nz};
        weight *= 0.5f;
    }
    return shade;
}

__host__ __device__ inline Ray through(int x, int y, int width, int height) {
    float dx = (x + 0.5f) / width - 0.5f, dy = (y + 0.5f) / height - 0.5f;
    float scale = 1.0f / sqrtf(dx * dx + dy * dy + 1.0f);
    return {0.0f, 0.0f, -3.0f, dx * scale, dy * scale, scale};
}

__global__ void render(float *picture, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) picture[y * width + x] = trace(scene, through(x, y, width, height));
}

int main(int argc, char **argv) {
    Size size = workload_size(argc, argv);
    int width = pick(size, 80, 256, 1280), height = pick(size, 64, 256, 1024);
    Random random(17);
    std::vector<Sphere> spheres;
    for (int i = 0; i < SPHERES; i++)
        spheres.push_back({random.between(-1.5f, 1.5f), random.between(-1.5f, 1.5f), random.between(0, 3), random.between(0.2f, 0.7f),
                           random.between(0.3f, 1)});
    CHECK(cudaMemcpyToSymbol(scene, spheres.data(), sizeof(scene)));
    Device<float> picture(width * height);
    render<<<dim3(blocks_of(width, 16), blocks_of(height, 8)), dim3(16, 8)>>>(picture, width, height);
    LAUNCHED();
    // At the rim of a sphere one rounding decides whether a ray hits: a few pixels may differ as a whole.
    std::vector<float> found = picture.read();
    int different = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            different += !(std::fabs(found[y * width + x] - trace(spheres.data(), through(x, y, width, height))) < 2e-3f);
    Verdict verdict("ray_cast");
    verdict.equal(std::vector<int>{different > width * height / 500 ? different : 0}, std::vector<int>{0});
    return verdict.end();
}
