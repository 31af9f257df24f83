// What the files know of each other.
extern __device__ int scaled(int x);
extern __device__ int deep(int x);
extern __device__ int launches;
extern __constant__ int weights[4];

template <class T> __device__ __noinline__ T twice(T x) { return x + x; }

void set_weights(int factor);
int count_launches();
int unused_value();
