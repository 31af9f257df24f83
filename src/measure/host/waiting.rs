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

/// What is read of the warps of a chip: of each core a list, of warps in the order of its parts.
struct WaitingNets {
    state: Vec<Vec<OutputHandle>>,
    pc: Vec<Vec<OutputHandle>>,
    fetching: Vec<Vec<OutputHandle>>,
    held: Vec<Vec<OutputHandle>>,
    waits: Vec<Vec<OutputHandle>>,
    registers: Vec<Vec<OutputHandle>>,
    predicates: Vec<Vec<OutputHandle>>,
    loads_open: Vec<Vec<OutputHandle>>,
    stores_open: Vec<Vec<OutputHandle>>,
    /// With several barriers, by warp of the core.
    barrier: Vec<Vec<OutputHandle>>,
    barrier_warps: Vec<Vec<OutputHandle>>,
}

impl WaitingNets {
    fn new(simulator: &Simulator) -> Self {
        Self {
            state: simulator.taps(warp::STATE),
            pc: simulator.taps(stack::PC),
            fetching: simulator.taps(warp::FETCHING),
            held: simulator.taps(warp::HELD),
            waits: simulator.taps(warp::WAITS),
            registers: simulator.taps(scoreboard::AWAITED_REGISTERS),
            predicates: simulator.taps(scoreboard::AWAITED_PREDICATES),
            loads_open: simulator.taps(warp::LOADS_OPEN),
            stores_open: simulator.taps(warp::STORES_OPEN),
            barrier: simulator.taps(barrier::NUMBER),
            barrier_warps: simulator.taps(barrier::WARPS),
        }
    }
}

/// Groups of waiting or running warps, largest first.
pub fn waiting(simulator: &mut Simulator, chip: &Chip, launch: &Launch) -> Vec<WarpGroup> {
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
    let pc = simulator.peek_once(nets.pc[core][at]).to_u64();
    let state = simulator.peek_once(nets.state[core][at]).to_u64();
    let mut is = |nets: &[Vec<OutputHandle>]| !simulator.peek_once(nets[core][at]).is_zero();
    let reason = match state {
        state::IDLE => return None,
        // The address has moved past the barrier, which is what a reader looks for.
        state::AT_BARRIER => {
            let of_warp = |nets: &[Vec<OutputHandle>]| nets.get(core).map(|warps| warps[warp]);
            let [number, count] = [&nets.barrier, &nets.barrier_warps].map(|nets| of_warp(nets));
            let reason =
                match number.zip(count).map(|both| <[_; 2]>::from(both).map(|net| simulator.peek_once(net).to_u64())) {
                    Some([number, 0]) => format!("waits at barrier {number} for the other warps of its block"),
                    Some([number, warps]) => {
                        format!("waits at barrier {number} for {} threads", warps * u64::from(rtl::core::WARP))
                    }
                    None => "waits for the other warps of its block".to_string(),
                };
            return Some((pc.saturating_sub(1), reason));
        }
        _ if chip.core().instruction_cache.is_some() && is(&nets.fetching) => "waits for its instruction".into(),
        _ if !is(&nets.held) => "runs: between two instructions".to_string(),
        _ if !is(&nets.waits) => "runs: ready to issue".to_string(),
        _ => {
            let mut numbers = |nets: &[Vec<OutputHandle>], letter: char| -> Vec<_> {
                let bits = simulator.peek_once(nets[core][at]);
                (0..bits.width()).filter(|&i| bits.bit(i)).map(|i| format!("{letter}{i}")).collect()
            };
            let mut awaited = numbers(&nets.registers, 'R');
            awaited.extend(numbers(&nets.predicates, 'P'));
            let open = [(&nets.loads_open, "loads in flight"), (&nets.stores_open, "stores without acknowledgement")];
            let open = open.into_iter().filter(|(nets, _)| !simulator.peek_once(nets[core][at]).is_zero());
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
