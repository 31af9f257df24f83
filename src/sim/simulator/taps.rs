//! Nets that a description has declared for those who look at it.

use super::{OutputHandle, Simulator};
use hdl::Tap;

impl Simulator {
    /// The nets of taps that are tied equally often: a list for each tile (each instance of the top, in order; those without the taps are
    /// left out), in it those of one instance after the other, a parent before its children.
    pub fn taps<const N: usize>(&self, taps: [Tap; N]) -> Vec<Vec<[OutputHandle; N]>> {
        self.taps_of_tiles(taps, None)
    }

    /// As [`taps`](Self::taps), of instances inside a block of kind `around`.
    pub fn taps_inside<const N: usize>(&self, around: &str, taps: [Tap; N]) -> Vec<Vec<[OutputHandle; N]>> {
        self.taps_of_tiles(taps, Some(around))
    }

    fn taps_of_tiles<const N: usize>(&self, taps: [Tap; N], around: Option<&str>) -> Vec<Vec<[OutputHandle; N]>> {
        let tiles = self.scopes[0].children.iter().map(|&tile| {
            let found = taps.map(|tap| {
                let mut found = vec![];
                self.taps_below(tile, tap, around, &mut found);
                found
            });
            assert!(found.iter().all(|nets| nets.len() == found[0].len()), "tied equally often: {taps:?}");
            (0..found[0].len()).map(|at| found.each_ref().map(|nets| nets[at])).collect::<Vec<_>>()
        });
        tiles.filter(|found| !found.is_empty()).collect()
    }

    fn taps_below(&self, scope: usize, tap: Tap, around: Option<&str>, found: &mut Vec<OutputHandle>) {
        let number = self.scopes[scope].module;
        let module = &self.design.modules[number].module;
        for &(_, net) in module.taps.iter().filter(|(tied, _)| *tied == tap && around.is_none()) {
            let at = self.names().place(scope, net);
            // Those that are read again and again are computed from the first reading on, all at once.
            if !self.peeked.are_glances() {
                self.handles.borrow_mut().insert((number, net));
            }
            found.push(OutputHandle { place: at.place, width: at.width, net: (number, net) });
        }
        let around = around.filter(|kind| *kind != module.kind);
        self.scopes[scope].children.iter().for_each(|&child| self.taps_below(child, tap, around, found));
    }
}
