//! Clock crossing of the memory protocol: between what asks and what answers, each with its clock.
//!
//! ```text
//!                      clock                 :       clock `downstream`
//!                 +------------------------- : ------------------------+
//!  request_*   -->| requests -----> clock-crossing queue ------------->|--> downstream_*
//!  request_taken<-|                          :                         |<-- downstream_taken
//!  reply_*     <--| replies  <----- clock-crossing queue <-------------|<-- downstream_reply_*
//!  reply_taken -->|                          :                         |--> downstream_reply_taken
//!                 +------------------------- : ------------------------+
//! ```
//!
//! Contract: requests and replies pass once each and in order, one a cycle, where there is a place; a request takes
//! `stages` + 1 edges of the clock below, a reply as many of the one above ([`mod@blocks::crossing`]).
//!
//! Testbench: `testbenches/memory_crossing/`; tests: `tests/chip/clocks.rs`.

use blocks::{CrossingParams, cross_inside};
use hdl::{Builder, Bundle, Module, params};
use protocol::{ClientPorts, MemoryReply, MemoryRequest, Protocol, ServerPorts};

/// Requests, and replies, that a crossing holds: enough for one in each cycle.
pub const PLACES: usize = 8;

/// Clock domain of what answers.
pub const DOWNSTREAM_CLOCK: &str = "downstream";

/// The crossing; see the [module documentation](self).
pub fn memory_crossing(protocol: &Protocol) -> Module {
    let m = Builder::new("memory_crossing", params! { line_bytes: protocol.line_bytes, tag_bits: protocol.tag_bits });
    m.doc("Clock crossing of the memory protocol: requests down, replies up.");
    let (above, below) = (m.clock(), m.domain(DOWNSTREAM_CLOCK));
    let queue = |name: &str, domains, width: u32| cross_inside(&m, name, domains, CrossingParams::new(PLACES, width));

    let (up, down) = (ServerPorts::new(&m, protocol), ClientPorts::new(&m, protocol));
    let (request, request_taken) = up.request().signals();
    let requests = queue("requests", [above, below], MemoryRequest::width(protocol));
    let taken = m.wire("takes", request.valid & !requests.full());
    requests.push(taken);
    requests.push_data(request.pack());
    request_taken.shows(taken);
    let arrived = MemoryRequest::unpack(requests.data(), protocol);
    let valid = requests.valid();
    down.downstream().shows(MemoryRequest { valid, ..arrived });
    requests.pop(valid & down.downstream().answer());

    let (reply, reply_taken) = down.downstream_reply().signals();
    let replies = queue("replies", [below, above], MemoryReply::width(protocol));
    let taken = m.wire("takes_reply", reply.valid & !replies.full());
    replies.push(taken);
    replies.push_data(reply.pack());
    reply_taken.shows(taken);
    let arrived = MemoryReply::unpack(replies.data(), protocol);
    let valid = replies.valid();
    up.reply().shows(MemoryReply { valid, ..arrived });
    replies.pop(valid & up.reply().answer());
    m.finish()
}
