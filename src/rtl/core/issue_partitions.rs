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
    decode::Controls,
    memory::read_only_cache::{LineRead, LineReply, ReadOnlyCache},
    params::CoreParams,
    ports::{Completion, Hold, Issue, RegisterWrite},
    units::{UNITS, UnitHolds},
};
use crate::{
    blocks::{ArbiterKind, any_of, arbitrate, one_hot_index},
    memory::protocol::Protocol,
};
use hdl::{Builder, Bundle, Child, Module, PortName, Signal, index_width, mux, row, select};

impl CoreParams {
    /// Of one of its parts: an issue slot with the warps, registers and lanes that belong to it.
    pub fn part(&self) -> Self {
        Self { warps: self.warps / self.issue_slots, issue_slots: 1, part_of: self.issue_slots, ..self.clone() }
    }

    /// The name of what the core has for each issue slot: numbered where there are several.
    pub fn of_part(&self, name: &str, part: u32) -> String {
        if self.issue_slots == 1 { name.into() } else { format!("{name}{part}") }
    }

    /// Its parts, as they are called.
    pub fn part_numbers(&self) -> impl Iterator<Item = PartNumber> + use<> {
        let of = self.issue_slots;
        (0..of).map(move |index| PartNumber { index, of })
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
    pub number: u32,
    pub front: Child<'m>,
    pub operand: Child<'m>,
    pub lanes: Child<'m>,
    pub writer: Child<'m>,
    /// Those of [`UNITS`] that the core has.
    units: [Option<Child<'m>>; UNITS.len()],
}

impl<'m> IssuePartition<'m> {
    /// Its units beside the lanes, with their numbers in [`UNITS`].
    pub fn units(&self) -> impl Iterator<Item = (usize, Child<'m>)> {
        self.units.into_iter().enumerate().filter_map(|(u, unit)| Some((u, unit?)))
    }
}

/// All of them.
pub(super) struct IssuePartitions<'m> {
    /// Parameters of each.
    pub own: CoreParams,
    parts: Vec<IssuePartition<'m>>,
}

/// One block of each part.
pub(super) fn of_parts<'m>(m: &'m Builder, p: &CoreParams, name: &str, module: &Module) -> Vec<Child<'m>> {
    (0..p.issue_slots).map(|part| m.instance(p.of_part(name, part), module)).collect()
}

impl<'m> IssuePartitions<'m> {
    /// From the blocks of all parts: front ends, operand stages, lanes, write-backs; and the units beside the lanes.
    pub fn new(
        own: CoreParams,
        [fronts, operands, lanes, writers]: [Vec<Child<'m>>; 4],
        units: &UnitHolds<Vec<Child<'m>>>,
    ) -> Self {
        let parts = (0..fronts.len()).map(|i| IssuePartition {
            number: i as u32,
            front: fronts[i],
            operand: operands[i],
            lanes: lanes[i],
            writer: writers[i],
            units: std::array::from_fn(|u| Some(units[u].as_ref()?[i])),
        });
        let parts: Vec<_> = parts.collect();
        if let [_, _, ..] = parts[..] {
            let of = |part: &IssuePartition<'m>| part.front.builder().lit(index_width(parts.len()), part.number.into());
            parts.iter().for_each(|part| part.front.drive("partition", of(part)));
        }
        Self { own, parts }
    }

    pub fn iter(&self) -> impl Iterator<Item = &IssuePartition<'m>> {
        self.parts.iter()
    }

    /// An output of the front ends with `width` bits for each warp, in the order of the core's warps.
    pub fn gather(&self, port: &str, width: u32) -> Signal<'m> {
        let words: Vec<_> = self.iter().map(|part| part.front.get(port)).collect();
        if let [word] = words[..] {
            return word;
        }
        let of_warps: Vec<_> = words.iter().map(|word| word.parts(width)).collect();
        row((0..of_warps[0].len()).flat_map(|own| of_warps.iter().map(move |of_warps| of_warps[own])))
    }

    /// An input of the front ends: a bit for each warp of the core.
    pub fn drive_warps(&self, port: &str, bits: Signal<'m>) {
        if let [part] = self.parts[..] {
            return part.front.drive(port, bits);
        }
        let bits = bits.to_bits();
        for part in &self.parts {
            let own = bits.iter().skip(part.number as usize).step_by(self.parts.len());
            part.front.drive(port, row(own.copied()));
        }
    }

    /// The number in the core of a warp of `part`.
    pub fn in_core(&self, part: &IssuePartition<'m>, warp: Signal<'m>) -> Signal<'m> {
        match self.bits() {
            0 => warp,
            bits => warp.join(warp.builder().lit(bits, part.number.into())),
        }
    }

    /// `event` where it is of a warp of `part`, and the warp's number there.
    pub fn in_part(&self, part: &IssuePartition<'m>, event: Signal<'m>, warp: Signal<'m>) -> (Signal<'m>, Signal<'m>) {
        match self.bits() {
            0 => (event, warp),
            bits => {
                let own = warp.bits(0, bits).eq(u64::from(part.number));
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
    pub fn write(&self, write: RegisterWrite<'m>, into: &str) {
        for part in &self.parts {
            let (valid, warp) = self.in_part(part, write.valid, write.warp);
            RegisterWrite { valid, warp, ..write }.drive(part.writer, into, &self.own);
        }
    }

    /// The end of an access, to the scoreboard of the warp.
    pub fn done(&self, done: Completion<'m>, into: &str) {
        for part in &self.parts {
            let (valid, warp) = self.in_part(part, done.valid, done.warp);
            Completion { valid, warp, ..done }.drive(part.front, into, &self.own);
        }
    }

    /// Whether any part issues an instruction for which `of` holds.
    pub fn issues(&self, of: impl Fn(&Controls<'m>) -> Signal<'m>) -> Signal<'m> {
        let issues = self.iter().map(|part| {
            let issue = Issue::of(part.front, "issue", &self.own);
            issue.valid & of(&Controls::unpack(issue.control, &self.own))
        });
        any_of(&issues.collect::<Vec<_>>())
    }

    /// Tells each front end which units cannot take an instruction; `hold` is what the units themselves say.
    pub fn hold(&self, m: &'m Builder, hold: &Hold<'m>) {
        let lanes = |part: &IssuePartition<'m>| part.writer.get("hold_lanes");
        if let [part] = self.parts[..] {
            let units = self.units_full(&part);
            return Hold { lanes: lanes(&part), units, ..*hold }.drive(part.front, "hold", &self.own);
        }
        let global = self.ownership(m, "global", &[("holds_load", hold.loads), ("holds_store", hold.stores)]);
        let shared = self.ownership(m, "shared", &[("holds_shared", hold.shared)]);
        for part in &self.parts {
            let [global, shared] = [global, shared].map(|(owner, holds)| owner.ne(u64::from(part.number)) & holds);
            let units = self.units_full(part);
            Hold {
                loads: hold.loads | global,
                stores: hold.stores | global,
                shared: hold.shared | shared,
                lanes: lanes(part),
                units,
            }
            .drive(part.front, "hold", &self.own);
        }
    }

    /// Whose a memory unit is, and whether that part has an access to it. `accesses`: their kinds, and whether the unit cannot take them.
    fn ownership(&self, m: &'m Builder, unit: &str, accesses: &[(&str, Signal<'m>)]) -> (Signal<'m>, Signal<'m>) {
        m.comment("The part that a memory unit belongs to.");
        let owner = m.register((unit, "owner"), self.bits(), 0);
        let of_owner = |port: &str| {
            let holds: Vec<_> = self.iter().map(|part| part.front.get(port)).collect();
            select(owner, &holds)
        };
        let (holds, denied): (Vec<_>, Vec<_>) =
            accesses.iter().map(|&(port, full)| (of_owner(port), of_owner(port) & full)).unzip();
        let last = self.parts[0].front.get("beat").eq(u64::from(self.own.beats() - 1));
        m.when(last & !any_of(&denied), || m.set(owner, owner + 1));
        (owner, m.wire((unit, "owner_holds"), any_of(&holds)))
    }

    /// Units beside the lanes that have no place. With one beat an instruction is chosen in the cycle in which the one
    /// before takes its place.
    fn units_full(&self, part: &IssuePartition<'m>) -> UnitHolds<Signal<'m>> {
        let issue = Issue::of(part.front, "issue", &self.own);
        let control = Controls::unpack(issue.control, &self.own);
        std::array::from_fn(|u| {
            let full = !part.units[u]?.get("ready");
            let [issues, _] = control.units[u];
            Some(if self.own.beats() == 1 { full | issue.valid & issues? } else { full })
        })
    }

    /// Reads of instructions by all parts, as one reader of `protocol`: the part is in the high bits of the tag.
    pub fn connect_fetches(&self, m: &'m Builder, cache: ReadOnlyCache<'m>, protocol: &Protocol) {
        if let [part] = self.parts[..] {
            cache.request().drive(LineRead::of(part.front, "fetch", protocol));
            part.front.drive("fetch_taken", cache.request().answer());
            return cache.reply().drive(part.front, "line", protocol);
        }
        let (own, bits) = (&self.own.fetch_protocol(), self.bits());
        let reads: Vec<_> = self.iter().map(|part| LineRead::of(part.front, "fetch", own)).collect();
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
            part.front.drive("fetch_taken", taken & grant.bit(part.number));
            let mine = reply.tag.bits(own.tag_bits, bits).eq(u64::from(part.number));
            LineReply { valid: reply.valid & mine, tag: reply.tag.bits(0, own.tag_bits), ..reply }
                .drive(part.front, "line", own);
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
