//! Memory as the emulator sees it: pieces of the address space.

use super::memory_pool;
use crate::launch::{Buffer, Launch};

/// Pieces of an address space, by address.
#[derive(Default)]
pub struct Pieces {
    pieces: Vec<Piece>,
    /// The one that was found last: most accesses of a thread are where the one before was.
    last: usize,
}

struct Piece {
    start: u64,
    data: Vec<u8>,
}

impl Pieces {
    /// One piece from address 0 on.
    pub fn whole(data: Vec<u8>) -> Self {
        Self { pieces: vec![Piece { start: 0, data }], last: 0 }
    }

    /// Constants and variables of a launch, and its buffers and local memory at `addresses`, which ascend.
    pub fn buffers(launch: &Launch, addresses: &[u32]) -> Self {
        let constants = launch.initial_values();
        let constants = constants.map(|(address, data)| Piece { start: address.into(), data: data.to_vec() });
        let piece = |(buffer, &start): (&Buffer, &u32)| {
            let mut data = memory_pool::with_room(buffer.data.len());
            data.extend_from_slice(&buffer.data);
            Piece { start: start.into(), data }
        };
        let buffers = launch.buffers.iter().zip(addresses).map(piece);
        let local = addresses.get(launch.buffers.len()).filter(|_| launch.private_bytes() > 0);
        let local = local.map(|&start| Piece { start: start.into(), data: vec![0; launch.private_bytes()] });
        Self { pieces: constants.chain(buffers).chain(local).collect(), last: 0 }
    }

    /// The bytes from `address` on, when all are in one piece.
    pub fn find(&mut self, address: u64, bytes: u32) -> Option<&mut [u8]> {
        let piece = self.pieces.get(self.last)?;
        if !piece.covers(address) {
            self.last = self.pieces.partition_point(|piece| piece.start <= address).checked_sub(1)?;
        }
        let piece = &mut self.pieces[self.last];
        let at = usize::try_from(address.checked_sub(piece.start)?).ok()?;
        piece.data.get_mut(at..at.checked_add(bytes as usize)?)
    }

    /// The piece that was found last: where it starts, and its bytes.
    pub fn found(&mut self) -> Option<(u64, &mut [u8])> {
        self.pieces.get_mut(self.last).map(|piece| (piece.start, &mut piece.data[..]))
    }

    /// The bytes of the only piece.
    pub fn bytes(&mut self) -> &mut [u8] {
        self.pieces.last_mut().map_or(&mut [], |piece| &mut piece.data)
    }

    /// The only piece.
    pub fn into_whole(mut self) -> Vec<u8> {
        self.pieces.pop().map_or(vec![], |piece| piece.data)
    }
}

impl Drop for Pieces {
    fn drop(&mut self) {
        self.pieces.drain(..).for_each(|piece| memory_pool::give_back(piece.data));
    }
}

impl Piece {
    fn covers(&self, address: u64) -> bool {
        address.checked_sub(self.start).is_some_and(|at| at < self.data.len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_found_in_their_piece_alone() {
        let piece = |start, bytes: &[u8]| Piece { start, data: bytes.to_vec() };
        let mut memory = Pieces { pieces: vec![piece(4, &[1, 2, 3, 4]), piece(8, &[5]), piece(32, &[])], last: 0 };
        let mut at = |address, bytes| memory.find(address, bytes).map(|found| found.to_vec());
        assert_eq!((at(4, 4), at(8, 1), at(7, 1)), (Some(vec![1, 2, 3, 4]), Some(vec![5]), Some(vec![4])));
        for (address, bytes) in [(0, 1), (3, 1), (3, 4), (5, 4), (7, 2), (8, 4), (9, 1), (32, 1), (1 << 32 | 4, 4)] {
            assert_eq!(at(address, bytes), None, "{bytes} bytes at {address}");
        }
        assert_eq!(at(u64::MAX, 4), None);
        assert_eq!(Pieces { pieces: vec![], last: 0 }.find(0, 1), None);
    }
}
