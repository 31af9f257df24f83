//! Where a check puts the buffers and local memory: in the same order as in the chip's memory, but as far apart as they
//! can be.

use crate::launch::Launch;

/// All buffers stay below this, so that an address is also positive for who takes it for a signed number.
const END: u64 = 1 << 31;
/// Distances are multiples of this where there is room: addresses keep their low bits, which kernels may look at.
const COARSE: u64 = 1 << 16;
/// Else of this, the alignment of buffers.
const FINE: u64 = 256;

/// Addresses of the buffers, and behind them that of local memory. Each is moved by another distance than all others; but none is
/// where a buffer may hold the address of another.
pub(super) fn apart(launch: &Launch) -> Vec<u32> {
    if launch.placement.is_some() {
        return launch.addresses();
    }
    let room = END.saturating_sub(launch.memory_bytes() as u64) / (launch.buffers.len() as u64 + 2);
    let step = if room >= COARSE { COARSE } else { FINE };
    let gap = (room / step * step).max(FINE);
    let moved = |(i, address): (usize, u32)| (u64::from(address) + (i as u64 + 1) * gap) as u32;
    launch.addresses().into_iter().enumerate().map(moved).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Buffer, Target, kernels};

    #[test]
    fn buffers_of_any_number_and_size_are_apart() {
        let mut launch = kernels::ALL[0].launch(Some(1), 1, &Target::default()).expect("compiles");
        for (buffers, bytes) in [(1, 1 << 20), (3, 1000), (3000, 1), (100_000, 300)] {
            let buffer = Buffer { name: "x".into(), data: vec![0; bytes] };
            launch.buffers = vec![buffer; buffers];
            let (on_chip, apart) = (launch.buffer_addresses(), super::apart(&launch));
            let gap = u64::from(apart[0] - on_chip[0]);
            assert!(gap >= FINE && gap % FINE == 0 && u64::from(apart[buffers - 1]) + (bytes as u64) < END);
            for (i, (&there, &here)) in apart.iter().zip(&on_chip).enumerate() {
                assert_eq!(u64::from(there - here), (i as u64 + 1) * gap, "{buffers} buffers of {bytes}");
            }
        }
    }
}
