//! warpmesh with a warp scheduler of its own: of the ready warps the one with the lowest number issues. It has no state
//! at all, and shows what fairness is worth.

#![forbid(unsafe_code)]

use std::process::ExitCode;
use warpmesh::{
    blocks::lowest_set,
    common::policies::{OwnPolicy, RowError},
    core::{
        WarpScheduler,
        scheduler::{Candidates, WarpPolicy},
    },
    hdl::Signal,
};

struct LowestFirst;

impl WarpPolicy for LowestFirst {
    fn choose<'m>(&self, warps: &Candidates<'m>) -> Signal<'m> {
        lowest_set(warps.ready)
    }
}

fn main() -> Result<ExitCode, RowError> {
    WarpScheduler::add(OwnPolicy {
        name: "lowest-first",
        aliases: &[],
        about: "The ready warp with the lowest number: fixed priorities.",
        policy: &LowestFirst,
    })?;
    Ok(warpmesh::main())
}
