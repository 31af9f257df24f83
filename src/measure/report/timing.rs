//! How long logic between clock edges takes: tables and the JSON of `warpmesh timing`.

use crate::{
    area::TechnologyNode,
    timing::{DomainTiming, MARGIN, Mapped, TimedPath, Timing, fo4_ps, ns, wanted_ns},
};
use serde::Serialize;
use std::fmt::{self, Write};

/// Timing of a chip or a block, ns.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TimingReport {
    /// Version of this object's shape.
    pub format_version: u32,
    /// The configuration as it was named, or the block with its parameters.
    pub of: String,
    /// Technology node, nm.
    pub technology_nm: u32,
    /// An inverter that drives four of its kind, ps.
    pub fo4_ps: f64,
    /// Share of a period that is left for wires, skew and jitter.
    pub margin: f64,
    /// By clock domain.
    pub domains: Vec<DomainRow>,
    /// By kind of child of the top, the worst first.
    pub parts: Vec<PartRow>,
    /// By kind of block, the worst first.
    pub blocks: Vec<BlockTimingRow>,
    /// The logic of a block without clock to output and setup, and what synthesis makes of it; only when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mapped: Option<MappedRow>,
}

/// A clock domain.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DomainRow {
    /// Its name at the top; `clock` is that of the cores.
    pub domain: String,
    /// What the configuration wants; none for a block.
    pub mhz: Option<f64>,
    /// What a path may take, ns.
    pub wanted_ns: Option<f64>,
    /// What the longest path takes, with clock to output and setup, ns.
    pub worst_ns: f64,
    /// Levels of logic of that path.
    pub levels: u32,
    /// What is left, ns.
    pub slack_ns: Option<f64>,
    /// Whether the clock is within reach.
    pub met: Option<bool>,
    /// The longest paths, one for each register, memory and output of a kind of block.
    pub paths: Vec<PathRow>,
}

/// A path.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PathRow {
    /// Register, memory or input where it starts.
    pub from: String,
    /// Register, memory or output where it ends.
    pub to: String,
    /// `register to register`, or with a port of the top.
    pub kind: &'static str,
    /// The whole path, ns.
    pub ns: f64,
    /// Levels of logic.
    pub levels: u32,
    /// Operators from start to end.
    pub steps: Vec<StepRow>,
}

/// An operator of a path.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StepRow {
    /// When its result is there, ns.
    pub ns: f64,
    /// Levels of logic in it.
    pub levels: u32,
    /// What it does.
    pub operator: String,
    /// Bits of its result.
    pub width: u32,
    /// Names of instances, with dots between.
    pub place: String,
    /// Kind of the block there.
    pub block: String,
    /// The net that carries the result, where it has a name.
    pub net: Option<String>,
    /// File and line where it was described.
    pub source: String,
}

/// The longest path that ends in a kind of child of the top.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PartRow {
    /// Kind of child: of a chip, of tile.
    pub kind: String,
    /// Domain in which the path is sampled.
    pub domain: String,
    /// What is left of what the domain wants, ns.
    pub slack_ns: Option<f64>,
    /// The path.
    pub path: PathRow,
}

/// The longest path through blocks of a kind.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BlockTimingRow {
    /// Kind of block.
    pub kind: String,
    /// Domain in which the path is sampled.
    pub domain: String,
    /// The whole path, ns.
    pub ns: f64,
    /// In the block itself, not in blocks in it, ns.
    pub own_ns: f64,
    /// Levels of logic of the path.
    pub levels: u32,
    /// What is left of what the domain wants, ns.
    pub slack_ns: Option<f64>,
}

/// A block by both tools.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MappedRow {
    /// Ours at the node, without clock to output and setup, ns.
    pub logic_ns: f64,
    /// Likewise.
    pub levels: u32,
    /// Ours at the node with clock to output and setup, ns; beside OpenSTA's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_ns: Option<f64>,
    /// By Yosys and abc with the cells of the library, ns.
    #[serde(flatten)]
    pub mapped: Mapped,
}

impl MappedRow {
    /// `logic`: timed by [`logic_only`](crate::timing::DelayModel::logic_only); `paths`: with clock to output and setup.
    pub fn new(logic: &Timing, paths: &Timing, mapped: Mapped, node: TechnologyNode) -> Self {
        let longest = |of: &'_ Timing| {
            of.domains.iter().filter_map(|domain| domain.paths.first()).max_by_key(|path| path.time).cloned()
        };
        let (logic, path) = (longest(logic), longest(paths));
        Self {
            logic_ns: logic.as_ref().map_or(0.0, |path| ns(path.time, node)),
            levels: logic.map_or(0, |path| path.levels),
            path_ns: mapped.sta.as_ref().and(path).map(|path| ns(path.time, node)),
            mapped,
        }
    }
}

impl PathRow {
    fn new(path: &TimedPath, node: TechnologyNode) -> Self {
        let step = |step: &crate::timing::PathStep| StepRow {
            ns: ns(step.time, node),
            levels: step.levels,
            operator: step.operator.clone(),
            width: step.width,
            place: step.place.clone(),
            block: step.kind.clone(),
            net: step.net.clone(),
            source: step.source.to_string(),
        };
        Self {
            from: path.from.clone(),
            to: path.to.clone(),
            kind: path.kind(),
            ns: ns(path.time, node),
            levels: path.levels,
            steps: path.steps.iter().map(step).collect(),
        }
    }
}

impl DomainRow {
    fn new(domain: &DomainTiming, mhz: Option<f64>, node: TechnologyNode) -> Self {
        let wanted = mhz.map(wanted_ns);
        let worst = domain.paths.first();
        let worst_ns = worst.map_or(0.0, |path| ns(path.time, node));
        Self {
            domain: domain.domain.clone(),
            mhz,
            wanted_ns: wanted,
            worst_ns,
            levels: worst.map_or(0, |path| path.levels),
            slack_ns: wanted.map(|wanted| wanted - worst_ns),
            met: wanted.map(|wanted| worst_ns <= wanted),
            paths: domain.paths.iter().map(|path| PathRow::new(path, node)).collect(),
        }
    }
}

impl TimingReport {
    /// `clock`: frequency of a domain, MHz.
    pub fn new(of: String, timing: &Timing, node: TechnologyNode, clock: impl Fn(&str) -> Option<f64>) -> Self {
        let block = |block: &crate::timing::BlockTiming| BlockTimingRow {
            kind: block.kind.clone(),
            domain: block.domain.clone(),
            ns: ns(block.time, node),
            own_ns: ns(block.own, node),
            levels: block.levels,
            slack_ns: clock(&block.domain).map(|mhz| wanted_ns(mhz) - ns(block.time, node)),
        };
        let part = |part: &crate::timing::PartTiming| PartRow {
            kind: part.kind.clone(),
            domain: part.domain.clone(),
            slack_ns: clock(&part.domain).map(|mhz| wanted_ns(mhz) - ns(part.path.time, node)),
            path: PathRow::new(&part.path, node),
        };
        Self {
            format_version: 1,
            of,
            technology_nm: node.nm(),
            fo4_ps: fo4_ps(node),
            margin: MARGIN,
            domains: timing.domains.iter().map(|d| DomainRow::new(d, clock(&d.domain), node)).collect(),
            parts: timing.parts.iter().map(part).collect(),
            blocks: timing.blocks.iter().map(block).collect(),
            mapped: None,
        }
    }

    /// As indented JSON.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("plain data")
    }
}

impl fmt::Display for TimingReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} at {} nm (FO4 {:.1} ps), ns; wires have no length\n",
            self.of, self.technology_nm, self.fo4_ps
        )?;
        if self.domains.is_empty() {
            return writeln!(f, "no register, memory or output waits for anything");
        }
        writeln!(f, "  {:<12} {:>7} {:>8} {:>8} {:>7} {:>8}", "domain", "MHz", "wanted", "longest", "levels", "slack")?;
        let number = |value: Option<f64>, digits: usize| value.map_or("-".to_string(), |v| format!("{v:.digits$}"));
        for row in &self.domains {
            let met = row.met.map_or("", |met| if met { "met" } else { "not met" });
            let line = format!(
                "  {:<12} {:>7} {:>8} {:>8.3} {:>7} {:>8}  {met}",
                row.domain,
                number(row.mhz, 0),
                number(row.wanted_ns, 3),
                row.worst_ns,
                row.levels,
                number(row.slack_ns, 3)
            );
            writeln!(f, "{}", line.trim_end())?;
        }
        if let Some(row) = &self.mapped {
            writeln!(f, "\n  logic alone, without clock to output and setup")?;
            writeln!(f, "    here          {:>8.3} ns {:>5} levels", row.logic_ns, row.levels)?;
            let (ns, deep) = (row.mapped.ns, row.mapped.cells_deep);
            writeln!(f, "    library       {ns:>8.3} ns {deep:>5} cells   {}", row.mapped.yosys)?;
            writeln!(f, "    library/here  {:>8.3}", ns / row.logic_ns)?;
            if let (Some(sta), Some(here)) = (&row.mapped.sta, row.path_ns) {
                writeln!(f, "\n  from clock edge to clock edge, with clock to output and setup")?;
                writeln!(f, "    here          {here:>8.3} ns")?;
                let (ns, deep) = (sta.ns, sta.cells_deep);
                writeln!(f, "    library       {ns:>8.3} ns {deep:>5} cells   {}, {}", sta.opensta, sta.kind)?;
                writeln!(f, "    library/here  {:>8.3}", ns / here)?;
            }
        }
        if !self.parts.is_empty() {
            writeln!(f, "\nparts of the top by the longest path that ends in them\n")?;
            writeln!(
                f,
                "  {:<28} {:<12} {:>8} {:>7} {:>8}  most of it in",
                "part", "domain", "path", "levels", "slack"
            )?;
        }
        for row in &self.parts {
            let (slack, block) = (number(row.slack_ns, 3), row.path.longest_block().unwrap_or_default());
            let line = format!(
                "  {:<28} {:<12} {:>8.3} {:>7} {slack:>8}  {block}",
                row.kind, row.domain, row.path.ns, row.path.levels
            );
            writeln!(f, "{}", line.trim_end())?;
        }
        writeln!(f, "\nblocks by the longest path through them\n")?;
        writeln!(f, "  {:<28} {:<12} {:>8} {:>8} {:>7} {:>8}", "block", "domain", "path", "in it", "levels", "slack")?;
        for row in &self.blocks {
            let slack = number(row.slack_ns, 3);
            writeln!(
                f,
                "  {:<28} {:<12} {:>8.3} {:>8.3} {:>7} {:>8}",
                row.kind, row.domain, row.ns, row.own_ns, row.levels, slack
            )?;
        }
        for domain in &self.domains {
            for (at, path) in domain.paths.iter().enumerate() {
                write!(f, "\n{}", path.text(&domain.domain, at + 1))?;
            }
        }
        Ok(())
    }
}

impl PathRow {
    /// Kind of the block in which most of the path passes.
    pub fn longest_block(&self) -> Option<&str> {
        let mut kinds: Vec<(&str, f64)> = vec![];
        let mut before = 0.0;
        for step in &self.steps {
            let passed = step.ns - std::mem::replace(&mut before, step.ns);
            match kinds.iter_mut().find(|(kind, _)| *kind == step.block) {
                Some((_, own)) => *own += passed,
                None => kinds.push((&step.block, passed)),
            }
        }
        kinds.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(kind, _)| kind)
    }

    fn text(&self, domain: &str, number: usize) -> String {
        let mut text = format!("path {number} of {domain}: {:.3} ns, {} levels, {}\n", self.ns, self.levels, self.kind);
        let _ = writeln!(text, "  from {}\n  to   {}", self.from, self.to);
        let _ = writeln!(text, "  {:>8} {:>6}  {:<22} {:>5}  source", "ns", "levels", "operator", "bits");
        let mut place = None;
        for step in &self.steps {
            if place != Some(&step.place) {
                let name = if step.place.is_empty() { "top" } else { &step.place };
                let _ = writeln!(text, "  in {name}");
                place = Some(&step.place);
            }
            let net = step.net.as_ref().map_or(String::new(), |net| format!("  {net}"));
            let _ = writeln!(
                text,
                "  {:>8.3} {:>6}  {:<22} {:>5}  {}{net}",
                step.ns, step.levels, step.operator, step.width, step.source
            );
        }
        text
    }
}
