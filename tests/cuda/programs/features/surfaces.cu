// Surfaces, layered textures and cubes: what kernels read and write, against arrays of the host.
#include "features.h"
#include <algorithm>

const int WIDTH = 13, HEIGHT = 7, DEPTH = 5, TEXELS = WIDTH * HEIGHT * DEPTH;

template <class T> cudaArray_t new_array(int width, int height, int depth, unsigned flags, const std::vector<T> &texels) {
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  cudaMalloc3DArray(&array, &format, make_cudaExtent(width, height, depth), flags);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr((void *)texels.data(), width * sizeof(T), width, std::max(height, 1));
  copy.dstArray = array;
  copy.extent = make_cudaExtent(width, std::max(height, 1), std::max(depth, 1));
  copy.kind = cudaMemcpyHostToDevice;
  if (!texels.empty())
    cudaMemcpy3D(&copy);
  return array;
}
template <class T> std::vector<T> texels_of(cudaArray_t array, int width, int height, int depth) {
  std::vector<T> texels(width * std::max(height, 1) * std::max(depth, 1));
  cudaMemcpy3DParms copy = {};
  copy.srcArray = array;
  copy.dstPtr = make_cudaPitchedPtr(texels.data(), width * sizeof(T), width, std::max(height, 1));
  copy.extent = make_cudaExtent(width, std::max(height, 1), std::max(depth, 1));
  copy.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3D(&copy);
  return texels;
}
cudaSurfaceObject_t surface_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  cudaCreateSurfaceObject(&surface, &resource);
  return surface;
}
cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureFilterMode filter, bool normalized) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc desc = {};
  for (cudaTextureAddressMode &mode : desc.addressMode)
    mode = cudaAddressModeClamp;
  desc.filterMode = filter;
  desc.normalizedCoords = normalized;
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &desc, nullptr);
  return texture;
}

// Every texel goes to the place that is mirrored in all dimensions, with its first byte changed.
template <class T> __device__ T changed(T value) {
  *(unsigned char *)&value += 3;
  return value;
}
template <class T> __global__ void mirror_1d(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  int x = threadIdx.x;
  if (x < WIDTH)
    surf1Dwrite(changed(surf1Dread<T>(from, x * sizeof(T))), to, (WIDTH - 1 - x) * sizeof(T));
}
template <class T> __global__ void mirror_2d(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  int x = threadIdx.x, y = threadIdx.y;
  T value;
  if (x < WIDTH && y < HEIGHT) {
    surf2Dread(&value, from, x * sizeof(T), y);
    surf2Dwrite(changed(value), to, (WIDTH - 1 - x) * sizeof(T), HEIGHT - 1 - y);
  }
}
template <class T> __global__ void mirror_3d(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  if (x < WIDTH && y < HEIGHT)
    surf3Dwrite(changed(surf3Dread<T>(from, x * sizeof(T), y, z)), to, (WIDTH - 1 - x) * sizeof(T), HEIGHT - 1 - y, DEPTH - 1 - z);
}
template <class T> __global__ void mirror_layers(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int dimensions) {
  int x = threadIdx.x, y = threadIdx.y, layer = blockIdx.x;
  if (x < WIDTH && y < HEIGHT && dimensions == 2)
    surf2DLayeredwrite(changed(surf2DLayeredread<T>(from, x * sizeof(T), y, layer)), to, (WIDTH - 1 - x) * sizeof(T), HEIGHT - 1 - y, DEPTH - 1 - layer);
  if (x < WIDTH && y == 0 && dimensions == 1)
    surf1DLayeredwrite(changed(surf1DLayeredread<T>(from, x * sizeof(T), layer)), to, (WIDTH - 1 - x) * sizeof(T), DEPTH - 1 - layer);
}
template <class T> int mirrored(int height, int depth, bool layered) {
  std::vector<T> texels(WIDTH * std::max(height, 1) * std::max(depth, 1));
  unsigned seed = sizeof(T) + height + depth;
  for (size_t i = 0; i < texels.size() * sizeof(T); ++i)
    ((unsigned char *)texels.data())[i] = random_number(seed);
  unsigned flags = cudaArraySurfaceLoadStore | (layered ? cudaArrayLayered : 0);
  cudaArray_t from = new_array(WIDTH, height, depth, flags, texels), to = new_array(WIDTH, height, depth, flags, std::vector<T>());
  cudaSurfaceObject_t reads = surface_of(from), writes = surface_of(to);
  dim3 block(16, 8);
  if (layered)
    mirror_layers<T><<<DEPTH, block>>>(reads, writes, height ? 2 : 1);
  else if (depth)
    mirror_3d<T><<<DEPTH, block>>>(reads, writes);
  else if (height)
    mirror_2d<T><<<1, block>>>(reads, writes);
  else
    mirror_1d<T><<<1, 16>>>(reads, writes);
  std::vector<T> found = texels_of<T>(to, WIDTH, height, depth), expected(texels.rbegin(), texels.rend());
  for (T &value : expected)
    *(unsigned char *)&value += 3;
  cudaDestroySurfaceObject(reads);
  cudaDestroySurfaceObject(writes);
  cudaFreeArray(from);
  cudaFreeArray(to);
  return differences(found, expected);
}
template <class T> int mirrored_all() {
  return mirrored<T>(0, 0, false) + mirrored<T>(HEIGHT, 0, false) + mirrored<T>(HEIGHT, DEPTH, false) + mirrored<T>(0, DEPTH, true) + mirrored<T>(HEIGHT, DEPTH, true);
}
FEATURE(surfaces, "surface objects in one, two and three dimensions and in layers: texels of 1 to 16 bytes read and written (SDK simpleSurfaceWrite)") {
  return mirrored_all<unsigned char>() + mirrored_all<short>() + mirrored_all<float>() + mirrored_all<ushort4>() + mirrored_all<float4>();
}

// Boundary modes, and words of texels.
__global__ void beyond_edges(cudaSurfaceObject_t s, int *out) {
  int x = (int)threadIdx.x - 4, y = (int)blockIdx.x - 3, at = blockIdx.x * blockDim.x + threadIdx.x;
  out[2 * at] = surf2Dread<int>(s, x * 4, y, cudaBoundaryModeZero);
  out[2 * at + 1] = surf2Dread<int>(s, x * 4, y, cudaBoundaryModeClamp);
}
__global__ void write_zero(cudaSurfaceObject_t s) { surf2Dwrite(100 + (int)threadIdx.x, s, ((int)threadIdx.x - 4) * 4, -1, cudaBoundaryModeZero); }
__global__ void write_clamp(cudaSurfaceObject_t s) {
  if (threadIdx.x == 0)
    surf2Dwrite(77, s, WIDTH * 4 + 40, HEIGHT + 9, cudaBoundaryModeClamp);
}
FEATURE(surface_edges, "boundary modes of surfaces: zero and clamp, reads and writes") {
  std::vector<int> texels = random_values<int>(WIDTH * HEIGHT, 1000);
  cudaArray_t array = new_array(WIDTH, HEIGHT, 0, cudaArraySurfaceLoadStore, texels);
  cudaSurfaceObject_t surface = surface_of(array);
  const int threads = 32, rows = HEIGHT + 6;
  Device<int> out(2 * threads * rows);
  beyond_edges<<<rows, threads>>>(surface, out);
  std::vector<int> expected(2 * threads * rows);
  for (int i = 0; i < threads * rows; ++i) {
    int x = i % threads - 4, y = i / threads - 3;
    bool inside = x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT;
    expected[2 * i] = inside ? texels[y * WIDTH + x] : 0;
    expected[2 * i + 1] = texels[std::min(std::max(y, 0), HEIGHT - 1) * WIDTH + std::min(std::max(x, 0), WIDTH - 1)];
  }
  int wrong = differences(out.host(), expected);
  write_zero<<<1, 32>>>(surface);
  write_clamp<<<1, 32>>>(surface);
  texels[WIDTH * HEIGHT - 1] = 77;
  return wrong + differences(texels_of<int>(array, WIDTH, HEIGHT, 0), texels);
}

// What a surface has written, a texture reads, and copies see; handles are in memory.
__global__ void draw(const cudaSurfaceObject_t *surfaces, int count) {
  int x = threadIdx.x, y = threadIdx.y;
  for (int k = 0; k < count; ++k)
    if (x < WIDTH && y < HEIGHT)
      surf2Dwrite<float>(k * 1000 + y * 20 + x, surfaces[k], x * 4, y);
}
__global__ void look(cudaTextureObject_t texture, float *out) {
  int x = threadIdx.x, y = threadIdx.y;
  if (x < WIDTH && y < HEIGHT)
    out[y * WIDTH + x] = tex2D<float>(texture, x + 0.5f, y + 0.5f);
}
FEATURE(surface_then_texture, "an array written as a surface, with handles in memory, then read as a texture and copied in part") {
  std::vector<cudaArray_t> arrays;
  std::vector<cudaSurfaceObject_t> surfaces;
  for (int k = 0; k < 3; ++k) {
    arrays.push_back(new_array(WIDTH, HEIGHT, 0, cudaArraySurfaceLoadStore, std::vector<float>()));
    surfaces.push_back(surface_of(arrays[k]));
  }
  Device<cudaSurfaceObject_t> handles(surfaces);
  draw<<<1, dim3(16, 8)>>>(handles, 3);
  // Another row: the others stay as the kernel has left them.
  std::vector<float> row(WIDTH, -1.0f);
  cudaMemcpy2DToArray(arrays[2], 0, 3, row.data(), WIDTH * 4, WIDTH * 4, 1, cudaMemcpyHostToDevice);
  Device<float> out(WIDTH * HEIGHT);
  int wrong = 0;
  for (int k = 0; k < 3; ++k) {
    cudaTextureObject_t texture = texture_of(arrays[k], cudaFilterModePoint, false);
    look<<<1, dim3(16, 8)>>>(texture, out);
    std::vector<float> expected(WIDTH * HEIGHT);
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
      expected[i] = k == 2 && i / WIDTH == 3 ? -1 : k * 1000 + i / WIDTH * 20 + i % WIDTH;
    wrong += differences(out.host(), expected) + differences(texels_of<float>(arrays[k], WIDTH, HEIGHT, 0), expected);
    cudaDestroyTextureObject(texture);
  }
  return wrong;
}

// References, which are bound to one array after another, with one in a branch.
surface<void, cudaSurfaceType2D> drawn;
static surface<void> line;
surface<void, cudaSurfaceType2DLayered> sheets;
__global__ void by_reference(int add, bool to_sheets) {
  int x = threadIdx.x, y = threadIdx.y;
  if (x >= WIDTH || y >= HEIGHT)
    return;
  int value = surf2Dread<int>(drawn, x * 4, y);
  if (to_sheets)
    surf2DLayeredwrite(value + add, sheets, x * 4, y, 1);
  else
    surf2Dwrite(value + add, drawn, x * 4, y);
  if (y == 0) {
    int sum;
    surf1Dread(&sum, line, x * 4);
    surf1Dwrite(sum + value, line, x * 4, cudaBoundaryModeClamp);
  }
}
FEATURE(surface_references, "surface references in one and two dimensions and in layers, bound again between launches (`cudaBindSurfaceToArray`)") {
  std::vector<int> first = random_values<int>(WIDTH * HEIGHT, 1000), second = random_values<int>(WIDTH * HEIGHT, 1000, 5), sums(WIDTH), layers(WIDTH * HEIGHT * 2);
  cudaArray_t arrays[] = {new_array(WIDTH, HEIGHT, 0, cudaArraySurfaceLoadStore, first), new_array(WIDTH, HEIGHT, 0, cudaArraySurfaceLoadStore, second)};
  cudaArray_t row = new_array(WIDTH, 0, 0, cudaArraySurfaceLoadStore, sums), both = new_array(WIDTH, HEIGHT, 2, cudaArraySurfaceLoadStore | cudaArrayLayered, layers);
  cudaBindSurfaceToArray(line, row);
  cudaBindSurfaceToArray(sheets, both);
  for (int i = 0; i < 4; ++i) {
    cudaBindSurfaceToArray(drawn, arrays[i % 2]);
    by_reference<<<1, dim3(16, 8)>>>(i + 1, i == 2);
    std::vector<int> &texels = i % 2 ? second : first;
    for (int x = 0; x < WIDTH; ++x)
      sums[x] += texels[x];
    for (int at = 0; at < WIDTH * HEIGHT; ++at)
      (i == 2 ? layers[WIDTH * HEIGHT + at] : texels[at]) = texels[at] + i + 1;
  }
  return differences(texels_of<int>(arrays[0], WIDTH, HEIGHT, 0), first) + differences(texels_of<int>(arrays[1], WIDTH, HEIGHT, 0), second) +
         differences(texels_of<int>(row, WIDTH, 0, 0), sums) + differences(texels_of<int>(both, WIDTH, HEIGHT, 2), layers);
}

// -- layered textures

__global__ void layers_2d(cudaTextureObject_t t, float *out) {
  int x = threadIdx.x, y = threadIdx.y, layer = (int)blockIdx.x - 1;
  out[(blockIdx.x * 8 + y) * 16 + x] = tex2DLayered<float>(t, x * 0.75f - 0.6f, y * 0.9f + 0.35f, layer);
}
__global__ void layers_1d(cudaTextureObject_t t, float *out) {
  int x = threadIdx.x, layer = (int)blockIdx.x - 1;
  out[blockIdx.x * 16 + x] = tex1DLayered<float>(t, x * 0.85f - 0.4f, layer);
}
static double at(const std::vector<float> &texels, int height, int x, int y, int layer) {
  x = std::min(std::max(x, 0), WIDTH - 1), y = std::min(std::max(y, 0), height - 1), layer = std::min(std::max(layer, 0), DEPTH - 1);
  return texels[(layer * height + y) * WIDTH + x];
}
static double filtered(const std::vector<float> &texels, int height, double x, double y, int layer, bool linear, bool rows) {
  if (!linear)
    return at(texels, height, (int)std::floor(x), rows ? (int)std::floor(y) : 0, layer);
  double fx = std::floor((x - 0.5) * 256 + 0.5) / 256, fy = rows ? std::floor((y - 0.5) * 256 + 0.5) / 256 : 0;
  int ix = (int)std::floor(fx), iy = (int)std::floor(fy);
  double a = fx - ix, b = fy - iy;
  return (1 - a) * (1 - b) * at(texels, height, ix, iy, layer) + a * (1 - b) * at(texels, height, ix + 1, iy, layer) + (1 - a) * b * at(texels, height, ix, iy + 1, layer) +
         a * b * at(texels, height, ix + 1, iy + 1, layer);
}
FEATURE(layered_textures, "layered textures in one and two dimensions, nearest and linear; layers beyond the last one (SDK simpleLayeredTexture)") {
  int wrong = 0;
  for (int height : {0, HEIGHT})
    for (bool linear : {false, true}) {
      auto texels = random_values<float>(WIDTH * std::max(height, 1) * DEPTH, 100, height + linear);
      cudaArray_t array = new_array(WIDTH, height, DEPTH, cudaArrayLayered, texels);
      cudaTextureObject_t texture = texture_of(array, linear ? cudaFilterModeLinear : cudaFilterModePoint, false);
      const int blocks = DEPTH + 2, rows = height ? 8 : 1;
      Device<float> out(blocks * rows * 16);
      if (height)
        layers_2d<<<blocks, dim3(16, 8)>>>(texture, out);
      else
        layers_1d<<<blocks, 16>>>(texture, out);
      std::vector<float> expected(blocks * rows * 16);
      for (int i = 0; i < blocks * rows * 16; ++i) {
        int x = i % 16, y = i / 16 % rows, layer = i / 16 / rows - 1;
        float fx = height ? x * 0.75f - 0.6f : x * 0.85f - 0.4f, fy = y * 0.9f + 0.35f;
        expected[i] = filtered(texels, std::max(height, 1), fx, fy, layer, linear, height > 0);
      }
      wrong += far_off(out.host(), expected, 1e-5);
      cudaFreeArray(array);
    }
  return wrong;
}

// -- cubes

const int SIDE = 8;
__global__ void cube(cudaTextureObject_t t, const float3 *directions, float *out) {
  float3 d = directions[threadIdx.x];
  out[threadIdx.x] = texCubemap<float>(t, d.x, d.y, d.z);
}
__global__ void cubes(cudaTextureObject_t t, const float3 *directions, int layer, float *out) {
  float3 d = directions[threadIdx.x];
  out[threadIdx.x] = texCubemapLayered<float>(t, d.x, d.y, d.z, layer);
}
// The guide's table: face, and coordinates on it from 0 to 1.
static int face_of(float3 d, double &s, double &t) {
  double ax = std::fabs(d.x), ay = std::fabs(d.y), az = std::fabs(d.z), m;
  int face;
  if (ax >= ay && ax >= az)
    face = d.x >= 0 ? 0 : 1, m = ax, s = d.x >= 0 ? -d.z : d.z, t = -d.y;
  else if (ay >= az)
    face = d.y >= 0 ? 2 : 3, m = ay, s = d.x, t = d.y >= 0 ? d.z : -d.z;
  else
    face = d.z >= 0 ? 4 : 5, m = az, s = d.z >= 0 ? d.x : -d.x, t = -d.y;
  s = (s / m + 1) / 2, t = (t / m + 1) / 2;
  return face;
}
FEATURE(cube_textures, "textures on the faces of a cube, and layers of cubes (SDK simpleCubemapTexture)") {
  const int points = 128, layers = 3;
  unsigned seed = 11;
  std::vector<float3> directions(points);
  for (float3 &d : directions)
    for (float *part : {&d.x, &d.y, &d.z})
      *part = (int)(random_number(seed) % 2001 - 1000) / 500.0f + 0.00037f;
  Device<float3> d_directions(directions);
  int wrong = 0;
  for (bool layered : {false, true}) {
    int faces = layered ? 6 * layers : 6;
    auto texels = random_values<float>(SIDE * SIDE * faces, 1000, faces);
    cudaArray_t array = new_array(SIDE, SIDE, faces, cudaArrayCubemap | (layered ? cudaArrayLayered : 0), texels);
    cudaTextureObject_t texture = texture_of(array, cudaFilterModePoint, true);
    for (int layer = 0; layer < (layered ? layers + 1 : 1); ++layer) {
      Device<float> out(points);
      if (layered)
        cubes<<<1, points>>>(texture, d_directions, layer, out);
      else
        cube<<<1, points>>>(texture, d_directions, out);
      std::vector<float> expected(points);
      for (int i = 0; i < points; ++i) {
        double s, t;
        int face = 6 * std::min(layer, layers - 1) + face_of(directions[i], s, t);
        int x = std::min((int)(s * SIDE), SIDE - 1), y = std::min((int)(t * SIDE), SIDE - 1);
        expected[i] = texels[(face * SIDE + y) * SIDE + x];
      }
      wrong += differences(out.host(), expected);
    }
  }
  return wrong;
}
