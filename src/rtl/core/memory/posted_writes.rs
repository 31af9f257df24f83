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
use crate::{config::CoreParams, front_end::FrontEnd};
use blocks::{Fifo, FifoParams, fifo, lowest_set, one_hot_mux};
use hdl::{Builder, Bundle, Child, Module, Signal, Statistic, index_width, mux, params, ports, row, statistics};
use memory::map::AddressMap;
use protocol::{ClientPorts, MemoryReply, MemoryRequest, Protocol, ServerPorts};
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
pub(crate) struct PostedWrites;

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
        StageNeeds { flush: true, ..StageNeeds::default() }
    }

    fn module(&self, p: &CoreParams, above: Protocol) -> Option<Module> {
        self.exists(p)
            .then(|| posted_writes(&PostedWritesParams { protocol: above, warps: p.warps, map: p.map.clone() }))
    }

    fn holds_replies(&self) -> bool {
        true
    }

    fn connect<'m>(&self, stage: Child<'m>, core: &StageContext<'_, 'm>) {
        let writes = PostedWritesUnit(stage);
        writes.flush(core.flush());
        writes.wants(core.parts.gather(|front| front.wants_fence().expect("writes are posted"), 1));
        core.parts.drive_warps(FrontEnd::fenced, writes.fenced());
    }

    fn flushed<'m>(&self, stage: Child<'m>) -> Option<Signal<'m>> {
        Some(PostedWritesUnit(stage).drained())
    }

    fn statistics(&self) -> &'static [Statistic] {
        STATISTICS
    }
}

ports! {
    /// Ports of [`posted_writes`], beside those of a server and of a client.
    pub struct PostedWritesPorts(p: &PostedWritesParams) of PostedWritesUnit {
        /// Warps that wait at a memory fence.
        in wants: p.warps,
        /// The kernel has ended: all writes are to arrive.
        in flush: 1,
        /// Warps whose writes before the fence have arrived.
        out fenced: p.warps,
        /// All writes have arrived since `flush` rose.
        out drained: 1,
    }
}

/// The block; see the [module documentation](self).
pub fn posted_writes(p: &PostedWritesParams) -> Module {
    let PostedWritesParams { protocol, warps, map } = p;
    let warps = *warps;
    let m = Builder::new("posted_writes", params! { warps, line_bytes: protocol.line_bytes }.and(p));
    m.doc("Acknowledges writes that nobody answers when they leave; fences say when they have arrived.");
    let (up, down) = (ServerPorts::new(&m, protocol), ClientPorts::new(&m, protocol));
    let io = PostedWritesPorts::new(&m, p);
    let controllers = map.controllers() as u32;

    m.comment("Rounds: whoever wants one while none is in progress.");
    let (wants, flush) = (io.wants(), io.flush());
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
    io.fenced(fenced);
    io.drained(drained);

    m.comment("Requests, and fences before them.");
    let (request, request_taken) = up.request().signals();
    let tags = FifoParams { depth: PLACES, width: protocol.tag_bits, registered: false };
    let tags = Fifo(m.instance("acknowledgements", &fifo(tags)));
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
    let no_place = request.write & tags.full();
    let passes = MemoryRequest { valid: request.valid & !no_place, ..request };
    down.downstream().shows(fence.or_else(fences, passes));
    let downstream_taken = down.downstream().answer();
    let taken = m.wire("taken", downstream_taken & !fences);
    request_taken.shows(taken);
    let posted = m.wire("posted", taken & request.write);
    tags.push(posted);
    tags.push_data(request.tag);
    let node = map.destination(&m, request.line);
    let to = row(map.controller_nodes().iter().map(|&at| node.eq(at as u64)));
    m.set(written, mux(starts, 0, written) | to & posted.repeat(controllers));
    let sent = m.wire("fence_sent", downstream_taken & fences);
    m.set(todo, mux(starts, written, todo & !(next & sent.repeat(controllers))));

    m.comment("Replies: answers to fences end here, lines go before acknowledgements.");
    let (below, below_taken) = down.downstream_reply().signals();
    let (answer, line) = (m.wire("answer", below.valid & below.write), m.wire("line", below.valid & !below.write));
    let valid = line | tags.valid();
    let tag = mux(line, below.tag, tags.data());
    up.reply().shows(MemoryReply { valid, write: !line, tag, data: below.data });
    let reply_taken = up.reply().answer();
    tags.pop(tags.valid() & !line & reply_taken);
    below_taken.shows(answer | line & reply_taken);
    m.when(sent ^ answer, || m.set(awaited, mux(sent, awaited + 1, awaited - 1)));

    m.always("a write is answered here alone", !answer | awaited.any());
    m.always("requests ask for words, and writes change some", !request.valid | request.words.any());
    m.count(FENCE_ROUNDS, starts);
    m.count(FENCES, sent);
    m.count(ACKNOWLEDGEMENT_WAIT_CYCLES, request.valid & no_place);
    m.finish()
}
