//! What the engine remembers of every instance, besides the state: an array of words of its own, laid out like the
//! state.
//!
//! A probe counts lazily: the enable and value that an evaluation gave it stand in the state, and a mark says since
//! which counted clock edge; all edges until the next evaluation of the probe count alike. So a probe that is not
//! evaluated goes on counting, and nothing has to be taken back when a cycle is evaluated twice. With several clocks
//! the edges are those of the probe's domain.

use crate::{
    layout::{Counters, Layout},
    passes::gates::shape::Shape,
    state::{Scope, Sites, State},
};
use netlist::Design;

/// Places of the activity flags of one module, relative to the instance, in words.
#[derive(Debug)]
pub(super) struct MarkLayout {
    /// Per probe: since when it stands; for a probe with a table, the number of the table follows.
    pub probes: Vec<u32>,
    /// Where the words of activity gates start.
    pub gates: u32,
    /// Per instance: where its marks start.
    pub children: Vec<u32>,
    /// Size, children included.
    pub size: u32,
}

/// For all modules, in the order of [`Design::modules`]; `gates`: theirs.
pub(super) fn mark_layouts<'a>(
    design: &Design,
    layouts: &[Layout],
    gates: impl Iterator<Item = Option<&'a Shape>>,
) -> Vec<MarkLayout> {
    let mut done: Vec<MarkLayout> = vec![];
    for ((about, layout), gates) in design.modules.iter().zip(layouts).zip(gates) {
        let mut size = 0;
        let mut take = |words: u32| {
            size += words;
            size - words
        };
        let words = |counters: &Counters| if matches!(counters, Counters::Table) { 2 } else { 1 };
        let probes = layout.probes.iter().map(|p| take(words(&p.counters))).collect();
        let gates = take(gates.map_or(0, Shape::size));
        let inner = about.module.instances.iter().map(|i| done[design.index_of(&i.module)].size);
        let children = inner.map(&mut take).collect();
        done.push(MarkLayout { probes, gates, children, size });
    }
    done
}

/// The marks of a design.
#[derive(Debug)]
pub(super) struct ActivityFlags {
    pub words: Vec<u64>,
    /// Per scope: where its marks start.
    pub bases: Vec<usize>,
    /// Per probe of [`Sites::probes`]: where its mark is.
    probes: Vec<usize>,
}

impl ActivityFlags {
    pub fn new(layouts: &[MarkLayout], scopes: &[Scope], sites: &Sites) -> Self {
        let mut bases: Vec<usize> = vec![];
        let mut probes = vec![];
        for scope in scopes {
            let base = scope.parent.map_or(0, |(parent, instance)| {
                bases[parent] + layouts[scopes[parent].module].children[instance] as usize
            });
            bases.push(base);
            probes.extend(layouts[scope.module].probes.iter().map(|&at| base + at as usize));
        }
        let mut words = vec![0; layouts[scopes[0].module].size as usize];
        for (&at, site) in probes.iter().zip(&sites.probes) {
            if let Some(table) = site.table {
                words[at + 1] = table as u64;
            }
        }
        Self { words, bases, probes }
    }

    /// Counts all probes up to the time of their domain.
    pub fn settle(&mut self, time: impl Fn(u32) -> u64, sites: &Sites, state: &mut State) {
        for (&at, site) in self.probes.iter().zip(&sites.probes) {
            let time = time(site.domain);
            site.count(state, time - self.words[at]);
            self.words[at] = time;
        }
    }
}
