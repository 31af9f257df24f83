// A sparse matrix in compressed rows, and its product with a vector on the host.
#pragma once
#include "common.cuh"

struct Sparse {
    int rows;
    std::vector<int> start, column;
    std::vector<float> value;
    Sparse(int rows, int mean, uint32_t seed) : rows(rows) {
        Random random(seed);
        start.push_back(0);
        for (int r = 0; r < rows; r++) {
            // Most rows are short and some long, as in matrices of meshes with a few dense parts.
            int length = 1 + random.below(2 * mean - 1) + (random.below(32) == 0 ? 3 * mean : 0);
            for (int k = 0; k < length; k++) {
                column.push_back(random.below(rows));
                value.push_back(random.between(-1, 1));
            }
            start.push_back(int(column.size()));
        }
    }
    std::vector<float> times(const std::vector<float> &x) const {
        std::vector<float> y(rows);
        for (int r = 0; r < rows; r++)
            for (int k = start[r]; k < start[r + 1]; k++) y[r] += value[k] * x[column[k]];
        return y;
    }
};

template <class Launch>
int sparse_product(const char *name, int argc, char **argv, Launch launch) {
    Size size = workload_size(argc, argv);
    int rows = pick(size, 3000, 60000, 600000);
    Sparse matrix(rows, 8, 13);
    std::vector<float> x = random_floats(rows, -1, 1, 14);
    Device<int> start(matrix.start), column(matrix.column);
    Device<float> value(matrix.value), dx(x), dy(rows);
    launch(rows, start, column, value, dx, dy);
    LAUNCHED();
    Verdict verdict(name);
    verdict.close(dy.read(), matrix.times(x), 1e-4f);
    return verdict.end();
}
