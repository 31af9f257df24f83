//! The CUDA runtime of the chip: what a program calls that was written for a GPU, with the names and the binary
//! interface that clang expects.
//!
//! `warpmesh cc` compiles such a program against the headers in [`headers`], puts its PTX into the executable as a
//! [`container`] and links it with the shared library that holds this crate. When it runs, the compiler's start-up code
//! registers kernels and variables ([`registry`]); the functions in `api` work on one device ([`runtime`]), a
//! [`Session`](measure::session::Session) with the chip of `WARPMESH_CONFIG`.
//!
//! | variable | meaning |
//! |---|---|
//! | `WARPMESH_CONFIG` | configuration: a file or the name of a shipped one; none: `fermi` |
//! | `WARPMESH_PARAMS` | `path=value;path=value`, as `-P` |
//! | `WARPMESH_KERNELS` | the launches that are simulated on the chip, from 1: `3,5-7`, `all` (as without it) or `none`; the others are emulated |
//! | `WARPMESH_CHECKPOINT` | folder for what emulated launches have computed, which another run takes from there |
//! | `WARPMESH_REPORT` | file for the report at the end, in the place of standard error |
//! | `WARPMESH_MEMORY_CHECKS` | `off`: accesses of kernels are not looked at; `races,uninitialised`: what is looked for beside addresses |
//! | `WARPMESH_MAX_CYCLES` | a launch that takes more is ended, with an error |
//! | `WARPMESH_MAX_SECONDS` | the launch at work so many seconds after the program has first used the device is ended, with an error |
//! | `WARPMESH_WAVE` | a waveform of a launch on the chip, `FILE[:PATH,PATH...][@FROM..TO]` |
//! | `WARPMESH_ISSUE_TRACE` | what its issue slots are used for, `FILE[:CORE,CORE...][@FROM..TO]` |
//! | `WARPMESH_TRACE` | a [timeline](measure::timeline) of it, `FILE.pftrace[@FROM..TO]` |
//! | `WARPMESH_TRACE_LAUNCH` | which launch these are of, from 1; without it, the first one on the chip |
//! | `WARPMESH_STATS` | `pattern;pattern`: performance counters in the report |
//! | `WARPMESH_SAMPLES` | file for these counters over time, as CSV |
//! | `WARPMESH_RECORD` | folder for a [record](measure::record) of the launches on the chip |
//! | `WARPMESH_INTERVAL` | cycles of an interval of samples |
//! | `WARPMESH_SAVE` | file to which the program is [saved](measure::session::ProgramParts) when a limit or Ctrl-C ends a launch |
//! | `WARPMESH_SAVE_EVERY` | cycles on the chip after which it is also saved |
//! | `WARPMESH_RESUME` | file of a saved program to go on from |
//! | `WARPMESH_ENGINE`, `WARPMESH_THREADS` | what computes a cycle; no result depends on it |
//!
//! No panic leaves a function of the C interface: it becomes a message and `cudaErrorUnknown`.

mod api;
mod at_exit;
mod call;
pub mod container;
mod error;
mod graphs;
mod host;
mod interrupt;
mod linker;
mod print;
mod registry;
mod runtime;
mod segfault;
mod settings;
mod textures;

pub use settings::{INTERVAL, LaunchList, VARIABLES, seconds, threads};

use include_dir::{Dir, include_dir};
use measure::session::Settings;
use rtl::chip::Chip;
use std::path::Path;

/// Takes this chip, without asking the environment, for whoever calls the functions of the interface in this process; there is no report then.
pub fn begin(chip: Chip, settings: Settings) {
    runtime::look(|runtime| runtime.begin(chip, settings));
}

/// A program that takes the place of this process has its memory at the same addresses each time, where the system allows that.
pub fn same_addresses() {
    // SAFETY: always possible; the first call asks alone.
    unsafe {
        let now = libc::personality(0xffff_ffff);
        if now >= 0 {
            libc::personality(now as libc::c_ulong | libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
        }
    }
}

static HEADERS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/include");

/// The headers that programs are compiled with: paths in their folder, and texts.
pub fn headers() -> Vec<(&'static Path, &'static [u8])> {
    fn add(folder: &'static Dir<'_>, into: &mut Vec<(&'static Path, &'static [u8])>) {
        into.extend(folder.files().map(|file| (file.path(), file.contents())));
        folder.dirs().for_each(|folder| add(folder, into));
    }
    let mut all = vec![];
    add(&HEADERS, &mut all);
    all
}
