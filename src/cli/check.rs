//! `warpmesh check`: is this configuration a chip, and what is in it.

use super::{
    Failure,
    chip_args::{ChipArgs, design},
};
use crate::{
    hdl::{ModuleDef, NetKind},
    netlist::Design,
};
use clap::Args;

/// Validates a configuration, elaborates the chip with all checks, and prints what it consists of.
#[derive(Args, Debug)]
pub struct Check {
    #[command(flatten)]
    chip: ChipArgs,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

/// State bits of one module, children not included.
#[derive(Default, Clone, Copy)]
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
        let design = design(&chip)?;
        let mut sizes: Vec<Size> = vec![];
        for module in &design.modules {
            sizes.push(Size::total(&design, &sizes, &module.module));
        }
        if self.json {
            self.print_json(&design, &sizes);
        } else {
            self.print_table(&design, &sizes);
        }
        Ok(())
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

    fn print_table(&self, design: &Design, sizes: &[Size]) {
        println!("{}: every check passed", self.chip.describe());
        println!();
        println!("{:>5}  {:<34} {:>14} {:>14}", "tiles", "kind", "register bits", "memory bits");
        for (index, count) in Self::tiles(design) {
            let (kind, size) = (&design.modules[index].module.kind, sizes[index]);
            println!("{count:>5}  {kind:<34} {:>14} {:>14}", size.register_bits, size.memory_bits);
        }
        let total = sizes.last().copied().unwrap_or_default();
        println!("{:>5}  {:<34} {:>14} {:>14}", "", "chip", total.register_bits, total.memory_bits);
        let instances: usize = design.modules.iter().map(|m| m.instances).sum();
        println!();
        println!("{} distinct modules, {instances} instances", design.modules.len());
    }

    fn print_json(&self, design: &Design, sizes: &[Size]) {
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
        let object = serde_json::json!({
            "format_version": 1, "config": self.chip.describe(), "verdict": "passed", "tiles": tiles,
            "distinct_modules": design.modules.len(),
            "instances": design.modules.iter().map(|m| m.instances).sum::<usize>(),
        });
        println!("{object:#}");
    }
}
