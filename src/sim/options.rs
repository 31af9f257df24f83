//! How to simulate.

use super::{engine::Engine, passes::selection::Passes};

/// How to simulate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// What computes a cycle.
    pub engine: Engine,
    /// Also run this engine, with a state of its own, and stop at the first difference. It runs plainly: on one thread,
    /// and evaluating the blocks themselves where the first engine calls intrinsics. May be the same engine. Call
    /// [`finish_validation`](super::Simulator::finish_validation) at the end.
    pub validate: Option<Engine>,
    /// Threads that compiled engines spread the tiles of the top module over, or
    /// [`AUTOMATIC_THREADS`](Self::AUTOMATIC_THREADS); results do not depend on it.
    pub threads: usize,
    /// Call the native intrinsics of blocks that have one (all engines); off: evaluate the blocks themselves.
    pub intrinsics: bool,
    /// Passes of the engines that compile; results do not depend on them.
    pub passes: Passes,
    /// Keep compiled code in the user's folder of caches, and take it from there.
    pub cache: bool,
    /// Compile code that tells what it is doing, for [`start_profile`](super::Simulator::start_profile); on one thread.
    pub profile: bool,
    /// Compute every net in a place of its own, for [`start_activity`](super::Simulator::start_activity): by words,
    /// whatever `engine` says, on one thread, without passes and intrinsics.
    pub activity: bool,
}

impl Options {
    /// As many threads as gain, measured while the simulation runs.
    pub const AUTOMATIC_THREADS: usize = 0;

    /// The fastest engine on one thread, with all passes and intrinsics, no second engine, nothing kept.
    pub const DEFAULT: Self = Self {
        engine: Engine::Auto,
        validate: None,
        threads: 1,
        intrinsics: true,
        passes: Passes::ALL,
        cache: false,
        profile: false,
        activity: false,
    };
}

impl Default for Options {
    fn default() -> Self {
        Self::DEFAULT
    }
}
