// Breadth-first search, two kernels a level until a flag stays down (Rodinia BFS; class HH, Kim's type II): divergent loops over
// neighbours, gathers and scatters.
#include "common.cuh"

__global__ void expand(const int *start, const int *edges, unsigned char *frontier, unsigned char *updated, const unsigned char *visited,
                       int *cost, int nodes) {
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= nodes || !frontier[node]) return;
    frontier[node] = 0;
    for (int k = start[node]; k < start[node + 1]; k++) {
        int next = edges[k];
        if (!visited[next]) {
            cost[next] = cost[node] + 1;
            updated[next] = 1;
        }
    }
}

__global__ void advance(unsigned char *frontier, unsigned char *updated, unsigned char *visited, int *again, int nodes) {
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= nodes || !updated[node]) return;
    frontier[node] = 1;
    visited[node] = 1;
    updated[node] = 0;
    *again = 1;
}

int main(int argc, char **argv) {
    int nodes = pick(workload_size(argc, argv), 3000, 65536, 1000000);
    Random random(15);
    std::vector<int> start(1, 0), edges;
    for (int node = 0; node < nodes; node++) {
        for (int k = 1 + random.below(11); k > 0; k--) edges.push_back(random.below(nodes));
        start.push_back(int(edges.size()));
    }
    std::vector<unsigned char> source(nodes);
    source[0] = 1;
    std::vector<int> cost(nodes, -1);
    cost[0] = 0;
    Device<int> ds(start), de(edges), dc(cost), again(1);
    Device<unsigned char> frontier(source), visited(source), updated(nodes);
    updated.clear();
    int levels = 0;
    do {
        again.clear();
        expand<<<blocks_of(nodes, 512), 512>>>(ds, de, frontier, updated, visited, dc, nodes);
        advance<<<blocks_of(nodes, 512), 512>>>(frontier, updated, visited, again, nodes);
        LAUNCHED();
        levels++;
    } while (again.read()[0] && levels <= nodes);
    std::vector<int> queue(1, 0);
    for (size_t at = 0; at < queue.size(); at++)
        for (int k = start[queue[at]]; k < start[queue[at] + 1]; k++)
            if (cost[edges[k]] < 0) {
                cost[edges[k]] = cost[queue[at]] + 1;
                queue.push_back(edges[k]);
            }
    Verdict verdict("bfs");
    verdict.equal(dc.read(), cost);
    return verdict.end();
}
