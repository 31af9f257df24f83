//! Splitting into functions of bounded size.
//!
//! *Recovers* short functions from long ones: register allocation is superlinear in the length of a block. *Legal*, as the chunks
//! are called one after the other, and a value that a later chunk needs of an earlier one passes through memory
//! (*spilled*). What can be read again from the state is simply read again.

use super::{
    body::{Body, Step},
    ir::{Call, Function},
};
use hdl::words_for;
use rustc_hash::FxHashMap;

/// Words computed by one function, about.
const CHUNK: usize = 1000;

/// Cuts the steps of a function. `called`: what a call counts as, by its number.
pub(crate) fn split(function: Function, steps: Vec<Step>, cut: bool, called: impl Fn(&Call) -> usize) -> Body {
    let mut body = Body { function, chunks: vec![vec![]], spilled: FxHashMap::default(), spill_words: 0, gates: None };
    let (mut size, mut home) = (0, FxHashMap::default());
    for step in steps {
        let weight = match step {
            Step::Node(id) => words_for(body.function.graph.width(id)).max(step.weight(&body.function)),
            Step::Call(call) => called(&body.function.calls[call]),
            Step::Input(..) | Step::Effect(_) | Step::When(_) => step.weight(&body.function),
        };
        if cut && size > 0 && size + weight > CHUNK {
            body.chunks.push(vec![]);
            size = 0;
        }
        size += weight;
        let chunk = body.chunks.len() - 1;
        let graph = &body.function.graph;
        let mut used = vec![];
        step.for_each_use(&body.function, |id| used.push(id));
        for id in used {
            if let Some(&at) = home.get(&id)
                && at != chunk
                && !body.spilled.contains_key(&id)
            {
                body.spilled.insert(id, (at, body.spill_words));
                body.spill_words += words_for(graph.width(id)) as u32;
            }
        }
        if let Step::Node(id) = step {
            home.insert(id, chunk);
        }
        body.chunks[chunk].push(step);
    }
    body
}
