//! Reconvergence stack of one warp: which threads execute, and where.
//!
//! ```text
//!  start, start_mask (32) ----------->+----------------------+--> pc (16)
//!  step, branch, exit, barrier ------>| top: pc, rpc, mask   |--> mask (32): threads that execute at pc
//!  taken (32), target, rpc (16) ----->| live (32)            |--> ready: pc and mask are settled
//!                                     | arrived (32), at pc  |--> gathered: all live threads are at a barrier
//!                                     | entries (memory)     |--> ended: no thread is left
//!                                     +----------------------+
//! ```
//!
//! `rpc` is the reconvergence PC (`reconvergence_pc`).
//!
//! Contract: `step` tells that the instruction at `pc` has been carried out; it comes only while `ready`. With
//! `branch`, the threads in `taken` (a subset of `mask`) go to `target`, the others to the next instruction; with
//! `exit` those in `taken` end; with `barrier` those in `mask` arrive at a barrier. The new `pc` shows one cycle later,
//! `ready` may take longer: an entry is removed (one a cycle) when its pc is its reconvergence point or none of its
//! threads can go on, and a second entry of a divergence is stored in the cycle after.
//!
//! When the threads disagree, the present entry becomes the reconvergence point (pc = `reconvergence_pc`, its whole
//! mask), unless it ends at that very place anyway; above it come the threads that go on and, on top, those that jump.
//! Every divergence splits a set of live threads into two smaller ones, so at most 31 are open at once, each with two
//! stored entries: 62, and 64 are provided.
//!
//! Threads that arrive at a barrier while others of the warp live elsewhere wait there (`arrived`), and the entries
//! below run. When all live threads have arrived, or those that had not have ended, `gathered` is high for one cycle
//! (that of the `step`, or the one after it if that was an exit), and the stack holds one entry: all live threads,
//! behind the barrier. What had to reconverge has done so. Never: two barriers at which threads of one warp wait.
//!
//! Source: immediate post-dominator reconvergence, W. Fung et al., *Dynamic Warp Formation and Scheduling for Efficient
//! GPU Control Flow*, MICRO 2007, section 2; a barrier is passed by warps, all live threads of one together: *Parallel
//! Thread Execution ISA*, `bar.sync`. Testbench: `testbenches/reconvergence_stack/`; tests: `tests/core/control.rs`,
//! `tests/cuda/`.

use super::{params::WARP, ports::StackStep};
use hdl::{Builder, Module, concat, mux, params, ports, statistics, taps};
use program::isa::NO_RECONVERGENCE;

statistics! {
    "reconvergence_stack" {
        /// Branches that have split the warp.
        DIVERGENT_BRANCHES: divergent_branches in "branches";
        /// Arrivals at a barrier of a part of the warp, others to follow.
        DIVERGENT_BARRIERS: divergent_barriers in "barriers";
    }
}

/// Entries stored below the top; never more than 62 are used.
pub const STACK_ENTRIES: usize = 64;

taps! {
    "reconvergence_stack" {
        /// The address at which the warp is.
        PC,
    }
}

ports! {
    /// Ports of a [`reconvergence_stack`].
    pub struct ReconvergenceStackPorts(_p: &()) of ReconvergenceStack {
        /// The warp starts.
        in start: 1,
        /// Threads that it then has.
        in start_mask: WARP,
        /// The instruction at `pc` has been carried out.
        in step: 1,
        /// How.
        in how as "": bundle StackStep(&()),
        /// Where the warp is.
        out pc: 16,
        /// Threads that execute there.
        out mask: WARP,
        /// `pc` and `mask` are settled.
        out ready: 1,
        /// No thread is left.
        out ended: 1,
        /// All live threads are at a barrier.
        out gathered: 1,
    }
}

/// The stack.
pub fn reconvergence_stack() -> Module {
    let m = Builder::new("reconvergence_stack", params! {});
    m.doc("Reconvergence stack of one warp: program counter and active threads.");
    let io = ReconvergenceStackPorts::new(&m, &());
    let (start, start_mask, step) = (io.start(), io.start_mask(), io.step());
    let StackStep { branch, exit, barrier, taken, target, reconvergence_pc } = io.how();

    let entries = m.memory("entries", STACK_ENTRIES, 32 + WARP);
    let used = m.register("used", entries.address_width(), 0);
    let (pc, top_reconvergence_pc) =
        (m.register("pc_now", 16, 0), m.register("top_reconvergence_pc", 16, u64::from(NO_RECONVERGENCE)));
    m.tap(PC, pc);
    let (top_mask, live) = (m.register("top_mask", WARP, 0), m.register("live", WARP, 0));
    let (waiting, waiting_pc) = (m.register("waiting", 1, 0), m.register("waiting_pc", 16, 0));
    let waiting_mask = m.register("waiting_mask", WARP, 0);
    let (arrived, barrier_pc) = (m.register("arrived", WARP, 0), m.register("barrier_pc", 16, 0));

    let absent = m.wire("absent", live & !arrived);
    let executing = m.wire("executing", top_mask & absent);
    let finished = m.wire("finished", pc.eq(top_reconvergence_pc) | executing.is_zero());
    let ready = m.wire("settled", !finished & !waiting);
    io.pc(pc);
    io.mask(executing);
    io.ready(ready);
    io.ended(live.is_zero());

    m.comment("All live threads are at the barrier: the last ones step there now, or have just ended elsewhere.");
    let arrives = m.wire("arrives", step & barrier);
    let last_arrive = m.wire("last_arrive", arrives & (absent & !top_mask).is_zero());
    let gathered = m.wire("all_arrived", last_arrive | arrived.any() & absent.is_zero());
    io.gathered(gathered);

    let next = m.wire("next", pc + 1);
    let staying = m.wire("staying", executing & !taken);
    let jumps = m.wire("jumps", step & branch & taken.any());
    let diverges = m.wire("diverges", jumps & staying.any());
    let keeps_join = m.wire("keeps_join", diverges & reconvergence_pc.ne(top_reconvergence_pc));
    let push = m.wire("push", keeps_join | waiting);
    let pop = m.wire("pop", finished & !waiting & used.any());
    m.comment("Stored: the reconvergence point of a divergence, and one cycle later the threads that did not jump.");
    let join = concat(&[reconvergence_pc, top_reconvergence_pc, top_mask]);
    let other = concat(&[waiting_pc, top_reconvergence_pc, waiting_mask]);
    m.when(push, || {
        entries.write(used, mux(waiting, other, join));
        m.set(used, used + 1);
    });
    m.set(waiting, 0);
    let below = entries.read(used - 1).named("below");
    m.when(pop, || {
        m.set(used, used - 1);
        m.set(pc, below.bits(16 + WARP, 16));
        m.set(top_reconvergence_pc, below.bits(WARP, 16));
        m.set(top_mask, below.bits(0, WARP));
    });
    m.when(step, || {
        m.set(pc, mux(jumps, target, next));
        m.when(diverges, || {
            m.set(top_reconvergence_pc, reconvergence_pc);
            m.set(top_mask, taken);
            m.set(waiting, next.ne(reconvergence_pc));
            m.set(waiting_pc, next);
            m.set(waiting_mask, staying);
        });
        m.when(exit, || m.set(live, live & !taken));
    });
    m.when(arrives, || {
        m.set(arrived, arrived | executing);
        m.set(barrier_pc, next);
    });
    m.when(gathered, || {
        m.set(pc, mux(last_arrive, next, barrier_pc));
        m.set(top_reconvergence_pc, u64::from(NO_RECONVERGENCE));
        m.set(top_mask, live);
        m.set(used, 0);
        m.set(arrived, 0);
    });
    m.when(start, || {
        m.set(pc, 0);
        m.set(top_reconvergence_pc, u64::from(NO_RECONVERGENCE));
        m.set(top_mask, start_mask);
        m.set(live, start_mask);
        m.set(used, 0);
    });
    m.always("a step finds the stack settled", !step | ready);
    m.always("only executing threads jump or end", !step | (taken & !executing).is_zero());
    m.always("threads of a warp wait at one barrier", !arrives | !arrived.any() | barrier_pc.eq(next));
    m.always("the stack does not overflow", !push | used.ne(STACK_ENTRIES - 1));
    m.always("a warp starts when no thread is left", !start | live.is_zero());
    m.count(DIVERGENT_BRANCHES, diverges);
    m.count(DIVERGENT_BARRIERS, arrives & !last_arrive);
    m.finish()
}
