// Counts the ways to place n queens: each thread walks the tree below its first rows with a stack of its own in shared memory, so the
// threads of a warp are busy for very different times (GPGPU-Sim NQU; divergent, few threads).
#include "common.cuh"

constexpr int THREADS = 96, DEPTH = 10;

// A start: the columns and diagonals that the first rows have taken.
struct Start {
    unsigned columns, left, right;
};

__global__ void solve(const Start *starts, int count, int rows, unsigned all, unsigned *found) {
    __shared__ unsigned columns[DEPTH][THREADS], left[DEPTH][THREADS], right[DEPTH][THREADS], open[DEPTH][THREADS];
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    if (i >= count) return;
    unsigned solutions = 0;
    int level = 0;
    columns[0][t] = starts[i].columns;
    left[0][t] = starts[i].left;
    right[0][t] = starts[i].right;
    open[0][t] = all & ~(columns[0][t] | left[0][t] | right[0][t]);
    while (level >= 0) {
        unsigned places = open[level][t];
        if (!places) {
            level--;
            continue;
        }
        unsigned place = places & -places;
        open[level][t] = places ^ place;
        if (level + 1 == rows) {
            solutions++;
            continue;
        }
        unsigned c = columns[level][t] | place, l = (left[level][t] | place) << 1, r = (right[level][t] | place) >> 1;
        level++;
        columns[level][t] = c;
        left[level][t] = l;
        right[level][t] = r;
        open[level][t] = all & ~(c | l | r);
    }
    found[i] = solutions;
}

static unsigned count_ways(unsigned columns, unsigned left, unsigned right, int rows, unsigned all) {
    if (!rows) return 1;
    unsigned ways = 0;
    for (unsigned open = all & ~(columns | left | right); open; open &= open - 1) {
        unsigned place = open & -open;
        ways += count_ways(columns | place, (left | place) << 1, (right | place) >> 1, rows - 1, all);
    }
    return ways;
}

int main(int argc, char **argv) {
    Size size = workload_size(argc, argv);
    int n = pick(size, 7, 10, 13);
    const int first = 3;
    unsigned all = (1u << n) - 1;
    std::vector<Start> starts;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            for (int c = 0; c < n; c++) {
                unsigned x = 1u << a, y = 1u << b, z = 1u << c;
                unsigned l = x << 1, r = x >> 1;
                if (y & (x | l | r)) continue;
                unsigned columns = x | y;
                l = (l | y) << 1, r = (r | y) >> 1;
                if (z & (columns | l | r)) continue;
                starts.push_back({columns | z, (l | z) << 1, (r | z) >> 1});
            }
    int count = int(starts.size());
    Device<Start> ds(starts);
    Device<unsigned> df(count);
    solve<<<blocks_of(count, THREADS), THREADS>>>(ds, count, n - first, all, df);
    LAUNCHED();
    std::vector<unsigned> expected;
    for (const Start &start : starts) expected.push_back(count_ways(start.columns, start.left, start.right, n - first, all));
    Verdict verdict("queens");
    verdict.equal(df.read(), expected);
    return verdict.end();
}
