//! What the warps of a chip wait for, read from the cores' registers: for a run that does not end.

use crate::report::Waiting;
use program::{Launch, isa::Instruction};
use rtl::{
    chip::Chip,
    core::{
        barrier, scoreboard, stack,
        warp::{self, state},
    },
};
use sim::{OutputHandle, Simulator};
use std::{collections::BTreeMap, fmt};

/// Warps that wait at one place for one reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WarpGroup {
    /// How many.
    pub warps: usize,
    /// One of them: core and warp.
    pub example: (usize, usize),
    /// Instruction address.
    pub pc: u64,
    /// Line of the PTX file; 0 when the address is outside the program.
    pub line: u32,
    /// The instruction, disassembled.
    pub instruction: String,
    /// What it waits for.
    pub reason: String,
}

impl fmt::Display for WarpGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { warps, example: (core, warp), pc, line, instruction, reason } = self;
        let noun = if *warps == 1 { "warp" } else { "warps" };
        write!(f, "{warps} {noun} (core {core} warp {warp}) at {pc:#06x}, PTX line {line}, `{instruction}`: {reason}")
    }
}

impl From<WarpGroup> for Waiting {
    fn from(WarpGroup { warps, example: _, pc, line, instruction, reason }: WarpGroup) -> Self {
        Self { warps, pc, line, instruction, reason }
    }
}

/// What is read of the warps of a chip: of each core a list.
struct WaitingNets {
    /// State, instruction asked for, instruction here, waits, loads open, stores open; of warps in the order of its parts.
    warps: Vec<Vec<[OutputHandle; 6]>>,
    pc: Vec<Vec<[OutputHandle; 1]>>,
    /// Registers and predicates.
    awaited: Vec<Vec<[OutputHandle; 2]>>,
    /// With several barriers, by warp of the core: number, and warps that it is for.
    barriers: Vec<Vec<[OutputHandle; 2]>>,
}

impl WaitingNets {
    fn new(simulator: &Simulator) -> Self {
        use warp::*;
        Self {
            warps: simulator.taps([STATE, FETCHING, HELD, WAITS, LOADS_OPEN, STORES_OPEN]),
            pc: simulator.taps([stack::PC]),
            awaited: simulator.taps([scoreboard::AWAITED_REGISTERS, scoreboard::AWAITED_PREDICATES]),
            barriers: simulator.taps([barrier::NUMBER, barrier::WARPS]),
        }
    }
}

/// Groups of waiting or running warps, largest first.
pub fn waiting(simulator: &mut Simulator, chip: &Chip, launch: &Launch) -> Vec<WarpGroup> {
    simulator.glance(|simulator| groups(simulator, chip, launch))
}

fn groups(simulator: &mut Simulator, chip: &Chip, launch: &Launch) -> Vec<WarpGroup> {
    let mut groups: BTreeMap<(u64, String), (usize, (usize, usize))> = BTreeMap::new();
    let nets = WaitingNets::new(simulator);
    for core in 0..chip.core_nodes().len() {
        for warp in 0..chip.config().core.warps as usize {
            if let Some(found) = one(simulator, chip, &nets, (core, warp)) {
                groups.entry(found).or_insert((0, (core, warp))).0 += 1;
            }
        }
    }
    let group = |((pc, reason), (warps, example)): ((u64, String), (usize, (usize, usize)))| {
        let word = launch.kernel.code.get(pc as usize).copied();
        let instruction = word.and_then(Instruction::decode).map_or("no instruction".into(), |i| i.to_string());
        let line = launch.kernel.lines.get(pc as usize).copied().unwrap_or(0);
        WarpGroup { warps, example, pc, line, instruction, reason }
    };
    let mut groups: Vec<_> = groups.into_iter().map(group).collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.warps));
    groups
}

/// Address and reason of one warp of a core; `None` when it has no threads.
fn one(
    simulator: &mut Simulator,
    chip: &Chip,
    nets: &WaitingNets,
    (core, warp): (usize, usize),
) -> Option<(u64, String)> {
    let at = chip.core().place_of_warp(warp);
    let [state, fetching, held, waits, loads_open, stores_open] = nets.warps[core][at];
    let pc = simulator.peek_at(nets.pc[core][at][0]);
    let reason = match simulator.peek_at(state) {
        state::IDLE => return None,
        // The address has moved past the barrier, which is what a reader looks for.
        state::AT_BARRIER => {
            let of_warp = nets.barriers.get(core).map(|warps| warps[warp].map(|net| simulator.peek_at(net)));
            let reason = match of_warp {
                Some([number, 0]) => format!("waits at barrier {number} for the other warps of its block"),
                Some([number, warps]) => {
                    format!("waits at barrier {number} for {} threads", warps * u64::from(rtl::core::WARP))
                }
                None => "waits for the other warps of its block".to_string(),
            };
            return Some((pc.saturating_sub(1), reason));
        }
        _ if chip.core().instruction_cache.is_some() && simulator.peek_at(fetching) == 1 => {
            "waits for its instruction".into()
        }
        _ if simulator.peek_at(held) == 0 => "runs: between two instructions".to_string(),
        _ if simulator.peek_at(waits) == 0 => "runs: ready to issue".to_string(),
        _ => {
            let mut awaited = vec![];
            for (net, letter) in nets.awaited[core][at].into_iter().zip(['R', 'P']) {
                let bits = simulator.peek_bits_at(net);
                awaited.extend((0..bits.width()).filter(|&i| bits.bit(i)).map(|i| format!("{letter}{i}")));
            }
            let open = [(loads_open, "loads in flight"), (stores_open, "stores without acknowledgement")];
            let open = open.into_iter().filter(|(net, _)| simulator.peek_at(*net) == 1);
            awaited.extend(open.map(|(_, what)| what.to_string()));
            if awaited.is_empty() {
                "waits for a busy unit".into()
            } else {
                format!("waits for {}", awaited.join(", "))
            }
        }
    };
    Some((pc, reason))
}
