//! Native simulation of a [`Design`](netlist::Design).
//!
//! Data flow: `Design` → [`layout`] (where every net of a module lives, relative to its instance) → [`state`] (the
//! flattened hierarchy and the arrays of words) → an engine computes wires and next registers → [`state`] makes the
//! clock edge. [`Simulator`] ties them together: ports, cycles, assertions, statistics, save and restore.
//!
//! * [`simulator`]: the public interface. [`clocks`]: which clock has an edge when.
//! * [`layout`], [`state`]: the state, shared by all engines.
//! * [`plan`] → [`passes`] → [`native`]: what is called and what is inlined, in which order; what has to be computed at all, and how;
//!   machine code for it; tiles on threads ([`thread_pool`]), as many as gain ([`tuning`]).
//! * [`trial`]: which of several is faster, measured while the simulation runs: threads, engines, code with activity gates or without.
//! * [`code`]: machine code, of this run or, from [`common::cache`] under the key that [`code_cache`] makes, of an earlier one.
//! * [`sliced`] and [`vector`]: engines that evaluate equal tiles together and keep their state elsewhere ([`batched`]).
//! * [`interpreter`]: the reference engine, a flat list of instructions for the whole design; [`bigint`]: its wide values.
//! * [`engine`], [`options`]: which engine, and how; [`source`]: what one is made from; [`choices`]: which one for which tiles; [`runner`]: the
//!   interface behind which they stand; [`validate`]: two engines side by side.
//! * [`effort`]: what it takes to prepare a simulation, and whether that is too much, also for the memory that is left ([`free_memory`]);
//!   [`progress`]: how far it is. [`equivalence`]: modules that are equal in all but names.
//! * [`explain`]: which engine simulates which tiles, and why; [`selector`]: whether another one would be faster now.
//! * [`profile`]: where the time of a simulation goes; [`stopwatch`]: which share of it behavioural parts take.
//! * [`peek`]: wires that the engine leaves out, for who looks at them.
//! * [`paths`], [`probes`], [`snapshot`], [`wave`]: hierarchical peek, statistics, save and restore, waveforms.
//!
//! A cycle: inputs are poked; evaluation computes every wire, the next value of every register, the pending memory
//! writes and what probes see from the present state; assertions are checked; the edge exchanges present and next
//! registers, executes the writes and counts statistics (an engine may count later, see [`activity`](native)). So an
//! evaluation can be repeated. Reset is simulated: the edge happens, but registers with a reset value take that, and
//! nothing is counted.
//!
//! With several clocks a step goes to the next instant at which some of them have an edge. Registers of the others keep
//! their value: what was computed for them is overwritten by the present value before the arrays are exchanged
//! (*held*). Their memory writes, statistics and assertions do not take place. Where all clocks have an edge, as always
//! with one clock, none of this costs anything.

mod aligned;
mod batched;
mod bigint;
mod choices;
mod clocks;
mod code;
mod code_cache;
mod effort;
mod engine;
mod equivalence;
mod error;
mod explain;
pub mod free_memory;
mod function_cache;
mod interpreter;
mod kept_function;
mod layout;
mod native;
mod options;
mod passes;
mod paths;
pub mod pattern;
mod peek;
mod plan;
mod probes;
mod processor_time;
mod profile;
pub mod progress;
mod regions;
mod runner;
mod selector;
mod simulator;
mod sliced;
mod snapshot;
mod source;
mod state;
mod stopwatch;
mod thread_pool;
mod toggles;
mod trial;
mod tuning;
mod validate;
mod vector;
mod wave;

pub use clocks::{ClockHandle, Clocks, Edges};
pub use effort::Effort;
pub use engine::Engine;
pub use error::SimError;
pub use explain::Explanation;
pub use native::{Figures, ModuleFigures};
pub use options::Options;
pub use passes::selection::{Pass, Passes};
pub use probes::ProbeResult;
pub use profile::{Profile, ProfilePart};
pub use simulator::{InputHandle, OutputHandle, Simulator};
pub use snapshot::Snapshot;
pub use stopwatch::Stopwatch;
pub use toggles::{BlockActivity, NEIGHBOURS, SwitchingActivity, TileActivity, ToggleCounts};
pub use tuning::Threading;
pub use wave::{Moment, ViewFormat, WaveFormat, WaveOptions, WaveView};
