//! CUDA kernels against their execution on the host: where threads of a warp part and come together, with barriers
//! among them.

#[path = "../support/api/mod.rs"]
mod api;
mod barriers;
#[path = "../support/campaign.rs"]
mod campaign;
#[path = "../support/cuda/mod.rs"]
mod cuda;
#[path = "../support/features.rs"]
mod features;
mod front_door;
#[path = "../support/http.rs"]
mod http;
#[path = "../support/matrix.rs"]
mod matrix;
#[path = "../support/parquet_file.rs"]
mod parquet_file;
mod programs;
mod random;
#[path = "../support/random_sources/mod.rs"]
mod random_sources;
mod runs;
mod sequences;
mod sources;
#[path = "../support/workloads.rs"]
mod workloads;

use std::path::Path;
use warpmesh::chip::{Chip, load};

fn small() -> Chip {
    load(Some(Path::new("small.toml")), &["core.atomics=true".into()]).unwrap_or_else(|e| panic!("{e}"))
}
