//! What the warps of a chip wait for, read from the cores' registers: for a run that does not end.

use crate::report::Waiting;
use program::{Launch, isa::Instruction};
use rtl::{chip::Chip, core::warp::state};
use sim::Simulator;
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

/// Groups of waiting or running warps, largest first.
pub fn waiting(simulator: &mut Simulator, chip: &Chip, launch: &Launch) -> Vec<WarpGroup> {
    let mut groups: BTreeMap<(u64, String), (usize, (usize, usize))> = BTreeMap::new();
    for core in 0..chip.core_nodes().len() {
        for warp in 0..chip.config().core.warps as usize {
            if let Some(found) = one(simulator, chip, core, warp) {
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

/// Address and reason of one warp; `None` when it has no threads.
fn one(simulator: &mut Simulator, chip: &Chip, core: usize, warp: usize) -> Option<(u64, String)> {
    let context = chip.core().warp_path(warp);
    let mut peek = |net: &str| simulator.peek_path(&format!("core{core}.{context}.{net}"));
    let pc = peek("stack.pc_now")?.to_u64();
    let reason = match peek("state")?.to_u64() {
        state::IDLE => return None,
        // The address has moved past the barrier, which is what a reader looks for.
        state::AT_BARRIER => {
            let mut of_warp = |what: &str| {
                let path = format!("core{core}.barrier.{what}{warp}");
                simulator.peek_path(&path).map(|bits| bits.to_u64())
            };
            let reason = match (of_warp("number"), of_warp("count")) {
                (Some(number), Some(0)) => format!("waits at barrier {number} for the other warps of its block"),
                (Some(number), Some(warps)) => {
                    format!("waits at barrier {number} for {} threads", warps * u64::from(rtl::core::WARP))
                }
                _ => "waits for the other warps of its block".to_string(),
            };
            return Some((pc.saturating_sub(1), reason));
        }
        _ if chip.core().instruction_cache.is_some() && !peek("fetching")?.is_zero() => {
            "waits for its instruction".into()
        }
        _ if peek("held")?.is_zero() => "runs: between two instructions".to_string(),
        _ if peek("waits")?.is_zero() => "runs: ready to issue".to_string(),
        _ => {
            let numbers = |bits: hdl::Bits, letter: char| -> Vec<_> {
                (0..bits.width()).filter(|&i| bits.bit(i)).map(|i| format!("{letter}{i}")).collect()
            };
            let mut awaited = numbers(peek("scoreboard.registers")?, 'R');
            awaited.extend(numbers(peek("scoreboard.predicates")?, 'P'));
            let open = |net: &str, what: &str| (net.to_string(), what.to_string());
            let memory = [open("loads_open", "loads in flight"), open("stores_open", "stores without acknowledgement")];
            let memory = memory.into_iter().filter(|(net, _)| peek(net).is_some_and(|bits| !bits.is_zero()));
            awaited.extend(memory.map(|(_, what)| what));
            if awaited.is_empty() {
                "waits for a busy unit".into()
            } else {
                format!("waits for {}", awaited.join(", "))
            }
        }
    };
    Some((pc, reason))
}
