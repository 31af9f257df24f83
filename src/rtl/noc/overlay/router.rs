//! Overlay router: a router of a tree. One input, so nothing to allocate: a buffer, route computation and a
//! demultiplexer. A tile.
//!
//! ```text
//!                  +------------------------------------------------------+
//!  in_valid, ... ->| flit buffer --> head: route unit --+                 |
//!                  |      |                             v                 |
//!                  |      +----------------------> demultiplexer --> output register --> out_<port>_valid, ...
//!  in_credit (1) <-|                                    ^                 |
//!                  |                             credit counters <--------|<-- out_<port>_credit (1)
//!                  +------------------------------------------------------+
//!  [here_x, here_y]: coordinates (tied to constants), where there are several outputs
//! ```
//!
//! Contract: one stage. A flit on the channel in cycle t is on the next one in t + 2 when nothing is before it and its
//! output has a credit. A body flit follows its head. `in_credit` comes in the cycle after a flit has left the buffer,
//! so a link needs four places for a flit in each cycle. All outputs are registers. Reset: empty, all credits. Never: a
//! flit without a place, a packet whose way is not a branch of the tree (asserted).
//!
//! Source: J. Kim et al., *Direct distributed memory access overlay mesh* (DA2mesh, ICCD 2012), as Y. Li and L. Chen,
//! *Accelerated Reply Injection for Removing NoC Bottleneck in GPGPUs* (IPDPS 2020), section 2.2, describe it;
//! reconstructed. Testbench: `testbenches/overlay_router/`; tests: `tests/noc/networks/overlay.rs`.

use super::flit::{OverlayFlit, OverlayFormat, StoredFlit};
use crate::{
    Output, Routing,
    coordinates::HerePorts,
    ports::shown_outputs,
    route_unit::{RouteUnit, RouteUnitParams, route_unit},
};
use blocks::{CreditCounter, Fifo, FifoParams, credit_counter, fifo};
use hdl::{Builder, Bundle, Module, Signal, mux, params, ports, row, statistics};
use serde::Serialize;

statistics! {
    "overlay_router" {
        /// Flits sent on.
        FLITS_SENT: flits_sent in "flits";
        /// Flits sent by each output, in the order of the outputs.
        FLITS_TO: flits_to in "flits";
        /// Cycles in which a flit waits as its output has no credit.
        CREDIT_STALL_CYCLES: credit_stall_cycles in "cycles";
        /// Flits in the buffer, in cycles with some.
        BUFFERED_FLITS: buffered_flits in "flits";
    }
}

/// Cycles from one router to the next: the router's stage and the link.
pub const HOP: u32 = 2;

/// Places of a buffer with which a link carries a flit in each cycle: cycles from the one in which a flit takes a credit to the first one in which
/// another can take it again.
pub const ROUND_TRIP: u32 = 4;

/// Parameters of an [`overlay_router`].
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct OverlayRouterParams {
    /// Routers in a row.
    pub columns: u32,
    /// Rows.
    pub rows: u32,
    /// Branches of the tree here, in order.
    pub outputs: Vec<Output>,
    /// Flits.
    pub format: OverlayFormat,
    /// Flits that the buffer holds, and those behind the outputs, 1 and up.
    pub buffer: usize,
}

impl OverlayRouterParams {
    /// It looks at its place in the grid.
    pub(super) fn reads_place(&self) -> bool {
        self.outputs.len() > 1
    }
}

ports! {
    /// Ports of an [`overlay_router`].
    pub struct OverlayRouterPorts(p: &OverlayRouterParams) of OverlayRouter {
        /// Flits that come.
        in flit as "in": bundle OverlayFlit(&p.format) with credit: 1,
        /// Flits that go on a branch.
        out next[output: Output in p.outputs.iter().copied()] as ("out", output):
            bundle OverlayFlit(&p.format) with credit: 1,
    }
}

/// A router of a tree; see the [module documentation](self).
pub fn overlay_router(p: &OverlayRouterParams) -> Module {
    let OverlayRouterParams { outputs, format: f, buffer, .. } = p;
    let node_bits = f.packet.node_bits;
    let names = params! { buffer, width: f.packet.width, outputs: shown_outputs(outputs) }.and(p);
    let m = Builder::new("overlay_router", names);
    m.doc("Router of a tree: a buffer, route computation, a demultiplexer and output registers.");
    let io = OverlayRouterPorts::new(&m, p);
    let (flit, in_credit) = io.flit().signals();
    let word = flit.stored().pack();
    let queue =
        Fifo(m.instance("flit_buffer", &fifo(FifoParams { depth: *buffer, width: word.width(), registered: false })));
    queue.push(flit.valid);
    queue.push_data(word);
    let waiting = queue.valid();
    let front = StoredFlit::unpack(queue.data(), f);

    let route = match outputs[..] {
        [_] => m.lit(1, 1),
        _ => {
            let dest = front.payload.bits(0, node_bits);
            route(&m, p, (waiting & front.head, dest), front.head)
        }
    };
    let credits = outputs.iter().map(|output| {
        let counter = CreditCounter(m.instance(("credits_to", *output), &credit_counter(*buffer)));
        counter.credit(io.next(*output).answer());
        counter
    });
    let credits: Vec<_> = credits.collect();
    let free = row(credits.iter().map(|counter| counter.available()));
    let goes = m.wire("goes_to", route & free & waiting.repeat(free.width()));
    let leaves = m.wire("flit_leaves", goes.any());
    queue.pop(leaves);
    in_credit.shows(m.delayed("credit", leaves));

    m.comment("Output registers.");
    for (i, ((output, counter), goes)) in (0..).zip(outputs.iter().zip(&credits).zip(goes.to_bits())) {
        counter.send(goes);
        m.count(FLITS_TO.at(i), goes);
        let kept = front.captured(&m, ("sent_to", *output), goes, f);
        let StoredFlit { head, tail, payload } = kept;
        let valid = m.delayed(("sends_to", *output), goes);
        io.next(*output).shows(OverlayFlit { valid, head, tail, payload });
    }
    m.count(FLITS_SENT, leaves);
    m.count(CREDIT_STALL_CYCLES, waiting & !leaves);
    m.histogram(BUFFERED_FLITS, waiting, queue.count());
    m.finish()
}

/// The output of the flit at the front, one-hot: of a head by its destination, of others that of their head.
fn route<'m>(
    m: &'m Builder,
    p: &OverlayRouterParams,
    (looks, dest): (Signal<'m>, Signal<'m>),
    head: Signal<'m>,
) -> Signal<'m> {
    let params = RouteUnitParams::plain(p.columns, p.rows, Routing::Xy.rule(), p.outputs.clone());
    let unit = RouteUnit(m.instance("route_unit", &route_unit(&params)));
    let (x, y) = HerePorts::new(m, &(p.columns, p.rows)).place();
    unit.here_x(x);
    unit.here_y(y);
    unit.dest(dest);
    let computed = m.wire("route_of_head", unit.route());
    m.always("a packet goes along the tree", !looks | computed.any());
    let kept = m.register("route_of_body", computed.width(), 0);
    m.when(looks, || m.set(kept, computed));
    mux(head, computed, kept)
}
