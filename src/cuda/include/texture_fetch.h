// Textures: what they are in device code, and how the host binds them.
#ifndef WARPMESH_TEXTURE_FETCH_H
#define WARPMESH_TEXTURE_FETCH_H
#pragma GCC system_header

#include "channel_descriptor.h"
#include "cuda_runtime_api.h"
#include "device_functions.h"

// In device code, clang makes a handle of it.
template <class T, int dimensions = cudaTextureType1D, enum cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {
  texture(int normalized = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint, enum cudaTextureAddressMode address = cudaAddressModeClamp);
  texture(int normalized, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address, struct cudaChannelFormatDesc format);
};

template <class T, int d, enum cudaTextureReadMode m>
texture<T, d, m>::texture(int normalized, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address)
    : textureReference{normalized, filter, {address, address, address}, warpmesh_channels<T>::desc()} {}
template <class T, int d, enum cudaTextureReadMode m>
texture<T, d, m>::texture(int normalized, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address, struct cudaChannelFormatDesc format)
    : textureReference{normalized, filter, {address, address, address}, format} {}

// -- fetches: channels come in 32 bits each. What a texel is like, the instruction does not say: a float of integers of 8 or 16 bits is a fraction

struct warpmesh_float_texel { float x, y, z, w; };
struct warpmesh_int_texel { int x, y, z, w; };
#define WARPMESH_FETCH(texel, letter, of)                                                                                                    \
  static __attribute__((device, always_inline)) inline texel warpmesh_fetch_1d(unsigned long long handle, int x, texel *) {                   \
    texel t;                                                                                                                                 \
    asm("tex.1d.v4." of ".s32 {%0, %1, %2, %3}, [%4, {%5}];" : "=" letter(t.x), "=" letter(t.y), "=" letter(t.z), "=" letter(t.w) : "l"(handle), "r"(x)); \
    return t;                                                                                                                                \
  }                                                                                                                                          \
  static __attribute__((device, always_inline)) inline texel warpmesh_fetch_1d(unsigned long long handle, float x, texel *) {                 \
    texel t;                                                                                                                                 \
    asm("tex.1d.v4." of ".f32 {%0, %1, %2, %3}, [%4, {%5}];" : "=" letter(t.x), "=" letter(t.y), "=" letter(t.z), "=" letter(t.w) : "l"(handle), "f"(x)); \
    return t;                                                                                                                                \
  }                                                                                                                                          \
  static __attribute__((device, always_inline)) inline texel warpmesh_fetch_2d(unsigned long long handle, float x, float y, texel *) {        \
    texel t;                                                                                                                                 \
    asm("tex.2d.v4." of ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"                                                                             \
        : "=" letter(t.x), "=" letter(t.y), "=" letter(t.z), "=" letter(t.w) : "l"(handle), "f"(x), "f"(y));                                 \
    return t;                                                                                                                                \
  }                                                                                                                                          \
  static __attribute__((device, always_inline)) inline texel warpmesh_fetch_3d(unsigned long long handle, float x, float y, float z, texel *) { \
    texel t;                                                                                                                                 \
    asm("tex.3d.v4." of ".f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];"                                                                     \
        : "=" letter(t.x), "=" letter(t.y), "=" letter(t.z), "=" letter(t.w) : "l"(handle), "f"(x), "f"(y), "f"(z));                         \
    return t;                                                                                                                                \
  }                                                                                                                                          \
  static __attribute__((device, always_inline)) inline texel warpmesh_fetch_1d_layered(unsigned long long handle, float x, int layer, texel *) { \
    texel t;                                                                                                                                 \
    asm("tex.a1d.v4." of ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"                                                                            \
        : "=" letter(t.x), "=" letter(t.y), "=" letter(t.z), "=" letter(t.w) : "l"(handle), "r"(layer), "f"(x));                             \
    return t;                                                                                                                                \
  }                                                                                                                                          \
  static __attribute__((device, always_inline)) inline texel warpmesh_fetch_2d_layered(unsigned long long handle, float x, float y, int layer, texel *) { \
    texel t;                                                                                                                                 \
    asm("tex.a2d.v4." of ".f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];"                                                                    \
        : "=" letter(t.x), "=" letter(t.y), "=" letter(t.z), "=" letter(t.w) : "l"(handle), "r"(layer), "f"(x), "f"(y));                     \
    return t;                                                                                                                                \
  }                                                                                                                                          \
  static __attribute__((device, always_inline)) inline texel warpmesh_fetch_cube(unsigned long long handle, float x, float y, float z, texel *) { \
    texel t;                                                                                                                                 \
    asm("tex.cube.v4." of ".f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];"                                                                   \
        : "=" letter(t.x), "=" letter(t.y), "=" letter(t.z), "=" letter(t.w) : "l"(handle), "f"(x), "f"(y), "f"(z));                         \
    return t;                                                                                                                                \
  }                                                                                                                                          \
  static __attribute__((device, always_inline)) inline texel warpmesh_fetch_cube_layered(unsigned long long handle, float x, float y, float z, int layer, texel *) { \
    texel t;                                                                                                                                 \
    asm("tex.acube.v4." of ".f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %8}];"                                                                  \
        : "=" letter(t.x), "=" letter(t.y), "=" letter(t.z), "=" letter(t.w) : "l"(handle), "r"(layer), "f"(x), "f"(y), "f"(z));             \
    return t;                                                                                                                                \
  }
WARPMESH_FETCH(warpmesh_float_texel, "f", "f32")
WARPMESH_FETCH(warpmesh_int_texel, "r", "s32")
#undef WARPMESH_FETCH

template <class T> struct warpmesh_texel;
#define WARPMESH_TEXEL(type, texel_type, make) \
  template <> struct warpmesh_texel<type> {    \
    typedef texel_type texel;                  \
    static __attribute__((device, always_inline)) inline type of(texel t) { return make; } \
  };
WARPMESH_TEXEL(float, warpmesh_float_texel, t.x)
WARPMESH_TEXEL(float1, warpmesh_float_texel, make_float1(t.x))
WARPMESH_TEXEL(float2, warpmesh_float_texel, make_float2(t.x, t.y))
WARPMESH_TEXEL(float4, warpmesh_float_texel, make_float4(t.x, t.y, t.z, t.w))
WARPMESH_TEXEL(int, warpmesh_int_texel, t.x)
WARPMESH_TEXEL(int1, warpmesh_int_texel, make_int1(t.x))
WARPMESH_TEXEL(int2, warpmesh_int_texel, make_int2(t.x, t.y))
WARPMESH_TEXEL(int4, warpmesh_int_texel, make_int4(t.x, t.y, t.z, t.w))
WARPMESH_TEXEL(unsigned int, warpmesh_int_texel, (unsigned int)t.x)
WARPMESH_TEXEL(uint1, warpmesh_int_texel, make_uint1(t.x))
WARPMESH_TEXEL(uint2, warpmesh_int_texel, make_uint2(t.x, t.y))
WARPMESH_TEXEL(uint4, warpmesh_int_texel, make_uint4(t.x, t.y, t.z, t.w))
#define WARPMESH_TEXELS(name, scalar)                                                           \
  WARPMESH_TEXEL(scalar, warpmesh_int_texel, (scalar)t.x)                                       \
  WARPMESH_TEXEL(name##1, warpmesh_int_texel, make_##name##1((scalar)t.x))                      \
  WARPMESH_TEXEL(name##2, warpmesh_int_texel, make_##name##2((scalar)t.x, (scalar)t.y))         \
  WARPMESH_TEXEL(name##4, warpmesh_int_texel, make_##name##4((scalar)t.x, (scalar)t.y, (scalar)t.z, (scalar)t.w))
WARPMESH_TEXELS(char, signed char)
WARPMESH_TEXELS(uchar, unsigned char)
WARPMESH_TEXELS(short, short)
WARPMESH_TEXELS(ushort, unsigned short)
WARPMESH_TEXEL(char, warpmesh_int_texel, (char)t.x)
#undef WARPMESH_TEXELS
#undef WARPMESH_TEXEL

// What a reference gives: the type of its texels, or floats in their place.
template <class T, enum cudaTextureReadMode mode> struct warpmesh_read { typedef T type; };
#define WARPMESH_FRACTIONS(name, scalar)                                                                \
  template <> struct warpmesh_read<scalar, cudaReadModeNormalizedFloat> { typedef float type; };        \
  template <> struct warpmesh_read<name##1, cudaReadModeNormalizedFloat> { typedef float1 type; };      \
  template <> struct warpmesh_read<name##2, cudaReadModeNormalizedFloat> { typedef float2 type; };      \
  template <> struct warpmesh_read<name##4, cudaReadModeNormalizedFloat> { typedef float4 type; };
WARPMESH_FRACTIONS(char, signed char)
WARPMESH_FRACTIONS(uchar, unsigned char)
WARPMESH_FRACTIONS(short, short)
WARPMESH_FRACTIONS(ushort, unsigned short)
template <> struct warpmesh_read<char, cudaReadModeNormalizedFloat> { typedef float type; };
#undef WARPMESH_FRACTIONS

// -- objects

template <class T> WARPMESH_DEVICE T tex1Dfetch(cudaTextureObject_t object, int x) { return warpmesh_texel<T>::of(warpmesh_fetch_1d(object, x, (typename warpmesh_texel<T>::texel *)0)); }
template <class T> WARPMESH_DEVICE T tex1D(cudaTextureObject_t object, float x) { return warpmesh_texel<T>::of(warpmesh_fetch_1d(object, x, (typename warpmesh_texel<T>::texel *)0)); }
template <class T> WARPMESH_DEVICE T tex2D(cudaTextureObject_t object, float x, float y) { return warpmesh_texel<T>::of(warpmesh_fetch_2d(object, x, y, (typename warpmesh_texel<T>::texel *)0)); }
template <class T> WARPMESH_DEVICE T tex3D(cudaTextureObject_t object, float x, float y, float z) { return warpmesh_texel<T>::of(warpmesh_fetch_3d(object, x, y, z, (typename warpmesh_texel<T>::texel *)0)); }
template <class T> WARPMESH_DEVICE T tex1DLayered(cudaTextureObject_t object, float x, int layer) { return warpmesh_texel<T>::of(warpmesh_fetch_1d_layered(object, x, layer, (typename warpmesh_texel<T>::texel *)0)); }
template <class T> WARPMESH_DEVICE T tex2DLayered(cudaTextureObject_t object, float x, float y, int layer) { return warpmesh_texel<T>::of(warpmesh_fetch_2d_layered(object, x, y, layer, (typename warpmesh_texel<T>::texel *)0)); }
template <class T> WARPMESH_DEVICE T texCubemap(cudaTextureObject_t object, float x, float y, float z) { return warpmesh_texel<T>::of(warpmesh_fetch_cube(object, x, y, z, (typename warpmesh_texel<T>::texel *)0)); }
template <class T> WARPMESH_DEVICE T texCubemapLayered(cudaTextureObject_t object, float x, float y, float z, int layer) { return warpmesh_texel<T>::of(warpmesh_fetch_cube_layered(object, x, y, z, layer, (typename warpmesh_texel<T>::texel *)0)); }
template <class T> WARPMESH_DEVICE void tex1DLayered(T *value, cudaTextureObject_t object, float x, int layer) { *value = tex1DLayered<T>(object, x, layer); }
template <class T> WARPMESH_DEVICE void tex2DLayered(T *value, cudaTextureObject_t object, float x, float y, int layer) { *value = tex2DLayered<T>(object, x, y, layer); }
template <class T> WARPMESH_DEVICE void texCubemap(T *value, cudaTextureObject_t object, float x, float y, float z) { *value = texCubemap<T>(object, x, y, z); }
template <class T> WARPMESH_DEVICE void texCubemapLayered(T *value, cudaTextureObject_t object, float x, float y, float z, int layer) { *value = texCubemapLayered<T>(object, x, y, z, layer); }
template <class T> WARPMESH_DEVICE void tex1D(T *value, cudaTextureObject_t object, float x) { *value = tex1D<T>(object, x); }
template <class T> WARPMESH_DEVICE void tex3D(T *value, cudaTextureObject_t object, float x, float y, float z) { *value = tex3D<T>(object, x, y, z); }
template <class T> WARPMESH_DEVICE void tex1Dfetch(T *value, cudaTextureObject_t object, int x) { *value = tex1Dfetch<T>(object, x); }
template <class T> WARPMESH_DEVICE void tex2D(T *value, cudaTextureObject_t object, float x, float y) { *value = tex2D<T>(object, x, y); }

// -- references: a texture by value is its handle

template <class Texture> WARPMESH_DEVICE unsigned long long warpmesh_handle(Texture t) {
  unsigned long long handle;
  asm("mov.u64 %0, %1;" : "=l"(handle) : "l"(t));
  return handle;
}
#define WARPMESH_REFERENCE(name, dimensions, parameters, ...)                                                                          \
  template <class T, enum cudaTextureReadMode mode>                                                                                    \
  WARPMESH_DEVICE typename warpmesh_read<T, mode>::type name(texture<T, dimensions, mode> t, WARPMESH_UNPACK parameters) {             \
    return name<typename warpmesh_read<T, mode>::type>(warpmesh_handle(t), __VA_ARGS__);                                               \
  }
#define WARPMESH_UNPACK(...) __VA_ARGS__
WARPMESH_REFERENCE(tex1Dfetch, 1, (int x), x)
WARPMESH_REFERENCE(tex1D, 1, (float x), x)
WARPMESH_REFERENCE(tex2D, 2, (float x, float y), x, y)
WARPMESH_REFERENCE(tex3D, 3, (float x, float y, float z), x, y, z)
WARPMESH_REFERENCE(tex1DLayered, cudaTextureType1DLayered, (float x, int layer), x, layer)
WARPMESH_REFERENCE(tex2DLayered, cudaTextureType2DLayered, (float x, float y, int layer), x, y, layer)
WARPMESH_REFERENCE(texCubemap, cudaTextureTypeCubemap, (float x, float y, float z), x, y, z)
WARPMESH_REFERENCE(texCubemapLayered, cudaTextureTypeCubemapLayered, (float x, float y, float z, int layer), x, y, z, layer)
#undef WARPMESH_UNPACK
#undef WARPMESH_REFERENCE

// -- binding

template <class T, int d, enum cudaTextureReadMode m> static inline cudaError_t cudaBindTexture(size_t *offset, const texture<T, d, m> &t, const void *pointer, size_t bytes = ~(size_t)0) {
  return cudaBindTexture(offset, (const textureReference *)&t, pointer, &t.channelDesc, bytes);
}
template <class T, int d, enum cudaTextureReadMode m>
static inline cudaError_t cudaBindTexture(size_t *offset, const texture<T, d, m> &t, const void *pointer, const cudaChannelFormatDesc &format, size_t bytes = ~(size_t)0) {
  return cudaBindTexture(offset, (const textureReference *)&t, pointer, &format, bytes);
}
template <class T, int d, enum cudaTextureReadMode m>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, d, m> &t, const void *pointer, size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, (const textureReference *)&t, pointer, &t.channelDesc, width, height, pitch);
}
template <class T, int d, enum cudaTextureReadMode m>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, d, m> &t, const void *pointer, const cudaChannelFormatDesc &format, size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, (const textureReference *)&t, pointer, &format, width, height, pitch);
}
template <class T, int d, enum cudaTextureReadMode m> static inline cudaError_t cudaBindTextureToArray(const texture<T, d, m> &t, cudaArray_const_t array) {
  return cudaBindTextureToArray((const textureReference *)&t, array, &t.channelDesc);
}
template <class T, int d, enum cudaTextureReadMode m>
static inline cudaError_t cudaBindTextureToArray(const texture<T, d, m> &t, cudaArray_const_t array, const cudaChannelFormatDesc &format) {
  return cudaBindTextureToArray((const textureReference *)&t, array, &format);
}
template <class T, int d, enum cudaTextureReadMode m> static inline cudaError_t cudaUnbindTexture(const texture<T, d, m> &t) { return cudaUnbindTexture((const textureReference *)&t); }

#endif
