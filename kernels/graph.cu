// One step of breadth-first search from a frontier, as Rodinia's bfs does it: nodes of the frontier mark their unvisited neighbours.
// Several threads may mark one node: all write the same values, as the nodes of a frontier have the same cost.
// clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_35 -O2 -S graph.cu -o graph.ptx   (kernels/build.sh)
#include "warpmesh.cuh"

struct node {
  int first_edge;
  int degree;
};

extern "C" __global__ void graph(const struct node *nodes, const int *edges, unsigned char *frontier,
                                 const unsigned char *visited, int *cost, unsigned char *next, int count) {
  int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= count || !frontier[node])
    return;
  frontier[node] = 0;
  int end = nodes[node].first_edge + nodes[node].degree;
#pragma unroll 1
  for (int edge = nodes[node].first_edge; edge < end; ++edge) {
    int neighbour = edges[edge];
    if (!visited[neighbour]) {
      cost[neighbour] = cost[node] + 1;
      next[neighbour] = 1;
    }
  }
}
