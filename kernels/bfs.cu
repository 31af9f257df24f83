// One level of breadth-first search over a graph in compressed sparse rows: every node of the level marks its unvisited neighbours.
// Several threads may mark one node: all write the same values, so their order does not matter.
// clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_35 -O2 -S bfs.cu -o bfs.ptx   (kernels/build.sh)
#include "warpmesh.cuh"

extern "C" __global__ void bfs(const int *first_edge, const int *edges, int *level, unsigned char *next, int *again,
                               int current, int nodes) {
  int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || level[node] != current)
    return;
  int end = first_edge[node + 1];
  for (int e = first_edge[node]; e < end; e++) {
    int neighbour = edges[e];
    if (level[neighbour] < 0) {
      level[neighbour] = current + 1;
      next[neighbour] = 1;
      *again = 1;
    }
  }
}
