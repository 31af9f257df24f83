//! Power of a network: energy of what it has done, and leakage of what is there.
//!
//! ```text
//!   Activity (flits by router, VC) x FlitEnergy of each router --> dynamic energy --/ time--> W
//!   transistors of the network x their leakage (leaf)          --> leakage, W
//!
//!   a flit through a router   buffer write + buffer read + crossbar + switch grant
//!   a flit on a channel       W x toggle x 1/2 C V^2 x length x 1.87 (repeaters); toggle: as sampled in that subnetwork, else 1/2
//! ```
//!
//! A router of an overlay is a router of one VC without allocators; its demultiplexer is a crossbar of one input. A
//! flit goes over the channel from a source as over that to a core. An idle network costs its leakage; the clock of its
//! flip-flops is counted with that of the other tiles, from the netlist ([`inventory`](super::inventory())), where the
//! whole chip is there.

use super::{
    Array, ArrayTechnology, Cells, ChipArea, CrossbarModel, FlitActivity, LeafCosts, MM2, RouterShape, Technology,
    TechnologyNode, array::ArrayCost, crossbar, toggled::ToggleKind,
};
use rtl::noc::Fabric;

/// Constants of power.
#[derive(Clone, PartialEq, Debug)]
pub struct PowerTechnology {
    /// Supply, V: 1.1, 1.0, 0.9, 0.8 at 65, 45, 32, 22 nm (ITRS, high performance, as in CACTI 5).
    pub supply_v: f64,
    /// Capacitance of a wire, fF/um: 0.2 at every node (Weste and Harris, CMOS VLSI Design, chapter 6).
    pub wire_ff_um: f64,
    /// Energy of a wire with repeaters over one without (Weste and Harris, chapter 6: 87 % more for the shortest delay).
    pub repeaters: f64,
    /// Part of the bits of a flit that differ from the flit before, where the simulation has not recorded it: a half, as of random data.
    pub toggle: f64,
    /// Capacitance that a gate of an arbiter drives, fF at 65 nm, smaller with the node: an estimate, which is below 1 % of a hop.
    pub gate_ff: f64,
    /// Gates that toggle in the arbiters for each request of a grant: an estimate.
    pub gates_per_request: f64,
    /// Leakage of transistors, clock of flip-flops, operations.
    pub leaf: LeafCosts,
    /// Flit buffers: cells and columns.
    pub arrays: ArrayTechnology,
}

impl PowerTechnology {
    /// At a node.
    pub fn at(node: TechnologyNode) -> Self {
        let supply_v = match node {
            TechnologyNode::Nm65 => 1.1,
            TechnologyNode::Nm45 => 1.0,
            TechnologyNode::Nm32 => 0.9,
            TechnologyNode::Nm22 => 0.8,
        };
        Self {
            supply_v,
            wire_ff_um: 0.2,
            repeaters: 1.87,
            toggle: 0.5,
            gate_ff: 2.0 * node.device_scale(),
            gates_per_request: 10.0,
            leaf: LeafCosts::at(node, supply_v),
            arrays: ArrayTechnology::scaled(node.nm(), supply_v),
        }
    }

    /// Of charging or discharging a capacitance, pJ.
    fn half_cv2(&self, ff: f64) -> f64 {
        0.5 * ff * self.supply_v * self.supply_v * 1e-3
    }
}

/// Energy of a flit in a router and on its channels, pJ.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FlitEnergy {
    /// Written into a buffer.
    pub buffer_write_pj: f64,
    /// Read from it.
    pub buffer_read_pj: f64,
    /// Through the crossbar.
    pub crossbar_pj: f64,
    /// The switch allocator's grant.
    pub allocator_pj: f64,
    /// Over a channel of one tile.
    pub link_pj: f64,
    /// Over a channel to or from a terminal.
    pub local_link_pj: f64,
}

impl FlitEnergy {
    /// In a router of this shape in a network of such channels and buffers.
    pub fn new(
        router: &RouterShape,
        channel_bits: u32,
        vcs: u32,
        depth: u32,
        area: &Technology,
        power: &PowerTechnology,
    ) -> Self {
        let bits = f64::from(channel_bits);
        let access: ArrayCost = Array::ram(vcs * depth, channel_bits).cost(&power.arrays);
        let wire = |um: f64| bits * power.toggle * power.half_cv2(um * power.wire_ff_um);
        let [inputs, outputs] = [router.inputs(), router.outputs()].map(|ports| f64::from(ports.max(1)));
        let crossbar_pj = match area.crossbar {
            CrossbarModel::Matrix => {
                // One input line and one output line, each along the crosspoints that it has.
                let points = f64::from(crossbar::crosspoints(router));
                wire((points / inputs + points / outputs) * bits * area.crosspoint_um2.sqrt())
            }
            CrossbarModel::Mux => {
                // A pin of a multiplexer at each output that an input reaches, the levels of one output, and wires along two sides.
                let ones = f64::from(router.ones + router.more_ones);
                let levels = (ones / outputs).max(1.0).log2().ceil();
                let [gate_fj, pin_fj] =
                    [ToggleKind::Logic, ToggleKind::Pin].map(|kind| power.leaf.toggle_fj[kind as usize]);
                let gates_fj = ones / inputs * pin_fj + levels * (Cells::NANGATE45.mux * gate_fj + pin_fj);
                let side_um = (crossbar::area(router, channel_bits, area) / MM2).sqrt();
                bits * power.toggle * gates_fj * 1e-3 + wire(2.0 * side_um)
            }
        };
        // A tree has nothing to allocate.
        let requests = if router.tree { 0.0 } else { f64::from((router.links() + router.terminals) * vcs) };
        let link = |mm: f64| power.repeaters * wire(mm * 1e3);
        Self {
            buffer_write_pj: access.energy_pj,
            buffer_read_pj: access.energy_pj,
            crossbar_pj,
            allocator_pj: requests * power.gates_per_request * power.half_cv2(power.gate_ff),
            link_pj: link(area.tile_mm),
            local_link_pj: link(area.local_link_mm),
        }
    }

    /// Through a router.
    pub fn router_pj(&self) -> f64 {
        self.buffer_write_pj + self.buffer_read_pj + self.crossbar_pj + self.allocator_pj
    }

    /// Through a router and over the channel to the next.
    pub fn hop_pj(&self) -> f64 {
        self.router_pj() + self.link_pj
    }
}

/// Bits of a channel of each subnetwork, and of side networks (overlays) behind them.
pub fn channel_bits(fabric: &Fabric) -> Vec<u32> {
    let networks = fabric.subnetworks().iter().map(|part| &part.network);
    let bits = networks.map(|network| network.format.width);
    bits.chain(fabric.endpoints().side_networks().map(|side| side.network.format.width)).collect()
}

/// Power of a network over some time.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct NetworkPower {
    /// Time, s.
    pub seconds: f64,
    /// Buffers, J.
    pub buffer_j: f64,
    /// Crossbars, J.
    pub crossbar_j: f64,
    /// Allocators, J.
    pub allocator_j: f64,
    /// Channels, J.
    pub link_j: f64,
    /// Of it what message classes have cost, J: requests, replies; all together where VCs are not divided.
    pub classes_j: Vec<f64>,
    /// Leakage of routers and repeaters, W.
    pub leakage_w: f64,
    /// Flits that came out at terminals.
    pub flits: f64,
    /// By subnetwork, overlays together behind the others: part of the bits of a flit that differ from the flit before.
    pub toggle: Vec<f64>,
    /// By subnetwork: flits of the sample that this is from; none when it is assumed.
    pub toggle_flits: Vec<u64>,
    /// Dynamic energy by router with the channels behind its outputs: subnetwork, name, J.
    pub routers_j: Vec<(usize, String, f64)>,
}

impl NetworkPower {
    /// Of what `fabric` has done at `hertz`, with the areas of `area`.
    pub fn new(fabric: &Fabric, activity: &FlitActivity, area: &ChipArea, power: &PowerTechnology, hertz: f64) -> Self {
        Self::of_width(fabric, &channel_bits(fabric), activity, area, power, hertz)
    }

    /// As [`new`](Self::new), with channels of so many bits as [`channel_bits`] has; the last ones stand for those that are not there.
    pub fn of_width(
        fabric: &Fabric,
        bits: &[u32],
        activity: &FlitActivity,
        area: &ChipArea,
        power: &PowerTechnology,
        hertz: f64,
    ) -> Self {
        let network = fabric.network();
        let messages = (network.classes / network.routing.vc_sets()).max(1) as usize;
        // Side networks count as one.
        let subnetworks = fabric.subnetworks().len() + usize::from(fabric.endpoints().side_networks().is_some());
        let divided = subnetworks == 2 && fabric.params().organisation.messages() == 1;
        let classes = if divided { 2 } else { messages };
        let mut sum = Self {
            seconds: activity.cycles / hertz,
            classes_j: vec![0.0; classes],
            leakage_w: area.network.leakage_w(&area.technology, &power.leaf),
            ..Self::default()
        };
        let sampled = |subnetwork: usize| activity.switching.get(subnetwork).copied().unwrap_or_default();
        let toggle = |subnetwork: usize| sampled(subnetwork).fraction().unwrap_or(power.toggle);
        sum.toggle = (0..subnetworks).map(toggle).collect();
        sum.toggle_flits = (0..subnetworks).map(|subnetwork| sampled(subnetwork).flits).collect();
        let recorded = sum.toggle.iter().map(|&toggle| PowerTechnology { toggle, ..power.clone() });
        let recorded: Vec<_> = recorded.collect();
        for activity in &activity.routers {
            let subnetwork = activity.router.subnetwork.min(subnetworks - 1);
            let power = &recorded[subnetwork];
            let shape = area.layout.of(fabric, &activity.router.shape);
            let network = fabric.network_in(subnetwork);
            let (vcs, flits) = (network.format.vcs, network.flits_of_port() as u32);
            let bits = bits.get(subnetwork).or(bits.last()).copied().unwrap_or_default();
            let e = FlitEnergy::new(&shape, bits, vcs, flits.div_ceil(vcs), &area.technology, power);
            let mut whole = 0.0;
            for (vc, done) in activity.vcs.iter().enumerate() {
                let links = (done.tiles * e.link_pj + done.local * e.local_link_pj) * 1e-12;
                sum.buffer_j += done.flits * (e.buffer_write_pj + e.buffer_read_pj) * 1e-12;
                sum.crossbar_j += done.flits * e.crossbar_pj * 1e-12;
                sum.allocator_j += done.flits * e.allocator_pj * 1e-12;
                sum.link_j += links;
                sum.flits += done.ejected;
                let all = done.flits * e.router_pj() * 1e-12 + links;
                let of_vc = network.sets().class(vc as u32) as usize * classes / network.classes as usize;
                let class = if divided { subnetwork } else { of_vc };
                sum.classes_j[class] += all;
                whole += all;
            }
            sum.routers_j.push((activity.router.subnetwork, activity.router.name.clone(), whole));
        }
        sum
    }

    /// Dynamic energy, J.
    pub fn dynamic_j(&self) -> f64 {
        self.buffer_j + self.crossbar_j + self.allocator_j + self.link_j
    }

    /// Dynamic power, W.
    pub fn dynamic_w(&self) -> f64 {
        if self.seconds > 0.0 { self.dynamic_j() / self.seconds } else { 0.0 }
    }

    /// W.
    pub fn total_w(&self) -> f64 {
        self.dynamic_w() + self.leakage_w
    }

    /// Dynamic and leakage, J.
    pub fn energy_j(&self) -> f64 {
        self.dynamic_j() + self.leakage_w * self.seconds
    }

    /// Dynamic energy of a flit from terminal to terminal, pJ; `None` without flits.
    pub fn pj_per_flit(&self) -> Option<f64> {
        (self.flits > 0.0).then(|| self.dynamic_j() * 1e12 / self.flits)
    }
}
