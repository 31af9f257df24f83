//! The SIMT core against host semantics: hand-assembled programs run on the core with a memory model behind its packet
//! port.

// The package under test, by the name that others have for it.
extern crate warpmesh_core as simt_core;

mod barriers;
mod cache_conscious;
mod constants;
mod control;
mod doubles;
mod kernels;
mod l1_data;
mod latencies;
mod lockstep;
mod memory;
mod merge;
mod pipelines;
mod pooled;
mod port;
mod prefetch;
mod random;
mod rig;
mod scheduler;
mod shapes;
mod slots;
mod special;
mod thread_index;
mod throttle;
mod toy_figures;

use testkit_base::{assembling, campaign, cuda, matrix, random_program};
