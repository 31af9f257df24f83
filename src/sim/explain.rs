//! What simulates what: an [`Explanation`] per group of equal tiles.

use super::{
    engine::{Choices, Engine},
    native::Figures,
    sliced::Estimate,
    vector::VectorChoice,
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

/// The tiles in the order of the instances, the top last. `given`: why the engine was no question.
pub(super) fn groups(
    design: &Design,
    engine: Engine,
    given: Option<&str>,
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
            (None, Some(choice)) => reason(choice.estimate, vectors),
            (None, None) => "several clocks: evaluated alone".into(),
        };
        groups.push(explanation(design, &instance.module, engine, figures, &reason));
    }
    let wiring = if engine == Engine::Interpreter { engine } else { Engine::Word };
    let why = given.unwrap_or("wiring of the tiles");
    groups.push(explanation(design, &design.top, wiring, figures, why));
    groups
}

fn reason(estimate: Estimate, vectors: Option<&VectorChoice>) -> String {
    let Estimate { lanes, gates, sliced, word, .. } = estimate;
    let [sliced, word] = [sliced, word].map(|time| time / 1000.0);
    let vectors = vectors.map_or(String::new(), |choice| format!(", {:.1} us in vectors", choice.vector / 1000.0));
    format!(
        "{lanes} alike tiles of about {gates:.0} gates: {sliced:.1} us a cycle sliced, {word:.1} us as words when busy{vectors}"
    )
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
    let sum = |of: fn(&super::ModuleFigures) -> usize| {
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

/// Positions of the module and of the distinct blocks inside, each once; the top's tiles are not part of it.
pub(super) fn blocks(design: &Design, module: &Module) -> Vec<usize> {
    let top = design.modules.len() - 1;
    let mut found = vec![design.index_of(module)];
    let mut at = 0;
    while at < found.len() {
        let block = found[at];
        let children = design.modules[block].module.instances.iter().filter(|child| block != top || !child.tile);
        for child in children.map(|instance| design.index_of(&instance.module)) {
            if !found.contains(&child) {
                found.push(child);
            }
        }
        at += 1;
    }
    found
}
