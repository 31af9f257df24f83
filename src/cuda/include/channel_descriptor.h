// cudaCreateChannelDesc: the channels of a texel, for host and device code.
#ifndef WARPMESH_CHANNEL_DESCRIPTOR_H
#define WARPMESH_CHANNEL_DESCRIPTOR_H
#pragma GCC system_header
#define __CHANNEL_DESCRIPTOR_H__

#include "driver_types.h"
#include "vector_types.h"

#ifdef __cplusplus

template <class T> struct warpmesh_channels;
#define WARPMESH_CHANNELS(type, bits, count, format)                                                                                 \
  template <> struct warpmesh_channels<type> {                                                                                       \
    static constexpr cudaChannelFormatDesc desc() { return {bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0, format}; } \
  };
#define WARPMESH_VECTOR_CHANNELS(name, bits, format)      \
  WARPMESH_CHANNELS(name##1, bits, 1, format)             \
  WARPMESH_CHANNELS(name##2, bits, 2, format)             \
  WARPMESH_CHANNELS(name##4, bits, 4, format)
WARPMESH_CHANNELS(char, 8, 1, cudaChannelFormatKindSigned)
WARPMESH_CHANNELS(signed char, 8, 1, cudaChannelFormatKindSigned)
WARPMESH_CHANNELS(unsigned char, 8, 1, cudaChannelFormatKindUnsigned)
WARPMESH_CHANNELS(short, 16, 1, cudaChannelFormatKindSigned)
WARPMESH_CHANNELS(unsigned short, 16, 1, cudaChannelFormatKindUnsigned)
WARPMESH_CHANNELS(int, 32, 1, cudaChannelFormatKindSigned)
WARPMESH_CHANNELS(unsigned int, 32, 1, cudaChannelFormatKindUnsigned)
WARPMESH_CHANNELS(float, 32, 1, cudaChannelFormatKindFloat)
WARPMESH_VECTOR_CHANNELS(char, 8, cudaChannelFormatKindSigned)
WARPMESH_VECTOR_CHANNELS(uchar, 8, cudaChannelFormatKindUnsigned)
WARPMESH_VECTOR_CHANNELS(short, 16, cudaChannelFormatKindSigned)
WARPMESH_VECTOR_CHANNELS(ushort, 16, cudaChannelFormatKindUnsigned)
WARPMESH_VECTOR_CHANNELS(int, 32, cudaChannelFormatKindSigned)
WARPMESH_VECTOR_CHANNELS(uint, 32, cudaChannelFormatKindUnsigned)
WARPMESH_VECTOR_CHANNELS(float, 32, cudaChannelFormatKindFloat)
#undef WARPMESH_VECTOR_CHANNELS
#undef WARPMESH_CHANNELS

template <class T> static inline cudaChannelFormatDesc cudaCreateChannelDesc() { return warpmesh_channels<T>::desc(); }
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf() { return {16, 0, 0, 0, cudaChannelFormatKindFloat}; }
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return {16, 0, 0, 0, cudaChannelFormatKindFloat}; }
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() { return {16, 16, 0, 0, cudaChannelFormatKindFloat}; }
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() { return {16, 16, 16, 16, cudaChannelFormatKindFloat}; }
static inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f) { return {x, y, z, w, f}; }

#endif

#endif
