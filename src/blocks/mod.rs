//! Building blocks: arbiters, encoders, FIFOs, credit counters, CAM, LRU, LFSR, floating point.
