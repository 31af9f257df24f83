//! Values beyond which nothing changes: a register file larger than all warps can use, a delay shorter than one that
//! holds anyway.
//!
//! Such a value is legal, data sheets have them and sweeps pass them. So it is a warning, wherever it was written, and
//! never an error.

use crate::{ChipConfig, MemoryModel, NetworkModel, facts::longest_link};
use memory::DramTiming;
use simt_core::Throttle;

/// A value of a configuration that makes the same chip as another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Saturated {
    /// Key, with the tables around it.
    pub path: &'static str,
    /// The value that makes the same chip: the bound, or the one that means that there is none.
    pub same_as: u32,
    /// Why, with the value and the bound.
    pub reason: String,
}

/// The values of a configuration beyond which nothing changes. Keys that have no effect at all are not among them where they are known by
/// their conditions.
pub fn saturated_values(config: &ChipConfig) -> Vec<Saturated> {
    let mut all = vec![];
    all.extend(register_file(config));
    all.extend(tiles_per_cycle(config));
    all.extend(throttled_warps(config));
    all.extend(divergence_threshold(config));
    if config.memory.model == MemoryModel::Controllers {
        all.extend(delays(&config.memory.timing));
    }
    all
}

fn register_file(config: &ChipConfig) -> Option<Saturated> {
    let core = &config.core;
    let most = 32 * core.warps * core.registers;
    let reason = format!(
        "{} registers are more than the {most} that all warps have (core.warps = {}, core.registers = {})",
        core.register_file, core.warps, core.registers
    );
    (core.register_file > most).then_some(Saturated { path: "core.register_file", same_as: 0, reason })
}

fn throttled_warps(config: &ChipConfig) -> Option<Saturated> {
    let core = &config.core;
    let (limit, own) = (core.throttle.warps, scheduled_warps(config));
    let reason = format!("a limit of {limit} warps is none, a scheduler has {own}");
    let is_none = core.throttle.kind == Throttle::Fixed && limit > own;
    is_none.then_some(Saturated { path: "core.throttle.warps", same_as: own, reason })
}

fn divergence_threshold(config: &ChipConfig) -> Option<Saturated> {
    let throttle = &config.core.throttle;
    let (threshold, own) = (throttle.divergence, scheduled_warps(config));
    let reason = format!("a threshold of {threshold} warps is always met, a scheduler has {own}");
    let always = throttle.kind == Throttle::Hits && threshold > own + 1;
    always.then_some(Saturated { path: "core.throttle.divergence", same_as: own + 1, reason })
}

/// Warps of one scheduler.
fn scheduled_warps(config: &ChipConfig) -> u32 {
    let core = &config.core;
    core.warps * core.scale_percent / 100 / core.issue_slots
}

fn tiles_per_cycle(config: &ChipConfig) -> Option<Saturated> {
    let tiles = config.network.tiles_per_cycle;
    if config.network.model == NetworkModel::Ideal || tiles == 1 {
        return None;
    }
    let longest = longest_link(config)?;
    let reason = format!("{tiles} tiles are more than the longest link has, {longest}");
    (tiles > longest).then_some(Saturated { path: "network.tiles_per_cycle", same_as: longest, reason })
}

/// Delays of the DRAM that others cover.
fn delays(timing: &DramTiming) -> Vec<Saturated> {
    let between = |t: &DramTiming| [t.column_to_column(), t.read_to_write(), t.write_to_read()];
    let none = DramTiming::default();
    // Each with the value that asks for nothing.
    let each = [
        ("memory.timing.t_ccd", timing.t_ccd, none.t_ccd, DramTiming { t_ccd: none.t_ccd, ..*timing }),
        ("memory.timing.t_wtr", timing.t_wtr, none.t_wtr, DramTiming { t_wtr: none.t_wtr, ..*timing }),
        ("memory.timing.t_rtw", timing.t_rtw, none.t_rtw, DramTiming { t_rtw: none.t_rtw, ..*timing }),
    ];
    let covered =
        each.into_iter().filter(|(_, value, none, without)| value != none && between(without) == between(timing));
    covered
        .map(|(path, value, same_as, _)| {
            let reason = format!(
                "{value} cycles are covered by the data bus (memory.timing.burst = {}) or other delays",
                timing.burst
            );
            Saturated { path, same_as, reason }
        })
        .collect()
}
