//! The matrix of engines and selections of passes that every testbench and every kernel runs on. Both lists come from
//! the code: a new engine or pass is in the matrix from its first day.
//!
//! Small things run on the whole matrix at once ([`matrix`]). Test benches that are long run on what is *under test*
//! ([`options`]): what a user gets, unless `scripts/test` asks for another row of the matrix.

use sim::{Engine, Options, Pass, Passes};
use std::env;

/// Rows in which a pass is on, of five: three, and no two passes have the same. So of any two passes there are rows
/// with both, with either one alone, and (as no passes are a row, too) with neither.
const ON: [[usize; 3]; 10] =
    [[0, 1, 2], [0, 1, 3], [0, 1, 4], [0, 2, 3], [0, 2, 4], [0, 3, 4], [1, 2, 3], [1, 2, 4], [1, 3, 4], [2, 3, 4]];

/// All passes, none, and five selections with every pair of passes in every state.
pub fn selections() -> Vec<Passes> {
    assert!(Pass::ALL.len() <= ON.len(), "more passes than five rows can tell apart: take six");
    let row = |row: usize| {
        let on = Pass::ALL.iter().zip(ON).filter(|(_, rows)| rows.contains(&row));
        on.fold(Passes::NONE, |passes, (&pass, _)| passes.with(pass))
    };
    [Passes::ALL, Passes::NONE].into_iter().chain((0..5).map(row)).collect()
}

/// Every engine with these selections of passes. The interpreter comes first, and once: it has no passes.
pub fn matrix() -> Vec<Options> {
    let of = |engine, passes| Options { engine, passes, ..Options::default() };
    let others = Engine::ALL.into_iter().filter(|&engine| engine != Engine::Interpreter);
    let others = others.flat_map(|engine| selections().into_iter().map(move |passes| of(engine, passes)));
    [of(Engine::Interpreter, Passes::ALL)].into_iter().chain(others).collect()
}

/// A part of the matrix for the testbench of this number: every engine with all passes and with none, and engines that
/// are not left to us with two of the five other selections. Any five testbenches in a row have all of them.
pub fn part_of_matrix(number: usize) -> Vec<Options> {
    let selections = selections();
    let chosen = |passes| {
        let place = selections.iter().position(|&selection| selection == passes).expect("of this list");
        place < 2 || [number % 5, (number + 2) % 5].contains(&(place - 2))
    };
    let all_of = |options: &Options| options.engine != Engine::Auto || options.passes == Passes::ALL;
    matrix().into_iter().filter(|options| all_of(options) && chosen(options.passes)).collect()
}

/// Whether what is under test is not what a user gets.
pub fn is_another_row() -> bool {
    (options().engine, options().passes) != (Engine::default(), Passes::ALL)
}

/// What is under test: the defaults, or what the variables of the environment `WARPMESH_TEST_ENGINE` and
/// `WARPMESH_TEST_PASSES` name as on the command line. Code is kept, as in a user's runs: many tests simulate the same
/// design.
pub fn options() -> Options {
    let asked = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
    let engine = asked("WARPMESH_TEST_ENGINE").map_or(Ok(Engine::default()), |name| name.parse());
    let passes = asked("WARPMESH_TEST_PASSES").map_or(Ok(Passes::ALL), |list| Passes::parse(&list));
    Options {
        engine: engine.unwrap_or_else(|e| panic!("WARPMESH_TEST_ENGINE: {e}")),
        passes: passes.unwrap_or_else(|unknown| panic!("WARPMESH_TEST_PASSES: no pass is called `{unknown}`")),
        cache: true,
        ..Options::default()
    }
}
