//! What computes a cycle: options of every command that simulates. No result depends on them.

use super::choice::choice;
use clap::{Args, builder::TypedValueParser};
use cuda::threads;
use sim::{Engine, Options};

/// Engine, threads, kept code.
#[derive(Args, Debug)]
pub struct EngineArgs {
    /// Threads of the simulation, 1 to 256, or `auto`: as many as gain, measured meanwhile. The result does not depend on it.
    #[arg(long, value_name = "N", default_value = "auto", value_parser = threads)]
    threads: usize,
    /// What computes a cycle; the result does not depend on it.
    #[arg(long, value_name = "ENGINE", default_value_t = Engine::Auto, value_parser = engines())]
    engine: Engine,
    /// Compile anew, and keep nothing: without it, compiled code is kept in your folder of caches for the next run.
    #[arg(long)]
    no_cache: bool,
}

impl EngineArgs {
    /// These, and the defaults of what they leave open.
    pub fn options(&self) -> Options {
        Options { engine: self.engine, threads: self.threads, cache: !self.no_cache, ..Options::default() }
    }
}

/// Engines by name, with what they are in the help.
pub(super) fn engines() -> impl TypedValueParser<Value = Engine> {
    choice(Engine::ALL, Engine::name, |engine| engine.about().into())
}
