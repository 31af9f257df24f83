//! What loads, stores and atomics do to memory, and what is wrong with those that are in no piece of it.

use super::{
    bad_access::{BadAccess, EmulatedAccess, Fault, Space},
    error::EmulationError,
    hazards::{AccessKind, Touch},
    lane::Lane,
    machine::EmulatedBlocks,
    places::{At, number_of},
};
use crate::{
    compile::{
        Constant, TOGETHER_ADDRESS, TRAP_ADDRESSES,
        checked_access::{CheckedAccess, HighWord},
    },
    isa::{Opcode, Operands, RZ},
    semantics,
};

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
