//! Tiles on several threads.
//!
//! Within a clock edge tiles are independent: each reads present registers (its own, and others' through its inputs, which
//! the top has stored) and writes only inside its own regions. Workers take tiles from a common counter, so that uneven
//! tiles spread evenly; which worker runs a tile has no influence on any bit. One job is one evaluation; workers wait for the
//! next by spinning for a short while, then sleeping.

use super::Tile;
use crate::sim::state::State;
use std::{
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle},
};

/// Turns of waiting before giving way to other threads, and before sleeping.
const SPINS: u32 = 2_000;
const YIELDS: u32 = 200;

/// Workers beside the calling thread.
pub(super) struct Pool {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
}

struct Shared {
    tiles: Vec<Tile>,
    /// Number of the present job; a change starts the workers.
    job: AtomicU64,
    /// Next tile to take.
    next_tile: AtomicUsize,
    /// Workers that have finished the present job.
    finished: AtomicUsize,
    failed: AtomicBool,
    quit: AtomicBool,
    /// The arrays of the present job.
    registers: AtomicPtr<u64>,
    next: AtomicPtr<u64>,
    rest: AtomicPtr<u64>,
    /// Workers asleep, and what wakes them.
    sleeping: AtomicUsize,
    lock: Mutex<()>,
    wake: Condvar,
}

impl Pool {
    /// `workers` threads beside the caller's.
    pub fn new(tiles: Vec<Tile>, workers: usize) -> Self {
        let null = || AtomicPtr::new(std::ptr::null_mut());
        let shared = Arc::new(Shared {
            tiles,
            job: AtomicU64::new(0),
            next_tile: AtomicUsize::new(0),
            finished: AtomicUsize::new(0),
            failed: AtomicBool::new(false),
            quit: AtomicBool::new(false),
            registers: null(),
            next: null(),
            rest: null(),
            sleeping: AtomicUsize::new(0),
            lock: Mutex::new(()),
            wake: Condvar::new(),
        });
        let start = |_| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || shared.work())
        };
        let workers = (0..workers).map(start).collect();
        Self { shared, workers }
    }

    /// Evaluates all tiles; true when an assertion failed.
    pub fn evaluate(&self, state: &mut State) -> bool {
        let shared = &*self.shared;
        shared.registers.store(state.registers.as_mut_ptr(), Ordering::Relaxed);
        shared.next.store(state.next.as_mut_ptr(), Ordering::Relaxed);
        shared.rest.store(state.rest.as_mut_ptr(), Ordering::Relaxed);
        shared.failed.store(false, Ordering::Relaxed);
        shared.finished.store(0, Ordering::Relaxed);
        shared.next_tile.store(0, Ordering::Relaxed);
        self.start_job();
        shared.take_tiles();
        let mut turns = 0;
        while shared.finished.load(Ordering::Acquire) < self.workers.len() {
            pause(&mut turns);
        }
        shared.failed.load(Ordering::Relaxed)
    }

    fn start_job(&self) {
        // Sequentially consistent with the worker's check: either it sees the new job or we see it sleeping.
        self.shared.job.fetch_add(1, Ordering::SeqCst);
        if self.shared.sleeping.load(Ordering::SeqCst) > 0 {
            let _guard = self.shared.lock.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            self.shared.wake.notify_all();
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.quit.store(true, Ordering::Relaxed);
        self.start_job();
        for worker in self.workers.drain(..) {
            // A worker runs generated code only, which does not unwind.
            let _ = worker.join();
        }
    }
}

impl Shared {
    fn work(&self) {
        let mut done = 0;
        loop {
            self.wait_for_job(done);
            done += 1;
            if self.quit.load(Ordering::Relaxed) {
                return;
            }
            self.take_tiles();
            self.finished.fetch_add(1, Ordering::Release);
        }
    }

    fn wait_for_job(&self, done: u64) {
        let mut turns = 0;
        while self.job.load(Ordering::Acquire) == done {
            if turns < SPINS + YIELDS {
                pause(&mut turns);
                continue;
            }
            self.sleeping.fetch_add(1, Ordering::SeqCst);
            let mut guard = self.lock.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            while self.job.load(Ordering::SeqCst) == done {
                guard = self.wake.wait(guard).unwrap_or_else(|poisoned| poisoned.into_inner());
            }
            drop(guard);
            self.sleeping.fetch_sub(1, Ordering::SeqCst);
        }
    }

    fn take_tiles(&self) {
        let registers = self.registers.load(Ordering::Relaxed);
        let (next, rest) = (self.next.load(Ordering::Relaxed), self.rest.load(Ordering::Relaxed));
        loop {
            let index = self.next_tile.fetch_add(1, Ordering::Relaxed);
            let Some(tile) = self.tiles.get(index) else { return };
            // SAFETY: the pointers are those of a state of this design, which the caller of `Pool::evaluate` holds
            // exclusively until all workers have finished. Each tile is taken once per job and writes only to its own
            // regions of `next` and `rest`; nobody writes `registers`.
            if unsafe { tile.evaluate(registers, next, rest) } {
                self.failed.store(true, Ordering::Relaxed);
            }
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
