//! Traffic as hardware: a source and a sink for each router of a mesh, so that a network can be loaded, measured and
//! compared between simulators without a test bench.
//!
//! ```text
//!  threshold --> [source] --flits--> inject0 (router) eject0 --flits--> [sink] ==> totals of all sinks before it, to the next sink
//!                    ^----credits-----  ||  ^                              |
//!                                      mesh  `----------credits------------'
//! ```
//!
//! * [`mod@source`]: random packets at a rate that is an input, so that one compiled design serves every load.
//! * [`mod@sink`]: takes every flit at once; totals of flits, latency and a checksum run through the sinks as a chain.
//! * [`traffic_mesh`]: `columns x rows` routers with both at every node, as one module: the benchmark of `docs/performance.md`.

pub mod sink;
pub mod source;

pub use sink::{Sink, Sunk, TOTAL_BITS, Total, sink};
pub use source::{RATE_BITS, Source, SourceParams, source};

use super::{
    FlitFormat, Input, NetworkParams, NocError, NodeKind, Nodes, Output, mesh,
    mesh::full_router,
    paths::all_pairs,
    router::{InputLink, Router},
};
use hdl::{Builder, Module, params, ports};
use serde::Serialize;

/// Parameters of a [`traffic_mesh`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct TrafficParams {
    /// Nodes in a row, 1 to 32.
    pub columns: u32,
    /// Nodes in a column, 1 to 32.
    pub rows: u32,
    /// The routers; one class.
    pub network: NetworkParams,
    /// Flits of a packet, 1 to 64.
    pub flits: u32,
    /// Packets that wait in a source, 1 to 1024; what comes when it is full is lost and counted.
    pub queue: u32,
}

impl TrafficParams {
    /// The benchmark of `side x side` nodes: 4 VCs of 8 flits, 128-bit channels, XY, iSLIP, packets of 4 flits.
    pub fn benchmark(side: u32) -> Self {
        let format = FlitFormat::new(4, 128, side * side, 8);
        Self { columns: side, rows: side, network: NetworkParams::new(format, 8, 1), flits: 4, queue: 255 }
    }

    /// The `threshold` that offers `load` flits per node and cycle (at most one flit less a 65,536th of a packet).
    pub fn threshold(&self, load: f64) -> u64 {
        let most = (1u64 << RATE_BITS) - 1;
        ((load / f64::from(self.flits) * (most + 1) as f64).round() as u64).min(most)
    }

    /// In range?
    pub fn check(&self) -> Result<(), NocError> {
        if self.network.classes != 1 {
            return Err(NocError::TrafficClasses { classes: self.network.classes });
        }
        for (name, value, most) in [("flits", self.flits, 64), ("queue", self.queue, 1024)] {
            if !(1..=most).contains(&value) {
                return Err(NocError::Traffic { name, value, most });
            }
        }
        Ok(())
    }
}

ports! {
    /// Ports of a [`traffic_mesh`].
    pub struct TrafficMeshPorts(_p: &()) of TrafficMesh {
        /// A packet is born at a node in a cycle with this probability, in 65,536ths.
        in threshold: RATE_BITS,
        /// `flits` received, `latency` (sum over packets, head flit from channel to channel, each modulo `2^sideband_bits`), and
        /// `checksum` over payloads, order and place.
        out total[total: Total in Total::ALL] as total: TOTAL_BITS,
    }
}

/// A mesh with a source and a sink at every node. Each total runs through the sinks, one a cycle, so it tells of sink `i` what was so
/// `nodes - i` cycles ago.
pub fn traffic_mesh(p: &TrafficParams) -> Result<Module, NocError> {
    p.check()?;
    let format = &p.network.format;
    let FlitFormat { vcs, width, .. } = *format;
    let depth = p.network.depth;
    let m = Builder::new(
        "traffic_mesh",
        params! { columns: p.columns, rows: p.rows, vcs, depth, width, flits: p.flits, queue: p.queue }.and(p),
    );
    m.doc("A mesh of routers with a source and a sink of random traffic at every node.");
    let grid = Nodes::with_kinds(p.columns, p.rows, |_| NodeKind::Core)?;
    let nodes = grid.len();
    let routers = mesh(&m, &grid, &p.network, |node| full_router(&grid, node), all_pairs(nodes))?;
    let io = TrafficMeshPorts::new(&m, &());
    let threshold = io.threshold();
    let source = source(&SourceParams { format: *format, depth, nodes, flits: p.flits, queue: p.queue });
    let sink = sink(format);
    let mut totals = Total::ALL.map(|total| (total, m.lit(TOTAL_BITS, 0)));
    for (number, router) in (0u32..).zip(&routers) {
        let (here, router) = (m.lit(format.node_bits, u64::from(number)), Router(router.tile));
        let from = Source(m.tile(("source", number), &source));
        from.here(here);
        from.threshold(threshold);
        from.inject().connect(router.flit(InputLink { input: Input::Inject(0), link: None }));
        let to = Sink(m.tile(("sink", number), &sink));
        to.here(here);
        let ejected = router.next(Output::Eject(0));
        to.eject().drive(ejected.signals().into());
        ejected.answer(to.eject().answer());
        for (total, value) in &mut totals {
            to.before(*total, *value);
            *value = to.after(*total);
        }
    }
    for (total, value) in totals {
        io.total(total, value);
    }
    Ok(m.finish())
}
