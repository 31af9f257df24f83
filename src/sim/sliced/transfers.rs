//! What is not boolean algebra: memories and payload.
//!
//! All of it is described by data, with absolute places, and executed for all lanes of a word: memory reads whose words
//! become bits, copies of payload registers under their conditions, and memory writes at the clock edge. Bits that go
//! from tile to tile: [`links`](super::links).
//!
//! ```text
//!  address planes --Address--+
//!  planes --PackRun----------+--> place of each lane (Spot) --ReadRun--> planes
//!  state --ImportRun---------+                 |
//!  conditions --Selection--> lanes ------> WordSource --MoveRun, WriteRun--> Copies
//! ```
//!
//! A payload register has two places in every lane and a flag (a plane among the registers) that says which of them
//! holds the present value. A new value goes to the other place and turns the flag of the next state, so copies may be
//! made in any order and, before the clock edge, made again.

#![expect(unsafe_op_in_unsafe_fn, reason = "each of them is a list of places that the part vouches for")]

use super::{
    arrays::{Arrays, Kernel, Planes, lanes_of, span},
    copies::Copies,
    lanes::Lanes,
};
use crate::profile::{Activity, MaybeBoard, Work, profile_mark};

#[cfg(all(target_arch = "x86_64", unix))]
use super::word_code::WordCode;
#[cfg(all(target_arch = "x86_64", unix))]
use iced_x86::IcedError;

/// All of a part, but memory reads whose addresses have to be computed first.
#[derive(Default)]
pub(super) struct Transfers {
    pub imports: Vec<ImportRun>,
    pub unpacks: Vec<ReadRun>,
    pub addresses: Vec<AddressRun>,
    pub packs: Vec<PackRun>,
    pub selections: Selections,
    pub moves: Vec<MoveRun>,
    pub writes: Vec<WriteRun>,
}

impl Transfers {
    /// What comes into tiles; before kernels run.
    #[inline(always)]
    pub unsafe fn bring(&self, with: impl Lanes, arrays: &Arrays) {
        self.imports.iter().for_each(|run| run.run(arrays));
        self.unpacks.iter().for_each(|run| run.run(with, arrays));
    }

    /// Next values of payload registers, and what writes need; after kernels.
    ///
    /// # Safety
    /// The arrays are those that the transfers were made for.
    #[inline(always)]
    pub unsafe fn copy(&self, with: impl Lanes, arrays: &Arrays, board: &MaybeBoard) {
        for run in &self.addresses {
            profile_mark(board, Activity::Bundle(Work::Move, run.bundle));
            run.run(with, arrays);
        }
        for run in &self.packs {
            let work = if run.wanted.is_some() { Work::Write } else { Work::Move };
            profile_mark(board, Activity::Bundle(work, run.bundle));
            run.run(with, arrays);
        }
        // For all blocks at once, as are the copies.
        profile_mark(board, Activity::Between(Work::Move));
        self.selections.run(arrays);
        let mut copies = Copies::new();
        for run in &self.moves {
            profile_mark(board, Activity::Bundle(Work::Move, run.bundle));
            run.run(with, arrays, &mut copies);
        }
        profile_mark(board, Activity::Between(Work::Move));
        copies.make(arrays);
    }

    /// Memory writes; at the clock edge.
    #[inline(always)]
    pub unsafe fn write(&self, with: impl Lanes, arrays: &Arrays, board: &MaybeBoard) {
        let mut copies = Copies::new();
        for run in &self.writes {
            profile_mark(board, Activity::Bundle(Work::Write, run.bundle));
            run.run(with, arrays, &mut copies);
        }
        profile_mark(board, Activity::Between(Work::Write));
        copies.make(arrays);
    }
}

/// Calls a function with the count of sixteens of lanes as a constant.
macro_rules! with_sixteens {
    ($count:expr, $run:ident :: <$lanes:ty, _>($self:expr $(, $argument:expr)*)) => {
        match $count {
            1 => $self.$run::<$lanes, 1>($($argument),*),
            2 => $self.$run::<$lanes, 2>($($argument),*),
            3 => $self.$run::<$lanes, 3>($($argument),*),
            _ => $self.$run::<$lanes, 4>($($argument),*),
        }
    };
}

/// The lanes of a sixteen.
#[inline(always)]
fn sixteen_of(lanes: u64, sixteen: usize) -> u16 {
    (lanes >> (16 * sixteen)) as u16
}

/// Where something is in the store, in each lane: in a table, and so many words further where a plane says so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Spot {
    /// In the wires.
    pub table: usize,
    /// In the wires.
    pub flag: usize,
    pub step: u32,
}

impl Spot {
    #[inline(always)]
    unsafe fn places<L: Lanes, const N: usize>(self, with: L, arrays: &Arrays) -> [L::Sixteen; N] {
        moved(table(self.table, with, arrays), arrays.wire(self.flag), self.step, with)
    }
}

/// Places of all lanes. Here and below, what goes through sixteens are loops: functions of the library that call a closure
/// are compiled without the instructions of the processor, and cannot be inlined once the closure has them.
#[inline(always)]
unsafe fn table<L: Lanes, const N: usize>(at: usize, with: L, arrays: &Arrays) -> [L::Sixteen; N] {
    let mut places = [with.all(0); N];
    for (sixteen, places) in places.iter_mut().enumerate() {
        *places = with.load(&arrays.table(at, sixteen));
    }
    places
}

/// `step` higher in the lanes of a plane.
#[inline(always)]
fn moved<L: Lanes, const N: usize>(mut places: [L::Sixteen; N], plane: u64, step: u32, with: L) -> [L::Sixteen; N] {
    for (sixteen, places) in places.iter_mut().enumerate() {
        *places = with.moved(*places, sixteen_of(plane, sixteen), step);
    }
    places
}

/// Entries of a memory by their addresses, in one word of lanes.
#[derive(Clone, Debug)]
pub(super) struct Address {
    /// As many low bits as there are entries to tell apart.
    pub planes: Planes,
    /// The others: no entry has them.
    pub beyond: Planes,
    /// The first entry in each lane; in the wires.
    pub table: usize,
    /// Words of an entry.
    pub words: u32,
    /// Words of the memory, if not all of those low bits are entries.
    pub size: Option<u32>,
}

impl Address {
    /// Places of the entries, and the lanes that have one.
    #[inline(always)]
    unsafe fn entries<L: Lanes, const N: usize>(&self, with: L, arrays: &Arrays) -> ([L::Sixteen; N], u64) {
        let mut offsets = [with.all(0); N];
        for (bit, plane) in self.planes.places().enumerate() {
            let plane = arrays.wire(plane);
            offsets = moved(offsets, plane, self.words << bit, with);
        }
        let mut inside = self.beyond.places().fold(!0, |inside, plane| inside & !arrays.wire(plane));
        if let Some(size) = self.size {
            let mut below = 0;
            for (sixteen, offsets) in offsets.iter().enumerate() {
                below |= u64::from(with.below(*offsets, size)) << (16 * sixteen);
            }
            inside &= below;
        }
        let mut places = table(self.table, with, arrays);
        for (first, offset) in places.iter_mut().zip(offsets) {
            *first = with.sum(*first, offset);
        }
        (places, inside)
    }

    /// Likewise, `zero` where there is none.
    #[inline(always)]
    unsafe fn places<L: Lanes, const N: usize>(&self, zero: u32, with: L, arrays: &Arrays) -> [L::Sixteen; N] {
        let (mut places, inside) = self.entries(with, arrays);
        if inside != !0 {
            for (sixteen, places) in places.iter_mut().enumerate() {
                *places = with.choose(*places, !sixteen_of(inside, sixteen), with.all(zero));
            }
        }
        places
    }
}

/// Entries that several transfers want.
#[derive(Clone, Debug)]
pub(super) struct AddressRun {
    pub address: Address,
    /// A place that is zero.
    pub zero: u32,
    /// The table that it makes; in the wires.
    pub to: usize,
    pub sixteens: usize,
    /// For profiles.
    pub bundle: u32,
}

impl AddressRun {
    #[inline(always)]
    pub unsafe fn run<L: Lanes>(&self, with: L, arrays: &Arrays) {
        with_sixteens!(self.sixteens, run_with::<L, _>(self, with, arrays));
    }

    #[inline(always)]
    unsafe fn run_with<L: Lanes, const N: usize>(&self, with: L, arrays: &Arrays) {
        let places: [L::Sixteen; N] = self.address.places(self.zero, with, arrays);
        for (sixteen, places) in places.into_iter().enumerate() {
            let mut table = [0; 16];
            with.store(places, &mut table);
            arrays.set_table(self.to, sixteen, table);
        }
    }
}

/// From where bits are read that become planes.
#[derive(Clone, Debug)]
pub(super) enum Words {
    Memory { address: Address, zero: u32 },
    Payload(Spot),
}

/// Words that are needed as bits: of a memory, or of payload that comes into tiles, in one word of lanes.
#[derive(Clone, Debug)]
pub(super) struct ReadRun {
    pub from: Words,
    /// Lanes that get them.
    pub valid: u64,
    pub to: Planes,
}

impl ReadRun {
    #[inline(always)]
    pub unsafe fn run<L: Lanes>(&self, with: L, arrays: &Arrays) {
        with_sixteens!(span(self.valid).div_ceil(16), run_with::<L, _>(self, with, arrays));
    }

    #[inline(always)]
    unsafe fn run_with<L: Lanes, const N: usize>(&self, with: L, arrays: &Arrays) {
        let places: [L::Sixteen; N] = match &self.from {
            Words::Memory { address, zero } => address.places(*zero, with, arrays),
            Words::Payload(spot) => spot.places(with, arrays),
        };
        for (part, first) in (0..self.to.count).step_by(64).enumerate() {
            let to = self.to.part(first, (self.to.count - first).min(64));
            let set = |bit: usize, plane: u64| {
                let at = to.first + bit * to.stride;
                match &self.from {
                    // Whatever other lanes have, nobody reads it.
                    Words::Memory { .. } => arrays.set_wire(at, plane),
                    Words::Payload(_) => arrays.set_wire(at, arrays.wire(at) & !self.valid | plane & self.valid),
                }
            };
            // Lanes have places in the store, and words of an entry follow each other.
            with.planes(arrays.store_from(part), &places, span(self.valid), to.count, set);
        }
    }
}

/// Bits that are needed as words: in every lane, so that whoever wants them finds them in the store.
#[derive(Clone, Debug)]
pub(super) struct PackRun {
    pub from: Planes,
    /// They are wires, and wanted in the lanes of this plane of wires; none: they are present registers.
    pub wanted: Option<usize>,
    pub lanes: usize,
    /// Place of lane 0; as many words as are needed in each lane.
    pub to: usize,
    /// For profiles.
    pub bundle: u32,
}

impl PackRun {
    #[inline(always)]
    pub unsafe fn run<L: Lanes>(&self, with: L, arrays: &Arrays) {
        if self.wanted.is_some_and(|plane| arrays.wire(plane) == 0) {
            return;
        }
        let words = self.from.count.div_ceil(64);
        let (mut planes, mut values) = ([0; 64], [0; 64]);
        for part in 0..words {
            let from = self.from.part(64 * part, (self.from.count - 64 * part).min(64));
            for (plane, at) in planes.iter_mut().zip(from.places()) {
                *plane = if self.wanted.is_some() { arrays.wire(at) } else { arrays.present(at) };
            }
            with.words(&planes[..from.count], self.lanes, &mut values);
            let values = values[..self.lanes].iter().enumerate();
            values.for_each(|(lane, &value)| arrays.set_stored(self.to + lane * words + part, value));
        }
    }
}

/// Payload that the top level has left in the state.
#[derive(Clone, Debug)]
pub(super) struct ImportRun {
    /// In the storage.
    pub from: usize,
    /// In the store.
    pub to: usize,
    pub words: usize,
}

impl ImportRun {
    #[inline(always)]
    pub unsafe fn run(&self, arrays: &Arrays) {
        (0..self.words).for_each(|i| arrays.set_stored(self.to + i, arrays.storage(self.from + i)));
    }
}

/// A word of a plane of wires, or its complement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Condition {
    pub wire: usize,
    /// Ones for the complement.
    pub inverted: u64,
}

/// The lanes in which all conditions hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Selection {
    pub lanes: u64,
    pub conditions: Vec<Condition>,
    /// In the wires.
    pub to: usize,
}

/// All selections of a part.
#[derive(Default)]
pub(super) struct Selections {
    /// Makes them, where there is code for them.
    code: Option<Kernel>,
    pub list: Vec<Selection>,
}

impl Selections {
    /// Code that makes them.
    #[cfg(all(target_arch = "x86_64", unix))]
    pub fn code(&self) -> Result<WordCode, IcedError> {
        let mut code = WordCode::default();
        self.list.iter().try_for_each(|selection| code.selection(selection))?;
        Ok(code)
    }

    /// They are made by this.
    pub fn done_by(&mut self, code: Kernel) {
        self.code = Some(code);
        self.list.clear();
    }

    /// # Safety
    /// The arrays are those that they were made for.
    #[inline(always)]
    pub unsafe fn run(&self, arrays: &Arrays) {
        if let Some(code) = self.code {
            return arrays.call(code);
        }
        for Selection { lanes, conditions, to } in &self.list {
            let hold = |lanes, condition: &Condition| lanes & (arrays.wire(condition.wire) ^ condition.inverted);
            arrays.set_wire(*to, conditions.iter().fold(*lanes, hold));
        }
    }
}

/// Where payload comes from, and the lanes (a plane of wires) in which it comes from there. At most one source of a
/// register at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordSource {
    pub selected: usize,
    pub from: Spot,
}

/// The lanes in which a source is selected.
#[inline(always)]
unsafe fn selected(sources: &[WordSource], arrays: &Arrays) -> u64 {
    sources.iter().fold(0, |all, source| all | arrays.wire(source.selected))
}

/// The places that sources select.
#[inline(always)]
unsafe fn sources<L: Lanes, const N: usize>(sources: &[WordSource], with: L, arrays: &Arrays) -> [L::Sixteen; N] {
    let mut places = [with.all(0); N];
    for source in sources {
        let lanes = arrays.wire(source.selected);
        let here: [L::Sixteen; N] = source.from.places(with, arrays);
        for (sixteen, places) in places.iter_mut().enumerate() {
            *places = with.choose(*places, sixteen_of(lanes, sixteen), here[sixteen]);
        }
    }
    places
}

/// The next value of a payload register, for one word of lanes.
#[derive(Clone, Debug)]
pub(super) struct MoveRun {
    /// Word of its flag; none: not a register, but a copy of a memory's word for those who write at the clock edge.
    pub flag: Option<usize>,
    /// Where a next value goes to while the flag is zero; in the wires. Where the flag is one, so many words further.
    pub table: usize,
    pub step: u32,
    pub words: usize,
    pub sources: Vec<WordSource>,
    pub sixteens: usize,
    /// For profiles.
    pub bundle: u32,
}

impl MoveRun {
    #[inline(always)]
    pub unsafe fn run<L: Lanes>(&self, with: L, arrays: &Arrays, copies: &mut Copies) {
        let changed = selected(&self.sources, arrays);
        let flags = self.flag.map_or(0, |flag| arrays.present(flag));
        if let Some(flag) = self.flag {
            arrays.set_next(flag, flags ^ changed);
        }
        // A network without load is worth a branch.
        if changed != 0 {
            with_sixteens!(self.sixteens, list::<L, _>(self, with, arrays, copies, changed, flags));
        }
    }

    #[inline(always)]
    unsafe fn list<L: Lanes, const N: usize>(
        &self,
        with: L,
        arrays: &Arrays,
        copies: &mut Copies,
        changed: u64,
        flags: u64,
    ) {
        let from: [L::Sixteen; N] = sources(&self.sources, with, arrays);
        let to: [L::Sixteen; N] = moved(table(self.table, with, arrays), flags, self.step, with);
        copies.of(self.words, arrays);
        for (sixteen, (from, to)) in from.into_iter().zip(to).enumerate() {
            copies.push(with, from, to, sixteen_of(changed, sixteen), arrays);
        }
    }
}

/// A memory write port, for one word of lanes; executed at the clock edge, before registers change.
#[derive(Clone, Debug)]
pub(super) struct WriteRun {
    pub enable: usize,
    pub valid: u64,
    pub address: Address,
    pub sources: Vec<WordSource>,
    /// Planes of the data and those that enable equal parts of the word; then there are no sources.
    pub masked: Option<(Planes, Planes)>,
    /// For profiles.
    pub bundle: u32,
}

impl WriteRun {
    #[inline(always)]
    pub unsafe fn run<L: Lanes>(&self, with: L, arrays: &Arrays, copies: &mut Copies) {
        let enabled = arrays.wire(self.enable) & self.valid;
        if enabled != 0 {
            with_sixteens!(span(self.valid).div_ceil(16), list::<L, _>(self, with, arrays, copies, enabled));
        }
    }

    #[inline(always)]
    unsafe fn list<L: Lanes, const N: usize>(&self, with: L, arrays: &Arrays, copies: &mut Copies, enabled: u64) {
        let (to, inside) = self.address.entries::<L, N>(with, arrays);
        if let Some((data, mask)) = self.masked {
            // Ports of a memory write in order.
            copies.make(arrays);
            let mut places = [[0; 16]; N];
            for (places, to) in places.iter_mut().zip(to) {
                with.store(to, places);
            }
            return masked(data, mask, arrays, enabled & inside, places.as_flattened());
        }
        let lanes = enabled & inside & selected(&self.sources, arrays);
        let from: [L::Sixteen; N] = sources(&self.sources, with, arrays);
        copies.of(self.address.words as usize, arrays);
        for (sixteen, (from, to)) in from.into_iter().zip(to).enumerate() {
            copies.push(with, from, to, sixteen_of(lanes, sixteen), arrays);
        }
    }
}

#[cold]
unsafe fn masked(data: Planes, mask: Planes, arrays: &Arrays, enabled: u64, to: &[u32]) {
    let part = data.count / mask.count;
    for lane in lanes_of(enabled) {
        for (bit, plane) in data.places().enumerate() {
            if arrays.wire(mask.first + bit / part * mask.stride) >> lane & 1 == 1 {
                let (at, value) = (to[lane] as usize + bit / 64, arrays.wire(plane) >> lane & 1);
                arrays.set_stored(at, arrays.stored(at) & !(1 << (bit % 64)) | value << (bit % 64));
            }
        }
    }
}
