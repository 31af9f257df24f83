//! What routers hold over time, as lines of JSON and as a film strip: how full buffers spread from a hot spot (tree
//! saturation).
//!
//! ```text
//!   flits sent to a router (links, injection lanes) - flits that it has sent = flits that it holds
//! ```
//!
//! The counters of the hardware tell it: a flit counts for the router that is to have it next, from the cycle in which
//! it is sent. So it may be in a buffer, in the pipeline, or on a link to the router. Each overlay is drawn as a
//! subnetwork behind the others; where its source has several queues, the routers behind these are one. Source: A.
//! Bakhoda's thesis (2014), section 8.2.

use super::shades::{colour, escaped, scale};
use crate::{
    host::saved::{DamagedState, StateReader, StateWriter, Stateful},
    statistics::HardwareStatistics,
};
use rtl::noc::{
    Fabric, MessageClass, NodeKind, Nodes, Output,
    endpoints::{SideNetworks, SideOutput, SideSource},
};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use sim::ProbeResult;
use std::fmt::Write;

/// A router, and what fits into it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct RouterPlace {
    subnetwork: usize,
    router: String,
    /// Column and row.
    place: (u32, u32),
    /// Flits that its input buffers have places for.
    places: u64,
}

/// What all routers hold at the end of a cycle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct SnapshotFrame {
    cycle: u64,
    /// Never negative: it is counted when it is sent, first to a router and then by it.
    flits: Vec<i64>,
}

/// The first line.
#[derive(Serialize)]
struct SnapshotHeader<'a> {
    format_version: u32,
    title: &'a str,
    interval: u64,
    routers: &'a [RouterPlace],
}

/// Snapshots of a network.
#[derive(Clone, Debug)]
pub struct BufferSnapshots {
    title: String,
    interval: u64,
    routers: Vec<RouterPlace>,
    /// Of each output unit, in the order of [`Fabric::output_units`]: its router, and the one that it sends to.
    outputs: Vec<(usize, Option<usize>)>,
    /// By node and injection lane: the router that it sends to.
    lanes: FxHashMap<(u32, u32), usize>,
    /// What had been counted when the network was empty.
    start: Vec<i64>,
    frames: Vec<SnapshotFrame>,
}

/// Frames of a film strip at the most.
const MOST_FRAMES: usize = 48;
/// Frames beside each other.
const ACROSS: usize = 8;

impl BufferSnapshots {
    /// Every `interval` cycles, of a network that is empty now. `lanes`: subnetwork and port of each injection lane of a node.
    pub fn new(title: String, interval: u64, fabric: &Fabric, lanes: impl Fn(u32) -> Vec<(usize, u32)>) -> Self {
        let (mut routers, mut outputs, mut first) = (vec![], vec![], vec![]);
        for (subnetwork, part) in fabric.subnetworks().iter().enumerate() {
            first.push(routers.len());
            for (number, (matrix, site)) in part.routers.iter().zip(part.topology.sites()).enumerate() {
                let at = routers.len();
                let to = |output: &Output| match *output {
                    Output::To(out) => Some(at - number + part.topology.link_from(number, out)?.to),
                    Output::Eject(_) => None,
                };
                outputs.extend(matrix.outputs().iter().map(|output| (at, to(output))));
                let places = (matrix.inputs().len() * part.network.flits_of_port()) as u64;
                routers.push(RouterPlace { subnetwork, router: site.name.tile(), place: site.place, places });
            }
        }
        let mut injections = FxHashMap::default();
        for node in fabric.params().nodes.iter().filter(|node| node.kind != NodeKind::Empty) {
            for (lane, (subnetwork, _)) in (0..).zip(lanes(node.number)) {
                if let Some(site) = fabric.subnetworks()[subnetwork].topology.sends_at(node.number) {
                    injections.insert((node.number, lane), first[subnetwork] + site);
                }
            }
        }
        if let Some(side) = fabric.endpoints().side_networks() {
            let beside = Beside::new(&side, &fabric.params().nodes, fabric.subnetworks().len(), routers.len());
            outputs.extend(side.outputs.iter().map(|output| beside.ends(output)));
            injections.extend(side.sources.iter().enumerate().flat_map(|source| beside.lanes(source)));
            routers.extend(beside.routers);
        }
        let start = vec![0; routers.len()];
        Self { title, interval, routers, outputs, lanes: injections, start, frames: vec![] }
    }

    /// The injection lanes of the nodes of a chip.
    pub fn of_chip(title: String, interval: u64, fabric: &Fabric) -> Self {
        Self::new(title, interval, fabric, |node| {
            let kind = fabric.params().nodes.node(node).kind;
            let sends = if kind == NodeKind::Memory { MessageClass::Reply } else { MessageClass::Request };
            fabric.interface(kind, sends).injection_lanes()
        })
    }

    /// The network is empty, and this is what it has counted.
    pub fn begin(&mut self, fabric: &Fabric, statistics: &HardwareStatistics) {
        self.frames.clear();
        self.start = self.held(fabric, statistics);
    }

    /// Is a snapshot due after `cycle`?
    pub fn is_due(&self, cycle: u64) -> bool {
        cycle.is_multiple_of(self.interval) && self.frames.last().is_none_or(|last| last.cycle < cycle)
    }

    /// Takes one.
    pub fn take(&mut self, cycle: u64, fabric: &Fabric, statistics: &HardwareStatistics) {
        let now = self.held(fabric, statistics);
        let flits = now.iter().zip(&self.start).map(|(now, start)| now - start).collect();
        self.frames.push(SnapshotFrame { cycle, flits });
    }

    /// Flits in less flits out, of each router.
    fn held(&self, fabric: &Fabric, statistics: &HardwareStatistics) -> Vec<i64> {
        let mut held = vec![0; self.routers.len()];
        for ((from, to), (_, vcs)) in self.outputs.iter().zip(statistics.flits(fabric)) {
            let sent = vcs.iter().sum::<u64>() as i64;
            held[*from] -= sent;
            to.iter().for_each(|&to| held[to] += sent);
        }
        for probe in statistics.all().iter().filter(|probe| probe.statistic.is_some_and(|kept| kept.name == SENT)) {
            if let Some(&router) = lane_of(probe).and_then(|lane| self.lanes.get(&lane)) {
                held[router] += probe.count as i64;
            }
        }
        held
    }

    /// Any.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// A line that says what the routers are, and one for each snapshot.
    pub fn json_lines(&self) -> String {
        let head =
            SnapshotHeader { format_version: 1, title: &self.title, interval: self.interval, routers: &self.routers };
        let mut text = serde_json::to_string(&head).expect("numbers and strings only") + "\n";
        for frame in &self.frames {
            text += &serde_json::to_string(frame).expect("numbers only");
            text.push('\n');
        }
        text
    }

    /// The snapshots side by side, in rows, each subnetwork a grid of its routers; at most 48, evenly chosen.
    pub fn film_strip(&self) -> String {
        const CELL: f64 = 9.0;
        let subnetworks = self.routers.iter().map(|router| router.subnetwork + 1).max().unwrap_or(0);
        let most = |of: fn(&RouterPlace) -> u32| self.routers.iter().map(of).max().map_or(0, |most| most + 1);
        let (columns, rows) = (most(|router| router.place.0), most(|router| router.place.1));
        let grid = f64::from(columns) * CELL + 6.0;
        let (wide, high) = (grid * subnetworks as f64 + 10.0, f64::from(rows) * CELL + 24.0);
        let each = self.frames.len().div_ceil(MOST_FRAMES).max(1);
        let shown: Vec<_> = self.frames.iter().step_by(each).collect();
        // Overlays are many grids.
        let across = shown.len().clamp(1, (2 * ACROSS / subnetworks.max(2)).max(1));
        let (width, height) = (wide * across as f64 + 20.0, high * shown.len().div_ceil(across) as f64 + 60.0);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"10\">\n\
             <text x=\"10\" y=\"16\" font-size=\"12\">{}: places taken in the buffers of routers</text>\n",
            escaped(&self.title)
        );
        for (at, frame) in shown.into_iter().enumerate() {
            let (left, top) = (10.0 + wide * (at % across) as f64, 30.0 + high * (at / across) as f64);
            let _ = writeln!(out, "<text x=\"{left:.1}\" y=\"{:.1}\">{}</text>", top + 8.0, frame.cycle);
            for (router, flits) in self.routers.iter().zip(&frame.flits) {
                let x = left + grid * router.subnetwork as f64 + CELL * f64::from(router.place.0);
                let y = top + 12.0 + CELL * f64::from(router.place.1);
                let fill = colour(*flits as f64 / router.places.max(1) as f64, 1.0);
                let _ = writeln!(
                    out,
                    "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{0}\" height=\"{0}\" fill=\"{fill}\"><title>{1}: {flits} of {2} flits</title></rect>",
                    CELL - 1.0,
                    router.router,
                    router.places
                );
            }
        }
        let y = height - 18.0;
        scale(&mut out, (10.0, y));
        let _ = writeln!(
            out,
            "<text x=\"186\" y=\"{:.1}\">empty to full; the cycle above each snapshot</text>\n</svg>",
            y + 9.0
        );
        out
    }
}

impl Stateful for BufferSnapshots {
    fn save(&self, to: &mut StateWriter) {
        to.put(&(&self.start, &self.frames));
    }

    fn restore(&mut self, from: &mut StateReader) -> Result<(), DamagedState> {
        (self.start, self.frames) = from.take()?;
        Ok(())
    }
}

/// The routers of side networks, those of one at a node as one.
struct Beside {
    routers: Vec<RouterPlace>,
    /// By network and node.
    numbers: FxHashMap<(usize, u32), usize>,
}

impl Beside {
    /// Behind so many `subnetworks` and `first` routers.
    fn new(side: &SideNetworks, nodes: &Nodes, subnetworks: usize, first: usize) -> Self {
        let mut all = Self { routers: vec![], numbers: FxHashMap::default() };
        for SideOutput { network, node, router, number, .. } in &side.outputs {
            let known = all.numbers.get(&(*network, *node)).copied();
            let at = known.unwrap_or(first + all.routers.len());
            if known.is_none() {
                let place = nodes.node(*node);
                let (subnetwork, place) = (subnetworks + network, (place.x, place.y));
                all.numbers.insert((*network, *node), at);
                all.routers.push(RouterPlace { subnetwork, router: router.clone(), place, places: 0 });
            } else if *number == 0 {
                all.routers[at - first].router = format!("overlay{network}_root");
            }
            // Each router has one buffer.
            all.routers[at - first].places += if *number == 0 { side.network.depth as u64 } else { 0 };
        }
        all
    }

    /// The router of an output, and the one that it sends to.
    fn ends(&self, output: &SideOutput) -> (usize, Option<usize>) {
        let at = |node: u32| self.numbers[&(output.network, node)];
        (at(output.node), output.to.map(at))
    }

    /// By node and lane of a source: the router that it sends to.
    fn lanes(&self, (network, source): (usize, &SideSource)) -> Vec<((u32, u32), usize)> {
        let at = self.numbers[&(network, source.node)];
        (0..source.links).map(|lane| ((source.node, lane), at)).collect()
    }
}

/// What injection lanes count, those of chips and of `noc`.
const SENT: &str = "flits_sent";

/// Node and lane of an injection lane: `interface7.injection_lane0`, `overlay_source7.lane0`, whatever is around it in its tile.
fn lane_of(probe: &ProbeResult) -> Option<(u32, u32)> {
    let number = |part: &str| {
        let digits = part.len() - part.bytes().rev().take_while(u8::is_ascii_digit).count();
        part[digits..].parse().ok()
    };
    let (tile, rest) = probe.path.split_once('.')?;
    let lane = rest.rsplit('.').next()?;
    Some((number(tile)?, number(lane).unwrap_or(0)))
}
