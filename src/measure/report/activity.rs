//! What changed from one clock edge to the next, as a table.

use super::text::grouped;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim::{NEIGHBOURS, SwitchingActivity, TileActivity, ToggleCounts};
use std::fmt;

/// Switching activity, by kinds of tiles.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ActivityProfile {
    /// Clock edges that were looked at; those of several clocks at the same time are one.
    pub edges: u64,
    /// Kinds of tiles, and the wiring between them, what changes most first.
    pub tiles: Vec<ActivityPart>,
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

impl From<SwitchingActivity> for ActivityProfile {
    fn from(SwitchingActivity { edges, tiles }: SwitchingActivity) -> Self {
        let mut tiles: Vec<_> = tiles.into_iter().map(|tile| ActivityPart::of_tile(tile, edges)).collect();
        tiles.sort_by(|a, b| (b.changed_nets * b.instances as f64).total_cmp(&(a.changed_nets * a.instances as f64)));
        Self { edges, tiles }
    }
}

impl ActivityPart {
    fn of_tile(TileActivity { kind, counts, blocks, registers }: TileActivity, edges: u64) -> Self {
        let each = counts.instances as f64 * edges.max(1) as f64;
        let most = registers.into_iter().take(MOST).filter(|(_, changes)| *changes > 0);
        let mut inside: Vec<_> = blocks.into_iter().map(|(kind, counts)| Self::of(kind, &counts, edges)).collect();
        if inside.len() == 1 {
            inside.clear();
        }
        let most = most.map(|(name, changes)| (name, changes as f64 / each)).collect();
        Self { inside, most_active_registers: most, ..Self::of(kind, &counts, edges) }
    }

    fn of(name: String, counts: &ToggleCounts, edges: u64) -> Self {
        let instances = counts.instances as f64;
        let each = |count: u64| count as f64 / (instances * edges.max(1) as f64);
        Self {
            name,
            instances: counts.instances,
            registers: counts.registers as f64 / instances,
            nets: counts.nets as f64 / instances,
            changed_registers: each(counts.changed_registers),
            changed_nets: each(counts.changed_nets),
            changed_bits: each(counts.changed_bits),
            memory_writes: each(counts.memory_writes),
            active: each(counts.active),
            any_of_16_64_512: counts.any.map(|(changed, all)| (all > 0).then(|| changed as f64 / all as f64)),
            inside: vec![],
            most_active_registers: vec![],
        }
    }

    fn line(&self, f: &mut fmt::Formatter<'_>, inside: bool) -> fmt::Result {
        let name = format!("{}{}", if inside { "  " } else { "" }, self.name.replace('_', " "));
        let Self { changed_registers, changed_nets, changed_bits, memory_writes, .. } = self;
        let (instances, percent) = (grouped(self.instances as u64), |share: f64| format!("{:.1}", 100.0 * share));
        write!(f, "\n  {name:<34} {instances:>9} {changed_registers:>9.2} {changed_nets:>9.2} {changed_bits:>9.1}")?;
        write!(f, " {memory_writes:>7.2} {:>7}", percent(self.active))?;
        self.any_of_16_64_512.iter().try_for_each(|any| write!(f, " {:>6}", any.map_or("-".into(), percent)))
    }
}

/// What hardly ever changes is left out of the table.
const LEAST: f64 = 0.005;

impl fmt::Display for ActivityProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let changes = |part: &&ActivityPart| part.changed_nets >= LEAST;
        write!(f, "Toggles per instance and clock edge (mean of {} edges):", grouped(self.edges))?;
        write!(f, "\n  {:<34} {:>9} {:>9} {:>9} {:>9} {:>7} {:>7}", "", "", "", "", "", "memory", "active")?;
        write!(f, "   toggles in any of N, %")?;
        write!(f, "\n  {:<34} {:>9} {:>9} {:>9} {:>9}", "module", "instances", "registers", "nets", "bits")?;
        write!(f, " {:>7} {:>7}", "writes", "inst. %")?;
        NEIGHBOURS.iter().try_for_each(|size| write!(f, " {size:>6}"))?;
        for tile in self.tiles.iter().filter(changes) {
            tile.line(f, false)?;
            tile.inside.iter().filter(changes).try_for_each(|part| part.line(f, true))?;
        }
        write!(f, "\n\nMost active registers (toggles per instance and edge):")?;
        for tile in self.tiles.iter().filter(changes) {
            let most = tile.most_active_registers.iter().take(MOST_PRINTED).filter(|(_, changes)| *changes >= LEAST);
            let most: Vec<_> = most.map(|(name, changes)| format!("{name} {changes:.2}")).collect();
            write!(f, "\n  {:<24} {}", tile.name.replace('_', " "), most.join(", "))?;
        }
        Ok(())
    }
}
