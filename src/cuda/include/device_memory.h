// Memory in device code: memcpy and its like, and the heap of malloc and free, which clang's own <new> calls.
#ifndef WARPMESH_DEVICE_MEMORY_H
#define WARPMESH_DEVICE_MEMORY_H
#pragma GCC system_header

#include "device_functions.h"

WARPMESH_DEVICE void *memcpy(void *to, const void *from, size_t bytes) noexcept { return __builtin_memcpy(to, from, bytes); }
WARPMESH_DEVICE void *memset(void *to, int value, size_t bytes) noexcept { return __builtin_memset(to, value, bytes); }
WARPMESH_DEVICE void *memmove(void *to, const void *from, size_t bytes) noexcept {
  char *t = (char *)to;
  const char *f = (const char *)from;
  if (t < f)
    for (size_t i = 0; i < bytes; ++i) t[i] = f[i];
  else
    for (size_t i = bytes; i > 0; --i) t[i - 1] = f[i - 1];
  return to;
}
WARPMESH_DEVICE int memcmp(const void *a, const void *b, size_t bytes) noexcept {
  for (size_t i = 0; i < bytes; ++i)
    if (((const unsigned char *)a)[i] != ((const unsigned char *)b)[i])
      return ((const unsigned char *)a)[i] - ((const unsigned char *)b)[i];
  return 0;
}
WARPMESH_DEVICE size_t strlen(const char *text) noexcept {
  size_t length = 0;
  while (text[length]) ++length;
  return length;
}

// The heap of a file, 8 MiB as CUDA's default: blocks of 2^k units of 16 bytes. The first unit of a block holds k, the heap (another file may
// free the block) and, while the block is free, the next free one.
// `lists`: the first free block of each size, with a number that each change increments in its upper half, so that a block that was
// taken and given back in between is not mistaken for itself. `next`: the unit from which on there were no blocks yet.
#define WARPMESH_HEAP_UNITS (1u << 19)
struct warpmesh_device_heap;
struct warpmesh_heap_unit { unsigned size, next; warpmesh_device_heap *heap; };
struct warpmesh_device_heap {
  unsigned long long lists[20];
  unsigned next, pad[3];
  warpmesh_heap_unit units[WARPMESH_HEAP_UNITS];
};
static __attribute__((device)) warpmesh_device_heap warpmesh_heap;

static __attribute__((device)) __noinline__ void *warpmesh_malloc(size_t bytes) {
  if (bytes == 0 || bytes > (size_t)16 * (WARPMESH_HEAP_UNITS / 2))
    return nullptr;
  unsigned units = (unsigned)((bytes + 15) / 16) + 1, size = units > 1 ? 32 - __clz((int)(units - 1)) : 0;
  unsigned long long *list = &warpmesh_heap.lists[size];
  unsigned long long head = *(volatile unsigned long long *)list;
  while ((unsigned)head != 0) {
    unsigned next = *(volatile unsigned *)&warpmesh_heap.units[(unsigned)head - 1].next;
    unsigned long long seen = atomicCAS(list, head, ((head >> 32) + 1) << 32 | next);
    if (seen == head)
      return &warpmesh_heap.units[(unsigned)head];
    head = seen;
  }
  // The check keeps the sum from growing without bound when the heap is full.
  if (*(volatile unsigned *)&warpmesh_heap.next > WARPMESH_HEAP_UNITS - (1u << size))
    return nullptr;
  unsigned at = atomicAdd(&warpmesh_heap.next, 1u << size);
  if (at > WARPMESH_HEAP_UNITS - (1u << size))
    return nullptr;
  warpmesh_heap.units[at].size = size;
  warpmesh_heap.units[at].heap = &warpmesh_heap;
  return &warpmesh_heap.units[at + 1];
}

static __attribute__((device)) __noinline__ void warpmesh_free(void *pointer) {
  if (pointer == nullptr)
    return;
  warpmesh_heap_unit *unit = (warpmesh_heap_unit *)pointer - 1;
  warpmesh_device_heap &heap = *unit->heap;
  unsigned long long *list = &heap.lists[unit->size];
  unsigned long long head = *(volatile unsigned long long *)list, seen;
  do {
    seen = head;
    *(volatile unsigned *)&unit->next = (unsigned)seen;
    __threadfence();
    head = atomicCAS(list, seen, ((seen >> 32) + 1) << 32 | (unsigned)(unit - heap.units + 1));
  } while (head != seen);
}

WARPMESH_DEVICE void *malloc(size_t bytes) noexcept { return warpmesh_malloc(bytes); }
WARPMESH_DEVICE void free(void *pointer) noexcept { warpmesh_free(pointer); }
WARPMESH_DEVICE void *calloc(size_t count, size_t bytes) noexcept {
  void *pointer = count == 0 || bytes <= (size_t)-1 / count ? warpmesh_malloc(count * bytes) : nullptr;
  return pointer == nullptr ? nullptr : memset(pointer, 0, count * bytes);
}

#endif
