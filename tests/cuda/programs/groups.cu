// Cooperative groups: blocks, tiles, coalesced threads, reductions and scans, partitions.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include "check.h"

namespace cg = cooperative_groups;

// A function for any group, as the samples have it.
__device__ int sum_of(cg::thread_group group, int *scratch, int value) {
  int lane = group.thread_rank();
  for (int i = group.size() / 2; i > 0; i /= 2) {
    scratch[lane] = value;
    group.sync();
    if (lane < i) value += scratch[lane + i];
    group.sync();
  }
  return value;
}

template <unsigned size> __device__ int tile_sum(cg::thread_block_tile<size> tile, int value) {
  for (int i = tile.size() / 2; i > 0; i /= 2) value += tile.shfl_down(value, i);
  return tile.shfl(value, 0);
}

__global__ void sums(int *out) {
  __shared__ int scratch[128];
  cg::thread_block block = cg::this_thread_block();
  int rank = block.thread_rank(), *row = out + 16 * (blockIdx.x * block.size() + rank);
  int all = sum_of(block, scratch, rank);
  if (rank == 0) scratch[0] = all;
  cg::sync(block);
  row[0] = scratch[0];
  block.sync();
  auto tile32 = cg::tiled_partition<32>(block);
  auto tile8 = cg::tiled_partition<8>(block);
  auto tile4 = cg::tiled_partition<4>(tile8);
  row[1] = tile_sum<32>(tile32, rank);
  row[2] = tile_sum<8>(tile8, rank);
  row[3] = tile_sum<4>(tile4, rank);
  row[4] = tile8.meta_group_rank() * 1000 + tile8.thread_rank();
  row[5] = tile8.ballot(rank % 3 == 0);
  row[6] = tile8.any(rank == 9) * 2 + tile8.all(rank > 7);
  row[7] = tile8.shfl_xor(rank, 3) * 1000 + tile8.shfl_up(rank, 2);
  row[8] = cg::reduce(tile8, rank, cg::plus<int>()) * 1000 + cg::reduce(tile32, rank, cg::greater<int>());
  row[9] = cg::inclusive_scan(tile8, rank) * 1000 + cg::exclusive_scan(tile8, 1);
  cg::thread_group small = cg::tiled_partition(block, 4);
  row[10] = sum_of(small, scratch + rank / 4 * 4, rank);
  row[11] = 0;
  if (rank % 3 != 1) {
    cg::coalesced_group active = cg::coalesced_threads();
    row[11] = active.size() * 1000 + active.thread_rank() * 10 + (active.shfl(rank, 1) == rank / 32 * 32 + ((rank / 32 * 32 + 1) % 3 == 1 ? 2 : (rank / 32 * 32) % 3 == 1 ? 2 : 1));
    row[12] = cg::reduce(active, 1, cg::plus<int>());
  } else row[12] = -1;
  row[13] = tile32.match_any(rank % 2) == (rank % 2 ? 0xaaaaaaaau : 0x55555555u);
  auto halves = cg::binary_partition(tile32, rank % 4 == 0);
  row[14] = halves.size() * 100 + halves.thread_rank();
  double wide = tile8.shfl(rank + 0.25, 5);
  row[15] = (int)(wide * 4);
  block.sync();
}

// Tiles of several warps (SDK reduction).
__global__ void of_warps(int *out) {
  __shared__ cg::experimental::block_tile_memory<sizeof(double), 128> memory;
  auto block = cg::experimental::this_thread_block(memory);
  auto tile = cg::experimental::tiled_partition<64>(block);
  auto all = cg::experimental::tiled_partition<128>(block);
  auto part = cg::experimental::tiled_partition<16>(block);
  int rank = block.thread_rank(), *row = out + 4 * (blockIdx.x * blockDim.x + rank);
  row[0] = cg::reduce(tile, rank, cg::plus<int>());
  row[1] = (int)tile.shfl(rank + 0.5, 40) * 1000 + tile.meta_group_rank() * 100 + tile.meta_group_size();
  row[2] = cg::reduce(all, rank ^ 77, cg::greater<int>()) * 1000 + cg::reduce(part, rank, cg::less<int>());
  row[3] = tile.any(rank == 70) * 2 + tile.all(rank < 64) + tile.thread_rank() * 10;
}

int main() {
  const int blocks = 2, threads = 128, n = blocks * threads;
  static int out[16 * n];
  int *d_out, wrong = 0;
  CHECK(cudaMalloc(&d_out, sizeof out));
  sums<<<blocks, threads>>>(d_out);
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    int rank = i % threads, *row = out + 16 * i, warp = rank / 32 * 32, first = rank / 8 * 8, lane = rank - first, quad = rank / 4 * 4;
    int bits = 0, active = 0, before = 0, scan = 0;
    for (int j = 0; j < 8; ++j) bits |= ((first + j) % 3 == 0) << j;
    for (int j = warp; j < warp + 32; ++j) active += j % 3 != 1, before += j % 3 != 1 && j < rank;
    for (int j = first; j <= rank; ++j) scan += j;
    int up = lane < 2 ? rank : rank - 2;
    int expected[16] = {threads * (threads - 1) / 2, 32 * warp + 496, 8 * first + 28, 4 * quad + 6, first / 8 * 1000 + lane, bits, (first == 8) * 2 + (first > 7),
                        (first + (lane ^ 3)) * 1000 + up, (8 * first + 28) * 1000 + warp + 31, scan * 1000 + lane, rank % 4 == 0 ? 4 * quad + 6 : row[10],
                        rank % 3 != 1 ? active * 1000 + before * 10 + 1 : 0, rank % 3 != 1 ? active : -1, 1, rank % 4 == 0 ? 800 + (rank - warp) / 4 : 2400 + (rank - warp) - (rank - warp) / 4 - 1, (first + 5) * 4 + 1};
    for (int k = 0; k < 16; ++k)
      if (row[k] != expected[k] && wrong++ < 10) printf("thread %d, %d: %d, expected %d\n", i, k, row[k], expected[k]);
  }
  of_warps<<<blocks, threads>>>(d_out);
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    int rank = i % threads, tile = rank / 64, most = 0;
    for (int j = 0; j < threads; ++j) most = (j ^ 77) > most ? j ^ 77 : most;
    int expected[4] = {64 * 64 * tile + 2016, (64 * tile + 40) * 1000 + 100 * tile + 2, most * 1000 + rank / 16 * 16, (tile == 1) * 2 + (tile == 0) + rank % 64 * 10};
    for (int k = 0; k < 4; ++k)
      if (out[4 * i + k] != expected[k] && wrong++ < 10) printf("thread %d, of warps %d: %d, expected %d\n", i, k, out[4 * i + k], expected[k]);
  }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
