// Matches queries of 25 letters against a text by a walk down a tree of its substrings, which lies in a texture of two dimensions
// (GPGPU-Sim MUM; class HH): one dependent, divergent look-up after another.
#include "common.cuh"

constexpr int QUERY = 25, WIDTH = 1024;

__global__ void match(cudaTextureObject_t tree, const unsigned char *queries, int *lengths, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    int node = 0, length = 0;
    for (; length < QUERY; length++) {
        int entry = node * 4 + queries[i * QUERY + length];
        int child = tex2D<int>(tree, float(entry % WIDTH) + 0.5f, float(entry / WIDTH) + 0.5f);
        if (!child) break;
        node = child;
    }
    lengths[i] = length;
}

int main(int argc, char **argv) {
    Size size = workload_size(argc, argv);
    int letters = pick(size, 1500, 20000, 100000), count = pick(size, 4000, 50000, 1000000);
    const int depth = 14;
    Random random(16);
    std::vector<unsigned char> text(letters), queries(size_t(count) * QUERY);
    for (auto &letter : text) letter = random.below(4);
    for (int i = 0; i < count; i++) {
        // A piece of the text with a letter changed now and then: the walks end at different depths.
        int at = random.below(letters - QUERY);
        for (int k = 0; k < QUERY; k++) queries[size_t(i) * QUERY + k] = random.below(12) ? text[at + k] : random.below(4);
    }
    std::vector<int> tree(4);
    for (int at = 0; at + depth < letters; at++)
        for (int k = 0, node = 0; k < depth; k++) {
            int entry = node * 4 + text[at + k];
            if (!tree[entry]) {
                tree[entry] = int(tree.size() / 4);
                tree.resize(tree.size() + 4);
            }
            node = tree[entry];
        }
    int height = blocks_of(int(tree.size()), WIDTH);
    tree.resize(size_t(height) * WIDTH);
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    CHECK(cudaMallocArray(&array, &format, WIDTH, height));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, tree.data(), WIDTH * sizeof(int), WIDTH * sizeof(int), height, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    description.filterMode = cudaFilterModePoint;
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    Device<unsigned char> dq(queries);
    Device<int> dl(count);
    match<<<blocks_of(count, 64), 64>>>(texture, dq, dl, count);
    LAUNCHED();
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
    std::vector<int> expected(count);
    for (int i = 0; i < count; i++)
        for (int node = 0; expected[i] < QUERY; expected[i]++)
            if (!(node = tree[node * 4 + queries[size_t(i) * QUERY + expected[i]]])) break;
    Verdict verdict("tree_match");
    verdict.equal(dl.read(), expected);
    return verdict.end();
}
