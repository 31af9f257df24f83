//! Front end: instruction memory, decoder, the warps' contexts and the scheduler (a policy, [`super::scheduler`]).
//!
//! ```text
//!                 +-------+  fetch, pc   +---------+     +--------+  hazards
//!                 | warp 0|------------->| program |---->| decode |----------> back to the warp
//!  start -------->|  ...  |  round robin | memory  |     +--------+
//!  results ------>| warp n|              +---------+          | controls
//!  release ------>+-------+                                   v
//!                     | ready  +------------------+     +------------+
//!                     +------->| scheduler,       |---->| controls   |--> issued instruction: valid, warp, mask, slot,
//!                              | in the last beat |     | (per warp) |    controls (registers, stable for all beats)
//!                     +--------+------------------+     +------------+
//!  beat <-------------+
//!  taken (32): the executing threads of the issued instruction whose guard holds, from the operand stage, in beat 0
//! ```
//!
//! Contract: beats count 0 to `beats - 1` all the time. One instruction of one warp is chosen in each last beat; it is
//! shown from the next beat 0 on for all beats. It is carried out (pc, stack, barrier) in beat 0. From the choice of an
//! instruction to that of the next one of the same warp it takes one issue interval (four cycles) when its fetch is not
//! held up.
//!
//! For a prefetcher `issue_pc` says where the issued instruction is.
//!
//! With an instruction cache ([`CoreParams::instruction_cache`]) the instruction memory is outside: `fetch` asks for
//! the line of an instruction, `line` brings it, for whatever warp it is, after any time.
//!
//! In a core of several parts ([`super::issue_partitions`]) this is the front end of `part`: its warp i is warp
//! `i * parts + part` of the core, and `holds_load`, `holds_store`, `holds_shared` tell the others that a warp has such
//! an access next.
//!
//! Testbench: `testbenches/front_end/`; tests: `tests/core/control.rs`.

mod ports;

pub use ports::{FrontEnd, FrontEndPorts, InstructionFetch, InstructionFetchPorts};

use super::{
    config::CoreParams,
    decode::{Controls, Decode, decode},
    latency::{ResultSlots, result_slots},
    memory::read_only_cache::{LineRead, LineReply},
    params::WARP,
    ports::{AccessesNext, Completion, Issue, ProgramWrite, Released, ReleasedPredicate, StackStep},
    scheduler::{Candidates, WarpsSeen},
    throttle::{Throttle, ThrottleUnit, throttle},
    units::UNITS,
    warp::{Warp, Warps, warp},
};
use blocks::{ArbiterKind, any_of, arbitrate, at_most_one, index_one_hot, one_hot_index, one_hot_mux, popcount};
use hdl::{Builder, Bundle, MemoryHandle, Module, PortName, Signal, row, select, statistics, taps};
use program::isa::Opcode;

statistics! {
    "front_end" {
        /// Warps that run a block, at each issue slot.
        ACTIVE_WARPS: active_warps in "warps";
        /// Cycles without any warp that runs a block.
        IDLE_CYCLES: idle_cycles in "cycles";
        /// Instructions read from the instruction memory.
        FETCHES: fetches in "instructions";
        /// Issue slots without an instruction while a warp waits for a result, and none is held back by a throttle.
        SLOTS_LOST_TO_DATA_HAZARDS: slots_lost_to_data_hazards in "issue slots";
        /// Issue slots lost while a warp waits for a unit, and none for a result.
        SLOTS_LOST_TO_STRUCTURAL_HAZARDS: slots_lost_to_structural_hazards in "issue slots";
        /// Issue slots lost while a warp waits at a barrier, and none for a result or a unit.
        SLOTS_LOST_TO_BARRIERS: slots_lost_to_barriers in "issue slots";
        /// Issue slots lost while a warp could issue that the throttle holds back.
        SLOTS_LOST_TO_THROTTLE: slots_lost_to_throttle in "issue slots";
        /// Issue slots lost for any other reason: instructions are still being fetched.
        SLOTS_LOST_TO_FETCH: slots_lost_to_fetch in "issue slots";
        /// Warps that can issue, at each issue slot with warps that run a block.
        READY_WARPS: ready_warps in "warps";
        /// Warps that wait for a result, at each issue slot.
        DATA_HAZARD_WARPS: data_hazard_warps in "warps";
        /// Of them those with a load of global memory that has not returned.
        LOAD_WAIT_WARPS: load_wait_warps in "warps";
        /// Warps that wait for a unit or for their earlier accesses, at each issue slot.
        STRUCTURAL_HAZARD_WARPS: structural_hazard_warps in "warps";
        /// Warps that wait at a barrier, at each issue slot.
        BARRIER_WARPS: barrier_warps in "warps";
        /// Warps that could issue and that the throttle holds back, at each issue slot.
        THROTTLED_WARPS: throttled_warps in "warps";
        /// Instructions issued that branch, end threads, wait at a barrier or are a fence.
        CONTROL_INSTRUCTIONS: control_instructions in "instructions";
        /// Instructions issued that are float products with a sum.
        FMA_INSTRUCTIONS: fma_instructions in "instructions";
        /// Instructions issued that are float products without a sum.
        FMUL_INSTRUCTIONS: fmul_instructions in "instructions";
        /// Instructions issued that are float sums, comparisons, minima, maxima and conversions.
        FLOAT_INSTRUCTIONS: float_instructions in "instructions";
        /// Instructions issued that are integer products.
        PRODUCT_INSTRUCTIONS: product_instructions in "instructions";
        /// All other instructions issued: integers and predicates, and of units beside the lanes, one of double precision as two.
        ALU_INSTRUCTIONS: alu_instructions in "instructions";
        /// Loads and stores issued of global memory.
        GLOBAL_INSTRUCTIONS: global_instructions in "instructions";
        /// Loads and stores issued of shared memory.
        SHARED_INSTRUCTIONS: shared_instructions in "instructions";
        /// Loads issued of kernel parameters.
        PARAMETER_INSTRUCTIONS: parameter_instructions in "instructions";
        /// Instructions issued, once for a warp.
        INSTRUCTIONS: instructions in "instructions";
        /// Instructions issued, once for each thread that executes them.
        THREAD_INSTRUCTIONS: thread_instructions in "instructions";
    }
}

taps! {
    "front_end" {
        /// The beat of the issue interval; none with one beat.
        BEAT,
        /// An instruction is being carried out.
        ISSUED,
        /// The warp that has issued it, in this front end.
        ISSUED_WARP,
        /// The warp that issues now, one bit each.
        CHOSEN,
        /// Warps that may issue now, a bit each.
        READY,
        /// Warps with loads that have not returned, a bit each.
        LOADS_OPEN,
        /// No load may issue.
        HOLD_LOADS,
        /// No store may issue.
        HOLD_STORES,
    }
}

/// The front end.
pub fn front_end(p: &CoreParams) -> Module {
    let names = p.parameters(p.sizes());
    let m = Builder::new("front_end", names);
    m.doc("Instruction memory, decoder, warps and scheduler: issues one instruction of one warp per issue interval.");
    let io = FrontEndPorts::new(&m, p);
    let module = warp(p);
    let warps = Warps::new((0..p.warps).map(|w| Warp(m.instance(("warp", w), &module))).collect());
    let beat = if p.beats() == 1 {
        m.lit(1, 0)
    } else {
        let beat = m.register("beat_now", p.beat_bits(), 0);
        m.set(beat, beat + 1);
        m.tap(BEAT, beat);
        beat
    };
    io.beat(beat);
    let last_beat = m.wire("last_beat", beat.eq(p.beats() - 1));
    let starts = io.start_warps();
    warps.drive_bits(Warp::start, starts);

    let decoded = fetch(&m, p, io, &warps);
    let issued = issue(&m, p, io, &warps, starts, last_beat, decoded);
    let first = m.wire("first", issued.now.valid & beat.is_zero());
    step(&m, p, io, &warps, &issued, first);
    let loads_open = results(&m, p, io, &warps);
    count_waiting(&m, &warps, last_beat, loads_open);

    if let Some(wants) = warps.gather_optional(Warp::wants_fence) {
        io.wants_fence(wants);
        io.fenced().into_iter().for_each(|fenced| warps.drive_bits(Warp::fenced, fenced));
    }
    let (start_slot, last_mask) = (io.start_slot(), io.last_mask());
    for warp in warps.iter() {
        warp.start_slot(start_slot);
        warp.last_mask(last_mask);
    }
    warps.drive_bits(Warp::start_full, io.start_full());
    io.active(warps.gather(Warp::active));
    io.at_barrier(warps.gather(Warp::at_barrier));
    io.slots(warps.gather(Warp::slot));
    let holds: Option<Vec<_>> = warps.iter().map(|warp| warp.holds()).collect();
    if let Some(holds) = holds {
        let any = |of: for<'a> fn(&AccessesNext<'a>) -> Signal<'a>| row(holds.iter().map(of)).any();
        io.holds(AccessesNext {
            load: any(|warp| warp.load),
            store: any(|warp| warp.store),
            shared: any(|warp| warp.shared),
        });
    }
    m.histogram(ACTIVE_WARPS, last_beat, popcount(warps.gather(Warp::active)));
    m.count(IDLE_CYCLES, !warps.gather(Warp::active).any());
    m.finish()
}

/// Instruction memory and decoder, for one warp a cycle; returns the decoded instructions, a word for each warp.
fn fetch<'m>(m: &'m Builder, p: &CoreParams, io: FrontEndPorts<'m>, warps: &Warps<'m>) -> MemoryHandle<'m> {
    let Fetched { asked, warp: fetched, instruction } = match io.program() {
        Some(load) => from_memory(m, p, warps, load),
        None => from_cache(m, p, warps),
    };
    let decoder = Decode(m.instance("decode", &decode(p)));
    decoder.instruction(instruction);
    let decoded = m.memory("decoded", p.warps as usize, Controls::width(p));
    m.when(fetched.any(), || decoded.write(one_hot_index(fetched), decoder.controls()));
    warps.drive_bits(Warp::granted, asked);
    warps.drive_bits(Warp::fetched, fetched);
    warps.iter().for_each(|warp| warp.hazards(decoder.hazards()));
    m.count(FETCHES, asked.any());
    decoded
}

/// What is fetched.
struct Fetched<'m> {
    /// The warp whose fetch is accepted now, one bit each.
    asked: Signal<'m>,
    /// The warp whose instruction is here.
    warp: Signal<'m>,
    instruction: Signal<'m>,
}

/// The instruction memory of the core.
fn from_memory<'m>(m: &'m Builder, p: &CoreParams, warps: &Warps<'m>, load: ProgramWrite<'m>) -> Fetched<'m> {
    let program = m.memory("program", p.program_words as usize, 64);
    m.when(load.write & within(load.address, p.program_words), || {
        program.write(load.address.bits(0, p.program_bits()), load.data);
    });

    m.comment("Fetch: one warp a cycle; the instruction is decoded in the next.");
    let fetch = arbitrate(m, "fetch_arbiter", ArbiterKind::RoundRobin, warps.gather(Warp::fetch), m.lit(1, 1));
    let fetch = m.wire("fetch", fetch);
    let pc = m.wire("fetch_pc", one_hot_mux(fetch, &warps.each(Warp::pc)));
    let instruction = program.read_sync("instruction", pc.bits(0, p.program_bits()), fetch.any());
    let fetched = m.delayed("fetched", fetch);
    m.always("a program counter stays within the instruction memory", !fetch.any() | within(pc, p.program_words));
    Fetched { asked: fetch, warp: fetched, instruction }
}

/// The instruction cache: any number of warps wait for their lines.
fn from_cache<'m>(m: &'m Builder, p: &CoreParams, warps: &Warps<'m>) -> Fetched<'m> {
    let (protocol, place_bits) = (&p.fetch_protocol(), p.fetch_place_bits());
    let io = InstructionFetchPorts::new(m, protocol);
    let (base, taken) = (io.program_base(), io.fetch().answer());
    m.comment("Fetch: the line of one warp's instruction a cycle; any number of warps wait for theirs.");
    let fetch = arbitrate(m, "fetch_arbiter", ArbiterKind::RoundRobin, warps.gather(Warp::fetch), taken);
    let fetch = m.wire("fetch", fetch);
    let pc = m.wire("fetch_pc", one_hot_mux(fetch, &warps.each(Warp::pc)));
    let tag = one_hot_index(fetch).join(pc.bits(0, place_bits));
    let line = base + pc.bits(place_bits, 16 - place_bits).extend(protocol.line_number_bits());
    io.fetch().shows(LineRead { valid: fetch.any(), tag, line });
    let LineReply { valid, tag, data } = io.line();
    let instruction = m.wire("instruction", select(tag.bits(0, place_bits), &data.parts(64)));
    let warp = index_one_hot(tag.bits(place_bits, p.warp_bits()), p.warps) & valid.repeat(p.warps);
    Fetched { asked: m.wire("asked", fetch & taken.repeat(p.warps)), warp: m.wire("fetched", warp), instruction }
}

/// The issued instruction.
struct Issued<'m> {
    now: Issue<'m>,
    /// Its warp, one bit each.
    warp: Signal<'m>,
}

/// In the last beat, one of the ready warps; what it issues stands in registers for all beats.
fn issue<'m>(
    m: &'m Builder,
    p: &CoreParams,
    io: FrontEndPorts<'m>,
    warps: &Warps<'m>,
    starts: Signal<'m>,
    last_beat: Signal<'m>,
    decoded: MemoryHandle<'m>,
) -> Issued<'m> {
    m.comment("Issue: in the last beat, one of the ready warps.");
    let throttled = throttled(m, p, io, warps, starts);
    let allowed = throttled.map(|unit| allowed(p, warps, unit));
    let able = allowed.map_or(warps.gather(Warp::ready), |allowed| warps.gather(Warp::ready) & allowed);
    let ready = m.wire("ready", able & last_beat.repeat(p.warps));
    let seen = WarpsSeen {
        ready,
        able: Some(able),
        slot: Some(warps.gather(Warp::slot)),
        starts: Some(starts),
        prefer_rr: io.prefer_rr(),
        is_load: warps.gather_optional(Warp::is_load),
    };
    let candidates = Candidates::new(seen, p.warp_group.policy(), p.blocks);
    let chosen = m.wire("chosen", p.scheduler.policy().choose(&candidates));
    m.always("the scheduler chooses one of the ready warps, if there is any", one_of(chosen, ready));
    if let Some(latencies) = &p.latencies {
        let slots = ResultSlots(m.instance("result_slots", &result_slots(&latencies.groups(), p.beats())));
        let groups: Vec<_> = warps.iter().filter_map(|warp| warp.result_group()).collect();
        slots.chosen(one_hot_mux(chosen, &groups));
        warps.iter().for_each(|warp| warp.groups_free(slots.free()));
    }
    let number = m.wire("chosen_number", one_hot_index(chosen));
    if let Some(unit) = throttled.filter(|_| p.throttle.kind.policy().reads().issues) {
        unit.issued(chosen.any());
        unit.issued_warp(number);
    }
    warps.drive_bits(Warp::issue, chosen);
    let of_chosen = |port: fn(Warp<'m>) -> Signal<'m>| one_hot_mux(chosen, &warps.each(port));
    let now = Issue {
        valid: m.register("issued", 1, 0),
        warp: m.register("issued_number", p.warp_bits(), 0),
        mask: m.register("issued_mask", WARP, 0),
        control: m.register_payload("control", Controls::width(p)),
    };
    for (tap, net) in [(READY, ready), (CHOSEN, chosen), (ISSUED, now.valid), (ISSUED_WARP, now.warp)] {
        m.tap(tap, net);
    }
    let slot = m.register("issued_slot", p.slot_bits(), 0);
    let warp = m.register("issued_warp", p.warps, 0);
    m.when(last_beat, || {
        now.set(Issue {
            valid: chosen.any(),
            warp: number,
            mask: of_chosen(Warp::mask),
            control: decoded.read(number),
        });
        m.set(slot, of_chosen(Warp::slot));
        m.set(warp, chosen);
    });
    io.issue(now);
    io.issue_slot(slot);
    if p.prefetches() {
        let chosen = last_beat & chosen.any();
        io.issue_pc(m.captured("issued_pc", chosen, of_chosen(Warp::pc)));
    }

    m.histogram(READY_WARPS, last_beat & warps.gather(Warp::active).any(), popcount(ready));

    m.comment("Why nothing was issued: the first of these reasons that holds for any warp.");
    let mut lost = m.wire("lost_slot", last_beat & warps.gather(Warp::active).any() & !chosen.any());
    let reasons = [
        (SLOTS_LOST_TO_DATA_HAZARDS, warps.gather(Warp::waits_for_result)),
        (SLOTS_LOST_TO_STRUCTURAL_HAZARDS, warps.gather(Warp::waits_for_unit)),
        (SLOTS_LOST_TO_BARRIERS, warps.gather(Warp::at_barrier)),
    ];
    if let Some(allowed) = allowed {
        let held_back = warps.gather(Warp::ready) & !allowed;
        m.sum(THROTTLED_WARPS, last_beat, popcount(held_back));
        let throttled = held_back.any();
        m.count(SLOTS_LOST_TO_THROTTLE, lost & throttled);
        lost = lost & !throttled;
    }
    for (reason, waiting) in reasons {
        let waiting = waiting.any();
        m.count(reason, lost & waiting);
        lost = lost & !waiting;
    }
    m.count(SLOTS_LOST_TO_FETCH, lost);
    Issued { now, warp }
}

/// The throttle, where there is one.
fn throttled<'m>(
    m: &'m Builder,
    p: &CoreParams,
    io: FrontEndPorts<'m>,
    warps: &Warps<'m>,
    starts: Signal<'m>,
) -> Option<ThrottleUnit<'m>> {
    if p.throttle.kind == Throttle::None {
        return None;
    }
    m.comment("Throttle.");
    let throttle = ThrottleUnit(m.instance("throttle", &throttle(p)));
    throttle.active(warps.gather(Warp::active));
    throttle.at_barrier(p.throttle_sees().barriers.then(|| warps.gather(Warp::at_barrier)));
    throttle.starts(p.throttle_sees().starts.then_some(starts));
    io.cache().into_iter().for_each(|events| throttle.cache(events));
    Some(throttle)
}

/// The warps whose next instruction the throttle lets issue.
fn allowed<'m>(p: &CoreParams, warps: &Warps<'m>, throttle: ThrottleUnit<'m>) -> Signal<'m> {
    let mut allowed = throttle.allowed();
    if p.throttle.kind.policy().holds_loads_only() {
        allowed = warps.gather_optional(Warp::is_load).map_or(allowed, |loads| allowed | !loads);
    }
    // A warp that has sent high words has the memory unit until their atomic follows: nobody else could go on.
    warps.gather_optional(Warp::holds_unit).map_or(allowed, |holds| allowed | holds)
}

/// Beat 0: the instruction is carried out in its warp's stack.
fn step<'m>(
    m: &'m Builder,
    p: &CoreParams,
    io: FrontEndPorts<'m>,
    warps: &Warps<'m>,
    issued: &Issued<'m>,
    first: Signal<'m>,
) {
    m.comment("Beat 0: the instruction is carried out in its warp's stack.");
    let control = Controls::unpack(issued.now.control, p);
    let taken = io.taken();
    let step = StackStep {
        branch: control.branch,
        exit: control.exit,
        barrier: control.barrier,
        taken,
        target: control.immediate.bits(0, 16),
        reconvergence_pc: control.immediate.bits(16, 16),
    };
    warps.drive_bits(Warp::step, first.repeat(p.warps) & issued.warp);
    warps.iter().for_each(|warp| warp.how(step));
    m.count(INSTRUCTIONS, first);
    m.sum(THREAD_INSTRUCTIONS, first, popcount(taken));
    instruction_mix(m, first, &control);
    m.always("a barrier has no guard", !(first & control.barrier & taken.ne(issued.now.mask)));
}

/// Counts the classes of instructions; each is of one.
fn instruction_mix<'m>(m: &'m Builder, first: Signal<'m>, control: &Controls<'m>) {
    let is = |opcode: Opcode| control.opcode.eq(opcode as u64);
    // Units 0 to 4 of the opcode are control, integer, comparison, product, float.
    let unit = control.opcode.bits(5, 3);
    let (fma, fmul, memory) = (is(Opcode::FFma), is(Opcode::FMul), control.global | control.shared | control.parameter);
    let in_control = unit.is_zero();
    // Units beside the lanes have the other opcodes of the float unit.
    let of_lanes = control.opcode.bits(0, 5).lt(Opcode::DAdd as u64 & 31);
    let float = unit.eq(4) & of_lanes & !(fma | fmul) | is(Opcode::FSetp);
    let product = unit.eq(3);
    // A unit of another crate has opcodes that are the lanes' in other cores.
    let own = UNITS.rows().iter().zip(control.units).filter(|(unit, _)| unit.requirement().is_none());
    let own: Vec<_> = own.filter_map(|(_, [issues, _])| issues).collect();
    let alone = |class: Signal<'m>| if own.is_empty() { class } else { class & !any_of(&own) };
    let [fma, fmul, float, product] = [fma, fmul, float, product].map(alone);
    for (statistic, counts) in [
        (CONTROL_INSTRUCTIONS, in_control),
        (FMA_INSTRUCTIONS, fma),
        (FMUL_INSTRUCTIONS, fmul),
        (FLOAT_INSTRUCTIONS, float),
        (PRODUCT_INSTRUCTIONS, product),
        (ALU_INSTRUCTIONS, !(in_control | product | float | fma | fmul | memory)),
        (GLOBAL_INSTRUCTIONS, control.global),
        (SHARED_INSTRUCTIONS, control.shared),
        (PARAMETER_INSTRUCTIONS, control.parameter),
    ] {
        m.count(statistic, first & counts);
    }
}

/// Counts the warps by what they wait for; those of them that neither wait nor could issue have no instruction.
fn count_waiting<'m>(m: &'m Builder, warps: &Warps<'m>, last_beat: Signal<'m>, loads_open: Signal<'m>) {
    let for_result = warps.gather(Warp::waits_for_result);
    for (statistic, waiting) in [
        (DATA_HAZARD_WARPS, for_result),
        (LOAD_WAIT_WARPS, for_result & loads_open),
        (STRUCTURAL_HAZARD_WARPS, warps.gather(Warp::waits_for_unit)),
        (BARRIER_WARPS, warps.gather(Warp::at_barrier)),
    ] {
        m.sum(statistic, last_beat, popcount(waiting));
    }
}

/// What the warps wait for: results, units, barriers. Returns those with loads that have not returned.
fn results<'m>(m: &'m Builder, p: &CoreParams, io: FrontEndPorts<'m>, warps: &Warps<'m>) -> Signal<'m> {
    let hold = io.hold();
    warps.iter().for_each(|warp| warp.hold(hold));
    m.tap(HOLD_LOADS, hold.loads);
    m.tap(HOLD_STORES, hold.stores);
    let loads_open = io.loads_open();
    warps.drive_bits(Warp::loads_open, loads_open);
    warps.drive_bits(Warp::stores_open, io.stores_open());
    warps.drive_bits(Warp::release, io.release());
    m.tap(LOADS_OPEN, loads_open);
    let of_warp = |name: &dyn PortName, number: Signal<'m>, done: Signal<'m>| {
        let hit = index_one_hot(number, p.warps) & done.repeat(p.warps);
        m.wire((name, "done_of_warp"), hit).to_bits()
    };
    for from in p.writers() {
        let Completion { valid, warp, destination } = io.done(from);
        let hits = of_warp(&from, warp, valid);
        warps.iter().zip(hits).for_each(|(warp, done)| warp.released(from, Released { done, destination }));
    }
    let predicate = io.predicate();
    let hits = of_warp(&"predicate", io.predicate_warp(), predicate.done);
    for (warp, done) in warps.iter().zip(hits) {
        warp.predicate(ReleasedPredicate { done, ..predicate });
    }
    loads_open
}

/// `address` (16 bits) names one of `words` words.
fn within(address: Signal<'_>, words: u32) -> Signal<'_> {
    let m = address.builder();
    if words >= 1 << 16 { m.lit(1, 1) } else { address.lt(words) }
}

/// `chosen` is one of `some`, and is none only where there is none.
fn one_of<'m>(chosen: Signal<'m>, some: Signal<'m>) -> Signal<'m> {
    at_most_one(chosen) & (chosen & !some).is_zero() & chosen.any().eq(some.any())
}
