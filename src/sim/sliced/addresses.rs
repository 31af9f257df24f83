//! Where everything is: planes, payload registers and memories in the arrays of the engine.

use super::{arrays::span, build::Work, bundles::Bundles, datapath::classify::Payload};
use hdl::*;
use netlist::Design;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Words between what different parts write: no line of the cache (two, for prefetchers) belongs to two of them.
pub(super) const SPACING: usize = 16;

/// Memory of one word of lanes, in the store.
#[derive(Clone, Copy, Debug)]
pub(super) struct Address {
    pub first: usize,
    pub depth: usize,
    /// Words of an entry.
    pub words: usize,
}

impl Address {
    /// The first entry of a lane.
    pub fn of(self, lane: usize) -> usize {
        self.first + lane * self.depth * self.words
    }
}

/// Where everything is.
pub(super) struct Addresses {
    /// Per bundle: first word of its planes of registers, of wires.
    pub registers: Vec<usize>,
    pub wires: Vec<usize>,
    pub register_words: usize,
    pub wire_words: usize,
    /// Per part: its words among the planes of registers.
    pub parts: Vec<Range<usize>>,
    /// Per bundle, payload register and word: places of lane 0.
    pub payload: FxHashMap<(usize, NetId, usize), usize>,
    /// Per bundle, memory and word.
    pub memories: FxHashMap<(usize, MemId, usize), Address>,
    pub store_words: usize,
}

impl Addresses {
    pub fn new(design: &Design, bundles: &Bundles, payload: &Payload, work: &[Work], parts: usize) -> Self {
        let count = bundles.bundles.len();
        let mut out = Self {
            registers: vec![0; count],
            wires: vec![0; count],
            register_words: 0,
            wire_words: 0,
            parts: vec![0..0; parts],
            payload: FxHashMap::default(),
            memories: FxHashMap::default(),
            store_words: 0,
        };
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&b| bundles.bundles[b].part);
        let mut before = None;
        for b in order {
            let (bundle, work) = (&bundles.bundles[b], &work[b]);
            if before.replace(bundle.part).is_some_and(|part| part != bundle.part) {
                for words in [&mut out.register_words, &mut out.wire_words, &mut out.store_words] {
                    *words = words.next_multiple_of(SPACING) + SPACING;
                }
            }
            (out.registers[b], out.wires[b]) = (out.register_words, out.wire_words);
            let planes = |slots: u32| (slots as usize * bundle.words()).next_multiple_of(8);
            out.register_words += planes(work.register_slots);
            out.wire_words += planes(work.wire_slots());
            let part = &mut out.parts[bundle.part];
            let first = if part.start == part.end { out.registers[b] } else { part.start };
            *part = first..out.register_words;
            let module = &design.modules[bundle.module].module;
            for (word, valid) in bundle.valid.iter().enumerate() {
                let lanes = span(*valid);
                for net in module.registers().filter(|&net| payload.net(b, net)) {
                    out.payload.insert((b, net, word), out.store_words);
                    out.store_words += lanes * 2 * words_for(module.net(net).width);
                }
                for (i, memory) in module.memories.iter().enumerate() {
                    let place = Address { first: out.store_words, depth: memory.depth, words: words_for(memory.width) };
                    out.memories.insert((b, MemId(i as u32), word), place);
                    out.store_words += lanes * place.depth * place.words;
                }
            }
        }
        out
    }
}
