// A breadth-first search, level by level until a flag of the device stays: pointers in memory, managed, pinned and pitched memory, a second file.
#include "check.h"
#include "other_file.h"
#include <vector>

struct Graph {
  int *first, *edges, *level;
  int nodes;
};

__global__ void expand(const Graph *graph, int now, bool *more) {
  int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= graph->nodes || graph->level[node] != now)
    return;
  for (int e = graph->first[node]; e < graph->first[node + 1]; ++e) {
    int to = graph->edges[e];
    if (graph->level[to] < 0) {
      graph->level[to] = now + 1;
      *more = true;
    }
  }
}

int main() {
  const int nodes = 500;
  std::vector<int> first(1, 0), edges, level(nodes, -1);
  for (int node = 0; node < nodes; ++node) {
    for (int k = 1; k <= node % 4; ++k)
      edges.push_back((node * k * 17 + 11) % nodes);
    edges.push_back((node + 1) % nodes);
    first.push_back((int)edges.size());
  }
  level[0] = 0;
  Graph graph = {0, 0, 0, nodes}, *d_graph;
  bool *d_more, *more;
  CHECK(cudaMalloc(&graph.first, first.size() * sizeof(int)));
  CHECK(cudaMalloc(&graph.edges, edges.size() * sizeof(int)));
  CHECK(cudaMallocManaged(&graph.level, nodes * sizeof(int)));
  CHECK(cudaMalloc(&d_graph, sizeof graph));
  CHECK(cudaMalloc(&d_more, sizeof(bool)));
  CHECK(cudaMallocHost(&more, sizeof(bool)));
  CHECK(cudaMemcpy(graph.first, &first[0], first.size() * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(graph.edges, &edges[0], edges.size() * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_graph, &graph, sizeof graph, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(graph.level, 0xff, nodes * sizeof(int)));
  graph.level[0] = 0;
  int launches = 0;
  do {
    CHECK(cudaMemset(d_more, 0, sizeof(bool)));
    expand<<<(nodes + 127) / 128, 128>>>(d_graph, launches++, d_more);
    CHECK(cudaMemcpy(more, d_more, sizeof(bool), cudaMemcpyDeviceToHost));
  } while (*more);
  CHECK(cudaDeviceSynchronize());

  int expected_launches = 0, wrong = 0;
  for (bool again = true; again; ++expected_launches) {
    again = false;
    for (int node = 0; node < nodes; ++node)
      if (level[node] == expected_launches)
        for (int e = first[node]; e < first[node + 1]; ++e)
          if (level[edges[e]] < 0) {
            level[edges[e]] = expected_launches + 1;
            again = true;
          }
  }
  for (int node = 0; node < nodes; ++node)
    wrong += graph.level[node] != level[node];
  wrong += launches != expected_launches;

  // Rows with a pitch, and the variable of another file that has the name of one here.
  unsigned char *d_rows, rows[5][30] = {}, back[5][30];
  size_t pitch;
  CHECK(cudaMallocPitch(&d_rows, &pitch, 30, 5));
  for (int i = 0; i < 150; ++i)
    rows[i / 30][i % 30] = (unsigned char)i;
  CHECK(cudaMemcpy2D(d_rows, pitch, rows, 30, 30, 5, cudaMemcpyHostToDevice));
  CHECK(cudaMemset2D(d_rows + 2 * pitch + 10, pitch, 7, 5, 2));
  CHECK(cudaMemcpy2D(back, 30, d_rows, pitch, 30, 5, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 150; ++i) {
    bool filled = (i / 30 == 2 || i / 30 == 3) && i % 30 >= 10 && i % 30 < 15;
    wrong += back[i / 30][i % 30] != (filled ? 7 : i);
  }
  wrong += here() + there();
  CHECK(cudaFree(graph.level));
  CHECK(cudaFreeHost(more));
  printf("%d levels, %d wrong\n", launches, wrong);
  return wrong != 0;
}

static __device__ int table[3] = {1, 2, 3};

__global__ void read_here(int *out) { *out = table[0] * 100 + table[1] * 10 + table[2]; }

int here() {
  int *d_out, out = 0;
  CHECK(cudaMalloc(&d_out, sizeof(int)));
  read_here<<<1, 1>>>(d_out);
  CHECK(cudaMemcpy(&out, d_out, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_out));
  return out != 123;
}
