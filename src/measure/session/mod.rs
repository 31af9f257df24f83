//! A device that stays: one chip and its memory across the launches of a program.
//!
//! A [`Session`] has memory that the host allocates, fills and reads ([`memory`]), and executes launches on it one
//! after the other: on the chip, simulated, or on the emulator, which knows no time ([`Device`]). What a launch has
//! written is there for the next one. Each launch leaves a [`Record`].
//!
//! ```text
//!  allocate, write --> DeviceMemory --lent--> Launch (with a placement) --> chip from power-on, DRAM filled --> run --> DRAM read back
//!                            ^                                         or emulator                                      |
//!                            +------------------------------------------------------------------------------------------+
//! ```
//!
//! [`run_steps`] does the steps of a run file on a session. A program may be run in [several parts](ProgramParts), each a
//! process of its own.
//!
//! The chip is elaborated and compiled once, and is at power-on before each launch: caches are empty. Where the L2 keeps
//! its lines ([`Flush::Clean`](rtl::cache::Flush)), the chip goes on from launch to launch without a reset, as long as
//! nothing but launches on the chip has changed what it reads. Statistics count one launch.

mod checkpoint;
mod device;
mod launch_digest;
pub mod memory;
mod pages;
mod program_parts;
mod record;
mod recording;
mod run_file;
mod saved_program;
mod series;
mod session_report;
mod step_results;

pub use checkpoint::Checkpoints;
pub use device::{Device, Settings};
pub use memory::DeviceMemory;
pub use program_parts::{ProgramParts, is_one as is_saved_program};
pub use record::{FailedLaunch, InstructionMix, LaunchesReport, Record, Where};
pub(crate) use record::{dims, totals};
use recording::Recording;
pub use recording::{LaunchTrace, TraceSpec};
pub use run_file::{StepsError, StepsOutcome, run_steps};
pub use saved_program::{ProgramIdentity, SavedProgram};
pub use session_report::{ReportLines, json_report, report};
pub use step_results::{Checked, Repeated};
pub(crate) use step_results::{check_text, repeat_text};

use crate::{host::HostError, monitor::Monitor, record::RunRecord};
use program::{Kernel, Launch, Placement, TextureBinding, Trap};
use rtl::chip::Chip;
use std::ops::RangeInclusive;
use thiserror::Error;

/// What a session cannot do.
#[derive(Debug, Error)]
pub enum SessionError {
    /// More than there is.
    #[error("no room for {bytes} bytes: {used} of {limit} are in use")]
    OutOfMemory {
        /// Wanted.
        bytes: usize,
        /// In use.
        used: usize,
        /// All.
        limit: usize,
    },
    /// A pointer to nothing.
    #[error("{bytes} bytes at {pointer:#x}: {problem}{near}")]
    Pointer {
        /// As given.
        pointer: u64,
        /// From there on.
        bytes: usize,
        /// What is wrong.
        problem: &'static str,
        /// The nearest allocation.
        near: String,
    },
    /// A variable where something is already.
    #[error("variable `{name}` does not fit at the address that its kernels expect")]
    Occupied {
        /// Its name.
        name: String,
    },
    /// A name that the kernel does not know.
    #[error("kernel `{kernel}` has no {what} `{name}` of this size")]
    Name {
        /// Of the kernel.
        kernel: String,
        /// "constant" or "texture".
        what: &'static str,
        /// As given.
        name: String,
    },
    /// A texture in the middle of an allocation.
    #[error("texture `{name}` of kernel `{kernel}` has to begin where an allocation does")]
    TextureStart {
        /// Of the kernel.
        kernel: String,
        /// Of the texture.
        name: String,
    },
    /// What went wrong in a launch.
    #[error(transparent)]
    Host(#[from] HostError),
}

/// What a texture of a launch reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundTexture {
    /// Name of the texture in the kernel.
    pub name: String,
    /// Where its texels are, in their order on the chip: a multiple of 4.
    pub pointer: u64,
    /// Texels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Slices.
    pub depth: u32,
    /// Channels of a texel, of 4 bytes each where the kernel was not compiled for other ones.
    pub channels: u32,
}

/// A launch on a session's memory.
#[derive(Clone, Debug)]
pub struct KernelCall {
    /// For reports.
    pub name: String,
    /// What runs.
    pub kernel: Kernel,
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// Arguments as bytes, each as long as its parameter.
    pub args: Vec<Vec<u8>>,
    /// Constants by name, and what they hold.
    pub constants: Vec<(String, Vec<u8>)>,
    /// What the textures read.
    pub textures: Vec<BoundTexture>,
    /// Textures that are not among them are not bound: a read of one is an error of the launch; without this, the launch is one.
    pub unbound_textures: bool,
}

/// A chip, or the emulator in its place, with memory that stays.
pub struct Session {
    /// What the host reads and writes.
    pub memory: DeviceMemory,
    device: Device,
    records: Vec<Record>,
    /// Launches, also those that went wrong.
    launched: usize,
    failed: Vec<(usize, String)>,
    /// Simulated time: cycles of the cores, estimated ones of emulated launches among them.
    cycles: u64,
    emulated: usize,
    at_assertion: Option<AtTrap>,
    last_block: [u32; 3],
}

/// A warp that traps.
#[derive(Debug)]
pub struct AtTrap {
    /// Global memory of the chip at that moment, from address 0 on.
    pub memory: Vec<u8>,
    /// Index of the block.
    pub block: [u32; 3],
    /// Index in it of a thread that traps.
    pub thread: [u32; 3],
}

/// An assertion of the kernel does not hold.
fn is_assertion(error: &HostError) -> bool {
    let trap = match error {
        HostError::Memory(fault) => fault.trap,
        HostError::Trapped { trap, .. } => Some(*trap),
        _ => None,
    };
    trap == Some(Trap::Assertion)
}

/// How many launches a program had, in words.
fn launches_found(launched: usize) -> String {
    match launched {
        0 => "there were none".into(),
        1 => "there was 1".into(),
        launched => format!("there were {launched}"),
    }
}

impl Session {
    /// With a chip, which is built when a launch needs it.
    pub fn new(chip: Chip, settings: Settings) -> Self {
        Self {
            memory: DeviceMemory::default(),
            device: Device::new(chip, settings),
            records: vec![],
            launched: 0,
            failed: vec![],
            cycles: 0,
            emulated: 0,
            at_assertion: None,
            last_block: [1; 3],
        }
    }

    /// The chip.
    pub fn chip(&self) -> &Chip {
        self.device.chip()
    }

    /// The next launch is simulated on the chip, not emulated.
    pub fn next_on_chip(&self) -> bool {
        self.device.is_on_chip(self.launched + 1)
    }

    /// How many launches there were, also those that went wrong.
    pub fn launched(&self) -> usize {
        self.launched
    }

    /// Counts a launch of a kernel that could not be one: it has failed.
    pub fn refuse(&mut self, kernel: String) {
        self.launched += 1;
        self.failed.push((self.launched, kernel));
    }

    /// What has been launched and has ended, in order.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// Number and kernel of launches that went wrong.
    pub fn failed(&self) -> &[(usize, String)] {
        &self.failed
    }

    /// The first warp whose assertion did not hold, if that has ended the last launch.
    pub fn at_assertion(&self) -> Option<&AtTrap> {
        self.at_assertion.as_ref()
    }

    /// Threads of a block of the last launch, in x, y, z.
    pub fn last_block(&self) -> [u32; 3] {
        self.last_block
    }

    /// What was selected for the chip and was not among the launches.
    pub fn selected_nothing(&self) -> Option<String> {
        let on_chip = self.device.on_chip()?;
        let show = |range: &RangeInclusive<usize>| match (range.start(), range.end()) {
            (first, last) if first == last => first.to_string(),
            (first, last) => format!("{first}-{last}"),
        };
        let missing: Vec<_> = on_chip.iter().filter(|range| *range.start() > self.launched).map(show).collect();
        let found = launches_found(self.launched);
        let selected = missing.join(",");
        match missing.len() {
            0 => None,
            all if all == on_chip.len() => {
                Some(format!("launches {selected} were to be simulated on the chip, and {found}: all were emulated"))
            }
            _ => Some(format!("launches {selected} were to be simulated on the chip, too, and {found}")),
        }
    }

    /// Where the waveforms and traces that were asked for are, and of which launches.
    pub fn recorded(&self) -> Vec<String> {
        self.device.recordings().iter().filter_map(Recording::recorded).collect()
    }

    /// Why there is no waveform or trace, or not all of it, though one was asked for.
    pub fn not_recorded(&self) -> Vec<String> {
        self.device.recordings().iter().filter_map(|recording| recording.problem(self.launched)).collect()
    }

    /// The record that was asked for, of launches so far.
    pub fn run_record(&self) -> Option<&RunRecord> {
        self.device.record()
    }

    /// Samples over time that were asked for, as CSV, of launches so far; nothing in them: none was on the chip.
    pub fn samples(&self) -> Option<Option<String>> {
        self.device.samples()
    }

    /// Where the program goes on and is saved, if it does or is.
    pub fn parts(&self) -> Option<&ProgramParts> {
        self.device.parts()
    }

    /// The page that shows launches, if there is one.
    pub fn monitor(&self) -> Option<&Monitor> {
        self.device.monitor()
    }

    /// Simulated time so far in milliseconds. A launch that was emulated takes as long as if every core issued an instruction in every turn
    /// of its beats: less than on the chip.
    pub fn milliseconds(&self) -> f64 {
        self.cycles as f64 / (f64::from(self.chip().config().clocks.core) * 1e3)
    }

    /// Executes a launch to its end.
    pub fn launch(&mut self, call: KernelCall) -> Result<&Record, SessionError> {
        self.launched += 1;
        let (number, kernel) = (self.launched, call.name.clone());
        match self.execute(number, call) {
            Ok(record) => {
                self.cycles += record.cycles.unwrap_or_else(|| self.least_cycles(record.warp_instructions));
                self.emulated += usize::from(record.executed != Where::Rtl);
                self.records.push(record);
                Ok(&self.records[self.records.len() - 1])
            }
            Err(error) => {
                self.failed.push((number, kernel));
                Err(error)
            }
        }
    }

    /// Cycles if every core issued one of so many instructions of warps in every turn of its beats.
    fn least_cycles(&self, warp_instructions: u64) -> u64 {
        let core = &self.chip().config().core;
        let issued = self.chip().core_nodes().len() as u64 * u64::from(core.issue_slots);
        (warp_instructions * u64::from(rtl::core::WARP / core.lanes)).div_ceil(issued).max(1)
    }

    /// Launches that were emulated.
    pub fn emulated(&self) -> usize {
        self.emulated
    }

    fn execute(&mut self, number: usize, call: KernelCall) -> Result<Record, SessionError> {
        let mut launch = self.prepare(call)?;
        let (buffers, addresses) = self.memory.lend();
        launch.buffers = buffers;
        if let Some(placement) = &mut launch.placement {
            placement.addresses = addresses;
        }
        (self.at_assertion, self.last_block) = (None, launch.block);
        let outcome = self.device.run(number, &mut launch);
        if outcome.as_ref().is_err_and(is_assertion) {
            self.at_assertion = self.device.at_trap(&launch);
        }
        self.memory.take_back(launch.buffers);
        Ok(outcome?)
    }

    /// The launch without memory.
    fn prepare(&self, call: KernelCall) -> Result<Launch, SessionError> {
        let KernelCall { name, mut kernel, grid, block, dynamic_shared, args, constants, textures, unbound_textures } =
            call;
        let of_kernel = kernel.name.clone();
        let unknown = |what, name: &str| SessionError::Name { kernel: of_kernel.clone(), what, name: name.into() };
        // What a kernel does not use need not be there.
        kernel.set_dynamic_shared(dynamic_shared);
        // The session has them among its allocations.
        kernel.globals.clear();
        for (name, data) in &constants {
            if !kernel.set_constant(name, data) {
                return Err(unknown("constant", name));
            }
        }
        for BoundTexture { name, pointer, width, height, depth, channels } in textures {
            let (buffer, offset) = self.memory.index(pointer)?;
            let Some(offset) = u32::try_from(offset).ok().filter(|offset| offset.is_multiple_of(4)) else {
                return Err(SessionError::TextureStart { kernel: of_kernel, name });
            };
            if !kernel.bind_texture(&name, TextureBinding { buffer, offset, width, height, depth, channels }) {
                return Err(unknown("texture", &name));
            }
        }
        let placement = Some(Placement { addresses: vec![], args, unbound_textures, window: memory::WINDOW });
        Ok(Launch { name, kernel, grid, block, buffers: vec![], args: vec![], checks: vec![], placement })
    }
}
