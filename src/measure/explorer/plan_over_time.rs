//! The network over time: use of each link, what waits in routers and controllers, in frames of equal numbers of points.
//!
//! ```text
//!  samples of a run ── a number for each output of a router, router, controller and point ── frames ── floor plan
//! ```

use super::series::Series;
use crate::{
    record::{RecordError, StatisticTotal, StoredRecord},
    report::{BAR, FloorPlan, LinkUse, shades::shades},
};
use hdl::Statistic;
use rtl::{
    chip::{Chip, build::memory_tile},
    memory::controller::QUEUE_OCCUPANCY,
    noc::{Fabric, input_unit::CREDIT_STALL_CYCLES, output_unit::FLITS_VC, overlay::router::FLITS_TO},
};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// Most frames; fewer where they would take more than so many bytes.
const FRAMES: usize = 400;
const ROOM: usize = 1_000_000;
const SHADES: usize = 64;

/// What a page needs to draw the network of a run in any frame.
#[derive(Serialize)]
pub struct PlanOverTime {
    /// The floor plan without use: groups name links by their positions (`data-links`, of which the mean is meant, or
    /// `data-busiest`), bars routers and controllers by `data-router` and `data-controller`.
    svg: String,
    /// Flits a cycle where the shades end.
    most: f64,
    /// From the lowest use to the highest.
    shades: Vec<String>,
    /// Height of a full bar, pixels.
    bar: f64,
    /// Cycles of the network in one of the cores.
    network_cycles: f64,
    /// The first point of each frame.
    frames: Vec<usize>,
    /// Flits that each output of a router has sent.
    links: Vec<Placed>,
    /// Cycles in which a flit has a virtual channel and no credit, summed over the input ports of a router.
    routers: Vec<Placed>,
    /// Requests in the queue of a controller, summed over cycles of the DRAM.
    controllers: Vec<Placed>,
}

/// Something on the floor plan.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct Placed {
    /// Of a link its router and port, of a router its tile, of a controller its node.
    name: String,
    /// What each frame has added.
    values: Vec<u64>,
    /// Of a mean: how many values that is of.
    counts: Option<Vec<u64>>,
}

/// What a statistic is a part of, with its position.
#[derive(Clone, Copy)]
enum Of {
    Link(usize),
    Router(usize),
    Controller(usize),
}

impl PlanOverTime {
    /// Of a record with these points; none without points or routers, or where this program has no such chip.
    ///
    /// # Errors
    /// When the samples are damaged.
    pub fn of(record: &StoredRecord, title: &str, series: &Series) -> Result<Option<Self>, RecordError> {
        let Ok(chip) = record.chip() else { return Ok(None) };
        let points = series.points();
        if points == 0 || chip.fabric().subnetworks().is_empty() {
            return Ok(None);
        }
        let count = points.min(FRAMES);
        let frames = (0..count).map(|frame| (frame * points).div_ceil(count)).collect();
        let of_row: Vec<_> = series.point_of_rows().iter().map(|point| point * count / points).collect();
        let mut plan = Self::empty(&chip, frames);
        let places = Places::of(&chip);
        let mut found = false;
        record.each_statistic(|total, value, values| {
            let Some(of) = places.of_statistic(total) else { return };
            found = true;
            let placed = plan.at(of);
            let add = |to: &mut [u64], column: &[u64]| {
                of_row.iter().zip(column).for_each(|(&frame, more)| to[frame] = to[frame].wrapping_add(*more));
            };
            add(&mut placed.values, &value);
            placed.counts.as_mut().zip(values).into_iter().for_each(|(counts, values)| add(counts, &values));
        })?;
        if !found {
            return Ok(None);
        }
        while plan.frames.len() > 1 && serde_json::to_string(&plan).map_or(0, |text| text.len()) > ROOM {
            plan.halve();
        }
        plan.draw(title, chip.fabric(), series);
        Ok(Some(plan))
    }

    /// Without a flit.
    fn empty(chip: &Chip, frames: Vec<usize>) -> Self {
        let count = frames.len();
        let placed = |name: String| Placed { name, values: vec![0; count], counts: None };
        let links =
            chip.fabric().output_units().into_iter().map(|output| placed(format!("{} {}", output.router, output.port)));
        let sites = chip.fabric().subnetworks().first().into_iter().flat_map(|part| part.topology.sites());
        let routers = sites.map(|site| placed(site.name.tile()));
        let controllers = chip.memory_nodes().iter().map(|node| {
            let counts = Some(vec![0; count]);
            Placed { counts, ..placed(node.to_string()) }
        });
        let [core, network, ..] = chip.config().clocks.megahertz();
        Self {
            svg: String::new(),
            most: 0.0,
            shades: shades(SHADES),
            bar: BAR.1,
            network_cycles: f64::from(network) / f64::from(core),
            frames,
            links: links.collect(),
            routers: routers.collect(),
            controllers: controllers.collect(),
        }
    }

    fn at(&mut self, of: Of) -> &mut Placed {
        match of {
            Of::Link(at) => &mut self.links[at],
            Of::Router(at) => &mut self.routers[at],
            Of::Controller(at) => &mut self.controllers[at],
        }
    }

    /// Joins frames, two and two.
    fn halve(&mut self) {
        let pairs = |values: &Vec<u64>| {
            values.chunks(2).map(|pair| pair.iter().fold(0u64, |a, b| a.wrapping_add(*b))).collect()
        };
        self.frames = self.frames.iter().copied().step_by(2).collect();
        for placed in self.links.iter_mut().chain(&mut self.routers).chain(&mut self.controllers) {
            placed.values = pairs(&placed.values);
            placed.counts = placed.counts.as_ref().map(pairs);
        }
    }

    /// The plan, with shades that end where the busiest frame of a link is.
    fn draw(&mut self, title: &str, fabric: &Fabric, series: &Series) {
        let cycles: Vec<_> = (0..self.frames.len())
            .map(|frame| {
                let last = self.frames.get(frame + 1).copied().unwrap_or(series.points());
                series.cycles(self.frames[frame], last) as f64 * self.network_cycles
            })
            .collect();
        let outputs = fabric.output_units();
        let links = self.links.iter().zip(outputs).map(|(placed, output)| {
            let uses = placed.values.iter().zip(&cycles).filter(|(_, cycles)| **cycles > 0.0);
            let utilisation = uses.map(|(&flits, cycles)| flits as f64 / cycles).fold(0.0, f64::max);
            LinkUse {
                subnetwork: output.subnetwork,
                router: output.router,
                port: output.port,
                utilisation,
                vcs: vec![],
            }
        });
        let busiest: Vec<_> = links.collect();
        self.most = FloorPlan::scale_of(&busiest);
        let unused = busiest.into_iter().map(|link| LinkUse { utilisation: 0.0, ..link }).collect();
        let plan = FloorPlan { bars: true, ..FloorPlan::new(title.into(), fabric, unused) };
        self.svg = plan.svg_up_to(self.most);
    }
}

/// Where statistics of a network are kept.
struct Places {
    /// By the path of the output unit, or of the router of a side network with the number of its output.
    links: FxHashMap<(String, Option<usize>), usize>,
    /// By the instance of the router.
    routers: FxHashMap<String, usize>,
    /// By the instance of the memory partition.
    controllers: FxHashMap<String, usize>,
}

impl Places {
    fn of(chip: &Chip) -> Self {
        let fabric = chip.fabric();
        let sites = fabric.subnetworks().first().into_iter().flat_map(|part| part.topology.sites());
        let site: FxHashMap<_, _> = sites.enumerate().map(|(at, site)| (site.name.tile(), at)).collect();
        let (mut links, mut routers) = (FxHashMap::default(), FxHashMap::default());
        for (at, output) in fabric.output_units().into_iter().enumerate() {
            if let (None, Some(&router)) = (output.of_side_network, site.get(&output.router)) {
                routers.insert(output.tile, router);
            }
            links.insert((output.path, output.of_side_network), at);
        }
        let controllers = (0..chip.memory_nodes().len()).map(|at| (memory_tile(at), at)).collect();
        Self { links, routers, controllers }
    }

    fn of_statistic(&self, total: &StatisticTotal) -> Option<Of> {
        let (path, name) = total.name.rsplit_once('.')?;
        // The number behind the name, of one of a row.
        let index = |of: Statistic| {
            (total.block == of.block).then(|| name.strip_prefix(of.name)).flatten().map(|index| index.parse().ok())
        };
        if index(FLITS_VC).is_some() {
            return self.links.get(&(path.into(), None)).copied().map(Of::Link);
        }
        if let Some(output) = index(FLITS_TO) {
            return self.links.get(&(path.into(), output)).copied().map(Of::Link);
        }
        if index(CREDIT_STALL_CYCLES).is_some() {
            return self.routers.get(path.split('.').next()?).copied().map(Of::Router);
        }
        index(QUEUE_OCCUPANCY)?;
        self.controllers.get(path.split('.').next()?).copied().map(Of::Controller)
    }
}
