//! `warpmesh check`: is this configuration a chip, and what is in it.

use super::{
    Failure,
    chip_args::{ChipArgs, design},
    print::print,
    timing::chip_timing,
};
use clap::Args;
use hdl::{ModuleDef, NetKind};
use measure::{
    area::TechnologyNode,
    report::{DomainRow, PathRow, TimingReport, words::grouped},
};
use netlist::Design;
use rtl::{
    chip::InjectionBounds,
    noc::{Overlay, deadlock::Proof},
};
use sim::{Effort, Options};

/// Validates a configuration, elaborates the chip with all checks, and prints what it consists of and which of its clocks are beyond reach.
#[derive(Args, Debug)]
pub struct Check {
    #[command(flatten)]
    chip: ChipArgs,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

/// What is known of the network: it is free of deadlock, how many switch inputs reply injection needs, and its overlays.
type CheckedNetwork<'a> = (Option<Proof>, Option<InjectionBounds>, Option<&'a Overlay>);

/// State bits of one module, children not included.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
struct Size {
    register_bits: u64,
    memory_bits: u64,
}

impl Size {
    fn own(module: &ModuleDef) -> Self {
        let registers = module.nets.iter().filter(|net| matches!(net.kind, NetKind::Register { .. }));
        Self {
            register_bits: registers.map(|net| u64::from(net.width)).sum(),
            memory_bits: module.memories.iter().map(|m| m.depth as u64 * u64::from(m.width)).sum(),
        }
    }

    /// With all children; `sizes` holds those of the modules before this one.
    fn total(design: &Design, sizes: &[Size], module: &ModuleDef) -> Self {
        module.instances.iter().map(|child| sizes[design.index_of(&child.module)]).fold(Self::own(module), |a, b| {
            Self { register_bits: a.register_bits + b.register_bits, memory_bits: a.memory_bits + b.memory_bits }
        })
    }
}

impl Check {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        let chip = self.chip.chip()?;
        let proof = match chip.is_ideal() {
            true => None,
            false => Some(chip.fabric().prove().map_err(|error| Failure::new(1, &error))?),
        };
        let bounds = chip.injection_bounds();
        let design = design(&chip)?;
        let mut sizes: Vec<Size> = vec![];
        for module in &design.modules {
            sizes.push(Size::total(&design, &sizes, &module.module));
        }
        let timing = chip_timing(&chip, &design, self.chip.describe(), TechnologyNode::default(), 1);
        let effort = Effort::new(&design, &Options::default()).map_err(|error| Failure::new(2, error))?;
        print(&if self.json {
            self.json(&design, &sizes, (proof, bounds, chip.fabric().overlay()), (&effort, &timing))
        } else {
            self.table(&design, &sizes, (proof, bounds, chip.fabric().overlay()), (&effort, &timing))
        })
    }

    /// The kinds of tiles, with how many the chip has of each.
    fn tiles(design: &Design) -> Vec<(usize, usize)> {
        let mut tiles: Vec<(usize, usize)> = vec![];
        for child in design.top.instances.iter().filter(|child| child.tile) {
            let index = design.index_of(&child.module);
            match tiles.iter_mut().find(|(i, _)| *i == index) {
                Some((_, count)) => *count += 1,
                None => tiles.push((index, 1)),
            }
        }
        tiles
    }

    /// Tiles of one kind and size share a row: the routers at the edges of a mesh are modules of their own only by their place.
    fn table(
        &self,
        design: &Design,
        sizes: &[Size],
        (proof, bounds, overlay): CheckedNetwork<'_>,
        (effort, timing): (&Effort, &TimingReport),
    ) -> String {
        let mut rows: Vec<(&str, Size, usize)> = vec![];
        for (index, count) in Self::tiles(design) {
            let (kind, size) = (design.modules[index].module.kind.as_str(), sizes[index]);
            match rows.iter_mut().find(|(k, s, _)| *k == kind && *s == size) {
                Some((_, _, total)) => *total += count,
                None => rows.push((kind, size, count)),
            }
        }
        let line = |count: &str, kind: &str, registers: &str, memories: &str| {
            format!("{count:>5}  {kind:<20} {registers:>14} {memories:>14}\n")
        };
        let mut text = format!(
            "{}: every check passed\nnetwork {}\n{}\n",
            self.chip.describe(),
            proof.map_or("ideal: behavioural, nothing can wait for anything".to_string(), |proof| proof.to_string()),
            bounds.map_or(String::new(), |bounds| format!("{bounds}\n"))
                + &overlay.map_or(String::new(), |o| format!("{o}\n"))
        );
        text += &line("tiles", "each", "register bits", "memory bits");
        for (kind, size, count) in rows {
            text += &line(&count.to_string(), kind, &size.register_bits.to_string(), &size.memory_bits.to_string());
        }
        let total = sizes.last().copied().unwrap_or_default();
        text += &line("", "whole chip", &total.register_bits.to_string(), &total.memory_bits.to_string());
        let instances: usize = design.modules.iter().map(|m| m.instances).sum();
        text += &format!("\n{} distinct modules, {instances} instances\n", design.modules.len());
        text + &in_words(effort) + &self.late(timing)
    }

    /// Clocks that are beyond reach, a line each.
    fn late(&self, timing: &TimingReport) -> String {
        let late = timing.domains.iter().filter(|domain| domain.met == Some(false));
        let line = |domain: &DomainRow| {
            let block = domain.paths.first().and_then(PathRow::longest_block).unwrap_or_default();
            format!(
                "\nwarning: clock `{}` is beyond reach at {:.0} MHz and {} nm: its longest path takes {:.2} ns of {:.2}, most of it in \
                 {block} (`warpmesh timing {}`)",
                domain.domain,
                domain.mhz.unwrap_or_default(),
                timing.technology_nm,
                domain.worst_ns,
                domain.wanted_ns.unwrap_or_default(),
                timing.of
            )
        };
        late.map(line).collect()
    }

    fn json(
        &self,
        design: &Design,
        sizes: &[Size],
        (proof, bounds, overlay): CheckedNetwork<'_>,
        (effort, timing): (&Effort, &TimingReport),
    ) -> String {
        let tiles: Vec<_> = Self::tiles(design)
            .into_iter()
            .map(|(index, count)| {
                let module = &design.modules[index].module;
                serde_json::json!({
                    "kind": module.kind, "module": module.name, "count": count,
                    "register_bits": sizes[index].register_bits, "memory_bits": sizes[index].memory_bits,
                })
            })
            .collect();
        let mut object = serde_json::json!({
            "format_version": 1, "config": self.chip.describe(), "verdict": "passed", "tiles": tiles,
            "deadlock_proof": proof.map(|p| serde_json::json!({ "channels": p.channels, "dependencies": p.dependencies })),
            "simulation": simulation(effort), "timing": clocks(timing),
            "distinct_modules": design.modules.len(),
            "instances": design.modules.iter().map(|m| m.instances).sum::<usize>(),
        });
        if let Some(bounds) = bounds {
            let usable: Vec<_> = bounds.usable.iter().map(|(most, nodes)| serde_json::json!([most, nodes])).collect();
            object["reply_injection"] = serde_json::json!({
                "switch_inputs": bounds.switch_inputs, "flits_from_dram": bounds.flits_from_dram,
                "flits_from_l2": bounds.flits_from_l2, "usable_at_nodes": usable,
            });
        }
        if let Some(overlay) = overlay {
            let params = overlay.params();
            let trees = overlay.trees().iter();
            let trees = trees.map(|tree| {
                serde_json::json!({
                    "memory_node": tree.root, "routers": tree.nodes().count(), "links": tree.links(),
                })
            });
            object["overlays"] = serde_json::json!({
                "bits": params.width, "buffer": params.buffer, "split": params.split,
                "header_flits": overlay.header_flits(), "trees": trees.collect::<Vec<_>>(),
            });
        }
        format!("{object:#}")
    }
}

/// Clocks and longest paths as JSON.
fn clocks(timing: &TimingReport) -> serde_json::Value {
    let domain = |domain: &DomainRow| {
        let path = domain.paths.first();
        serde_json::json!({
            "domain": domain.domain, "mhz": domain.mhz, "wanted_ns": domain.wanted_ns, "longest_ns": domain.worst_ns,
            "met": domain.met, "from": path.map(|path| &path.from), "to": path.map(|path| &path.to),
            "block": path.and_then(PathRow::longest_block),
        })
    };
    timing.domains.iter().map(domain).collect()
}

/// The estimate for a person.
fn in_words(effort: &Effort) -> String {
    format!(
        "to simulate: about {:.1} s to compile {} operators on words and {} gates, {} MB of memory",
        effort.seconds(),
        grouped(effort.word_operators as u64),
        grouped(effort.sliced_gates as u64),
        grouped((effort.bytes() / 1e6) as u64),
    )
}

/// The estimate as JSON.
fn simulation(effort: &Effort) -> serde_json::Value {
    serde_json::json!({
        "compile_seconds": effort.seconds(), "memory_bytes": effort.bytes() as u64,
        "word_operators": effort.word_operators as u64, "sliced_gates": effort.sliced_gates as u64,
        "operators": effort.operators as u64, "instances": effort.instances as u64, "words": effort.words as u64,
    })
}
