// Cooperative groups: the threads of a block, of a grid, of a tile of a warp, and those that are together now.
#ifndef WARPMESH_COOPERATIVE_GROUPS_H
#define WARPMESH_COOPERATIVE_GROUPS_H
#pragma GCC system_header
#define _COOPERATIVE_GROUPS_H_

#include "cuda_runtime.h"

#ifdef __CUDA__

#define WARPMESH_METHOD inline __attribute__((always_inline, device))

// The barrier of all blocks of a grid: each block adds one, the first one what is missing to the highest bit, which then flips.
static __attribute__((device)) unsigned warpmesh_grid_barrier;

namespace cooperative_groups {

namespace details {
WARPMESH_DEVICE unsigned lane() { unsigned lane; asm("mov.u32 %0, %%laneid;" : "=r"(lane)); return lane; }
WARPMESH_DEVICE unsigned lanes_below() { return (1u << lane()) - 1; }
WARPMESH_DEVICE unsigned rank_in_block() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
WARPMESH_DEVICE unsigned threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }
// The lane with this rank among the lanes of a mask.
WARPMESH_DEVICE unsigned lane_of(unsigned mask, unsigned rank) {
  for (; rank > 0; --rank) mask &= mask - 1;
  return mask == 0 ? 0 : __builtin_ctz(mask);
}
// A value of any type from another lane, word by word.
template <class T> WARPMESH_DEVICE T from_lane(unsigned mask, const T &value, unsigned lane) {
  constexpr unsigned words = (sizeof(T) + 3) / 4;
  int copy[words] = {};
  __builtin_memcpy(copy, &value, sizeof(T));
#pragma unroll
  for (unsigned i = 0; i < words; ++i) copy[i] = __shfl_sync(mask, copy[i], lane);
  T result;
  __builtin_memcpy(&result, copy, sizeof(T));
  return result;
}
enum kind { block, warp_part, grid };
}  // namespace details

// A group of a kind that is known when the program runs.
class thread_group {
 protected:
  details::kind kind_;
  unsigned mask_, size_, rank_;

 public:
  WARPMESH_METHOD thread_group(details::kind kind, unsigned mask, unsigned size, unsigned rank) : kind_(kind), mask_(mask), size_(size), rank_(rank) {}
  WARPMESH_METHOD void sync() const {
    if (kind_ == details::block) __syncthreads();
    else __syncwarp(mask_);
  }
  WARPMESH_METHOD unsigned size() const { return size_; }
  WARPMESH_METHOD unsigned num_threads() const { return size_; }
  WARPMESH_METHOD unsigned thread_rank() const { return rank_; }
  WARPMESH_METHOD bool is_valid() const { return true; }
  friend WARPMESH_METHOD thread_group tiled_partition(const thread_group &parent, unsigned size);
};

class thread_block : public thread_group {
 public:
  WARPMESH_METHOD thread_block() : thread_group(details::block, 0, details::threads_of_block(), details::rank_in_block()) {}
  static WARPMESH_METHOD void sync() { __syncthreads(); }
  static WARPMESH_METHOD unsigned size() { return details::threads_of_block(); }
  static WARPMESH_METHOD unsigned num_threads() { return details::threads_of_block(); }
  static WARPMESH_METHOD unsigned thread_rank() { return details::rank_in_block(); }
  static WARPMESH_METHOD dim3 group_index() { return blockIdx; }
  static WARPMESH_METHOD dim3 thread_index() { return threadIdx; }
  static WARPMESH_METHOD dim3 group_dim() { return blockDim; }
  static WARPMESH_METHOD dim3 dim_threads() { return blockDim; }
};
WARPMESH_METHOD thread_block this_thread_block() { return thread_block(); }

// Threads of a warp: what tiles and coalesced groups have in common.
class warp_group : public thread_group {
 public:
  WARPMESH_METHOD warp_group(unsigned mask, unsigned size, unsigned rank) : thread_group(details::warp_part, mask, size, rank) {}
  WARPMESH_METHOD void sync() const { __syncwarp(mask_); }
  template <class T> WARPMESH_METHOD T shfl(T value, int rank) const { return details::from_lane(mask_, value, details::lane_of(mask_, (unsigned)rank % size_)); }
  template <class T> WARPMESH_METHOD T shfl_up(T value, unsigned delta) const {
    return details::from_lane(mask_, value, details::lane_of(mask_, rank_ < delta ? rank_ : rank_ - delta));
  }
  template <class T> WARPMESH_METHOD T shfl_down(T value, unsigned delta) const {
    return details::from_lane(mask_, value, details::lane_of(mask_, rank_ + delta >= size_ ? rank_ : rank_ + delta));
  }
  WARPMESH_METHOD int any(int predicate) const { return __any_sync(mask_, predicate); }
  WARPMESH_METHOD int all(int predicate) const { return __all_sync(mask_, predicate); }
  WARPMESH_METHOD unsigned ballot(int predicate) const { return ranks(__ballot_sync(mask_, predicate)); }
  template <class T> WARPMESH_METHOD unsigned match_any(T value) const { return ranks(__match_any_sync(mask_, value)); }
  template <class T> WARPMESH_METHOD unsigned match_all(T value, int &predicate) const { return ranks(__match_all_sync(mask_, value, &predicate)); }
  // The mask of lanes; bits of results are those of ranks.
  WARPMESH_METHOD unsigned lanes() const { return mask_; }

 private:
  WARPMESH_METHOD unsigned ranks(unsigned lanes) const {
    unsigned result = 0, place = 0;
    for (unsigned left = mask_; left != 0; left &= left - 1, ++place) result |= (lanes >> __builtin_ctz(left) & 1) << place;
    return result;
  }
};

template <unsigned size_of_tile, class Parent = void> class thread_block_tile : public warp_group {
  static_assert(size_of_tile >= 1 && size_of_tile <= 32 && (size_of_tile & (size_of_tile - 1)) == 0, "tiles have 1, 2, 4, 8, 16 or 32 threads");
  unsigned group_;
  static constexpr unsigned lanes_of_tile = size_of_tile == 32 ? 0xffffffffu : (1u << (size_of_tile % 32)) - 1;

 public:
  WARPMESH_METHOD thread_block_tile(unsigned rank_of_parent)
      : warp_group(lanes_of_tile << (details::lane() & ~(size_of_tile - 1) & 31), size_of_tile, rank_of_parent % size_of_tile), group_(rank_of_parent / size_of_tile) {}
  template <class P> WARPMESH_METHOD thread_block_tile(const thread_block_tile<size_of_tile, P> &other)
      : warp_group(other.lanes(), size_of_tile, other.thread_rank()), group_(other.meta_group_rank()) {}
  static constexpr WARPMESH_METHOD unsigned size() { return size_of_tile; }
  static constexpr WARPMESH_METHOD unsigned num_threads() { return size_of_tile; }
  WARPMESH_METHOD unsigned meta_group_rank() const { return group_; }
  WARPMESH_METHOD unsigned meta_group_size() const { return (details::threads_of_block() + size_of_tile - 1) / size_of_tile; }
  template <class T> WARPMESH_METHOD T shfl(T value, int rank) const { return details::from_lane(mask_, value, first() + ((unsigned)rank & (size_of_tile - 1))); }
  template <class T> WARPMESH_METHOD T shfl_up(T value, unsigned delta) const { return details::from_lane(mask_, value, first() + (rank_ < delta ? rank_ : rank_ - delta)); }
  template <class T> WARPMESH_METHOD T shfl_down(T value, unsigned delta) const { return details::from_lane(mask_, value, first() + (rank_ + delta >= size_of_tile ? rank_ : rank_ + delta)); }
  template <class T> WARPMESH_METHOD T shfl_xor(T value, unsigned lanes) const { return details::from_lane(mask_, value, first() + ((rank_ ^ lanes) & (size_of_tile - 1))); }
  WARPMESH_METHOD unsigned ballot(int predicate) const { return tile(__ballot_sync(mask_, predicate)); }
  template <class T> WARPMESH_METHOD unsigned match_any(T value) const { return tile(__match_any_sync(mask_, value)); }
  template <class T> WARPMESH_METHOD unsigned match_all(T value, int &predicate) const { return tile(__match_all_sync(mask_, value, &predicate)); }

 private:
  WARPMESH_METHOD unsigned first() const { return details::lane() & ~(size_of_tile - 1) & 31; }
  WARPMESH_METHOD unsigned tile(unsigned lanes) const { return lanes >> first() & lanes_of_tile; }
};

class coalesced_group : public warp_group {
 public:
  explicit WARPMESH_METHOD coalesced_group(unsigned mask) : warp_group(mask, __popc(mask), __popc(mask & details::lanes_below())) {}
  static constexpr WARPMESH_METHOD unsigned meta_group_rank() { return 0; }
  static constexpr WARPMESH_METHOD unsigned meta_group_size() { return 1; }
};
WARPMESH_METHOD coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

template <unsigned size, class Parent> WARPMESH_METHOD thread_block_tile<size, Parent> tiled_partition(const Parent &parent) {
  return thread_block_tile<size, Parent>(parent.thread_rank());
}
WARPMESH_METHOD thread_group tiled_partition(const thread_group &parent, unsigned size) {
  if (parent.kind_ == details::block && size >= 32) return thread_group(details::warp_part, 0xffffffffu, 32, parent.rank_ % 32);
  unsigned mask = 0, first = parent.rank_ / size * size, rank = 0;
  // Of a part of a warp the lanes with these ranks, of a block those behind each other.
  for (unsigned left = parent.kind_ == details::block ? 0xffffffffu : parent.mask_, place = parent.kind_ == details::block ? parent.rank_ & ~31u : 0; left != 0; left &= left - 1, ++place)
    if (place >= first && place < first + size) mask |= left & -left;
  rank = __popc(mask & details::lanes_below());
  return thread_group(details::warp_part, mask, __popc(mask), rank);
}
WARPMESH_METHOD coalesced_group binary_partition(const warp_group &parent, bool predicate) {
  unsigned mask = __ballot_sync(parent.lanes(), predicate);
  return coalesced_group(predicate ? mask : parent.lanes() & ~mask);
}
template <class T> WARPMESH_METHOD coalesced_group labeled_partition(const warp_group &parent, T label) { return coalesced_group(__match_any_sync(parent.lanes(), label)); }

// All threads of a launch by cudaLaunchCooperativeKernel.
class grid_group {
 public:
  WARPMESH_METHOD bool is_valid() const { return true; }
  WARPMESH_METHOD void sync() const {
    __syncthreads();
    if (details::rank_in_block() == 0) {
      bool is_first = blockIdx.x == 0 && blockIdx.y == 0 && blockIdx.z == 0;
      __threadfence();
      unsigned before = atomicAdd(&warpmesh_grid_barrier, is_first ? 0x80000000u - (num_blocks() - 1) : 1u);
      while (((*(volatile unsigned *)&warpmesh_grid_barrier ^ before) & 0x80000000u) == 0) {}
      __threadfence();
    }
    __syncthreads();
  }
  static WARPMESH_METHOD unsigned num_blocks() { return gridDim.x * gridDim.y * gridDim.z; }
  static WARPMESH_METHOD unsigned block_rank() { return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z); }
  static WARPMESH_METHOD dim3 dim_blocks() { return gridDim; }
  static WARPMESH_METHOD dim3 group_dim() { return gridDim; }
  static WARPMESH_METHOD dim3 block_index() { return blockIdx; }
  static WARPMESH_METHOD unsigned long long size() { return (unsigned long long)num_blocks() * details::threads_of_block(); }
  static WARPMESH_METHOD unsigned long long num_threads() { return size(); }
  static WARPMESH_METHOD unsigned long long thread_rank() { return (unsigned long long)block_rank() * details::threads_of_block() + details::rank_in_block(); }
};
WARPMESH_METHOD grid_group this_grid() { return grid_group(); }

template <class Group> WARPMESH_METHOD void sync(const Group &group) { group.sync(); }
template <class Group> WARPMESH_METHOD void wait(const Group &group) { group.sync(); }
// A copy by all threads of a group; it is complete behind wait().
template <class Group> WARPMESH_METHOD void memcpy_async(const Group &group, void *to, const void *from, size_t bytes) {
  for (size_t i = group.thread_rank(); i < bytes; i += group.size()) ((char *)to)[i] = ((const char *)from)[i];
}

// -- operators, reductions and scans

template <class T = void> struct plus { WARPMESH_METHOD T operator()(T a, T b) const { return a + b; } };
template <class T = void> struct less { WARPMESH_METHOD T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T = void> struct greater { WARPMESH_METHOD T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T = void> struct bit_and { WARPMESH_METHOD T operator()(T a, T b) const { return a & b; } };
template <class T = void> struct bit_or { WARPMESH_METHOD T operator()(T a, T b) const { return a | b; } };
template <class T = void> struct bit_xor { WARPMESH_METHOD T operator()(T a, T b) const { return a ^ b; } };
template <> struct plus<void> { template <class T> WARPMESH_METHOD T operator()(T a, T b) const { return a + b; } };
template <> struct less<void> { template <class T> WARPMESH_METHOD T operator()(T a, T b) const { return b < a ? b : a; } };
template <> struct greater<void> { template <class T> WARPMESH_METHOD T operator()(T a, T b) const { return a < b ? b : a; } };
template <> struct bit_and<void> { template <class T> WARPMESH_METHOD T operator()(T a, T b) const { return a & b; } };
template <> struct bit_or<void> { template <class T> WARPMESH_METHOD T operator()(T a, T b) const { return a | b; } };
template <> struct bit_xor<void> { template <class T> WARPMESH_METHOD T operator()(T a, T b) const { return a ^ b; } };

// In the order of the ranks, so that every thread has the same value.
template <class Group, class T, class Operator> WARPMESH_METHOD T reduce(const Group &group, T value, Operator &&op) {
  T result = group.shfl(value, 0);
  for (unsigned rank = 1; rank < group.size(); ++rank) result = op(result, group.shfl(value, rank));
  return result;
}
template <class Group, class T, class Operator> WARPMESH_METHOD T inclusive_scan(const Group &group, T value, Operator &&op) {
  T result = group.shfl(value, 0);
  for (unsigned rank = 1; rank < group.size(); ++rank) {
    T next = group.shfl(value, rank);
    if (rank <= group.thread_rank()) result = op(result, next);
  }
  return result;
}
template <class Group, class T> WARPMESH_METHOD T inclusive_scan(const Group &group, T value) { return inclusive_scan(group, value, plus<T>()); }
// Of the first thread, zero of the type.
template <class Group, class T, class Operator> WARPMESH_METHOD T exclusive_scan(const Group &group, T value, Operator &&op) {
  T sum = inclusive_scan(group, value, op), before = group.shfl_up(sum, 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T> WARPMESH_METHOD T exclusive_scan(const Group &group, T value) { return exclusive_scan(group, value, plus<T>()); }

// Tiles of several warps, which exchange values in memory that the kernel gives.
namespace experimental {
template <unsigned bytes_of_value = 8, unsigned threads = 1024> struct block_tile_memory { alignas(16) unsigned char bytes[bytes_of_value * threads]; };
class thread_block_with_memory : public thread_block {
 public:
  unsigned char *memory;
  unsigned bytes_of_value;
};
template <unsigned bytes_of_value, unsigned threads> WARPMESH_METHOD thread_block_with_memory this_thread_block(block_tile_memory<bytes_of_value, threads> &memory) {
  thread_block_with_memory block;
  block.memory = memory.bytes, block.bytes_of_value = bytes_of_value;
  return block;
}
template <unsigned size_of_tile> class tile_of_warps {
  static_assert(size_of_tile > 32 && size_of_tile <= 1024 && (size_of_tile & (size_of_tile - 1)) == 0, "tiles of several warps have 64 to 1024 threads");
  unsigned char *memory_;
  unsigned bytes_;

 public:
  WARPMESH_METHOD tile_of_warps(unsigned char *memory, unsigned bytes) : memory_(memory), bytes_(bytes) {}
  static constexpr WARPMESH_METHOD unsigned size() { return size_of_tile; }
  static constexpr WARPMESH_METHOD unsigned num_threads() { return size_of_tile; }
  static WARPMESH_METHOD unsigned thread_rank() { return details::rank_in_block() % size_of_tile; }
  static WARPMESH_METHOD unsigned meta_group_rank() { return details::rank_in_block() / size_of_tile; }
  static WARPMESH_METHOD unsigned meta_group_size() { return (details::threads_of_block() + size_of_tile - 1) / size_of_tile; }
  // Barrier 0 is that of the whole block; there are 15 others.
  static WARPMESH_METHOD void sync() {
    if (meta_group_size() == 1) return __syncthreads();
    if (meta_group_size() > 15) __trap();
    asm volatile("bar.sync %0, %1;" : : "r"(1 + meta_group_rank()), "r"(size_of_tile) : "memory");
  }
  template <class T> WARPMESH_METHOD T &place(unsigned rank) const {
    if (sizeof(T) > bytes_) __trap();
    return *(T *)(memory_ + bytes_ * (meta_group_rank() * size_of_tile + (rank & (size_of_tile - 1))));
  }
  template <class T> WARPMESH_METHOD T shfl(T value, int rank) const {
    // All have read what was there before.
    sync();
    place<T>(thread_rank()) = value;
    sync();
    return place<T>((unsigned)rank);
  }
  WARPMESH_METHOD int any(int predicate) const;
  WARPMESH_METHOD int all(int predicate) const;
};
template <unsigned size, bool warps = (size > 32)> struct tile_kind {
  static WARPMESH_METHOD thread_block_tile<size, thread_block> of(const thread_block_with_memory &block) { return thread_block_tile<size, thread_block>(block.thread_rank()); }
};
template <unsigned size> struct tile_kind<size, true> {
  static WARPMESH_METHOD tile_of_warps<size> of(const thread_block_with_memory &block) { return tile_of_warps<size>(block.memory, block.bytes_of_value); }
};
template <unsigned size> WARPMESH_METHOD auto tiled_partition(const thread_block_with_memory &block) -> decltype(tile_kind<size>::of(block)) { return tile_kind<size>::of(block); }
}  // namespace experimental

// Each warp by itself, then their results in order.
template <unsigned size, class T, class Operator> WARPMESH_METHOD T reduce(const experimental::tile_of_warps<size> &group, T value, Operator &&op) {
  T own = reduce(tiled_partition<32>(this_thread_block()), value, op);
  group.sync();
  if (details::lane() == 0) group.template place<T>(group.thread_rank()) = own;
  group.sync();
  T result = group.template place<T>(0);
  for (unsigned rank = 32; rank < size; rank += 32) result = op(result, group.template place<T>(rank));
  return result;
}
template <unsigned size> WARPMESH_METHOD int experimental::tile_of_warps<size>::any(int predicate) const { return reduce(*this, (unsigned)(predicate != 0), bit_or<unsigned>()); }
template <unsigned size> WARPMESH_METHOD int experimental::tile_of_warps<size>::all(int predicate) const { return reduce(*this, (unsigned)(predicate != 0), bit_and<unsigned>()); }

}  // namespace cooperative_groups

#undef WARPMESH_METHOD

#endif

#endif
