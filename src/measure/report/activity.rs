//! What changed from one clock edge to the next, as a table.

use super::words::grouped;
use crate::area::{LeafCosts, PowerTechnology, TechnologyNode, ToggleLoads};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim::{BlockActivity, NEIGHBOURS, SwitchingActivity, TileActivity, ToggleCounts};
use std::fmt;

/// Switching activity, by kinds of tiles.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ActivityProfile {
    /// Clock edges that were looked at; those of several clocks at the same time are one.
    pub edges: u64,
    /// Kinds of tiles, and the wiring between them, what changes most first.
    pub tiles: Vec<ActivityPart>,
    /// Dynamic power of logic, of gates and flip-flops that toggle, W at 65 nm, without wires, clock and arrays.
    #[serde(default)]
    pub logic_w: f64,
}

/// Tiles or blocks of one kind. Changes are for each instance and clock edge.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ActivityPart {
    /// Kind.
    pub name: String,
    /// Instances in the chip.
    pub instances: usize,
    /// Registers of an instance.
    pub registers: f64,
    /// Nets of an instance, registers among them.
    pub nets: f64,
    /// Registers that change.
    pub changed_registers: f64,
    /// Nets that change, registers among them.
    pub changed_nets: f64,
    /// Bits of nets that change.
    pub changed_bits: f64,
    /// Writes to memories.
    pub memory_writes: f64,
    /// Dynamic energy of logic, of gates and flip-flops that toggle, fJ at 65 nm, without wires, clock and arrays.
    #[serde(default)]
    pub dynamic_fj: f64,
    /// Share of instances in which any net changes, from 0 to 1.
    pub active: f64,
    /// Mean probability that a net changes in at least one of 16, 64 and 512 neighbouring instances of a module; null where there are fewer.
    pub any_of_16_64_512: [Option<f64>; NEIGHBOURS.len()],
    /// Blocks inside with their own nets, what changes most first; empty for these blocks themselves.
    pub inside: Vec<ActivityPart>,
    /// Registers that change most, as `block.register`, and changes for each instance and edge; for tiles.
    pub most_active_registers: Vec<(String, f64)>,
}

/// Registers of a kind of tile that are named.
const MOST: usize = 40;
/// And in the table.
const MOST_PRINTED: usize = 10;

/// What the energy of a block is computed with.
struct Energy<'a> {
    loads: &'a ToggleLoads,
    leaf: &'a LeafCosts,
}

impl ActivityProfile {
    /// Of what was counted in `seconds` of the chip's time; `loads`: of the design that was simulated.
    pub fn new(activity: SwitchingActivity, loads: &ToggleLoads, seconds: f64) -> Self {
        let SwitchingActivity { edges, tiles } = activity;
        let technology = PowerTechnology::at(TechnologyNode::Nm65);
        let energy = Energy { loads, leaf: &technology.leaf };
        let mut tiles: Vec<_> = tiles.into_iter().map(|tile| ActivityPart::of_tile(tile, edges, &energy)).collect();
        tiles.sort_by(|a, b| (b.changed_nets * b.instances as f64).total_cmp(&(a.changed_nets * a.instances as f64)));
        let joules: f64 = tiles.iter().map(|tile| tile.dynamic_fj * tile.instances as f64 * edges as f64 * 1e-15).sum();
        Self { edges, tiles, logic_w: if seconds > 0.0 { joules / seconds } else { 0.0 } }
    }
}

impl ActivityPart {
    fn of_tile(tile: TileActivity, edges: u64, energy: &Energy<'_>) -> Self {
        let TileActivity { kind, counts, blocks, registers } = tile;
        let each = counts.instances as f64 * edges.max(1) as f64;
        let most = registers.into_iter().take(MOST).filter(|(_, changes)| *changes > 0);
        let of_block = |block: &BlockActivity| {
            let joules = energy.loads.of(block).energy_j(energy.leaf);
            (Self::of(block.kind.clone(), &block.counts, edges, joules), joules)
        };
        let (mut inside, joules): (Vec<_>, Vec<f64>) = blocks.iter().map(of_block).unzip();
        if inside.len() == 1 {
            inside.clear();
        }
        let most = most.map(|(name, changes)| (name, changes as f64 / each)).collect();
        let whole = Self::of(kind, &counts, edges, joules.into_iter().sum());
        Self { inside, most_active_registers: most, ..whole }
    }

    fn of(name: String, counts: &ToggleCounts, edges: u64, joules: f64) -> Self {
        let instances = counts.instances as f64;
        let times = instances * edges.max(1) as f64;
        let each = |count: u64| count as f64 / times;
        Self {
            name,
            instances: counts.instances,
            registers: counts.registers as f64 / instances,
            nets: counts.nets as f64 / instances,
            changed_registers: each(counts.changed_registers),
            changed_nets: each(counts.changed_nets),
            changed_bits: each(counts.changed_bits),
            memory_writes: each(counts.memory_writes),
            dynamic_fj: joules * 1e15 / times,
            active: each(counts.active),
            any_of_16_64_512: counts.any.map(|(changed, all)| (all > 0).then(|| changed as f64 / all as f64)),
            inside: vec![],
            most_active_registers: vec![],
        }
    }

    fn line(&self, f: &mut fmt::Formatter<'_>, inside: bool) -> fmt::Result {
        let name = format!("{}{}", if inside { "  " } else { "" }, self.name.replace('_', " "));
        let Self { changed_registers, changed_nets, changed_bits, memory_writes, dynamic_fj, .. } = self;
        let (instances, percent) = (grouped(self.instances as u64), |share: f64| format!("{:.1}", 100.0 * share));
        write!(f, "\n  {name:<34} {instances:>9} {changed_registers:>9.2} {changed_nets:>9.2} {changed_bits:>9.1}")?;
        write!(f, " {memory_writes:>7.2} {dynamic_fj:>8.1} {:>7}", percent(self.active))?;
        self.any_of_16_64_512.iter().try_for_each(|any| write!(f, " {:>6}", any.map_or("-".into(), percent)))
    }
}

/// What hardly ever changes is left out of the table.
const LEAST: f64 = 0.005;

impl fmt::Display for ActivityProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let changes = |part: &&ActivityPart| part.changed_nets >= LEAST;
        write!(f, "Toggles per instance and clock edge (mean of {} edges):", grouped(self.edges))?;
        write!(f, "\n  {:<34} {:>9} {:>9} {:>9} {:>9} {:>7}", "", "", "", "", "", "memory")?;
        write!(f, " {:>8} {:>7}", "energy,", "active")?;
        write!(f, "   toggles in any of N, %")?;
        write!(f, "\n  {:<34} {:>9} {:>9} {:>9} {:>9}", "module", "instances", "registers", "nets", "bits")?;
        write!(f, " {:>7} {:>8} {:>7}", "writes", "fJ", "inst. %")?;
        NEIGHBOURS.iter().try_for_each(|size| write!(f, " {size:>6}"))?;
        for tile in self.tiles.iter().filter(changes) {
            tile.line(f, false)?;
            tile.inside.iter().filter(changes).try_for_each(|part| part.line(f, true))?;
        }
        write!(f, "\n  Dynamic power of logic: {:.3} W at 65 nm, without wires, clock and arrays", self.logic_w)?;
        write!(f, "\n\nMost active registers (toggles per instance and edge):")?;
        for tile in self.tiles.iter().filter(changes) {
            let most = tile.most_active_registers.iter().take(MOST_PRINTED).filter(|(_, changes)| *changes >= LEAST);
            let most: Vec<_> = most.map(|(name, changes)| format!("{name} {changes:.2}")).collect();
            write!(f, "\n  {:<24} {}", tile.name.replace('_', " "), most.join(", "))?;
        }
        Ok(())
    }
}
