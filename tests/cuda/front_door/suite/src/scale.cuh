extern __device__ float scale_of(float x);
void scale_on_device(float *values, int n);
