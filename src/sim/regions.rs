//! Where the tiles of an engine stand in the state of all engines, and what of them the engine keeps elsewhere.

use crate::layout::{Area, Place};
use std::ops::Range;

/// The tiles of an engine with a state of its own.
pub(crate) struct TileRegions {
    /// In the register arrays and in the storage: regions of tiles, in order, and the tiles.
    regions: [Vec<(Range<usize>, usize)>; 2],
    /// Likewise: a bit for each place of a tile but those that outputs are shown in.
    hidden: [Vec<u64>; 2],
}

impl TileRegions {
    /// `tiles`: with the region of each in the register arrays and in the storage. `shown`: places in them that are up to
    /// date after each clock edge.
    pub fn new(
        tiles: impl IntoIterator<Item = (usize, [Range<usize>; 2])>,
        shown: impl IntoIterator<Item = (Area, usize)>,
    ) -> Self {
        let mut regions = [vec![], vec![]];
        for (tile, [registers, storage]) in tiles {
            regions[0].push((registers, tile));
            regions[1].push((storage, tile));
        }
        let mut hidden = regions.each_mut().map(|regions| {
            regions.sort_unstable_by_key(|(region, _)| region.start);
            let end = regions.iter().map(|(region, _)| region.end).max().unwrap_or(0);
            let mut bits = vec![0u64; end.div_ceil(64)];
            let places = regions.iter().flat_map(|(region, _)| region.clone());
            places.for_each(|place| bits[place / 64] |= 1 << (place % 64));
            bits
        });
        for (area, place) in shown {
            hidden[index(area)][place / 64] &= !(1 << (place % 64));
        }
        Self { regions, hidden }
    }

    /// The state does not have what is at this place of a tile.
    pub fn hides(&self, Place { area, offset }: Place) -> bool {
        let word = self.hidden[index(area)].get(offset as usize / 64);
        word.is_some_and(|word| word >> (offset % 64) & 1 == 1)
    }

    /// The tile at this place.
    pub fn tile_at(&self, Place { area, offset }: Place) -> Option<usize> {
        let (regions, at) = (&self.regions[index(area)], offset as usize);
        let behind = regions.partition_point(|(region, _)| region.start <= at);
        // A tile may have nothing in an area: regions that begin at one place are empty but for one of them.
        let here = regions[..behind].iter().rev().find(|(region, _)| !region.is_empty());
        here.filter(|(region, _)| region.contains(&at)).map(|&(_, tile)| tile)
    }
}

fn index(area: Area) -> usize {
    usize::from(area == Area::Storage)
}
