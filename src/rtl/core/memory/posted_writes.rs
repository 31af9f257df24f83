//! Posted writes: on a chip that does not answer writes, acknowledges each when it leaves, and asks for order where
//! that is not enough.
//!
//! ```text
//!                  +------------------------------------------------+
//!  request_*    -->| writes: their tags wait to be acknowledged     |--> downstream_* (requests and fences)
//!  request_taken<--|         controllers written since the last one |<-- downstream_taken
//!  wants (warps)-->| round: a fence to each of these controllers,   |
//!  fenced (warps)<-|        until all are answered                  |
//!  flush, drained  |                                                |
//!  reply_*      <--| lines from below, or an acknowledgement        |<-- downstream_reply_*
//!  reply_taken  -->|                                                |--> downstream_reply_taken
//!                  +------------------------------------------------+
//! ```
//!
//! Contract: the network below keeps the order of a core's requests to a controller (`chip::write_order` refuses
//! others). So a write that has left is before everything that this core sends later to the same line, and is
//! acknowledged above in a later cycle in which no line comes. Other cores see it when the controller has taken it. Who
//! must know that (a memory fence; the end of a kernel) shows `wants` (or `flush`): then one fence, a read of no words,
//! goes behind the writes to each controller written since the last round; it is answered like a write when all before
//! it have been taken. The warps that wanted it when the round began are `fenced` from its end until they want no more;
//! `drained` likewise until `flush` falls. Fences leave before requests. Never: an answer to a write from below.
//!
//! Source: Bakhoda's thesis, page 59 (memory controllers send nothing but read replies); the rest is ours. Testbench:
//! `testbenches/posted_writes/`; tests: `tests/memory/litmus.rs`, `tests/chip/run.rs`.

use super::stage::{MemoryStage, StageContext, StageNeeds};
use crate::{
    blocks::{FifoParams, fifo, lowest_set, one_hot_mux},
    core::params::CoreParams,
    memory::{
        map::AddressMap,
        protocol::{MemoryReply, MemoryRequest, Protocol},
    },
};
use hdl::{Builder, Bundle, Child, Module, Statistic, index_width, mux, params, row, statistics};
use serde::Serialize;

statistics! {
    "posted_writes" {
        /// Rounds of fences: one to each controller that has writes of the core.
        FENCE_ROUNDS: fence_rounds in "rounds";
        /// Fences sent to controllers.
        FENCES: fences in "requests";
        /// Cycles in which a write waits until another one can be acknowledged.
        ACKNOWLEDGEMENT_WAIT_CYCLES: acknowledgement_wait_cycles in "cycles";
    }
}

/// Writes that have left and wait to be acknowledged.
const PLACES: usize = 4;

/// Parameters of a [`posted_writes`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PostedWritesParams {
    /// Transactions above and below.
    pub protocol: Protocol,
    /// Warps, 1 and up.
    pub warps: u32,
    /// Which controller holds a line.
    pub map: AddressMap,
}

/// Its row.
pub(in crate::core) struct PostedWrites;

impl MemoryStage for PostedWrites {
    fn name(&self) -> &'static str {
        "posted_writes"
    }

    fn about(&self) -> &'static str {
        "Writes that nobody answers."
    }

    fn exists(&self, p: &CoreParams) -> bool {
        p.posts_writes()
    }

    fn needs(&self, _p: &CoreParams) -> StageNeeds {
        StageNeeds { flush: Some("drained"), ..StageNeeds::default() }
    }

    fn module(&self, p: &CoreParams, above: Protocol) -> Option<Module> {
        self.exists(p)
            .then(|| posted_writes(&PostedWritesParams { protocol: above, warps: p.warps, map: p.map.clone() }))
    }

    fn connect<'m>(&self, writes: Child<'m>, core: &StageContext<'_, 'm>) {
        writes.drive("wants", core.parts.gather("wants_fence", 1));
        core.parts.drive_warps("fenced", writes.get("fenced"));
    }

    fn statistics(&self) -> &'static [Statistic] {
        STATISTICS
    }
}

/// The block; see the [module documentation](self).
pub fn posted_writes(p: &PostedWritesParams) -> Module {
    let PostedWritesParams { protocol, warps, map } = p;
    let warps = *warps;
    let m = Builder::new("posted_writes", params! { warps, line_bytes: protocol.line_bytes }.and(p));
    m.doc("Acknowledges writes that nobody answers when they leave; fences say when they have arrived.");
    let controllers = map.controllers() as u32;

    m.comment("Rounds: whoever wants one while none is in progress.");
    let (wants, flush) = (m.input("wants", warps), m.input("flush", 1));
    let (fenced, drained) = (m.register("fenced_warps", warps, 0), m.register("drained_now", 1, 0));
    let [written, todo] = ["written", "todo"].map(|name| m.register(name, controllers, 0));
    let awaited = m.register("awaited", index_width(controllers as usize + 1), 0);
    let (round, served) = (m.register("round", 1, 0), m.register("served", warps + 1, 0));
    let waiting = m.wire("waiting", (flush & !drained).join(wants & !fenced));
    let starts = m.wire("starts", waiting.any() & !round);
    let ends = m.wire("ends", round & !todo.any() & awaited.is_zero());
    m.set(round, starts | round & !ends);
    m.when(starts, || m.set(served, waiting));
    m.set(fenced, wants & (fenced | served.bits(0, warps) & ends.repeat(warps)));
    m.set(drained, flush & (drained | served.bit(warps) & ends));
    m.output_of("fenced", fenced);
    m.output_of("drained", drained);

    m.comment("Requests, and fences before them.");
    let request = MemoryRequest::inputs(&m, "request", protocol);
    let tags = FifoParams { depth: PLACES, width: protocol.tag_bits, registered: false };
    let tags = m.instance("acknowledgements", &fifo(tags));
    let next = m.wire("next", lowest_set(todo));
    let fences = todo.any();
    // The first chunks belong to one controller each.
    let first_line = |c: u32| u64::from((c << map.chunk_bits()) / protocol.line_bytes);
    let first_lines: Vec<_> = (0..controllers).map(|c| m.lit(protocol.line_number_bits(), first_line(c))).collect();
    let fence = MemoryRequest {
        valid: fences,
        write: m.lit(1, 0),
        tag: m.lit(protocol.tag_bits, 0),
        line: one_hot_mux(next, &first_lines),
        words: m.lit(protocol.words(), 0),
        bytes: m.lit(4, 0),
        data: request.data,
    };
    let no_place = request.write & tags.get("full");
    let passes = MemoryRequest { valid: request.valid & !no_place, ..request };
    fence.or_else(fences, passes).outputs(&m, "downstream", protocol);
    let downstream_taken = m.input("downstream_taken", 1);
    let taken = m.wire("taken", downstream_taken & !fences);
    m.output_of("request_taken", taken);
    let posted = m.wire("posted", taken & request.write);
    tags.drive("push", posted);
    tags.drive("push_data", request.tag);
    let node = map.destination(&m, request.line);
    let to = row(map.controller_nodes().iter().map(|&at| node.eq(at as u64)));
    m.set(written, mux(starts, 0, written) | to & posted.repeat(controllers));
    let sent = m.wire("fence_sent", downstream_taken & fences);
    m.set(todo, mux(starts, written, todo & !(next & sent.repeat(controllers))));

    m.comment("Replies: answers to fences end here, lines go before acknowledgements.");
    let below = MemoryReply::inputs(&m, "downstream_reply", protocol);
    let (answer, line) = (m.wire("answer", below.valid & below.write), m.wire("line", below.valid & !below.write));
    let valid = line | tags.get("valid");
    let tag = mux(line, below.tag, tags.get("data"));
    MemoryReply { valid, write: !line, tag, data: below.data }.outputs(&m, "reply", protocol);
    let reply_taken = m.input("reply_taken", 1);
    tags.drive("pop", tags.get("valid") & !line & reply_taken);
    m.output_of("downstream_reply_taken", answer | line & reply_taken);
    m.when(sent ^ answer, || m.set(awaited, mux(sent, awaited + 1, awaited - 1)));

    m.always("a write is answered here alone", !answer | awaited.any());
    m.always("requests ask for words, and writes change some", !request.valid | request.words.any());
    m.count(FENCE_ROUNDS, starts);
    m.count(FENCES, sent);
    m.count(ACKNOWLEDGEMENT_WAIT_CYCLES, request.valid & no_place);
    m.finish()
}
