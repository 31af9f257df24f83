// memcpy_async() of cooperative groups.
#include "../cooperative_groups.h"
