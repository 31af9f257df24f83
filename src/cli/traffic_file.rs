//! Traffic that comes from a file: `noc --matrix`, `noc --trace`.

use super::Failure;
use clap::Args;
use common::files::read_text;
use measure::open_loop::{RateMatrix, TableError, Trace};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// Bytes that are read of such a file.
const LIMIT: u64 = 256 << 20;

/// Options of files with traffic.
#[derive(Args, Debug)]
pub struct TrafficFiles {
    /// Who sends how much to whom, instead of a pattern: a table `source,dest,rate` with flits a cycle. With --rate or --sweep all rates
    /// are scaled to that mean load of the nodes that send; without, they are measured as they are.
    #[arg(long, value_name = "FILE.csv", conflicts_with = "traffic")]
    matrix: Option<PathBuf>,
    /// Send the packets of a trace, and measure until the last one has arrived: a table `cycle,source,dest,flits`, perhaps with `class`
    /// (request or reply) and `after` (number of an earlier packet that has to arrive before).
    #[arg(
        long,
        value_name = "FILE.csv",
        conflicts_with_all = [
            "traffic", "matrix", "rate", "sweep", "flits", "one_way", "request_reply", "reads", "hot_share", "service", "warmup", "measure",
            "seed", "burst", "plot", "snapshots"
        ]
    )]
    trace: Option<PathBuf>,
}

impl TrafficFiles {
    /// The matrix or the trace comes from a file.
    pub fn are_given(&self) -> bool {
        self.matrix.is_some() || self.trace.is_some()
    }

    /// The matrix, if there is one.
    pub fn matrix(&self) -> Result<Option<Arc<RateMatrix>>, Failure> {
        Ok(read(self.matrix.as_deref(), RateMatrix::read)?.map(Arc::new))
    }

    /// The trace, if there is one.
    pub fn trace(&self) -> Result<Option<Arc<Trace>>, Failure> {
        Ok(read(self.trace.as_deref(), Trace::read)?.map(Arc::new))
    }

    /// What is sent, for reports.
    pub fn name(&self) -> Option<String> {
        let name = |what: &str, path: &PathBuf| format!("{what} {}", path.display());
        let matrix = self.matrix.as_ref().map(|path| name("matrix", path));
        matrix.or(self.trace.as_ref().map(|path| name("trace", path)))
    }
}

fn read<T>(path: Option<&Path>, parse: fn(&str, &str) -> Result<T, TableError>) -> Result<Option<T>, Failure> {
    let Some(path) = path else { return Ok(None) };
    let file = path.display().to_string();
    let text = read_text(path, LIMIT).map_err(|cause| Failure::new(2, format!("{file}: {cause}")))?;
    parse(&file, &text).map(Some).map_err(|mistake| Failure::new(2, mistake))
}
