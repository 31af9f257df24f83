//! Area of a chip: its network, and the thesis' figures for the rest of the chip.
//!
//! Cores and memory controllers are counted with the areas that the thesis takes from a die photo of GTX 280 (section
//! 6.8), whatever their parameters here: IPC/mm^2 compares networks, and must not move with a core that is not the
//! thesis'. Caches are counted as they are ([`caches`]); a chip without L2 has the thesis' one, as the thesis compares
//! networks of chips that have it.

use super::{CacheArea, CrossbarModel, Layout, NetworkArea, NetworkShape, RouterShape, Technology, caches, crossbar};
use rtl::{
    chip::Chip,
    noc::{MessageClass, ring::optics::OpticalParts},
};
use std::fmt;

/// A chip.
#[derive(Clone, PartialEq, Debug)]
pub struct ChipArea {
    /// Constants that it was computed with.
    pub technology: Technology,
    /// Why crossbars are multiplexers though the technology has matrices.
    pub beyond: Option<BeyondMatrix>,
    /// Which ports count.
    pub layout: Layout,
    /// Its network.
    pub network: NetworkArea,
    /// Cores.
    pub cores: u32,
    /// Memory controllers, each with a bank of L2.
    pub controllers: u32,
    /// Data caches of the cores, with the tables of prefetchers.
    pub l1d: Option<CacheArea>,
    /// Caches of the cores that are only read, with their names.
    pub read_only: Vec<(&'static str, CacheArea)>,
    /// L2 banks of the controllers.
    pub l2: Option<CacheArea>,
    /// Parts of a nanophotonic ring between memory nodes, which have no area here.
    pub ring: Option<OpticalParts>,
}

impl ChipArea {
    /// Of a checked chip. An ideal network has no area. Where a matrix of wires is [beyond its formula](beyond_matrix), crossbars are of
    /// multiplexers, and [`technology`](Self::technology) says so.
    pub fn new(chip: &Chip, layout: Layout, technology: &Technology) -> Self {
        let beyond = match technology.crossbar {
            CrossbarModel::Matrix => beyond_matrix(chip, layout),
            CrossbarModel::Mux => None,
        };
        let crossbar = beyond.map_or(technology.crossbar, |_| CrossbarModel::Mux);
        let technology = &Technology { crossbar, ..technology.clone() };
        let network = match chip.is_ideal() {
            true => NetworkArea::none(),
            false => NetworkArea::new(chip.fabric(), layout, technology),
        };
        let (cores, controllers) = (chip.core_nodes().len() as u32, chip.memory_nodes().len() as u32);
        let nm = technology.node.nm();
        let core = chip.core();
        let l1d = core.l1d.as_ref().map(|cache| {
            let parts = [caches::parts(cache), caches::prefetch_tables(&core)].concat();
            CacheArea::of_parts(&parts, cores, nm)
        });
        let read_only = [
            ("instruction cache", &core.instruction_cache),
            ("constant cache", &core.constant_cache),
            ("texture cache", &core.texture_cache),
        ];
        let read_only =
            read_only.into_iter().filter_map(|(name, cache)| Some((name, CacheArea::new(cache.as_ref()?, cores, nm))));
        let read_only = read_only.collect();
        let l2 = chip.partition().l2.as_ref().map(|l2| CacheArea::new(&l2.cache, controllers, nm));
        let ring = chip.fabric().endpoints().optics(&chip.interface(MessageClass::Reply));
        Self { technology: technology.clone(), beyond, layout, network, cores, controllers, l1d, read_only, l2, ring }
    }

    /// Cores, mm^2.
    pub fn cores_mm2(&self) -> f64 {
        f64::from(self.cores) * self.technology.core_mm2
    }

    /// Memory controllers, mm^2.
    pub fn controllers_mm2(&self) -> f64 {
        f64::from(self.controllers) * self.technology.controller_mm2
    }

    /// Data caches, mm^2.
    pub fn l1d_mm2(&self) -> f64 {
        self.l1d.as_ref().map_or(0.0, CacheArea::all_mm2)
    }

    /// Caches of the cores that are only read, mm^2.
    pub fn read_only_mm2(&self) -> f64 {
        self.read_only.iter().fold(0.0, |sum, (_, cache)| sum + cache.all_mm2())
    }

    /// L2, mm^2.
    pub fn l2_mm2(&self) -> f64 {
        let of_thesis = f64::from(self.controllers) * self.technology.l2_bank_mm2;
        self.l2.as_ref().map_or(of_thesis, CacheArea::all_mm2)
    }

    /// All, mm^2.
    pub fn total_mm2(&self) -> f64 {
        let caches = self.l1d_mm2() + self.read_only_mm2() + self.l2_mm2();
        self.cores_mm2() + self.controllers_mm2() + caches + self.network.total_mm2()
    }

    /// Share of the network, percent.
    pub fn network_percent(&self) -> f64 {
        100.0 * self.network.total_mm2() / self.total_mm2()
    }
}

/// The largest crossbar of a chip, beyond the range of the matrix formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BeyondMatrix {
    /// Its router.
    pub router: RouterShape,
    /// Bits of a channel.
    pub channel_bits: u32,
}

impl fmt::Display for BeyondMatrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { router, channel_bits } = self;
        let points = crossbar::crosspoints(router);
        write!(f, "{points} crosspoints of {channel_bits} bits are beyond the range of the matrix formula")
    }
}

/// The largest crossbar of a chip, if it is beyond the range of the matrix formula.
pub fn beyond_matrix(chip: &Chip, layout: Layout) -> Option<BeyondMatrix> {
    let networks = if chip.is_ideal() { vec![] } else { NetworkShape::each(chip.fabric(), layout) };
    let of_network = |network: &NetworkShape| {
        let channel_bits = network.channel_bits;
        network.routers.iter().map(move |&router| BeyondMatrix { router, channel_bits }).collect::<Vec<_>>()
    };
    let all = networks.iter().flat_map(of_network);
    let beyond = all.filter(|of| crossbar::beyond_matrix(&of.router, of.channel_bits));
    beyond.max_by_key(|of| crossbar::wires(crossbar::crosspoints(&of.router), of.channel_bits))
}
