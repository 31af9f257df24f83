// Cases of feature programs: `FEATURE(name, "what it shows") { ...; return how many results are wrong; }`. A program runs those that its arguments name, or all,
// says of each whether it is right, and ends with 0 if all are.
#ifndef FEATURES_H
#define FEATURES_H

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

struct Feature {
  const char *name;
  int (*run)();
  Feature *next;
  static Feature *&first() {
    static Feature *list = nullptr;
    return list;
  }
  Feature(const char *name, int (*run)()) : name(name), run(run), next(nullptr) {
    Feature **end = &first();
    while (*end)
      end = &(*end)->next;
    *end = this;
  }
};

#define FEATURE(name, what)                                        \
  static int name##_case();                                        \
  static Feature name##_feature(#name, name##_case);               \
  static int name##_case()

// Memory of the device, with what a vector of the host holds.
template <class T> struct Device {
  T *pointer = nullptr;
  size_t count;
  explicit Device(size_t count, int bytes = 0) : count(count) {
    cudaMalloc(&pointer, count * sizeof(T));
    cudaMemset(pointer, bytes, count * sizeof(T));
  }
  explicit Device(const std::vector<T> &values) : count(values.size()) {
    cudaMalloc(&pointer, count * sizeof(T));
    cudaMemcpy(pointer, values.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  }
  Device(const Device &) = delete;
  ~Device() { cudaFree(pointer); }
  operator T *() const { return pointer; }
  std::vector<T> host() const {
    std::vector<T> values(count);
    cudaMemcpy(values.data(), pointer, count * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
  }
};

// Numbers from 0 on, always the same.
inline unsigned random_number(unsigned &state) {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}
template <class T> std::vector<T> random_values(size_t count, unsigned below, unsigned seed = 1) {
  std::vector<T> values(count);
  for (T &value : values)
    value = (T)(random_number(seed) % below);
  return values;
}

inline bool close_to(double a, double b, double relative) { return a == b || std::fabs(a - b) <= relative * std::fmax(1.0, std::fabs(b)); }

template <class T> int differences(const std::vector<T> &found, const std::vector<T> &expected) {
  int wrong = found.size() != expected.size();
  for (size_t i = 0; i < expected.size() && i < found.size(); ++i)
    wrong += memcmp(&found[i], &expected[i], sizeof(T)) != 0;
  return wrong;
}
template <class T> int far_off(const std::vector<T> &found, const std::vector<T> &expected, double relative) {
  int wrong = found.size() != expected.size();
  for (size_t i = 0; i < expected.size() && i < found.size(); ++i)
    wrong += !close_to(found[i], expected[i], relative);
  return wrong;
}

int main(int argc, char **argv) {
  int all = 0;
  for (Feature *feature = Feature::first(); feature; feature = feature->next) {
    bool chosen = argc == 1;
    for (int i = 1; i < argc; ++i)
      chosen |= strcmp(argv[i], feature->name) == 0;
    if (!chosen)
      continue;
    int wrong = feature->run();
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
      wrong = wrong ? wrong : -1;
    printf("%s %s", wrong ? "WRONG" : "ok", feature->name);
    printf(wrong ? ": %d results, %s\n" : "\n", wrong, cudaGetErrorString(error));
    fflush(stdout);
    all += wrong != 0;
  }
  return all != 0;
}

#endif
