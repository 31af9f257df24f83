// Textures: all formats, filters and edges, against the formulas of the CUDA C programming guide ("Texture Fetching").
#include "features.h"
#include <algorithm>
#include <string>

// -- the guide's formulas, with texels from a function

enum Mode { WRAP = cudaAddressModeWrap, CLAMP = cudaAddressModeClamp, MIRROR = cudaAddressModeMirror, BORDER = cudaAddressModeBorder };
struct Axis { int size; Mode mode; };
// A texel's index by the address mode; -1 where there is none.
int on_edge(int i, Axis axis, bool normalized) {
  int n = axis.size;
  if (normalized && axis.mode == WRAP) return (i % n + n) % n;
  if (normalized && axis.mode == MIRROR) {
    int turn = (i % (2 * n) + 2 * n) % (2 * n);
    return turn < n ? turn : 2 * n - 1 - turn;
  }
  if (axis.mode == BORDER) return i < 0 || i >= n ? -1 : i;
  return std::min(std::max(i, 0), n - 1);
}
template <class Texel> double model(Texel texel, const Axis *axes, int dimensions, const float *coordinates, bool normalized, bool linear) {
  int base[3] = {0, 0, 0};
  double weight[3] = {0, 0, 0};
  for (int d = 0; d < dimensions; ++d) {
    double x = coordinates[d];
    if (normalized) x *= axes[d].size;
    if (linear) {
      double fixed = std::floor((x - 0.5) * 256 + 0.5); // 8 bits behind the point.
      base[d] = (int)std::floor(fixed / 256);
      weight[d] = fixed / 256 - base[d];
    } else {
      base[d] = (int)std::floor(x);
    }
  }
  double sum = 0;
  for (int corner = 0; corner < (linear ? 1 << dimensions : 1); ++corner) {
    double w = 1;
    int at[3] = {0, 0, 0};
    bool inside = true;
    for (int d = 0; d < dimensions; ++d) {
      int side = corner >> d & 1;
      w *= side ? weight[d] : 1 - weight[d];
      at[d] = on_edge(base[d] + side, axes[d], normalized);
      inside &= at[d] >= 0;
    }
    if (inside) sum += w * texel(at[0], at[1], at[2]);
  }
  return sum;
}

// -- objects: every combination of address mode, filter and coordinates

const int WIDTH = 11, HEIGHT = 6, DEPTH = 5, POINTS = 64;

__global__ void sample_1d(cudaTextureObject_t t, const float *x, float *out) { out[threadIdx.x] = tex1D<float>(t, x[threadIdx.x]); }
__global__ void sample_2d(cudaTextureObject_t t, const float *x, float *out) { out[threadIdx.x] = tex2D<float>(t, x[threadIdx.x], x[threadIdx.x + 64]); }
__global__ void sample_3d(cudaTextureObject_t t, const float *x, float *out) { out[threadIdx.x] = tex3D<float>(t, x[threadIdx.x], x[threadIdx.x + 64], x[threadIdx.x + 128]); }

cudaArray_t new_array(const std::vector<float> &texels, int dimensions) {
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  if (dimensions == 3) {
    cudaExtent extent = make_cudaExtent(WIDTH, HEIGHT, DEPTH);
    cudaMalloc3DArray(&array, &format, extent);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr((void *)texels.data(), WIDTH * sizeof(float), WIDTH, HEIGHT);
    copy.dstArray = array;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
  } else {
    cudaMallocArray(&array, &format, WIDTH, dimensions == 2 ? HEIGHT : 0);
    cudaMemcpyToArray(array, 0, 0, texels.data(), WIDTH * (dimensions == 2 ? HEIGHT : 1) * sizeof(float), cudaMemcpyHostToDevice);
  }
  return array;
}

int sampled(int dimensions) {
  auto texels = random_values<float>(WIDTH * HEIGHT * DEPTH, 100, dimensions);
  cudaArray_t array = new_array(texels, dimensions);
  int wrong = 0;
  for (int normalized = 0; normalized < 2; ++normalized)
    for (int linear = 0; linear < 2; ++linear)
      for (int mode = 0; mode < 4; ++mode) {
        Axis axes[3] = {{WIDTH, (Mode)mode}, {HEIGHT, (Mode)((mode + linear) % 4)}, {DEPTH, (Mode)mode}};
        std::vector<float> x(3 * POINTS), e(POINTS);
        unsigned seed = 17 + mode;
        for (int i = 0; i < POINTS; ++i) {
          float at[3];
          for (int d = 0; d < 3; ++d) {
            // From a width before to a width behind, on a grid that is no multiple of the weights'.
            float turn = (random_number(seed) % 3000 + 0.37f) / 1000 - 1;
            at[d] = x[d * POINTS + i] = normalized ? turn : turn * axes[d].size;
          }
          e[i] = model([&](int x, int y, int z) { return texels[(z * HEIGHT + y) * WIDTH + x]; }, axes, dimensions, at, normalized, linear);
        }
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        cudaTextureDesc description = {};
        for (int d = 0; d < 3; ++d) description.addressMode[d] = (cudaTextureAddressMode)axes[d].mode;
        description.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
        description.normalizedCoords = normalized;
        cudaTextureObject_t object;
        cudaCreateTextureObject(&object, &resource, &description, NULL);
        Device<float> d_x(x), d_out(POINTS);
        if (dimensions == 1) sample_1d<<<1, POINTS>>>(object, d_x, d_out);
        if (dimensions == 2) sample_2d<<<1, POINTS>>>(object, d_x, d_out);
        if (dimensions == 3) sample_3d<<<1, POINTS>>>(object, d_x, d_out);
        auto out = d_out.host();
        // A weight may round to its other neighbour where the coordinate lies between two, and times the width is rounded.
        for (int i = 0; i < POINTS; ++i)
          if (!(std::fabs(out[i] - e[i]) <= (linear ? dimensions * 100 / 256.0 * 1.01 : 0))) {
            ++wrong;
            if (getenv("SHOW"))
              printf("%dD normalized %d linear %d mode %d at %g %g %g: %g, not %g\n", dimensions, normalized, linear, mode, x[i], x[i + POINTS], x[i + 2 * POINTS], out[i], e[i]);
          }
        int exact = 0;
        for (int i = 0; i < POINTS; ++i) exact += std::fabs(out[i] - e[i]) <= 1e-4 * std::fabs(e[i]);
        wrong += exact < POINTS - 6;
        cudaDestroyTextureObject(object);
      }
  cudaFreeArray(array);
  return wrong;
}
FEATURE(sampled_1d, "texture objects in one dimension: normalised coordinates, linear filter; wrap, clamp, mirror, border") { return sampled(1); }
FEATURE(sampled_2d, "texture objects in two dimensions, the same") { return sampled(2); }
FEATURE(sampled_3d, "texture objects in three dimensions, the same (SDK volumeRender, simpleTexture3D)") { return sampled(3); }

// -- references: formats

texture<unsigned char, 2, cudaReadModeNormalizedFloat> byte_fractions;
texture<uchar4, 2, cudaReadModeNormalizedFloat> colours;
texture<uchar4, 2, cudaReadModeElementType> pixels;
texture<signed char, 1, cudaReadModeNormalizedFloat> signed_fractions;
texture<short2, 2, cudaReadModeElementType> pairs;
texture<unsigned short, 1, cudaReadModeNormalizedFloat> half_word_fractions;
texture<float4, 2, cudaReadModeElementType> four_floats;
texture<int4, 1, cudaReadModeElementType> four_integers;
texture<unsigned char, 1, cudaReadModeElementType> characters;
texture<unsigned short, 2, cudaReadModeElementType> halves;

template <class T, class Reference> cudaArray_t bound_array(Reference &reference, const std::vector<T> &texels, int width, int height) {
  cudaArray_t array;
  cudaMallocArray(&array, &reference.channelDesc, width, height);
  cudaMemcpy2DToArray(array, 0, 0, texels.data(), width * sizeof(T), width * sizeof(T), height ? height : 1, cudaMemcpyHostToDevice);
  cudaBindTextureToArray(reference, array);
  return array;
}

__global__ void fractions(float *out) {
  int i = threadIdx.x;
  out[i] = tex2D(byte_fractions, (i & 15) + 0.5f, (i >> 4) + 0.5f);
  out[i + 256] = tex1D(signed_fractions, i + 0.5f);
  for (int k = 0; k < 4; ++k) out[512 + 4 * i + k] = tex1D(half_word_fractions, 4 * i + k + 0.5f);
}
FEATURE(fractions, "bytes and halves of words as floats from 0 to 1 and -1 to 1 (cudaReadModeNormalizedFloat)") {
  std::vector<unsigned char> bytes(256);
  std::vector<signed char> characters(256);
  std::vector<unsigned short> words(1024);
  std::vector<float> e(512 + 1024);
  for (int i = 0; i < 256; ++i) {
    bytes[i] = i;
    characters[i] = i - 128;
    e[i] = i / 255.0f;
    e[256 + i] = std::max((i - 128) / 127.0f, -1.0f);
  }
  for (int i = 0; i < 1024; ++i) e[512 + i] = (words[i] = i * 64 + i % 64) / 65535.0f;
  cudaArray_t a = bound_array(byte_fractions, bytes, 16, 16), b = bound_array(signed_fractions, characters, 256, 0), c = bound_array(half_word_fractions, words, 1024, 0);
  Device<float> out(512 + 1024);
  fractions<<<1, 256>>>(out);
  int wrong = differences(out.host(), e);
  cudaFreeArray(a), cudaFreeArray(b), cudaFreeArray(c);
  return wrong;
}

__global__ void formats(uchar4 *bytes, short2 *two, float4 *four, int4 *integers, unsigned *rest, const float2 *at) {
  int i = threadIdx.x;
  float x = at[i].x, y = at[i].y;
  bytes[i] = tex2D(pixels, x, y);
  two[i] = tex2D(pairs, x, y);
  four[i] = tex2D(four_floats, x, y);
  integers[i] = tex1Dfetch(four_integers, i);
  rest[i] = tex1Dfetch(characters, i) + 1000 * tex2D(halves, x, y);
}
FEATURE(formats, "texels of uchar4, short2, float4, ushort in two dimensions, int4 and bytes in memory (Rodinia mummer, hybridsort, particles)") {
  const int w = 13, h = 7, n = 64;
  std::vector<uchar4> a(w * h);
  std::vector<short2> b(w * h);
  std::vector<float4> c(w * h);
  std::vector<unsigned short> d(w * h);
  unsigned s = 23;
  for (int i = 0; i < w * h; ++i) {
    a[i] = make_uchar4(random_number(s), random_number(s), random_number(s), random_number(s));
    b[i] = make_short2(random_number(s), random_number(s));
    c[i] = make_float4(i, 2 * i, -i, 0.5f * i);
    d[i] = random_number(s);
  }
  std::vector<int4> four(n);
  std::vector<unsigned char> text(n + 1);
  std::vector<float2> at(n);
  for (int i = 0; i < n; ++i) {
    four[i] = make_int4(i, -i, i * i, 7);
    text[i] = 255 - i;
    at[i] = make_float2((random_number(s) % 1700) / 100.0f - 2, (random_number(s) % 1100) / 100.0f - 2);
  }
  cudaArray_t arrays[] = {bound_array(pixels, a, w, h), bound_array(four_floats, c, w, h)};
  short2 *d_pairs;
  unsigned short *d_halves;
  size_t pitch, half_pitch;
  cudaMallocPitch(&d_pairs, &pitch, w * sizeof(short2), h);
  cudaMemcpy2D(d_pairs, pitch, b.data(), w * sizeof(short2), w * sizeof(short2), h, cudaMemcpyHostToDevice);
  cudaMallocPitch(&d_halves, &half_pitch, w * sizeof(short), h);
  cudaMemcpy2D(d_halves, half_pitch, d.data(), w * sizeof(short), w * sizeof(short), h, cudaMemcpyHostToDevice);
  cudaBindTexture2D(NULL, pairs, d_pairs, w, h, pitch);
  cudaBindTexture2D(NULL, halves, d_halves, w, h, half_pitch);
  Device<int4> d_four(four), integers(n);
  Device<unsigned char> d_text(text);
  cudaBindTexture(NULL, four_integers, d_four, n * sizeof(int4));
  cudaBindTexture(NULL, characters, d_text, n + 1);
  Device<uchar4> bytes(n);
  Device<short2> two(n);
  Device<float4> floats(n);
  Device<unsigned> rest(n);
  Device<float2> d_at(at);
  formats<<<1, n>>>(bytes, two, floats, integers, rest, d_at);
  std::vector<uchar4> e_bytes(n);
  std::vector<short2> e_two(n);
  std::vector<float4> e_four(n);
  std::vector<unsigned> e_rest(n);
  for (int i = 0; i < n; ++i) {
    int x = std::min(std::max((int)std::floor(at[i].x), 0), w - 1), y = std::min(std::max((int)std::floor(at[i].y), 0), h - 1), k = y * w + x;
    e_bytes[i] = a[k];
    e_two[i] = b[k];
    e_four[i] = c[k];
    e_rest[i] = text[i] + 1000 * d[k];
  }
  int wrong = differences(bytes.host(), e_bytes) + differences(two.host(), e_two) + differences(floats.host(), e_four) + differences(integers.host(), four) + differences(rest.host(), e_rest);
  for (cudaArray_t array : arrays) cudaFreeArray(array);
  cudaUnbindTexture(pairs), cudaUnbindTexture(halves), cudaFree(d_pairs), cudaFree(d_halves);
  return wrong;
}

// A picture turned, as samples do it: normalised coordinates, linear filter, wrap; the same kernel for another binding afterwards.
__global__ void rotated(float4 *out, int width, int height, float angle) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float u = x / (float)width - 0.5f, v = y / (float)height - 0.5f;
  out[y * width + x] = tex2D(colours, u * cosf(angle) - v * sinf(angle) + 0.5f, v * cosf(angle) + u * sinf(angle) + 0.5f);
}
FEATURE(rotated, "a turned picture: colours as floats, normalised coordinates, linear filter, wrap; rebound with other modes (SDK simpleTexture, bilateral filter)") {
  const int w = 16, h = 8;
  std::vector<uchar4> picture(w * h);
  unsigned s = 5;
  for (uchar4 &p : picture) p = make_uchar4(random_number(s), random_number(s), random_number(s), random_number(s));
  int wrong = 0;
  cudaArray_t array = bound_array(colours, picture, w, h);
  Device<float4> d_out(w * h);
  for (int round = 0; round < 2; ++round) {
    Mode mode = round ? BORDER : WRAP;
    colours.addressMode[0] = colours.addressMode[1] = (cudaTextureAddressMode)mode;
    colours.filterMode = round ? cudaFilterModePoint : cudaFilterModeLinear;
    colours.normalized = true;
    cudaBindTextureToArray(colours, array);
    const float angle = 0.4f;
    rotated<<<dim3(2, 2), dim3(8, 4)>>>(d_out, w, h, angle);
    auto out = d_out.host();
    int far = 0;
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x) {
        float u = x / (float)w - 0.5f, v = y / (float)h - 0.5f, at[2] = {u * std::cos(angle) - v * std::sin(angle) + 0.5f, v * std::cos(angle) + u * std::sin(angle) + 0.5f};
        Axis axes[2] = {{w, mode}, {h, mode}};
        double e = model([&](int x, int y, int) { return picture[y * w + x].z / 255.0; }, axes, 2, at, true, !round);
        far += std::fabs(out[y * w + x].z - e) > 2.1 / 256;
      }
    wrong += far > 2; // Texels that lie at an edge to the last place.
  }
  cudaFreeArray(array);
  return wrong;
}

// Half precision, and memory bound from its middle on.
texture<float, 1, cudaReadModeElementType> part_of_memory;
__global__ void half_texels(cudaTextureObject_t t, float2 *out) { out[threadIdx.x] = tex2D<float2>(t, threadIdx.x & 7, threadIdx.x >> 3); }
__global__ void part_texels(float *out) { out[threadIdx.x] = tex1Dfetch(part_of_memory, threadIdx.x); }
FEATURE(half_texels, "texels of half precision; references to a part of an allocation") {
  std::vector<unsigned short> bits(64);
  for (int i = 0; i < 64; ++i) bits[i] = i * 1021 + 5;
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDescHalf2();
  cudaMallocArray(&array, &format, 8, 4);
  cudaMemcpyToArray(array, 0, 0, bits.data(), 128, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  cudaTextureObject_t object;
  cudaCreateTextureObject(&object, &resource, &description, NULL);
  Device<float2> out(32);
  half_texels<<<1, 32>>>(object, out);
  std::vector<float2> e(32);
  auto half = [](unsigned short h) {
    int exponent = h >> 10 & 31, fraction = h & 1023;
    double x = exponent == 31 ? (fraction ? NAN : INFINITY) : exponent ? std::ldexp(1024 + fraction, exponent - 25) : std::ldexp(fraction, -24);
    return (float)(h >> 15 ? -x : x);
  };
  int wrong = 0;
  auto found = out.host();
  for (int i = 0; i < 32; ++i)
    for (int k = 0; k < 2; ++k) {
      float expected = half(bits[2 * i + k]), is = k ? found[i].y : found[i].x;
      wrong += !(is == expected || (std::isnan(is) && std::isnan(expected)));
    }
  auto numbers = random_values<float>(200, 100);
  Device<float> d_numbers(numbers), d_out(32);
  cudaBindTexture(NULL, part_of_memory, d_numbers + 64, 100 * sizeof(float));
  part_texels<<<1, 32>>>(d_out);
  cudaDestroyTextureObject(object);
  cudaFreeArray(array);
  return wrong + differences(d_out.host(), std::vector<float>(numbers.begin() + 64, numbers.begin() + 96));
}

// A suffix tree in textures, walked by each thread from a query's characters: nodes are four bytes twice, in two dimensions.
texture<uint4, 2, cudaReadModeElementType> tree_nodes;
texture<char, 1, cudaReadModeElementType> queries;
__global__ void tree_walk(int *out, int length) {
  int i = threadIdx.x, node = 1, depth = 0;
  for (; depth < length; ++depth) {
    char c = tex1Dfetch(queries, i * length + depth);
    union { uint4 words; unsigned char bytes[16]; unsigned short halves[8]; } entry;
    entry.words = tex2D(tree_nodes, node & 7, node >> 3);
    int child = entry.halves[(c == 'a' ? 0 : c == 'c' ? 1 : c == 'g' ? 2 : 3)];
    if (!child) break;
    node = child;
  }
  out[i] = node * 100 + depth;
}
FEATURE(tree_walk, "a tree in a texture of uint4 walked by characters of a text, unions of texels (ISPASS MUM, Rodinia mummergpu)") {
  const int n = 32, length = 6;
  std::vector<uint4> nodes(64);
  std::vector<char> text(n * length);
  unsigned s = 9;
  for (int i = 1; i < 40; ++i) {
    unsigned short c[4];
    for (unsigned short &x : c) x = random_number(s) % 3 ? random_number(s) % 39 + 1 : 0;
    nodes[i] = make_uint4(c[0] | c[1] << 16, c[2] | c[3] << 16, 0, 0);
  }
  for (char &c : text) c = "acgt"[random_number(s) % 4];
  cudaArray_t array = bound_array(tree_nodes, nodes, 8, 8);
  Device<char> d_text(text);
  Device<int> out(n);
  cudaBindTexture(NULL, queries, d_text, text.size());
  tree_walk<<<1, n>>>(out, length);
  std::vector<int> e(n);
  for (int i = 0; i < n; ++i) {
    int node = 1, depth = 0;
    for (; depth < length; ++depth) {
      int which = std::string("acgt").find(text[i * length + depth]);
      unsigned word = which < 2 ? nodes[node].x : nodes[node].y, child = which & 1 ? word >> 16 : word & 0xffff;
      if (!child) break;
      node = child;
    }
    e[i] = node * 100 + depth;
  }
  int wrong = differences(out.host(), e);
  cudaFreeArray(array);
  return wrong;
}
