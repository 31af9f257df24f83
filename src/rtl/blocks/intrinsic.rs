//! The border between the simulator's calling convention for native intrinsics and plain functions on words.

/// A word of a port: of at most 32 bits, or of at most 64.
pub(super) trait Word {
    fn of(port: u64) -> Self;
    fn port(self) -> u64;
}

impl Word for u32 {
    fn of(port: u64) -> Self {
        port as u32
    }

    fn port(self) -> u64 {
        self.into()
    }
}

impl Word for u64 {
    fn of(port: u64) -> Self {
        port
    }

    fn port(self) -> u64 {
        self
    }
}

/// Calls `function` on the words of `I` ports at `inputs`, and stores its results as `O` ports at `outputs`; the simulator guarantees that both
/// places exist.
pub(super) fn words<T: Word, const I: usize, const O: usize>(
    inputs: *const u64,
    outputs: *mut u64,
    function: impl Fn([T; I]) -> [T; O],
) {
    // SAFETY: an intrinsic is called with one readable 64-bit word per input port and one writable word per output port
    // of its module (each port of at most 64 bits has one), aligned as `u64`, and the two do not overlap.
    unsafe {
        let results = function(std::array::from_fn(|i| T::of(*inputs.add(i))));
        for (i, result) in results.into_iter().enumerate() {
            *outputs.add(i) = result.port();
        }
    }
}
