//! Nets that a description has declared for who looks at it.

use super::{OutputHandle, Simulator};
use hdl::Tap;

impl Simulator {
    /// The nets of a tap: a list for each tile (each instance of the top, in order; those without the tap are left out), in it those of
    /// one instance after the other, a parent before its children.
    pub fn taps(&self, tap: Tap) -> Vec<Vec<OutputHandle>> {
        self.taps_of_tiles(tap, None)
    }

    /// As [`taps`](Self::taps), of instances inside a block of kind `around`.
    pub fn taps_inside(&self, around: &str, tap: Tap) -> Vec<Vec<OutputHandle>> {
        self.taps_of_tiles(tap, Some(around))
    }

    fn taps_of_tiles(&self, tap: Tap, around: Option<&str>) -> Vec<Vec<OutputHandle>> {
        let tiles = self.scopes[0].children.iter().map(|&tile| {
            let mut found = vec![];
            self.taps_below(tile, tap, around, &mut found);
            found
        });
        tiles.filter(|found| !found.is_empty()).collect()
    }

    fn taps_below(&self, scope: usize, tap: Tap, around: Option<&str>, found: &mut Vec<OutputHandle>) {
        let number = self.scopes[scope].module;
        let module = &self.design.modules[number].module;
        for &(_, net) in module.taps.iter().filter(|(tied, _)| *tied == tap && around.is_none()) {
            let at = self.names().place(scope, net);
            self.handles.borrow_mut().insert((number, net));
            found.push(OutputHandle { place: at.place, width: at.width, net: (number, net) });
        }
        let around = around.filter(|kind| *kind != module.kind);
        self.scopes[scope].children.iter().for_each(|&child| self.taps_below(child, tap, around, found));
    }
}
