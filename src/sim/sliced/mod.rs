//! The bit-sliced engine: equal tiles are evaluated together, one bit of up to 64 of them in a machine word.
//!
//! ```text
//!  tiles of the top --alike, template--> groups, hierarchy with lanes --bundles--> blocks evaluated together
//!     --payload--> nets that stay words    --build (blast, gates)--> boolean networks, units of work
//!     --order--> kernels and memory reads  --emit--> machine code
//!     --payloads, boundary--> what payload is copied from, links between tiles, imports, exports
//!     --datapath::lower, linker--> transfers, lists of places --word_code--> machine code
//! ```
//!
//! An evaluation brings input bits to the tiles ([`links`]), runs the kernels and memory reads in order, and copies
//! payload ([`transfers`]). The clock edge counts probes, writes memories, exchanges the two arrays of register planes,
//! and shows outputs to whoever reads them outside. Tiles of different clock domains, and tiles for different threads,
//! are different parts of the engine that have all this for themselves; links lead from part to part. State lives here,
//! as planes and words; [`TileState`](super::batched::TileState) translates to and from the layout of all engines.

mod addresses;
mod aliases;
mod arrays;
mod assemble;
mod blast;
mod boundary;
mod build;
mod bundles;
pub(crate) mod choose;
mod copies;
mod counters;
mod datapath;
mod emit;
mod engine;
pub(crate) mod estimate;
mod gates;
mod lanes;
mod linker;
mod links;
mod live_outs;
#[cfg(all(target_arch = "x86_64", unix))]
mod luts;
mod order;
mod scratch;
mod share;
mod state;
mod state_map;
mod template;
mod transfers;
#[cfg(all(target_arch = "x86_64", unix))]
mod wide;
#[cfg(all(target_arch = "x86_64", unix))]
mod word_code;

pub(crate) use assemble::Assembly;
