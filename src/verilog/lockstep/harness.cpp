// Feeds a Verilator model with rows from standard input: reset, inputs, expected outputs, in 64-bit words. Each row is one
// clock cycle. Stops at the first cycle in which an output differs and says which one.
#include "verilated.h"
#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

static uint64_t cycle = 0;

template <class T> static void load(T& port, const uint64_t* row) { port = static_cast<T>(row[0]); }
template <size_t N> static void load(VlWide<N>& port, const uint64_t* row) {
    for (size_t i = 0; i < N; i++) port[i] = static_cast<uint32_t>(row[i / 2] >> (32 * (i % 2)));
}

static void print(const uint64_t* words, int width) {
    for (int digit = (width + 3) / 4 - 1; digit >= 0; digit--)
        putchar("0123456789abcdef"[words[digit / 16] >> (digit % 16 * 4) & 15]);
}

static bool compare(const uint64_t* found, const uint64_t* expected, const char* name, int width) {
    bool same = true;
    for (int i = 0; i < (width + 63) / 64; i++) same &= found[i] == expected[i];
    if (!same) {
        printf("DIFFERENCE %llu %s ", static_cast<unsigned long long>(cycle), name);
        print(expected, width);
        putchar(' ');
        print(found, width);
        putchar('\n');
    }
    return same;
}
template <class T> static bool check(const T& port, const uint64_t* row, const char* name, int width) {
    const uint64_t found = port;
    return compare(&found, row, name, width);
}
template <size_t N> static bool check(const VlWide<N>& port, const uint64_t* row, const char* name, int width) {
    uint64_t found[(N + 1) / 2] = {};
    for (size_t i = 0; i < N; i++) found[i / 2] |= static_cast<uint64_t>(port[i]) << (32 * (i % 2));
    return compare(found, row, name, width);
}

int main() {
    const std::unique_ptr<Vtop> model{new Vtop};
    Vtop& top = *model;
    std::vector<uint64_t> words(1 + INPUT_WORDS + OUTPUT_WORDS);
    CLOCK(0)
    while (fread(words.data(), sizeof(uint64_t), words.size(), stdin) == words.size()) {
        const uint64_t* row = words.data();
        RESET(row[0] & 1)
        row += 1;
        LOAD_INPUTS(row)
        top.eval();
        row += INPUT_WORDS;
        bool same = true;
        CHECK_OUTPUTS(row)
        if (!same) return 1;
        CLOCK(1)
        top.eval();
        CLOCK(0)
        cycle++;
    }
    top.final();
    printf("EQUAL %llu\n", static_cast<unsigned long long>(cycle));
    return 0;
}
