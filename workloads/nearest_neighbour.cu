// Distance of every record from a place on the map, of which the host takes the least (Rodinia nearest neighbour, NNC; class LH though
// streaming: too few threads).
#include "common.cuh"

struct Place {
    float latitude, longitude;
};

__global__ void distances(const Place *places, float *out, int count, Place target) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    float dx = places[i].latitude - target.latitude, dy = places[i].longitude - target.longitude;
    out[i] = sqrtf(dx * dx + dy * dy);
}

int main(int argc, char **argv) {
    int count = pick(workload_size(argc, argv), 4000, 42764, 1000000);
    Random random(45);
    std::vector<Place> places(count);
    for (Place &place : places) place = {random.between(0, 90), random.between(0, 180)};
    Place target = {30, 90};
    Device<Place> dp(places);
    Device<float> out(count);
    distances<<<blocks_of(count, 16), 16>>>(dp, out, count, target);
    LAUNCHED();
    std::vector<float> expected(count);
    for (int i = 0; i < count; i++) expected[i] = std::hypot(places[i].latitude - target.latitude, places[i].longitude - target.longitude);
    Verdict verdict("nearest_neighbour");
    verdict.close(out.read(), expected, 1e-4f);
    return verdict.end();
}
