//! The parts of a core: each has an issue slot, and the warps, registers and lanes that belong to it. What they share
//! is theirs in turn.
//!
//! ```text
//!               +-----------+   +----------+   +---------+   +------------+
//!   warps 0, 2, | front_end0|-->| operands0|-->| execute0|-->| write_back0|--> registers of warps 0, 2, ...
//!               +-----------+   +----------+   +---------+   +------------+
//!                     | holds                       | one access a turn  ^
//!                     v                             v                    | by the warp's number
//!                  (turn) ------ hold ------> memory units: load_store, shared_memory, constant_memory
//!                     ^                             ^                    |
//!                     | holds                       |                    v
//!               +-----------+   +----------+   +---------+   +------------+
//!   warps 1, 3, | front_end1|-->| operands1|-->| execute1|-->| write_back1|--> registers of warps 1, 3, ...
//!               +-----------+   +----------+   +---------+   +------------+
//! ```
//!
//! Contract: warp w of the core is warp `w / parts` of part `w % parts`; blocks take warps with neighbouring numbers,
//! so theirs are spread over all parts. The beats of all parts run together. A memory unit belongs to one part at a
//! time, from one issue interval to the next: where a warp of that part has an access to it next, whether it can issue
//! or not, accesses of other parts wait. It goes to the next part when its owner has nothing for it, and behind each
//! turn in which it could take what its owner has; so a part waits for one access of each other, however long the unit
//! takes for it. A core with one issue slot is one part, and nothing of this is there.
//!
//! Source: NVIDIA's Fermi as the GPU models of the papers have it: two schedulers, one for warps of even and one for
//! warps of odd number, which share the units for loads and stores (Kim's thesis, section 1.2).
//!
//! Tests: `tests/core/slots.rs`.

use super::{
    config::CoreParams,
    decode::Controls,
    execute::Execute,
    front_end::{FrontEnd, InstructionFetch},
    memory::read_only_cache::{LineRead, LineReply, ReadOnlyCache},
    operands::OperandStage,
    ports::{AccessesNext, Completion, Hold, RegisterWrite},
    units::{PlacedUnit, UnitHolds, Writer},
    write_back::WriteBack,
};
use blocks::{ArbiterKind, any_of, arbitrate, one_hot_index};
use hdl::{Builder, Bundle, Child, Module, PortName, Signal, index_width, mux, row, select};

impl CoreParams {
    /// Of one of its parts: an issue slot with the warps, registers and lanes that belong to it.
    pub fn part(&self) -> Self {
        Self { warps: self.warps / self.issue_slots, issue_slots: 1, part_of: self.issue_slots, ..self.clone() }
    }

    /// Its parts, as they are called.
    pub fn part_numbers(&self) -> impl Iterator<Item = PartNumber> + use<> {
        PartNumber::all(self.issue_slots)
    }

    /// The place of a warp of the core in a list of the warps of one part after the other.
    pub fn place_of_warp(&self, warp: usize) -> usize {
        let parts = self.issue_slots as usize;
        warp % parts * (self.warps as usize / parts) + warp / parts
    }

    /// Warps of the core, which a block may have all of.
    pub fn core_warps(&self) -> u32 {
        self.warps * self.part_of
    }

    /// Bits of the number of a warp in the core, or in its block.
    pub fn core_warp_bits(&self) -> u32 {
        index_width(self.core_warps() as usize)
    }
}

/// A part in the names of what the core has for each: a number where there are several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PartNumber {
    /// From 0 on.
    pub index: u32,
    of: u32,
}

impl PartNumber {
    fn all(of: u32) -> impl Iterator<Item = Self> {
        (0..of).map(move |index| Self { index, of })
    }

    /// Of what the core has for each warp, that of the warps of this part.
    pub fn of_warps<T: Copy>(self, all: &[T]) -> Vec<T> {
        all.iter().skip(self.index as usize).step_by(self.of as usize).copied().collect()
    }
}

impl PortName for PartNumber {
    fn append_to(&self, out: &mut String) {
        if self.of > 1 {
            self.index.append_to(out);
        }
    }
}

/// One part.
#[derive(Clone, Copy)]
pub(super) struct IssuePartition<'m> {
    pub number: PartNumber,
    pub front: FrontEnd<'m>,
    pub operand: OperandStage<'m>,
    pub lanes: Execute<'m>,
    pub writer: WriteBack<'m>,
    /// Those of [`UNITS`](super::units::UNITS) that the core has.
    units: UnitHolds<PlacedUnit<'m>>,
}

impl<'m> IssuePartition<'m> {
    /// Its units beside the lanes, with their numbers in [`UNITS`](super::units::UNITS).
    pub fn units(&self) -> impl Iterator<Item = (usize, PlacedUnit<'m>)> {
        self.units.into_iter().enumerate().filter_map(|(u, unit)| Some((u, unit?)))
    }
}

/// Which of what the warps of a part have next is meant.
type IsNext = for<'m> fn(&AccessesNext<'m>) -> Signal<'m>;

/// All of them.
pub(super) struct IssuePartitions<'m> {
    /// Parameters of each.
    pub own: CoreParams,
    parts: Vec<IssuePartition<'m>>,
}

/// One block of each part, in its `place`.
pub(super) fn of_parts<'m, T>(
    m: &'m Builder,
    p: &CoreParams,
    name: impl PortName,
    place: fn(Child<'m>) -> T,
    module: &Module,
) -> Vec<T> {
    p.part_numbers().map(|part| place(m.instance((&name, part), module))).collect()
}

impl<'m> IssuePartitions<'m> {
    /// From the blocks of all parts: front ends, operand stages, lanes, write-backs; and the units beside the lanes.
    pub fn new(
        own: CoreParams,
        fronts: Vec<FrontEnd<'m>>,
        operands: Vec<OperandStage<'m>>,
        lanes: Vec<Execute<'m>>,
        writers: Vec<WriteBack<'m>>,
        units: &UnitHolds<Vec<PlacedUnit<'m>>>,
    ) -> Self {
        let parts = PartNumber::all(own.part_of).enumerate().map(|(i, number)| IssuePartition {
            number,
            front: fronts[i],
            operand: operands[i],
            lanes: lanes[i],
            writer: writers[i],
            units: std::array::from_fn(|u| Some(units[u].as_ref()?[i])),
        });
        let parts = parts.collect();
        Self { own, parts }
    }

    pub fn iter(&self) -> impl Iterator<Item = &IssuePartition<'m>> {
        self.parts.iter()
    }

    /// An output of the front ends with `width` bits for each warp, in the order of the core's warps.
    pub fn gather(&self, port: impl Fn(FrontEnd<'m>) -> Signal<'m>, width: u32) -> Signal<'m> {
        let words: Vec<_> = self.iter().map(|part| port(part.front)).collect();
        if let [word] = words[..] {
            return word;
        }
        let of_warps: Vec<_> = words.iter().map(|word| word.parts(width)).collect();
        row((0..of_warps[0].len()).flat_map(|own| of_warps.iter().map(move |of_warps| of_warps[own])))
    }

    /// An input of the front ends: a bit for each warp of the core.
    pub fn drive_warps(&self, port: impl Fn(FrontEnd<'m>, Signal<'m>), bits: Signal<'m>) {
        if let [part] = self.parts[..] {
            return port(part.front, bits);
        }
        let bits = bits.to_bits();
        self.parts.iter().for_each(|part| port(part.front, row(part.number.of_warps(&bits))));
    }

    /// The number in the core of a warp of `part`.
    pub fn in_core(&self, part: &IssuePartition<'m>, warp: Signal<'m>) -> Signal<'m> {
        match self.bits() {
            0 => warp,
            bits => warp.join(warp.builder().lit(bits, part.number.index.into())),
        }
    }

    /// `event` where it is of a warp of `part`, and the warp's number there.
    pub fn in_part(&self, part: &IssuePartition<'m>, event: Signal<'m>, warp: Signal<'m>) -> (Signal<'m>, Signal<'m>) {
        match self.bits() {
            0 => (event, warp),
            bits => {
                let own = warp.bits(0, bits).eq(part.number.index);
                (event & own, warp.bits(bits, warp.width() - bits))
            }
        }
    }

    /// What `of` says of the part that `warp` belongs to.
    pub fn of_warp(&self, warp: Signal<'m>, of: impl Fn(&IssuePartition<'m>) -> Signal<'m>) -> Signal<'m> {
        let values: Vec<_> = self.iter().map(of).collect();
        match self.bits() {
            0 => values[0],
            bits => select(warp.bits(0, bits), &values),
        }
    }

    /// Words that a memory unit writes, to the registers of the warp.
    pub fn write(&self, write: RegisterWrite<'m>, from: Writer) {
        for part in &self.parts {
            let (valid, warp) = self.in_part(part, write.valid, write.warp);
            part.writer.waiting(from).drive(RegisterWrite { valid, warp, ..write });
        }
    }

    /// The end of an access, to the scoreboard of the warp.
    pub fn done(&self, done: Completion<'m>, from: Writer) {
        for part in &self.parts {
            let (valid, warp) = self.in_part(part, done.valid, done.warp);
            part.front.done(from, Completion { valid, warp, ..done });
        }
    }

    /// Whether any part issues an instruction for which `of` holds.
    pub fn issues(&self, of: impl Fn(&Controls<'m>) -> Signal<'m>) -> Signal<'m> {
        let issues = self.iter().map(|part| {
            let issue = part.front.issue();
            issue.valid & of(&Controls::unpack(issue.control, &self.own))
        });
        any_of(&issues.collect::<Vec<_>>())
    }

    /// Tells each front end which units cannot take an instruction; `hold` is what the units themselves say.
    pub fn hold(&self, m: &'m Builder, hold: &Hold<'m>) {
        if let [part] = self.parts[..] {
            let (lanes, units) = (part.writer.hold_lanes(), self.units_full(&part));
            return part.front.hold(Hold { lanes, units, ..*hold });
        }
        let global = self.ownership(m, "global", &[(|next| next.load, hold.loads), (|next| next.store, hold.stores)]);
        let shared = self.ownership(m, "shared", &[(|next| next.shared, hold.shared)]);
        for part in &self.parts {
            let [global, shared] = [global, shared].map(|(owner, holds)| owner.ne(part.number.index) & holds);
            part.front.hold(Hold {
                loads: hold.loads | global,
                stores: hold.stores | global,
                shared: hold.shared | shared,
                lanes: part.writer.hold_lanes(),
                units: self.units_full(part),
            });
        }
    }

    /// Whose a memory unit is, and whether that part has an access to it. `accesses`: their kinds, and whether the unit cannot take them.
    fn ownership(&self, m: &'m Builder, unit: &str, accesses: &[(IsNext, Signal<'m>)]) -> (Signal<'m>, Signal<'m>) {
        m.comment("The part that a memory unit belongs to.");
        let owner = m.register((unit, "owner"), self.bits(), 0);
        let next: Vec<_> = self.iter().filter_map(|part| part.front.holds()).collect();
        let of_owner = |is_next: IsNext| select(owner, &next.iter().map(is_next).collect::<Vec<_>>());
        let (holds, denied): (Vec<_>, Vec<_>) =
            accesses.iter().map(|&(is_next, full)| (of_owner(is_next), of_owner(is_next) & full)).unzip();
        let last = self.parts[0].front.beat().eq(u64::from(self.own.beats() - 1));
        m.when(last & !any_of(&denied), || m.set(owner, owner + 1));
        (owner, m.wire((unit, "owner_holds"), any_of(&holds)))
    }

    /// Units beside the lanes that have no place. With one beat an instruction is chosen in the cycle in which the one
    /// before takes its place.
    fn units_full(&self, part: &IssuePartition<'m>) -> UnitHolds<Signal<'m>> {
        let issue = part.front.issue();
        let control = Controls::unpack(issue.control, &self.own);
        std::array::from_fn(|u| {
            let full = !part.units[u]?.ready();
            let [issues, _] = control.units[u];
            Some(if self.own.beats() == 1 { full | issue.valid & issues? } else { full })
        })
    }

    /// Reads of instructions by all parts, as one reader: the part is in the high bits of the tag.
    pub fn connect_fetches(&self, m: &'m Builder, cache: ReadOnlyCache<'m>) {
        if let [part] = self.parts[..] {
            let reader = InstructionFetch(part.front.0);
            reader.fetch().connect(cache.request());
            return reader.line(cache.reply());
        }
        let (tag_bits, bits) = (self.own.fetch_protocol().tag_bits, self.bits());
        let reads: Vec<_> = self.iter().map(|part| InstructionFetch(part.front.0).fetch().signals()).collect();
        m.comment("Fetches of all parts.");
        let (wants, taken) = (row(reads.iter().map(|read| read.valid)), cache.request().answer());
        let grant = arbitrate(m, "fetch_arbiter", ArbiterKind::RoundRobin, wants, taken);
        let grant = m.wire("fetch_grant", grant);
        let number = m.wire("fetch_part", one_hot_index(grant));
        let tags: Vec<_> = reads.iter().map(|read| read.tag).collect();
        let lines: Vec<_> = reads.iter().map(|read| read.line).collect();
        let tag = number.join(select(number, &tags));
        cache.request().drive(LineRead { valid: wants.any(), tag, line: select(number, &lines) });
        let reply = cache.reply();
        for part in &self.parts {
            let (reader, number) = (InstructionFetch(part.front.0), part.number.index);
            reader.fetch().answer(taken & grant.bit(number));
            let mine = reply.tag.bits(tag_bits, bits).eq(number);
            reader.line(LineReply { valid: reply.valid & mine, tag: reply.tag.bits(0, tag_bits), ..reply });
        }
    }

    /// Bits of the number of a part.
    fn bits(&self) -> u32 {
        self.parts.len().ilog2()
    }
}

/// Of what the parts offer, that of the first for which its condition holds; else that of the last.
pub(super) fn chosen<'m, B: Bundle<'m>>(offers: Vec<(Signal<'m>, B)>) -> B {
    offers
        .into_iter()
        .rev()
        .reduce(|(_, other), (condition, offer)| (condition, offer.or_else(condition, other)))
        .expect("a core has a part")
        .1
}

/// As [`chosen`], for a word.
pub(super) fn chosen_word<'m>(offers: impl DoubleEndedIterator<Item = (Signal<'m>, Signal<'m>)>) -> Signal<'m> {
    let choose =
        |(_, other): (_, Signal<'m>), (condition, offer): (Signal<'m>, _)| (condition, mux(condition, offer, other));
    offers.rev().reduce(choose).expect("a core has a part").1
}
