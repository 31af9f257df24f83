//! Equal tiles on one thread, function by function.
//!
//! The code of a busy tile is larger than the first cache of instructions of a processor: evaluated one after the
//! other, a dozen cores of 100 KB each would fetch all of it a dozen times in every cycle. Tiles are independent within
//! a cycle, so the chunks of their late phase are called in turn, each for all tiles that take part, while its code is
//! at hand. The compiler cuts such phases between calls of about equal size.

use super::{
    log::Frame,
    tile::{Arrays, Code, Tile, Turn},
};
use crate::profile::{Activity, MaybeBoard, profile_mark};

/// Tiles of one module.
pub(super) struct Kind {
    /// Chunks of the late phase with gates (if there are any), and without.
    pub chunks: [Vec<Code>; 2],
    /// Words of the spill area of a tile.
    pub spill_words: usize,
}

/// What tiles are equal, and room for their evaluation.
#[derive(Default)]
pub(super) struct Batch {
    kinds: Vec<Kind>,
    /// Per tile: its kind, if there are others of it and several chunks.
    of_tile: Vec<Option<usize>>,
    /// Per kind, with gates and without: positions among the tiles that take part.
    groups: Vec<[Vec<usize>; 2]>,
    spill: Vec<u64>,
}

impl Batch {
    /// `of_tile`: positions among the kinds.
    pub fn new(kinds: Vec<Kind>, of_tile: Vec<Option<usize>>) -> Self {
        let most = kinds.iter().map(|kind| kind.spill_words).max().unwrap_or(0) * of_tile.len();
        Self { groups: kinds.iter().map(|_| Default::default()).collect(), kinds, of_tile, spill: vec![0; most] }
    }

    /// Evaluates the tiles that take part; `results`: what their functions return and, where it is wanted, how long
    /// they take. Tiles whose time is wanted are evaluated alone.
    ///
    /// # Safety
    /// As for [`Tile::evaluate`], of all tiles.
    pub unsafe fn evaluate(
        &mut self,
        tiles: &[Tile],
        active: &[Turn],
        arrays: Arrays,
        frame: *mut Frame,
        board: &MaybeBoard,
        results: &mut Vec<(u64, u64)>,
    ) {
        results.clear();
        for (position, &turn) in active.iter().enumerate() {
            results.push((0, 0));
            match self.of_tile[turn.tile].filter(|_| !turn.timed) {
                Some(kind) => self.groups[kind][usize::from(turn.plain)].push(position),
                None => {
                    profile_mark(board, Activity::Tile(tiles[turn.tile].instance));
                    // SAFETY: the caller's.
                    results[position] = unsafe { tiles[turn.tile].evaluate(turn, arrays, frame) };
                }
            }
        }
        for (kind, groups) in self.kinds.iter().zip(&mut self.groups) {
            for (chunks, group) in kind.chunks.iter().zip(groups) {
                for &chunk in chunks {
                    for (number, &position) in group.iter().enumerate() {
                        let tile = &tiles[active[position].tile];
                        profile_mark(board, Activity::Tile(tile.instance));
                        // A part of its own for each, as others' chunks come between.
                        let spill = self.spill[number * kind.spill_words..].as_mut_ptr();
                        // SAFETY: the caller's; the chunks of a tile are called in turn, as its function does.
                        results[position].0 |= unsafe { tile.run(chunk, arrays, frame, spill) };
                    }
                }
                group.clear();
            }
        }
    }
}
