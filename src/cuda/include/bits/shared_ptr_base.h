// libstdc++ 12 writes __attribute__((__noinline__)), where CUDA's macro of that name has no place.
#pragma GCC system_header
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
