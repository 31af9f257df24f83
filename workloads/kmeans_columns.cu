// K-means with transposed features: the same work, coalesced.
#include "kmeans.cuh"

int main(int argc, char **argv) { return kmeans<false>("kmeans_columns", argc, argv); }
