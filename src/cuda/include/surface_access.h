// Surfaces: reads and writes of arrays in device code. A coordinate in a row counts bytes.
#ifndef WARPMESH_SURFACE_ACCESS_H
#define WARPMESH_SURFACE_ACCESS_H
#pragma GCC system_header

#include "cuda_runtime_api.h"
#include "device_functions.h"
#include "texture_fetch.h"

// References. In device code, clang makes a handle of one.
template <class T, int dimensions = cudaSurfaceType1D> struct __attribute__((device_builtin_surface_type)) surface : surfaceReference { surface(); };
template <class T, int dimensions> surface<T, dimensions>::surface() : surfaceReference{} {}

static inline cudaError_t cudaBindSurfaceToArray(const surfaceReference *reference, cudaArray_const_t array) {
  return cudaBindSurfaceToArray(reference, array, nullptr);
}
template <class T, int d> static inline cudaError_t cudaBindSurfaceToArray(const surface<T, d> &reference, cudaArray_const_t array) {
  return cudaBindSurfaceToArray((const surfaceReference *)&reference, array, nullptr);
}
template <class T, int d>
static inline cudaError_t cudaBindSurfaceToArray(const surface<T, d> &reference, cudaArray_const_t array, const cudaChannelFormatDesc &format) {
  return cudaBindSurfaceToArray((const surfaceReference *)&reference, array, &format);
}

// What an access of so many bytes moves.
template <int bytes> struct warpmesh_cell;
template <> struct warpmesh_cell<1> { unsigned short a; };
template <> struct warpmesh_cell<2> { unsigned short a; };
template <> struct warpmesh_cell<4> { unsigned int a; };
template <> struct warpmesh_cell<8> { unsigned int a, b; };
template <> struct warpmesh_cell<16> { unsigned int a, b, c, d; };

#define WARPMESH_UNPACK(...) __VA_ARGS__
#define WARPMESH_LOAD(name, geometry, mode, size, type, parameters, at, registers, out, ...)                                 \
  WARPMESH_DEVICE void name##_##mode(warpmesh_cell<size> &cell, cudaSurfaceObject_t surface, WARPMESH_UNPACK parameters) {   \
    asm volatile("suld.b." geometry "." type "." #mode " " registers ", [%" at "];" : WARPMESH_UNPACK out : "l"(surface), __VA_ARGS__ : "memory"); \
  }
#define WARPMESH_STORE(name, geometry, mode, size, type, parameters, at, registers, in, ...)                                 \
  WARPMESH_DEVICE void name##_##mode(const warpmesh_cell<size> &cell, cudaSurfaceObject_t surface, WARPMESH_UNPACK parameters) { \
    asm volatile("sust.b." geometry "." type "." #mode " [%" at "], " registers ";" : : WARPMESH_UNPACK in, "l"(surface), __VA_ARGS__ : "memory"); \
  }
// All sizes of one geometry and mode. `at1`, `at2`, `at4`: handle and coordinates behind so many registers.
#define WARPMESH_ACCESS(name, geometry, mode, parameters, at1, at2, at4, ...)                                                                       \
  WARPMESH_LOAD(name##_read, geometry, mode, 1, "b8", parameters, at1, "{%0}", ("=h"(cell.a)), __VA_ARGS__)                                         \
  WARPMESH_LOAD(name##_read, geometry, mode, 2, "b16", parameters, at1, "{%0}", ("=h"(cell.a)), __VA_ARGS__)                                        \
  WARPMESH_LOAD(name##_read, geometry, mode, 4, "b32", parameters, at1, "{%0}", ("=r"(cell.a)), __VA_ARGS__)                                        \
  WARPMESH_LOAD(name##_read, geometry, mode, 8, "v2.b32", parameters, at2, "{%0, %1}", ("=r"(cell.a), "=r"(cell.b)), __VA_ARGS__)                   \
  WARPMESH_LOAD(name##_read, geometry, mode, 16, "v4.b32", parameters, at4, "{%0, %1, %2, %3}", ("=r"(cell.a), "=r"(cell.b), "=r"(cell.c), "=r"(cell.d)), __VA_ARGS__) \
  WARPMESH_STORE(name##_write, geometry, mode, 1, "b8", parameters, at1, "{%0}", ("h"(cell.a)), __VA_ARGS__)                                        \
  WARPMESH_STORE(name##_write, geometry, mode, 2, "b16", parameters, at1, "{%0}", ("h"(cell.a)), __VA_ARGS__)                                       \
  WARPMESH_STORE(name##_write, geometry, mode, 4, "b32", parameters, at1, "{%0}", ("r"(cell.a)), __VA_ARGS__)                                       \
  WARPMESH_STORE(name##_write, geometry, mode, 8, "v2.b32", parameters, at2, "{%0, %1}", ("r"(cell.a), "r"(cell.b)), __VA_ARGS__)                   \
  WARPMESH_STORE(name##_write, geometry, mode, 16, "v4.b32", parameters, at4, "{%0, %1, %2, %3}", ("r"(cell.a), "r"(cell.b), "r"(cell.c), "r"(cell.d)), __VA_ARGS__)
#define WARPMESH_GEOMETRY(name, geometry, parameters, at1, at2, at4, ...)                \
  WARPMESH_ACCESS(name, geometry, trap, parameters, at1, at2, at4, __VA_ARGS__)          \
  WARPMESH_ACCESS(name, geometry, clamp, parameters, at1, at2, at4, __VA_ARGS__)         \
  WARPMESH_ACCESS(name, geometry, zero, parameters, at1, at2, at4, __VA_ARGS__)
WARPMESH_GEOMETRY(warpmesh_surf1d, "1d", (int x), "1, {%2}", "2, {%3}", "4, {%5}", "r"(x))
WARPMESH_GEOMETRY(warpmesh_surf2d, "2d", (int x, int y), "1, {%2, %3}", "2, {%3, %4}", "4, {%5, %6}", "r"(x), "r"(y))
WARPMESH_GEOMETRY(warpmesh_surf3d, "3d", (int x, int y, int z), "1, {%2, %3, %4, %4}", "2, {%3, %4, %5, %5}", "4, {%5, %6, %7, %7}", "r"(x), "r"(y), "r"(z))
WARPMESH_GEOMETRY(warpmesh_surf1d_layered, "a1d", (int x, int layer), "1, {%3, %2}", "2, {%4, %3}", "4, {%6, %5}", "r"(x), "r"(layer))
WARPMESH_GEOMETRY(warpmesh_surf2d_layered, "a2d", (int x, int y, int layer), "1, {%4, %2, %3, %3}", "2, {%5, %3, %4, %4}", "4, {%7, %5, %6, %6}", "r"(x), "r"(y), "r"(layer))
#undef WARPMESH_GEOMETRY
#undef WARPMESH_ACCESS
#undef WARPMESH_STORE
#undef WARPMESH_LOAD

// The functions of the language. The mode is a constant nearly always, and the others vanish.
#define WARPMESH_SURFACE(name, access, geometry, parameters, ...)                                                                                              \
  template <class T> WARPMESH_DEVICE T name##read(cudaSurfaceObject_t surface, WARPMESH_UNPACK parameters, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    warpmesh_cell<sizeof(T)> cell;                                                                                                                   \
    T value;                                                                                                                                         \
    if (mode == cudaBoundaryModeTrap)                                                                                                                \
      access##_read_trap(cell, surface, __VA_ARGS__);                                                                                                \
    else if (mode == cudaBoundaryModeClamp)                                                                                                          \
      access##_read_clamp(cell, surface, __VA_ARGS__);                                                                                               \
    else                                                                                                                                             \
      access##_read_zero(cell, surface, __VA_ARGS__);                                                                                                \
    __builtin_memcpy(&value, &cell, sizeof value);                                                                                                   \
    return value;                                                                                                                                    \
  }                                                                                                                                                  \
  template <class T> WARPMESH_DEVICE void name##read(T *value, cudaSurfaceObject_t surface, WARPMESH_UNPACK parameters, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    *value = name##read<T>(surface, __VA_ARGS__, mode);                                                                                              \
  }                                                                                                                                                  \
  template <class T> WARPMESH_DEVICE void name##write(T value, cudaSurfaceObject_t surface, WARPMESH_UNPACK parameters, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    warpmesh_cell<sizeof(T)> cell;                                                                                                                   \
    cell.a = 0;                                                                                                                                      \
    __builtin_memcpy(&cell, &value, sizeof value);                                                                                                   \
    if (mode == cudaBoundaryModeTrap)                                                                                                                \
      access##_write_trap(cell, surface, __VA_ARGS__);                                                                                               \
    else if (mode == cudaBoundaryModeClamp)                                                                                                          \
      access##_write_clamp(cell, surface, __VA_ARGS__);                                                                                              \
    else                                                                                                                                             \
      access##_write_zero(cell, surface, __VA_ARGS__);                                                                                               \
  }                                                                                                                                                            \
  template <class T, class U> WARPMESH_DEVICE T name##read(surface<U, geometry> reference, WARPMESH_UNPACK parameters, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    return name##read<T>(warpmesh_handle(reference), __VA_ARGS__, mode);                                                                             \
  }                                                                                                                                                  \
  template <class T, class U> WARPMESH_DEVICE void name##read(T *value, surface<U, geometry> reference, WARPMESH_UNPACK parameters, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    *value = name##read<T>(warpmesh_handle(reference), __VA_ARGS__, mode);                                                                           \
  }                                                                                                                                                  \
  template <class T, class U> WARPMESH_DEVICE void name##write(T value, surface<U, geometry> reference, WARPMESH_UNPACK parameters, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    name##write<T>(value, warpmesh_handle(reference), __VA_ARGS__, mode);                                                                            \
  }
WARPMESH_SURFACE(surf1D, warpmesh_surf1d, cudaSurfaceType1D, (int x), x)
WARPMESH_SURFACE(surf2D, warpmesh_surf2d, cudaSurfaceType2D, (int x, int y), x, y)
WARPMESH_SURFACE(surf3D, warpmesh_surf3d, cudaSurfaceType3D, (int x, int y, int z), x, y, z)
WARPMESH_SURFACE(surf1DLayered, warpmesh_surf1d_layered, cudaSurfaceType1DLayered, (int x, int layer), x, layer)
WARPMESH_SURFACE(surf2DLayered, warpmesh_surf2d_layered, cudaSurfaceType2DLayered, (int x, int y, int layer), x, y, layer)
// A face of a cube is a layer.
WARPMESH_SURFACE(surfCubemap, warpmesh_surf2d_layered, cudaSurfaceTypeCubemap, (int x, int y, int face), x, y, face)
WARPMESH_SURFACE(surfCubemapLayered, warpmesh_surf2d_layered, cudaSurfaceTypeCubemapLayered, (int x, int y, int layer_and_face), x, y, layer_and_face)
#undef WARPMESH_SURFACE
#undef WARPMESH_UNPACK

#endif
