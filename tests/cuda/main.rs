//! CUDA kernels against their execution on the host: where threads of a warp part and come together, with barriers
//! among them.

mod barriers;
mod front_door;
mod programs;
mod random;
mod runs;
mod sequences;
mod sources;

use std::path::Path;
use testkit::{api, campaign, cuda, features, http, matrix, parquet_file, random_sources, workloads};
use warpmesh::chip::{Chip, load};

fn small() -> Chip {
    load(Some(Path::new("small.toml")), &["core.atomics=true".into()]).unwrap_or_else(|e| panic!("{e}"))
}
