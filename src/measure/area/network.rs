//! Area of a network: its routers by kind, and its channels.

use super::{
    Cells, CrossbarModel, Layout, LeafCosts, MM2, NetworkShape, RouterShape, Technology, allocator, buffer, crossbar,
    link,
};
use rtl::noc::Fabric;
use std::collections::BTreeMap;

/// Routers of one kind; areas are those of one of them, mm^2.
#[derive(Clone, PartialEq, Debug)]
pub struct RouterArea {
    /// Ports and connections.
    pub shape: RouterShape,
    /// How many there are in all subnetworks.
    pub count: u32,
    /// Crossbar.
    pub crossbar_mm2: f64,
    /// Flit buffers.
    pub buffer_mm2: f64,
    /// VC and switch allocators; none in overlays.
    pub allocator_mm2: f64,
    /// Bits of a channel.
    pub channel_bits: u32,
}

impl RouterArea {
    /// One router.
    pub fn new(shape: RouterShape, network: &NetworkShape, technology: &Technology) -> Self {
        let NetworkShape { vcs, depth, channel_bits, .. } = *network;
        Self {
            shape,
            count: 1,
            crossbar_mm2: crossbar::area(&shape, channel_bits, technology),
            buffer_mm2: buffer::area(&shape, vcs, depth, channel_bits, technology),
            allocator_mm2: if shape.tree { 0.0 } else { allocator::area(&shape, vcs, technology) },
            channel_bits,
        }
    }

    /// All of one router.
    pub fn total_mm2(&self) -> f64 {
        self.crossbar_mm2 + self.buffer_mm2 + self.allocator_mm2
    }

    /// Leakage of its transistors, W: bits of the buffers, a gate for each bit at a crosspoint or the multiplexers, gates of the allocators.
    pub fn leakage_w(&self, technology: &Technology, leaf: &LeafCosts) -> f64 {
        let bits = self.buffer_mm2 / (technology.buffer_bit_um2 * MM2);
        let switches = match technology.crossbar {
            CrossbarModel::Matrix => f64::from(crossbar::crosspoints(&self.shape) * self.channel_bits),
            CrossbarModel::Mux => gates(self.crossbar_mm2, technology),
        };
        let allocator = gates(self.allocator_mm2, technology);
        (bits * leaf.bit_nw + (switches + allocator) * leaf.gate_nw) * 1e-9
    }
}

/// Gate equivalents on an area.
fn gates(mm2: f64, technology: &Technology) -> f64 {
    mm2 / Cells::NANGATE45.mm2(1.0, technology.node.nm())
}

/// A network.
#[derive(Clone, PartialEq, Debug)]
pub struct NetworkArea {
    /// Its routers by kind.
    pub routers: Vec<RouterArea>,
    /// A channel to the next tile, mm^2.
    pub one_link_mm2: f64,
    /// Channels between routers, mm^2.
    pub global_links_mm2: f64,
    /// Channels to terminals, mm^2.
    pub local_links_mm2: f64,
}

impl NetworkArea {
    /// Of a network as it is built.
    pub fn new(fabric: &Fabric, layout: Layout, technology: &Technology) -> Self {
        let mut all = Self::none();
        for (i, shape) in NetworkShape::each(fabric, layout).iter().enumerate() {
            let Self { routers, one_link_mm2, global_links_mm2, local_links_mm2 } = Self::of(shape, technology);
            all.routers.extend(routers);
            all.global_links_mm2 += global_links_mm2;
            all.local_links_mm2 += local_links_mm2;
            if i == 0 {
                all.one_link_mm2 = one_link_mm2;
            }
        }
        all
    }

    /// Of a network given by numbers.
    pub fn of(network: &NetworkShape, technology: &Technology) -> Self {
        let mut kinds: BTreeMap<RouterShape, u32> = BTreeMap::new();
        network.routers.iter().for_each(|&shape| *kinds.entry(shape).or_default() += 1);
        let kind = |(shape, count)| RouterArea { count, ..RouterArea::new(shape, network, technology) };
        let link = |mm: f64| link::area(network.channel_bits, mm, technology);
        let global = network.links.iter().map(|l| f64::from(l.count) * link(l.tiles * technology.tile_mm));
        Self {
            routers: kinds.into_iter().map(kind).collect(),
            one_link_mm2: link(technology.tile_mm),
            global_links_mm2: global.sum(),
            local_links_mm2: f64::from(network.local_links) * link(technology.local_link_mm),
        }
    }

    /// Without routers and links: an ideal network.
    pub fn none() -> Self {
        Self { routers: vec![], one_link_mm2: 0.0, global_links_mm2: 0.0, local_links_mm2: 0.0 }
    }

    /// All routers.
    pub fn routers_mm2(&self) -> f64 {
        self.routers.iter().map(|r| f64::from(r.count) * r.total_mm2()).fold(0.0, |a, b| a + b)
    }

    /// All channels.
    pub fn links_mm2(&self) -> f64 {
        self.global_links_mm2 + self.local_links_mm2
    }

    /// All.
    pub fn total_mm2(&self) -> f64 {
        self.routers_mm2() + self.links_mm2()
    }

    /// Leakage of the transistors of routers and repeaters, W. Wires do not leak.
    pub fn leakage_w(&self, technology: &Technology, leaf: &LeafCosts) -> f64 {
        let routers = self.routers.iter().map(|r| f64::from(r.count) * r.leakage_w(technology, leaf));
        let repeaters = gates(self.links_mm2() * link::REPEATERS, technology) * leaf.repeater_nw * 1e-9;
        routers.sum::<f64>() + repeaters
    }
}
