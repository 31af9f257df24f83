//! An open-loop measurement as a person reads it, and as a table with commas.

use super::{ClassPoint, LatencySummary, LoadPoint, LoadVerdict, OpenLoopReport, words::grouped};
use std::fmt;

impl fmt::Display for OpenLoopReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [columns, rows] = self.nodes;
        writeln!(f, "{} on {}: {columns} x {rows} nodes, {} senders", self.traffic, self.config, self.senders)?;
        writeln!(f, "  packets: {}; {} bytes a flit", self.packets, self.flit_bytes)?;
        let how = if self.zero_load_measured > 0 { ", measured: packets wait for their own credits" } else { "" };
        write!(f, "  zero-load latency: {:.2} cycles{how}", self.zero_load_latency)?;
        if let (Some(load), Some(bytes)) = (self.saturation_load, self.saturation_bytes) {
            write!(f, "; three times that at {load:.4} flits ({bytes:.2} bytes) per sender and cycle")?;
        }
        if let Some(load) = self.saturation_below {
            write!(
                f,
                "; three times that below {load} flits per sender and cycle, the lowest load that can be measured"
            )?;
        }
        if let Some(makespan) = self.makespan {
            write!(f, "\n  makespan: {} cycles until the last packet has arrived", grouped(makespan))?;
        }
        if self.interrupted {
            write!(f, "\n  INTERRUPTED: these loads were measured before")?;
        }
        writeln!(f, "\n")?;
        writeln!(
            f,
            "    offered   bytes  accepted    mean  +-95%    p50    p95    p99     max  network  routers   oldest"
        )?;
        for point in &self.points {
            writeln!(f, "{}", row(point))?;
        }
        for (i, (name, point, class)) in self.of_classes().enumerate() {
            let gap = if i == 0 { "\n" } else { "" };
            let latency = class
                .packet_latency
                .map_or("no packets".into(), |l| format!("{:.2} cycles mean, {} p99", l.mean, l.p99));
            writeln!(f, "{gap}  {name} at {}: {latency}, {} packets", rounded(point.offered), grouped(class.packets))?;
        }
        let shown = self.points.iter().zip(&self.power).rev();
        let mut shown = shown.filter(|(point, _)| point.verdict == LoadVerdict::Converged);
        if let Some((point, power)) = shown.next() {
            let flit = power.pj_per_flit.map_or(String::new(), |pj| format!(", {pj:.1} pJ a flit"));
            let (dynamic, leakage) = (power.dynamic_w, power.leakage_w);
            writeln!(
                f,
                "\n  power at {} ({} nm, {} MHz): {dynamic:.3} W dynamic{flit}; leakage {leakage:.3} W",
                rounded(point.offered),
                self.technology_nm,
                self.clock_mhz
            )?;
            let toggle = power.toggle.first().copied().unwrap_or_default();
            writeln!(f, "  {toggle} of the bits change from flit to flit: assumed, as this traffic has no data")?;
        }
        for point in self.points.iter().filter(|point| !point.stuck.is_empty()) {
            writeln!(f, "\n  Stuck at {}, oldest first:", rounded(point.offered))?;
            point.stuck.iter().try_for_each(|packet| writeln!(f, "    {packet}"))?;
        }
        let share = match self.behavioural_share {
            Some(share) => format!(", {:.1} % of the time in behavioural parts", 100.0 * share),
            None => String::new(),
        };
        let speed = self.simulated_cycles as f64 / self.wall_seconds.max(1e-9);
        writeln!(
            f,
            "\n  {} cycles in {:.2} s after {:.2} s of preparation: {} a second{share}",
            grouped(self.simulated_cycles),
            self.wall_seconds,
            self.preparation_seconds,
            grouped(speed as u64)
        )?;
        write!(f, "  Behavioural, not hardware: {}.", self.behavioural.join("; "))
    }
}

impl OpenLoopReport {
    /// The classes, where there are several, of the highest load that the network takes.
    fn of_classes(&self) -> impl Iterator<Item = (&str, &LoadPoint, &ClassPoint)> {
        let taken = self.points.iter().rev().find(|point| point.verdict == LoadVerdict::Converged);
        let shown = taken.or(self.points.first()).filter(|point| point.classes.len() > 1);
        shown.into_iter().flat_map(|point| point.classes.iter().map(move |(name, class)| (name.as_str(), point, class)))
    }
}

/// A load as text needs it: that of a trace has as many digits as a number can have.
fn rounded(load: f64) -> f64 {
    (load * 1e6).round() / 1e6
}

fn row(point: &LoadPoint) -> String {
    let LoadPoint { offered, offered_bytes, accepted, .. } = point;
    let latency = match point.packet_latency {
        Some(LatencySummary { mean, p50, p95, p99, max }) => {
            let half_width = point.mean_half_width.map_or("-".into(), |width| format!("{width:.2}"));
            format!("{mean:>8.2}{half_width:>7}{p50:>7}{p95:>7}{p99:>7}{max:>8}")
        }
        None => format!("{:>44}", "-"),
    };
    let mean = |value: Option<f64>| value.map_or("-".into(), |value| format!("{value:.2}"));
    let (network, routers) = (mean(point.network_latency_mean), mean(point.routers_per_packet));
    let reason = if point.reason.is_empty() { String::new() } else { format!(": {}", point.reason) };
    let (oldest, verdict) = (point.oldest_waiting, point.verdict.name().replace('_', " "));
    // Low loads of long packets or many nodes.
    let digits = if *offered < 0.001 { 6 } else { 4 };
    format!(
        "{offered:>11.digits$}{offered_bytes:>8.2}{accepted:>10.4}{latency}{network:>9}{routers:>9}{oldest:>9}  {verdict}{reason}"
    )
}

/// One line for each load and message class, and one (`all`) for the classes together.
pub fn csv(reports: &[OpenLoopReport]) -> String {
    let mut lines = vec![
        "config,traffic,seed,zero_load_latency,saturation_load,offered,offered_bytes,accepted,accepted_bytes,verdict,class,packets,missing,\
         oldest_waiting,mean,p50,p95,p99,max,network_mean,routers,mean_half_width,accepted_half_width"
            .to_string(),
    ];
    let optional = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    for report in reports {
        let OpenLoopReport { config, traffic, seed, zero_load_latency, .. } = report;
        let saturation = optional(report.saturation_load);
        let names = format!("{},{}", quoted(config), quoted(traffic));
        let head = format!("{names},{seed},{zero_load_latency},{saturation}");
        for point in &report.points {
            let LoadPoint { offered, offered_bytes, accepted, accepted_bytes, missing, oldest_waiting, .. } = point;
            let verdict = point.verdict.name();
            let load = format!("{offered},{offered_bytes},{accepted},{accepted_bytes},{verdict}");
            let mut line = |class: &str, packets: u64, latency: Option<LatencySummary>, means: [Option<f64>; 4]| {
                let latency = latency.map_or(",,,,".into(), |LatencySummary { mean, p50, p95, p99, max }| {
                    format!("{mean},{p50},{p95},{p99},{max}")
                });
                let rest = format!("{packets},{missing},{oldest_waiting},{latency},{}", means.map(optional).join(","));
                lines.push(format!("{head},{load},{class},{rest}"));
            };
            let widths = [point.mean_half_width, Some(point.accepted_half_width)];
            let means = [point.network_latency_mean, point.routers_per_packet, widths[0], widths[1]];
            line("all", point.packets, point.packet_latency, means);
            for (name, class) in point.classes.iter().filter(|_| point.classes.len() > 1) {
                let means = [class.network_latency_mean, class.routers_per_packet, None, None];
                line(name, class.packets, class.packet_latency, means);
            }
        }
    }
    lines.join("\n")
}

/// A name that may have commas.
fn quoted(name: &str) -> String {
    match name.contains([',', '"', '\n']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.to_string(),
    }
}
