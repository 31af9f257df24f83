// Graphs: captured from streams, made node by node, launched several times.
#include "features.h"

__global__ void add(const int *a, const int *b, int *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}
__global__ void scale(int *x, int by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
static void count(void *number) { ++*(int *)number; }

const int n = 100;

// Two streams, the second by way of events; copies, memory filled, kernels, a function of the host.
FEATURE(capture, "streams captured for a graph (SDK simpleCudaGraphs)") {
  int wrong = 0, calls = 0;
  std::vector<int> in(n), out(n), e(n);
  Device<int> a(n), b(n), sum(n);
  cudaStream_t first, second;
  cudaEvent_t fork, join;
  cudaGraph_t graph;
  cudaGraphExec_t launchable;
  cudaStreamCreate(&first), cudaStreamCreate(&second), cudaEventCreate(&fork), cudaEventCreate(&join);
  cudaStreamCaptureStatus status;
  wrong += cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal) != cudaSuccess;
  wrong += cudaStreamIsCapturing(first, &status) != cudaSuccess || status != cudaStreamCaptureStatusActive;
  cudaEventRecord(fork, first);
  cudaStreamWaitEvent(second, fork, 0);
  cudaMemcpyAsync(a.pointer, in.data(), n * sizeof(int), cudaMemcpyHostToDevice, first);
  cudaMemsetAsync(b.pointer, 1, n * sizeof(int), second);
  scale<<<2, 64, 0, second>>>(b.pointer, 3, n);
  cudaEventRecord(join, second);
  cudaStreamWaitEvent(first, join, 0);
  add<<<2, 64, 0, first>>>(a.pointer, b.pointer, sum.pointer, n);
  cudaMemcpyAsync(out.data(), sum.pointer, n * sizeof(int), cudaMemcpyDeviceToHost, first);
  cudaLaunchHostFunc(first, count, &calls);
  // Nothing of it has been done, and the stream cannot be waited for.
  wrong += cudaStreamSynchronize(first) != cudaErrorStreamCaptureUnsupported;
  wrong += cudaStreamEndCapture(second, &graph) != cudaErrorStreamCaptureUnmatched;
  wrong += cudaStreamEndCapture(first, &graph) != cudaSuccess;
  wrong += calls != 0 || out[3] != 0;
  size_t nodes = 0;
  wrong += cudaGraphGetNodes(graph, nullptr, &nodes) != cudaSuccess || nodes != 6;
  wrong += cudaGraphInstantiate(&launchable, graph, NULL, NULL, 0) != cudaSuccess;
  wrong += cudaGraphDestroy(graph) != cudaSuccess;
  for (int round = 1; round <= 3; ++round) {
    for (int i = 0; i < n; ++i) in[i] = i * round, e[i] = i * round + 3 * 0x01010101;
    wrong += cudaGraphLaunch(launchable, first) != cudaSuccess;
    wrong += cudaStreamSynchronize(first) != cudaSuccess;
    wrong += differences(out, e) + (calls != round);
  }
  wrong += cudaGraphExecDestroy(launchable) != cudaSuccess;
  wrong += cudaGraphLaunch(launchable, first) != cudaErrorInvalidValue;
  cudaGetLastError();
  return wrong;
}

// The copy back is added first and waits for all others; a child graph; another argument for a node.
FEATURE(nodes, "graphs made node by node, with dependencies and another graph within") {
  int wrong = 0, calls = 0, by = 5, size = n;
  std::vector<int> in(n), out(n), e(n);
  for (int i = 0; i < n; ++i) in[i] = i, e[i] = i + 35;
  Device<int> a(in), b(n), sum(n);
  cudaGraph_t graph, child;
  cudaGraphExec_t launchable;
  cudaGraphNode_t copy, fill, scaled, added, called, within;
  cudaGraphCreate(&graph, 0), cudaGraphCreate(&child, 0);
  wrong += cudaGraphAddMemcpyNode1D(&copy, graph, NULL, 0, out.data(), sum.pointer, n * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess;
  cudaMemsetParams seven = {b.pointer, 0, 7, 4, n, 1};
  wrong += cudaGraphAddMemsetNode(&fill, child, NULL, 0, &seven) != cudaSuccess;
  void *scale_args[] = {&b.pointer, &by, &size}, *add_args[] = {&a.pointer, &b.pointer, &sum.pointer, &size};
  cudaKernelNodeParams scaling = {(void *)scale, dim3(2), dim3(64), 0, scale_args, NULL}, adding = {(void *)add, dim3(2), dim3(64), 0, add_args, NULL};
  wrong += cudaGraphAddKernelNode(&scaled, child, &fill, 1, &scaling) != cudaSuccess;
  wrong += cudaGraphAddChildGraphNode(&within, graph, NULL, 0, child) != cudaSuccess;
  wrong += cudaGraphAddKernelNode(&added, graph, &within, 1, &adding) != cudaSuccess;
  wrong += cudaGraphAddDependencies(graph, &added, &copy, 1) != cudaSuccess;
  cudaHostNodeParams host = {count, &calls};
  wrong += cudaGraphAddHostNode(&called, graph, &copy, 1, &host) != cudaSuccess;
  by = 99;  // arguments are those of the call
  wrong += cudaGraphInstantiate(&launchable, graph, 0) != cudaSuccess;
  wrong += cudaGraphLaunch(launchable, 0) != cudaSuccess;
  wrong += differences(out, e) + (calls != 1);
  size = n / 2;
  wrong += cudaGraphExecKernelNodeSetParams(launchable, added, &adding) != cudaSuccess;
  cudaMemset(sum.pointer, 0, n * sizeof(int));
  wrong += cudaGraphLaunch(launchable, 0) != cudaSuccess;
  for (int i = n / 2; i < n; ++i) e[i] = 0;
  wrong += differences(out, e);
  // A circle cannot be launched.
  wrong += cudaGraphAddDependencies(graph, &copy, &within, 1) != cudaSuccess;
  wrong += cudaGraphInstantiate(&launchable, graph, 0) != cudaErrorInvalidValue;
  cudaGetLastError();
  return wrong;
}
