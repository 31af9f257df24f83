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

    /// The same for each of `at_a_time` runs in processes of their own, which share the processors: alone, it may measure what it gains.
    pub fn arguments(&self, at_a_time: usize) -> Vec<String> {
        let threads = match self.threads {
            Options::AUTOMATIC_THREADS if at_a_time > 1 => "1".into(),
            Options::AUTOMATIC_THREADS => "auto".into(),
            threads => threads.to_string(),
        };
        let cache = self.no_cache.then(|| "--no-cache".to_string());
        ["--engine".into(), self.engine.name().into(), "--threads".into(), threads].into_iter().chain(cache).collect()
    }

    /// The engine, where not any may do.
    pub fn asked(&self) -> Option<&'static str> {
        (self.engine != Engine::Auto).then(|| self.engine.name())
    }
}

/// Engines by name, with what they are in the help.
pub(super) fn engines() -> impl TypedValueParser<Value = Engine> {
    choice(Engine::ALL, Engine::name, |engine| engine.about().into())
}
