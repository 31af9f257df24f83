//! Context of one warp: whether it runs, its next instruction's hazards, its scoreboard and its reconvergence stack.
//!
//! ```text
//!  start, start_slot ---------------------->+------------------+--> fetch, pc (16): wants the instruction at pc
//!  start_full, last_mask (32): its threads->| state, slot      |--> ready: the next instruction can issue
//!  granted: its fetch was accepted -------->| instruction      |--> mask (32), slot: where and what it executes
//!  fetched, hazards: instruction arrives -->|   hazards        |--> active, at_barrier
//!  issue: its instruction issues ---------->| scoreboard       |
//!  step, branch, exit, barrier, ... ------->| stack            |--> waits_for_result, waits_for_unit: why it does not issue
//!  release: barrier passed ---------------->|                  |
//!  results (see scoreboard) --------------->|                  |
//!  loads_open, stores_open, hold_* -------->+------------------+
//! ```
//!
//! Contract: a fetch is accepted (`granted`) in the cycle it is asked for and its instruction comes back (`fetched`)
//! one cycle later; the warp holds one instruction. `issue` comes only while `ready`; `step` carries out the issued
//! instruction in the cycle after. Threads that arrive at a barrier apart wait in the stack; the warp is at the barrier
//! when all its live threads are. The registers `state` (0 idle, 1 running, 2 at a barrier), `held` (the next
//! instruction is here) and `hazard_word` tell what a stuck warp waits for.
//!
//! Memory order ([`MemoryOrder`]): requests of a warp to global memory may overtake each other in the network, so a
//! load waits until the warp's stores are acknowledged, a store until its stores are acknowledged and its loads have
//! returned. With order by line ([`mod@super::memory::line_order`]) neither waits. An atomic is both a load and a
//! store. A load that passes the data cache by (a volatile one) waits until all earlier accesses of the warp are done,
//! so that such loads see memory in their order; a barrier, an exit and a memory fence wait for that, too. Where writes
//! are not answered, a store is acknowledged when it leaves ([`mod@super::memory::posted_writes`]); a memory fence then
//! also waits until it is `fenced`, which it asks for with `wants_fence`.
//!
//! With barrel issue ([`IssueRule`]) nothing issues, besides, until the last instruction has left the pipeline and no
//! load is pending.
//!
//! Testbench: `testbenches/warp/`; tests: `tests/core/`.

use super::{
    config::{CoreParams, IssueRule, MemoryOrder},
    decode::Hazards,
    params::WARP,
    ports::{AccessesNext, Hold, Released, ReleasedPredicate, StackStep},
    scoreboard::{Scoreboard, scoreboard},
    stack::{ReconvergenceStack, reconvergence_stack},
    throttle::Throttle,
    units::{UNITS, Writer},
};
use hdl::{Builder, Bundle, Module, Signal, index_width, params, ports, row, statistics, taps, values};

statistics! {
    "warp" {
        /// Cycles in which the warp waits for its next instruction; counted in a core with an instruction cache.
        FETCH_WAIT_CYCLES: fetch_wait_cycles in "cycles";
    }
}

taps! {
    "warp" {
        /// A value of [`state`].
        STATE,
        /// It asks for an instruction, which has not come.
        FETCHING,
        /// Its next instruction is here.
        HELD,
        /// [`Hazards`] of its next instruction.
        HAZARDS,
        /// Its next instruction waits for something.
        WAITS,
        /// Its next instruction can issue.
        CAN_ISSUE,
        /// It waits for a result.
        WAITS_FOR_RESULT,
        /// It waits for a unit, and for no result.
        WAITS_FOR_UNIT,
        /// It has loads that have not returned.
        LOADS_OPEN,
        /// It has stores that are not acknowledged.
        STORES_OPEN,
    }
}

values! {
    /// Values of the register `state` of a warp.
    pub mod state = "STATE" {
        /// No threads.
        IDLE = 0,
        /// Runs.
        RUNNING = 1,
        /// Waits for the other warps of its block.
        AT_BARRIER = 2,
    }
}

ports! {
    /// Ports of a [`warp`].
    pub struct WarpPorts(p: &CoreParams) of Warp {
        /// It starts.
        in start: 1,
        /// Slot of the block that starts.
        in start_slot: p.slot_bits(),
        /// It has 32 threads if it starts.
        in start_full: 1,
        /// Otherwise these, as the last warp of its block.
        in last_mask: WARP,
        /// Its fetch is accepted.
        in granted: 1,
        /// The instruction comes that it has asked for.
        in fetched: 1,
        /// [`Hazards`] of that instruction, as a word.
        in hazards: Hazards::width(p),
        /// Its instruction issues.
        in issue: 1,
        /// The instruction that has issued is carried out.
        in step: 1,
        /// How.
        in how as "": bundle StackStep(&()),
        /// The barrier is passed.
        in release: 1,
        /// It wants the instruction at `pc`.
        out fetch: 1,
        /// Where it is.
        out pc: 16,
        /// Threads that execute there.
        out mask: WARP,
        /// Slot of its block.
        out slot: p.slot_bits(),
        /// It runs a block.
        out active: 1,
        /// It is at a barrier.
        out at_barrier: 1,
        /// A result has come from there.
        in released[from: Writer in p.writers()] as from: bundle Released(p),
        /// A predicate has come.
        in predicate: bundle ReleasedPredicate(&()),
        /// It has loads that have not returned.
        in loads_open: 1,
        /// It has stores that are not acknowledged.
        in stores_open: 1,
        /// Units that cannot take an instruction.
        in hold: bundle Hold(p),
        /// Its memory fence waits for writes that have left to arrive.
        maybe (p.posts_writes()) out wants_fence: 1,
        /// They have.
        maybe (p.posts_writes()) in fenced: 1,
        /// It has sent the high words of an atomic: the unit is its own until the atomic follows.
        maybe (p.holds_unit()) out holds_unit: 1,
        /// Latency group of the next instruction, a bit each.
        maybe (p.latencies.is_some()) out result_group: p.latency_groups(),
        /// Groups of which an instruction can issue.
        maybe (p.latencies.is_some()) in groups_free: p.latency_groups(),
        /// The next instruction can issue.
        out ready: 1,
        /// It waits for a result.
        out waits_for_result: 1,
        /// It waits for a unit, and for no result.
        out waits_for_unit: 1,
        /// What the next instruction is for the memory units.
        maybe (p.part_of > 1) out holds: bundle AccessesNext(&()),
        /// The next instruction is a load of global memory, for a policy.
        maybe (p.shows_loads()) out is_load: 1,
    }
}

impl CoreParams {
    /// A throttle has to let a warp go on that has sent the high words of an atomic.
    fn holds_unit(&self) -> bool {
        self.atomics && self.throttle.kind != Throttle::None
    }
}

/// The contexts of the warps of a core, wired together.
pub(super) struct Warps<'m>(Vec<Warp<'m>>);

impl<'m> Warps<'m> {
    /// Warp 0 first.
    pub fn new(warps: Vec<Warp<'m>>) -> Self {
        Self(warps)
    }

    /// One after the other.
    pub fn iter(&self) -> impl Iterator<Item = &Warp<'m>> {
        self.0.iter()
    }

    /// An output of all, warp 0 in the low bits.
    pub fn gather(&self, port: impl Fn(Warp<'m>) -> Signal<'m>) -> Signal<'m> {
        row(self.each(port))
    }

    /// An output of all that may not exist.
    pub fn gather_optional(&self, port: impl Fn(Warp<'m>) -> Option<Signal<'m>>) -> Option<Signal<'m>> {
        self.0.iter().map(|warp| port(*warp)).collect::<Option<Vec<_>>>().map(row)
    }

    /// An output of each.
    pub fn each(&self, port: impl Fn(Warp<'m>) -> Signal<'m>) -> Vec<Signal<'m>> {
        self.0.iter().map(|warp| port(*warp)).collect()
    }

    /// An input of all: a bit of `bits` each.
    pub fn drive_bits(&self, port: impl Fn(Warp<'m>, Signal<'m>), bits: Signal<'m>) {
        self.0.iter().zip(bits.to_bits()).for_each(|(warp, bit)| port(*warp, bit));
    }
}

/// What the next instruction waits for as an access to global memory; and whether the high words of an atomic have gone before it.
fn accesses_wait<'m>(
    m: &'m Builder,
    p: &CoreParams,
    next: &Hazards<'m>,
    hold: &Hold<'m>,
    [loads_open, stores_open, held, issue]: [Signal<'m>; 4],
) -> (Vec<Signal<'m>>, Option<Signal<'m>>) {
    // Loads that pass the data cache by keep their order, and that to stores in it.
    let volatile = next.uncached & (stores_open | loads_open);
    let [waits_for_stores, waits_for_all] = match p.memory_order {
        MemoryOrder::Warp => [stores_open, stores_open | loads_open],
        MemoryOrder::Line => [m.lit(1, 0), m.lit(1, 0)],
    };
    let load = next.global_load & (hold.loads | waits_for_stores | volatile);
    let store = next.global_store & (hold.stores | waits_for_all);
    let Some((atomic, high_part)) = next.atomic.zip(next.high_part) else {
        return (vec![load, store], None);
    };

    // High words have waited for all, and the unit is this warp's until the atomic follows.
    let global = next.global_load | next.global_store;
    let atomic = m.wire("global_atomic", atomic & global);
    let staged = m.register("high_part_sent", 1, 0);
    m.when(issue & atomic, || m.set(staged, high_part));
    let mut waits = vec![load & !staged, store & !staged];
    let other = next.shared | next.must_drain | global & !atomic;
    m.always("high words are followed by their atomic", !(issue & staged) | !other & !high_part);
    if p.memory_order == MemoryOrder::Warp {
        // One that returns the old value is among the loads that are open; for what follows it is a store, too.
        let open = m.register("atomic_open", 1, 0);
        m.when(held & !(stores_open | loads_open), || m.set(open, 0));
        m.when(issue & atomic, || m.set(open, 1));
        waits.push(next.global_load & open & loads_open & !staged);
        waits.push(atomic & waits_for_all & !staged);
    }
    (waits, Some(staged))
}

/// The context of a warp.
pub fn warp(p: &CoreParams) -> Module {
    let m = Builder::new("warp", p.parameters(params! { registers: p.registers, blocks: p.blocks }));
    m.doc("Context of one warp: state, next instruction, scoreboard, reconvergence stack.");
    let io = WarpPorts::new(&m, p);
    let start = io.start();
    let slot = m.register("slot_now", p.slot_bits(), 0);

    let state = m.register("state", 2, state::IDLE);
    m.name_values(state, state::VALUES);
    let (held, fetching) = (m.register("held", 1, 0), m.register("fetching", 1, 0));
    let word = m.register_payload("hazard_word", Hazards::width(p));
    for (tap, register) in [(STATE, state), (HELD, held), (FETCHING, fetching), (HAZARDS, word)] {
        m.tap(tap, register);
    }
    let (granted, fetched) = (io.granted(), io.fetched());
    let (issue, step, release) = (io.issue(), io.step(), io.release());

    let stack = ReconvergenceStack(m.instance("stack", &reconvergence_stack()));
    stack.start(start);
    stack.start_mask(io.last_mask() | io.start_full().repeat(WARP));
    stack.step(step);
    stack.how(io.how());
    let running = m.wire("running", state.eq(state::RUNNING));
    let wants = running & stack.ready() & !held & !fetching & !step;
    io.fetch(m.wire("wants_instruction", wants));
    io.pc(stack.pc());
    io.mask(stack.mask());
    io.slot(slot);
    io.active(state.any());
    io.at_barrier(state.eq(state::AT_BARRIER));

    let board = Scoreboard(m.instance("scoreboard", &scoreboard(p)));
    board.hazards(word);
    board.issue(issue);
    p.writers().for_each(|from| board.released(from, io.released(from)));
    board.predicate(io.predicate());

    let (loads_open, stores_open) = (io.loads_open(), io.stores_open());
    m.tap(LOADS_OPEN, loads_open);
    m.tap(STORES_OPEN, stores_open);
    let hold = io.hold();
    let next = Hazards::unpack(word, p);
    // A fence waits until its writes have arrived, which their leaving does not say.
    let quiet = board.clean() & !loads_open & !stores_open;
    let fence = next.fence.and_then(|fence| {
        io.wants_fence(m.wire("fence_wanted", held & fence & quiet));
        Some(fence & !io.fenced()?)
    });
    let (mut waits, staged) = accesses_wait(&m, p, &next, &hold, [loads_open, stores_open, held, issue]);
    let in_turn = last_instruction(&m, p, issue, board.clean(), loads_open);
    let in_turn = in_turn.map(|waits| staged.map_or(waits, |staged| waits & !staged));
    let in_turn = in_turn.map(|waits| {
        UNITS
            .rows()
            .iter()
            .zip(next.units)
            .fold(waits, |waits, (unit, bits)| unit.waits_in_turn(&m, bits, issue, waits))
    });
    if let Some(staged) = staged.filter(|_| p.holds_unit()) {
        io.holds_unit(staged);
    }
    waits.extend([next.shared & hold.shared, next.lane_result & hold.lanes, next.must_drain & !quiet, !board.free()]);
    waits.extend(fence);
    let of_units = next.units.into_iter().zip(hold.units);
    waits.extend(of_units.filter_map(|([issues, half], hold)| Some(half.or(issues)? & hold?)));
    waits.extend(in_turn);
    if let Some(group) = next.group {
        io.result_group(group);
        waits.extend(io.groups_free().map(|free| (group & !free).any()));
    }
    let waits = m.wire("waits", blocks::any_of(&waits));
    let can_issue = m.wire("can_issue", held & !waits);
    m.tap(WAITS, waits);
    m.tap(CAN_ISSUE, can_issue);
    io.ready(can_issue);
    let free = in_turn.map_or(board.free(), |in_turn| board.free() & !in_turn);
    m.tap(WAITS_FOR_RESULT, io.waits_for_result(held & !free));
    m.tap(WAITS_FOR_UNIT, io.waits_for_unit(held & free & waits));
    if p.part_of > 1 {
        let (load, store, shared) = (held & next.global_load, held & next.global_store, held & next.shared);
        io.holds(AccessesNext { load, store, shared });
    }
    if p.shows_loads() {
        io.is_load(held & next.global_load);
    }

    m.when(granted, || m.set(fetching, 1));
    m.when(fetched, || {
        m.set(fetching, 0);
        m.set(held, 1);
        m.set(word, io.hazards());
    });
    m.when(issue, || m.set(held, 0));
    m.when(running & stack.ended(), || m.set(state, state::IDLE));
    m.when(stack.gathered(), || m.set(state, state::AT_BARRIER));
    m.when(release, || m.set(state, state::RUNNING));
    m.when(start, || {
        m.set(state, state::RUNNING);
        m.set(slot, io.start_slot());
    });
    if p.instruction_cache.is_some() {
        m.count(FETCH_WAIT_CYCLES, wants | fetching);
    }
    m.always("a warp is started when it is idle and nothing is awaited", !start | !state.any() & board.clean());
    m.always("an instruction issues when it is ready", !issue | held & !waits);
    m.always("an instruction arrives when it was asked for", !fetched | fetching);
    m.finish()
}

/// With barrel issue, whether the last instruction is still in the pipeline or a load pending.
fn last_instruction<'m>(
    m: &'m Builder,
    p: &CoreParams,
    issue: Signal<'m>,
    clean: Signal<'m>,
    loads_open: Signal<'m>,
) -> Option<Signal<'m>> {
    if p.issue == IssueRule::Scoreboard {
        return None;
    }
    let depth = p.pipeline_depth();
    let left = m.register("cycles_in_pipeline", index_width(depth as usize), 0);
    m.when(left.any(), || m.set(left, left - 1));
    m.when(issue, || m.set(left, u64::from(depth - 1)));
    Some(m.wire("in_pipeline", left.any() | !clean | loads_open))
}
