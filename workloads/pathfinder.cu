// Cheapest way down a grid, several rows a launch with a tile in shared memory that shrinks by its border (Rodinia pathfinder; dynamic
// programming, class LL).
#include "common.cuh"

constexpr int BLOCK = 128, ROWS = 8;

__global__ void descend(const int *wall, const int *from, int *to, int columns, int first, int rows) {
    __shared__ int cost[2][BLOCK];
    int t = threadIdx.x, column = int(blockIdx.x) * (BLOCK - 2 * ROWS) + t - ROWS, now = 0;
    bool inside = column >= 0 && column < columns;
    cost[0][t] = inside ? from[column] : 0;
    __syncthreads();
    for (int r = 0; r < rows; r++) {
        int least = cost[now][t];
        if (inside && t > 0 && column > 0) least = min(least, cost[now][t - 1]);
        if (inside && t < BLOCK - 1 && column < columns - 1) least = min(least, cost[now][t + 1]);
        cost[1 - now][t] = inside ? least + wall[(first + r) * columns + column] : 0;
        now = 1 - now;
        __syncthreads();
    }
    if (inside && t >= ROWS && t < BLOCK - ROWS) to[column] = cost[now][t];
}

int main(int argc, char **argv) {
    Size size = workload_size(argc, argv);
    int columns = pick(size, 2000, 50000, 500000), rows = pick(size, 17, 65, 129);
    Random random(44);
    std::vector<int> wall(size_t(columns) * rows);
    for (int &value : wall) value = random.below(10);
    std::vector<int> cost(wall.begin(), wall.begin() + columns), next(columns);
    Device<int> dw(wall), a(cost), b(columns);
    int *from = a, *to = b;
    for (int first = 1; first < rows; first += ROWS) {
        descend<<<blocks_of(columns, BLOCK - 2 * ROWS), BLOCK>>>(dw, from, to, columns, first, first + ROWS <= rows ? ROWS : rows - first);
        std::swap(from, to);
    }
    LAUNCHED();
    for (int r = 1; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
            int least = cost[c];
            if (c > 0 && cost[c - 1] < least) least = cost[c - 1];
            if (c < columns - 1 && cost[c + 1] < least) least = cost[c + 1];
            next[c] = least + wall[size_t(r) * columns + c];
        }
        std::swap(cost, next);
    }
    std::vector<int> found(columns);
    CHECK(cudaMemcpy(found.data(), from, columns * sizeof(int), cudaMemcpyDeviceToHost));
    Verdict verdict("pathfinder");
    verdict.equal(found, cost);
    return verdict.end();
}
