//! Latencies of operation classes, and the reservation of the lanes' one result port that they need.
//!
//! ```text
//!  chosen (groups): an instruction of that group issues -->+------------------------+
//!                                                          | reserved, a bit a cycle|--> free (groups): can issue now
//!                                                          | wait of each group     |
//!                                                          +------------------------+
//! ```
//!
//! Contract: classes with equal latency and interval are one group. `chosen` (at most one bit, in the last beat)
//! reserves the cycles in which the results of its beats leave the lanes; `free` says whose cycles are not taken, and
//! which group need not wait for its interval. Registered. So results of different latencies never meet, and none waits
//! behind the lanes.
//!
//! Sources of the presets: Kim 2017, table 1.1 (GT200, cycles from an instruction to one that needs its result, and
//! operations a cycle of eight lanes); GPGPU-Sim's configuration of a GTX480 as quoted there (`fermi`, on top of the
//! pipeline); four stages as in its chapter 4.
//!
//! Testbench: `testbenches/result_slots/`; tests: `tests/core/latencies.rs`.

use common::parameters;
use hdl::{Bits, Builder, Module, index_width, params, ports, row};
use program::isa::Opcode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Cycles of a class, by default those of the preset.
macro_rules! classes {
    ($($(#[doc = $doc:literal])+ $class:ident;)*) => {
        parameters! {
            /// Cycles of each class of lane operations; 0: those of `core.latencies`.
            #[derive(Copy)]
            pub struct ClassCycles {
                $($(#[doc = $doc])+ $class: u32 = 0, range(0, 255) cycles;)*
            }
        }

        impl ClassCycles {
            /// All classes have one of their own.
            pub fn sets_all(self) -> bool {
                self.each().iter().all(|&cycles| cycles > 0)
            }

            /// Of each class, in order.
            fn each(self) -> [u32; CLASSES] {
                [$(self.$class),*]
            }
        }

        /// Classes of lane operations.
        pub const CLASSES: usize = [$(stringify!($class)),*].len();
    };
}

classes! {
    /// Integer addition, logic, shifts, comparisons, moves, parameters.
    integer;
    /// Integer minimum and maximum.
    integer_min_max;
    /// Integer products.
    multiply;
    /// Integer product and sum.
    multiply_add;
    /// Float addition and comparison.
    float;
    /// Float minimum and maximum.
    float_min_max;
    /// Float products.
    float_multiply;
    /// Float product and sum.
    float_multiply_add;
    /// Conversions.
    convert;
}

/// The class of an operation of the lanes.
fn class(opcode: Opcode) -> usize {
    use Opcode::*;
    match opcode {
        MinS | MaxS | MinU | MaxU => 1,
        Mul | MulHS | MulHU => 2,
        Mad => 3,
        FAdd | FSetp => 4,
        FMin | FMax => 5,
        FMul => 6,
        FFma => 7,
        I2fS | I2fU | F2iS | F2iU => 8,
        _ => 0,
    }
}

/// Latencies of all classes at once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LatencyPreset {
    /// `core.execute_stages` for all.
    #[default]
    Uniform,
    /// GT200: integer and float 24 cycles from an instruction to one that needs its result, integer products 96, with a sum 120.
    Gt200,
    /// Fermi: 4 cycles, minimum and maximum 13, with a product and a sum 5.
    Fermi,
    /// One cycle: fetch, decode, execute, write back.
    FourStage,
}

/// Cycles from the issue of an instruction to that of one that needs its result, beyond those in the lanes.
const AROUND: u32 = 3;

/// Latency and interval of each class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Latencies {
    /// From operands to result, 1 to 255.
    pub cycles: [u32; CLASSES],
    /// From the issue of an instruction to that of the next one of its group; less than the beats of a warp is no limit.
    pub intervals: [u32; CLASSES],
}

impl Latencies {
    /// A preset with what is set apart; none when all classes have the `stages` of the lanes.
    pub fn new(
        preset: LatencyPreset,
        (latency, interval): (ClassCycles, ClassCycles),
        stages: u32,
        lanes: u32,
    ) -> Option<Self> {
        let (cycles, intervals) = match preset {
            LatencyPreset::Uniform if [latency, interval] == [ClassCycles::default(); 2] => return None,
            LatencyPreset::Uniform => ([stages; CLASSES], [0; CLASSES]),
            LatencyPreset::Gt200 => {
                // 32 threads at 1.7 and 1.4 operations a cycle of eight lanes.
                let of_lanes = |cycles: u32| (cycles * 8).div_ceil(lanes);
                let cycles = [24, 24, 96, 120, 24, 24, 24, 24, 24].map(|cycles| cycles - AROUND);
                (cycles, [0, 0, of_lanes(19), of_lanes(23), 0, 0, 0, 0, 0])
            }
            LatencyPreset::Fermi => ([4, 13, 4, 5, 4, 13, 4, 5, 4], [0; CLASSES]),
            LatencyPreset::FourStage => ([1; CLASSES], [0; CLASSES]),
        };
        let with = |own: ClassCycles, preset: [u32; CLASSES]| {
            let mut all = own.each();
            all.iter_mut().zip(preset).for_each(|(own, preset)| *own = if *own == 0 { preset } else { *own });
            all
        };
        Some(Self { cycles: with(latency, cycles), intervals: with(interval, intervals) })
    }

    /// Latency and interval of each group of classes.
    pub fn groups(&self) -> Vec<(u32, u32)> {
        let mut groups: Vec<_> = self.cycles.into_iter().zip(self.intervals).collect();
        groups.sort_unstable();
        groups.dedup();
        groups
    }

    /// The group of an operation of the lanes.
    pub(super) fn group(&self, opcode: Opcode) -> usize {
        let class = class(opcode);
        let own = (self.cycles[class], self.intervals[class]);
        self.groups().into_iter().position(|group| group == own).unwrap_or(0)
    }

    /// The shortest latency.
    pub fn shortest(&self) -> u32 {
        self.cycles.into_iter().fold(self.longest(), u32::min)
    }

    /// The longest latency.
    pub fn longest(&self) -> u32 {
        self.cycles.into_iter().fold(1, u32::max)
    }
}

ports! {
    /// Ports of [`result_slots`].
    pub struct ResultSlotsPorts(groups: &usize) of ResultSlots {
        /// Group of the instruction that issues, one-hot, or none.
        in chosen: *groups as u32,
        /// Groups of which an instruction can issue.
        out free: *groups as u32,
    }
}

/// The reservation; see the [module documentation](self). `groups`: latency and interval of each.
pub fn result_slots(groups: &[(u32, u32)], beats: u32) -> Module {
    let m = Builder::new("result_slots", params! { beats, groups: groups.len(); latency_and_interval: groups });
    m.doc("Reserves the cycles in which results leave the lanes.");
    m.require(!groups.is_empty(), "result_slots: no group, at least 1 is needed");
    let io = ResultSlotsPorts::new(&m, &groups.len());
    let chosen = io.chosen();
    let longest = groups.iter().map(|(latency, _)| *latency).fold(1, u32::max);
    let width = longest + beats;
    m.comment("Bit k: a result leaves the lanes k + 2 cycles from now.");
    let reserved = m.register_bits("reserved", Bits::zero(width));
    let mut next = reserved >> 1;
    let mut held = vec![];
    for (g, &(latency, interval)) in groups.iter().enumerate() {
        let issues = chosen.bit(g as u32);
        let mut window = Bits::zero(width);
        (0..beats).for_each(|beat| window.set_bit(latency - 1 + beat, true));
        next = next | window.signal(&m) & issues.repeat(width);
        let taken = reserved.bits(latency, beats).any();
        m.always("results leave the lanes one after the other", !(issues & taken));
        if interval <= beats {
            held.push(taken);
            continue;
        }
        let wait = m.register(("wait", g), index_width(interval as usize), 0);
        m.when(wait.any(), || m.set(wait, wait - 1));
        m.when(issues, || m.set(wait, u64::from(interval - 1)));
        held.push(taken | wait.any());
    }
    m.set(reserved, next);
    io.free(!row(held));
    m.finish()
}
