//! What the issue slots of cores are used for, cycle by cycle, read from outside.
//!
//! An issue slot is the last beat of a turn: one in four cycles with 8 lanes, every cycle with 32. The hardware says
//! which warp issues in it (`chosen`), which could (`can_issue`), and what the others wait for (`waits_for_result`,
//! `waits_for_unit`, `state`); its statistics `front_end.slots_lost_*` go by the same. Finer causes need more:
//!
//! * Results of the lanes and of memory: the registers that a warp waits for (`hazard_word`, `scoreboard.registers`), and what its last instructions that
//!   write them were, which the trace keeps from the start of the kernel on.
//! * Units: whether the instruction's own unit is held (`hold_*`); otherwise it waits for accesses of its own warp. A data cache that does not accept
//!   the request whose turn it is, rejects.
//!
//! Nothing is there for it in the hardware. Before the window only registers are read; in it wires too, which the
//! simulation computes for this.
//!
//! Tests: `tests/cli/issue.rs`. Drawn after the toy figures of Kim's thesis, chapter 2; causes after its section 2.6.

use crate::report::{CoreSlots, IssueSlot, IssueSlots, WarpState};
use hdl::{Bits, Bundle};
use program::{
    Launch,
    isa::{Instruction, Operands, RZ},
};
use rtl::{
    cache,
    chip::Chip,
    core::{
        CoreParams,
        decode::Hazards,
        front_end,
        memory::l1_data::L1_DATA,
        scoreboard, stack,
        warp::{self, state},
    },
};
use sim::{OutputHandle, Simulator};
use std::ops::Range;

/// The fields of a warp's `hazard_word`.
struct HazardFields(Vec<(&'static str, u32, u32)>);

impl HazardFields {
    /// The first one is in the high bits.
    fn new(p: &CoreParams) -> Self {
        let mut low = Hazards::width(p);
        let place = |field: hdl::Field| {
            low -= field.width;
            (field.name, low, field.width)
        };
        Self(Hazards::fields(p).into_iter().map(place).collect())
    }

    /// Zero where the core has no such field.
    fn get(&self, word: &Bits, name: &str) -> u64 {
        let found = self.0.iter().find(|(field, ..)| *field == name);
        found.filter(|(.., width)| *width > 0).map_or(0, |&(_, low, width)| word.slice(low, width).to_u64())
    }
}

/// What is read of a warp.
struct WarpNets {
    state: OutputHandle,
    pc: OutputHandle,
    hazard_word: OutputHandle,
    registers: OutputHandle,
    predicates: OutputHandle,
    can_issue: OutputHandle,
    waits_for_result: OutputHandle,
    waits_for_unit: OutputHandle,
    /// Of each register, whether the last instruction that wrote it was of memory.
    from_memory: Vec<bool>,
}

impl WarpNets {
    /// Of all warps of a chip: of each core a list, one part after the other.
    fn all(simulator: &Simulator, p: &CoreParams) -> Vec<Vec<Self>> {
        use warp::*;
        let own = simulator.taps([STATE, HAZARDS, CAN_ISSUE, WAITS_FOR_RESULT, WAITS_FOR_UNIT]);
        let pc = simulator.taps([stack::PC]);
        let awaited = simulator.taps([scoreboard::AWAITED_REGISTERS, scoreboard::AWAITED_PREDICATES]);
        let warp = |((own, pc), awaited): (([OutputHandle; 5], [OutputHandle; 1]), [OutputHandle; 2])| {
            let [state, hazard_word, can_issue, waits_for_result, waits_for_unit] = own;
            let ([pc], [registers, predicates]) = (pc, awaited);
            let from_memory = vec![false; p.registers as usize];
            Self {
                state,
                pc,
                hazard_word,
                registers,
                predicates,
                can_issue,
                waits_for_result,
                waits_for_unit,
                from_memory,
            }
        };
        let cores = own.into_iter().zip(pc).zip(awaited);
        cores.map(|((own, pc), awaited)| own.into_iter().zip(pc).zip(awaited).map(warp).collect()).collect()
    }

    /// What it waits for comes from memory. With barrel issue that may be anything of its last instruction, also an open load (`loads`).
    fn awaits_memory(&self, simulator: &mut Simulator, fields: &HazardFields, loads: bool) -> bool {
        let word = simulator.peek_bits_at(self.hazard_word);
        let registers = simulator.peek_bits_at(self.registers);
        let used = [("a_used", "a"), ("b_used", "b"), ("c_used", "c"), ("d_used", "d")];
        let named = used.iter().filter(|(used, _)| fields.get(&word, used) == 1).map(|(_, of)| fields.get(&word, of));
        let mut awaited: Vec<_> = named.filter(|number| registers.bit(*number as u32)).collect();
        if awaited.is_empty() {
            if simulator.peek_at(self.predicates) & fields.get(&word, "predicates") != 0 {
                return false;
            }
            awaited = (0..u64::from(registers.width())).filter(|number| registers.bit(*number as u32)).collect();
            return loads || awaited.iter().any(|&number| self.from_memory[number as usize]);
        }
        awaited.iter().any(|&number| self.from_memory[number as usize])
    }
}

/// What is read of the front end of a core, or of a part of one.
struct FrontEndNets {
    /// None with one beat.
    beat: Option<OutputHandle>,
    issued: OutputHandle,
    issued_warp: OutputHandle,
    chosen: OutputHandle,
    ready: OutputHandle,
    loads_open: OutputHandle,
    hold_loads: OutputHandle,
    hold_stores: OutputHandle,
}

impl FrontEndNets {
    /// Of all cores of a chip: of each a list of its parts.
    fn all(simulator: &Simulator) -> Vec<Vec<Self>> {
        use front_end::*;
        let beats = simulator.taps([BEAT]);
        let nets = simulator.taps([ISSUED, ISSUED_WARP, CHOSEN, READY, LOADS_OPEN, HOLD_LOADS, HOLD_STORES]);
        let part = |core: usize, (part, nets): (usize, [OutputHandle; 7])| {
            let [issued, issued_warp, chosen, ready, loads_open, hold_loads, hold_stores] = nets;
            let beat = beats.get(core).map(|parts| parts[part][0]);
            Self { beat, issued, issued_warp, chosen, ready, loads_open, hold_loads, hold_stores }
        };
        let cores = nets.into_iter().enumerate();
        cores.map(|(core, parts)| parts.into_iter().enumerate().map(|at| part(core, at)).collect()).collect()
    }
}

/// What is read of a core, or of a part of one.
struct Core {
    front: FrontEndNets,
    /// It is a request's turn in the data cache, which accepts it.
    cache: Option<[OutputHandle; 2]>,
    warps: Vec<WarpNets>,
    found: CoreSlots,
}

/// Follows the issue slots of some cores.
pub struct IssueTrace {
    kernel: String,
    window: Range<u64>,
    beats: u64,
    parts: usize,
    fields: HazardFields,
    code: Vec<Option<Instruction>>,
    cores: Vec<Core>,
}

impl IssueTrace {
    /// Bytes of what is kept.
    pub(crate) fn held(&self) -> u64 {
        let slots = self.cores.iter().map(|core| &core.found);
        let bytes = slots.map(|found| size_of_val(&found.slots[..]) + size_of_val(&found.states[..]));
        bytes.sum::<usize>() as u64
    }

    /// Of these cores of a simulation of `chip`, in a window of cycles counted from the start of `launch`.
    pub fn new(chip: &Chip, launch: &Launch, simulator: &Simulator, cores: &[usize], window: Range<u64>) -> Self {
        let p = &chip.core();
        let warps = p.part().warps as usize;
        let caches = simulator.taps_inside(L1_DATA, [cache::block::taps::DECIDES, cache::block::taps::ACCEPTED]);
        let nets = FrontEndNets::all(simulator).into_iter().zip(WarpNets::all(simulator, p));
        let mut nets: Vec<_> = nets.map(Some).collect();
        let parts = |&core: &usize| {
            let (fronts, mut contexts) = nets[core].take().expect("a core is asked for once");
            let cache = caches.get(core).map(|of_core| of_core[0]);
            let part = |(part, front)| {
                let found = CoreSlots { core, part, ..CoreSlots::default() };
                Core { front, cache, warps: contexts.drain(..warps).collect(), found }
            };
            fronts.into_iter().enumerate().map(part).collect::<Vec<_>>()
        };
        Self {
            kernel: launch.name.clone(),
            window,
            beats: p.beats().into(),
            parts: p.issue_slots as usize,
            fields: HazardFields::new(p),
            code: launch.kernel.code.iter().map(|&word| Instruction::decode(word)).collect(),
            cores: cores.iter().flat_map(parts).collect(),
        }
    }

    /// Looks at cycle number `cycle`; to be called for each from 0 on, before its clock edge.
    pub fn cycle(&mut self, simulator: &mut Simulator, cycle: u64) {
        if cycle >= self.window.end {
            return;
        }
        let Self { window, beats, fields, code, cores, .. } = self;
        for core in cores {
            let beat = core.front.beat.map_or(0, |beat| simulator.peek_at(beat));
            if beat == 0 {
                core.follow(simulator, code);
            }
            if beat == *beats - 1 && window.contains(&cycle) {
                core.look(simulator, cycle, fields);
            }
        }
    }

    /// What was found in a run of so many cycles.
    pub fn finish(self, cycles: u64) -> IssueSlots {
        let Self { kernel, window, beats, parts, code, cores, .. } = self;
        let warps = cores.first().map_or(0, |core| core.warps.len());
        let ended = |mut found: CoreSlots| {
            // The state behind the last clock edge was looked at, too.
            found.slots.retain(|slot| slot.cycle < cycles);
            found.states.truncate(found.slots.len() * warps);
            found
        };
        IssueSlots {
            kernel,
            window: window.start.min(cycles)..window.end.min(cycles),
            beats,
            warps,
            parts,
            instructions: code.iter().map(|word| word.map_or(String::new(), |word| word.to_string())).collect(),
            cores: cores.into_iter().map(|core| ended(core.found)).collect(),
        }
    }
}

impl Core {
    /// In beat 0: the instruction of the last slot, which is being carried out.
    fn follow(&mut self, simulator: &mut Simulator, code: &[Option<Instruction>]) {
        if simulator.peek_at(self.front.issued) == 0 {
            return;
        }
        let warp = &mut self.warps[simulator.peek_at(self.front.issued_warp) as usize];
        let pc = simulator.peek_at(warp.pc) as usize;
        let Some(Instruction { opcode, dst, .. }) = code.get(pc).copied().flatten() else { return };
        if opcode.writes_register() && dst != RZ {
            let parameter = opcode.memory_space() == Some(2);
            let accesses = matches!(opcode.operands(), Operands::Load | Operands::Atomic);
            warp.from_memory[usize::from(dst)] = accesses && !parameter;
        }
    }

    /// In the last beat: what each warp does.
    fn look(&mut self, simulator: &mut Simulator, cycle: u64, fields: &HazardFields) {
        let states: Vec<_> = (0..self.warps.len()).map(|warp| self.state(simulator, warp, fields)).collect();
        let issues = states.iter().position(|state| *state == WarpState::Issues);
        let issued = issues.map(|warp| (warp, simulator.peek_at(self.warps[warp].pc)));
        self.found.slots.push(IssueSlot { cycle, issued });
        self.found.states.extend(states);
    }

    fn state(&self, simulator: &mut Simulator, number: usize, fields: &HazardFields) -> WarpState {
        let warp = &self.warps[number];
        let own = |word: u64| word >> number & 1 == 1;
        if own(simulator.peek_at(self.front.chosen)) {
            return WarpState::Issues;
        }
        let context = simulator.peek_at(warp.state);
        if context == state::IDLE {
            return WarpState::None;
        }
        if simulator.peek_at(warp.waits_for_result) == 1 {
            let loads = own(simulator.peek_at(self.front.loads_open));
            let memory = warp.awaits_memory(simulator, fields, loads);
            return if memory { WarpState::Memory } else { WarpState::Alu };
        }
        if simulator.peek_at(warp.waits_for_unit) == 1 {
            return self.unit(simulator, warp, fields);
        }
        match context {
            state::AT_BARRIER => WarpState::Barrier,
            _ if simulator.peek_at(warp.can_issue) == 0 => WarpState::Fetch,
            _ if own(simulator.peek_at(self.front.ready)) => WarpState::Ready,
            _ => WarpState::Throttled,
        }
    }

    /// Of a warp that waits for a unit: which kind of wait.
    fn unit(&self, simulator: &mut Simulator, warp: &WarpNets, fields: &HazardFields) -> WarpState {
        let word = simulator.peek_bits_at(warp.hazard_word);
        let is = |name: &str| fields.get(&word, name) == 1;
        if is("must_drain") {
            return WarpState::Order;
        }
        let held = [("global_load", self.front.hold_loads), ("global_store", self.front.hold_stores)];
        let global = held.iter().any(|(kind, _)| is(kind));
        if !global {
            return WarpState::Unit;
        }
        if !held.iter().any(|(kind, hold)| is(kind) && simulator.peek_at(*hold) == 1) {
            return WarpState::Order;
        }
        let rejects =
            self.cache.is_some_and(|[turn, accepted]| simulator.peek_at(turn) == 1 && simulator.peek_at(accepted) == 0);
        if rejects { WarpState::Rejected } else { WarpState::Unit }
    }
}
