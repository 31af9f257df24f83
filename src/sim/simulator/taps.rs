//! Nets that a description has declared for those who look at it.

use super::{OutputHandle, SimError, Simulator};
use hdl::{NetId, Tap};

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

    /// The nets of taps of a part that the top builds itself, with their numbers, in the order in which they were tied; the taps are tied
    /// equally often.
    pub fn part_taps<const N: usize>(&self, taps: [Tap; N]) -> Vec<(Option<u32>, [OutputHandle; N])> {
        let tied = &self.design.modules[self.scopes[0].module].module.taps;
        let found = taps.map(|tap| {
            let of_tap = tied.iter().filter(|(tied, _)| tied.is_of(tap));
            of_tap.map(|&(tied, net)| (tied.index, self.tapped(0, net))).collect::<Vec<_>>()
        });
        let numbers = |nets: &[(Option<u32>, OutputHandle)]| nets.iter().map(|(index, _)| *index).collect::<Vec<_>>();
        let first = numbers(&found[0]);
        assert!(found.iter().all(|nets| numbers(nets) == first), "not tied equally often: {taps:?}");
        first.into_iter().enumerate().map(|(at, index)| (index, found.each_ref().map(|nets| nets[at].1))).collect()
    }

    /// The nets of taps of a part that the top builds itself, each of which is tied once.
    ///
    /// # Errors
    /// One of them is not tied, or several times.
    pub fn part_tap<const N: usize>(&self, taps: [Tap; N]) -> Result<[OutputHandle; N], SimError> {
        let tied = &self.design.modules[self.scopes[0].module].module.taps;
        for tap in taps {
            let found = tied.iter().filter(|(tied, _)| tied.is_of(tap)).count();
            if found != 1 {
                return Err(SimError::Taps { tap: tap.to_string(), found, expected: 1 });
            }
        }
        Ok(self.part_taps(taps)[0].1)
    }

    fn taps_of_tiles<const N: usize>(&self, taps: [Tap; N], around: Option<&str>) -> Vec<Vec<[OutputHandle; N]>> {
        let tiles = self.scopes[0].children.iter().map(|&tile| {
            let found = taps.map(|tap| {
                let mut found = vec![];
                self.taps_below(tile, tap, around, &mut found);
                found
            });
            assert!(found.iter().all(|nets| nets.len() == found[0].len()), "not tied equally often: {taps:?}");
            (0..found[0].len()).map(|at| found.each_ref().map(|nets| nets[at])).collect::<Vec<_>>()
        });
        tiles.filter(|found| !found.is_empty()).collect()
    }

    fn taps_below(&self, scope: usize, tap: Tap, around: Option<&str>, found: &mut Vec<OutputHandle>) {
        let module = &self.design.modules[self.scopes[scope].module].module;
        let tied = module.taps.iter().filter(|(tied, _)| *tied == tap && around.is_none());
        found.extend(tied.map(|&(_, net)| self.tapped(scope, net)));
        let around = around.filter(|kind| *kind != module.kind);
        self.scopes[scope].children.iter().for_each(|&child| self.taps_below(child, tap, around, found));
    }

    fn tapped(&self, scope: usize, net: NetId) -> OutputHandle {
        let (number, at) = (self.scopes[scope].module, self.names().place(scope, net));
        // Those that are read again and again are computed from the first reading on, all at once.
        if !self.peeked.are_glances() {
            self.handles.borrow_mut().insert((number, net));
        }
        OutputHandle { place: at.place, width: at.width, net: (number, net) }
    }
}
