//! Random chips that run kernels in bearable time: those of the exports, with clocks and DRAMs that are not a thousand
//! times slower than their cores, and with what is not exported: behavioural networks and memories, entries without
//! limit.

use crate::exports::{chips, draw::Draw};
use warpmesh::{
    cache::MissHandling,
    chip::{Chip, ChipConfig, ClocksConfig, MemoryModel, NetworkModel, OverlayKind},
    core::{ClassCycles, Prefetcher, Throttle, ThrottleConfig, WarpScheduler},
    memory::DramTiming,
};

/// The chip of `seed`.
pub fn chip(seed: u64) -> Chip {
    let draw = &mut Draw::new(seed ^ 0x6368_6970);
    loop {
        let drawn = chips::config(draw.uniform(0, u32::MAX).into());
        for _ in 0..20 {
            if let Ok(chip) = Chip::new(&running(seed, drawn.clone(), draw)) {
                return chip;
            }
        }
    }
}

/// Its configuration, as a file.
pub fn text(chip: &Chip) -> String {
    toml::to_string(chip.config()).expect("a configuration is TOML")
}

fn running(seed: u64, mut config: ChipConfig, draw: &mut Draw) -> ChipConfig {
    config.name = format!("random {seed}");
    config.clocks = clocks(draw);
    if config.network.overlay.kind != OverlayKind::None {
        config.clocks.overlay =
            draw.one_of(&[0, config.clocks.core, 2 * config.clocks.noc.min(5_000), config.clocks.noc / 2 + 1]);
    }
    config.memory.timing = timing(draw);
    config.memory.min_latency = draw.one_of(&[0, 0, 1, 7, 60, 200]);
    let core = &mut config.core;
    core.registers = core.registers.max(32);
    core.program_words = core.program_words.max(256);
    core.tag_bits = if draw.chance(0.3) { 0 } else { core.tag_bits };
    core.latency = class_cycles(draw);
    core.initiation_interval = class_cycles(draw);
    core.atomics |= draw.chance(0.4);
    core.prefetch.throttling_period = draw.range(16, 2000);
    if config.cache.l1d.bytes > 0 {
        core.scheduler = if draw.chance(0.2) { WarpScheduler::Laws } else { core.scheduler };
        core.throttle = throttle(draw, core.throttle);
    }
    let [l1d, l2] = [draw.chance(0.1), draw.chance(0.1)];
    if l1d && core.prefetch.kind == Prefetcher::None {
        config.cache.l1d.mshr.kind = MissHandling::Unlimited;
    }
    if l2 {
        config.cache.l2.mshr.kind = MissHandling::Unlimited;
    }
    let network = &mut config.network;
    if draw.chance(0.1) {
        (network.model, network.injection_speedup) = (NetworkModel::Ideal, 1);
        network.ideal_latency = draw.range(1, 100);
        let limits = [(0, 0), (draw.range(8, 256), 0), (0, draw.range(1, 16))];
        (network.ideal_bytes, network.ideal_flits) = draw.one_of(&limits);
    }
    if draw.chance(0.05) {
        config.memory.model = MemoryModel::Perfect;
    }
    config
}

/// One for all, or frequencies that differ by a factor of eight at most.
fn clocks(draw: &mut Draw) -> ClocksConfig {
    if draw.chance(0.4) {
        let mhz = draw.range(1, 10_000);
        return ClocksConfig { core: mhz, noc: mhz, dram: mhz, overlay: 0 };
    }
    let mhz = [draw.uniform(200, 1600), draw.uniform(200, 1600), draw.uniform(200, 1600)];
    let mut of = || mhz[draw.uniform(0, 2) as usize];
    ClocksConfig { core: of(), noc: of(), dram: of(), overlay: 0 }
}

fn timing(draw: &mut Draw) -> DramTiming {
    let mut cycles = |least, most| draw.range(least, most);
    DramTiming {
        t_cl: cycles(1, 20),
        t_rp: cycles(1, 20),
        t_rc: cycles(1, 60),
        t_ras: cycles(1, 40),
        t_rcd: cycles(1, 20),
        t_rrd: cycles(1, 16),
        burst: cycles(1, 16),
        t_ccd: cycles(1, 8),
        t_wl: cycles(1, 12),
        t_wtr: cycles(1, 12),
        t_rtw: cycles(1, 16),
    }
}

/// Most often none of a class.
fn class_cycles(draw: &mut Draw) -> ClassCycles {
    let mut cycles = || if draw.chance(0.85) { 0 } else { draw.range(1, 40) };
    ClassCycles {
        integer: cycles(),
        integer_min_max: cycles(),
        multiply: cycles(),
        multiply_add: cycles(),
        float: cycles(),
        float_min_max: cycles(),
        float_multiply: cycles(),
        float_multiply_add: cycles(),
        convert: cycles(),
    }
}

/// Of a core with a data cache.
fn throttle(draw: &mut Draw, drawn: ThrottleConfig) -> ThrottleConfig {
    ThrottleConfig {
        kind: if draw.chance(0.3) { Throttle::CacheConscious } else { drawn.kind },
        min_cycles: draw.range(1, 500),
        victim_tags: draw.power(1, 64),
        victim_ways: draw.power(1, 64),
        base_score: draw.range(1, 255),
        locality_factor: draw.range(1, 255),
        ..drawn
    }
}
