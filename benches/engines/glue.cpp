// A Verilator model behind a C interface: ports by pointer, a clock loop. The ports come first, from the generator:
// #define PORTS(port) port(name, member, bits) ...
#include "verilated.h"
#include <cstdint>
#include <cstring>

#define API extern "C" __attribute__((visibility("default")))

API void* model_new() { return new Vtop; }

API void model_free(void* model) {
    static_cast<Vtop*>(model)->final();
    delete static_cast<Vtop*>(model);
}

// The storage of a port: 8, 16, 32 or 64 bits, the smallest that holds it, else an array of 32-bit words.
API void* model_port(void* model, const char* name, uint32_t* bits) {
    Vtop* const top = static_cast<Vtop*>(model);
#define PORT(port, member, width)    \
    if (!std::strcmp(name, #port)) { \
        *bits = width;               \
        return &top->member;         \
    }
    PORTS(PORT)
    return nullptr;
}

// Clock edges, with the inputs as they are. Outputs are settled afterwards.
API void model_run(void* model, uint64_t edges) {
    Vtop* const top = static_cast<Vtop*>(model);
    for (uint64_t i = 0; i < edges; i++) {
        top->clock = 1;
        top->eval();
        top->clock = 0;
        top->eval();
    }
}

// Verilator's makefile makes a program.
int main() { return 0; }
