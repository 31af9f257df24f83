//! Instruction decoder: splits a 64-bit instruction into what the scoreboard checks and what the pipeline does.
//!
//! ```text
//!                    +--------+--> hazards  (see [`Hazards`]): registers, predicates, resources: kept per warp
//!  instruction (64)->| decode |
//!                    +--------+--> controls (see [`Controls`]): travels with the instruction once it is issued
//! ```
//!
//! Combinational. The fields come from `program::isa::field`, the classes from `Opcode::operands`, so the instruction
//! set has one table. A register operand that is not used, or is RZ, reads zero and is never waited for.
//!
//! Testbench: `testbenches/decode/`; tests: `tests/core/random.rs`.

use super::{
    config::CoreParams,
    units::{self, UnitControls, UnitHazards, UnitHolds, control_bits, hazard_bits, of_units},
};
use blocks::{any_of, index_one_hot};
use hdl::{Builder, Bundle, Module, Signal, Values, bundle, concat, mux, params, ports, row};
use program::isa::{Opcode, Operands, PT, RZ, field};
use std::sync::LazyLock;

bundle! {
    /// What decides whether an instruction may issue.
    pub struct Hazards(p: &CoreParams) {
        /// A global load that passes a first-level cache by.
        uncached: 1,
        a_used: 1,
        a: p.register_bits(),
        b_used: 1,
        b: p.register_bits(),
        c_used: 1,
        c: p.register_bits(),
        d_used: 1,
        d: p.register_bits(),
        /// Predicates read or written, by number.
        predicates: 7,
        /// Predicates written, by number.
        predicates_written: 7,
        global_load: 1,
        global_store: 1,
        /// Of shared memory or, where they have a unit of their own, of constants.
        shared: 1,
        /// Barrier, exit or memory fence: waits until nothing of the warp is in flight.
        must_drain: 1,
        /// Writes a register through the lanes.
        lane_result: 1,
        /// A memory fence, where writes are not answered.
        maybe fence: u32::from(p.posts_writes()),
        /// Group of its latency, one bit, where its result comes through the lanes and latencies differ.
        maybe group: p.latency_groups(),
        maybe atomic: u32::from(p.atomics),
        /// The high words of an atomic of 64 bits.
        maybe high_part: u32::from(p.atomics),
        /// Of the units beside the lanes.
        each units: UnitHazards => units::fields(p, hazard_bits); units::names(hazard_bits),
    }
}

bundle! {
    /// What the pipeline does with an issued instruction.
    pub struct Controls(p: &CoreParams) {
        opcode: 8 => opcode_values(),
        /// Comparison or logic code.
        code: 4,
        guard: 3,
        guard_negate: 1,
        p: 3,
        p_negate: 1,
        q: 3,
        q_negate: 1,
        a: p.register_bits(),
        a_used: 1,
        b: p.register_bits(),
        b_used: 1,
        c: p.register_bits(),
        c_used: 1,
        d: p.register_bits(),
        d_predicate: 3,
        lane_result: 1,
        lane_predicate: 1,
        /// Negate operands a, b, c: bits 0, 1, 2.
        negate: 3,
        immediate_form: 1,
        immediate: 32,
        branch: 1,
        barrier: 1,
        exit: 1,
        special: 1,
        parameter: 1,
        global: 1,
        /// A global load that passes a first-level cache by.
        uncached: 1,
        shared: 1,
        store: 1,
        /// A load of a constant, where they have a unit of their own.
        maybe constant: u32::from(p.constant_cache.is_some()),
        /// A load of a texel, where they have a cache of their own; global, too.
        maybe texture: u32::from(p.texture_cache.is_some()),
        /// A load whose register is not `RZ`.
        register_load: 1,
        /// As in [`Hazards`].
        maybe group: p.latency_groups(),
        maybe atomic: u32::from(p.atomics),
        maybe high_part: u32::from(p.atomics),
        /// Of the units beside the lanes.
        each units: UnitControls => units::fields(p, control_bits); units::names(control_bits),
    }
}

ports! {
    /// Ports of a [`decode`]r.
    pub struct DecodePorts(p: &CoreParams) of Decode {
        /// The instruction.
        in instruction: 64,
        /// [`Hazards`] as a word.
        out hazards: Hazards::width(p),
        /// [`Controls`] as a word.
        out controls: Controls::width(p),
    }
}

/// The decoder.
pub fn decode(p: &CoreParams) -> Module {
    let m = Builder::new("decode", p.parameters(params! { registers: p.registers }));
    m.doc("Splits an instruction into hazards (for the scoreboard) and controls (for the pipeline).");
    let io = DecodePorts::new(&m, p);
    let word = InstructionWord { p, bits: io.instruction() };
    for (name, (low, width)) in field::DECODED {
        m.name_field(word.bits, name, low, width);
    }
    m.name_values(word.opcode(), opcode_values());
    let get = |field| word.field(field);
    let opcode = word.opcode();
    let immediate_form = get(field::IMMEDIATE_FORM);
    let store = m.wire("store", word.uses(&[Operands::Store]));
    let predicate_result = m.wire("predicate_result", word.is_any(&Opcode::writes_predicate));
    let Registers { a, a_used, b, b_used, c, c_used, d, d_used } = registers(&m, &word, immediate_form, store);
    let Predicates { q, p_used, read, written } = predicates(&m, &word, predicate_result);
    let IssueUnit { uncached, constant, global, shared, banked, parameter } = unit(&m, &word);
    let barrier = m.wire("barrier", word.is_any(&Opcode::is_barrier));
    let exit = m.wire("exit", opcode.eq(Opcode::Exit as u64));
    let fence = opcode.eq(Opcode::Membar as u64);
    let atomic = p.atomics.then(|| m.wire("atomic", word.uses(&[Operands::Atomic])));
    let high_part = p.atomics.then(|| m.wire("high_part", word.is_any(&Opcode::is_high_part)));
    // An atomic whose old value nobody wants is a kind of store.
    let store = atomic.zip(high_part).map_or(store, |(atomic, high_part)| {
        let silent = mux(high_part, opcode.eq(Opcode::RedGHigh as u64), !d_used);
        m.wire("stores", store | atomic & silent)
    });
    let units = of_units(p, |unit| m.wire(unit.bits().issues, word.is_any(&|opcode| unit.computes(opcode))));
    let of_lanes = d_used & !global & !banked;
    let lane_result = units.iter().flatten().fold(of_lanes, |of_lanes, other| of_lanes & !*other);
    let lane_result = m.wire("lane_result", lane_result);
    let group = latency_group(&m, p, opcode, lane_result | written.any());
    let hazards = Hazards {
        a_used,
        a,
        b_used,
        b,
        c_used,
        c,
        d_used,
        d,
        predicates: read | written,
        predicates_written: written,
        global_load: global & !store,
        global_store: global & store,
        uncached,
        shared: banked,
        must_drain: barrier | exit | fence,
        lane_result,
        fence: p.posts_writes().then_some(fence),
        group,
        atomic,
        high_part,
        units: unit_hazards(p, opcode, units),
    };
    io.hazards(hazards.pack());
    let controls = Controls {
        opcode,
        code: get(field::CODE).bits(0, 4),
        guard: get(field::GUARD),
        guard_negate: get(field::GUARD_NEGATE),
        p: mux(p_used, get(field::P), u64::from(PT)),
        p_negate: get(field::P_NEGATE) & !immediate_form,
        q,
        q_negate: get((3, 1)),
        a,
        a_used,
        b,
        b_used,
        c,
        c_used,
        d,
        d_predicate: get(field::DST_PREDICATE),
        lane_result,
        lane_predicate: predicate_result & written.any(),
        negate: negate(&m, word.bits, immediate_form),
        immediate_form,
        immediate: get(field::IMMEDIATE),
        branch: opcode.eq(Opcode::Bra as u64),
        barrier,
        exit,
        special: opcode.eq(Opcode::S2r as u64),
        parameter,
        global,
        uncached,
        shared,
        store,
        constant,
        texture: p.texture_cache.as_ref().map(|_| opcode.eq(Opcode::LdT32 as u64)),
        register_load: d_used & (global | banked),
        group,
        atomic,
        high_part,
        units: units.map(|issues| [issues, issues.map(|issues| issues & d_used)]),
    };
    io.controls(controls.pack());
    m.finish()
}

/// Operation codes by their mnemonics.
pub fn opcode_values() -> Values {
    static NAMES: LazyLock<Vec<(&'static str, u64)>> =
        LazyLock::new(|| Opcode::ALL.iter().map(|of| (&*of.mnemonic().leak(), *of as u64)).collect());
    Values { kind: "OPCODE", names: &NAMES }
}

/// The instruction.
struct InstructionWord<'a, 'm> {
    p: &'a CoreParams,
    bits: Signal<'m>,
}

impl<'m> InstructionWord<'_, 'm> {
    /// First bit and width.
    fn field(&self, (low, width): (u32, u32)) -> Signal<'m> {
        self.bits.bits(low, width)
    }

    fn opcode(&self) -> Signal<'m> {
        self.field(field::OPCODE)
    }

    /// Its opcode is one of those that the core has and of which `test` holds.
    fn is_any(&self, test: &dyn Fn(Opcode) -> bool) -> Signal<'m> {
        let opcode = self.opcode();
        let exists = |o: &&Opcode| exists(self.p, **o);
        let hits: Vec<_> =
            Opcode::ALL.iter().filter(exists).filter(|o| test(**o)).map(|o| opcode.eq(*o as u8 as u64)).collect();
        any_of(&hits)
    }

    /// Its operands are of one of these kinds.
    fn uses(&self, kinds: &[Operands]) -> Signal<'m> {
        self.is_any(&|o| kinds.contains(&o.operands()))
    }
}

/// The core has that instruction.
fn exists(p: &CoreParams, opcode: Opcode) -> bool {
    match opcode.operands() {
        Operands::Atomic => p.atomics,
        Operands::Barrier => p.has_named_barriers() || opcode == Opcode::Bar,
        _ => p.computes(opcode),
    }
}

/// These kinds, and barriers where they have a number and a predicate: the one barrier of a block has neither.
fn with_barriers(p: &CoreParams, kinds: &[Operands]) -> Vec<Operands> {
    let barriers = p.has_named_barriers().then_some(Operands::Barrier);
    kinds.iter().copied().chain(barriers).collect()
}

/// Operand registers, and which of them count.
struct Registers<'m> {
    a: Signal<'m>,
    a_used: Signal<'m>,
    b: Signal<'m>,
    b_used: Signal<'m>,
    c: Signal<'m>,
    c_used: Signal<'m>,
    d: Signal<'m>,
    d_used: Signal<'m>,
}

/// The registers of an instruction, which may be a `store`.
fn registers<'m>(
    m: &'m Builder,
    word: &InstructionWord<'_, 'm>,
    immediate_form: Signal<'m>,
    store: Signal<'m>,
) -> Registers<'m> {
    use Operands::{Ab, Abc, Abp, Atomic, B, Compare, Double, Load, Store};
    let p = word.p;
    let is_register = |number| Signal::ne(number, u64::from(RZ));
    let a = word.field(field::A);
    let a_used = word.uses(&[Ab, Abp, Abc, Compare, Load, Store, Atomic, Double]);
    let a_used = m.wire("a_used", a_used & is_register(a));
    let b = word.field(field::B);
    let b_used = word.uses(&with_barriers(p, &[B, Ab, Abp, Abc, Compare, Atomic, Double]));
    let b_used = m.wire("b_used", b_used & !immediate_form & is_register(b));
    m.comment("A store reads its data through the third operand port.");
    let d = word.field(field::DST);
    let c = m.wire("c", mux(store, d, word.field(field::C)));
    let c_used = m.wire("c_used", (store | word.uses(&[Abc, Atomic, Double]) & !immediate_form) & is_register(c));
    let d_used = m.wire("d_used", word.is_any(&Opcode::writes_register) & is_register(d));
    registers_exist(m, p, [(a_used, a), (b_used, b), (c_used, c), (d_used, d)]);
    let [a, b, c, d] = [a, b, c, d].map(|number| number.bits(0, p.register_bits()));
    Registers { a, a_used, b, b_used, c, c_used, d, d_used }
}

/// Predicates of an instruction.
struct Predicates<'m> {
    /// Number of the second source.
    q: Signal<'m>,
    /// The first source counts.
    p_used: Signal<'m>,
    /// Read, the guard included, by number.
    read: Signal<'m>,
    /// Written, by number.
    written: Signal<'m>,
}

/// The predicates of an instruction, whose result is one where `predicate_result` says so.
fn predicates<'m>(m: &'m Builder, word: &InstructionWord<'_, 'm>, predicate_result: Signal<'m>) -> Predicates<'m> {
    let q = m.wire("q", word.field((0, 3)));
    let logic = word.uses(&[Operands::Logic]);
    let p_used = m.wire("p_used", word.uses(&with_barriers(word.p, &[Operands::Abp])) | logic);
    m.comment("Predicate 7 is constant and never waited for: only seven bits.");
    let [guard, p, d] = [field::GUARD, field::P, field::DST_PREDICATE].map(|of| index_one_hot(word.field(of), 7));
    let sources = p & p_used.repeat(7) | index_one_hot(q, 7) & logic.repeat(7);
    let written = m.wire("predicates_written", d & predicate_result.repeat(7));
    Predicates { q, p_used, read: guard | sources, written }
}

/// The unit that an instruction goes to.
struct IssueUnit<'m> {
    /// Global memory, past a first-level cache.
    uncached: Signal<'m>,
    constant: Option<Signal<'m>>,
    global: Signal<'m>,
    shared: Signal<'m>,
    /// Shared memory or constants.
    banked: Signal<'m>,
    parameter: Signal<'m>,
}

/// Where an access goes, by its memory space.
fn unit<'m>(m: &'m Builder, word: &InstructionWord<'_, 'm>) -> IssueUnit<'m> {
    let space = |number: u8| word.is_any(&|o| o.memory_space() == Some(number));
    let uncached = m.wire("uncached", space(3));
    let (of_memory, of_constants) = (space(0) | uncached, word.is_any(&Opcode::is_constant));
    let constant = word.p.constant_cache.as_ref().map(|_| m.wire("constant", of_constants));
    // Without a constant cache constants are global memory like any other.
    let global = m.wire("global", if constant.is_some() { of_memory } else { of_memory | of_constants });
    let shared = m.wire("shared", space(1));
    // They wait for the same: a place in both units.
    let banked = constant.map_or(shared, |constant| m.wire("banked", shared | constant));
    IssueUnit { uncached, constant, global, shared, banked, parameter: m.wire("parameter", space(2)) }
}

/// What the warps have to know of `units`, which say whether the instruction is theirs.
fn unit_hazards<'m>(p: &CoreParams, opcode: Signal<'m>, units: UnitHolds<Signal<'m>>) -> UnitHazards<Signal<'m>> {
    let reserves = of_units(p, |unit| unit.bits().reserves.map(|(_, half)| opcode.eq(half as u64)));
    std::array::from_fn(|u| [units[u], reserves[u].flatten()])
}

/// One bit for the latency of `opcode`, of an instruction with a `result` of the lanes; none where latencies are equal.
fn latency_group<'m>(m: &'m Builder, p: &CoreParams, opcode: Signal<'m>, result: Signal<'m>) -> Option<Signal<'m>> {
    let latencies = p.latencies?;
    let of_lanes = |opcode: Opcode| p.computes(opcode) && p.unit_of(opcode).is_none();
    let has = |group: usize| {
        let of = Opcode::ALL.iter().filter(|of| of_lanes(**of) && latencies.group(**of) == group);
        any_of(&of.map(|of| opcode.eq(*of as u64)).collect::<Vec<_>>()) & result
    };
    Some(m.wire("group", row((0..latencies.groups().len()).map(has))))
}

/// Operand negations; they exist in register form only.
fn negate<'m>(m: &'m Builder, word: Signal<'m>, immediate_form: Signal<'m>) -> Signal<'m> {
    let bit = |f: (u32, u32)| word.bits(f.0, f.1);
    let all = concat(&[bit(field::NEGATE_C), bit(field::NEGATE_B), bit(field::NEGATE_A)]);
    m.wire("negate", all & (!immediate_form).repeat(3))
}

/// Asserts that the numbers that are used are those of registers.
fn registers_exist<'m>(m: &'m Builder, p: &CoreParams, named: [(Signal<'m>, Signal<'m>); 4]) {
    let beyond = |number| Signal::bits(number, p.register_bits(), 8 - p.register_bits()).any();
    let [a, b, c, d] = named.map(|(used, number)| used & beyond(number));
    m.always("the registers that an instruction names exist", !(a | b | c | d));
}
