//! What gates must know of a module and of those around it.

use super::{Module, bits::ModuleGates, gated, items::ReadPlace, source_at};
use crate::{
    passes::{
        body::Prepared,
        ir::{Call, Function},
        lower::Source,
    },
    plan::InputMarks,
};
use hdl::{NetId, words_for};
use rustc_hash::FxHashMap;

/// Makes bodies of the phases of a module, with gates; its children are done.
pub(in crate::passes) fn gate(
    source: Source,
    module: usize,
    functions: [Function; 2],
    called: &dyn Fn(&Call) -> usize,
    done: &mut [Prepared],
) {
    let Source { design, layouts, plans, .. } = source;
    let (plan, layout, definition) = (&plans[module], &layouts[module], &design.modules[module].module);
    let place = |&port: &NetId| layout.places[port.index()];
    let read = |place: crate::layout::Place| source_at(place.area, place.offset);
    let memory = |part: usize, index: usize| {
        let part = &plan.parts[part];
        let memory = design.modules[part.module].module.writes[index].memory;
        part.bases.storage + layouts[part.module].memories[memory.index()]
    };
    let intrinsic_outputs = |module: usize| {
        let (layout, intrinsic) = (&layouts[module], &design.modules[module].module);
        let output = |&port: &NetId| (layout.places[port.index()].offset, words_for(intrinsic.net(port).width));
        intrinsic.outputs.iter().map(output).collect()
    };
    let mut shown: Vec<ReadPlace> = vec![];
    for &tile in plan.elsewhere.keys() {
        let child = design.index_of(&definition.instances[tile].module);
        let ports = design.modules[child].module.outputs.iter();
        shown.extend(ports.map(|port| read(layout.children[tile].of(layouts[child].places[port.index()]))));
    }
    let marks = InputMarks::new(&plan.elsewhere);
    let mut input_marks = FxHashMap::default();
    for (&tile, first) in &marks.first {
        let child = design.index_of(&definition.instances[tile].module);
        let places = design.modules[child].module.inputs.iter();
        let places = places.map(|port| layout.children[tile].of(layouts[child].places[port.index()]).offset);
        input_marks.extend(places.zip(64 * first..));
    }
    let ([early, late], gates): (_, ModuleGates) = gated(Module {
        functions,
        inputs: definition.inputs.iter().map(|port| place(port).offset).collect(),
        outputs: definition.outputs.iter().map(|port| read(place(port))).collect(),
        memory: &memory,
        children: &|module| done[module].gates.as_ref(),
        made: &|module| [done[module].early.is_some(), done[module].late.is_some()],
        tiles: &plan.tiles,
        shown: &shown,
        input_marks: (&input_marks, marks.words),
        intrinsic_outputs: &intrinsic_outputs,
        called,
    });
    let prepared = &mut done[module];
    (prepared.early, prepared.late, prepared.gates) = (early, late, Some(gates));
}
