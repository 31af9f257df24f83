//! Tiles on several threads.
//!
//! Within a clock edge tiles are independent: each reads present registers (its own, and others' through its inputs, which
//! the top has stored) and writes only inside its own regions. One job is one evaluation. Threads take tiles from a common
//! *ticket*, the number of the job and how many of its tiles are left in one word, so that uneven tiles spread evenly; which thread
//! runs a tile has no influence on any bit. The caller takes tiles too and waits only for tiles that others have taken: on a busy
//! machine it does not wait for workers that are not running. Workers wait by spinning for a short while, then sleeping.

use super::{
    log::{ClockView, Frame, Log},
    tile::{Arrays, Tile, Turn},
};
use std::{
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle},
};

/// Low bits of the ticket.
const TILE_BITS: u32 = 24;

/// Turns of waiting before giving way to other threads, and before sleeping.
const SPINS: u32 = 2_000;
const YIELDS: u32 = 200;

/// Workers in addition to the calling thread.
pub(super) struct Pool {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
}

struct Shared {
    tiles: Vec<Tile>,
    /// The tiles of the present job, the last one first.
    active: Vec<AtomicUsize>,
    /// Number of the present job, and in the low [`TILE_BITS`] how many of its tiles nobody has taken; a new job starts the workers.
    /// Both in one word, so that a thread that was held up anywhere cannot take a tile of a job before it has begun.
    ticket: AtomicU64,
    /// Tiles of the present job that are done.
    completed: AtomicUsize,
    /// Per tile: what its function has returned, and nanoseconds that it took.
    results: Vec<[AtomicU64; 2]>,
    quit: AtomicBool,
    /// The arrays of the present job.
    registers: AtomicPtr<u64>,
    next: AtomicPtr<u64>,
    rest: AtomicPtr<u64>,
    marks: AtomicPtr<u64>,
    clocks: AtomicPtr<ClockView>,
    /// Per thread, the caller's first.
    frames: Vec<AtomicPtr<Frame>>,
    /// Workers asleep, and what wakes them.
    sleeping: AtomicUsize,
    lock: Mutex<()>,
    wake: Condvar,
}

impl Pool {
    /// `workers` threads in addition to the caller's.
    pub fn new(tiles: Vec<Tile>, workers: usize) -> Self {
        let null = || AtomicPtr::new(std::ptr::null_mut());
        let shared = Arc::new(Shared {
            active: tiles.iter().map(|_| AtomicUsize::new(0)).collect(),
            results: tiles.iter().map(|_| Default::default()).collect(),
            tiles,
            ticket: AtomicU64::new(0),
            completed: AtomicUsize::new(0),
            quit: AtomicBool::new(false),
            registers: null(),
            next: null(),
            rest: null(),
            marks: null(),
            clocks: AtomicPtr::new(std::ptr::null_mut()),
            frames: (0..=workers).map(|_| AtomicPtr::new(std::ptr::null_mut())).collect(),
            sleeping: AtomicUsize::new(0),
            lock: Mutex::new(()),
            wake: Condvar::new(),
        });
        let start = |worker| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || shared.work(worker))
        };
        let workers = (1..=workers).map(start).collect();
        Self { shared, workers }
    }

    /// Evaluates these tiles, with a log for each thread; `results`: what their functions return and how long they take, in
    /// order.
    pub fn evaluate(&self, arrays: Arrays, logs: &mut [Log], active: &[Turn], results: &mut Vec<(u64, u64)>) {
        let shared = &*self.shared;
        let turns = active.iter().rev();
        shared.active.iter().zip(turns).for_each(|(place, turn)| place.store(turn.number(), Ordering::Relaxed));
        shared.registers.store(arrays.registers.cast_mut(), Ordering::Relaxed);
        shared.next.store(arrays.next, Ordering::Relaxed);
        shared.rest.store(arrays.rest, Ordering::Relaxed);
        shared.marks.store(arrays.marks, Ordering::Relaxed);
        shared.clocks.store(arrays.clocks.cast_mut(), Ordering::Relaxed);
        shared.frames.iter().zip(logs).for_each(|(place, log)| place.store(log.frame(), Ordering::Relaxed));
        shared.completed.store(0, Ordering::Relaxed);
        let job = self.start_job(active.len());
        shared.take_tiles(job, 0);
        let mut turns = 0;
        while shared.completed.load(Ordering::Acquire) < active.len() {
            pause(&mut turns);
        }
        results.clear();
        results.extend(active.iter().map(|turn| {
            let [result, time] = &shared.results[turn.tile];
            (result.load(Ordering::Relaxed), time.load(Ordering::Relaxed))
        }));
    }

    /// All tiles of the job before are done, so that nobody but us changes the ticket.
    fn start_job(&self, tiles: usize) -> u64 {
        let job = (self.shared.ticket.load(Ordering::Relaxed) >> TILE_BITS) + 1;
        // Sequentially consistent with the worker's check: either it sees the new job or we see it sleeping.
        self.shared.ticket.store(job << TILE_BITS | tiles as u64, Ordering::SeqCst);
        if self.shared.sleeping.load(Ordering::SeqCst) > 0 {
            let _guard = self.shared.lock.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            self.shared.wake.notify_all();
        }
        job
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.quit.store(true, Ordering::Relaxed);
        self.start_job(0);
        for worker in self.workers.drain(..) {
            // A worker runs generated code only, which does not unwind.
            let _ = worker.join();
        }
    }
}

impl Shared {
    fn work(&self, thread: usize) {
        let mut job = 0;
        loop {
            job = self.wait_for_job_after(job);
            if self.quit.load(Ordering::Relaxed) {
                return;
            }
            self.take_tiles(job, thread);
        }
    }

    fn wait_for_job_after(&self, done: u64) -> u64 {
        let job = |order| self.ticket.load(order) >> TILE_BITS;
        let mut turns = 0;
        while job(Ordering::Acquire) == done {
            if turns < SPINS + YIELDS {
                pause(&mut turns);
                continue;
            }
            self.sleeping.fetch_add(1, Ordering::SeqCst);
            let mut guard = self.lock.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            while job(Ordering::SeqCst) == done {
                guard = self.wake.wait(guard).unwrap_or_else(|poisoned| poisoned.into_inner());
            }
            drop(guard);
            self.sleeping.fetch_sub(1, Ordering::SeqCst);
        }
        job(Ordering::Acquire)
    }

    fn take_tiles(&self, job: u64, thread: usize) {
        loop {
            let ticket = self.ticket.load(Ordering::Acquire);
            let left = (ticket & ((1 << TILE_BITS) - 1)) as usize;
            if ticket >> TILE_BITS != job || left == 0 {
                return;
            }
            let turn = Turn::of_number(self.active[left - 1].load(Ordering::Relaxed));
            let load = |array: &AtomicPtr<u64>| array.load(Ordering::Relaxed);
            let (next, rest, marks) = (load(&self.next), load(&self.rest), load(&self.marks));
            let clocks = self.clocks.load(Ordering::Relaxed).cast_const();
            let arrays = Arrays { registers: load(&self.registers), next, rest, marks, clocks };
            let frame = self.frames[thread].load(Ordering::Relaxed);
            let taken =
                self.ticket.compare_exchange_weak(ticket, ticket - 1, Ordering::AcqRel, Ordering::Relaxed).is_ok();
            if !taken {
                continue;
            }
            let tile = &self.tiles[turn.tile];
            // SAFETY: the pointers are those of a state of this design, which the caller of `Pool::evaluate` holds
            // exclusively until all tiles are completed. They and the position belong to this job: they change only
            // between jobs, and as the exchange succeeded, this tile was left since the ticket was read, so that the job has not ended. Each tile is
            // in the list once, is taken once per job, and writes only to its own regions of `next`, `rest` and `marks`;
            // nobody writes `registers` and `clocks`. The frame is this thread's.
            let (result, time) = unsafe { tile.evaluate(turn, arrays, frame) };
            let [result_of, time_of] = &self.results[turn.tile];
            result_of.store(result, Ordering::Relaxed);
            time_of.store(time, Ordering::Relaxed);
            self.completed.fetch_add(1, Ordering::Release);
        }
    }
}

fn pause(turns: &mut u32) {
    if *turns < SPINS {
        std::hint::spin_loop();
    } else {
        thread::yield_now();
    }
    *turns = turns.saturating_add(1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Bases;
    use crate::native::tile::Code;

    /// Counts its evaluations, slowly enough for two at a time to be noticed.
    unsafe extern "C" fn count(
        _: *const u64,
        _: *mut u64,
        rest: *mut u64,
        _: *mut u64,
        _: *mut Frame,
        _: *mut u64,
    ) -> u64 {
        // SAFETY: the only word of the tile, which is ours.
        unsafe {
            let before = rest.read_volatile();
            (0..4).for_each(|_| std::hint::spin_loop());
            rest.write_volatile(before + 1);
        }
        0
    }

    #[test]
    fn every_tile_is_evaluated_once_in_every_job() {
        const TILES: usize = 24;
        let tile = |tile: usize| Tile {
            late: Code::Plain(count),
            plain: None,
            bases: Bases { registers: 0, rest: tile as u32 },
            early: false,
            marks: (0, 0),
            clocks: 0,
            instance: tile as u32,
        };
        // More threads than processors: some of them stand still in the middle of things.
        let workers = 7;
        let pool = Pool::new((0..TILES).map(tile).collect(), workers);
        let mut logs: Vec<Log> = (0..=workers).map(|_| Log::new(0, 0, &None)).collect();
        let (mut rest, mut expected, mut results) = (vec![0u64; TILES], vec![0u64; TILES], vec![]);
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
                rest: rest.as_mut_ptr(),
                marks: null(),
                clocks: std::ptr::null(),
            };
            pool.evaluate(arrays, &mut logs, &active, &mut results);
            assert_eq!(rest, expected, "job {job}");
        }
    }
}
