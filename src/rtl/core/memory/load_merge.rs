//! Merging of loads: a read of a line with an outstanding read of this core takes that one's reply (inter-warp
//! merging).
//!
//! ```text
//!                 +-----------------------------------------------+
//!  request_*   -->| by tag: outstanding, line, open to others,    |--> downstream_*
//!  request_taken<-|         follows, whom                         |<-- downstream_taken
//!  reply_*     <--|                                               |<-- downstream_reply_*
//!  older,         |                                               |--> downstream_reply_taken
//!  stores_open -->+-----------------------------------------------+
//! ```
//!
//! Contract: a request passes in the cycle in which it is shown, or joins and is taken at once. A reply is shown once
//! for each read that joined it, a cycle each, and for the read that was sent at last, with which it is taken; what is
//! above takes every reply. Its tags are those of reads outstanding; tags of writes pass.
//!
//! Memory order: nothing may find a value from before what it has to see. A read outstanding closes to others when
//!
//! * a write to its line is sent,
//! * a volatile load of its line is sent (which does not join either), so that no later load of the warp finds an older value,
//! * a barrier or a fence issues (`older`).
//!
//! A read that is sent while another one of its line is outstanding is closed from the start: the network may turn
//! their order. So is, with order by warp, one that is sent while a store of the core is outstanding (`stores_open`);
//! with order by line ([`mod@super::line_order`], which is below) no write of its line is outstanding then.
//!
//! Source: Bakhoda 2014, section 3.2.2 and figure 3.16: reads only.
//!
//! Testbench: `testbenches/load_merge/`; tests: `tests/core/merge.rs`, `tests/memory/litmus.rs`.

use super::stage::{MemoryStage, PassingServerPorts, StageContext, StageNeeds};
use crate::{
    config::{CoreParams, MemoryOrder},
    decode::Controls,
};
use blocks::{index_one_hot, lowest_set, one_hot_index};
use hdl::{Builder, Child, Module, Statistic, mux, params, ports, row, statistics};
use program::isa::Opcode;
use protocol::{ClientPorts, MemoryReply, MemoryRequest, Protocol};

statistics! {
    "load_merge" {
        /// Reads that shared the reply of another outstanding one.
        MERGED_READS: merged_reads in "requests";
        /// Reads of a line with an outstanding read that they could not join, for the order of memory.
        UNMERGEABLE_READS: unmergeable_reads in "requests";
    }
}

/// Parameters of a [`load_merge`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LoadMergeParams {
    /// Requests.
    pub protocol: Protocol,
    /// What is below keeps the order of a line.
    pub lines_in_order: bool,
}

/// Its row.
pub(crate) struct LoadMerge;

impl MemoryStage for LoadMerge {
    fn name(&self) -> &'static str {
        "load_merge"
    }

    fn about(&self) -> &'static str {
        "Loads of one line."
    }

    fn exists(&self, p: &CoreParams) -> bool {
        p.merge_loads
    }

    fn needs(&self, _p: &CoreParams) -> StageNeeds {
        StageNeeds { refuses: true, uncached: true, ..StageNeeds::default() }
    }

    fn module(&self, p: &CoreParams, above: Protocol) -> Option<Module> {
        self.exists(p).then(|| {
            load_merge(&LoadMergeParams { protocol: above, lines_in_order: p.memory_order == MemoryOrder::Line })
        })
    }

    fn connect<'m>(&self, stage: Child<'m>, core: &StageContext<'_, 'm>) {
        let (merge, global) = (LoadMergeUnit(stage), core.global);
        merge.request_uncached(global.request_uncached().expect("the stage needs it"));
        let orders = |control: &Controls<'m>| control.barrier | control.opcode.eq(Opcode::Membar as u64);
        merge.older(core.parts.issues(orders));
        merge.stores_open((core.p.memory_order != MemoryOrder::Line).then(|| global.stores_open().any()));
    }

    fn statistics(&self) -> &'static [Statistic] {
        STATISTICS
    }
}

ports! {
    /// Ports of a [`load_merge`], beside those towards the load/store unit and those of a client.
    pub struct LoadMergePorts(p: &LoadMergeParams) of LoadMergeUnit {
        /// The request is of a volatile load, which does not join another one.
        in request_uncached: 1,
        /// A barrier or a fence issues: what is outstanding may be older than what comes behind it.
        in older: 1,
        /// The core has stores outstanding.
        maybe (!p.lines_in_order) in stores_open: 1,
    }
}

/// The block; see the [module documentation](self).
pub fn load_merge(p: &LoadMergeParams) -> Module {
    let LoadMergeParams { protocol, lines_in_order } = p;
    let names = params! { line_bytes: protocol.line_bytes, tag_bits: protocol.tag_bits, lines_in_order };
    let m = Builder::new("load_merge", names);
    m.doc("A read of a line with another outstanding read takes its reply.");
    let (up, down) = (PassingServerPorts::new(&m, protocol), ClientPorts::new(&m, protocol));
    let io = LoadMergePorts::new(&m, p);
    let tags = 1 << protocol.tag_bits;
    let [sent, open, follows] = ["sent", "open", "follows"].map(|name| m.register(name, tags, 0));
    let lines: Vec<_> = (0..tags).map(|t| m.register_payload(("line", t), protocol.line_number_bits())).collect();
    let whom: Vec<_> = (0..tags).map(|t| m.register_payload(("whom", t), protocol.tag_bits)).collect();

    m.comment("Requests: a read joins, or passes.");
    let (request, request_taken) = up.request().signals();
    let alone = m.wire("alone", request.write | io.request_uncached());
    let same = m.wire("same", row(lines.iter().map(|&line| line.eq(request.line))) & sent);
    let (reply, reply_taken) = down.downstream_reply().signals();
    let answered = m.wire("answered", index_one_hot(reply.tag, tags) & (reply.valid & !reply.write).repeat(tags));
    let leader = m.wire("leader", lowest_set(same & open & !answered));
    let joins = m.wire("joins", request.valid & !alone & leader.any());
    down.downstream().shows(MemoryRequest { valid: request.valid & !joins, ..request });
    let passes = m.wire("passes", down.downstream().answer());
    request_taken.shows(joins | passes);
    let number = m.wire("leader_number", one_hot_index(leader));
    let own = m.wire("own", index_one_hot(request.tag, tags));
    let sends = m.wire("sends", own & (passes & !request.write).repeat(tags));
    let follower = m.wire("follower", own & joins.repeat(tags));
    for (t, (&line, &whom)) in lines.iter().zip(&whom).enumerate() {
        m.when(sends.bit(t as u32), || m.set(line, request.line));
        m.when(follower.bit(t as u32), || m.set(whom, number));
    }

    m.comment("Replies: to those that joined, then to the one that was sent.");
    let followers = row(whom.iter().map(|whom| whom.eq(reply.tag))) & follows & answered.any().repeat(tags);
    let next = m.wire("next", lowest_set(m.wire("followers", followers)));
    let others = m.wire("others", next.any());
    let leaves = m.wire("leaves", reply.valid & !others);
    up.reply(MemoryReply { tag: mux(others, one_hot_index(next), reply.tag), ..reply });
    reply_taken.shows(leaves);

    m.comment("Which reads outstanding others may join.");
    let ended = m.wire("ended", answered & leaves.repeat(tags));
    let passed_by = same & (alone & passes).repeat(tags);
    let shut = m.wire("shut", passed_by | io.older().repeat(tags));
    let in_order = io.stores_open().map_or(m.lit(1, 1), |open| !open);
    let joinable = m.wire("joinable", !alone & !same.any() & in_order);
    m.set(sent, sent & !ended | sends);
    m.set(open, open & !ended & !shut | sends & joinable.repeat(tags));
    m.set(follows, follows & !next | follower);
    m.count(MERGED_READS, joins);
    m.count(UNMERGEABLE_READS, passes & !alone & same.any());
    m.always("a tag is of one read", ((sends | follower) & (sent | follows)).is_zero());
    m.always("a read is answered that was sent", (answered & !sent).is_zero());
    m.finish()
}
