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
//! `stages` + 1 edges of the clock below, a reply as many of the one above ([`mod@crate::blocks::crossing`]).
//!
//! Testbench: `testbenches/memory_crossing/`; tests: `tests/chip/clocks.rs`.

use super::protocol::{MemoryReply, MemoryRequest, Protocol};
use crate::blocks::{CrossingParams, cross_inside};
use hdl::{Builder, Bundle, Module, params};

/// Requests, and replies, that a crossing holds: enough for one in each cycle.
pub const PLACES: usize = 8;

/// The crossing; see the [module documentation](self).
pub fn memory_crossing(protocol: &Protocol) -> Module {
    let m = Builder::new("memory_crossing", params! { line_bytes: protocol.line_bytes, tag_bits: protocol.tag_bits });
    m.doc("Clock crossing of the memory protocol: requests down, replies up.");
    let (above, below) = (m.clock(), m.domain("downstream"));
    let queue = |name: &str, domains, width: u32| cross_inside(&m, name, domains, CrossingParams::new(PLACES, width));

    let request = MemoryRequest::inputs(&m, "request", protocol);
    let requests = queue("requests", [above, below], MemoryRequest::width(protocol));
    let taken = m.wire("takes", request.valid & !requests.get("full"));
    requests.drive("push", taken);
    requests.drive("push_data", request.pack());
    m.output_of("request_taken", taken);
    let arrived = MemoryRequest::unpack(requests.get("data"), protocol);
    let valid = requests.get("valid");
    MemoryRequest { valid, ..arrived }.outputs(&m, "downstream", protocol);
    requests.drive("pop", valid & m.input("downstream_taken", 1));

    let reply = MemoryReply::inputs(&m, "downstream_reply", protocol);
    let replies = queue("replies", [below, above], MemoryReply::width(protocol));
    let taken = m.wire("takes_reply", reply.valid & !replies.get("full"));
    replies.drive("push", taken);
    replies.drive("push_data", reply.pack());
    m.output_of("downstream_reply_taken", taken);
    let arrived = MemoryReply::unpack(replies.get("data"), protocol);
    let valid = replies.get("valid");
    MemoryReply { valid, ..arrived }.outputs(&m, "reply", protocol);
    replies.drive("pop", valid & m.input("reply_taken", 1));
    m.finish()
}
