//! The matrix of engines and selections of passes that every testbench and every kernel runs on. Both lists come from the code:
//! a new engine or pass is in the matrix from its first day.
//!
//! Small things run on the whole matrix at once ([`matrix`]). Test benches that are long run on what is *under test*
//! ([`options`]): what a user gets, unless `scripts/test` asks for another row of the matrix.

#![allow(dead_code, reason = "each test uses a part")]

use std::env;
use warpmesh::sim::{Engine, Options, Pass, Passes};

/// All passes, none, each one alone, and all but each one.
pub fn selections() -> Vec<Passes> {
    let alone = Pass::ALL.iter().map(|&pass| Passes::NONE.with(pass));
    let without = Pass::ALL.iter().map(|&pass| Passes::ALL.without(pass));
    [Passes::ALL, Passes::NONE].into_iter().chain(alone).chain(without).collect()
}

/// Every engine with every selection of passes. The interpreter comes first, and once: it has no passes.
pub fn matrix() -> Vec<Options> {
    let of = |engine, passes| Options { engine, passes, ..Options::default() };
    let others = Engine::ALL.into_iter().filter(|&engine| engine != Engine::Interpreter);
    let others = others.flat_map(|engine| selections().into_iter().map(move |passes| of(engine, passes)));
    [of(Engine::Interpreter, Passes::ALL)].into_iter().chain(others).collect()
}

/// What is under test: the defaults, or what the variables of the environment `WARPMESH_TEST_ENGINE` and `WARPMESH_TEST_PASSES`
/// name as on the command line.
pub fn options() -> Options {
    let asked = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
    let engine = asked("WARPMESH_TEST_ENGINE").map_or(Ok(Engine::default()), |name| name.parse());
    let passes = asked("WARPMESH_TEST_PASSES").map_or(Ok(Passes::ALL), |list| Passes::parse(&list));
    Options {
        engine: engine.unwrap_or_else(|e| panic!("WARPMESH_TEST_ENGINE: {e}")),
        passes: passes.unwrap_or_else(|unknown| panic!("WARPMESH_TEST_PASSES: no pass is called `{unknown}`")),
        ..Options::default()
    }
}
