// Flux of every cell of an unstructured mesh from its four neighbours, five values of a cell each (Rodinia CFD; class HH, Kim's type III):
// gathers by index, no loop that loads regularly.
#include "common.cuh"

constexpr int VALUES = 5, NEIGHBOURS = 4;

__host__ __device__ inline void flux(const float *cells, const int *neighbours, const float *normals, float *out, int i, int count) {
    float own[VALUES], sum[VALUES];
    for (int v = 0; v < VALUES; v++) own[v] = cells[v * count + i], sum[v] = 0.0f;
    for (int k = 0; k < NEIGHBOURS; k++) {
        int other = neighbours[k * count + i];
        float normal = normals[k * count + i];
        // A cell at the wall has no neighbour there.
        if (other < 0) {
            for (int v = 1; v < 4; v++) sum[v] += normal * own[4];
            continue;
        }
        float speed = 0.5f * (own[1] / own[0] + cells[count + other] / cells[other]);
        for (int v = 0; v < VALUES; v++) sum[v] += normal * speed * (own[v] + cells[v * count + other]) * 0.5f;
    }
    for (int v = 0; v < VALUES; v++) out[v * count + i] = own[v] - 0.1f * sum[v];
}

__global__ void step(const float *cells, const int *neighbours, const float *normals, float *out, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) flux(cells, neighbours, normals, out, i, count);
}

int main(int argc, char **argv) {
    int count = pick(workload_size(argc, argv), 5000, 97000, 1000000);
    Random random(34);
    std::vector<int> neighbours(NEIGHBOURS * count);
    for (int k = 0; k < NEIGHBOURS; k++)
        for (int i = 0; i < count; i++) {
            // Most neighbours have a near number, as after a renumbering of the mesh.
            int other = random.below(8) ? i + int(random.below(400)) - 200 : int(random.below(count));
            neighbours[k * count + i] = random.below(50) == 0 || other < 0 || other >= count ? -1 : other;
        }
    std::vector<float> cells = random_floats(VALUES * count, 1, 2, 35), normals = random_floats(NEIGHBOURS * count, -1, 1, 36),
                       expected(VALUES * count);
    Device<float> dc(cells), dn(normals), out(VALUES * count);
    Device<int> di(neighbours);
    step<<<blocks_of(count, 192), 192>>>(dc, di, dn, out, count);
    LAUNCHED();
    for (int i = 0; i < count; i++) flux(cells.data(), neighbours.data(), normals.data(), expected.data(), i, count);
    Verdict verdict("mesh_gather");
    verdict.close(out.read(), expected, 1e-3f);
    return verdict.end();
}
