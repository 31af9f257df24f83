//! Tiles on several threads.
//!
//! Within a clock edge tiles are independent: each reads present registers (its own, and others' through its inputs,
//! which the top has stored) and writes only inside its own regions. Threads take one tile after the other, so that
//! uneven tiles spread evenly; which thread runs a tile has no influence on any bit. The caller takes tiles too and
//! waits only for threads that have taken some.

use super::{
    log::Log,
    tile::{Arrays, Tile, Turn},
};
use crate::thread_pool::{Line, ThreadPool, WaitFor};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What threads share: the arrays, and where the logs and the results start.
struct Shared(Arrays, *mut Log, *mut (u64, u64));

// SAFETY: each thread uses its own log, and each tile, with its regions and its result, is taken by one thread.
unsafe impl Sync for Shared {}

/// Evaluates the `active` ones of the tiles, with a log for each thread of the pool; `results`: what their functions
/// return and how long they take, in order. The arrays are those of a state of the design that the tiles are of, and
/// the caller's alone; each tile is in the list once.
pub(super) fn evaluate(
    pool: &mut ThreadPool,
    tiles: &[Tile],
    active: &[Turn],
    arrays: Arrays,
    logs: &mut [Log],
    results: &mut Vec<(u64, u64)>,
) {
    assert!(logs.len() >= pool.size(), "there is a log for each thread");
    results.clear();
    results.resize(active.len(), (0, 0));
    let shared = Shared(arrays, logs.as_mut_ptr(), results.as_mut_ptr());
    let next = Line(AtomicUsize::new(0));
    pool.run(WaitFor::Begun, &|thread| {
        let &Shared(arrays, logs, results) = &shared;
        // SAFETY: there are as many, and this one is this thread's.
        let frame = unsafe { (*logs.add(thread)).frame() };
        loop {
            let position = next.0.fetch_add(1, Ordering::Relaxed);
            let Some(&turn) = active.get(position) else { return };
            // SAFETY: the caller's, and the position, of which there is a result, was taken by this thread alone. A
            // tile writes only to its own regions of `next`, `storage` and `marks`; nobody writes `registers` and
            // `clocks`.
            unsafe { *results.add(position) = tiles[turn.tile].evaluate(turn, arrays, frame) };
        }
    });
}

#[cfg(test)]
mod tests {
    use super::{super::log::Frame, *};
    use crate::layout::Bases;
    use crate::native::tile::Code;

    /// Counts its evaluations, slowly enough for two at a time to be noticed.
    unsafe extern "C" fn count(
        _: *const u64,
        _: *mut u64,
        storage: *mut u64,
        _: *mut u64,
        _: *mut Frame,
        _: *mut u64,
    ) -> u64 {
        // SAFETY: the only word of the tile, which is ours.
        unsafe {
            let before = storage.read_volatile();
            (0..4).for_each(|_| std::hint::spin_loop());
            storage.write_volatile(before + 1);
        }
        0
    }

    #[test]
    fn every_tile_is_evaluated_once_in_every_job() {
        const TILES: usize = 24;
        let tile = |tile: usize| Tile {
            late: Code::Plain(count),
            plain: None,
            bases: Bases { registers: 0, storage: tile as u32 },
            early: false,
            marks: (0, 0),
            clocks: 0,
            instance: tile as u32,
        };
        // More threads than processors: some of them stand still in the middle of things.
        let threads = 8;
        let tiles: Vec<Tile> = (0..TILES).map(tile).collect();
        let mut pool = ThreadPool::new(threads);
        let mut logs: Vec<Log> = (0..threads).map(|_| Log::new(0, 0, &None)).collect();
        let (mut storage, mut expected, mut results) = (vec![0u64; TILES], vec![0u64; TILES], vec![]);
        for job in 0..100_000 {
            // Many tiles after one: who comes late finds more of them than there were.
            let takes_part = |&tile: &usize| job % 2 == 1 || tile == job / 2 % TILES;
            let turn = |tile| Turn { tile, plain: false, timed: false };
            let active: Vec<Turn> = (0..TILES).filter(takes_part).map(turn).collect();
            active.iter().for_each(|turn| expected[turn.tile] += 1);
            let null = std::ptr::null_mut;
            let arrays = Arrays {
                registers: null(),
                next: null(),
                storage: storage.as_mut_ptr(),
                marks: null(),
                clocks: std::ptr::null(),
            };
            evaluate(&mut pool, &tiles, &active, arrays, &mut logs, &mut results);
            assert_eq!(storage, expected, "job {job}");
        }
    }
}
