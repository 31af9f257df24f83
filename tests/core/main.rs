//! The SIMT core against host semantics: hand-assembled programs run on the core with a memory model behind its packet
//! port.

#[path = "../support/assembling.rs"]
mod assembling;
mod barriers;
mod cache_conscious;
#[path = "../support/campaign.rs"]
mod campaign;
mod constants;
mod control;
#[path = "../support/cuda/mod.rs"]
mod cuda;
mod doubles;
mod kernels;
mod latencies;
mod lockstep;
#[path = "../support/matrix.rs"]
mod matrix;
mod memory;
mod merge;
mod pipelines;
#[path = "../support/pooled.rs"]
mod pooled;
mod port;
mod prefetch;
mod random;
#[path = "../support/random_program.rs"]
mod random_program;
mod rig;
mod scheduler;
mod shapes;
mod slots;
mod special;
mod thread_index;
mod throttle;
mod toy_figures;

use warpmesh::program;
