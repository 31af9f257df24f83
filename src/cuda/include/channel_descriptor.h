// cudaCreateChannelDesc.
#ifndef WARPMESH_CHANNEL_DESCRIPTOR_H
#define WARPMESH_CHANNEL_DESCRIPTOR_H
#include "cuda_runtime.h"
#endif
