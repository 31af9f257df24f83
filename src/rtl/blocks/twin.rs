//! The border between the simulator's calling convention for native twins and plain functions on 32-bit words.

/// Calls `function` on the first words of `I` ports of at most 32 bits at `inputs`, and stores its results as `O` ports of at
/// most 32 bits at `outputs`; the simulator guarantees that both places exist.
pub(super) fn words<const I: usize, const O: usize>(
    inputs: *const u64,
    outputs: *mut u64,
    function: impl Fn([u32; I]) -> [u32; O],
) {
    // SAFETY: a twin is called with one readable 64-bit word per input port and one writable word per output port of its
    // module (each port of at most 64 bits has one), aligned as `u64`, and the two do not overlap.
    unsafe {
        let results = function(std::array::from_fn(|i| *inputs.add(i) as u32));
        for (i, result) in results.into_iter().enumerate() {
            *outputs.add(i) = u64::from(result);
        }
    }
}
