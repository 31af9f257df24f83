// Textures: references over memory in one and two dimensions and over arrays, and texture objects.
#include "check.h"
#include <vector>

texture<float, 1, cudaReadModeElementType> line;
texture<int2, cudaTextureType1D, cudaReadModeElementType> pairs;
texture<float, 2> plane;
texture<unsigned int, 2, cudaReadModeElementType> pitched;

const int WIDTH = 37, HEIGHT = 19;

struct Views {
  int scale;
  cudaTextureObject_t numbers;
};

__global__ void gather(const int *index, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int2 pair = tex1Dfetch(pairs, i);
    out[i] = tex1Dfetch(line, index[i]) + (float)(pair.x * pair.y);
  }
}

__global__ void blur(float *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < WIDTH && y < HEIGHT) {
    float sum = 0.0f;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx)
        sum += tex2D(plane, (float)(x + dx), (float)(y + dy));
    out[y * WIDTH + x] = sum + (float)tex2D(pitched, x, y);
  }
}

__global__ void by_object(Views views, cudaTextureObject_t plane_object, float *out) {
  int i = threadIdx.x;
  float4 four = tex1Dfetch<float4>(views.numbers, i);
  out[i] = views.scale * (four.x + 10 * four.y + 100 * four.z + 1000 * four.w) + tex2D<float>(plane_object, i, 3);
}

int main() {
  const int n = 300;
  std::vector<float> numbers(n), results(n);
  std::vector<int> index(n);
  std::vector<int2> two(n);
  for (int i = 0; i < n; ++i) {
    numbers[i] = 0.5f * i;
    index[i] = (7 * i + 3) % n;
    two[i] = make_int2(i, i % 5);
  }
  float *d_numbers, *d_out;
  int *d_index;
  int2 *d_two;
  CHECK(cudaMalloc(&d_numbers, n * sizeof(float)));
  CHECK(cudaMalloc(&d_out, WIDTH * HEIGHT * sizeof(float)));
  CHECK(cudaMalloc(&d_index, n * sizeof(int)));
  CHECK(cudaMalloc(&d_two, n * sizeof(int2)));
  CHECK(cudaMemcpy(d_numbers, numbers.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_index, index.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_two, two.data(), n * sizeof(int2), cudaMemcpyHostToDevice));
  CHECK(cudaBindTexture(NULL, line, d_numbers, n * sizeof(float)));
  size_t offset = 1;
  CHECK(cudaBindTexture(&offset, pairs, d_two));
  gather<<<(n + 63) / 64, 64>>>(d_index, d_out, n);
  CHECK(cudaMemcpy(results.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost));
  int wrong = offset != 0;
  for (int i = 0; i < n; ++i)
    wrong += results[i] != numbers[index[i]] + i * (i % 5);
  CHECK(cudaUnbindTexture(line));

  std::vector<float> image(WIDTH * HEIGHT), blurred(WIDTH * HEIGHT);
  std::vector<unsigned> marks(WIDTH * HEIGHT);
  for (int i = 0; i < WIDTH * HEIGHT; ++i) {
    image[i] = i * 31 % 97;
    marks[i] = i % 11;
  }
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocArray(&array, &format, WIDTH, HEIGHT));
  CHECK(cudaMemcpyToArray(array, 0, 0, image.data(), image.size() * sizeof(float), cudaMemcpyHostToDevice));
  plane.addressMode[0] = plane.addressMode[1] = cudaAddressModeClamp;
  plane.filterMode = cudaFilterModePoint;
  plane.normalized = false;
  CHECK(cudaBindTextureToArray(plane, array, format));
  unsigned *d_marks;
  size_t pitch;
  CHECK(cudaMallocPitch(&d_marks, &pitch, WIDTH * sizeof(unsigned), HEIGHT));
  CHECK(cudaMemcpy2D(d_marks, pitch, marks.data(), WIDTH * sizeof(unsigned), WIDTH * sizeof(unsigned), HEIGHT, cudaMemcpyHostToDevice));
  CHECK(cudaBindTexture2D(NULL, pitched, d_marks, WIDTH, HEIGHT, pitch));
  blur<<<dim3((WIDTH + 15) / 16, (HEIGHT + 7) / 8), dim3(16, 8)>>>(d_out);
  CHECK(cudaMemcpy(blurred.data(), d_out, blurred.size() * sizeof(float), cudaMemcpyDeviceToHost));
  auto at = [&](int x, int y) {
    x = x < 0 ? 0 : x >= WIDTH ? WIDTH - 1 : x;
    y = y < 0 ? 0 : y >= HEIGHT ? HEIGHT - 1 : y;
    return image[y * WIDTH + x];
  };
  for (int y = 0; y < HEIGHT; ++y)
    for (int x = 0; x < WIDTH; ++x) {
      float sum = 0.0f;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          sum += at(x + dx, y + dy);
      wrong += blurred[y * WIDTH + x] != sum + marks[y * WIDTH + x];
    }

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = d_numbers;
  resource.res.linear.desc = cudaCreateChannelDesc<float4>();
  resource.res.linear.sizeInBytes = n * sizeof(float);
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  Views views = {2, 0};
  CHECK(cudaCreateTextureObject(&views.numbers, &resource, &description, NULL));
  resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureObject_t plane_object;
  CHECK(cudaCreateTextureObject(&plane_object, &resource, &description, NULL));
  by_object<<<1, 32>>>(views, plane_object, d_out);
  CHECK(cudaMemcpy(results.data(), d_out, 32 * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) {
    const float *four = &numbers[4 * i];
    wrong += results[i] != 2 * (four[0] + 10 * four[1] + 100 * four[2] + 1000 * four[3]) + at(i, 3);
  }
  CHECK(cudaDestroyTextureObject(plane_object));

  // What the chip does not do is refused when it matters, and named.
  pitched.filterMode = cudaFilterModeLinear; // Of integers.
  blur<<<1, 32>>>(d_out);
  wrong += cudaGetLastError() != cudaErrorInvalidTextureBinding;
  CHECK(cudaFreeArray(array));
  // A texture that is not bound matters when it is read.
  gather<<<1, 32>>>(d_index, d_out, n);
  wrong += cudaDeviceSynchronize() != cudaErrorIllegalAddress;
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
