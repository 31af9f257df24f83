//! What simulates what: an [`Explanation`] per group of equal tiles.

use super::{
    choices::Choices,
    engine::Engine,
    native::{Figures, ModuleFigures},
    plan::blocks,
    sliced::{
        choose::GroupChoice,
        estimate::{Estimate, GAIN, LANES},
    },
    vector::choose::{self, VectorChoice},
};
use hdl::Module;
use netlist::Design;

/// Equal tiles of the top, or the wiring of the top itself, and the engine that simulates them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// Kind of the module.
    pub kind: String,
    /// Its name.
    pub module: String,
    /// Tiles; 1 for the top.
    pub instances: usize,
    /// It is the wiring of the top, without the tiles.
    pub top: bool,
    /// The engine.
    pub engine: Engine,
    /// Functions of machine code, those of the blocks inside included (groups may share them).
    pub functions: usize,
    /// Bytes of these functions.
    pub code_bytes: usize,
    /// Why this engine.
    pub reason: String,
}

/// The tiles in the order of the instances, the top last. `given`: why the engine was no question; `timed`: it was the
/// fastest when several were timed.
pub(super) fn groups(
    design: &Design,
    engine: Engine,
    given: Option<&str>,
    timed: bool,
    choices: Option<&Choices>,
    figures: Option<&Figures>,
) -> Vec<Explanation> {
    let mut groups: Vec<Explanation> = vec![];
    for (tile, instance) in design.top.instances.iter().enumerate().filter(|(_, instance)| instance.tile) {
        if let Some(group) = groups.iter_mut().find(|group| group.module == instance.module.name) {
            group.instances += 1;
            continue;
        }
        let sliced = choices.and_then(|all| all.sliced.iter().find(|choice| choice.tiles.contains(&tile)));
        let vectors = choices.and_then(|all| all.vectors.iter().find(|choice| choice.tiles.contains(&tile)));
        let engine = match engine {
            _ if sliced.is_some_and(|choice| choice.sliced) => Engine::Sliced,
            _ if vectors.is_some_and(|choice| choice.chosen) => Engine::Vector,
            Engine::Sliced | Engine::Vector => Engine::Word,
            _ => engine,
        };
        let reason = match (given, sliced) {
            (Some(given), _) => given.into(),
            (None, Some(choice)) => reason(choice, vectors, engine, timed),
            (None, None) => "several clocks: evaluated alone".into(),
        };
        groups.push(explanation(design, &instance.module, engine, figures, &reason));
    }
    let wiring = if engine == Engine::Interpreter { engine } else { Engine::Word };
    let why = given.unwrap_or("wiring of the tiles");
    groups.push(explanation(design, &design.top, wiring, figures, why));
    groups
}

fn reason(choice: &GroupChoice, vectors: Option<&VectorChoice>, engine: Engine, timed: bool) -> String {
    let Estimate { lanes, gates, sliced, word, .. } = choice.estimate;
    let micros = |time: f64| time / 1000.0;
    let time = |vectors: &VectorChoice| micros(in_vectors(choice, vectors));
    let in_vectors = vectors.map_or(String::new(), |vectors| format!(", {:.1} us in vectors", time(vectors)));
    let why = despite(choice, vectors, engine, timed).map_or(String::new(), |why| format!("; still {engine}: {why}"));
    format!(
        "{lanes} equivalent tiles of about {gates:.0} gates: {:.1} us a cycle sliced, {:.1} us as words when busy{in_vectors}{why}",
        micros(sliced),
        micros(word),
    )
}

/// Nanoseconds a cycle in vectors. Equivalent tiles need not be one group of vectors: what that of one of them
/// gains stands for all.
fn in_vectors(choice: &GroupChoice, vectors: &VectorChoice) -> f64 {
    choice.estimate.word * vectors.vector / vectors.word.max(1.0)
}

/// Why this engine when another one has the better estimate.
fn despite(choice: &GroupChoice, vectors: Option<&VectorChoice>, engine: Engine, timed: bool) -> Option<String> {
    let Estimate { lanes, sliced, word, .. } = choice.estimate;
    let vector = vectors.map_or(f64::INFINITY, |vectors| in_vectors(choice, vectors));
    let (best, least) = [(Engine::Word, word), (Engine::Sliced, sliced), (Engine::Vector, vector)]
        .into_iter()
        .min_by(|(_, a), (_, b)| a.total_cmp(b))?;
    let percent = |gain: f64| format!("{:.0} %", 100.0 * gain);
    match (engine, best) {
        _ if engine == best || least <= 0.0 => None,
        (Engine::Interpreter, _) => None,
        _ if timed => Some("this was fastest of all partitions when they were timed under this load".into()),
        (Engine::Sliced, _) => {
            Some("has links to tiles that are sliced, and a border between engines costs more".into())
        }
        (_, Engine::Sliced) if lanes < LANES => {
            Some(format!("fewer than {LANES} equivalent tiles leave most of a word of bits empty"))
        }
        (_, Engine::Sliced) if !choice.estimate.computes() => {
            Some("does little but hand on what comes in, and a border between engines costs more".into())
        }
        (_, Engine::Sliced) => Some(format!(
            "the estimate is rough, and words are left for bits only below {} of their time",
            percent(GAIN)
        )),
        _ if vectors.is_some_and(|choice| choice.tiles.len() < 2) => {
            Some("a single tile does not fill a vector".into())
        }
        _ => {
            let gain = percent(choose::GAIN);
            Some(format!("the estimate is rough, and words are left for vectors only below {gain} of their time"))
        }
    }
}

fn explanation(
    design: &Design,
    module: &Module,
    engine: Engine,
    figures: Option<&Figures>,
    reason: &str,
) -> Explanation {
    let top = design.index_of(module) == design.modules.len() - 1;
    let inside = blocks(design, module);
    let sum = |of: fn(&ModuleFigures) -> usize| {
        figures.map_or(0, |figures| inside.iter().map(|&block| of(&figures.modules[block])).sum())
    };
    Explanation {
        kind: module.kind.clone(),
        module: module.name.clone(),
        instances: 1,
        top,
        engine,
        functions: sum(|figures| figures.functions),
        code_bytes: sum(|figures| figures.code_bytes),
        reason: reason.into(),
    }
}
