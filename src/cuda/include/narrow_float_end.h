// Behind the body of a 16-bit format (narrow_float.h): its macros are gone.
#undef NARROW
#undef NARROW2
#undef NARROW_RAW
#undef NARROW2_RAW
#undef NARROW_NAME
#undef NARROW_BITS
#undef NARROW_FLOAT
#undef NARROW_FMA
#undef NARROW_OF
#undef NARROW_ROUND
#undef NARROW_WIDE
