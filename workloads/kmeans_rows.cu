// K-means with a row of features for each point: uncoalesced, reuse within the warp (KM, class HH; the form of Kim's type II).
#include "kmeans.cuh"

int main(int argc, char **argv) { return kmeans<true>("kmeans_rows", argc, argv); }
