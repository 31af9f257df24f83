//! What issue slots were used for, as CSV; [`super::issue_chart`] draws it.

use std::{fmt::Write, ops::Range};

/// What a warp does in an issue slot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WarpState {
    /// It has no block.
    None,
    /// Its instruction issues.
    Issues,
    /// It could issue.
    Ready,
    /// It could, but the throttle holds it back.
    Throttled,
    /// It waits for a result of the lanes.
    Alu,
    /// It waits for a result of memory: global, shared or constant.
    Memory,
    /// It waits for a memory unit while the data cache turns a request away.
    Rejected,
    /// It waits for a unit that is busy.
    Unit,
    /// It waits for its own earlier accesses: at a fence, a barrier or its end, and where the order of memory asks for it.
    Order,
    /// It waits at a barrier.
    Barrier,
    /// Its next instruction is not here.
    Fetch,
}

impl WarpState {
    /// All of them, in the order of legends.
    pub const ALL: [Self; 11] = [
        Self::Issues,
        Self::Ready,
        Self::Throttled,
        Self::Alu,
        Self::Memory,
        Self::Rejected,
        Self::Unit,
        Self::Order,
        Self::Barrier,
        Self::Fetch,
        Self::None,
    ];

    /// Of a slot in which nothing issues: why, if this is why.
    pub fn cause(self) -> &'static str {
        match self {
            Self::None => "none live",
            Self::Issues => "issued",
            Self::Ready => "ready",
            Self::Throttled => "throttled",
            Self::Alu => "RAW hazard",
            Self::Memory => "load-use hazard",
            Self::Rejected => "cache rejects",
            Self::Unit => "structural hazard",
            Self::Order => "memory ordering",
            Self::Barrier => "barrier",
            Self::Fetch => "fetch",
        }
    }

    /// In a row of warps.
    pub fn letter(self) -> char {
        match self {
            Self::None => '.',
            Self::Issues => 'I',
            Self::Ready => 'r',
            Self::Throttled => 't',
            Self::Alu => 'a',
            Self::Memory => 'm',
            Self::Rejected => 'c',
            Self::Unit => 'u',
            Self::Order => 'o',
            Self::Barrier => 'b',
            Self::Fetch => 'f',
        }
    }

    /// Why a slot was lost in which the warps were in these states: the first cause that holds for any warp, as the hardware's `slots_lost_*` count
    /// it. Of results that of the lanes goes first, because it comes first.
    pub fn of_slot(warps: &[Self]) -> Self {
        use WarpState::{Alu, Barrier, Fetch, Issues, Memory, Order, Rejected, Throttled, Unit};
        let first = [Issues, Throttled, Alu, Memory, Rejected, Unit, Order, Barrier, Fetch];
        first.into_iter().find(|state| warps.contains(state)).unwrap_or(Self::None)
    }
}

/// An issue slot of a core.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IssueSlot {
    /// Its cycle, counted from the start of the kernel.
    pub cycle: u64,
    /// Warp, by its number in the part, and instruction address, if one issued.
    pub issued: Option<(usize, u64)>,
}

/// The slots of a core, or of one of its parts where it issues several instructions in a turn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CoreSlots {
    /// Number of the core.
    pub core: usize,
    /// Number of the part.
    pub part: usize,
    /// In order.
    pub slots: Vec<IssueSlot>,
    /// What each warp did in the first slot, then in the second one, and so on.
    pub states: Vec<WarpState>,
}

/// The issue slots of a window of cycles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IssueSlots {
    /// Name of the kernel.
    pub kernel: String,
    /// Cycles, of those that were run.
    pub window: Range<u64>,
    /// Cycles from one slot to the next.
    pub beats: u64,
    /// Warps of a core, or of a part of one.
    pub warps: usize,
    /// Parts of a core.
    pub parts: usize,
    /// Instructions by address, disassembled.
    pub instructions: Vec<String>,
    /// By core and part.
    pub cores: Vec<CoreSlots>,
}

impl IssueSlots {
    /// Each slot of a core with what its warps did.
    pub fn of<'a>(&self, core: &'a CoreSlots) -> impl Iterator<Item = (IssueSlot, &'a [WarpState])> {
        core.slots.iter().copied().zip(core.states.chunks(self.warps))
    }

    /// The number in the core of a warp of a part.
    pub fn number(&self, core: &CoreSlots, warp: usize) -> usize {
        warp * self.parts + core.part
    }

    /// A line for each slot: `cycle,core,slot,warp,pc,instruction,cause,warps`; the middle ones are empty where nothing issued. `warps` has a letter for
    /// each warp of the slot ([`WarpState::letter`]).
    pub fn csv(&self) -> String {
        let mut text = "cycle,core,slot,warp,pc,instruction,cause,warps\n".to_string();
        for core in &self.cores {
            for (IssueSlot { cycle, issued }, states) in self.of(core) {
                let issued = issued.map_or(",,".into(), |(warp, pc)| {
                    let instruction = self.instructions.get(pc as usize).map_or("", String::as_str);
                    let warp = self.number(core, warp);
                    format!("{warp},{pc:#06x},\"{instruction}\"")
                });
                let letters: String = states.iter().map(|state| state.letter()).collect();
                let cause = WarpState::of_slot(states).cause();
                writeln!(text, "{cycle},{},{},{issued},{cause},{letters}", core.core, core.part)
                    .expect("a string takes all");
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_go_in_the_order_in_which_the_hardware_counts_them() {
        use WarpState::{Alu, Barrier, Fetch, Memory, None, Order, Ready, Throttled};
        for (warps, cause) in [
            (vec![None, None], "none live"),
            (vec![None, Fetch], "fetch"),
            (vec![Barrier, Fetch], "barrier"),
            (vec![Order, Barrier], "memory ordering"),
            (vec![Memory, Order], "load-use hazard"),
            (vec![Memory, Alu], "RAW hazard"),
            (vec![Throttled, Alu], "throttled"),
            (vec![WarpState::Issues, Ready, Throttled], "issued"),
        ] {
            assert_eq!(WarpState::of_slot(&warps).cause(), cause, "{warps:?}");
        }
        let letters: std::collections::HashSet<_> = WarpState::ALL.iter().map(|state| state.letter()).collect();
        assert_eq!(letters.len(), WarpState::ALL.len());
    }
}
