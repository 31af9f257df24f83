// Best alignment of two sequences by a wavefront of tiles, a kernel for each diagonal of tiles, a barrier for each diagonal within
// (Rodinia Needleman-Wunsch, NDL; class LL).
#include "common.cuh"

constexpr int TILE = 16, GAP = 4;

__host__ __device__ inline int best(int diagonal, int above, int left) {
    int most = diagonal;
    if (above - GAP > most) most = above - GAP;
    if (left - GAP > most) most = left - GAP;
    return most;
}

__global__ void diagonal_of_tiles(int *score, const signed char *likeness, int n, int diagonal, int first) {
    __shared__ int cell[TILE + 1][TILE + 1];
    int bx = first + blockIdx.x, by = diagonal - bx, t = threadIdx.x, pitch = n + 1;
    int *corner = score + by * TILE * pitch + bx * TILE;
    const signed char *like = likeness + by * TILE * n + bx * TILE;
    cell[t + 1][0] = corner[(t + 1) * pitch];
    cell[0][t + 1] = corner[t + 1];
    if (t == 0) cell[0][0] = corner[0];
    __syncthreads();
    for (int wave = 0; wave < 2 * TILE - 1; wave++) {
        int y = wave - t;
        if (y >= 0 && y < TILE) cell[y + 1][t + 1] = best(cell[y][t] + like[y * n + t], cell[y][t + 1], cell[y + 1][t]);
        __syncthreads();
    }
    for (int y = 0; y < TILE; y++) corner[(y + 1) * pitch + t + 1] = cell[y + 1][t + 1];
}

int main(int argc, char **argv) {
    int n = pick(workload_size(argc, argv), 96, 512, 4096), tiles = n / TILE, pitch = n + 1;
    Random random(38);
    std::vector<signed char> likeness(n * n);
    for (auto &value : likeness) value = (signed char)(int(random.below(20)) - 8);
    std::vector<int> score(size_t(pitch) * pitch);
    for (int i = 0; i <= n; i++) score[i] = score[size_t(i) * pitch] = -GAP * i;
    Device<int> ds(score);
    Device<signed char> dl(likeness);
    for (int diagonal = 0; diagonal < 2 * tiles - 1; diagonal++) {
        int first = diagonal < tiles ? 0 : diagonal - tiles + 1, last = diagonal < tiles ? diagonal : tiles - 1;
        diagonal_of_tiles<<<last - first + 1, TILE>>>(ds, dl, n, diagonal, first);
    }
    LAUNCHED();
    for (int y = 1; y <= n; y++)
        for (int x = 1; x <= n; x++)
            score[size_t(y) * pitch + x] = best(score[size_t(y - 1) * pitch + x - 1] + likeness[size_t(y - 1) * n + x - 1],
                                                score[size_t(y - 1) * pitch + x], score[size_t(y) * pitch + x - 1]);
    Verdict verdict("alignment");
    verdict.equal(ds.read(), score);
    return verdict.end();
}
