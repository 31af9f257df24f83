//! Ports of a front end.

use crate::{
    config::CoreParams,
    memory::read_only_cache::{LineRead, LineReply},
    params::WARP,
    ports::{AccessesNext, Completion, Hold, Issue, LocalityEvents, ProgramWrite, ReleasedPredicate},
    units::Writer,
};
use hdl::ports;
use protocol::Protocol;

ports! {
    /// Ports of a [`front_end`](super::front_end()).
    pub struct FrontEndPorts(p: &CoreParams) of FrontEnd {
        /// Beat of the issue interval.
        out beat: p.beat_bits(),
        /// Words for the instruction memory.
        maybe (p.instruction_cache.is_none()) in program: bundle ProgramWrite(&()),
        /// What a throttle sees of the data cache.
        maybe (p.throttle.kind.policy().reads().cache) in cache: bundle LocalityEvents(&p.locality_widths()),
        /// The loads of the core ask for a fair policy.
        maybe (p.scheduler.policy().reads().prefer_rr) in prefer_rr: 1,
        /// The issued instruction, for all its beats.
        out issue: bundle Issue(p),
        /// Slot of its block.
        out issue_slot: p.slot_bits(),
        /// Where it is in the program, for a prefetcher.
        maybe (p.prefetches()) out issue_pc: 16,
        /// In beat 0: its executing threads whose guard holds.
        in taken: WARP,
        /// Units that cannot take an instruction now.
        in hold: bundle Hold(p),
        /// Warps with loads that have not returned.
        in loads_open: p.warps,
        /// Warps with stores that are not acknowledged.
        in stores_open: p.warps,
        /// Warps that have passed their barrier.
        in release: p.warps,
        /// A register has its result, from there.
        in done[from: Writer in p.writers()] as (from, "done"): bundle Completion(p),
        /// A predicate has its result.
        in predicate: bundle ReleasedPredicate(&()),
        /// Whose predicate that is.
        in predicate_warp: p.warp_bits(),
        /// Warps whose fence waits for writes that have left to arrive.
        maybe (p.posts_writes()) out wants_fence: p.warps,
        /// Those for which they have.
        maybe (p.posts_writes()) in fenced: p.warps,
        /// Slot of the block that starts.
        in start_slot: p.slot_bits(),
        /// Warps that start.
        in start_warps: p.warps,
        /// Warps that have 32 threads if they start.
        in start_full: p.warps,
        /// Threads of the last warp of a block.
        in last_mask: WARP,
        /// Warps that run a block.
        out active: p.warps,
        /// Warps that are at a barrier.
        out at_barrier: p.warps,
        /// Slot of each warp's block.
        out slots: p.warps * p.slot_bits(),
        /// What any warp has next for the memory units.
        maybe (p.part_of > 1) out holds: bundle AccessesNext(&()),
    }
}

ports! {
    /// Ports that it has with an instruction cache.
    pub struct InstructionFetchPorts(protocol: &Protocol) of InstructionFetch {
        /// Number of the first line of the program.
        in program_base: protocol.line_number_bits(),
        /// Reads of lines.
        out fetch: bundle LineRead(protocol) with taken: 1,
        /// Their lines.
        in line: bundle LineReply(protocol),
    }
}
