//! Memory as the emulator sees it: pieces of the address space, and what is wrong with an access that is in none of
//! them.

use super::{
    EmulatedBlocks, EmulationError, Lane,
    hazards::{AccessKind, Touch},
    memory_pool,
};
use crate::{
    compile::{
        Constant, TOGETHER_ADDRESS, TRAP_ADDRESSES,
        checked::{CheckedAccess, HighWord},
    },
    isa::{Opcode, Operands, RZ},
    launch::{Buffer, Launch},
    semantics,
};
use std::fmt;

/// A load or store that PTX does not allow, or the chip cannot do.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("instruction {pc} (PTX line {line}), block {block:?}, thread {thread:?}: {access}: {fault}")]
pub struct BadAccess {
    /// Address of the instruction.
    pub pc: usize,
    /// Line in the PTX file.
    pub line: u32,
    /// Index of the block.
    pub block: [u32; 3],
    /// Index of the thread in it.
    pub thread: [u32; 3],
    /// How many thread instructions had been executed, this one included (of a warp, all of its threads).
    pub number: u64,
    /// What was done.
    pub access: EmulatedAccess,
    /// What is wrong with it.
    pub fault: Fault,
}

/// A load or store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EmulatedAccess {
    /// Its memory.
    pub space: Space,
    /// It writes.
    pub store: bool,
    /// Bytes; of a vector, all of them.
    pub bytes: u32,
    /// Where it starts.
    pub address: u64,
}

impl fmt::Display for EmulatedAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { space, store, bytes, address } = self;
        let (what, space) = (if *store { "store" } else { "load" }, space.name());
        let noun = if *bytes == 1 { "byte" } else { "bytes" };
        write!(f, "{what} of {bytes} {noun} at {space} address {address:#x}")
    }
}

/// A memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Space {
    /// Of all threads.
    Global,
    /// Of a block.
    Shared,
    /// Parameters of the kernel.
    Param,
    /// Constants of the kernel.
    Const,
}

impl Space {
    /// Its PTX name, without the dot.
    pub fn name(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Shared => "shared",
            Self::Param => "param",
            Self::Const => "constant",
        }
    }
}

/// What is wrong with an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// Not, or not all of it, in memory that there is.
    #[error("there is no such memory")]
    Outside,
    /// The address is no multiple of the number of bytes.
    #[error("misaligned: the address is not a multiple of the size of the access")]
    Unaligned,
    /// A store to a constant.
    #[error("constants cannot be changed")]
    ReadOnly,
    /// More bits than the chip's addresses have.
    #[error("the address has more than 32 bits")]
    Wide,
    /// A byte of it nobody has written.
    #[error("it was never written")]
    Uninitialised,
    /// A thread of another warp has accessed it since the last barrier, or one of another block.
    #[error("a race with thread {other}, PTX line {line}")]
    Race {
        /// Number of that thread in its block.
        other: u32,
        /// Number of that block, where it is another one.
        block: Option<u32>,
        /// PTX line of its access.
        line: u32,
    },
    /// Threads of the warp that an instruction names do not execute it with the others.
    #[error("threads {missing:#x} of the warp do not take part")]
    Apart {
        /// A bit for each.
        missing: u32,
    },
    /// `trap`, or a failed `assert`.
    #[error("trap")]
    Trap,
    /// Nothing: somebody wants to know of this access.
    #[error("asked for")]
    Watched,
}

/// Pieces of an address space, by address.
#[derive(Default)]
pub(super) struct Pieces {
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

/// Who does what.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub pc: usize,
    pub block: [u32; 3],
    pub thread: [u32; 3],
}

impl EmulatedBlocks<'_> {
    /// What an address has above the 32 bits of the chip, but for what marks it as one of the chip's.
    pub(super) fn high_word(&self, pc: usize, t: &impl Lane) -> u32 {
        let word = match self.accesses.get(pc) {
            Some(Some(CheckedAccess { high: HighWord::Constant(word), .. })) => *word,
            Some(Some(CheckedAccess { high: HighWord::Register(r), .. })) if *r != RZ => t.register(*r),
            _ => 0,
        };
        word & !self.launch.window()
    }

    /// Does an atomic of 32 bits, or of 64 (`wide`), with an operand and a value to compare with; the old value.
    pub(super) fn atomic(
        &mut self,
        opcode: Opcode,
        wide: bool,
        address: u64,
        [operand, compare]: [u64; 2],
        at: At,
    ) -> Result<u64, EmulationError> {
        let Some(op) = opcode.atomic() else { return Err(EmulationError::NoInstruction { pc: at.pc }) };
        let bytes = if wide { 8 } else { 4 };
        let access = EmulatedAccess { space: space_of(opcode), store: true, bytes, address };
        let watched = self.watched == Some((self.executed, at.thread));
        let memory = match access.space {
            Space::Shared => &mut self.shared,
            _ => &mut self.memory,
        };
        let found = memory.find(address, bytes);
        if let Some(fault) = fault_of(&access, found.is_some(), watched) {
            return Err(self.bad_access(access, fault, at));
        }
        let place = found.unwrap_or_default();
        let old = place.iter().rev().fold(0, |old, &byte| old << 8 | u64::from(byte));
        let new = semantics::atomic(op, wide, old, operand, compare).unwrap_or(old).to_le_bytes();
        let new = &new[..bytes as usize];
        let fault = self.hazards.as_mut().and_then(|hazards| {
            let thread = number_of(at.thread, self.launch.block);
            hazards.touch(&Touch {
                space: access.space,
                address,
                kind: AccessKind::Atomic,
                pc: at.pc,
                thread,
                bytes: place,
                new,
            })
        });
        place.copy_from_slice(new);
        fault.map_or(Ok(old), |fault| Err(self.bad_access(access, fault, at)))
    }

    fn bad_access(&self, access: EmulatedAccess, fault: Fault, At { pc, block, thread }: At) -> EmulationError {
        let fault = match fault {
            // Until here it has the address of the instruction.
            Fault::Race { other, block, line } => Fault::Race { other, block, line: self.line(line as usize) },
            fault => fault,
        };
        let (line, number) = (self.line(pc), self.executed);
        EmulationError::Access(Box::new(BadAccess { pc, line, block, thread, number, access, fault }))
    }

    /// The threads of the warp that `mask` names and that have not ended act together.
    fn meet(&self, mask: u32, at: At) -> Result<Option<u32>, EmulationError> {
        let missing = self.together.map_or(0, |[acting, live]| mask & live & !acting);
        if missing == 0 {
            return Ok(None);
        }
        let access = EmulatedAccess { space: Space::Shared, store: false, bytes: 4, address: 0 };
        Err(self.bad_access(access, Fault::Apart { missing }, at))
    }

    /// A constant of the kernel is there.
    pub(super) fn is_constant(&self, address: u64) -> bool {
        let within = |constant: &Constant| (constant.address.into()..u64::from(constant.end())).contains(&address);
        self.launch.kernel.constants.iter().any(within)
    }

    /// Loads a value, or stores `value`.
    pub(super) fn access(
        &mut self,
        opcode: Opcode,
        address: u64,
        value: u32,
        at: At,
    ) -> Result<Option<u32>, EmulationError> {
        if opcode == Opcode::StG32 && address == u64::from(TOGETHER_ADDRESS) && !self.accesses.is_empty() {
            return self.meet(value, at);
        }
        let (bytes, signed) = size(opcode);
        let store = opcode.operands() == Operands::Store;
        let is_constant = self.is_constant(address);
        let space = space_of(opcode);
        if space == Space::Global && !store {
            self.note_load(address, at);
        }
        let memory = match space {
            Space::Global | Space::Const => &mut self.memory,
            Space::Shared => &mut self.shared,
            Space::Param => &mut self.param,
        };
        // Parameters are where the compiler has put them.
        let part = self.accesses.get(at.pc).copied().flatten().filter(|_| space != Space::Param);
        let (whole, before) = part.map_or((bytes, 0), |part| (part.bytes, part.before));
        let start = address.wrapping_sub(before.into());
        let found = memory.find(address, bytes);
        let access = EmulatedAccess { space, store, bytes: whole, address: start };
        let watched = self.watched == Some((self.executed, at.thread));
        let there = found.is_some() && (space != Space::Const || is_constant);
        let fault = match address >> 32 {
            0 => fault_of(&access, there, watched),
            _ => fault_of(&EmulatedAccess { address, ..access }, there, watched),
        };
        let fault = match fault {
            None | Some(Fault::Outside)
                if store && space == Space::Global && TRAP_ADDRESSES.map(u64::from).contains(&address) =>
            {
                Some(Fault::Trap)
            }
            None if store && space == Space::Global && is_constant => Some(Fault::ReadOnly),
            fault => fault,
        };
        let hazard =
            self.hazards.as_mut().zip(found.as_ref()).filter(|_| fault.is_none()).and_then(|(hazards, found)| {
                let (thread, new) = (number_of(at.thread, self.launch.block), value.to_le_bytes());
                let kind = match (store, opcode.is_volatile()) {
                    (true, _) => AccessKind::Write,
                    (false, true) => AccessKind::Volatile,
                    (false, false) => AccessKind::Read,
                };
                let new = if store { &new[..bytes as usize] } else { &found[..] };
                hazards.touch(&Touch { space, address, kind, pc: at.pc, thread, bytes: found, new })
            });
        match (found, fault.or(hazard)) {
            (Some(memory), None) if store => {
                memory.copy_from_slice(&value.to_le_bytes()[..bytes as usize]);
                Ok(None)
            }
            (Some(memory), None) => {
                let mut word = [0; 4];
                word[..bytes as usize].copy_from_slice(memory);
                let unused = 32 - 8 * bytes;
                let value = u32::from_le_bytes(word);
                Ok(Some(if signed { ((value << unused) as i32 >> unused) as u32 } else { value }))
            }
            (_, fault) => Err(self.bad_access(access, fault.unwrap_or(Fault::Outside), at)),
        }
    }
}

/// The number of a thread in its block.
fn number_of([x, y, z]: [u32; 3], [width, height, _]: [u32; 3]) -> u32 {
    (z * height + y) * width + x
}

/// The memory that an instruction works on.
pub(super) fn space_of(opcode: Opcode) -> Space {
    match opcode.memory_space() {
        Some(1) => Space::Shared,
        Some(2) => Space::Param,
        _ if opcode.is_constant() => Space::Const,
        _ => Space::Global,
    }
}

/// What is wrong with an access, if anything; `there`: in memory that there is.
fn fault_of(access: &EmulatedAccess, there: bool, watched: bool) -> Option<Fault> {
    match there {
        _ if watched => Some(Fault::Watched),
        _ if access.address >> 32 != 0 => Some(Fault::Wide),
        false => Some(Fault::Outside),
        true if !access.address.is_multiple_of(access.bytes.into()) => Some(Fault::Unaligned),
        true => None,
    }
}

/// Bytes of an access, and whether it extends the sign.
pub(super) fn size(opcode: Opcode) -> (u32, bool) {
    match opcode as u8 & 7 {
        0 => (4, false),
        1 => (1, false),
        2 => (1, true),
        3 => (2, false),
        _ => (2, true),
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
