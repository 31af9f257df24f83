// reduce() of cooperative groups.
#include "../cooperative_groups.h"
