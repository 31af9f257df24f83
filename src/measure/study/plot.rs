//! The outcome of a study as a picture: bars, lines along an axis, a heat map of two axes, or the front of throughput
//! against area or power.

use super::{DesignResult, StudyOutcome};
use std::{collections::BTreeMap, error::Error};

mod bars;
mod front;
mod heat;
mod lines;

/// Lines that can be told from each other.
const MOST_LINES: usize = 21;

/// What is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlotKind {
    /// A bar for each design, over each workload.
    Bars,
    /// Along the first axis, or the load of traffic.
    Lines,
    /// Of two axes.
    Heat,
    /// Designs that no other one beats in both IPC and area.
    Front,
    /// The same of IPC and power.
    PowerFront,
}

impl PlotKind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Bars, Self::Lines, Self::Heat, Self::Front, Self::PowerFront];

    /// As the command line takes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bars => "bars",
            Self::Lines => "lines",
            Self::Heat => "heat",
            Self::Front => "front",
            Self::PowerFront => "power-front",
        }
    }

    /// What it shows.
    pub fn about(self) -> &'static str {
        match self {
            Self::Bars => "a bar for each design, relative to the baseline, workload by workload",
            Self::Lines => "IPC along the first axis, or latency against load, a line for each design and workload",
            Self::Heat => "a map of two axes, with the IPC or the latency of each pair of values",
            Self::Front => "IPC against mm^2, with the designs named that no other one beats in both",
            Self::PowerFront => "the same against W, the mean power of the chip",
        }
    }
}

/// A number of a design with a workload.
type OfRun = Box<dyn Fn(&DesignResult, usize) -> Option<f64>>;

/// What a drawing of chips or networks is of.
struct Quantity {
    /// With its unit.
    name: String,
    /// Of a workload.
    of: OfRun,
}

/// A line of a drawing: what it is called, and its points, by place on the horizontal axis.
type NamedLine = (String, Vec<(f64, f64)>);

impl StudyOutcome {
    /// The picture that shows a study best.
    pub fn usual_plot(&self) -> PlotKind {
        match (self.axes.is_empty() && !self.has_loads(), self.lines().map_or(0, |lines| lines.lines.len())) {
            (true, _) => PlotKind::Bars,
            (false, count) if count > MOST_LINES && self.workloads_of_chips().next().is_some() => PlotKind::Front,
            _ => PlotKind::Lines,
        }
    }

    /// That picture as SVG; where nothing has been run, one without bars.
    ///
    /// # Errors
    /// Those of the library that draws.
    pub fn svg(&self) -> Result<String, Box<dyn Error>> {
        self.plot(self.usual_plot()).or_else(|_| self.bars())
    }

    /// The picture as SVG.
    ///
    /// # Errors
    /// It has nothing to show, or the library that draws fails.
    pub fn plot(&self, kind: PlotKind) -> Result<String, Box<dyn Error>> {
        match kind {
            PlotKind::Bars => self.bars(),
            PlotKind::Lines => self.lines()?.svg(),
            PlotKind::Heat => self.heat(),
            PlotKind::Front => self.front(),
            PlotKind::PowerFront => self.power_front(),
        }
    }

    /// Kernels and programs.
    fn workloads_of_chips(&self) -> impl Iterator<Item = usize> {
        (0..self.kernels.len()).filter(|k| !self.is_network(*k))
    }

    /// A run of this workload has loaded a network.
    pub(crate) fn is_network(&self, workload: usize) -> bool {
        self.designs.iter().flat_map(|design| &design.figures[workload]).any(|figures| figures.verdict.is_some())
    }

    /// Traffic is measured at several loads, and nothing else is.
    fn has_loads(&self) -> bool {
        let mut by_series: BTreeMap<&str, usize> = BTreeMap::new();
        self.series.iter().for_each(|series| *by_series.entry(series).or_default() += 1);
        self.workloads_of_chips().next().is_none() && by_series.values().any(|loads| *loads > 1)
    }

    /// What is drawn of kernels and programs: the metric of the study, or IPC.
    fn of_chips(&self) -> Quantity {
        match self.metric.split(", ").next() {
            Some("speed") | None => {
                Quantity { name: "IPC, thread instructions per core cycle".into(), of: figure("ipc") }
            }
            Some(metric) => Quantity { name: metric.into(), of: Box::new(|design, k| design.values[k]) },
        }
    }

    /// What is drawn of traffic.
    fn of_networks() -> Quantity {
        Quantity { name: "mean latency, cycles".into(), of: figure("latency_cycles") }
    }

    /// What is drawn, and the workloads that have it: those of chips, if there are any.
    fn drawn(&self) -> (Quantity, Vec<usize>) {
        let chips: Vec<usize> = self.workloads_of_chips().collect();
        match chips.is_empty() {
            true => (Self::of_networks(), (0..self.kernels.len()).collect()),
            false => (self.of_chips(), chips),
        }
    }

    /// An axis in a drawing: its keys with their units.
    fn axis_name(&self, axis: usize) -> String {
        let axis = &self.axes[axis];
        let named = axis.keys.iter().zip(&axis.units).map(|(key, unit)| match unit.as_str() {
            "" => key.clone(),
            unit => format!("{key}, {unit}"),
        });
        named.collect::<Vec<_>>().join("; ")
    }

    /// Names of an axis' points.
    fn point_names(&self, axis: usize) -> Vec<String> {
        self.axes[axis].points.iter().map(|point| point.join(", ")).collect()
    }
}

fn figure(name: &'static str) -> OfRun {
    Box::new(move |design, k| design.figures[k].as_ref()?.get(name))
}

/// Harmonic mean of throughputs; none where one is missing or zero.
fn harmonic(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let values: Vec<f64> = values.collect::<Option<_>>()?;
    let sum: f64 = values.iter().map(|value| 1.0 / value).sum();
    (!values.is_empty() && sum.is_finite()).then(|| values.len() as f64 / sum)
}
