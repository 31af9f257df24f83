//! The memory of a session: allocations with their contents, each at the address that it keeps until it is freed.
//!
//! Pointers have 64 bits: the address on the chip, below a *window* that no pointer of the host's is in. So who mixes
//! them up is told. Between two allocations at least 256 bytes are free: what leaves one hits none.

use super::SessionError;
use program::{Buffer, CONSTANTS_END, launch::MEMORY_LIMIT};
use std::ops::Range;

/// The high word of pointers to the chip's memory. Programs of the host have nothing there: they are at 0x55.. and 0x7f.. where the
/// system moves them about, and else below 4 GiB.
pub const WINDOW: u32 = 0x2000;

/// Addresses of allocations are multiples of this, and so many bytes behind each are free.
const ALIGN: u64 = 256;

/// Where allocations start, behind all constants.
const START: u64 = (CONSTANTS_END as u64).next_multiple_of(ALIGN);

/// Where they end.
const END: u64 = MEMORY_LIMIT as u64;

/// An allocation.
#[derive(Clone, Debug)]
struct DeviceAllocation {
    address: u64,
    /// Its name and contents.
    buffer: Buffer,
    /// A variable of the program, which cannot be freed.
    variable: bool,
}

impl DeviceAllocation {
    /// Its bytes.
    fn range(&self) -> Range<u64> {
        self.address..self.address + self.buffer.data.len() as u64
    }

    /// What others have to leave free.
    fn claimed(&self) -> u64 {
        claimed(self.address, self.buffer.data.len() as u64)
    }
}

/// The end of what an allocation takes.
fn claimed(address: u64, bytes: u64) -> u64 {
    (address + bytes.max(1)).next_multiple_of(ALIGN) + ALIGN
}

/// The memory of a session.
#[derive(Clone, Debug, Default)]
pub struct DeviceMemory {
    /// By address.
    allocations: Vec<DeviceAllocation>,
    /// Names of allocations count.
    made: usize,
}

impl DeviceMemory {
    /// A new allocation of zeros, at a multiple of `align`, which is a power of two, and of 256; returns a pointer to it.
    pub fn allocate(&mut self, bytes: usize, align: usize) -> Result<u64, SessionError> {
        let aligned = |at: u64| at.next_multiple_of(ALIGN.max(align as u64));
        if bytes as u64 > END {
            return Err(SessionError::OutOfMemory { bytes, used: self.used(), limit: MEMORY_LIMIT });
        }
        let mut at = aligned(START);
        let mut place = self.allocations.len();
        for (i, allocation) in self.allocations.iter().enumerate() {
            if claimed(at, bytes as u64) <= allocation.address {
                place = i;
                break;
            }
            at = aligned(allocation.claimed());
        }
        if claimed(at, bytes as u64) > END {
            return Err(SessionError::OutOfMemory { bytes, used: self.used(), limit: MEMORY_LIMIT });
        }
        self.made += 1;
        let buffer = Buffer { name: format!("allocation {}", self.made), data: vec![0; bytes] };
        self.allocations.insert(place, DeviceAllocation { address: at, buffer, variable: false });
        Ok(pointer(at))
    }

    /// Puts a variable of the program where its kernels expect it; returns a pointer to it.
    pub fn place(&mut self, name: &str, address: u32, data: Vec<u8>) -> Result<u64, SessionError> {
        let at = u64::from(address);
        let place = self.allocations.partition_point(|allocation| allocation.address < at);
        let before = place.checked_sub(1).map(|before| self.allocations[before].range().end);
        let after = self.allocations.get(place).map(|after| after.address);
        let end = at + data.len() as u64;
        if before.is_some_and(|before| before > at) || after.is_some_and(|after| after < end) || end > END {
            return Err(SessionError::Occupied { name: name.into() });
        }
        let buffer = Buffer { name: name.into(), data };
        self.allocations.insert(place, DeviceAllocation { address: at, buffer, variable: true });
        Ok(pointer(at))
    }

    /// Calls the allocation that `pointer` points to the start of by a name, for messages.
    pub fn rename(&mut self, pointer: u64, name: &str) {
        self.at_start(pointer).into_iter().for_each(|found| found.buffer.name = name.into());
    }

    /// Makes the allocation that `pointer` points to the start of a variable of the program, which cannot be freed.
    pub fn make_variable(&mut self, pointer: u64, name: &str) {
        self.rename(pointer, name);
        self.at_start(pointer).into_iter().for_each(|found| found.variable = true);
    }

    fn at_start(&mut self, pointer: u64) -> Option<&mut DeviceAllocation> {
        let start = address(pointer);
        self.allocations.iter_mut().find(|allocation| Some(allocation.address) == start)
    }

    /// Frees the allocation that `pointer` points to the start of.
    pub fn free(&mut self, pointer: u64) -> Result<(), SessionError> {
        let found = address(pointer).and_then(|at| self.allocations.binary_search_by_key(&at, |a| a.address).ok());
        match found.filter(|&found| !self.allocations[found].variable) {
            Some(found) => {
                self.allocations.remove(found);
                Ok(())
            }
            None => Err(self.bad_pointer(pointer, 0, "that is the start of no allocation")),
        }
    }

    /// The bytes from a pointer on.
    pub fn bytes(&self, pointer: u64, count: usize) -> Result<&[u8], SessionError> {
        let (found, range) = self.find(pointer, count)?;
        Ok(&self.allocations[found].buffer.data[range])
    }

    /// The same, to be changed.
    pub fn bytes_mut(&mut self, pointer: u64, count: usize) -> Result<&mut [u8], SessionError> {
        let (found, range) = self.find(pointer, count)?;
        Ok(&mut self.allocations[found].buffer.data[range])
    }

    /// Copies from one place to another, which may overlap.
    pub fn copy(&mut self, to: u64, from: u64, count: usize) -> Result<(), SessionError> {
        let data = self.bytes(from, count)?.to_vec();
        self.bytes_mut(to, count)?.copy_from_slice(&data);
        Ok(())
    }

    /// Bytes of all allocations.
    pub fn used(&self) -> usize {
        self.allocations.iter().map(|allocation| allocation.buffer.data.len()).sum()
    }

    /// How many bytes there are from a pointer to the end of its allocation.
    pub fn room(&self, pointer: u64) -> Result<usize, SessionError> {
        let (found, range) = self.find(pointer, 0)?;
        Ok(self.allocations[found].buffer.data.len() - range.start)
    }

    fn find(&self, pointer: u64, count: usize) -> Result<(usize, Range<usize>), SessionError> {
        let Some(at) = address(pointer) else {
            return Err(self.bad_pointer(pointer, count, "that is no pointer to the chip's memory"));
        };
        let after = self.allocations.partition_point(|allocation| allocation.address <= at);
        if let Some(found) = after.checked_sub(1) {
            let offset = (at - self.allocations[found].address) as usize;
            let size = self.allocations[found].buffer.data.len();
            if offset.checked_add(count).is_some_and(|end| end <= size) {
                return Ok((found, offset..offset + count));
            }
        }
        Err(self.bad_pointer(pointer, count, "that is outside of all allocations"))
    }

    fn bad_pointer(&self, pointer: u64, bytes: usize, problem: &'static str) -> SessionError {
        let near = address(pointer).and_then(|at| {
            let distance = |a: &&DeviceAllocation| a.address.saturating_sub(at).max(at.saturating_sub(a.range().end));
            let near = self.allocations.iter().min_by_key(distance)?;
            let (name, size) = (&near.buffer.name, near.buffer.data.len());
            Some(format!("; the nearest is `{name}`, {size} bytes from {:#x} on", self::pointer(near.address)))
        });
        SessionError::Pointer { pointer, bytes, problem, near: near.unwrap_or_default() }
    }

    /// All contents, for a launch, with their addresses; [`take_back`](Self::take_back) returns them.
    pub(super) fn lend(&mut self) -> (Vec<Buffer>, Vec<u32>) {
        let lent = |allocation: &mut DeviceAllocation| {
            let none = Buffer { name: String::new(), data: vec![] };
            (std::mem::replace(&mut allocation.buffer, none), allocation.address as u32)
        };
        self.allocations.iter_mut().map(lent).unzip()
    }

    /// What [`lend`](Self::lend) has given.
    pub(super) fn take_back(&mut self, buffers: Vec<Buffer>) {
        for (allocation, buffer) in self.allocations.iter_mut().zip(buffers) {
            allocation.buffer = buffer;
        }
    }

    /// The number of the allocation that begins at `pointer` or holds it, among those that are lent, and the offset in it.
    pub(super) fn index(&self, pointer: u64) -> Result<(usize, usize), SessionError> {
        let (found, range) = self.find(pointer, 0)?;
        Ok((found, range.start))
    }
}

/// The pointer to an address of the chip.
pub fn pointer(address: u64) -> u64 {
    u64::from(WINDOW) << 32 | address
}

/// The address that a pointer of the chip points to.
pub fn address(pointer: u64) -> Option<u64> {
    (pointer >> 32 == u64::from(WINDOW)).then_some(pointer & 0xffff_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allocations_are_apart_and_holes_are_used_again() {
        let mut memory = DeviceMemory::default();
        let [a, b, c] = [1000, 0, 5].map(|bytes| memory.allocate(bytes, 1).expect("there is room"));
        assert_eq!([a, b, c].map(|p| p - a), [0, 1280, 1792]);
        memory.bytes_mut(c, 5).expect("there").copy_from_slice(&[1, 2, 3, 4, 5]);
        memory.free(a).expect("there");
        assert_eq!(memory.allocate(1000, 1).expect("there is room"), a);
        assert_eq!(memory.allocate(1, 1).expect("there is room"), c + 512);
        assert_eq!(memory.bytes(c + 1, 4).expect("there"), [2, 3, 4, 5]);
        for (pointer, bytes) in [(c + 2, 4), (c - 1, 1), (a + 1000, 1), (0, 1), (u64::MAX, 1), (b, 1)] {
            assert!(memory.bytes(pointer, bytes).is_err(), "{bytes} bytes at {pointer:#x}");
        }
        assert!(memory.free(c + 1).is_err() && memory.free(c).is_ok() && memory.free(c).is_err());
        assert!(matches!(memory.allocate(MEMORY_LIMIT, 1), Err(SessionError::OutOfMemory { .. })));
    }
}
