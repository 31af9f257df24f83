// Atomics, and what is built of them: histograms, queues, locks, flags between blocks.
#include "features.h"
#include <algorithm>

__global__ void atomics(int *i, unsigned *u, unsigned long long *l, float *f) {
  int t = threadIdx.x;
  atomicAdd(&i[0], t);
  atomicSub(&i[1], t);
  atomicMin(&i[2], t - 20);
  atomicMax(&i[3], t);
  atomicAnd(&i[4], ~(1 << (t & 15)));
  atomicOr(&i[5], 1 << (t & 7));
  atomicXor(&i[6], t);
  atomicExch(&i[7], 9);
  atomicCAS(&i[8], 0, 5);
  atomicAdd(&u[0], 2u * t);
  atomicInc(&u[1], 9);
  atomicDec(&u[2], 9);
  atomicMin(&u[3], (unsigned)t + 3);
  atomicMax(&u[4], (unsigned)t);
  atomicAdd(&l[0], (unsigned long long)t << 30);
  atomicMax(&l[1], (unsigned long long)t << 33);
  atomicExch(&l[2], 1ull << 40);
  atomicCAS(&l[3], 0ull, 77ull << 32);
  atomicOr(&l[4], 1ull << t);
  atomicAdd(&f[0], 0.5f * t);
  atomicExch(&f[1], 2.5f);
}
FEATURE(atomics, "all atomics of 32 and 64 bits on global memory") {
  std::vector<int> i(9), i_expected = {2016, -2016, -20, 63, 1024 - 1024, 255, 0, 9, 5};
  i[4] = 0xffff;
  std::vector<unsigned> u = {0, 0, 0, 99, 0}, u_expected = {4032, 64 % 10, 0, 3, 63};
  for (int k = 0; k < 64; ++k) u_expected[2] = u_expected[2] == 0 ? 9 : u_expected[2] - 1;
  std::vector<unsigned long long> l(5), l_expected = {2016ull << 30, 63ull << 33, 1ull << 40, 77ull << 32, ~0ull};
  Device<int> d_i(i);
  Device<unsigned> d_u(u);
  Device<unsigned long long> d_l(l);
  Device<float> d_f(2);
  atomics<<<1, 64>>>(d_i, d_u, d_l, d_f);
  return differences(d_i.host(), i_expected) + differences(d_u.host(), u_expected) + differences(d_l.host(), l_expected) + differences(d_f.host(), {1008.0f, 2.5f});
}

__device__ float atomic_add_by_cas(float *address, float value) {
  int *as_int = (int *)address, old = *as_int, assumed;
  do {
    assumed = old;
    old = atomicCAS(as_int, assumed, __float_as_int(value + __int_as_float(assumed)));
  } while (assumed != old);
  return __int_as_float(old);
}
__device__ double atomic_add_double(double *address, double value) {
  unsigned long long int *as_ull = (unsigned long long int *)address, old = *as_ull, assumed;
  do {
    assumed = old;
    old = atomicCAS(as_ull, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
__device__ float atomic_min_float(float *address, float value) {
  int old = __float_as_int(*address);
  while (value < __int_as_float(old)) {
    int seen = atomicCAS((int *)address, old, __float_as_int(value));
    if (seen == old) break;
    old = seen;
  }
  return __int_as_float(old);
}
__global__ void cas_loops(float *sum, double *d_sum, float *least, const float *in) {
  __shared__ float s_sum;
  if (threadIdx.x == 0) s_sum = 0;
  __syncthreads();
  float x = in[blockIdx.x * blockDim.x + threadIdx.x];
  atomic_add_by_cas(&s_sum, x);
  atomic_add_double(d_sum, (double)x);
  atomic_min_float(least, x);
  __syncthreads();
  if (threadIdx.x == 0) atomic_add_by_cas(sum, s_sum);
}
FEATURE(cas_loops, "float and double sums and minima as loops around atomicCAS, on global and shared memory") {
  auto in = random_values<float>(128, 1000);
  in[77] = -3;
  Device<float> d_in(in), d_sum(1), d_least(std::vector<float>{1e9f});
  Device<double> d_double(1);
  cas_loops<<<2, 64>>>(d_sum, d_double, d_least, d_in);
  double sum = 0;
  for (float x : in) sum += x;
  return (d_sum.host()[0] != sum) + (d_double.host()[0] != sum) + (d_least.host()[0] != -3);
}

__global__ void shared_atomics(const int *in, int *out, int n) {
  __shared__ int bins[32];
  __shared__ unsigned int most, wraps;
  for (int i = threadIdx.x; i < 32; i += blockDim.x) bins[i] = 0;
  if (threadIdx.x == 0) most = wraps = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    atomicAdd(&bins[in[i] & 31], 1);
    atomicMax(&most, (unsigned)in[i]);
    atomicInc(&wraps, 6);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 32; i += blockDim.x) atomicAdd(out + i, bins[i]);
  if (threadIdx.x == 0) {
    atomicMax((unsigned *)out + 32, most);
    atomicAdd(out + 33, (int)wraps);
  }
}
FEATURE(shared_atomics, "histogram by atomics on shared memory (Parboil histo, SDK histogram)") {
  auto in = random_values<int>(500, 1000);
  Device<int> d_in(in), d_out(34);
  shared_atomics<<<2, 64>>>(d_in, d_out, 500);
  std::vector<int> expected(34);
  int of_block[2] = {};
  for (int i = 0; i < 500; ++i) {
    ++expected[in[i] & 31];
    expected[32] = in[i] > expected[32] ? in[i] : expected[32];
    ++of_block[i / 64 % 2];
  }
  expected[33] = of_block[0] % 7 + of_block[1] % 7;
  return differences(d_out.host(), expected);
}

// Tagged words in place of shared atomics: each thread of a warp writes until its tag stays (SDK histogram of the first cards).
__device__ inline void add_tagged(volatile unsigned *histogram, unsigned data, unsigned tag) {
  unsigned count;
  do {
    count = histogram[data] & 0x07ffffffu;
    count = tag | (count + 1);
    histogram[data] = count;
  } while (histogram[data] != count);
}
__global__ void tagged_histogram(const unsigned *in, unsigned *out, int n) {
  __shared__ unsigned histogram[2][16];
  unsigned *own = histogram[threadIdx.x >> 5];
  for (int i = threadIdx.x & 31; i < 16; i += 32) own[i] = 0;
  __syncthreads();
  const unsigned tag = threadIdx.x << 27;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    unsigned word = in[i];
    add_tagged(own, word & 15, tag);
    add_tagged(own, word >> 8 & 15, tag);
  }
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = (histogram[0][threadIdx.x] & 0x07ffffffu) + (histogram[1][threadIdx.x] & 0x07ffffffu);
}
FEATURE(tagged_histogram, "histogram with tagged words, a loop until the own write stays (SDK histogram of compute capability 1.0)") {
  auto in = random_values<unsigned>(128, 1 << 20);
  Device<unsigned> d_in(in), d_out(16);
  tagged_histogram<<<1, 64>>>(d_in, d_out, 128);
  std::vector<unsigned> expected(16);
  for (unsigned x : in) {
    ++expected[x & 15];
    ++expected[x >> 8 & 15];
  }
  return differences(d_out.host(), expected);
}

struct Lock {
  int *mutex;
  __device__ void lock() { while (atomicCAS(mutex, 0, 1) != 0); }
  __device__ void unlock() { __threadfence(); atomicExch(mutex, 0); }
};
__global__ void spin_locks(Lock lock, volatile int *total, int *mutex, volatile int *second) {
  if (threadIdx.x == 0) {
    lock.lock();
    *total = *total + blockIdx.x + 1;
    lock.unlock();
  }
  // All threads of a warp, each in its turn: the one that gets the lock lets it go within the loop.
  bool done = false;
  while (!done) {
    if (atomicExch(mutex, 1) == 0) {
      *second = *second + 1;
      __threadfence();
      atomicExch(mutex, 0);
      done = true;
    }
  }
}
FEATURE(spin_locks, "spin locks: a structure with lock and unlock for a block, and one that all threads of a warp take (books, Lonestar)") {
  Device<int> mutex(1), total(1), mutex2(1), second(1);
  spin_locks<<<2, 32>>>(Lock{mutex}, total, mutex2, second);
  return (total.host()[0] != 3) + (second.host()[0] != 64);
}

// Persistent threads: a block takes work until there is none, and makes some.
struct Queue { int head, tail, capacity; int *items; };
__device__ int pop_shared(Queue *queue, int *place) {
  if (threadIdx.x == 0) *place = atomicAdd(&queue->head, 1);
  __syncthreads();
  int at = *place;
  __syncthreads();
  return at;
}
__global__ void work_queue(Queue *queue, int *done, int n) {
  __shared__ int place;
  for (;;) {
    int at = pop_shared(queue, &place);
    if (at >= n) return;
    int item = queue->items[at];
    atomicAdd(&done[item % 32], item + threadIdx.x);
  }
}
FEATURE(work_queue, "persistent threads that take work from a queue by an atomic (ray tracers, Lonestar worklists)") {
  auto items = random_values<int>(40, 500);
  Device<int> d_items(items), done(32);
  std::vector<Queue> q = {{0, 40, 40, d_items}};
  Device<Queue> d_queue(q);
  work_queue<<<3, 32>>>(d_queue, done, 40);
  std::vector<int> expected(32);
  for (int item : items) expected[item % 32] += 32 * item + 31 * 16;
  return differences(done.host(), expected);
}

// A wave that goes from block to block: each waits for its neighbour's flag.
__global__ void block_chain(volatile int *flags, volatile int *sums, const int *in) {
  __shared__ int before;
  int b = blockIdx.x, sum = 0;
  if (threadIdx.x == 0) {
    for (int i = 0; i < blockDim.x; ++i) sum += in[b * blockDim.x + i];
    if (b > 0) while (flags[b - 1] == 0);
    __threadfence();
    before = b > 0 ? sums[b - 1] : 0;
    sums[b] = before + sum;
    __threadfence();
    flags[b] = 1;
  }
  __syncthreads();
}
FEATURE(block_chain, "blocks that wait for the flag of the one before: a scan in one pass (StreamScan, decoupled)") {
  auto in = random_values<int>(256, 50);
  Device<int> d_in(in), flags(8), sums(8);
  block_chain<<<8, 32>>>(flags, sums, d_in);
  std::vector<int> expected(8);
  for (int i = 0; i < 256; ++i) expected[i / 32] += in[i];
  for (int b = 1; b < 8; ++b) expected[b] += expected[b - 1];
  return differences(sums.host(), expected);
}

// Device-wide insertion into buckets by exchanged heads of lists.
struct Entry { unsigned key; int next; };
__global__ void hash_lists(const unsigned *keys, Entry *entries, int *heads, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  entries[i].key = keys[i];
  entries[i].next = atomicExch(&heads[keys[i] * 2654435761u >> 28], i);
}
__global__ void hash_find(const unsigned *keys, const Entry *entries, const int *heads, int *found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int count = 0;
  for (int at = heads[keys[i] * 2654435761u >> 28]; at >= 0; at = entries[at].next) count += entries[at].key == keys[i];
  found[i] = count;
}
FEATURE(hash_lists, "a hash table of lists: heads by atomicExch, walked by another kernel") {
  auto keys = random_values<unsigned>(100, 60);
  Device<unsigned> d_keys(keys);
  Device<Entry> entries(100);
  Device<int> heads(16, 0xff), found(100);
  hash_lists<<<2, 64>>>(d_keys, entries, heads, 100);
  hash_find<<<2, 64>>>(d_keys, entries, heads, found, 100);
  std::vector<int> expected(100);
  for (int i = 0; i < 100; ++i)
    for (unsigned key : keys) expected[i] += key == keys[i];
  return differences(found.host(), expected);
}

// Many threads, few places: also through generic addresses, of which the compiler does not know the space.
typedef unsigned long long word64;
__device__ __noinline__ word64 *chosen(word64 *shared, word64 *global, bool in_shared) { return in_shared ? shared : global; }
__global__ void shared_atomics_64(const word64 *in, word64 *out, double *sums, word64 *tickets, word64 *both, int rounds) {
  __shared__ word64 add[5], most, least, all, any, parity, ticket, product, mixed[2];
  __shared__ long long signed_most;
  __shared__ double sum;
  int t = threadIdx.x;
  if (t == 0) {
    for (word64 &a : add)
      a = 0xffffffffull;
    most = product = parity = any = ticket = mixed[0] = mixed[1] = 0;
    least = all = ~0ull;
    signed_most = -(1ll << 62);
    sum = 0;
  }
  __syncthreads();
  for (int r = 0; r < rounds; ++r) {
    word64 v = in[r * blockDim.x + t];
    atomicAdd(&add[t % 5], v);
    atomicMax(&most, v);
    atomicMin(&least, v);
    atomicMax(&signed_most, (long long)(v - (1ull << 63)));
    atomicAnd(&all, v | 0xf0f0);
    atomicOr(&any, v & 0x00ff00ff00ff00ffull);
    atomicXor(&parity, v);
    atomicAdd(&sum, (double)(v >> 44));
    tickets[r * blockDim.x + t] = atomicAdd(&ticket, 1ull << 32 | 1);
    // A sum by compare-and-swap.
    word64 seen = product, expected;
    do {
      expected = seen;
      seen = atomicCAS(&product, expected, expected + (v >> 8));
    } while (seen != expected);
    // Values that are exchanged are never lost: their sum stays.
    word64 mine = atomicExch(&mixed[r & 1], v);
    atomicAdd(chosen(&add[t % 5], &both[t % 5], r & 1), mine >> 32);
  }
  __syncthreads();
  if (t < 5)
    out[t] = add[t];
  if (t == 0) {
    word64 results[] = {most, least, (word64)signed_most, all, any, parity, ticket, product, mixed[0], mixed[1]};
    for (int i = 0; i < 10; ++i)
      out[5 + i] = results[i];
    *sums = sum;
  }
}
FEATURE(shared_atomics_64, "atomics of 64 bits on shared memory: add, exch, cas, min, max, and, or, xor, also of doubles and through generic addresses") {
  const int threads = 96, rounds = 4, count = threads * rounds;
  std::vector<word64> in(count);
  unsigned seed = 3;
  for (word64 &v : in)
    v = (word64)random_number(seed) << 40 ^ (word64)random_number(seed) << 20 ^ random_number(seed);
  Device<word64> d_in(in), out(15), tickets(count), both(5);
  Device<double> d_sum(1);
  shared_atomics_64<<<1, threads>>>(d_in, out, d_sum, tickets, both, rounds);
  std::vector<word64> found = out.host(), found_tickets = tickets.host(), found_both = both.host();
  word64 most = 0, least = ~0ull, all = ~0ull, any = 0, parity = 0, product = 0, added = 5 * 0xffffffffull, left[2] = {found[13], found[14]}, exchanged[2] = {0, 0};
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    word64 v = in[i];
    most = std::max(most, v), least = std::min(least, v), all &= v | 0xf0f0, any |= v & 0x00ff00ff00ff00ffull, parity ^= v, product += v >> 8, sum += v >> 44;
    added += v;
    exchanged[i / threads & 1] += v >> 32;
  }
  // What is left was not added.
  for (int k = 0; k < 2; ++k)
    exchanged[k] -= left[k] >> 32;
  word64 in_shared = 0, in_global = 0;
  for (int k = 0; k < 5; ++k)
    in_shared += found[k], in_global += found_both[k];
  int wrong = (in_shared != added + exchanged[1]) + (in_global != exchanged[0]);
  wrong += (found[5] != most) + (found[6] != least) + (found[7] != most - (1ull << 63)) + (found[8] != all) + (found[9] != any) + (found[10] != parity);
  wrong += (found[11] != ((word64)count << 32 | (word64)count)) + (found[12] != product) + (d_sum.host()[0] != sum);
  std::sort(found_tickets.begin(), found_tickets.end());
  for (int i = 0; i < count; ++i)
    wrong += found_tickets[i] != ((word64)i << 32 | (word64)i);
  return wrong;
}
