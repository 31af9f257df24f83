//! Compiled code in the [`cache`](common::cache): what is kept, and under which key.

use super::{
    code::{Coder, Symbols, machine_description},
    engine::Engine,
    options::Options,
    source::Source,
};
use common::cache::{Key, found_or_made};
use serde::{Serialize, de::DeserializeOwned};
use std::hash::Hash;

/// An engine's code with a record of it, from the cache if it may be, else made; and whether it was there. `tiles`:
/// which tiles the engine evaluates, or leaves to others.
pub(crate) fn found_or_compiled<R: Serialize + DeserializeOwned, E>(
    engine: Engine,
    source: Source,
    tiles: impl Hash,
    options: &Options,
    symbols: &Symbols,
    compile: impl FnOnce() -> Result<(Coder, R), E>,
) -> Result<((Coder, R), bool), E> {
    let key = key(engine, source, tiles, options).filter(|_| options.cache);
    found_or_made(key, |kept| Coder::load(kept, symbols), compile, |(coder, record)| coder.stored(record))
}

/// The key of an engine's code for a design: all that it depends on. A field that is added to the options or to the
/// source has to be in it, unless it has no influence on the code; that is why they are taken apart here. `None`: the
/// machine is not known.
fn key(engine: Engine, source: Source, tiles: impl Hash, options: &Options) -> Option<Key> {
    // Threads only call the code; the engine is the one that asks.
    let Options { engine: _, validate: _, threads: _, cache: _, activity: _, intrinsics, passes, profile } = *options;
    // Layouts, scopes and sites follow from the design.
    let Source { design, layouts: _, scopes: _, sites: _, observed, board: _ } = source;
    let about_code = (engine, intrinsics, passes, profile, observed, tiles);
    // The simulator itself, down to its source files, and Cranelift.
    let simulator = (env!("CARGO_PKG_VERSION"), env!("WARPMESH_BUILD"), cranelift_codegen::VERSION);
    Some(Key::default().with(simulator).with(machine_description()?).with(design.top.digest).with(about_code))
}
