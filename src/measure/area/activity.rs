//! What a network has done: flits by router and VC, from the counters of the routers' output units.
//!
//! Everything that costs energy in a router happens once for each flit that leaves it: it was written into a buffer,
//! read from it, granted the crossbar, crossed it, and went over the channel behind the output. So the counters that
//! are there suffice.

use super::{
    Switching,
    shape::{PlacedRouter, placed_routers},
};
use crate::{report::LinkUse, statistics::HardwareStatistics};
use rtl::noc::Fabric;
use std::collections::BTreeMap;

/// Flits of one VC of a router's outputs.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct VcActivity {
    /// Flits that left the router.
    pub flits: f64,
    /// Flits times tiles of the channels that they left on. A channel to a terminal counts twice: what comes out at a terminal has gone in at
    /// one, about as far away.
    pub tiles: f64,
    /// Flits on channels to terminals in the same tile, each twice.
    pub local: f64,
    /// Flits that left for terminals.
    pub ejected: f64,
}

/// A router's flits by VC.
#[derive(Clone, PartialEq, Debug)]
pub struct RouterActivity {
    /// Which router.
    pub router: PlacedRouter,
    /// By VC.
    pub vcs: Vec<VcActivity>,
}

/// A network's flits in a number of cycles.
#[derive(Clone, PartialEq, Debug)]
pub struct FlitActivity {
    /// How long.
    pub cycles: f64,
    /// By router; all of the network are there.
    pub routers: Vec<RouterActivity>,
    /// By subnetwork without overlays: bits that changed from flit to flit, in a sample. Empty where nobody has looked.
    pub switching: Vec<Switching>,
}

impl FlitActivity {
    /// Nothing happens for `cycles`.
    pub fn idle(fabric: &Fabric, cycles: f64) -> Self {
        let idle = |router: PlacedRouter| {
            let vcs = fabric.network_in(router.subnetwork).format.vcs;
            RouterActivity { router, vcs: vec![VcActivity::default(); vcs as usize] }
        };
        let routers = placed_routers(fabric).into_iter().map(idle).collect();
        Self { cycles, routers, switching: vec![] }
    }

    /// From all that a simulated chip has counted so far.
    pub fn of_statistics(fabric: &Fabric, statistics: &HardwareStatistics, cycles: f64) -> Self {
        let mut activity = Self::idle(fabric, cycles);
        let places = activity.places();
        for (output, flits) in statistics.flits(fabric) {
            let Some(&place) = places.get(&(output.subnetwork, output.router)) else { continue };
            for (vc, flits) in flits.into_iter().enumerate() {
                activity.routers[place].add(&output.port, vc, flits as f64);
            }
        }
        activity
    }

    /// From the use of links of an open-loop measurement of `cycles` cycles.
    pub fn of_links(fabric: &Fabric, links: &[LinkUse], cycles: f64) -> Self {
        let mut activity = Self::idle(fabric, cycles);
        let places = activity.places();
        for link in links {
            let Some(&place) = places.get(&(link.subnetwork, link.router.clone())) else { continue };
            for (vc, share) in link.vcs.iter().enumerate() {
                activity.routers[place].add(&link.port, vc, share * cycles);
            }
        }
        activity
    }

    /// With what was sampled of the bits on the channels.
    pub fn with_switching(self, switching: Vec<Switching>) -> Self {
        Self { switching, ..self }
    }

    /// Flits by output and cycle, mean over the routers' outputs (0 to 1).
    pub fn use_of_outputs(&self) -> f64 {
        let outputs: usize = self.routers.iter().map(|activity| activity.router.channels.len()).sum();
        let flits: f64 = self.routers.iter().flat_map(|activity| &activity.vcs).map(|vc| vc.flits).sum();
        if outputs > 0 && self.cycles > 0.0 { flits / (self.cycles * outputs as f64) } else { 0.0 }
    }

    fn places(&self) -> BTreeMap<(usize, String), usize> {
        let place = |(i, r): (usize, &RouterActivity)| ((r.router.subnetwork, r.router.name.clone()), i);
        self.routers.iter().enumerate().map(place).collect()
    }
}

impl RouterActivity {
    /// Flits of a VC that have left by a port; nothing where there is no such port or VC.
    pub fn add(&mut self, port: &str, vc: usize, flits: f64) {
        let (Some(channel), Some(vc)) = (self.router.channels.get(port), self.vcs.get_mut(vc)) else { return };
        let times = if channel.terminal { 2.0 } else { 1.0 };
        vc.flits += flits;
        vc.ejected += if channel.terminal { flits } else { 0.0 };
        match channel.tiles {
            Some(tiles) => vc.tiles += times * flits * f64::from(tiles),
            None => vc.local += times * flits,
        }
    }
}
